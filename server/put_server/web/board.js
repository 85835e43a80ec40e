// Drawing of a table: chairs, the trick in the middle, the viewer's own hand. It reads the fields that views have in
// common, and adds those of each family; a view of an unknown family is told in the server's words.

import { html, useEffect, useRef } from "./vendor/preact.js";
import { Card } from "./cards.js";
import { plural, secondsLeft } from "./words.js";

/** @import {Chair, Choice, Deal, Decision, Step, Table, TableInfo, Trick, View, Viewer} from "./types.js" */

/** Short words on one chair, from a family's view. @type {Record<string, (view: View, seat: number) => string[]>} */
const OF_CHAIR = {
    put: (view, seat) => [
        view.scores ? `${view.scores[seat]} of ${view.target}` : "",
        view.sides?.length ? `side ${view.sides[seat] + 1}` : "",
        view.tricks?.[seat] ? plural(view.tricks[seat], "trick") : "",
        view.putter === seat ? (view.accepted === "value" ? "doubled" : "has put") : "",
        view.seen_by?.includes(seat) ? "saw it" : "",
    ],
    triomphe: (view, seat) => [
        `${signed(view.gains?.[seat] ?? 0)}`,
        view.tricks?.[seat] ? plural(view.tricks[seat], "trick") : "",
    ],
    primero: (view, seat) => [
        `${signed(view.gains?.[seat] ?? 0)}`,
        view.put_in?.[seat] ? `bets ${view.put_in[seat]}` : "",
        view.refused?.includes(seat) ? "refused" : "",
        view.announced?.[seat] ? `says ${view.announced[seat]}` : "",
        view.traded?.[seat] ? `traded ${view.traded[seat]}` : "",
    ],
};

/** Words on the middle of the table, beside the cards. @type {Record<string, (view: View) => string[]>} */
const OF_MIDDLE = {
    put: (view) => [view.value > 1 ? `The hand is worth ${view.value}.` : ""],
    triomphe: (view) => [view.pool ? `Pool ${view.pool}` : ""],
    primero: (view) => [view.pot ? `Pot ${view.pot}` : "", view.level ? `To see: ${view.level}` : ""],
};

/** @param {number} number */
const signed = (number) => (number > 0 ? `+${number}` : String(number));

/** What the proof of a card lacks. `deals`: of its hand; null: their checks are not loaded yet; undefined: nothing is
 * checked. @param {Deal[] | null | undefined} deals @param {string} card */
function doubtOf(deals, card) {
    if (!deals) return deals === null ? "awaited" : "";
    return deals.map((deal) => deal.doubtOf(card)).find((doubt) => doubt !== undefined) ?? "unproved";
}

/** @param {View} view */
export const isDrawn = (view) => Object.hasOwn(OF_CHAIR, view.view);

/**
 * The seats in order from the viewer's left, so that the viewer sits at the bottom.
 * @param {number} seats @param {Viewer} viewer
 */
function around(seats, viewer) {
    const first = viewer === "gallery" ? 0 : viewer + 1;
    const all = [...Array(seats).keys()].map((place) => (first + place) % seats);
    return viewer === "gallery" ? all : all.slice(0, -1);
}

/** @param {{chair: Chair, seat: number, view: View | null, table: Table, now: number, deals: Deal[] | null | undefined}} shown */
function Seat({ chair, seat, view, table, now, deals }) {
    const isToMove = table.turn?.seat === seat && table.info.state === "playing";
    const words = view && isDrawn(view) ? OF_CHAIR[view.view](view, seat).filter(Boolean) : [];
    const held = view?.counts?.[seat] ?? 0;
    const isOut = view?.playing?.length && !view.playing[seat];
    const shown = view?.shown?.find((/** @type {any} */ one) => one.seat === seat);
    const declared = view?.declared?.[seat] ?? [];
    const state = [chair.is_away && "away", chair.is_gone && "gone", chair.agrees && table.info.state !== "playing" && "ready"];
    return html`<li class=${`seat${isToMove ? " to-move" : ""}${isOut ? " out" : ""}`}>
        <span class="who">
            ${view?.dealer === seat && html`<b class="dealer" title="dealer">D</b>`}
            <b>${chair.name ?? "empty"}</b>${chair.house ? html` <i>${chair.house}</i>` : chair.is_bot ? html` <i>bot</i>` : ""}
        </span>
        <span class="about">${[...words, ...state.filter(Boolean)].join(" · ")}</span>
        ${isToMove && html`<span class="clock">${secondsLeft(table, now) || "to move"}</span>`}
        <span class="cards small">
            ${shown
                ? shown.cards.map((/** @type {string} */ card) => html`<${Card} key=${card} card=${card} doubt=${doubtOf(deals, card)} />`)
                : [...Array(seat === table.viewer ? 0 : held).keys()].map((at) => html`<${Card} key=${at} back />`)}
            ${declared.map((/** @type {string} */ card) => html`<${Card} key=${card} card=${card} doubt=${doubtOf(deals, card)} />`)}
        </span>
        ${held > 0 && html`<span class="sr">${plural(held, "card")}</span>`}
    </li>`;
}

/** The cards played to a trick, each with its player.
 * @param {{trick: Trick, info: TableInfo, title?: string, deals: Deal[] | null | undefined}} shown */
function TrickCards({ trick, info, title, deals }) {
    const { seats = [], cards = [], winner } = trick;
    return html`<ol class="trick" aria-label=${title}>
        ${cards.map(
            (card, at) => html`<li key=${card} class=${winner === seats[at] ? "won" : ""}>
                <${Card} card=${card} doubt=${doubtOf(deals, card)} /><span>${info.seats[seats[at]]?.name ?? ""}</span>
            </li>`,
        )}
    </ol>`;
}

/**
 * The middle of the table: the trick in play, or the last one until the next is led.
 * @param {{view: View, info: TableInfo, deals: Deal[] | null | undefined}} shown
 */
function Middle({ view, info, deals }) {
    const isFresh = !view.trick?.cards?.length;
    const last = view.past?.at(-1);
    const words = (OF_MIDDLE[view.view]?.(view) ?? []).filter(Boolean);
    const won = isFresh && last ? (last.winner ?? null) : undefined;
    return html`<div class="middle">
        ${words.length > 0 && html`<p class="pot">${words.join(" · ")}</p>`}
        ${!isFresh && html`<${TrickCards} trick=${view.trick} ...${{ info, deals }} title="The trick" />`}
        ${isFresh && last && html`<${TrickCards} trick=${last} ...${{ info, deals }} title="The last trick" />
            <p class="note">${won === null ? "Tied: the trick goes to no player." : `${info.seats[won ?? 0]?.name} took it.`}</p>`}
        ${view.accident?.card && html`<p class="note">A card was seen:</p><span class="cards"><${Card} card=${view.accident.card} doubt=${doubtOf(deals, view.accident.card)} /></span>`}
    </div>`;
}

/**
 * The table that a view shows.
 * @param {{table: Table, view: View | null, board: string[], now: number, title?: string, about?: string, deals?: Deal[] | null, children?: any}} shown
 */
export function Board({ table, view, board, now, title = "", about = "", deals = table.deals, children }) {
    const { info, viewer } = table;
    const words = html`<ul class="words">${board.map((text) => html`<li key=${text}>${text}</li>`)}</ul>`;
    const chairs = around(info.seats.length, viewer);
    const mine = viewer === "gallery" ? null : viewer;
    return html`<div class=${`board seats-${info.seats.length}`}>
        ${title && html`<header class="about-table"><h1>${title}</h1><span>${about}</span></header>`}
        <ul class="chairs" aria-label="Players">
            ${chairs.map((seat) => html`<${Seat} key=${seat} seat=${seat} chair=${info.seats[seat]} ...${{ view, table, now, deals }} />`)}
        </ul>
        ${view && isDrawn(view) && html`<${Middle} ...${{ view, info, deals }} />`}
        ${view && !isDrawn(view) && words}
        ${mine !== null &&
        html`<ul class="chairs mine" aria-label="You">
            <${Seat} seat=${mine} chair=${info.seats[mine]} ...${{ view, table, now, deals }} />
        </ul>`}
        ${children}
    </div>`;
}

/** A choice in words: the action in full size, and its consequence, which follows a colon, in small print. @param {{text: string}} shown */
function Says({ text }) {
    const at = text.indexOf(": ");
    return at < 0 ? html`<span>${text}</span>` : html`<span>${text.slice(0, at)}: <small>${text.slice(at + 2)}</small></span>`;
}

/** The one legal action that a card of the hand stands for; undefined: none, or more than one.
 * @param {Choice[]} legal @param {string} card */
function choiceOf(legal, card) {
    const found = legal.filter(({ action }) => action.card === card);
    return found.length === 1 ? found[0] : undefined;
}

/**
 * The viewer's cards, and a button for every action that no card stands for.
 * @param {{cards: string[], legal: Choice[], disabled: boolean, act: (choice: Choice) => void, deals?: Deal[] | null}} shown
 */
export function Hand({ cards, legal, disabled, act, deals }) {
    const box = useRef(/** @type {HTMLElement | null} */ (null));
    const isByKeyboard = useRef(false);
    useEffect(() => {
        // The pressed button is gone; keyboard focus moves to the next one.
        if (isByKeyboard.current && legal.length) box.current?.querySelector("button")?.focus();
    }, [legal]);
    /** @param {MouseEvent} event @param {Choice} choice */
    const press = (event, choice) => {
        isByKeyboard.current = event.detail === 0;
        act(choice);
    };
    const others = legal.filter((choice) => !choice.action.card || !cards.some((card) => choiceOf(legal, card) === choice));
    return html`<div class="hand" ref=${box}>
        <div class=${`cards own ${cards.length < 4 ? "few" : cards.length > 6 ? "many" : ""}`} role="group" aria-label="Your cards">
            ${cards.map((card) => {
                const choice = choiceOf(legal, card);
                if (!choice) return html`<span key=${card} class="held"><${Card} card=${card} doubt=${doubtOf(deals, card)} /></span>`;
                return html`<button key=${card} class="play" disabled=${disabled}
                    onClick=${(/** @type {MouseEvent} */ event) => press(event, choice)}><${Card} card=${card} label=${false} doubt=${doubtOf(deals, card)} /><span class="sr">${choice.says}</span></button>`;
            })}
        </div>
        <div class="actions" role="group" aria-label="What you may do">
            ${others.map(
                (choice) => html`<button key=${JSON.stringify(choice.action)} disabled=${disabled}
                    onClick=${(/** @type {MouseEvent} */ event) => press(event, choice)}>
                    ${(choice.action.cards ?? []).map((/** @type {string} */ card) => html`<${Card} card=${card} label=${false} />`)}
                    <${Says} text=${choice.says} />
                </button>`,
            )}
        </div>
    </div>`;
}

// Drawing of a table in one scene: people around the felt, the trick or the event in the middle, the viewer below. It
// reads the fields that views have in common, and adds those of each family; a view of an unknown family is told in the
// server's words.

import { html, useEffect, useLayoutEffect, useRef } from "./vendor/preact.js";
import { Card, over } from "./cards.js";
import { CALLS, isMotionUnwanted } from "./director.js";
import { late } from "./late.js";
import { fit, move, placesOf } from "./motion.js";
import { isBlind, plural, rulesOf, secondsLeft, t } from "./words.js";

export const Ending = late(() => import("./ending.js"), "Ending");
const Mishap = late(() => import("./ending.js"), "Mishap");

/** Short words on one chair, from a family's view. @type {Record<string, (view: View, seat: number) => string[]>} */
const OF_CHAIR = {
    put: (view, seat) => [
        view.scores ? t`${view.scores[seat]} of ${view.target}` : "",
        view.tricks?.[seat] ? plural(view.tricks[seat], t`trick`, t`tricks`) : "",
        view.putter === seat ? (view.accepted === "value" ? t`doubled` : t`has put`) : "",
        view.seen_by?.includes(seat) ? (view.accepted === "value" ? t`took it` : t`saw it`) : "",
    ],
    triomphe: (view, seat) => [
        signed(view.gains?.[seat] ?? 0),
        view.tricks?.[seat] ? plural(view.tricks[seat], t`trick`, t`tricks`) : "",
    ],
    primero: (view, seat) => [
        signed(view.gains?.[seat] ?? 0),
        view.put_in?.[seat] ? t`bets ${view.put_in[seat]}` : "",
        view.refused?.includes(seat) ? t`refused` : "",
        view.announced?.[seat] ? t`says ${view.announced[seat]}` : "",
        view.traded?.[seat] ? t`traded ${view.traded[seat]}` : "",
    ],
};

/** Words on the middle of the table, beside the cards. @type {Record<string, (view: View) => string[]>} */
const OF_MIDDLE = {
    put: (view) => [view.value && view.value > 1 ? t`The hand is worth ${view.value}.` : ""],
    triomphe: (view) => [view.pool ? t`Pool ${view.pool}` : ""],
    primero: (view) => [view.pot ? t`Pot ${view.pot}` : "", view.level ? t`To see: ${view.level}` : ""],
};

/** @param {number} number */
const signed = (number) => (number > 0 ? `+${number}` : String(number));

/** @param {View} view */
const isDrawn = (view) => Object.hasOwn(OF_CHAIR, view.view);

/** True for the end of a hand or of a game. @param {Scene | null} scene */
const isEnd = (scene) => scene?.kind === "hand" || scene?.kind === "game";

/** Others at the left, opposite and at the right, for so many of them. */
const AT_SIDES = [0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3];

/** The seats around the felt, with the viewer at the bottom: whoever plays next sits at the side that the game goes to.
 * @param {number} seats @param {Viewer} viewer @param {string} direction */
function around(seats, viewer, direction) {
    const first = viewer === "gallery" ? 0 : viewer + 1;
    const others = [...Array(viewer === "gallery" ? seats : seats - 1).keys()].map((place) => (first + place) % seats);
    if (direction === "counter_clockwise") others.reverse();
    const side = AT_SIDES[others.length] ?? 3;
    return { left: others.slice(0, side), top: others.slice(side, others.length - side), right: others.slice(others.length - side) };
}

/** @param {{chair: SeatInfo, seat: number, scene: Scene | null, table: Table, now: number, isNow: boolean,
 *   sendAway?: (seat: number) => void}} shown */
function Seat({ chair, seat, scene, table, now, isNow, sendAway }) {
    const view = scene?.view;
    const isToMove = isNow && table.turn?.seat === seat && table.info.state === "playing";
    const words = view && isDrawn(view) ? OF_CHAIR[view.view](view, seat).filter(Boolean) : [];
    const isPartner = view?.sides?.length && typeof table.viewer === "number" && seat !== table.viewer && view.sides[seat] === view.sides[table.viewer];
    const held = view?.counts?.[seat] ?? 0;
    const isOut = view?.playing?.length && !view.playing[seat];
    const shown = isEnd(scene) ? undefined : view?.shown?.find((one) => one.seat === seat);
    const declared = view?.declared?.[seat] ?? [];
    const last = view?.past?.at(-1);
    const taken = scene?.kind !== "trick" && !isEnd(scene) && last?.winner === seat ? (last.cards ?? []) : [];
    const isCaller = (scene?.kind === "call" || scene?.kind === "word") && scene.event?.seat === seat;
    const isIdle = isNow && table.info.state !== "playing";
    const state = [isOut && t`out`, isPartner && t`your partner`, chair.is_away && t`away`, chair.is_gone && t`gone`, chair.agrees && isIdle && t`ready`, isIdle && isBlind(table.info) && chair.name && (chair.holds_key ? t`sees their cards alone` : t`the server sees their cards`)];
    return html`<li class=${`seat${isToMove ? " to-move" : ""}${isOut ? " out" : ""}${isCaller ? " says" : ""}`} data-seat=${seat}>
        <span class="who">
            ${view?.dealer === seat && html`<b class="dealer" title=${t`dealer`}>${t`D`}</b>`}
            <b>${chair.name ?? t`empty`}</b>${chair.house ? html` <i>${chair.house}</i>` : chair.is_bot ? html` <i>${t`bot`}</i>` : ""}
        </span>
        <span class="about">${[...words, ...state.filter(Boolean)].join(" · ")}
            ${isToMove && html` <b class="clock">${secondsLeft(table, now) || t`to move`}</b>`}</span>
        <span class="cards small">
            ${shown
                ? shown.cards.map((card) => html`<${Card} key=${card} card=${card} />`)
                : held > 0 && seat !== table.viewer && html`<span class="fanned back-of">${[...Array(held).keys()].map((at) => html`<${Card} key=${at} back />`)}</span>`}
            ${declared.map((card) => html`<${Card} key=${card} card=${card} />`)}
            ${taken.length > 0 && html`<span class="fanned taken" role="group" aria-label=${t`the last trick`}>${taken.map((card) => html`<${Card} key=${card} card=${card} />`)}</span>`}
        </span>
        ${held > 0 && html`<span class="sr">${plural(held, t`card`, t`cards`)}</span>`}
        ${sendAway && chair.is_house && html`<button onClick=${() => sendAway(seat)}>${t`Send away`} <span class="sr">${chair.name}</span></button>`}
    </li>`;
}

/** The cards played to a trick, each with its player.
 * @param {{trick: TrickView, info: TableInfo, title?: string, isOver: boolean}} shown */
function TrickCards({ trick, info, title, isOver }) {
    const { seats = [], cards = [], winner } = trick;
    return html`<ol class=${`trick of-${cards.length}`} aria-label=${title}>
        ${cards.map(
            (card, at) => html`<li key=${card} class=${isOver && winner === seats[at] ? "won" : ""}>
                <${Card} card=${card} /><span>${info.seats[seats[at]]?.name ?? ""}</span>
            </li>`,
        )}
    </ol>`;
}

/** Most cards turned up at once that are shown. */
const MOST_DRAWN = 12;

/** The middle of the table: the trick, or the event of the scene. @param {{scene: Scene, table: Table}} shown */
function Middle({ scene, table }) {
    const { view, kind, event, says } = scene;
    const { info } = table;
    const words = (OF_MIDDLE[view.view]?.(view) ?? []).filter(Boolean);
    const last = view.past?.at(-1);
    const isOver = isEnd(scene);
    const isFresh = !view.trick?.cards?.length;
    const isTaken = event?.event === "saw" && view.accepted === "value";
    // Cards that are drawn for the deal, or turned up, each with its player.
    const drawn = kind === "word" && event?.cards && event.seats?.length === event.cards.length && event.cards.length <= MOST_DRAWN ? { seats: event.seats, cards: event.cards } : null;
    const tied = !isOver && kind !== "trick" && isFresh && last && (last.winner ?? null) === null ? (last.cards ?? []) : [];
    return html`
        ${words.length > 0 && html`<p class="pot">${words.join(" · ")}</p>`}
        ${isOver && html`<${Ending} ...${{ scene, table }} />`}
        ${kind === "call" && event && html`<div class="call"><b>${info.seats[event.seat ?? -1]?.name}</b><q>${t([CALLS[isTaken ? "took" : event.event] ?? says[0]])}</q></div>`}
        ${drawn && html`<${TrickCards} trick=${drawn} ...${{ info }} isOver=${false} title=${t`Cards turned up`} />`}
        ${!isOver && !isFresh && html`<${TrickCards} trick=${view.trick} ...${{ info }} isOver=${false} title=${t`The trick`} />`}
        ${!isOver && isFresh && last && kind === "trick" && html`<${TrickCards} trick=${last} ...${{ info }} isOver title=${t`The last trick`} />`}
        ${(tied.length || view.accident?.card) && html`<${Mishap} ...${{ tied, seen: view.accident?.card }} />`}`;
}

/** What beats what, the best first, as the server says it. @param {{view: View | null | undefined, offer: GameOffer | undefined, info: TableInfo}} shown */
function RankStrip({ view, offer, info }) {
    if (view?.ranking?.length) {
        return html`<p class="strip"><span class="sr">${t`From the best to the worst:`}</span>${view.ranking.map((rank) => html` <span key=${rank}>${rank}</span>`)}</p>`;
    }
    const lines = offer ? rulesOf({ games: [offer] }, info).filter((rule) => /\b(rank|worth|vont de|comptent|vaut \d+)\b|^(Épées|Coupes) /.test(rule)) : [];
    return lines.length ? html`<p class="strip long" tabindex="0" role="group" aria-label=${t`What beats what`}>${lines.join(" ")}</p>` : null;
}

/** A table in one scene. `isNow`: nothing waits to be shown after it.
 * @param {{table: Table, scene: Scene | null, now: number, title?: string, about?: string, offer?: GameOffer, isNow?: boolean,
 *   goOn?: () => void, sendAway?: (seat: number) => void, children?: any}} shown */
export function Board({ table, scene, now, title = "", about = "", offer, isNow = true, goOn, sendAway, children }) {
    const { info, viewer } = table;
    const view = scene?.view ?? null;
    const box = useRef(/** @type {HTMLElement | null} */ (null));
    const last = useRef(/** @type {Scene | null} */ (null));
    const isNew = scene !== last.current;
    const before = isNew && last.current && !isMotionUnwanted() ? placesOf(box.current) : null;
    useLayoutEffect(() => fit(box.current));
    useEffect(() => {
        const resized = () => fit(box.current);
        addEventListener("resize", resized);
        return () => removeEventListener("resize", resized);
    }, []);
    useLayoutEffect(() => {
        last.current = scene;
        if (before && scene && box.current) move(box.current, before, scene);
    }, [scene]);
    const sides = around(info.seats.length, viewer, offer?.direction ?? "clockwise");
    const mine = viewer === "gallery" ? null : viewer;
    /** @param {number} seat */
    const seated = (seat) => html`<${Seat} key=${seat} seat=${seat} chair=${info.seats[seat]} ...${{ scene, table, now, isNow, sendAway }} />`;
    return html`<div class=${`board seats-${info.seats.length}${over(info.seats.length)}`} data-scene=${scene?.kind} data-waits=${!isNow} ref=${box}>
        ${title && html`<header class="about-table"><h1>${title}</h1><span>${about}</span></header>`}
        <${RankStrip} ...${{ view, offer, info }} />
        <div class=${`felt${sides.left.length ? "" : " facing"}`}>
            ${sides.left.length > 0 && html`<ul class="chairs left" aria-label=${t`Players at the left`}>${sides.left.map(seated)}</ul>`}
            ${sides.top.length > 0 && html`<ul class="chairs top" aria-label=${t`Players opposite`}>${sides.top.map(seated)}</ul>`}
            ${sides.right.length > 0 && html`<ul class="chairs right" aria-label=${t`Players at the right`}>${sides.right.map(seated)}</ul>`}
            <div class="middle" onClick=${goOn}>
                ${scene && isDrawn(scene.view) && html`<${Middle} ...${{ scene, table }} />`}
                ${scene && !isDrawn(scene.view) && html`<ul class="words">${scene.board.map((text) => html`<li key=${text}>${text}</li>`)}</ul>`}
                ${!isNow && goOn && isEnd(scene) && html`<button class="go-on">${t`Go on`}</button>`}
            </div>
            ${view && isDrawn(view) && html`<p class="latest" aria-hidden="true">${isEnd(scene) ? "" : scene?.says.at(-1)}</p>`}
        </div>
        <div class="near">
            ${mine !== null && html`<ul class="chairs own-seat" aria-label=${t`You`}>${seated(mine)}</ul>`}
            ${children}
        </div>
    </div>`;
}

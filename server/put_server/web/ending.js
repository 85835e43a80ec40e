// The end of a hand or of a game, on the felt.

import { html } from "./vendor/preact.js";
import { Card, over } from "./cards.js";
import { outcomeOf, t } from "./words.js";

/** A hand that is over: the cards that were shown, by player and trick. @param {{view: View, info: TableInfo}} shown */
function HandShown({ view, info }) {
    const past = view.past ?? [];
    const hands = view.shown ?? [];
    /** @param {number} seat */
    const name = (seat) => info.seats[seat]?.name ?? "";
    if (hands.length) {
        return html`<ul class=${`showdown${over(hands.length)}`}>${hands.map((hand) => html`<li key=${hand.seat}><span><b>${name(hand.seat)}</b>
            <small>${hand.category}, ${hand.points}</small></span>
            <span class="cards">${hand.cards.map((card) => html`<${Card} key=${card} card=${card} isMany />`)}</span></li>`)}</ul>`;
    }
    const seats = [...new Set(past.flatMap((trick) => trick.seats ?? []))].sort((one, other) => one - other);
    if (!seats.length) return null;
    return html`<ul class=${`showdown${over(seats.length)}`}>${seats.map((seat) => html`<li key=${seat}><b>${name(seat)}</b>
        <span class="cards">${past.map((trick, at) => {
            const card = trick.cards?.[trick.seats?.indexOf(seat) ?? -1];
            const about = !card ? "none" : trick.winner === seat ? "won" : "";
            return html`<span key=${at} class=${about}><${Card} card=${card} isMany /></span>`;
        })}</span></li>`)}</ul>`;
}

/** The end of a hand, or of a game: who won, what decided it, and the cards.
 * @param {{scene: Scene, table: Table}} shown */
export function Ending({ scene, table }) {
    const { info, viewer } = table;
    const isOver = scene.kind === "game" && scene.event;
    const won = isOver && typeof viewer === "number" ? outcomeOf(isOver, viewer) : undefined;
    const winners = scene.event?.winners ?? [];
    const names = winners.map((seat) => info.seats[seat]?.name).join(t` and `);
    const [outcome, title] = won ? [" won", t`You won!`] : won === false ? [" lost", t`You lost.`] : ["", won === null ? t`Even.` : names ? t`${names} won` : t`The game is over`];
    return html`<div class=${`ending${outcome}`}>
        ${isOver && html`<h2>${title}</h2>`}
        ${scene.says.map((text) => html`<p key=${text}>${text}</p>`)}
        <${HandShown} view=${scene.view} info=${info} />
    </div>`;
}

/** A trick that goes to no player, or a card that was seen by accident. @param {{tied: string[], seen?: string}} shown */
export function Mishap({ tied, seen }) {
    return html`${tied.length > 0 && html`<div class="cards small tied">${tied.map((card) => html`<${Card} key=${card} card=${card} />`)}</div>
            <p class="note">${t`Tied: the trick goes to no player.`}</p>`}
        ${seen && html`<p class="note">${t`A card was seen:`}</p><span class="cards"><${Card} card=${seen} /></span>`}`;
}

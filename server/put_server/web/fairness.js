// The proofs of a table: the checks of its deals, the four words of each, and evidence to save.

import { html } from "./vendor/preact.js";
import { nameOf } from "./card_names.js";
import { saveFile } from "./files.js";

/** @import {Chair, Table} from "./types.js" */
/** @import {App} from "./app.js" */

/** Sentences for faults of deals, by the names of docs/fair-dealing.md. @type {Record<string, string>} */
const FAULTS = {
    number: "its number does not follow that of the deal before",
    changed: "its seal or its cuts were told a second time",
    left_open: "it was left, neither cut nor voided",
    voided: "it was called off after all its cuts were made",
    blame: "it was called off without a reason",
    cards: "it is not sealed for the pack of cards that this table plays with",
    terms: "it is not sealed as the rules of this table say",
    stock: "it is not sealed for the cards that came back in this hand",
    root: "one of its roots was used before",
    to: "it was dealt to others than its seal says",
    gone: "it was to be dealt to somebody who had left the game",
    let_off: "it was to be dealt to somebody who did not cut twice running",
    not_sealed: "there is no seal for it",
    not_cut: "it was dealt before the cuts were shown",
    link: "a cut is missing, or is not the one that was promised",
    own_link: "your own cut was left out, changed, or made for you",
    pack: "the wrong pack was turned up",
    turned: "the pack turned up is not the one that was sealed",
    not_turned: "a pack that was due was not turned up",
    leaf: "its opening does not give the root of the pack in play",
    position: "it is shown in a place that was opened as another card",
    salt: "its salt was used before",
    unopened: "it was shown without an opening",
    unshown: "it was opened to you, though no event showed it",
    holder: "it was not dealt to the player who showed it",
    repeated: "it is there twice",
    strange: "there is no such card in this pack",
    accident: "its accident is not the one that the seal and the cuts decide",
    view: "the table was shown otherwise than the events tell it",
    snapshot: "it was broken off and the table shown anew, though the connection had not dropped",
};

/** A finding in a sentence. @param {any} finding @param {Chair[]} seats */
export function inWords({ deal, fault, card, seat }, seats) {
    const about = [`Deal ${deal}`, card && nameOf(card), seat !== undefined && (seats[seat]?.name ?? `seat ${seat}`)];
    return `${about.filter(Boolean).join(", ")}: ${FAULTS[fault] ?? fault}.`;
}

/** Reasons why a deal without a fault is not proved. @type {Record<string, string>} */
const REASONS = {
    not_sealed: "nobody at the table takes part in the cutting",
    not_counted: "the server had not yet taken note that you cut",
    exhibition: "this is an exhibition: the cards are arranged, or repeat",
    joined: "you came in the middle of it",
    missed: "the connection dropped, and a part of it was not told again",
    pack: "the game is not known here",
};

/** @type {Record<string, string>} */
const STANDINGS = { open: "in play", proved: "proved", void: "called off", unproved: "not proved", false: "FALSE" };

/** @param {{table: Table, app: App}} shown */
export function Fairness({ table, app }) {
    const result = app.deals?.resultOf(table.id);
    if (!result) return html`<p class="note">Nothing was dealt yet.</p>`;
    const deals = result.deals.slice(-12).reverse();
    const words = deals.find((/** @type {any} */ deal) => deal.words)?.words;
    const save = () => saveFile(`put-table-${table.id}.jsonl`, app.deals?.evidence() ?? "", "application/jsonl");
    return html`<div class="proofs">
        ${result.findings.map((/** @type {any} */ one, /** @type {number} */ at) => html`<p key=${at} class="problem" role="alert">
            ${inWords(one, table.info.seats)}</p>`)}
        ${words && html`<p>The words of the last deal; others at the table have the same: <b class="four-words">${words}</b></p>`}
        <p>${result.proved} deals proved, ${result.unproved} not, ${result.called_off} called off.</p>
        <ul class="list">${deals.map((/** @type {any} */ deal, /** @type {number} */ at) => html`<li key=${`${deal.deal} ${at}`}>
            <b>${deal.deal === null ? "A deal" : `Deal ${deal.deal}`}</b>
            <span>${STANDINGS[deal.status] ?? deal.status}${deal.why ? `: ${REASONS[deal.why] ?? deal.why}` : ""}</span></li>`)}</ul>
        <p class="note">Every pack is sealed before it is dealt, and your browser cuts it. The page checks each card, and
            draws no hand and no trick but as they were told; it does not check who deals, who takes a trick, how a hand
            or a game ends, scores, stakes, purses, turns, choices or time: put-verify checks a game by its rules, from
            the evidence. Its sentences are the server's. A card with a question mark is not proved; with an ellipsis,
            its proof comes when the hand is over.</p>
        <button onClick=${save}>Save the evidence</button>
    </div>`;
}

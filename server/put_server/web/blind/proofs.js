// The proofs of a table that is dealt blind: whose cards the server can see, how the deals went, and evidence to save.

import { html } from "../vendor/preact.js";
import { saveFile } from "../forms.js";
import { plural, t } from "../words.js";

/** Sentences about which cards each can see. @param {Table} table */
export function holders({ info, viewer }) {
    if (info.is_read) return [t`This server can read every hand in this game, and cannot choose them.`];
    const isOwn = (/** @type {number} */ seat) => seat === viewer;
    const seats = [...info.seats.keys()].filter((seat) => info.seats[seat].name);
    const who = (/** @type {number} */ seat) => (isOwn(seat) ? t`you` : info.seats[seat].name);
    const kept = seats.filter((seat) => info.seats[seat].holds_key).map((seat) => isOwn(seat) ? t`Only you can see your cards.` : t`Only ${who(seat)} can see ${who(seat)}’s cards.`);
    const held = seats.filter((seat) => !info.seats[seat].holds_key).map(who);
    return [...kept, ...(held.length ? [t`This server holds the cards of ${held.join(t` and `)}, and can see them.`] : [])];
}

/** @param {{table: Table, app: App}} shown */
export function BlindProofs({ table, app }) {
    const { info } = table;
    const fault = app.fairness.faults.get(table.id);
    const problem = fault && html`<p class="problem" role="alert">${fault}</p>`;
    if (info.options.dealing !== "blind" || info.plain) {
        return html`<div class="proofs">${problem}<p>${info.plain ? t`This server deals the cards alone, and sees them all: ${info.plain}.` : t`This server deals the cards alone, and sees them all.`}</p></div>`;
    }
    const standing = app.fairness.keys?.standings.get(table.id);
    const save = async () => saveFile(`put-table-${table.id}.jsonl`, (await app.fairness.keys?.evidence(table.id)) ?? "", "application/jsonl");
    /** @type {Map<number, number>} */
    const blamed = new Map();
    for (const { seat } of standing?.blames ?? []) blamed.set(seat, (blamed.get(seat) ?? 0) + 1);
    return html`<div class="proofs">
        ${problem}
        ${standing?.hasLostKey && html`<p class="problem">${t`The key of your cards is not here: another program of yours has it, or it is lost. You can neither see nor play them.`}</p>`}
        ${holders(table).map((text) => html`<p key=${text}>${text}</p>`)}
        <p>${t`${plural(standing?.proved ?? 0, t`deal`, t`deals`)} proved.`}${standing?.isShuffling ? t` The next is being shuffled.` : ""}</p>
        ${[...blamed].map(([seat, count]) => html`<p key=${seat}>${t`${plural(count, t`deal`, t`deals`)} made anew because of ${seat === table.viewer ? t`you` : (info.seats[seat]?.name ?? `seat ${seat}`)}.`}</p>`)}
        <p class="note">${t`Every player’s program shuffles the pack, and proves that it did nothing else.`} ${info.is_read
            ? t`Here the rules have to see hands. A card is opened by shares of all players, each with its proof.`
            : t`A hand is opened by its player’s own key alone, and a card that is thrown in by nobody.`} ${t`The page checks each shuffle, each card and who signed each act; put-verify also checks a game by its rules, from the evidence. This page comes from the server that it checks.`}</p>
        ${standing?.isPartial && html`<p class="note">${t`What was told of this game before the page was loaded is not in the evidence: it goes on from a state that every player has signed.`}</p>`}
        <button onClick=${save}>${t`Save the evidence`}</button>
    </div>`;
}

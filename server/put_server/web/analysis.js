// Decisions weighed by the server after a game, and positions to practise on.

import { html, useState } from "./vendor/preact.js";
import { Card } from "./cards.js";
import { Board, Hand } from "./board.js";
import { percent } from "./words.js";

/** @import {Choice, Message, State, Table} from "./types.js" */
/** @import {App} from "./main.js" */

/** @param {any} judged */
const costOf = (judged) => judged.before - judged.after;
/** @param {any} one @param {any} action */
const isSame = (one, action) => JSON.stringify(one) === JSON.stringify(action);

/** @param {{table: Table, app: App}} shown */
export function Analysis({ table, app }) {
    const { analysis } = table;
    if (!analysis) {
        return html`<p class="note">Where a game is solved, the server weighs each of your decisions against perfect play.</p>
            <button onClick=${() => app.ask("analyse", { table: table.id })}>Weigh my decisions</button>`;
    }
    if (analysis.flaw) return html`<p>${analysis.flaw}</p>`;
    const { decisions = 0, cost = 0, costly = 0, reviewed = [] } = analysis;
    return html`<p><b>Game ${analysis.game}</b>: ${decisions} decisions cost ${percent(cost)} of a game; ${costly} of them cost a hundredth or more.</p>
        ${reviewed.length < decisions && html`<p class="note">More is being weighed.</p>`}
        <ol class="review">${reviewed.map((/** @type {any} */ one) => html`<li key=${one.number}>
            <b>Hand ${one.hand}, trick ${one.trick}</b>
            <span class="cards small">${one.cards.map((/** @type {string} */ card) => html`<${Card} key=${card} card=${card} />`)}</span>
            ${one.led && html`<span class="note">against</span><span class="cards small"><${Card} card=${one.led} /></span>`}
            <${Judged} judged=${one.judged} />
        </li>`)}</ol>`;
}

/** @param {{judged: any}} shown */
function Judged({ judged }) {
    const done = judged.choices.find((/** @type {any} */ one) => isSame(one.action, judged.done));
    const best = [...judged.choices].sort((one, other) => other.share - one.share)[0];
    const cost = costOf(judged);
    return html`<p class=${`judged ${judged.quality}`}>
        You chose to ${done?.says ?? judged.done.do}: <b>${judged.quality}</b>${cost > 0 ? `, which cost ${percent(cost)}` : ""}.
        ${best && !isSame(best.action, judged.done) && ` Perfect play: ${best.says} (${percent(best.share)}).`}
    </p>
    <details><summary>All of them</summary><table><thead><tr><th>Action</th><th>Wins</th><th>Perfect play</th></tr></thead>
        <tbody>${judged.choices.map((/** @type {any} */ one) => html`<tr key=${one.says}><td>${one.says}</td><td>${percent(one.chance)}</td><td>${percent(one.share)}</td></tr>`)}</tbody>
    </table></details>`;
}

/** @param {{state: State, app: App}} shown */
export function Drill({ state, app }) {
    const [game, setGame] = useState("put-1674");
    const { position, judgement } = state;
    const next = () => app.ask("drill", { game });
    /** @param {Choice} choice */
    const grade = (choice) => app.ask("grade", { game: position?.game, number: position?.number, action: choice.action });
    return html`<section class="drill">
        <p class="note">A position from a game between perfect players. Choose; the server says what it is worth.</p>
        <label>Game <select value=${game} onChange=${(/** @type {any} */ event) => setGame(event.target.value)}>
            ${state.games.filter(({ seats }) => seats.includes(2)).map((one) => html`<option key=${one.name} value=${one.name}>${one.title}</option>`)}
        </select></label>
        <button class="first" onClick=${next}>${position ? "Another position" : "A position"}</button>
        ${position?.flaw && html`<p>${position.flaw}</p>`}
        ${position?.view && html`<${Board} table=${asTable(position)} view=${position.view} board=${[]} now=${0} />
            <p class="asks">${position.asks}</p>
            <${Hand} cards=${position.view.cards ?? []} legal=${position.legal ?? []} disabled=${judgement !== null} act=${grade} />`}
        ${judgement?.flaw && html`<p>${judgement.flaw}</p>`}
        ${judgement?.judged && html`<${Judged} judged=${judgement.judged} />`}
    </section>`;
}

/** A position as a table nobody sits at. @param {Message} position */
function asTable(position) {
    const seats = (position.names ?? []).map((/** @type {string} */ name) => ({ name }));
    const viewer = position.seat ?? 0;
    return { id: 0, viewer, info: { seats, state: "playing", clock: {} }, turn: { seat: viewer }, turnAt: 0 };
}

// Decisions weighed by the server after a game, and the replay that shows them.

import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { Card } from "./cards.js";
import { standsFor } from "./director.js";
import { hintOf, language, t } from "./words.js";

/** @param {number} tenThousandths of a game */
export const percent = (tenThousandths) => (tenThousandths / 10_000).toLocaleString(language || "en", { style: "percent", maximumFractionDigits: 1 });

/** @param {Judged} judged */
const costOf = (judged) => judged.before - judged.after;
/** @param {Action} one @param {Action} action */
const isSame = (one, action) => JSON.stringify(one) === JSON.stringify(action);

/** @param {{table: Table, app: App}} shown */
export function Analysis({ table, app }) {
    const { analysis } = table;
    if (!analysis) {
        return html`<p class="note">${t`Where a game is solved, the server weighs each of your decisions against perfect play.`}</p>
            <button onClick=${() => app.ask("analyse", { table: table.id })}>${t`Weigh my decisions`}</button>`;
    }
    if (analysis.flaw) return html`<p>${analysis.flaw}</p>`;
    const { decisions = 0, cost = 0, costly = 0, reviewed = [] } = analysis;
    return html`<p>${t`Game ${analysis.game}: ${decisions} decisions cost ${percent(cost)} of a game; ${costly} of them cost a hundredth or more.`}</p>
        ${reviewed.length < decisions && html`<p class="note">${t`More is being weighed.`}</p>`}
        <ol class="review">${dearestFirst(reviewed).map((one) => html`<li key=${one.number}>
            <b>${t`Hand ${one.hand}, trick ${one.trick}`}</b>
            <p class="row"><span class="cards small">${one.cards.map((card) => html`<${Card} key=${card} card=${card} />`)}</span>
            ${one.led && html`<span class="note">${t`against`}</span><span class="cards small"><${Card} card=${one.led} /></span>`}</p>
            <${Judged} judged=${one.judged} />
        </li>`)}</ol>`;
}

/** @param {NonNullable<ServerAnalysis["reviewed"]>} reviewed */
const dearestFirst = (reviewed) => [...reviewed].sort((one, other) => costOf(other.judged) - costOf(one.judged) || one.number - other.number);

/** @param {Judged} judged */
const qualityOf = ({ quality }) => quality === "fine" ? t`fine` : quality === "slip" ? t`slip` : quality === "mistake" ? t`mistake` : t`blunder`;

/** @param {{judged: Judged}} shown */
export function Judged({ judged }) {
    const done = judged.choices.find((one) => isSame(one.action, judged.done));
    const best = [...judged.choices].sort((one, other) => other.share - one.share)[0];
    const cost = costOf(judged);
    return html`<p class=${`judged ${judged.quality}`}>
        ${t`You chose to ${done?.says ?? judged.done.do}:`} <b>${qualityOf(judged)}</b>${cost > 0 ? t`, which cost ${percent(cost)}` : ""}.
        ${best && !isSame(best.action, judged.done) && ` ${t`Perfect play: ${judged.reason ?? `${best.says} (${percent(best.share)}).`}`}`}
    </p>
    <details><summary>${t`What every choice is worth`}</summary><${Weights} choices=${judged.choices} /></details>`;
}

/** The coach's advice on the present decision. @param {{app: App, table: Table}} shown */
export function Coach({ app, table }) {
    const isHinted = app.settings.hints === "on";
    return html`${table.advice && html`<${Advice} advice=${table.advice} />`}
        <p class="coach">${!table.advice && !isHinted && html`<button onClick=${() => app.ask("coach", { table: table.id })}>${t`Ask the coach what is best, and why`}</button>`}
        ${isHinted && html`<button onClick=${() => app.set({ ...app.settings, hints: "off" })}>${t`Put the hints away`}</button>`}
        ${!table.info.is_assisted && html`<span class="note">${t`The game is marked then, for everybody.`}</span>`}</p>`;
}

/** The worth of each choice of a decision. @param {{advice: ServerAdvice}} shown */
function Advice({ advice }) {
    const { choices = [] } = advice;
    if (!choices.length) return html`<p class="note">${hintOf(advice)}</p>`;
    return html`<div class="advice"><p>${advice.reason}</p><${Weights} choices=${choices} /><p class="note">${t`Your chance of winning the game, if both play perfectly from then on.`}</p></div>`;
}

/** @param {{choices: Weighed[]}} shown */
function Weights({ choices }) {
    const most = Math.max(...choices.map((one) => one.chance));
    return html`<table><thead><tr><th>${t`Action`}</th><th>${t`Wins`}</th><th>${t`Perfect play`}</th></tr></thead>
        <tbody>${choices.map((one) => html`<tr key=${one.says} class=${one.chance === most ? "best" : ""}><td>${one.says}</td>
            <td>${percent(one.chance)}</td><td>${one.share ? percent(one.share) : t`never`}</td></tr>`)}</tbody></table>`;
}

/** The weighed decisions of a game, by the step that each led to. @param {Table} table @returns {Map<number, any>} */
function costsByStep(table) {
    const found = new Map();
    let waiting = table.mine;
    for (const one of table.analysis?.reviewed ?? []) {
        const at = waiting.findIndex(({ hand, action }) => hand === one.hand && isSame(action, one.judged.done));
        if (at < 0) continue;
        found.set(waiting[at].step, one);
        waiting = waiting.slice(at + 1);
    }
    return found;
}

/** Replay of a game, a step at a time or in time, with the cost of each decision.
 * @param {{table: Table, at: number, setAt: (at: number) => void}} shown */
export function Replay({ table, at, setAt }) {
    const { steps } = table;
    const costs = costsByStep(table);
    const costly = [...costs].filter(([, one]) => one.judged.quality !== "fine").map(([step]) => step);
    const next = costly.find((step) => step > at);
    const isLast = at >= steps.length - 1;
    const [isRunning, setRunning] = useState(false);
    const box = useRef(/** @type {HTMLElement | null} */ (null));
    useEffect(() => box.current?.focus({ preventScroll: true }), []);
    useEffect(() => {
        if (!isRunning || isLast) return setRunning(false);
        const timer = setTimeout(() => setAt(at + 1), standsFor(steps[at]));
        return () => clearTimeout(timer);
    }, [isRunning, at]);
    const look = (/** @type {number} */ step, isOn = false) => {
        setRunning(isOn);
        setAt(step);
    };
    return html`<div class="replay" role="group" tabindex="-1" ref=${box} aria-label=${t`Replay`}>
        <p class="row"><button disabled=${at === 0} onClick=${() => look(at - 1)}>${t`Back`}</button>
            <button disabled=${isLast} onClick=${() => look(at + 1)}>${t`On`}</button>
            <button disabled=${isLast} onClick=${() => (isRunning ? look(at) : look(at + 1, true))}>${isRunning ? t`Stop` : t`Play`}</button>
            ${costly.length > 0 && html`<button disabled=${next === undefined} onClick=${() => look(next ?? at)}>${t`Next slip`}</button>`}
            <button onClick=${() => look(-1)}>${t`Now`}</button></p>
        <p><span>${t`${at + 1} of ${steps.length}: ${steps[at]?.says.join(" ")}`}</span></p>
        ${costs.has(at) && html`<${Judged} judged=${costs.get(at).judged} />`}
    </div>`;
}

// The record: games played on this server, kept in this browser's own storage, each with its sheet in Put notation.

import { html, useState } from "./vendor/preact.js";
import { percent } from "./analysis.js";
import { saveFile, Sure } from "./forms.js";
import { forget, store, stored } from "./storage.js";
import { endsGame, gainOf, isBlind, outcomeOf, t, titleOf } from "./words.js";

/** @typedef {{ended: number, table: number, number: number, game: string, title: string, others: string[], gain: number,
 *   won: boolean | null, isAssisted: boolean, isExhibition: boolean, decisions?: number, cost?: number, sheet?: string,
 *   story?: {isHand: boolean, says: string}[]}} Played */

const KEY = "put.record";
const GAMES = 300;
const SHEETS = 60; // and stories, of the latest games: a browser keeps some 5 MB
const LONGEST_SHEET = 60_000;

/** @returns {Played[]} the latest first */
export function readRecord() {
    const kept = stored(KEY);
    return Array.isArray(kept) ? kept : [];
}

/** @param {Played[]} games */
function keep(games) {
    /** @param {Played} game */
    const outcome = (game) => ({ ...game, sheet: undefined, story: undefined });
    const kept = games.slice(0, GAMES).map((game, at) => (at < SHEETS ? game : outcome(game)));
    if (!store(KEY, kept)) store(KEY, kept.map(outcome)); // it may fit without the sheets
}

/** Take what a message says of a finished game: its end, later its sheet and the cost of its decisions.
 * @param {App} app @param {ServerAnalysis | ServerEvents | ServerRecalled} message */
export function note(app, message) {
    const table = app.state.tables.get(message.table);
    if (!table) return;
    if (message.type === "events") return noteEnding(app, table, message.events);
    if (message.flaw) return;
    if (message.type === "analysis") return noteMore(table.id, { decisions: message.decisions, cost: message.cost });
    if ((message.part ?? 1) === (message.parts ?? 1)) noteMore(table.id, { sheet: table.sheet.join("") });
}

/** @param {App} app @param {Table} table @param {TableEvent[]} events */
function noteEnding({ state, connection }, table, events) {
    const { info, viewer, id } = table;
    const ending = events.find(endsGame);
    if (typeof viewer !== "number" || !ending) return;
    const others = info.seats.flatMap((chair, seat) => (seat === viewer || !chair.name ? [] : [chair.is_house ? t`house, ${chair.house}` : chair.name]));
    const gain = gainOf(ending, viewer);
    const game = { ended: Date.now(), table: id, number: info.games ?? 0, game: info.game, title: titleOf(state, info), others, gain,
        won: outcomeOf(ending, viewer), isAssisted: Boolean(info.is_assisted), isExhibition: Boolean(info.is_exhibition),
        story: table.steps.map(({ event, says }) => ({ isHand: /(^|\.)dealt$/.test(event?.event ?? ""), says: says.join(" ") })) };
    keep([game, ...readRecord()]);
    void connection.ask("recall", { table: id }).catch(() => undefined); // an older server has none
    if (info.is_solved && !isBlind(info)) void connection.ask("analyse", { table: id }).catch(() => undefined);
}

/** Add later details to the last game at a table. @param {number} table @param {Partial<Played>} more */
function noteMore(table, more) {
    const games = readRecord();
    const at = games.findIndex((game) => game.table === table);
    if (at < 0) return;
    if ((more.sheet?.length ?? 0) > LONGEST_SHEET) delete more.sheet;
    games[at] = { ...games[at], ...more };
    keep(games);
}

/** @param {Played[]} games */
function inWords(games) {
    const won = games.filter((game) => game.won).length;
    const lost = games.filter((game) => game.won === false).length;
    const counted = games.filter((game) => game.decisions && !game.isAssisted && !game.isExhibition);
    const decisions = counted.reduce((sum, game) => sum + (game.decisions ?? 0), 0);
    const cost = counted.reduce((sum, game) => sum + (game.cost ?? 0), 0);
    return t`Games: ${games.length}, of which ${won} won, ${lost} lost, ${games.length - won - lost} even.` +
        (decisions ? ` ${t`Decisions weighed against perfect play: ${decisions}. One cost ${percent(Math.round(cost / decisions))} of a game.`}` : "");
}

/** The record as a file, with the sheet of each game that has one. @param {Played[]} games */
const exported = (games) => JSON.stringify({ format: "put-web record 1", games }, null, 1);

/** @param {{game: Played}} shown */
function Game({ game }) {
    const { sheet, story } = game;
    const day = new Date(game.ended).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const outcome = game.won === null ? "even" : game.won ? "won" : "lost";
    return html`<li>
        <div><b>${game.title}</b><span>${game.others.join(", ") || t`nobody`} · ${day}</span>
            <small>${[game.decisions ? t`decisions: ${game.decisions}, which cost ${percent(game.cost ?? 0)}` : "", game.isAssisted && t`with the coach`, game.isExhibition && t`exhibition`].filter(Boolean).join(" · ")}</small></div>
        <b class=${outcome}>${t([outcome])} ${game.gain > 0 ? "+" : ""}${game.gain}</b>
        ${story && html`<details><summary>${t`The story`}</summary>
            <div class="told" tabindex="0" role="group" aria-label=${t`The story of the game`}>
                ${story.map(({ isHand, says }, at) => html`<p key=${at} class=${isHand ? "hand" : "event"}>${says}</p>`)}</div>
            ${sheet && html`<button onClick=${() => saveFile(`put-${game.ended}.put`, sheet, "text/plain")}>${t`Save in Put notation`}</button>`}</details>`}
    </li>`;
}

export function Record() {
    const [games, setGames] = useState(readRecord());
    if (!games.length) return html`<p class="note">${t`No game is recorded yet. Games that you play here are recorded when they end, in this browser.`}</p>`;
    return html`<p>${inWords(games)}</p>
        <ul class="list record">${games.map((game) => html`<${Game} key=${`${game.ended} ${game.table}`} game=${game} />`)}</ul>
        <p class="row"><button onClick=${() => saveFile("put-record.json", exported(games), "application/json")}>${t`Save the record as a file`}</button>
            <${Sure} text=${t`Delete the record`} sure=${t`Yes, delete it`} does=${() => { forget(KEY); setGames([]); }} /></p>
        <p class="note">${t`It is kept in this browser alone, for this server.`}</p>`;
}

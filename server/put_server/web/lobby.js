// The lobby: tables to sit at and to watch, games against the house, people, rules.

import { html, useState } from "./vendor/preact.js";
import { Tabs } from "./forms.js";
import { late } from "./late.js";
import { store, stored } from "./storage.js";
import { LOOKED_AT } from "./state.js";
import { optionsOf, stateOf, t, titleOf } from "./words.js";

const NewTable = late(() => import("./new_table.js"), "NewTable");
const Practise = late(() => import("./practise.js"), "Practise");

const TAUGHT = "put.taught";
const MET = "put.families";

/** @param {{state: State, app: App}} shown */
export function Lobby({ state, app }) {
    const [page, setPage] = useState("tables");
    const tables = [...state.lobby.values()].sort((one, other) => Number(isOpen(other)) - Number(isOpen(one)) || one.id - other.id);
    const [isOffered, setOffered] = useState(stored(TAUGHT) === undefined);
    const taught = () => {
        store(TAUGHT, true);
        setOffered(false);
    };
    const [primer, setPrimer] = useState(/** @type {GameOffer | null} */ (null));
    /** @type {string[]} */
    const met = stored(MET) ?? [];
    /** Play the house; before the first game of another family, show its primer. @param {GameOffer} game */
    const play = (game) => {
        const family = familyOf(game);
        if (game.primer?.length && game !== primer && family !== familyOf(state.games[0]) && !met.includes(family)) {
            scrollTo(0, 0);
            return setPrimer(game);
        }
        store(MET, [...new Set([...met, family])]);
        void playHouse(app, game);
    };
    if (primer) {
        return html`<section class="lobby"><h1>${primer.title}</h1><${Primer} game=${primer} />
            <p class="row"><button class="first" disabled=${app.seats.isOpening} onClick=${() => play(primer)}>${t`Play`}</button>
            <button onClick=${() => setPrimer(null)}>${t`Not now`}</button></p></section>`;
    }
    const people = [...state.people.values()].sort((one, other) => one.name.localeCompare(other.name));
    return html`<section class="lobby">
        <h1>${state.server}</h1>
        ${state.games.length > 0 && html`<button class="first play-now" disabled=${app.seats.isOpening} onClick=${() => playHouse(app, state.games[0])}>
            ${t`Play now`}<small>${t`${state.games[0].title}, against the house`}</small></button>`}
        ${isOffered && html`<p class="invitation">${t`New to Put? Three short hands show you the game.`}
            <button class="first" onClick=${() => { taught(); app.learn(); }}>${t`Show me`}</button>
            <button onClick=${taught}>${t`I know it`}</button></p>`}
        ${state.invitations.map(
            ({ table, by, info }) => html`<p key=${table} class="invitation" role="status">
                ${t`${by} asks you to table ${table}, ${titleOf(state, info)}.`}
                <button class="first" onClick=${() => app.seats.sit(table)}>${t`Sit down`}</button>
                <button onClick=${() => app.seats.decline(table)}>${t`Not now`}</button>
            </p>`,
        )}
        <${Tabs} about=${t`The lobby`} of="of-lobby" shown=${page} show=${setPage}
            names=${[["tables", t`Tables`], ["new", t`New table`], ["people", t`People`], ["practise", t`Practise`], ["rules", t`Rules`]]} />
        ${page === "tables" && html`<${Tables} ...${{ state, app, tables }} /><${Quick} ...${{ state, app, play }} />`}
        ${page === "new" && html`<${NewTable} ...${{ state, app }} />`}
        ${page === "people" && html`<ul class="list">${people.map(
            (person) => html`<li key=${person.name}><b>${person.name}</b>
                <span>${[person.is_bot && t`bot`, person.is_away && t`away`, person.name === state.name && t`you`].filter(Boolean).join(", ")}</span>
            </li>`,
        )}</ul>`}
        ${page === "practise" && html`<${Practise} ...${{ state, app }} />`}
        ${page === "rules" && html`<${Rules} state=${state} />`}
    </section>`;
}

/** True if people may sit down at a table. @param {TableInfo} info */
export const isOpen = (info) => (info.state ?? "filling") === "filling" && info.admits !== "bots" && info.seats.some(({ name }) => !name);

/** The family of a game; empty: the first, which is left out. @param {GameOffer} game */
const familyOf = ({ family = "" }) => family;

const USUAL_HOUSE = "steady";

/** One press to a game with the house. @param {App} app @param {GameOffer} game */
const playHouse = (app, { name, seats }) => app.seats.open({ game: name, seats: Math.min(...seats), house: USUAL_HOUSE });

/** Tables from which on a filter is offered. */
const MANY = 12;

/** @param {{state: State, app: App, tables: TableInfo[]}} shown */
function Tables({ state, app, tables: all }) {
    const [wanted, setWanted] = useState("");
    const tables = all.filter((info) => `${info.id} ${titleOf(state, info)} ${info.seats.map(({ name }) => name).join(" ")}`.toLowerCase().includes(wanted.toLowerCase()));
    const filter = all.length > MANY && html`<label class="filter">${t`Find a table, a game or a player`}
        <input value=${wanted} autocomplete="off" onInput=${(/** @type {any} */ event) => setWanted(event.target.value)} /></label>`;
    const turn = html`<${Turn} ...${{ state, app }} />`;
    if (filter && !tables.length) return html`${filter}<p class="note">${t`No table is so.`}</p>${turn}`;
    if (!tables.length && !state.page) return html`<p class="note">${t`No table is open. Open one, or play the house.`}</p>`;
    return html`${filter}<ul class="list tables">${tables.map((info) => html`<li key=${info.id}>
        <div>
            <b>${info.id}. ${titleOf(state, info)}</b>
            <span>${info.seats.map(({ name }) => name ?? "…").join(", ")}</span>
            <small>${[stateOf(info), optionsOf(state, info), info.watchers ? t`${info.watchers} watching` : ""].filter(Boolean).join(" · ")}</small>
        </div>
        ${state.tables.has(info.id)
            ? html`<button class="first" onClick=${() => app.go(info.id)}>${t`Go there`}</button>`
            : html`${isOpen(info) && html`<button class="first" aria-label=${t`Sit down at table ${info.id}`} onClick=${() => app.seats.sit(info.id)}>${t`Sit`}</button>`}
                  ${info.is_gallery_open !== false && html`<button aria-label=${t`Watch table ${info.id}`} onClick=${() => app.seats.watch(info.id)}>${t`Watch`}</button>`}`}
    </li>`)}</ul>${turn}`;
}

/** Ways to the tables before and after these. @param {{state: State, app: App}} shown */
function Turn({ state: { page, size }, app }) {
    const [before, after] = [page - LOOKED_AT, page + LOOKED_AT];
    return html`<p class="row">
        ${page > 0 && html`<button onClick=${() => app.look(Math.max(before, 0))}>${t`Tables before these`}</button>`}
        ${size && size.pages > after && html`<button onClick=${() => app.look(after)}>${t`More tables (${size.tables} in all)`}</button>`}</p>`;
}

/** @param {number[]} seats */
const playersOf = (seats) => (seats.length > 1 ? t`${Math.min(...seats)} to ${Math.max(...seats)} players` : t`${seats[0]} players`);

/** Games against the house. @param {{state: State, app: App, play: (game: GameOffer) => void}} shown */
function Quick({ state, app, play }) {
    return html`<h2>${t`Play the house`}</h2>
        <div class="quick">${state.games.map((game) => html`<button key=${game.name}
            disabled=${app.seats.isOpening} onClick=${() => play(game)}>
            <b>${game.title}</b><small>${playersOf(game.seats)}</small>
        </button>`)}</div>`;
}

/** The lines of the rules that are enough for a first game. @param {{game: GameOffer}} shown */
const Primer = ({ game: { primer = [], rules = [] } }) => html`<ul class="brief">${primer.map((line) => html`<li key=${line}>${rules[line]}</li>`)}</ul>`;

/** @param {{state: State}} shown */
function Rules({ state }) {
    return html`<div class="rules">${state.games.map((game) => html`<details key=${game.name}>
        <summary>${game.title}</summary>
        <p>${game.summary} <small>${game.source}.</small></p>
        <${Primer} game=${game} />
        <h3>${t`All the rules`}</h3>
        <ol>${(game.rules ?? []).map((rule) => html`<li key=${rule}>${rule}</li>`)}</ol>
    </details>`)}</div>`;
}

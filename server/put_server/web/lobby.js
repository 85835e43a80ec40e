// The lobby: tables to sit at and to watch, people, a form for a new table made of what the server offers.

import { html, useState } from "./vendor/preact.js";
import { Fan } from "./cards.js";
import { late } from "./late.js";
import { store, stored } from "./storage.js";
import { LOOKED_AT } from "./state.js";
import { clock, offerOf, stateOf, titleOf, valueOf } from "./words.js";

/** @import {GameOffer, OptionOffer, State, TableInfo} from "./types.js" */
/** @import {App} from "./app.js" */

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
            <p class="row"><button class="first" disabled=${app.isOpening} onClick=${() => play(primer)}>Play</button>
            <button onClick=${() => setPrimer(null)}>Not now</button></p></section>`;
    }
    const people = [...state.people.values()].sort((one, other) => one.name.localeCompare(other.name));
    return html`<section class="lobby">
        <h1>${state.server}</h1>
        ${state.games.length > 0 && html`<button class="first play-now" disabled=${app.isOpening} onClick=${() => playHouse(app, state.games[0])}>
            Play now<small>${state.games[0].title}, against the house</small></button>`}
        ${isOffered && html`<p class="invitation">New to Put? Three short hands show you the game.
            <button class="first" onClick=${() => { taught(); app.learn(); }}>Show me</button>
            <button onClick=${taught}>I know it</button></p>`}
        ${state.invitations.map(
            ({ table, by, info }) => html`<p key=${table} class="invitation" role="status">
                <b>${by}</b> asks you to table ${table}, ${titleOf(state, info)}.
                <button class="first" onClick=${() => app.sit(table)}>Sit down</button>
                <button onClick=${() => app.decline(table)}>Not now</button>
            </p>`,
        )}
        <nav class="tabs of-lobby" aria-label="The lobby">
            ${[["tables", "Tables"], ["new", "New table"], ["people", "People"], ["practise", "Practise"], ["rules", "Rules"]].map(
                ([name, title]) => html`<button key=${name} aria-pressed=${page === name} onClick=${() => setPage(name)}>${title}</button>`,
            )}
        </nav>
        ${page === "tables" && html`<${Tables} ...${{ state, app, tables }} /><${Quick} ...${{ state, app, play }} />`}
        ${page === "new" && html`<${NewTable} ...${{ state, app }} />`}
        ${page === "people" && html`<ul class="list">${people.map(
            (person) => html`<li key=${person.name}><b>${person.name}</b>
                <span>${[person.is_bot && "bot", person.is_away && "away", person.name === state.name && "you"].filter(Boolean).join(", ")}</span>
            </li>`,
        )}</ul>`}
        ${page === "practise" && html`<${Practise} ...${{ state, app }} />`}
        ${page === "rules" && html`<${Rules} state=${state} />`}
    </section>`;
}

/** @param {TableInfo} info */
const isOpen = (info) => (info.state ?? "filling") === "filling" && info.admits !== "bots" && info.seats.some(({ name }) => !name);

/** The family of a game; empty: the first, which is left out. @param {GameOffer} game */
const familyOf = ({ family = "" }) => family;

const USUAL_HOUSE = "steady";

/** One press to a game with the house. @param {App} app @param {GameOffer} game */
const playHouse = (app, { name, seats }) => app.open({ game: name, seats: Math.min(...seats), house: USUAL_HOUSE });

/** Tables from which on a filter is offered. */
const MANY = 12;

/** @param {{state: State, app: App, tables: TableInfo[]}} shown */
function Tables({ state, app, tables: all }) {
    const [wanted, setWanted] = useState("");
    const tables = all.filter((info) => `${info.id} ${titleOf(state, info)} ${info.seats.map(({ name }) => name).join(" ")}`.toLowerCase().includes(wanted.toLowerCase()));
    const filter = all.length > MANY && html`<label class="filter">Find a table, a game or a player
        <input value=${wanted} autocomplete="off" onInput=${(/** @type {Event} */ event) => setWanted(valueOf(event))} /></label>`;
    const turn = html`<${Turn} ...${{ state, app }} />`;
    if (filter && !tables.length) return html`${filter}<p class="note">No table is so.</p>${turn}`;
    if (!tables.length && !state.page) return html`<p class="note">No table is open. Open one, or play the house.</p>`;
    return html`${filter}<ul class="list tables">${tables.map((info) => html`<li key=${info.id}>
        <div>
            <b>${info.id}. ${titleOf(state, info)}</b>
            <span>${info.seats.map(({ name }) => name ?? "…").join(", ")}</span>
            <small>${[stateOf(info), optionsOf(state, info), info.watchers ? `${info.watchers} watching` : ""].filter(Boolean).join(" · ")}</small>
        </div>
        ${state.tables.has(info.id)
            ? html`<button class="first" onClick=${() => app.go(info.id)}>Go there</button>`
            : html`${isOpen(info) && html`<button class="first" aria-label=${`Sit down at table ${info.id}`} onClick=${() => app.sit(info.id)}>Sit</button>`}
                  ${info.is_gallery_open !== false && html`<button aria-label=${`Watch table ${info.id}`} onClick=${() => app.watch(info.id)}>Watch</button>`}`}
    </li>`)}</ul>${turn}`;
}

/** Ways to the tables before and after these. @param {{state: State, app: App}} shown */
function Turn({ state: { page, size }, app }) {
    const [before, after] = [page - LOOKED_AT, page + LOOKED_AT];
    return html`<p class="row">
        ${page > 0 && html`<button onClick=${() => app.look(Math.max(before, 0))}>Tables before these</button>`}
        ${size && size.pages > after && html`<button onClick=${() => app.look(after)}>More tables (${size.tables} in all)</button>`}</p>`;
}

/** Options that differ from the game's defaults, in a line. @param {State} state @param {TableInfo} info */
export function optionsOf(state, info) {
    const offers = offerOf(state, info.game)?.options ?? [];
    const chosen = offers.filter(({ name, default: usual }) => (info.options[name] ?? usual) !== usual);
    const words = chosen.map(({ name }) => `${name.replaceAll("_", " ")} ${info.options[name]}`);
    if (info.clock.turn) words.push(`${clock(info.clock.turn)} for a decision`);
    if (info.is_locked) words.push("passcode");
    if (info.admits === "people") words.push("people only");
    if (info.admits === "bots") words.push("bots only");
    if (info.is_exhibition) words.push("exhibition");
    return words.join(", ");
}

/** @param {number[]} seats */
const playersOf = (seats) => (seats.length > 1 ? `${Math.min(...seats)} to ${Math.max(...seats)} players` : `${seats[0]} players`);

/** Games against the house. @param {{state: State, app: App, play: (game: GameOffer) => void}} shown */
function Quick({ state, app, play }) {
    return html`<h2>Play the house</h2>
        <div class="quick">${state.games.map((game) => html`<button key=${game.name}
            disabled=${app.isOpening} onClick=${() => play(game)}>
            <b>${game.title}</b><small>${playersOf(game.seats)}</small>
        </button>`)}</div>`;
}

/** The lines of the rules that are enough for a first game. @param {{game: GameOffer}} shown */
const Primer = ({ game: { primer = [], rules = [] } }) => html`<ul class="brief">${primer.map((line) => html`<li key=${line}>${rules[line]}</li>`)}</ul>`;

/** @param {{state: State, app: App}} shown */
function NewTable({ state, app }) {
    const [chosen, setChosen] = useState("");
    const offer = offerOf(state, chosen) ?? state.games[0]; // the games may come a little later
    if (!offer) return html`<p class="note">One moment…</p>`;
    const { name } = offer;
    /** @param {SubmitEvent} event */
    const submit = (event) => {
        event.preventDefault();
        const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
        const options = Object.fromEntries(
            offer.options.flatMap((option) => {
                const value = String(form.get(`option ${option.name}`) ?? "");
                const isNumber = typeof option.default === "number";
                return value === String(option.default) ? [] : [[option.name, isNumber ? Number(value) : value]];
            }),
        );
        const seats = Number(form.get("seats"));
        const turn = Number(form.get("turn"));
        const passcode = String(form.get("passcode") ?? "");
        const gallery = form.get("gallery") !== null;
        const admits = form.get("people") === null ? "all" : "people";
        app.open({ game: name, seats, options, turn, passcode, gallery, admits }, String(form.get("others") ?? ""));
    };
    return html`<form class="form" onSubmit=${submit}>
        <label>Game <select name="game" value=${name} onChange=${(/** @type {Event} */ event) => setChosen(valueOf(event))}>
            ${state.games.map((game) => html`<option key=${game.name} value=${game.name}>${game.title}</option>`)}
        </select></label>
        <p class="note">${offer.summary}</p>
        <label>Players <select name="seats" key=${name}>
            ${offer.seats.map((seats) => html`<option key=${seats} value=${seats}>${seats}</option>`)}
        </select></label>
        <label>The other seats <select name="others">
            <option value="">for whoever comes</option>
            ${state.houses.map((house) => html`<option key=${house.name} value=${house.name}>the house: ${house.name}, ${house.meaning}</option>`)}
        </select></label>
        <details><summary>Options</summary>
            ${offer.options.map((option) => html`<${Option} key=${`${name} ${option.name}`} option=${option} />`)}
            <label>Seconds for a decision (0: no limit)
                <input name="turn" type="number" min="0" max="86400" defaultValue="0" /></label>
            <label>Passcode <input name="passcode" autocomplete="off" maxlength="128" /></label>
            <label class="check"><input type="checkbox" name="gallery" defaultChecked /> Anybody may watch</label>
            <label class="check"><input type="checkbox" name="people" /> No bots</label>
        </details>
        <button class="first">Open the table</button>
    </form>`;
}

/** @param {{option: OptionOffer}} shown */
function Option({ option }) {
    const { name, meaning, default: usual, values = [], least, most, longest } = option;
    const field = `option ${name}`;
    const title = html`${name.replaceAll("_", " ")} <small>${meaning}</small>`;
    if (values.length) {
        return html`<label>${title} <select name=${field}>
            ${values.map((value) => html`<option key=${value} value=${value} selected=${value === usual}>${value}</option>`)}
        </select></label>`;
    }
    if (typeof usual === "number") {
        return html`<label>${title} <input name=${field} type="number" defaultValue=${usual} min=${least} max=${most} /></label>`;
    }
    return html`<label>${title} <input name=${field} defaultValue=${usual} maxlength=${longest} autocomplete="off" /></label>`;
}

/** @param {{state: State}} shown */
function Rules({ state }) {
    return html`<div class="rules">${state.games.map((game) => html`<details key=${game.name}>
        <summary>${game.title}</summary>
        <p>${game.summary} <small>${game.source}.</small></p>
        <${Primer} game=${game} />
        <h3>All the rules</h3>
        <ol>${(game.rules ?? []).map((rule) => html`<li key=${rule}>${rule}</li>`)}</ol>
    </details>`)}</div>`;
}

/** @param {{app: App}} shown */
export function Passcode({ app }) {
    /** @param {SubmitEvent} event */
    const submit = (event) => {
        event.preventDefault();
        void app.unlock(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("passcode") ?? ""));
    };
    return html`<form class="form passcode" onSubmit=${submit}>
        <label>The passcode of table ${app.locked?.table} <input name="passcode" autocomplete="off" autofocus /></label>
        <button class="first">Go in</button>
        <button type="button" onClick=${() => { app.locked = null; app.changed(); }}>Not now</button></form>`;
}

/** Entrance for a player who came by the address of a table. @param {{state: State, app: App}} shown */
export function Arrival({ state, app }) {
    const info = state.lobby.get(app.at);
    if (!info) return html`<section class="door"><h1>Table ${app.at}</h1><p>There is no such table.</p>
        <button class="first" onClick=${() => app.go(0)}>To the lobby</button></section>`;
    const free = (info.state ?? "filling") === "filling" && info.seats.some(({ name }) => !name);
    const names = info.seats.flatMap(({ name }) => name ?? []).join(" and ");
    return html`<section class="door"><${Fan} /><h1>Table ${info.id}</h1>
        <p>${state.games.find(({ name }) => name === info.game)?.title}. ${free ? `${names ? `At the table: ${names}.` : "The table is empty."} A seat is free for you.` : `No seat is free: ${names} play.`}</p>
        ${free && html`<button class="first" onClick=${() => app.sit(info.id)}>Sit down</button>`}
        ${info.is_gallery_open !== false && html`<button onClick=${() => app.watch(info.id)}>Watch</button>`}
        <button onClick=${() => app.go(0)}>To the lobby</button></section>`;
}

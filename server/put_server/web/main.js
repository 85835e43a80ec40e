// The page: the way in, the screen, and the requests that its buttons send.

import { html, render, useEffect, useReducer, useState } from "./vendor/preact.js";
import { Card } from "./cards.js";
import { Connection, Refusal, Store } from "./connection.js";
import { late } from "./late.js";
import { alertPlayer, keepSettings, readSettings, ring, SettingsForm } from "./settings.js";
import { hear, newState, notify, speak } from "./state.js";
import { TableScreen, Wall } from "./table.js";
import { sentence } from "./words.js";

/** @import {Choice, Message, State, Table} from "./types.js" */
/** @import {DealKeeper} from "./deals.js" */

/** Run a function once the page is drawn; Safari has no idle callbacks. @param {() => void} does */
const whenIdle = (does) => (window.requestIdleCallback ? window.requestIdleCallback(does, { timeout: 1_500 }) : setTimeout(does, 300));

const MOST_UNTOLD = 1_000; // messages that wait for a part of the page which cannot be loaded

const Lobby = late(() => import("./lobby.js"), "Lobby");

/** Request in the address: a table, or a wall that shows one. */
function destination() {
    const found = /^\/(table|watch)\/([1-9][0-9]{0,15})$/.exec(location.pathname);
    return found ? { isWall: found[1] === "watch", table: Number(found[2]) } : { isWall: false, table: 0 };
}

/** A random name for a wall, so that no player has it. */
const wallName = () => `Wall ${Math.floor(1000 + Math.random() * 9000)}`;

/** Store of a wall, in memory: the browser's storage would give it the token of a player in the same browser. */
class WallStore extends Store {
    kept = { token: "", name: wallName(), incarnation: 0, epoch: 0 };
    read() {
        return { ...this.kept };
    }
    /** @param {Partial<{token: string, name: string, incarnation: number, epoch: number}>} changes */
    write(changes) {
        return Object.assign(this.kept, changes);
    }
}

/** All actions of the page. */
export class App {
    constructor() {
        const { isWall, table } = destination();
        this.state = newState();
        this.isWall = isWall;
        /** The table on the screen; 0: the lobby. */
        this.at = table;
        this.isArriving = table > 0;
        /** Passcodes that were typed, by table. @type {Map<number, string>} */
        this.passcodes = new Map();
        /** The table that asks for a passcode, and the request that needs it. @type {{table: number, kind: "sit" | "watch"} | null} */
        this.locked = null;
        this.settings = readSettings();
        this.store = isWall ? new WallStore() : new Store();
        this.changed = () => {};
        const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
        this.connection = new Connection(address, this, this.store);
        /** Checks deals and cuts them, once it is loaded: it is a third of the page. @type {DealKeeper | null} */
        this.deals = null;
        /** @type {Promise<DealKeeper> | null} */
        this.loading = null;
        /** Messages that wait until it is loaded. @type {((keeper: DealKeeper) => void)[]} */
        this.untold = [];
    }

    /** The keeper of deals, after it was given all earlier messages. */
    keeper() {
        this.loading ??= import("./deals.js").then(({ DealKeeper }) => {
            const keeper = new DealKeeper(this.connection);
            this.deals = keeper;
            for (const tell of this.untold) tell(keeper);
            this.untold = [];
            for (const table of this.state.tables.values()) {
                table.deals = keeper.dealsOnTable(table.id);
                if (keeper.isFalse(table.id)) table.view = null;
            }
            this.changed();
            return keeper;
        });
        return this.loading;
    }

    /** @param {(keeper: DealKeeper) => void} tell */
    tell(tell) {
        if (this.deals) tell(this.deals);
        else if (this.untold.length < MOST_UNTOLD) this.untold.push(tell);
    }

    begin() {
        const { token, name } = this.store.read();
        if (token || this.isWall) this.connection.open(name);
    }

    // --- called by the connection ---

    /** @param {Message} request */
    asked(request) {
        this.tell((keeper) => keeper.asked(request));
    }

    seen() {
        return [...this.state.tables.values()].map(({ id, number }) => ({ table: id, number }));
    }

    /** @param {Message} message */
    heard(message) {
        const { state } = this;
        this.tell((keeper) => keeper.hear(message, state));
        hear(state, this.deals?.trusted(message, state) ?? message, Date.now(), this.deals?.dealsOnTable(message.table));
        if (message.type === "table") whenIdle(() => void this.keeper().catch(() => undefined));
        if (message.type === "welcome") this.welcome();
        if (message.type === "decision") this.call(message.asks);
        if (message.type === "events") this.noteEnding(message);
        if (message.type === "analysis" || message.type === "recalled") this.noteMore(message);
        if (message.type === "invited") this.call(`${message.by} asks you to a table.`);
        if (message.type === "left" && this.at === message.table) this.go(0);
        this.changed();
    }

    /** @param {"coming" | "lost"} phase @param {number} backAt */
    phase(phase, backAt) {
        if (this.state.phase === phase) return;
        if (phase === "lost" && this.state.phase === "here") speak(this.state, "The connection is lost. Coming back.");
        this.state.phase = phase === "coming" && this.state.phase === "lost" ? "lost" : phase;
        this.state.backAt = backAt;
        this.changed();
    }

    /** @param {Message} goodbye */
    parted(goodbye) {
        const { state } = this;
        state.phase = goodbye.code === "refused" ? "away" : "parted";
        state.why = goodbye.code === "taken_over" ? "You play on in another tab or window." : sentence(goodbye.says);
        state.asksPassword ||= goodbye.refusal === "wrong_password";
        state.tables = new Map();
        if (this.isWall && goodbye.refusal === "name_taken") {
            this.store.write({ name: wallName() });
            this.connection.open("");
        }
        this.changed();
    }

    welcome() {
        void this.ask("look");
        if (this.at && !this.state.tables.has(this.at)) {
            if (this.isWall) void this.watch(this.at);
            else if (!this.isArriving) this.go(0);
        } else if (!this.at && this.state.tables.size === 0) {
            this.go(0);
        }
    }

    /** Add a finished game of ours to the record, with its sheet and the cost of its decisions.
     * @param {Message} message */
    noteEnding(message) {
        const table = this.state.tables.get(message.table);
        const ending = message.events.find((/** @type {any} */ one) => one.event === "over" || (one.event === "game" && !one.goes_on));
        if (!table || !ending || table.viewer === "gallery") return;
        const title = this.state.games.find(({ name }) => name === table.info.game)?.title ?? table.info.game;
        this.record((record) => record.noteGame(table, title, ending, Date.now()));
        void this.connection.ask("recall", { table: table.id }).catch(() => undefined); // an older server has none
        if (table.info.is_solved) void this.connection.ask("analyse", { table: table.id }).catch(() => undefined);
    }

    /** @param {Message} message */
    noteMore(message) {
        const table = this.state.tables.get(message.table);
        const { part = 1, parts = 1, decisions, cost = 0, flaw } = message;
        if (!table || flaw || part < parts) return;
        const more = message.type === "recalled" ? { sheet: table.sheet.join("") } : { decisions, cost };
        this.record((record) => record.noteMore(table.id, more));
    }

    /** @param {(record: typeof import("./record.js")) => void} note */
    record(note) {
        void import("./record.js").then(note, () => undefined); // without the record everything else goes on
    }

    /** @param {string} text */
    call(text) {
        if (this.isWall) return;
        if (this.settings.sound === "on") ring();
        if (this.settings.alerts === "on") alertPlayer(text);
    }

    // --- actions of the player ---

    /** @param {string} name @param {string} password */
    comeIn(name, password) {
        this.state.phase = "coming";
        this.state.why = "";
        this.connection.open(name, password);
        this.changed();
    }

    goodbye() {
        this.connection.bye();
    }

    /**
     * Ask, and show why if it is refused. Resolves with the answer, or with nothing.
     * @param {string} type @param {Record<string, any>} fields @returns {Promise<Message | undefined>}
     */
    async ask(type, fields = {}) {
        try {
            return await this.connection.ask(type, fields);
        } catch (why) {
            if (!(why instanceof Refusal)) throw why;
            this.refused(type, fields, why);
            return undefined;
        } finally {
            this.changed();
        }
    }

    /** @param {string} type @param {Record<string, any>} fields @param {Refusal} why */
    refused(type, fields, why) {
        if (why.code === "gone" || why.code === "too_late" || why.code === "already_there") return;
        if (why.code === "not_carried_out") return;
        if (why.code === "wrong_passcode" && (type === "sit" || type === "watch")) {
            this.locked = { table: fields.table, kind: type };
            if (fields.passcode) notify(this.state, sentence(why.message));
            return;
        }
        notify(this.state, sentence(why.message));
    }

    /** @param {number} table */
    go(table) {
        this.at = table;
        this.isArriving = false;
        if (!this.isWall) history.replaceState(null, "", table ? `/table/${table}` : "/");
        this.changed();
    }

    /** @param {number} table */
    async sit(table) {
        const passcode = this.passcodes.get(table) ?? "";
        const seat = this.state.invitations.find((one) => one.table === table)?.seat ?? null;
        const end = await this.keeper().then((keeper) => keeper.promise(table), () => null);
        if (await this.ask("sit", { table, seat, passcode, ...(end ? { end } : {}) })) this.go(table);
    }

    /** @param {number} table */
    async watch(table) {
        if (await this.ask("watch", { table, passcode: this.passcodes.get(table) ?? "" })) this.go(table);
    }

    /** @param {string} passcode */
    async unlock(passcode) {
        const { locked } = this;
        this.locked = null;
        if (!locked) return;
        this.passcodes.set(locked.table, passcode);
        await (locked.kind === "sit" ? this.sit(locked.table) : this.watch(locked.table));
    }

    /** @param {number} table */
    decline(table) {
        this.state.invitations = this.state.invitations.filter((one) => one.table !== table);
        this.changed();
    }

    /**
     * Open a table, sit down, and ask the house to the other seats if `others` says so.
     * @param {Record<string, any>} fields @param {string} others
     */
    async open(fields, others) {
        const opened = await this.ask("open", fields);
        if (!opened) return;
        this.state.opened.add(opened.table);
        if (fields.passcode) this.passcodes.set(opened.table, fields.passcode);
        await this.sit(opened.table);
        if (!others.startsWith("house")) return;
        const house = others.split(" ")[1];
        for (let place = 1; place < fields.seats; place++) {
            await this.ask("invite", { table: opened.table, ...(house ? { house } : {}) });
        }
    }

    /** @param {number} table */
    async leave(table) {
        if (!(await this.ask("leave", { table }))) return;
        this.state.tables.delete(table);
        this.tell((keeper) => keeper.forget(table));
        this.go(0);
    }

    /** @param {Table} table @param {Choice} choice */
    act(table, choice) {
        if (!table.decision || table.acting) return;
        table.acting = true;
        table.mine.push({ action: choice.action, hand: table.view?.hand ?? 0, step: table.steps.length });
        this.changed();
        const { decision } = table.decision;
        void this.ask("act", { table: table.id, decision, action: choice.action }).then((ok) => {
            if (!ok) {
                table.acting = false;
                table.mine.pop();
            }
            this.changed();
        });
    }

    /** @param {number} id */
    dismiss(id) {
        this.state.notices = this.state.notices.filter((one) => one.id !== id);
        this.changed();
    }

    /** @param {import("./settings.js").Settings} settings */
    set(settings) {
        this.settings = settings;
        keepSettings(settings);
        this.changed();
    }
}

/** @param {{app: App}} shown */
function Page({ app }) {
    const [, draw] = useReducer((/** @type {number} */ count) => count + 1, 0);
    const [now, setNow] = useState(Date.now());
    const [isSetting, setSetting] = useState(false);
    useEffect(() => {
        app.changed = () => draw(undefined);
        const timer = setInterval(() => setNow(Date.now()), 1_000);
        app.begin();
        return () => clearInterval(timer);
    }, []);
    const { state } = app;
    const table = state.tables.get(app.at);
    useEffect(() => {
        const mine = [...state.tables.values()].some(({ decision }) => decision);
        document.title = `${mine ? "• " : ""}${table ? `Table ${table.id}` : state.server || "Put"}`;
    });
    if (app.isWall && table) return html`<${Wall} ...${{ state, table, now }} /><${Live} state=${state} />`;
    if (app.isWall) {
        return html`<main>${app.locked && html`<${Passcode} app=${app} />`}
            ${state.phase === "away" && state.asksPassword && html`<${Door} ...${{ state, app }} />`}
            <p class="note">${state.why || "The table is looked for."}</p>
            ${state.notices.map(({ id, text }) => html`<p key=${id}>${text}</p>`)}</main>`;
    }
    const isIn = state.phase === "here" || state.phase === "lost";
    return html`
        <header class="top">
            ${isIn && app.at > 0 && html`<button onClick=${() => app.go(0)}><span aria-hidden="true">‹ </span>Lobby</button>`}
            ${isIn && [...state.tables.values()].filter(({ id }) => id !== app.at).map((one) => html`<button key=${one.id} onClick=${() => app.go(one.id)}>
                Table ${one.id}${one.decision ? html` <b class="due">your move</b>` : ""}</button>`)}
            <span class=${state.phase === "lost" ? "status lost" : "status"}>${state.phase === "lost" ? "coming back…" : isIn ? state.name : ""}</span>
            <button class="icon" aria-label="Settings" aria-expanded=${isSetting} onClick=${() => setSetting(!isSetting)}>
                <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5" /></svg></button>
        </header>
        ${isSetting && html`<aside class="settings" aria-label="Settings"><${SettingsForm} settings=${app.settings} change=${(/** @type {any} */ all) => app.set(all)} />
            ${isIn && html`<p><button onClick=${() => app.goodbye()}>Leave this server: seats and name are free then</button></p>`}</aside>`}
        <div class="notices" role="alert">${state.notices.map(({ id, text }) => html`<p key=${id}>${text} <button onClick=${() => app.dismiss(id)}>Put away</button></p>`)}</div>
        ${app.locked && html`<${Passcode} app=${app} />`}
        <main>
            ${!isIn && html`<${Door} ...${{ state, app }} />`}
            ${isIn && table && html`<${TableScreen} key=${table.id} ...${{ state, app, table, now }} />`}
            ${isIn && !table && app.at > 0 && html`<${Arrival} ...${{ state, app }} />`}
            ${isIn && !table && app.at === 0 && html`<${Lobby} ...${{ state, app }} />`}
        </main>
        <${Live} state=${state} />`;
}

/** Sentences for screen readers: those of the table, in the order in which they come. @param {{state: State}} shown */
function Live({ state }) {
    return html`<div class="sr" role="log" aria-live="polite" aria-label="What happens">${state.spoken.map(({ id, text }) => html`<p key=${id}>${text}</p>`)}</div>`;
}

/** @param {{state: State, app: App}} shown */
function Door({ state, app }) {
    const kept = app.store.read();
    /** @param {SubmitEvent} event */
    const submit = (event) => {
        event.preventDefault();
        const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
        app.comeIn(String(form.get("name") ?? kept.name), String(form.get("password") ?? ""));
    };
    if (state.phase === "parted") {
        return html`<section class="door"><${Fan} /><h1>Put</h1><p>${state.why}</p>
            <button class="first" onClick=${() => app.comeIn("", "")}>${kept.token ? "Play here" : "Come in again"}</button></section>`;
    }
    return html`<section class="door"><${Fan} /><h1>Put</h1>
        <p>${app.at ? `You are asked to table ${app.at}.` : "A card table in your browser."} Say who you are, and sit down.</p>
        ${state.why && html`<p class="problem" role="alert">${state.why}</p>`}
        <form class="form" onSubmit=${submit}>
            ${!kept.token && !app.isWall && html`<label>Your name <input name="name" required maxlength="24" autocomplete="nickname" defaultValue=${kept.name} autofocus /></label>`}
            ${state.asksPassword && html`<label>The server's password <input name="password" type="password" autocomplete="current-password" /></label>`}
            <button class="first" disabled=${state.phase === "coming"}>${state.phase === "coming" ? "Connecting…" : "Come in"}</button>
        </form></section>`;
}

/** Three good cards. */
function Fan() {
    return html`<div class="fan" aria-hidden="true">${["3s", "2h", "Ac"].map((card) => html`<${Card} key=${card} card=${card} label=${false} />`)}</div>`;
}

/** Entrance for a player who came by the address of a table. @param {{state: State, app: App}} shown */
function Arrival({ state, app }) {
    const info = state.lobby.get(app.at);
    if (!info) return html`<section class="door"><h1>Table ${app.at}</h1><p>There is no such table here, or not any more.</p>
        <button class="first" onClick=${() => app.go(0)}>To the lobby</button></section>`;
    const free = (info.state ?? "filling") === "filling" && info.seats.some(({ name }) => !name);
    const names = info.seats.flatMap(({ name }) => name ?? []).join(" and ");
    return html`<section class="door"><${Fan} /><h1>Table ${info.id}</h1>
        <p>${state.games.find(({ name }) => name === info.game)?.title}. ${free ? `${names ? `At the table: ${names}.` : "The table is empty."} A seat is free for you.` : `No seat is free: ${names} play.`}</p>
        ${free && html`<button class="first" onClick=${() => app.sit(info.id)}>Sit down</button>`}
        ${info.is_gallery_open !== false && html`<button onClick=${() => app.watch(info.id)}>Watch</button>`}
        <button onClick=${() => app.go(0)}>To the lobby</button></section>`;
}

/** @param {{app: App}} shown */
function Passcode({ app }) {
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

const app = new App();
keepSettings(app.settings);
render(html`<${Page} app=${app} />`, /** @type {HTMLElement} */ (document.getElementById("app")));

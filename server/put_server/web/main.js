// The page: its frame, and the screen in it.

import { html, render, useEffect, useReducer, useRef, useState } from "./vendor/preact.js";
import { App } from "./app.js";
import { Door } from "./door.js";
import { late } from "./late.js";
import { keepSettings } from "./storage.js";
import { TableScreen } from "./table.js";
import { language, spoken, t } from "./words.js";

const Lobby = late(() => import("./lobby.js"), "Lobby");
const Arrival = late(() => import("./arrival.js"), "Arrival");
const FirstGame = late(() => import("./lesson.js"), "FirstGame");
const Passcode = late(() => import("./arrival.js"), "Passcode");
const SettingsForm = late(() => import("./settings.js"), "SettingsForm");
const Retelling = late(() => import("./retold.js"), "Retelling");
const Wall = late(() => import("./wall.js"), "Wall");

const SETTLED_MS = 15_000; // after which the first table is there, and the network free

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
    const main = useRef(/** @type {HTMLElement | null} */ (null));
    const hadFocus = useRef(false);
    useEffect(() => {
        const keep = () => {
            // What was pressed is gone: the keyboard goes on from what is asked now, or from the way on to it.
            const { activeElement, body } = document;
            const next = /** @type {HTMLElement | null} */ (main.current?.querySelector(".go-on, .asks") ?? main.current);
            const isPast = activeElement === body || activeElement === main.current || (activeElement?.matches(".asks") && next?.matches(".go-on"));
            if (!isPast) hadFocus.current = true;
            else if (hadFocus.current) next?.focus({ preventScroll: true });
        };
        keep();
        const timer = setTimeout(keep); // a button that is disabled loses its focus a little later
        return () => clearTimeout(timer);
    });
    useEffect(() => {
        const mine = [...state.tables.values()].some(({ decision }) => decision);
        document.title = `${mine ? "• " : ""}${table ? t`Table ${table.id}` : state.server || "Put"}`;
    });
    if (app.retold) return html`<main><${Retelling} hash=${app.retold} /></main>`;
    if (app.isWall && table) return html`<${Wall} ...${{ state, app, table, now }} /><${Live} state=${state} />`;
    if (app.isWall) {
        return html`<main>${app.seats.locked && html`<${Passcode} app=${app} />`}
            ${state.phase === "away" && state.asksPassword && html`<${Door} ...${{ state, app }} />`}
            <p class="note">${state.why || t`The table is looked for.`}</p>
            ${state.notices.map(({ id, text }) => html`<p key=${id}>${text}</p>`)}</main>`;
    }
    const isIn = state.phase === "here" || (state.phase === "lost" && state.server !== "");
    return html`
        <header class="top">
            <div class="places">
                ${(app.isLearning || (isIn && app.at > 0)) && html`<button onClick=${() => app.go(0)}><span aria-hidden="true">‹ </span>${t`Lobby`}</button>`}
                ${isIn && [...state.tables.values()].filter(({ id }) => id !== app.at).map((one) => html`<button key=${one.id} onClick=${() => app.go(one.id)}>
                    ${t`Table ${one.id}`}${one.decision ? html` <b class="due">${t`your move`}</b>` : ""}</button>`)}
            </div>
            <span class=${state.phase === "lost" || state.delay === null ? "status lost" : "status"}>
                <span>${state.phase === "lost" ? t`coming back…` : isIn ? state.name : ""}</span>
                ${state.phase === "here" && html`<small class="delay">${state.delay === null ? t` no answer` : state.delay > 0 ? ` ${state.delay} ms` : ""}</small>`}</span>
            <button class="icon" aria-label=${t`Settings`} aria-expanded=${isSetting} onClick=${() => setSetting(!isSetting)}>
                <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5" /></svg></button>
        </header>
        ${isSetting && html`<aside class="settings" aria-label=${t`Settings`}><${SettingsForm} settings=${app.settings} change=${(/** @type {any} */ all) => app.set(all)} />
            ${isIn && html`<p><button onClick=${() => { setSetting(false); app.connection.bye(); }}>${t`Leave this server: seats and name are free then`}</button></p>`}</aside>`}
        <div class="notices" role="alert">${state.notices.map(({ id, text }) => html`<p key=${id}>${text} <button onClick=${() => app.dismiss(id)}>${t`Put away`}</button></p>`)}</div>
        ${app.seats.locked && html`<${Passcode} app=${app} />`}
        <main tabindex="-1" ref=${main}>
            ${!isIn && html`<${app.isLearning && state.phase === "lost" ? FirstGame : Door} ...${{ state, app }} />`}
            ${isIn && table && html`<${TableScreen} key=${table.id} ...${{ state, app, table, now }} />`}
            ${isIn && !table && app.at > 0 && (app.isArriving ? html`<${Arrival} ...${{ state, app }} />` : html`<p class="note">${t`One moment…`}</p>`)}
            ${isIn && !table && app.at === 0 && html`<${app.isLearning ? FirstGame : Lobby} ...${{ state, app }} />`}
        </main>
        <${Live} state=${state} />`;
}

/** Sentences for screen readers: those of the table, in the order in which they come. @param {{state: State}} shown */
function Live({ state }) {
    return html`<div class="sr" role="log" aria-live="polite" aria-label=${t`What happens`}>${state.spoken.map(({ id, text }) => html`<p key=${id}>${text}</p>`)}</div>`;
}

const app = new App();
if (!app.retold) Lobby.load(); // while the player says who they are
setTimeout(() => import("./settings.js").then(({ keepPage }) => keepPage()).catch(() => undefined), SETTLED_MS);
keepSettings(app.settings);
if (language) document.documentElement.lang = language;
void spoken.then(() => render(html`<${Page} app=${app} />`, /** @type {HTMLElement} */ (document.getElementById("app"))));

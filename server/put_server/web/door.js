// The door: who comes in, and what may be done while there is no server.

import { html } from "./vendor/preact.js";
import { Fan } from "./cards.js";
import { late } from "./late.js";
import { submitted, t } from "./words.js";

const Practise = late(() => import("./practise.js"), "Practise");

/** @param {{state: State, app: App}} shown */
export function Door({ state, app }) {
    const kept = app.store.read();
    const submit = submitted(({ name = kept.name, password = "" }) => app.comeIn(name, password));
    if (state.phase === "parted") {
        return html`<section class="door"><${Fan} /><h1>Put</h1><p>${state.why}</p>
            <button class="first" onClick=${() => app.comeIn("", "")}>${kept.token ? t`Play here` : t`Come in again`}</button></section>`;
    }
    if (state.phase === "lost") {
        return html`<section class="lobby"><h1>Put</h1>
            <p class="invitation" role="status">${t`The server does not answer. You come in as soon as it does; until then you can practise.`}</p>
            <${Practise} ...${{ state, app }} /></section>`;
    }
    return html`<section class="door"><${Fan} /><h1>Put</h1>
        <p>${t`A card game of bluff: the most tricks win a hand. Say “I put”, and the others give it up, or see you and play it for the whole game.`}</p>
        <p>${app.at ? t`You are asked to table ${app.at}. Say who you are, and sit down.` : t`Say who you are, and sit down.`}</p>
        ${state.why && html`<p class="problem" role="alert">${state.why}</p>`}
        <form class="form" onSubmit=${submit}>
            ${!kept.token && !app.isWall && html`<label>${t`Your name`} <input name="name" required maxlength="24" autocomplete="nickname" defaultValue=${kept.name} autofocus /></label>`}
            ${state.asksPassword && html`<label>${t`The server's password`} <input name="password" type="password" autocomplete="current-password" /></label>`}
            <button class="first" disabled=${state.phase === "coming"}>${state.phase === "coming" ? t`Connecting…` : t`Come in`}</button>
        </form></section>`;
}

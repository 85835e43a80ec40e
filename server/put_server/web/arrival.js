// What stands before a table: who came by its address sits down or watches; a passcode is asked for.

import { html } from "./vendor/preact.js";
import { Fan } from "./cards.js";
import { isOpen } from "./lobby.js";
import { LOOKED_AT } from "./state.js";
import { submitted, t, titleOf } from "./words.js";

/** @param {{app: App}} shown */
export function Passcode({ app }) {
    return html`<form class="form passcode" onSubmit=${submitted(({ passcode }) => void app.seats.unlock(passcode))}>
        <label>${t`The passcode of table ${app.seats.locked?.table}`} <input name="passcode" autocomplete="off" autofocus /></label>
        ${app.seats.locked?.why && html`<p class="problem" role="alert">${app.seats.locked.why}</p>`}
        <button class="first">${t`Go in`}</button>
        <button type="button" onClick=${() => { app.seats.locked = null; app.changed(); }}>${t`Not now`}</button></form>`;
}

/** Entrance for a player who came by the address of a table. @param {{state: State, app: App}} shown */
export function Arrival({ state, app }) {
    const { size } = state;
    if (!size) return html`<p class="note">${t`One moment…`}</p>`;
    const info = state.lobby.get(app.at);
    const isListed = info || size.pages <= LOOKED_AT;
    if (!info) return html`<section class="door"><h1>${t`Table ${app.at}`}</h1><p>${isListed ? t`There is no such table.` : t`There are more tables than are listed here. Watch this one; then you can sit down.`}</p>
        ${!isListed && html`<button class="first" onClick=${() => app.seats.watch(app.at)}>${t`Watch`}</button>`}
        <button onClick=${() => app.go(0)}>${t`To the lobby`}</button></section>`;
    const free = isOpen(info);
    const names = info.seats.flatMap(({ name }) => name ?? []).join(t` and `);
    return html`<section class="door"><${Fan} /><h1>${t`Table ${info.id}`}</h1>
        <p>${titleOf(state, info)}. ${free ? (names ? t`At the table: ${names}. A seat is free for you.` : t`The table is empty. A seat is free for you.`) : t`No seat is free: ${names} play.`}</p>
        ${free && html`<button class="first" onClick=${() => app.seats.sit(info.id)}>${t`Sit down`}</button>`}
        ${info.is_gallery_open !== false && html`<button onClick=${() => app.seats.watch(info.id)}>${t`Watch`}</button>`}
        <button onClick=${() => app.go(0)}>${t`To the lobby`}</button></section>`;
}

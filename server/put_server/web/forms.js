// Parts of forms and panels that several screens have, and files that the browser saves.

import { html, useState } from "./vendor/preact.js";
import { t } from "./words.js";

/** A list to choose from: in a form by its name, from its usual value on; or with a value that `change` takes. `values`: each
 * with its words. @param {{title: any, values: [string | number, string | number][], name?: string, usual?: string | number,
 *   value?: string | number, change?: (value: string) => void}} shown */
export function Select({ title, values, name, usual, value, change }) {
    return html`<label>${title} <select name=${name} value=${value} onChange=${(/** @type {any} */ event) => change?.(event.target.value)}>
        ${values.map(([one, words]) => html`<option key=${one} value=${one} selected=${one === (value ?? usual)}>${words}</option>`)}
    </select></label>`;
}

/** Panels of which one is shown. @param {{about: string, names: [string, string][], shown: string, show: (name: string) => void, of?: string}} shown */
export function Tabs({ about, names, shown, show, of = "" }) {
    return html`<nav class=${`tabs ${of}`} aria-label=${about}>${names.map(([name, title]) =>
        html`<button key=${name} aria-pressed=${shown === name} onClick=${() => show(name)}>${title}</button>`)}</nav>`;
}

/** A button that asks for confirmation. @param {{text: string, sure: string, does: () => void}} shown */
export function Sure({ text, sure, does }) {
    const [isAsked, setAsked] = useState(false);
    if (!isAsked) return html`<button onClick=${() => setAsked(true)}>${text}</button>`;
    return html`<span class="row"><button class="grave" onClick=${() => { setAsked(false); does(); }}>${sure}</button><button onClick=${() => setAsked(false)}>${t`No`}</button></span>`;
}

/** Have the browser save a file. @param {string} name @param {string} text @param {string} type */
export function saveFile(name, text, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}

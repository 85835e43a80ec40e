// Parts of the page that a first table can do without. They load in the background, and are shown once loaded.

import { html, useEffect, useLayoutEffect, useState } from "./vendor/preact.js";
import { t } from "./words.js";

/** @type {Promise<unknown> | undefined} */
let styled;

/** The style of all such parts, once. */
const style = () => (styled ??= new Promise((done) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: new URL("late.css", import.meta.url).href, onload: done, onerror: done });
    document.head.append(link);
}));

/** A component of a module that is loaded when it is first shown, or before by its `load`.
 * @param {() => Promise<Record<string, unknown>>} load @param {string} name */
export function late(load, name) {
    /** @type {any} */
    let found = null;
    const loaded = async () => {
        const [module] = await Promise.all([load(), style()]);
        found = module[name];
    };
    const component = (/** @type {any} */ shown) => {
        const [step, setStep] = useState("");
        useEffect(() => {
            if (!found) loaded().then(() => setStep("loaded"), () => setStep("failed"));
        }, []);
        useLayoutEffect(() => void (step && dispatchEvent(new Event("resize"))), [step]); // a board fits what came
        if (found) return html`<${found} ...${shown} />`;
        return step === "failed" ? html`<${Outdated} />` : html`<p class="note">${t`One moment…`}</p>`;
    };
    return Object.assign(component, { load: () => void loaded().catch(() => undefined) });
}

/** Notice that a part could not be loaded: the network is gone, or the server has a newer page. */
function Outdated() {
    return html`<p class="note">${t`This part could not be loaded. Your seat is kept if you load the page again.`}</p>
        <button onClick=${() => location.reload()}>${t`Load the page again`}</button>`;
}

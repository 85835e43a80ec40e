// The form of the settings, notifications, and the page that the browser keeps.

import { html, useState } from "./vendor/preact.js";
import { DIGEST } from "./connection.js";
import { Select } from "./forms.js";
import { scriptAt } from "./trusted.js";
import { t } from "./words.js";

/** Have the browser keep the page of this release, so that it opens without a network. */
export async function keepPage() {
    if (DIGEST) await navigator.serviceWorker?.register(scriptAt("/offline.js"), { updateViaCache: "none" });
}

/** Notify a player who looks elsewhere. @param {string} text */
export function alertPlayer(text) {
    if (document.visibilityState === "hidden" && "Notification" in window && Notification.permission === "granted") void note(text);
}

/** Show a notification; resolves with whether it was shown: some phones take it from a service worker alone. @param {string} text */
async function note(text) {
    const about = { body: text, tag: "put" };
    try {
        const keeper = await navigator.serviceWorker?.getRegistration();
        await (keeper?.active ? keeper.showNotification("Put", about) : new Notification("Put", about));
        return true;
    } catch {
        return false;
    }
}

/** @returns {[keyof Settings, string, [string, string][]][]} */
const fields = () => [
    ["theme", t`Light`, [["auto", t`as the system`], ["light", t`light`], ["dark", t`dark`]]],
    ["colours", t`Suits`, [["two", t`in two colours`], ["four", t`in four colours`]]],
    ["sound", t`Sounds, and a vibration when it is your move`, [["on", t`yes`], ["off", t`no`]]],
    ["hints", t`A hint at each choice, against the house`, [["off", t`no`], ["on", t`yes`]]],
    ["alerts", t`A notification when the page is hidden`, [["off", t`no`], ["on", t`yes`], ["push", t`also of my move when it is closed`]]],
];

/** True if a setting may have a value here. @param {string} value */
const isOffered = (value) => value !== "push" || (DIGEST !== "" && isSecureContext && "PushManager" in window);

/** @param {{settings: Settings, change: (settings: Settings) => void}} shown */
export function SettingsForm({ settings, change }) {
    const [problem, setProblem] = useState("");
    /** @param {keyof Settings} name @param {string} value */
    const set = (name, value) => {
        setProblem("");
        if (name === "alerts" && value !== "off") return void allow(value);
        change({ ...settings, [name]: value });
    };
    const allow = async (/** @type {string} */ alerts) => {
        const isAllowed = (await Notification.requestPermission()) === "granted" && await note(t`You are told here when it is your move.`);
        if (isAllowed) return change({ ...settings, alerts });
        setProblem(t`This browser does not allow notifications of this page.`);
        change({ ...settings, alerts: "off" });
    };
    return html`<div class="form">${problem && html`<p class="problem" role="alert">${problem}</p>`}${fields().filter(([name]) => name !== "alerts" || "Notification" in window).map(
        ([name, title, values]) => html`<${Select} key=${name} title=${title} values=${values.filter(([value]) => isOffered(value))} value=${settings[name]}
            change=${(/** @type {string} */ value) => set(name, value)} />`,
    )}</div>`;
}

// Values in the browser's own storage, and the settings among them. Without it the page works all the same, until it is
// closed.

const SETTINGS = "put.settings";
const USUAL = { theme: "auto", colours: "two", sound: "on", alerts: "off", hints: "off" };

/** @typedef {typeof USUAL} Settings */

/** The value of a key; undefined: there is none. @param {string} key @returns {any} */
export function stored(key) {
    try {
        return JSON.parse(localStorage.getItem(key) ?? "null") ?? undefined;
    } catch {
        return undefined;
    }
}

/** Keep a value; returns whether there was room for it. @param {string} key @param {any} value */
export function store(key, value) {
    try {
        localStorage.setItem(key, JSON.stringify(value));
        return true;
    } catch {
        return false;
    }
}

/** Keep no value, for good. @param {string} key @returns {false} */
export function forget(key) {
    try {
        localStorage.removeItem(key);
    } catch {
        // There was none.
    }
    return false;
}

/** @returns {Settings} */
export const readSettings = () => ({ ...USUAL, ...stored(SETTINGS) });

/** @param {Settings} settings */
export function keepSettings(settings) {
    store(SETTINGS, settings);
    const { dataset } = document.documentElement;
    dataset.theme = settings.theme;
    dataset.colours = settings.colours;
}

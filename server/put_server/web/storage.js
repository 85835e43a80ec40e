// Values in the browser's own storage. Without it the page works all the same, until it is closed.

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

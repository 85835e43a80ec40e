// Addresses of scripts: browsers that guard what becomes code want to be told that one is ours.

/** @type {{trustedTypes?: {createPolicy: (name: string, rules: {createScriptURL: (path: string) => string}) => {createScriptURL: (path: string) => string}}}} */
const { trustedTypes } = /** @type {any} */ (globalThis);

const policy = trustedTypes?.createPolicy("put", {
    createScriptURL: (path) => {
        const { origin, href } = new URL(path, location.href);
        if (origin !== location.origin) throw new TypeError("a script from elsewhere");
        return href;
    },
});

/** The address of a script of the page. @param {string} path */
export const scriptAt = (path) => policy?.createScriptURL(path) ?? path;

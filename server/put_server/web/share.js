// The address of a table as text and as a QR code, to hand on.

import { html, useEffect, useState } from "./vendor/preact.js";
import { encode } from "./vendor/uqr.js";
import { t } from "./words.js";

const HERE = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;
const BORDER = 4; // modules around the code, which ISO/IEC 18004 demands

/** The code of a text: its width, and its dark modules as a path in SVG. @param {string} text */
export function codeOf(text) {
    const { data, size } = encode(text, { ecc: "M", border: BORDER });
    const rows = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join(""));
    return { size, path: rows.join("") };
}

/** The address of a table, to share. A browser on the server's own machine asks for one that other machines can reach.
 * @param {{id: number}} shown */
export function Share({ id }) {
    const [name, setName] = useState(HERE.test(location.hostname) ? "" : location.hostname);
    useEffect(() => {
        if (name) return;
        fetch("/address")
            .then((answer) => (answer.ok ? answer.text() : ""), () => "")
            .then((found) => setName(found || location.hostname));
    }, []);
    if (!name) return null;
    const host = name.includes(":") && !name.startsWith("[") ? `[${name}]` : name;
    const address = `${location.protocol}//${host}${location.port && `:${location.port}`}/table/${id}`;
    const { size, path } = codeOf(address);
    return html`<figure class="share">
        <svg viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${t`QR code of ${address}`}>
            <rect width=${size} height=${size} fill="#fff" /><path d=${path} fill="#000" shape-rendering="crispEdges" /></svg>
        <figcaption>${t`A friend opens`} <b>${address}</b></figcaption>
    </figure>`;
}

// The first connection and the games that the server offers, which are asked for while the page itself loads: together
// with the rest of its welcome they would take a second on a slow network. A page that the client installed has none.

const offers = `/web/-/offers${/^fr/i.test(navigator.language) ? "-fr" : ""}.json`; // of the release
const early = /** @type {import("./connection.js").Early} */ (globalThis);

if (!location.hash.startsWith("#game=")) {
    early.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`, "put.json.1");
    if (!offers.includes("/-/")) early.games = fetch(offers).then((answer) => answer.json());
}

// The first connection, which is asked for while the page itself loads. A page that needs none lets the server close it.

if (!location.hash.startsWith("#game=")) {
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
    /** @type {any} */ (globalThis).dialled = new WebSocket(address, "put.json.1");
}

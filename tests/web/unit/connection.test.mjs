// The connection by itself: a socket that the test holds, and time that it moves.

import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";

const sockets = [];

class FakeSocket extends EventTarget {
    static OPEN = 1;
    readyState = 1;
    sent = [];
    constructor() {
        super();
        sockets.push(this);
    }
    send(text) {
        this.sent.push(JSON.parse(text));
    }
    close() {
        this.readyState = 3;
    }
    open() {
        this.dispatchEvent(new Event("open"));
    }
    tell(message) {
        this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
    }
    kinds() {
        return this.sent.map(({ type }) => type);
    }
    last(type) {
        return this.sent.findLast((one) => one.type === type);
    }
}

globalThis.WebSocket = FakeSocket;
globalThis.window = new EventTarget();
globalThis.document = Object.assign(new EventTarget(), { visibilityState: "visible" });
/** The browser's storage; null: it has none. */
let storage = null;
Object.defineProperty(globalThis, "localStorage", { get: () => storage ?? assert.fail("there is no storage") });
mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_000_000 });

const { Connection, Store } = await import("../../../server/put_server/web/connection.js");
const { keep } = await import("../../../server/put_server/web/blind/keeper.js");

/** The connection of the test that runs. */
let open = null;

afterEach(() => {
    open.isWanted = false;
    open.drop();
});

/** Timers that timers start are due within the same time. */
function pass(ms) {
    for (let left = ms; left > 0; left -= 10) mock.timers.tick(Math.min(10, left));
}

const WELCOME = { type: "welcome", token: "secret", name: "Moll", incarnation: 1, epoch: 7 };

/** A connection that is welcome, its newest socket, and what it told. */
function connected() {
    const told = { phases: [], delays: [], heard: [], parted: [] };
    const connection = new Connection("ws://here/ws", {
        asked: () => undefined,
        heard: (message) => told.heard.push(message.type),
        phase: (phase) => told.phases.push(phase),
        answered: (delay) => told.delays.push(delay),
        parted: ({ says }) => told.parted.push(says),
        seen: () => [],
    }, new Store());
    open = connection;
    connection.open("Moll");
    sockets.at(-1).open();
    sockets.at(-1).tell(WELCOME);
    told.phases.length = 0;
    return { connection, told };
}

test("each press pings, and the answer tells the delay", () => {
    const { connection, told } = connected();
    const socket = sockets.at(-1);
    void connection.ask("act", { table: 1 });
    assert.deepEqual(socket.kinds().slice(-2), ["act", "ping"]);
    pass(120);
    socket.tell({ type: "pong" });
    assert.deepEqual(told.delays, [120]);
    pass(20_000);
    assert.deepEqual(told.phases, []);
});

test("a connection that hangs is told after three seconds, and left for another", () => {
    const { connection, told } = connected();
    void connection.ask("act", { table: 1 });
    pass(2_900);
    assert.deepEqual(told.delays, []);
    pass(200);
    assert.deepEqual(told.delays, [null]);
    const count = sockets.length;
    pass(10_000);
    assert.equal(sockets.length, count + 1);
    assert.equal(told.phases[0], "lost");
});

test("a socket that never opens is given up as well", () => {
    const { connection } = connected();
    connection.dial();
    const count = sockets.length;
    pass(10_000);
    assert.equal(sockets.length, count + 1);
});

test("a move that was lost is sent again, with its decision, and one that comes too late is told", async () => {
    const { connection } = connected();
    const answer = connection.ask("act", { table: 1, decision: 5, action: { do: "put" } }).catch((why) => why);
    const { id } = sockets.at(-1).last("act");
    sockets.at(-1).dispatchEvent(new Event("close"));
    pass(1_000);
    const socket = sockets.at(-1);
    socket.open();
    assert.deepEqual(socket.last("hello").asked, [id]);
    assert.equal(socket.last("hello").token, "secret");
    socket.tell(WELCOME);
    socket.tell({ type: "refused", id, code: "not_carried_out", says: "lost" });
    pass(1);
    const again = socket.last("act");
    assert.notEqual(again.id, id);
    assert.deepEqual([again.decision, again.action], [5, { do: "put" }]);
    socket.tell({ type: "refused", id: again.id, code: "too_late", says: "late" });
    assert.equal((await answer).isAgain, true);
});

test("a page that another took the place of, and that comes back, asks after no request of the other", async () => {
    const ids = new Set();
    for (let page = 0; page < 2; page++) {
        const { connection } = connected();
        for (let request = 0; request < 3; request++) {
            void connection.ask("look", {}).catch(() => undefined);
            ids.add(sockets.at(-1).last("look").id);
        }
        pass(10);
    }
    assert.equal(ids.size, 6);
});

test("a storage that is full leaves no key to the page that is loaded next", () => {
    const items = new Map();
    let isFull = false;
    const setItem = (key, value) => {
        if (isFull) throw new Error("it is full");
        items.set(key, value);
    };
    storage = { getItem: (key) => items.get(key) ?? null, setItem, removeItem: (key) => items.delete(key) };
    const store = new Store();
    const key = { game: "g", secret: "s", number: 0, digest: "" };
    assert.equal(keep(store, 1, key), true);
    assert.deepEqual(new Store().read().games, { 1: key });
    isFull = true;
    assert.equal(keep(store, 1, { ...key, number: 1, digest: "d" }), true);
    assert.equal(keep(store, 1, { ...key, number: 1, digest: "another" }), false);
    assert.equal(new Store().read().games, undefined);
    storage = null;
});

test("a browser without storage comes back as the same player", () => {
    connected();
    sockets.at(-1).dispatchEvent(new Event("close"));
    pass(1_000);
    sockets.at(-1).open();
    const { token, incarnation } = sockets.at(-1).last("hello");
    assert.equal(token, "secret");
    assert.equal(incarnation, 2);
});

test("a table without seats, or without that of its viewer, ends the connection with a sentence", () => {
    const seats = [{ name: "Moll" }, {}];
    const sound = { type: "table", table: 1, viewer: 0, number: 0, info: { seats }, turn: { seat: 1 } };
    const lies = [{ info: { seats: [] } }, { viewer: "gallery", info: { seats: [] } }, { viewer: 2 }, { viewer: -1 }, { turn: { seat: 9 } }];
    for (const lie of lies) {
        const { connection, told } = connected();
        sockets.at(-1).tell(sound);
        sockets.at(-1).tell({ ...sound, ...lie });
        assert.deepEqual(told.heard, ["welcome", "table"]);
        assert.deepEqual(told.parted, ["the server told of a seat that the table does not have"]);
        pass(20_000);
        assert.equal(connection.socket, null);
    }
    const { told } = connected();
    sockets.at(-1).tell({ ...sound, viewer: "gallery", turn: null });
    assert.deepEqual(told.heard, ["welcome", "table"]);
});

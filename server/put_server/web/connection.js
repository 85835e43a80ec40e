// The connection: WebSocket, hello, requests with their answers, and the return after a drop as the same player.

import { forget, store, stored } from "./storage.js";
import { language } from "./words.js";

const QUIET_MS = 30_000; // silence after which we ping
const HANGS_MS = 3_000; // after a ping, when the player is told that nothing comes
const LOST_MS = 8_000; // after a ping or a dial, when the connection is given up for a new one
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
const SUBPROTOCOL = "put.json.1";
const KEY = "put.session"; // the browser keeps it by server, for that is the page's origin

/** Requests that are sent again if they were lost: all that a player presses. Later messages answer the others anyway. */
const AGAIN = new Set("open sit watch stand leave resign dismiss say mute block invite again act pause go_on coach analyse recall drill grade".split(" "));

/** Refusals of a hello after which trying again later may succeed. */
const PASSING = new Set(["server_full", "draining", "too_fast"]);

/** False where a table has no seats, or not the one of its viewer or of the player to move. @param {ServerTable} message */
function hasSeats({ info, viewer, turn }) {
    const places = [viewer, turn?.seat ?? "gallery"];
    return info.seats.length > 0 && places.every((one) => one === "gallery" || (Number.isInteger(one) && one in info.seats));
}

/** What dial.js asked for. @typedef {{socket?: WebSocket, games?: Promise<GameOffer[]>}} Early */

export const early = /** @type {Early} */ (globalThis);

/** The digest of this page's files. */
export const DIGEST = /\/web\/(\w+)\//.exec(import.meta.url)?.[1] ?? "";

/** The socket of dial.js, once, if it is not closed by now. @returns {WebSocket | undefined} */
function firstSocket() {
    const { socket } = early;
    delete early.socket;
    return socket && socket.readyState <= WebSocket.OPEN ? socket : undefined;
}

export class Refusal extends Error {
    /** @param {{code: string, says: string}} message */
    constructor(message) {
        super(message.says);
        /** @type {string} */
        this.code = message.code;
        /** The request was lost once, and sent again. */
        this.isAgain = false;
    }
}

/** @typedef {{token: string, name: string, incarnation: number, epoch: number, games?: Record<string, GameKey>}} Kept */

/** State that survives a lost connection and, where the browser has a storage, a reload of the page. A wall keeps its own in
 * memory: the browser's storage would give it the token of a player in the same browser. */
export class Store {
    /** @param {Partial<Kept>} [own] what is kept in memory alone */
    constructor(own) {
        this.isStored = !own;
        /** @type {Kept} */
        this.kept = { token: "", name: "", incarnation: 0, epoch: 0, ...own };
    }

    /** @returns {Kept} */
    read() {
        return { ...this.kept, ...(this.isStored && stored(KEY)) };
    }

    /** @param {Partial<Kept>} changes */
    write(changes) {
        this.kept = { ...this.read(), ...changes };
        // An older one would have our keys, and not know each deal of which we gave shares.
        this.isStored &&= store(KEY, this.kept) || forget(KEY);
        return { ...this.kept };
    }
}

/** @typedef {object} Listener
 * @property {(request: Client) => void} asked
 * @property {(message: Server) => void} heard
 * @property {(phase: "coming" | "lost", backAt: number) => void} phase
 * @property {(delay: number | null) => void} answered  milliseconds that an answer took; null: none comes
 * @property {() => void} outdated  the server is of another release than this page
 * @property {(goodbye: ServerGoodbye) => void} parted  for good, until the player connects again
 * @property {() => {table: number, number: number}[]} seen */

export class Connection {
    /** @param {string} address @param {Listener} listener @param {Store} store */
    constructor(address, listener, store) {
        this.address = address;
        this.listener = listener;
        this.store = store;
        this.password = "";
        this.isWelcome = false;
        /** @type {WebSocket | null} */
        this.socket = null;
        /** @type {Map<number, {request: Client & {id: number}, done: (answer: ServerOk) => void, failed: (why: Refusal) => void}>} */
        this.waiting = new Map();
        /** Those who wait for the message that follows an answer, by the id of both. @type {Map<number, (message: ServerJudgement | ServerPosition | null) => void>} */
        this.followers = new Map();
        /** Of the last request. Other pages of this player begin at another moment, and are answered for none of these. */
        this.lastId = 1000 * Date.now();
        this.waitMs = FIRST_WAIT_MS;
        this.heardAt = 0;
        this.isWanted = false;
        /** The release of the games that the server need not tell; empty: none. */
        this.offers = "";
        /** When the ping that is not answered yet was sent; 0: there is none. */
        this.pingedAt = 0;
        /** @type {ReturnType<typeof setTimeout>[]} */
        this.limits = [];
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.timer = undefined;
        setInterval(() => this.watch(), 5_000);
        document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.probe());
        window.addEventListener("online", () => this.probe());
    }

    /** Connect, and connect again after each drop. @param {string} name @param {string} password */
    open(name, password = "") {
        if (name) this.store.write({ name });
        this.password = password || this.password;
        this.isWanted = true;
        this.waitMs = FIRST_WAIT_MS;
        this.dial();
    }

    /** Leave for good: seats and the token end. */
    bye() {
        this.isWanted = false;
        this.say({ type: "bye" });
        this.store.write({ token: "" });
    }

    /** @param {Client} message */
    say(message) {
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    }

    /** Send a request; its promise survives a dropped connection.
     * @template {Client["type"]} Kind @param {Kind} type @param {Requests[Kind]} fields @returns {Promise<ServerOk>} */
    ask(type, fields) {
        const id = ++this.lastId;
        const request = /** @type {Client & {id: number}} */ (/** @type {unknown} */ ({ type, id, ...fields }));
        this.listener.asked(request);
        return new Promise((done, failed) => {
            this.waiting.set(id, { request, done, failed });
            if (this.isWelcome) {
                this.say(request);
                this.probe();
            }
        });
    }

    /** The message that follows an answer with the same id; null: the request was refused, or the connection was lost before it.
     * @param {ServerOk | undefined} answer @returns {Promise<ServerJudgement | ServerPosition | null>} */
    async following(answer) {
        return answer ? new Promise((done) => this.followers.set(answer.id, done)) : null;
    }

    dial() {
        this.drop();
        this.listener.phase("coming", 0);
        const socket = firstSocket() ?? new WebSocket(this.address, SUBPROTOCOL);
        this.socket = socket;
        this.heardAt = Date.now();
        this.timer = setTimeout(() => this.giveUp(), LOST_MS);
        let stated = -1;
        if (socket.readyState === WebSocket.OPEN) this.hello();
        else socket.addEventListener("open", () => this.hello());
        socket.addEventListener("message", ({ data }) => {
            if (socket !== this.socket) return;
            this.note();
            const message = JSON.parse(data);
            if (message.type === "goodbye") stated = this.part(message);
            else this.hear(message);
        });
        socket.addEventListener("close", () => {
            if (socket !== this.socket) return;
            this.drop();
            if (this.isWanted) this.comeBack(stated);
        });
    }

    /** Forget the socket; nothing more is heard of it. */
    drop() {
        const socket = this.socket;
        this.socket = null;
        this.isWelcome = false;
        clearTimeout(this.timer);
        this.limits.forEach(clearTimeout);
        this.pingedAt = 0;
        for (const done of this.followers.values()) done(null);
        this.followers.clear();
        socket?.close();
    }

    hello() {
        const kept = this.store.read();
        const { token, name, epoch, incarnation } = this.store.write({ incarnation: kept.incarnation + 1 });
        this.offers = early.games ? DIGEST : "";
        const message = { type: /** @type {const} */ ("hello"), version: 2, knows: [], client: "put-web", offers: this.offers, ...(language && { language }) };
        const who = token
            ? { token, epoch, incarnation, seen: this.listener.seen().slice(0, 64), asked: [...this.waiting.keys()].slice(0, 64) }
            : { name, incarnation };
        this.say({ ...message, ...who, password: this.password });
    }

    /** @param {number} stated the server's announced downtime, in ms; below 0: none was announced */
    comeBack(stated) {
        const wait = (stated > 0 ? stated : 0) + this.waitMs * (0.5 + Math.random() / 2);
        if (stated < 0) this.waitMs = Math.min(2 * this.waitMs, LONGEST_WAIT_MS);
        this.listener.phase("lost", Date.now() + wait);
        this.timer = setTimeout(() => this.dial(), wait);
    }

    /** A goodbye. @param {ServerGoodbye} message @returns {number} milliseconds until the server is back; below 0: unknown */
    part(message) {
        const { code, refusal } = message;
        if (refusal === "bad_token") {
            this.store.write({ token: "" });
            this.fail(message);
            if (this.store.read().name) return 0; // as a new player of the same name
        } else if (["draining", "idle", "too_slow"].includes(code) || PASSING.has(refusal ?? "")) {
            return message.back_s === undefined || message.back_s === null ? -1 : message.back_s * 1000;
        }
        this.isWanted = false;
        if (code === "bye" || code === "kicked") this.store.write({ token: "" });
        this.fail(message);
        this.listener.parted(message);
        return -1;
    }

    /** Fail all requests that wait for an answer. @param {ServerGoodbye} why */
    fail(why) {
        const waiting = [...this.waiting.values()];
        this.waiting.clear();
        for (const one of waiting) one.failed(new Refusal({ ...why, code: "gone" }));
    }

    // --- messages ---

    /** @param {Exclude<Server, ServerGoodbye>} message */
    hear(message) {
        if (message.type === "ping") this.say({ type: "pong" });
        else if (message.type === "ok" || message.type === "refused") {
            this.listener.heard(message);
            this.answer(message);
        } else {
            if (message.type === "welcome") this.welcome(message);
            if (message.type === "events" && this.hasGap(message)) return this.dial();
            if (message.type === "table" && !hasSeats(message)) {
                this.drop();
                return this.part({ type: "goodbye", code: "protocol", says: "the server told of a seat that the table does not have" });
            }
            if (message.type === "position" || message.type === "judgement") this.followers.get(message.id)?.(message);
            this.listener.heard(message);
        }
    }

    /** @param {ServerWelcome} message */
    welcome(message) {
        if (message.games?.length && this.offers) this.listener.outdated();
        const isNew = this.store.read().token !== message.token;
        const { token, incarnation = 0, epoch = 0, name } = message;
        this.store.write({ token, incarnation, epoch, name });
        this.waitMs = FIRST_WAIT_MS;
        this.isWelcome = true;
        clearTimeout(this.timer);
        if (isNew) for (const { request } of this.waiting.values()) this.say(request);
    }

    /** @param {ServerEvents} message */
    hasGap(message) {
        const seen = this.listener.seen().find(({ table }) => table === message.table);
        return seen !== undefined && message.first !== seen.number + 1;
    }

    /** @param {ServerOk | ServerRefused} message */
    answer(message) {
        const asked = this.waiting.get(message.id);
        if (!asked) return;
        this.waiting.delete(message.id);
        if (message.type === "ok") return asked.done(message);
        const { type, id: _, ...fields } = asked.request;
        const isLost = message.code === "not_carried_out" && AGAIN.has(type);
        if (!isLost && message.code !== "too_fast") return asked.failed(new Refusal(message));
        const again = () => this.ask(type, fields).then(asked.done, (why) => asked.failed(Object.assign(why, { isAgain: isLost })));
        setTimeout(again, message.retry_after_ms ?? 0);
    }

    // --- time ---

    /** Ping after a silence. */
    watch() {
        if (this.socket && this.isWelcome && Date.now() - this.heardAt > QUIET_MS) this.probe();
    }

    /** Check the connection at once: something is pressed, the page is visible again, or the network is back. */
    probe() {
        if (!this.isWanted) return;
        if (!this.socket) return this.dial();
        if (!this.isWelcome || this.pingedAt) return;
        this.pingedAt = Date.now();
        this.say({ type: "ping" });
        this.limits = [setTimeout(() => this.listener.answered(null), HANGS_MS), setTimeout(() => this.giveUp(), LOST_MS)];
    }

    /** Something came: the connection lives. */
    note() {
        this.heardAt = Date.now();
        if (!this.pingedAt) return;
        this.limits.forEach(clearTimeout);
        this.listener.answered(this.heardAt - this.pingedAt);
        this.pingedAt = 0;
    }

    /** Leave a socket of which nothing comes, for a new one. */
    giveUp() {
        this.drop();
        if (this.isWanted) this.comeBack(-1);
    }
}

// The connection: WebSocket, hello, requests with their answers, and the return after a drop as the same player.

import { store, stored } from "./storage.js";

/** @import {Message} from "./types.js" */

const QUIET_MS = 30_000; // silence after which we ping
const DEAD_MS = 75_000; // silence after which the server counts as gone
const PROBE_MS = 4_000; // time limit for a pong, when the page becomes visible again
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
const SUBPROTOCOL = "put.json.1";
const KEY = "put.session"; // the browser keeps it by server, for that is the page's origin

/** Requests that are sent again if they were lost; later messages answer the others anyway. */
const AGAIN = new Set("open sit watch stand leave resign dismiss say mute block invite again".split(" "));

/** Refusals of a hello after which trying again later may succeed. */
const PASSING = new Set(["server_full", "draining", "too_fast"]);

export class Refusal extends Error {
    /** @param {Message} message */
    constructor(message) {
        super(message.says);
        /** @type {string} */
        this.code = message.code;
        this.field = message.field ?? null;
        this.retryMs = message.retry_after_ms ?? 0;
    }
}

/** State that survives a lost connection, and a reload of the page. */
export class Store {
    /** @returns {{token: string, name: string, incarnation: number, epoch: number}} */
    read() {
        return { token: "", name: "", incarnation: 0, epoch: 0, ...stored(KEY) };
    }

    /** @param {Partial<{token: string, name: string, incarnation: number, epoch: number}>} changes */
    write(changes) {
        const now = { ...this.read(), ...changes };
        store(KEY, now);
        return now;
    }
}

/**
 * @typedef {object} Listener
 * @property {(request: Message) => void} asked
 * @property {(message: Message) => void} heard
 * @property {(phase: "coming" | "lost", backAt: number) => void} phase
 * @property {(goodbye: Message) => void} parted  for good, until the player connects again
 * @property {() => {table: number, number: number}[]} seen
 */

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
        /** @type {Map<number, {request: Message, done: (answer: Message) => void, failed: (why: Refusal) => void}>} */
        this.waiting = new Map();
        this.lastId = 0;
        this.waitMs = FIRST_WAIT_MS;
        this.heardAt = 0;
        this.isWanted = false;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.timer = undefined;
        setInterval(() => this.watch(), 5_000);
        const look = () => document.visibilityState === "visible" && this.probe();
        document.addEventListener("visibilitychange", look);
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

    /** @param {Message} message */
    say(message) {
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    }

    /**
     * Send a request; its promise survives a dropped connection.
     * @param {string} type @param {Record<string, any>} fields @returns {Promise<Message>}
     */
    ask(type, fields = {}) {
        const id = ++this.lastId;
        const request = { type, id, ...fields };
        this.listener.asked(request);
        return new Promise((done, failed) => {
            this.waiting.set(id, { request, done, failed });
            if (this.isWelcome) this.say(request);
        });
    }

    dial() {
        clearTimeout(this.timer);
        this.drop();
        this.listener.phase("coming", 0);
        const socket = new WebSocket(this.address, SUBPROTOCOL);
        this.socket = socket;
        this.heardAt = Date.now();
        let stated = -1;
        socket.addEventListener("open", () => this.hello());
        socket.addEventListener("message", ({ data }) => {
            if (socket !== this.socket) return;
            this.heardAt = Date.now();
            const message = JSON.parse(data);
            if (message.type === "goodbye") stated = this.part(message);
            else this.hear(message);
        });
        socket.addEventListener("close", () => {
            if (socket !== this.socket) return;
            this.socket = null;
            this.isWelcome = false;
            if (this.isWanted) this.comeBack(stated);
        });
    }

    /** Forget the socket; nothing more is heard of it. */
    drop() {
        const socket = this.socket;
        this.socket = null;
        this.isWelcome = false;
        socket?.close();
    }

    hello() {
        const kept = this.store.read();
        const { token, name, epoch, incarnation } = this.store.write({ incarnation: kept.incarnation + 1 });
        const message = { type: "hello", version: 2, knows: [], openings: true, client: "put-web" };
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

    /** A goodbye. @param {Message} message @returns {number} milliseconds until the server is back; below 0: unknown */
    part(message) {
        const { code, refusal } = message;
        if (refusal === "bad_token") {
            this.store.write({ token: "" });
            this.fail(message);
            if (this.store.read().name) return 0; // as a new player of the same name
        } else if (["draining", "idle", "too_slow"].includes(code) || PASSING.has(refusal)) {
            return message.back_s === undefined || message.back_s === null ? -1 : message.back_s * 1000;
        }
        this.isWanted = false;
        if (code === "bye" || code === "kicked") this.store.write({ token: "" });
        this.fail(message);
        this.listener.parted(message);
        return -1;
    }

    /** Fail all requests that wait for an answer. @param {Message} why */
    fail(why) {
        const waiting = [...this.waiting.values()];
        this.waiting.clear();
        for (const one of waiting) one.failed(new Refusal({ ...why, code: "gone" }));
    }

    // --- messages ---

    /** @param {Message} message */
    hear(message) {
        if (message.type === "ping") this.say({ type: "pong" });
        else if (message.type === "ok" || message.type === "refused") {
            this.listener.heard(message);
            this.answer(message);
        } else {
            if (message.type === "welcome") this.welcome(message);
            if (message.type === "events" && this.hasGap(message)) return this.dial();
            this.listener.heard(message);
        }
    }

    /** @param {Message} message */
    welcome(message) {
        const isNew = this.store.read().token !== message.token;
        const { token, incarnation = 0, epoch = 0, name } = message;
        this.store.write({ token, incarnation, epoch, name });
        this.waitMs = FIRST_WAIT_MS;
        this.isWelcome = true;
        if (isNew) for (const { request } of this.waiting.values()) this.say(request);
    }

    /** @param {Message} message */
    hasGap(message) {
        const seen = this.listener.seen().find(({ table }) => table === message.table);
        return seen !== undefined && message.first !== seen.number + 1;
    }

    /** @param {Message} message */
    answer(message) {
        const asked = this.waiting.get(message.id);
        if (!asked) return;
        this.waiting.delete(message.id);
        if (message.type === "ok") return asked.done(message);
        const { type, id: _, ...fields } = asked.request;
        const isLost = message.code === "not_carried_out" && AGAIN.has(type);
        if (!isLost && message.code !== "too_fast") return asked.failed(new Refusal(message));
        const again = () => this.ask(type, fields).then(asked.done, asked.failed);
        setTimeout(again, message.retry_after_ms ?? 0);
    }

    // --- time ---

    /** Ping after a silence, or give the connection up. */
    watch() {
        const silence = Date.now() - this.heardAt;
        if (!this.socket) return;
        if (silence > DEAD_MS) this.dial();
        else if (silence > QUIET_MS && this.isWelcome) this.say({ type: "ping" });
    }

    /** Check the connection at once: the page is visible again, or the network is back. */
    probe() {
        if (!this.isWanted) return;
        if (!this.socket) return this.dial();
        if (!this.isWelcome) return;
        const since = this.heardAt;
        this.say({ type: "ping" });
        setTimeout(() => {
            if (this.isWelcome && this.heardAt === since && Date.now() - since > PROBE_MS) this.dial();
        }, PROBE_MS);
    }
}

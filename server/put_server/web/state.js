// State of the page, and its change by each message of the server. Nothing here draws, waits or decides a rule.

import { scenesOf } from "./director.js";
import { hintOf, t } from "./words.js";

/** Most sentences kept of a table, which are some games of Put; and most steps kept of a game. */
const KEPT = 400;
const STEPS = 2_000;

/** Pages of the lobby that are looked at; most lobbies have fewer. */
export const LOOKED_AT = 10;

/** Events which are told and not shown in large letters. */
const QUIET = new Set(["presence", "sat", "agreed"]);

let lastId = 0;

/** @returns {State} */
export function newState() {
    return {
        phase: "away",
        server: "",
        name: "",
        games: [],
        houses: [],
        tables: new Map(),
        lobby: new Map(),
        people: new Map(),
        page: 0,
        size: null,
        opened: new Set(),
        invitations: [],
        notices: [],
        spoken: [],
        why: "",
        asksPassword: false,
        backAt: 0,
        delay: 0,
    };
}

/** Have texts read out, without showing them. @param {State} state @param {string[]} texts */
export function speak(state, ...texts) {
    for (const text of texts) if (text) state.spoken = [...state.spoken.slice(-30), { id: ++lastId, text }];
}

/** Show a notice until it is dismissed. @param {State} state @param {string} text */
export function notify(state, text) {
    state.notices = [...state.notices.slice(-4), { id: ++lastId, text }];
    speak(state, text);
}

/** Take a message. @param {State} state @param {Server} message @param {number} now */
export function hear(state, message, now) {
    if (Object.hasOwn(HEARERS, message.type)) /** @type {any} */ (HEARERS)[message.type](state, message, now);
    const table = "table" in message && state.tables.get(message.table ?? 0);
    if (table && Object.hasOwn(AT_TABLE, message.type)) /** @type {any} */ (AT_TABLE)[message.type](state, table, message, now);
}

/** Stop the clock of the player to move that ran until now; their other one begins. @param {Table} table
 * @param {"turn_ms" | "bank_ms"} clock @param {number} now */
function stop(table, clock, now) {
    const left = table.turn?.[clock];
    if (table.turn && typeof left === "number") table.turn = { ...table.turn, [clock]: Math.max(0, left - (now - table.turnAt)) };
    table.turnAt = now;
}

/** Changes by a message of each kind. @type {{[Kind in Server["type"]]?: (state: State, message: Extract<Server, {type: Kind}>, now: number) => void}} */
const HEARERS = {
    welcome(state, message) {
        state.phase = "here";
        state.why = "";
        state.delay = 0;
        state.server = message.server;
        state.name = message.name;
        if (message.games?.length) state.games = message.games;
        state.houses = message.houses;
        const here = message.tables ?? [];
        for (const id of state.tables.keys()) if (!here.includes(id)) state.tables.delete(id);
        for (const table of state.tables.values()) table.acting = false;
    },

    lobby(state, message) {
        if (message.begins) {
            state.lobby = new Map();
            state.people = new Map();
            state.page = message.page ?? 0;
        }
        state.size = message.size ?? state.size ?? { tables: 0, people: 0, pages: 0 }; // an older server lists all
        for (const info of message.tables ?? []) state.lobby.set(info.id, info);
        for (const person of message.people ?? []) state.people.set(person.name, person);
        for (const id of message.closed ?? []) state.lobby.delete(id);
        for (const name of message.departed ?? []) state.people.delete(name);
        state.invitations = state.invitations.filter(({ table }) => !(message.closed ?? []).includes(table));
    },

    table(state, message, now) {
        const { table: id, viewer, number, info, view = null, turn = null, board = [] } = message;
        const game = { told: [], steps: [], mine: [], sheet: [], analysis: null, ...state.tables.get(id) };
        state.tables.set(id, { ...game, id, viewer, number, info, view, turn, turnAt: now, board, fresh: [], decision: null, acting: false, advice: null, unread: 0 });
        state.invitations = state.invitations.filter((one) => one.table !== id);
        speak(state, ...board);
    },

    invited(state, message) {
        const { table, by } = message;
        state.invitations = [...state.invitations.filter((one) => one.table !== table), message];
        speak(state, t`${by} asks you to table ${table}.`);
    },

    left(state, message) {
        state.tables.delete(message.table);
        notify(state, message.says);
    },

    notice(state, message) {
        notify(state, t`From the server: ${message.says}`);
    },
};

/** Changes of a table that is known, by a message of it.
 * @type {{[Kind in Server["type"]]?: (state: State, table: Table, message: Extract<Server, {type: Kind}>, now: number) => void}} */
const AT_TABLE = {
    events(state, table, message, now) {
        table.number = message.first + message.events.length - 1;
        if (message.info) table.info = message.info;
        const says = message.says ?? [];
        if (message.events.some((one) => one.event === "started")) Object.assign(table, { steps: [], mine: [], sheet: [], analysis: null });
        table.fresh = [];
        if (message.view) {
            table.board = message.board ?? table.board;
            table.fresh = scenesOf(table.view, message, table.board);
            table.view = message.view;
            table.steps = [...table.steps.slice(-STEPS), ...table.fresh.filter(({ kind }) => kind !== "take")];
            table.decision = null;
            table.acting = false;
        }
        for (const { event, seat, away } of message.events) if (event === "presence" && seat === table.turn?.seat) stop(table, away ? "turn_ms" : "bank_ms", now);
        if (message.view || message.turn) {
            table.turn = message.turn ?? null;
            table.turnAt = now;
        }
        const told = message.events.flatMap((event, at) => {
            const isTalk = event.event === "said";
            if ((isTalk && event.muted) || !says[at]) return [];
            const kind = isTalk ? "talk" : /(^|\.)dealt$/.test(event.event) ? "hand" : QUIET.has(event.event) ? "quiet" : "event";
            return [/** @type {Told} */ ({ kind, text: says[at] })];
        });
        table.told = [...table.told, ...told].slice(-KEPT);
        table.unread += told.filter((one) => one.kind === "talk").length;
        speak(state, ...told.map((one) => one.text));
    },

    decision(state, table, message) {
        table.decision = message;
        table.acting = false;
        table.advice = null;
        speak(state, message.asks);
    },

    analysis(_, table, message) {
        const before = table.analysis?.game === message.game ? (table.analysis?.reviewed ?? []) : [];
        table.analysis = { ...message, reviewed: [...before, ...(message.reviewed ?? [])] };
    },

    advice(state, table, message) {
        if (table.decision?.decision !== message.decision) return;
        table.advice = message;
        speak(state, hintOf(message));
    },

    recalled(state, table, message) {
        if (message.flaw) return notify(state, message.flaw);
        const { text = "", part = 1 } = message;
        table.sheet = [...table.sheet.slice(0, part - 1), text];
    },
};

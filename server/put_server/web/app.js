// The app: what the page knows and does. It hears the connection, keeps the state and the stages of the tables, and sends
// the requests that buttons ask for.

import { Ending } from "./board.js";
import { Connection, DIGEST, early, Refusal, Store } from "./connection.js";
import { isMotionUnwanted, Stage } from "./director.js";
import { keepSettings, readSettings } from "./storage.js";
import { LOOKED_AT, hear, newState, notify, speak } from "./state.js";
import { endsGame, HANGS, outcomeOf, sentence } from "./words.js";

/** @import {Choice, Client, OfTable, Requests, Scene, Server, ServerEvents, ServerGoodbye, ServerOk, ServerAnalysis, ServerRecalled, Signed, Table} from "./types.js" */
/** @import {KeyKeeper} from "./blind/keeper.js" */

const LEARN = "#learn"; // in the address: the first game
const RELOADED = "put.reloaded"; // the release that was loaded again for a newer one

/** Request in the address: a table, or a wall that shows one. */
function destination() {
    const found = /^\/(table|watch)\/([1-9][0-9]{0,15})$/.exec(location.pathname);
    return found ? { isWall: found[1] === "watch", table: Number(found[2]) } : { isWall: false, table: 0 };
}

/** A random name for a wall, so that no player has it. */
const wallName = () => `Wall ${Math.floor(1000 + Math.random() * 9000)}`;

/** True if a message may hold places in place of cards, at a table that is dealt blind. @param {Server} message
 * @returns {message is OfTable} */
const isOfTable = (message) => ["table", "events", "decision", "recalled", "blind_span"].includes(message.type);

/** True if it says that its table is dealt blind. @param {OfTable} message */
function isBlindOne(message) {
    if (message.type === "table") return typeof message.viewer === "number" && message.info.seats[message.viewer]?.holds_key;
    return message.type === "blind_span" || (message.type === "events" && message.events.some(({ event }) => event === "blind_begun"));
}

/** All actions of the page. */
export class App {
    constructor() {
        const { isWall, table } = destination();
        this.state = newState();
        this.isWall = isWall;
        /** The table on the screen; 0: the lobby. */
        this.at = table;
        this.isArriving = table > 0;
        /** Passcodes that were typed, by table. @type {Map<number, string>} */
        this.passcodes = new Map();
        /** The table that asks for a passcode, and the request that needs it. @type {{table: number, kind: "sit" | "watch"} | null} */
        this.locked = null;
        this.settings = readSettings();
        /** @type {import("./sound.js").Sounds | null} */
        this.sounds = null;
        /** Stages by table. @type {Map<number, Stage>} */
        this.stages = new Map();
        this.store = new Store(isWall ? { name: wallName() } : undefined);
        this.changed = () => {};
        const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
        this.connection = new Connection(address, this, this.store);
        /** Requests that wait for their answers; to press the same again does nothing. @type {Set<string>} */
        this.asking = new Set();
        /** A table is being opened, and its seats filled. */
        this.isOpening = false;
        /** Tables that are dealt blind, and the number of the last event that came of each. @type {Map<number, number>} */
        this.blind = new Map();
        /** Sentences for what is wrong, by table. @type {Map<number, string>} */
        this.faults = new Map();
        /** Compares the views of tables that the server deals alone with what was told. @type {import("./blind/shown.js").Views | null} */
        this.views = null;
        /** @type {Promise<void> | null} */
        this.viewsLoading = null;
        /** Keeps the keys of our cards. @type {KeyKeeper | null} */
        this.keys = null;
        /** @type {Promise<KeyKeeper> | null} */
        this.keysLoading = null;
        /** @type {import("./positions.js").Positions | null} */
        this.positions = null;
    }

    keyKeeper() {
        return (this.keysLoading ??= import("./blind/keeper.js").then(({ KeyKeeper }) => (this.keys = new KeyKeeper(this))));
    }

    /** Load what compares views: a first table does not wait for it. */
    loadViews() {
        return (this.viewsLoading ??= import("./blind/shown.js").then(
            ({ Views }) => void (this.views = new Views((/** @type {number} */ table, /** @type {string} */ says) => this.fail(table, says))),
            () => void (this.viewsLoading = null),
        ));
    }

    begin() {
        const touched = () => void import("./sound.js").then(({ Sounds }) => (this.sounds ??= new Sounds()), () => undefined);
        for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, touched, { once: true });
        if (!this.isWall) {
            // The lobby lies behind a table, also for who came by its address.
            if (this.at) {
                history.replaceState(null, "", "/");
                history.pushState(null, "", `/table/${this.at}`);
            }
            addEventListener("popstate", () => {
                this.at = destination().table;
                this.isArriving = false;
                this.changed();
            });
        }
        if (this.retold) return;
        early.games?.then((games) => {
            this.state.games = games;
            this.changed();
        }, () => {
            early.games = undefined; // the next welcome brings them
            if (this.state.phase === "here") this.connection.dial();
        });
        const { token, name } = this.store.read();
        if (token || this.isWall) this.connection.open(name);
    }

    // --- called by the connection ---

    /** @param {Client} request */
    asked(request) {
        this.keys?.asked(request);
    }

    seen() {
        return [...this.state.tables.values()].map(({ id, number }) => ({ table: id, number: this.blind.get(id) ?? number }));
    }

    /** @param {Server} message */
    heard(message) {
        if (!isOfTable(message)) return this.show(message);
        const { type, table } = message;
        if (!isBlindOne(message) && !this.blind.has(table)) {
            if (this.views) return this.show(this.views.read(message));
            return void this.loadViews().then(() => this.show(this.views?.read(message) ?? message));
        }
        const known = this.blind.get(table) ?? 0;
        this.blind.set(table, type === "table" ? message.number : type === "events" ? message.first + message.events.length - 1 : known);
        void this.keyKeeper().then((keys) => keys.hear(message), () => this.show(message));
    }

    /** @param {Server} message */
    show(message) {
        const { state } = this;
        hear(state, message, Date.now());
        this.direct(message);
        if (message.type === "table") Ending.load();
        if (message.type === "welcome") {
            for (const id of this.stages.keys()) if (!this.state.tables.has(id)) this.stages.delete(id);
            this.welcome();
        }
        if (message.type === "decision") {
            if (message.table !== this.at) this.sound("turn");
            this.call(message.asks);
        }
        if (message.type === "analysis" || message.type === "recalled" || (message.type === "events" && message.events.some(endsGame))) this.record(message);
        if (message.type === "invited") this.call(`${message.by} asks you to a table.`);
        if (message.type === "left") this.parts(message.table);
        if (message.type === "left" && this.at === message.table) this.go(0);
        this.changed();
    }

    /** The stage of a table. @param {number} table */
    stageOf(table) {
        let stage = this.stages.get(table);
        if (!stage) {
            stage = new Stage((scene) => this.staged(table, scene), { isStill: isMotionUnwanted });
            this.stages.set(table, stage);
        }
        return stage;
    }

    /** Put what a message shows on the stage of its table. @param {Server} message */
    direct(message) {
        if (message.type !== "table" && message.type !== "events" && message.type !== "left") return;
        const { type, table: id } = message;
        const table = this.state.tables.get(id);
        if (!table) {
            if (type === "left") this.stages.delete(id);
        } else if (type === "table") {
            const { view, board } = table;
            const stage = this.stageOf(id);
            // After a drop the same picture stays as it was told.
            if (JSON.stringify(stage.scene?.view ?? null) !== JSON.stringify(view)) stage.reset(view && { kind: "state", event: null, view, says: [], board });
        } else if (type === "events") {
            this.stageOf(id).show(table.fresh);
            table.fresh = [];
        }
    }

    /** A scene begins. @param {number} id @param {Scene} scene */
    staged(id, { kind, event }) {
        const viewer = this.state.tables.get(id)?.viewer;
        if (id === this.at && !this.isWall) {
            if (kind === "game" && event && typeof viewer === "number") this.sound(outcomeOf(event, viewer) === false ? "lost" : "won");
            else this.sound(kind);
        }
        this.changed();
    }

    /** @param {string} name */
    sound(name) {
        if (this.settings.sound === "on") this.sounds?.play(name);
    }

    /** @param {"coming" | "lost"} phase @param {number} backAt */
    phase(phase, backAt) {
        if (this.state.phase === phase) return;
        const wasHere = this.state.phase === "here";
        if (wasHere) speak(this.state, "The connection is lost. Coming back.");
        this.state.phase = wasHere || this.state.phase === "lost" ? "lost" : phase;
        this.state.backAt = backAt;
        this.changed();
    }

    /** @param {number | null} delay */
    answered(delay) {
        if (delay === null) speak(this.state, HANGS);
        this.state.delay = delay;
        this.changed();
    }

    /** @param {ServerGoodbye} goodbye */
    parted(goodbye) {
        const { state } = this;
        state.phase = goodbye.code === "refused" ? "away" : "parted";
        state.why = goodbye.code === "taken_over" ? "You play on in another tab or window." : sentence(goodbye.says);
        state.asksPassword ||= goodbye.refusal === "wrong_password";
        state.tables = new Map();
        if (this.isWall && goodbye.refusal === "name_taken") {
            this.store.write({ name: wallName() });
            this.connection.open("");
        }
        this.changed();
    }

    /** The page is of another release than the server: it may have been opened without a network. */
    outdated() {
        if (this.state.server || sessionStorage.getItem(RELOADED) === DIGEST) return;
        sessionStorage.setItem(RELOADED, DIGEST); // once, whatever comes
        location.reload();
    }

    welcome() {
        this.look(this.state.page);
        if (this.at && !this.state.tables.has(this.at)) {
            if (this.isWall) void this.watch(this.at);
            else if (!this.isArriving) this.go(0);
        } else if (!this.at && this.state.tables.size === 0) {
            this.go(0);
        }
    }

    /** Look at the lobby from a page on. @param {number} page */
    look(page) {
        void this.ask("look", { page, pages: LOOKED_AT });
    }

    /** Have the record take what a message says of a finished game. @param {ServerAnalysis | ServerEvents | ServerRecalled} message */
    record(message) {
        void import("./record.js").then(({ note }) => note(this, message), () => undefined); // without it everything else goes on
    }

    /** @param {string} text */
    call(text) {
        if (this.isWall) return;
        if (this.settings.alerts === "on") void import("./settings.js").then(({ alertPlayer }) => alertPlayer(text), () => undefined);
    }

    // --- actions of the player ---

    /** @param {string} name @param {string} password */
    comeIn(name, password) {
        this.state.phase = "coming";
        this.state.why = "";
        this.connection.open(name, password);
        this.changed();
    }

    goodbye() {
        this.connection.bye();
    }

    /**
     * Ask, and show why if it is refused. Resolves with the answer, or with nothing.
     * @template {Client["type"]} Kind @param {Kind} type @param {Requests[Kind]} fields @returns {Promise<ServerOk | undefined>}
     */
    async ask(type, fields) {
        const press = JSON.stringify([type, fields]);
        if (this.asking.has(press)) return undefined;
        this.asking.add(press);
        this.changed();
        try {
            return await this.connection.ask(type, fields);
        } catch (why) {
            if (!(why instanceof Refusal)) throw why;
            this.refused(type, fields, why);
            return undefined;
        } finally {
            this.asking.delete(press);
            this.changed();
        }
    }

    /** The message that follows an answer; null: none does. @param {ServerOk | undefined} answer */
    following(answer) {
        return answer ? this.connection.following(answer.id) : null;
    }

    /** @param {string} type @param {{table?: number, passcode?: string}} fields @param {Refusal} why */
    refused(type, fields, why) {
        if (why.code === "too_late" && why.isAgain) notify(this.state, "The connection was lost as you pressed, and your move came too late.");
        if (why.code === "gone" || why.code === "too_late" || why.code === "already_there") return;
        if (why.code === "not_carried_out") return;
        if (why.code === "wrong_passcode" && fields.table && (type === "sit" || type === "watch")) {
            this.locked = { table: fields.table, kind: type };
            if (fields.passcode) notify(this.state, sentence(why.message));
            return;
        }
        notify(this.state, sentence(why.message));
    }

    /** Show a table, or another place. @param {number} table @param {string} [path] */
    go(table, path = table ? `/table/${table}` : "/") {
        this.at = table;
        this.isArriving = false;
        if (!this.isWall && location.pathname + location.hash !== path) history.pushState(null, "", path);
        this.changed();
    }

    /** The first game is on the screen. */
    get isLearning() {
        return location.hash === LEARN;
    }

    /** The part of the address that holds a game; empty: it has none. */
    get retold() {
        return location.hash.startsWith("#game=") ? location.hash : "";
    }

    learn() {
        this.go(0, `/${LEARN}`);
    }

    /** A game with a patient player of the house, and a hint at each choice. @param {string} game */
    playWithHints(game) {
        this.set({ ...this.settings, hints: "on" });
        return this.open({ game, house: this.state.houses[0]?.name });
    }

    /** The table as the lobby has it, which may take a moment after it was opened. @param {number} table */
    async listed(table) {
        for (let tries = 0; tries < 20 && !this.state.lobby.has(table); tries++) await new Promise((done) => setTimeout(done, 50));
        return this.state.lobby.get(table);
    }

    /** Sit down, and keep the key of our cards. @param {number} table */
    async sit(table) {
        const press = `sit ${table}`;
        if (this.asking.has(press)) return;
        this.asking.add(press);
        const passcode = this.passcodes.get(table) ?? "";
        const seat = this.state.invitations.find((one) => one.table === table)?.seat ?? null;
        const info = await this.listed(table);
        const keeps = info && info.options.dealing === "blind" && (await this.keyKeeper().catch(() => null));
        const answer = await this.ask("sit", { table, seat, passcode, ...(keeps ? { holds_key: true } : {}) });
        this.asking.delete(press);
        if (answer) this.go(table);
    }

    /** @param {number} table */
    async watch(table) {
        if (await this.ask("watch", { table, passcode: this.passcodes.get(table) ?? "" })) this.go(table);
    }

    /** @param {string} passcode */
    async unlock(passcode) {
        const { locked } = this;
        this.locked = null;
        if (!locked) return;
        this.passcodes.set(locked.table, passcode);
        await (locked.kind === "sit" ? this.sit(locked.table) : this.watch(locked.table));
    }

    /** @param {number} table */
    decline(table) {
        this.state.invitations = this.state.invitations.filter((one) => one.table !== table);
        this.changed();
    }

    /**
     * Open a table, and sit down at it. With a `house` of the fields the server does both, reads our cards, and so lets the
     * coach see them; with one of `others` we keep their key.
     * @param {Requests["open"]} fields @param {string} [others]
     */
    async open(fields, others) {
        if (this.isOpening) return;
        this.isOpening = true;
        try {
            await this.openTable(fields, others);
        } finally {
            this.isOpening = false;
            this.changed();
        }
    }

    /** @param {Requests["open"]} fields @param {string} [house] */
    async openTable(fields, house) {
        const table = (await this.ask("open", fields))?.table;
        if (!table) return;
        this.state.opened.add(table);
        if (fields.passcode) this.passcodes.set(table, fields.passcode);
        if (fields.house) return this.go(table);
        const seats = house ? [...Array(fields.seats).keys()].slice(1) : [];
        await Promise.all([this.sit(table), ...seats.map((seat) => this.ask("invite", { table, seat, house }))]);
    }

    /** @param {number} table */
    async leave(table) {
        if (!(await this.ask("leave", { table }))) return;
        this.state.tables.delete(table);
        this.stages.delete(table);
        this.parts(table);
        this.go(0);
    }

    /** A check failed: nothing more is played at a table. @param {number} table @param {string} says @param {string} [more] */
    fail(table, says, more = "") {
        this.faults.set(table, says);
        const shown = this.state.tables.get(table);
        if (shown) shown.decision = null;
        notify(this.state, `Table ${table} is not fair. ${says} Nothing more is played here.${more}`);
    }

    /** We are no longer at a table. @param {number} table */
    parts(table) {
        this.faults.delete(table);
        this.views?.tables.delete(table);
        if (this.blind.delete(table)) this.keys?.forget(table);
    }

    /** @param {Table} table @param {Choice} choice */
    act(table, choice) {
        if (!table.decision || table.acting) return;
        const stage = this.stageOf(table.id);
        if (stage.waiting.length) stage.catchUp();
        table.acting = true;
        table.mine.push({ action: choice.action, hand: table.view?.hand ?? 0, step: table.steps.length });
        this.changed();
        const { decision } = table.decision;
        const { id } = table;
        /** @type {Promise<Pick<Signed, "says" | "action" | "entry">>} */
        const signed = this.keys && this.blind.has(id) ? this.keys.sign(id, choice.action) : Promise.resolve({ action: choice.action });
        void signed.then(({ says, action, entry }) => {
            if (says) notify(this.state, says);
            return action && this.ask("act", { table: id, decision, action, ...(entry && { entry }) });
        }).then((ok) => {
            if (!ok) {
                this.keys?.refused(id);
                table.acting = false;
                table.mine.pop();
            }
            this.changed();
        });
    }

    /** @param {number} id */
    dismiss(id) {
        this.state.notices = this.state.notices.filter((one) => one.id !== id);
        this.changed();
    }

    /** @param {import("./storage.js").Settings} settings */
    set(settings) {
        this.settings = settings;
        keepSettings(settings);
        this.changed();
    }
}

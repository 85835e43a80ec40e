// The app: what the page knows, and where it is. It hears the connection and sends what is pressed; its parts have the
// seats (seats.js), the play (play.js) and the checks (fairness.js) of tables.

import { Ending } from "./board.js";
import { Connection, DIGEST, early, Refusal, Store } from "./connection.js";
import { Fairness } from "./fairness.js";
import { Play } from "./play.js";
import { Seats } from "./seats.js";
import { keepSettings, readSettings } from "./storage.js";
import { LOOKED_AT, hear, newState, notify, speak } from "./state.js";
import { endsGame, hangs, sentence, t } from "./words.js";

const LEARN = "#learn"; // in the address: the first game
const RELOADED = "put.reloaded"; // the release that was loaded again for a newer one

/** Request in the address: a table, or a wall that shows one. */
function destination() {
    const [, kind = "", table = 0] = /^\/(table|watch)\/([1-9][0-9]{0,15})$/.exec(location.pathname) ?? [];
    return { isWall: kind === "watch", table: Number(table) };
}

/** A random name for a wall, so that no player has it. */
const wallName = () => `Wall ${Math.floor(1000 + Math.random() * 9000)}`;

export class App {
    constructor() {
        const { isWall, table } = destination();
        this.state = newState();
        this.isWall = isWall;
        /** The table on the screen; 0: the lobby. */
        this.at = table;
        /** The player came by the address of the table: they are asked what they want there. */
        this.isArriving = table > 0;
        this.settings = readSettings();
        this.store = new Store(isWall ? { name: wallName() } : undefined);
        this.changed = () => {};
        const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
        this.connection = new Connection(address, this, this.store);
        /** What was pressed and is not done yet; to press the same again does nothing. @type {Set<string>} */
        this.asking = new Set();
        this.seats = new Seats(this);
        this.play = new Play(this);
        this.fairness = new Fairness(this);
        /** @type {import("./positions.js").Positions | null} */
        this.positions = null;
    }

    begin() {
        this.play.begin();
        if (!this.isWall) {
            // The lobby lies behind a table, also for who came by its address.
            if (this.at) {
                history.replaceState(null, "", "/");
                history.pushState(null, "", `/table/${this.at}`);
            }
            addEventListener("popstate", () => {
                this.at = destination().table;
                this.isArriving = this.at > 0;
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
        this.fairness.asked(request);
    }

    seen() {
        return [...this.state.tables.values()].map(({ id, number }) => ({ table: id, number: this.fairness.blind.get(id) ?? number }));
    }

    /** @param {Server} message */
    heard(message) {
        this.fairness.hear(message);
    }

    /** Take a message that was checked. @param {Server} message */
    show(message) {
        hear(this.state, message, Date.now());
        this.play.direct(message);
        if (message.type === "table") Ending.load();
        if (message.type === "welcome") this.welcome();
        if (message.type === "decision") {
            if (message.table !== this.at) this.play.sound("turn");
            if (this.settings.alerts !== "push") this.call(message.asks); // else the server tells them
        }
        if (message.type === "analysis" || message.type === "recalled" || (message.type === "events" && message.events.some(endsGame))) this.record(message);
        if (message.type === "invited") {
            this.play.sound("asked");
            this.call(t`${message.by} asks you to a table.`);
        }
        if (message.type === "left") this.parts(message.table);
        this.changed();
    }

    /** @param {"coming" | "lost"} phase @param {number} backAt */
    phase(phase, backAt) {
        const { state } = this;
        if (state.phase === phase) return;
        if (state.phase === "here") speak(state, t`The connection is lost. Coming back.`);
        state.phase = state.phase === "here" || state.phase === "lost" ? "lost" : phase;
        state.backAt = backAt;
        this.changed();
    }

    /** @param {number | null} delay */
    answered(delay) {
        if (delay === null) speak(this.state, hangs());
        this.state.delay = delay;
        this.changed();
    }

    /** @param {ServerGoodbye} goodbye */
    parted(goodbye) {
        const { state } = this;
        state.phase = goodbye.code === "refused" ? "away" : "parted";
        state.why = goodbye.code === "taken_over" ? t`You play on in another tab or window.` : sentence(goodbye.says);
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
        if (this.settings.alerts === "push") this.settlePush();
        if (this.at && !this.state.tables.has(this.at)) {
            if (this.isWall) void this.seats.watch(this.at);
            else if (!this.isArriving) this.go(0);
        }
    }

    /** Have the record take what a message says of a finished game. @param {ServerAnalysis | ServerEvents | ServerRecalled} message */
    record(message) {
        void import("./record.js").then(({ note }) => note(this, message), () => undefined); // without it everything else goes on
    }

    /** @param {string} text */
    call(text) {
        if (this.isWall || this.settings.alerts === "off") return;
        void import("./settings.js").then(({ alertPlayer }) => alertPlayer(text), () => undefined);
    }

    // --- actions of the player ---

    /** @param {string} name @param {string} password */
    comeIn(name, password) {
        this.state.phase = "coming";
        this.state.why = "";
        this.connection.open(name, password);
        this.changed();
    }

    /** Do what a press is for. Until it is done, the same press does nothing.
     * @template T @param {string} press @param {() => Promise<T>} does @returns {Promise<T | undefined>} */
    async once(press, does) {
        if (this.asking.has(press)) return undefined;
        this.asking.add(press);
        this.changed();
        try {
            return await does();
        } finally {
            this.asking.delete(press);
            this.changed();
        }
    }

    /** Ask, and show why if it is refused. Resolves with the answer, or with nothing.
     * @template {Client["type"]} Kind @param {Kind} type @param {Requests[Kind]} fields @returns {Promise<ServerOk | undefined>} */
    ask(type, fields) {
        return this.once(JSON.stringify([type, fields]), () => this.connection.ask(type, fields).catch((why) => this.refused(type, fields, why)));
    }

    /** @param {string} type @param {{table?: number, passcode?: string}} fields @param {unknown} why @returns {undefined} */
    refused(type, fields, why) {
        if (!(why instanceof Refusal)) throw why;
        if (why.code === "too_late" && why.isAgain) notify(this.state, t`The connection was lost as you pressed, and your move came too late.`);
        if (["gone", "too_late", "already_there", "not_carried_out"].includes(why.code)) return;
        if (why.code === "wrong_passcode" && fields.table && (type === "sit" || type === "watch")) {
            this.seats.locked = { table: fields.table, kind: type, why: fields.passcode ? sentence(why.message) : "" };
            return;
        }
        notify(this.state, sentence(why.message));
    }

    /** Look at the lobby from a page on. @param {number} page */
    look(page) {
        void this.ask("look", { page, pages: LOOKED_AT });
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

    /** We are no longer at a table. @param {number} table */
    parts(table) {
        this.state.tables.delete(table);
        this.play.stages.delete(table);
        this.fairness.forget(table);
        if (this.at === table) this.go(0);
    }

    /** @param {number} id */
    dismiss(id) {
        this.state.notices = this.state.notices.filter((one) => one.id !== id);
        this.changed();
    }

    /** Have the server push, or no more. */
    settlePush() {
        void import("./push.js").then(({ settle }) => settle(this), () => undefined);
    }

    /** @param {import("./storage.js").Settings} settings */
    set(settings) {
        const isPushed = this.settings.alerts === "push" || settings.alerts === "push";
        this.settings = settings;
        keepSettings(settings);
        if (isPushed) this.settlePush();
        this.changed();
    }
}

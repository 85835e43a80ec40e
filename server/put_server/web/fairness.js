// Fairness: every message of a table is checked before it is shown. Tables that are dealt blind are read where our keys
// are; the views of the others are compared with what was told. What keeps keys is loaded when it is needed.

import { bare, Views } from "./blind/shown.js";
import { notify } from "./state.js";
import { cannotDeal, t } from "./words.js";

/** @import {KeyKeeper} from "./blind/keeper.js" */

/** True if a message may hold places in place of cards, at a table that is dealt blind. @param {Server} message
 * @returns {message is OfTable} */
const isOfTable = (message) => ["table", "events", "decision", "recalled", "blind_span"].includes(message.type);

/** True if it says that its table is dealt blind. @param {OfTable} message */
function isBlindOne(message) {
    if (message.type === "table") return typeof message.viewer === "number" && message.info.seats[message.viewer]?.holds_key;
    return message.type === "blind_span" || (message.type === "events" && message.events.some(({ event }) => event === "blind_begun"));
}

export class Fairness {
    /** @param {App} app */
    constructor(app) {
        this.app = app;
        /** Tables that are dealt blind, and the number of the last event that came of each. @type {Map<number, number>} */
        this.blind = new Map();
        /** Sentences for what is wrong, by table. @type {Map<number, string>} */
        this.faults = new Map();
        /** Compares the views of tables that the server deals alone with what was told. */
        this.views = new Views((/** @type {number} */ table, /** @type {string} */ says) => this.fail(table, says));
        /** Keeps the keys of our cards. @type {KeyKeeper | null} */
        this.keys = null;
        /** @type {Promise<KeyKeeper> | null} */
        this.keysLoading = null;
    }

    keyKeeper() {
        const { app } = this;
        return (this.keysLoading ??= import("./blind/keeper.js").then(({ KeyKeeper }) => (this.keys = new KeyKeeper(app)), (why) => {
            notify(app.state, cannotDeal());
            throw why;
        }));
    }

    /** Note a request. At a table where we are to keep a key, all is read where it is. @param {Client} request */
    asked(request) {
        if (request.type === "sit" && request.holds_key && !this.blind.has(request.table)) {
            this.blind.set(request.table, this.app.state.tables.get(request.table)?.number ?? 0);
        }
        this.keys?.asked(request);
    }

    /** Check a message, and show it. @param {Server} message */
    hear(message) {
        const { app } = this;
        if (!isOfTable(message)) return app.show(message);
        const { type, table } = message;
        if (!isBlindOne(message) && !this.blind.has(table)) return app.show(this.views.read(message));
        const known = this.blind.get(table) ?? 0;
        this.blind.set(table, type === "table" ? message.number : type === "events" ? message.first + message.events.length - 1 : known);
        void this.keyKeeper().then((keys) => keys.hear(message), () => app.show(bare(message)));
    }

    /** An act as it is to be sent. @param {number} table @param {Action} action
     * @returns {Promise<Pick<Signed, "says" | "action" | "entry">>} */
    async sign(table, action) {
        return this.keys && this.blind.has(table) ? this.keys.sign(table, action) : { action };
    }

    /** A check failed: nothing more is played at a table. @param {number} table @param {string} says @param {string} [more] */
    fail(table, says, more = "") {
        const { state } = this.app;
        this.faults.set(table, says);
        const shown = state.tables.get(table);
        if (shown) shown.decision = null;
        notify(state, t`Table ${table} is not fair. ${says} Nothing more is played here.${more}`);
    }

    /** @param {number} table */
    forget(table) {
        this.faults.delete(table);
        this.views.tables.delete(table);
        if (this.blind.delete(table)) this.keys?.forget(table);
    }
}

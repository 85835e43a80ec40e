// The keys of our cards, in a Worker: messages of blind tables go to it, and come back with cards in place of places.
//
// Each game has a secret of its own, which the browser keeps with the session's token, so that a page which is loaded
// again has its hand. It is gone when the next game begins at that table, or we leave: a hand of a game before is never
// opened. A page forgets what it signed. A server could tell it the hand in play anew, with the places dealt to others,
// and so get its shares of its own hand. So each deal that it gives shares of is noted first, and no shares are ever given
// of another deal of the same number, or of an earlier one.

import { notify } from "../state.js";
import { scriptAt } from "../trusted.js";
import { cannotDeal, t } from "../words.js";

/** @import {Store} from "../connection.js" */

const TABLES = 256; // of which the key of the last game is kept: more than a person sits at

/** Note a key that is about to be told, or a deal of which shares are about to be given; returns false if they may not be.
 * @param {Store} store @param {number} table @param {GameKey} key */
export function keep(store, table, key) {
    const { games = {} } = store.read();
    const known = games[table];
    if (known?.game === key.game && key.number && key.number <= known.number) return key.number === known.number && key.digest === known.digest;
    const noted = known?.game === key.game && !key.number ? known : key;
    store.write({ games: { ...Object.fromEntries(Object.entries(games).slice(-TABLES)), [table]: noted } });
    return true;
}

export class KeyKeeper {
    /** @param {App} app */
    constructor(app) {
        this.app = app;
        /** By table: how its deal stands. @type {Map<number, Standing>} */
        this.standings = new Map();
        /** Questions that the Worker will answer. @type {Map<number, (answer: any) => void>} */
        this.waiting = new Map();
        this.lastQuestion = 0;
        this.worker = new Worker(scriptAt(new URL("worker.js", import.meta.url).href), { type: "module" });
        this.worker.addEventListener("message", ({ data }) => this.take(data));
        this.worker.addEventListener("error", () => notify(app.state, cannotDeal()));
        this.postKeys();
    }

    /** @param {ToDesk} asked */
    post(asked) {
        this.worker.postMessage(asked);
    }

    /** The keys that are kept. Another tab may have played on, and begun a game. */
    postKeys() {
        this.post({ type: "keys", games: this.app.isWall ? null : (this.app.store.read().games ?? {}) });
    }

    /** A message of a blind table. @param {OfTable} message */
    hear(message) {
        if (message.type === "table") this.postKeys();
        const known = this.app.state.tables.get(message.table);
        /** @type {ServerTable | undefined} */
        const snapshot = known && { type: "table", table: known.id, viewer: known.viewer, number: known.number, info: known.info };
        this.post({ type: "read", message, known: snapshot });
    }

    /** Note a request of the player's by which they are to keep their key, or may lose it. @param {Client} request */
    asked(request) {
        const { type } = request;
        if (type === "leave" || type === "resign" || type === "stand") this.post({ type: "gives_up", table: request.table });
        if (type === "sit" && request.holds_key) this.post({ type: "sits", table: request.table });
    }

    /** @param {number} table */
    forget(table) {
        this.standings.delete(table);
        const { [table]: left, ...games } = this.app.store.read().games ?? {};
        if (left) this.app.store.write({ games });
        this.post({ type: "leave", table });
    }

    /** @template T @param {(number: number) => ToDesk} question @returns {Promise<T>} */
    ask(question) {
        return new Promise((done) => {
            this.waiting.set(++this.lastQuestion, done);
            this.post(question(this.lastQuestion));
        });
    }

    /** An act as it is to be sent: with places in place of cards, and signed. @param {number} table @param {Action} action
     * @returns {Promise<Signed>} */
    sign(table, action) {
        return this.ask((number) => ({ type: "act", table, number, action }));
    }

    /** Our act was refused, or not carried out. @param {number} table */
    refused(table) {
        this.post({ type: "refused", table });
    }

    /** Messages of a table as put-verify reads them, a line each. @param {number} table @returns {Promise<string>} */
    async evidence(table) {
        const { lines } = await this.ask((number) => ({ type: "evidence", table, number }));
        return lines.join("\n") + "\n";
    }

    /** @param {FromDesk} told */
    take(told) {
        const { app } = this;
        if (told.type === "show") {
            if (app.fairness.blind.has(told.message.table)) app.show(told.message); // else we have left by now
        } else if (told.type === "standing") this.standings.set(told.table, told);
        else if (told.type === "part") this.send(told);
        else if (told.type === "fault") app.fairness.fail(told.table, told.says, ` ${t`Proofs has the evidence.`}`);
        else {
            this.waiting.get(told.number)?.(told);
            this.waiting.delete(told.number);
        }
        app.changed();
    }

    /** @param {Extract<FromDesk, {type: "part"}>} part */
    send({ table, entry, key }) {
        if (key && !keep(this.app.store, table, key)) return this.post({ type: "forbidden", table, deal: key.number });
        this.app.connection.ask("blind", { table, entry }).catch(() => this.refused(table));
    }
}

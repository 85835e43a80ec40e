// The keys of our cards, in a Worker: messages of blind tables go to it, and come back with cards in place of places.
//
// All keys follow from one secret, which the browser keeps with the session's token, so that a page which is loaded again
// has its hand. It forgets what it signed. A server could tell it the hand in play anew, with the places dealt to others,
// and so get its shares of its own hand. So each deal that it gives shares of is noted first, and no shares are ever given
// of another deal of the same number, or of an earlier one.

import { base64, bytesOf } from "./bytes.js";
import { notify } from "../state.js";
import { scriptAt } from "../trusted.js";

/** @import {Store} from "../connection.js" */

const GAMES = 1024; // of which the last shared deal is remembered

/** The secret of all our keys. @param {Store} store */
export function secretOf(store) {
    const { secret } = store.read();
    return bytesOf(secret || store.write({ secret: base64(crypto.getRandomValues(new Uint8Array(32))) }).secret);
}

/** True if shares of a deal may be given; that is noted then. @param {Store} store @param {{game: string, number: number, digest: string}} deal */
export function mayShare(store, { game, number, digest }) {
    const { [game]: known, ...others } = store.read().shared ?? {};
    if (known?.number === number && known.digest === digest) return true;
    if (known && known.number >= number) return false;
    store.write({ shared: Object.fromEntries([...Object.entries(others).slice(1 - GAMES), [game, { number, digest }]]) });
    return true;
}

export class KeyKeeper {
    /** @param {App} app */
    constructor(app) {
        this.app = app;
        /** By table: how its deal stands. @type {Map<number, Standing>} */
        this.standings = new Map();
        /** Acts that are being signed. @type {Map<number, (signed: Signed) => void>} */
        this.signing = new Map();
        this.lastAct = 0;
        /** @type {((lines: string[]) => void) | null} */
        this.takesEvidence = null;
        this.worker = new Worker(scriptAt(new URL("worker.js", import.meta.url).href), { type: "module" });
        this.worker.addEventListener("message", ({ data }) => this.take(data));
        this.worker.addEventListener("error", () => notify(app.state, "Your browser could not do its part of the deal. Your seat is kept if you load the page again."));
        this.post({ type: "secret", secret: app.isWall ? null : secretOf(app.store) });
    }

    /** @param {ToDesk} asked */
    post(asked) {
        this.worker.postMessage(asked);
    }

    /** A message of a blind table. @param {OfTable} message */
    hear(message) {
        const known = this.app.state.tables.get(message.table);
        /** @type {ServerTable | undefined} */
        const snapshot = known && { type: "table", table: known.id, viewer: known.viewer, number: known.number, info: known.info };
        this.post({ type: "read", message, known: snapshot });
    }

    /** Note a request of the player's by which they may lose their key. @param {Client} request */
    asked(request) {
        const { type } = request;
        if (type === "leave" || type === "resign" || type === "stand") this.post({ type: "gives_up", table: request.table });
    }

    /** @param {number} table */
    forget(table) {
        this.standings.delete(table);
        this.post({ type: "leave", table });
    }

    /** An act as it is to be sent: with places in place of cards, and signed. @param {number} table @param {Action} action
     * @returns {Promise<Signed>} */
    sign(table, action) {
        const number = ++this.lastAct;
        return new Promise((done) => {
            this.signing.set(number, done);
            this.post({ type: "act", table, number, action });
        });
    }

    /** Our act was refused, or not carried out. @param {number} table */
    refused(table) {
        this.post({ type: "refused", table });
    }

    /** Messages of a table as put-verify reads them, a line each. @param {number} table @returns {Promise<string>} */
    async evidence(table) {
        const lines = new Promise((/** @type {(lines: string[]) => void} */ done) => (this.takesEvidence = done));
        this.post({ type: "evidence", table });
        return (await lines).join("\n") + "\n";
    }

    /** @param {FromDesk} told */
    take(told) {
        const { app } = this;
        if (told.type === "show") app.show(told.message);
        else if (told.type === "standing") this.standings.set(told.table, told);
        else if (told.type === "part") this.send(told);
        else if (told.type === "fault") app.fairness.fail(told.table, told.says, " Proofs has the evidence.");
        else if (told.type === "evidence") this.takesEvidence?.(told.lines);
        else if (told.type === "signed") {
            this.signing.get(told.number)?.(told);
            this.signing.delete(told.number);
        }
        app.changed();
    }

    /** @param {Extract<FromDesk, {type: "part"}>} part */
    send({ table, entry, shared }) {
        if (shared && !mayShare(this.app.store, shared)) return this.post({ type: "forbidden", table, deal: shared.number });
        this.app.connection.ask("blind", { table, entry }).catch(() => this.refused(table));
    }
}

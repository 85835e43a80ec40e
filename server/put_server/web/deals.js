// Sealed deals at this browser's tables: our cuts, given at once from a chain of our own, and the check of every deal.
//
// Every message of a table is checked in the order in which it came. A link is given for one seal only: a server that
// got it for two could choose between them. After a drop no deal is cut before the message with the table's present
// state. At a table where a check failed no further deal is cut, no view is shown, and nothing is played.

import { after } from "./seal/mathematics.js";
import { base64 } from "./seal/bytes.js";
import { Recording } from "./seal/recording.js";
import { inWords } from "./fairness.js";
import { notify } from "./state.js";

/** @import {Message, State, TableEvent} from "./types.js" */
/** @import {Connection} from "./connection.js" */

const LINKS = 512; // enough for some evenings, and a phone makes them in a moment
const FEW_LINKS = 16; // links left at which a new chain is promised
const KEPT_LINES = 5_000;

/** Messages that others need to check our deals; no other message is saved as evidence. */
const EVIDENCE = new Set("welcome table events openings left ok refused sit promise cut leave stand watch".split(" "));

/** Cuts that were promised by the end of a chain of hashes. */
class Chain {
    constructor() {
        /** Links that are left; the last was given, or is the promised end. @type {Uint8Array[]} */
        this.links = [crypto.getRandomValues(new Uint8Array(32))];
        for (let number = 0; number < LINKS; number++) this.links.push(after(this.links[number]));
        /** Roots of the seal that was cut last. */
        this.roots = "";
    }

    get end() {
        return base64(this.links[this.links.length - 1]);
    }

    /** The link for a seal; null: the seal asks for one that we must not give. @param {TableEvent} sealed @param {number} seat */
    cut(sealed, seat) {
        const roots = sealed.roots.join();
        if (roots === this.roots) return this.end; // the same seal, after a drop
        if (sealed.cuts[seat] !== this.end || this.links.length === 1) return null;
        this.links.pop();
        this.roots = roots;
        return this.end;
    }
}

/** @typedef {{chain: Chain, sealed: TableEvent | null, isBehind: boolean, promised: string}} Sitting */

export class DealKeeper {
    /** @param {Connection} connection */
    constructor(connection) {
        this.connection = connection;
        this.recording = new Recording();
        /** @type {Map<number, Sitting>} */
        this.sittings = new Map();
        /** Findings that were told, by table. @type {Map<number, number>} */
        this.told = new Map();
        /** @type {Message[]} */
        this.lines = [];
    }

    /** The end of a new chain, for `sit`. @param {number} table */
    promise(table) {
        const chain = new Chain();
        this.sittings.set(table, { chain, sealed: null, isBehind: false, promised: chain.end });
        return chain.end;
    }

    /** @param {number} table */
    forget(table) {
        this.sittings.delete(table);
    }

    /** The checks of a table; undefined: no message of it came. @param {number} table */
    resultOf(table) {
        return this.recording.at.get(table)?.result;
    }

    /** True if a check failed at this table. @param {number} table */
    isFalse(table) {
        return (this.recording.at.get(table)?.findings.length ?? 0) > 0;
    }

    /** The deals of the hand on the table, which hold the proofs of its cards. @param {number} table */
    dealsOnTable(table) {
        return this.recording.at.get(table)?.dealsOnTable ?? [];
    }

    /** What may be shown of a message: of a table where a check failed no view, and no question.
     * @param {Message} message @param {State} state */
    trusted(message, state) {
        if (!this.isFalse(message.table)) return message;
        const { view: _, turn: __, ...rest } = message;
        return rest.type === "decision" ? { type: "" } : { ...rest, ...(rest.type === "table" && { view: state.tables.get(rest.table)?.view }) };
    }

    /** Take a request that was sent to the server. @param {Message} request */
    asked(request) {
        this.record(request);
    }

    /** Take a message of the server. @param {Message} message @param {State} state */
    hear(message, state) {
        this.record(message);
        if (message.type === "welcome") {
            for (const sitting of this.sittings.values()) Object.assign(sitting, { isBehind: true, sealed: null });
        } else if (message.type === "table") this.look(message);
        else if (message.type === "events") this.follow(message, state);
        if (["events", "openings", "table"].includes(message.type)) this.compare(message.table, state);
    }

    /** @param {Message} message */
    record(message) {
        if (!EVIDENCE.has(message.type)) return;
        const { token: _, ...line } = message.type === "welcome" ? { type: "welcome", tables: message.tables ?? [], token: 0 } : { token: 0, ...message };
        this.lines.push(/** @type {Message} */ (line));
        if (this.lines.length > KEPT_LINES) this.lines.shift();
        this.recording.take(line);
    }

    /** Take the whole state of a table. @param {Message} message */
    look({ table, viewer, sealed = null, links = [] }) {
        if (viewer === "gallery") {
            this.sittings.delete(table);
            return;
        }
        let sitting = this.sittings.get(table);
        if (!sitting) {
            // The page was loaded again: only the server still knows the links given before.
            this.promise(table);
            sitting = /** @type {Sitting} */ (this.sittings.get(table));
            sitting.promised = "";
        }
        const isMissing = sealed && (links[viewer] ?? null) === null;
        sitting.sealed = isMissing ? sealed : null;
        this.catchUp(table, sitting, viewer);
    }

    /** @param {Message} message @param {State} state */
    follow({ table, events, info }, state) {
        const sitting = this.sittings.get(table);
        const seat = state.tables.get(table)?.viewer;
        if (!sitting || typeof seat !== "number") return;
        for (const event of events) {
            if (event.event === "sealed") sitting.sealed = event;
            else if ((event.event === "cut" || event.event === "void") && event.deal === sitting.sealed?.deal) sitting.sealed = null;
            if (event.event === "void" && event.seats?.includes(seat)) sitting.promised = "";
        }
        if (sitting.isBehind && !info) return;
        this.catchUp(table, sitting, seat);
    }

    /** Give the cut or the promise that is due now. @param {number} table @param {Sitting} sitting @param {number} seat */
    catchUp(table, sitting, seat) {
        const wasBehind = sitting.isBehind;
        sitting.isBehind = false;
        if (this.isFalse(table)) return;
        const { sealed } = sitting;
        sitting.sealed = null;
        if (sealed) {
            const link = sealed.cuts[seat] === null ? null : sitting.chain.cut(sealed, seat);
            if (link) this.ask("cut", { table, deal: sealed.deal, link });
            else sitting.promised = "";
        }
        if (sitting.chain.links.length < FEW_LINKS) {
            sitting.chain = new Chain();
            sitting.promised = "";
        }
        if (wasBehind || !sitting.promised) {
            sitting.promised = sitting.chain.end;
            this.ask("promise", { table, end: sitting.promised });
        }
    }

    /** @param {string} type @param {Record<string, any>} fields */
    ask(type, fields) {
        this.connection.ask(type, fields).catch(() => undefined); // later messages show how the deal goes on
    }

    /** Tell at once of a check that failed. @param {number} table @param {State} state */
    compare(table, state) {
        const findings = this.recording.at.get(table)?.findings ?? [];
        if (findings.length > (this.told.get(table) ?? 0)) {
            const shown = state.tables.get(table);
            const says = inWords(findings[0], shown?.info.seats ?? []);
            notify(state, `Table ${table} is not fair. ${says} Nothing more is played here; Proofs has the evidence.`);
            if (shown) shown.decision = null;
        }
        this.told.set(table, findings.length);
    }

    /** Messages sent and received, a line each, in the form that scripts/verify/verify.mjs reads. */
    evidence() {
        return this.lines.map((line) => JSON.stringify(line)).join("\n") + "\n";
    }
}

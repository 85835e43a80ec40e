// The work of the Worker: messages of blind tables read, our parts of their deals made, acts signed.
//
// What takes long is done in pieces, between which messages are read. An entry of ours is signed after our last one came
// back, and never before: so says the transcript. So one at a time is on its way, an act or a part of a deal, and the
// others wait for it (`withPen`).

import { t } from "../words.js";
import { base64, bytesOf } from "./bytes.js";
import { concatBytes as concat } from "../vendor/noble/utils.js";
import { BlindTable, NoKey } from "./blind_table.js";
import { inBytes, sha256 } from "./group.js";
import { Unsound } from "./read_hand.js";
import { bare } from "./shown.js";
import { KEY, SHARES, TABLES_PLACE } from "./transcript.js";

/** @import {Deal} from "./game.js" */

const TOLD_MS = 10_000; // that an accepted entry of ours may take to come back: it comes in the same message
const REFUSED_MS = 1_000; // after which a part that was refused is made anew
const TURN_MS = 8; // of work, after which messages are read
const KEPT_LINES = 20_000; // of evidence of a game, as the SDK keeps it
const KEPT_CHARACTERS = 32 * 1024 * 1024;

/** Let messages be read. */
const pause = () => new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
        port1.close();
        done(undefined);
    };
    port2.postMessage(0);
});

/** @param {number} milliseconds */
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** @template T @param {Generator<void, T>} steps @returns {Promise<T>} */
async function inPieces(steps) {
    for (let end = performance.now() + TURN_MS; ; ) {
        const { done, value } = steps.next();
        if (done) return value;
        if (performance.now() < end) continue;
        await pause();
        end = performance.now() + TURN_MS;
    }
}

/** Secrets of our keys, one drawn anew for each game: of each table that of the last. */
export class GameKeys {
    /** Drawn or used here, by table. @type {Map<number, GameKey>} */
    games = new Map();

    /** @param {Record<string, GameKey>} stored what the browser keeps, by table: another tab may have gone on */
    constructor(stored) {
        this.stored = stored;
    }

    /** The secret of a game; it is drawn if our key of it is not told yet. Null: it is not known here.
     * @param {number} table @param {Uint8Array} hash of the terms @param {boolean} isTold */
    secretOf(table, hash, isTold) {
        const game = base64(hash);
        const known = [this.stored[table], this.games.get(table)].find((one) => one?.game === game);
        if (!known && isTold) return null; // what is kept of another game is not given up for it
        const key = known ?? { game, secret: base64(crypto.getRandomValues(new Uint8Array(32))), number: 0, digest: "" };
        this.games.set(table, key);
        return bytesOf(key.secret);
    }
}

/** What was told of a game, from its beginning, as it is saved; of a very long one no more than its beginning. */
export class Evidence {
    /** @param {object} head */
    constructor(head) {
        /** @type {string[]} */
        this.lines = [];
        this.room = KEPT_CHARACTERS;
        this.add(head);
    }

    /** After the first line that has no room there is none for any: evidence has no gaps, as the numbers of lines show.
     * @param {object} line */
    add(line) {
        const text = JSON.stringify({ ...line, line: this.lines.length + 1 });
        this.room -= text.length;
        if (this.room >= 0 && this.lines.length < KEPT_LINES) this.lines.push(text);
    }
}

/** One table: what is known of it, and our part there. */
class Sitting {
    /** @param {ServerTable} snapshot @param {GameKeys | null} keys @param {boolean} keepsKey @param {(message: FromDesk) => void} tell */
    constructor(snapshot, keys, keepsKey, tell) {
        this.table = new BlindTable(snapshot, keys, keepsKey);
        this.tell = tell;
        /** The last of those who asked for the pen. @type {Promise<unknown>} */
        this.pen = Promise.resolve();
        /** Goes on where an entry of ours is waited for. */
        this.wake = () => {};
        this.isWorking = false;
        this.isStopped = false;
        this.standing = "";
        this.proved = 0;
        this.counted = "";
        this.evidence = new Evidence({ ...snapshot, view: null, turn: null });
    }

    /** Keep a line of evidence. A game is judged from its beginning. `info`: of the table before it.
     * @param {Line} line @param {TableInfo} [info] */
    keep(line, info) {
        if (info && line.type === "events" && line.events.some(({ event }) => event === "started")) {
            this.evidence = new Evidence({ type: "table", table: this.table.id, viewer: this.table.seat ?? "gallery", number: line.first - 1, info });
        }
        this.evidence.add(line);
    }

    /** Read a message. `span`: the parts of the state that the game has come to, if it was told. @param {OfTable} message @param {string[]} [span] */
    read(message, span) {
        const { table } = this;
        const { info } = table;
        if (this.isStopped) return this.tell({ type: "show", message: bare(message) });
        try {
            const isFirst = message.type === "table" && this.evidence.lines.length === 1;
            if (message.type === "table" && !isFirst) this.keep({ type: "dropped", table: table.id });
            if (span) {
                this.keep({ type: "span", table: table.id, data: span.join("") }); // all but the last have a multiple of 3 bytes
                table.resume(concat(...span.map((part) => /** @type {Uint8Array} */ (bytesOf(part)))));
            }
            const read = table.read(message);
            if ((read.type === "table" || read.type === "events") && !isFirst) this.keep({ ...read, view: null, turn: null }, info);
            this.tell({ type: "show", message: read });
        } catch (why) {
            if (!(why instanceof Unsound)) throw why;
            if (message.type === "events") this.keep({ ...message, events: why.events ?? message.events }, info);
            else if (message.type === "table") this.keep(message, info);
            this.fail(why.message);
            return this.tell({ type: "show", message: bare(message) });
        }
        this.report();
        this.wake();
        void this.work();
    }

    /** Take no more part. */
    stop() {
        this.isStopped = true;
        this.wake();
    }

    /** A check failed: say so, and stop. @param {string} says */
    fail(says) {
        if (this.isStopped) return;
        this.stop();
        this.tell({ type: "fault", table: this.table.id, says });
        this.report();
    }

    /** Our entry was refused, or not carried out. */
    refuse() {
        this.table.sent = null;
        this.wake();
    }

    /** Tell the page of the deal in play. */
    report() {
        const { table } = this;
        const deal = table.playing;
        const counted = `${table.game?.terms.game} ${deal?.number}`;
        if (deal?.isShared && deal.isChecked && !deal.isStock && !table.isPartlyKnown && counted !== this.counted) {
            this.counted = counted;
            this.proved += 1;
        }
        /** @type {FromDesk} */
        const standing = {
            type: "standing", table: table.id, proved: this.proved, blames: table.blames, hasLostKey: table.hasLostKey,
            isShuffling: Boolean(table.game && !deal?.isShared), isPartial: this.evidence.lines[1]?.startsWith('{"type":"span"') ?? false,
        };
        const written = JSON.stringify(standing);
        if (written !== this.standing) this.tell(standing);
        this.standing = written;
    }

    /** Check shuffles, and give what the deal awaits of us, until it awaits nothing. */
    async work() {
        if (this.isWorking) return;
        this.isWorking = true;
        try {
            while (!this.isStopped && (await this.examine() || await this.doPart()));
        } finally {
            this.isWorking = false;
        }
    }

    /** Check the shuffles of a deal; returns false if none was left to check. */
    async examine() {
        const { table } = this;
        const deal = table.game?.deals.find((one) => one.wrong === null && !one.isChecked);
        if (!deal) return false;
        await inPieces(deal.examine(table.party?.seat ?? null));
        const says = table.wrongShuffle();
        if (says) this.fail(says);
        this.report();
        return true;
    }

    /** Give the part that is due; returns false if none is. */
    async doPart() {
        const { table } = this;
        if (!table.game || !table.party?.due(table.game)) return false;
        return this.withPen(async () => {
            const { game, party } = table;
            const step = game && party?.due(game);
            if (!game || !party || !step) return true;
            const isDue = () => JSON.stringify(party.due(game)) === JSON.stringify(step);
            const entry = await inPieces(party.entry(game, step));
            if (table.game !== game || !isDue() || this.isStopped) return true;
            table.sent = entry;
            const known = step.kind === SHARES || step.kind === KEY ? table.gameKeys?.games.get(table.id) : undefined;
            const key = known ? { ...known, ...(step.kind === SHARES && sharedOf(game.deal(step.deal))) } : null;
            this.tell({ type: "part", table: table.id, entry: base64(entry), key });
            const sent = table.sent;
            await this.untilTold();
            if (sent && isDue()) await wait(REFUSED_MS);
            return true;
        });
    }

    /** Sign an act, and hand it to the page, which sends it. @param {number} number @param {Action} action */
    act(number, action) {
        return this.withPen(async () => {
            try {
                if (this.isStopped) throw new NoKey(t`Nothing more is played here.`);
                const { entry, ...signed } = this.table.sign(action);
                this.tell({ type: "signed", number, ...signed, ...(entry && { entry: base64(entry) }) });
            } catch (why) {
                if (!(why instanceof NoKey)) throw why;
                this.tell({ type: "signed", number, says: why.message });
            }
            await this.untilTold();
        });
    }

    /** @template T @param {() => Promise<T>} does @returns {Promise<T>} */
    withPen(does) {
        const done = this.pen.then(does);
        this.pen = done.catch(() => undefined);
        return done;
    }

    /** Wait until our entry has come back, was refused, or is given up. */
    async untilTold() {
        const end = Date.now() + TOLD_MS;
        while (this.table.sent && !this.isStopped && Date.now() < end) {
            const timer = setTimeout(() => this.wake(), TOLD_MS);
            await new Promise((done) => (this.wake = () => done(undefined)));
            clearTimeout(timer);
        }
        this.table.sent = null;
    }
}

export class Desk {
    /** @param {(message: FromDesk) => void} tell takes what the page is to know, or to do */
    constructor(tell) {
        this.tell = tell;
        /** @type {Map<number, Sitting>} */
        this.sittings = new Map();
        /** @type {GameKeys | null} */
        this.keys = null;
        /** Tables at which we asked for a seat with a key of our own. @type {Set<number>} */
        this.asked = new Set();
        /** Parts of the states of games, by table. @type {Map<number, string[] & {isWhole?: boolean}>} */
        this.spans = new Map();
    }

    /** Do what the page asks for. @param {ToDesk} asked */
    hear(asked) {
        if (asked.type === "keys") {
            if (this.keys && asked.games) this.keys.stored = asked.games;
            else this.keys = asked.games && new GameKeys(asked.games);
            return;
        }
        if (asked.type === "read") return this.read(asked.message, asked.known);
        const { type, table } = asked;
        const sitting = this.sittings.get(table);
        if (type === "sits") this.asked.add(table);
        else if (type === "evidence") this.tell({ type, number: asked.number, lines: sitting?.evidence.lines ?? [] });
        else if (type === "act" && !sitting) this.tell({ type: "signed", number: asked.number, action: asked.action });
        else if (type === "leave") {
            this.leave(table);
            this.keys?.games.delete(table);
        }
        if (!sitting) return;
        if (type === "act") void sitting.act(asked.number, asked.action);
        if (type === "gives_up") sitting.table.giveUp();
        if (type === "refused") sitting.refuse();
        if (type === "forbidden") sitting.fail(t`Deal ${asked.deal} was told otherwise before, when you gave your part of it.`);
    }

    /** @param {number} table */
    leave(table) {
        this.sittings.get(table)?.stop();
        this.sittings.delete(table);
    }

    /** @param {OfTable} message @param {ServerTable} [known] the table as the page knew it before */
    read(message, known) {
        const { type, table } = message;
        const span = this.spans.get(table);
        this.spans.delete(table);
        if (type === "blind_span") {
            // It comes ahead of the message with the table's state, as the SDK keeps it.
            const parts = message.part === 1 ? [] : (span ?? []);
            if (this.spans.size < 16 && message.part === parts.length + 1 && message.part <= 128) this.spans.set(table, Object.assign([...parts, message.data], { isWhole: message.part === message.parts }));
            return;
        }
        let sitting = this.sittings.get(table);
        if (!sitting || (type === "table" && (sitting.table.seat ?? "gallery") !== message.viewer)) {
            const snapshot = type === "table" ? message : known;
            if (!snapshot) return;
            this.leave(table);
            const keepsKey = snapshot.viewer !== "gallery" && this.asked.delete(table);
            sitting = new Sitting(snapshot, this.keys, keepsKey, this.tell);
            this.sittings.set(table, sitting);
        }
        sitting.read(message, span?.isWhole ? span : undefined); // of half of one the connection was lost
    }
}

/** What is remembered of a deal before our shares of it are given. @param {Deal} deal */
function sharedOf(deal) {
    const owners = Uint8Array.from(deal.owners, (owner) => owner ?? TABLES_PLACE);
    const digest = sha256(inBytes(deal.pack.data.length, 4), deal.pack.data, owners);
    return { number: deal.number, digest: base64(digest) };
}

// A game that is dealt blind: what each entry of its transcript changes, and what a holder of a key does next.
//
// It follows put_protocol/blind, which the server runs on the same entries. An entry that the server signed and had to
// refuse is its fault; after one, nothing more is taken.

import { isEqual } from "./bytes.js";
import { concatBytes as concat } from "../vendor/noble/utils.js";
import { base, cardPoint, derived, digest, drawn, hmac, ifProved, inBytes, joinPoints, parsePoint, parsePoints, pieces, POINT_BYTES, ProofError, times, total } from "./group.js";
import { Point } from "../vendor/noble/secp256k1.js";
import { check, masked, shareIn, SHARE_BYTES, unseenKey, withProof } from "./private_shares.js";
import { atOnce, checkSigned, firstPack, holds, Pack, PLACE_BYTES, PROOF_BYTES, proofBytes, shuffle, sign, weighed } from "./shuffle.js";
import { ACCUSE, ACT, DEAL, KEY, MISSING, nextHead, parseEntry, parseTerms, READ, readU32, receiptMessage, RENEW, SERVER, SHARES, SHOW, SHUFFLE, signedBytes, splitPieces, TABLES_PLACE, UNSEEN } from "./transcript.js";

/** @import {Entry, Terms} from "./transcript.js" */
/** @import {Pair} from "./shuffle.js" */

const MOST_ENTRIES = 20_000;
const MOST_ACT_BYTES = 512;
const MOST_STOCKS = 256; // far more than a hand renews

/** The server signed an entry that it had to refuse. */
export class ServerFault extends Error {}

/** @typedef {{deal: number, seat: number, kind: number, isRuling: boolean}} Blame */
/** @typedef {{seat: number, context: Uint8Array, pack: Pack, proof: Uint8Array, holds?: boolean}} Shuffle */

/** @param {Uint8Array} game @param {Pick<Entry, "author" | "deal" | "seen" | "head">} entry */
const contextOf = (game, { author, deal, seen, head }) =>
    digest("shuffle context", game, Uint8Array.of(...inBytes(deal, 4), author, ...inBytes(seen, 4)), head);

/** One deal: shuffled by each holder of keys in turn, dealt, shared, shown. */
export class Deal {
    /** The cards by the bytes of their points. @type {Map<string, string>} */
    named;

    /** @param {number} number @param {Terms} terms @param {Point[]} keys @param {{takers: number[], cards: string[]}} [stock] cards that
     * came back in the hand in play, and the seats that are left @param {Deal} [last] of the whole pack */
    constructor(number, terms, keys, stock, last) {
        const { holders } = terms;
        this.number = number;
        this.terms = terms;
        this.keys = keys;
        this.isStock = stock !== undefined;
        this.cards = stock?.cards ?? terms.cards;
        /** Seats that take part. */
        this.takers = stock?.takers ?? [...holders.keys()];
        this.joint = last?.joint ?? total(this.takers.map((seat) => keys[seat]));
        this.first = last?.first ?? firstPack(this.cards, this.joint);
        this.named = last?.named ?? new Map(this.cards.map((card) => [textOf(cardPoint(card)), card]));
        this.shufflers = this.takers.filter((seat, at) => this.takers.findIndex((one) => holders[one] === holders[seat]) === at);
        /** @type {Shuffle[]} */
        this.shuffles = [];
        /** Shuffles that were checked here, up to the first wrong one. */
        this.checked = 0;
        /** The seat whose shuffle is wrong, as far as that was checked. @type {number | null} */
        this.wrong = null;
        /** The owner of each place that is dealt; null: it is the table's. @type {(number | null)[]} */
        this.owners = [];
        /** The key for which shares are masked in a deal that the server reads. @type {Point | null} */
        this.reader = null;
        /** The shares that each seat gave, by place. @type {Map<number, Map<number, Point>>} */
        this.shares = new Map();
        /** Those of all places that a seat gave the server alone, masked. @type {Map<number, Uint8Array>} */
        this.given = new Map();
        /** Cards that everybody knows, by place. @type {Map<number, string>} */
        this.shown = new Map();
        this.isUnreadable = false;
    }

    get pack() {
        return this.shuffles.at(-1)?.pack ?? this.first;
    }

    get isShuffled() {
        return this.shuffles.length === this.shufflers.length;
    }

    get isShared() {
        return this.owners.length > 0 && this.shares.size + this.given.size === this.takers.length;
    }

    get isRead() {
        return this.owners.length > 0 && (this.isStock || this.owners.includes(READ));
    }

    /** The deal of the whole pack after this one. */
    next() {
        return new Deal(this.number + 1, this.terms, this.keys, undefined, this.isStock ? undefined : this);
    }

    get isChecked() {
        return this.checked === this.shuffles.length;
    }

    /** True if this may be a later state of the deal: nothing is undone that was done in the earlier one. @param {Deal} before */
    goesOn(before) {
        return before.shuffles.every(({ pack }, at) => isEqual(pack.data, this.shuffles[at]?.pack.data))
            && (!before.owners.length || before.owners.join() === this.owners.join())
            && [...before.shown].every(([place, card]) => this.shown.get(place) === card);
    }

    /** Steps of seats before the hand is played. @returns {[number, number][]} */
    awaits() {
        if (!this.isShuffled) return [[this.shufflers[this.shuffles.length], SHUFFLE]];
        if (!this.owners.length) return [];
        return this.takers.filter((seat) => !this.shares.has(seat) && !this.given.has(seat)).map((seat) => [seat, SHARES]);
    }

    /** @param {number} seat @param {number} kind */
    isDue(seat, kind) {
        return this.awaits().some(([one, what]) => one === seat && what === kind);
    }

    /** @param {number} seat */
    others(seat) {
        return [...this.owners.keys()].filter((place) => this.owners[place] !== seat);
    }

    /** @param {number} seat */
    hand(seat) {
        return [...this.owners.keys()].filter((place) => this.owners[place] === seat);
    }

    /** Check shuffles, up to the first wrong one. @param {number | null} own the seat whose shuffles are our own @returns {Generator<void, void>} */
    *examine(own) {
        while (this.wrong === null && this.checked < this.shuffles.length) {
            const one = this.shuffles[this.checked];
            const before = this.shuffles[this.checked - 1]?.pack ?? this.first;
            if (one.seat !== own) one.holds ??= yield* holds({ context: one.context, joint: this.joint, before, after: one.pack }, one.proof);
            if (one.holds === false) this.wrong = one.seat;
            else this.checked += 1;
        }
    }

    /** Check every shuffle, our own too. */
    accuse() {
        this.checked = 0;
        this.wrong = null;
        atOnce(this.examine(null));
    }

    /** The card of a place by the shares of all who take part, each with its proof; null: it is no card.
     * @param {number} place @param {Uint8Array} shares */
    openedBy(place, shares) {
        if (shares.length !== this.takers.length * SHARE_BYTES || place >= this.cards.length) throw new ProofError("an opening is malformed");
        const a = this.pack.a(place);
        return this.cardBy(place, this.takers.map((seat, at) => check(shareIn(shares, at), this.keys[seat], a)));
    }

    /** True if what a seat gave the server does not hold. @param {number} seat @param {Point} shared by which it is masked */
    isWronglyGiven(seat, shared) {
        const shares = masked(/** @type {Uint8Array} */ (this.given.get(seat)), shared, privateContext(this, seat));
        return [...this.cards.keys()].some((place) => !ifProved(() => check(shareIn(shares, place), this.keys[seat], this.pack.a(place))));
    }

    /** Open a place to all. @param {number} place @param {Point[]} ownersShare */
    open(place, ownersShare) {
        const card = this.card(place, ownersShare);
        if (card === null) {
            this.accuse();
            this.isUnreadable = true;
        } else this.shown.set(place, card);
    }

    /** The card of a place by all given shares and its owner's; null: it is no card of the pack. @param {number} place @param {Point[]} ownersShare */
    card(place, ownersShare) {
        const owner = this.owners[place];
        const given = [...this.shares].filter(([seat]) => seat !== owner).map(([, shares]) => /** @type {Point} */ (shares.get(place)));
        return this.cardBy(place, [...given, ...ownersShare]);
    }

    /** @param {number} place @param {Point[]} shares of all */
    cardBy(place, shares) {
        return ifProved(() => this.named.get(textOf(total([this.pack.b(place), total(shares).negate()])))) ?? null;
    }
}

/** The hash that binds what a seat gives the server to a deal. @param {Deal} deal @param {number} seat */
const privateContext = ({ terms, number, pack }, seat) => digest("private context", terms.hash, Uint8Array.of(...inBytes(number, 4), seat), pack.data);

/** @param {Point} point */
const textOf = (point) => point.toBytes().join();

export class BlindGame {
    /** @param {Terms} terms */
    constructor(terms) {
        this.terms = terms;
        /** The head after each entry, with its receipt. @type {Pick<Entry, "head" | "receipt">[]} */
        this.heads = [{ head: terms.hash, receipt: new Uint8Array(PROOF_BYTES) }];
        /** The number of entries before the first of the heads. */
        this.first = 0;
        /** The number of each author's last entry. @type {Map<number, number>} */
        this.last = new Map();
        /** @type {(Point | null)[]} */
        this.keys = terms.holders.map(() => null);
        /** The deal whose places are dealt. @type {Deal | null} */
        this.playing = null;
        /** The deal that is shuffled, or waits to be dealt. @type {Deal | null} */
        this.coming = null;
        /** Deals of the hand in play before its last stock, the oldest first. @type {Deal[]} */
        this.beside = [];
        /** @type {Blame[]} */
        this.blames = [];
    }

    /** The game that the server's span is of: everything signed in it is checked again, and no shuffle yet. @param {Uint8Array} span */
    static resumed(span) {
        const [terms, numbers, last, blames, heads, ...rest] = splitPieces(span);
        if (!(numbers?.length >= 12) || !heads?.length) throw new ProofError("a span is malformed");
        if (numbers.length > 12 + 4 * MOST_STOCKS || blames.length > 7 * MOST_ENTRIES) throw new ProofError("a span is malformed");
        const game = new BlindGame(parseTerms(terms));
        const [first, playing, coming, ...beside] = rowsOf(numbers, 4).map((row) => readU32(row, 0));
        game.first = first;
        game.heads = rowsOf(heads, 32 + PROOF_BYTES).map((row) => ({ head: row.subarray(0, 32), receipt: row.subarray(32) }));
        for (const row of rowsOf(last, 5)) game.last.set(row[0], readU32(row, 1));
        const { head, receipt } = game.at(game.seen);
        if (game.seen > 0 || !isEqual(head, game.terms.hash)) game.checkReceipt(game.seen, head, receipt);
        const entries = rest.map(parseEntry);
        if (entries.some(({ kind }) => ![KEY, SHUFFLE, SHARES, SHOW, DEAL, RENEW].includes(kind))) throw new ProofError("a span has an entry that nothing follows from");
        for (const entry of entries) if (entry.kind === KEY) game.step(entry);
        if ((game.coming === null) !== (coming === 0) || playing >= Math.max(coming, 1)) throw new ProofError("a span has no such deals");
        for (const number of [...beside, playing, coming]) {
            // A stock is renewed under the number after that of the deal that was to come.
            const isStock = entries.some(({ kind, deal }) => kind === RENEW && deal === number);
            if (number && game.coming) game.coming.number = isStock ? number - 1 : number;
            for (const entry of entries) if (number && entry.deal === number) game.step(entry);
        }
        if ((game.playing?.number ?? 0) !== playing || game.beside.map((deal) => deal.number).join() !== beside.join()) throw new ProofError("a span has no such deals");
        game.blames = rowsOf(blames, 7).map((row) => ({ deal: readU32(row, 0), seat: row[4], kind: row[5], isRuling: row[6] === 1 }));
        return game;
    }

    get seen() {
        return this.first + this.heads.length - 1;
    }

    /** @returns {Deal[]} */
    get deals() {
        return [this.playing, this.coming].flatMap((deal) => deal ?? []);
    }

    /** @param {number} number */
    deal(number) {
        const found = this.deals.find((deal) => deal.number === number);
        if (!found) throw new ProofError("no such deal");
        return found;
    }

    /** The steps of seats that hands wait for, with the number of the deal. @returns {[number, number, number][]} */
    awaits() {
        const missing = [...this.keys.keys()].filter((seat) => this.keys[seat] === null);
        if (missing.length) return missing.map((seat) => [seat, KEY, 0]);
        return this.deals.flatMap((deal) => deal.awaits().map(([seat, kind]) => /** @type {[number, number, number]} */ ([seat, kind, deal.number])));
    }

    /** The head after so many entries, and its receipt; undefined: it is not known. @param {number} seen */
    at(seen) {
        return this.heads[seen - this.first];
    }

    /** Take an entry that the server told. @param {Uint8Array} data @param {Uint8Array} receipt */
    told(data, receipt) {
        const entry = parseEntry(data);
        const head = nextHead(this.at(this.seen).head, data);
        this.checkReceipt(this.seen + 1, head, receipt);
        try {
            this.checkOrder(entry);
            this.step(entry);
        } catch (why) {
            if (why instanceof ProofError) throw new ServerFault(why.message);
            throw why;
        }
        this.last.set(entry.author, this.seen);
        this.heads.push({ head, receipt });
        return entry;
    }

    /** @param {number} seen @param {Uint8Array} head @param {Uint8Array} receipt */
    checkReceipt(seen, head, receipt) {
        checkSigned(receipt, this.terms.server, receiptMessage(this.terms.hash, seen, head));
    }

    /** @param {Entry} entry */
    checkOrder({ author, seen, head, receipt }) {
        if (seen <= (this.last.get(author) ?? -1)) throw new ProofError("an entry was signed before its author saw their last one");
        const known = this.at(seen);
        if (!isEqual(known?.head, head) || !isEqual(known?.receipt, receipt)) throw new ProofError(OTHER_STORY);
        if (this.seen >= MOST_ENTRIES) throw new ProofError("the game has too many entries");
    }

    /** @param {Entry} entry */
    step(entry) {
        STEPS[entry.kind](this, entry);
    }

    /** @param {Entry} entry @param {Pair[]} [pairs] */
    check(entry, pairs = []) {
        const key = entry.author === SERVER ? this.terms.server : this.keys[entry.author];
        if (!key) throw new ProofError("an entry is by a seat that has told no key");
        checkSigned(entry.proof, key, this.messageOf(entry), pairs);
    }

    /** @param {Pick<Entry, "signed">} entry */
    messageOf({ signed }) {
        return digest("entry", this.terms.hash, signed);
    }

    /** A deal is off. A wrong shuffle is to blame before anything else. @param {Deal} deal @param {number} seat @param {number} kind */
    without(deal, seat, kind, isRuling = false) {
        this.blames.push({ deal: deal.number, ...(deal.wrong === null ? { seat, kind, isRuling } : { seat: deal.wrong, kind: SHUFFLE, isRuling: false }) });
        if (this.playing !== deal) this.coming = deal.next();
        else this.playing = deal.isStock ? (this.beside.pop() ?? null) : null;
    }

    /** All opened places are cards, unless a shuffle is wrong that no seat checked. @param {Deal} deal */
    settle(deal) {
        if (deal.isUnreadable) this.without(deal, SERVER, SHUFFLE);
    }
}

/** Changes by each kind of entry, if it holds. @type {Record<number, (game: BlindGame, entry: Entry) => void>} */
const STEPS = {
    [KEY](game, entry) {
        const isDue = game.awaits().some(([seat, kind, deal]) => seat === entry.author && kind === KEY && deal === entry.deal);
        if (!isDue) throw new ProofError("no key is due from this seat");
        const key = parsePoint(entry.body);
        checkSigned(entry.proof, key, game.messageOf(entry));
        game.keys[entry.author] = key;
        const keys = game.keys.flatMap((one) => one ?? []);
        if (keys.length === game.keys.length) game.coming = new Deal(1, game.terms, keys);
    },
    [SHUFFLE](game, entry) {
        const { author, body } = entry;
        const deal = game.deal(entry.deal);
        if (!deal.isDue(author, SHUFFLE)) throw new ProofError("no shuffle is due from this seat");
        const length = deal.cards.length * PLACE_BYTES;
        if (body.length !== length + proofBytes(deal.cards.length)) throw new ProofError("a shuffle has the wrong length");
        game.check(entry);
        deal.shuffles.push({ seat: author, context: contextOf(game.terms.hash, entry), pack: new Pack(body.subarray(0, length)), proof: body.subarray(length) });
    },
    [SHARES](game, entry) {
        const { author, body } = entry;
        const deal = game.deal(entry.deal);
        if (!deal.isDue(author, SHARES)) throw new ProofError("no shares are due from this seat");
        const places = deal.others(author);
        if (body.length !== (deal.isRead ? deal.cards.length * SHARE_BYTES : places.length * POINT_BYTES)) throw new ProofError("shares have the wrong length");
        if (deal.isRead) {
            game.check(entry);
            return void deal.given.set(author, body);
        }
        const shares = parsePoints(body);
        game.check(entry, [weighed(places.map((place) => deal.pack.a(place)), shares, game.messageOf(entry))]);
        deal.shares.set(author, new Map(places.map((place, at) => [place, shares[at]])));
        if (deal.isShared) for (const [place, owner] of deal.owners.entries()) if (owner === null) deal.open(place, []);
        game.settle(deal);
    },
    [SHOW](game, entry) {
        const deal = game.deal(entry.deal);
        if (entry.body.length !== 1 + POINT_BYTES) throw new ProofError("a shown card has the wrong length");
        const [place] = entry.body;
        if (!deal.isShared || deal.isRead || deal.owners[place] !== entry.author || deal.shown.has(place)) throw new ProofError("a place is not this seat's to show, or not now");
        const share = parsePoint(entry.body.subarray(1));
        game.check(entry, [[deal.pack.a(place), share]]);
        deal.open(place, [share]);
        game.settle(deal);
    },
    [ACT](game, entry) {
        if (entry.body.length > MOST_ACT_BYTES) throw new ProofError("an act is too long");
        if (entry.deal && entry.deal !== game.playing?.number) throw new ProofError("an act is for a deal that is not in play");
        game.check(entry);
    },
    [ACCUSE](game, entry) {
        const { author, body } = entry;
        const deal = game.deal(entry.deal);
        const isLate = deal.shares.has(author) || deal.given.has(author);
        if (body.length || author >= game.keys.length || !deal.shuffles.length || isLate) throw new ProofError("no shuffle can be accused by this seat");
        game.check(entry);
        deal.accuse();
        game.without(deal, author, ACCUSE);
    },
    [DEAL](game, entry) {
        const { coming, playing } = game;
        const isReady = coming?.isShuffled && !coming.owners.length && (playing || !coming.isStock);
        if (entry.author !== SERVER || entry.deal !== coming?.number || !isReady) throw new ProofError("nothing is to be dealt");
        const size = coming.cards.length;
        const owners = [...entry.body.subarray(0, size)].map((owner) => (owner === TABLES_PLACE ? null : owner));
        const isGood = owners.length > 0 && owners.every((one) => one === null || one === READ || one < game.keys.length);
        if (!isGood) throw new ProofError("places are dealt to seats that do not exist, or too many");
        const isRead = coming.isStock || owners.includes(READ);
        if (isRead && (owners.length < size || owners.includes(null))) throw new ProofError("a part of a pack is read");
        const reader = entry.body.length > size ? parsePoint(entry.body.subarray(size)) : null;
        if (reader && !isRead) throw new ProofError("a deal has a key to read it, and is not read");
        game.check(entry);
        coming.owners = owners;
        coming.reader = reader ?? game.terms.server;
        game.beside = coming.isStock && playing ? [...game.beside, playing] : [];
        game.playing = coming;
        game.coming = coming.next();
    },
    [RENEW](game, entry) {
        const { playing, coming, terms } = game;
        const [size = 0] = entry.body;
        const takers = [...entry.body.subarray(1, 1 + size)];
        const named = new TextDecoder().decode(entry.body.subarray(1 + size));
        const cards = terms.cards.filter((card) => named.split(" ").includes(card));
        const isSorted = takers.length === size && takers.every((seat, at) => seat < game.keys.length && (at === 0 || takers[at - 1] < seat));
        const isGood = isSorted && size > 0 && cards.length > 0 && cards.join(" ") === named;
        if (entry.author !== SERVER || entry.deal !== (coming?.number ?? 0) + 1 || !playing?.isRead || !isGood) throw new ProofError("no stock is to be renewed");
        game.check(entry);
        game.coming = new Deal(entry.deal, terms, playing.keys, { takers, cards });
    },
    [MISSING](game, entry) {
        const [seat] = entry.body;
        if (entry.author !== SERVER || seat === undefined) throw new ProofError("only the server says what is missing");
        if (entry.body.length > 1) return wronglyGiven(game, entry, seat, entry.body.subarray(1));
        const [, kind] = game.awaits().find(([one, , deal]) => one === seat && deal === entry.deal) ?? [];
        if (kind === undefined) throw new ProofError("nothing is due from this seat");
        game.check(entry);
        if (kind === KEY) return void game.blames.push({ deal: entry.deal, seat, kind, isRuling: true });
        const deal = game.deal(entry.deal);
        deal.accuse(); // a seat is right to do nothing about a pack that is wrong
        game.without(deal, seat, kind, true);
    },
};

/** Shares that a seat gave the server do not hold: it tells the point that unmasks them, with a proof.
 * @param {BlindGame} game @param {Entry} entry @param {number} seat @param {Uint8Array} told */
function wronglyGiven(game, entry, seat, told) {
    const deal = game.deal(entry.deal);
    if (!deal.isShared || !deal.given.has(seat)) throw new ProofError("nothing was given by this seat");
    game.check(entry);
    const shared = parsePoint(told.subarray(0, POINT_BYTES));
    checkSigned(told.subarray(POINT_BYTES), /** @type {Point} */ (deal.reader), privateContext(deal, seat), [[deal.keys[seat], shared]]);
    deal.accuse();
    if (deal.wrong === null && !deal.isWronglyGiven(seat, shared)) throw new ProofError("shares hold of which the server says that they do not");
    game.without(deal, seat, SHARES);
}

export const OTHER_STORY = "an entry follows another transcript";

/** @param {Uint8Array} bytes @param {number} length */
function rowsOf(bytes, length) {
    if (bytes.length % length) throw new ProofError("a span is malformed");
    return pieces(bytes, length);
}

/** The holder of one seat's key: what it has to do next, and the cards that it can read. Everything that it does follows
 * from its secret and the transcript. */
export class Party {
    /** @param {Uint8Array} secret @param {Terms} terms @param {number} seat */
    constructor(secret, terms, seat) {
        if (terms.holders.filter((one) => one === terms.holders[seat]).length !== 1) throw new ProofError("the terms give the key to other seats");
        this.seat = seat;
        this.seed = derived(secret, digest("seat", terms.hash, Uint8Array.of(seat)));
        const [scalar] = drawn(derived(this.seed, digest("key")), 1);
        this.key = { secret: scalar, point: base(scalar) };
    }

    /** The step that the game awaits of this seat. @param {BlindGame} game @returns {{kind: number, deal: number} | null} */
    due(game) {
        for (const deal of game.deals) if (deal.wrong !== null && !deal.isShared) return { kind: ACCUSE, deal: deal.number };
        const isReady = (/** @type {[number, number, number]} */ [seat, kind, deal]) => seat === this.seat && (kind === KEY || (game.deal(deal).isChecked && game.deal(deal).wrong === null));
        const [, kind, deal] = game.awaits().find(isReady) ?? [];
        return kind === undefined || deal === undefined ? null : { kind, deal };
    }

    /** The entry of a step. @param {BlindGame} game @param {{kind: number, deal: number}} step @returns {Generator<void, Uint8Array>} */
    *entry(game, { kind, deal: number }) {
        if (kind === ACCUSE) return this.signed(game, kind, number, new Uint8Array());
        if (kind === KEY) return this.signed(game, kind, number, this.key.point.toBytes());
        const deal = game.deal(number);
        const seen = game.seen;
        if (kind === SHUFFLE) {
            const context = contextOf(game.terms.hash, { author: this.seat, deal: number, seen, ...game.at(seen) });
            return this.signed(game, kind, number, yield* shuffle(context, deal.joint, deal.pack, this.seed), undefined, seen);
        }
        if (deal.isRead) {
            const given = [];
            for (const place of deal.cards.keys()) {
                given.push(withProof(this.key, deal.pack.a(place)));
                yield;
            }
            return this.signed(game, kind, number, masked(concat(...given), this.shared(deal), privateContext(deal, this.seat)));
        }
        const bases = deal.others(this.seat).map((place) => deal.pack.a(place));
        /** @type {Point[]} */
        const shares = [];
        for (const a of bases) {
            shares.push(times(this.key.secret, a));
            yield;
        }
        return this.signed(game, kind, number, joinPoints(shares), (message) => [weighed(bases, shares, message)]);
    }

    /** An entry that shows a card of the hand. @param {BlindGame} game @param {number} place */
    show(game, place) {
        const deal = /** @type {Deal} */ (game.playing);
        const a = deal.pack.a(place);
        const share = times(this.key.secret, a);
        return this.signed(game, SHOW, deal.number, Uint8Array.of(place, ...share.toBytes()), () => [[a, share]]);
    }

    /** The secret of this party and the server, in a deal that it reads. @param {Deal} deal */
    shared(deal) {
        return times(this.key.secret, /** @type {Point} */ (deal.reader));
    }

    /** The body of an act that others may not read. @param {BlindGame} game @param {Uint8Array} act */
    unseen(game, act) {
        const deal = /** @type {Deal} */ (game.playing);
        const key = unseenKey(this.shared(deal), privateContext(deal, this.seat));
        return Uint8Array.of(UNSEEN, ...hmac(key, act));
    }

    /** An entry with an act of the game that shows no card. @param {BlindGame} game @param {Uint8Array} body */
    act(game, body) {
        return this.signed(game, ACT, game.playing?.number ?? 0, body);
    }

    /** The seat's own cards by their places; null: no card of the pack. @param {Deal} deal @returns {Map<number, string | null>} */
    hand(deal) {
        return new Map(deal.hand(this.seat).map((place) => [place, deal.card(place, [times(this.key.secret, deal.pack.a(place))])]));
    }

    /** @param {BlindGame} game @param {number} kind @param {number} deal @param {Uint8Array} body
     * @param {(message: Uint8Array) => Pair[]} [pairs] @param {number} [seen] entries that it follows */
    signed(game, kind, deal, body, pairs = () => [], seen = game.seen) {
        const signed = signedBytes({ author: this.seat, kind, deal, seen, ...game.at(seen), body });
        const message = game.messageOf({ signed });
        return Uint8Array.of(...signed, ...sign(this.key, message, pairs(message)));
    }
}

// A second verifier of sealed deals, written from docs/fair-dealing.md. It shares no code with the first.
//
//   node scripts/verify/verify.mjs [--unshown] [--vectors docs/fair-dealing-vectors.json] [TOLD.jsonl ...]
//
// TOLD.jsonl holds recorded traffic as it is, a JSON object a line, in the order it came, bytes in base64:
//   from the server   `events`, `table`, `openings`, `welcome`, `left`, `ok`, `refused`; other messages are ignored
//   from the client   `sit`, `promise`, `cut`, `leave`, `stand`, `watch`; other requests are ignored
// A `table` message begins a viewer of that table. A second `welcome` says that the connection had dropped.
//
// Bare events, {"event":"sealed",...}, are read as well. They need a line before them that says who the viewer is:
//   {"type":"viewer","table":1,"viewer":0,"end":"...","game":"put-1674","options":{},"joins":false,"is_counted":true,
//    "is_exhibition":false,"is_witness":false}     all but `table` and `viewer` may be left out
// and may have short lines of the viewer's own between them:
//   {"type":"cut","link":"..."}      the viewer cut; null: they did not
//   {"type":"promise","end":"..."}   they take part from now on, or with another chain; null: they take no part
//   {"type":"counted"}               the server has answered that it knows that
//   {"type":"dropped"}               the connection dropped
//
// Prints one JSON object; docs/fair-dealing.md says what is in it. The status is 1 if anything is false, else 2 if any
// deal is unproved, else 0; 3 if the file cannot be read. With --unshown a card that was opened to the viewer, and that
// no event showed them, is false too.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const SUITS = ["s", "h", "d", "c"];
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const FULL_PACK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
const CONSONANTS = "bdfghklmnprstvwz";
const VOWELS = "aeio";
const [ANOTHERS_CARD, OWN_CARD, FACED_CARD, ANOTHER_HAS_MORE, DEALER_HAS_MORE] = [1, 2, 3, 4, 5];
const KEPT = 256;
const MISSES = 2; // deals that a seat may have called off running; with the second its player has to leave

// The tarot pack: the Fool; swords and batons, in which the 10 is the best of the pips, and cups and coins, in which the
// 1 is; the trumps.
const PIPS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
const COURT = ["J", "C", "Q", "K"];
const TAROT_PACK = [
    "0t",
    ...["w", "b"].flatMap((suit) => [...PIPS, ...COURT].map((rank) => rank + suit)),
    ...["u", "o"].flatMap((suit) => [...PIPS.toReversed(), ...COURT].map((rank) => rank + suit)),
    ...[...Array(21).keys()].map((number) => `${number + 1}t`),
];
const PLACES = new Map([...FULL_PACK, ...TAROT_PACK].map((card, place) => [card, place])); // in canonical order

const french = (...ranks) => FULL_PACK.filter((card) => ranks.includes(card.slice(0, -1)));
const PACKS_OF_PUT = {
    52: FULL_PACK,
    32: french("2", "3", ...RANKS.slice(7)),
    28: french("2", "3", ...RANKS.slice(8)),
};
const PACKS_OF_TRUC = {
    french: french("7", "8", "9", "10", "J", "Q", "K", "A"),
    printed: french("6", "7", "10", "J", "Q", "K", "A"),
};

// What the deals of a rule set must be sealed as: its packs, by the value of the option that chooses one.
const ofPut = { packs: PACKS_OF_PUT, option: "pack", byDefault: 52 };
const RULE_SETS = {
    "put-1674": ofPut,
    "put-1800": ofPut,
    "put-partners": { ...ofPut, late: true },
    "put-parlett": ofPut,
    "put-tavern": ofPut,
    truc: { packs: PACKS_OF_TRUC, option: "ranking", byDefault: "french" },
    "triomphe-forcee": { packs: { all: TAROT_PACK }, byDefault: "all" },
    primero: { packs: { all: french("A", "2", "3", "4", "5", "6", "7", "J", "Q", "K") }, byDefault: "all", renews: true },
};

// Events of a game, and that which ends one. Those of the table, and those of newer servers, show no card and end
// nothing.
const GAME = new Set(
    (
        "drawn dealer dealt accident fresh_deal extra_drawn taken_up let gave discarded passed doubled played put saw " +
        "threw_in trick hand game over " +
        "triomphe.turned_up triomphe.dealt triomphe.la_mort triomphe.declared triomphe.played triomphe.trick " +
        "triomphe.hand " +
        "primero.turned_up primero.dealt primero.more_dealt primero.thrown_in primero.traded primero.drew " +
        "primero.stock_renewed primero.bid primero.saw primero.refused primero.withdrawn primero.passed primero.out " +
        "primero.vada primero.went_on primero.announced primero.stood primero.betting_over primero.showdown primero.hand"
    ).split(" "),
);
const DRAWS = new Set(["drawn", "triomphe.turned_up", "primero.turned_up"]); // cards turned up to find the first dealer
const DEALS = new Set(["dealt", "triomphe.dealt", "primero.dealt"]); // hands dealt, as the seal says
const PLAYS = new Set(["played", "discarded", "triomphe.played"]); // a card leaves its hand for good
const ENDS = new Set("hand fresh_deal game over triomphe.hand primero.hand primero.thrown_in".split(" ")); // of a hand
const DECIDES = new Set(["dealer", "triomphe.turned_up", "primero.turned_up"]); // who deals first

// --- bytes -----------------------------------------------------------------------------------------------------------

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const shake256 = (length, ...parts) =>
    createHash("shake256", { outputLength: length }).update(Buffer.concat(parts)).digest();
const u8 = (number) => Buffer.from([number]);
const u16 = (number) => Buffer.from([number >> 8, number & 255]);
const u64 = (number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(number));
    return bytes;
};
const label = (text) => Buffer.concat([u8(Buffer.byteLength(text)), Buffer.from(text)]);
const bytesOf = (text) => (text === null || text === undefined ? null : Buffer.from(text, "base64"));
const hex = (bytes) => (bytes === null ? null : bytes.toString("hex"));

// The numbers below `count` in the order that the bytes of a stream choose, from byte `skip` on.
function shuffled(count, skip, stream) {
    for (let length = skip + 4 * count; ; length *= 2) {
        const bytes = stream(length);
        const order = [...Array(count).keys()];
        let at = skip;
        let place = 0;
        for (; place < count - 1; place++) {
            const left = count - place;
            while (at < length && bytes[at] >= 256 - (256 % left)) at++;
            if (at >= length) break;
            const chosen = place + (bytes[at++] % left);
            [order[place], order[chosen]] = [order[chosen], order[place]];
        }
        if (place >= count - 1) return [order, bytes.subarray(0, skip)];
    }
}

// --- the seal --------------------------------------------------------------------------------------------------------

const after = (link) => sha256(label("put seal chain"), link);

const seedOf = (secret, table, deal, pack) =>
    sha256(label("put seal seed"), secret, u64(table), u64(deal), u8(pack));

const leafOf = (table, deal, pack, position, card, salt) =>
    sha256(u8(0), label("put seal card"), u64(table), u64(deal), u8(pack), u16(position), label(card), salt);

const accidentLeafOf = (table, deal, pack, position, salt) =>
    sha256(u8(0), label("put seal accident"), u64(table), u64(deal), u8(pack), u16(position), salt);

const nodeOf = (left, right) => sha256(u8(1), left, right);

// As RFC 6962 defines it, from the root down: the left part is the largest power of two below the whole.
function rootOf(leaves) {
    if (leaves.length === 1) return leaves[0];
    const split = splitOf(leaves.length);
    return nodeOf(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

function splitOf(size) {
    let split = 1;
    while (split * 2 < size) split *= 2;
    return split;
}

// The root by a path, which is given from the leaf up; null if it is too short. Takes what it uses off the path's end.
function rootBy(leaf, position, size, path) {
    if (size === 1) return leaf;
    if (path.length === 0) return null;
    const split = splitOf(size);
    const beside = path.pop();
    const isLeft = position < split;
    const below = isLeft ? rootBy(leaf, position, split, path) : rootBy(leaf, position - split, size - split, path);
    return below === null ? null : isLeft ? nodeOf(below, beside) : nodeOf(beside, below);
}

// The root of a tree of `size` leaves that has this one at this position, by a path of exactly the right length.
function openedRoot(leaf, position, size, path) {
    if (position >= size) return null;
    const steps = path.map(bytesOf);
    const root = rootBy(leaf, position, size, steps);
    return steps.length === 0 ? root : null;
}

// A pack that may have an accident has a salt and a leaf more, behind those of the cards.
function laid(seed, table, deal, pack, cards, hasAccidents) {
    const stream = (length) => shake256(length, label("put seal pack"), seed);
    const size = cards.length + (hasAccidents ? 1 : 0);
    const [order, head] = shuffled(cards.length, 32 * size, stream);
    const salts = [...Array(size).keys()].map((position) => head.subarray(32 * position, 32 * position + 32));
    const lying = order.map((number) => cards[number]);
    const leaves = lying.map((card, position) => leafOf(table, deal, pack, position, card, salts[position]));
    if (hasAccidents) leaves.push(accidentLeafOf(table, deal, pack, cards.length, salts[cards.length]));
    return { cards: lying, salts, leaves, root: rootOf(leaves) };
}

const basisOf = (table, deal, roots, to, cards, links) =>
    Buffer.concat([
        ...[label("put seal draw"), u64(table), u64(deal), ...roots],
        ...[u16(to.length), Buffer.from(to)],
        ...[u16(cards.length), ...cards.map(label)],
        ...[u8(links.length), ...links.flatMap((link) => (link === null ? [u8(0)] : [u8(1), link]))],
    ]);

function drawOf(basis, size) {
    const [order, head] = shuffled(size, 9, (length) => shake256(length, basis));
    return { words: wordsOf(head.subarray(0, 8)), pack: head[8] & 1, order };
}

function wordsOf(eight) {
    const words = [0, 2, 4, 6].map((at) => {
        const bits = eight.readUInt16BE(at);
        return (
            CONSONANTS[bits >> 12] +
            VOWELS[(bits >> 10) & 3] +
            CONSONANTS[(bits >> 6) & 15] +
            VOWELS[(bits >> 4) & 3] +
            CONSONANTS[bits & 15]
        );
    });
    return words.join(" ");
}

// --- accidents -------------------------------------------------------------------------------------------------------

const luckOf = (salt, basis) => sha256(label("put seal luck"), salt, basis).readBigUInt64BE();

// What a luck decides: null, or the law, whose card it is and, but for the third law, which card of that hand.
function accidentOf(luck, percent, dealer, adversaries, cardsEach) {
    const size = (2n ** 64n * BigInt(percent)) / 100n;
    if (luck >= size) return null;
    let rest = luck;
    const below = (count) => {
        const product = rest * BigInt(count);
        rest = product % size;
        return Number(product / size);
    };
    const law = 1 + below(5);
    const isDealers = [OWN_CARD, FACED_CARD, DEALER_HAS_MORE].includes(law);
    const seat = isDealers ? dealer : adversaries[below(adversaries.length)];
    if (law === FACED_CARD) return { law, seat, card: null };
    return { law, seat, card: below(cardsEach + (hasOneMore(law) ? 1 : 0)) };
}

const hasOneMore = (law) => law === ANOTHER_HAS_MORE || law === DEALER_HAS_MORE;

// --- the terms of a table --------------------------------------------------------------------------------------------

// The cards, late proofs and chance of accidents that a rule set has under its options; null: not known here.
function termsOf(game, options) {
    if (!Object.hasOwn(RULE_SETS, game)) return null;
    const { packs, option, byDefault, late = false, renews = false } = RULE_SETS[game];
    const chosen = (option === undefined ? undefined : options[option]) ?? byDefault;
    if (typeof chosen !== typeof byDefault || !Object.hasOwn(packs, chosen)) return null;
    return { cards: packs[chosen], late, misdeals: options.misdeals ?? 0, renews };
}

// --- one deal --------------------------------------------------------------------------------------------------------

class Deal {
    constructor(viewer, sealed, cards) {
        this.viewer = viewer;
        this.number = sealed.deal;
        this.told = sameSeal(sealed);
        this.roots = sealed.roots.map(bytesOf);
        this.to = sealed.to;
        this.players = [...new Set(sealed.to)];
        this.promised = sealed.cuts.map(bytesOf);
        this.cards = cards;
        this.isLate = sealed.late ?? false;
        this.misdeals = sealed.misdeals ?? 0;
        this.isStock = sealed.stock ?? false;
        this.unknown = null; // why the hand before it is not known, if it is a stock
        this.adversaries = sealed.adversaries ?? [];
        this.made = new Map(); // by seat: cuts that were told one by one
        this.draw = null;
        this.isVoid = false;
        this.isTurned = false;
        this.isWhole = false;
        this.isOver = false; // what was dealt of it is played
        this.isProved = false; // when it was over
        this.why = null; // it is not proved
        this.waiting = [];
        this.held = []; // by slot: a seat, or null for a card face up in the pack or drawn out of a hand
        this.opened = new Map(); // by position
        this.positions = new Map(); // by card
        this.accidentSalt = null;
        this.accident = null; // as it is decided
        this.awaitsAccident = false;
        this.turnedSalts = new Set();
        this.at = new Map(); // by card: who holds it
        this.proofs = new Map(); // by card that was shown: whether it is proved
        this.slotOf = new Map(); // by card that was seen by accident
        this.due = [];
        this.out = new Set();
        this.gifts = [];
    }

    fail(fault, about = {}) {
        this.viewer.fail(this.number, fault, about);
    }

    get missing() {
        return [...this.promised.keys()].filter((seat) => this.promised[seat] !== null && !this.made.has(seat));
    }

    get unshown() {
        if (!this.isOver || this.isWhole || this.why !== null) return [];
        return [...this.positions.keys()].filter((card) => !this.at.has(card));
    }

    // --- cuts ---

    makeCut(seat, link) {
        const end = this.promised[seat] ?? null;
        const isOther = this.made.has(seat) && !this.made.get(seat).equals(link);
        if (this.draw !== null || isOther) this.fail("changed", { seat });
        else if (end === null || !after(link).equals(end)) this.fail("link", { seat });
        else this.made.set(seat, link);
    }

    cut(links) {
        for (let seat = 0; seat < Math.max(this.promised.length, links.length); seat++) {
            const end = this.promised[seat] ?? null;
            const link = links[seat] ?? null;
            const isGood = link === null || end === null ? link === end : after(link).equals(end);
            const isOther = this.made.has(seat) && !(link !== null && this.made.get(seat).equals(link));
            if (!isGood || isOther) this.fail("link", { seat });
        }
        this.basis = basisOf(this.viewer.table, this.number, this.roots, this.to, this.cards, links);
        this.draw = drawOf(this.basis, this.cards.length);
        this.slots = new Map(this.draw.order.map((position, slot) => [position, slot]));
        for (const told of this.waiting.splice(0)) this.open(told);
    }

    callOff(seeds) {
        this.isVoid = true;
        if (!seeds) return this.fail("not_turned");
        this.isTurned = seeds.every((seed, pack) => this.packOf(seed, pack).root.equals(this.roots[pack]));
        if (!this.isTurned) this.fail("turned");
    }

    packOf(seed, pack) {
        return laid(bytesOf(seed), this.viewer.table, this.number, pack, this.cards, this.misdeals > 0);
    }

    // --- openings ---

    open(told) {
        if (this.draw === null) {
            this.waiting.push(told);
            return;
        }
        if (told.turned && this.isRight(told.turned, 1 - this.draw.pack)) this.isTurned = true;
        if (told.played && this.isRight(told.played, this.draw.pack)) this.isWhole = true;
        if (told.accident) this.openAccident(told.accident);
        for (const opening of told.openings ?? []) this.openOne(opening);
    }

    isRight(whole, pack) {
        if (whole.pack !== pack) {
            this.fail("pack");
            return false;
        }
        const { root, salts } = this.packOf(whole.seed, pack);
        if (!root.equals(this.roots[pack])) {
            this.fail("turned");
            return false;
        }
        if (pack !== this.draw.pack) {
            this.turnedSalts = new Set(salts.map(hex));
            const opened = [...this.opened.values()];
            for (const { card, salt } of opened) if (this.turnedSalts.has(salt)) this.fail("salt", { card });
        }
        return true;
    }

    isInPack(leaf, position, path) {
        const root = openedRoot(leaf, position, this.cards.length + (this.misdeals > 0 ? 1 : 0), path);
        return root !== null && root.equals(this.roots[this.draw.pack]);
    }

    openAccident({ salt, path }) {
        const behind = this.cards.length;
        const leaf = accidentLeafOf(this.viewer.table, this.number, this.draw.pack, behind, bytesOf(salt));
        if (this.isInPack(leaf, behind, path)) this.accidentSalt = bytesOf(salt);
        else this.fail("leaf");
    }

    openOne(opening) {
        const { position, card, path } = opening;
        const salt = hex(bytesOf(opening.salt));
        const known = this.opened.get(position);
        if (known?.card === card && known.salt === salt) return;
        if (known && known.card !== card) return this.fail("position", { card });
        const leaf = leafOf(this.viewer.table, this.number, this.draw.pack, position, card, bytesOf(opening.salt));
        if (position >= this.cards.length || !this.isInPack(leaf, position, path)) return this.fail("leaf", { card });
        if (!this.positions.has(card)) this.positions.set(card, position);
        if (this.positions.get(card) !== position) return this.fail("repeated", { card });
        if (this.viewer.salts.has(salt) || this.turnedSalts.has(salt)) this.fail("salt", { card });
        this.opened.set(position, { card, salt });
        this.viewer.salts.add(salt);
    }

    // --- cards ---

    deal(counts) {
        if (this.held.length || this.isStock) return this.fail("to");
        this.held.push(...this.to);
        this.accident = this.decided();
        this.awaitsAccident = this.accident !== null;
        const hasMore = this.accident !== null && hasOneMore(this.accident.law) ? this.accident.seat : null;
        for (let seat = 0; seat < Math.max(counts.length, 1 + Math.max(-1, ...this.to)); seat++) {
            const due = this.to.filter((one) => one === seat).length + (seat === hasMore ? 1 : 0);
            if ((counts[seat] ?? 0) !== due) this.fail("to", { seat });
            else if (seat === hasMore) this.held.push(seat);
        }
    }

    decided() {
        if (!this.misdeals) return null;
        if (this.accidentSalt === null) {
            this.fail("accident");
            return null;
        }
        const luck = luckOf(this.accidentSalt, this.basis);
        const cardsEach = Math.floor(this.to.length / this.players.length);
        return accidentOf(luck, this.misdeals, this.players.at(-1), this.adversaries, cardsEach);
    }

    slotsOf(seat) {
        return [...this.held.keys()].filter((slot) => this.held[slot] === seat);
    }

    tellAccident({ law, seat, card }) {
        const decided = this.awaitsAccident ? this.accident : null;
        this.awaitsAccident = false;
        if (decided === null || decided.law !== law || decided.seat !== seat) return this.fail("accident", { seat });
        if (card && (law === ANOTHERS_CARD || law === OWN_CARD)) {
            this.slotOf.set(card, this.slotsOf(seat)[decided.card]);
        }
    }

    drawExtra(seat) {
        const decided = this.accident;
        if (decided === null || decided.seat !== seat || !hasOneMore(decided.law)) {
            return this.fail("accident", { seat });
        }
        const slot = this.slotsOf(seat)[decided.card];
        if (slot !== undefined) this.held[slot] = null;
    }

    // Whether the next slot can be this seat's; `inTurn`: cards go round the seats of the seal.
    takeSlot(seat, inTurn) {
        const slot = this.held.length;
        const named = inTurn ? (this.to[slot % this.to.length] ?? "nobody's") : this.to[slot];
        if (slot >= this.cards.length || (named !== undefined && named !== seat)) {
            this.fail("to", seat === null ? {} : { seat });
            return false;
        }
        this.held.push(seat);
        return true;
    }

    turnNext(seat, card, inTurn) {
        if (!this.takeSlot(seat, inTurn)) return;
        this.show(card, seat, true);
        this.out.add(card);
    }

    // `since`: it was dealt just now, from this slot on; null: it may have been seen before.
    show(card, seat, isDue, since = null) {
        if (!this.cards.includes(card)) return this.fail("strange", { card });
        if (this.out.has(card)) return this.fail("repeated", { card });
        if (!this.at.has(card)) this.at.set(card, seat);
        // A card that an accident showed may have been given away unseen.
        if (this.at.get(card) !== seat && this.takeGift(this.at.get(card), seat)) this.at.set(card, seat);
        if (this.at.get(card) !== seat) return this.fail("holder", seat === null ? { card } : { card, seat });
        if (this.proofs.has(card)) return since === null ? undefined : this.fail("repeated", { card });
        this.proofs.set(card, false);
        if (isDue || !this.isLate) this.prove(card, seat, since ?? 0);
        else this.due.push([card, seat]);
    }

    prove(card, seat, since = 0) {
        const about = seat === null ? { card } : { card, seat };
        const position = this.positions.get(card);
        if (position === undefined) return this.fail("unopened", about);
        const slot = this.slots.get(position);
        if (slot < since || !this.isOf(slot, seat)) return this.fail("holder", about);
        if (this.slotOf.has(card) && this.slotOf.get(card) !== slot) return this.fail("accident", about);
        this.proofs.set(card, true);
    }

    isOf(slot, seat) {
        if (slot >= this.held.length) return false;
        const dealtTo = this.held[slot];
        return dealtTo === seat || this.takeGift(dealtTo, seat);
    }

    // Whether a card that was not seen went from one to the other. It serves for one card.
    takeGift(from, to) {
        const gift = this.gifts.findIndex(([giver, given]) => giver === from && given === to);
        if (gift >= 0) this.gifts.splice(gift, 1);
        return gift >= 0;
    }

    end() {
        this.turnedSalts = new Set();
        for (const [card, seat] of this.due.splice(0)) this.prove(card, seat);
    }

    // A part of it is missing.
    giveUp(why) {
        this.due = [];
        this.awaitsAccident = false;
        this.why = why;
        this.isOver = true;
    }

    result(isFalse) {
        const result = { deal: this.number, status: "open" };
        if (isFalse) result.status = "false";
        else if (this.isVoid) result.status = "void";
        else if (this.why !== null) Object.assign(result, { status: "unproved", why: this.why });
        else if (this.isProved) result.status = "proved";
        if (this.draw !== null) result.words = this.draw.words;
        return result;
    }
}

const sameSeal = ({ deal, roots, to, cuts, cards = [], late = false, misdeals = 0, adversaries = [], stock = false }) =>
    JSON.stringify([deal, roots, to, cuts, cards, late, misdeals, adversaries, stock]);

// --- one hand --------------------------------------------------------------------------------------------------------

// The deals of a hand, and where its cards are as far as the viewer can know: what may be in a renewed stock.
class Hand {
    constructor(unknown = null) {
        this.unknown = unknown; // why a part of it is not known
        this.beside = []; // its deals in play but for the newest, the oldest first
        this.counts = new Map(); // by seat: cards in the hand
        this.holders = new Map(); // by card that the viewer saw: who has it
        this.back = new Set(); // cards that the viewer saw, and nobody has
        this.forgetDrawer();
    }

    forgetDrawer() {
        this.drawer = null; // who laid cards down and has yet to draw
        this.laying = []; // those of these cards that the viewer saw
        this.laid = 0;
        this.owed = 0;
    }

    // The newest deal that has the card.
    dealOf(card, newest) {
        const deals = [newest, ...this.beside.toReversed()];
        return deals.find((deal) => deal.cards.includes(card)) ?? (this.unknown === null ? deals.at(-1) : null);
    }

    note(event, shown) {
        const { event: name, seat } = event;
        for (const one of shown) {
            this.holders.set(one.card, one.seat);
            this.back.delete(one.card);
        }
        if (DEALS.has(name)) this.counts = new Map(event.counts.map((count, at) => [at, count]));
        for (const one of moreDealt(event)) {
            this.counts.set(one, (this.counts.get(one) ?? 0) + 1);
            if (one === this.drawer) this.owed -= 1;
        }
        const isDrawn = name === "primero.more_dealt" || name === "primero.drew";
        if (isDrawn && this.drawer !== null && this.owed <= 0) this.putBack();
        if (name === "primero.traded") {
            this.putBack();
            this.counts.set(seat, (this.counts.get(seat) ?? 0) - event.count);
            this.drawer = seat;
            this.laid = this.owed = event.count;
            this.laying = event.cards ?? [];
            for (const card of this.laying) this.holders.delete(card);
        }
        if (name === "primero.out") {
            for (const [card, holder] of [...this.holders]) {
                if (!event.seats.includes(holder)) continue;
                this.holders.delete(card);
                this.back.add(card);
            }
            for (const one of event.seats) this.counts.delete(one);
            if (event.seats.includes(this.drawer)) this.putBack();
        }
        if (PLAYS.has(name) && event.card) this.holders.delete(event.card);
    }

    putBack() {
        for (const card of this.laying) this.back.add(card);
        this.forgetDrawer();
    }

    mayRenew(cards, to) {
        if (this.unknown !== null) return true;
        const last = this.beside.at(-1);
        if (last === undefined || last.held.length !== last.cards.length || this.drawer === null) return false;
        const inHands = [...this.counts.values()].reduce((sum, count) => sum + count, 0);
        const isHeld = (card) => this.holders.has(card) || this.laying.includes(card);
        return (
            to.length === this.owed &&
            to.every((seat) => seat === this.drawer) &&
            cards.length === this.beside[0].cards.length - inHands - this.laid &&
            !cards.some(isHeld) &&
            [...this.back].every((card) => cards.includes(card))
        );
    }
}

// Who got the slots that an event deals, beyond those of the seal.
function moreDealt({ event, to, seat, count }) {
    if (event === "primero.more_dealt") return to;
    return event === "primero.drew" ? Array(count).fill(seat) : [];
}

// --- one viewer ------------------------------------------------------------------------------------------------------

class Viewer {
    constructor(head) {
        this.head = head;
        this.table = head.table;
        this.viewer = head.viewer === "gallery" ? null : head.viewer;
        this.seat = head.is_witness ? null : this.viewer; // whose cuts are known here
        this.end = hex(bytesOf(head.end));
        this.terms = head.game === undefined ? null : termsOf(head.game, head.options ?? {});
        this.isExhibition = head.is_exhibition ?? false;
        this.isCounted = head.is_counted ?? this.end !== null;
        this.isWithdrawn = false;
        this.hasDropped = false;
        this.isDrawing = false; // cards are drawn for the deal, from a pack without a seal
        this.isFresh = head.is_fresh !== undefined ? head.is_fresh : head.joins ? null : false; // whether the next hand was called afresh; null: not known
        this.gap = head.joins ? "joined" : null; // why the deal in play, if there is one, cannot be checked
        this.isAtFault = false; // the last seal was no good
        this.hand = new Hand(this.gap); // that is in play
        this.deals = new Map();
        this.log = []; // every deal, and every reason why cards were dealt unproved
        this.deal = null;
        this.last = null; // the number of the last seal
        this.cards = this.terms?.cards ?? null;
        this.roots = new Set();
        this.salts = new Set();
        this.gone = new Set();
        // By seat: deals called off because it did not cut, since it last cut one that was dealt.
        this.misses = new Map(Object.entries(head.misses ?? {}).map(([seat, count]) => [Number(seat), count]));
        this.hasLeft = false; // the last deal was called off by somebody's leaving, which a cut may have crossed
        this.given = null;
        this.calledOff = 0;
        this.findings = [];
        this.said = new Map(); // by deal
    }

    fail(deal, fault, about = {}) {
        const finding = { deal, fault, ...about };
        const said = this.said.get(deal) ?? new Set();
        this.said.set(deal, said);
        if (said.has(JSON.stringify(finding))) return;
        said.add(JSON.stringify(finding));
        this.findings.push(finding);
    }

    get result() {
        const deals = this.log.map((one) =>
            one instanceof Deal ? one.result(this.said.has(one.number)) : { deal: null, status: "unproved", why: one },
        );
        const count = (status) => deals.filter((deal) => deal.status === status).length;
        const sealed = this.log.filter((one) => one instanceof Deal);
        return {
            table: this.table,
            viewer: this.viewer ?? "gallery",
            findings: this.findings,
            deals,
            proved: count("proved"),
            unproved: count("unproved"),
            called_off: this.calledOff,
            unshown: sealed.flatMap((deal) => deal.unshown.map((card) => ({ deal: deal.number, card }))),
        };
    }

    // --- what the viewer does ---

    promise(end) {
        const next = hex(bytesOf(end));
        if (next === null) {
            this.isCounted = false;
            this.isWithdrawn = true;
        } else if (next !== this.end) {
            this.end = next;
            this.isCounted = this.isWithdrawn = false;
        }
    }

    count() {
        this.isCounted = this.end !== null && !this.isWithdrawn;
    }

    give(link, number) {
        if (link === null || link === undefined) return;
        this.end = hex(bytesOf(link));
        if (number === undefined || number === this.deal?.number) this.given = this.end;
    }

    // --- what the viewer is told ---

    take(event) {
        const { event: name } = event;
        if (name === "sealed") this.seal(event);
        else if (name === "cut_made") this.makeCut(event);
        else if (name === "cut") this.showCuts(event);
        else if (name === "void") this.voidDeal(event);
        else if (name === "sat") {
            this.gone.delete(event.seat);
            this.misses.delete(event.seat);
        } else if (name === "started") {
            this.gone.clear();
            this.isFresh = false;
        } else if (GAME.has(name)) this.see(event);
    }

    // The deal that was being cut when the viewer came.
    join(sealed, links) {
        const own = this.seat === null ? null : (sealed.cuts[this.seat] ?? null);
        if (own === null) this.hand.unknown ??= "joined";
        else if (hex(bytesOf(own)) !== this.end) return; // from a chain of another process of theirs
        this.seal(sealed);
        this.makeAll(links);
    }

    // The table shown anew.
    look(sealed, links, isInPlay) {
        const deal = this.deal;
        if (!this.hasDropped) this.fail(this.last ?? 0, "snapshot");
        if (deal === null || sealed === null || deal.told !== sameSeal(sealed)) {
            if (deal !== null && sealed !== null && deal.number === sealed.deal) this.fail(deal.number, "changed");
            this.breakOff(isInPlay && sealed === null ? "missed" : null);
            if (sealed !== null) this.seal(sealed);
        }
        this.makeAll(links);
    }

    makeAll(links) {
        links.forEach((link, seat) => {
            if (link === null || this.deal === null) return;
            const known = this.deal.made.get(seat);
            if (!known?.equals(bytesOf(link))) this.makeCut({ deal: this.deal.number, seat, link });
        });
    }

    breakOff(gap) {
        const isBroken = this.giveUpHand("missed");
        this.leave("missed");
        this.last = null;
        this.gap = isBroken ? null : gap;
        this.isAtFault = this.isCounted = false;
        this.isFresh = null;
        this.gone.clear();
        this.misses.clear();
        this.hasLeft = true; // for all that is known
    }

    seal(told) {
        const number = told.deal;
        if (this.deal && this.deal.draw === null) {
            if (this.deal.number === number) return this.fail(number, "changed");
            this.fail(this.deal.number, "left_open");
        }
        const isStock = told.stock ?? false;
        if (isStock) this.setAside();
        else this.leave();
        this.gap = null;
        this.isAtFault = true; // until it is found good
        if (number <= (this.last ?? Math.max(0, ...this.deals.keys()))) {
            this.fail(number, "number");
            return this.leave();
        }
        if (this.last !== null && number !== this.last + 1) this.fail(number, "number");
        this.last = number;
        const cards = told.cards?.length ? told.cards : FULL_PACK;
        const wrong = this.wrongIn(told, cards, isStock);
        if (wrong !== null) {
            this.fail(number, wrong);
            return this.leave();
        }
        const dealtTo = isStock ? [] : told.to; // who draws may have left, and plays no more
        const gone = [...this.gone].filter((seat) => dealtTo.includes(seat)).sort((one, other) => one - other);
        for (const seat of gone) this.fail(number, "gone", { seat });
        const cutters = [...told.cuts.keys()].filter((seat) => told.cuts[seat] !== null);
        for (const seat of [...new Set([...dealtTo, ...cutters])].sort((one, other) => one - other)) {
            if ((this.misses.get(seat) ?? 0) >= MISSES) this.fail(number, "let_off", { seat });
        }
        const roots = told.roots.map((root) => hex(bytesOf(root)));
        if (roots[0] === roots[1] || roots.some((root) => this.roots.has(root))) this.fail(number, "root");
        for (const root of roots) this.roots.add(root);
        this.isAtFault = false;
        this.deal = new Deal(this, told, cards);
        if (isStock) this.deal.unknown = this.hand.unknown;
        this.deals.set(number, this.deal);
        this.log.push(this.deal);
        const promised = this.seat === null ? null : (this.deal.promised[this.seat] ?? null);
        const isWrong = (promised !== null && this.end === null) || (promised === null && this.isCounted);
        if (isWrong && this.seat !== null) this.fail(number, "own_link", { seat: this.seat });
        this.isCounted = promised !== null && !this.isWithdrawn;
        if (this.deals.size > KEPT) this.forget(Math.min(...this.deals.keys()));
    }

    // Why a seal is not checked further: null, if it is.
    wrongIn(told, cards, isStock) {
        if (!isPack(cards, told.to)) return "cards";
        const known = this.cards ?? cards;
        const isGood = isStock
            ? cards.join() === inOrder(cards).join() && cards.every((card) => known.includes(card))
            : cards.join() === known.join();
        if (!isGood) return "cards";
        if (!isStock) this.cards = cards;
        if (!this.isOfTerms(told)) return "terms";
        return isStock && !this.hand.mayRenew(cards, told.to) ? "stock" : null;
    }

    isOfTerms({ to, late = false, misdeals = 0, adversaries = [], stock = false }) {
        const terms = this.terms;
        if (terms !== null && (late !== terms.late || (misdeals !== 0 && misdeals !== terms.misdeals))) return false;
        if (stock && (misdeals !== 0 || (terms !== null && !terms.renews))) return false;
        if (misdeals === 0) return true;
        const players = [...new Set(to)];
        const isInTurn = to.length % players.length === 0 && to.every((seat, at) => seat === players[at % players.length]);
        if (players.length < 2 || !isInTurn) return false;
        const dealer = players.pop();
        const against = players.filter((seat) => !late || (seat - dealer) % 2 !== 0);
        return against.length > 0 && against.join() === adversaries.join();
    }

    forget(number) {
        const deal = this.deals.get(number);
        this.deals.delete(number);
        for (const { salt } of deal.opened.values()) this.salts.delete(salt);
        for (const root of deal.roots) this.roots.delete(hex(root));
    }

    dealTold(number) {
        if (this.deal?.number === number) return this.deal;
        if (this.gap === null && !this.isAtFault) this.fail(number, "not_sealed");
        return null;
    }

    makeCut({ deal: number, seat, link }) {
        const deal = this.dealTold(number);
        if (deal === null) return;
        const isOwn = seat === this.seat;
        if (isOwn && hex(bytesOf(link)) !== this.given) this.fail(number, "own_link", { seat });
        deal.makeCut(seat, bytesOf(link));
    }

    showCuts(told) {
        const deal = this.dealTold(told.deal);
        if (deal === null) return;
        if (deal.draw !== null) return this.fail(deal.number, "changed");
        const links = told.links.map(bytesOf);
        const isOwn = this.seat === null || hex(links[this.seat] ?? null) === this.given;
        if (!isOwn) this.fail(deal.number, "own_link", { seat: this.seat });
        deal.cut(links);
        this.hasLeft = false;
        links.forEach((link, seat) => {
            if (link !== null) this.misses.delete(seat);
        });
    }

    voidDeal({ deal: number, seats = [], left = [], seeds }) {
        const deal = this.dealTold(number);
        if (deal === null) return;
        if (deal.draw !== null || deal.missing.length === 0) this.fail(number, "voided");
        else if (!this.isReason(deal, seats, left)) this.fail(number, "blame");
        deal.callOff(seeds);
        this.calledOff += 1;
        if (!this.hasLeft) for (const seat of seats) this.misses.set(seat, (this.misses.get(seat) ?? 0) + 1);
        this.hasLeft = left.length > 0;
        for (const seat of left) this.gone.add(seat);
        deal.end();
        if (deal.held.length) this.settle(deal);
        this.deal = this.hand.beside.pop() ?? null; // the hand is in play as it was before
        this.given = null;
        if (this.seat !== null && seats.includes(this.seat)) this.isCounted = false;
    }

    isReason(deal, seats, left) {
        if (seats.length + left.length === 0) return false;
        if (this.given !== null && seats.includes(this.seat)) return false;
        const { missing } = deal;
        const canLeave = left.every((seat) => seat < deal.promised.length && !this.gone.has(seat));
        return canLeave && seats.every((seat) => missing.includes(seat));
    }

    open(told) {
        const deal = this.deals.get(told.deal);
        if (deal) deal.open(told);
        else if (this.last !== null && told.deal > this.last) this.fail(told.deal, "not_sealed");
    }

    // --- cards ---

    see(event) {
        const { event: name } = event;
        if (this.deal?.isOver && (DEALS.has(name) || DRAWS.has(name))) this.leave();
        if (this.deal === null) this.seeUnchecked(name);
        else this.seeIn(this.deal, event);
        if (DEALS.has(name) || ["fresh_deal", "game", "over"].includes(name)) this.isFresh = name === "fresh_deal";
    }

    seeIn(deal, event) {
        const { event: name } = event;
        const shown = this.cardsShown(event);
        const isDealt = DEALS.has(name) || ["primero.more_dealt", "primero.drew", "primero.stock_renewed"].includes(name);
        if (isDealt || shown.length) {
            if (deal.draw === null) {
                this.fail(deal.number, "not_cut");
                return this.leave();
            }
            if (!deal.isTurned) this.fail(deal.number, "not_turned");
        }
        if (deal.awaitsAccident && name !== "accident") {
            deal.awaitsAccident = false;
            deal.fail("accident");
        }
        if (name === "accident") deal.tellAccident(event);
        const isTurnedUp = DRAWS.has(name) || (name === "accident" && event.law === FACED_CARD);
        if (isTurnedUp) for (const { card, seat } of shown) deal.turnNext(seat, card, name.endsWith("turned_up"));
        const more = name === "primero.more_dealt" || name === "primero.drew";
        const since = more ? deal.held.length : null;
        for (const seat of moreDealt(event)) deal.takeSlot(seat, false);
        if (name === "primero.stock_renewed") {
            if (!deal.isStock || deal.held.length) return this.drawUnsealed();
            if (event.stock !== deal.cards.length) deal.fail("stock");
        }
        if (DEALS.has(name)) {
            const chance = this.isFresh ? 0 : this.terms?.misdeals;
            if (this.terms !== null && this.isFresh !== null && deal.misdeals !== chance) deal.fail("accident");
            deal.deal(event.counts);
            if (shown.length && deal.awaitsAccident) deal.fail("accident");
        }
        if (name === "extra_drawn") deal.drawExtra(event.seat);
        if (!isTurnedUp) this.showAll(deal, shown, since);
        this.hand.note(event, shown);
        const away = name === "primero.traded" ? (event.cards ?? []) : PLAYS.has(name) && event.card ? [event.card] : [];
        for (const card of away) this.hand.dealOf(card, deal)?.out.add(card);
        if (name === "gave") {
            if (event.card) deal.at.set(event.card, event.to);
            else deal.gifts.push([event.seat, event.to]);
        }
        if (ENDS.has(name)) {
            for (const one of [...this.hand.beside, deal]) {
                one.end();
                this.settle(one);
            }
        }
        if (DECIDES.has(name)) this.settle(deal);
    }

    showAll(deal, shown, since) {
        const known = (one) => JSON.stringify([one.card, one.seat, one.isOwn]);
        shown.forEach((one, at) => {
            const first = shown.findIndex((other) => known(other) === known(one));
            const isRepeated = shown.some((other, place) => place > at && known(other) === known(one));
            if (first === at && isRepeated) deal.fail("repeated", { card: one.card });
        });
        for (const { card, seat, isOwn } of shown) {
            const isNew = isOwn && since !== null;
            const owner = isNew ? deal : this.hand.dealOf(card, deal);
            owner?.show(card, seat, isOwn, isNew ? since : null);
        }
    }

    // Cards without a seal that is known.
    seeUnchecked(name) {
        const wasDrawing = this.isDrawing;
        this.isDrawing = DRAWS.has(name);
        if (wasDrawing && this.isDrawing) return; // a draw that is tied is one deal
        if (this.gap !== null) {
            this.log.push(this.gap);
            this.gap = null;
            return;
        }
        if (!DEALS.has(name) && !DRAWS.has(name)) return;
        if (this.isAtFault) return;
        if (this.isCounted) return this.fail(this.last ?? 0, "not_sealed");
        const why = this.whyUnsealed();
        this.log.push(why);
        this.hand = new Hand(why);
    }

    whyUnsealed() {
        if (this.isExhibition) return "exhibition";
        return this.end === null ? "not_sealed" : "not_counted";
    }

    // The stock was renewed without a seal: whoever takes part has none such, and others can check no more of the hand.
    drawUnsealed() {
        if (this.isCounted) {
            this.fail(this.last ?? 0, "not_sealed");
            return this.leave();
        }
        const why = this.whyUnsealed();
        this.giveUpHand(why);
        this.leave(why);
    }

    get dealsInHand() {
        return [...this.hand.beside, ...(this.deal === null ? [] : [this.deal])];
    }

    // The stock of the hand in play is sealed anew: its deals stay beside the new one.
    setAside() {
        if (this.deal?.isOver) return this.leave();
        if (this.deal?.draw) this.hand.beside.push(this.deal);
        if (this.deal !== null) this.given = null;
        this.deal = null;
    }

    giveUpHand(why) {
        const broken = this.dealsInHand.filter((deal) => !deal.isOver);
        for (const deal of broken) deal.giveUp(why);
        return broken.length > 0;
    }

    // The cards that an event shows to this viewer, and who holds each: null, that nobody does.
    cardsShown(event) {
        const { event: name, card, cards = [], seat, seats } = event;
        const all = (list, holder, isOwn = false) => list.map((one) => ({ card: one, seat: holder, isOwn }));
        if (DRAWS.has(name)) return seats.slice(0, cards.length).flatMap((one, at) => all([cards[at]], one));
        if (DEALS.has(name) || name === "taken_up" || name === "primero.more_dealt") return all(cards, this.viewer, true);
        if (name === "primero.drew") return all(cards, seat, seat === this.viewer);
        if (name === "primero.traded" || name === "triomphe.declared") return all(cards, seat);
        if (name === "primero.showdown") return event.hands.flatMap((hand) => all(hand.cards, hand.seat));
        const one = ["accident", "gave", "discarded", "played", "triomphe.la_mort", "triomphe.played"];
        if (!one.includes(name) || !card) return [];
        return [{ card, seat: name === "accident" && event.law === FACED_CARD ? null : seat, isOwn: false }];
    }

    settle(deal) {
        if (deal.isOver) return;
        deal.isOver = true;
        const isProved = deal.isTurned && [...deal.proofs.values()].every(Boolean) && !this.said.has(deal.number);
        if (this.terms === null) deal.why = "pack";
        else if (deal.unknown !== null) deal.why = deal.unknown;
        else deal.isProved = isProved && deal.why === null;
    }

    // What comes next is of another hand; `unknown`: or of this one, and not all of it is known.
    leave(unknown = null) {
        for (const deal of this.dealsInHand) {
            deal.end();
            if (deal.held.length) this.settle(deal);
        }
        this.deal = null;
        this.given = null;
        this.hand = new Hand(unknown);
    }
}

function isPack(cards, to) {
    const isOfCards = cards.every((card) => PLACES.has(card)) && new Set(cards).size === cards.length;
    return isOfCards && cards.length >= Math.max(1, to.length) && cards.length <= 256;
}

const inOrder = (cards) => [...cards].sort((one, other) => PLACES.get(one) - PLACES.get(other));

// --- a record --------------------------------------------------------------------------------------------------------

// One file: the viewers that it begins, and which of its lines each of them is told.
class Recording {
    constructor() {
        this.viewers = [];
        this.at = new Map(); // by table
        this.latest = null;
        this.isWelcome = false;
        this.ends = new Map(); // by table: what the viewer promised when they asked for a seat
        this.asked = new Map(); // by id: requests that were not answered yet
        this.beginsAnew = new Set(); // tables at which the viewer has asked to be somebody else
        this.untold = new Set(); // viewers of a head line who were told nothing yet
    }

    take(line) {
        if (line.event !== undefined) return this.viewerOf(line).take(line);
        const { type, table } = line;
        if (type === "viewer") this.begin(line, true);
        else if (type === "welcome") this.welcome(line);
        else if (type === "table") this.show(line);
        else if (type === "events") this.tellAll(line);
        else if (type === "openings") this.at.get(table)?.open(line);
        else if (type === "left") this.forget(table);
        else if (["sit", "watch", "leave", "stand"].includes(type)) this.ask(line);
        else if (type === "promise") {
            this.actor(table)?.promise(line.end);
            if (line.id !== undefined) this.asked.set(line.id, line);
        } else if (type === "cut") this.actor(table)?.give(line.link, line.deal);
        else if (type === "counted") this.viewerOf(line).count();
        else if (type === "dropped") this.viewerOf(line).hasDropped = true;
        else if (type === "ok" || type === "refused") this.answer(line);
    }

    viewerOf(line) {
        const viewer = line.table === undefined ? this.latest : this.at.get(line.table);
        if (!viewer) throw new Error("nothing before it says who the viewer is");
        this.untold.delete(viewer);
        return viewer;
    }

    // Who does something; null: they are at no table that is known.
    actor(table) {
        const viewer = this.at.get(table ?? this.latest?.table) ?? null;
        this.untold.delete(viewer);
        return viewer;
    }

    begin(head, isUntold) {
        this.latest = new Viewer(head);
        this.viewers.push(this.latest);
        this.at.set(head.table, this.latest);
        this.beginsAnew.delete(head.table);
        this.ends.delete(head.table);
        if (isUntold) this.untold.add(this.latest);
    }

    forget(table) {
        this.at.delete(table);
        this.ends.delete(table);
    }

    welcome({ tables }) {
        if (this.isWelcome) {
            for (const viewer of this.viewers) viewer.hasDropped = true;
            if (tables) for (const table of this.at.keys()) if (!tables.includes(table)) this.forget(table);
        }
        this.isWelcome = true;
    }

    ask(line) {
        this.beginsAnew.add(line.table);
        if (line.type === "sit") this.ends.set(line.table, line.end ?? null);
        if (line.id !== undefined) this.asked.set(line.id, line);
    }

    answer({ type, id }) {
        const asked = this.asked.get(id);
        this.asked.delete(id);
        if (asked?.type === "promise") {
            if (type === "ok") this.at.get(asked.table)?.count();
        } else if (asked && type === "refused") {
            this.beginsAnew.delete(asked.table);
            if (asked.type === "sit") this.ends.delete(asked.table);
        }
    }

    show({ table, viewer, info, sealed = null, links = [] }) {
        const known = this.at.get(table);
        const isInPlay = info.state === "playing" || info.state === "paused";
        const isSame = known && !this.beginsAnew.has(table) && (known.viewer ?? "gallery") === viewer;
        if (isSame && !this.untold.has(known)) {
            known.look(sealed, links, isInPlay);
            known.hasDropped = false;
            return;
        }
        const { game, options = {} } = info;
        const isExhibition = info.is_exhibition ?? false;
        const end = this.ends.get(table) ?? null;
        const head = { table, viewer, end, game, options, joins: isInPlay && end === null, is_exhibition: isExhibition };
        if (isSame) {
            // The line before it tells more of the viewer than this message does.
            this.viewers.splice(this.viewers.indexOf(known), 1);
            Object.assign(head, known.head);
        }
        this.begin(head, false);
        if (sealed !== null) this.latest.join(sealed, links);
    }

    tellAll({ table, events }) {
        const viewer = this.at.get(table);
        if (!viewer) return;
        this.untold.delete(viewer);
        for (const event of events) viewer.take(event);
        viewer.hasDropped = false;
    }
}

// --- the vectors -----------------------------------------------------------------------------------------------------

function vectorsAmiss(vectors) {
    const amiss = [];
    const compare = (what, mine, written) => {
        if (JSON.stringify(mine) !== JSON.stringify(written)) amiss.push(what);
    };
    const bytes = (text) => Buffer.from(text, "hex");
    const { secret, links } = vectors.chain;
    let link = bytes(secret);
    for (let number = 0; number <= Math.max(...Object.keys(links)); number++) {
        if (number in links) compare(`chain ${number}`, hex(link), links[number]);
        link = after(link);
    }
    for (const [eight, words] of Object.entries(vectors.words)) compare(`words ${eight}`, wordsOf(bytes(eight)), words);
    const compareDeal = (name, deal) => {
        const cards = deal.cards.length ? deal.cards : FULL_PACK;
        const hasAccidents = deal.accident !== undefined;
        const size = cards.length + (hasAccidents ? 1 : 0);
        const roots = deal.packs.map((written, pack) => {
            const seed = seedOf(bytes(deal.secret), deal.table, deal.deal, pack);
            const made = laid(seed, deal.table, deal.deal, pack, cards, hasAccidents);
            compare(`${name} pack ${pack} seed`, hex(seed), written.seed);
            compare(`${name} pack ${pack} cards`, made.cards, written.cards);
            compare(`${name} pack ${pack} first salt`, hex(made.salts[0]), written.first_salt);
            compare(`${name} pack ${pack} root`, hex(made.root), written.root);
            return made.root;
        });
        const shown = deal.links.map((text) => (text === null ? null : bytes(text)));
        const basis = basisOf(deal.table, deal.deal, roots, deal.to, cards, shown);
        const drawn = drawOf(basis, cards.length);
        compare(`${name} words`, drawn.words, deal.words);
        compare(`${name} pack`, drawn.pack, deal.pack);
        compare(`${name} order`, drawn.order, deal.order);
        const comparePath = (what, leaf, position, path) => {
            const steps = path.map(bytes);
            const root = rootBy(leaf, position, size, steps);
            compare(`${what} path`, [hex(root), steps.length], [hex(roots[drawn.pack]), 0]);
        };
        for (const { slot, position, card, salt, leaf, path } of deal.openings) {
            compare(`${name} slot ${slot}`, drawn.order[slot], position);
            const made = leafOf(deal.table, deal.deal, drawn.pack, position, card, bytes(salt));
            compare(`${name} slot ${slot} leaf`, hex(made), leaf);
            comparePath(`${name} slot ${slot}`, made, position, path);
        }
        if (!hasAccidents) return;
        const { position, salt, leaf, path, luck } = deal.accident;
        const made = accidentLeafOf(deal.table, deal.deal, drawn.pack, cards.length, bytes(salt));
        compare(`${name} accident position`, cards.length, position);
        compare(`${name} accident leaf`, hex(made), leaf);
        comparePath(`${name} accident`, made, position, path);
        compare(`${name} accident luck`, luckOf(bytes(salt), basis).toString(16).padStart(16, "0"), luck);
    };
    vectors.deals.forEach((deal, at) => compareDeal(`deal ${at}`, deal));
    compareDeal("deal with accidents", vectors.accidents.deal);
    vectors.accidents.lucks.forEach(({ luck, misdeals, dealer, adversaries, cards_each: each, decides }, at) => {
        const made = accidentOf(BigInt(`0x${luck}`), misdeals, dealer, adversaries, each);
        compare(`luck ${at}`, made && [made.law, made.seat, made.card], decides && [decides.law, decides.seat, decides.card]);
    });
    return amiss;
}

// --- the command -----------------------------------------------------------------------------------------------------

function verified(args) {
    const answer = { vectors: [], viewers: [] };
    let isUnshownFalse = false;
    while (args.length) {
        const arg = args.shift();
        if (arg === "--unshown") isUnshownFalse = true;
        else if (arg === "--vectors") answer.vectors = vectorsAmiss(JSON.parse(readFileSync(args.shift(), "utf-8")));
        else {
            const recording = new Recording();
            readFileSync(arg, "utf-8")
                .split("\n")
                .forEach((line, at) => {
                    if (!line.trim()) return;
                    try {
                        recording.take(JSON.parse(line));
                    } catch (error) {
                        throw new Error(`${arg}, line ${at + 1}: ${error.message}`, { cause: error });
                    }
                });
            answer.viewers.push(...recording.viewers.map((viewer) => viewer.result));
        }
    }
    const isAnyFalse = ({ findings, unshown }) => findings.length || (isUnshownFalse && unshown.length);
    if (answer.vectors.length || answer.viewers.some(isAnyFalse)) process.exitCode = 1;
    else if (answer.viewers.some(({ unproved }) => unproved)) process.exitCode = 2;
    return answer;
}

try {
    console.log(JSON.stringify(verified(process.argv.slice(2))));
} catch (error) {
    console.error(`verify.mjs: ${error.message}`);
    process.exitCode = 3;
}

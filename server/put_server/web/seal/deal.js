// @ts-nocheck: what it reads may be anything, and it is compared with the server's own checker over thousands of games.

// One sealed deal, from its seal to its last card; and one hand, in which there may be several.

import { bytesOf, hex, isEqual } from "../blind/bytes.js";
import { ANOTHERS_CARD, OWN_CARD, accidentLeafOf, accidentOf, after, basisOf, drawOf, hasOneMore, laid, leafOf, luckOf, openedRoot } from "./mathematics.js";

export class Deal {
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

    // --- cuts ---

    makeCut(seat, link) {
        const end = this.promised[seat] ?? null;
        const isOther = this.made.has(seat) && !isEqual(this.made.get(seat), link);
        if (this.draw !== null || isOther) this.fail("changed", { seat });
        else if (end === null || !isEqual(after(link), end)) this.fail("link", { seat });
        else this.made.set(seat, link);
    }

    cut(links) {
        for (let seat = 0; seat < Math.max(this.promised.length, links.length); seat++) {
            const end = this.promised[seat] ?? null;
            const link = links[seat] ?? null;
            const isGood = link === null || end === null ? link === end : isEqual(after(link), end);
            const isOther = this.made.has(seat) && !(link !== null && isEqual(this.made.get(seat), link));
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
        this.isTurned = seeds.every((seed, pack) => isEqual(this.packOf(seed, pack).root, this.roots[pack]));
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
        if (!isEqual(root, this.roots[pack])) {
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
        return root !== null && isEqual(root, this.roots[this.draw.pack]);
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
        if (this.isOver) this.checkShown();
    }

    // The hand is over: a card that was opened and that no event has shown is one that a player meant to keep.
    checkShown() {
        if (this.why !== null) return;
        for (const card of this.positions.keys()) if (!this.at.has(card)) this.fail("unshown", { card });
    }

    // --- cards ---

    // A step that says whose the next slots are; it goes before the cards that its event shows.
    take(step, shown) {
        BEFORE_CARDS[step.step]?.(this, step, shown);
    }

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
        const named = inTurn ? (this.to[slot % this.to.length] ?? "no seat") : this.to[slot];
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

    // What is not proved of a card that is on the table: "", "awaited" or "unproved"; undefined: it is not of this deal.
    doubtOf(card) {
        return this.proofs.has(card) ? (this.proofs.get(card) ? "" : this.isOver ? "unproved" : "awaited") : undefined;
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

const BEFORE_CARDS = {
    HandsDealt(deal, { counts }, shown) {
        deal.deal(counts);
        if (shown.length && deal.awaitsAccident) deal.fail("accident");
    },
    MoreDealt(deal, { to }) {
        for (const seat of to) deal.takeSlot(seat, false);
    },
    TurnedUp(deal, { in_turn: inTurn = false }, shown) {
        for (const { card, seat } of shown) deal.turnNext(seat, card, inTurn);
    },
    StockRenewed(deal, { count }) {
        if (count !== deal.cards.length) deal.fail("stock");
    },
    AccidentTold: (deal, step) => deal.tellAccident(step),
    ExtraTaken: (deal, { seat }) => deal.drawExtra(seat),
};

export const sameSeal = ({ deal, roots, to, cuts, cards = [], late = false, misdeals = 0, adversaries = [], stock = false }) =>
    JSON.stringify([deal, roots, to, cuts, cards, late, misdeals, adversaries, stock]);

// --- one hand ---

// The deals of a hand, and where its cards are as far as the viewer can know: what may be in a renewed stock.
export class Hand {
    constructor(unknown = null) {
        this.unknown = unknown; // why a part of it is not known
        this.beside = []; // its deals in play but for the newest, the oldest first
        this.counts = new Map(); // by seat: cards in the hand
        this.holders = new Map(); // by card that the viewer saw: who has it
        this.back = new Set(); // cards that the viewer saw, and no player has
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

    note(shown, steps) {
        for (const one of shown) {
            this.holders.set(one.card, one.seat);
            this.back.delete(one.card);
        }
        for (const step of steps) NOTES[step.step]?.(this, step, shown);
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

// What a hand notes of the steps.
const NOTES = {
    HandsDealt(hand, { counts }) {
        hand.counts = new Map(counts.map((count, seat) => [seat, count]));
    },
    MoreDealt(hand, { to }) {
        for (const seat of to) {
            hand.counts.set(seat, (hand.counts.get(seat) ?? 0) + 1);
            if (seat === hand.drawer) hand.owed -= 1;
        }
        if (hand.drawer !== null && hand.owed <= 0) hand.putBack();
    },
    LaidDown(hand, { seat, count, cards = [] }) {
        hand.putBack();
        hand.counts.set(seat, (hand.counts.get(seat) ?? 0) - count);
        hand.drawer = seat;
        hand.laid = hand.owed = count;
        hand.laying = cards;
        for (const card of cards) hand.holders.delete(card);
    },
    WentOut(hand, { seats }) {
        for (const [card, holder] of [...hand.holders]) {
            if (!seats.includes(holder)) continue;
            hand.holders.delete(card);
            hand.back.add(card);
        }
        for (const seat of seats) hand.counts.delete(seat);
        if (seats.includes(hand.drawer)) hand.putBack();
    },
    Gone(hand, _, shown) {
        for (const { card } of shown) hand.holders.delete(card);
    },
};

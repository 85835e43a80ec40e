// The hand in play of a deal that the server reads: which place each card may come from.
//
// The server knows the whole pack, and cannot choose it. So nothing may depend on its word: a card that it shows has to be
// opened by the shares of all, at a place that was dealt to who shows it. Places are dealt in order; a stock that is
// renewed is a deal of its own, which all have shuffled, and has the cards that came back.

import { nameOf } from "../card_names.js";
import { t } from "../words.js";
import { bytesOf } from "./bytes.js";
import { ifProved } from "./group.js";
import { READ } from "./transcript.js";

/** @import {Deal} from "./game.js" */

/** Something that an honest server does not tell; the message is a sentence. */
export class Unsound extends Error {
    /** Events of the message in which it was found, as far as they could be read. @type {TableEvent[] | undefined} */
    events;
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);

export class ReadHand {
    /** @param {Deal} deal */
    constructor(deal) {
        /** Its deals of which cards were told to be dealt, the oldest first. */
        this.deals = [deal];
        /** The last deal of the transcript. */
        this.newest = deal;
        /** The owner of each place that was dealt, by the deal and the place. @type {Map<string, number>} */
        this.owners = new Map();
        this.next = 0; // place of the newest deal
        /** Places of cards that were proved for the next events. @type {Map<string, string>} */
        this.opened = new Map();
        /** From whom to whom cards went unseen. @type {string[]} */
        this.passed = [];
        /** Cards in each hand. @type {number[]} */
        this.counts = [];
        this.laid = 0; // cards that the player who draws is laying down
        /** Cards that were seen, and whose hand they are in. @type {Map<string, number>} */
        this.seen = new Map();
    }

    /** @param {boolean} isSo @param {string} says the end of a sentence about the deal */
    demand(isSo, says) {
        if (!isSo) throw new Unsound(t`Deal ${this.newest.number}: ${says}.`);
    }

    /** @param {{deal: number, place: number, shares: string}[]} places @param {Deal} newest */
    open(places, newest) {
        this.newest = newest;
        this.opened.clear();
        for (const { deal: number, place, shares } of places) {
            const deal = [...this.deals, newest].find((one) => one.number === number);
            const card = ifProved(() => deal?.openedBy(place, /** @type {Uint8Array} */ (bytesOf(shares)))) ?? "";
            this.demand(card !== "", t`a card was opened by wrong shares`);
            this.opened.set(card, `${number} ${place}`);
        }
    }

    /** Check an event's cards, by its steps. @param {{card: string, seat: number | null}[]} shown @param {any[]} steps @param {Deal} newest */
    check(shown, steps, newest) {
        this.newest = newest;
        for (const { step, counts, to, count } of steps) {
            if (step === "HandsDealt") this.dealHands(counts);
            if (step === "MoreDealt") this.dealMore(to);
            if (step === "StockRenewed") this.renew(count);
        }
        const cards = shown.map(({ card }) => nameOf(card)).join(", ");
        for (const { card, seat } of shown) this.demand(this.show(card, seat), t`${cards} shown, and not dealt to who showed it`);
        for (const step of steps) this.take(step, shown);
    }

    /** @param {number[]} counts */
    dealHands(counts) {
        const [deal] = this.deals;
        const isSo = deal.isShared && counts.every((count, seat) => count === deal.hand(seat).length);
        this.demand(isSo && !this.counts.length, t`it was told to other players than it was dealt to`);
        const owners = deal.owners.slice(0, sum(counts));
        this.demand(!owners.includes(READ), t`its places were not dealt in order`);
        this.counts = counts.map(() => 0);
        this.dealMore(/** @type {number[]} */ (owners));
    }

    /** @param {number[]} to */
    dealMore(to) {
        const deal = this.deals[this.deals.length - 1];
        for (const seat of to) {
            this.demand(this.next < deal.cards.length && [READ, seat].includes(/** @type {number} */ (deal.owners[this.next])), t`more cards were dealt than are in the pack, or to others`);
            this.owners.set(`${deal.number} ${this.next++}`, seat);
            this.counts[seat] += 1;
        }
    }

    /** @param {number} count */
    renew(count) {
        const { newest } = this;
        this.demand(newest.isStock && !this.deals.includes(newest) && newest.isShared, t`the stock was renewed, and nobody shuffled it`);
        const isOut = this.next === this.deals[this.deals.length - 1].cards.length;
        const isBack = count === newest.cards.length && count === this.deals[0].cards.length - sum(this.counts) - this.laid;
        this.demand(isOut && isBack && !newest.cards.some((card) => this.seen.has(card)), t`the stock was renewed with other cards than came back`);
        this.deals.push(newest);
        this.next = 0;
    }

    /** Note a card as shown; false: it does not lie at a place of who shows it, or at one that was passed on to them.
     * @param {string} card @param {number | null} seat */
    show(card, seat) {
        const at = this.opened.get(card) ?? "";
        const owner = this.owners.get(at);
        if (owner === undefined || seat === null) return false;
        if (owner !== seat) {
            const passed = this.passed.indexOf(`${owner} ${seat}`);
            if (passed < 0) return false;
            this.passed.splice(passed, 1);
            this.owners.set(at, seat);
        }
        this.seen.set(card, seat);
        return true;
    }

    /** @param {any} step @param {{card: string}[]} shown */
    take({ step, seat, to, count, seats, cards = [] }, shown) {
        if (step === "PassedOn") this.passed.push(`${seat} ${to}`);
        if (step === "LaidDown") {
            this.counts[seat] -= count;
            this.laid = count;
            for (const card of cards) this.seen.delete(card);
        }
        if (step === "MoreDealt") this.laid = 0;
        if (step === "WentOut") {
            for (const one of seats) this.counts[one] = 0;
            for (const [card, holder] of this.seen) if (seats.includes(holder)) this.seen.delete(card);
        }
        if (step === "Gone") for (const { card } of shown) this.seen.delete(card);
    }
}

// @ts-nocheck: what it reads may be anything, and it is compared with the server's own checker over thousands of games.

// One viewer of a table: what they do and are told, and what is wrong with it.

import { bytesOf, hex, isEqual } from "../blind/bytes.js";
import { FULL_PACK, PLACES, termsOf } from "../blind/terms.js";
import { Deal, Hand, sameSeal } from "./deal.js";
import { beginsDeal, cardsShown, isDraw, isOfGame, stepsOf } from "../blind/events.js";
import { Shown } from "../blind/shown.js";

const KEPT = 256;
const MISSES = 2; // deals that a seat may have called off running; with the second its player has to leave

export class Viewer {
    constructor(head) {
        this.head = head;
        this.table = head.table;
        this.viewer = head.viewer === "gallery" ? null : head.viewer;
        this.seat = head.is_witness ? null : this.viewer; // whose cuts are known here
        this.end = hex(bytesOf(head.end));
        this.terms = head.game === undefined ? null : termsOf(head.game, head.options ?? {});
        this.isExhibition = head.is_exhibition ?? false;
        this.isBlind = head.options?.dealing === "blind"; // then nobody cuts, and nothing is sealed
        this.isCounted = head.is_counted ?? this.end !== null;
        this.isWithdrawn = false;
        this.hasDropped = false;
        this.isDrawing = false; // cards are drawn for the deal, from a pack without a seal
        this.isFresh = head.is_fresh !== undefined ? head.is_fresh : head.joins ? null : false; // whether the next hand was called afresh; null: not known
        this.gap = head.joins ? "joined" : null; // why the deal in play, if there is one, cannot be checked
        this.isAtFault = false; // the last seal was no good
        this.hand = new Hand(this.gap); // that is in play
        this.shown = new Shown(this.viewer);
        this.number = head.number ?? null; // of the last event
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
        this.hasLeft = false; // the last deal was called off by a departure, which a cut may have crossed
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
        return {
            table: this.table,
            viewer: this.viewer ?? "gallery",
            findings: this.findings,
            deals,
            proved: count("proved"),
            unproved: count("unproved"),
            called_off: this.calledOff,
        };
    }

    // The deals of the hand that is on the table, the newest first: the proofs of its cards are in them.
    get dealsOnTable() {
        const deals = [];
        for (const one of this.gap === null && this.terms !== null ? this.log.toReversed() : []) {
            if (!(one instanceof Deal) || one.why !== null) break;
            deals.push(one);
            if (one.proofs.size && !one.isStock) break;
        }
        return deals;
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
        if (Object.hasOwn(TAKES, event.event)) TAKES[event.event](this, event);
        else if (isOfGame(event)) this.see(event);
    }

    // A view of the table, as it is after the events.
    compare(view) {
        if (this.terms !== null && !this.shown.agreesWith(view)) this.fail(this.last ?? 0, "view");
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
    look(sealed, links, isInPlay, number) {
        if (number !== this.number) this.shown.isKnown = false;
        this.number = number;
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
            if (!isEqual(known, bytesOf(link))) this.makeCut({ deal: this.deal.number, seat, link });
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
        const steps = stepsOf(event);
        const shown = cardsShown(event, this.viewer);
        this.shown.note(event, shown, steps);
        if (this.deal?.isOver && beginsDeal(steps)) this.leave();
        if (this.deal === null) this.seeUnchecked(steps);
        else this.seeIn(this.deal, shown, steps);
        for (const { step } of steps) {
            if (["CalledAfresh", "HandsDealt", "GameClosed"].includes(step)) this.isFresh = step === "CalledAfresh";
        }
    }

    seeIn(deal, shown, steps) {
        const kinds = new Set(steps.map(({ step }) => step));
        if (shown.length || ["HandsDealt", "MoreDealt", "StockRenewed"].some((kind) => kinds.has(kind))) {
            if (deal.draw === null) {
                this.fail(deal.number, "not_cut");
                return this.leave();
            }
            if (!deal.isTurned) this.fail(deal.number, "not_turned");
        }
        if (deal.awaitsAccident && !kinds.has("AccidentTold")) {
            deal.awaitsAccident = false;
            deal.fail("accident");
        }
        if (kinds.has("StockRenewed") && (!deal.isStock || deal.held.length)) return this.drawUnsealed();
        if (kinds.has("HandsDealt")) this.checkChance(deal);
        const since = kinds.has("MoreDealt") ? deal.held.length : null;
        for (const step of steps) deal.take(step, shown);
        if (!kinds.has("TurnedUp")) this.showAll(deal, shown, since);
        this.hand.note(shown, steps);
        for (const step of steps) AFTER_CARDS[step.step]?.(this, deal, step, shown);
    }

    // Every hand has the table's chance of an accident, but for one that was called afresh.
    checkChance(deal) {
        if (this.terms === null || this.isFresh === null) return;
        if (deal.misdeals !== (this.isFresh ? 0 : this.terms.misdeals)) deal.fail("accident");
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
    seeUnchecked(steps) {
        const wasDrawing = this.isDrawing;
        this.isDrawing = isDraw(steps);
        if (wasDrawing && this.isDrawing) return; // a draw that is tied is one deal
        if (this.gap !== null) {
            this.log.push(this.gap);
            this.gap = null;
            return;
        }
        if (!beginsDeal(steps)) return;
        if (this.isAtFault) return;
        if (this.isCounted && !this.isExhibition && !this.isBlind) return this.fail(this.last ?? 0, "not_sealed");
        const why = this.whyUnsealed();
        this.log.push(why);
        this.hand = new Hand(why);
    }

    whyUnsealed() {
        if (this.isExhibition) return "exhibition";
        return this.end === null || this.isBlind ? "not_sealed" : "not_counted";
    }

    // The stock was renewed without a seal: a viewer who takes part has none such, and others can check no more of the hand.
    drawUnsealed() {
        if (this.isCounted && !this.isExhibition && !this.isBlind) {
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

    settle(deal) {
        if (deal.isOver) return;
        deal.isOver = true;
        if (this.terms === null) deal.why = "pack";
        else if (deal.unknown !== null) deal.why = deal.unknown;
        deal.checkShown();
        const isProved = deal.isTurned && [...deal.proofs.values()].every(Boolean) && !this.said.has(deal.number);
        deal.isProved = isProved && deal.why === null;
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

// What is done with an event that is no game's.
const TAKES = {
    sealed: (viewer, event) => viewer.seal(event),
    cut_made: (viewer, event) => viewer.makeCut(event),
    cut: (viewer, event) => viewer.showCuts(event),
    void: (viewer, event) => viewer.voidDeal(event),
    sat(viewer, { seat }) {
        viewer.gone.delete(seat);
        viewer.misses.delete(seat);
    },
    started(viewer) {
        viewer.shown.start();
        viewer.gone.clear();
        viewer.isFresh = false;
    },
};

// The steps that come after the cards of their event.
const AFTER_CARDS = {
    Gone(viewer, deal, _, shown) {
        for (const { card } of shown) viewer.hand.dealOf(card, deal)?.out.add(card);
    },
    LaidDown(viewer, deal, { cards = [] }) {
        for (const card of cards) viewer.hand.dealOf(card, deal)?.out.add(card);
    },
    PassedOn(_, deal, { seat, to, card }) {
        if (card) deal.at.set(card, to);
        else deal.gifts.push([seat, to]);
    },
    HandOver(viewer, deal) {
        for (const one of [...viewer.hand.beside, deal]) {
            one.end();
            viewer.settle(one);
        }
    },
    DrawDecided: (viewer, deal) => viewer.settle(deal),
};

export function isPack(cards, to) {
    const isOfCards = cards.every((card) => PLACES.has(card)) && new Set(cards).size === cards.length;
    return isOfCards && cards.length >= Math.max(1, to.length) && cards.length <= 256;
}

export const inOrder = (cards) => [...cards].sort((one, other) => PLACES.get(one) - PLACES.get(other));

// @ts-nocheck: what it reads may be any event of any family, as tables.js describes it.

// Views compared with events: what the events of a hand have shown one viewer: their own cards, the tricks, and who was seen with which card. It
// knows no family: the tables say which events show cards, play them to a trick, or end one. A view has to agree; what
// else is in it, such as scores and stakes, is not compared.

import { t } from "../words.js";
import { cardsShown, isOfGame, stepsOf } from "./events.js";
import { EVENTS } from "./tables.js";

export const forged = () => t`The table was shown otherwise than the events tell it.`;

export class Shown {
    constructor(viewer) {
        this.viewer = viewer; // a seat; null: the gallery
        this.isKnown = false; // all of the hand on the table was told
        this.begin();
    }

    begin() {
        this.own = new Set();
        this.tricks = [];
        this.trick = [];
        this.seen = new Set(); // a card with its holder, and a card alone
    }

    start() {
        this.begin();
        this.isKnown = true;
    }

    // An event of the game, the cards that it shows, and its steps.
    note(event, shown, steps) {
        if (steps.some(({ step }) => step === "HandsDealt")) this.start();
        for (const { card, seat, isOwn } of shown) {
            this.see(card, seat);
            if (isOwn && this.viewer !== null) this.own.add(card);
        }
        for (const step of steps) STEPS[step.step]?.(this, step, shown);
        const { trick } = EVENTS[event.event];
        if (trick === "plays") this.trick.push([event.seat, event.card]);
        if (trick === "ends") {
            this.tricks.push([event.winner ?? null, ...this.trick]);
            this.trick = [];
        }
    }

    see(card, seat) {
        this.seen.add(card).add(`${card} ${seat}`);
    }

    agreesWith({ cards = [], trick = {}, past = [], shown = [], declared = [], accident }) {
        if (!this.isKnown) return true;
        const told = [...shown.map((hand) => [hand.seat, hand.cards]), ...declared.map((some, seat) => [seat, some])];
        return (
            (cards.length === 0 || (cards.length === this.own.size && cards.every((card) => this.own.has(card)))) &&
            isSame(past.map((one) => [one.winner ?? null, ...playedIn(one)]), this.tricks) &&
            isSame(playedIn(trick), this.trick) &&
            told.every(([seat, some]) => some.every((card) => this.seen.has(`${card} ${seat}`))) &&
            (!accident?.card || this.seen.has(accident.card))
        );
    }
}

// The tables that the server deals alone. `fail` is called where a view does not agree; no view of that table is drawn after it.
export class Views {
    constructor(fail) {
        this.fail = fail;
        this.tables = new Map();
    }

    // A message as it may be drawn.
    read(message) {
        const { type, table: id, events = [], view } = message;
        let table = this.tables.get(id);
        if (type === "table" && !table?.isForged && (table?.viewer !== message.viewer || table.number !== message.number)) {
            table = { viewer: message.viewer, shown: new Shown(message.viewer === "gallery" ? null : message.viewer) };
            this.tables.set(id, table);
        }
        if (!table || !["table", "events", "decision"].includes(type)) return message;
        table.number = message.number ?? (type === "events" ? message.first + events.length - 1 : table.number);
        for (const event of events) {
            if (event.event === "started") table.shown.start();
            if (isOfGame(event)) table.shown.note(event, cardsShown(event, table.shown.viewer), stepsOf(event));
        }
        if (view && !table.isForged && !table.shown.agreesWith(view)) {
            table.isForged = true;
            this.fail(id, forged());
        }
        return table.isForged ? bare(message) : message;
    }
}

// A message of a table where a check failed: without what is to be drawn or decided.
export function bare(message) {
    if (message.type === "decision") return { type: "" };
    const { view: _, turn: __, board: ___, ...rest } = message;
    return { ...rest, says: [], ...(rest.events && { first: rest.first + rest.events.length, events: [] }) };
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const playedIn = ({ seats = [], cards = [] }) => seats.map((seat, at) => [seat, cards[at]]);

// What leaves the viewer's hand, and what comes into it from another.
const STEPS = {
    Gone: ({ own }, _, shown) => shown.forEach(({ card }) => own.delete(card)),
    LaidDown: ({ own }, { cards = [] }) => cards.forEach((card) => own.delete(card)),
    WentOut({ own, viewer }, { seats }) {
        if (seats.includes(viewer)) own.clear();
    },
    PassedOn(hand, { seat, to, card }) {
        if (seat === hand.viewer) hand.own.clear(); // who gives a card throws the others away
        if (card) hand.see(card, to);
        if (card && to === hand.viewer) hand.own.add(card);
    },
    HandOver(hand) {
        hand.own.clear();
        hand.trick = [];
    },
};

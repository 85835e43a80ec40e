// @ts-nocheck: what it reads may be any event of any family, as tables.js describes it.

// Events of games: the cards that they show, and the steps of the deals in play. Each family declares both as data.

import { EVENTS } from "./tables.js";

export const isOfGame = ({ event }) => Object.hasOwn(EVENTS, event);

const valueOf = (source, event) => (Array.isArray(source) ? Array(event[source[1]]).fill(event[source[0]]) : event[source]);

// The steps of an event, in its order: each with its name and its fields.
export function stepsOf(event) {
    const { steps = [] } = EVENTS[event.event];
    return steps.map(({ step, fields = {} }) => {
        const values = Object.entries(fields).map(([name, source]) => [name, valueOf(source, event)]);
        return { step, ...Object.fromEntries(values) };
    });
}

// The cards that an event shows to this viewer, and who holds each; null: no player does.
export function cardsShown(event, viewer) {
    const { cards = "", hands, by, is_dealt = false, loose_if } = EVENTS[event.event].shows ?? {};
    if (hands) return event[hands].flatMap((hand) => hand.cards.map((card) => ({ card, seat: hand.seat, isOwn: false })));
    const found = event[cards] ?? [];
    const list = Array.isArray(found) ? found : [found];
    if (!by) return list.map((card) => ({ card, seat: viewer, isOwn: true }));
    const holder = event[by];
    if (Array.isArray(holder)) {
        return holder.slice(0, list.length).map((seat, at) => ({ card: list[at], seat, isOwn: false }));
    }
    const seat = loose_if && event[loose_if[0]] === loose_if[1] ? null : holder;
    return list.map((card) => ({ card, seat, isOwn: is_dealt && seat === viewer }));
}

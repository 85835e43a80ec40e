// @ts-nocheck: what it reads may be anything, and it is compared with the server's own checker over thousands of games.

// The packs that rule sets play with.

import { PACKS, RULE_SETS } from "./packs.js";

export const FULL_PACK = PACKS["french-52"];
export const PLACES = new Map([...new Set(Object.values(PACKS).flat())].map((card, place) => [card, place])); // in canonical order

// The cards, late proofs and chance of accidents that a rule set has under its options; null: not known here.
export function termsOf(game, options) {
    if (!Object.hasOwn(RULE_SETS, game)) return null;
    const { packs, option = "", late = false, renews = false } = RULE_SETS[game];
    const value = option ? (options[option] ?? packs[0][0]) : packs[0][0]; // the first is the default
    const [, pack] = packs.find(([chosen]) => chosen === value) ?? [];
    return pack === undefined ? null : { cards: PACKS[pack], late, misdeals: options.misdeals ?? 0, renews };
}

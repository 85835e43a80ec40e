// The pack that a rule set plays with.

import { PACKS, RULE_SETS } from "./packs.js";

/** @type {Record<string, string[]>} */
const packs = PACKS;
/** @type {Record<string, {packs: any[][], option?: string}>} */
const rules = RULE_SETS;

/** The cards of a rule set under its options; null: not known here. @param {string} game @param {Record<string, string | number>} options */
export function cardsOf(game, options) {
    if (!Object.hasOwn(rules, game)) return null;
    const { packs: offered, option = "" } = rules[game];
    const value = options[option] ?? offered[0][0]; // the first is the default
    const [, pack] = offered.find(([chosen]) => chosen === value) ?? [];
    return pack === undefined ? null : packs[pack];
}

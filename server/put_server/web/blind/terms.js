// The deals that a rule set needs.

import { PACKS, RULE_SETS } from "./packs.js";

/** @type {Record<string, string[]>} */
const packs = PACKS;
/** @type {Record<string, {packs: any[][], option?: string, is_read?: boolean, hands?: Record<string, number>}>} */
const rules = RULE_SETS;

/** The cards of a rule set under its options; null: not known here. @param {string} game @param {Record<string, string | number>} options */
export function cardsOf(game, options) {
    if (!Object.hasOwn(rules, game)) return null;
    const { packs: offered, option = "" } = rules[game];
    const value = options[option] ?? offered[0][0]; // the first is the default
    const [, pack] = offered.find(([chosen]) => chosen === value) ?? [];
    return pack === undefined ? null : packs[pack];
}

/** True if the server may read the pack: the rules have to see hands. Of a game that is not known here it says so itself. @param {TableInfo} info */
export const mayBeRead = ({ game, is_read }) => (Object.hasOwn(rules, game) ? rules[game].is_read : is_read) ?? false;

/** True if these are the owners of places in a deal of this game that is not read: hands of the right size, or a draw for
 * all to see. With more places the others would know all cards that a hand does not have.
 * @param {TableInfo} info @param {(number | null)[]} owners */
export function hasHands({ game }, owners) {
    const hands = Object.hasOwn(rules, game) && rules[game].hands;
    const seats = new Set(owners);
    if (!hands || (seats.size === 1 && seats.has(null))) return true;
    return !seats.has(null) && [...seats].every((seat) => owners.filter((one) => one === seat).length === hands[seats.size]);
}

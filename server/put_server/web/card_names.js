// Names of cards: the French pack and the tarot.

import { t } from "./words.js";

/** @type {Record<string, string>} */
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs", w: "swords", b: "batons", u: "cups", o: "coins", t: "trumps" };

/** @type {Record<string, string>} */
export const RANKS = { A: "ace", K: "king", Q: "queen", C: "cavalier", J: "knave" };

export const ROMAN = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI",
    "XVII", "XVIII", "XIX", "XX", "XXI"];

/** @param {string} card @returns {[string, string]} */
export const taken = (card) => [card.slice(0, -1), card.slice(-1)];

/** @param {string} card */
export function nameOf(card) {
    const [rank, suit] = taken(card);
    const trump = card === "0t" ? "the Fool" : `trump ${ROMAN[Number(rank)] ?? rank}`;
    return t([suit === "t" ? trump : `the ${RANKS[rank] ?? rank} of ${SUITS[suit] ?? suit}`]);
}

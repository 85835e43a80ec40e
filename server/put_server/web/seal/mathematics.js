// @ts-nocheck: what it reads may be anything, and it is compared with the server's own checker over thousands of games.

// The mathematics of a sealed deal, as docs/fair-dealing.md has it. It shares no code with the server's.

import { shuffled } from "../blind/shuffle.js";
import { bytesOf, concat } from "../blind/bytes.js";
import { sha256, shake256 } from "../blind/group.js";

const encoder = new TextEncoder();
/** @param {number} number */
const u8 = (number) => Uint8Array.of(number);
/** @param {number} number */
const u16 = (number) => Uint8Array.of(number >> 8, number & 255);
/** @param {number} number */
function u64(number) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
    return bytes;
}
/** The first 8 bytes as a number. @param {Uint8Array} bytes */
const readU64 = (bytes) => new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
/** @param {string} text */
function label(text) {
    const bytes = encoder.encode(text);
    const whole = new Uint8Array(1 + bytes.length);
    whole[0] = bytes.length;
    whole.set(bytes, 1);
    return whole;
}



const CONSONANTS = "bdfghklmnprstvwz";
const VOWELS = "aeio";
export const [ANOTHERS_CARD, OWN_CARD, FACED_CARD, ANOTHER_HAS_MORE, DEALER_HAS_MORE] = [1, 2, 3, 4, 5];

export const after = (link) => sha256(label("put seal chain"), link);

export const seedOf = (secret, table, deal, pack) =>
    sha256(label("put seal seed"), secret, u64(table), u64(deal), u8(pack));

// What the leaves of all cards of a pack begin with.
const beforeCards = (table, deal, pack) => concat([u8(0), label("put seal card"), u64(table), u64(deal), u8(pack)]);

const leafAfter = (before, position, card, salt) => sha256(before, u16(position), label(card), salt);

export const leafOf = (table, deal, pack, position, card, salt) =>
    leafAfter(beforeCards(table, deal, pack), position, card, salt);

export const accidentLeafOf = (table, deal, pack, position, salt) =>
    sha256(u8(0), label("put seal accident"), u64(table), u64(deal), u8(pack), u16(position), salt);

const NODE = u8(1);
export const nodeOf = (left, right) => sha256(NODE, left, right);

// As RFC 6962 defines it, from the root down: the left part is the largest power of two below the whole.
export function rootOf(leaves) {
    if (leaves.length === 1) return leaves[0];
    const split = splitOf(leaves.length);
    return nodeOf(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

export function splitOf(size) {
    let split = 1;
    while (split * 2 < size) split *= 2;
    return split;
}

// The root by a path, which is given from the leaf up; null if it is too short. Takes what it uses off the path's end.
export function rootBy(leaf, position, size, path) {
    if (size === 1) return leaf;
    if (path.length === 0) return null;
    const split = splitOf(size);
    const beside = path.pop();
    const isLeft = position < split;
    const below = isLeft ? rootBy(leaf, position, split, path) : rootBy(leaf, position - split, size - split, path);
    return below === null ? null : isLeft ? nodeOf(below, beside) : nodeOf(beside, below);
}

// The root of a tree of `size` leaves that has this one at this position, by a path of exactly the right length.
export function openedRoot(leaf, position, size, path) {
    if (position >= size) return null;
    const steps = path.map(bytesOf);
    const root = rootBy(leaf, position, size, steps);
    return steps.length === 0 ? root : null;
}

// A pack that may have an accident has a salt and a leaf more, behind those of the cards.
export function laid(seed, table, deal, pack, cards, hasAccidents) {
    const stream = (length) => shake256(length, label("put seal pack"), seed);
    const size = cards.length + (hasAccidents ? 1 : 0);
    const [order, head] = shuffled(cards.length, 32 * size, stream);
    const salts = [...Array(size).keys()].map((position) => head.subarray(32 * position, 32 * position + 32));
    const lying = order.map((number) => cards[number]);
    const before = beforeCards(table, deal, pack);
    const leaves = lying.map((card, position) => leafAfter(before, position, card, salts[position]));
    if (hasAccidents) leaves.push(accidentLeafOf(table, deal, pack, cards.length, salts[cards.length]));
    return { cards: lying, salts, leaves, root: rootOf(leaves) };
}

export const basisOf = (table, deal, roots, to, cards, links) =>
    concat([
        ...[label("put seal draw"), u64(table), u64(deal), ...roots],
        ...[u16(to.length), Uint8Array.from(to)],
        ...[u16(cards.length), ...cards.map(label)],
        ...[u8(links.length), ...links.flatMap((link) => (link === null ? [u8(0)] : [u8(1), link]))],
    ]);

export function drawOf(basis, size) {
    const [order, head] = shuffled(size, 9, (length) => shake256(length, basis));
    return { words: wordsOf(head.subarray(0, 8)), pack: head[8] & 1, order };
}

export function wordsOf(eight) {
    const words = [0, 2, 4, 6].map((at) => {
        const bits = (eight[at] << 8) | eight[at + 1];
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

// --- accidents ---

export const luckOf = (salt, basis) => readU64(sha256(label("put seal luck"), salt, basis));

// What a luck decides: null, or the law, whose card it is and, but for the third law, which card of that hand.
export function accidentOf(luck, percent, dealer, adversaries, cardsEach) {
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

export const hasOneMore = (law) => law === ANOTHER_HAS_MORE || law === DEALER_HAS_MORE;

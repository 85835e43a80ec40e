// The transcript of a blind game: terms, entries and the bytes of both, as docs/blind-deal.md has them.

import { concatBytes as concat } from "../vendor/noble/utils.js";
import { bytesOfText, digest, inBytes, numberOf, parsePoint, POINT_BYTES, ProofError } from "./group.js";
import { PROOF_BYTES } from "./shuffle.js";

export const SERVER = 255;
export const TABLES_PLACE = 255;
/** The owner of a place that is dealt later, in a deal that the server reads. */
export const READ = 254;
/** The first byte of an act that others may not read: no msgpack begins with it. */
export const UNSEEN = 0xc1;

/** Kinds of entries. */
export const KEY = 1;
export const SHUFFLE = 2;
export const SHARES = 3;
export const SHOW = 4;
export const ACT = 5;
export const ACCUSE = 6;
export const DEAL = 7;
export const MISSING = 8;
export const RENEW = 9;

/** @import {Point} from "../vendor/noble/secp256k1.js" */

const HEAD_BYTES = 32;
const FIRST_BYTES = 10 + HEAD_BYTES + PROOF_BYTES;

/** @typedef {{author: number, kind: number, deal: number, seen: number, head: Uint8Array, receipt: Uint8Array,
 *   body: Uint8Array, proof: Uint8Array, signed: Uint8Array}} Entry */
/** @typedef {{table: number, game: number, holders: number[], cards: string[], server: Point, hash: Uint8Array}} Terms */

/** @param {Uint8Array} bytes @param {number} at */
export const readU32 = (bytes, at) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);

/** @param {Uint8Array} data @returns {Terms} */
export function parseTerms(data) {
    const first = 14 + POINT_BYTES;
    const [seats, size] = data.subarray(12, 14);
    if (data.length <= first + (seats ?? 0)) throw new ProofError("the terms are malformed");
    const cards = new TextDecoder().decode(data.subarray(first + seats)).split(" ");
    if (new Set(cards).size !== size || cards.length !== size) throw new ProofError("the terms are malformed");
    const holders = [...data.subarray(first, first + seats)];
    const table = Number(numberOf(data.subarray(0, 8)));
    return { table, game: readU32(data, 8), holders, cards, server: parsePoint(data.subarray(14, first)), hash: digest("terms", data) };
}

/** @param {Uint8Array} data @returns {Entry} */
export function parseEntry(data) {
    if (data.length < FIRST_BYTES + PROOF_BYTES) throw new ProofError("an entry is too short");
    const [author, kind] = data;
    if (kind < KEY || kind > RENEW) throw new ProofError("an entry is of an unknown kind");
    const signed = data.subarray(0, -PROOF_BYTES);
    return {
        ...{ author, kind, deal: readU32(data, 2), seen: readU32(data, 6), signed, proof: data.subarray(-PROOF_BYTES) },
        ...{ head: data.subarray(10, 10 + HEAD_BYTES), receipt: data.subarray(10 + HEAD_BYTES, FIRST_BYTES), body: signed.subarray(FIRST_BYTES) },
    };
}

/** All bytes of an entry but the proof. @param {Omit<Entry, "proof" | "signed">} entry */
export const signedBytes = ({ author, kind, deal, seen, head, receipt, body }) =>
    concat(Uint8Array.of(author, kind), inBytes(deal, 4), inBytes(seen, 4), head, receipt, body);

/** @param {Uint8Array} head @param {Uint8Array} entry */
export const nextHead = (head, entry) => digest("head", head, entry);

/** @param {Uint8Array} game @param {number} seen @param {Uint8Array} head */
export const receiptMessage = (game, seen, head) => digest("receipt", game, inBytes(seen, 4), head);

/** Pieces, each behind its length. @param {Uint8Array} data */
export function splitPieces(data) {
    const found = [];
    for (let at = 0; at < data.length; ) {
        const end = at + 4 > data.length ? Infinity : at + 4 + readU32(data, at);
        if (end > data.length) throw new ProofError("a record is cut off");
        found.push(data.subarray(at + 4, end));
        at = end;
    }
    return found;
}

// --- bodies of acts: one msgpack map ---

/** @param {any} value @returns {Uint8Array} */
export function pack(value) {
    if (value === null) return Uint8Array.of(0xc0);
    if (typeof value === "boolean") return Uint8Array.of(value ? 0xc3 : 0xc2);
    if (typeof value === "number") {
        if (value >= 0 && value < 128) return Uint8Array.of(value);
        if (value < 0 && value >= -32) return Uint8Array.of(256 + value);
        const bytes = new Uint8Array(9);
        bytes[0] = 0xd3;
        new DataView(bytes.buffer).setBigInt64(1, BigInt(value));
        return bytes;
    }
    if (typeof value === "string") {
        const bytes = bytesOfText(value);
        return concat(bytes.length < 32 ? Uint8Array.of(0xa0 | bytes.length) : Uint8Array.of(0xd9, bytes.length), bytes);
    }
    const items = Array.isArray(value) ? value : Object.entries(value).flat();
    const count = Array.isArray(value) ? items.length : items.length / 2;
    const [short, long] = Array.isArray(value) ? [0x90, 0xdc] : [0x80, 0xde];
    return concat(count < 16 ? Uint8Array.of(short | count) : concat(Uint8Array.of(long), inBytes(count, 2)), ...items.map(pack));
}

/** The value that bytes are of. @param {Uint8Array} bytes */
export function unpack(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    const integer = (/** @type {number} */ length, isSigned = false) => {
        at += length;
        if (length === 8) return Number(isSigned ? view.getBigInt64(at - 8) : view.getBigUint64(at - 8));
        if (length === 4) return isSigned ? view.getInt32(at - 4) : view.getUint32(at - 4);
        if (length === 2) return isSigned ? view.getInt16(at - 2) : view.getUint16(at - 2);
        return isSigned ? view.getInt8(at - 1) : view.getUint8(at - 1);
    };
    const text = (/** @type {number} */ length) => new TextDecoder().decode(bytes.subarray(at, (at += length)));
    const list = (/** @type {number} */ length) => Array.from({ length }, one);
    const map = (/** @type {number} */ length) => Object.fromEntries(Array.from({ length }, () => [one(), one()]));
    /** @returns {any} */
    const one = () => {
        if (at >= bytes.length) throw new ProofError("an act is cut off");
        const first = integer(1);
        if (first < 0x80) return first;
        if (first < 0x90) return map(first & 15);
        if (first < 0xa0) return list(first & 15);
        if (first < 0xc0) return text(first & 31);
        if (first >= 0xe0) return first - 256;
        if (first >= 0xcc && first <= 0xd3) return integer(1 << (first & 3), first >= 0xd0);
        if (first === 0xd9) return text(integer(1));
        if (first === 0xda) return text(integer(2));
        if (first === 0xdc) return list(integer(2));
        if (first === 0xde) return map(integer(2));
        if (first === 0xc0) return null;
        if (first === 0xc2 || first === 0xc3) return first === 0xc3;
        throw new ProofError("an act is malformed");
    };
    try {
        return one();
    } catch {
        throw new ProofError("an act is malformed");
    }
}

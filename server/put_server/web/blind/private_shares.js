// Shares of a deal that the server reads: what a seat gives it alone, masked, and what it opens of them.

import { digest, inBytes, parsePoint, POINT_BYTES, ProofError, times } from "./group.js";
import { checkSigned, PROOF_BYTES, sign } from "./shuffle.js";

/** @import {Point} from "../vendor/noble/secp256k1.js" */

export const SHARE_BYTES = POINT_BYTES + PROOF_BYTES;

const SIGNED = digest("opened share");

/** The share of a place by its `a`, with its proof. @param {{secret: bigint, point: Point}} key @param {Point} a */
export function withProof(key, a) {
    const share = times(key.secret, a);
    return Uint8Array.of(...share.toBytes(), ...sign(key, SIGNED, [[a, share]]));
}

/** @param {Uint8Array} shares @param {number} at */
export const shareIn = (shares, at) => shares.subarray(at * SHARE_BYTES, (at + 1) * SHARE_BYTES);

/** The share, if it holds. @param {Uint8Array} share @param {Point} key @param {Point} a */
export function check(share, key, a) {
    if (share.length !== SHARE_BYTES) throw new ProofError("a share has the wrong length");
    const point = parsePoint(share.subarray(0, POINT_BYTES));
    checkSigned(share.subarray(POINT_BYTES), key, SIGNED, [[a, point]]);
    return point;
}

/** Shares masked, or masked ones as they were. @param {Uint8Array} shares @param {Point} shared the secret of a seat and the server
 * @param {Uint8Array} context */
export function masked(shares, shared, context) {
    const key = digest("private shares", shared.toBytes(), context);
    const after = shares.slice();
    for (let at = 0; at < after.length; at += key.length) {
        for (const [number, byte] of digest("private stream", key, inBytes(at / key.length, 4)).entries()) after[at + number] ^= byte;
    }
    return after;
}

/** The key of acts that others may not read. @param {Point} shared @param {Uint8Array} context */
export const unseenKey = (shared, context) => digest("unseen acts", shared.toBytes(), context);

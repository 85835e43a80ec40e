// The group secp256k1, and hashes with labels, as docs/blind-deal.md has them. What comes from others is checked as it is
// read. The identity is no result: the server refuses it at the same places.
//
// Adding points is noble's work. Here are multiplications by windows, which take a third of the time of one after another:
// the sum of products (Straus 1964), with scalars split by the curve's endomorphism (Gallant, Lambert and Vanstone 2001).

import { Point } from "../vendor/noble/secp256k1.js";
import { sha256 as hashed } from "../vendor/noble/sha2.js";
import { shake256 as squeezed } from "../vendor/noble/sha3.js";
import { bytesToHex, concatBytes as concat, hexToBytes } from "../vendor/noble/utils.js";

const { p: P } = Point.CURVE();
export const Q = Point.CURVE().n;

export const POINT_BYTES = 33;
export const SCALAR_BYTES = 32;
const DRAWN_BYTES = 48;

/** Something of others' that does not hold, or is malformed. */
export class ProofError extends Error {}

/** The result, or null if something does not hold. @template T @param {() => T} does @returns {T | null} */
export function ifProved(does) {
    try {
        return does();
    } catch (why) {
        if (why instanceof ProofError) return null;
        throw why;
    }
}

// --- scalars ---

/** @param {bigint} number @param {bigint} [m] */
export const mod = (number, m = Q) => ((number % m) + m) % m;

/** @param {Uint8Array} bytes */
export const numberOf = (bytes) => BigInt(`0x0${bytesToHex(bytes)}`);

/** @param {bigint} scalar */
export const scalarBytes = (scalar) => hexToBytes(scalar.toString(16).padStart(2 * SCALAR_BYTES, "0"));

/** Scalars one after another. @param {Uint8Array} bytes */
export function parseScalars(bytes) {
    const scalars = pieces(bytes, SCALAR_BYTES).map(numberOf);
    if (bytes.length % SCALAR_BYTES || scalars.some((scalar) => scalar === 0n || scalar >= Q)) throw new ProofError("a scalar is out of range");
    return scalars;
}

// --- points ---

/** @param {Uint8Array} bytes */
export function parsePoint(bytes) {
    if (bytes.length !== POINT_BYTES || (bytes[0] !== 2 && bytes[0] !== 3)) throw new ProofError("a point is not 33 bytes in compressed form");
    try {
        return Point.fromBytes(bytes);
    } catch {
        throw new ProofError("a point is not on the curve");
    }
}

/** Points one after another. @param {Uint8Array} bytes */
export function parsePoints(bytes) {
    if (bytes.length % POINT_BYTES) throw new ProofError("points have the wrong length");
    return pieces(bytes, POINT_BYTES).map(parsePoint);
}

/** @param {Point[]} points */
export const joinPoints = (points) => concat(...points.map((point) => point.toBytes()));

/** The sum. @param {Point[]} points */
export function total(points) {
    return sound(points.reduce((sum, point) => sum.add(point), Point.ZERO));
}

/** @param {Point} point */
function sound(point) {
    if (point.is0()) throw new ProofError("a sum is the identity");
    return point;
}

const BETA = 0x7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501een;
const A1 = 0x3086d221a7d46bcde86c90e49284eb15n;
const B1 = -0xe4437ed6010e88286f547fa90abfe4c3n;
const A2 = 0x114ca50f7a8e2f3f657c1108d9d44cfd8n;

/** Two halves of a scalar: it is the first plus lambda times the second. @param {bigint} scalar */
function halves(scalar) {
    if (scalar >> 130n === 0n) return [scalar, 0n];
    const first = (A1 * scalar + Q / 2n) / Q;
    const second = (-B1 * scalar + Q / 2n) / Q;
    return [scalar - first * A1 - second * A2, -first * B1 - second * A1];
}

const WIDTH = 5;

/** Signed odd digits of a number, the lowest first, with at least four zeros behind each that is none. @param {bigint} number */
function digitsOf(number) {
    const bits = number.toString(2);
    const digits = new Int8Array(bits.length + WIDTH + 1);
    const bit = (/** @type {number} */ at) => (at < bits.length ? bits.charCodeAt(bits.length - 1 - at) & 1 : 0);
    let carry = 0;
    for (let at = 0; at <= bits.length; ) {
        if ((bit(at) ^ carry) === 0) {
            at += 1;
            continue;
        }
        let value = carry;
        for (let next = 0; next < WIDTH; next++) value += bit(at + next) << next;
        carry = value >> (WIDTH - 1);
        digits[at] = value - (carry << WIDTH);
        at += WIDTH;
    }
    return digits;
}

/** The odd multiples of a point that digits ask for. @param {Point} point */
function oddMultiples(point) {
    const twice = point.double();
    const odd = [point];
    while (odd.length < 1 << (WIDTH - 2)) odd.push(odd[odd.length - 1].add(twice));
    return odd;
}

/** The sum of each point times its scalar. A point that is there again, as in a first pack, is multiplied once.
 * @param {bigint[]} scalars @param {Point[]} points */
export function combined(scalars, points) {
    /** @type {Map<Point, bigint>} */
    const merged = new Map();
    for (const [at, point] of points.entries()) merged.set(point, (merged.get(point) ?? 0n) + scalars[at]);
    /** @type {{digits: Int8Array, odd: Point[], isMinus: boolean}[]} */
    const rows = [];
    let length = 0;
    for (const [point, sum] of merged) {
        const scalar = mod(sum);
        if (scalar === 0n) throw new ProofError("a product is the identity");
        const odd = oddMultiples(point);
        for (const [number, half] of halves(scalar).entries()) {
            if (half === 0n) continue;
            const digits = digitsOf(half < 0n ? -half : half);
            length = Math.max(length, digits.length);
            rows.push({ digits, odd: number ? odd.map(({ X, Y, Z }) => new Point((BETA * X) % P, Y, Z)) : odd, isMinus: half < 0n });
        }
    }
    let sum = Point.ZERO;
    for (let at = length - 1; at >= 0; at--) {
        if (!sum.is0()) sum = sum.double();
        for (const { digits, odd, isMinus } of rows) {
            const digit = digits[at] ?? 0;
            if (digit === 0) continue;
            const multiple = odd[(Math.abs(digit) - 1) / 2];
            sum = sum.add(digit < 0 !== isMinus ? multiple.negate() : multiple);
        }
    }
    return sound(sum);
}

/** @param {bigint} scalar @param {Point} point */
export const times = (scalar, point) => combined([scalar], [point]);

/** `scalar` times the base point, for which noble has a table. @param {bigint} scalar */
export function base(scalar) {
    const rest = mod(scalar);
    if (rest === 0n) throw new ProofError("a product is the identity");
    return Point.BASE.multiply(rest);
}

/** `scalar` times the base point, added to the point. @param {Point} point @param {bigint} scalar */
export const plusBase = (point, scalar) => (mod(scalar) === 0n ? point : sound(point.add(base(scalar))));

// --- hashes: on plain http a browser has no `crypto.subtle` ---

/** @param {Uint8Array[]} parts */
export const sha256 = (...parts) => hashed(concat(...parts));
/** @param {number} length @param {Uint8Array[]} parts */
export const shake256 = (length, ...parts) => squeezed(concat(...parts), { dkLen: length });

const encoder = new TextEncoder();

/** @param {string} text */
export const bytesOfText = (text) => encoder.encode(text);

/** A number in so many bytes, big-endian. @param {number} number @param {number} length */
export function inBytes(number, length) {
    return Uint8Array.from({ length }, (_, at) => Math.floor(number / 256 ** (length - 1 - at)) & 255);
}

/** SHA-256 of the label and the parts. @param {string} label @param {Uint8Array[]} parts */
export function digest(label, ...parts) {
    const named = bytesOfText(`put blind ${label}`);
    return sha256(inBytes(named.length, 1), named, ...parts.flatMap((part) => [inBytes(part.length, 4), part]));
}

/** @param {string} label @param {Uint8Array[]} parts */
export const digestScalar = (label, ...parts) => mod(numberOf(digest(label, ...parts)));

/** A point of which nobody knows the logarithm. @param {string} label @param {Uint8Array[]} parts */
function digestPoint(label, ...parts) {
    for (let counter = 0; ; counter++) {
        const point = ifProved(() => parsePoint(concat(inBytes(2, 1), digest(label, ...parts, inBytes(counter, 4)))));
        if (point) return point; // half of all numbers are no x
    }
}

/** @type {Map<string, Point>} */
const cardPoints = new Map();
const CARD_POINTS = 256;

/** The point of a card; those of every pack are kept. @param {string} card */
export function cardPoint(card) {
    const point = cardPoints.get(card) ?? digestPoint("card", bytesOfText(card));
    if (cardPoints.size < CARD_POINTS) cardPoints.set(card, point);
    return point;
}

/** @type {Point[]} */
const generators = [];

/** The generators h and h_1 to h_N of commitments. @param {number} count */
export function generatorsFor(count) {
    while (generators.length <= count) generators.push(digestPoint("generator", inBytes(generators.length, 2)));
    return { h: generators[0], all: generators.slice(1, count + 1) };
}

/** @param {Uint8Array} key @param {Uint8Array[]} parts */
export function hmac(key, ...parts) {
    const padded = (/** @type {number} */ byte) => Uint8Array.from({ length: 64 }, (_, at) => (key[at] ?? 0) ^ byte);
    return sha256(padded(0x5c), sha256(padded(0x36), ...parts));
}

/** 32 bytes of a secret for one purpose: HKDF with SHA-256 and no salt (RFC 5869). @param {Uint8Array} secret @param {Uint8Array} info */
export const derived = (secret, info) => hmac(hmac(new Uint8Array(32), secret), info, inBytes(1, 1));

/** Scalars of a secret seed, each from 1 to Q - 1. @param {Uint8Array} seed @param {number} count */
export function drawn(seed, count) {
    const stream = shake256(DRAWN_BYTES * count, bytesOfText("put blind scalars"), seed);
    return pieces(stream, DRAWN_BYTES).map((piece) => (numberOf(piece) % (Q - 1n)) + 1n);
}

/** @param {Uint8Array} bytes @param {number} length */
export function pieces(bytes, length) {
    return Array.from({ length: Math.floor(bytes.length / length) }, (_, at) => bytes.subarray(at * length, (at + 1) * length));
}

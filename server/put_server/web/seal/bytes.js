// Bytes: how they are hashed, compared, and written. SHA-256 and SHAKE-256 are those of @noble/hashes, in a browser as in
// Node: on plain http a browser has no `crypto.subtle`.

import { sha256 as hashed } from "../vendor/noble/sha2.js";
import { shake256 as squeezed } from "../vendor/noble/sha3.js";

const encoder = new TextEncoder();

/** Every byte in two figures: thousands of salts are written so. */
const figures = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** @param {Uint8Array[]} parts */
export function concat(parts) {
    let length = 0;
    for (const part of parts) length += part.length;
    const whole = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
        whole.set(part, at);
        at += part.length;
    }
    return whole;
}

/** @param {Uint8Array[]} parts */
export const sha256 = (...parts) => hashed(concat(parts));
/** @param {number} length @param {Uint8Array[]} parts */
export const shake256 = (length, ...parts) => squeezed(concat(parts), { dkLen: length });
/** @param {number} number */
export const u8 = (number) => Uint8Array.of(number);
/** @param {number} number */
export const u16 = (number) => Uint8Array.of(number >> 8, number & 255);
/** @param {number} number */
export function u64(number) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
    return bytes;
}
/** The first 8 bytes as a number. @param {Uint8Array} bytes */
export const readU64 = (bytes) => new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
/** @param {string} text */
export function label(text) {
    const bytes = encoder.encode(text);
    const whole = new Uint8Array(1 + bytes.length);
    whole[0] = bytes.length;
    whole.set(bytes, 1);
    return whole;
}

/** Of base64; null: of nothing. @param {string | null | undefined} text */
export function bytesOf(text) {
    if (text === null || text === undefined) return null;
    const read = atob(text);
    const bytes = new Uint8Array(read.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = read.charCodeAt(at);
    return bytes;
}
/** @param {Uint8Array} bytes */
export const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
/** @param {Uint8Array | null} bytes */
export function hex(bytes) {
    if (bytes === null) return null;
    let text = "";
    for (let at = 0; at < bytes.length; at += 1) text += figures[bytes[at]];
    return text;
}
/** @param {string} text */
export const bytesOfHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {Uint8Array | null | undefined} one @param {Uint8Array | null | undefined} other */
export function isEqual(one, other) {
    if (!one || !other || one.length !== other.length) return false;
    return one.every((byte, at) => byte === other[at]);
}

// Bytes: how they are compared, and written.

/** Of base64; null: of nothing. @param {string | null | undefined} text */
export function bytesOf(text) {
    if (text === null || text === undefined) return null;
    return Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
}

/** @param {Uint8Array} bytes */
export const base64 = (bytes) => btoa(String.fromCharCode(...bytes));

/** @param {Uint8Array | null | undefined} one @param {Uint8Array | null | undefined} other */
export function isEqual(one, other) {
    if (!one || !other || one.length !== other.length) return false;
    return one.every((byte, at) => byte === other[at]);
}

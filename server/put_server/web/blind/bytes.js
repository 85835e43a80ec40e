// Bytes: how they are compared, and written.

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
/** @param {Uint8Array | null | undefined} one @param {Uint8Array | null | undefined} other */
export function isEqual(one, other) {
    if (!one || !other || one.length !== other.length) return false;
    return one.every((byte, at) => byte === other[at]);
}

export function shake256(message: Uint8Array, options: { dkLen: number }): Uint8Array;

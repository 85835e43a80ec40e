export function bytesToHex(bytes: Uint8Array): string;
export function concatBytes(...arrays: Uint8Array[]): Uint8Array;
export function hexToBytes(hex: string): Uint8Array;

// Types of what the page uses of uqr, for the checks alone.
export function encode(text: string, options: { ecc: "L" | "M" | "Q" | "H"; border: number }): { data: boolean[][]; size: number };

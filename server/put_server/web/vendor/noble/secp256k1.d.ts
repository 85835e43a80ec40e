// Types of what the page uses of @noble/secp256k1, for the checks alone.
export class Point {
    static readonly BASE: Point;
    static readonly ZERO: Point;
    static CURVE(): { p: bigint; n: bigint };
    static fromBytes(bytes: Uint8Array): Point;
    constructor(X: bigint, Y: bigint, Z: bigint);
    readonly X: bigint;
    readonly Y: bigint;
    readonly Z: bigint;
    add(other: Point): Point;
    double(): Point;
    negate(): Point;
    multiply(scalar: bigint): Point;
    subtract(other: Point): Point;
    is0(): boolean;
    toBytes(): Uint8Array;
}

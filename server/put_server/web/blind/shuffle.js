// Proofs of blind deals, as docs/blind-deal.md has them: one secret behind several points, shares of places, and shuffles.
//
// What takes long is a generator, which yields wherever other work may be done.

import { base, bytesOfText, cardPoint, combined, derived, digest, digestScalar, drawn, generatorsFor, hmac, inBytes, joinPoints, mod, numberOf, parsePoint, parsePoints, parseScalars, pieces, plusBase, POINT_BYTES, ProofError, SCALAR_BYTES, scalarBytes, shake256, times, total } from "./group.js";
import { Point } from "../vendor/noble/secp256k1.js";
import { concatBytes as concat } from "../vendor/noble/utils.js";

export const PROOF_BYTES = 2 * SCALAR_BYTES;
export const PLACE_BYTES = 2 * POINT_BYTES;
const WEIGHT_BYTES = 16;
const SINGLE = 5; // the challenge, and s1 to s4

/** @typedef {[Point, Point]} Pair  a point, and its product with the secret */

/** The numbers below `count` in the order that the bytes of a stream choose.
 * @param {number} count @param {(length: number) => Uint8Array} stream */
function shuffled(count, stream) {
    for (let length = 4 * count; ; length *= 2) {
        const bytes = stream(length);
        const order = [...Array(count).keys()];
        let at = 0;
        let place = 0;
        for (; place < count - 1; place++) {
            const left = count - place;
            while (at < length && bytes[at] >= 256 - (256 % left)) at++;
            if (at >= length) break;
            const chosen = place + (bytes[at++] % left);
            [order[place], order[chosen]] = [order[chosen], order[place]];
        }
        if (place >= count - 1) return order;
    }
}

/** The value that a generator returns, at once. @template T @param {Generator<unknown, T>} steps @returns {T} */
export function atOnce(steps) {
    for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
    }
}

// --- one secret ---

/** @param {Uint8Array} message @param {Point} key @param {Pair[]} pairs */
const secretStatement = (message, key, pairs) => digest("same secret", message, key.toBytes(), joinPoints(pairs.flat()));

/** @param {Uint8Array} statement @param {Point[]} commitments */
const secretChallenge = (statement, commitments) => digestScalar("same secret challenge", statement, joinPoints(commitments));

/** A signature which proves that the pairs have this key's secret behind them.
 * @param {{secret: bigint, point: Point}} key @param {Uint8Array} message @param {Pair[]} [pairs] */
export function sign({ secret, point }, message, pairs = []) {
    const statement = secretStatement(message, point, pairs);
    const [nonce] = drawn(hmac(scalarBytes(secret), bytesOfText("put blind nonce"), statement), 1);
    const challenge = secretChallenge(statement, [base(nonce), ...pairs.map(([a]) => times(nonce, a))]);
    return concat(scalarBytes(challenge), scalarBytes(mod(nonce + challenge * secret)));
}

/** @param {Uint8Array} proof @param {Point} key @param {Uint8Array} message @param {Pair[]} [pairs] */
export function checkSigned(proof, key, message, pairs = []) {
    if (proof.length !== PROOF_BYTES) throw new ProofError("a proof has the wrong length");
    const [challenge, response] = parseScalars(proof);
    const commitments = [total([base(response), times(-challenge, key)]), ...pairs.map(([a, d]) => combined([response, -challenge], [a, d]))];
    if (challenge !== secretChallenge(secretStatement(message, key, pairs), commitments)) throw new ProofError("a proof does not hold");
}

// --- shares ---

/** The pair that a proof for all these shares is about. @param {Point[]} bases @param {Point[]} shares @param {Uint8Array} message @returns {Pair} */
export function weighed(bases, shares, message) {
    const fixed = digest("shares", message, joinPoints(bases), joinPoints(shares));
    const weights = bases.map((_, at) => (at ? weightOf("share weight", fixed, at) : 1n));
    return [combined(weights, bases), combined(weights, shares)];
}

/** @param {string} label @param {Uint8Array} fixed @param {number} number */
const weightOf = (label, fixed, number) => numberOf(digest(label, fixed, inBytes(number, 2)).subarray(0, WEIGHT_BYTES));

// --- packs ---

/** A pack of encrypted cards. Its points are read when they are first asked for: it may have come from anybody. */
export class Pack {
    /** @param {Uint8Array} data @param {Point[]} [points] */
    constructor(data, points) {
        this.data = data;
        this.known = points;
    }

    /** @param {Point[]} points */
    static of(points) {
        return new Pack(joinPoints(points), points);
    }

    get size() {
        return this.data.length / PLACE_BYTES;
    }

    /** @param {number} place */
    a(place) {
        return this.known?.[2 * place] ?? parsePoint(this.data.subarray(place * PLACE_BYTES, place * PLACE_BYTES + POINT_BYTES));
    }

    /** @param {number} place */
    b(place) {
        return this.known?.[2 * place + 1] ?? parsePoint(this.data.subarray(place * PLACE_BYTES + POINT_BYTES, (place + 1) * PLACE_BYTES));
    }

    halves() {
        const points = (this.known ??= parsePoints(this.data));
        return { a: points.filter((_, at) => at % 2 === 0), b: points.filter((_, at) => at % 2 === 1) };
    }
}

/** @param {string[]} cards @param {Point} joint */
export const firstPack = (cards, joint) => Pack.of(cards.flatMap((card) => [Point.BASE, total([cardPoint(card), joint])]));

// --- shuffles ---

/** @typedef {{context: Uint8Array, joint: Point, before: Pack, after: Pack}} Statement */

/** @param {number} cards */
export const proofBytes = (cards) => cards * 2 * (POINT_BYTES + SCALAR_BYTES) + SINGLE * SCALAR_BYTES;

/** @param {Statement} statement @param {Uint8Array} commitments */
function weightsOf({ context, joint, before, after }, commitments) {
    const fixed = digest("shuffle", context, joint.toBytes(), before.data, after.data, commitments);
    return { fixed, u: Array.from({ length: before.size }, (_, at) => weightOf("shuffle weight", fixed, at)) };
}

/** @param {Uint8Array} fixed @param {Uint8Array} linked @param {Point[]} singles @param {Point[]} chain */
const shuffleChallenge = (fixed, linked, singles, chain) => digestScalar("shuffle challenge", fixed, linked, joinPoints(singles), joinPoints(chain));

/** A pack shuffled by a secret seed, with the proof: the body of its entry.
 * @param {Uint8Array} context @param {Point} joint @param {Pack} before @param {Uint8Array} secret @returns {Generator<void, Uint8Array>} */
export function* shuffle(context, joint, before, secret) {
    const cards = before.size;
    const seed = derived(derived(secret, digest("shuffle seed", context, before.data)), digest("order"));
    const places = shuffled(cards, (length) => shake256(length, bytesOfText("put blind order"), seed));
    const factors = drawn(seed, cards);
    const { a, b } = before.halves();
    yield;
    const points = [];
    for (const [at, place] of places.entries()) {
        points.push(plusBase(a[place], factors[at]), total([b[place], times(factors[at], joint)]));
        yield;
    }
    const after = Pack.of(points);
    const proof = derived(derived(secret, digest("shuffle seed", context, before.data)), digest("proof"));
    return concat(after.data, yield* prove({ context, joint, before, after }, places, factors, proof));
}

/** @param {Statement} statement @param {number[]} places @param {bigint[]} factors @param {Uint8Array} secret @returns {Generator<void, Uint8Array>} */
function* prove(statement, places, factors, secret) {
    const { joint, context, before, after } = statement;
    const cards = places.length;
    const { h, all } = generatorsFor(cards);
    const seed = derived(secret, digest("shuffle proof", context, before.data, after.data));
    const secrets = drawn(seed, 4 * cards + 4);
    const row = (/** @type {number} */ at) => secrets.slice(at * cards, (at + 1) * cards);
    const [r, x, omegaX, omegaU] = [0, 1, 2, 3].map(row);
    const omega = secrets.slice(4 * cards);
    /** @type {Point[]} */
    const committed = Array(cards);
    for (const [number, place] of places.entries()) {
        committed[place] = plusBase(all[number], r[place]);
        yield;
    }
    const commitments = joinPoints(committed);
    const { fixed, u } = weightsOf(statement, commitments);
    const v = places.map((place) => u[place]);
    /** @type {Point[]} */
    const chain = [];
    let behind = 0n; // the end of the chain is behind * G + product of u * h
    for (const [at, weight] of v.entries()) {
        chain.push(plusBase(times(weight, chain[at - 1] ?? h), x[at]));
        behind = mod(x[at] + weight * behind);
        yield;
    }
    const { a, b } = after.halves();
    const singles = [base(omega[0]), base(omega[1])];
    singles.push(plusBase(combined(omegaU, all), omega[2]));
    yield;
    singles.push(plusBase(combined(omegaU, a), -omega[3]));
    yield;
    singles.push(total([combined(omegaU, b), times(-omega[3], joint)]));
    yield;
    const links = [];
    for (let at = 0; at < cards; at++) {
        links.push(plusBase(times(omegaU[at], chain[at - 1] ?? h), omegaX[at]));
        yield;
    }
    const linked = joinPoints(chain);
    const e = shuffleChallenge(fixed, linked, singles, links);
    const responses = [
        omega[0] + e * r.reduce((sum, one) => sum + one, 0n),
        omega[1] + e * behind,
        omega[2] + e * product(r, u),
        omega[3] + e * product(factors, v),
        ...omegaX.map((one, at) => one + e * x[at]),
        ...omegaU.map((one, at) => one + e * v[at]),
    ];
    return concat(commitments, linked, scalarBytes(e), ...responses.map((one) => scalarBytes(mod(one))));
}

/** @param {bigint[]} left @param {bigint[]} right */
const product = (left, right) => left.reduce((sum, one, at) => sum + one * right[at], 0n);

/** Check a shuffle. @param {Statement} statement @param {Uint8Array} proof @returns {Generator<void, void>} */
export function* checkShuffle(statement, proof) {
    const { joint, before, after } = statement;
    const cards = before.size;
    if (after.size !== cards || proof.length !== proofBytes(cards)) throw new ProofError("a proof of a shuffle has the wrong length");
    const [commitments, linked] = pieces(proof, cards * POINT_BYTES);
    const c = parsePoints(commitments);
    const chain = parsePoints(linked);
    yield;
    const [e, s1, s2, s3, s4, ...more] = parseScalars(proof.subarray(2 * cards * POINT_BYTES));
    const sX = more.slice(0, cards);
    const sU = more.slice(cards);
    const old = before.halves();
    const made = after.halves();
    yield;
    const { h, all } = generatorsFor(cards);
    const { fixed, u } = weightsOf(statement, commitments);
    const ofAll = u.reduce((sum, one) => mod(sum * one), 1n);
    const singles = [plusBase(times(-e, total([...c, total(all).negate()])), s1)];
    singles.push(plusBase(times(-e, total([chain[cards - 1], times(-ofAll, h)])), s2));
    yield;
    singles.push(plusBase(total([times(-e, combined(u, c)), combined(sU, all)]), s3));
    yield;
    singles.push(plusBase(total([times(-e, combined(u, old.a)), combined(sU, made.a)]), -s4));
    yield;
    singles.push(total([times(-e, combined(u, old.b)), combined(sU, made.b), times(-s4, joint)]));
    yield;
    const links = [];
    for (const [at, link] of chain.entries()) {
        links.push(total([times(-e, link), plusBase(times(sU[at], chain[at - 1] ?? h), sX[at])])); // the server refuses the same identities
        yield;
    }
    if (e !== shuffleChallenge(fixed, linked, singles, links)) throw new ProofError("a proof of a shuffle does not hold");
}

/** True if a shuffle is proved. @param {Statement} statement @param {Uint8Array} proof @returns {Generator<void, boolean>} */
export function* holds(statement, proof) {
    try {
        yield* checkShuffle(statement, proof);
        return true;
    } catch (why) {
        if (why instanceof ProofError) return false;
        throw why;
    }
}



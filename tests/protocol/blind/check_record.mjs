// Check records of blind deals, written from docs/blind-deal.md alone: no library, no code of the project.
//
//     node check_record.mjs FILE...
//
// A file has lines of a word and hexadecimal bytes: `terms`, then `entry` and `receipt` in turn; other lines are left out.
// For each file it prints one line: `holds`, with the cards that were shown by their places, and who is to blame (deal,
// seat, kind of entry); or what does not hold.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const P = 2n ** 256n - 2n ** 32n - 977n;
const Q = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const ZERO = { x: 1n, y: 1n, z: 0n }; // the identity, in Jacobian coordinates: x / z^2, y / z^3

const mod = (n, m = P) => ((n % m) + m) % m;

function power(base, exponent, m = P) {
  let found = 1n;
  for (base = mod(base, m); exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) found = (found * base) % m;
    base = (base * base) % m;
  }
  return found;
}

function demand(isTrue, what) {
  if (!isTrue) throw new Error(what);
}

function double({ x, y, z }) {
  if (z === 0n) return ZERO;
  const yy = mod(y * y);
  const s = mod(4n * x * yy);
  const m = mod(3n * x * x);
  const nx = mod(m * m - 2n * s);
  return { x: nx, y: mod(m * (s - nx) - 8n * yy * yy), z: mod(2n * y * z) };
}

function add(one, other) {
  if (one.z === 0n) return other;
  if (other.z === 0n) return one;
  const zz = mod(one.z * one.z), ww = mod(other.z * other.z);
  const u1 = mod(one.x * ww), u2 = mod(other.x * zz);
  const s1 = mod(one.y * ww * other.z), s2 = mod(other.y * zz * one.z);
  if (u1 === u2) return s1 === s2 ? double(one) : ZERO;
  const h = mod(u2 - u1), r = mod(s2 - s1);
  const hh = mod(h * h), hhh = mod(h * hh), v = mod(u1 * hh);
  const x = mod(r * r - hhh - 2n * v);
  return { x, y: mod(r * (v - x) - s1 * hhh), z: mod(one.z * other.z * h) };
}

const negative = (point) => ({ ...point, y: mod(-point.y) });
const sum = (points) => points.reduce(add, ZERO);

function weighed(scalars, points) {
  const bits = scalars.map((scalar) => mod(scalar, Q).toString(2).padStart(256, "0"));
  let found = ZERO;
  for (let at = 0; at < 256; at++) {
    found = double(found);
    for (const [i, point] of points.entries()) if (bits[i][at] === "1") found = add(found, point);
  }
  return found;
}

const times = (scalar, point) => weighed([scalar], [point]);

const number = (bytes) => BigInt("0x" + Buffer.from(bytes).toString("hex"));
const bytesOf = (value, length) => Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex");

function encode(point) {
  demand(point.z !== 0n, "the identity");
  const inverse = power(point.z, P - 2n), square = mod(inverse * inverse);
  const y = mod(point.y * square * inverse);
  return Buffer.concat([Buffer.from([2 + Number(y & 1n)]), bytesOf(mod(point.x * square), 32)]);
}

function decode(bytes) {
  demand(bytes.length === 33 && (bytes[0] === 2 || bytes[0] === 3), "no point");
  const x = number(bytes.subarray(1));
  demand(x < P, "no point");
  const square = mod(x * x * x + 7n);
  const y = power(square, (P + 1n) / 4n);
  demand(mod(y * y) === square, "no point of the curve");
  return { x, y: Number(y & 1n) === bytes[0] - 2 ? y : P - y, z: 1n };
}

const G = decode(Buffer.from("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", "hex"));

function hash(label, ...parts) {
  const named = Buffer.from("put blind " + label);
  const pieces = [Buffer.from([named.length]), named];
  for (const part of parts) pieces.push(bytesOf(BigInt(part.length), 4), Buffer.from(part));
  return createHash("sha256").update(Buffer.concat(pieces)).digest();
}

const hashScalar = (...all) => number(hash(...all)) % Q;

function hashPoint(label, ...parts) {
  for (let counter = 0; ; counter++) {
    try {
      return decode(Buffer.concat([Buffer.from([2]), hash(label, ...parts, bytesOf(BigInt(counter), 4))]));
    } catch {
      // half of all numbers are no x
    }
  }
}

const u16 = (value) => bytesOf(BigInt(value), 2);
const u32 = (value) => bytesOf(BigInt(value), 4);
const generator = (i) => hashPoint("generator", u16(i));
const weight = (label, fixed, i) => number(hash(label, fixed, u16(i)).subarray(0, 16));

function reader(bytes) {
  let at = 0;
  const take = (length) => {
    demand(at + length <= bytes.length, "too short");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const scalar = () => {
    const value = number(take(32));
    demand(value > 0n && value < Q, "a scalar out of range");
    return value;
  };
  const many = (count, one) => Array.from({ length: count }, one);
  return {
    take,
    scalar,
    u8: () => take(1)[0],
    u32: () => Number(number(take(4))),
    rest: () => take(bytes.length - at),
    points: (count) => many(count, () => decode(take(33))),
    scalars: (count) => many(count, scalar),
    end: () => demand(at === bytes.length, "too long"),
  };
}

const joined = (points) => Buffer.concat(points.map(encode));

function checkSecret(proof, message, key, pairs, what) {
  const read = reader(proof);
  const c = read.scalar(), s = read.scalar();
  read.end();
  const commit = (base, point) => weighed([s, -c], [base, point]);
  const statement = hash("same secret", message, encode(key), joined(pairs.flat()));
  const commitments = joined([commit(G, key), ...pairs.map(([a, d]) => commit(a, d))]);
  demand(c === hashScalar("same secret challenge", statement, commitments), what);
}

function pack(bytes) {
  const points = reader(bytes).points(bytes.length / 33);
  return { bytes, a: points.filter((_, i) => i % 2 === 0), b: points.filter((_, i) => i % 2 === 1) };
}

function checkShuffle(before, after, joint, context, proof) {
  const n = before.a.length;
  const read = reader(proof);
  const commitments = read.take(33 * n), linked = read.take(33 * n);
  const c = reader(commitments).points(n), d = reader(linked).points(n);
  const e = read.scalar();
  const [s1, s2, s3, s4] = read.scalars(4);
  const x = read.scalars(n), v = read.scalars(n);
  read.end();
  const fixed = hash("shuffle", context, encode(joint), before.bytes, after.bytes, commitments);
  const u = before.a.map((_, i) => weight("shuffle weight", fixed, i));
  const h = before.a.map((_, i) => generator(i + 1)), h0 = generator(0);
  const product = u.reduce((one, other) => (one * other) % Q, 1n);
  const t = [
    weighed([s1, -e], [G, add(sum(c), negative(sum(h)))]),
    weighed([s2, -e], [G, add(d[n - 1], negative(times(product, h0)))]),
    weighed([s3, ...v, -e], [G, ...h, weighed(u, c)]),
    weighed([-s4, ...v, -e], [G, ...after.a, weighed(u, before.a)]),
    weighed([-s4, ...v, -e], [joint, ...after.b, weighed(u, before.b)]),
  ];
  const w = d.map((link, i) => weighed([x[i], v[i], -e], [G, i ? d[i - 1] : h0, link]));
  demand(e === hashScalar("shuffle challenge", fixed, linked, joined(t), joined(w)), "a shuffle does not hold");
}

function parseTerms(bytes) {
  const read = reader(bytes);
  read.take(12);
  const seats = read.u8(), cards = read.u8();
  const server = decode(read.take(33));
  const holders = [...read.take(seats)];
  const notations = read.rest().toString().split(" ");
  demand(notations.length === cards, "the number of cards");
  return { server, holders, notations };
}

function check(terms, told) {
  const { server, holders, notations } = parseTerms(terms);
  const n = notations.length;
  const game = hash("terms", terms);
  const heads = [game], receipts = [Buffer.alloc(64)];
  const keys = holders.map(() => null), last = new Map();
  const shufflers = holders.map((_, seat) => seat).filter((seat) => holders.indexOf(holders[seat]) === seat);
  const cardOf = new Map(notations.map((one) => [encode(hashPoint("card", Buffer.from(one))).toString("hex"), one]));
  const first = (joint) => {
    const b = notations.map((one) => add(hashPoint("card", Buffer.from(one)), joint));
    return { bytes: Buffer.concat(b.flatMap((point) => [encode(G), encode(point)])), a: b.map(() => G), b };
  };
  const begun = (id) => {
    const joint = sum(keys);
    const rest = { owners: null, shares: new Map(), shown: new Set(), wrong: null };
    return { id, joint, pack: first(joint), shuffled: 0, ...rest };
  };
  let playing = null, coming = null;
  const found = [];

  const dealOf = (id) => {
    const deal = [playing, coming].find((one) => one !== null && one.id === id);
    demand(deal !== undefined, "no such deal");
    return deal;
  };
  const blame = (deal, seat, kind) => {
    found.push(`blame ${deal.id} ${seat} ${kind}`);
    if (deal === playing) playing = null;
    else coming = begun(deal.id + 1);
  };
  const due = (deal) => {
    if (deal.shuffled < shufflers.length) return [[shufflers[deal.shuffled], 2]];
    if (deal.owners === null) return [];
    return holders.map((_, seat) => [seat, 3]).filter(([seat]) => !deal.shares.has(seat));
  };
  const isDue = (deal, seat, kind) => due(deal).some(([who, what]) => who === seat && what === kind);
  const open = (deal, place, own) => {
    const given = [...deal.shares].filter(([seat]) => deal.owners[place] !== seat).map(([, shares]) => shares.get(place));
    const card = add(deal.pack.b[place], negative(sum([...given, ...own])));
    const notation = cardOf.get(encode(card).toString("hex"));
    if (notation === undefined) return blame(deal, deal.wrong, 2);
    deal.shown.add(place);
    found.push(`card ${place} ${notation}`);
  };

  for (const [entry, receipt] of told) {
    const read = reader(entry.subarray(0, -64));
    const author = read.u8(), kind = read.u8(), id = read.u32(), seen = read.u32();
    const head = read.take(32), named = read.take(64), body = read.rest();
    const proof = entry.subarray(-64);
    demand(seen < heads.length && seen > (last.get(author) ?? -1), "an entry out of order");
    demand(head.equals(heads[seen]), "another head");
    demand(named.equals(receipts[seen]), "another receipt");
    const message = hash("entry", game, entry.subarray(0, -64));
    const of = reader(body);
    let key = author === 255 ? server : keys[author];
    let pairs = [];
    let then = () => {};
    if (kind === 1) {
      demand(keys[author] === null && id === 0, "a key that is not due");
      key = decode(body);
      then = () => {
        keys[author] = key;
        if (!keys.includes(null)) coming = begun(1);
      };
    } else if (kind === 2) {
      const deal = dealOf(id);
      demand(isDue(deal, author, 2), "a shuffle out of turn");
      const bytes = of.take(66 * n), shuffleProof = of.rest();
      demand(shuffleProof.length === 130 * n + 160, "a shuffle of the wrong length");
      const context = hash("shuffle context", game, Buffer.concat([u32(id), Buffer.from([author]), u32(seen)]), head);
      then = () => {
        let after = { bytes };
        try {
          after = pack(bytes);
          checkShuffle(deal.pack, after, deal.joint, context, shuffleProof);
        } catch {
          deal.wrong ??= author;
        }
        Object.assign(deal, { pack: after, shuffled: deal.shuffled + 1 });
      };
    } else if (kind === 3) {
      const deal = dealOf(id);
      demand(isDue(deal, author, 3), "shares that are not due");
      const places = [...deal.owners.keys()].filter((place) => deal.owners[place] !== author);
      const shares = of.points(places.length);
      of.end();
      const bases = places.map((place) => deal.pack.a[place]);
      const fixed = hash("shares", message, joined(bases), joined(shares));
      const weights = places.map((_, i) => (i ? weight("share weight", fixed, i) : 1n));
      pairs = [[weighed(weights, bases), weighed(weights, shares)]];
      then = () => {
        deal.shares.set(author, new Map(places.map((place, i) => [place, shares[i]])));
        if (deal.shares.size === holders.length)
          deal.owners.forEach((owner, place) => owner === 255 && open(deal, place, []));
      };
    } else if (kind === 4) {
      const deal = dealOf(id), place = of.u8();
      const [share] = of.points(1);
      of.end();
      demand(deal.shares.size === holders.length && deal.owners[place] === author, "a place that is not theirs");
      demand(!deal.shown.has(place), "a card shown twice");
      pairs = [[deal.pack.a[place], share]];
      then = () => open(deal, place, [share]);
    } else if (kind === 5) {
      demand(body.length <= 512, "a long act");
      demand(id === 0 || id === playing?.id, "an act for a deal that is not in play");
    } else if (kind === 6) {
      const deal = dealOf(id);
      demand(author < holders.length && deal.shuffled > 0 && !deal.shares.has(author), "an accusation out of turn");
      of.end();
      then = () => (deal.wrong === null ? blame(deal, author, 6) : blame(deal, deal.wrong, 2));
    } else if (kind === 7) {
      demand(author === 255 && id === coming?.id && coming.shuffled === shufflers.length, "a deal out of turn");
      then = () => {
        coming.owners = [...body];
        playing = coming;
        coming = begun(id + 1);
      };
    } else if (kind === 8) {
      const seat = of.u8();
      of.end();
      const deal = dealOf(id), step = due(deal).find(([who]) => who === seat);
      demand(author === 255 && step !== undefined, "nothing is missing");
      then = () => (deal.wrong === null ? blame(deal, seat, step[1]) : blame(deal, deal.wrong, 2));
    } else {
      demand(false, "a kind that there is not");
    }
    demand(key, "an author without a key");
    checkSecret(proof, message, key, pairs, "the proof of an entry does not hold");
    then();
    last.set(author, heads.length - 1);
    const next = hash("head", heads.at(-1), entry);
    checkSecret(receipt, hash("receipt", game, u32(heads.length), next), server, [], "a receipt does not hold");
    heads.push(next);
    receipts.push(receipt);
  }
  return found;
}

for (const file of process.argv.slice(2)) {
  const lines = readFileSync(file, "utf8").split("\n").map((line) => line.split(" "));
  const bytes = (word) => lines.filter(([one]) => one === word).map(([, hex]) => Buffer.from(hex, "hex"));
  const [terms] = bytes("terms"), receipts = bytes("receipt");
  try {
    console.log(["holds", ...check(terms, bytes("entry").map((entry, i) => [entry, receipts[i]]))].join(", "));
  } catch (error) {
    console.log(error.message);
  }
}

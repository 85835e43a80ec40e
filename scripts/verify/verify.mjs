// Check blind deals, written from docs/blind-deal.md and docs/fair-dealing.md alone: no library, no code of the project.
//
//     node scripts/verify/verify.mjs FILE...
//
// A file is evidence: a JSON object a line, as a client keeps it and the page saves it. What it found is printed as one JSON
// object. The status is 1 if anything does not hold, else 2 if a deal is not proved or lines are missing, else 0; 3 if a file cannot be read.

import { createHash, ECDH } from "node:crypto";
import { readFileSync } from "node:fs";

const P = 2n ** 256n - 2n ** 32n - 977n;
const Q = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const ZERO = { x: 1n, y: 1n, z: 0n }; // the identity, in Jacobian coordinates: x / z^2, y / z^3

function mod(n, m = P) {
  const rest = n % m;
  return rest < 0n ? rest + m : rest;
}

const modQ = (n) => mod(n, Q);

// The inverse modulo P, by Euclid's algorithm.
function inverse(n) {
  let [one, other, found, last] = [P, n, 0n, 1n];
  while (other > 0n) [one, other, found, last] = [other, one % other, last, found - (one / other) * last];
  return mod(found);
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
  if (one.z === 1n && other.z !== 1n) return add(other, one);
  const isScaled = other.z !== 1n, ww = isScaled ? mod(other.z * other.z) : 1n, zz = mod(one.z * one.z);
  const u1 = isScaled ? mod(one.x * ww) : one.x, s1 = isScaled ? mod(one.y * mod(ww * other.z)) : one.y;
  const h = mod(other.x * zz) - u1, r = mod(other.y * mod(zz * one.z)) - s1;
  if (h === 0n) return r === 0n ? double(one) : ZERO;
  const hh = mod(h * h), hhh = mod(h * hh), v = mod(u1 * hh);
  const x = mod(r * r - hhh - 2n * v);
  return { x, y: mod(r * (v - x) - s1 * hhh), z: mod((isScaled ? mod(one.z * other.z) : one.z) * h) };
}

const negative = (point) => ({ ...point, y: mod(-point.y) });
const sum = (points) => points.reduce(add, ZERO);

// A point with z = 1.
function affine({ x, y, z }) {
  demand(z !== 0n, "the identity");
  const over = inverse(z), square = mod(over * over);
  return { x: mod(x * square), y: mod(y * mod(square * over)), z: 1n };
}

// The sum of points, each times its scalar: all share the doublings (Straus). A digit is 1 or -1, and no two follow each
// other (Reitwiesner).
function weighed(scalars, points) {
  const due = Array.from({ length: 257 }, () => []);
  points.forEach((point, i) => {
    let value = modQ(scalars[i]);
    for (let at = 0; value > 0n; at++, value >>= 1n) {
      if (!(value & 1n)) continue;
      const digit = 2n - (value & 3n);
      due[at].push(digit > 0n ? point : negative(point));
      value -= digit;
    }
  });
  return due.reduceRight((found, ones) => ones.reduce(add, double(found)), ZERO);
}

const times = (scalar, point) => weighed([scalar], [point]);

const number = (bytes) => BigInt("0x" + Buffer.from(bytes).toString("hex"));
const bytesOf = (value, length) => Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex");

const encode = (point) => joined([point]);

function joined(points) {
  return Buffer.concat(points.map(affine).flatMap(({ x, y }) => [Buffer.from([2 + Number(y & 1n)]), bytesOf(x, 32)]));
}

function decode(bytes) {
  demand(bytes.length === 33, "no point");
  const [, x, y] = /^04(.{64})(.{64})$/.exec(ECDH.convertKey(bytes, "secp256k1", null, "hex", "uncompressed"));
  return { x: BigInt("0x" + x), y: BigInt("0x" + y), z: 1n };
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

// Points that follow from a label, found once.
const labelled = new Map();
function fixedPoint(label, part) {
  const name = `${label} ${part.toString("hex")}`;
  if (!labelled.has(name)) labelled.set(name, hashPoint(label, part));
  return labelled.get(name);
}
const generator = (i) => fixedPoint("generator", u16(i));
const cardPoint = (notation) => fixedPoint("card", Buffer.from(notation));
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
    isOver: () => at === bytes.length,
    end: () => demand(at === bytes.length, "too long"),
  };
}

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

const holding = new Set(); // hashes of shuffles that hold: a span, or another viewer, tells them again

function checkShuffle(before, after, joint, context, proof) {
  const n = before.a.length;
  const read = reader(proof);
  const commitments = read.take(33 * n), linked = read.take(33 * n);
  const fixed = hash("shuffle", context, encode(joint), before.bytes, after.bytes, commitments);
  const name = hash("shuffle that holds", fixed, proof).toString("hex");
  if (holding.has(name)) return;
  const c = reader(commitments).points(n), d = reader(linked).points(n);
  const e = read.scalar();
  const [s1, s2, s3, s4] = read.scalars(4);
  const x = read.scalars(n), v = read.scalars(n);
  read.end();
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
  holding.add(name);
}

function parseTerms(bytes) {
  const read = reader(bytes);
  const table = Number(number(read.take(8))), id = read.u32();
  const seats = read.u8(), cards = read.u8();
  const server = decode(read.take(33));
  const holders = [...read.take(seats)];
  const notations = read.rest().toString().split(" ");
  demand(notations.length === cards && new Set(notations).size === cards, "the number of cards");
  return { table, id, server, holders, notations };
}

// --- a game: its transcript and deals ----------------------------------------------------------------------------------

const KEY = 1, SHUFFLE = 2, SHARES = 3, SHOW = 4, ACT = 5, ACCUSE = 6, DEAL = 7, MISSING = 8, RENEW = 9;
const TABLE = 255, SERVER = 255, LATER = 254;
const OPENING = 97; // bytes of a share with its proof

class Game {
  constructor(terms) {
    this.terms = parseTerms(terms);
    this.hash = hash("terms", terms);
    this.first = 0; // number of the entries before the first of the heads
    this.heads = [this.hash];
    this.receipts = [Buffer.alloc(64)];
    this.last = new Map();
    const { holders, notations } = this.terms;
    this.keys = holders.map(() => null);
    this.cardOf = new Map(
      notations.map((one) => [encode(cardPoint(one)).toString("hex"), one]),
    );
    this.playing = null;
    this.coming = null;
    this.beside = []; // deals of the hand in play, before its last stock
    this.blames = []; // deal, seat, kind
  }

  get seen() {
    return this.first + this.heads.length - 1;
  }

  // The game that a span is of.
  static resumed(span) {
    const read = reader(span), pieces = [];
    while (!read.isOver()) pieces.push(read.take(read.u32()));
    const [terms, numbers, last, blames, heads, ...entries] = pieces;
    demand(heads && numbers.length >= 12 && heads.length % 96 === 0 && heads.length > 0, "a span is malformed");
    const game = new Game(terms), of = reader(numbers), beside = [];
    const first = of.u32(), playing = of.u32(), coming = of.u32();
    while (!of.isOver()) beside.push(of.u32());
    const parsed = entries.map(parseEntry);
    for (const entry of parsed.filter(({ kind }) => kind === KEY)) game.step(entry);
    demand((game.coming === null) === (coming === 0), "a span has no such deals");
    for (const id of [...beside, playing, coming].filter((one) => one > 0)) {
      game.coming = game.begun(id);
      game.isResuming = true;
      for (const entry of parsed.filter((one) => one.deal === id)) game.step(entry);
    }
    const isSame = (game.playing?.id ?? 0) === playing && game.beside.map(({ id }) => id).join() === beside.join();
    demand(isSame, "a span has no such deals");
    Object.assign(game, { first, isResuming: false });
    const rows = Array.from({ length: heads.length / 96 }, (_, i) => heads.subarray(96 * i, 96 * (i + 1)));
    game.heads = rows.map((row) => row.subarray(0, 32));
    game.receipts = rows.map((row) => row.subarray(32));
    for (let at = 0; at < last.length; at += 5) game.last.set(last[at], last.readUInt32BE(at + 1));
    game.blames = Array.from({ length: blames.length / 7 }, (_, i) => blames.subarray(7 * i, 7 * (i + 1))).map(
      (row) => [row.readUInt32BE(0), row[4], row[5]],
    );
    if (game.seen > 0) game.checkReceipt(game.seen, game.heads.at(-1), game.receipts.at(-1));
    return game;
  }

  // An entry comes next, and the server has signed that.
  take(bytes, receipt) {
    const entry = parseEntry(bytes), at = entry.seen - this.first;
    demand(entry.seen > (this.last.get(entry.author) ?? -1), "an entry out of order");
    demand(at >= 0 && at < this.heads.length && entry.head.equals(this.heads[at]), "another head");
    demand(entry.receipt.equals(this.receipts[at]), "another receipt");
    this.step(entry);
    const next = hash("head", this.heads.at(-1), bytes);
    this.checkReceipt(this.seen + 1, next, receipt);
    this.last.set(entry.author, this.seen);
    this.heads.push(next);
    this.receipts.push(receipt);
  }

  checkReceipt(seen, head, receipt) {
    const message = hash("receipt", this.hash, u32(seen), head);
    checkSecret(receipt, message, this.terms.server, [], "a receipt does not hold");
  }

  // A deal of the whole pack by all seats, or of a stock by those who are left.
  begun(id, seats = [...this.keys.keys()], stock = null) {
    const { holders } = this.terms, cards = stock ?? this.terms.notations;
    const joint = sum(seats.map((seat) => this.keys[seat]));
    const shufflers = seats.filter((seat, at) => seats.findIndex((one) => holders[one] === holders[seat]) === at);
    const b = cards.map((one) => add(cardPoint(one), joint));
    const bytes = joined(b.flatMap((point) => [G, point]));
    const pack = { bytes, a: b.map(() => G), b };
    const isStock = stock !== null;
    return { id, joint, pack, cards, seats, shufflers, isStock, isRead: false, shuffled: 0, owners: null, shares: new Map(), shown: new Map(), wrong: null };
  }

  deal(id) {
    const deal = [this.playing, this.coming].find((one) => one !== null && one.id === id);
    demand(deal !== undefined, "no such deal");
    return deal;
  }

  blame(deal, seat, kind) {
    this.blames.push([deal.id, seat, kind]);
    if (deal !== this.playing) this.coming = this.begun(deal.id + 1);
    else this.playing = deal.isStock ? this.beside.pop() : null;
  }

  due(deal) {
    if (deal.shuffled < deal.shufflers.length) return [[deal.shufflers[deal.shuffled], SHUFFLE]];
    if (deal.owners === null) return [];
    return deal.seats.filter((seat) => !deal.shares.has(seat)).map((seat) => [seat, SHARES]);
  }

  isDue(deal, seat, kind) {
    return this.due(deal).some(([who, what]) => who === seat && what === kind);
  }

  isShared(deal) {
    return deal.owners !== null && deal.shares.size === deal.seats.length;
  }

  // The share of a place of a read deal, with its proof.
  checkOpening(deal, seat, place, bytes) {
    const [share] = reader(bytes.subarray(0, 33)).points(1);
    checkSecret(bytes.subarray(33), hash("opened share"), this.keys[seat], [[deal.pack.a[place], share]], "a share does not hold");
    return share;
  }

  // The card of a place of a read deal, by the shares of all who take part.
  opened(deal, place, bytes) {
    demand(place < deal.cards.length && bytes.length === OPENING * deal.seats.length, "a card was opened by wrong shares");
    const shares = deal.seats.map((seat, at) => this.checkOpening(deal, seat, place, bytes.subarray(OPENING * at, OPENING * (at + 1))));
    const card = add(deal.pack.b[place], negative(sum(shares)));
    return card.z === 0n ? undefined : this.cardOf.get(encode(card).toString("hex"));
  }

  privateContext(deal, seat) {
    return hash("private context", this.hash, Buffer.concat([u32(deal.id), Buffer.from([seat])]), deal.pack.bytes);
  }

  // True if the shares that a seat gave the server hold. `shared`: the point by which both can unmask them.
  givenRightly(deal, seat, shared) {
    const key = hash("private shares", encode(shared), this.privateContext(deal, seat));
    const block = (at) => hash("private stream", key, u32(at >> 5))[at & 31];
    const shares = Buffer.from(deal.shares.get(seat).map((byte, at) => byte ^ block(at)));
    try {
      deal.cards.forEach((_, place) => this.checkOpening(deal, seat, place, shares.subarray(OPENING * place, OPENING * (place + 1))));
      return true;
    } catch {
      return false;
    }
  }

  open(deal, place, own) {
    const given = [...deal.shares].filter(([seat]) => deal.owners[place] !== seat).map(([, shares]) => shares.get(place));
    const card = add(deal.pack.b[place], negative(sum([...given, ...own])));
    const notation = card.z === 0n ? undefined : this.cardOf.get(encode(card).toString("hex"));
    if (notation === undefined) this.blame(deal, deal.wrong, SHUFFLE);
    else deal.shown.set(place, notation);
  }

  step(entry) {
    const { author, deal: id } = entry;
    const message = hash("entry", this.hash, entry.signed);
    const of = reader(entry.body);
    const step = STEPS[entry.kind];
    demand(step !== undefined, "a kind that there is not");
    const { key, pairs = [], then = () => {} } = step(this, { ...entry, id, of, message });
    const signer = key ?? (author === SERVER ? this.terms.server : this.keys[author]);
    demand(signer, "an author without a key");
    checkSecret(entry.proof, message, signer, pairs, "the proof of an entry does not hold");
    then();
  }
}

function parseEntry(bytes) {
  demand(bytes.length >= 170, "an entry is too short");
  const signed = bytes.subarray(0, -64), read = reader(signed);
  const author = read.u8(), kind = read.u8(), deal = read.u32(), seen = read.u32();
  const head = read.take(32), receipt = read.take(64);
  return { author, kind, deal, seen, head, receipt, body: read.rest(), proof: bytes.subarray(-64), signed };
}

// By its kind, what an entry proves beside its author's key, and what it changes when that is checked.
const STEPS = {
  [KEY](game, { author, id, of }) {
    demand(game.keys[author] === null && id === 0, "a key that is not due");
    const key = decode(of.rest());
    const then = () => {
      game.keys[author] = key;
      if (!game.keys.includes(null)) game.coming = game.begun(1);
    };
    return { key, then };
  },
  [SHUFFLE](game, { author, id, seen, head, of }) {
    const deal = game.deal(id), n = deal.cards.length;
    demand(game.isDue(deal, author, SHUFFLE), "a shuffle out of turn");
    const bytes = of.take(66 * n), proof = of.rest();
    demand(proof.length === 130 * n + 160, "a shuffle of the wrong length");
    const context = hash("shuffle context", game.hash, Buffer.concat([u32(id), Buffer.from([author]), u32(seen)]), head);
    const then = () => {
      let after = { bytes };
      try {
        after = pack(bytes);
        checkShuffle(deal.pack, after, deal.joint, context, proof);
      } catch {
        deal.wrong ??= author;
      }
      Object.assign(deal, { pack: after, shuffled: deal.shuffled + 1 });
    };
    return { then };
  },
  [SHARES](game, { author, id, of, body, message }) {
    const deal = game.deal(id);
    demand(game.isDue(deal, author, SHARES), "shares that are not due");
    if (deal.isRead) {
      demand(body.length === OPENING * deal.cards.length, "shares of the wrong length");
      return { then: () => deal.shares.set(author, body) };
    }
    const places = [...deal.owners.keys()].filter((place) => deal.owners[place] !== author);
    const shares = of.points(places.length);
    of.end();
    const bases = places.map((place) => deal.pack.a[place]);
    const fixed = hash("shares", message, joined(bases), joined(shares));
    const weights = places.map((_, i) => (i ? weight("share weight", fixed, i) : 1n));
    const pairs = [[weighed(weights, bases), weighed(weights, shares)]];
    const then = () => {
      deal.shares.set(author, new Map(places.map((place, i) => [place, shares[i]])));
      if (game.isShared(deal)) deal.owners.forEach((owner, place) => owner === TABLE && game.open(deal, place, []));
    };
    return { pairs, then };
  },
  [SHOW](game, { author, id, of }) {
    const deal = game.deal(id), place = of.u8();
    const [share] = of.points(1);
    of.end();
    demand(game.isShared(deal) && !deal.isRead && deal.owners[place] === author, "a place that is not theirs");
    demand(!deal.shown.has(place), "a card shown twice");
    return { pairs: [[deal.pack.a[place], share]], then: () => game.open(deal, place, [share]) };
  },
  [ACT](game, { id, body }) {
    demand(body.length <= 512, "a long act");
    demand(id === 0 || id === game.playing?.id, "an act for a deal that is not in play");
    return {};
  },
  [ACCUSE](game, { author, id, of }) {
    const deal = game.deal(id);
    demand(author < game.keys.length && deal.shuffled > 0 && !deal.shares.has(author), "an accusation out of turn");
    of.end();
    const [seat, kind] = deal.wrong === null ? [author, ACCUSE] : [deal.wrong, SHUFFLE];
    return { then: () => game.blame(deal, seat, kind) };
  },
  [DEAL](game, { author, id, body }) {
    const deal = game.coming;
    demand(author === SERVER && id === deal?.id && deal.shuffled === deal.shufflers.length, "a deal out of turn");
    const size = deal.cards.length, owners = [...body.subarray(0, size)];
    const told = body.length > size ? decode(body.subarray(size)) : null;
    demand(owners.every((one) => one === TABLE || one === LATER || one < game.keys.length), "a deal to seats that there are not");
    demand(owners.length > 0, "a deal of no places");
    const isRead = deal.isStock || owners.includes(LATER);
    demand(!isRead || (owners.length === size && !owners.includes(TABLE)), "a part of a pack is read");
    demand(isRead || told === null, "a key to read a deal that is not read");
    demand(!deal.isStock || game.playing !== null, "a stock without a hand");
    const then = () => {
      game.beside = deal.isStock ? [...game.beside, game.playing] : [];
      game.playing = Object.assign(deal, { owners, isRead, reader: told ?? game.terms.server });
      game.coming = game.begun(id + 1);
    };
    return { then };
  },
  [RENEW](game, { author, id, of }) {
    const { playing, coming, terms } = game, seats = [...of.take(of.u8())];
    const cards = of.rest().toString().split(" ");
    const isSorted = seats.every((seat, at) => seat < game.keys.length && (at === 0 || seats[at - 1] < seat));
    demand(author === SERVER && coming !== null && playing?.isRead && seats.length > 0 && isSorted, "no stock is to be renewed");
    demand(cards.join() === terms.notations.filter((one) => cards.includes(one)).join(), "a stock of other cards than those of the pack");
    demand(id === coming.id + 1 || game.isResuming, "a stock out of turn");
    return { then: () => (game.coming = game.begun(id, seats, cards)) };
  },
  [MISSING](game, { author, id, of }) {
    const seat = of.u8();
    demand(author === SERVER, "only the server says what is missing");
    if (!of.isOver()) return wronglyGiven(game, game.deal(id), seat, of.take(33), of.rest());
    if (game.keys.includes(null)) {
      demand(game.keys[seat] === null && id === 0, "nothing is missing");
      return { then: () => game.blames.push([id, seat, KEY]) };
    }
    const deal = game.deal(id), step = game.due(deal).find(([who]) => who === seat);
    demand(step !== undefined, "nothing is missing");
    const [blamed, kind] = deal.wrong === null ? step : [deal.wrong, SHUFFLE];
    return { then: () => game.blame(deal, blamed, kind) };
  },
};

// The server has read wrong shares: it tells the point that unmasks them, and proves that it is the right one.
function wronglyGiven(game, deal, seat, told, proof) {
  demand(deal.isRead && game.isShared(deal) && deal.shares.has(seat), "nothing was given");
  const shared = decode(told);
  const then = () => {
    checkSecret(proof, game.privateContext(deal, seat), deal.reader, [[game.keys[seat], shared]], "a point without its proof");
    demand(deal.wrong !== null || !game.givenRightly(deal, seat, shared), "shares hold of which the server says that they do not");
    game.blame(deal, ...(deal.wrong === null ? [seat, SHARES] : [deal.wrong, SHUFFLE]));
  };
  return { then };
}

// --- evidence: what one viewer was told of a table --------------------------------------------------------------------

// The packs of rule sets, by the option that chooses one, and the usual choice: ranks in canonical order. `isRead`: the rules have to see hands.
const FRENCH = "2 3 4 5 6 7 8 9 10 J Q K A", PUT_32 = "2 3 9 10 J Q K A", PUT_28 = "2 3 10 J Q K A";
const PUT = { option: "pack", packs: { 52: FRENCH, 32: PUT_32, 28: PUT_28 }, usual: "52" };
const RULE_SETS = {
  "put-1674": PUT,
  "put-1800": PUT,
  "put-partners": { ...PUT, isRead: true },
  "put-parlett": PUT,
  "put-tavern": PUT,
  truc: { option: "ranking", packs: { french: "7 8 9 10 J Q K A", printed: "6 7 10 J Q K A" }, usual: "french" },
  primero: { packs: { "": "2 3 4 5 6 7 J Q K A" }, isRead: true },
  "triomphe-forcee": { packs: { "": "tarot" }, isRead: true },
};

function tarot() {
  const upwards = Array.from({ length: 10 }, (_, i) => `${i + 1}`), court = ["J", "C", "Q", "K"];
  const suit = (letter, pips) => [...pips, ...court].map((rank) => rank + letter);
  const long = [..."wb"].flatMap((letter) => suit(letter, upwards));
  const round = [..."uo"].flatMap((letter) => suit(letter, [...upwards].reverse()));
  return ["0t", ...long, ...round, ...Array.from({ length: 21 }, (_, i) => `${i + 1}t`)];
}

// The pack of a table; null: of no rule set that is known here.
function packOf(game, options = {}) {
  const rules = RULE_SETS[game];
  if (rules === undefined) return null;
  const ranks = rules.packs[rules.option ? (options[rules.option] ?? rules.usual) : ""];
  if (ranks === undefined) return null;
  return ranks === "tarot" ? tarot() : [..."shdc"].flatMap((suit) => ranks.split(" ").map((rank) => rank + suit));
}

const TURNED_UP = new Set(["drawn", "triomphe.turned_up", "primero.turned_up"]);
const HANDS_DEALT = new Set(["dealt", "triomphe.dealt", "primero.dealt"]);
// Here a viewer sees cards of their own, which they alone can open.
const OWN = new Set([...HANDS_DEALT, "taken_up", "primero.more_dealt", "primero.drew", "primero.traded"]);

// The cards that an event shows, each with its holder: of a draw the seat of each card, else the event's seat, or the viewer.
function shownBy(event, viewer) {
  if (event.hands) return event.hands.flatMap(({ seat, cards }) => cards.map((card) => ({ card, seat })));
  const cards = [event.cards ?? event.card ?? []].flat();
  return cards.map((card, at) => ({ card, seat: event.seats ? event.seats[at] : (event.seat ?? viewer) }));
}

// What an event of a read deal does: the seats of the next places, and the cards that leave or change hands.
const MORE = {
  "primero.more_dealt": ({ to }) => to,
  "primero.drew": ({ seat, count }) => Array(count).fill(seat),
};
const GONE = new Set(["played", "discarded", "triomphe.played"]);

// A hand of which the server reads the pack: no card may be shown but at a place that was dealt to who shows it.
class ReadHand {
  constructor(deal) {
    this.deals = [deal]; // of its pack, and of each stock
    this.owners = new Map(); // by the deal and the place
    this.next = 0; // place of the last deal
    this.opened = new Map(); // cards that were proved for the next events, with the deal and the place
    this.passed = []; // from whom to whom cards went unseen
    this.counts = []; // of each hand
    this.laid = 0; // cards that who draws is laying down
    this.seen = new Map(); // cards in hands, by whose
  }

  open(game, places) {
    this.opened.clear();
    for (const { deal: id, place, shares } of places) {
      const deal = [...this.deals, game.playing].find((one) => one.id === id);
      const card = deal && game.opened(deal, place, bytes64(shares));
      demand(card !== undefined, "a card was opened by wrong shares");
      this.opened.set(card, `${id} ${place}`);
    }
  }

  deal(to) {
    const deal = this.deals.at(-1);
    for (const seat of to) {
      demand(this.next < deal.cards.length && [LATER, seat].includes(deal.owners[this.next]), "more cards were dealt than are in the pack, or to others");
      this.owners.set(`${deal.id} ${this.next++}`, seat);
      this.counts[seat]++;
    }
  }

  begin(counts) {
    const [{ owners }] = this.deals, total = counts.reduce((one, other) => one + other, 0);
    const isSo = counts.every((count, seat) => count === owners.filter((one) => one === seat).length);
    demand(isSo && this.counts.length === 0, "it was told to other players than it was dealt to");
    this.counts = counts.map(() => 0);
    demand(!owners.slice(0, total).includes(LATER), "its places were not dealt in order");
    this.deal(owners.slice(0, total));
  }

  renew(count, game) {
    const stock = game.playing, held = this.counts.reduce((one, other) => one + other, this.laid);
    demand(stock.isStock && !this.deals.includes(stock) && game.isShared(stock), "the stock was renewed, and nobody shuffled it");
    const isOut = this.next === this.deals.at(-1).cards.length && count === stock.cards.length;
    const isBack = count === this.deals[0].cards.length - held && !stock.cards.some((card) => this.seen.has(card));
    demand(isOut && isBack, "the stock was renewed with other cards than came back");
    this.deals.push(stock);
    this.next = 0;
  }

  take(event, shown, game) {
    if (HANDS_DEALT.has(event.event)) this.begin(event.counts);
    if (event.event === "primero.stock_renewed") this.renew(event.stock, game);
    if (MORE[event.event]) {
      this.deal(MORE[event.event](event));
      this.laid = 0;
    }
    for (const { card, seat } of shown) this.show(card, seat);
    if (event.event === "gave") this.passed.push(`${event.seat} ${event.to}`);
    if (event.event === "primero.traded") {
      this.counts[event.seat] -= event.count;
      this.laid = event.count;
      for (const card of event.cards ?? []) this.seen.delete(card);
    }
    if (event.event === "primero.out") {
      for (const seat of event.seats) this.counts[seat] = 0;
      for (const [card, seat] of this.seen) if (event.seats.includes(seat)) this.seen.delete(card);
    }
    if (GONE.has(event.event)) for (const { card } of shown) this.seen.delete(card);
  }

  show(card, seat) {
    const at = this.opened.get(card), owner = this.owners.get(at);
    demand(owner !== undefined && Number.isInteger(seat), `${card} was shown, and not dealt to who showed it`);
    if (owner !== seat) {
      const passed = this.passed.indexOf(`${owner} ${seat}`);
      demand(passed >= 0, `${card} was shown, and not dealt to who showed it`);
      this.passed.splice(passed, 1);
      this.owners.set(at, seat);
    }
    this.seen.set(card, seat);
  }
}

// A ruling that a player left, in the msgpack of an act.
const LEFT = /\xa6ruling\xa4left/;

class Viewer {
  constructor(head) {
    const { table, viewer = null, game, options, info } = head;
    const seats = info?.seats?.length || Infinity; // of a recording that does not name them
    const isSeat = Number.isInteger(viewer) && viewer >= 0 && viewer < seats;
    demand(viewer === "gallery" || isSeat, `its viewer is seat ${viewer}, which the table does not have`);
    Object.assign(this, { table, viewer, game: null, findings: [], deals: [] });
    this.info = { game, options, ...info };
    this.isPlain = Boolean(info?.plain); // the server deals alone, and says so
    this.line = head.line; // number of the last line; undefined: the lines have none
    this.cut = null; // the last line before one that is missing
    this.blamed = [];
    this.lastId = -1; // of the games that were told
    this.games = 0; // number of the game at the table, blind or not
    this.begunIn = null; // the one in which the keys were begun; null: the viewer was away
    this.turned = 0; // the table's places that events have shown
    this.hand = null; // where the server reads the pack, and all of the hand was told
    this.isPartlyKnown = false; // the viewer came in the middle of such a hand
    this.unused = 0; // the deal in play, if something must be told of it; 0: it was, or a player left before
  }

  // Nothing can be said of what comes after a line that is missing.
  follows(number) {
    if (this.line === undefined || this.cut !== null) return this.cut === null;
    if (number !== this.line + 1) this.cut = this.line;
    else this.line = number;
    return this.cut === null;
  }

  take(line) {
    if (this.findings.length) return;
    try {
      this.read(line);
    } catch (error) {
      this.findings.push(error.message);
    }
  }

  read(line) {
    if (line.info) this.info = { ...this.info, ...line.info };
    switch (line.event ?? line.type) {
      case "blind_begun": {
        const before = this.begunIn === this.games ? this.game?.terms.holders : undefined;
        this.begin(new Game(bytes64(line.terms)));
        const { holders } = this.game.terms, kept = holders.map((one, seat) => (one === before?.[seat] ? one : SERVER));
        const isLess = kept.join() === holders.join() && kept.join() !== before?.join();
        demand(!before || isLess, "other keys, and nobody left the game");
        this.begunIn = this.games;
        return;
      }
      case "span":
        return this.resume(Game.resumed(bytes64(line.data)));
      case "blind_entry":
        demand(this.game !== null, "a step of a deal, and none has begun");
        return this.enter(line);
      case "blind_opened":
        demand(this.hand !== null || this.isPartlyKnown, "cards were opened, and the server reads no deal");
        return this.hand?.open(this.game, line.places);
      case "table":
        return this.comeBack(line.info);
      case "started":
        this.games = line.game;
        this.isPlain = Boolean(line.plain);
        this.unused = 0;
        return this.leave();
      default:
        if (line.event) this.check(line);
    }
  }

  enter({ entry: bytes, receipt }) {
    const { game } = this, blames = game.blames.length, { author, kind, body } = parseEntry(bytes64(bytes));
    const isRuling = kind === ACT && author === SERVER;
    game.take(bytes64(bytes), bytes64(receipt));
    const deal = game.playing;
    if (kind === DEAL || kind === RENEW) this.checkUsed();
    if (game.blames.length > blames || (isRuling && LEFT.test(body.toString("latin1")))) this.unused = 0;
    if (kind === DEAL) this.unused = deal.id;
    if (kind === DEAL && !deal.isStock) {
      Object.assign(this, { turned: 0, hand: deal.isRead ? new ReadHand(deal) : null, isPartlyKnown: false });
    }
    this.checkDeal();
  }

  // A server may deal again only for a cause that everybody can see: it reads the cards of a seat that it holds when the others have given their shares.
  checkUsed() {
    demand(!this.unused || !this.isKnown, `deal ${this.unused} was not played, and the server deals again`);
  }

  begin(game) {
    this.checkUsed();
    const { table, id, holders, notations } = game.terms;
    demand(table === this.table, "a deal of another table");
    const cards = packOf(this.info.game, this.info.options);
    this.isKnown = cards !== null;
    demand(!this.isKnown || cards.join() === notations.join(), "the pack is not that of the table");
    demand(!this.info.seats || this.info.seats.length === holders.length, "a deal for another number of players");
    demand(id > this.lastId, "a game that began a second time");
    this.leave();
    Object.assign(this, { game, lastId: id, turned: 0, isPlain: false });
  }

  resume(game) {
    const known = this.game;
    if (known === null || known.terms.id !== game.terms.id) {
      this.begin(game);
      this.begunIn = null;
    } else {
      const at = known.seen - game.first;
      demand(known.hash.equals(game.hash) && game.seen >= known.seen, "another game than before");
      demand(at < 0 || game.heads[at].equals(known.heads.at(-1)), "another story than before");
      const now = [...game.beside, game.playing, game.coming].filter((deal) => deal !== null);
      for (const before of [...known.beside, known.playing, known.coming].filter((deal) => deal !== null)) {
        const deal = now.find(({ id }) => id === before.id);
        const isSame = !deal || before.owners === null || (deal.owners?.join() === before.owners.join() && deal.pack.bytes.equals(before.pack.bytes));
        demand(isSame && (!deal || [...before.shown].every(([place, card]) => deal.shown.get(place) === card)), "another deal than before");
      }
      Object.assign(this, { game, turned: 0 });
    }
    Object.assign(this, { hand: null, unused: 0, isPartlyKnown: Boolean(game.playing?.isRead) });
    this.checkDeal();
  }

  // The table as it is when the viewer comes, or comes back: another game may be in play, which the server deals alone.
  comeBack({ state, plain, games = 0 }) {
    if (state !== "playing" && state !== "paused") return;
    if (plain) {
      demand(this.game === null || games !== this.games, "another game than before");
      this.unused = 0;
      this.leave();
    }
    this.isPlain = Boolean(plain);
    this.games = games;
  }

  leave() {
    this.blamed.push(...(this.game?.blames ?? []));
    this.game = this.hand = null;
  }

  checkDeal() {
    const deal = this.game.playing;
    if (deal === null) return;
    if (this.game.isShared(deal)) demand(deal.wrong === null, `deal ${deal.id}: a shuffle does not hold`);
    const seats = [...new Set(deal.owners)], isDraw = seats.every((seat) => seat === TABLE);
    const areHands = seats.every((seat) => deal.owners.filter((owner) => owner === seat).length === seats.length + 1);
    demand(deal.isRead || !this.isKnown || isDraw || areHands, `deal ${deal.id}: its hands are not as large as the rules deal them`);
    demand(!deal.isRead || (RULE_SETS[this.info.game] ?? { isRead: this.info.is_read }).isRead, "the server wants to read the pack, and the rules do not need that");
  }

  // Everything that an event says of cards.
  check(event) {
    const deal = this.game?.playing ?? null, isDealt = HANDS_DEALT.has(event.event);
    if (isDealt || TURNED_UP.has(event.event)) {
      demand(this.isPlain || deal !== null, "cards were dealt, and no deal is in play");
      demand(this.isPlain || this.game.isShared(deal), "cards were dealt before they were shared");
      this.count(deal);
      this.unused = 0;
    }
    if (this.isPlain) return;
    if (deal?.isRead) {
      if (event.event === "primero.stock_renewed") this.unused = 0;
      return this.hand?.take(event, shownBy(event, this.viewer), this.game);
    }
    if (isDealt) {
      const counts = this.game.keys.map((_, seat) => deal.owners.filter((owner) => owner === seat).length);
      demand(counts.join() === event.counts.join(), `deal ${deal.id}: it was told to others than it was dealt to`);
    }
    for (const { card, seat } of shownBy(event, this.viewer)) this.checkCard(event, deal, card, seat);
  }

  checkCard(event, deal, card, seat) {
    demand(deal !== null, "cards were shown, and no deal is in play");
    if (TURNED_UP.has(event.event)) {
      const place = this.turned++;
      demand(deal.owners[place] === TABLE && deal.shown.get(place) === card, `deal ${deal.id}: ${card} was not turned up`);
    } else if (seat !== this.viewer || !OWN.has(event.event)) {
      const isOpen = [...deal.shown].some(([place, one]) => one === card && deal.owners[place] === seat);
      demand(isOpen, `deal ${deal.id}: ${card} was not dealt to seat ${seat}, or not opened`);
    }
  }

  // A deal of which cards were told: once each.
  count(deal) {
    const id = deal === null ? null : `${this.game.terms.id} ${deal.id}`;
    if (id !== null && this.deals.some((one) => one.id === id)) return;
    const isProved = deal !== null && deal.wrong === null && this.isKnown && !this.isPartlyKnown;
    this.deals.push({ id, deal: deal?.id ?? null, status: isProved ? "proved" : "unproved" });
  }

  get result() {
    this.leave();
    const proved = this.deals.filter(({ status }) => status === "proved").length;
    const deals = this.deals.map(({ deal, status }) => ({ deal, status }));
    const { table, viewer, findings, cut, blamed } = this;
    return { table, viewer, findings, cut, deals, proved, unproved: deals.length - proved, blamed };
  }
}

const bytes64 = (text) => Buffer.from(text, "base64");

// The viewers of a file, each below a line that says who they are, or the first state of the table.
function viewersOf(lines) {
  const viewers = [];
  for (const line of lines.map((text) => JSON.parse(text))) {
    if (line.type === "viewer" || (line.type === "table" && !viewers.length)) viewers.push(new Viewer({ ...line.info, ...line }));
    else if (viewers.length && !viewers.at(-1).follows(line.line)) continue;
    for (const one of line.type === "events" ? line.events : [line]) viewers.at(-1)?.take(one);
  }
  return viewers;
}

const viewers = [];
for (const file of process.argv.slice(2)) {
  try {
    const lines = readFileSync(file, "utf8").split("\n").filter((line) => line.trim());
    viewers.push(...viewersOf(lines).map((viewer) => viewer.result));
  } catch (error) {
    console.error(`${file}: ${error.message}`);
    process.exitCode = 3;
  }
}
if (viewers.length) {
  console.log(JSON.stringify({ viewers }));
  if (viewers.some(({ findings }) => findings.length)) process.exitCode = 1;
  else if (viewers.some(({ proved, unproved, cut }) => unproved || !proved || cut !== null)) process.exitCode = 2;
}

// A second verifier of sealed deals, written from docs/fair-dealing.md and sharing no line with the first.
//
//   node scripts/verify/verify.mjs [--vectors docs/fair-dealing-vectors.json] [TOLD.jsonl]
//
// TOLD.jsonl holds what viewers were told, an object a line, bytes in base64 as in the JSON lines of the wire:
//   {"type":"viewer","table":1,"viewer":0,"end":"...","is_midway":false}  begins a viewer; `end` is where his chain
//       begins, null if he takes no part; `is_midway`, that he came in the middle of a deal; `is_witness`, that nothing
//       is known of his chain. All three may be left out
//   {"event":"sealed",...}, {"event":"dealt",...}  every event of the table, as it was told
//   {"type":"openings",...}                        every `openings`, where it came between the events
//   {"type":"cut","link":"..."}                    the viewer cut; null: he did not
//   {"type":"chain","end":"..."}                   he takes part from now on, or with another chain
//   {"type":"counted"}                             the server has answered that it knows that
//   {"type":"withdraw"}                            he takes no part any more
//   {"type":"resume"}                              he missed something, and the deal in play is not checked any more
//
// Prints one JSON object: {"vectors": [what did not come out as written], "viewers": [{"viewer": .., "findings": ..}]}.
// A finding has `deal`, `fault` and, where they are known, `card` and `seat`. The status is 1 if anything was found.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const SUITS = ["s", "h", "d", "c"];
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const FULL_PACK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
const CONSONANTS = "bdfghklmnprstvwz";
const VOWELS = "aeio";
const FACED_CARD = 3;
const KEPT = 256;

// --- bytes -----------------------------------------------------------------------------------------------------------

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const shake256 = (length, ...parts) =>
    createHash("shake256", { outputLength: length }).update(Buffer.concat(parts)).digest();
const u8 = (number) => Buffer.from([number]);
const u16 = (number) => Buffer.from([number >> 8, number & 255]);
const u64 = (number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(number));
    return bytes;
};
const label = (text) => Buffer.concat([u8(Buffer.byteLength(text)), Buffer.from(text)]);
const bytesOf = (text) => (text === null || text === undefined ? null : Buffer.from(text, "base64"));
const hex = (bytes) => (bytes === null ? null : bytes.toString("hex"));

// The numbers below `count` in the order that the bytes of a stream choose, from byte `skip` on.
function shuffled(count, skip, stream) {
    for (let length = skip + 4 * count; ; length *= 2) {
        const bytes = stream(length);
        const order = [...Array(count).keys()];
        let at = skip;
        let place = 0;
        for (; place < count - 1; place++) {
            const left = count - place;
            while (at < length && bytes[at] >= 256 - (256 % left)) at++;
            if (at >= length) break;
            const chosen = place + (bytes[at++] % left);
            [order[place], order[chosen]] = [order[chosen], order[place]];
        }
        if (place >= count - 1) return [order, bytes.subarray(0, skip)];
    }
}

// --- the seal --------------------------------------------------------------------------------------------------------

const after = (link) => sha256(label("put seal chain"), link);

const seedOf = (secret, table, deal, pack) =>
    sha256(label("put seal seed"), secret, u64(table), u64(deal), u8(pack));

const leafOf = (table, deal, pack, position, card, salt) =>
    sha256(u8(0), label("put seal card"), u64(table), u64(deal), u8(pack), u16(position), label(card), salt);

const nodeOf = (left, right) => sha256(u8(1), left, right);

// As RFC 6962 defines it, from the root down: the left part is the largest power of two below the whole.
function rootOf(leaves) {
    if (leaves.length === 1) return leaves[0];
    const split = splitOf(leaves.length);
    return nodeOf(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

function splitOf(size) {
    let split = 1;
    while (split * 2 < size) split *= 2;
    return split;
}

// The root by a path, which is given from the leaf up; null if it is too short. Takes what it uses off the path's end.
function rootBy(leaf, position, size, path) {
    if (size === 1) return leaf;
    if (path.length === 0) return null;
    const split = splitOf(size);
    const beside = path.pop();
    const isLeft = position < split;
    const below = isLeft ? rootBy(leaf, position, split, path) : rootBy(leaf, position - split, size - split, path);
    return below === null ? null : isLeft ? nodeOf(below, beside) : nodeOf(beside, below);
}

function openedRoot(opening, table, deal, pack, size) {
    if (opening.position >= size) return null;
    const path = opening.path.map(bytesOf);
    const leaf = leafOf(table, deal, pack, opening.position, opening.card, bytesOf(opening.salt));
    const root = rootBy(leaf, opening.position, size, path);
    return path.length === 0 ? root : null;
}

function laid(seed, table, deal, pack, cards) {
    const stream = (length) => shake256(length, label("put seal pack"), seed);
    const [order, head] = shuffled(cards.length, 32 * cards.length, stream);
    const salts = order.map((_, position) => head.subarray(32 * position, 32 * position + 32));
    const lying = order.map((number) => cards[number]);
    const leaves = lying.map((card, position) => leafOf(table, deal, pack, position, card, salts[position]));
    return { cards: lying, salts, leaves, root: rootOf(leaves) };
}

function drawOf(table, deal, roots, to, cards, links) {
    const told = Buffer.concat([
        ...[label("put seal draw"), u64(table), u64(deal), ...roots],
        ...[u16(to.length), Buffer.from(to)],
        ...[u16(cards.length), ...cards.map(label)],
        ...[u8(links.length), ...links.flatMap((link) => (link === null ? [u8(0)] : [u8(1), link]))],
    ]);
    const [order, head] = shuffled(cards.length, 9, (length) => shake256(length, told));
    return { words: wordsOf(head.subarray(0, 8)), pack: head[8] & 1, order };
}

function wordsOf(eight) {
    const words = [0, 2, 4, 6].map((at) => {
        const bits = eight.readUInt16BE(at);
        return (
            CONSONANTS[bits >> 12] +
            VOWELS[(bits >> 10) & 3] +
            CONSONANTS[(bits >> 6) & 15] +
            VOWELS[(bits >> 4) & 3] +
            CONSONANTS[bits & 15]
        );
    });
    return words.join(" ");
}

// --- one deal --------------------------------------------------------------------------------------------------------

class Deal {
    constructor(viewer, sealed, cards) {
        this.viewer = viewer;
        this.number = sealed.deal;
        this.roots = sealed.roots.map(bytesOf);
        this.to = sealed.to;
        this.promised = sealed.cuts.map(bytesOf);
        this.cards = cards;
        this.isLate = sealed.late ?? false;
        this.draw = null;
        this.isTurned = false;
        this.isOver = false; // what was dealt of it is played
        this.waiting = [];
        this.held = []; // by slot: a seat, or null for a card face up in the pack
        this.opened = new Map(); // by position
        this.positions = new Map(); // by card
        this.turnedSalts = new Set();
        this.at = new Map(); // by card: who holds it
        this.due = [];
        this.out = new Set();
        this.gifts = [];
    }

    fail(fault, about = {}) {
        this.viewer.fail(this.number, fault, about);
    }

    cut(links) {
        for (let seat = 0; seat < Math.max(this.promised.length, links.length); seat++) {
            const end = this.promised[seat] ?? null;
            const link = links[seat] ?? null;
            const isGood = link === null || end === null ? link === end : after(link).equals(end);
            if (!isGood) this.fail("link", { seat });
        }
        this.draw = drawOf(this.viewer.table, this.number, this.roots, this.to, this.cards, links);
        this.slots = new Map(this.draw.order.map((position, slot) => [position, slot]));
        for (const told of this.waiting.splice(0)) this.open(told);
    }

    open(told) {
        if (this.draw === null) {
            this.waiting.push(told);
            return;
        }
        if (told.turned) this.turn(told.turned, 1 - this.draw.pack, true);
        if (told.played) this.turn(told.played, this.draw.pack, false);
        for (const opening of told.openings ?? []) this.openOne(opening);
    }

    turn(whole, pack, isTurned) {
        if (whole.pack !== pack) return this.fail("pack");
        const { root, salts } = laid(bytesOf(whole.seed), this.viewer.table, this.number, pack, this.cards);
        if (!root.equals(this.roots[pack])) return this.fail("turned");
        if (!isTurned) return;
        this.isTurned = true;
        this.turnedSalts = new Set(salts.map(hex));
        for (const { card, salt } of this.opened.values()) if (this.turnedSalts.has(salt)) this.fail("salt", { card });
    }

    openOne(opening) {
        const { position, card } = opening;
        const salt = hex(bytesOf(opening.salt));
        const known = this.opened.get(position);
        if (known?.card === card && known.salt === salt) return;
        if (known && known.card !== card) return this.fail("position", { card });
        const root = openedRoot(opening, this.viewer.table, this.number, this.draw.pack, this.cards.length);
        if (root === null || !root.equals(this.roots[this.draw.pack])) return this.fail("leaf", { card });
        if (!this.positions.has(card)) this.positions.set(card, position);
        if (this.positions.get(card) !== position) return this.fail("repeated", { card });
        if (this.viewer.salts.has(salt) || this.turnedSalts.has(salt)) this.fail("salt", { card });
        this.opened.set(position, { card, salt });
        this.viewer.salts.add(salt);
    }

    deal(counts) {
        if (this.held.length) return this.fail("to");
        this.held.push(...this.to);
        for (let seat = 0; seat < Math.max(counts.length, 1 + Math.max(-1, ...this.to)); seat++) {
            const more = (counts[seat] ?? 0) - this.to.filter((one) => one === seat).length;
            if (more < 0 || more > this.cards.length - this.held.length) this.fail("to", { seat });
            else this.held.push(...Array(more).fill(seat));
        }
    }

    turnNext(seat, card) {
        const slot = this.held.length;
        if (slot >= this.cards.length || (slot < this.to.length && this.to[slot] !== seat)) {
            return this.fail("to", seat === null ? {} : { seat });
        }
        this.held.push(seat);
        this.show(card, seat, true);
        this.out.add(card);
    }

    show(card, seat, isDue) {
        if (!this.cards.includes(card)) return this.fail("strange", { card });
        if (this.out.has(card)) return this.fail("repeated", { card });
        const isNew = !this.at.has(card);
        if (isNew) this.at.set(card, seat);
        if (this.at.get(card) !== seat) return this.fail("holder", seat === null ? { card } : { card, seat });
        if (!isNew) return;
        if (isDue || !this.isLate) this.prove(card, seat);
        else this.due.push([card, seat]);
    }

    prove(card, seat) {
        const about = seat === null ? { card } : { card, seat };
        const position = this.positions.get(card);
        if (position === undefined) return this.fail("unopened", about);
        if (!this.isOf(this.slots.get(position), seat)) this.fail("holder", about);
    }

    isOf(slot, seat) {
        if (slot >= this.held.length) return false;
        const dealtTo = this.held[slot];
        if (dealtTo === null || seat === null || dealtTo === seat) return dealtTo === seat;
        const gift = this.gifts.findIndex(([giver, to]) => giver === dealtTo && to === seat);
        if (gift >= 0) this.gifts.splice(gift, 1);
        return gift >= 0;
    }

    end() {
        this.turnedSalts = new Set();
        for (const [card, seat] of this.due.splice(0)) this.prove(card, seat);
    }
}

// --- one viewer ------------------------------------------------------------------------------------------------------

class Viewer {
    constructor({ table, viewer, end = null, is_midway: isMidway = false, is_witness: isWitness = false }) {
        this.table = table;
        this.viewer = viewer === "gallery" ? null : viewer;
        this.seat = isWitness ? null : this.viewer; // whose cuts are known here
        this.end = hex(bytesOf(end));
        this.isMidway = isMidway;
        this.hasPassedHand = false;
        this.deals = new Map();
        this.deal = null;
        this.last = null;
        this.cards = null;
        this.roots = new Set();
        this.salts = new Set();
        this.given = null;
        this.isCounted = this.end !== null && !isMidway;
        this.isWithdrawn = false;
        this.findings = [];
        this.said = new Map(); // by deal
    }

    fail(deal, fault, about = {}) {
        const finding = { deal, fault, ...about };
        const said = this.said.get(deal) ?? new Set();
        this.said.set(deal, said);
        if (said.has(JSON.stringify(finding))) return;
        said.add(JSON.stringify(finding));
        this.findings.push(finding);
    }

    take(told) {
        if (told.type === "cut") this.give(told.link);
        else if (told.type === "chain") {
            this.end = hex(bytesOf(told.end));
            this.isCounted = this.isWithdrawn = false;
        } else if (told.type === "counted") {
            this.isCounted = this.end !== null && !this.isWithdrawn;
        } else if (told.type === "withdraw") {
            this.isCounted = false;
            this.isWithdrawn = true;
        } else if (told.type === "resume") {
            this.deal?.due.splice(0);
            this.leave();
            this.passOver();
            this.isCounted = false;
        } else if (told.type === "openings") this.open(told);
        else if (told.event === "sealed") this.seal(told);
        else if (told.event === "cut") this.showCuts(told);
        else if (told.event === "void") this.voidDeal(told);
        else this.see(told);
    }

    give(link) {
        if (link === null) return;
        this.given = this.end = hex(bytesOf(link));
    }

    seal(told) {
        const number = told.deal;
        if (this.deal && this.deal.draw === null) {
            if (this.deal.number === number) return this.fail(number, "changed");
            this.fail(this.deal.number, "left_open");
        }
        this.leave();
        if (this.last !== null && number <= this.last) {
            this.fail(number, "number");
            return this.passOver();
        }
        if (this.last !== null && number !== this.last + 1 && !this.isMidway) this.fail(number, "number");
        this.isMidway = false;
        this.last = number;
        const cards = told.cards?.length ? told.cards : FULL_PACK;
        const isChanged = this.cards !== null && cards.join() !== this.cards.join();
        if (!isPack(cards, told.to) || isChanged) {
            this.fail(number, "cards");
            return this.passOver();
        }
        this.cards = cards;
        const roots = told.roots.map((root) => hex(bytesOf(root)));
        if (roots[0] === roots[1] || roots.some((root) => this.roots.has(root))) this.fail(number, "root");
        for (const root of roots) this.roots.add(root);
        this.deal = new Deal(this, told, cards);
        this.deals.set(number, this.deal);
        const promised = this.seat === null ? null : (this.deal.promised[this.seat] ?? null);
        if ((promised !== null && this.end === null) || (promised === null && this.isCounted)) {
            this.fail(number, "own_link", { seat: this.seat });
        }
        this.isCounted = promised !== null && !this.isWithdrawn;
        if (this.deals.size > KEPT) this.forget(Math.min(...this.deals.keys()));
    }

    forget(number) {
        const deal = this.deals.get(number);
        this.deals.delete(number);
        for (const { salt } of deal.opened.values()) this.salts.delete(salt);
        for (const root of deal.roots) this.roots.delete(hex(root));
    }

    dealTold(number) {
        if (this.deal?.number === number) return this.deal;
        if (!this.isMidway) this.fail(number, "not_sealed");
        return null;
    }

    showCuts(told) {
        const deal = this.dealTold(told.deal);
        if (deal === null) return;
        if (deal.draw !== null) return this.fail(deal.number, "changed");
        const links = told.links.map(bytesOf);
        const own = this.seat === null ? null : hex(links[this.seat] ?? null);
        if (own !== this.given) this.fail(deal.number, "own_link", { seat: this.seat });
        deal.cut(links);
    }

    voidDeal(told) {
        const deal = this.dealTold(told.deal);
        if (deal === null) return;
        if (deal.draw !== null) this.fail(deal.number, "voided");
        this.leave();
        if (this.seat !== null && told.seats?.includes(this.seat)) this.isCounted = false;
    }

    open(told) {
        const deal = this.deals.get(told.deal);
        if (deal) deal.open(told);
        else if (!this.isMidway && told.deal > (this.last ?? 0)) this.fail(told.deal, "not_sealed");
    }

    see(event) {
        if (this.deal?.isOver && ["dealt", "drawn"].includes(event.event)) this.leave();
        const deal = this.deal;
        if (deal === null) return this.seeUnchecked(event);
        const shown = this.cardsShown(event);
        if (event.event === "dealt" || shown.length) {
            if (deal.draw === null) {
                this.fail(deal.number, "not_cut");
                return this.leave();
            }
            if (!deal.isTurned) this.fail(deal.number, "not_turned");
        }
        if (event.event === "drawn") {
            for (const { card, seat } of shown) deal.turnNext(seat, card);
            return;
        }
        if (event.event === "accident" && event.law === FACED_CARD) {
            for (const { card } of shown) deal.turnNext(null, card);
            return;
        }
        if (event.event === "dealt") deal.deal(event.counts);
        shown.forEach(({ card }, at) => {
            const first = shown.findIndex((one) => one.card === card);
            const isRepeated = shown.some((one, other) => other > at && one.card === card);
            if (first === at && isRepeated) deal.fail("repeated", { card });
        });
        for (const { card, seat, isOwn } of shown) deal.show(card, seat, isOwn);
        if (event.event === "played") deal.out.add(event.card);
        if (event.event === "discarded" && event.card) deal.out.add(event.card);
        if (event.event === "gave") {
            if (event.card) deal.at.set(event.card, event.to);
            else deal.gifts.push([event.seat, event.to]);
        }
        if (["hand", "fresh_deal", "game"].includes(event.event)) deal.end();
        if (["hand", "fresh_deal", "game", "dealer"].includes(event.event)) deal.isOver = true;
    }

    seeUnchecked({ event }) {
        if (!["dealt", "drawn"].includes(event) || (event === "drawn" && this.isMidway)) return;
        if (this.isMidway && !this.hasPassedHand) this.hasPassedHand = true;
        else if (this.isCounted) this.fail(this.last ?? 0, "not_sealed");
    }

    cardsShown(event) {
        if (event.card) return [{ card: event.card, seat: event.seat, isOwn: false }];
        const cards = event.cards ?? [];
        if (event.seats) return cards.slice(0, event.seats.length).map((card, at) => ({ card, seat: event.seats[at] }));
        return cards.map((card) => ({ card, seat: this.viewer, isOwn: true }));
    }

    passOver() {
        this.isMidway = true;
        this.hasPassedHand = false;
    }

    leave() {
        this.deal?.end();
        this.deal = null;
        this.given = null;
    }
}

function isPack(cards, to) {
    const known = new Set(FULL_PACK);
    const isOfCards = cards.every((card) => known.has(card)) && new Set(cards).size === cards.length;
    return isOfCards && cards.length >= Math.max(1, to.length) && cards.length <= 256;
}

// --- the vectors -----------------------------------------------------------------------------------------------------

function vectorsAmiss(vectors) {
    const amiss = [];
    const compare = (what, mine, written) => {
        if (JSON.stringify(mine) !== JSON.stringify(written)) amiss.push(what);
    };
    const bytes = (text) => Buffer.from(text, "hex");
    const { secret, links } = vectors.chain;
    let link = bytes(secret);
    for (let number = 0; number <= Math.max(...Object.keys(links)); number++) {
        if (number in links) compare(`chain ${number}`, hex(link), links[number]);
        link = after(link);
    }
    for (const [eight, words] of Object.entries(vectors.words)) compare(`words ${eight}`, wordsOf(bytes(eight)), words);
    vectors.deals.forEach((deal, at) => {
        const cards = deal.cards.length ? deal.cards : FULL_PACK;
        const roots = deal.packs.map((written, pack) => {
            const seed = seedOf(bytes(deal.secret), deal.table, deal.deal, pack);
            const made = laid(seed, deal.table, deal.deal, pack, cards);
            compare(`deal ${at} pack ${pack} seed`, hex(seed), written.seed);
            compare(`deal ${at} pack ${pack} cards`, made.cards, written.cards);
            compare(`deal ${at} pack ${pack} first salt`, hex(made.salts[0]), written.first_salt);
            compare(`deal ${at} pack ${pack} root`, hex(made.root), written.root);
            return made.root;
        });
        const shown = deal.links.map((text) => (text === null ? null : bytes(text)));
        const drawn = drawOf(deal.table, deal.deal, roots, deal.to, cards, shown);
        compare(`deal ${at} words`, drawn.words, deal.words);
        compare(`deal ${at} pack`, drawn.pack, deal.pack);
        compare(`deal ${at} order`, drawn.order, deal.order);
        for (const { slot, position, card, salt, leaf, path } of deal.openings) {
            compare(`deal ${at} slot ${slot}`, drawn.order[slot], position);
            const made = leafOf(deal.table, deal.deal, drawn.pack, position, card, bytes(salt));
            compare(`deal ${at} slot ${slot} leaf`, hex(made), leaf);
            const steps = path.map(bytes);
            const root = rootBy(made, position, cards.length, steps);
            compare(`deal ${at} slot ${slot} path`, [hex(root), steps.length], [hex(roots[drawn.pack]), 0]);
        }
    });
    return amiss;
}

// --- the command -----------------------------------------------------------------------------------------------------

const args = process.argv.slice(2);
const answer = { vectors: [], viewers: [] };
while (args.length) {
    const arg = args.shift();
    if (arg === "--vectors") {
        answer.vectors = vectorsAmiss(JSON.parse(readFileSync(args.shift(), "utf-8")));
        continue;
    }
    let viewer = null;
    for (const line of readFileSync(arg, "utf-8").split("\n")) {
        if (!line) continue;
        const told = JSON.parse(line);
        if (told.type !== "viewer") {
            viewer.take(told);
            continue;
        }
        viewer = new Viewer(told);
        answer.viewers.push({ viewer: told.viewer, findings: viewer.findings });
    }
}
console.log(JSON.stringify(answer));
process.exitCode = answer.vectors.length || answer.viewers.some(({ findings }) => findings.length) ? 1 : 0;

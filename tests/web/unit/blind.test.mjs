// The page's mathematics of blind deals, by the vectors that hold the server's.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { BlindTable } from "../../../server/put_server/web/blind/blind_table.js";
import { Unsound } from "../../../server/put_server/web/blind/read_hand.js";
import { forged, Views } from "../../../server/put_server/web/blind/shown.js";
import { keep, KeyKeeper } from "../../../server/put_server/web/blind/keeper.js";
import { Desk, Evidence, GameKeys } from "../../../server/put_server/web/blind/desk.js";
import { BlindGame, Party, ServerFault } from "../../../server/put_server/web/blind/game.js";
import { ProofError } from "../../../server/put_server/web/blind/group.js";
import { atOnce } from "../../../server/put_server/web/blind/shuffle.js";
import { ACT, pack, parseEntry, parseTerms, SHOW } from "../../../server/put_server/web/blind/transcript.js";

const FOLDER = new URL("../../protocol/blind/vectors/", import.meta.url);

/** A vector: the values of each word, in order. */
function vector(name) {
    const lines = readFileSync(new URL(`${name}.txt`, FOLDER), "utf8").split("\n");
    return (word) => lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.split(" ").slice(1));
}

const bytes = ([hex]) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));

function told(name) {
    const of = vector(name);
    const receipts = of("receipt").map(bytes);
    return { of, terms: parseTerms(bytes(of("terms")[0])), entries: of("entry").map((one, at) => [bytes(one), receipts[at]]) };
}

for (const name of ["two-seats", "three-seats", "cheats", "read"]) {
    test(`the vector ${name} holds, with its cards and whom it blames`, () => {
        const { of, terms, entries } = told(name);
        const game = new BlindGame(terms);
        for (const [entry, receipt] of entries) game.told(entry, receipt);
        assert.deepEqual([...game.playing.shown].map(([place, card]) => [`${place}`, card]), of("card"));
        assert.deepEqual(game.blames.map(({ deal, seat, kind }) => [`${deal}`, `${seat}`, `${kind}`]), of("blame"));
    });
}

for (const [name, seat, at] of [["two-seats", 0, 0], ["two-seats", 1, 1], ["three-seats", 1, 1], ["read", 1, 1]]) {
    test(`a party with the secret of seat ${seat} in ${name} does what is written there`, () => {
        const { of, terms, entries } = told(name);
        const game = new BlindGame(terms);
        const party = new Party(bytes(of("secret")[at]), terms, seat);
        for (const [entry, receipt] of entries) {
            for (const deal of game.deals) atOnce(deal.examine(seat));
            const { author, kind, body } = parseEntry(entry);
            if (author === seat) {
                const made = kind === SHOW ? party.show(game, body[0]) : kind === ACT ? party.act(game, body) : atOnce(party.entry(game, party.due(game)));
                assert.deepEqual(made, entry);
            }
            game.told(entry, receipt);
        }
        for (const [place, card] of party.hand(game.playing)) assert.equal(card, game.playing.shown.get(place) ?? card);
        assert.equal(party.due(game), null);
    });
}

test("an entry that is altered anywhere is not taken", () => {
    const { terms, entries } = told("two-seats");
    for (const [number, [entry]] of entries.entries()) {
        const game = new BlindGame(terms);
        for (const [before, receipt] of entries.slice(0, number)) game.told(before, receipt);
        const altered = entry.slice();
        altered[entry.length - 1 - number] ^= 1;
        assert.throws(() => game.told(altered, entries[number][1]), ProofError);
        assert.throws(() => game.step(parseEntry(altered)), ProofError);
    }
});

test("an entry that the server signed twice is its fault", () => {
    const { terms, entries } = told("two-seats");
    const game = new BlindGame(terms);
    game.checkReceipt = () => {};
    game.told(...entries[0]);
    assert.throws(() => game.told(...entries[0]), ServerFault);
});

test("a page that was loaded again gives no shares of a second deal", () => {
    const kept = {};
    const store = { read: () => kept, write: (changes) => Object.assign(kept, changes) };
    const one = { game: "one", secret: "s", number: 0, digest: "" };
    assert.ok(keep(store, 7, one));
    assert.ok(keep(store, 7, { ...one, number: 2, digest: "as it lies" }));
    assert.ok(keep(store, 7, { ...one, number: 2, digest: "as it lies" }), "the same again, after a reload");
    assert.ok(!keep(store, 7, { ...one, number: 2, digest: "dealt to others" }));
    assert.ok(!keep(store, 7, { ...one, number: 1, digest: "before" }));
    assert.ok(keep(store, 7, one), "the key alone");
    assert.ok(!keep(store, 7, { ...one, number: 2, digest: "dealt to others" }), "also after that");
    assert.ok(keep(store, 7, { ...one, number: 3, digest: "the next" }));
    assert.ok(keep(store, 8, { ...one, number: 1, digest: "as it lies" }), "another table");
    assert.ok(keep(store, 7, { ...one, game: "another", number: 1, digest: "as it lies" }));
    for (let table = 1; table < 400; table++) keep(store, table, one);
    assert.equal(Object.keys(kept.games).length, 257);
});

test("a message that was read after we left its table is not shown", () => {
    globalThis.Worker = class extends EventTarget {
        postMessage() {}
    };
    const shown = [];
    const blind = new Map([[7, 0]]);
    const keeper = new KeyKeeper({ store: { read: () => ({}) }, fairness: { blind }, show: (message) => shown.push(message), changed() {} });
    const message = { type: "table", table: 7 };
    keeper.take({ type: "show", message });
    blind.delete(7);
    keeper.take({ type: "show", message });
    assert.deepEqual(shown, [message]);
});

test("the secret of a game goes when the next begins", () => {
    const [before, now] = [new Uint8Array(32), new Uint8Array(32).fill(1)];
    const keys = new GameKeys({});
    const first = keys.secretOf(7, before, false);
    assert.deepEqual(keys.secretOf(7, before, true), first);
    const second = keys.secretOf(7, now, false);
    assert.notDeepEqual(second, first);
    assert.equal(keys.secretOf(7, before, true), null);
    const again = new GameKeys(Object.fromEntries(keys.games));
    assert.deepEqual(again.secretOf(7, now, true), second, "a page that was loaded again has its hand");
    assert.equal(again.secretOf(7, before, true), null);
});

test("a game that another tab began has its key here", () => {
    const hash = new Uint8Array(32);
    const there = new GameKeys({});
    const told = there.secretOf(7, hash, false);
    const desk = new Desk(() => undefined);
    desk.hear({ type: "keys", games: {} });
    desk.keys.secretOf(7, hash, false); // and it was not told
    desk.hear({ type: "keys", games: Object.fromEntries(there.games) });
    assert.deepEqual(desk.keys.secretOf(7, hash, true), told);
});

test("a seat that we asked for with a key keeps it, also of who watched until then", () => {
    const desk = new Desk(() => undefined);
    const info = { id: 7, game: "put-1674", options: { dealing: "blind" }, seats: [{ name: "Moll" }, { name: "Nan" }], state: "filling" };
    desk.hear({ type: "sits", table: 7 });
    for (const viewer of ["gallery", 0]) desk.hear({ type: "read", message: { type: "table", table: 7, viewer, number: 3, info } });
    assert.ok(desk.sittings.get(7).table.keepsKey);
    desk.hear({ type: "leave", table: 7 });
    desk.hear({ type: "read", message: { type: "table", table: 7, viewer: 0, number: 3, info } });
    assert.ok(!desk.sittings.get(7).table.keepsKey);
});

test("states of games whose tables never come are kept for few tables, and in few parts", () => {
    const desk = new Desk(() => undefined);
    for (let table = 1; table < 100; table++) {
        for (const part of [1, 2, 3]) desk.read({ type: "blind_span", table, part, parts: 3, data: "AAAA" });
    }
    assert.equal([...desk.spans.values()].flat().length, 16 * 3);
    for (let part = 4; part < 300; part++) desk.read({ type: "blind_span", table: 1, part: Math.min(part, 128), parts: 3, data: "AAAA" });
    assert.equal([...desk.spans.values()].flat().length, 15 * 3);
});

test("a seat given up in a game is given up in that one, also where the table is told later", () => {
    const info = { id: 1, game: "put-1674", options: { dealing: "blind" }, seats: [{ name: "Moll", holds_key: true }, { name: "Nan" }], state: "playing", games: 1 };
    const table = new BlindTable({ type: "table", table: 1, viewer: 0, number: 0, info }, new GameKeys({}));
    const events = [{ event: "started", game: 2, names: ["Moll", "Nan"] }, { event: "left_game", seat: 0 }];
    table.read({ type: "events", table: 1, first: 1, events, says: ["", ""] });
    assert.equal(table.gaveUpIn, 2);
});

test("half a state, in the middle of which the connection was lost, is none of a later table", () => {
    const told = [];
    const desk = new Desk((message) => told.push(message));
    const info = { id: 7, game: "put-1674", options: { dealing: "blind" }, seats: [{ name: "Moll" }, { name: "Nan" }], state: "between" };
    desk.read({ type: "blind_span", table: 7, part: 1, parts: 2, data: "AAAA" });
    desk.read({ type: "table", table: 7, viewer: "gallery", number: 3, info });
    assert.ok(!told.some(({ type }) => type === "fault"));
});

test("cards of a game that the server says to deal alone are taken as told, and no others without a deal", () => {
    const info = { id: 1, game: "put-1674", options: { dealing: "blind" }, seats: [{ name: "Moll", holds_key: true }, { name: "Nan" }], state: "playing" };
    const dealt = { event: "dealt", hand: 1, dealer: 1, eldest: 0, counts: [3, 3], cards: ["2s", "3s", "4s"] };
    const events = (...told) => ({ type: "events", table: 1, first: 1, events: told, says: told.map(() => "") });
    const joined = (plain) => {
        const snapshot = { type: "table", table: 1, viewer: 0, number: 0, info: { ...info, plain } };
        const table = new BlindTable(snapshot, new GameKeys({}));
        table.read(snapshot);
        return table;
    };
    assert.deepEqual(joined("you asked for it").read(events(dealt)).events, [dealt]);
    assert.throws(() => joined("").read(events(dealt)), Unsound);
    assert.deepEqual(joined("").read(events({ event: "started", plain: "you asked for it" }, dealt)).events[1], dealt);
    assert.throws(() => joined("you asked for it").read(events({ event: "started" }, dealt)), Unsound);
});

test("an act is told as it was signed, with all that was chosen", () => {
    const info = { id: 1, game: "primero", options: { dealing: "blind" }, seats: [{ name: "Moll" }, { name: "Nan" }, { name: "Doll" }], state: "playing" };
    const bid = { event: "primero.bid", seat: 1, amount: 2, paid: 3, level: 3 };
    const told = (event, act) => {
        const table = new BlindTable({ type: "table", table: 1, viewer: 0, number: 0, info }, null);
        table.game = { playing: { isRead: true } };
        table.signedActs.push({ seat: 1, act, isRuling: false });
        table.checkAct(event, "");
    };
    told(bid, { do: "primero.bet", amount: 2 });
    told(bid, { do: "primero.raise", amount: 2 });
    told(bid, { do: "primero.raise", amount: 2, card: "3s", seat: 2, more: 1 }); // the server takes it as the same
    assert.throws(() => told({ ...bid, amount: 6 }, { do: "primero.bet", amount: 2 }), Unsound);
    assert.throws(() => told(bid, { do: "primero.see" }), Unsound);
    told({ event: "gave", seat: 1, to: 0, card: "3s" }, { do: "give", card: "4s" });
    const announced = { event: "primero.announced", seat: 1, category: "fluxus" };
    told(announced, { do: "primero.announce", category: "fluxus" });
    assert.throws(() => told(announced, { do: "primero.announce", category: "chorus" }), Unsound);
});

test("cards of a player who left are played on without an act of theirs", () => {
    const info = { id: 1, game: "triomphe-forcee", options: { dealing: "blind" }, seats: [{ name: "Moll" }, { name: "Nan" }], state: "playing" };
    const played = { event: "triomphe.played", seat: 1, card: "2t" };
    const come = (does) => {
        const table = new BlindTable({ type: "table", table: 1, viewer: 0, number: 0, info }, null);
        table.game = { playing: { isRead: true } };
        does(table);
        table.signedActs = []; // others have played since
        table.checkAct(played, "Nan plays trump II.");
    };
    assert.throws(() => come(() => undefined), Unsound);
    come((table) => table.noteAct({ author: 255, kind: ACT, body: pack({ ruling: "left", seat: 1 }) }));
    come((table) => (table.owes = null)); // we came after that, or came back
});

test("a card of our own is told once in a hand", () => {
    const info = { id: 1, game: "put-1674", options: { dealing: "blind" }, seats: [{ name: "Moll" }, { name: "Nan" }], state: "playing" };
    const told = (...cards) => {
        const table = new BlindTable({ type: "table", table: 1, viewer: 0, number: 0, info }, null);
        Object.assign(table, { party: {}, game: { playing: {} }, names: new Map([["#1", "2s"], ["#4", "3s"]]) });
        table.checkCards(cards.map((card) => ({ card, seat: 0, isOwn: true })), []);
    };
    told("2s", "3s");
    assert.throws(() => told("2s", "2s"), Unsound);
    assert.throws(() => told("2s", "4s"), Unsound);
});

test("a view of a table that the server deals alone is drawn only as the events have it", () => {
    const failed = [];
    const views = new Views((table, says) => failed.push([table, says]));
    const view = { view: "put", counts: [3, 3], cards: ["2s", "3s", "4s"], trick: {}, past: [] };
    views.read({ type: "table", table: 1, viewer: 0, number: 0 });
    const events = [{ event: "started" }, { event: "dealt", hand: 1, dealer: 1, eldest: 0, counts: [3, 3], cards: view.cards }];
    assert.deepEqual(views.read({ type: "events", table: 1, first: 1, events, view }).view, view);
    const played = { type: "events", table: 1, first: 3, events: [{ event: "played", seat: 0, card: "2s" }], view: { ...view, cards: ["3s", "5s"], trick: { seats: [0], cards: ["2s"] } } };
    assert.equal(views.read(played).view, undefined);
    assert.deepEqual(failed, [[1, forged()]]);
    assert.equal(views.read({ type: "decision", table: 1 }).type, "", "nothing more is decided there");
    assert.equal(views.read({ type: "table", table: 1, viewer: 0, number: 9, view }).view, undefined, "nor shown");
    const later = { type: "table", table: 2, viewer: "gallery", number: 40, view };
    assert.deepEqual(views.read(later), later, "of which not all was told");
});

test("evidence of a very long game is its beginning, bounded in lines and in bytes", () => {
    const short = new Evidence({ type: "table" });
    for (let number = 0; number < 25_000; number++) short.add({ number });
    assert.equal(short.lines.length, 20_000);
    const long = new Evidence({ type: "table" });
    for (let number = 0; number < 40; number++) long.add({ number, text: "-".repeat(1024 * 1024) });
    long.add({ number: 40 });
    assert.equal(long.lines.length, 1 + 31);
    assert.equal(JSON.parse(long.lines.at(-1)).number, 30);
});

// The director by itself: scenes of messages, and a stage whose time the test moves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { scenesOf, Stage, STANDS } from "../../../server/put_server/web/director.js";
import { Sounds } from "../../../server/put_server/web/sound.js";

/** A clock that stands until the test moves it. */
class Clock {
    now = 0;
    timers = new Map();
    last = 0;
    after(ms, does) {
        this.timers.set(++this.last, { at: this.now + ms, does });
        return this.last;
    }
    cancel(timer) {
        this.timers.delete(timer);
    }
    pass(ms) {
        const end = this.now + ms;
        for (;;) {
            const [due] = [...this.timers].filter(([, { at }]) => at <= end).sort(([, one], [, other]) => one.at - other.at);
            if (!due) break;
            this.timers.delete(due[0]);
            this.now = due[1].at;
            due[1].does();
        }
        this.now = end;
    }
}

const VIEW = { view: "put", cards: ["3s"], counts: [1, 1], trick: { seats: [1], cards: ["4h"] }, past: [], tricks: [0, 0], scores: [0, 0] };
const PLAYED = { event: "played", seat: 0, card: "3s" };
const TRICK = { event: "trick", number: 1, winner: 0, leader: 0, tricks: [1, 0] };
const HAND = { event: "hand", how: "tricks", winner: 0, points: 1, scores: [1, 0] };
const GAME = { event: "game", how: "points", winners: [0], scores: [1, 0], paid: [1, -1] };
const DEALT = { event: "dealt", hand: 2, dealer: 0, eldest: 1, counts: [3, 3], cards: [] };
const END = { ...VIEW, cards: [], counts: [], trick: {}, past: [{ seats: [1, 0], cards: ["4h", "3s"], winner: 0 }], tricks: [1, 0], scores: [1, 0] };

const told = (...events) => ({ type: "events", table: 1, events, says: events.map(({ event }) => `${event}.`), view: END });
const kinds = (scenes) => scenes.map(({ kind }) => kind);

/** A stage, its clock, and the kinds of scenes that it has shown. `isStill`: motion is not wanted. */
function staged(isStill = false) {
    const clock = new Clock();
    const shown = [];
    globalThis.matchMedia = () => ({ matches: isStill });
    globalThis.setTimeout = (does, ms) => clock.after(ms, does);
    globalThis.clearTimeout = (timer) => clock.cancel(timer);
    return { clock, shown, stage: new Stage(({ kind }) => shown.push(kind)) };
}

test("hands that are shown lie there until the next deal", () => {
    const hands = [{ seat: 1, cards: ["4h"], category: "numerus", points: 4 }];
    const [, end, next] = scenesOf(VIEW, told({ event: "primero.showdown", hands }, { event: "primero.hand", winner: 1 }, { event: "primero.dealt" }), []);
    assert.deepEqual([end.kind, end.view.shown], ["hand", hands]);
    assert.equal(next.kind, "deal");
    const [deal] = scenesOf({ ...VIEW, shown: hands }, told({ event: "primero.dealt" }, PLAYED), []);
    assert.deepEqual(deal.view.shown, []);
});

test("a message that ends a hand is a card, a trick that lies, its taking, and the end", () => {
    const scenes = scenesOf(VIEW, told(PLAYED, TRICK, HAND), []);
    assert.deepEqual(kinds(scenes), ["play", "trick", "take", "hand"]);
    assert.deepEqual(scenes[0].view.trick, { seats: [1, 0], cards: ["4h", "3s"] });
    assert.deepEqual(scenes[0].view.cards, []);
    assert.deepEqual(scenes[0].view.counts, [0, 1]);
    assert.equal(scenes[1].view.past.at(-1).winner, 0);
    assert.equal(scenes[3].view, END);
});

test("the hand that decides a game is one scene with its end", () => {
    const scenes = scenesOf(VIEW, told(PLAYED, TRICK, HAND, GAME), []);
    assert.deepEqual(kinds(scenes), ["play", "trick", "take", "game"]);
    assert.deepEqual(scenes.at(-1).says, ["hand.", "game."]);
});

test("a rubber that goes on holds as at the end of a hand", () => {
    assert.deepEqual(kinds(scenesOf(VIEW, told({ ...GAME, goes_on: true }), [])), ["hand"]);
});

test("what is no event of the game changes the picture alone", () => {
    assert.deepEqual(kinds(scenesOf(VIEW, told({ event: "presence", seat: 1, is_away: true }), [])), ["state"]);
});

for (const isStill of [false, true]) {
    test(`the last card of a trick stands a second at least and ends hold${isStill ? ", without motion too" : ""}`, () => {
        const { clock, shown, stage } = staged(isStill);
        stage.show(scenesOf(VIEW, told(PLAYED, TRICK, HAND), []));
        stage.show(scenesOf(END, told(DEALT), []));
        clock.pass(isStill ? 0 : STANDS.play);
        assert.equal(stage.scene.kind, "trick");
        clock.pass(1_000);
        assert.equal(stage.scene.kind, "trick");
        assert.equal(stage.isPresent, false);
        clock.pass(STANDS.trick + STANDS.take - 1_000);
        assert.equal(stage.scene.kind, "hand");
        clock.pass(2_500);
        assert.equal(stage.scene.kind, "hand");
        clock.pass(STANDS.hand);
        assert.equal(stage.isPresent, true);
        assert.deepEqual(shown, ["play", "trick", "take", "hand", "deal"]);
    });
}

test("who leads next may do so while the trick lies", () => {
    const { clock, stage } = staged();
    stage.show(scenesOf(VIEW, told(PLAYED, TRICK), []));
    assert.equal(stage.isPresent, false);
    clock.pass(STANDS.play);
    assert.equal(stage.scene.kind, "trick");
    assert.equal(stage.isPresent, true);
});

test("to go on ends one scene, and the last stays", () => {
    const { clock, stage } = staged();
    stage.show(scenesOf(VIEW, told(PLAYED, TRICK, HAND), []));
    for (const kind of ["trick", "take", "hand", "hand"]) {
        stage.goOn();
        assert.equal(stage.scene.kind, kind);
    }
    clock.pass(60_000);
    assert.equal(stage.scene.kind, "hand");
    assert.equal(clock.timers.size, 0);
});

test("a stage that is behind by more than a hand shows the present at once", () => {
    const { stage } = staged();
    stage.show(scenesOf(VIEW, told(PLAYED, TRICK, HAND), []));
    stage.show(scenesOf(END, told(DEALT), []));
    stage.show(scenesOf(END, told({ event: "put", seat: 1 }), []));
    assert.equal(stage.scene.kind, "play");
    stage.show(scenesOf(END, told(HAND), []));
    stage.show(scenesOf(END, told(DEALT), []));
    assert.equal(stage.scene.kind, "deal");
    assert.equal(stage.waiting.length, 0);
});

test("cards are on the table from their deal on", () => {
    const drawn = { event: "drawn", seats: [0, 1], cards: ["Kh", "2s"] };
    const dealt = { ...DEALT, cards: ["3s", "4s", "5s"] };
    const [before, deal, after] = scenesOf(null, { ...told(drawn, dealt, PLAYED), view: { ...VIEW, cards: ["4s", "5s"] } }, []);
    assert.deepEqual([before.kind, before.view.cards, before.view.counts], ["word", [], []]);
    assert.deepEqual([deal.kind, deal.view.cards, deal.view.counts], ["deal", ["3s", "4s", "5s"], [3, 3]]);
    assert.deepEqual(after.view.cards, ["4s", "5s"]);
});

test("every scene in which something happens has a sound", () => {
    let tones = 0;
    const param = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    globalThis.AudioContext = class {
        createOscillator = () => (tones++, { frequency: param, connect: (next) => next, start() {}, stop() {} });
        createGain = () => ({ gain: param, connect() {} });
    };
    globalThis.navigator ??= {};
    const sounds = new Sounds();
    const silent = [...Object.keys(STANDS), "turn", "won", "lost", "asked"].filter((name) => {
        const before = tones;
        sounds.play(name);
        return tones === before;
    });
    assert.deepEqual(silent, ["state", "take", "game"]); // a game has those of its outcome
});

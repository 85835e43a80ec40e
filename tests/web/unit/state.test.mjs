// The state of the page, by messages.

import assert from "node:assert/strict";
import test from "node:test";

import { hear, newState } from "../../../server/put_server/web/state.js";
import { secondsLeft } from "../../../server/put_server/web/words.js";

const info = (isAway) => ({ id: 1, game: "put-1674", options: {}, seats: [{ name: "Moll" }, { name: "Nan", is_away: isAway }], clock: { turn: 60, bank: 300 }, state: "playing" });
const presence = (number, away) => ({ type: "events", table: 1, first: number, events: [{ event: "presence", seat: 1, away }], says: [""], info: info(away) });

test("the time of a player who is away begins when they go, and their turn goes on when they are back", () => {
    const state = newState();
    hear(state, { type: "table", table: 1, viewer: 0, number: 0, info: info(false), turn: { seat: 1, turn_ms: 60_000, bank_ms: 300_000 } }, 0);
    const left = (now) => secondsLeft(state.tables.get(1), now);
    assert.equal(left(20_000), "40 s");
    hear(state, presence(1, true), 20_000);
    assert.equal(left(20_000), "5:00");
    assert.equal(left(80_000), "4:00");
    hear(state, presence(2, false), 80_000);
    assert.equal(left(90_000), "30 s");
    hear(state, presence(3, true), 90_000);
    assert.equal(left(90_000), "4:00");
});

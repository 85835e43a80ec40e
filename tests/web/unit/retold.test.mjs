// A game in a link.

import assert from "node:assert/strict";
import test from "node:test";

import { HANDS } from "../../../server/put_server/web/first_hands.js";
import { gameIn, linkTo } from "../../../server/put_server/web/retold.js";
import { hear, newState } from "../../../server/put_server/web/state.js";

globalThis.location = /** @type {any} */ ({ origin: "https://put.example.org" });

test("a link has every scene of the game, and no server is sent them", async () => {
    const state = newState();
    for (const { messages } of HANDS[1].steps) for (const message of messages) hear(state, message, 0);
    const table = state.tables.get(1);
    const link = new URL(await linkTo(state, table));
    assert.match(link.hash, /^#game=[\w-]+$/);
    assert.equal(link.pathname + link.search, "/");
    const told = await gameIn(link.hash);
    assert.deepEqual(told.steps.map(({ kind, says }) => [kind, says]), table.steps.map(({ kind, says }) => [kind, says]));
    assert.deepEqual(told.steps.at(-1).view, table.view);
    assert.deepEqual(told.info.seats.map(({ name }) => name), ["You", "Doll"]);
});

test("a link of which a part is missing has no game", async () => {
    await assert.rejects(gameIn("#game=7VdNb9s4EP0r"));
});

test("a link with something else has no game", async () => {
    const seats = [{ name: "Moll" }];
    for (const [chairs, steps] of [[seats, []], [seats, [{}]], [[], [{ view: { view: "put" } }]]]) {
        const { hash } = new URL(await linkTo(newState(), { info: { game: "put-1674", seats: chairs }, viewer: 0, steps }));
        await assert.rejects(gameIn(hash));
    }
});

// Positions to practise on, without a server.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Positions } from "../../../server/put_server/web/positions.js";

test("the first position is shown as it comes, while more are asked for", async () => {
    const coming = [];
    const app = {
        state: { phase: "here" },
        ask: async () => ({ id: 1 }),
        connection: { following: () => new Promise((done) => coming.push(done)) },
    };
    const positions = new Positions(app);
    void positions.fill("put-1674");
    const next = positions.next("put-1674");
    for (let tries = 0; tries < 50 && !coming.length; tries++) await Promise.resolve();
    coming.shift()({ type: "position", number: 1, legal: [] });
    assert.equal((await next).position.number, 1);
    assert.equal(positions.count("put-1674"), 0);
});

// Secrets of our keys, one drawn anew for each game: of each table that of the last.

import { base64, bytesOf } from "./bytes.js";

export class GameKeys {
    /** Drawn or used here, by table. @type {Map<number, GameKey>} */
    games = new Map();

    /** @param {Record<string, GameKey>} stored what the browser keeps, by table: another tab may have gone on */
    constructor(stored) {
        this.stored = stored;
    }

    /** The secret of a game; it is drawn if our key of it is not told yet. Null: it is not known here.
     * @param {number} table @param {Uint8Array} hash of the terms @param {boolean} isTold */
    secretOf(table, hash, isTold) {
        const game = base64(hash);
        const known = [this.stored[table], this.games.get(table)].find((one) => one?.game === game);
        if (!known && isTold) return null; // what is kept of another game is not given up for it
        const key = known ?? { game, secret: base64(crypto.getRandomValues(new Uint8Array(32))), number: 0, digest: "" };
        this.games.set(table, key);
        return bytesOf(key.secret);
    }
}

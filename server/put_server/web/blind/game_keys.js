// Secrets of our keys, one drawn anew for each game: of each table that of the last.

import { base64, bytesOf } from "./bytes.js";

export class GameKeys {
    /** @param {Record<string, GameKey>} games by table */
    constructor(games) {
        this.games = new Map(Object.entries(games).map(([table, key]) => [Number(table), key]));
    }

    /** The secret of a game; it is drawn if our key of it is not told yet. Null: it is not known here.
     * @param {number} table @param {Uint8Array} hash of the terms @param {boolean} isTold */
    secretOf(table, hash, isTold) {
        const game = base64(hash);
        const known = this.games.get(table);
        if (known?.game === game) return bytesOf(known.secret);
        if (isTold) return null; // what is kept of another game is not given up for it
        const secret = crypto.getRandomValues(new Uint8Array(32));
        this.games.set(table, { game, secret: base64(secret), number: 0, digest: "" });
        return secret;
    }
}

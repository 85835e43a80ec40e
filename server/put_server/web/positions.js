// Positions to practise on. The browser keeps some, with what the server says of every choice, so that they need no network.

import { store, stored } from "./storage.js";
import { t } from "./words.js";

const KEY = "put.positions";
const WAITING = 6; // of a game

/** A position, and the judgements of its legal actions, in their order. @typedef {{position: ServerPosition, judged: Judged[]}} Weighed */

export class Positions {
    /** @param {App} app */
    constructor(app) {
        this.app = app;
        /** Those that wait, by game. @type {Record<string, Weighed[]>} */
        this.waiting = stored(KEY) ?? {};
        /** The last work that was begun: one position is asked for at a time. @type {Promise<unknown>} */
        this.work = Promise.resolve();
        /** The reason that there is none, in a sentence. */
        this.flaw = "";
        this.answers = 0;
        this.right = 0;
    }

    /** @param {string} game */
    count(game) {
        return this.waiting[game]?.length ?? 0;
    }

    /** Take a position; undefined: there is none. @param {string} game */
    async next(game) {
        if (!this.count(game)) await this.more(game, 1);
        const one = this.waiting[game]?.shift();
        store(KEY, this.waiting);
        return one;
    }

    /** Have enough positions of a game wait. @param {string} game */
    async fill(game) {
        while (await this.more(game, WAITING));
    }

    /** Ask for one more, unless `enough` wait by then; resolves with whether it came. @param {string} game @param {number} enough
     * @returns {Promise<boolean>} */
    more(game, enough) {
        const done = this.work.then(async () => {
            if (this.count(game) >= enough) return false;
            const { state } = this.app;
            this.flaw = state.phase === "here" ? "" : t`No more positions are kept here. There are more when the server is there.`;
            const one = !this.flaw && (await this.ask(game));
            if (!one) return false;
            this.waiting[game] = [...(this.waiting[game] ?? []), one];
            return store(KEY, this.waiting);
        });
        this.work = done.catch(() => undefined);
        return done;
    }

    /** @param {string} game @returns {Promise<Weighed | undefined>} */
    async ask(game) {
        const { app } = this;
        const position = await app.connection.following(await app.ask("drill", { game }));
        if (position?.type !== "position" || position.flaw) return void (this.flaw = position?.flaw ?? "");
        const judged = [];
        for (const { action } of position.legal ?? []) {
            const told = await app.connection.following(await app.ask("grade", { game, number: position.number ?? 0, action }));
            if (told?.type !== "judgement" || !told.judged) return void (this.flaw = told?.flaw ?? "");
            judged.push(told.judged);
        }
        return { position, judged };
    }
}

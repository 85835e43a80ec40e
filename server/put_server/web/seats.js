// Seats: how a player comes to a table and leaves it again.

import { offerOf } from "./words.js";

const OPENING = "a table is opened";

export class Seats {
    /** @param {App} app */
    constructor(app) {
        this.app = app;
        /** Passcodes that were typed, by table. @type {Map<number, string>} */
        this.passcodes = new Map();
        /** The table that asks for a passcode, the request that needs it, and what was wrong with the last one.
         * @type {{table: number, kind: "sit" | "watch", why: string} | null} */
        this.locked = null;
    }

    get isOpening() {
        return this.app.asking.has(OPENING);
    }

    /** Sit down, and keep the key of our cards. `options`: of the table, if it is new. @param {number} table @param {TableInfo["options"]} [options] */
    sit(table, options) {
        const { app } = this;
        return app.once(`sit ${table}`, async () => {
            const passcode = this.passcodes.get(table) ?? "";
            const { lobby, tables, invitations } = app.state;
            const invited = invitations.find((one) => one.table === table);
            const known = invited?.info ?? tables.get(table)?.info ?? lobby.get(table);
            const { dealing } = options ?? known?.options ?? {};
            const keeps = dealing === "blind" && (await app.fairness.keyKeeper().catch(() => null));
            if (await app.ask("sit", { table, seat: invited?.seat ?? null, passcode, ...(keeps && { holds_key: true }) })) app.go(table);
        });
    }

    /** @param {number} table */
    async watch(table) {
        if (await this.app.ask("watch", { table, passcode: this.passcodes.get(table) ?? "" })) this.app.go(table);
    }

    /** @param {string} passcode */
    async unlock(passcode) {
        const { locked } = this;
        this.locked = null;
        if (!locked) return;
        this.passcodes.set(locked.table, passcode);
        await this[locked.kind](locked.table);
    }

    /** @param {number} table */
    decline(table) {
        const { app } = this;
        app.state.invitations = app.state.invitations.filter((one) => one.table !== table);
        app.changed();
    }

    /** Open a table, and sit down at it. With a `house` of the fields the server does both, reads our cards, and so lets the
     * coach see them; with one of `others` we keep their key.
     * @param {Requests["open"]} fields @param {string} [others] */
    open(fields, others) {
        const { app } = this;
        return app.once(OPENING, async () => {
            const table = (await app.ask("open", fields))?.table;
            if (!table) return;
            app.state.opened.add(table);
            if (fields.passcode) this.passcodes.set(table, fields.passcode);
            if (fields.house) return app.go(table);
            const usual = offerOf(app.state, fields.game)?.options.map((option) => [option.name, option.default]) ?? [];
            const seats = others ? [...Array(fields.seats).keys()].slice(1) : [];
            await Promise.all([this.sit(table, { ...Object.fromEntries(usual), ...fields.options }), ...seats.map((seat) => app.ask("invite", { table, seat, house: others }))]);
        });
    }

    /** A game with a patient player of the house, and a hint at each choice. @param {string} game */
    openWithHints(game) {
        const { app } = this;
        app.set({ ...app.settings, hints: "on" });
        return this.open({ game, house: app.state.houses[0]?.name });
    }

    /** @param {number} table */
    async leave(table) {
        if (await this.app.ask("leave", { table })) this.app.parts(table);
    }
}

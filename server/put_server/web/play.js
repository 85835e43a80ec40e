// Play: the stage of each table, its sounds, and what we do there.

import { Stage } from "./director.js";
import { notify } from "./state.js";
import { outcomeOf } from "./words.js";

export class Play {
    /** @param {App} app */
    constructor(app) {
        this.app = app;
        /** By table. @type {Map<number, Stage>} */
        this.stages = new Map();
        /** @type {import("./sound.js").Sounds | null} */
        this.sounds = null;
    }

    /** Load sounds at the first touch: browsers allow none before. */
    begin() {
        const touched = () => void import("./sound.js").then(({ Sounds }) => (this.sounds ??= new Sounds()), () => undefined);
        for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, touched, { once: true });
    }

    /** @param {string} name */
    sound(name) {
        if (this.app.settings.sound === "on") this.sounds?.play(name);
    }

    /** The stage of a table. @param {number} table */
    stageOf(table) {
        const stage = this.stages.get(table) ?? new Stage((scene) => this.staged(table, scene));
        this.stages.set(table, stage);
        return stage;
    }

    /** Put what a message shows on the stage of its table. @param {Server} message */
    direct(message) {
        if (message.type === "welcome") for (const id of this.stages.keys()) if (!this.app.state.tables.has(id)) this.stages.delete(id);
        const table = (message.type === "table" || message.type === "events") && this.app.state.tables.get(message.table);
        if (!table) return;
        const stage = this.stageOf(table.id);
        if (message.type === "events") {
            stage.show(table.fresh);
            table.fresh = [];
        } else if (JSON.stringify(stage.scene?.view ?? null) !== JSON.stringify(table.view)) {
            // After a drop the same picture stays as it was told.
            stage.reset(table.view && { kind: "state", event: null, view: table.view, says: [], board: table.board });
        }
    }

    /** A scene begins. @param {number} id @param {Scene} scene */
    staged(id, { kind, event }) {
        const viewer = this.app.state.tables.get(id)?.viewer;
        const won = kind === "game" && event && typeof viewer === "number" ? outcomeOf(event, viewer) : null;
        const name = won === null ? (kind === "game" ? "hand" : kind) : won ? "won" : "lost";
        if (id === this.app.at && !this.app.isWall) this.sound(name);
        this.app.changed();
    }

    /** @param {Table} table @param {Choice} choice */
    async act(table, { action }) {
        const { app } = this;
        if (!table.decision || table.acting) return;
        const { id, decision: { decision } } = table;
        const stage = this.stageOf(id);
        if (stage.waiting.length) stage.catchUp();
        table.acting = true;
        table.mine.push({ action, hand: table.view?.hand ?? 0, step: table.steps.length });
        app.changed();
        /** @type {Pick<Signed, "says" | "action" | "entry">} */
        const signed = await app.fairness.sign(id, action);
        if (signed.says) notify(app.state, signed.says);
        const { entry } = signed;
        if (!signed.action || !(await app.ask("act", { table: id, decision, action: signed.action, ...(entry && { entry }) }))) {
            app.fairness.keys?.refused(id);
            table.acting = false;
            table.mine.pop();
        }
        app.changed();
    }
}

// @ts-nocheck: what it reads may be anything, and it is compared with the server's own checker over thousands of games.

// Everything that one client was told and asked: which viewers it makes, and what each of them is told.

import { Viewer } from "./viewer.js";

// One file: the viewers that it begins, and which of its lines each of them is told.
export class Recording {
    constructor() {
        this.viewers = [];
        this.at = new Map(); // by table
        this.latest = null;
        this.isWelcome = false;
        this.ends = new Map(); // by table: what the viewer promised when they asked for a seat
        this.asked = new Map(); // by id: requests that were not answered yet
        this.beginsAnew = new Set(); // tables at which the viewer has asked for another seat, or none
        this.untold = new Set(); // viewers of a head line who were told nothing yet
    }

    take(line) {
        if (line.event !== undefined) return this.viewerOf(line).take(line);
        const { type, table } = line;
        // From version 3 on, a message of a table says which request it answers.
        if ((type === "table" || type === "events") && line.id) this.answer({ type: "ok", id: line.id });
        if (type === "viewer") this.begin(line, true);
        else if (type === "welcome") this.welcome(line);
        else if (type === "table") this.show(line);
        else if (type === "events") this.tellAll(line);
        else if (type === "openings") this.at.get(table)?.open(line);
        else if (type === "view") this.viewerOf(line).compare(line.view);
        else if (type === "left") this.forget(table);
        else if (["sit", "watch", "leave", "stand"].includes(type)) this.ask(line);
        else if (type === "promise") {
            this.actor(table)?.promise(line.end);
            if (line.id !== undefined) this.asked.set(line.id, line);
        } else if (type === "cut") this.actor(table)?.give(line.link, line.deal);
        else if (type === "counted") this.viewerOf(line).count();
        else if (type === "dropped") this.viewerOf(line).hasDropped = true;
        else if (type === "ok" || type === "refused") this.answer(line);
    }

    viewerOf(line) {
        const viewer = line.table === undefined ? this.latest : this.at.get(line.table);
        if (!viewer) throw new Error("nothing before it says who the viewer is");
        this.untold.delete(viewer);
        return viewer;
    }

    // Who does something; null: they are at no table that is known.
    actor(table) {
        const viewer = this.at.get(table ?? this.latest?.table) ?? null;
        this.untold.delete(viewer);
        return viewer;
    }

    begin(head, isUntold) {
        this.latest = new Viewer(head);
        this.viewers.push(this.latest);
        this.at.set(head.table, this.latest);
        this.beginsAnew.delete(head.table);
        this.ends.delete(head.table);
        if (isUntold) this.untold.add(this.latest);
    }

    forget(table) {
        this.at.delete(table);
        this.ends.delete(table);
    }

    welcome({ tables }) {
        if (this.isWelcome) {
            for (const viewer of this.viewers) viewer.hasDropped = true;
            if (tables) for (const table of this.at.keys()) if (!tables.includes(table)) this.forget(table);
        }
        this.isWelcome = true;
    }

    ask(line) {
        this.beginsAnew.add(line.table);
        if (line.type === "sit") this.ends.set(line.table, line.end ?? null);
        if (line.id !== undefined) this.asked.set(line.id, line);
    }

    answer({ type, id }) {
        const asked = this.asked.get(id);
        this.asked.delete(id);
        if (asked?.type === "promise") {
            if (type === "ok") this.at.get(asked.table)?.count();
        } else if (asked && type === "refused") {
            this.beginsAnew.delete(asked.table);
            if (asked.type === "sit") this.ends.delete(asked.table);
        }
    }

    show({ table, viewer, number, info, view = null, sealed = null, links = [] }) {
        const known = this.at.get(table);
        const isInPlay = info.state === "playing" || info.state === "paused";
        const isSame = known && !this.beginsAnew.has(table) && (known.viewer ?? "gallery") === viewer;
        if (isSame && !this.untold.has(known)) {
            known.look(sealed, links, isInPlay, number);
            if (view !== null) known.compare(view);
            known.hasDropped = false;
            return;
        }
        const { game, options = {} } = info;
        const isExhibition = info.is_exhibition ?? false;
        const end = this.ends.get(table) ?? null;
        const head = { table, viewer, number, end, game, options, joins: isInPlay && end === null, is_exhibition: isExhibition };
        if (isSame) {
            // The line before it tells more of the viewer than this message does.
            this.viewers.splice(this.viewers.indexOf(known), 1);
            Object.assign(head, known.head);
        }
        this.begin(head, false);
        if (sealed !== null) this.latest.join(sealed, links);
    }

    tellAll({ table, first, events, view = null, openings = [] }) {
        const viewer = this.at.get(table);
        if (!viewer) return;
        this.untold.delete(viewer);
        for (const told of openings) viewer.open(told);
        for (const event of events) viewer.take(event);
        viewer.number = first + events.length - 1;
        if (view !== null) viewer.compare(view);
        viewer.hasDropped = false;
    }
}

// The director: what happens at a table, shown one scene after another.
//
// A message tells events and the view after all of them. Each event that is shown becomes a scene: a picture of the
// table just after it. A stage shows its scenes in order, each for a time, or until the player goes on. The last one
// stays until the next comes. The same scenes are the steps of a replay. Nothing here is drawn, and no rule is known:
// tables.js says which events play to a trick, end one, begin a hand or end it.

import { EVENTS } from "./blind/tables.js";

/** How long each kind of scene stands at least, in milliseconds, until the next is shown. @type {Record<SceneKind, number>} */
export const STANDS = { state: 0, deal: 700, play: 450, trick: 1_200, take: 350, call: 1_300, word: 700, hand: 3_500, game: 1_000 };

/** Scenes that show nothing but motion; they take no time where motion is not wanted. */
const MOTION = new Set(["deal", "play", "take"]);

/** Hands that may wait; with more, the present is shown at once. */
const MOST_HANDS = 1;

/** Most scenes that may wait, whatever they are. */
const MOST_SCENES = 60;

/** Short words that a player says aloud, to all the table. @type {Record<string, string>} */
export const CALLS = { put: "I put!", doubled: "I double!", saw: "I see it!", took: "I take it!", threw_in: "I throw in.", "primero.vada": "Vada!", "triomphe.la_mort": "La Mort!" };

/** @param {TableEvent} event @returns {SceneKind | ""} */
function kindOf(event) {
    if (!Object.hasOwn(EVENTS, event.event)) return "";
    const { trick, steps = [] } = /** @type {Record<string, {trick?: string, steps?: {step: string}[]}>} */ (EVENTS)[event.event];
    const has = (/** @type {string} */ name) => steps.some(({ step }) => step === name);
    if (trick) return trick === "plays" ? "play" : "trick";
    if (has("GameClosed") && !event.goes_on) return "game";
    if (has("HandOver")) return "hand";
    if (has("HandsDealt")) return "deal";
    return Object.hasOwn(CALLS, event.event) ? "call" : "word";
}

/** The view after an event, as far as a picture between two messages needs it. @param {View} view @param {TableEvent} event @param {string} kind */
function after(view, event, kind) {
    if (kind === "deal") return { ...view, shown: [], cards: event.cards ?? [], counts: event.counts ?? view.counts };
    if (event.hands) return { ...view, shown: event.hands };
    if (kind === "play") {
        const { seats = [], cards = [] } = view.trick ?? {};
        const counts = view.counts?.map((count, seat) => (seat === event.seat ? count - 1 : count));
        return { ...view, counts, trick: { seats: [...seats, event.seat ?? 0], cards: [...cards, event.card ?? ""] }, cards: view.cards?.filter((card) => card !== event.card) };
    }
    if (kind === "trick") {
        return { ...view, past: [...(view.past ?? []), { ...view.trick, winner: event.winner ?? null }], trick: {}, tricks: event.tricks ?? view.tricks };
    }
    if (kind === "hand") return { ...view, scores: event.scores ?? view.scores, cards: [], counts: [], trick: {} };
    return view;
}

/** The scenes of a message that brings a view. The last one has the view of the message.
 * @param {View | null} before @param {ServerEvents} message @param {string[]} board @returns {Scene[]} */
export function scenesOf(before, message, board) {
    const { events, says = [] } = message;
    const view = /** @type {View} */ (message.view);
    /** @type {Scene[]} */
    const scenes = [];
    let picture = before ?? { ...view, cards: [], counts: [], trick: {} };
    for (const [at, event] of events.entries()) {
        const kind = kindOf(event);
        if (!kind) continue;
        const last = scenes.at(-1);
        // The deciding hand and its game are one scene.
        const joins = kind === "game" && (last?.kind === "hand" || last?.kind === "game") ? scenes.pop() : undefined;
        picture = after(picture, event, kind);
        scenes.push({ kind, event, view: picture, says: [...(joins?.says ?? []), says[at] ?? ""].filter(Boolean), board });
    }
    if (!scenes.length) scenes.push({ kind: "state", event: null, view, says: says.filter(Boolean), board });
    scenes[scenes.length - 1].view = view;
    return scenes.flatMap((scene) => (scene.kind === "trick" ? [scene, { ...scene, kind: /** @type {SceneKind} */ ("take"), says: [] }] : [scene]));
}

export const isMotionUnwanted = () => typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Milliseconds until the scene after one is shown. @param {Scene} scene */
export const standsFor = ({ kind }) => (isMotionUnwanted() && MOTION.has(kind) ? 0 : STANDS[kind]);

/** The scene in play at one table, and those that wait for it. */
export class Stage {
    /** @param {(scene: Scene) => void} changed called for each new scene */
    constructor(changed) {
        this.changed = changed;
        /** @type {Scene | null} */
        this.scene = null;
        /** @type {Scene[]} */
        this.waiting = [];
        /** @type {ReturnType<typeof setTimeout> | null} */
        this.timer = null;
    }

    /** Show a scene in the place of all others. @param {Scene | null} scene */
    reset(scene) {
        this.stop();
        this.waiting = [];
        this.scene = scene;
    }

    /** Add scenes behind those that wait. @param {Scene[]} scenes */
    show(scenes) {
        this.waiting.push(...scenes);
        const hands = this.waiting.filter(({ kind }) => kind === "deal").length;
        if (hands > MOST_HANDS || this.waiting.length > MOST_SCENES) this.catchUp();
        else if (this.timer === null) this.next();
    }

    /** Go on to the next scene, whether or not this one had its time. */
    goOn() {
        this.stop();
        this.next();
    }

    catchUp() {
        this.stop();
        this.waiting.splice(0, this.waiting.length - 1);
        this.next();
    }

    /** True if nothing waits that the player has not seen: they may act on what is shown. */
    get isPresent() {
        return this.waiting.every(({ kind }) => kind === "take");
    }

    stop() {
        if (this.timer !== null) clearTimeout(this.timer);
        this.timer = null;
    }

    next() {
        while (this.timer === null) {
            const scene = this.waiting.shift();
            if (!scene) return;
            this.scene = scene;
            const ms = standsFor(scene);
            if (ms > 0) this.timer = setTimeout(() => this.goOn(), ms);
            this.changed(scene);
        }
    }
}

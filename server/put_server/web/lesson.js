// The first game: three hands of Put, played in scenes without the server, and the way to a real game with hints.

import { html, useEffect, useState } from "./vendor/preact.js";
import { Board } from "./board.js";
import { Stage } from "./director.js";
import { Hand } from "./hand.js";
import { hear, newState, speak } from "./state.js";
import { language, offerOf, t } from "./words.js";

const { HANDS } = await (language === "fr" ? import("./first_hands_fr.js") : import("./first_hands.js"));

/** @typedef {{messages: Server[], tip: string, action?: string, instead?: Record<string, string>}} Step */

/** A hand that is learnt: its messages are heard a step at a time, each until a choice of the learner. */
class Lesson {
    /** `says`: has a sentence read out. @param {number} number @param {() => void} changed @param {(text: string) => void} says */
    constructor(number, changed, says) {
        this.changed = changed;
        this.says = says;
        /** @type {Step[]} */
        this.steps = /** @type {any} */ (HANDS[number].steps);
        this.state = newState();
        this.stage = new Stage(changed);
        this.at = -1;
        /** Words about a choice that was not the right one. */
        this.reply = "";
        this.next();
    }

    get step() {
        return this.steps[this.at];
    }

    get table() {
        return /** @type {Table} */ (this.state.tables.get(1));
    }

    next() {
        this.at++;
        this.reply = "";
        for (const message of this.step.messages) {
            hear(this.state, message, 0);
            const { table } = this;
            if (message.type === "events") this.stage.show(table.fresh);
        }
        for (const { text } of this.state.spoken) this.says(text);
        this.state.spoken = [];
        this.says(this.step.tip);
    }

    /** @param {Choice} choice */
    choose({ action }) {
        const word = action.card ?? action.do;
        if (word === this.step.action) return this.next();
        this.reply = this.step.instead?.[word] ?? "";
        this.says(this.reply);
        this.changed();
    }

    end() {
        this.stage.reset(null);
    }
}

/** @param {{state: State, app: App}} shown */
export function FirstGame({ state, app }) {
    const [number, setNumber] = useState(0);
    const [lesson, setLesson] = useState(/** @type {Lesson | null} */ (null));
    useEffect(() => {
        const begun = new Lesson(number, () => app.changed(), (text) => speak(app.state, text));
        setLesson(begun);
        return () => begun.end();
    }, [number]);
    if (!lesson) return null;
    const { table, stage, step, reply } = lesson;
    const isNow = stage.isPresent;
    const isOver = isNow && !step.action;
    const isLast = number === HANDS.length - 1;
    const legal = isNow ? (table.decision?.legal ?? []) : [];
    return html`<section class="table lesson" aria-label=${t`The first game`}>
        <${Board} ...${{ table, isNow }} now=${0} scene=${stage.scene} offer=${offerOf(state, table.info.game)} goOn=${() => stage.goOn()}
            title=${HANDS[number].title} about=${t`hand ${number + 1} of ${HANDS.length}`}>
            <p class="asks" tabindex="-1">${isNow ? step.tip : ""}</p>
            ${isNow && reply && html`<p class="reply">${reply}</p>`}
            ${!isOver && html`<${Hand} cards=${stage.scene?.view.cards ?? []} legal=${legal} disabled=${false} act=${(/** @type {Choice} */ choice) => lesson.choose(choice)} />`}
            ${isOver && !isLast && html`<button class="first" onClick=${() => setNumber(number + 1)}>${t`Next: ${HANDS[number + 1].title.toLowerCase()}`}</button>`}
            ${isOver && isLast && html`<button class="first" disabled=${app.seats.isOpening} onClick=${() => app.seats.openWithHints(table.info.game)}>${t`Now a game, with a hint at each choice`}</button>`}
        <//>
        <p><button onClick=${() => app.go(0)}>${isOver && isLast ? t`To the lobby` : t`I know the game`}</button></p>
    </section>`;
}

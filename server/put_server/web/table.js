// One table on the screen: the board, and the viewer's choices.

import { html, useEffect, useState } from "./vendor/preact.js";
import { Board } from "./board.js";
import { Hand } from "./hand.js";
import { late } from "./late.js";
import { hangs, hintOf, offerOf, secondsLeft, stateOf, t, titleOf } from "./words.js";

const Coach = late(() => import("./analysis.js"), "Coach");
const Replay = late(() => import("./analysis.js"), "Replay");
const Aside = late(() => import("./aside.js"), "Aside");
const Between = late(() => import("./aside.js"), "Between");

/** @type {Choice[]} */
const NO_CHOICES = [];

/** @param {{state: State, app: App, table: Table, now: number}} shown */
export function TableScreen({ state, app, table, now }) {
    const [at, setAt] = useState(-1); // the step that is replayed; -1: the present state of the game
    useEffect(() => setAt(-1), [table.id, table.steps[0]]); // another game
    const { info, viewer, decision } = table;
    const stage = app.play.stageOf(table.id);
    const scene = table.steps[at] ?? stage.scene;
    const isNow = at < 0 && stage.isPresent;
    const isInPlay = info.state === "playing" || info.state === "paused" || !isNow;
    const mine = viewer === "gallery" ? null : info.seats[viewer];
    // A scene that is watched costs nobody their time: where a clock runs for us, we may act at once.
    const isPressed = decision && (info.clock.turn ?? 0) > 0;
    const mayAct = decision && (isNow || isPressed);
    const cards = (isPressed ? table.view?.cards : scene?.view.cards) ?? [];
    /** @param {Choice} choice */
    const act = (choice) => app.play.act(table, choice);
    useEffect(() => {
        if (mayAct) app.play.sound("turn");
    }, [mayAct && decision.decision]);
    const isHinted = at < 0 && mine && mayAct && app.settings.hints === "on" && mayCoach(table);
    useEffect(() => {
        if (isHinted && !table.advice) void app.ask("coach", { table: table.id });
    }, [isHinted && decision.decision]);
    const isHanging = state.phase === "lost" || state.delay === null;
    const isShuffled = isNow && app.fairness.keys?.standings.get(table.id)?.isShuffling;
    const asks = isHanging ? hangs() : isShuffled ? t`The pack is shuffled. Your browser needs some seconds for its part.` : info.state === "paused" ? t`The game is paused.` : mayAct ? decision.asks : isNow ? waits(table, now) || lastOf(table) : "";
    const about = [isNow ? stateOf(info) : "", viewer === "gallery" ? t`you watch` : "", info.watchers ? t`${info.watchers} watching` : ""];
    return html`<section class=${isInPlay ? "table" : "table idle"} aria-label=${t`Table ${table.id}`}>
        <${Board} ...${{ table, scene, now, isNow }} offer=${offerOf(state, info.game)} goOn=${at < 0 ? () => stage.goOn() : undefined}
            sendAway=${mine && !isInPlay ? (/** @type {number} */ seat) => app.ask("dismiss", { table: table.id, seat }) : undefined}
            title=${titleOf(state, info)} about=${about.filter(Boolean).join(" · ")}>
            ${at < 0 && (scene || isShuffled) && isInPlay && html`<p class=${isHanging ? "asks hangs" : "asks"} tabindex="-1">${asks}</p>`}
            ${isHinted ? html`<p class="note why hint">${table.advice ? hintOf(table.advice) : "…"}</p>`
                : at < 0 && mayAct && decision.why && html`<p class="note why">${decision.why}</p>`}
            ${scene && mine && isInPlay && html`<${Hand} ...${{ cards, act }} legal=${at < 0 && mayAct ? decision.legal : NO_CHOICES}
                disabled=${table.acting || info.state !== "playing"} />`}
        <//>
        ${at >= 0 && html`<${Replay} ...${{ table, at, setAt }} />`}
        ${at < 0 && mine && mayAct && mayCoach(table) && html`<${Coach} ...${{ app, table }} />`}
        ${!isInPlay && html`<${Between} ...${{ state, app, table }} />`}
        ${info.state === "paused" && mine && html`<p><button class="first" onClick=${() => app.ask("go_on", { table: table.id })}>${t`Go on`}</button></p>`}
        ${info.pause && info.state === "playing" && mine && html`<p class="invitation" role="status">${t`A pause of ${info.pause.minutes} minutes is asked for.`}
            <button onClick=${() => app.ask("pause", { table: table.id, minutes: info.pause?.minutes ?? 0 })}>${t`Agree`}</button></p>`}
        <${Aside} ...${{ state, app, table }} look=${setAt} />
    </section>`;
}

/** True if the coach may be asked: against the house alone. @param {Table} table */
const mayCoach = ({ info, viewer, decision }) => (decision?.legal.length ?? 0) > 1 && info.seats.every(({ is_house, holds_key }, seat) => (is_house || seat === viewer) && !holds_key);

/** Words for those who wait for a player whose connection is lost. @param {Table} table @param {number} now */
function waits(table, now) {
    const { turn, info, viewer } = table;
    const absent = turn && turn.seat !== viewer && info.seats[turn.seat];
    return absent && absent.is_away && info.state === "playing" ? t`${absent.name} has lost the connection. The table waits for ${secondsLeft(table, now)}.` : "";
}

/** Headline: in play the board's last sentence, which says whose move it is; afterwards the end of the game.
 * @param {Table} table */
const lastOf = (table) => (table.info.state === "playing" ? table.board : (table.steps.at(-1)?.says ?? table.board)).at(-1) ?? "";

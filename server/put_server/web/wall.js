// A table on a wall.

import { html } from "./vendor/preact.js";
import { Board } from "./board.js";
import { late } from "./late.js";
import { offerOf, stateOf, t, titleOf } from "./words.js";

const Share = late(() => import("./share.js"), "Share");

/** For all people in the room: large, and without buttons.
 * @param {{state: State, app: App, table: Table, now: number}} shown */
export function Wall({ state, app, table, now }) {
    const stage = app.play.stageOf(table.id);
    const told = table.told.filter(({ kind }) => kind !== "quiet").slice(-5);
    return html`<main class="wall" aria-label=${t`Table ${table.id}`}>
        <${Board} ...${{ table, now }} scene=${stage.scene} isNow=${stage.isPresent} offer=${offerOf(state, table.info.game)} title=${titleOf(state, table.info)}
            about=${`${state.server} · table ${table.id} · ${stateOf(table.info)}`} />
        ${state.notices.map(({ id, text }) => html`<p key=${id} class="problem">${text}</p>`)}
        <div class="told">${told.map((one, at) => html`<p key=${`${table.told.length} ${at}`} class=${one.kind}>${one.text}</p>`)}</div>
        <${Share} id=${table.id} />
    </main>`;
}

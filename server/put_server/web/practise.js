// Practice, which needs no server: the first hands, positions of perfect play, and the games of this browser.

import { html, useEffect, useState } from "./vendor/preact.js";
import { Judged } from "./analysis.js";
import { Board } from "./board.js";
import { Select } from "./forms.js";
import { Hand } from "./hand.js";
import { Positions } from "./positions.js";
import { Record } from "./record.js";
import { offerOf, t } from "./words.js";

/** @import {Weighed} from "./positions.js" */

/** @param {{state: State, app: App}} shown */
export function Practise({ state, app }) {
    return html`<p><button onClick=${() => app.learn()}>${t`The first three hands of Put`}</button></p>
        <h2>${t`Positions`}</h2><${Drill} ...${{ state, app }} /><h2>${t`Your games`}</h2><${Record} />`;
}

/** @param {{state: State, app: App}} shown */
function Drill({ state, app }) {
    const positions = (app.positions ??= new Positions(app));
    const [game, setGame] = useState("put-1674");
    const [one, setOne] = useState(/** @type {Weighed | undefined} */ (undefined));
    const [chosen, setChosen] = useState(-1);
    const [isAsking, setAsking] = useState(false);
    useEffect(() => void positions.fill(game).then(app.changed), [game, state.phase]);
    const next = async () => {
        setAsking(true);
        setChosen(-1);
        setOne(await positions.next(game));
        setAsking(false);
        void positions.fill(game);
    };
    /** @param {Choice} choice */
    const answer = (choice) => {
        const at = one?.position.legal?.indexOf(choice) ?? -1;
        positions.answers++;
        if (one?.judged[at].quality === "fine") positions.right++;
        setChosen(at);
    };
    const { position } = one ?? {};
    const { answers, right, flaw } = positions;
    return html`<section class="drill">
        <p class="note">${t`A position from a game between perfect players. Choose, and see what each choice is worth.`}</p>
        <${Select} title=${t`Game`} value=${game} change=${setGame}
            values=${state.games.filter(({ seats }) => seats.includes(2)).map(({ name, title }) => [name, title])} />
        <button class="first" disabled=${isAsking} onClick=${next}>${isAsking ? t`One moment…` : position ? t`Another position` : t`A position`}</button>
        ${answers > 0 && html`<p class="note">${t`Right so far: ${right} of ${answers}.`}</p>`}
        ${!position && flaw && html`<p>${flaw}</p>`}
        ${position?.view && html`<${Board} table=${asTable(position)} now=${0} offer=${offerOf(state, position.game)}
                scene=${{ kind: "state", event: null, view: position.view, says: [], board: [] }}>
            <p class="asks">${position.asks}</p>
            ${position.why && html`<p class="note why">${position.why}</p>`}
            <${Hand} cards=${position.view.cards ?? []} legal=${position.legal ?? []} disabled=${chosen >= 0} act=${answer} />
        <//>`}
        ${one && chosen >= 0 && html`<${Judged} judged=${one.judged[chosen]} />`}
    </section>`;
}

/** A position as a table without players. @param {ServerPosition} position */
function asTable(position) {
    const seats = (position.names ?? []).map((name) => ({ name }));
    const viewer = position.seat ?? 0;
    return { id: 0, viewer, info: { seats, state: "playing", clock: {}, options: {} }, turn: { seat: viewer }, turnAt: 0 };
}

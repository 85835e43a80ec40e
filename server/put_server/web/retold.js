// A game in a link: its scenes as the player saw them, packed into the part of the address that is sent to no server.

import { html, useEffect, useState } from "./vendor/preact.js";
import { Replay } from "./analysis.js";
import { Board } from "./board.js";
import { Hand } from "./hand.js";
import { base64, bytesOf } from "./blind/bytes.js";
import { t, titleOf } from "./words.js";

/** @typedef {{title: string, direction: string, info: Pick<Table["info"], "seats" | "game">, viewer: number, steps: Scene[]}} Retold */

/** @param {BodyInit} body @param {GenericTransformStream} through */
const passed = async (body, through) =>
    new Uint8Array(await new Response(/** @type {ReadableStream} */ (new Response(body).body).pipeThrough(through)).arrayBuffer());

/** A link that shows the game of a table again, to whoever has it. @param {State} state @param {Table} table */
export async function linkTo(state, { info, viewer, steps }) {
    const { game, seats } = info;
    const direction = state.games.find(({ name }) => name === game)?.direction ?? "";
    const told = { title: titleOf(state, info), direction, viewer,
        info: { game, seats: seats.map(({ name, house, is_bot }) => ({ name, house, is_bot })) },
        steps: steps.map(({ kind, event, view, says, board }) => ({ kind, event, view, says, board })) };
    const bytes = await passed(JSON.stringify(told), new CompressionStream("deflate-raw"));
    return `${location.origin}/#game=${base64(bytes).replace(/[+/=]/g, (sign) => (sign === "+" ? "-" : sign === "/" ? "_" : ""))}`;
}

/** @param {string} hash @returns {Promise<Retold>} */
export async function gameIn(hash) {
    const text = hash.slice(hash.indexOf("=") + 1).replace(/[-_]/g, (sign) => (sign === "-" ? "+" : "/"));
    const game = JSON.parse(new TextDecoder().decode(await passed(bytesOf(text) ?? "", new DecompressionStream("deflate-raw"))));
    if (!game.info.seats.length || !game.steps.length || !game.steps.every((/** @type {any} */ { view }) => view.view)) throw new TypeError("no game");
    return game;
}

/** The link to the game of a table, to share or to copy. @param {{state: State, table: Table}} shown */
export function ShareGame({ state, table }) {
    const [link, setLink] = useState("");
    const make = async () => {
        const made = await linkTo(state, table);
        setLink(made);
        await navigator.share?.({ url: made }).catch(() => undefined); // it stands here to be copied, too
    };
    if (!link) return html`<button onClick=${make}>${t`A link to this game`}</button>`;
    return html`<label class="link">${t`Who opens this sees the game as you saw it, with your cards`}
        <input readonly value=${link} onFocus=${(/** @type {any} */ event) => event.target.select()} /></label>`;
}

/** The game of a link, a step at a time or in time. @param {{hash: string}} shown */
export function Retelling({ hash }) {
    const [game, setGame] = useState(/** @type {Retold | null} */ (null));
    const [why, setWhy] = useState("");
    const [at, setAt] = useState(0);
    useEffect(() => {
        gameIn(hash).then(setGame, () => setWhy(t`There is no game in this address: a part of it is missing.`));
    }, [hash]);
    const scene = game?.steps[at];
    const away = html`<p><a href="/">${t`To the tables of this server`}</a></p>`;
    if (!game || !scene) return html`<section class="door"><h1>${t`A game`}</h1><p>${why || t`One moment…`}</p>${away}</section>`;
    const table = /** @type {any} */ ({ ...game, info: { ...game.info, options: {}, state: "between" }, turn: null });
    return html`<section class="table" aria-label=${game.title}>
        <${Board} ...${{ table, scene }} now=${0} title=${game.title} about=${t`told by a player`} offer=${{ direction: game.direction }}>
            <${Hand} cards=${scene.view.cards ?? []} legal=${[]} disabled act=${() => {}} />
        <//>
        <${Replay} ...${{ table, at }} setAt=${(/** @type {number} */ step) => setAt(step < 0 ? game.steps.length - 1 : step)} />
        <p class="note">${t`The player who gave you the link told it. No server has checked it.`}</p>${away}
    </section>`;
}

// What stands beside a table: its story, talk, proofs, the analysis of its games, and all that may be done there between games.

import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { saveFile, Select, Sure, Tabs } from "./forms.js";
import { late } from "./late.js";
import { isBlind, offerOf, optionsOf, rulesOf, submitted, t } from "./words.js";

const Analysis = late(() => import("./analysis.js"), "Analysis");
const BlindProofs = late(() => import("./blind/proofs.js"), "BlindProofs");
const Share = late(() => import("./share.js"), "Share");
const ShareGame = late(() => import("./retold.js"), "ShareGame");

/** `look`: shows a step of the game. @param {{state: State, app: App, table: Table, look: (step: number) => void}} shown */
export function Aside({ state, app, table, look }) {
    const [panel, setPanel] = useState("story");
    const talk = table.unread && panel !== "talk" ? t`Talk (${table.unread})` : t`Talk`;
    return html`<div class="aside"><${Tabs} about=${t`About the table`} shown=${panel} show=${setPanel}
        names=${[["story", t`Story`], ["talk", talk], ["proofs", t`Proofs`], ...(table.info.is_solved && !isBlind(table.info) ? [["weigh", t`Analysis`]] : []), ["more", t`More`]]} />
    <div class="panel">
        ${panel === "story" && html`<${Story} ...${{ state, table, app }} look=${look} />`}
        ${panel === "talk" && html`<${Talk} ...${{ table, app }} />`}
        ${panel === "proofs" && html`<${BlindProofs} ...${{ table, app }} />`}
        ${panel === "weigh" && html`<${Analysis} ...${{ table, app }} />`}
        ${panel === "more" && html`<${More} ...${{ state, table, app }} />`}
    </div></div>`;
}

/** Seats to fill, and another game. @param {{state: State, app: App, table: Table}} shown */
export function Between({ state, app, table }) {
    const { info, viewer, id } = table;
    const [house, setHouse] = useState(state.houses[0]?.name ?? "");
    const [person, setPerson] = useState("");
    const free = info.seats.some(({ name }) => !name);
    const mine = viewer === "gallery" ? null : info.seats[viewer];
    const guests = [...state.people.values()].filter(({ name }) => !info.seats.some((chair) => chair.name === name));
    return html`<div class="between">
        ${mine && !free && html`<button class="first" disabled=${mine.agrees} onClick=${() => app.ask("again", { table: id, game: (info.games ?? 0) + 1 })}>
            ${mine.agrees ? t`Waiting for the others` : (info.games ?? 0) > 0 ? t`Another game` : t`Ready`}</button>`}
        ${mine && free && html`<p>${t`A seat is free: anyone who opens this address may sit down.`}</p><${Share} id=${id} /><p class="row">
            <${Select} title=${t`Or the house`} value=${house} change=${setHouse} values=${state.houses.map(({ name, meaning }) => [name, t`${name}: ${meaning}`])} />
            <button class="first" onClick=${() => app.ask("invite", { table: id, house })}>${t`Invite the house`}</button></p>
            ${guests.length > 0 && html`<p class="row">
                <${Select} title=${t`Somebody here`} value=${person} change=${setPerson} values=${[["", "…"], ...guests.map(({ name }) => [name, name])]} />
                <button disabled=${!person} onClick=${() => app.ask("invite", { table: id, person })}>${t`Ask them`}</button></p>`}`}
        ${!mine && free && html`<button class="first" onClick=${() => app.seats.sit(id)}>${t`Sit down`}</button>`}
    </div>`;
}

/** The log, hand by hand, and the way to a replay of the game.
 * @param {{state: State, table: Table, look: (step: number) => void, app: App}} shown */
function Story({ state, table, look, app }) {
    const end = useRef(/** @type {HTMLElement | null} */ (null));
    useEffect(() => {
        const box = end.current?.parentElement;
        if (box) box.scrollTop = box.scrollHeight;
    }, [table.told.length]);
    const { steps, sheet, info, viewer, id } = table;
    const hands = handsOf(table.told);
    return html`<div class="told" tabindex="0" role="group" aria-label=${t`The story of the table`}>
        ${table.told.length === 0 && html`<p class="note">${t`Nothing was told yet.`}</p>`}
        ${hands.map((hand, at) => at < hands.length - 2
            ? html`<details key=${at}><summary>${hand.at(-1)?.text}</summary>${sentences(hand)}</details>`
            : html`<div key=${at}>${sentences(hand)}</div>`)}
        <span ref=${end}></span>
    </div>
    <p class="row">
    ${steps.length > 1 && html`<button onClick=${() => look(steps.length - 1)}>${t`Look at this game again, step by step`}</button>`}
    ${sheet.length > 0 && html`<button onClick=${() => saveFile(`put-table-${id}.put`, sheet.join(""), "text/plain")}>${t`Save the game in Put notation`}</button>`}
    ${!sheet.length && viewer !== "gallery" && info.state === "between" && html`<button onClick=${() => app.ask("recall", { table: id })}>${t`Get the last game in Put notation`}</button>`}
    ${steps.length > 1 && info.state === "between" && html`<${ShareGame} ...${{ state, table }} />`}
    </p>`;
}

/** @param {Told[]} told */
const sentences = (told) => told.map((one, at) => html`<p key=${at} class=${one.kind}>${one.text}</p>`);

/** The log cut into hands, each from its deal; the first part holds what came before the first deal. @param {Told[]} told */
function handsOf(told) {
    /** @type {Told[][]} */
    const hands = [];
    for (const one of told) {
        if (one.kind === "hand" || !hands.length) hands.push([one]);
        else hands[hands.length - 1].push(one);
    }
    return hands;
}

/** @param {{table: Table, app: App}} shown */
function Talk({ table, app }) {
    useEffect(() => {
        table.unread = 0;
    }, [table.told.length]);
    const say = submitted(({ text }, form) => {
        if (text.trim()) void app.ask("say", { table: table.id, text: text.trim() }).then((ok) => ok && form.reset());
    });
    const said = table.told.filter(({ kind }) => kind === "talk");
    return html`<div class="told" tabindex="0" role="group" aria-label=${t`Talk`}>${said.length ? sentences(said) : html`<p class="note">${t`No messages yet.`}</p>`}</div>
        <form class="say" onSubmit=${say}><input name="text" maxlength="400" aria-label=${t`What you say`} autocomplete="off" /><button>${t`Say`}</button></form>`;
}

/** @param {{state: State, app: App, table: Table}} shown */
function More({ state, app, table }) {
    const { info, viewer, id } = table;
    const offer = offerOf(state, info.game);
    const isPlaying = viewer !== "gallery" && (info.state === "playing" || info.state === "paused");
    const others = info.seats.flatMap(({ name, is_house }) => (name && !is_house && name !== state.name ? [name] : []));
    const guests = [...state.people.values()].filter(({ name, tables }) => tables?.includes(id) && name !== state.name);
    return html`<div class="more">
        <p>${optionsOf(state, info) || t`With the usual options.`}</p>
        <ul class="list">${info.seats.map(({ name, purse = 0 }, seat) => html`<li key=${seat}><b>${name ?? t`empty`}</b><span>${t`purse ${purse}`}</span></li>`)}</ul>
        <ul class="words">${table.board.map((text) => html`<li key=${text}>${text}</li>`)}</ul>
        <details><summary>${t`The rules`}</summary><p>${offer?.summary}</p><ol>${rulesOf(state, info).map((rule) => html`<li key=${rule}>${rule}</li>`)}</ol></details>
        <details><summary>${t`Hand the table on`}</summary><${Share} id=${id} /><p><a href=${`/watch/${id}`} target="_blank" rel="noopener">${t`Show it on a wall`}</a></p></details>
        <p class="row">
            ${isPlaying && info.state === "playing" && html`<button onClick=${() => app.ask("pause", { table: id, minutes: 60 })}>${t`Ask for a pause`}</button>`}
            ${isPlaying && html`<${Sure} text=${t`Give up the game`} sure=${t`Yes, give it up`} does=${() => app.ask("resign", { table: id })} />`}
            ${!isPlaying && viewer !== "gallery" && html`<button onClick=${() => app.seats.leave(id)}>${t`Leave the table`}</button>`}
            ${viewer === "gallery" && html`<button onClick=${() => app.seats.leave(id)}>${t`Watch no more`}</button>`}
            ${isPlaying && html`<${Sure} text=${t`Leave the table`} sure=${t`Leave, and give up the game`} does=${() => app.seats.leave(id)} />`}
        </p>
        ${others.map((name) => html`<p key=${name} class="row">
            <button onClick=${() => app.ask("mute", { person: name })}>${t`Mute ${name}`}</button>
            <button onClick=${() => app.ask("block", { person: name })}>${t`Block ${name}`}</button></p>`)}
        ${state.opened.has(id) && info.state !== "playing" && info.state !== "paused" && guests.map(({ name }) => html`<p key=${name} class="row">
            <${Sure} text=${t`Send ${name} away`} sure=${t`Send them away, and keep them out`} does=${() => app.ask("dismiss", { table: id, person: name })} /></p>`)}
    </div>`;
}

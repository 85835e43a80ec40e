// The viewer's own cards, and a control for everything else that the server lets them do.

import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { Card, over } from "./cards.js";
import { late } from "./late.js";
import { t } from "./words.js";

const Stepper = late(() => import("./groups.js"), "Stepper");
const Picked = late(() => import("./groups.js"), "Picked");

/** A choice in words: the action in full size, and its consequence, which follows a colon, in small print. @param {{text: string}} shown */
export function Says({ text }) {
    const at = text.indexOf(": ") + 1; // French has a space before it, too
    return at ? html`<span>${text.slice(0, at)} <small>${text.slice(at + 1)}</small></span>` : html`<span>${text}</span>`;
}

/** The one legal action that a card of the hand stands for; undefined: none, or more than one.
 * @param {Choice[]} legal @param {string} card */
function choiceOf(legal, card) {
    const found = legal.filter(({ action }) => action.card === card);
    return found.length === 1 ? found[0] : undefined;
}

/** Choices that differ in one field alone, as groups of at least two; `has` says which have it.
 * @param {Choice[]} legal @param {(choice: Choice) => boolean} has @returns {Choice[][]} */
function grouped(legal, has) {
    const groups = new Map();
    for (const choice of legal.filter(has)) groups.set(choice.action.do, [...(groups.get(choice.action.do) ?? []), choice]);
    return [...groups.values()].filter((group) => group.length > 1);
}

/** A card that stands for one action is pressed; cards that are given together are picked first.
 * @param {{cards: string[], legal: Choice[], disabled: boolean, act: (choice: Choice) => void}} shown */
export function Hand({ cards, legal, disabled, act }) {
    const box = useRef(/** @type {HTMLElement | null} */ (null));
    const isByKeyboard = useRef(false);
    const [picked, setPicked] = useState(/** @type {string[]} */ ([]));
    useEffect(() => {
        setPicked([]);
        // The pressed button is gone; keyboard focus moves to the next one.
        if (isByKeyboard.current && legal.length) /** @type {HTMLElement | null} */ (box.current?.querySelector("button:not(:disabled)"))?.focus();
    }, [legal]);
    /** @param {string} card */
    const pick = (card) => setPicked(picked.includes(card) ? picked.filter((one) => one !== card) : [...picked, card]);
    const sets = grouped(legal, ({ action }) => Array.isArray(action.cards));
    const amounts = grouped(legal, ({ action }) => typeof action.amount === "number");
    const pickable = new Set(sets.flat().flatMap(({ action }) => action.cards ?? []));
    const others = legal.filter((choice) => ![...sets, ...amounts].some((group) => group.includes(choice))
        && (!choice.action.card || !cards.some((card) => choiceOf(legal, card) === choice)));
    /** @param {string} card */
    const face = (card) => html`<${Card} card=${card} label=${false} />`;
    const controls = amounts.length + sets.length + others.length;
    return html`<div class=${controls > 2 ? "hand crowded" : "hand"} ref=${box} onClickCapture=${(/** @type {MouseEvent} */ { detail }) => void (isByKeyboard.current = detail === 0)}>
        <div class=${`cards own of-${cards.length}${over(cards.length)}`} role="group" aria-label=${t`Your cards`}>
            ${cards.map((card) => {
                const choice = choiceOf(legal, card);
                if (choice) {
                    return html`<button key=${card} class="play" disabled=${disabled} onClick=${() => act(choice)}>${face(card)}<span class="sr">${choice.says}</span></button>`;
                }
                if (pickable.has(card)) {
                    return html`<button key=${card} class="pick" disabled=${disabled} aria-pressed=${picked.includes(card)}
                        onClick=${() => pick(card)}><${Card} card=${card} /></button>`;
                }
                return html`<span key=${card} class="held"><${Card} card=${card} /></span>`;
            })}
        </div>
        <div class="actions" role="group" aria-label=${t`What you may do`}>
            ${amounts.map((choices) => html`<${Stepper} key=${choices[0].action.do} ...${{ choices, disabled, act }} />`)}
            ${sets.map((choices) => html`<${Picked} key=${choices[0].action.do} ...${{ choices, picked, disabled, act }} />`)}
            ${others.map(
                (choice) => html`<button key=${JSON.stringify(choice.action)} disabled=${disabled} onClick=${() => act(choice)}>
                    ${(choice.action.cards ?? []).map(face)}
                    <${Says} text=${choice.says} />
                </button>`,
            )}
        </div>
    </div>`;
}

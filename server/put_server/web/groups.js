// Controls for choices that differ in one field alone: in an amount, as bets do, or in cards that are given together.

import { html, useState } from "./vendor/preact.js";
import { Says } from "./hand.js";
import { t } from "./words.js";

/** An amount to be chosen by less and more; the button says what it costs.
 * @param {{choices: Choice[], disabled: boolean, act: (choice: Choice) => void}} shown */
export function Stepper({ choices, disabled, act }) {
    const [at, setAt] = useState(0);
    const chosen = Math.min(at, choices.length - 1);
    return html`<span class="stepper" role="group" aria-label=${t`How much`}>
        <button class="step" aria-label=${t`less`} disabled=${disabled || chosen === 0} onClick=${() => setAt(chosen - 1)}>−</button>
        <button disabled=${disabled} onClick=${() => act(choices[chosen])}><${Says} text=${choices[chosen].says} /></button>
        <button class="step" aria-label=${t`more`} disabled=${disabled || chosen === choices.length - 1} onClick=${() => setAt(chosen + 1)}>+</button>
    </span>`;
}

/** The cards that are picked, if they are one of the choices.
 * @param {{choices: Choice[], picked: string[], disabled: boolean, act: (choice: Choice) => void}} shown */
export function Picked({ choices, picked, disabled, act }) {
    const choice = choices.find(({ action: { cards = [] } }) => cards.length === picked.length && picked.every((card) => cards.includes(card)));
    const [verb] = (choices[0].says ?? "").split(" ");
    return html`<button disabled=${disabled || !choice} onClick=${() => choice && act(choice)}>
        ${choice ? html`<${Says} text=${choice.says} />` : t`Tap cards to ${verb}`}</button>`;
}

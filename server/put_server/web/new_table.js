// The form for a new table, made of what the server offers.

import { html, useState } from "./vendor/preact.js";
import { Select } from "./forms.js";
import { offerOf, submitted, t } from "./words.js";

/** @param {{state: State, app: App}} shown */
export function NewTable({ state, app }) {
    const [chosen, setChosen] = useState("");
    const offer = offerOf(state, chosen) ?? state.games[0]; // the games may come a little later
    if (!offer) return html`<p class="note">${t`One moment…`}</p>`;
    const { name } = offer;
    const submit = submitted((fields) => {
        const options = Object.fromEntries(
            offer.options.flatMap((option) => {
                const value = fields[`option ${option.name}`];
                const isNumber = typeof option.default === "number";
                return value === String(option.default) ? [] : [[option.name, isNumber ? Number(value) : value]];
            }),
        );
        const { passcode, others } = fields;
        const admits = "people" in fields ? "people" : "all";
        void app.seats.open({ game: name, seats: Number(fields.seats), options, turn: Number(fields.turn), passcode, gallery: "gallery" in fields, admits }, others);
    });
    return html`<form class="form" onSubmit=${submit}>
        <${Select} title=${t`Game`} name="game" value=${name} change=${setChosen} values=${state.games.map((game) => [game.name, game.title])} />
        <p class="note">${offer.summary}</p>
        <${Select} key=${name} title=${t`Players`} name="seats" values=${offer.seats.map((seats) => [seats, seats])} />
        <${Select} title=${t`The other seats`} name="others" values=${[["", t`for whoever comes`],
            ...state.houses.map((house) => [house.name, t`the house: ${house.name}, ${house.meaning}`])]} />
        <details><summary>${t`Options`}</summary>
            ${offer.options.map((option) => html`<${Option} key=${`${name} ${option.name}`} option=${option} />`)}
            <label>${t`Seconds for a decision (0: no limit)`}
                <input name="turn" type="number" min="0" max="86400" defaultValue="0" /></label>
            <label>${t`Passcode`} <input name="passcode" autocomplete="off" maxlength="128" /></label>
            <label class="check"><input type="checkbox" name="gallery" defaultChecked /> ${t`Anybody may watch`}</label>
            <label class="check"><input type="checkbox" name="people" /> ${t`No bots`}</label>
        </details>
        <button class="first">${t`Open the table`}</button>
    </form>`;
}

/** @param {{option: OptionOffer}} shown */
function Option({ option }) {
    const { name, meaning, default: usual, values = [], least, most, longest } = option;
    const field = `option ${name}`;
    const title = html`${name.replaceAll("_", " ")} <small>${meaning}</small>`;
    if (values.length) return html`<${Select} title=${title} name=${field} usual=${usual} values=${values.map((value) => [value, value])} />`;
    if (typeof usual === "number") {
        return html`<label>${title} <input name=${field} type="number" defaultValue=${usual} min=${least} max=${most} /></label>`;
    }
    return html`<label>${title} <input name=${field} defaultValue=${usual} maxlength=${longest} autocomplete="off" /></label>`;
}

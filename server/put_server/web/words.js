// Words of the page: its sentences in the browser's language, by their English, and small sentences about tables. French
// comes in a file of its own, and only to who wants it; what it has not is said in English. The words of a game are the
// server's.

export const language = /^fr/i.test(globalThis.navigator?.language) ? "fr" : "";

/** @type {Record<string, string>} */
let own = {};

/** The sentences of the language are here, or will not come. */
export const spoken = language
    ? fetch("/web/-/texts-fr.json").then((answer) => answer.json()).then((texts) => (own = texts)).catch(() => {})
    : Promise.resolve();

/** A sentence in the reader's language. What varies stands where `{}` is, in the same order.
 * @param {readonly string[]} english @param {any[]} values */
export function t(english, ...values) {
    const key = english.join("{}");
    return (own[key] ?? key).replace(/{}/g, () => values.shift());
}

export const hangs = () => t`The server does not answer. What you pressed is kept, and sent again.`;

export const cannotDeal = () => t`Your browser could not do its part of the deal. Your seat is kept if you load the page again.`;

/** @typedef {Pick<State, "games">} Offers */

/** @param {Offers} state @param {string} name @returns {GameOffer | undefined} */
export const offerOf = (state, name) => state.games.find((game) => game.name === name);

/** True if a table is dealt blind, and nobody reads hands but their players. @param {TableInfo} info */
export const isBlind = ({ options, plain, is_read }) => options.dealing === "blind" && !plain && !is_read;

/** Rules as the options of this table have them. @param {Offers} state @param {TableInfo} info @returns {string[]} */
export function rulesOf(state, info) {
    const offer = offerOf(state, info.game);
    const lines = [...(offer?.rules ?? [])];
    for (const { name, default: usual, changes = [] } of offer?.options ?? []) {
        const value = info.options[name] ?? usual;
        const own = changes.filter((change) => change.value === value);
        const others = changes.filter((change) => (change.value ?? null) === null && !own.some(({ line }) => line === change.line));
        if (value !== usual) for (const { line, says } of [...own, ...others]) lines[line] = says.replaceAll("{}", String(value));
    }
    return lines.filter(Boolean);
}

/** @param {State} state @param {TableInfo} info */
export const titleOf = (state, info) => offerOf(state, info.game)?.title ?? info.game;

/** Options that differ from the game's defaults, in a line. @param {State} state @param {TableInfo} info */
export function optionsOf(state, info) {
    const offers = offerOf(state, info.game)?.options ?? [];
    const chosen = offers.filter(({ name, default: usual }) => (info.options[name] ?? usual) !== usual);
    const words = chosen.map(({ name }) => `${name.replaceAll("_", " ")} ${info.options[name]}`);
    if (info.clock.turn) words.push(t`${clock(info.clock.turn)} for a decision`);
    if (info.is_locked) words.push(t`passcode`);
    if (info.admits === "people") words.push(t`people only`);
    if (info.admits === "bots") words.push(t`bots only`);
    if (info.is_exhibition) words.push(t`exhibition`);
    return words.join(", ");
}

/** @type {Record<string, string>} */
const STATES = { filling: "waits for players", playing: "in play", paused: "paused", between: "between games" };

/** @param {TableInfo} info */
export const stateOf = (info) => t([STATES[info.state ?? "filling"] ?? info.state]);

/** @param {number} seconds */
export const clock = (seconds) =>
    seconds >= 60 ? `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}` : `${Math.floor(seconds)} s`;

/** Time left to the player to move; empty while there is plenty. @param {Table} table @param {number} now */
export function secondsLeft(table, now) {
    const { turn, info } = table;
    if (!turn || info.state === "paused") return "";
    const isAway = info.seats[turn.seat]?.is_away;
    const whole = isAway ? turn.bank_ms : turn.turn_ms;
    if (whole === null || whole === undefined) return "";
    const left = Math.max(0, whole - (now - table.turnAt)) / 1000;
    if (!isAway && !info.clock.turn && left > 120) return "";
    return clock(left);
}

/** True if an event ends a game. @param {TableEvent} event */
export const endsGame = (event) => event.event === "over" || (event.event === "game" && !event.goes_on);

/** Stakes that the end of a game brought a seat. @param {TableEvent} ending @param {number} seat */
export const gainOf = ({ gains, paid }, seat) => (gains ?? (Array.isArray(paid) ? paid : []))[seat] ?? 0;

/** How the end of a game was for a seat; null: neither won nor lost. @param {TableEvent} ending @param {number} seat */
export function outcomeOf(ending, seat) {
    const gain = gainOf(ending, seat);
    const winners = ending.winners ?? [];
    return gain > 0 || winners.includes(seat) ? true : gain < 0 || winners.length > 0 ? false : null;
}

/** The coach's advice in a sentence. @param {ServerAdvice} advice */
export function hintOf({ reason, flaw, choices = [] }) {
    const best = [...choices].sort((one, other) => other.share - one.share)[0];
    return reason || flaw || (best ? t`Perfect play: ${best.says}.` : t`There is nothing to choose.`);
}

/** @param {number} number @param {string} one @param {string} many */
export const plural = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** The server's reason of a refusal as a full sentence: with a capital and a full stop. @param {string} text */
export const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}` : "");

/** A form's handler, which hears the fields by their names. @param {(fields: Record<string, string>, form: HTMLFormElement) => void} does */
export const submitted = (does) => (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    does(/** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form))), form);
};

// Motion and size of cards: a card moves from where it was to where it is; a new one comes from the seat of its event. Cards
// are as large as the screen lets them be.

const MOVES_MS = 320;
const APART_MS = 70; // between two cards that are dealt

/** Steps by which style.css makes a board smaller, from one with all that it says of ranks; each has those before it. */
const STEPS = ["roomy", "", "1", "1 2", "1 2 3", "1 2 3 4", "1 2 3 4 5", "1 2 3 4 5 6"];

/** The step where letters that the reader has made larger come before the words of a board. */
const LARGE_LETTERS_END = "1 2 3 4";

/** Parts of the reader's size of letters that are tried; never below the usual size. */
const SMALLER = [1, 0.85, 0.7, 0.6, 0.5];
const USUAL_PX = 17;

/** Make the cards of a board, and large letters, as small as it takes to have all of it on the screen. @param {HTMLElement | null} board */
export function fit(board) {
    if (!board) return;
    const { style } = document.documentElement;
    style.fontSize = "";
    const wanted = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const fits = (/** @type {string} */ tight) => {
        board.dataset.tight = tight;
        const { top, height } = board.getBoundingClientRect();
        const above = top + scrollY;
        return height + (above < innerHeight / 2 ? above : 0) <= innerHeight; // one that is further down is scrolled to
    };
    const strip = board.querySelector(".strip");
    const read = strip?.scrollTop ?? 0; // rules that are read on stay where they are
    const near = /** @type {HTMLElement | null} */ (board.querySelector(".near"));
    const hand = /** @type {HTMLElement | null} */ (board.querySelector(".hand"));
    for (const one of [near, hand]) one?.removeAttribute("style");
    // The smallest letters that it takes, and then the largest cards with them.
    if (wanted > USUAL_PX) SMALLER.some((part) => {
        style.fontSize = part < 1 ? `${Math.max(USUAL_PX, wanted * part)}px` : "";
        return fits(LARGE_LETTERS_END);
    });
    const tight = STEPS.find(fits);
    if (near && hand && tight !== undefined && !["hand", "game"].includes(board.dataset.scene ?? "")) keepPlace(near, hand, () => fits(tight));
    if (strip) strip.scrollTop = read;
}

/** The room of the last question, by the part of a board that asks. @type {WeakMap<HTMLElement, {screen: string, top: number, height: number}>} */
const asked = new WeakMap();

/** Keep the cards of a hand where they were when something was asked, while others play, if all of it fits so.
 * @param {HTMLElement} near @param {HTMLElement} hand @param {() => boolean} fits */
function keepPlace(near, hand, fits) {
    const screen = `${innerWidth} ${innerHeight}`;
    const last = asked.get(near);
    if (near.querySelector("button:not(:disabled)")) asked.set(near, { screen, top: hand.offsetTop - near.offsetTop, height: near.offsetHeight });
    else if (last?.screen === screen) {
        hand.style.marginTop = `${Math.max(0, last.top - hand.offsetTop + near.offsetTop)}px`;
        near.style.minHeight = `${last.height}px`;
        if (!fits()) for (const one of [near, hand]) one.removeAttribute("style");
    }
}

/** The places of all cards on a board. @param {Element | null} board @returns {Map<string, DOMRect>} */
export function placesOf(board) {
    const cards = /** @type {NodeListOf<HTMLElement>} */ (board?.querySelectorAll("[data-card]") ?? []);
    return new Map([...cards].map((card) => [card.dataset.card ?? "", card.getBoundingClientRect()]));
}

/** Move the cards of a board to their places in a new scene. @param {Element} board @param {Map<string, DOMRect>} before @param {Scene} scene */
export function move(board, before, scene) {
    const { kind, event, view } = scene;
    if (!["deal", "play", "take", "word", "hand"].includes(kind)) return;
    const giver = kind === "deal" ? view.dealer : event?.seat;
    const from = board.querySelector(`[data-seat="${giver}"]`)?.getBoundingClientRect();
    let dealt = 0;
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (board.querySelectorAll("[data-card]"))) {
        const known = before.get(card.dataset.card ?? "");
        const start = known ?? (kind === "deal" || kind === "play" ? from : undefined);
        if (start) slide(card, start, known ? 0 : APART_MS * dealt++, !known);
    }
    if (kind !== "deal" || !from) return;
    for (const back of board.querySelectorAll(".seat .back-of")) slide(back, from, 0, true);
}

/** @param {Element} card @param {DOMRect} from @param {number} delay @param {boolean} isNew */
function slide(card, from, delay, isNew) {
    const to = card.getBoundingClientRect();
    if (!to.width || !card.animate) return;
    const x = from.x + from.width / 2 - to.x - to.width / 2;
    const y = from.y + from.height / 2 - to.y - to.height / 2;
    if (Math.abs(x) + Math.abs(y) < 2) return;
    const scale = isNew ? 0.6 : from.width / to.width;
    const start = { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: isNew ? 0.2 : 1 };
    card.animate([start, { transform: "none", opacity: 1 }], { duration: MOVES_MS, delay, easing: "ease-out", fill: "backwards" });
}

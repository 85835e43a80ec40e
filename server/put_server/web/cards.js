// Cards drawn in SVG: the French pack and the tarot, each suit with a shape and a colour of its own.

import { nameOf, RANKS, ROMAN, taken } from "./card_names.js";
import { html } from "./vendor/preact.js";
import { t } from "./words.js";

/** Shape of each suit in a square of 24, by letter. @type {Record<string, string>} */
const SHAPES = {
    s: "M12 2c3 5 9 7 9 12a4.500 4.500 0 0 1-8 3c0 2 1 4 3 5H8c2-1 3-3 3-5a4.500 4.500 0 0 1-8-3c0-5 6-7 9-12z",
    h: "M12 22C5 16 2 12 2 8a5 5 0 0 1 10-1.500A5 5 0 0 1 22 8c0 4-3 8-10 14z",
    d: "M12 1l8 11-8 11L4 12z",
    c: "M12 2a5 5 0 0 1 4 8 5 5 0 1 1-3 8c0 2 1 3 3 4H8c2-1 3-2 3-4a5 5 0 1 1-3-8 5 5 0 0 1 4-8z",
    w: "M12 1l3 5v9h4v2.500h-4.500V21h1.500v2H8v-2h1.500v-3.500H5V15h4V6z",
    b: "M9 2a3 3 0 0 1 6 0l-.8 3 2.600 1.600-2.600 1.200v6l2.600 1.600-2.600 1.200L15 22a3 3 0 0 1-6 0l.8-5.400-2.600-1.200 2.600-1.600V7.800L7.200 6.600 9.800 5z",
    u: "M5 2h14c0 7-2 11-5.500 12v5H18v3H6v-3h4.500v-5C7 13 5 9 5 2z",
    o: "M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22zm0 3a8 8 0 1 1 0 16 8 8 0 0 1 0-16zm0 3l1.500 3.500L17 12l-3.500 1.500L12 17l-1.500-3.500L7 12l3.500-1.500z",
    t: "M12 1l3 7.500 8 .5-6 5 2 8-7-4.500L5 22l2-8-6-5 8-.5z",
};

/** Places of the pips of each number, in a field of 3 columns and 7 rows. @type {Record<string, [number, number][]>} */
const PIPS = {
    A: [[1, 3]],
    1: [[1, 3]],
    2: [[1, 0], [1, 6]],
    3: [[1, 0], [1, 3], [1, 6]],
    4: [[0, 0], [2, 0], [0, 6], [2, 6]],
    5: [[0, 0], [2, 0], [1, 3], [0, 6], [2, 6]],
    6: [[0, 0], [2, 0], [0, 3], [2, 3], [0, 6], [2, 6]],
    7: [[0, 0], [2, 0], [1, 1.5], [0, 3], [2, 3], [0, 6], [2, 6]],
    8: [[0, 0], [2, 0], [1, 1.5], [0, 3], [2, 3], [1, 4.5], [0, 6], [2, 6]],
    9: [[0, 0], [2, 0], [0, 2], [2, 2], [1, 3], [0, 4], [2, 4], [0, 6], [2, 6]],
    10: [[0, 0], [2, 0], [1, 1], [0, 2], [2, 2], [0, 4], [2, 4], [1, 5], [0, 6], [2, 6]],
};

/** Headdresses of court cards, in a field of 60 by 30. @type {Record<string, string>} */
const HEADS = {
    K: "M6 28V8l12 10L30 2l12 16L54 8v20z",
    Q: "M8 28C2 10 14 16 18 8c4 8 8 0 12-6 4 6 8 14 12 6 4 8 16 2 10 20z",
    C: "M6 28c4-22 18-26 30-22l14-4-6 10 8 16z",
    J: "M8 28c0-14 10-18 22-18s22 4 22 18zM40 12C46 2 54 2 58 6c-8 0-12 4-14 8z",
};

/** @param {string} suit */
const shapeOf = (suit) => SHAPES[suit] ?? SHAPES.o;

/** @param {{suit: string, x: number, y: number, size: number, turned?: boolean}} place */
function Pip({ suit, x, y, size, turned }) {
    const turn = turned ? " rotate(180)" : "";
    const scale = size / 24;
    return html`<path d=${shapeOf(suit)} transform=${`translate(${x} ${y})${turn} scale(${scale}) translate(-12 -12)`} />`;
}

/** The middle of a card, in a field from (22, 14) to (78, 126). @param {{rank: string, suit: string}} card */
function Middle({ rank, suit }) {
    if (suit === "t") {
        const text = rank === "0" ? "★" : (ROMAN[Number(rank)] ?? rank);
        return html`<rect x="24" y="34" width="52" height="72" rx="6" class="frame" />
            <text x="50" y="76" text-anchor="middle" class="trump" textLength=${text.length > 3 ? 46 : null}
                lengthAdjust="spacingAndGlyphs">${text}</text>
            <text x="50" y="98" text-anchor="middle" class="word">${t([rank === "0" ? "the Fool" : "trump"])}</text>`;
    }
    if (HEADS[rank]) {
        return html`<rect x="22" y="24" width="56" height="92" rx="5" class="frame" />
            <path d=${HEADS[rank]} transform="translate(20 28)" />
            <${Pip} suit=${suit} x=${50} y=${76} size=${34} />
            <text x="50" y="111" text-anchor="middle" class="word">${t([RANKS[rank]])}</text>`;
    }
    const pips = PIPS[rank] ?? [];
    const size = pips.length === 1 ? 46 : pips.length > 8 ? 17 : 20;
    return pips.map(
        ([column, row]) =>
            html`<${Pip} suit=${suit} x=${30 + 20 * column} y=${24 + (92 / 6) * row} size=${size} turned=${row > 3} />`,
    );
}

/** A card; `back` shows nothing of it; one that `isMany` stands among many, and has a face for small screens: its rank and suit
 * alone. @param {{card?: string, back?: boolean, label?: boolean, isMany?: boolean}} shown */
export function Card({ card = "", back = false, label = true, isMany = false }) {
    if (back || !card) {
        return html`<svg class="card" viewBox="0 0 100 140" aria-hidden="true">
            <rect x="1" y="1" width="98" height="138" rx="9" class="paper" />
            <rect x="8" y="8" width="84" height="124" rx="5" class="back" />
            <path d="M8 8l84 124M92 8L8 132M50 8v124M8 70h84" class="lattice" />
        </svg>`;
    }
    const [rank, suit] = taken(card);
    const corner = suit === "t" ? (rank === "0" ? "★" : rank) : rank;
    const isWide = corner.length > 1;
    const index = html`<text x=${isWide ? 14 : 12} y="25" text-anchor="middle" class="corner" textLength=${isWide ? 19 : null} lengthAdjust="spacingAndGlyphs">${corner}</text>
            <${Pip} suit=${suit} x=${12} y=${38} size=${17} />`;
    const about = label ? { role: "img", "aria-label": nameOf(card) } : { "aria-hidden": "true" };
    return html`<svg class=${`card suit-${suit}${isMany ? " many" : ""}`} data-card=${card} viewBox="0 0 100 140" ...${about}>
        <rect x="1" y="1" width="98" height="138" rx="9" class="paper" />
        ${isMany && html`<g class="ink plain">
            <text x="50" y="72" text-anchor="middle" class="rank" textLength=${isWide ? 86 : null} lengthAdjust="spacingAndGlyphs">${corner}</text>
            <${Pip} suit=${suit} x=${50} y=${106} size=${56} /></g>`}
        <g class="ink face">
            <${Middle} rank=${rank} suit=${suit} />
            ${index}<g transform="rotate(180 50 70)">${index}</g>
        </g>
    </svg>`;
}

/** Classes of what has more than two, three and so on. @param {number} count */
export const over = (count) => [2, 3, 4, 5, 6].map((few) => (count > few ? ` over-${few}` : "")).join("");

/** Three good cards. */
export function Fan() {
    return html`<div class="fan" aria-hidden="true">${["3s", "2h", "Ac"].map((card) => html`<${Card} key=${card} card=${card} label=${false} />`)}</div>`;
}

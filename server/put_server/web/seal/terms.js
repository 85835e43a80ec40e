// @ts-nocheck: what it reads may be anything, and it is compared with the server's own checker over thousands of games.

// The packs that rule sets play with, and which of their events deal, show and end what.

export const SUITS = ["s", "h", "d", "c"];
export const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
export const FULL_PACK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));

// The tarot pack: the Fool; swords and batons, in which the 10 is the best of the pips, and cups and coins, in which the
// 1 is; the trumps.
export const PIPS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
export const COURT = ["J", "C", "Q", "K"];
export const TAROT_PACK = [
    "0t",
    ...["w", "b"].flatMap((suit) => [...PIPS, ...COURT].map((rank) => rank + suit)),
    ...["u", "o"].flatMap((suit) => [...PIPS.toReversed(), ...COURT].map((rank) => rank + suit)),
    ...[...Array(21).keys()].map((number) => `${number + 1}t`),
];
export const PLACES = new Map([...FULL_PACK, ...TAROT_PACK].map((card, place) => [card, place])); // in canonical order

export const french = (...ranks) => FULL_PACK.filter((card) => ranks.includes(card.slice(0, -1)));
export const PACKS_OF_PUT = {
    52: FULL_PACK,
    32: french("2", "3", ...RANKS.slice(7)),
    28: french("2", "3", ...RANKS.slice(8)),
};
export const PACKS_OF_TRUC = {
    french: french("7", "8", "9", "10", "J", "Q", "K", "A"),
    printed: french("6", "7", "10", "J", "Q", "K", "A"),
};

// What the deals of a rule set must be sealed as: its packs, by the value of the option that chooses one.
export const ofPut = { packs: PACKS_OF_PUT, option: "pack", byDefault: 52 };
export const RULE_SETS = {
    "put-1674": ofPut,
    "put-1800": ofPut,
    "put-partners": { ...ofPut, late: true },
    "put-parlett": ofPut,
    "put-tavern": ofPut,
    truc: { packs: PACKS_OF_TRUC, option: "ranking", byDefault: "french" },
    "triomphe-forcee": { packs: { all: TAROT_PACK }, byDefault: "all" },
    primero: { packs: { all: french("A", "2", "3", "4", "5", "6", "7", "J", "Q", "K") }, byDefault: "all", renews: true },
};

// Events of a game, and that which ends one. Those of the table, and those of newer servers, show no card and end
// nothing.
export const GAME = new Set(
    (
        "drawn dealer dealt accident fresh_deal extra_drawn taken_up let gave discarded passed doubled played put saw " +
        "threw_in trick hand game over " +
        "triomphe.turned_up triomphe.dealt triomphe.la_mort triomphe.declared triomphe.played triomphe.trick " +
        "triomphe.hand " +
        "primero.turned_up primero.dealt primero.more_dealt primero.thrown_in primero.traded primero.drew " +
        "primero.stock_renewed primero.bid primero.saw primero.refused primero.withdrawn primero.passed primero.out " +
        "primero.vada primero.went_on primero.announced primero.stood primero.betting_over primero.showdown primero.hand"
    ).split(" "),
);
export const DRAWS = new Set(["drawn", "triomphe.turned_up", "primero.turned_up"]); // cards turned up to find the first dealer
export const DEALS = new Set(["dealt", "triomphe.dealt", "primero.dealt"]); // hands dealt, as the seal says
export const PLAYS = new Set(["played", "discarded", "triomphe.played"]); // a card leaves its hand for good
export const ENDS = new Set("hand fresh_deal game over triomphe.hand primero.hand primero.thrown_in".split(" ")); // of a hand
export const DECIDES = new Set(["dealer", "triomphe.turned_up", "primero.turned_up"]); // who deals first

// The cards, late proofs and chance of accidents that a rule set has under its options; null: not known here.
export function termsOf(game, options) {
    if (!Object.hasOwn(RULE_SETS, game)) return null;
    const { packs, option, byDefault, late = false, renews = false } = RULE_SETS[game];
    const chosen = (option === undefined ? undefined : options[option]) ?? byDefault;
    if (typeof chosen !== typeof byDefault || !Object.hasOwn(packs, chosen)) return null;
    return { cards: packs[chosen], late, misdeals: options.misdeals ?? 0, renews };
}

"""A second Triomphe Forcée, as small as the rules allow, to compare the machine with: it was written from the rules and
not from the machine, and shares no table, no order of cards and no code with it.

A hand is played by asking: what is declared, what may be played, who takes a trick, who takes the pool.
"""

from typing import NamedTuple

RANKING = {
    "w": "K Q C J 10 9 8 7 6 5 4 3 2 1",
    "b": "K Q C J 10 9 8 7 6 5 4 3 2 1",
    "u": "K Q C J 1 2 3 4 5 6 7 8 9 10",
    "o": "K Q C J 1 2 3 4 5 6 7 8 9 10",
    "t": "21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1",
}
"""From the best card of each suit to the worst."""

FOOL = "0t"


def suit(card: str) -> str:
    """`t` for a trump; `-` for the Fool, which is of no suit."""
    return "-" if card == FOOL else card[-1]


def height(card: str) -> int:
    """How far a card is from the best of its suit, upside down: more is better."""
    return -RANKING[card[-1]].split().index(card[:-1])


class Opening(NamedTuple):
    """What happens before the first lead."""

    shown: list[tuple[int, list[str], int]]
    """Who shows what, and what they are paid, in turn."""
    pool: int
    """What is left to play for; 0: the hand is over."""


def open_hand(hands: dict[int, list[str]], stake: int, force: int) -> Opening:
    """The stakes, La Mort, and the declarations; `hands` in the order of play."""
    pool = stake * len(hands)
    for seat, hand in hands.items():
        if "13t" in hand:
            return Opening([(seat, ["13t"], pool)], 0)
    shown = []
    for seat, hand in hands.items():
        worth = {FOOL: stake, "1t": stake, f"{force}t": 2 * stake}
        cards = [card for card in worth if card in hand]
        if cards and pool > 0:
            paid = min(pool, sum(worth[card] for card in cards))
            pool -= paid
            shown.append((seat, cards, paid))
    return Opening(shown, pool)


def led(trick: list[str]) -> str | None:
    """The suit that sets what others play; None where nobody has set one."""
    suits = [suit(card) for card in trick if card != FOOL]
    return suits[0] if suits else None


def may_play(hand: list[str], trick: list[str]) -> set[str]:
    """Follow suit; if void, trump; if void of trumps, anything. The Fool always."""
    for wanted in (led(trick), "t"):
        of_suit = {card for card in hand if suit(card) == wanted}
        if led(trick) is not None and of_suit:
            return of_suit | ({FOOL} & set(hand))
    return set(hand)


def winner(trick: list[tuple[int, str]]) -> int:
    """Whoever played the highest trump; if none was played, the highest card of the suit led."""
    cards = [card for _, card in trick]
    for wanted in ("t", led(cards)):
        rivals = [(height(card), seat) for seat, card in trick if suit(card) == wanted]
        if rivals:
            return max(rivals)[1]
    raise AssertionError("somebody played a card that is not the Fool")


def takes_the_pool(winners: list[int]) -> int:
    """Most tricks; of two with two each, whoever had their second first; with one each, the first."""
    totals: dict[int, int] = {}
    reached: dict[int, int] = {}
    for number, seat in enumerate(winners):
        totals[seat] = totals.get(seat, 0) + 1
        if totals[seat] <= 2:
            reached[seat] = number  # of the second trick, where there is one
    best = max(totals.values())
    tied = [seat for seat in totals if totals[seat] == best]
    return min(tied, key=lambda seat: reached[seat])


def played_for_the_absent(cards: set[str]) -> str:
    """The Fool; or else what is nearest the bottom of its suit, swords before batons, cups and coins; trumps last."""
    if FOOL in cards:
        return FOOL
    plain = [card for card in cards if suit(card) != "t"]
    if plain:
        return min(plain, key=lambda card: (height(card), "wbuo".index(suit(card))))
    return min(cards, key=height)

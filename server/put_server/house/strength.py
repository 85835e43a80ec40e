"""The strength of a hand as it must seem to its holder, from 0 to 1: good for comparing hands.

Cards are strengths, more is better, and hands come best card first.
"""

from functools import lru_cache
from math import comb

from put_server.house.duel import Cards


@lru_cache(maxsize=1 << 14)  # two between whom a hand is exact ask for some thousands again and again
def strength(cards: Cards, ahead: int, led: int | None, ranks: int) -> float:
    """The chance to win the hand if the best card meets the best, the second the second, and so on; draws count half.

    `ahead` is the lead in tricks; `led` is what lies on the table to be beaten: as cheaply as can be, or else with the
    worst card; `ranks` is how many there are.
    """
    if led is not None:
        played = reply(cards, led)
        at = cards.index(played)
        return strength(cards[:at] + cards[at + 1 :], ahead + (played > led) - (played < led), None, ranks)
    chances = {ahead: 1.0}
    for place, card in enumerate(cards):
        below, not_above = _below(place, len(cards), card, ranks), _below(place, len(cards), card + 1, ranks)
        after: dict[int, float] = {}
        for lead, likely in chances.items():
            for step, share in ((1, below), (0, not_above - below), (-1, 1 - not_above)):
                after[lead + step] = after.get(lead + step, 0.0) + likely * share
        chances = after
    return sum(likely * (1.0 if lead > 0 else 0.5 if lead == 0 else 0.0) for lead, likely in chances.items())


def reply(cards: Cards, led: int) -> int:
    """The card that takes a trick most cheaply, or else the worst."""
    for card in reversed(cards):
        if card > led:
            return card
    return cards[-1]


@lru_cache(maxsize=1024)
def _below(place: int, size: int, card: int, ranks: int) -> float:
    """The chance that the card at this place of a hand of so many, best first, is worse than this one."""
    share = card / ranks
    return sum(
        [float(comb(size, above) * (1 - share) ** above * share ** (size - above)) for above in range(place + 1)]
    )

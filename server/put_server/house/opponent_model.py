"""A model of the others: what they do with what they may hold, and so what they may hold after what they did."""

from collections.abc import Sequence
from math import exp

from put_protocol.games.unions import (
    GameView,
)
from put_server.house.hand_evaluation import strength
from put_server.house.observation import Deal, Sight
from put_server.house.score_values import Contest, Custom, Standing

_EDGE = 0.06
"""Strengths over which people change from throwing in to seeing, or from silence to putting."""

_BRAVADO = 0.5
"""How often people are thought to put with any hand, for each time with a strong one. More than they do: who takes a
put at its word is put out of their cards by whoever puts with everything."""

_PUTS_AT_MOST = 0.75
"""The strength from which people put even where the model would have them wait for more."""

_LEADS_FROM = 0.4
"""The strength from which people lead to a hand that may cost them the game, where they might throw it in."""

_CROWD_SEES = 0.8
_CROWD_PUTS = 0.85
"""With three and more: the strengths from which one sees, and puts. More must be beaten than between two."""


class Others:
    """The others in a hand, over the deals that may be. Lists of shares have an item for each of them, and a deal."""

    def __init__(self, view: GameView, seen: Sight, standing: Standing, deals: Sequence[Deal]) -> None:
        self._view = view
        self._sight = seen
        self._standing = standing
        self._deals = deals
        self.shares = [self._ranked(place) for place in range(len(seen.others))]
        """Which share of what they may hold, by the dealing, is weaker than what they hold."""

    def _ranked(self, place: int) -> list[float]:
        strengths = self._sight.strengths(self._sight.others[place], [deal.hands[place] for deal in self._deals])
        order = sorted(range(len(strengths)), key=strengths.__getitem__)
        shares, below, at = [0.0] * len(order), 0.0, 0
        while at < len(order):
            end = at
            while end < len(order) and strengths[order[end]] == strengths[order[at]]:
                end += 1
            equal = sum([self._deals[i].weight for i in order[at:end]])
            for i in order[at:end]:
                shares[i] = below + equal / 2
            below, at = below + equal, end
        return shares

    def custom(self, putter: int, other: int) -> Custom:
        """How this one puts to that one, and is answered."""
        if self._standing.is_between_two:
            return self._standing.custom(putter, other)
        is_last = self._standing.is_last_point(putter)
        return Custom(puts_from=_CROWD_PUTS, bluffs_below=_BRAVADO, sees_from=0.5 if is_last else _CROWD_SEES)

    def likely(self) -> list[float]:
        """How likely each deal is, by what they said and did in this hand; in all, 1."""
        likely, seen, putter = [deal.weight for deal in self._deals], self._sight, self._view.putter
        for place, other in enumerate(seen.others):
            shares = self.shares[place]
            if other == putter:
                custom = self.custom(putter, seen.seat)
                likely = [each * puts_with(share, custom) for each, share in zip(likely, shares, strict=True)]
            elif putter is not None and other in self._view.seen_by:
                custom = self.custom(putter, other)
                likely = [each * sees_with(share, custom) for each, share in zip(likely, shares, strict=True)]
            if self._standing.contest is Contest.OUTRIGHT and self._has_led_first(other):
                likely = [
                    each * self._leads_with((*deal.hands[place], *seen.shown[place]))
                    for each, deal in zip(likely, self._deals, strict=True)
                ]
        total = sum(likely)
        return [each / total for each in likely]

    def _has_led_first(self, other: int) -> bool:
        first = self._view.past[0] if self._view.past else self._view.trick
        return bool(first.seats) and first.seats[0] == other

    def _leads_with(self, cards: tuple[int, ...]) -> float:
        held = tuple(sorted(cards, reverse=True))
        return rise((strength(held, 0, None, len(self._sight.unseen)) - _LEADS_FROM) / _EDGE)


def rise(x: float) -> float:
    """From 0 through a half at 0 to 1."""
    return 1 / (1 + exp(-max(-60.0, min(60.0, x))))


def sees_with(share: float, custom: Custom) -> float:
    """How likely one sees with a hand that is better than this share of those one may hold."""
    return 1.0 if custom.sees_from <= 0 else rise((share - custom.sees_from) / _EDGE)


def puts_with(share: float, custom: Custom) -> float:
    """How likely one puts with it. People put with less than the model would, and with anything now and then."""
    bluffs = max(_BRAVADO, custom.bluffs_below)
    if custom.puts_from <= 0:
        return 1.0
    return bluffs + (1 - bluffs) * rise((share - min(custom.puts_from, _PUTS_AT_MOST)) / _EDGE)


def speaks_with(share: float, custom: Custom) -> float:
    """How likely one puts by the custom alone, bluffs as frequent as it has them."""
    if custom.puts_from <= 0:
        return 1.0
    return custom.bluffs + (1 - custom.bluffs) * rise((share - custom.puts_from) / _EDGE)

"""The worth of the end of a hand at a score, in stakes: 1 is a game won, -1 one lost.

A game for two is zero-sum, so one number is enough: the expected gain of eldest, the player who does not deal. The deal
passes after each hand, so eldest is the dealer of the next. If every game is for a single stake, (1 + worth) / 2 is
eldest's chance to win it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from put_server.house.put.solved.rank_sets import COPIES
from put_server.house.put.solved.tree import SOLVABLE, BettingRules, Tree, tree_of

Score = tuple[int, int]
"""Points of eldest and of the dealer."""

Worths = Mapping[Score, float]
"""Worth of each score to eldest, before the deal."""

_PACKS = range(12, 53, 4)
"""Packs shorter than in any table are for tests: small games that another program can solve too."""
_MOST_TARGET = 21


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A rule set for two, with the options that change perfect play.

    :raises ValueError: the game or an option is unknown, or a value is out of bounds; the message says which.
    """

    game: str
    target: int = 5
    pack: int = 52
    drawn_put: str = "keep"
    outright: str = "single"

    def __post_init__(self) -> None:
        if self.game not in SOLVABLE:
            raise ValueError(f"{self.game!r} is not a game that can be solved; these are: {', '.join(SOLVABLE)}")
        if not _is_number(self.target) or not 1 <= self.target <= _MOST_TARGET:
            raise ValueError(f"target is {self.target!r}, and must be a number from 1 to {_MOST_TARGET}")
        if not _is_number(self.pack) or self.pack not in _PACKS:
            raise ValueError(f"pack is {self.pack!r}, and must be a multiple of 4 from {_PACKS[0]} to {_PACKS[-1]}")
        _check("drawn_put", self.drawn_put, ("keep",) if self.rules.is_outright else ("keep", "anew"), self.game)
        _check("outright", self.outright, ("single", "double") if self.rules.is_outright else ("single",), self.game)

    @classmethod
    def of(cls, game: str, options: Mapping[str, str | int]) -> "Variant":
        """The variant played at a table. Options without effect here are ignored, and missing ones have their defaults.

        :raises ValueError: as above.
        """
        known: dict[str, Any] = {name: value for name, value in options.items() if name in OPTIONS}
        return cls(game=game, **known)

    @property
    def options(self) -> dict[str, str | int]:
        return {name: getattr(self, name) for name in OPTIONS}

    @property
    def rules(self) -> BettingRules:
        return SOLVABLE[self.game]

    @property
    def tree(self) -> Tree:
        return tree_of(self.game, self.ranks)

    @property
    def ranks(self) -> int:
        return self.pack // COPIES

    @property
    def outright_stake(self) -> int:
        """Stakes for a game won by tricks."""
        return 2 if self.outright == "double" else 1

    @property
    def unit(self) -> float:
        """One stake in display units: half a chance of the game, or a stake if some games are for two stakes."""
        return 0.5 if self.outright_stake == 1 else 1.0

    def shown(self, worth: float) -> float:
        """A worth in display units: the chance to win, or stakes if some games are for two stakes."""
        return (1 + worth) / 2 if self.outright_stake == 1 else worth

    def __str__(self) -> str:
        usual = {field.name: field.default for field in fields(self)}
        return "-".join(
            [self.game, *(f"{name}-{value}" for name, value in self.options.items() if value != usual[name])]
        )

    @property
    def is_anew(self) -> bool:
        return self.drawn_put == "anew"

    def scores(self) -> list[Score]:
        """Every score before a deal, after the scores it depends on, and next to its mirror, which follows a drawn
        hand."""
        found = []
        for total in range(2 * self.target - 2, -1, -1):
            for more in range(total, -1, -1):
                less = total - more
                if less <= more < self.target:
                    found.append((more, less))
                    if less < more:
                        found.append((less, more))
        return found

    def ends(self, score: Score, worths: Worths, anew: float | None = None) -> tuple[float, ...]:
        """Worth of each `End` to eldest. `worths`: of all possible next scores, including the mirror. `anew`: of a game
        that a drawn put restarts; None: that of 0-0."""
        eldest, dealer = score
        won = self.outright_stake
        drawn = -worths[dealer, eldest]
        return (
            1.0 if eldest + 1 >= self.target else -worths[dealer, eldest + 1],
            -1.0 if dealer + 1 >= self.target else -worths[dealer + 1, eldest],
            won,
            -won,
            drawn,
            drawn if not self.is_anew else -worths[0, 0] if anew is None else -anew,
        )


OPTIONS = tuple(field.name for field in fields(Variant) if field.name != "game")
"""Options that change perfect play."""


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check(name: str, value: str, known: tuple[str, ...], game: str) -> None:
    if value not in known:
        raise ValueError(f"{name} is {value!r}, and must be {' or '.join(known)} in {game}")

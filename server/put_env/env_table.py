"""The table of an environment: a rule set, its seats and options, what an episode is, and what is rewarded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from put_rules.game import BadOption, Game, OptionValue
from put_rules.registry import GAMES
from put_rules.table_options import TableOptions
from put_server.lobby.options import checked_options
from put_server.table.table_effects import RequestRefused


class Unit(StrEnum):
    GAME = "game"
    """a whole game, rubber or sitting"""
    HAND = "hand"
    """one hand of it; the next episode is the next hand of the same game, and after its last a new game's first"""


class Rewards(StrEnum):
    PURSE = "purse"
    """what the purse gained, in stakes"""
    POINTS = "points"
    """points of the score: each counts 1 for the side that gets it, and is paid in equal parts by the other sides"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A rule set with its seats and options. `seats` 0: the least the rule set allows.

    :raises ValueError: there is no such rule set, number of seats, option or value of it.
    """

    rule_set: str
    seats: int = 0
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """Those left out are at their defaults."""

    def __post_init__(self) -> None:
        if self.rule_set not in GAMES:
            raise ValueError(f"there is no rule set {self.rule_set!r}: there are {', '.join(GAMES)}")
        offer = GAMES[self.rule_set].offer
        object.__setattr__(self, "seats", self.seats or min(offer.seats))
        if self.seats not in offer.seats:
            raise ValueError(f"{self.rule_set} is for {', '.join(map(str, offer.seats))} players, not for {self.seats}")
        try:
            options = checked_options(offer, self.options)
            object.__setattr__(self, "options", options)
            TableOptions.of(options).check(self.game())
        except (RequestRefused, BadOption) as error:
            raise ValueError(f"{self.rule_set}: {error}") from None

    @property
    def family(self) -> str:
        return GAMES[self.rule_set].offer.family

    def game(self) -> Game[Any, Any]:
        """Its machine. Tables that are alike share one, for it has no state."""
        return GAMES[self.rule_set].make(self.seats, self.options)

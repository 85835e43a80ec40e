"""The table of an environment: rule set, seats, options, extent of an episode, and reward."""

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
    """one hand; the next episode is the next hand of the same game, or after its last hand the first of a new game"""


class Rewards(StrEnum):
    PURSE = "purse"
    """gain of the purse, in stakes"""
    POINTS = "points"
    """points of the score: each counts 1 for the side that gets it, and the other sides pay it in equal parts"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A rule set with its seats and options. `seats` 0: the fewest of the rule set.

    :raises ValueError: the rule set, number of seats, option or value does not exist.
    """

    rule_set: str
    seats: int = 0
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """Options left out have their defaults."""

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
        """The table's machine. Equal tables share one, because it has no state."""
        return GAMES[self.rule_set].make(self.seats, self.options)

"""Options of a table in every game. Every rule set offers them besides its own."""

import dataclasses
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, NamedTuple, Self

from msgspec.structs import replace

from put_protocol.blind import IS_AVAILABLE
from put_protocol.cards import Card
from put_protocol.offers import OptionOffer
from put_protocol.seats import Seat
from put_rules.game import BadOption, Game, OptionValue, RuleSet, Shuffle
from put_text.catalogue import say_in_english


class Abandoned(StrEnum):
    """Treatment of the seat of a player who leaves during a game."""

    FORFEIT = "forfeit"
    """they give the game up"""
    HOUSE = "house"
    """a house player takes it"""


class Dealing(StrEnum):
    BLIND = "blind"
    """from a pack that every holder of a key shuffles, and no party can read; plain if that is impossible"""
    PLAIN = "plain"
    """from a pack that the server shuffles"""


class Way(NamedTuple):
    dealing: Dealing
    why_plain: str = ""
    """Reason why it is dealt plain, as the end of a sentence."""
    is_read: bool = False
    """True for a blind deal whose pack the server reads, because the rules must see hands."""


OFFERS = (
    OptionOffer(
        name="abandoned",
        meaning=say_in_english("offer-abandoned"),
        default=Abandoned.FORFEIT.value,
        values=tuple(each.value for each in Abandoned),
    ),
    OptionOffer(name="arranged", meaning=say_in_english("offer-arranged"), default="", longest=160),
    OptionOffer(
        name="dealing",
        meaning=say_in_english("offer-dealing"),
        default=Dealing.BLIND.value,
        values=tuple(each.value for each in Dealing),
    ),
)

_FORMER = {"open"}
"""Options that records and tables of former releases have."""


class TableOptions(NamedTuple):
    """A table's options that are not its rule set's."""

    abandoned: Abandoned = Abandoned.FORFEIT
    arranged: tuple[Card, ...] = ()
    """Cards on top of the pack of every hand, in this order."""
    dealing: Dealing = Dealing.BLIND

    @classmethod
    def of(cls, options: Mapping[str, OptionValue]) -> Self:
        """The fields from all options of a table, which must be valid."""
        return cls(
            Abandoned(str(options.get("abandoned", Abandoned.FORFEIT))),
            tuple(map(Card, str(options.get("arranged", "")).split())),
            Dealing.PLAIN if options.get("dealing") == Dealing.PLAIN else Dealing.BLIND,  # `sealed` is an old value
        )

    def check(self, game: Game[Any, Any]) -> None:
        """:raises BadOption: the arranged cards are not of the game's pack, or repeat."""
        if not self.arranged:
            return
        awaits = game.awaits(game.begin(Seat(0)))
        assert isinstance(awaits, Shuffle)  # in every game the dealer deals first
        for card in self.arranged:
            if card not in awaits.cards:
                raise BadOption("arranged", "foreign", card)
        if len(set(self.arranged)) < len(self.arranged):
            raise BadOption("arranged", "twice")

    def way(
        self, game: Game[Any, Any], keys: Sequence[bool | None], *, is_named: bool = False, is_full: bool = False
    ) -> Way:
        """Way of dealing for the next game. `keys`: for each seat, true if its client keeps its key; None: empty.
        `is_named`: the packs are of a named sequence. `is_full`: the server cannot take part in more deals."""
        if self.dealing is Dealing.PLAIN:
            return _plain("asked")
        if self.arranged or is_named:
            return _plain("arranged")
        if self.abandoned is Abandoned.HOUSE:
            return _plain("house")
        if why := game.why_plain():
            return _plain(why)
        if not IS_AVAILABLE:
            return _plain("package")
        if True not in keys and None not in keys:
            return _plain("keys")
        return _plain("full") if is_full else Way(Dealing.BLIND, is_read=game.needs_hands())


@cache
def _plain(reason: str) -> Way:
    """`reason`: a form of the message."""
    return Way(Dealing.PLAIN, say_in_english("refused-plain", why=reason))


def with_table_options(rule_set: RuleSet) -> RuleSet:
    """The rule set as played at a table: it offers the table's options among its own, and refuses others. Tables with
    the same options share a game, because a game has no state."""
    options = tuple(sorted((*rule_set.offer.options, *OFFERS), key=lambda option: option.name))
    known = _FORMER.union([option.name for option in options])

    @lru_cache(maxsize=64)
    def game(seats: int, chosen: tuple[tuple[str, OptionValue], ...]) -> Game[Any, Any]:
        return rule_set.make(seats, dict(chosen))

    def make(seats: int, chosen: Mapping[str, OptionValue]) -> Game[Any, Any]:
        for name in chosen:
            if name not in known:
                raise BadOption(name, "unknown")
        return game(seats, tuple(sorted(chosen.items())))

    return dataclasses.replace(rule_set, offer=replace(rule_set.offer, options=options), make=make)

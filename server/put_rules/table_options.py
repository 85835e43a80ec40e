"""Options that belong to a table, in every game. Every rule set offers them beside its own."""

import dataclasses
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, Self

from msgspec.structs import replace

from put_protocol.blind import IS_AVAILABLE
from put_protocol.cards import Card
from put_protocol.offers import OptionOffer
from put_protocol.seats import Seat
from put_rules.game import BadOption, Game, OptionValue, RuleSet, Shuffle


class Abandoned(StrEnum):
    """Fate of the seat of a player who goes away during a game."""

    FORFEIT = "forfeit"
    """they give the game up"""
    HOUSE = "house"
    """a house player takes it"""


class Opens(StrEnum):
    """The cards of a sealed deal that are opened."""

    PLAYED = "played"
    """those that a viewer may see, to that viewer"""
    AFTER_GAME = "after_game"
    """those, and when the game is over every pack"""


class Dealing(StrEnum):
    """The way cards are dealt."""

    SEALED = "sealed"
    """from a pack that the server has committed itself to, and that players cut"""
    BLIND = "blind"
    """from a pack that every player shuffles, and no party can read"""


OFFERS = (
    OptionOffer(
        name="abandoned",
        meaning="a player who goes away forfeits, or the house takes their seat",
        default=Abandoned.FORFEIT.value,
        values=tuple(each.value for each in Abandoned),
    ),
    OptionOffer(
        name="arranged",
        meaning="exhibition: cards on top of every pack, in order, as 3s 2h 2c",
        default="",
        longest=160,
    ),
    OptionOffer(
        name="dealing",
        meaning="sealed: players cut the pack; blind: they shuffle it unseen",
        default=Dealing.SEALED.value,
        values=tuple(each.value for each in Dealing),
    ),
    OptionOffer(
        name="open",
        meaning="sealed deals open what a player may see, or all packs after the game",
        default=Opens.PLAYED.value,
        values=tuple(each.value for each in Opens),
    ),
)
"""The form in which the lobby offers them; `dealing` only where a game can be dealt blind."""


class TableOptions(NamedTuple):
    """Options of a table beside those of its rule set."""

    abandoned: Abandoned = Abandoned.FORFEIT
    opens: Opens = Opens.PLAYED
    arranged: tuple[Card, ...] = ()
    """These cards lie on top of the pack of every hand, first the first."""
    dealing: Dealing = Dealing.SEALED

    @classmethod
    def of(cls, options: Mapping[str, OptionValue]) -> Self:
        """Those among all options of a table, which must be valid."""
        return cls(
            Abandoned(str(options.get("abandoned", Abandoned.FORFEIT))),
            Opens(str(options.get("open", Opens.PLAYED))),
            tuple(map(Card, str(options.get("arranged", "")).split())),
            Dealing(str(options.get("dealing", Dealing.SEALED))),
        )

    @property
    def is_blind(self) -> bool:
        return self.dealing is Dealing.BLIND

    @property
    def opens_packs(self) -> bool:
        """True if every pack is shown whole when the game is over."""
        return self.opens is Opens.AFTER_GAME

    def check(self, game: Game[Any, Any], *, is_named: bool = False) -> None:
        """`is_named`: the packs are of a named sequence.

        :raises BadOption: the arranged cards are not of the pack that the game is played with, or come twice; or the
        game cannot be dealt blind."""
        if self.is_blind and (why := self._why_not_blind(game, is_named=is_named)):
            raise BadOption("dealing", f"this cannot be dealt blind: {why}")
        if not self.arranged:
            return
        awaits = game.awaits(game.begin(Seat(0)))
        assert isinstance(awaits, Shuffle)  # in every game the dealer deals first
        for card in self.arranged:
            if card not in awaits.cards:
                raise BadOption("arranged", f"{card!r} is no card of this pack")
        if len(set(self.arranged)) < len(self.arranged):
            raise BadOption("arranged", "a card is named twice")

    def _why_not_blind(self, game: Game[Any, Any], *, is_named: bool) -> str:
        if not IS_AVAILABLE:
            return "the server lacks coincurve, which has no release for its Python"
        if self.arranged or is_named:
            return "a pack that every player shuffles cannot be arranged"
        if self.opens_packs:
            return "a hand that was thrown in is never opened, not even after the game"
        if self.abandoned is Abandoned.HOUSE:
            return "no house player can take over a hand that only its player can read"
        return game.needs_hands()


def with_table_options(rule_set: RuleSet) -> RuleSet:
    """The rule set as it is played at a table: it offers the table's options among its own, by name, and refuses
    others. Tables with the same options share a game, for it has no state."""
    usual = {option.name: option.default for option in rule_set.offer.options}
    is_blind = not rule_set.make(rule_set.offer.seats[0], usual).needs_hands()
    offers = [offer for offer in OFFERS if is_blind or offer.name != "dealing"]
    options = tuple(sorted((*rule_set.offer.options, *offers), key=lambda option: option.name))
    known = frozenset([option.name for option in options])

    @lru_cache(maxsize=64)
    def game(seats: int, chosen: tuple[tuple[str, OptionValue], ...]) -> Game[Any, Any]:
        return rule_set.make(seats, dict(chosen))

    def make(seats: int, chosen: Mapping[str, OptionValue]) -> Game[Any, Any]:
        for name in chosen:
            if name not in known:
                raise BadOption(name, "there is no such option")
        return game(seats, tuple(sorted(chosen.items())))

    return dataclasses.replace(rule_set, offer=replace(rule_set.offer, options=options), make=make)

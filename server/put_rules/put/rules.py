"""Records of a rule set and of the options that a table may set. The code asks for their fields and never for a name.
The rule sets themselves are in `rule_sets`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import msgspec.structs

from put_protocol.games.put import Moment, Worth
from put_protocol.offers import GameOffer, OptionOffer
from put_rules.game import OptionValue
from put_rules.prose import Prose, with_prose


def _choice(name: str, *values: OptionValue) -> OptionOffer:
    """An option of these values, the first by default."""
    return OptionOffer(name, f"offer-{name}", values[0], values)


def _number(name: str, default: int, least: int, most: int) -> OptionOffer:
    return OptionOffer(name, f"offer-{name}", default, least=least, most=most)


OPTIONS: Mapping[str, OptionOffer] = {
    offer.name: offer
    for offer in (
        _choice("cut", "high", "low"),
        _choice("drawn_put", "keep", "anew"),
        _number("misdeals", 0, 0, 50),
        _choice("outright", "single", "double"),
        _choice("pack", 52, 32, 28),
        _choice("ranking", "french", "printed"),
        _choice("rubber", 2, 1),
        _number("target", 5, 1, 21),
        _choice("tied_trick", "nobody", "first_winner"),
        _choice("two_handed", "put-1800", "put-1674"),
    )
}

RANKINGS: Mapping[str, tuple[str, ...]] = {
    "put": ("3", "2", "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4"),
    "french": ("7", "8", "A", "K", "Q", "J", "10", "9"),
    "printed": ("6", "7", "A", "K", "Q", "J", "10"),
}
"""Best first: of Put (Cotton 1674, all later sources agree), and the two readings of Parlett 1994 for Truc."""


class Offer(StrEnum):
    """The actions a player may take at some moment of the play."""

    PLAY = "play"
    """lead a card, or play one"""
    PUT = "put"
    """say "I put" """
    DOUBLE = "double"
    """offer to double the hand's value"""
    THROW_IN = "throw"
    """give up the hand"""
    PASS = "pass"
    """say nothing"""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRules:
    """The way a hand is played between those who play it."""

    may: Mapping[Moment, tuple[Offer, ...]]
    """The actions the player to move may take at each moment. A moment that is missing does not come."""
    plain: Worth = Worth.VALUE
    """The points a hand brings in which no put was accepted."""
    accepted: Worth = Worth.GAME
    """The points it brings after an accepted put, or double."""
    is_final: bool = True
    """True if an accepted put is the last word: no player puts, doubles or throws in after it."""


_PLAY_OR_PUT = (Offer.PLAY, Offer.PUT)

SEVENTEENTH_CENTURY = HandRules(may={Moment.LEAD: _PLAY_OR_PUT, Moment.REPLY: _PLAY_OR_PUT})
"""Either may put before leading or playing to any trick (Willughby c. 1665); there is no other throwing in."""

NINETEENTH_CENTURY = HandRules(
    may={
        Moment.LEAD: (Offer.PLAY, Offer.PUT, Offer.THROW_IN),
        Moment.REPLY: (Offer.PLAY, Offer.PUT, Offer.THROW_IN),
        Moment.LAST_SAY: (Offer.PUT, Offer.THROW_IN),
    },
    accepted=Worth.TO_TARGET,
)
"""Three stages around one trick (Hoyle 1800, Enquire Within 1856): a further trick comes only after an accepted put."""

TWO_HANDED: Mapping[str, HandRules] = {"put-1674": SEVENTEENTH_CENTURY, "put-1800": NINETEENTH_CENTURY}
"""Games that the receivers of four-handed Put may play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PutRules:
    """One rule set. The fields named as options hold the default of each, and under `under` what a table chose."""

    name: str
    title: str
    source: str
    summary: str
    prose: Prose
    """The rules for a player who reads nothing else."""
    seats: tuple[int, ...]
    """The numbers of players it is for."""
    play: HandRules
    options: tuple[str, ...]
    """Names of the `OPTIONS` that a table may set."""
    is_partnership: bool = False
    """Partners sit opposite, one gives the other their best card, and the receivers play."""
    cut: str = "high"
    drawn_put: str = "keep"
    misdeals: int = 0
    outright: str = "single"
    pack: int = 52
    ranking: str = "put"
    rubber: int = 1
    target: int = 5
    tied_trick: str = "nobody"
    two_handed: str = ""

    @property
    def ranks(self) -> tuple[str, ...]:
        """The ranks of the pack, best first. A shortened pack is stripped from the bottom (Parlett 1994)."""
        return RANKINGS[self.ranking][: self.pack // 4]

    @property
    def is_doubling(self) -> bool:
        """True if what is accepted doubles the hand's value, and no more."""
        return self.play.accepted is Worth.VALUE

    @property
    def is_rubber(self) -> bool:
        return "rubber" in self.options

    def is_worth_doubling(self, value: int, scores: tuple[int, ...]) -> bool:
        """There is no doubling once the hand is worth what both need (Parlett's target of twelve)."""
        return value < self.target - min(scores)

    def offer(self) -> GameOffer:
        offer = GameOffer(
            name=self.name,
            title=self.title,
            source=self.source,
            summary=self.summary,
            seats=self.seats,
            options=tuple(msgspec.structs.replace(OPTIONS[name], default=getattr(self, name)) for name in self.options),
        )
        return with_prose(offer, self.prose, {name: getattr(self, name) for name in OPTIONS})

    def under(self, options: Mapping[str, OptionValue]) -> "PutRules":
        """The same with those of these options that are its own, which must be valid."""
        own: dict[str, Any] = {name: value for name, value in options.items() if name in self.options}
        rules = replace(self, **own)
        if rules.two_handed:
            rules = replace(rules, play=TWO_HANDED[rules.two_handed])
        return rules

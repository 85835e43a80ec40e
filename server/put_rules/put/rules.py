"""Types of a rule set and of a table's options. The code uses their fields and never a name. The rule sets are in
`rule_sets`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec.structs

from put_protocol.games.put import Double, Moment, Pass, Put, PutAction, ThrowIn, Worth
from put_protocol.offers import GameOffer, OptionOffer
from put_rules.game import OptionValue
from put_rules.prose import Prose, with_prose


def _choice(name: str, *values: OptionValue) -> OptionOffer:
    """An option with these values; the first is the default."""
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
"""Ranks, best first: of Put (Cotton 1674, all later sources agree), and two readings of Parlett 1994 for Truc."""


PUT, DOUBLE, THROW_IN, PASS = Put(), Double(), ThrowIn(), Pass()


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRules:
    may: Mapping[Moment, tuple[PutAction, ...]]
    """Words that a player may say at each moment, besides playing a card. A missing moment does not occur."""
    plain: Worth = Worth.VALUE
    """Worth of a hand without an accepted put."""
    accepted: Worth = Worth.GAME
    """Worth of a hand after an accepted put or double."""
    is_final: bool = True
    """True if no player puts, doubles or throws in after an accepted put."""


SEVENTEENTH_CENTURY = HandRules(may={Moment.LEAD: (PUT,), Moment.REPLY: (PUT,)})
"""Each player may put before leading or playing to any trick (Willughby c. 1665); there is no other throwing in."""

NINETEENTH_CENTURY = HandRules(
    may={Moment.LEAD: (PUT, THROW_IN), Moment.REPLY: (PUT, THROW_IN), Moment.LAST_SAY: (PUT, THROW_IN)},
    accepted=Worth.TO_TARGET,
)
"""Three stages around one trick (Hoyle 1800, Enquire Within 1856): another trick follows only after an accepted put."""

TWO_HANDED: Mapping[str, HandRules] = {"put-1674": SEVENTEENTH_CENTURY, "put-1800": NINETEENTH_CENTURY}
"""Games that the receivers of four-handed Put may play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PutRules:
    """One rule set. Fields named like options hold the defaults, or in the result of `under` a table's choice."""

    name: str
    title: str
    source: str
    summary: str
    prose: Prose
    """The complete rules for a player."""
    seats: tuple[int, ...]
    play: HandRules
    options: tuple[str, ...]
    """Names of the `OPTIONS` that a table may set."""

    is_partnership: bool = False
    """Partners sit opposite; one gives the other their best card, and the receivers play."""
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
        """Ranks of the pack, best first. A shortened pack lacks the lowest ranks (Parlett 1994)."""
        return RANKINGS[self.ranking][: self.pack // 4]

    @property
    def is_doubling(self) -> bool:
        """True if accepting only doubles the hand's value."""
        return self.play.accepted is Worth.VALUE

    @property
    def is_rubber(self) -> bool:
        return "rubber" in self.options

    def is_worth_doubling(self, value: int, scores: tuple[int, ...]) -> bool:
        """No doubling is possible once the hand is worth what both need (Parlett's target of twelve)."""
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
        """This rule set with its own options set to these values, which must be valid."""
        own: dict[str, Any] = {name: value for name, value in options.items() if name in self.options}
        rules = replace(self, **own)
        if rules.two_handed:
            rules = replace(rules, play=TWO_HANDED[rules.two_handed])
        return rules

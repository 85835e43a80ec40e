"""The rule sets of Put and Truc as records: a variant is a constant, and only its fields are ever asked."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import msgspec.structs

from put_protocol.games.put import (
    Moment,
    Worth,
)
from put_protocol.offers import GameOffer
from put_server.games.game import OptionValue
from put_server.games.put import prose
from put_server.games.put.options import OPTIONS

RANKINGS: Mapping[str, tuple[str, ...]] = {
    "put": ("3", "2", "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4"),
    "french": ("7", "8", "A", "K", "Q", "J", "10", "9"),
    "printed": ("6", "7", "A", "K", "Q", "J", "10"),
}
"""Best first: of Put (Cotton 1674, all later sources agree), and the two readings of Parlett 1994 for Truc."""


class Offer(StrEnum):
    """What a player may do at some moment of the play."""

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
    """How a hand is played between those who play it."""

    may: Mapping[Moment, tuple[Offer, ...]]
    """What the player to move may do at each moment. A moment that is missing does not come."""
    plain: Worth = Worth.VALUE
    """What a hand brings in which no put was accepted."""
    accepted: Worth = Worth.GAME
    """What it brings after an accepted put, or double."""
    is_final: bool = True
    """Whether an accepted put is the last word: nobody puts, doubles or throws in after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PutRules:
    """One rule set. Fields named as options are the options of it."""

    name: str
    title: str
    source: str
    summary: str
    prose: tuple[str, ...]
    """The rules for a player who reads nothing else, under the options' defaults."""
    seats: tuple[int, ...]
    """The numbers of players it is for."""
    play: HandRules
    options: tuple[str, ...]
    """Which of `OPTIONS` a table may set."""
    is_partnership: bool = False
    """Partners sit opposite, one gives the other their best card, and the receivers play."""
    defaults: tuple[tuple[str, OptionValue], ...] = ()
    """Where an option's default is not the usual one."""
    abandoned: str = "forfeit"
    arranged: str = ""
    cut: str = "high"
    drawn_put: str = "keep"
    misdeals: int = 0
    open: str = "played"
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
        """Whether what is accepted doubles the hand's value, and no more."""
        return self.play.accepted is Worth.VALUE

    @property
    def is_rubber(self) -> bool:
        return "rubber" in self.options

    def is_worth_doubling(self, value: int, scores: tuple[int, ...]) -> bool:
        """There is no doubling once the hand is worth what both need (Parlett's target of twelve)."""
        return value < self.target - min(scores)

    def offer(self) -> GameOffer:
        """What the lobby tells of it."""
        usual = dict(self.defaults)
        return GameOffer(
            name=self.name,
            title=self.title,
            source=self.source,
            summary=self.summary,
            seats=self.seats,
            options=tuple(
                msgspec.structs.replace(OPTIONS[name], default=usual.get(name, OPTIONS[name].default))
                for name in self.options
            ),
            rules=self.prose,
        )

    def under(self, options: Mapping[str, OptionValue]) -> "PutRules":
        """The same with these options, which must be valid."""
        rules = replace(self, **options)  # type: ignore[arg-type]  # the lobby checked them against the offer
        if rules.two_handed:
            rules = replace(rules, play=TWO_HANDED[rules.two_handed])
        return rules


_EVERY_PUT = ("abandoned", "arranged", "cut", "misdeals", "open", "pack", "target")

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
"""What the receivers of four-handed Put may play."""

PUT_1674 = PutRules(
    name="put-1674",
    title="Put in the seventeenth century",
    source="Cotton 1674, Willughby c. 1665",
    summary=(
        "Most tricks win the hand and a point; the first to the target wins the game. Before any card you lead or play "
        'you may say "I put": the others throw in and give you the point, or see, and then this hand decides the game.'
    ),
    prose=prose.PUT_1674,
    seats=(2, 3, 4),
    play=SEVENTEENTH_CENTURY,
    options=(*_EVERY_PUT, "drawn_put"),
)

PUT_1800 = PutRules(
    name="put-1800",
    title="Put in the nineteenth century",
    source="Hoyle 1800, Enquire Within 1856",
    summary=(
        "Three chances to put or to throw in: eldest's before he leads, the dealer's before he plays to the lead, and "
        "eldest's again when the first trick is over. The other throws in and gives a point, or sees, and then the "
        "hand is played out for the game."
    ),
    prose=prose.PUT_1800,
    seats=(2,),
    play=NINETEENTH_CENTURY,
    options=(*_EVERY_PUT, "drawn_put"),
    defaults=(("cut", "low"),),
)

PUT_PARTNERS = PutRules(
    name="put-partners",
    title="Four-handed Put, in partnerships",
    source="Enquire Within 1856, Hoyle 1800",
    summary=(
        "Partners sit opposite. One of each side gives his partner his best card and throws the rest away; the partner "
        "discards one of four and plays a hand of two-handed Put for both."
    ),
    prose=prose.PUT_PARTNERS,
    seats=(4,),
    play=NINETEENTH_CENTURY,
    options=(*_EVERY_PUT, "drawn_put", "two_handed"),
    defaults=(("cut", "low"),),
    is_partnership=True,
)

PUT_PARLETT = PutRules(
    name="put-parlett",
    title="Put with concessions and the outright win",
    source="Parlett 1994",
    summary=(
        "Two tricks, or one with two tied, win the game outright. Whoever is about to lead may put, inviting the other "
        "to throw in for a point, or throw in himself; the first to the target by such points wins too."
    ),
    prose=prose.PUT_PARLETT,
    seats=(2,),
    play=HandRules(
        may={Moment.LEAD: (Offer.PLAY, Offer.PUT, Offer.THROW_IN), Moment.REPLY: (Offer.PLAY,)},
        plain=Worth.GAME,
        is_final=False,
    ),
    options=(*_EVERY_PUT, "outright"),
)

PUT_TAVERN = PutRules(
    name="put-tavern",
    title="Put at the tavern",
    source="the tavern sheet",
    summary=(
        "You may put only before the first trick, in turn from eldest. The others throw in, or see and play the hand "
        "for the game. Most tricks win the hand and a point."
    ),
    prose=prose.PUT_TAVERN,
    seats=(2, 3, 4),
    play=HandRules(
        may={
            Moment.OPENING: (Offer.PASS, Offer.PUT),
            Moment.LEAD: (Offer.PLAY,),
            Moment.REPLY: (Offer.PLAY,),
        }
    ),
    options=(*_EVERY_PUT, "drawn_put"),
)

TRUC = PutRules(
    name="truc",
    title="Truc, the French cousin",
    source="Parlett 1994",
    summary=(
        "Before a card you lead or play you may offer to double what the hand is worth: the other takes it, or throws "
        "in for what it was worth before. Twelve points win a game, two games the rubber."
    ),
    prose=prose.TRUC,
    seats=(2,),
    play=HandRules(
        may={Moment.LEAD: (Offer.PLAY, Offer.DOUBLE), Moment.REPLY: (Offer.PLAY, Offer.DOUBLE)},
        accepted=Worth.VALUE,
        is_final=False,
    ),
    options=("abandoned", "arranged", "cut", "open", "ranking", "rubber", "tied_trick"),
    defaults=(("cut", "low"),),
    ranking="french",
    rubber=2,
    target=12,
)

RULE_SETS = (PUT_1674, PUT_1800, PUT_PARTNERS, PUT_PARLETT, PUT_TAVERN, TRUC)

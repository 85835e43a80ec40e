"""The rule sets of Put as records: a variant is a constant, and only its fields are ever asked."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from put_protocol.cards import Card, pack_of
from put_protocol.messages import GameOffer, OptionOffer
from put_protocol.views import Moment
from put_server.games.game import OptionValue

RANKING = ("3", "2", "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4")
"""Best first (Cotton 1674; all later sources agree)."""


class Offer(StrEnum):
    """What a player may do at some moment, beside what follows of itself."""

    PLAY = "play"
    """lead a card, or play one"""
    PUT = "put"
    """say "I put", if nobody has in this hand"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PutRules:
    """One rule set. Fields named as options are the options of it."""

    name: str
    title: str
    source: str
    summary: str
    seats: tuple[int, ...]
    """The numbers of players it is for."""
    may: Mapping[Moment, tuple[Offer, ...]]
    """What the player to move may do at each moment, before a put is accepted; after it he must play."""
    options: tuple[str, ...]
    """Which of `OPTIONS` a table may set."""
    cut: str = "high"
    target: int = 5
    drawn_put: str = "keep"
    pack: int = 52

    @property
    def ranking(self) -> tuple[str, ...]:
        """The ranks of the pack, best first. A shortened pack is stripped from the bottom (Parlett 1994)."""
        return RANKING[: self.pack // 4]

    @property
    def cards(self) -> tuple[Card, ...]:
        """The pack, unshuffled."""
        return pack_of(self.ranking)

    def offer(self) -> GameOffer:
        """What the lobby tells of it."""
        return GameOffer(
            name=self.name,
            title=self.title,
            source=self.source,
            summary=self.summary,
            seats=self.seats,
            options=tuple(OPTIONS[name] for name in self.options),
        )

    def under(self, options: Mapping[str, OptionValue]) -> "PutRules":
        """The same with these options, which must be valid."""
        return replace(self, **options)  # type: ignore[arg-type]  # the lobby checked them against the offer


OPTIONS: Mapping[str, OptionOffer] = {
    option.name: option
    for option in (
        OptionOffer(
            name="cut",
            meaning="who deals first: he who draws the highest card, or the lowest",
            default="high",
            values=("high", "low"),
        ),
        OptionOffer(name="target", meaning="points that win the game", default=5, least=1, most=21),
        OptionOffer(
            name="drawn_put",
            meaning="after a drawn hand with an accepted put: keep the scores, or begin anew from nothing",
            default="keep",
            values=("keep", "anew"),
        ),
        OptionOffer(
            name="pack",
            meaning="cards in the pack: 52, 32 without 4 to 8, or 28 without 4 to 9",
            default=52,
            values=(52, 32, 28),
        ),
    )
}

PUT_1674 = PutRules(
    name="put-1674",
    title="Put in the seventeenth century",
    source="Cotton 1674, Willughby c. 1665",
    summary=(
        "Most tricks win the hand and a point; the first to the target wins the game. Before any card you lead or play "
        'you may say "I put": the others throw in and give you the point, or see, and then this hand decides the game.'
    ),
    seats=(2, 3, 4),
    may={Moment.LEAD: (Offer.PLAY, Offer.PUT), Moment.REPLY: (Offer.PLAY, Offer.PUT)},
    options=("cut", "target", "drawn_put", "pack"),
)

RULE_SETS = (PUT_1674,)

"""What a check found: what was wrong, with which card of which deal; and how far each deal is proved."""

from enum import StrEnum

from msgspec import Struct

from put_protocol.cards import Card, name_of
from put_protocol.seats import Seat
from put_protocol.text import printable


class Fault(StrEnum):
    """What was wrong."""

    NUMBER = "number"
    """the deal's number repeats, goes back, or leaves one out"""
    CHANGED = "changed"
    """a seal, or its cuts, told a second time"""
    LEFT_OPEN = "left_open"
    """a new seal, while the last one was neither cut nor voided"""
    VOIDED = "voided"
    """voided when its cuts were already shown"""
    CARDS = "cards"
    """no pack of cards, or not the one of the deals before"""
    ROOT = "root"
    """a root that was used before, or both alike"""
    TO = "to"
    """dealt to others than the seal says, or dealt again"""
    NOT_SEALED = "not_sealed"
    """dealt, cut or voided without a seal"""
    NOT_CUT = "not_cut"
    """dealt before the cuts were shown"""
    LINK = "link"
    """a cut that is missing, or is not the one promised"""
    OWN_LINK = "own_link"
    """the viewer's own cut dropped, altered, or made in his name"""
    PACK = "pack"
    """the wrong pack turned up"""
    TURNED = "turned"
    """a pack turned up that does not give its root"""
    NOT_TURNED = "not_turned"
    """dealt before the other pack was turned up"""
    LEAF = "leaf"
    """an opening that does not give the root"""
    POSITION = "position"
    """a position that was opened as another card"""
    SALT = "salt"
    """a salt that was used before"""
    UNOPENED = "unopened"
    """a card shown without an opening"""
    HOLDER = "holder"
    """a card that was not dealt to who is said to hold it"""
    REPEATED = "repeated"
    """a card that is already somewhere else, or was already played"""
    STRANGE = "strange"
    """a card that is not in the pack"""


_SAYS = {
    Fault.NUMBER: "its number does not follow that of the deal before",
    Fault.CHANGED: "its seal or its cuts were told a second time",
    Fault.LEFT_OPEN: "it was left, neither cut nor voided",
    Fault.VOIDED: "it was voided after its cuts were shown",
    Fault.CARDS: "it is not sealed for a pack of cards, or not for the pack of the deals before",
    Fault.ROOT: "one of its roots was used before",
    Fault.TO: "it was dealt to others than its seal says",
    Fault.NOT_SEALED: "there is no seal for it",
    Fault.NOT_CUT: "it was dealt before the cuts were shown",
    Fault.LINK: "a cut is missing, or is not the one that was promised",
    Fault.OWN_LINK: "your own cut was left out, changed, or made for you",
    Fault.PACK: "the wrong pack was turned up",
    Fault.TURNED: "the pack turned up is not the one that was sealed",
    Fault.NOT_TURNED: "it was dealt before the other pack was turned up",
    Fault.LEAF: "its opening does not give the root of the pack in play",
    Fault.POSITION: "it is shown in a place that was opened as another card",
    Fault.SALT: "its salt was used before",
    Fault.UNOPENED: "it was shown without an opening",
    Fault.HOLDER: "it was not dealt to the player who showed it",
    Fault.REPEATED: "it is there twice",
    Fault.STRANGE: "there is no such card in this pack",
}

_DEALS = 512
"""Deals whose failures are kept: more than are kept themselves. Where so many fail, no more need be told."""


class Failure(Struct, frozen=True, omit_defaults=True):
    """Something that an honest table never does."""

    deal: int
    fault: Fault
    card: Card | None = None
    seat: Seat | None = None
    """Whose cut, or who is said to hold the card."""

    @property
    def says(self) -> str:
        """A sentence for people, without the name of whoever sits there."""
        about = f"Deal {self.deal}"
        if self.card is not None:
            about += f", {name_of(Card(printable(self.card)))}"
        if self.seat is not None:
            about += f", seat {self.seat}"
        return f"{about}: {_SAYS[self.fault]}."


class Proof(StrEnum):
    """How far a card is proved."""

    PROVED = "proved"
    AWAITED = "awaited"
    """its opening comes when the hand is over"""
    FAILED = "failed"


class ProvedCard(Struct, frozen=True):
    """A card the viewer saw, and what is known of it."""

    card: Card
    seat: Seat | None
    """Who showed it, or holds it; None: it lay face up in the pack."""
    proof: Proof


class Stage(StrEnum):
    """How far a deal is."""

    SEALED = "sealed"
    """it waits for cuts"""
    CUT = "cut"
    VOID = "void"


class DealSummary(Struct, frozen=True):
    """A deal for the screen."""

    deal: int
    stage: Stage
    roots: tuple[bytes, bytes]
    cutters: tuple[Seat, ...]
    """Who takes part."""
    cards_in_pack: int
    words: str | None
    """For players to compare; None before the cuts are shown."""
    pack: int | None
    """The pack that is played."""
    is_turned: bool
    """The other one was turned up, and was as it should be."""
    is_whole: bool
    """The pack that was played was turned up after the game, and was as it should be."""
    cards: tuple[ProvedCard, ...]
    """In the order the viewer saw them."""
    failures: tuple[Failure, ...]


class Findings:
    """Failures as they are found, each once; those of the deals that had any last."""

    def __init__(self) -> None:
        self._fresh: list[Failure] = []
        self._by_deal: dict[int, dict[Failure, None]] = {}

    def add(self, deal: int, fault: Fault, card: Card | None = None, seat: Seat | None = None) -> None:
        failure = Failure(deal, fault, card, seat)
        known = self._by_deal.setdefault(deal, {})
        if len(self._by_deal) > _DEALS:
            del self._by_deal[next(iter(self._by_deal))]
        if failure not in known:
            known[failure] = None
            self._fresh.append(failure)

    def take(self) -> tuple[Failure, ...]:
        """Those since it was last asked."""
        fresh, self._fresh = tuple(self._fresh), []
        return fresh

    def of(self, deal: int) -> tuple[Failure, ...]:
        return tuple(self._by_deal.get(deal, ()))

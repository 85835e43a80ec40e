"""Findings of a check: what was wrong with which card of which deal, which deals are proved, and why others are not."""

from enum import StrEnum

from msgspec import Struct

from put_protocol.cards import Card, name_of
from put_protocol.seats import Seat
from put_protocol.text import printable


class Fault(StrEnum):
    """The fault, and the same in words. docs/fair-dealing.md says of each when it is found."""

    says: str
    """The end of a sentence about a deal, or about a card of it."""

    def __new__(cls, value: str, says: str) -> "Fault":
        fault = str.__new__(cls, value)
        fault._value_ = value
        fault.says = says
        return fault

    NUMBER = "number", "its number does not follow that of the deal before"
    CHANGED = "changed", "its seal or its cuts were told a second time"
    LEFT_OPEN = "left_open", "it was left, neither cut nor voided"
    VOIDED = "voided", "it was called off after all its cuts were made"
    BLAME = "blame", "it was called off without a reason: nobody is named for it who can be to blame"
    CARDS = "cards", "it is not sealed for the pack of cards that this table plays with"
    TERMS = "terms", "it is not sealed as the rules of this table say"
    STOCK = "stock", "it is not sealed for the cards that came back in this hand"
    ROOT = "root", "one of its roots was used before"
    TO = "to", "it was dealt to others than its seal says"
    GONE = "gone", "it was to be dealt to somebody who had left the game"
    LET_OFF = "let_off", "it was to be dealt to somebody who did not cut twice running, and had to leave"
    NOT_SEALED = "not_sealed", "there is no seal for it"
    NOT_CUT = "not_cut", "it was dealt before the cuts were shown"
    LINK = "link", "a cut is missing, or is not the one that was promised"
    OWN_LINK = "own_link", "your own cut was left out, changed, or made for you"
    PACK = "pack", "the wrong pack was turned up"
    TURNED = "turned", "the pack turned up is not the one that was sealed"
    NOT_TURNED = "not_turned", "a pack that was due was not turned up"
    LEAF = "leaf", "its opening does not give the root of the pack in play"
    POSITION = "position", "it is shown in a place that was opened as another card"
    SALT = "salt", "its salt was used before"
    UNOPENED = "unopened", "it was shown without an opening"
    UNSHOWN = "unshown", "it was opened to you, though no event showed it"
    HOLDER = "holder", "it was not dealt to the player who showed it"
    REPEATED = "repeated", "it is there twice"
    STRANGE = "strange", "there is no such card in this pack"
    ACCIDENT = "accident", "its accident is not the one that the seal and the cuts decide"
    SNAPSHOT = "snapshot", "it was broken off and the table shown anew, though the connection had not dropped"
    VIEW = "view", "the table was shown otherwise than the events tell it"


_DEALS = 512
"""Deals whose failures are kept: more than the deals that are kept. After so many, no more need be reported."""


class Failure(Struct, frozen=True, omit_defaults=True):
    """Something that an honest table never does."""

    deal: int
    fault: Fault
    card: Card | None = None
    seat: Seat | None = None
    """The player whose cut, or who is said to hold the card."""

    @property
    def says(self) -> str:
        """A sentence for people, without the name of the player in the seat."""
        about = f"Deal {self.deal}"
        if self.card is not None:
            about += f", {name_of(Card(printable(self.card)))}"
        if self.seat is not None:
            about += f", seat {self.seat}"
        return f"{about}: {self.fault.says}."


class Objection(Struct, frozen=True):
    """Something told of a game that does not follow from its rules, or from what was told before."""

    says: str
    """A sentence for people, with the players' names."""
    deal: int = 0
    """The deal in play; 0: none was sealed."""


class Unproved(StrEnum):
    """The reason a deal is not proved, though nothing was found wrong with it."""

    NOT_SEALED = "not_sealed"
    """nobody at the table takes part in the cutting, so it was not sealed"""
    NOT_COUNTED = "not_counted"
    """it was not sealed, and the server has not said that it knows of the viewer's wish to cut"""
    EXHIBITION = "exhibition"
    """the cards are arranged, or repeat"""
    JOINED = "joined"
    """the viewer came in the middle of it"""
    MISSED = "missed"
    """the connection dropped, and a part of it was not told again"""
    PLAIN = "plain"
    """the server dealt it alone, and said so before"""
    BLIND = "blind"
    """the cards are dealt blind, and what checks that is not installed"""
    PACK = "pack"
    """the game is not known here, so nobody can tell whether its pack is the right one"""


class Proof(StrEnum):
    """The state of the proof of a card."""

    PROVED = "proved"
    AWAITED = "awaited"
    """its opening comes when the hand is over"""
    FAILED = "failed"


class ProvedCard(Struct, frozen=True):
    """A card the viewer saw, and what is known of it."""

    card: Card
    seat: Seat | None
    """The player who showed it, or holds it; None: it lay face up in the pack."""
    proof: Proof


class Stage(StrEnum):
    """The stage of a deal."""

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
    """Each player who takes part."""
    cards_in_pack: int
    words: str | None
    """For players to compare; None before the cuts are shown."""
    pack: int | None
    """The pack that is played."""
    is_turned: bool
    """The other one was turned up, and was as it should be; of a void deal, both were."""
    is_whole: bool
    """The pack that was played was turned up after the game, and was as it should be."""
    cards: tuple[ProvedCard, ...]
    """Listed in the order the viewer saw them."""
    failures: tuple[Failure, ...]
    unproved: Unproved | None = None
    """The reason it is not proved, if that is certain already."""
    blamed: tuple[Seat, ...] = ()
    """For whom it was voided."""
    is_stock: bool = False
    """It is of the same hand as the deal before it."""

    @property
    def key(self) -> int:
        """Its place among all deals of a sitting."""
        return self.deal


class BlindDeal(Struct, frozen=True):
    """A deal that holders of keys shuffle, for the screen."""

    game: int
    """The number of the game under these keys at the table."""
    deal: int
    shufflers: tuple[Seat, ...] = ()
    """Seats that shuffled it, in order; each shuffle is proved."""
    awaited: tuple[Seat, ...] = ()
    """Seats of which a part is awaited."""
    held: tuple[Seat, ...] = ()
    """Seats whose keys the server holds, and whose cards it can see."""
    cards: tuple[tuple[Card, Seat | None], ...] = ()
    """The viewer's own cards, and those that were shown, each with its player; None: it is turned up for all."""
    unseen: tuple[tuple[Seat, int], ...] = ()
    """Numbers of cards that the viewer did not see, by their players."""
    blamed: Seat | None = None
    """The seat because of which it was made anew."""
    is_ruling: bool = False
    """The server alone said so."""

    @property
    def key(self) -> int:
        """Its place among all deals of a sitting."""
        return self.game << 32 | self.deal


class CalledOff(Struct, frozen=True):
    """Deals that were called off for one seat."""

    seat: Seat
    deals: int
    drops: int
    """Number of times the seat's connection was lost meanwhile. An honest client cuts at once, so each deal
    called off should have such a reason."""


class Tally(Struct, frozen=True):
    """The deals of a sitting: every one is proved, or is not for a reason."""

    proved: int = 0
    unproved: tuple[tuple[Unproved, int], ...] = ()
    called_off: tuple[CalledOff, ...] = ()
    deals_called_off: int = 0

    @property
    def dealt(self) -> int:
        """Deals of which cards were dealt and that are over, or are known not to be proved."""
        return self.proved + sum(count for _, count in self.unproved)

    @property
    def suspects(self) -> tuple[CalledOff, ...]:
        """Seats for which more deals were called off than lost connections explain; one is let pass."""
        return tuple([one for one in self.called_off if one.deals > one.drops + 1])


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

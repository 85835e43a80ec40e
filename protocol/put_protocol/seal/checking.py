"""What one viewer can check of a table's deals, told to him in order: seals, cuts, proofs and the events of the game.

Laws: an honest table is never accused; what is wrong is said once, as soon as it can be known; no link of the viewer's
own chain is ever given for two seals, whatever he is told. Openings come ahead of the events that show their cards, and
the pack that is not played ahead of the first card. Deals are kept for a while, because packs may be opened after the
game; what was shown of earlier deals than those is not compared any more.
"""

from typing import TypeAlias

from put_protocol.cards import RANKS, SUITS, Card, rank_of, suit_of
from put_protocol.events import (
    Accident,
    DealerFound,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FreshDeal,
    GameEnded,
    Gave,
    HandEnded,
    Played,
)
from put_protocol.seal.chain import Chain
from put_protocol.seal.findings import DealSummary, Failure, Fault, Findings
from put_protocol.seal.hashing import MOST_CARDS
from put_protocol.seal.proving import Deal
from put_protocol.seal.shown import cards_shown
from put_protocol.seal.told import FULL_PACK, CutsShown, DealVoided, Openings, Sealed
from put_protocol.seats import GALLERY, Seat, Viewer

Told: TypeAlias = Sealed | CutsShown | DealVoided | Openings | Event

KEPT = 256
"""Deals that are kept: more than a long game has. They hold less than two megabytes."""

_FACED_CARD = 3
"""The law of an accident whose card lay face up in the pack; by the others it is in a hand."""


class Checker:
    """One viewer's checks at one table."""

    def __init__(
        self,
        table: int,
        viewer: Viewer,
        *,
        chain: Chain | None = None,
        is_midway: bool = False,
        is_witness: bool = False,
    ) -> None:
        """A chain: the viewer sits, and takes part in the cutting.

        `is_midway`: he came in the middle of a deal, which is not checked. `is_witness`: whoever checks was told what
        the viewer was, and knows nothing of his chain.
        """
        self._table = table
        self._viewer = viewer
        self._seat = None if viewer == GALLERY or is_witness else viewer
        """Whose cuts are known here."""
        self._is_midway = is_midway
        """The deal in play, or the next, is not checked."""
        self._has_passed_hand = False
        self._findings = Findings()
        self._deals: dict[int, Deal] = {}
        self._deal: Deal | None = None
        """The one in play; None: none, or one that is not checked."""
        self._last: int | None = None
        """The number of the last seal."""
        self._cards: tuple[Card, ...] | None = None
        self._roots: set[bytes] = set()
        self._salts: set[bytes] = set()
        self._chain = chain
        self._left = 0 if chain is None else chain.length
        """The number of the link he gave last."""
        self._given: bytes | None = None
        """His link for the deal in play, if he gave it."""
        self._is_counted = chain is not None and not is_midway
        """The server knows that he takes part, so the next seal must name him, and there must be one."""
        self._is_withdrawn = False
        self._is_unsealed = False

    @property
    def end(self) -> bytes | None:
        """What he tells the server to take part, and whenever he comes back: the seals from then on name it for him."""
        return None if self._chain is None else self._chain.link(self._left)

    @property
    def links_left(self) -> int:
        """Deals he can still cut with his chain."""
        return self._left

    @property
    def deals(self) -> tuple[DealSummary, ...]:
        """The deals that were checked; the last KEPT of them."""
        return tuple([deal.summary() for deal in self._deals.values()])

    def summary(self, number: int) -> DealSummary | None:
        """One of them."""
        deal = self._deals.get(number)
        return None if deal is None else deal.summary()

    @property
    def is_checked(self) -> bool:
        """Whether the deal in play is checked: it was sealed before the viewer's eyes."""
        return self._deal is not None

    @property
    def is_counted(self) -> bool:
        """Whether every seal must name him."""
        return self._is_counted

    @property
    def is_unsealed(self) -> bool:
        """Whether the last hand or draw came without a seal, and nobody is to blame: a deal for which nobody cuts is
        not sealed."""
        return self._is_unsealed

    def count(self) -> None:
        """The server has answered that it knows his `end`: from now on every seal must name him."""
        self._is_counted = self._chain is not None and not self._is_withdrawn

    def renew(self, chain: Chain) -> None:
        """A first chain, or another when one runs out; the server must be told its `end`."""
        self._chain = chain
        self._left = chain.length
        self._is_counted = self._is_withdrawn = False

    def withdraw(self) -> None:
        """He takes no part any more, and need not be named; a seal that was already on its way he still cuts."""
        self._is_counted = False
        self._is_withdrawn = True

    def resume(self) -> None:
        """Something was missed: the deal in play, if there is one, is not checked any more."""
        if self._deal is not None:
            self._deal.give_up()
        self._leave_deal()
        self._pass_over()
        self._is_counted = False

    def cut(self) -> bytes | None:
        """His link for the seal that waits; the same one if asked again. None: nothing waits for him.

        Nothing waits for him either where the seal does not name his `end`: an earlier link was asked for, which the
        server may know already, as when it was lost on the way. He tells his `end` again, and cuts the next seal.
        """
        deal = self._deal
        if deal is None or deal.draw is not None or self._chain is None or self._given is not None:
            return self._given
        if self._left == 0 or self._promised(deal) != self.end:
            return None
        self._left -= 1
        self._given = self._chain.link(self._left)
        return self._given

    def take(self, told: Told) -> tuple[Failure, ...]:
        """What is wrong with what was told last."""
        match told:
            case Sealed():
                self._seal(told)
            case CutsShown():
                self._cut(told)
            case DealVoided():
                self._void(told)
            case Openings():
                self._open(told)
            case _:
                self._see(told)
        return self._findings.take()

    def _seal(self, sealed: Sealed) -> None:
        number, deal = sealed.deal, self._deal
        if deal is not None and deal.draw is None:
            if number == deal.number:
                self._fail(number, Fault.CHANGED)
                return
            self._fail(deal.number, Fault.LEFT_OPEN)
        self._leave_deal()
        self._is_unsealed = False
        if self._last is not None and number <= self._last:
            self._fail(number, Fault.NUMBER)
            self._pass_over()  # what was said of it is enough
            return
        if self._last is not None and number != self._last + 1 and not self._is_midway:
            self._fail(number, Fault.NUMBER)
        self._is_midway = False
        self._last = number
        cards = sealed.cards or FULL_PACK
        if not _is_pack(cards, sealed.to) or cards != (self._cards or cards):
            self._fail(number, Fault.CARDS)
            self._pass_over()
            return
        self._cards = cards
        if sealed.roots[0] == sealed.roots[1] or not self._roots.isdisjoint(sealed.roots):
            self._fail(number, Fault.ROOT)
        self._roots.update(sealed.roots)
        self._deal = Deal(self._table, sealed, cards, findings=self._findings, salts=self._salts)
        self._deals[number] = self._deal
        self._look_for_own(self._deal)
        if len(self._deals) > KEPT:
            self._forget_oldest()

    def _look_for_own(self, deal: Deal) -> None:
        promised = self._promised(deal)
        if (promised is not None and self._chain is None) or (promised is None and self._is_counted):
            self._fail(deal.number, Fault.OWN_LINK, seat=self._seat)
        self._is_counted = promised is not None and not self._is_withdrawn

    def _promised(self, deal: Deal) -> bytes | None:
        return _of(deal.sealed.cuts, self._seat)

    def _cut(self, shown: CutsShown) -> None:
        deal = self._deal_told(shown.deal)
        if deal is None:
            return
        if deal.draw is not None:
            self._fail(deal.number, Fault.CHANGED)
            return
        if _of(shown.links, self._seat) != self._given:
            self._fail(deal.number, Fault.OWN_LINK, seat=self._seat)
        deal.cut(shown.links)

    def _void(self, voided: DealVoided) -> None:
        deal = self._deal_told(voided.deal)
        if deal is None:
            return
        if deal.draw is not None:
            self._fail(deal.number, Fault.VOIDED)
        deal.is_void = True
        self._leave_deal()
        if self._seat in voided.seats:
            self._is_counted = False

    def _open(self, openings: Openings) -> None:
        """Of any deal that is kept; an earlier one is gone or was passed over without anything being wrong."""
        deal = self._deals.get(openings.deal)
        if deal is not None:
            deal.open(openings)
        elif not self._is_midway and openings.deal > (self._last or 0):
            self._fail(openings.deal, Fault.NOT_SEALED)

    def _deal_told(self, number: int) -> Deal | None:
        """The deal in play, if that is the one told of."""
        if self._deal is not None and self._deal.number == number:
            return self._deal
        if not self._is_midway:
            self._fail(number, Fault.NOT_SEALED)
        return None

    def _see(self, event: Event) -> None:
        if self._deal is not None and self._deal.is_over and isinstance(event, Dealt | Drawn):
            self._leave_deal()
        deal, shown = self._deal, cards_shown(event, self._viewer)
        if deal is None:
            self._see_unchecked(event)
            return
        if isinstance(event, Dealt) or shown:
            if deal.draw is None:
                self._fail(deal.number, Fault.NOT_CUT)
                self._leave_deal()
                return
            if not deal.is_turned:
                self._fail(deal.number, Fault.NOT_TURNED)
        match event:
            case Drawn():
                for card, seat, _ in shown:
                    deal.turn_next(seat, card)
                return
            case Accident(law=law) if law == _FACED_CARD:
                for card, _, _ in shown:
                    deal.turn_next(None, card)
                return
            case Dealt(counts=counts):
                deal.deal(counts)
            case _:
                pass
        for one in {one: None for one in shown if shown.count(one) > 1}:
            self._fail(deal.number, Fault.REPEATED, card=one.card)
        for card, seat, is_own in shown:
            deal.show(card, seat, is_due=is_own)
        match event:
            case Played(card=card):
                deal.take_away(card)
            case Discarded(card=thrown) if thrown is not None:
                deal.take_away(thrown)
            case Gave(seat=giver, to=to, card=gift):
                deal.give(giver, to, gift)
            case HandEnded() | FreshDeal() | GameEnded():
                deal.end()
                deal.is_over = True
            case DealerFound():
                deal.is_over = True
            case _:
                pass

    def _see_unchecked(self, event: Event) -> None:
        """Who takes part is dealt no card without a seal. But who came before the cards of a deal that was sealed
        already sees one hand dealt of which he knows none."""
        if isinstance(event, Drawn) and self._is_midway:
            return
        if isinstance(event, Dealt) and self._is_midway and not self._has_passed_hand:
            self._has_passed_hand = True
        elif isinstance(event, Dealt | Drawn) and self._is_counted:
            self._fail(self._last or 0, Fault.NOT_SEALED)
        elif isinstance(event, Dealt | Drawn):
            self._is_unsealed = True

    def _pass_over(self) -> None:
        self._is_midway = True
        self._has_passed_hand = self._is_unsealed = False

    def _leave_deal(self) -> None:
        if self._deal is not None:
            self._deal.end()
        self._deal = None
        self._given = None

    def _forget_oldest(self) -> None:
        deal = self._deals.pop(min(self._deals))
        deal.forget()
        self._roots.difference_update(deal.sealed.roots)

    def _fail(self, deal: int, fault: Fault, *, card: Card | None = None, seat: Seat | None = None) -> None:
        self._findings.add(deal, fault, card, seat)


def _of(by_seat: tuple[bytes | None, ...], seat: Seat | None) -> bytes | None:
    return by_seat[seat] if seat is not None and seat < len(by_seat) else None


def _is_pack(cards: tuple[Card, ...], to: tuple[Seat, ...]) -> bool:
    """Whether these are cards, each there once, and enough for the slots."""
    return max(1, len(to)) <= len(cards) == len(set(cards)) <= MOST_CARDS and all(
        rank_of(card) in RANKS and suit_of(card) in SUITS for card in cards
    )

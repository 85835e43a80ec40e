"""Checker of one table's deals for one viewer: it takes seals, cuts, proofs and the events of the game in order.

Laws: an honest table is never accused; what is wrong is said once, as soon as it can be known; no link of the viewer's
own chain is ever given for two seals, in any order of messages; every deal of which cards are dealt is in the tally, as
proved or as not proved for a reason, unless it is at fault.

A dropped connection changes nothing here: the events that were missed come afterwards, with their proofs, and are
checked like any. Only a snapshot of the table (`check_snapshot`) leaves a gap. It makes the deal in play unproved,
which is counted; and it is a fault where no connection had dropped. So nothing goes unchecked without being said.

Deals are kept for a while, because packs may be opened after the game. What was shown of older deals is no longer
compared.

Its parts: `OwnCuts` is the viewer's chain, `Absences` the seats that did not cut, `SealedDeal` one of the deals, and
`Hand` those in play with the whereabouts of their cards. Longer than other modules, because the order of the checks is
one idea: what each event may do next depends on all of them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args

from put_protocol import deal_steps
from put_protocol.cards import FULL_PACK, Card, in_order
from put_protocol.games.unions import Event
from put_protocol.seal.cuts import Chain
from put_protocol.seal.findings import DealSummary, Failure, Fault, Findings, Tally, Unproved
from put_protocol.seal.missed_cuts import Absences
from put_protocol.seal.own_cuts import OwnCuts
from put_protocol.seal.proving import SealedDeal
from put_protocol.seal.terms import SealTerms, is_of_terms, is_pack
from put_protocol.seal.whereabouts import Hand
from put_protocol.seal_events import CutMade, CutsShown, DealVoided, Openings, Sealed, SealEvent
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.shown import Shown
from put_protocol.table_events import GameStarted, PresenceChanged, Sat, TableEvent

KEPT = 256
"""Deals that are kept: more than a long game has. They hold less than two megabytes."""

_BESIDE_THE_GAME = frozenset((*get_args(TableEvent), *get_args(SealEvent), Openings))

_DEALING = frozenset({deal_steps.HandsDealt, deal_steps.MoreDealt, deal_steps.StockRenewed})
"""Steps for which a deal has to be cut."""


class Checker:
    """One viewer's checks at one table."""

    def __init__(
        self,
        table: int,
        viewer: Viewer,
        *,
        terms: SealTerms | None = None,
        chain: Chain | None = None,
        joins: bool = False,
        is_exhibition: bool = False,
        is_witness: bool = False,
        before: Tally = Tally(),  # noqa: B008  # it is frozen
    ) -> None:
        """A chain: the viewer sits, and takes part in the cutting.

        `terms`: what deals must be sealed as; None: the game is not known here. `joins`: a game is in play already.
        `is_witness`: the checker was told what the viewer was, and knows nothing of the viewer's chain. `before`: deals
        of this table that were counted before the viewer came to it again.
        """
        self._table = table
        self._viewer = viewer
        self.own = OwnCuts(None if viewer == GALLERY or is_witness else viewer, chain)
        self.absences = Absences(before.called_off)
        self._terms = terms
        self._is_exhibition = is_exhibition
        self._findings = Findings()
        self._deals: dict[int, SealedDeal] = {}
        self._deal: SealedDeal | None = None
        """The newest in play; None: none, or one that is not checked."""
        self._hand = Hand(Unproved.JOINED if joins else None)
        """The hand of that deal."""
        self._last: int | None = None
        """The number of the last seal; None: there was none since the table was shown."""
        self._gap = Unproved.JOINED if joins else None
        """Reason why the deal in play, if there is one, cannot be checked."""
        self._unproved: Unproved | None = None
        """Reason why the last cards were not proved; None: they are checked, or none were dealt."""
        self._is_at_fault = False
        """The last seal was no good; the finding about it is enough."""
        self._is_drawing = False
        """Cards are drawn for the deal, from a pack without a seal."""
        self.is_fresh: bool | None = None if joins else False
        """The next hand was called afresh, so it has no accident; None: that was not seen."""
        self._cards: tuple[Card, ...] | None = None if terms is None else terms.cards
        self._roots: set[bytes] = set()
        self._salts: set[bytes] = set()
        self._proved = before.proved
        self._not_proved: Counter[Unproved] = Counter(dict(before.unproved))
        self._voids = before.deals_called_off

    @property
    def deals(self) -> tuple[DealSummary, ...]:
        """The deals that were checked; the last KEPT of them."""
        return tuple([deal.summary() for deal in self._deals.values()])

    def summary(self, number: int) -> DealSummary | None:
        deal = self._deals.get(number)
        return None if deal is None else deal.summary()

    @property
    def deal(self) -> DealSummary | None:
        """The deal in play, or the last one, if it is checked."""
        if self._last is None or self.unproved is not None:
            return None
        return self.summary(self._last)

    @property
    def unproved(self) -> Unproved | None:
        """The reason the deal in play, or the last one, is not proved, if that is certain."""
        if self._terms is None and self._deal is not None and self._deal.is_dealt:
            return Unproved.PACK
        return self._gap or self._unproved

    @property
    def unproved_deals(self) -> int:
        """Deals that are not proved, the one in play included."""
        return sum(self._not_proved.values()) + (self._gap is not None)

    @property
    def tally(self) -> Tally:
        """Tally of all deals so far."""
        return Tally(
            proved=self._proved,
            unproved=tuple(sorted(self._not_proved.items())),
            called_off=self.absences.called_off,
            deals_called_off=self._voids,
        )

    def leave(self) -> Tally:
        """Tally of all deals, where no more of them is told; one in play is missed."""
        self._break_off(None)
        return self.tally

    def cut(self) -> bytes | None:
        """The viewer's link for the seal that waits; the same one if asked again. None: nothing waits for them.

        Nothing waits for them either where the seal does not name their `end`: an earlier link was asked for, which the
        server may know already, as when it was lost on the way. They tell their `end` again, and cut the next seal.
        """
        return self.own.cut(self._deal)

    @property
    def waiting(self) -> int | None:
        """The deal that waits to be cut, and as far as the server has shown not by the viewer yet; None: none does.

        After a drop the viewer cuts it again: `cut` gives the same link for the same seal.
        """
        deal = self._deal
        return None if deal is None or not self.own.is_awaited(deal) else deal.number

    def join(self, sealed: Sealed, links: Iterable[bytes | None]) -> tuple[Failure, ...]:
        """The deal that was being cut when the viewer came. Where it awaits the viewer's own cut, it does so from the
        chain with which they sat down, if the connection dropped right after it; or from that of an earlier process of
        theirs, of which nothing is known here, and then it is not checked."""
        own = self.own.of(sealed.cuts)
        if own is None:
            self._hand.unknown = self._hand.unknown or Unproved.JOINED
        if own is None or own == self.own.end:
            self._seal(sealed)
            self._make_cuts(links)
        return self._findings.take()

    def check_snapshot(
        self, sealed: Sealed | None, links: Iterable[bytes | None], *, is_in_play: bool, has_dropped: bool
    ) -> tuple[Failure, ...]:
        """The table is shown anew, in place of events that were missed; with the deal that is being cut, if one is."""
        deal = self._deal
        if not has_dropped:
            self._fail(self._last or 0, Fault.SNAPSHOT)
        if deal is None or deal.sealed != sealed:
            if sealed is not None and deal is not None and deal.number == sealed.deal:
                self._fail(sealed.deal, Fault.CHANGED)
            self._break_off(Unproved.MISSED if is_in_play and sealed is None else None)
            if sealed is not None:
                self._seal(sealed)
        self._make_cuts(links)
        return self._findings.take()

    def _make_cuts(self, links: Iterable[bytes | None]) -> None:
        for seat, link in enumerate(links):
            if link is not None and self._deal is not None and self._deal.made.get(Seat(seat)) != link:
                self._make_cut(CutMade(self._deal.number, Seat(seat), link))

    def _break_off(self, gap: Unproved | None) -> None:
        """The next events do not follow from those before. A deal that was only sealed counts as missed,
        too: no server is to be rid of a deal unnoticed by dropping connections."""
        if self._give_up_hand(Unproved.MISSED):
            gap = None
            self._unproved = Unproved.MISSED
        else:
            self._unproved = None
        self._leave_hand(Unproved.MISSED)
        self._last = None
        self._gap = gap
        self._is_at_fault = False
        self.is_fresh = None
        self.own.is_counted = False
        self.absences.break_off()

    def check(self, item: Event | Openings) -> tuple[Failure, ...]:
        """The flaw in this event, or these proofs, which come next."""
        handler = _HANDLERS.get(type(item))
        if handler is not None:
            handler(self, item)
        if not isinstance(item, Openings) and (type(item) not in _BESIDE_THE_GAME or item.STEPS):
            self._check_event(item)
        return self._findings.take()

    def _sit(self, event: Sat) -> None:
        self.absences.sit(event.seat)

    def _note_presence(self, event: PresenceChanged) -> None:
        if event.away:
            self.absences.drop(event.seat)

    def _start(self, _: GameStarted) -> None:
        self.absences.gone.clear()
        self.is_fresh = False

    def _seal(self, sealed: Sealed) -> None:
        number, deal = sealed.deal, self._deal
        if deal is not None and deal.draw is None:
            if number == deal.number:
                self._fail(number, Fault.CHANGED)
                return
            self._fail(deal.number, Fault.LEFT_OPEN)
        if sealed.stock:
            self._set_aside()
        else:
            self._leave_hand()
        self._gap = self._unproved = None
        self._is_at_fault = True  # until it is found good
        is_known = self._last is not None
        if number <= (self._last or max(self._deals, default=0)):
            self._fail(number, Fault.NUMBER)
            self._leave_hand()
            return
        if is_known and number != (self._last or 0) + 1:
            self._fail(number, Fault.NUMBER)
        self._last = number
        cards = sealed.cards or FULL_PACK
        if wrong := self._wrong_in(sealed, cards):
            self._fail(number, wrong)
            self._leave_hand()
            return
        self._check_seats(sealed)
        if sealed.roots[0] == sealed.roots[1] or not self._roots.isdisjoint(sealed.roots):
            self._fail(number, Fault.ROOT)
        self._roots.update(sealed.roots)
        self._is_at_fault = False
        self._deal = SealedDeal(self._table, sealed, cards, findings=self._findings, salts=self._salts)
        if sealed.stock:
            self._deal.unknown = self._unproved = self._hand.unknown
        self._deals[number] = self._deal
        if not self.own.are_named_rightly(self._deal):
            self._fail(number, Fault.OWN_LINK, seat=self.own.seat)
        if len(self._deals) > KEPT:
            self._forget_oldest()

    def _check_seats(self, sealed: Sealed) -> None:
        """No card goes to a player who left, and none who missed too many cuts is in the deal."""
        # A stock may be drawn from for a player who has left.
        dealt_to: set[Seat] = set() if sealed.stock else set(sealed.to)
        for seat in sorted(self.absences.gone & dealt_to):
            self._fail(sealed.deal, Fault.GONE, seat=seat)
        cutters = {Seat(seat) for seat, end in enumerate(sealed.cuts) if end is not None}
        for seat in sorted(dealt_to | cutters):
            if self.absences.must_leave(seat):
                self._fail(sealed.deal, Fault.LET_OFF, seat=seat)

    def _wrong_in(self, sealed: Sealed, cards: tuple[Card, ...]) -> Fault | None:
        """The reason a seal is not checked further, if it is not. A stock is of cards of the table's pack; all other
        packs are the table's."""
        if not is_pack(cards, sealed.to):
            return Fault.CARDS
        if sealed.stock:
            if cards != in_order(cards) or not set(cards) <= set(self._cards or cards):
                return Fault.CARDS
        elif cards != (self._cards or cards):
            return Fault.CARDS
        else:
            self._cards = cards
        if not is_of_terms(sealed, self._terms):
            return Fault.TERMS
        return Fault.STOCK if sealed.stock and not self._hand.may_renew(cards, sealed.to) else None

    def _make_cut(self, made: CutMade) -> None:
        deal = self._deal_named(made.deal)
        if deal is None:
            return
        if made.seat == self.own.seat and made.link != self.own.given:
            self._fail(deal.number, Fault.OWN_LINK, seat=self.own.seat)
        deal.make_cut(made.seat, made.link)

    def _cut(self, shown: CutsShown) -> None:
        deal = self._deal_named(shown.deal)
        if deal is None:
            return
        if deal.draw is not None:
            self._fail(deal.number, Fault.CHANGED)
            return
        if self.own.seat is not None and self.own.of(shown.links) != self.own.given:
            self._fail(deal.number, Fault.OWN_LINK, seat=self.own.seat)
        deal.cut(shown.links)
        self.absences.cut(shown.links)

    def _void(self, voided: DealVoided) -> None:
        deal = self._deal_named(voided.deal)
        if deal is None:
            return
        if deal.draw is not None or not deal.missing:
            self._fail(deal.number, Fault.VOIDED)
        elif not self._is_reason(deal, voided):
            self._fail(deal.number, Fault.BLAME)
        deal.void(voided)
        self._voids += 1
        self.absences.void(voided)
        deal.end()
        if deal.is_dealt:
            self._settle(deal)
        self._take_up_hand()
        if self.own.seat in voided.seats:
            self.own.is_counted = False

    def _is_reason(self, deal: SealedDeal, voided: DealVoided) -> bool:
        """True if the event names seats, and each can be to blame: it was asked to cut, has not, and had not left."""
        if not voided.seats and not voided.left:
            return False
        if self.own.given is not None and self.own.seat in voided.seats:
            return False
        at_table = range(len(deal.sealed.cuts))
        can_leave = all(seat in at_table and seat not in self.absences.gone for seat in voided.left)
        return can_leave and set(voided.seats) <= set(deal.missing)

    def _open(self, openings: Openings) -> None:
        """Proofs of any deal that is kept; an earlier one is gone or was passed over without anything being wrong."""
        deal = self._deals.get(openings.deal)
        if deal is not None:
            deal.open(openings)
        elif self._last is not None and openings.deal > self._last:
            self._fail(openings.deal, Fault.NOT_SEALED)

    def _deal_named(self, number: int) -> SealedDeal | None:
        """The deal in play, if it has this number."""
        if self._deal is not None and self._deal.number == number:
            return self._deal
        if self._gap is None and not self._is_at_fault:
            self._fail(number, Fault.NOT_SEALED)
        return None

    def _check_event(self, event: Event) -> None:
        steps = event.deal_steps()
        if self._deal is not None and self._deal.is_over and deal_steps.begins_deal(steps):
            self._leave_hand()
        if self._deal is None:
            self._note_unchecked(steps)
        else:
            self._check_in_deal(self._deal, event.shows(self._viewer), steps)
        for step in steps:
            if isinstance(step, deal_steps.CalledAfresh | deal_steps.HandsDealt | deal_steps.GameClosed):
                self.is_fresh = isinstance(step, deal_steps.CalledAfresh)

    def _check_in_deal(self, deal: SealedDeal, shown: tuple[Shown, ...], steps: deal_steps.DealSteps) -> None:
        if not shown and not steps and not deal.awaits_accident:
            return  # as most events
        kinds = {type(step) for step in steps}
        if shown or kinds & _DEALING:
            if deal.draw is None:
                self._fail(deal.number, Fault.NOT_CUT)
                self._leave_hand()
                return
            if not deal.is_turned:
                self._fail(deal.number, Fault.NOT_TURNED)
        if deal.awaits_accident and deal_steps.AccidentTold not in kinds:
            deal.awaits_accident = False
            self._fail(deal.number, Fault.ACCIDENT)
        if deal_steps.StockRenewed in kinds and (not deal.sealed.stock or deal.is_dealt):
            self._draw_unsealed()
            return
        if deal_steps.HandsDealt in kinds:
            self._check_chance(deal)
        since = deal.slots_dealt if deal_steps.MoreDealt in kinds else None
        for step in steps:
            deal.take(step, shown)
        if deal_steps.TurnedUp not in kinds:
            self._show(deal, shown, since)
        self._hand.note(shown, steps)
        for step in steps:
            self._take_after_cards(deal, step, shown)

    def _show(self, deal: SealedDeal, shown: tuple[Shown, ...], since: int | None) -> None:
        """Cards were seen; `since`: with the slots from this one on being dealt."""
        for one, count in Counter(shown).items():
            if count > 1:
                self._fail(deal.number, Fault.REPEATED, card=one.card)
        for card, holder, is_own in shown:
            is_new = is_own and since is not None
            owner = deal if is_new else self._hand.deal_of(card, deal)
            if owner is not None:
                owner.show(card, holder, is_due=is_own, since=since if is_new else None)

    def _take_after_cards(self, deal: SealedDeal, step: deal_steps.DealStep, shown: tuple[Shown, ...]) -> None:
        match step:
            case deal_steps.Gone():
                self._take_away(deal, [one.card for one in shown])
            case deal_steps.LaidDown(cards=cards):
                self._take_away(deal, cards)
            case deal_steps.PassedOn(seat=giver, to=to, card=gift):
                deal.give(giver, to, gift)
            case deal_steps.HandOver():
                for in_hand in (*self._hand.beside, deal):
                    in_hand.end()
                    self._settle(in_hand)
            case deal_steps.DrawDecided():
                self._settle(deal)
            case _:
                pass

    def _take_away(self, deal: SealedDeal, cards: Iterable[Card]) -> None:
        for card in cards:
            owner = self._hand.deal_of(card, deal)
            if owner is not None:
                owner.take_away(card)

    def _check_chance(self, deal: SealedDeal) -> None:
        """Every hand has the table's chance of an accident, but for one that was called afresh."""
        if self._terms is None or self.is_fresh is None:
            return
        if deal.sealed.misdeals != (0 if self.is_fresh else self._terms.misdeals):
            self._fail(deal.number, Fault.ACCIDENT)

    def _settle(self, deal: SealedDeal) -> None:
        """All that was dealt of it is over: it is proved now, or never."""
        if deal.is_over:
            return
        deal.is_over = True
        if self._terms is None:
            deal.unproved = self._unproved = Unproved.PACK
            self._not_proved[Unproved.PACK] += 1
        elif deal.unknown is not None:
            deal.unproved = self._unproved = deal.unknown
            self._not_proved[deal.unknown] += 1
        else:
            deal.check_shown()
            self._proved += deal.is_proved

    def _note_unchecked(self, steps: deal_steps.DealSteps) -> None:
        """Cards without a seal, which a viewer who takes part is not dealt. A draw that is tied is one deal."""
        was_drawing, self._is_drawing = self._is_drawing, deal_steps.is_draw(steps)
        if was_drawing and self._is_drawing:
            return
        if self._gap is not None:
            self._not_proved[self._gap] += 1
            self._gap, self._unproved = None, self._gap
            return
        if not deal_steps.begins_deal(steps):
            return
        if self._is_at_fault:
            return
        if self.own.is_counted and not self._is_exhibition:
            self._fail(self._last or 0, Fault.NOT_SEALED)
            return
        self._unproved = self._why_unsealed()
        self._not_proved[self._unproved] += 1
        self._hand = Hand(self._unproved)

    def _why_unsealed(self) -> Unproved:
        if self._is_exhibition:
            return Unproved.EXHIBITION
        return Unproved.NOT_SEALED if self.own.chain is None else Unproved.NOT_COUNTED

    def _draw_unsealed(self) -> None:
        """The stock was renewed without a seal. A viewer who takes part has none such; others can check no more of the
        hand."""
        if self.own.is_counted and not self._is_exhibition:
            self._fail(self._last or 0, Fault.NOT_SEALED)
            self._leave_hand()
            return
        why = self._why_unsealed()
        self._give_up_hand(why)
        self._leave_hand(why)
        self._unproved = why

    def _in_hand(self) -> tuple[SealedDeal, ...]:
        """The deals of the hand in play, the oldest first."""
        return (*self._hand.beside, *(() if self._deal is None else (self._deal,)))

    def _leave_hand(self, unknown: Unproved | None = None) -> None:
        """The next events are of another hand; `unknown`: or of this one, and not all of it is known."""
        for deal in self._in_hand():
            deal.end()
            if deal.is_dealt:
                self._settle(deal)
        self._deal = None
        self.own.given = None
        self._hand = Hand(unknown)

    def _set_aside(self) -> None:
        """The stock of the hand in play is renewed: its deals stay beside the new one."""
        deal = self._deal
        if deal is not None and deal.is_over:
            self._leave_hand()
        elif deal is not None:
            self._deal = self.own.given = None
            if deal.draw is not None:
                self._hand.beside.append(deal)

    def _take_up_hand(self) -> None:
        """The newest seal came to nothing: the hand in play is as it was before."""
        self._deal = self._hand.beside.pop() if self._hand.beside else None
        self.own.given = None

    def _give_up_hand(self, why: Unproved) -> bool:
        """A part of it is missing, so its deals are not proved. Whether any was in play."""
        broken = [deal for deal in self._in_hand() if not deal.is_over]
        for deal in broken:
            deal.give_up(why)
            deal.is_over = True
            self._not_proved[why] += 1
        return bool(broken)

    def _forget_oldest(self) -> None:
        deal = self._deals.pop(min(self._deals))
        deal.forget()
        self._roots.difference_update(deal.sealed.roots)

    def _fail(self, deal: int, fault: Fault, *, card: Card | None = None, seat: Seat | None = None) -> None:
        self._findings.add(deal, fault, card, seat)


_HANDLERS: Mapping[type, Callable[[Checker, Any], None]] = {
    Sealed: Checker._seal,
    CutMade: Checker._make_cut,
    CutsShown: Checker._cut,
    DealVoided: Checker._void,
    Openings: Checker._open,
    Sat: Checker._sit,
    PresenceChanged: Checker._note_presence,
    GameStarted: Checker._start,
}
"""Handler of each message that is no event of a game."""

"""An honest dealer in miniature: what the attacks vary, and what the campaigns repeat.

A `Dealer` seals, lets its viewers cut, deals, plays at random and ends hands as the games do, telling every viewer what
they may see. Each thing it tells goes through a method of its own, so that a cheat is a class with one of them changed.
"""

from collections.abc import Iterable
from random import Random

from put_protocol import seal_events
from put_protocol.cards import FULL_PACK, Card
from put_protocol.games import put
from put_protocol.games.unions import Event
from put_protocol.seal import accidents
from put_protocol.seal.cuts import Draw, basis, draw
from put_protocol.seal.packs import SealedPack, Sealing, seal
from put_protocol.seal.terms import SealTerms
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import GameStarted, Sat
from tests.seal.viewings import Checked, Setting, Snapshot, Viewing

ENDED = put.HandEnded(put.HandWon.TRICKS, None, 0, ())
HAS_MORE = (accidents.ANOTHER_HAS_MORE, accidents.DEALER_HAS_MORE)


class Dealer:
    """The server's side of one table, honest."""

    def __init__(
        self,
        rng: Random,
        *,
        seats: int = 2,
        cutters: Iterable[int] | None = None,
        cards: tuple[Card, ...] = FULL_PACK,
        is_late: bool = False,
        misdeals: int = 0,
        renews: bool = False,
    ) -> None:
        self.rng = rng
        self.table = rng.randrange(1, 2**32)
        self.deal = 0
        self.seats = tuple(map(Seat, range(seats)))
        self.cards = cards
        self.is_late = is_late
        self.misdeals = misdeals
        self.terms = SealTerms(cards, is_late, misdeals, renews)
        self.is_stock = False
        """What is sealed next is no new hand, but a stock."""
        taking_part = set(range(seats) if cutters is None else cutters)
        self.viewings: dict[Viewer, Viewing] = {}
        for seat in self.seats:
            secret = rng.randbytes(32) if seat in taking_part else None
            setting = Setting(table=self.table, viewer=seat, terms=self.terms, secret=secret)
            self.viewings[seat] = Viewing(setting)
        self.viewings[GALLERY] = Viewing(Setting(table=self.table, viewer=GALLERY, terms=self.terms))
        self.ends = [self.viewings[seat].checker.own.end for seat in self.seats]
        self.playing = self.seats
        """Who has not left the game."""
        self.is_fresh = False
        """The next hand was called afresh."""
        self.to: tuple[Seat, ...] = ()
        self.sealed: seal_events.Sealed | None = None
        """The deal that is being cut."""
        self.given: list[bytes | None] = []
        """Cuts that were made, told or not."""
        self.made: list[bytes | None] = []
        """Those that were told one by one."""
        self.dealt: list[list[int]] = []
        """Deals that were not voided, hand by hand."""
        self.sealing: Sealing
        self.drawn: Draw
        self.decided: accidents.Misdeal | None = None
        self.hands: dict[Seat, list[int]] = {}
        """Slots, by who holds them."""
        self.pending: dict[Viewer, list[int]] = {}
        """Slots to be opened when the hand is over."""

    # --- what a cheat may do otherwise ---

    def sealed_packs(self) -> Sealing:
        return seal(self.rng.randbytes(32), self.table, self.deal, self.cards, has_accidents=self.has_accidents)

    def seal_for(self, viewer: Viewer, sealed: seal_events.Sealed) -> seal_events.Sealed:
        return sealed

    def chance(self) -> int:
        """Of an accident in the hand that is to be dealt."""
        return 0 if self.is_fresh else self.misdeals

    def adversaries(self, players: tuple[Seat, ...]) -> tuple[Seat, ...]:
        dealer = players[-1]
        return tuple([seat for seat in players[:-1] if not self.is_late or (seat - dealer) % 2])

    def shown(self, given: tuple[bytes | None, ...]) -> tuple[bytes | None, ...]:
        """The cuts, as they are told."""
        return given

    def cut_made(self, seat: Seat, link: bytes) -> seal_events.CutMade:
        return seal_events.CutMade(self.deal, seat, link)

    def cuts_shown(self, links: tuple[bytes | None, ...]) -> seal_events.CutsShown:
        return seal_events.CutsShown(self.deal, links)

    def see_cuts(self) -> None:
        """The moment at which a cheat knows the order."""

    def pack_turned(self) -> seal_events.PackOpening | None:
        return self.sealing.packs[1 - self.drawn.pack].whole()

    def leaf(self) -> seal_events.AccidentOpening | None:
        return self.pack.accident()

    def accident(self) -> accidents.Misdeal | None:
        """The one that is told."""
        return self.decided

    def card(self, slot: int) -> Card:
        return self.pack.cards[self.drawn.order[slot]]

    def opening(self, slot: int) -> seal_events.Opening | None:
        return self.pack.opening(self.drawn.order[slot])

    def voided(self, seats: tuple[Seat, ...], left: tuple[Seat, ...] = ()) -> seal_events.DealVoided:
        first, second = self.sealing.packs
        return seal_events.DealVoided(self.deal, seats, left, (first.seed, second.seed))

    def idle(self, cutters: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Who will not cut in time."""
        return ()

    def leaving(self, waiting: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Who leaves the game while these have yet to cut."""
        return ()

    def disturb(self) -> None:
        """A moment at which connections may drop, and come back."""

    # --- the course of a deal ---

    @property
    def pack(self) -> SealedPack:
        return self.sealing.packs[self.drawn.pack]

    @property
    def has_accidents(self) -> bool:
        return bool(self.misdeals_sealed)

    misdeals_sealed = 0

    def seal_deal(self, to: Iterable[int], *, misdeals: int = 0) -> bool:
        """A deal sealed and cut, the other pack turned up; False: it was voided."""
        self.disturb()
        self.deal += 1
        self.to = tuple(map(Seat, to))
        self.misdeals_sealed = misdeals
        self.sealing = self.sealed_packs()
        cards = () if self.cards == FULL_PACK else self.cards
        players = tuple(dict.fromkeys(self.to))
        adversaries = self.adversaries(players) if misdeals else ()
        roots, ends = self.sealing.roots, tuple(self.ends)
        self.sealed = seal_events.Sealed(
            self.deal, roots, self.to, ends, cards, self.is_late, misdeals, adversaries, self.is_stock
        )
        self.made, self.given = [None] * len(self.seats), [None] * len(self.seats)
        for viewer, viewing in self.viewings.items():
            viewing.send(self.seal_for(viewer, self.sealed))
        self.disturb()
        if not self.cut():
            self.sealed = None
            return False
        self.pending = {viewer: [] for viewer in self.viewings}
        return True

    def cut(self) -> bool:
        """Everyone who takes part cuts in some order; False: not everyone did, and the deal is void."""
        cutters = tuple([seat for seat in self.seats if self.ends[seat] is not None])
        late = self.idle(cutters)
        waiting = [seat for seat in self.rng.sample(cutters, len(cutters)) if seat not in late]
        for seat in self.seats:
            if seat not in late:
                self.come_back(seat)
                self.given[seat] = self.viewings[seat].cut()
        links = self.shown(tuple(self.given))
        self.ends = [link or end for link, end in zip(links, self.ends, strict=True)]
        left = self.leaving(tuple(waiting))
        last = None if late or left or not waiting else waiting[-1]
        for seat in waiting:
            link = links[seat]
            if seat != last and seat not in left and link is not None:
                made = self.cut_made(seat, link)
                self.made[seat] = made.link
                self.send_all(made)
                self.disturb()
        if late or left:
            self.call_off(late, left)
            return False
        assert self.sealed is not None
        told = (self.table, self.deal, self.sealed.roots, self.to, self.cards, links)
        self.drawn = draw(*told)
        self.sealed = None
        if self.is_stock:
            self.dealt[-1].append(self.deal)
        else:
            self.dealt.append([self.deal])
        self.see_cuts()
        self.decided = (
            self._decide(accidents.luck(opened.salt, basis(*told))) if (opened := self.pack.accident()) else None
        )
        turned = self.pack_turned()
        steps: list[Checked] = [self.cuts_shown(links)]
        if turned is not None:  # proofs and cuts may come in either order
            openings = seal_events.Openings(self.table, self.deal, turned=turned, accident=self.leaf())
            steps.insert(self.rng.randrange(2), openings)
        for one in steps:
            self.send_all(one)
        return True

    def _decide(self, number: int) -> accidents.Misdeal | None:
        players = tuple(dict.fromkeys(self.to))
        return accidents.misdeal(
            accidents.UniformNumber(number, accidents.LUCK),
            self.misdeals_sealed,
            dealer=players[-1],
            adversaries=self.adversaries(players),
            cards_each=len(self.to) // len(players),
        )

    def call_off(self, late: tuple[Seat, ...], left: tuple[Seat, ...]) -> None:
        """The deal is void; those named take no part, until those who were only late promise again."""
        self.send_all(self.voided(late, left))
        for seat in (*late, *left):
            self.ends[seat] = None
        for seat in left:
            self.viewings[seat].take("withdraw")
        self.playing = tuple([seat for seat in self.playing if seat not in left])
        if len({seat % 2 for seat in self.playing} if self.is_late else self.playing) < 2:  # one side is left
            self.begin_game()
        elif left and self.rng.random() < 0.3:
            self.send_all(Sat(left[0], "somebody else"))
            self.playing = tuple(sorted([*self.playing, left[0]]))
        for seat in late:
            if self.rng.random() < 0.8:
                self.come_back(seat)
                self.ends[seat] = self.viewings[seat].checker.own.end
                self.viewings[seat].take("counted")

    def begin_game(self) -> None:
        """Everyone plays again."""
        self.playing = self.seats
        self.is_fresh = False
        self.send_all(GameStarted(1, ("somebody",) * len(self.seats)))

    def snapshot(self) -> Snapshot:
        """What whoever comes now is shown."""
        return Snapshot(self.sealed, () if self.sealed is None else tuple(self.made))

    def come_back(self, viewer: Viewer) -> None:
        """A viewer's connection is back."""
        self.viewings[viewer].come_back(self.snapshot(), self.dealt)

    def send_all(self, told: Checked) -> None:
        for viewing in self.viewings.values():
            viewing.send(told)

    def open(self, viewer: Viewer, slots: Iterable[int]) -> None:
        openings = tuple([opening for slot in slots if (opening := self.opening(slot)) is not None])
        if openings:
            self.viewings[viewer].send(seal_events.Openings(self.table, self.deal, openings))

    def show(self, slot: int, event: Event, *, to: Iterable[Viewer] = (), blind: Event | None = None) -> None:
        """A slot's card is shown, with its proof now or later: to these viewers while others see the other event, or to
        all."""
        for viewer in self.viewings:
            if blind is not None and viewer not in to:
                self.viewings[viewer].send(blind)
                continue
            if self.is_late and slot < len(self.to):
                self.pending[viewer].append(slot)
            else:
                self.open(viewer, [slot])
            self.viewings[viewer].send(event)

    def deal_hands(self, *, extra: Seat | None = None, is_face_down: bool = False) -> None:
        self.hands = {seat: [slot for slot, to in enumerate(self.to) if to == seat] for seat in self.seats}
        if extra is not None:
            self.hands[extra].append(len(self.to))
        counts = tuple([len(self.hands[seat]) for seat in self.seats])
        dealer, eldest = (self.to[-1], self.to[0]) if self.to else (self.seats[-1], self.seats[0])
        for viewer, viewing in self.viewings.items():
            own = () if viewer == GALLERY or is_face_down else tuple(map(self.card, self.hands[viewer]))
            if viewer != GALLERY and not is_face_down:
                self.open(viewer, self.hands[viewer])
            viewing.send(put.Dealt(1, dealer, eldest, counts, own))
        self.is_fresh = False

    def take_up(self) -> None:
        counts = tuple([len(self.hands[seat]) for seat in self.seats])
        for viewer, viewing in self.viewings.items():
            slots = [] if viewer == GALLERY else self.hands[viewer]
            self.open(viewer, slots)
            viewing.send(put.TakenUp(counts, tuple(map(self.card, slots))))

    def play(self, seat: Seat) -> None:
        self.disturb()
        slot = self.hands[seat].pop(self.rng.randrange(len(self.hands[seat])))
        self.show(slot, put.Played(seat, self.card(slot)))

    def play_out(self, share: float = 1.0) -> None:
        """Everyone in turn plays a card, until a hand is empty or thrown in, and the hand ends."""
        players = [seat for seat in self.seats if self.hands[seat]]
        while all(self.hands[seat] for seat in players) and self.rng.random() < share:
            for seat in players:
                self.play(seat)
        self.end(ENDED)

    def end(self, event: Event | seal_events.Sealed) -> None:
        self.disturb()
        for viewer, slots in self.pending.items():
            self.open(viewer, slots)
        self.send_all(event)
        self.is_fresh = isinstance(event, put.FreshDeal)

    # --- kinds of deals ---

    def draw_for_deal(self) -> None:
        drawing = list(self.playing)
        if not self.seal_deal(drawing):
            return
        slot = 0
        while len(drawing) > 1 and slot + len(drawing) <= len(self.cards):
            slots = range(slot, slot + len(drawing))
            slot += len(drawing)
            event = put.Drawn(tuple(drawing), tuple(map(self.card, slots)))
            for viewer, viewing in self.viewings.items():
                self.open(viewer, slots)
                viewing.send(event)
            drawing = [seat for seat in drawing if self.rng.random() < 0.4]

    def hand(self) -> bool:
        """A hand dealt and, after its accident if it has one, taken up; False: it was voided, or called afresh."""
        if not self.seal_deal(self.rounds(3), misdeals=self.chance()):
            return False
        found = self.accident()
        self.deal_hands(extra=found.seat if found and found.law in HAS_MORE else None, is_face_down=found is not None)
        return found is None or self.have_accident(found)

    def have_accident(self, found: accidents.Misdeal) -> bool:
        """By the laws 1 and 2 a card of a hand is seen, by 3 one in the pack; by 4 and 5 a hand has one too many."""
        law, seat, _ = found
        if law in HAS_MORE:
            self.send_all(put.Accident(law, seat))
        else:
            slot = self.slot_seen(found)
            self.show(slot, put.Accident(law, seat, self.card(slot)))
        if law == put.FACED_CARD or (law != accidents.OWN_CARD and self.rng.random() < 0.3):
            self.end(put.FreshDeal(None if law == put.FACED_CARD else seat))
            return False
        if law in HAS_MORE:
            self.hands[seat].pop(self.card_drawn(found))
            self.send_all(put.ExtraDrawn(seat))
        self.take_up()
        return True

    def slot_seen(self, found: accidents.Misdeal) -> int:
        return len(self.to) if found.card is None else self.hands[found.seat][found.card]

    def card_drawn(self, found: accidents.Misdeal) -> int:
        assert found.card is not None
        return found.card

    def plain_hand(self) -> None:
        if self.hand():
            self.play_out(0.8)

    def partners_hand(self) -> None:
        """One of each side gives their partner a card, who throws one of four away; then two play."""
        if not self.hand():
            return
        sides = [self.rng.sample(side, 2) for side in (self.seats[::2], self.seats[1::2])]
        if not all(self.hands[seat] for seat in self.seats):
            self.play_out()
            return
        for giver, to in sides:
            slot = self.rng.choice(self.hands[giver])
            self.hands[giver] = []
            self.hands[to].append(slot)
            self.show(slot, put.Gave(giver, to, self.card(slot)), to=(giver, to), blind=put.Gave(giver, to))
        for _, to in sides:
            slot = self.hands[to].pop(self.rng.randrange(len(self.hands[to])))
            self.show(slot, put.Discarded(to, self.card(slot)), to=(to,), blind=put.Discarded(to))
        self.play_out(0.9)

    def rounds(self, each: int) -> list[int]:
        return [*self.playing] * min(each, (len(self.cards) - 1) // len(self.playing))

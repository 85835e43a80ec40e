"""An honest table in miniature, and its viewers: what the attacks vary, and what the campaigns repeat.

A `Dealer` seals, lets its viewers cut, deals, plays at random and ends hands as the games do, telling every viewer what
he may see. Each thing it tells goes through a method of its own, so that a cheat is a class with one of them changed.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

import msgspec

from put_protocol.cards import Card
from put_protocol.events import (
    Accident,
    Dealt,
    Discarded,
    Drawn,
    Event,
    ExtraDrawn,
    FreshDeal,
    Gave,
    HandEnded,
    HandWon,
    Played,
    TakenUp,
)
from put_protocol.seal.chain import Chain
from put_protocol.seal.checking import Checker, Told
from put_protocol.seal.findings import Failure
from put_protocol.seal.order import Draw, draw
from put_protocol.seal.packs import Pack, Sealing, seal
from put_protocol.seal.told import FULL_PACK, CutsShown, DealVoided, Opening, Openings, PackOpening, Sealed
from put_protocol.seats import GALLERY, Seat, Viewer

Step = Told | Literal["cut", "renew", "withdraw", "resume"]
"""What is told to a viewer, or that he cuts, takes another chain, takes no part any more, or missed something."""

LINKS = 320
ENDED = HandEnded(HandWon.TRICKS, None, 0, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Who checks what."""

    table: int
    viewer: Viewer
    secret: bytes | None = None
    """Of his chain, if he takes part."""
    is_midway: bool = False

    def checker(self) -> Checker:
        chain = None if self.secret is None else Chain(self.secret, LINKS)
        return Checker(self.table, self.viewer, chain=chain, is_midway=self.is_midway)


@dataclass(slots=True)
class Viewing:
    """A viewer with his checker, and the record of what he was told."""

    setting: Setting
    checker: Checker = field(init=False)
    steps: list[Step] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    caught: list[tuple[str, str]] = field(default_factory=list)
    """What was being told when something was found, and the fault."""

    def __post_init__(self) -> None:
        self.checker = self.setting.checker()

    def tell(self, *told: Told) -> None:
        for one in told:
            self.steps.append(one)
            for failure in self.checker.take(one):
                self.failures.append(failure)
                self.caught.append((type(one).__name__, failure.fault.value))

    def cut(self) -> bytes | None:
        self.steps.append("cut")
        return self.checker.cut()


def replay(setting: Setting, steps: Iterable[Step]) -> tuple[tuple[Failure, ...], list[dict[str, Any]]]:
    """What a fresh checker finds in these steps; and the lines that tell the other verifier the same."""
    checker = setting.checker()
    end = checker.end
    head = {"type": "viewer", "table": setting.table, "viewer": setting.viewer, "end": end}
    lines: list[dict[str, Any]] = [{**head, "is_midway": setting.is_midway}]
    failures: list[Failure] = []
    for step in steps:
        if step == "cut":
            lines.append({"type": "cut", "link": checker.cut()})
        elif step == "renew":
            checker.renew(Chain(bytes(32), LINKS))
            lines.append({"type": "chain", "end": checker.end})
        elif step == "withdraw":
            checker.withdraw()
            lines.append({"type": "withdraw"})
        elif step == "resume":
            checker.resume()
            lines.append({"type": "resume"})
        else:
            assert not isinstance(step, str)
            failures += checker.take(step)
            lines.append(msgspec.to_builtins(step, builtin_types=(bytes,)))
    return tuple(failures), lines


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
    ) -> None:
        self.rng = rng
        self.table = rng.randrange(1, 2**32)
        self.deal = 0
        self.seats = tuple(map(Seat, range(seats)))
        self.cards = cards
        self.is_late = is_late
        taking_part = set(range(seats) if cutters is None else cutters)
        self.viewings: dict[Viewer, Viewing] = {}
        for seat in self.seats:
            secret = rng.randbytes(32) if seat in taking_part else None
            self.viewings[seat] = Viewing(Setting(table=self.table, viewer=seat, secret=secret))
        self.viewings[GALLERY] = Viewing(Setting(table=self.table, viewer=GALLERY))
        self.ends = [self.viewings[seat].checker.end for seat in self.seats]
        self.to: tuple[Seat, ...] = ()
        self.sealing: Sealing
        self.drawn: Draw
        self.hands: dict[Seat, list[int]] = {}
        """Slots, by who holds them."""
        self.pending: dict[Viewer, list[int]] = {}
        """Slots to be opened when the hand is over."""

    # --- what a cheat may do otherwise ---

    def sealed_packs(self) -> Sealing:
        return seal(self.rng.randbytes(32), self.table, self.deal, self.cards)

    def seal_for(self, viewer: Viewer, sealed: Sealed) -> Sealed:
        return sealed

    def links(self, given: tuple[bytes | None, ...]) -> tuple[bytes | None, ...]:
        return given

    def cuts_shown(self, links: tuple[bytes | None, ...]) -> CutsShown:
        return CutsShown(self.deal, links)

    def see_cuts(self) -> None:
        """The moment at which a cheat knows the order."""

    def pack_turned(self) -> PackOpening | None:
        return self.sealing.packs[1 - self.drawn.pack].whole()

    def card(self, slot: int) -> Card:
        return self.pack.cards[self.drawn.order[slot]]

    def opening(self, slot: int) -> Opening | None:
        return self.pack.opening(self.drawn.order[slot])

    def is_cutting_in_time(self) -> bool:
        return True

    # --- the course of a deal ---

    @property
    def pack(self) -> Pack:
        return self.sealing.packs[self.drawn.pack]

    def seal_deal(self, to: Iterable[int]) -> bool:
        """A deal sealed and cut, the other pack turned up; False: it was voided."""
        self.deal += 1
        self.to = tuple(map(Seat, to))
        self.sealing = self.sealed_packs()
        cards = () if self.cards == FULL_PACK else self.cards
        sealed = Sealed(self.deal, self.sealing.roots, self.to, tuple(self.ends), cards, late=self.is_late)
        for viewer in self.viewings:
            self.viewings[viewer].tell(self.seal_for(viewer, sealed))
        links = self.links(tuple([self.viewings[seat].cut() for seat in self.seats]))
        self.ends = [link or end for link, end in zip(links, self.ends, strict=True)]
        if not self.is_cutting_in_time():
            self.tell_all(DealVoided(self.deal))
            return False
        self.drawn = draw(self.table, self.deal, sealed.roots, self.to, self.cards, links)
        self.see_cuts()
        turned = self.pack_turned()
        told: list[Told] = [self.cuts_shown(links)]
        if turned is not None:  # proofs and cuts may come in either order
            told.insert(self.rng.randrange(2), Openings(self.table, self.deal, turned=turned))
        for one in told:
            self.tell_all(one)
        self.pending = {viewer: [] for viewer in self.viewings}
        return True

    def tell_all(self, told: Told) -> None:
        for viewing in self.viewings.values():
            viewing.tell(told)

    def open(self, viewer: Viewer, slots: Iterable[int]) -> None:
        openings = tuple([opening for slot in slots if (opening := self.opening(slot)) is not None])
        if openings:
            self.viewings[viewer].tell(Openings(self.table, self.deal, openings))

    def show(self, slot: int, event: Event, *, to: Iterable[Viewer] = (), blind: Event | None = None) -> None:
        """A slot's card is shown, with its proof now or later: to these viewers while others see the other event, or to
        all."""
        for viewer in self.viewings:
            if blind is not None and viewer not in to:
                self.viewings[viewer].tell(blind)
                continue
            if self.is_late and slot < len(self.to):
                self.pending[viewer].append(slot)
            else:
                self.open(viewer, [slot])
            self.viewings[viewer].tell(event)

    def deal_hands(self, *, extra: Seat | None = None, is_face_down: bool = False) -> None:
        self.hands = {seat: [slot for slot, to in enumerate(self.to) if to == seat] for seat in self.seats}
        if extra is not None:
            self.hands[extra].append(len(self.to))
        counts = tuple([len(self.hands[seat]) for seat in self.seats])
        for viewer, viewing in self.viewings.items():
            own = () if viewer == GALLERY or is_face_down else tuple(map(self.card, self.hands[viewer]))
            if viewer != GALLERY and not is_face_down:
                self.open(viewer, self.hands[viewer])
            viewing.tell(Dealt(1, self.seats[-1], self.seats[0], counts, own))

    def take_up(self) -> None:
        counts = tuple([len(self.hands[seat]) for seat in self.seats])
        for viewer, viewing in self.viewings.items():
            slots = [] if viewer == GALLERY else self.hands[viewer]
            self.open(viewer, slots)
            viewing.tell(TakenUp(counts, tuple(map(self.card, slots))))

    def play(self, seat: Seat) -> None:
        slot = self.hands[seat].pop(self.rng.randrange(len(self.hands[seat])))
        self.show(slot, Played(seat, self.card(slot)))

    def play_out(self, share: float = 1.0) -> None:
        """Everyone in turn plays a card, until a hand is empty or thrown in, and the hand ends."""
        players = [seat for seat in self.seats if self.hands[seat]]
        while all(self.hands[seat] for seat in players) and self.rng.random() < share:
            for seat in players:
                self.play(seat)
        self.end(ENDED)

    def end(self, event: Event | Sealed) -> None:
        for viewer, slots in self.pending.items():
            self.open(viewer, slots)
        self.tell_all(event)

    # --- kinds of deals ---

    def draw_for_deal(self) -> None:
        drawing = list(self.seats)
        if not self.seal_deal(drawing):
            return
        slot = 0
        while len(drawing) > 1 and slot + len(drawing) <= len(self.cards):
            slots = range(slot, slot + len(drawing))
            slot += len(drawing)
            event = Drawn(tuple(drawing), tuple(map(self.card, slots)))
            for viewer, viewing in self.viewings.items():
                self.open(viewer, slots)
                viewing.tell(event)
            drawing = [seat for seat in drawing if self.rng.random() < 0.4]

    def plain_hand(self) -> None:
        if self.seal_deal(self.rounds(3)):
            self.deal_hands()
            self.play_out(0.8)

    def accident(self, law: int) -> None:
        """By the laws 1 and 2 a card of a hand is seen, by 3 one in the pack; by 4 and 5 a hand has one too many."""
        if not self.seal_deal(self.rounds(3)):
            return
        seat = self.rng.choice(self.seats)
        self.deal_hands(extra=seat if law in (4, 5) else None, is_face_down=True)
        if law in (4, 5):
            self.tell_all(Accident(law, seat))
        else:
            slot = len(self.to) if law == 3 else self.rng.choice(self.hands[seat])
            self.show(slot, Accident(law, seat, self.card(slot)))
        if law == 3 or self.rng.random() < 0.3:
            self.end(FreshDeal(None))
            return
        if law in (4, 5):
            self.hands[seat].pop(self.rng.randrange(4))
            self.tell_all(ExtraDrawn(seat))
        self.take_up()
        self.play_out(0.8)

    def partners_hand(self) -> None:
        """One of each side gives his partner a card, who throws one of four away; then two play."""
        if not self.seal_deal(self.rounds(3)):
            return
        self.deal_hands()
        sides = [self.rng.sample(side, 2) for side in (self.seats[::2], self.seats[1::2])]
        for giver, to in sides:
            slot = self.rng.choice(self.hands[giver])
            self.hands[giver] = []
            self.hands[to].append(slot)
            self.show(slot, Gave(giver, to, self.card(slot)), to=(giver, to), blind=Gave(giver, to))
        for _, to in sides:
            slot = self.hands[to].pop(self.rng.randrange(4))
            self.show(slot, Discarded(to, self.card(slot)), to=(to,), blind=Discarded(to))
        self.play_out(0.9)

    def rounds(self, each: int) -> list[int]:
        return [*self.seats] * min(each, (len(self.cards) - 1) // len(self.seats))

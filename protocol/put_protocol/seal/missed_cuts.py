"""Seats that did not cut or left the game, and the deals that were called off for them."""

from collections import Counter
from collections.abc import Iterable, Mapping

from put_protocol.seal.findings import CalledOff
from put_protocol.seal_events import DealVoided
from put_protocol.seats import Seat

MISSES = 2
"""Deals that a seat may have called off running by not cutting: with the second its player has to leave."""


class Absences:
    def __init__(self, before: Iterable[CalledOff] = ()) -> None:
        """`before`: deals that were called off for seats before the viewer came again."""
        self.gone: set[Seat] = set()
        """Seats for whose leaving a deal of this game was voided."""
        self._misses: Counter[Seat] = Counter()
        """Deals called off because a seat did not cut, since it last cut one that was dealt. Those right after a deal
        that a departure called off do not count: the cut may have crossed that news."""
        self._has_left = False
        """The last deal was called off by a departure."""
        self._called_off: Counter[Seat] = Counter({one.seat: one.deals for one in before})
        self._drops: Counter[Seat] = Counter({one.seat: one.drops for one in before})

    @property
    def misses(self) -> Mapping[Seat, int]:
        """Deals called off running because a seat did not cut."""
        return {seat: count for seat, count in self._misses.items() if count}

    def note_misses(self, misses: Mapping[Seat, int]) -> None:
        """Go on from what was counted elsewhere."""
        self._misses = Counter(misses)

    @property
    def called_off(self) -> tuple[CalledOff, ...]:
        """Deals that were called off for each seat."""
        return tuple([CalledOff(seat, n, self._drops[seat]) for seat, n in sorted(self._called_off.items())])

    def must_leave(self, seat: Seat) -> bool:
        """True if the player has missed so many cuts that no more cards may go to them."""
        return self._misses[seat] >= MISSES

    def sit(self, seat: Seat) -> None:
        """Another player takes the seat."""
        self.gone.discard(seat)
        for counts in (self._drops, self._called_off, self._misses):
            counts.pop(seat, None)

    def drop(self, seat: Seat) -> None:
        """The connection of a seat was lost."""
        self._drops[seat] += 1

    def cut(self, links: tuple[bytes | None, ...]) -> None:
        """All seats that take part have cut."""
        self._has_left = False
        for seat, link in enumerate(links):
            if link is not None:
                self._misses.pop(Seat(seat), None)

    def void(self, voided: DealVoided) -> None:
        """A deal was called off."""
        self._called_off.update({*voided.seats, *voided.left})
        if not self._has_left:
            self._misses.update(voided.seats)
        self._has_left = bool(voided.left)
        self.gone.update(voided.left)

    def break_off(self) -> None:
        """Part of the events is missing, so a departure may be among them."""
        self.gone.clear()
        self._misses.clear()
        self._has_left = True

"""Parts of clients that a blind deal waits for: who is waited for, and how long.

A client does its step by itself, so one that is here has little time. Even then the connection may only be slow, and to
name a person who has done their part would accuse them, and in their eyes the server. So the server pings them first:
their answer comes behind their step, if they made it, and only when it has come and PULSE_MS more have passed is it
missing for certain. A connection that answers no ping is cut off long before PONG_MS; then it is the bank of the one
who is away that ends the wait.
"""

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct

from put_protocol.seats import Seat
from put_server.table.clock import Timer

STEP_MS = 10_000
"""Time for a part of a client whose connection stands: a phone needs seconds for a shuffle."""

PULSE_MS = 2_000
"""Time from the answer to the ping until the step is missing. They were sent one after the other; but a busy server
takes one step of a connection in a turn of its loop, and half a second was once too short for both."""

PONG_MS = 120_000
"""Time for the answer to the ping: a backstop, longer than any connection lasts without an answer."""

MISSES = 2
"""Parts a player may miss running, without a deal that came into play between; with the last they leave."""


class Misses(Struct, gc=False):
    """Parts of blind deals that a seat did not do in a game, or did wrongly. The fields are those of the journal."""

    missed: int = 0
    running: int = 0
    """Those since the last deal that came into play."""
    owes: int = 0
    """Hands that it has still to lose for them."""
    loses_hand: bool = False
    """It loses the hand in play."""
    turns: int = 0
    """Turns in it that were over at once."""


class WaitStage(StrEnum):
    """Stage of an overdue step."""

    DUE = "due"
    """it has its time"""
    ASKED = "asked"
    """its time is spent, and a ping was wanted"""
    HEARD = "heard"
    """the ping was answered"""


class StepWait(Struct, gc=False):
    """One step that is waited for. The fields are those of the journal."""

    timer: Timer
    stage: WaitStage = WaitStage.DUE


class StepWaits(dict[Seat, StepWait]):
    def begin(self, seat: Seat) -> None:
        """The step of this seat has its whole time, once its player is here."""
        self[seat] = StepWait(Timer(STEP_MS))

    def run_timers(self, is_running: Callable[[Seat], bool], now: int) -> None:
        for seat, wait in self.items():
            wait.timer.set_running(is_running(seat), now)

    def overdue(self, now: int) -> tuple[Seat, ...]:
        """Seats to ping because their time is spent; each is returned once."""
        overdue = self._spent((WaitStage.DUE,), now)
        for seat in overdue:
            self[seat] = StepWait(Timer(PONG_MS, now), WaitStage.ASKED)
        return overdue

    def ping_answered(self, seat: Seat, now: int) -> bool:
        """The ping was answered. Whether that changed anything."""
        wait = self.get(seat)
        if wait is None or wait.stage is not WaitStage.ASKED:
            return False
        self[seat] = StepWait(Timer(PULSE_MS, now), WaitStage.HEARD)
        return True

    def missing(self, now: int) -> tuple[Seat, ...]:
        """Seats that certainly did not do their step in time."""
        return self._spent((WaitStage.ASKED, WaitStage.HEARD), now)

    def _spent(self, stages: tuple[WaitStage, ...], now: int) -> tuple[Seat, ...]:
        return tuple([seat for seat, wait in self.items() if wait.stage in stages and wait.timer.is_spent(now)])

"""Waits of a blind deal for clients' parts: for which seats, and how long.

A client does its step without its player, so a connected client gets little time. But a connection may be slow, and it
would be unfair to blame a person who has done their part. So the server pings them first. The answer to the ping
arrives after the step, if they made it. Only when the answer has come and PULSE_MS more have passed, the step is surely
missing. A connection that answers no ping is cut off long before PONG_MS; then the player is away, and their bank ends
the wait.
"""

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct

from put_protocol.seats import Seat
from put_server.table.clock import Timer

STEP_MS = 10_000
"""Time for the part of a connected client: a phone needs seconds for a shuffle."""

PULSE_MS = 2_000
"""Time from the answer to the ping until the step counts as missing. The client sent the step first; but a busy server
takes one step of a connection in each turn of its loop, and half a second was once too short for both."""

PONG_MS = 120_000
"""Time for the answer to the ping: a backstop, longer than a connection without answers lives."""


class WaitStage(StrEnum):
    """Stage of an overdue step."""

    DUE = "due"
    """its time is running"""
    ASKED = "asked"
    """its time is over, and a ping was sent"""
    HEARD = "heard"
    """the ping was answered"""


class StepWait(Struct, gc=False):
    """The wait for one step. The fields are those of the journal."""

    timer: Timer
    stage: WaitStage = WaitStage.DUE


class StepWaits(dict[Seat, StepWait]):
    def begin(self, seat: Seat) -> None:
        """Start the whole time for this seat's step; it runs while the player is connected."""
        self[seat] = StepWait(Timer(STEP_MS))

    def run_timers(self, is_running: Callable[[Seat], bool], now: int) -> None:
        for seat, wait in self.items():
            wait.timer.set_running(is_running(seat), now)

    def overdue(self, now: int) -> tuple[Seat, ...]:
        """Seats to ping because their time is over. Each is returned once."""
        overdue = self._spent((WaitStage.DUE,), now)
        for seat in overdue:
            self[seat] = StepWait(Timer(PONG_MS, now), WaitStage.ASKED)
        return overdue

    def ping_answered(self, seat: Seat, now: int) -> bool:
        """Note the answer to a ping. Returns true if that changed anything."""
        wait = self.get(seat)
        if wait is None or wait.stage is not WaitStage.ASKED:
            return False
        self[seat] = StepWait(Timer(PULSE_MS, now), WaitStage.HEARD)
        return True

    def missing(self, now: int) -> tuple[Seat, ...]:
        """Seats that surely missed their step."""
        return self._spent((WaitStage.ASKED, WaitStage.HEARD), now)

    def _spent(self, stages: tuple[WaitStage, ...], now: int) -> tuple[Seat, ...]:
        return tuple([seat for seat, wait in self.items() if wait.stage in stages and wait.timer.is_spent(now)])

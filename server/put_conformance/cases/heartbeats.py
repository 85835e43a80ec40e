"""Heartbeats and silence on the connection."""

from collections.abc import Iterable

from put_conformance.case import FaultInjector, HoldingBack
from put_conformance.checks import ACCEPTS_SILENCE, PONG
from put_conformance.client_connection import CandidateConnection, Outgoing
from put_protocol.limits import QUIET_MS
from put_protocol.messages import ClientMessage, Decision, Ping, Pong, ServerMessage

SILENCE_MS = 2_000
"""Far less than the protocol allows: a client that fails here fails whenever an opponent thinks."""

PINGS = 3

LATE_MOVES = 10
"""Moves after the last ping by which every pong has come: a client may answer from two threads."""


class Pings(FaultInjector):
    """Sends one ping after the welcome and one before each of two decisions, so one arrives while the client thinks."""

    name = "ping"
    summary = "Pings come after the welcome and with decisions."
    tries = (PONG,)

    _pings = 0
    _pongs = 0
    _late = 0

    def outgoing(self, connection: CandidateConnection, message: ServerMessage) -> Iterable[Outgoing]:
        if self._pings >= PINGS or (self._pings and not isinstance(message, Decision)):
            return (message,)
        self._pings += 1
        self.results.begin(PONG)
        return (Ping(), message) if isinstance(message, Decision) else (message, Ping())

    def incoming(self, connection: CandidateConnection, message: ClientMessage) -> bool:
        if isinstance(message, Pong):
            self._pongs += 1
            if self._pongs > self._pings:
                self.results.failed(PONG, f"It sent {self._pongs} pongs to {self._pings} pings.")
            if self._pongs >= PINGS:
                self.results.passed(PONG)
        return True

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._pongs < self._pings == PINGS:
            self._late += 1
            if self._late > LATE_MOVES:
                self.results.failed(PONG, f"Of {self._pings} pings it answered {self._pongs}.")


class Silence(HoldingBack):
    """Holds a decision back for some seconds."""

    name = "silence"
    summary = f"Nothing is sent for {SILENCE_MS / 1000:g} seconds; a real server may take {QUIET_MS // 1000}."
    tries = (ACCEPTS_SILENCE,)
    then = (ACCEPTS_SILENCE,)

    def tick(self, now: int) -> None:
        if self.held is not None and self.struck_at is not None:
            self.context.note_progress()
            if now - self.struck_at >= SILENCE_MS:
                self.release()

    def disconnected(self, connection: CandidateConnection) -> None:
        if self.held is not None:
            self.held = None
            self.results.failed(ACCEPTS_SILENCE, "It closed or lost the connection while nothing was sent.")

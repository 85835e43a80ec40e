"""Heartbeats and silence on the connection."""

from collections.abc import Iterable, Iterator

from put_conformance.case import Case, FaultInjector
from put_conformance.checks import Check, Section
from put_conformance.client_connection import ClientConnection, Outgoing
from put_protocol.limits import QUIET_MS
from put_protocol.messages import ClientMessage, Decision, Ping, Pong, ServerMessage

SILENCE_MS = 2_000
"""Far less than the protocol allows: a client that fails here fails whenever an opponent thinks."""

PONG = Check(name="pong", should="Answers every ping with a pong.", section=Section.HEARTBEATS)
ACCEPTS_SILENCE = Check(
    name="bears_silence", should="Bears silence, or breaks it with a ping.", section=Section.HEARTBEATS
)


class Pings(FaultInjector):
    """Sends one ping after the welcome and one before each of two decisions, so one arrives while the client thinks."""

    wanted_pongs = 3

    _pings = 0
    _pongs = 0
    _due: int | None = None

    def _ping(self) -> tuple[Ping, ...]:
        if self._pings >= self.wanted_pongs:
            return ()
        self._pings += 1
        self.results.begin(PONG)
        return (Ping(),)

    def outgoing(self, connection: ClientConnection, message: ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, Decision):
            return (*self._ping(), message)
        if not self._pings:
            return (message, *self._ping())
        return (message,)

    def incoming(self, connection: ClientConnection, message: ClientMessage) -> bool:
        if isinstance(message, Pong):
            self._pongs += 1
            if self._pongs > self._pings:
                self.results.failed(PONG, f"It sent {self._pongs} pongs to {self._pings} pings.")
            if self._pongs >= self.wanted_pongs:
                self.results.passed(PONG)
        return True

    def move_accepted(self, decision: tuple[int, int]) -> None:
        """A client may answer from two threads, so a pong may come a few moves late."""
        if self._pings < self.wanted_pongs or self._pongs >= self._pings:
            return
        self._due = 0 if self._due is None else self._due + 1
        if self._due >= 10:
            self.results.failed(PONG, f"Of {self._pings} pings it answered {self._pongs}.")


class Silence(FaultInjector):
    """Holds a decision back for some seconds."""

    _held: tuple[ClientConnection, ServerMessage] | None = None
    _until = 0
    _is_over = False

    def outgoing(self, connection: ClientConnection, message: ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, Decision) and self.moves and not self._is_over and self._held is None:
            self._held = (connection, message)
            self._until = self.context.now + SILENCE_MS
            self.results.begin(ACCEPTS_SILENCE)
            return ()
        return (message,)

    def tick(self, now: int) -> None:
        if self._held is None:
            return
        self.context.note_progress()
        if now >= self._until:
            (connection, message), self._held = self._held, None
            self._is_over = True
            self.context.send(connection, message)

    def disconnected(self, connection: ClientConnection) -> None:
        if self._held is not None:
            self._held = None
            self.results.failed(ACCEPTS_SILENCE, "It closed or lost the connection while nothing was sent.")

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._is_over:
            self.results.passed(ACCEPTS_SILENCE)


def cases(game: str) -> Iterator[Case]:
    """All with one rule set: they do not depend on the rules."""
    yield Case(
        name="ping",
        summary="Pings come after the welcome and with decisions.",
        game=game,
        checks=(PONG,),
        fault_injector=Pings,
    )
    yield Case(
        name="silence",
        summary=f"Nothing is sent for {SILENCE_MS / 1000:g} seconds; a real server may take {QUIET_MS // 1000}.",
        game=game,
        checks=(ACCEPTS_SILENCE,),
        fault_injector=Silence,
    )

"""Interruptions of play: pings, silence, a pause, the end of a game, and a table that is closed."""

from collections.abc import Iterable

from put_conformance import checks
from put_conformance.case import SHORT_GAME, FaultInjector, HoldingBack
from put_conformance.client_checker import tag_of
from put_conformance.client_connection import Outgoing
from put_protocol import messages
from put_protocol.games.unions import ending_of
from put_protocol.limits import QUIET_MS
from put_protocol.table_info import TableState

READY_MS = 600
"""Time for the client to be ready to continue; then the pause ends."""

PAUSE_MINUTES = 1

GONE_MS = 700
"""Time after a table is gone by which an answer that was on its way has arrived."""

SILENCE_MS = 2_000
"""Far less than the protocol allows: a client that fails here fails whenever an opponent thinks."""

PINGS = 3

LATE_MOVES = 10
"""Moves after the last ping until every pong must have come: a client may answer from two threads."""


class Pings(FaultInjector):
    name = "ping"
    summary = "Pings come after the welcome and with decisions."
    tries = (checks.PONG,)

    _pings = 0
    _pongs = 0
    _late = 0

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if self._pings >= PINGS or (self._pings and not isinstance(message, messages.Decision)):
            return (message,)
        self._pings += 1
        self.results.begin(checks.PONG)
        return (messages.Ping(), message) if isinstance(message, messages.Decision) else (message, messages.Ping())

    def incoming(self, message: messages.ClientMessage) -> bool:
        if isinstance(message, messages.Pong):
            self._pongs += 1
            if self._pongs > self._pings:
                self.results.failed(checks.PONG, f"It sent {self._pongs} pongs to {self._pings} pings.")
            if self._pongs >= PINGS:
                self.results.passed(checks.PONG)
        return True

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._pongs < self._pings == PINGS:
            self._late += 1
            if self._late > LATE_MOVES:
                self.results.failed(checks.PONG, f"Of {self._pings} pings it answered {self._pongs}.")


class Silence(HoldingBack):
    name = "silence"
    summary = f"Nothing is sent for {SILENCE_MS / 1000:g} seconds; a real server may take {QUIET_MS // 1000}."
    tries = (checks.ACCEPTS_SILENCE,)
    then = (checks.ACCEPTS_SILENCE,)

    def strike(self, decision: messages.Decision) -> Iterable[Outgoing]:
        self.after(SILENCE_MS, self.release)
        return super().strike(decision)

    def disconnected(self) -> None:
        if self.held is not None:
            self.results.failed(checks.ACCEPTS_SILENCE, "It closed or lost the connection while nothing was sent.")
        super().disconnected()


class PauseInPlay(HoldingBack):
    name = "pause"
    summary = "An opponent asks for a pause while the client is to move; if it agrees, they are soon ready again."
    tries = (checks.PLAYS_ON,)
    then = (checks.PLAYS_ON,)

    _table = 0
    """The table, once they have asked."""

    _ready_at: int | None = None
    """Time when the opponents were ready to continue, if the client agreed to the pause."""

    def tick(self, now: int) -> None:
        server = self.runner.server
        table = server.table(self._table if self.held is None else self.held.table)
        if table is None:
            return
        if self.held is not None:
            self._table = table.id
            server.ask_each(table, lambda request: messages.Pause(request, table.id, minutes=PAUSE_MINUTES))
            self.release()
        elif table.state is not TableState.PAUSED:
            return
        elif self._ready_at is None:
            self.runner.note_progress()
            self._ready_at = now
            server.ask_each(table, lambda request: messages.GoOn(request, table.id))
        elif now - self._ready_at >= READY_MS:
            server.skip(PAUSE_MINUTES * 60_000 + 1)


class TableClosed(FaultInjector):
    name = "left"
    summary = "The client is told in the middle of a game that it is no longer at the table."
    tries = (checks.LETS_GO,)

    _table: int | None = None

    def strike(self, decision: messages.Decision) -> Iterable[Outgoing]:
        self.note_strike()
        self._table = decision.table
        self.watch(checks.LETS_GO, GONE_MS)
        self.runner.remove_from_table(self.connection, decision.table)
        return (messages.Left(decision.table, "the table was cleared away"),)

    def incoming(self, message: messages.ClientMessage) -> bool:
        is_there = self._table is not None and getattr(message, "table", None) == self._table
        if not is_there or self.results.is_decided(checks.LETS_GO):
            return True
        match message:
            case messages.Act(decision=decision):
                self.results.failed(checks.LETS_GO, f"It answered decision {decision} of a table that it had left.")
            case messages.Sit() | messages.Watch():  # it comes back as anybody may
                self.results.passed(checks.LETS_GO)
            case messages.Leave() | messages.Stand():
                pass
            case _:
                self.results.failed(checks.LETS_GO, f"It asked for {tag_of(message)} at a table that it had left.")
        return True


class AnotherGame(FaultInjector):
    name = "another-game"
    summary = "A game ends."
    options = SHORT_GAME
    tries = (checks.AGAIN,)

    _table: int | None = None

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Events) and any(ending_of(e) is not None for e in message.events):
            self._table = message.table
            self.results.begin(checks.AGAIN)
            self.runner.note_progress()
        return (message,)

    def incoming(self, message: messages.ClientMessage) -> bool:
        match message:
            case messages.Bye():
                self.may_end = self._table is not None
            case messages.Again(table=table) | messages.Leave(table=table) | messages.Stand(table=table):
                self.may_end = self.may_end or table == self._table
            case _:
                pass
        if self.may_end:
            self.results.passed(checks.AGAIN)
        return True

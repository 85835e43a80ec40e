"""Changes of a table during play: a pause, another game, and a table that is closed."""

from collections.abc import Iterable

from put_conformance.case import SHORT, FaultInjector, HoldingBack
from put_conformance.checks import AGAIN, LETS_GO, PLAYS_ON
from put_conformance.client_connection import CandidateConnection, Outgoing
from put_protocol import messages
from put_protocol.games.unions import ending_of
from put_protocol.table_info import TableState

READY_MS = 600
"""Time for the client to be ready to go on; after that the time of the pause is over."""

PAUSE_MINUTES = 1

QUIET_MS = 700
"""Time after a table is gone by which an answer that was on its way has arrived."""


class PauseInPlay(HoldingBack):
    """Has the opponents ask for a pause before the client has its next decision."""

    name = "pause"
    summary = "An opponent asks for a pause while the client is to move; if it agrees, they are soon ready again."
    tries = (PLAYS_ON,)
    then = (PLAYS_ON,)

    _table = 0
    """The table, once they have asked."""
    _ready_at: int | None = None
    """Time at which the opponents were ready to go on, if the client agreed to the pause."""

    def tick(self, now: int) -> None:
        server = self.context.server
        table = server.table(self._table if self.held is None else self.held[1].table)
        if table is None:
            return
        if self.held is not None:
            self._table = table.id
            for person, player in server.opponents_at(table):
                server.request(person, messages.Pause(player.next_id(), table.id, minutes=PAUSE_MINUTES))
            self.release()
        elif table.state is not TableState.PAUSED:
            return
        elif self._ready_at is None:
            self.context.note_progress()
            self._ready_at = now
            for person, player in server.opponents_at(table):
                server.request(person, messages.GoOn(player.next_id(), table.id))
        elif now - self._ready_at >= READY_MS:
            server.skip(PAUSE_MINUTES * 60_000 + 1)


class TableClosed(FaultInjector):
    """Takes the client's seat away in the middle of a game."""

    name = "left"
    summary = "The client is told in the middle of a game that it is no longer at the table."
    tries = (LETS_GO,)

    _table: int | None = None

    def strike(self, connection: CandidateConnection, decision: messages.Decision) -> Iterable[Outgoing]:
        self.note_strike()
        self._table = decision.table
        self.watch(LETS_GO, QUIET_MS)
        self.context.remove_from_table(connection, decision.table)
        return (messages.Left(decision.table, "the table was cleared away"),)

    def incoming(self, connection: CandidateConnection, message: messages.ClientMessage) -> bool:
        if self._table is None or getattr(message, "table", None) != self._table or self.results.is_decided(LETS_GO):
            return True
        match message:
            case messages.Act(decision=decision):
                self.results.failed(LETS_GO, f"It answered decision {decision} of a table that it had left.")
            case messages.Sit() | messages.Watch():  # it comes back as anybody may
                self.results.passed(LETS_GO)
            case messages.Leave() | messages.Stand():
                pass
            case _:
                kind = message.__struct_config__.tag
                self.results.failed(LETS_GO, f"It asked for {kind} at a table that it had left.")
        return True


class AnotherGame(FaultInjector):
    """Waits for the end of a game, which is to one point and soon over."""

    name = "another-game"
    summary = "A game ends."
    options = SHORT
    tries = (AGAIN,)

    _table: int | None = None

    @property
    def may_end(self) -> bool:
        return self.results.is_decided(AGAIN)

    def outgoing(self, connection: CandidateConnection, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Events) and any(ending_of(e) is not None for e in message.events):
            self._table = message.table
            self.results.begin(AGAIN)
            self.context.note_progress()
        return (message,)

    def incoming(self, connection: CandidateConnection, message: messages.ClientMessage) -> bool:
        match message:
            case messages.Bye() if self._table is not None:
                self.results.passed(AGAIN)
            case messages.Again(table=table) | messages.Leave(table=table) | messages.Stand(table=table):
                if table == self._table:
                    self.results.passed(AGAIN)
            case _:
                pass
        return True

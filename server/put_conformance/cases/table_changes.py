"""Changes of a table during play: a pause, another game, and a table that is closed."""

from collections.abc import Iterable, Iterator

from put_conformance.case import SHORT, Case, FaultInjector
from put_conformance.checks import Check, Section
from put_conformance.client_connection import ClientConnection, Outgoing
from put_protocol import messages
from put_protocol.games.unions import ending_of
from put_protocol.table_info import TableState

READY_MS = 600
"""For the client to be ready to go on; after that the time of the pause is over."""

PAUSE_MINUTES = 1

QUIET_MS = 700
"""After a table is gone: by then an answer that was on its way has arrived."""

PLAYS_ON = Check(
    name="plays_on",
    should="Plays on when others ask for a pause, whether it agrees to it or not.",
    section=Section.PAUSES,
)
LETS_GO = Check(name="lets_go", should="Asks for nothing more at a table that it has left.", section=Section.SITTING)
AGAIN = Check(
    name="again",
    should="Asks for another game when one is over, or leaves: others wait for its word.",
    section=Section.GAME,
)


class Paused(FaultInjector):
    """Has the opponents ask for a pause before the client has its next decision."""

    _held: tuple[ClientConnection, messages.Decision] | None = None
    """The decision, until they have asked."""
    _is_asked = False
    _ready_at: int | None = None
    """When the opponents were ready to go on, if the client agreed to the pause."""

    def outgoing(self, connection: ClientConnection, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Decision) and self.moves and not self._is_asked:
            self._held = connection, message
            return ()
        return (message,)

    def tick(self, now: int) -> None:
        if self._held is None:
            return
        connection, decision = self._held
        table = self.context.server.table(decision.table)
        if table is None:
            return
        if not self._is_asked:
            self._is_asked = True
            self.results.begin(PLAYS_ON)
            for person, player in self.context.server.opponents_at(table):
                self.context.server.request(person, messages.Pause(player.next_id(), table.id, minutes=PAUSE_MINUTES))
            self.context.send(connection, decision)
        elif table.state is not TableState.PAUSED:
            return
        elif self._ready_at is None:
            self.context.note_progress()
            self._ready_at = now
            for person, player in self.context.server.opponents_at(table):
                self.context.server.request(person, messages.GoOn(player.next_id(), table.id))
        elif now - self._ready_at >= READY_MS:
            self.context.server.skip(PAUSE_MINUTES * 60_000 + 1)

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._is_asked:
            self.results.passed(PLAYS_ON)


class TableClosed(FaultInjector):
    """Takes the client's seat away in the middle of a game."""

    _table: int | None = None
    _since = 0

    @property
    def may_end(self) -> bool:
        return self._table is not None

    def outgoing(self, connection: ClientConnection, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if not isinstance(message, messages.Decision) or not self.moves or self._table is not None:
            return (message,)
        self._table, self._since = message.table, self.context.now
        self.results.begin(LETS_GO)
        self.context.remove_from_table(connection, message.table)
        return (messages.Left(message.table, "the table was cleared away"),)

    def incoming(self, connection: ClientConnection, message: messages.ClientMessage) -> bool:
        if self._table is None or getattr(message, "table", None) != self._table:
            return True
        if isinstance(message, messages.Act) and not self.results.is_decided(LETS_GO):
            self.results.failed(LETS_GO, f"It answered decision {message.decision} of a table that it had left.")
        elif isinstance(message, messages.Sit | messages.Watch):  # it comes back as anybody may
            self.results.passed(LETS_GO)
        elif not self.results.is_decided(LETS_GO) and not isinstance(message, messages.Leave | messages.Stand):
            kind = message.__struct_config__.tag
            self.results.failed(LETS_GO, f"It asked for {kind} at a table that it had left.")
        return True

    def tick(self, now: int) -> None:
        if self._table is not None:
            self.context.note_progress()
            if now - self._since >= QUIET_MS:
                self.results.passed(LETS_GO)


class AnotherGame(FaultInjector):
    """Waits for the end of a game, which is to one point and soon over."""

    _table: int | None = None

    @property
    def may_end(self) -> bool:
        return self.results.is_decided(AGAIN)

    def outgoing(self, connection: ClientConnection, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Events) and any(ending_of(e) is not None for e in message.events):
            self._table = message.table
            self.results.begin(AGAIN)
            self.context.note_progress()
        return (message,)

    def incoming(self, connection: ClientConnection, message: messages.ClientMessage) -> bool:
        if self._table is None:
            return True
        leaves_or_stays = (
            isinstance(message, messages.Again | messages.Leave | messages.Stand) and message.table == self._table
        )
        if leaves_or_stays or isinstance(message, messages.Bye):
            self.results.passed(AGAIN)
        return True


def cases(game: str) -> Iterator[Case]:
    """All with one rule set: they do not depend on the rules."""
    yield Case(
        name="pause",
        summary="An opponent asks for a pause while the client is to move; if it agrees, they are soon ready again.",
        game=game,
        checks=(PLAYS_ON,),
        fault_injector=Paused,
    )
    yield Case(
        name="another-game",
        summary="A game ends.",
        game=game,
        options=SHORT,
        checks=(AGAIN,),
        fault_injector=AnotherGame,
    )
    yield Case(
        name="left",
        summary="The client is told in the middle of a game that it is no longer at the table.",
        game=game,
        checks=(LETS_GO,),
        fault_injector=TableClosed,
    )

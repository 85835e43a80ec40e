"""Cases of a client that comes back to less than it left: its table is gone, its token has ended, or the server has no
room for now, or speaks no version that the client does."""

from collections.abc import Iterable, Iterator

from put_conformance.case import Case
from put_conformance.cases.goodbyes import MOST_ATTEMPTS, PATIENT, STAYS_AWAY, WATCHED_MS
from put_conformance.cases.reconnects import ANSWERS_AGAIN, RETURNS, TOKEN, Dropped, InTheMiddle
from put_conformance.cases.table_changes import LETS_GO
from put_conformance.checks import Check, Section
from put_conformance.client_connection import ClientConnection, Outgoing
from put_protocol.messages import Bye, ClientMessage, Decision, Goodbye, Hello, Leave, ServerMessage, Sit, Stand, Watch
from put_protocol.refusals import RefusalCode

FULL_MS = 1_000
"""For which the server is full."""

GOES_ELSEWHERE = Check(
    name="goes_elsewhere",
    should="Plays at another table, or says bye, when its own is not among the tables of welcome.",
    section=Section.RETURN,
)
COMES_LATER = Check(
    name="comes_later",
    should="Comes back later, with its token, when its hello is refused as server_full.",
    section=Section.REFUSALS,
)


BEGINS_ANEW = Check(
    name="begins_anew",
    should="Says hello without its token when that is refused as bad_token, and plays on as somebody new.",
    section=Section.REFUSALS,
)


class TableGone(Dropped):
    """The client loses its seat while it is away, and nobody tells it."""

    _gone: int | None = None

    def outgoing(self, connection: ClientConnection, message: ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, Decision) and self._is_time:
            self._gone = message.table
            for check in (LETS_GO, GOES_ELSEWHERE):
                self.results.begin(check)
            self._drop(connection, message)
            self.context.remove_from_table(connection, message.table)
            return ()
        return super().outgoing(connection, message)

    def incoming(self, connection: ClientConnection, message: ClientMessage) -> bool:
        super().incoming(connection, message)
        table = getattr(message, "table", None)
        if self._gone is not None and table == self._gone and not isinstance(message, Sit | Watch | Leave | Stand):
            kind = message.__struct_config__.tag
            self.results.failed(LETS_GO, f"It asked for {kind} at a table that was not among those of its welcome.")
        if self._gone is not None and isinstance(message, Bye):
            self.results.passed(GOES_ELSEWHERE)
        return True

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._gone is not None:
            self.results.passed(LETS_GO)
            self.results.passed(GOES_ELSEWHERE)


class FullForNow(InTheMiddle):
    """Refuses the client for a while when it comes back."""

    _full_since: int | None = None
    _attempts = 0

    def refusal(self, hello: Hello) -> Goodbye | None:
        if not self._drops or self.results.is_decided(COMES_LATER):
            return None
        now = self.context.now
        if self._full_since is None:
            self._full_since = now
            for check in (COMES_LATER, PATIENT):
                self.results.begin(check)
        if now - self._full_since < FULL_MS:
            self._attempts += 1
            if self._attempts > MOST_ATTEMPTS:
                self.results.failed(PATIENT, f"It tried {self._attempts} times within a second of being refused.")
            says = "the server is full: try again later"
            return Goodbye(code="refused", says=says, refusal=RefusalCode.SERVER_FULL)
        self.results.passed(PATIENT)
        if not hello.token:
            self.results.failed(COMES_LATER, "It came back as somebody new, without its token.")
        self.results.passed(COMES_LATER)
        return None

    def tick(self, now: int) -> None:
        if self._full_since is not None and now - self._full_since < FULL_MS:
            self.context.note_progress()


class TokenEnded(InTheMiddle):
    """Ends the client's token while it is away, as a server does that has begun anew."""

    _tries = 0

    def _break(self, connection: ClientConnection, outgoing: Outgoing | None) -> None:
        peer, connection.peer = connection.peer, None
        connection.break_off(outgoing)
        assert peer is not None
        self.context.server.bye(peer)
        self.results.begin(BEGINS_ANEW)

    def incoming_hello(self, connection: ClientConnection, hello: Hello) -> Hello:
        self._tries += bool(self._drops and hello.token)
        if self._tries > 1:
            self.results.failed(BEGINS_ANEW, "It said hello with the same token again.")
        return super().incoming_hello(connection, hello)

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._tries:
            self.results.passed(BEGINS_ANEW)


class Refused(InTheMiddle):
    """Refuses the client when it comes back, for a reason that will not pass."""

    _refused_at: int | None = None
    _connection_count = 0

    @property
    def may_end(self) -> bool:
        return self._refused_at is not None

    def refusal(self, hello: Hello) -> Goodbye | None:
        if not self._drops:
            return None
        if self._refused_at is None:
            self._refused_at = self.context.now
            self._connection_count = self.context.connection_count
            self.results.begin(STAYS_AWAY)
        return Goodbye(code="refused", says="this server speaks version 3", refusal=RefusalCode.VERSION)

    def tick(self, now: int) -> None:
        if self._refused_at is None:
            return
        self.context.note_progress()
        if self.context.connection_count > self._connection_count:
            waited = now - self._refused_at
            self.results.failed(STAYS_AWAY, f"It connected again {waited} ms after it was refused for its version.")
        elif now - self._refused_at >= WATCHED_MS:
            self.results.passed(STAYS_AWAY)


def cases(game: str) -> Iterator[Case]:
    """All with one rule set: they do not depend on the rules."""
    yield Case(
        name="table-gone",
        summary="The connection drops, and the client loses its seat meanwhile: welcome does not name the table.",
        game=game,
        checks=(RETURNS, TOKEN, LETS_GO, GOES_ELSEWHERE),
        fault_injector=TableGone,
    )
    yield Case(
        name="full-for-now",
        summary=f"The connection drops, and for {FULL_MS / 1000:g} second the client is refused as server_full.",
        game=game,
        checks=(RETURNS, TOKEN, COMES_LATER, PATIENT, ANSWERS_AGAIN),
        fault_injector=FullForNow,
    )
    yield Case(
        name="token-ended",
        summary="The connection drops, and the client's token ends meanwhile: it is refused as bad_token.",
        game=game,
        checks=(RETURNS, TOKEN, BEGINS_ANEW),
        fault_injector=TokenEnded,
    )
    yield Case(
        name="refused-for-good",
        summary="The connection drops, and the server that is back speaks no version of the client's.",
        game=game,
        checks=(RETURNS, STAYS_AWAY),
        fault_injector=Refused,
    )

"""Dropped connections: in the middle of a message, before an answer arrives, and before its ok does."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from put_conformance.case import Case, CaseContext, FaultInjector
from put_conformance.checks import Check, Section
from put_conformance.client_connection import ClientConnection, Outgoing
from put_conformance.fake_server import Peer
from put_protocol import messages
from put_protocol.refusals import RefusalCode

DEAD_MS = 1_500
"""In the limits of `welcome`, where the connection is half open."""

NOTICED_MS = 3_000
"""After that time, for timers that look seldom, and for the wait before the next attempt."""

BELIEVED_MS = 1_500
"""For which the server believes in a connection that dropped before its welcome arrived."""

COMES_IN_MS = 6_000
"""After that, for a client that waits longer each time."""

MOVES_BEFORE = 2
"""Before the connection drops: by then there are events to have seen."""

RETURNS = Check(name="returns", should="Connects again by itself when the connection drops.", section=Section.RETURN)
TOKEN = Check(name="token", should="Says hello with its token, to get its seat back.", section=Section.RETURN)
SEEN = Check(
    name="seen", should="Gives in seen the number of the last event it has of each table.", section=Section.RETURN
)
ASKED = Check(
    name="asked",
    should="Names in asked, if it does, the requests whose answers never came and no others.",
    section=Section.RETURN,
    is_needed=False,
)
COUNTS = Check(
    name="incarnation",
    should="Counts its hellos in incarnation, if it does, from one connection to the next.",
    section=Section.RETURN,
    is_needed=False,
)
ANSWERS_AGAIN = Check(
    name="answers_again", should="Answers the decision that waits for it still.", section=Section.RETURN
)
NOTICES = Check(
    name="notices",
    should="Takes the connection for dropped when it has heard nothing for the dead_ms of welcome.",
    section=Section.HEARTBEATS,
)
COMES_IN = Check(
    name="comes_in",
    should="Comes in by another name, or later, when its own is taken by the connection that dropped.",
    section=Section.HELLO,
)
GOES_ON = Check(name="goes_on", should="Goes on with the next decision, and not with the last.", section=Section.RETURN)


class Dropped(FaultInjector):
    """Drops the connection once or more often; each time the client must come back with its token."""

    times = 1
    begins: tuple[Check, ...] = (RETURNS, TOKEN, SEEN)
    """What the client can fail by not coming back."""

    _drops = 0
    _had: dict[int, int] | None = None
    _decision: tuple[int, int] | None = None
    _incarnation = 0
    _last_id = 0
    _is_stranger = False
    """The client came back without its token: it has no seat any more, and nothing else can be tried."""

    def __init__(self, context: CaseContext, checks: Sequence[Check]) -> None:
        super().__init__(context, checks)
        self._unanswered: set[int] = set()
        self._waiting: set[int] = set()

    @property
    def is_done(self) -> bool:
        return self._is_stranger or super().is_done

    # --- for subclasses: when and how it drops ---

    @property
    def _is_time(self) -> bool:
        return self.moves >= MOVES_BEFORE and self._drops < self.times

    def _drop(self, connection: ClientConnection, outgoing: Outgoing | None = None) -> None:
        self._drops += 1
        self._had = dict(connection.numbers)
        self._unanswered = set(self._waiting)
        self._waiting.clear()
        for check in self.begins:
            self.results.begin(check)
        self._break(connection, outgoing)
        self.context.note_progress()

    def _break(self, connection: ClientConnection, outgoing: Outgoing | None) -> None:
        connection.break_off(outgoing)

    # --- judging what the client does then ---

    def incoming_hello(self, connection: ClientConnection, hello: messages.Hello) -> messages.Hello:
        before, self._incarnation = self._incarnation, hello.incarnation
        had, self._had = self._had, None
        self._waiting.clear()
        if had is None:
            return hello
        is_last = self._drops == self.times
        if is_last:
            self.results.passed(RETURNS)
        if not hello.token:
            self.results.failed(TOKEN, "It came back as somebody new, without the token it had in welcome.")
            for check in self.checks:
                self.results.withdraw(check)
            self._is_stranger = True
            return hello
        if is_last:
            self.results.passed(TOKEN)
        seen = {one.table: one.number for one in hello.seen}
        for table, number in had.items():
            said = seen.get(table)
            if said is None:
                self.results.failed(SEEN, f"It had event {number} of table {table}, and seen does not name the table.")
            elif said != number:
                self.results.failed(SEEN, f"It had event {number} of table {table}, and said {said} in seen.")
        if is_last:
            self.results.passed(SEEN)
        if before:
            if hello.incarnation <= before:
                says = f"The incarnation of its hello was {before}, and {hello.incarnation} in the next."
                self.results.failed(COUNTS, says)
            self.results.passed(COUNTS)
        if hello.asked:
            strange = sorted(one for one in set(hello.asked) - self._unanswered if one <= self._last_id)
            if strange:  # what it asked later was lost with the connection, unread
                self.results.failed(ASKED, f"It named requests that were answered, or never made: {strange}.")
            self.results.passed(ASKED)
        return hello

    def incoming(self, connection: ClientConnection, message: messages.ClientMessage) -> bool:
        if (request := getattr(message, "id", None)) is not None:
            self._waiting.add(request)
            self._last_id = max(self._last_id, request)
        return True

    def outgoing(self, connection: ClientConnection, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Ok | messages.Refused):
            self._waiting.discard(message.id)
        return (message,)

    def left_between_games(self) -> None:
        if self._drops and self._had is None and GOES_ON in self.checks:
            self.results.passed(GOES_ON)  # the game was over with the answer whose ok was lost
        super().left_between_games()

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._drops and decision == self._decision and ANSWERS_AGAIN in self.checks:
            self.results.passed(ANSWERS_AGAIN)
        elif self._drops == self.times and self._had is None and decision != self._decision and GOES_ON in self.checks:
            self.results.passed(GOES_ON)


class InTheMiddle(Dropped):
    """Drops it when half of a decision has been sent."""

    def outgoing(self, connection: ClientConnection, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Decision) and self._is_time:
            self._decision = (message.table, message.decision)
            self.results.begin(ANSWERS_AGAIN)
            self._drop(connection, message)
            return ()
        return super().outgoing(connection, message)


class AgainAndAgain(InTheMiddle):
    """Drops it also when the client is back and half of what it missed has been sent."""

    times = 3

    def outgoing(self, connection: ClientConnection, message: messages.ServerMessage) -> Iterable[Outgoing]:
        is_back = 0 < self._drops < self.times and isinstance(
            message, messages.Welcome | messages.Events | messages.TableSnapshot
        )
        if is_back and (isinstance(message, messages.Welcome) == (self._drops == 1)):
            self._drop(connection, message)
            return ()
        return super().outgoing(connection, message)


class HalfOpen(Dropped):
    """The server falls silent, as when a cable is pulled: the connection stands, and nothing goes through it."""

    begins = ()

    _connection: ClientConnection | None = None
    _silent_since: int | None = None
    _heard_at = 0

    @property
    def is_done(self) -> bool:
        return self.results.is_faulty(NOTICES) or super().is_done

    def outgoing(self, connection: ClientConnection, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Welcome):
            limits = replace(message.limits, quiet_ms=DEAD_MS // 3, dead_ms=DEAD_MS)
            return super().outgoing(connection, replace(message, limits=limits))
        if isinstance(message, messages.Decision) and self._is_time:
            self._decision = (message.table, message.decision)
            self._silent_since = self.context.now
            self.results.begin(NOTICES)
            self._drop(connection)
            return ()
        self._heard_at = self.context.now
        return super().outgoing(connection, message)

    def _break(self, connection: ClientConnection, outgoing: Outgoing | None) -> None:
        connection.flush()
        connection.is_over = True

    def incoming_hello(self, connection: ClientConnection, hello: messages.Hello) -> messages.Hello:
        self._connection = connection
        if self._silent_since is not None:
            self.results.passed(NOTICES)
            self.results.begin(ANSWERS_AGAIN)
        return super().incoming_hello(connection, hello)

    def tick(self, now: int) -> None:
        if self._silent_since is None:
            if self._connection is not None and self._connection.person is not None:
                self._ping_if_quiet(self._connection, now)
        elif not self.results.is_decided(NOTICES):
            self.context.note_progress()
            if now - self._silent_since > DEAD_MS + NOTICED_MS:
                says = f"It heard nothing for {(now - self._silent_since) / 1000:.1f} seconds, and stayed"
                self.results.failed(NOTICES, f"{says}: dead_ms in welcome was {DEAD_MS}.")

    def _ping_if_quiet(self, connection: ClientConnection, now: int) -> None:
        """As a server does; so a client that sends nothing by itself hears something in time."""
        if now - self._heard_at >= DEAD_MS // 3:
            self._heard_at = now
            self.context.send(connection, messages.Ping())


class LostWelcome(FaultInjector):
    """Lets the client in, but drops the connection before it hears of that, and believes in the connection for a while.

    So the name is taken, by the client itself.
    """

    _ghost: Peer | None = None
    _since = 0
    _is_back = False

    def outgoing(self, connection: ClientConnection, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if self._ghost is None and isinstance(message, messages.Welcome):
            self._ghost, connection.peer = connection.peer, None
            self._since = self.context.now
            self.results.begin(COMES_IN)
            connection.break_off(message)
            return ()
        if isinstance(message, messages.Welcome):
            self._is_back = True
        return (message,)

    def is_expected(self, goodbye: messages.Goodbye) -> bool:
        return self._ghost is not None and goodbye.refusal is RefusalCode.NAME_TAKEN

    def tick(self, now: int) -> None:
        if self._ghost is not None and not self._is_back:
            self.context.note_progress()
            if now - self._since > BELIEVED_MS and self._ghost.person is not None:
                self.context.server.exit(self._ghost)
            if now - self._since > BELIEVED_MS + COMES_IN_MS:
                self.results.failed(COMES_IN, f"It was not in after {(now - self._since) / 1000:.1f} seconds.")

    def move_accepted(self, decision: tuple[int, int]) -> None:
        self.results.passed(COMES_IN)


class BeforeOk(Dropped):
    """Drops it when an answer arrives, which the lobby never receives."""

    def incoming(self, connection: ClientConnection, message: messages.ClientMessage) -> bool:
        super().incoming(connection, message)
        if isinstance(message, messages.Act) and self._is_time:
            self._decision = (message.table, message.decision)
            self.results.begin(ANSWERS_AGAIN)
            self._drop(connection)
            return False
        return True


class AfterOk(Dropped):
    """Drops it when an answer was carried out, and sends nothing of that."""

    def incoming(self, connection: ClientConnection, message: messages.ClientMessage) -> bool:
        super().incoming(connection, message)
        if isinstance(message, messages.Act) and self._is_time:
            self._decision = (message.table, message.decision)
            self.results.begin(GOES_ON)
            self._drop(connection)
            if self.context.forward(connection, message):
                self.context.checker.carried_out(message.table, message.decision)
            return False
        return True


_BACK = (RETURNS, TOKEN, SEEN, COUNTS)


def cases(game: str) -> Iterator[Case]:
    """All with one rule set: they do not depend on the rules."""
    for name, summary, fault_injector, checks in (
        (
            "drop-in-message",
            "The connection drops when half of a decision has been sent.",
            InTheMiddle,
            (*_BACK, ANSWERS_AGAIN),
        ),
        (
            "drop-again",
            "The connection drops in the middle of a decision, again in the welcome, and again in what was missed.",
            AgainAndAgain,
            (*_BACK, ANSWERS_AGAIN),
        ),
        (
            "drop-before-act",
            "The connection drops while an answer is on its way, which never arrives.",
            BeforeOk,
            (*_BACK, ASKED, ANSWERS_AGAIN),
        ),
        (
            "drop-before-ok",
            "The connection drops when an answer was carried out, and its ok is lost.",
            AfterOk,
            (*_BACK, ASKED, GOES_ON),
        ),
        (
            "half-open",
            f"The server falls silent, and the connection stands; dead_ms in its welcome was {DEAD_MS:,}.",
            HalfOpen,
            (NOTICES, *_BACK, ANSWERS_AGAIN),
        ),
        (
            "drop-before-welcome",
            "The connection drops before the welcome, the client being in: its name is taken, for a while.",
            LostWelcome,
            (COMES_IN,),
        ),
    ):
        yield Case(name=name, summary=summary, game=game, checks=checks, fault_injector=fault_injector)

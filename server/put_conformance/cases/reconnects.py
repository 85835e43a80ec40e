"""Dropped connections: in the middle of a message, before an answer arrives, and before its ok does."""

from collections.abc import Iterable, Iterator, Sequence

from put_conformance.case import Case, CaseContext, FaultInjector
from put_conformance.checks import Check, Section
from put_conformance.client_connection import ClientConnection, Outgoing
from put_protocol import messages

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
GOES_ON = Check(name="goes_on", should="Goes on with the next decision, and not with the last.", section=Section.RETURN)


class Dropped(FaultInjector):
    """Drops the connection once or more often; each time the client must come back with its token."""

    times = 1

    _drops = 0
    _had: dict[int, int] | None = None
    _decision: tuple[int, int] | None = None
    _incarnation = 0

    def __init__(self, context: CaseContext, checks: Sequence[Check]) -> None:
        super().__init__(context, checks)
        self._unanswered: set[int] = set()
        self._waiting: set[int] = set()

    # --- for subclasses: when and how it drops ---

    @property
    def _is_time(self) -> bool:
        return self.moves >= MOVES_BEFORE and self._drops < self.times

    def _drop(self, connection: ClientConnection, outgoing: Outgoing | None = None) -> None:
        self._drops += 1
        self._had = dict(connection.numbers)
        self._unanswered = set(self._waiting)
        self._waiting.clear()
        for check in (RETURNS, TOKEN, SEEN):
            self.results.begin(check)
        connection.break_off(outgoing)
        self.context.note_progress()

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
            strange = sorted(set(hello.asked) - self._unanswered)
            if strange:
                self.results.failed(ASKED, f"It named requests that were answered, or never made: {strange}.")
            self.results.passed(ASKED)
        return hello

    def incoming(self, connection: ClientConnection, message: messages.ClientMessage) -> bool:
        if (request := getattr(message, "id", None)) is not None:
            self._waiting.add(request)
        return True

    def outgoing(self, connection: ClientConnection, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Ok | messages.Refused):
            self._waiting.discard(message.id)
        return (message,)

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


class LostRequest(Dropped):
    """Drops it when the client's first request of some kinds arrives: which then is carried out, or is not."""

    kinds: tuple[type[messages.Request], ...] = (messages.OpenTable, messages.Sit)
    is_carried_out = False

    _lost: messages.Request | None = None
    _opened = 0

    @property
    def _goal(self) -> Check:
        """The check that this case is about: the last, for those of coming back are the same for all."""
        return self.checks[-1]

    def incoming(self, connection: ClientConnection, message: messages.ClientMessage) -> bool:
        super().incoming(connection, message)
        if self._drops:
            if self.is_carried_out and isinstance(message, messages.OpenTable) and type(self._lost) is type(message):
                self.results.failed(self._goal, "It opened another table, and left the first to nobody.")
            self._judge(message)
            return True
        if not isinstance(message, self.kinds):
            return True
        self._lost = message
        self.results.begin(self._goal)
        self._drop(connection)
        if self.is_carried_out:
            self.context.forward(connection, message)
        return False

    def _judge(self, message: messages.ClientMessage) -> None:
        """What the client asks for after that."""

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._drops:
            self.results.passed(self._goal)


class LostSeat(LostRequest):
    """Nothing came of the request for a table or a seat."""


class LostOk(LostRequest):
    """It was carried out, and its ok is lost."""

    is_carried_out = True


class LostAgain(LostRequest):
    """Nothing came of the request for another game, for which the others wait."""

    kinds = (messages.Again,)

    def _judge(self, message: messages.ClientMessage) -> None:
        if isinstance(message, messages.Again | messages.Leave | messages.Stand | messages.Bye):
            self.results.passed(self._goal)


SITS_AFTER_ALL = Check(
    name="sits_after_all", should="Comes to a table although its request for one was lost.", section=Section.RETURN
)
ONE_TABLE = Check(
    name="one_table",
    should="Plays at the table that it opened or sat down at, although the ok was lost: names the request in asked.",
    section=Section.RETURN,
)
AGAIN_AFTER_ALL = Check(
    name="again_after_all",
    should="Asks once more for another game, or leaves, when the request was lost.",
    section=Section.RETURN,
)

_BACK = (RETURNS, TOKEN, SEEN, COUNTS)


def cases(game: str, *, has_target: bool) -> Iterator[Case]:
    """All with one rule set: they do not depend on the rules."""
    yield Case(
        name="drop-before-seat",
        summary="The connection drops while the first request for a table or a seat is on its way, and is lost.",
        game=game,
        checks=(RETURNS, TOKEN, ASKED, SITS_AFTER_ALL),
        fault_injector=LostSeat,
    )
    yield Case(
        name="drop-after-seat",
        summary="The connection drops when that request was carried out, and its ok is lost.",
        game=game,
        checks=(RETURNS, TOKEN, ASKED, ONE_TABLE),
        fault_injector=LostOk,
    )
    yield Case(
        name="drop-before-again",
        summary="The connection drops while the request for another game is on its way, which never arrives.",
        game=game,
        options={"target": 1} if has_target else {},
        checks=(RETURNS, TOKEN, ASKED, AGAIN_AFTER_ALL),
        fault_injector=LostAgain,
    )
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
    ):
        yield Case(name=name, summary=summary, game=game, checks=checks, fault_injector=fault_injector)

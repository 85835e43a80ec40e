"""Connections that drop: in the middle of a message, and around an answer that may or may not have been heard."""

from collections.abc import Iterable, Iterator, Sequence

from put_conformance.case import Mischief, Play, Scene
from put_conformance.checks import Check, Section
from put_conformance.fault_injector import Line, Told
from put_protocol.messages import (
    Act,
    ClientMessage,
    Decision,
    Events,
    Hello,
    Ok,
    Refused,
    ServerMessage,
    TableSnapshot,
    Welcome,
)

BEFORE = 2
"""Moves before the connection drops: by then there is something to have seen."""

RETURNS = Check(name="returns", should="Connects again by itself when the line drops.", section=Section.RETURN)
TOKEN = Check(name="token", should="Says hello with its token, to be who it was.", section=Section.RETURN)
SEEN = Check(
    name="seen", should="Tells in seen the number of the last event it has of each table.", section=Section.RETURN
)
ASKED = Check(
    name="asked",
    should="Names in asked, if it does, the requests whose answers never came and no others.",
    section=Section.RETURN,
    is_needed=False,
)
ANSWERS_AGAIN = Check(
    name="answers_again", should="Answers the decision that waits for it still.", section=Section.RETURN
)
GOES_ON = Check(name="goes_on", should="Goes on with the next decision, and not with the last.", section=Section.RETURN)


class Dropped(Mischief):
    """The connection drops once, or more often; each time the client is to come back as who it was."""

    times = 1

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._moves = 0
        self._drops = 0
        self._had: dict[int, int] | None = None
        self._unanswered: set[int] = set()
        self._waiting: set[int] = set()
        self._decision: tuple[int, int] | None = None

    # --- what scenes say when they drop it ---

    @property
    def _is_time(self) -> bool:
        return self._moves >= BEFORE and self._drops < self.times

    def _drop(self, line: Line, told: Told | None = None) -> None:
        self._drops += 1
        self._had = dict(line.numbers)
        self._unanswered = set(self._waiting)
        self._waiting.clear()
        for check in (RETURNS, TOKEN, SEEN):
            self.marks.begin(check)
        line.break_off(told)
        self.play.progress()

    # --- what comes of it ---

    def said_hello(self, line: Line, hello: Hello) -> Hello:
        had, self._had = self._had, None
        self._waiting.clear()
        if had is None:
            return hello
        is_last = self._drops == self.times
        if is_last:
            self.marks.passed(RETURNS)
        if not hello.token:
            self.marks.failed(TOKEN, "It came back as somebody new, without the token it had in welcome.")
            return hello
        if is_last:
            self.marks.passed(TOKEN)
        seen = {one.table: one.number for one in hello.seen}
        for table, number in had.items():
            said = seen.get(table)
            if said is None:
                self.marks.failed(SEEN, f"It had event {number} of table {table}, and seen does not name the table.")
            elif said != number:
                self.marks.failed(SEEN, f"It had event {number} of table {table}, and said {said} in seen.")
        if is_last:
            self.marks.passed(SEEN)
        if hello.asked:
            strange = sorted(set(hello.asked) - self._unanswered)
            if strange:
                self.marks.failed(ASKED, f"It named requests that were answered, or never made: {strange}.")
            self.marks.passed(ASKED)
        return hello

    def heard(self, line: Line, message: ClientMessage) -> bool:
        if (request := getattr(message, "id", None)) is not None:
            self._waiting.add(request)
        return True

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        if isinstance(message, Ok | Refused):
            self._waiting.discard(message.id)
        return (message,)

    def moved(self, decision: tuple[int, int]) -> None:
        self._moves += 1
        if self._drops and decision == self._decision and ANSWERS_AGAIN in self.checks:
            self.marks.passed(ANSWERS_AGAIN)
        elif self._drops == self.times and self._had is None and decision != self._decision and GOES_ON in self.checks:
            self.marks.passed(GOES_ON)


class InTheMiddle(Dropped):
    """Half a decision is sent."""

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        if isinstance(message, Decision) and self._is_time:
            self._decision = (message.table, message.decision)
            self.marks.begin(ANSWERS_AGAIN)
            self._drop(line, message)
            return ()
        return super().told(line, message)


class AgainAndAgain(InTheMiddle):
    """And when the client is back, half of what it missed."""

    times = 3

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        is_back = 0 < self._drops < self.times and isinstance(message, Welcome | Events | TableSnapshot)
        if is_back and (isinstance(message, Welcome) == (self._drops == 1)):
            self._drop(line, message)
            return ()
        return super().told(line, message)


class BeforeOk(Dropped):
    """An answer is never heard."""

    def heard(self, line: Line, message: ClientMessage) -> bool:
        super().heard(line, message)
        if isinstance(message, Act) and self._is_time:
            self._decision = (message.table, message.decision)
            self.marks.begin(ANSWERS_AGAIN)
            self._drop(line)
            return False
        return True


class AfterOk(Dropped):
    """An answer is heard and carried out, and nothing of that is ever told."""

    def heard(self, line: Line, message: ClientMessage) -> bool:
        super().heard(line, message)
        if isinstance(message, Act) and self._is_time:
            self._decision = (message.table, message.decision)
            self.marks.begin(GOES_ON)
            self._drop(line)
            if self.play.pass_on(line, message):
                self.play.critic.carried_out(message.table, message.decision)
            return False
        return True


_BACK = (RETURNS, TOKEN, SEEN)


def scenes(game: str) -> Iterator[Scene]:
    """All of one rule set, for nothing in them is a matter of rules."""
    for name, tries, mischief, checks in (
        (
            "drop-in-message",
            "The line drops when half of a decision has been sent.",
            InTheMiddle,
            (*_BACK, ANSWERS_AGAIN),
        ),
        (
            "drop-again",
            "The line drops in the middle of a decision, again in the welcome, and again in what was missed.",
            AgainAndAgain,
            (*_BACK, ANSWERS_AGAIN),
        ),
        (
            "drop-before-act",
            "The line drops with an answer on it that never arrives.",
            BeforeOk,
            (*_BACK, ASKED, ANSWERS_AGAIN),
        ),
        (
            "drop-before-ok",
            "The line drops when an answer was carried out, and its ok is lost.",
            AfterOk,
            (*_BACK, ASKED, GOES_ON),
        ),
    ):
        yield Scene(name=name, tries=tries, game=game, checks=checks, mischief=mischief)

"""Goodbyes: after some a client is to come back, after others it is to stay away."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from put_conformance.case import Mischief, Play, Scene
from put_conformance.checks import Check, Section
from put_conformance.fault_injector import Line, Told
from put_protocol.messages import Decision, Goodbye, Hello, ServerMessage

BACK_S = 1
MOST_ATTEMPTS = 10
"""To come back while nobody is there: what a client that waits between attempts stays far below."""

WATCHED_MS = 1_500
"""After a goodbye for good."""

MOST_RETURNS = 2
"""In that time: once with the token, and once without, having heard that the token has ended. More is a loop."""

COMES_BACK = Check(
    name="comes_back",
    should="Comes back, with its token, to a server that said when it would be.",
    section=Section.RETURN,
)
PATIENT = Check(name="patient", should="Leaves time between attempts while the server is away.", section=Section.RETURN)
STAYS_AWAY = Check(
    name="stays_away", should="Ends, or waits to be told: it does not connect again at once.", section=Section.GOODBYES
)


class Draining(Mischief):
    """The server stops in the middle of a game, and is back a second later with every table as it was."""

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._moves = 0
        self._is_gone = False
        self._connections = 0
        self._back_at = 0

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        if isinstance(message, Decision) and self._moves and not self._is_gone:
            self._is_gone = True
            self._connections = self.play.connections
            self._back_at = self.play.now + BACK_S * 1000
            self.play.shut(self._back_at)
            for check in (COMES_BACK, PATIENT):
                self.marks.begin(check)
            line.farewell(Goodbye(code="draining", says="the server is stopping, and back in a second", back_s=BACK_S))
            return ()
        return (message,)

    def tick(self, now: int) -> None:
        if self._is_gone and now < self._back_at:
            self.play.progress()
            attempts = self.play.connections - self._connections
            if attempts > MOST_ATTEMPTS:
                self.marks.failed(PATIENT, f"It tried {attempts} times within a second of being told to wait for one.")

    def said_hello(self, line: Line, hello: Hello) -> Hello:
        if self._is_gone:
            self.marks.passed(PATIENT)
            if not hello.token:
                self.marks.failed(COMES_BACK, "It came back as somebody new, without its token.")
        return hello

    def moved(self, decision: tuple[int, int]) -> None:
        self._moves += 1
        if self._is_gone:
            self.marks.passed(COMES_BACK)


class ForGood(Mischief):
    """Somebody is sent away."""

    code: Literal["bye", "kicked", "taken_over"] = "bye"
    says = "goodbye"

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._moves = 0
        self._gone_at: int | None = None
        self._connections = 0

    @property
    def may_end(self) -> bool:
        return self._gone_at is not None

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        if isinstance(message, Decision) and self._moves and self._gone_at is None:
            self._gone_at = self.play.now
            self._connections = self.play.connections
            self.marks.begin(STAYS_AWAY)
            person, line.person = line.person, None
            line.farewell(Goodbye(code=self.code, says=self.says))
            if person is not None:
                self.play.forget(person, is_departed=self.code != "taken_over")
            return ()
        return (message,)

    def tick(self, now: int) -> None:
        if self._gone_at is None:
            return
        self.play.progress()
        returns = self.play.connections - self._connections
        if returns > MOST_RETURNS:
            waited = now - self._gone_at
            self.marks.failed(
                STAYS_AWAY, f"It connected {returns} times within {waited} ms of the goodbye {self.code}."
            )
        elif now - self._gone_at >= WATCHED_MS:
            self.marks.passed(STAYS_AWAY)

    def moved(self, decision: tuple[int, int]) -> None:
        self._moves += 1


class Kicked(ForGood):
    code = "kicked"
    says = "you were asked not to shout"


class TakenOver(ForGood):
    code = "taken_over"
    says = "you came back by another connection"


def scenes(game: str) -> Iterator[Scene]:
    """All of one rule set, for nothing in them is a matter of rules."""
    yield Scene(
        name="goodbye-draining",
        tries=f"The server says goodbye in the middle of a game, and is back after {BACK_S} second, as it said.",
        game=game,
        checks=(COMES_BACK, PATIENT),
        mischief=Draining,
    )
    for name, tries, mischief in (
        ("goodbye-bye", "The server says goodbye for good.", ForGood),
        ("goodbye-kicked", "The client is sent away; its token has ended.", Kicked),
        ("goodbye-taken-over", "Somebody with the client's token has taken its place.", TakenOver),
    ):
        yield Scene(name=name, tries=tries, game=game, checks=(STAYS_AWAY,), mischief=mischief)

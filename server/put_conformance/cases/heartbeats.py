"""Heartbeats and silence."""

from collections.abc import Iterable, Iterator, Sequence

from put_conformance.case import Mischief, Play, Scene
from put_conformance.checks import Check, Section
from put_conformance.fault_injector import Line, Told
from put_protocol.limits import QUIET_MS
from put_protocol.messages import ClientMessage, Decision, Ping, Pong, ServerMessage

SILENCE_MS = 2_000
"""Far below what a connection may be silent: a client that cannot bear it cannot bear an opponent who thinks."""

PONG = Check(name="pong", should="Answers every ping with a pong.", section=Section.HEARTS)
BEARS = Check(name="bears_silence", should="Bears silence, or breaks it with a ping.", section=Section.HEARTS)


class Pings(Mischief):
    """One ping behind the welcome, and one before each of two decisions, so that one finds the client thinking."""

    wanted_pongs = 3

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._pings = 0
        self._pongs = 0
        self._due: int | None = None

    def _ping(self) -> tuple[Ping, ...]:
        if self._pings >= self.wanted_pongs:
            return ()
        self._pings += 1
        self.marks.begin(PONG)
        return (Ping(),)

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        if isinstance(message, Decision):
            return (*self._ping(), message)
        if not self._pings:
            return (message, *self._ping())
        return (message,)

    def heard(self, line: Line, message: ClientMessage) -> bool:
        if isinstance(message, Pong):
            self._pongs += 1
            if self._pongs > self._pings:
                self.marks.failed(PONG, f"It sent {self._pongs} pongs to {self._pings} pings.")
            if self._pongs >= self.wanted_pongs:
                self.marks.passed(PONG)
        return True

    def moved(self, decision: tuple[int, int]) -> None:
        """Messages are heard in order, but a client may answer from two threads: a pong has a few moves of grace."""
        if self._pings < self.wanted_pongs or self._pongs >= self._pings:
            return
        self._due = 0 if self._due is None else self._due + 1
        if self._due >= 10:
            self.marks.failed(PONG, f"Of {self._pings} pings it answered {self._pongs}.")


class Silence(Mischief):
    """A decision is a long time coming."""

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._held: tuple[Line, ServerMessage] | None = None
        self._until = 0
        self._moves = 0
        self._is_over = False

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        if isinstance(message, Decision) and self._moves and not self._is_over and self._held is None:
            self._held = (line, message)
            self._until = self.play.now + SILENCE_MS
            self.marks.begin(BEARS)
            return ()
        return (message,)

    def tick(self, now: int) -> None:
        if self._held is None:
            return
        self.play.progress()
        if now >= self._until:
            (line, message), self._held = self._held, None
            self._is_over = True
            self.play.say(line, message)

    def lost(self, line: Line) -> None:
        if self._held is not None:
            self._held = None
            self.marks.failed(BEARS, "It closed the line, or lost it, while nothing was said.")

    def moved(self, decision: tuple[int, int]) -> None:
        self._moves += 1
        if self._is_over:
            self.marks.passed(BEARS)


def scenes(game: str) -> Iterator[Scene]:
    """All of one rule set, for nothing in them is a matter of rules."""
    yield Scene(
        name="ping",
        tries="Pings come: behind the welcome, and with decisions.",
        game=game,
        checks=(PONG,),
        mischief=Pings,
    )
    yield Scene(
        name="silence",
        tries=f"Nothing is said for {SILENCE_MS / 1000:g} seconds; in earnest it may be {QUIET_MS // 1000}.",
        game=game,
        checks=(BEARS,),
        mischief=Silence,
    )

"""Refusals a client meets sooner or later: too late, illegal, too fast."""

from collections.abc import Iterable, Iterator, Sequence

from put_conformance.case import Mischief, Play, Scene
from put_conformance.checks import Check, Section
from put_conformance.fault_injector import Line, Told
from put_protocol.messages import Act, Again, ClientMessage, Cut, Decision, Ping, Pong, Refused, ServerMessage
from put_protocol.refusals import RefusalCode

BEFORE = 1
"""Moves before the mischief."""

LATER = 2
"""Moves after it: the late answer was not sent again meanwhile."""

TURN_S = 60
"""On the table's clock, where time is to run out."""

RETRY_MS = 400
EARLY_MS = 5
"""Timers of some languages fire so much before their time."""

MOST_TRIES = 8
"""Answers to one decision before it is a loop."""

TOO_LATE = Check(
    name="too_late", should="Takes too_late for what it is, and answers the next decision.", section=Section.REFUSALS
)
ILLEGAL = Check(
    name="illegal",
    should="Chooses again from the legal list when an action is refused as illegal, and does not end.",
    section=Section.REFUSALS,
)
WAITS = Check(
    name="waits",
    should="Waits for retry_after_ms when it was too fast, and asks for nothing meanwhile.",
    section=Section.LIMITS,
)
ASKS_AGAIN = Check(name="asks_again", should="Asks again for what was refused as too fast.", section=Section.LIMITS)


class TooLate(Mischief):
    """Its time is over while the answer is on its way."""

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._moves = 0
        self._late: tuple[int, int] | None = None
        self._tries = 0
        self._later = 0

    def heard(self, line: Line, message: ClientMessage) -> bool:
        if not isinstance(message, Act):
            return True
        if self._late is None and self._moves >= BEFORE:
            self._late = (message.table, message.decision)
            self.marks.begin(TOO_LATE)
            self.play.critic.expire(message.table)
            self.play.stage.skip(TURN_S * 1000 + 1)
        elif self._late == (message.table, message.decision):
            self._tries += 1
            if self._tries >= MOST_TRIES:
                self.marks.failed(TOO_LATE, f"It sent the same answer {self._tries} times more.")
        return True

    def moved(self, decision: tuple[int, int]) -> None:
        self._moves += 1
        self._later += self._late is not None
        if self._later >= LATER:
            self.marks.passed(TOO_LATE)


class Illegal(Mischief):
    """A legal answer is refused as if it were not; the decision stands."""

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._moves = 0
        self._refused: tuple[int, int] | None = None

    def heard(self, line: Line, message: ClientMessage) -> bool:
        if isinstance(message, Act) and self._refused is None and self._moves >= BEFORE:
            self._refused = (message.table, message.decision)
            self.marks.begin(ILLEGAL)
            says = "that is not among the legal actions of this decision"
            self.play.say(line, Refused(message.id, RefusalCode.ILLEGAL, says, field="action"))
            return False
        return True

    def moved(self, decision: tuple[int, int]) -> None:
        self._moves += 1
        if self._refused is not None and decision == self._refused:
            self.marks.passed(ILLEGAL)


class TooFast(Mischief):
    """The first request is refused as one too many."""

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._kind: type[ClientMessage] | None = None
        self._since = 0

    def heard(self, line: Line, message: ClientMessage) -> bool:
        if isinstance(message, Act | Again | Cut | Ping | Pong) or (request := getattr(message, "id", None)) is None:
            return True
        if self._kind is None:
            self._kind, self._since = type(message), self.play.now
            for check in (WAITS, ASKS_AGAIN):
                self.marks.begin(check)
            says = f"too many requests: wait {RETRY_MS / 1000:.1f} seconds"
            self.play.say(line, Refused(request, RefusalCode.TOO_FAST, says, retry_after_ms=RETRY_MS))
            return False
        waited = self.play.now - self._since
        if not self.marks.is_decided(WAITS):
            if waited < RETRY_MS - EARLY_MS:
                kind = message.__struct_config__.tag
                self.marks.failed(
                    WAITS, f"It was told to wait {RETRY_MS} ms, and asked again ({kind}) after {waited} ms."
                )
            self.marks.passed(WAITS)
        if isinstance(message, self._kind):
            self.marks.passed(ASKS_AGAIN)
        return True

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        if isinstance(message, Decision):  # it has gone another way, and waited long enough
            self.marks.passed(ASKS_AGAIN)
        return (message,)


def scenes(game: str) -> Iterator[Scene]:
    """All of one rule set, for nothing in them is a matter of rules."""
    yield Scene(
        name="too-late",
        tries="The time for a decision runs out while the answer is on its way.",
        game=game,
        turn=TURN_S,
        checks=(TOO_LATE,),
        mischief=TooLate,
    )
    yield Scene(
        name="illegal",
        tries="An answer is refused as illegal, once, and the decision stands.",
        game=game,
        checks=(ILLEGAL,),
        mischief=Illegal,
    )
    yield Scene(
        name="too-fast",
        tries=f"The first request that is no move is refused as too_fast, with {RETRY_MS} ms to wait.",
        game=game,
        checks=(WAITS, ASKS_AGAIN),
        mischief=TooFast,
    )

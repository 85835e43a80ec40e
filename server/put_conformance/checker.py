"""The checks that hold in every scene, judged by what the client sends and was told: never by what it holds."""

from dataclasses import dataclass

from put_conformance import checks
from put_conformance.fault_injector import Line
from put_conformance.marks import Marks
from put_protocol import ACCEPTED_VERSIONS
from put_protocol.errors import FramingError, MessageError
from put_protocol.games.unions import (
    Action,
)
from put_protocol.messages import (
    Act,
    Again,
    ClientMessage,
    Cut,
    Decision,
    Goodbye,
    Hello,
    Left,
    Ok,
    Refused,
    ServerMessage,
)
from put_protocol.refusals import RefusalCode
from put_server.transport.rate_limit import Pace

MOST_CONNECTIONS = 40
"""In one scene; no scene breaks more than a few."""

MOST_MOVES_REFUSED = 50
"""Of one scene. Moves that are carried out are not counted, by a real server neither."""


@dataclass(slots=True)
class _Asked:
    """A decision the client was sent."""

    legal: tuple[Action, ...]
    since: int
    is_answered: bool = False
    """An answer is on its way, or was carried out."""
    is_over: bool = False
    """It was carried out."""


class Critic:
    """Marks the checks of `checks.ALWAYS`."""

    def __init__(self, marks: Marks, *, timeout_ms: int, first_table: int) -> None:
        """Tables numbered below `first_table` were of earlier scenes, and what is still asked there is not judged."""
        self.moves = 0
        """Carried out."""
        self._marks = marks
        self._timeout = timeout_ms
        self._first_table = first_table
        self._asked: dict[tuple[int, int], _Asked] = {}
        self._ids: dict[Line, set[int]] = {}
        self._acts: dict[tuple[Line, int], tuple[int, int]] = {}
        self._paces: dict[Line, Pace] = {}
        self._connections = 0
        self._refused = 0
        marks.begin(checks.HELLO)

    # --- connections ---

    def connected(self, line: Line, now: int) -> bool:
        """Whether it is still to be let in."""
        self._connections += 1
        self._ids[line] = set()
        self._paces[line] = Pace(now)
        if self._connections > MOST_CONNECTIONS:
            self._marks.failed(checks.PACE, f"It connected {self._connections} times in one scene.")
            return False
        return True

    def lost(self, line: Line) -> None:
        """Answers on their way are lost with it."""
        for (sent_on, _), key in list(self._acts.items()):
            if sent_on is line and (asked := self._asked.get(key)) is not None and not asked.is_over:
                asked.is_answered = False
        self._ids.pop(line, None)
        self._paces.pop(line, None)

    # --- what the client says ---

    def heard(self, line: Line, message: ClientMessage, now: int) -> Goodbye | Refused | None:
        """Judge it. Returns what a real server would say to it instead of hearing it."""
        if isinstance(message, Hello):
            return self._hello(line, message)
        if not line.has_hello:
            self._marks.failed(checks.HELLO, f"Its first message was {_kind(message)}, not hello.")
            return Goodbye(code="protocol", says="the first message must be a hello")
        if (request := getattr(message, "id", None)) is not None:
            self._marks.begin(checks.IDS)
            ids = self._ids[line]
            if request in ids:
                self._marks.failed(checks.IDS, f"It used the id {request} again, for {_kind(message)}.")
            ids.add(request)
        self._marks.begin(checks.PACE)
        if isinstance(message, Act):
            self._act(line, message)
        elif not isinstance(message, Again | Cut):
            return self._in_pace(line, getattr(message, "id", 0), now)
        return None

    def _in_pace(self, line: Line, request: int, now: int) -> Goodbye | Refused | None:
        pace = self._paces[line]
        wait = pace.spend(now)
        if pace.is_hopeless:
            says = "it asked too often, and did not wait when it was told to"
            self._marks.failed(checks.PACE, f"{says.capitalize()}.")
            return Goodbye(code="too_fast", says=says)
        if wait and request:
            says = f"too many requests: wait {wait / 1000:.1f} seconds"
            return Refused(request, RefusalCode.TOO_FAST, says, retry_after_ms=wait)
        return None

    def misheard(self, line: Line, error: MessageError | FramingError) -> None:
        """What it sent is no message."""
        if not line.has_hello:
            self._marks.failed(checks.HELLO, f"What it sent first is no hello: {error.reason}.")
        else:
            self._marks.failed(checks.SCHEMA, f"What it sent is no message: {error.reason}.")

    def _hello(self, line: Line, hello: Hello) -> Goodbye | None:
        marks = self._marks
        if line.has_hello:
            marks.failed(checks.HELLO, "It said hello twice on one connection.")
            return Goodbye(code="protocol", says="a second hello")
        line.has_hello = True
        for check in (checks.VERSION, checks.SCHEMA, checks.STAYS):
            marks.begin(check)
        if hello.version not in ACCEPTED_VERSIONS:
            marks.failed(checks.VERSION, f"It said version {hello.version}.")
            says = "this server speaks another version of the protocol"
            return Goodbye(code="refused", says=says, refusal=RefusalCode.VERSION)
        if not hello.token:
            marks.begin(checks.IS_BOT)
            if not hello.is_bot:
                marks.failed(checks.IS_BOT, "It said hello without is_bot, as a person would.")
        self._ids[line].update(hello.asked)
        return None

    def _act(self, line: Line, act: Act) -> None:
        if act.table < self._first_table:
            return
        marks = self._marks
        key = (act.table, act.decision)
        asked = self._asked.get(key)
        for check in (checks.OWN, checks.ONCE, checks.LEGAL):
            marks.begin(check)
        self._acts[line, act.id] = key
        if asked is None:
            marks.failed(
                checks.OWN, f"It answered decision {act.decision} of table {act.table}, which it was not asked."
            )
            return
        if asked.is_answered:
            marks.failed(checks.ONCE, f"It answered decision {act.decision} of table {act.table} again.")
        if act.action not in asked.legal:
            listed = ", ".join(_action_told(action) for action in asked.legal)
            marks.failed(
                checks.LEGAL,
                f"It answered decision {act.decision} with {_action_told(act.action)}, which was not among {listed}.",
            )
        asked.is_answered = True

    # --- what it is told ---

    def told(self, line: Line, message: ServerMessage, now: int) -> tuple[int, int] | None:
        """What this connection of the client's is told. Returns the decision, if it says an answer was carried out."""
        match message:
            case Decision(table=table, decision=decision, legal=legal):
                self._marks.begin(checks.IN_TIME)
                known = self._asked.get((table, decision))
                if known is None:
                    self._asked[table, decision] = _Asked(tuple([choice.action for choice in legal]), now)
                else:  # it comes again after a drop or a pause, and its time begins again
                    known.since = now
            case Ok(id=request):
                return self._answered(line, request, is_carried_out=True)
            case Refused(id=request, code=code):
                self._answered(line, request, is_carried_out=False)
                if code is RefusalCode.BAD_REQUEST:
                    self._marks.failed(checks.SCHEMA, f"It sent what does not fit: {message.says}.")
            case Left(table=table):
                for key in [key for key in self._asked if key[0] == table]:
                    self._asked[key].is_over = True
            case _:
                pass
        return None

    def _answered(self, line: Line, request: int, *, is_carried_out: bool) -> tuple[int, int] | None:
        key = self._acts.pop((line, request), None)
        if key is None:
            return None
        if is_carried_out:
            self.carried_out(*key)
            return key
        if key in self._asked:
            self._refused += 1
            self._asked[key].is_answered = self._asked[key].is_over
            if self._refused > MOST_MOVES_REFUSED:
                self._marks.failed(checks.PACE, f"It sent {self._refused} moves that were refused.")
        return None

    def carried_out(self, table: int, decision: int) -> None:
        """The client's answer holds, whether it has heard so or not."""
        asked = self._asked[table, decision]
        if not asked.is_over:
            self.moves += 1
        asked.is_answered = asked.is_over = True

    def expire(self, table: int) -> None:
        """Time decided whatever was asked at this table; an answer is late and no more."""
        for key, asked in self._asked.items():
            if key[0] == table:
                asked.is_over = True

    def tick(self, now: int) -> None:
        """Whether anything is overdue."""
        for (table, decision), asked in self._asked.items():
            if not (asked.is_answered or asked.is_over) and now - asked.since > self._timeout:
                seconds = self._timeout / 1000
                self._marks.failed(
                    checks.IN_TIME, f"It left decision {decision} of table {table} unanswered for {seconds:g} seconds."
                )

    def hold(self, now: int) -> None:
        """What waits is not the client's fault: its time begins again."""
        for asked in self._asked.values():
            asked.since = now

    def is_waited_for(self) -> bool:
        """Whether a decision waits for the client."""
        return any(not (asked.is_answered or asked.is_over) for asked in self._asked.values())


def _kind(message: ClientMessage) -> str:
    return str(message.__struct_config__.tag)


def _action_told(action: Action) -> str:
    """As `play 3s`."""
    return " ".join(
        [str(action.__struct_config__.tag), *[str(getattr(action, name)) for name in action.__struct_fields__]]
    )

"""Judge of the checks of every case. It sees only messages to and from the client."""

from dataclasses import dataclass

from put_conformance import checks
from put_conformance.checks import CheckResults
from put_conformance.client_connection import CandidateConnection
from put_protocol import ACCEPTED_VERSIONS, messages
from put_protocol.errors import FramingError, MessageError
from put_protocol.games.unions import Action
from put_protocol.refusals import RefusalCode
from put_server.transport.rate_limit import RateLimit

MOST_CONNECTIONS = 40
"""Most connections in one case; no case drops more than a few."""

MOST_MOVES_REFUSED = 50
"""Most refused moves in one case. Accepted moves are not limited, as on a real server."""


@dataclass(slots=True)
class _SentDecision:
    legal: tuple[Action, ...]
    since: int
    is_answered: bool = False
    """An answer is in flight, or was carried out."""
    is_over: bool = False
    """It was carried out."""


class ClientChecker:
    def __init__(self, results: CheckResults, *, timeout_ms: int, first_table: int) -> None:
        """Tables below `first_table` belong to earlier cases; answers there are not judged."""
        self.moves = 0
        """Accepted moves of the client."""

        self._results = results
        self._timeout = timeout_ms
        self._first_table = first_table
        self._asked: dict[tuple[int, int], _SentDecision] = {}
        self._acts: dict[tuple[CandidateConnection, int], tuple[int, int]] = {}
        self.connection_count = 0
        self._refused = 0
        results.begin(checks.HELLO)

    def connected(self, connection: CandidateConnection, now: int) -> bool:
        """Count the connection. False: refuse it."""
        self.connection_count += 1
        connection.rate_limit = RateLimit(now)
        if self.connection_count > MOST_CONNECTIONS:
            self._results.failed(checks.PACE, f"It connected {self.connection_count} times in one case.")
            return False
        return True

    def disconnected(self, connection: CandidateConnection) -> None:
        """Answers in flight are lost with the connection."""
        for (sent_on, _), key in list(self._acts.items()):
            if sent_on is connection and (asked := self._asked.get(key)) is not None and not asked.is_over:
                asked.is_answered = False

    def incoming(
        self, connection: CandidateConnection, message: messages.ClientMessage, now: int
    ) -> messages.Goodbye | messages.Refused | None:
        """Judge a message. Returns the refusal or goodbye with which a real server would answer, if any."""
        if isinstance(message, messages.Hello):
            return self._hello(connection, message)
        if not connection.has_hello:
            self._results.failed(checks.HELLO, f"Its first message was {tag_of(message)}, not hello.")
            return messages.Goodbye(code="protocol", says="the first message must be a hello")
        if (request := getattr(message, "id", None)) is not None:
            self._results.begin(checks.IDS)
            if request in connection.request_ids:
                self._results.failed(checks.IDS, f"It used the id {request} again, for {tag_of(message)}.")
            connection.request_ids.add(request)
        self._results.begin(checks.PACE)
        if isinstance(message, messages.Act):
            self._act(connection, message)
        elif not isinstance(message, messages.Again):
            return self._in_pace(connection, getattr(message, "id", 0), now)
        return None

    def _in_pace(
        self, connection: CandidateConnection, request: int, now: int
    ) -> messages.Goodbye | messages.Refused | None:
        wait = connection.rate_limit.spend(now)
        if connection.rate_limit.is_hopeless:
            says = "it asked too often, and did not wait when it was told to"
            self._results.failed(checks.PACE, f"{says.capitalize()}.")
            return messages.Goodbye(code="too_fast", says=says)
        if wait and request:
            says = f"too many requests: wait {wait / 1000:.1f} seconds"
            return messages.Refused(request, RefusalCode.TOO_FAST, says, retry_after_ms=wait)
        return None

    def invalid(self, connection: CandidateConnection, error: MessageError | FramingError) -> None:
        if not connection.has_hello:
            self._results.failed(checks.HELLO, f"What it sent first is no hello: {error.reason}.")
        else:
            self._results.failed(checks.SCHEMA, f"What it sent is no message: {error.reason}.")

    def _hello(self, connection: CandidateConnection, hello: messages.Hello) -> messages.Goodbye | None:
        results = self._results
        if connection.has_hello:
            results.failed(checks.HELLO, "It said hello twice on one connection.")
            return messages.Goodbye(code="protocol", says="a second hello")
        connection.has_hello = True
        for check in (checks.VERSION, checks.SCHEMA, checks.STAYS):
            results.begin(check)
        if hello.version not in ACCEPTED_VERSIONS:
            results.failed(checks.VERSION, f"It said version {hello.version}.")
            says = "this server speaks another version of the protocol"
            return messages.Goodbye(code="refused", says=says, refusal=RefusalCode.VERSION)
        if not hello.token:
            results.begin(checks.IS_BOT)
            if not hello.is_bot:
                results.failed(checks.IS_BOT, "It said hello without is_bot, as a person would.")
        connection.request_ids.update(hello.asked)
        return None

    def _act(self, connection: CandidateConnection, act: messages.Act) -> None:
        if act.table < self._first_table:
            return
        results = self._results
        key = (act.table, act.decision)
        asked = self._asked.get(key)
        for check in (checks.OWN, checks.ONCE, checks.LEGAL):
            results.begin(check)
        self._acts[connection, act.id] = key
        if asked is None:
            results.failed(
                checks.OWN, f"It answered decision {act.decision} of table {act.table}, which it was not asked."
            )
            return
        if asked.is_answered:
            results.failed(checks.ONCE, f"It answered decision {act.decision} of table {act.table} again.")
        if act.action not in asked.legal:
            listed = ", ".join(_format_action(action) for action in asked.legal)
            results.failed(
                checks.LEGAL,
                f"It answered decision {act.decision} with {_format_action(act.action)}, which was not among {listed}.",
            )
        asked.is_answered = True

    def outgoing(
        self, connection: CandidateConnection, message: messages.ServerMessage, now: int
    ) -> tuple[int, int] | None:
        """A message is sent to the client. Returns the decision whose answer it confirms, if any."""
        match message:
            case messages.Decision(table=table, decision=decision, legal=legal):
                self._results.begin(checks.IN_TIME)
                known = self._asked.get((table, decision))
                if known is None:
                    self._asked[table, decision] = _SentDecision(tuple([choice.action for choice in legal]), now)
                else:  # it comes again after a drop or a pause, and its time begins again
                    known.since = now
            case messages.Ok(id=request):
                return self._answered(connection, request, is_carried_out=True)
            case messages.Refused(id=request, code=code):
                self._answered(connection, request, is_carried_out=False)
                if code is RefusalCode.BAD_REQUEST:
                    self._results.failed(checks.SCHEMA, f"It sent what does not fit: {message.says}.")
            case messages.Left(table=table):
                for key in [key for key in self._asked if key[0] == table]:
                    self._asked[key].is_over = True
            case _:
                pass
        return None

    def _answered(
        self, connection: CandidateConnection, request: int, *, is_carried_out: bool
    ) -> tuple[int, int] | None:
        key = self._acts.pop((connection, request), None)
        if key is None:
            return None
        if is_carried_out:
            self.carried_out(*key)
            return key
        if key in self._asked:
            self._refused += 1
            self._asked[key].is_answered = self._asked[key].is_over
            if self._refused > MOST_MOVES_REFUSED:
                self._results.failed(checks.PACE, f"It sent {self._refused} moves that were refused.")
        return None

    def carried_out(self, table: int, decision: int) -> None:
        """The client's answer was carried out, even if the client has not been told."""
        asked = self._asked[table, decision]
        if not asked.is_over:
            self.moves += 1
        asked.is_answered = asked.is_over = True

    def expire(self, table: int) -> None:
        """The time for decisions at this table is over: a late answer is no fault."""
        for key, asked in self._asked.items():
            if key[0] == table:
                asked.is_over = True

    def tick(self, now: int) -> None:
        for (table, decision), asked in self._asked.items():
            if not (asked.is_answered or asked.is_over) and now - asked.since > self._timeout:
                seconds = self._timeout / 1000
                self._results.failed(
                    checks.IN_TIME, f"It left decision {decision} of table {table} unanswered for {seconds:g} seconds."
                )

    def hold(self, now: int) -> None:
        """Restart the time limit of open decisions: the delay is not the client's fault."""
        for asked in self._asked.values():
            asked.since = now


def tag_of(message: messages.ClientMessage) -> str:
    return str(message.__struct_config__.tag)


def _format_action(action: Action) -> str:
    """The action in words, such as `play 3s`."""
    return " ".join(
        [str(action.__struct_config__.tag), *[str(getattr(action, name)) for name in action.__struct_fields__]]
    )

"""Refusals that every client gets sooner or later: too late, illegal, too fast."""

from collections.abc import Iterable

from msgspec.structs import replace

from put_conformance.case import FaultInjector
from put_conformance.checks import ASKS_AGAIN, ILLEGAL, TOO_LATE, WAITS
from put_conformance.client_connection import CandidateConnection, Outgoing
from put_protocol.messages import Act, Again, ClientMessage, Cut, Decision, Ping, Pong, Refused, ServerMessage
from put_protocol.refusals import RefusalCode

MOVES_AFTER = 2
"""Moves after the refusal in which the late answer was not sent again."""

TURN_S = 60
"""Limit of a decision in the case where time runs out."""

RETRY_MS = 400
EARLY_MS = 5
"""Timers of some languages fire this much early."""

MOST_TRIES = 8
"""The same answer to one decision before it counts as a loop: a client that chooses at random may repeat itself."""


class RefusedAsTooLate(FaultInjector):
    """Lets the time run out while the answer is on its way."""

    name = "too-late"
    summary = "The time for a decision runs out while the answer is on its way."
    turn = TURN_S
    tries = (TOO_LATE,)

    _late: tuple[int, int] | None = None
    _tries = 0
    _later = 0

    def incoming(self, connection: CandidateConnection, message: ClientMessage) -> bool:
        if not isinstance(message, Act):
            return True
        if self._late is None and self.moves >= self.moves_before:
            self._late = (message.table, message.decision)
            self.results.begin(TOO_LATE)
            self.context.checker.expire(message.table)
            self.context.server.skip(TURN_S * 1000 + 1)
        elif self._late == (message.table, message.decision):
            self._tries += 1
            if self._tries >= MOST_TRIES:
                self.results.failed(TOO_LATE, f"It sent the same answer {self._tries} times more.")
        return True

    def outgoing(self, connection: CandidateConnection, message: ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, Refused) and message.code is RefusalCode.NO_GAME:
            self._late = None  # lost with the hand was the game, so nothing was too late: try with another decision
        return (message,)

    def move_accepted(self, decision: tuple[int, int]) -> None:
        self._later += self._late is not None
        if self._later >= MOVES_AFTER:
            self.results.passed(TOO_LATE)


class RefusedAsIllegal(FaultInjector):
    """Refuses a legal answer as illegal, as often as it comes; the decision stands, and has other answers."""

    name = "illegal"
    summary = "An answer is refused as illegal, and the decision stands."
    tries = (ILLEGAL,)

    _refused: Act | None = None
    _tries = 0
    _choices = 0
    """Number of choices at the last decision."""

    def outgoing(self, connection: CandidateConnection, message: ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, Decision):
            self._choices = len(message.legal)
        return (message,)

    def incoming(self, connection: CandidateConnection, message: ClientMessage) -> bool:
        if not isinstance(message, Act):
            return True
        if self._refused is None and self._choices > 1 and self.moves >= self.moves_before:
            self._refused = message
            self.results.begin(ILLEGAL)
        if self._refused is not None and replace(message, id=self._refused.id) == self._refused:
            self._tries += 1
            if self._tries >= MOST_TRIES:
                self.results.failed(ILLEGAL, f"It sent the action that was refused {self._tries} times.")
            says = "that is not among the legal actions of this decision"
            self.context.send(connection, Refused(message.id, RefusalCode.ILLEGAL, says, field="action"))
            return False
        return True

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._refused is not None and decision == (self._refused.table, self._refused.decision):
            self.results.passed(ILLEGAL)


class RefusedAsTooFast(FaultInjector):
    """Refuses the first request as one too many."""

    name = "too-fast"
    summary = f"The first request that is no move is refused as too_fast, with {RETRY_MS} ms to wait."
    tries = (WAITS, ASKS_AGAIN)

    _kind: type[ClientMessage] | None = None
    _since = 0

    def incoming(self, connection: CandidateConnection, message: ClientMessage) -> bool:
        if isinstance(message, Act | Again | Cut | Ping | Pong) or (request := getattr(message, "id", None)) is None:
            return True
        if self._kind is None:
            self._kind, self._since = type(message), self.context.now
            self.results.begin(WAITS, ASKS_AGAIN)
            says = f"too many requests: wait {RETRY_MS / 1000:.1f} seconds"
            self.context.send(connection, Refused(request, RefusalCode.TOO_FAST, says, retry_after_ms=RETRY_MS))
            return False
        waited = self.context.now - self._since
        if not self.results.is_decided(WAITS):
            if waited < RETRY_MS - EARLY_MS:
                kind = message.__struct_config__.tag
                says = f"It was told to wait {RETRY_MS} ms, and asked again ({kind}) after {waited} ms."
                self.results.failed(WAITS, says)
            self.results.passed(WAITS)
        if isinstance(message, self._kind):
            self.results.passed(ASKS_AGAIN)
        return True

    def outgoing(self, connection: CandidateConnection, message: ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, Decision):  # it chose another way to a table, and waited long enough
            self.results.passed(ASKS_AGAIN)
        return (message,)

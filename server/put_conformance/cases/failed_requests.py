"""Failing requests: refused ones, and those lost with the connection, or whose answers are lost."""

from collections.abc import Iterable

from msgspec.structs import replace

from put_conformance import checks
from put_conformance.case import SHORT_GAME, FaultInjector
from put_conformance.case_runner import CaseRunner
from put_conformance.cases.reconnects import Dropped
from put_conformance.client_checker import tag_of
from put_conformance.client_connection import Outgoing
from put_protocol import messages
from put_protocol.refusals import RefusalCode

MOVES_AFTER = 2
"""Moves after the refusal, during which the late answer must not be sent again."""

TURN_S = 60
"""Turn limit in the case where time runs out."""

STATED_TURN_MS = 1_000
RETRY_MS = 400
EARLY_MS = 5
"""Timers of some languages fire this much early."""

MOST_TRIES = 8
"""Equal answers to one decision that count as a loop: a client that chooses at random may repeat itself."""


class RefusedAsTooLate(FaultInjector):
    name = "too-late"
    summary = "The time for a decision runs out while the answer is on its way."
    turn = TURN_S
    tries = (checks.TOO_LATE,)

    _late: tuple[int, int] | None = None
    _tries = 0
    _later = 0

    def incoming(self, message: messages.ClientMessage) -> bool:
        if not isinstance(message, messages.Act):
            return True
        if self._late is None and self.moves >= self.moves_before:
            self._late = (message.table, message.decision)
            self.results.begin(checks.TOO_LATE)
            self.runner.checker.expire(message.table)
            self.runner.server.skip(TURN_S * 1000 + 1)
        elif self._late == (message.table, message.decision):
            self._tries += 1
            if self._tries >= MOST_TRIES:
                self.results.failed(checks.TOO_LATE, f"It sent the same answer {self._tries} times more.")
        return True

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Refused) and message.code is RefusalCode.NO_GAME:
            self._late = None  # lost with the hand was the game, so nothing was too late: try with another decision
        return (_hurried(message),)

    def move_accepted(self, decision: tuple[int, int]) -> None:
        self._later += self._late is not None
        if self._later >= MOVES_AFTER:
            self.results.passed(checks.TOO_LATE)


def _hurried(message: messages.ServerMessage) -> messages.ServerMessage:
    """The message with less time than there is, so that a client that compares times does not feel cheated."""
    if isinstance(message, messages.Decision) and message.turn_ms is not None:
        return replace(message, turn_ms=STATED_TURN_MS)
    if isinstance(message, messages.Events | messages.TableSnapshot) and message.turn is not None:
        return replace(message, turn=replace(message.turn, turn_ms=STATED_TURN_MS))
    return message


class RefusedAsIllegal(FaultInjector):
    name = "illegal"
    summary = "An answer is refused as illegal, and the decision stands."
    tries = (checks.ILLEGAL,)

    _refused: messages.Act | None = None
    _tries = 0
    _choices = 0
    """Number of choices at the last decision."""

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Decision):
            self._choices = len(message.legal)
        return (message,)

    def incoming(self, message: messages.ClientMessage) -> bool:
        if not isinstance(message, messages.Act):
            return True
        if self._refused is None and self._choices > 1 and self.moves >= self.moves_before:
            self._refused = message
            self.results.begin(checks.ILLEGAL)
        if self._refused is not None and replace(message, id=self._refused.id) == self._refused:
            self._tries += 1
            if self._tries >= MOST_TRIES:
                self.results.failed(checks.ILLEGAL, f"It sent the action that was refused {self._tries} times.")
            says = "that is not among the legal actions of this decision"
            self.runner.send(self.connection, messages.Refused(message.id, RefusalCode.ILLEGAL, says, field="action"))
            return False
        return True

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._refused is not None and decision == (self._refused.table, self._refused.decision):
            self.results.passed(checks.ILLEGAL)


class RefusedAsTooFast(FaultInjector):
    name = "too-fast"
    summary = f"The first request that is no move is refused as too_fast, with {RETRY_MS} ms to wait."
    tries = (checks.WAITS, checks.ASKS_AGAIN)

    _kind: type[messages.ClientMessage] | None = None
    _since = 0

    def incoming(self, message: messages.ClientMessage) -> bool:
        request = getattr(message, "id", None)
        if request is None or isinstance(message, messages.Act | messages.Again):
            return True
        if self._kind is None:
            self._kind, self._since = type(message), self.runner.now
            self.results.begin(checks.WAITS, checks.ASKS_AGAIN)
            says = f"too many requests: wait {RETRY_MS / 1000:.1f} seconds"
            refused = messages.Refused(request, RefusalCode.TOO_FAST, says, retry_after_ms=RETRY_MS)
            self.runner.send(self.connection, refused)
            return False
        waited = self.runner.now - self._since
        if not self.results.is_decided(checks.WAITS):
            if waited < RETRY_MS - EARLY_MS:
                says = f"It was told to wait {RETRY_MS} ms, and asked again ({tag_of(message)}) after {waited} ms."
                self.results.failed(checks.WAITS, says)
            self.results.passed(checks.WAITS)
        if isinstance(message, self._kind):
            self.results.passed(checks.ASKS_AGAIN)
        return True

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Decision):  # it chose another way to a table, and waited long enough
            self.results.passed(checks.ASKS_AGAIN)
        return (message,)


class LostSeat(Dropped):
    name = "drop-before-seat"
    summary = (
        "The connection drops while the first open, the first sit and the first invite are on their way: all lost."
    )
    tries = (checks.RETURNS, checks.TOKEN, checks.ASKED, checks.SITS_AFTER_ALL)
    then = (checks.SITS_AFTER_ALL,)
    kinds: tuple[type[messages.Request], ...] = (messages.OpenTable, messages.Sit, messages.Invite)
    is_carried_out = False

    def __init__(self, runner: CaseRunner) -> None:
        super().__init__(runner)
        self._lost: set[type[messages.ClientMessage]] = set()

    def incoming(self, message: messages.ClientMessage) -> bool:
        super().incoming(message)
        kind = type(message)
        if self._lost:
            if self.is_carried_out and kind is messages.OpenTable and kind in self._lost:
                self.results.failed(self.then[0], "It opened another table, and left the first one empty.")
            self._judge(message)
        if kind not in self.kinds or kind in self._lost:
            return True
        self._lost.add(kind)
        self.results.begin(*self.then)
        self.times = self._drops + 1  # each may be the last
        self._drop()
        if self.is_carried_out:
            self.runner.forward(self.connection, message)
        return False

    def _judge(self, message: messages.ClientMessage) -> None:
        """Check a later request of the client."""


class LostOk(LostSeat):
    name = "drop-after-seat"
    summary = "The connection drops when each of these was carried out, and its ok is lost."
    tries = (checks.RETURNS, checks.TOKEN, checks.ASKED, checks.ONE_TABLE)
    then = (checks.ONE_TABLE,)
    is_carried_out = True


class LostAgain(LostSeat):
    name = "drop-before-again"
    summary = "The connection drops while the request for another game is on its way, which never arrives."
    options = SHORT_GAME
    tries = (checks.RETURNS, checks.TOKEN, checks.ASKED, checks.AGAIN_AFTER_ALL)
    then = (checks.AGAIN_AFTER_ALL,)
    kinds = (messages.Again,)

    def left_between_games(self) -> None:
        if not self._lost:
            self.skipped = "It said bye when a game was over, and asked for no other."
        super().left_between_games()

    def _judge(self, message: messages.ClientMessage) -> None:
        if isinstance(message, messages.Again | messages.Leave | messages.Stand | messages.Bye):
            self.results.passed(*self.then)


class LostOkOfAgain(LostAgain):
    name = "drop-after-again"
    summary = "The connection drops when that request was carried out, and its ok is lost."
    tries = (checks.RETURNS, checks.TOKEN, checks.ASKED, checks.PLAYS_THE_NEXT)
    then = (checks.PLAYS_THE_NEXT,)
    is_carried_out = True

    def _judge(self, message: messages.ClientMessage) -> None:
        """Do nothing: the opponents do not wait for the answer."""

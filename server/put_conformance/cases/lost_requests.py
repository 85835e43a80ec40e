"""Requests that are lost with the connection, or whose answers are: the first of each kind that a client makes."""

from collections.abc import Sequence

from put_conformance.case import SHORT, CaseContext
from put_conformance.cases.reconnects import Dropped
from put_conformance.checks import (
    AGAIN_AFTER_ALL,
    ASKED,
    ONE_TABLE,
    PLAYS_THE_NEXT,
    RETURNS,
    SITS_AFTER_ALL,
    TOKEN,
    Check,
)
from put_conformance.client_connection import CandidateConnection
from put_protocol import messages


class LostSeat(Dropped):
    """Drops the connection when the first request of each kind arrives: which then is carried out, or is not."""

    name = "drop-before-seat"
    summary = (
        "The connection drops while the first open, the first sit and the first invite are on their way: all lost."
    )
    tries = (RETURNS, TOKEN, ASKED, SITS_AFTER_ALL)
    then = (SITS_AFTER_ALL,)
    kinds: tuple[type[messages.Request], ...] = (messages.OpenTable, messages.Sit, messages.Invite)
    is_carried_out = False

    def __init__(self, context: CaseContext, checks: Sequence[Check]) -> None:
        super().__init__(context, checks)
        self._lost: set[type[messages.ClientMessage]] = set()

    def incoming(self, connection: CandidateConnection, message: messages.ClientMessage) -> bool:
        super().incoming(connection, message)
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
        self._drop(connection)
        if self.is_carried_out:
            self.context.forward(connection, message)
        return False

    def _judge(self, message: messages.ClientMessage) -> None:
        """A request of the client's after that."""


class LostOk(LostSeat):
    name = "drop-after-seat"
    summary = "The connection drops when each of these was carried out, and its ok is lost."
    tries = (RETURNS, TOKEN, ASKED, ONE_TABLE)
    then = (ONE_TABLE,)
    is_carried_out = True


class LostAgain(LostSeat):
    """Loses the request for another game, for which the others wait."""

    name = "drop-before-again"
    summary = "The connection drops while the request for another game is on its way, which never arrives."
    options = SHORT
    tries = (RETURNS, TOKEN, ASKED, AGAIN_AFTER_ALL)
    then = (AGAIN_AFTER_ALL,)
    kinds = (messages.Again,)

    def left_between_games(self) -> None:
        if not self._lost:
            self.skipped = "It said bye when a game was over, and asked for no other."
        super().left_between_games()

    def _judge(self, message: messages.ClientMessage) -> None:
        if isinstance(message, messages.Again | messages.Leave | messages.Stand | messages.Bye):
            self.results.passed(*self.then)


class LostOkOfAgain(LostAgain):
    """Loses the ok: the next game begins, while the client does not hear of it."""

    name = "drop-after-again"
    summary = "The connection drops when that request was carried out, and its ok is lost."
    tries = (RETURNS, TOKEN, ASKED, PLAYS_THE_NEXT)
    then = (PLAYS_THE_NEXT,)
    is_carried_out = True

    def _judge(self, message: messages.ClientMessage) -> None:
        """The others do not wait for its word."""

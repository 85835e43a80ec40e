"""Requests that are lost with the connection, or whose answers are: the first of each kind that a client makes."""

from collections.abc import Iterator, Sequence

from put_conformance.case import SHORT, Case, CaseContext
from put_conformance.cases.reconnects import ASKED, RETURNS, TOKEN, Dropped
from put_conformance.checks import Check, Section
from put_conformance.client_connection import ClientConnection
from put_protocol import messages


class LostRequest(Dropped):
    """Drops the connection when the first request of each kind arrives: which then is carried out, or is not."""

    kinds: tuple[type[messages.Request], ...] = (messages.OpenTable, messages.Sit, messages.Invite)
    is_carried_out = False

    def __init__(self, context: CaseContext, checks: Sequence[Check]) -> None:
        super().__init__(context, checks)
        self._lost: set[type[messages.ClientMessage]] = set()

    @property
    def _goal(self) -> Check:
        """The check that this case is about: the last, for those of coming back are the same for all."""
        return self.checks[-1]

    def incoming(self, connection: ClientConnection, message: messages.ClientMessage) -> bool:
        super().incoming(connection, message)
        kind = type(message)
        if self._lost:
            if self.is_carried_out and kind is messages.OpenTable and kind in self._lost:
                self.results.failed(self._goal, "It opened another table, and left the first to nobody.")
            self._judge(message)
        if kind not in self.kinds or kind in self._lost:
            return True
        self._lost.add(kind)
        self.results.begin(self._goal)
        self.times = self._drops + 1  # each may be the last
        self._drop(connection)
        if self.is_carried_out:
            self.context.forward(connection, message)
        return False

    def _judge(self, message: messages.ClientMessage) -> None:
        """What the client asks for after that."""

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._lost:
            self.results.passed(self._goal)


class LostSeat(LostRequest):
    """Nothing came of the requests for a table or a seat."""


class LostOk(LostRequest):
    """They were carried out, and each ok is lost."""

    is_carried_out = True


class LostAgain(LostRequest):
    """Nothing came of the request for another game, for which the others wait."""

    kinds = (messages.Again,)

    def left_between_games(self) -> None:
        if not self._lost:
            self.skipped = "It said bye when a game was over, and asked for no other."
        super().left_between_games()

    def _judge(self, message: messages.ClientMessage) -> None:
        if isinstance(message, messages.Again | messages.Leave | messages.Stand | messages.Bye):
            self.results.passed(self._goal)


class LostOkOfAgain(LostAgain):
    """It was carried out: the next game begins, while the client does not hear of it."""

    is_carried_out = True

    def _judge(self, message: messages.ClientMessage) -> None:
        """The others do not wait for its word."""


SITS_AFTER_ALL = Check(
    name="sits_after_all",
    should="Comes to a table although its requests for one were lost.",
    section=Section.LOST,
)
ONE_TABLE = Check(
    name="one_table",
    should="Plays at the table that it opened or sat down at, although the ok was lost: names the request in asked.",
    section=Section.LOST,
)
AGAIN_AFTER_ALL = Check(
    name="again_after_all",
    should="Asks once more for another game, or leaves, when the request was lost.",
    section=Section.LOST,
)
PLAYS_THE_NEXT = Check(
    name="plays_the_next",
    should="Plays the game that began although the ok to its request for it was lost.",
    section=Section.LOST,
)


def cases(game: str) -> Iterator[Case]:
    """All with one rule set: they do not depend on the rules."""
    for name, summary, fault_injector, check in (
        (
            "drop-before-seat",
            "The connection drops while the first open, the first sit and the first invite are on their way: all lost.",
            LostSeat,
            SITS_AFTER_ALL,
        ),
        (
            "drop-after-seat",
            "The connection drops when each of these was carried out, and its ok is lost.",
            LostOk,
            ONE_TABLE,
        ),
        (
            "drop-before-again",
            "The connection drops while the request for another game is on its way, which never arrives.",
            LostAgain,
            AGAIN_AFTER_ALL,
        ),
        (
            "drop-after-again",
            "The connection drops when that request was carried out, and its ok is lost.",
            LostOkOfAgain,
            PLAYS_THE_NEXT,
        ),
    ):
        yield Case(
            name=name,
            summary=summary,
            game=game,
            options=SHORT if "again" in name else {},
            checks=(RETURNS, TOKEN, ASKED, check),
            fault_injector=fault_injector,
        )

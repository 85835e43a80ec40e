"""Goodbyes: after some a client must come back, after others it must stay away."""

from collections.abc import Iterable, Iterator
from typing import Literal

from put_conformance.case import Case, FaultInjector
from put_conformance.checks import Check, Section
from put_conformance.client_connection import ClientConnection, Outgoing
from put_protocol.messages import Decision, Goodbye, Hello, ServerMessage

BACK_S = 1
MOST_ATTEMPTS = 10
"""Attempts to connect while the server is away. A client that waits between attempts makes far fewer."""

WATCHED_MS = 1_500
"""How long the client is watched after a final goodbye."""

COMES_BACK = Check(
    name="comes_back",
    should="Comes back, with its token, after a goodbye that is not for good.",
    section=Section.RETURN,
)
PATIENT = Check(name="patient", should="Leaves time between attempts while the server is away.", section=Section.RETURN)
STAYS_AWAY = Check(
    name="stays_away",
    should="Ends, or waits to be told: it does not connect again by itself, where two copies of it would take turns.",
    section=Section.GOODBYES,
)


class Draining(FaultInjector):
    """Stops the server in the middle of a game; it is back a second later with every table as it was."""

    _is_gone = False
    _connection_count = 0
    _back_at = 0

    def outgoing(self, connection: ClientConnection, message: ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, Decision) and self.moves and not self._is_gone:
            self._is_gone = True
            self._connection_count = self.context.connection_count
            self._back_at = self.context.now + BACK_S * 1000
            self.context.refuse_until(self._back_at)
            for check in (COMES_BACK, PATIENT):
                self.results.begin(check)
            connection.close_with(
                Goodbye(code="draining", says="the server is stopping, and back in a second", back_s=BACK_S)
            )
            return ()
        return (message,)

    def tick(self, now: int) -> None:
        if self._is_gone and now < self._back_at:
            self.context.note_progress()
            attempts = self.context.connection_count - self._connection_count
            if attempts > MOST_ATTEMPTS:
                self.results.failed(
                    PATIENT, f"It tried {attempts} times within a second of being told to wait for one."
                )

    def incoming_hello(self, connection: ClientConnection, hello: Hello) -> Hello:
        if self._is_gone:
            self.results.passed(PATIENT)
            if not hello.token:
                self.results.failed(COMES_BACK, "It came back as somebody new, without its token.")
        return hello

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._is_gone:
            self.results.passed(COMES_BACK)


class Idle(FaultInjector):
    """Closes a connection of which it says that nothing was heard."""

    _is_gone = False

    def outgoing(self, connection: ClientConnection, message: ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, Decision) and self.moves and not self._is_gone:
            self._is_gone = True
            self.results.begin(COMES_BACK)
            connection.close_with(Goodbye(code="idle", says="nothing was heard from you"))
            return ()
        return (message,)

    def incoming_hello(self, connection: ClientConnection, hello: Hello) -> Hello:
        if self._is_gone and not hello.token:
            self.results.failed(COMES_BACK, "It came back as somebody new, without its token.")
        return hello

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._is_gone:
            self.results.passed(COMES_BACK)


class FinalGoodbye(FaultInjector):
    """Sends the client away for good."""

    code: Literal["bye", "kicked", "taken_over", "too_fast"] = "bye"
    says = "goodbye"

    _gone_at: int | None = None
    _connection_count = 0

    @property
    def may_end(self) -> bool:
        return self._gone_at is not None

    def outgoing(self, connection: ClientConnection, message: ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, Decision) and self.moves and self._gone_at is None:
            self._gone_at = self.context.now
            self._connection_count = self.context.connection_count
            self.results.begin(STAYS_AWAY)
            connection.close_with(Goodbye(code=self.code, says=self.says))
            self.context.end_session(connection, is_departed=self.code in ("bye", "kicked"))
            return ()
        return (message,)

    def tick(self, now: int) -> None:
        if self._gone_at is None:
            return
        self.context.note_progress()
        returns = self.context.connection_count - self._connection_count
        if returns:
            waited = now - self._gone_at
            self.results.failed(STAYS_AWAY, f"It connected again {waited} ms after the goodbye {self.code}.")
        elif now - self._gone_at >= WATCHED_MS:
            self.results.passed(STAYS_AWAY)


class Kicked(FinalGoodbye):
    code = "kicked"
    says = "you were asked not to shout"


class TakenOver(FinalGoodbye):
    code = "taken_over"
    says = "you came back by another connection"


class TooFast(FinalGoodbye):
    code = "too_fast"
    says = "200 requests in a row came too fast"


def cases(game: str) -> Iterator[Case]:
    """All with one rule set: they do not depend on the rules."""
    yield Case(
        name="goodbye-draining",
        summary=f"The server says goodbye in the middle of a game, and is back after {BACK_S} second, as it said.",
        game=game,
        checks=(COMES_BACK, PATIENT),
        fault_injector=Draining,
    )
    yield Case(
        name="goodbye-idle",
        summary="The server closes the connection because it heard nothing, it says.",
        game=game,
        checks=(COMES_BACK,),
        fault_injector=Idle,
    )
    for name, summary, fault_injector in (
        ("goodbye-bye", "The server says goodbye for good.", FinalGoodbye),
        ("goodbye-kicked", "The client is sent away; its token has ended.", Kicked),
        ("goodbye-taken-over", "Somebody with the client's token has taken its place.", TakenOver),
        ("goodbye-too-fast", "The client asked too fast, the server says, until its program is repaired.", TooFast),
    ):
        yield Case(name=name, summary=summary, game=game, checks=(STAYS_AWAY,), fault_injector=fault_injector)

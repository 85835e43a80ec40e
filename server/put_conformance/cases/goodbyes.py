"""Goodbyes: after some a client must come back, after others it must stay away."""

from collections.abc import Iterable
from typing import Literal

from put_conformance.case import FaultInjector
from put_conformance.checks import COMES_BACK, PATIENT, STAYS_AWAY, Check
from put_conformance.client_connection import CandidateConnection, Outgoing
from put_protocol.messages import Decision, Goodbye, Hello

BACK_S = 1
MOST_ATTEMPTS = 10
"""Attempts to connect while the server is away. A client that waits between attempts makes far fewer."""

WATCHED_MS = 1_500
"""Time for which the client is watched after a final goodbye."""


class Idle(FaultInjector):
    name = "goodbye-idle"
    summary = "The server closes the connection because it heard nothing, it says."
    tries: tuple[Check, ...] = (COMES_BACK,)
    then = (COMES_BACK,)
    goodbye = Goodbye(code="idle", says="nothing was heard from you")

    def strike(self, connection: CandidateConnection, decision: Decision) -> Iterable[Outgoing]:
        self.note_strike(*self.tries)
        connection.close_with(self.goodbye)
        return ()

    def incoming_hello(self, connection: CandidateConnection, hello: Hello) -> Hello:
        if self.has_struck and not hello.token:
            self.results.failed(COMES_BACK, "It came back as a new person, without its token.")
        return hello


class Draining(Idle):
    """Stops the server in the middle of a game; it is back a second later with every table as it was."""

    name = "goodbye-draining"
    summary = f"The server says goodbye in the middle of a game, and is back after {BACK_S} second, as it said."
    tries = (COMES_BACK, PATIENT)
    goodbye = Goodbye(code="draining", says="the server is stopping, and back in a second", back_s=BACK_S)

    _back_at = 0

    def strike(self, connection: CandidateConnection, decision: Decision) -> Iterable[Outgoing]:
        self._back_at = self.context.now + BACK_S * 1000
        self.context.refuse_until(self._back_at)
        return super().strike(connection, decision)

    def tick(self, now: int) -> None:
        if self.has_struck and now < self._back_at:
            self.context.note_progress()
            attempts = self.context.connection_count - self.connections_then
            if attempts > MOST_ATTEMPTS:
                says = f"It tried {attempts} times within a second of being told to wait for one."
                self.results.failed(PATIENT, says)

    def incoming_hello(self, connection: CandidateConnection, hello: Hello) -> Hello:
        if self.has_struck:
            self.results.passed(PATIENT)
        return super().incoming_hello(connection, hello)


class FinalGoodbye(FaultInjector):
    """Sends the client away for good."""

    name = "goodbye-bye"
    summary = "The server says goodbye for good."
    tries = (STAYS_AWAY,)
    code: Literal["bye", "kicked", "taken_over", "too_fast"] = "bye"
    says = "goodbye"

    def strike(self, connection: CandidateConnection, decision: Decision) -> Iterable[Outgoing]:
        self.note_strike()
        self.watch(STAYS_AWAY, WATCHED_MS)
        connection.close_with(Goodbye(code=self.code, says=self.says))
        self.context.end_session(connection, is_departed=self.code in ("bye", "kicked"))
        return ()

    def connected(self, connection: CandidateConnection) -> None:
        if self.struck_at is not None:
            waited = self.context.now - self.struck_at
            self.results.failed(STAYS_AWAY, f"It connected again {waited} ms after the goodbye {self.code}.")


class Kicked(FinalGoodbye):
    name = "goodbye-kicked"
    summary = "The client is sent away; its token has ended."
    code = "kicked"
    says = "you were asked not to shout"


class TakenOver(FinalGoodbye):
    name = "goodbye-taken-over"
    summary = "Another client with the same token has taken its place."
    code = "taken_over"
    says = "you came back by another connection"


class SentAwayAsTooFast(FinalGoodbye):
    name = "goodbye-too-fast"
    summary = "The client asked too fast, the server says, until its program is repaired."
    code = "too_fast"
    says = "200 requests in a row came too fast"

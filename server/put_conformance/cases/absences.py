"""Goodbyes of the server, and losses while the client is away: after some it must return, after others not."""

from collections.abc import Iterable
from typing import Literal

from put_conformance import checks
from put_conformance.case import FaultInjector
from put_conformance.cases.reconnects import InTheMiddle
from put_conformance.client_checker import tag_of
from put_conformance.client_connection import Outgoing
from put_protocol import messages
from put_protocol.refusals import RefusalCode

FULL_MS = 1_000
"""Time for which the server is full."""

BACK_S = 1
MOST_ATTEMPTS = 10
"""Attempts to connect while the server is away. A client that waits between attempts makes far fewer."""

WATCHED_MS = 1_500
"""Time for which the client is watched after a final goodbye."""


_MAY_COME_LATE = messages.Sit | messages.Watch | messages.Leave | messages.Stand
"""Requests that are allowed at a table where the client has no seat."""


class Idle(FaultInjector):
    name = "goodbye-idle"
    summary = "The server closes the connection because it heard nothing, it says."
    tries: tuple[checks.Check, ...] = (checks.COMES_BACK,)
    then = (checks.COMES_BACK,)
    goodbye = messages.Goodbye(code="idle", says="nothing was heard from you")

    def strike(self, decision: messages.Decision) -> Iterable[Outgoing]:
        self.note_strike(*self.tries)
        self.connection.close_with(self.goodbye)
        return ()

    def incoming_hello(self, hello: messages.Hello) -> messages.Hello:
        if self.has_struck and not hello.token:
            self.results.failed(checks.COMES_BACK, "It came back as a new person, without its token.")
        return hello


class Draining(Idle):
    name = "goodbye-draining"
    summary = f"The server says goodbye in the middle of a game, and is back after {BACK_S} second, as it said."
    tries = (checks.COMES_BACK, checks.PATIENT)
    goodbye = messages.Goodbye(code="draining", says="the server is stopping, and back in a second", back_s=BACK_S)

    _back_at = 0

    def strike(self, decision: messages.Decision) -> Iterable[Outgoing]:
        self._back_at = self.runner.now + BACK_S * 1000
        self.runner.refused_until = self._back_at
        self.after(BACK_S * 1000)
        return super().strike(decision)

    def tick(self, now: int) -> None:
        super().tick(now)
        if now < self._back_at:
            attempts = self.runner.checker.connection_count - self.connections_then
            if attempts > MOST_ATTEMPTS:
                says = f"It tried {attempts} times within a second of being told to wait for one."
                self.results.failed(checks.PATIENT, says)

    def incoming_hello(self, hello: messages.Hello) -> messages.Hello:
        if self.has_struck:
            self.results.passed(checks.PATIENT)
        return super().incoming_hello(hello)


class FinalGoodbye(FaultInjector):
    name = "goodbye-bye"
    summary = "The server says goodbye for good."
    tries = (checks.STAYS_AWAY,)
    code: Literal["bye", "kicked", "taken_over", "too_fast"] = "bye"
    says = "goodbye"

    def strike(self, decision: messages.Decision) -> Iterable[Outgoing]:
        self.note_strike()
        self.watch(checks.STAYS_AWAY, WATCHED_MS)
        self.connection.close_with(messages.Goodbye(code=self.code, says=self.says))
        self.runner.end_session(self.connection, is_departed=self.code in ("bye", "kicked"))
        return ()

    def connected(self) -> None:
        if self.struck_at is not None:
            waited = self.runner.now - self.struck_at
            self.results.failed(checks.STAYS_AWAY, f"It connected again {waited} ms after the goodbye {self.code}.")


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


class TableGone(InTheMiddle):
    name = "table-gone"
    summary = "The connection drops, and the client loses its seat meanwhile: welcome does not name the table."
    tries = (checks.RETURNS, checks.TOKEN, checks.LETS_GO, checks.GOES_ELSEWHERE)
    then = (checks.LETS_GO, checks.GOES_ELSEWHERE)

    _gone: int | None = None

    def strike(self, decision: messages.Decision) -> Iterable[Outgoing]:
        self._gone = decision.table
        self.results.begin(*self.then)
        self._drop(decision)
        self.runner.remove_from_table(self.connection, decision.table)
        return ()

    def incoming(self, message: messages.ClientMessage) -> bool:
        super().incoming(message)
        if self._gone is None:
            return True
        if getattr(message, "table", None) == self._gone and not isinstance(message, _MAY_COME_LATE):
            says = f"It asked for {tag_of(message)} at a table that was not among those of its welcome."
            self.results.failed(checks.LETS_GO, says)
        if isinstance(message, messages.Bye):
            self.results.passed(checks.GOES_ELSEWHERE)
        return True


class FullForNow(InTheMiddle):
    name = "full-for-now"
    summary = f"The connection drops, and for {FULL_MS / 1000:g} second the client is refused as server_full."
    tries = (checks.RETURNS, checks.TOKEN, checks.COMES_LATER, checks.PATIENT, checks.ANSWERS_AGAIN)

    _full_since: int | None = None
    _attempts = 0

    def refusal(self, hello: messages.Hello) -> messages.Goodbye | None:
        if not self.has_struck or self.results.is_decided(checks.COMES_LATER):
            return None
        now = self.runner.now
        if self._full_since is None:
            self._full_since = now
            self.after(FULL_MS)
            self.results.begin(checks.COMES_LATER, checks.PATIENT)
        if now - self._full_since < FULL_MS:
            self._attempts += 1
            if self._attempts > MOST_ATTEMPTS:
                says = f"It tried {self._attempts} times within a second of being refused."
                self.results.failed(checks.PATIENT, says)
            says = "the server is full: try again later"
            return messages.Goodbye(code="refused", says=says, refusal=RefusalCode.SERVER_FULL)
        if not hello.token:
            self.results.failed(checks.COMES_LATER, "It came back as a new person, without its token.")
        self.results.passed(checks.PATIENT, checks.COMES_LATER)
        return None


class TokenEnded(InTheMiddle):
    name = "token-ended"
    summary = "The connection drops, and the client's token ends meanwhile: it is refused as bad_token."
    tries = (checks.RETURNS, checks.TOKEN, checks.BEGINS_ANEW)
    then = (checks.BEGINS_ANEW,)

    _tries = 0

    def _break(self, outgoing: Outgoing | None) -> None:
        peer, self.connection.peer = self.connection.peer, None
        self.connection.break_off(outgoing)
        assert peer is not None
        self.runner.server.bye(peer)
        self.results.begin(checks.BEGINS_ANEW)

    def incoming_hello(self, hello: messages.Hello) -> messages.Hello:
        self._tries += bool(self.has_struck and hello.token)
        if self._tries > 1:
            self.results.failed(checks.BEGINS_ANEW, "It said hello with the same token again.")
        return super().incoming_hello(hello)


class RefusedForGood(InTheMiddle):
    name = "refused-for-good"
    summary = "The connection drops, and the server that is back speaks no version of the client's."
    tries = (checks.RETURNS, checks.STAYS_AWAY)

    _refused_at: int | None = None

    def connected(self) -> None:
        if self._refused_at is not None:
            waited = self.runner.now - self._refused_at
            says = f"It connected again {waited} ms after it was refused for its version."
            self.results.failed(checks.STAYS_AWAY, says)

    def refusal(self, hello: messages.Hello) -> messages.Goodbye | None:
        if not self.has_struck:
            return None
        if self._refused_at is None:
            self._refused_at = self.runner.now
            self.watch(checks.STAYS_AWAY, WATCHED_MS)
        return messages.Goodbye(code="refused", says="this server speaks version 3", refusal=RefusalCode.VERSION)

"""Dropped connections: during a message, before an answer arrives, and before its ok arrives."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from put_conformance import checks
from put_conformance.case import FaultInjector
from put_conformance.case_runner import CaseRunner
from put_conformance.client_connection import Outgoing
from put_protocol import messages
from put_protocol.blind.transcript import Entry, Kind
from put_protocol.blind_events import PartMissed
from put_protocol.errors import ProofError
from put_protocol.refusals import RefusalCode
from put_rules.game import OptionValue

DEAD_MS = 1_500
"""Limit in `welcome` for a half-open connection."""

NOTICED_MS = 3_000
"""Tolerance after that time, for slow timers, and for the wait before the next attempt."""

BELIEVED_MS = 1_500
"""Time for which the server keeps a connection that dropped before its welcome arrived."""

COMES_IN_MS = 6_000
"""Tolerance after that time, for a client with growing waits."""

_BACK = (checks.RETURNS, checks.TOKEN, checks.SEEN, checks.COUNTS)


class Dropped(FaultInjector):
    """Drops the connection one or more times; each time the client must return with its token."""

    moves_before = 2  # by then there are events to have seen
    times = 1
    begins: tuple[checks.Check, ...] = (checks.RETURNS, checks.TOKEN, checks.SEEN)
    """Checks that fail if the client does not return."""

    def __init__(self, runner: CaseRunner) -> None:
        super().__init__(runner)
        self._drops = 0
        self._had: dict[int, int] | None = None
        """Last event by table, from a drop to the next hello."""
        self._decision: tuple[int, int] | None = None
        self._incarnation = 0
        self._last_id = 0
        self._is_stranger = False
        """The client returned without its token: it has no seat any more, and nothing else can be tried."""
        self._unanswered: set[int] = set()
        self._waiting: set[int] = set()

    @property
    def is_done(self) -> bool:
        return self._is_stranger or super().is_done

    @property
    def is_due(self) -> bool:
        return self.moves >= self.moves_before and self._drops < self.times

    def _drop(self, outgoing: Outgoing | None = None) -> None:
        self._drops += 1
        self._had = dict(self.connection.numbers)
        self._unanswered = set(self._waiting)
        self._waiting.clear()
        self.note_strike(*self.begins)
        self._break(outgoing)
        self.runner.note_progress()

    def _drop_at(
        self,
        decision: messages.Decision | messages.Act,
        check: checks.Check,
        outgoing: Outgoing | None = None,
    ) -> None:
        """Drop the connection at a decision, and begin the check of the client's reaction."""
        self._decision = (decision.table, decision.decision)
        self.results.begin(check)
        self._drop(outgoing)

    def _break(self, outgoing: Outgoing | None) -> None:
        self.connection.break_off(outgoing)

    def incoming_hello(self, hello: messages.Hello) -> messages.Hello:
        before, self._incarnation = self._incarnation, hello.incarnation
        had, self._had = self._had, None
        self._waiting.clear()
        if had is None:
            return hello
        is_last = self._drops == self.times
        if is_last:
            self.results.passed(checks.RETURNS)
        if not hello.token:
            self.results.failed(checks.TOKEN, "It came back as a new person, without the token it had in welcome.")
            for check in self.checks:
                self.results.withdraw(check)
            self._is_stranger = True
            return hello
        seen = {one.table: one.number for one in hello.seen}
        for table, number in had.items():
            said = seen.get(table)
            if said is None:
                says = "seen does not name the table"
            elif said != number:
                says = f"said {said} in seen"
            else:
                continue
            self.results.failed(checks.SEEN, f"It had event {number} of table {table}, and {says}.")
        if is_last:
            self.results.passed(checks.TOKEN, checks.SEEN)
        if before:
            if hello.incarnation <= before:
                says = f"The incarnation of its hello was {before}, and {hello.incarnation} in the next."
                self.results.failed(checks.COUNTS, says)
            self.results.passed(checks.COUNTS)
        if hello.asked:
            strange = sorted(one for one in set(hello.asked) - self._unanswered if one <= self._last_id)
            if strange:  # what it asked later was lost with the connection, unread
                self.results.failed(checks.ASKED, f"It named requests that were answered, or never made: {strange}.")
            self.results.passed(checks.ASKED)
        return hello

    def incoming(self, message: messages.ClientMessage) -> bool:
        if (request := getattr(message, "id", None)) is not None:
            self._waiting.add(request)
            self._last_id = max(self._last_id, request)
        return True

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Ok | messages.Refused):
            self._waiting.discard(message.id)
        return super().outgoing(message)

    def left_between_games(self) -> None:
        if self._drops and self._had is None:
            self.results.passed(checks.GOES_ON)  # the answer whose ok was lost ended the game
        super().left_between_games()

    def move_accepted(self, decision: tuple[int, int]) -> None:
        super().move_accepted(decision)
        if self._drops and decision == self._decision:
            self.results.passed(checks.ANSWERS_AGAIN)
        elif self._drops == self.times and self._had is None:
            self.results.passed(checks.GOES_ON)


class InTheMiddle(Dropped):
    name = "drop-in-message"
    summary = "The connection drops when half of a decision has been sent."
    tries: tuple[checks.Check, ...] = (*_BACK, checks.ANSWERS_AGAIN)

    def strike(self, decision: messages.Decision) -> Iterable[Outgoing]:
        self._drop_at(decision, checks.ANSWERS_AGAIN, decision)
        return ()


class AgainAndAgain(InTheMiddle):
    name = "drop-again"
    summary = "The connection drops in the middle of a decision, again in the welcome, and again in what was missed."
    times = 3

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        is_back = 0 < self._drops < self.times and isinstance(
            message, messages.Welcome | messages.Events | messages.TableSnapshot
        )
        if is_back and (isinstance(message, messages.Welcome) == (self._drops == 1)):
            self._drop(message)
            return ()
        return super().outgoing(message)


class BeforeOk(Dropped):
    name = "drop-before-act"
    summary = "The connection drops while an answer is on its way, which never arrives."
    tries = (*_BACK, checks.ASKED, checks.ANSWERS_AGAIN)
    is_carried_out = False

    def incoming(self, message: messages.ClientMessage) -> bool:
        super().incoming(message)
        if not (isinstance(message, messages.Act) and self.is_due):
            return True
        self._drop_at(message, self.tries[-1])
        if self.is_carried_out and self.runner.forward(self.connection, message):
            self.runner.checker.carried_out(message.table, message.decision)
        return False


class AfterOk(BeforeOk):
    name = "drop-before-ok"
    summary = "The connection drops when an answer was carried out, and its ok is lost."
    tries = (*_BACK, checks.ASKED, checks.GOES_ON)
    is_carried_out = True


class BeforePart(Dropped):
    name = "drop-before-part"
    summary = "The connection drops while the client's part of a blind deal is on its way, which never arrives."
    tries = (*_BACK, checks.ASKED, checks.DEALS_AGAIN)
    options: Mapping[str, OptionValue] = {"dealing": "blind"}
    moves_before = 1  # then comes the next deal

    _lost: tuple[int, int, Kind] | None = None

    def incoming(self, message: messages.ClientMessage) -> bool:
        super().incoming(message)
        if not isinstance(message, messages.Blind):
            return True
        try:
            entry = Entry.parse(message.entry)
        except ProofError:
            return True  # the lobby refuses it
        part = message.table, entry.deal, entry.kind
        if self.is_due:
            self._lost = part
            self.results.begin(checks.DEALS_AGAIN)
            self._drop()
        elif self.runner.forward(self.connection, message) and part == self._lost:
            self.results.passed(checks.DEALS_AGAIN)
        return False

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        info = message.info if isinstance(message, messages.TableSnapshot | messages.Events) else None
        if info is not None and info.plain:
            self.skipped = f"Its table is not dealt blind: {info.plain}."
        if isinstance(message, messages.Events) and any(isinstance(event, PartMissed) for event in message.events):
            self.results.failed(checks.DEALS_AGAIN, "It did not do its part again, and the deal goes on without it.")
        return super().outgoing(message)


class HalfOpen(Dropped):
    name = "half-open"
    summary = f"The server falls silent, and the connection stands; dead_ms in its welcome was {DEAD_MS:,}."
    tries = (checks.NOTICES, *_BACK, checks.ANSWERS_AGAIN)
    begins = ()

    _heard_at: int | None = None

    @property
    def is_done(self) -> bool:
        return self.results.is_faulty(checks.NOTICES) or super().is_done

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Welcome):
            message = replace(message, limits=replace(message.limits, quiet_ms=DEAD_MS // 3, dead_ms=DEAD_MS))
        self._heard_at = self.runner.now
        return super().outgoing(message)

    def strike(self, decision: messages.Decision) -> Iterable[Outgoing]:
        self._drop_at(decision, checks.NOTICES)
        self.after(DEAD_MS + NOTICED_MS, self._give_up)
        return ()

    def _give_up(self) -> None:
        if not self.results.is_decided(checks.NOTICES):
            says = f"It heard nothing for {(DEAD_MS + NOTICED_MS) / 1000:.1f} seconds, and stayed"
            self.results.failed(checks.NOTICES, f"{says}: dead_ms in welcome was {DEAD_MS}.")

    def _break(self, outgoing: Outgoing | None) -> None:
        self.connection.flush()
        self.connection.is_over = True

    def incoming_hello(self, hello: messages.Hello) -> messages.Hello:
        if self.has_struck:
            self.results.passed(checks.NOTICES)
            self.results.begin(checks.ANSWERS_AGAIN)
        return super().incoming_hello(hello)

    def tick(self, now: int) -> None:
        super().tick(now)
        if not self.has_struck:
            is_quiet = self._heard_at is not None and now - self._heard_at >= DEAD_MS // 3
            if is_quiet and self.connection.person is not None:
                # A server does so too: a client that sends nothing by itself receives something in time.
                self._heard_at = now
                self.runner.send(self.connection, messages.Ping())


class LostWelcome(FaultInjector):
    """Admits the client, but drops the connection before the welcome arrives, and keeps the dead connection for a
    while.

    So the client's name is taken by itself.
    """

    name = "drop-before-welcome"
    summary = "The connection drops before the welcome, the client being in: its name is taken, for a while."
    tries = (checks.COMES_IN,)
    then = (checks.COMES_IN,)

    _is_back = False

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Welcome):
            if not self.has_struck:
                assert self.connection.peer is not None
                ghost, self.connection.peer = self.connection.peer, None
                self.after(BELIEVED_MS, lambda: self.runner.server.exit(ghost))
                self.after(BELIEVED_MS + COMES_IN_MS, self._give_up)
                self.note_strike(checks.COMES_IN)
                self.connection.break_off(message)
                return ()
            self._is_back = True
        return (message,)

    def is_expected(self, goodbye: messages.Goodbye) -> bool:
        return self.has_struck and goodbye.refusal is RefusalCode.NAME_TAKEN

    def _give_up(self) -> None:
        if not self._is_back:
            says = f"It was not in after {(BELIEVED_MS + COMES_IN_MS) / 1000:.1f} seconds."
            self.results.failed(checks.COMES_IN, says)

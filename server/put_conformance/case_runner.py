"""Runner of one case: connects the client and the fake server through the fault injector.

A case ends when nothing is left to try, when nothing happens for too long, or when the client has left for good. So no
client can delay the next case.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from msgspec.structs import replace

from put_conformance import checks
from put_conformance.case import Case
from put_conformance.case_report import CaseReport, check_report
from put_conformance.checks import CheckResults, CheckStatus
from put_conformance.client_checker import ClientChecker
from put_conformance.client_connection import CandidateConnection, Outgoing
from put_conformance.fake_server import FakeServer, SuiteState
from put_protocol import messages
from put_protocol.errors import FramingError, MessageError
from put_protocol.folding import folded
from put_protocol.games.unions import GameView
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Viewer
from put_protocol.table_info import TableState
from put_rules.game import RuleSet
from put_runtime.child_process import ChildProcess
from put_server.table.table_effects import PersonId, TableId

TICK_S = 0.02
FAREWELL_TICKS = 15
"""Time for last words to be read before a connection is cut."""

LINGERS_MS = 100
"""Time after the fault was handled, because the client's next message may be wrong too."""

IDLE_MS = 250
"""Idle time after which a client without a seat is invited, and its own table is filled."""

INVITE_INTERVAL_MS = 1_000
TIMEOUTS_PER_CASE = 6
"""Time limit of a case, as a multiple of one action's limit."""

MOST_STARTS = 6
"""Most starts in one case: some clients leave after a game or two."""

MOST_IDLE_MOVES = 1_000
"""Moves without a new check after which a case ends: at a client's own table a rare moment may never come, such as an
accident for one seat of four."""

ENDING_S = 0.5
"""Time for the client to end after the goodbye, and again after SIGTERM; then it is killed."""

STDERR_LINES = 8
"""Lines of the client's standard error in a report: the end of a traceback."""

Start = Callable[[], Awaitable[ChildProcess]]


class CaseRunner:
    def __init__(
        self,
        case: Case,
        games: Mapping[str, RuleSet],
        *,
        seed: int,
        timeout_s: float,
        arrival_s: float,
        start: Start | None,
        state: SuiteState,
    ) -> None:
        """`start` starts the client; without it the client must connect within `arrival_s`."""
        self.case = case
        self._games = {case.game: games[case.game], **games}
        """Rule sets in the order of `welcome`, because a client may take the first."""
        self.results = CheckResults((*checks.ALWAYS, *case.checks))
        self.checker = ClientChecker(self.results, timeout_ms=round(timeout_s * 1000), first_table=state.last_table + 1)
        self._timeout_ms = round(timeout_s * 1000)
        self._arrival_ms = round(arrival_s * 1000)
        self._start = start
        self._client: ChildProcess | None = None
        self._starts = 0
        self._begun = self._progressed = self.now
        self._moves_at_progress = 0
        self._done_at = 0
        self._bug: Exception | None = None
        self._connections: set[CandidateConnection] = set()
        self._has_departed = False
        self._muted: CandidateConnection | None = None
        self._views: dict[int, tuple[Viewer, GameView | None]] = {}
        """The client's viewer at each table, and its view, from whole views or changes."""
        self._active_at = self.now
        self._invited_at = 0
        self.refused_until = 0
        self._is_over = False
        self._stderr_tail: tuple[str, ...] = ()
        self._open_seat: tuple[PersonId, TableId] | None = None
        self._played = (case.game, case.seats)
        """Rule set and number of seats of the client's last table."""
        self._sat_at: set[int] = set()
        self._refusal = ""
        """Reason why the client's last request was refused; empty: it was not."""
        self._has_opened = False
        """The client asked for tables of its own, so it is not invited."""
        self.fault_injector = case.fault_injector(self)
        self.server = FakeServer(
            self._games,
            seed=f"{seed} {case.name}",
            now=lambda: self.now,
            state=state,
            names=self.fault_injector.names,
        )

    @property
    def now(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def note_progress(self) -> None:
        """Restart the time-out: the case itself takes time, the client does not hang."""
        self._progressed = self.now

    def view(self, table: int) -> GameView | None:
        """The last view of this table sent to the client."""
        return self._views[table][1] if table in self._views else None

    def send(self, connection: CandidateConnection, outgoing: Outgoing) -> None:
        accepted = None if isinstance(outgoing, Mapping) else self.checker.outgoing(connection, outgoing, self.now)
        connection.send(outgoing)
        if isinstance(outgoing, messages.Ok | messages.Refused):
            self._refusal = outgoing.says if isinstance(outgoing, messages.Refused) else ""
        if accepted is not None:
            self.note_progress()
            known = self.results.decided
            self.fault_injector.moves += 1
            self.fault_injector.move_accepted(accepted)
            if self.results.decided != known:
                self._moves_at_progress = self.checker.moves

    def forward(self, connection: CandidateConnection, message: messages.ClientMessage) -> bool:
        """Pass a message to the lobby. Returns whether it was carried out."""
        is_carried_out = True
        match message:
            case messages.Ping():
                connection.send(messages.Pong())
            case messages.Pong() if connection.peer is not None:
                connection.peer.answer_ping()
            case messages.Pong() | messages.Hello() | messages.Push():
                pass
            case messages.Bye():
                self._leave(connection)
            case _:
                is_carried_out = connection.peer is not None and self.server.ask(connection.peer, message)
        self._flush()
        return is_carried_out

    def end_session(self, connection: CandidateConnection, *, is_departed: bool) -> None:
        if connection.peer is not None:
            (self.server.bye if is_departed else self.server.exit)(connection.peer)

    def remove_from_table(self, connection: CandidateConnection, table: int) -> None:
        """Unseat the client; the lobby's messages about that are discarded."""
        if connection.person is not None:
            self._muted = connection
            self.server.unseat(connection.person, TableId(table))
            self._muted = None

    def connected(self, connection: CandidateConnection) -> bool:
        """False: the connection is refused."""
        self._active_at = self.now
        if self._is_over or not self.checker.connected(connection, self.now) or self.now < self.refused_until:
            return False
        self._connections.add(connection)
        self.fault_injector.connection = connection
        self.fault_injector.connected()
        return True

    def incoming(self, connection: CandidateConnection, message: messages.ClientMessage) -> None:
        self._active_at = self.now
        self.fault_injector.connection = connection
        answer = self.checker.incoming(connection, message, self.now)
        if isinstance(answer, messages.Goodbye):
            connection.close_with(answer)
            return
        if answer is not None:
            self.send(connection, answer)
        elif isinstance(message, messages.Hello):
            self._hello(connection, message)
        elif connection.person is None:
            connection.close_with(messages.Goodbye(code="protocol", says="you are not welcome yet"))
        else:
            is_taken = self.fault_injector.incoming(message)
            if isinstance(message, messages.OpenTable):
                self._has_opened, message = True, self._with_options(message)
            if is_taken:
                self.forward(connection, message)
        self._flush()

    def _with_options(self, request: messages.OpenTable) -> messages.OpenTable:
        """Add the options of the case to a table that the client opens, unless it chose others."""
        rule_set = self._games.get(request.game)
        options = {**({} if rule_set is None else self.case.options_for(rule_set)), **request.options}
        return replace(request, turn=request.turn or self.case.turn, options=options)

    def invalid(self, connection: CandidateConnection, error: MessageError | FramingError) -> None:
        self._active_at = self.now
        self.checker.invalid(connection, error)
        if isinstance(error, FramingError) or not connection.has_hello:
            connection.close_with(messages.Goodbye(code="protocol", says=error.reason))
        else:
            code = RefusalCode.BAD_REQUEST
            self.send(connection, messages.Refused(error.request_id, code, error.reason, field=error.field))

    def overflowed(self, connection: CandidateConnection) -> None:
        self.results.failed(checks.PACE, "It does not read what it is sent.")

    def disconnected(self, connection: CandidateConnection) -> None:
        self._connections.discard(connection)
        self.checker.disconnected(connection)
        if connection.peer is not None:
            self.server.exit(connection.peer)
        self.fault_injector.disconnected()
        self._flush()

    def crashed(self, bug: Exception) -> None:
        """Report a bug in the suite, which must not look like a fault of the client."""
        self._bug = self._bug or bug

    def _hello(self, connection: CandidateConnection, hello: messages.Hello) -> None:
        hello = self.fault_injector.incoming_hello(hello)
        if (goodbye := self.fault_injector.refusal(hello)) is not None:
            connection.close_with(goodbye)
            return
        connection.version = hello.version
        connection.numbers = {seen.table: seen.number for seen in hello.seen}
        receive, close = partial(self._deliver, connection), partial(self._turned_away, connection, hello)
        connection.peer = self.server.connect(receive, close, is_client=True)
        self.server.hello(connection.peer, hello)

    def _turned_away(self, connection: CandidateConnection, hello: messages.Hello, goodbye: messages.Goodbye) -> None:
        """The lobby refuses the client, or a newer connection of the client has taken over."""
        is_expected = goodbye.code in ("taken_over", "bye") or self.fault_injector.is_expected(goodbye)
        if not is_expected and not hello.token:
            self.results.failed(checks.HELLO, f"It was turned away: {goodbye.says}.")
        connection.close_with(goodbye)

    def _leave(self, connection: CandidateConnection) -> None:
        is_between = True
        if connection.peer is not None:
            tables = self.server.tables_of(connection.peer.person) if connection.peer.person is not None else ()
            is_between = not any(table.state in (TableState.PLAYING, TableState.PAUSED) for table in tables)
            self._has_departed = True
            self.server.bye(connection.peer)
        connection.close_with(messages.Goodbye(code="bye", says="goodbye"))
        if is_between and self.checker.moves:
            self.fault_injector.left_between_games()
        if not self.fault_injector.may_end:
            self._fail_begun("it said bye")

    def _deliver(self, connection: CandidateConnection, message: messages.ServerMessage) -> None:
        if connection.is_over or connection is self._muted:
            return
        if isinstance(message, messages.Welcome):
            message = replace(message, version=connection.version)
            self.results.passed(checks.HELLO)
            self.results.begin(checks.SITS)
            self.note_progress()
        if isinstance(message, messages.TableSnapshot):
            self._views[message.table] = message.viewer, message.view
            if message.viewer != GALLERY:
                self.results.passed(checks.SITS)
                self._sat_at.add(message.table)
                self._played = (message.info.game, len(message.info.seats))
        if isinstance(message, messages.Events) and message.table in self._views:
            viewer, view = self._views[message.table]
            self._views[message.table] = viewer, folded(view, message, viewer)
        if isinstance(message, messages.Ok):
            self.note_progress()
        if isinstance(message, messages.Decision | messages.Events):
            self._active_at = self.now
        self.fault_injector.connection = connection
        for outgoing in self.fault_injector.outgoing(message):
            self.send(connection, outgoing)

    def _flush(self) -> None:
        for connection in self._connections:
            connection.flush()

    def _fail_begun(self, why: str) -> None:
        """Fail all checks in progress: another run of the client cannot make up for them."""
        for check in self.case.checks:
            if self.results.is_open(check) and not check.is_lasting:
                self.results.failed(check, f"It did not: {why}.")

    async def run(self) -> CaseReport:
        """:raises CannotStart: the client's command cannot be run."""
        try:
            self._open_seat = self._open_table()
            await self._start_client()
            while (why := await self._step()) is None:  # noqa: ASYNC110  # time passes in steps
                await asyncio.sleep(TICK_S)
        finally:
            self._is_over = True
            await self._close()
            self.server.close()
        if not self.fault_injector.skipped:  # what was begun is no fault then
            self.results.close(f"{why}, and its last request was refused: {self._refusal}" if self._refusal else why)
        return self._report()

    async def _step(self) -> str | None:
        """Let time pass. At the end of the case, returns why, as the end of a sentence."""
        if self._bug is not None:
            raise self._bug
        now = self.now
        self.server.tick()
        self.fault_injector.tick(now)
        self.checker.tick(now)
        self._seat(now)
        self._flush()
        if any(connection.is_sending for connection in self._connections):
            self.note_progress()
            self.checker.hold(now)
        if self.fault_injector.skipped:
            return "the case says nothing of it"
        if self.fault_injector.is_done and self.results.is_decided(checks.SITS):
            self._done_at = self._done_at or now
            if now - self._done_at >= LINGERS_MS:
                return "the case was over"
        if self.fault_injector.waits_for_moves and self.checker.moves - self._moves_at_progress >= MOST_IDLE_MOVES:
            return f"{MOST_IDLE_MOVES} moves had brought nothing new"
        if self.results.is_faulty(checks.PACE):
            return "it was sent away"
        if self.results.is_faulty(checks.IN_TIME):
            return "it left a decision unanswered"
        if self._client is not None and (code := self._client.returncode) is not None:
            return await self._ended(code)
        is_coming = self._start is None and not self.checker.connection_count
        patience = self._arrival_ms if is_coming else self._timeout_ms + 500
        if now - self._progressed > patience:
            return f"nothing went on for {patience / 1000:g} seconds"
        if now - self._begun > patience + TIMEOUTS_PER_CASE * self._timeout_ms:
            return "the case took too long"
        return None

    def _seat(self, now: int) -> None:
        """Invite an idle client, and fill a table that it opened."""
        if now - self._active_at < IDLE_MS:
            return
        for connection in list(self._connections):
            if (person := connection.person) is None:
                continue
            tables = self.server.tables_of(person)
            for table in tables:
                if table.state is TableState.FILLING:
                    self.server.fill_seats(table)
            if (
                not tables
                and not self._has_opened
                and now - self._invited_at > INVITE_INTERVAL_MS
                and not connection.is_over
            ):
                self._invited_at = now
                self._invite(person)

    def _invite(self, person: PersonId) -> None:
        assert self._open_seat is not None
        table = self._open_seat[1]
        if table not in self.server.lobby.tables or table in self._sat_at:  # that invitation stands, and is told once
            self._open_seat = self._open_table()
        self.server.invite(*self._open_seat, person)

    def _open_table(self) -> tuple[PersonId, TableId]:
        case = self.case
        options = case.options_for(self._games[case.game])
        return self.server.open_table(case.game, case.seats, options, case.turn)

    async def _start_client(self) -> None:
        if self._start is not None:
            self._starts += 1
            self._client = await self._start()
            self.note_progress()

    async def _end_client(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.end(after_s=ENDING_S, terminate_s=ENDING_S)
            self._stderr_tail = tuple(
                "".join(c if c.isprintable() else " " for c in line).rstrip()
                for line in client.stderr.lines[-STDERR_LINES:]
            )

    async def _ended(self, code: int) -> str | None:
        """The client's process ended. Starts it again, or returns why the case is over."""
        await self._end_client()
        if self.fault_injector.may_end:
            return None
        how = f"its program ended with exit code {code}" if code >= 0 else f"its program was ended by signal {-code}"
        left = self._has_departed
        self._fail_begun(how)
        if code or not self.results.is_decided(checks.HELLO) or not left:
            self.results.begin(checks.STAYS)
            self.results.failed(checks.STAYS, f"{how.capitalize()}{'' if left else ', and it had not said bye'}.")
            return how
        if self.fault_injector.is_done or self._starts >= MOST_STARTS:
            return how
        self._has_departed = False
        await self._start_client()
        return None

    async def _close(self) -> None:
        code = "bye" if self._start is not None else "draining"
        for connection in list(self._connections):
            connection.close_with(messages.Goodbye(code=code, says="the case is over"))  # type: ignore[arg-type]  # both are of the set
        await self._end_client()
        for _ in range(FAREWELL_TICKS):
            if not self._connections:
                break
            await asyncio.sleep(TICK_S)
        for connection in list(self._connections):
            connection.drop()

    def broken_off(self, error: Exception) -> CaseReport:
        """Report a case that the suite could not continue. A fault of the client remains one."""
        report = self._report()
        status = report.status if report.status is CheckStatus.FAIL else CheckStatus.NOT_REACHED
        return replace(report, status=status, broken_off=f"{type(error).__name__}: {error}")

    def _report(self) -> CaseReport:
        status = self.results.overall()
        skipped = self.fault_injector.skipped if status is not CheckStatus.FAIL else ""
        if skipped:
            status = CheckStatus.SKIPPED
        return CaseReport(
            self.case.name,
            status,
            self.case.summary,
            *self._played,
            round((self.now - self._begun) / 1000, 2),
            self.checker.moves,
            tuple([check_report(check, self.results) for check in self.results.checks]),
            () if status in (CheckStatus.PASS, CheckStatus.SKIPPED) else self._stderr_tail,
            skipped=skipped,
        )

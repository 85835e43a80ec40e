"""One scene, played: the client's connections on one side, the stage on the other, and the scene's mischief between.

It ends when the scene has nothing left to try, when nothing goes on for too long, or when the client has gone for good:
no client, whatever it does, can hold up the next scene.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping

from msgspec.structs import replace

from put_conformance import checks
from put_conformance.case import Scene
from put_conformance.checker import Critic
from put_conformance.client_process import Candidate
from put_conformance.fake_server import Remembered, Stage
from put_conformance.fault_injector import Line, Told
from put_conformance.marks import Mark, Marks
from put_conformance.report import SceneReport, finding
from put_protocol.errors import FramingError, MessageError
from put_protocol.games.put import (
    Moment,
)
from put_protocol.messages import (
    Bye,
    ClientMessage,
    Decision,
    Events,
    Goodbye,
    Hello,
    Ok,
    OpenTable,
    Ping,
    Pong,
    Refused,
    ServerMessage,
    TableSnapshot,
)
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY
from put_protocol.table_info import (
    TableState,
)
from put_server.games.game import RuleSet
from put_server.table.effects import PersonId, TableId

TICK_S = 0.02
FAREWELL_TICKS = 15
"""For last words to be read before a connection is cut."""

LINGERS_MS = 100
"""After the last thing that was tried: what the client does behind it may be wrong too."""

IDLE_MS = 250
"""Who is welcome, sits nowhere and asks for nothing so long is invited; and their own table is filled after so long."""

INVITE_MS = 1_000
"""Between two invitations."""

TIMEOUTS_A_SCENE = 6
"""A scene is over after so many times the time that any one thing may take."""

MOST_STARTS = 6
"""Of the client in one scene: some play a game or two and leave."""

MOVES_IN_VAIN = 300
"""Moves of the client's with nothing new to judge: at a table of its own the rarest moment may never come."""

Start = Callable[[], Awaitable[Candidate]]
"""Starts the client."""

_TAKEN_OVER = Goodbye(code="taken_over", says="you came back by another connection")


class Performance:
    """A scene in play."""

    def __init__(
        self,
        scene: Scene,
        games: Mapping[str, RuleSet],
        *,
        seed: int,
        timeout_s: float,
        patience_s: float,
        start: Start | None,
        remembered: Remembered,
    ) -> None:
        """`start` starts the client; without it the client comes by itself, within `patience_s`."""
        self.scene = scene
        self.marks = Marks((*checks.ALWAYS, *scene.checks))
        self.critic = Critic(self.marks, timeout_ms=round(timeout_s * 1000), first_table=remembered.last_table + 1)
        self._timeout_ms = round(timeout_s * 1000)
        self._patience_ms = round(patience_s * 1000)
        self._start = start
        self._candidate: Candidate | None = None
        self._starts = 0
        self._begun = self._progressed = self.now
        self._fruitful = 0
        self._done_at = 0
        self._bug: Exception | None = None
        self._connections = 0
        self._lines: set[Line] = set()
        self._people: dict[PersonId, Line] = {}
        self._departed: set[PersonId] = set()
        self._moments: dict[int, Moment | None] = {}
        self._heard_at = self.now
        self._invited_at = 0
        self._shut_until: int | None = None
        self._is_over = False
        self._said: tuple[str, ...] = ()
        self._place: tuple[PersonId, TableId] | None = None
        self.mischief = scene.mischief(self, scene.checks)
        self.stage = Stage(
            games,
            seed=f"{seed} {scene.name}",
            now=lambda: self.now,
            tell=self._tell,
            is_put_wanted=lambda: Moment.ANSWER in self.mischief.wanted,
            remembered=remembered,
        )

    # --- what a scene may reach ---

    @property
    def now(self) -> int:
        return time.monotonic_ns() // 1_000_000

    @property
    def connections(self) -> int:
        return self._connections

    def progress(self) -> None:
        self._progressed = self.now

    def moment(self, table: int) -> Moment | None:
        return self._moments.get(table)

    def shut(self, until: int | None) -> None:
        self._shut_until = until

    def say(self, line: Line, told: Told) -> None:
        if not isinstance(told, Mapping):
            moved = self.critic.told(line, told, self.now)
            line.say(told)
            if moved is not None:
                self.progress()
                known = self.marks.decided
                self.mischief.moved(moved)
                if self.marks.decided != known:
                    self._fruitful = self.critic.moves
        else:
            line.say(told)

    def pass_on(self, line: Line, message: ClientMessage) -> bool:
        is_carried_out = True
        match message:
            case Ping():
                line.say(Pong())
            case Pong() | Hello():
                pass
            case Bye():
                self._leave(line)
            case _:
                is_carried_out = line.person is not None and self.stage.ask(line.person, message)
        self._flush()
        return is_carried_out

    def forget(self, person: PersonId, *, is_departed: bool) -> None:
        self._people.pop(person, None)
        if is_departed:
            self.stage.depart(person)
        else:
            self.stage.lose(person)

    def withdraw(self, line: Line, table: int) -> None:
        person = line.person
        if person is not None:
            del self._people[person]
            self.stage.clear_away(person, TableId(table))
            self._people[person] = line

    # --- what a connection calls ---

    def connected(self, line: Line) -> bool:
        self._connections += 1
        self._heard_at = self.now
        if self._is_over or not self.critic.connected(line, self.now):
            return False
        if self._shut_until is not None and self.now < self._shut_until:
            return False
        self._lines.add(line)
        self.mischief.connected(line)
        return True

    def heard(self, line: Line, message: ClientMessage) -> None:
        self._heard_at = self.now
        answer = self.critic.heard(line, message, self.now)
        if isinstance(answer, Goodbye):
            line.farewell(answer)
            return
        if answer is not None:
            self.say(line, answer)
        elif isinstance(message, Hello):
            self._hello(line, message)
        elif line.person is None:
            line.farewell(Goodbye(code="protocol", says="you are not welcome yet"))
        elif self.mischief.heard(line, message):
            self.pass_on(line, self._suited(message) if isinstance(message, OpenTable) else message)
        self._flush()

    def _suited(self, request: OpenTable) -> OpenTable:
        """A table of the client's own is given what the scene needs, as far as the client did not ask otherwise."""
        options = dict(request.options)
        if request.game == self.scene.game:
            options = {**self.scene.options, **options}
        return replace(request, turn=request.turn or self.scene.turn, options=options)

    def misheard(self, line: Line, error: MessageError | FramingError) -> None:
        self._heard_at = self.now
        self.critic.misheard(line, error)
        if isinstance(error, FramingError) or not line.has_hello:
            line.farewell(Goodbye(code="protocol", says=error.reason))
        else:
            code = RefusalCode.BAD_REQUEST
            self.say(line, Refused(error.request_id, code, error.reason, field=error.field))

    def overflowed(self, line: Line) -> None:
        self.marks.failed(checks.PACE, "It does not read what it is sent.")

    def lost(self, line: Line) -> None:
        self._lines.discard(line)
        self.critic.lost(line)
        person = line.person
        if person is not None and self._people.get(person) is line:
            del self._people[person]
            self.stage.lose(person)
        self.mischief.lost(line)
        self._flush()

    def failed(self, bug: Exception) -> None:
        self._bug = self._bug or bug

    # --- the client comes and goes ---

    def _hello(self, line: Line, hello: Hello) -> None:
        hello = self.mischief.said_hello(line, hello)
        outcome = self.stage.admit(hello)
        if isinstance(outcome, Goodbye):
            if not hello.token:
                self.marks.failed(checks.HELLO, f"It was turned away: {outcome.says}.")
            line.farewell(outcome)
            return
        person, welcome, rest = outcome
        former = self._people.get(person)
        self._people[person] = line
        line.person = person
        line.numbers = {seen.table: seen.number for seen in hello.seen}
        if former is not None:
            former.person = None
            former.farewell(_TAKEN_OVER)
        self.marks.passed(checks.HELLO)
        self.marks.begin(checks.SITS)
        self.progress()
        self._tell(person, welcome)
        self.stage.perform(rest)

    def _leave(self, line: Line) -> None:
        person, line.person = line.person, None
        if person is not None:
            self._people.pop(person, None)
            self._departed.add(person)
            self.stage.depart(person)
        line.farewell(Goodbye(code="bye", says="goodbye"))
        if not self.mischief.may_end:
            self._give_up_begun("it said bye")

    def _tell(self, person: PersonId, message: ServerMessage) -> None:
        line = self._people.get(person)
        if line is None or line.is_over:  # who is away hears nothing, and asks again
            return
        if isinstance(message, Events | TableSnapshot) and message.view is not None:
            self._moments[message.table] = message.view.moment
        if isinstance(message, TableSnapshot) and message.viewer != GALLERY:
            self.marks.passed(checks.SITS)
        if isinstance(message, Ok):
            self.progress()
        if isinstance(message, Decision | Events):
            self._heard_at = self.now
        for told in self.mischief.told(line, message):
            self.say(line, told)

    def _flush(self) -> None:
        for line in self._lines:
            line.flush()

    def _give_up_begun(self, why: str) -> None:
        """What it was about to do when it left is not for another run of it to put right."""
        for check in self.scene.checks:
            if self.marks.is_begun(check) and not self.marks.is_decided(check) and not check.is_lasting:
                self.marks.failed(check, f"It did not: {why}.")

    # --- time ---

    async def run(self) -> SceneReport:
        """The whole scene, to its report.

        :raises CannotStart: the client's command cannot be run.
        """
        why = "the scene was over"
        try:
            self._place = self.stage.set_table(self.scene.game, self.scene.seats, self.scene.options, self.scene.turn)
            await self._start_client()
            why = await self._played()
        finally:
            self._is_over = True
            await self._close()
            self.stage.close()
        self.marks.close(why)
        return self._report()

    async def _played(self) -> str:
        while True:
            if (why := await self._step()) is not None:
                return why
            await asyncio.sleep(TICK_S)

    async def _step(self) -> str | None:
        """Let time pass. Returns why the scene is over, as the end of a sentence, once it is."""
        if self._bug is not None:
            raise self._bug
        now = self.now
        self.stage.tick()
        self.mischief.tick(now)
        self.critic.tick(now)
        self._seat(now)
        self._flush()
        if any(line.is_trickling for line in self._lines):
            self.progress()
            self.critic.hold(now)
        if self.mischief.is_done and self.marks.is_decided(checks.SITS):
            self._done_at = self._done_at or now
            if now - self._done_at >= LINGERS_MS:
                return "the scene was over"
        if self.mischief.waits_for_moves and self.critic.moves - self._fruitful >= MOVES_IN_VAIN:
            return f"{MOVES_IN_VAIN} moves had brought nothing new"
        if self.marks.is_faulty(checks.PACE):
            return "it was sent away"
        if self._candidate is not None and (code := self._candidate.ended) is not None:
            return await self._ended(code)
        patience = self._patience_ms if self._start is None and not self._connections else self._timeout_ms + 500
        if now - self._progressed > patience:
            return f"nothing went on for {patience / 1000:g} seconds"
        if now - self._begun > patience + TIMEOUTS_A_SCENE * self._timeout_ms:
            return "the scene took too long"
        return None

    def _seat(self, now: int) -> None:
        """Whoever is welcome and idle is invited, and the client's own table is filled."""
        if now - self._heard_at < IDLE_MS:
            return
        for person, line in list(self._people.items()):
            tables = self.stage.tables_of(person)
            for table in tables:
                if table.state is TableState.FILLING:
                    self.stage.fill(table)
            if not tables and now - self._invited_at > INVITE_MS and not line.is_over:
                self._invited_at = now
                self._invite(person)

    def _invite(self, person: PersonId) -> None:
        assert self._place is not None
        if self._place[1] not in self.stage.lobby.tables:
            self._place = self.stage.set_table(self.scene.game, self.scene.seats, self.scene.options, self.scene.turn)
        self.stage.invite(*self._place, person)

    async def _start_client(self) -> None:
        if self._start is not None:
            self._starts += 1
            self._candidate = await self._start()
            self.progress()

    async def _ended(self, code: int) -> str | None:
        """The client's process ended: is it to be started again?"""
        assert self._candidate is not None
        await self._candidate.end()
        self._said, self._candidate = self._candidate.last_words, None
        if self.mischief.may_end:
            return None
        had = f"its program ended with exit code {code}" if code >= 0 else f"its program was ended by signal {-code}"
        left = bool(self._departed)
        self._give_up_begun(had)
        if code or not self.marks.is_decided(checks.HELLO) or not left:
            self.marks.begin(checks.STAYS)
            self.marks.failed(checks.STAYS, f"{had.capitalize()}{'' if left else ', and it had not said bye'}.")
            return had
        if self.mischief.is_done or self._starts >= MOST_STARTS:
            return had
        self._departed.clear()
        await self._start_client()
        return None

    async def _close(self) -> None:
        """Send the client away."""
        code = "bye" if self._start is not None else "draining"
        for line in list(self._lines):
            line.farewell(Goodbye(code=code, says="the scene is over"))  # type: ignore[arg-type]  # both are of the set
        if self._candidate is not None:
            await self._candidate.end()
            self._said = self._candidate.last_words
        for _ in range(FAREWELL_TICKS):
            if not self._lines:
                break
            await asyncio.sleep(TICK_S)
        for line in list(self._lines):
            line.drop()

    def _report(self) -> SceneReport:
        status = self.marks.whole()
        return SceneReport(
            self.scene.name,
            status,
            self.scene.tries,
            self.scene.game,
            self.scene.seats,
            round((self.now - self._begun) / 1000, 2),
            self.critic.moves,
            tuple([finding(check, self.marks) for check in self.marks.checks]),
            () if status is Mark.PASS else self._said,
        )

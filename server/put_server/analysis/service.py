"""Analysis service: passes players' questions to a worker process, and sends them the answers.

The event loop never waits for an evaluation. One task owns the worker, which starts on first use and ends with the
server. The queue is limited in total and for each person. Its scheduling is fair by network, then by address, then by
person: the next piece is for those who have used the least time since they began to wait. A newcomer starts with the
least time used by those who wait, so they have neither an advantage nor a disadvantage. A person who got `ok` gets an
answer, or a reason why there is none, unless they have left. Long games are evaluated one hand at a time.
"""

import asyncio
import logging
import random
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from subprocess import DEVNULL, PIPE
from typing import IO, Generic, TypeVar

import msgspec

from put_protocol.analysis import PlayedTurn, Reviewed
from put_protocol.messages import (
    Advice,
    Analyse,
    Analysis,
    Drill,
    Grade,
    Judgement,
    Position,
    Recall,
    Recalled,
    ServerMessage,
)
from put_protocol.seats import Seat
from put_rules.game import RuleSet
from put_rules.record import GameRecord
from put_runtime.child_process import APART
from put_server.analysis.analysis_worker import (
    LENGTH,
    MOST_BYTES,
    Advise,
    Answer,
    EvaluateHand,
    HandEvaluated,
    Job,
    JobFailed,
    Practise,
    answer_of,
    packed,
)
from put_server.analysis.evaluation import analysis_messages, pending_situation, played_turns
from put_server.analysis.practice_positions import MOST_NUMBER
from put_server.game_sheet import parts_of, sheet_of
from put_server.lobby.prefixes import prefixes_of
from put_server.table.table_effects import GameStudy, PersonId, Practice, Study
from put_text.catalogue import say, speaking

T = TypeVar("T")

Payers = tuple[str, ...]
"""Queue keys of a piece of work: the widest network first, the person last."""


def payers_of(origin: str, person: PersonId) -> Payers:
    """Queue keys of a person at an origin; all exempt origins share one."""
    networks = [prefix.network for prefix in prefixes_of(origin)] or [origin]
    return (*reversed(networks), f"{origin} {person}")


class FairQueue(Generic[T]):
    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: list[tuple[Payers, T]] = []
        """The oldest first."""
        self._taken: dict[str, float] = {}
        """Seconds used by those who wait, and by those last served."""
        self._is_filled = asyncio.Event()

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def items(self) -> list[T]:
        return [item for _, item in self._waiting]

    def put(self, payers: Payers, item: T) -> T | None:
        """Add an item. If the queue is full, returns the item dropped for it: the latest one of the person, address and
        network with the most items."""
        for width, who in enumerate(payers):
            least = min(
                [self._taken[waiting[width]] for waiting, _ in self._waiting if width < len(waiting)], default=0.0
            )
            self._taken[who] = max(self._taken.get(who, 0.0), least)
        self._waiting.append((payers, item))
        self._is_filled.set()
        if len(self._waiting) <= self._most:
            return None
        counts: dict[str, int] = {}
        for waiting, _ in self._waiting:
            for who in waiting:
                counts[who] = counts.get(who, 0) + 1
        crowded = max(reversed(range(len(self._waiting))), key=lambda n: [counts[who] for who in self._waiting[n][0]])
        return self._waiting.pop(crowded)[1]

    async def next(self) -> tuple[Payers, T]:
        """Wait for an item, and take it."""
        while not self._waiting:
            self._is_filled.clear()
            await self._is_filled.wait()
        return self.take()

    def take(self) -> tuple[Payers, T]:
        found = min(range(len(self._waiting)), key=lambda n: [self._taken[who] for who in self._waiting[n][0]])
        payers, item = self._waiting.pop(found)
        kept = {who for waiting, _ in self._waiting for who in waiting} | set(payers)
        self._taken = {who: taken for who, taken in self._taken.items() if who in kept}
        return payers, item

    def charge(self, payers: Payers, seconds: float) -> None:
        """Note that their last piece took this long."""
        for who in payers:
            self._taken[who] = self._taken.get(who, 0.0) + seconds


COMMAND = (sys.executable, "-m", "put_server.analysis.analysis_worker")

PATIENCE_S = 60.0
"""Time limit of one job, including the start of the process. The slowest hand takes a few seconds on a slow machine."""

log = logging.getLogger(__name__)

MOST_WAITING = 64
"""Most questions in total: a minute or two of work."""

MOST_PER_PERSON = 3
"""Most questions of one person, so that no person fills the queue."""

MOST_CACHED = 32
"""Most analyses cached for repeated questions: at most three megabytes."""

FULL, TOO_MANY, LOST = "refused-analysis-full", "refused-analysis-many", "refused-analysis-lost"

Game = tuple[int, int, Seat, str]
"""Table, number of the game, seat, and language of the answer."""


class WorkerLost(Exception):
    """The process died, or did not answer in time. The next job starts another."""


class JobNotDone(Exception):
    """The worker failed in a job; its text is the type of the error."""


class WorkerProcess:
    """One worker process, started on first use and again after a loss. The caller must end it. A thread communicates
    with it, because not every event loop supports child processes."""

    def __init__(
        self, command: Sequence[str] = COMMAND, patience_s: float = PATIENCE_S, *, is_shared: bool = False
    ) -> None:
        """`is_shared`: several services use it in turn, and none of them ends it."""
        self.is_shared = is_shared
        self._command = command
        self._patience_s = patience_s
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = asyncio.Lock()

    def _started(self) -> "subprocess.Popen[bytes]":
        # Its standard error is not read: a traceback might name a card.
        return subprocess.Popen(
            self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True, creationflags=APART
        )

    async def ask(self, job: Job) -> Answer:
        """:raises WorkerLost: no answer came."""
        async with self._turn:
            try:
                if self._process is None:
                    self._process = self._started()
                async with asyncio.timeout(self._patience_s):
                    return answer_of(await asyncio.to_thread(_exchange, self._process, packed(job)))
            except (OSError, ValueError, EOFError, TimeoutError, msgspec.DecodeError) as error:
                await self.end()
                raise WorkerLost(type(error).__name__) from None
            except asyncio.CancelledError:
                await self.end()  # half an answer may be on its way
                raise

    async def end(self) -> None:
        """End the process; may be called again. A thread that waits for an answer gets the end of the stream."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            waiting = asyncio.get_running_loop().run_in_executor(None, _forget, process)
            await asyncio.shield(waiting)  # a second cancellation would leave a process that nobody waited for


def _exchange(process: "subprocess.Popen[bytes]", job: bytes) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(job)
    process.stdin.flush()
    length = int.from_bytes(_exactly(process.stdout, LENGTH), "big")
    if length > MOST_BYTES:
        raise OSError("that is no answer")
    return _exactly(process.stdout, length)


def _forget(process: "subprocess.Popen[bytes]") -> None:
    """Wait for the end of a killed process, and close its pipes."""
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):  # what was not written is not wanted any more
                stream.close()


def _exactly(stream: IO[bytes], count: int) -> bytes:
    """:raises EOFError: the stream ended too early."""
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


@dataclass(slots=True, eq=False)
class _Work:
    """A question, and the people who asked it."""

    wanted: Study
    people: list[PersonId]
    """Two players who had a seat one after another may share a question; other questions have one person."""
    job: Practise | None = None
    """The job of a question about a position to practise on; None: it is about a game."""
    hands: deque[tuple[PlayedTurn, ...]] | None = None
    """Hands of a game still to be evaluated; None: the record was not read yet."""
    reviewed: list[Reviewed] = field(default_factory=list)


class AnalysisService:
    def __init__(
        self,
        games: Mapping[str, RuleSet],
        *,
        tell: Callable[[PersonId, ServerMessage], None],
        sits_at: Callable[[PersonId, int], bool],
        origin_of: Callable[[PersonId], str | None],
        charge: Callable[[PersonId, float], None] = lambda *_: None,
        worker: WorkerProcess | None = None,
        seed: int | None = None,
    ) -> None:
        """`sits_at`: true if a person sits at a table. `origin_of`: a person's address; None: not here. `charge`:
        charges a person for a thread's microseconds. With a seed, positions come in a fixed order."""
        self._games = games
        self._tell = tell
        self._sits_at = sits_at
        self._origin_of = origin_of
        self._charge = charge
        self._clock = time.monotonic
        self._worker = WorkerProcess() if worker is None else worker
        self._chance = random.SystemRandom() if seed is None else random.Random(f"positions {seed}")
        self._queue: FairQueue[_Work] = FairQueue(MOST_WAITING)
        self._current: _Work | None = None
        self._cached: dict[Game, tuple[Analysis, ...]] = {}

    def study(self, wanted: Study) -> None:
        """Queue a question; the answer is sent when it is ready. Does not block."""
        if (game := _game_of(wanted)) is not None:
            if game in self._cached:
                self._send(wanted.person, *self._cached[game])
                return
            begun = next((one for one in self._works if _game_of(one.wanted) == game), None)
            if begun is not None:
                if wanted.person not in begun.people:
                    begun.people.append(wanted.person)
                return
        if sum(wanted.person in one.people for one in self._works) >= MOST_PER_PERSON:
            self._send(wanted.person, _failure(wanted, TOO_MANY))
            return
        work = _Work(wanted, [wanted.person])
        if isinstance(wanted, Practice):
            request = wanted.request
            number = request.number if isinstance(request, Grade) else self._chance.randint(1, MOST_NUMBER)
            work.job = Practise(request, wanted.options, number, wanted.language)
        self._wait(payers_of(self._origin_of(wanted.person) or "", wanted.person), work)

    @property
    def _works(self) -> list[_Work]:
        return self._queue.items if self._current is None else [self._current, *self._queue.items]

    def _wait(self, payers: Payers, work: _Work) -> None:
        """Queue work. If the queue is full, the latest work of the busiest person is refused."""
        if (refused := self._queue.put(payers, work)) is not None:
            for person in refused.people:
                self._send(person, _failure(refused.wanted, FULL))

    async def run(self) -> None:
        """Answer questions forever; the one task that owns the worker."""
        try:
            while True:
                await self._next()
        finally:
            if not self._worker.is_shared:
                await self._worker.end()

    async def _next(self) -> None:
        """Do the next piece of work. A game with hands left is queued again."""
        payers, work = await self._queue.next()
        self._current, begun, is_done = work, self._clock(), True
        try:
            is_done = await self._do(work)
        except Exception as error:  # noqa: BLE001  # the boundary: a bug in a question fails only this question
            if isinstance(error, WorkerLost):
                log.warning("the worker process was lost (%s); the next question starts another", error)
            else:  # a trace might name a card
                kind = error if isinstance(error, JobNotDone) else type(error).__name__
                log.error("decisions could not be evaluated: %s", kind)
            for person in work.people:
                self._send(person, _failure(work.wanted, LOST))
        self._current = None
        self._queue.charge(payers, self._clock() - begun)
        if not is_done:
            self._wait(payers, work)

    async def _do(self, work: _Work) -> bool:
        """Returns whether the work is done."""
        match work.wanted:
            case GameStudy(request=Analyse()) as wanted:
                return await self._review(work, wanted)
            case GameStudy(request=Recall()) as wanted:
                await self._recall(wanted)
            case GameStudy() as wanted:
                await self._coach(wanted)
            case Practice(person=person):
                if work.job is not None and self._origin_of(person) is not None:
                    answer = await self._done(work.job)
                    assert isinstance(answer, Position | Judgement)
                    self._send(person, answer)
        return True

    def _send(self, person: PersonId, *messages: ServerMessage) -> None:
        for message in messages:
            if not isinstance(message, Analysis | Advice | Recalled) or self._sits_at(person, message.table):
                self._tell(person, message)

    async def _done(self, job: Job) -> Answer:
        """The worker's answer.

        :raises JobNotDone: it failed.
        """
        answer = await self._worker.ask(job)
        if isinstance(answer, JobFailed):
            raise JobNotDone(answer.kind)
        return answer

    async def _in_thread(self, person: PersonId, call: Callable[[], T]) -> T:
        """Call a function in a thread, and charge its work: the event loop competes with it for the interpreter."""
        result, taken = await asyncio.to_thread(_timed, call)
        self._charge(person, taken / 1000)
        return result

    async def _review(self, work: _Work, wanted: GameStudy) -> bool:
        """Evaluate the next hand of a game. Returns true if it was the last."""
        record = wanted.record
        if not any(self._sits_at(person, record.table) for person in work.people):
            return True  # no person waits for it
        if work.hands is None:
            # A long game takes milliseconds, in which the loop would stand still.
            turns = await self._in_thread(
                wanted.person, partial(played_turns, record, self._games[record.rule_set], wanted.seat)
            )
            work.hands = deque(turns)
        if work.hands:
            job = EvaluateHand(record.rule_set, record.options, work.hands.popleft(), wanted.language)
            found = await self._done(job)
            assert isinstance(found, HandEvaluated)
            work.reviewed += found.reviewed
        if work.hands:
            return False
        told = analysis_messages(record.table, record.number, wanted.seat, work.reviewed)
        self._cached[record.table, record.number, wanted.seat, wanted.language] = told
        if len(self._cached) > MOST_CACHED:
            del self._cached[next(iter(self._cached))]
        for person in work.people:
            self._send(person, *told)
        return True

    async def _recall(self, wanted: GameStudy) -> None:
        record, seat = wanted.record, wanted.seat
        if self._sits_at(wanted.person, record.table):
            parts = await self._in_thread(wanted.person, partial(_sheet, record, self._games[record.rule_set], seat))
            for part, text in enumerate(parts, 1):
                self._send(wanted.person, Recalled(record.table, record.number, seat, text, part, len(parts)))
            if not parts:
                self._send(wanted.person, _failure(wanted, "refused-record-long"))

    async def _coach(self, wanted: GameStudy) -> None:
        record, rule_set = wanted.record, self._games[wanted.record.rule_set]
        if self._sits_at(wanted.person, record.table):
            # From here on there is only what the seat saw.
            situation = await self._in_thread(wanted.person, partial(pending_situation, record, rule_set, wanted.seat))
            assert situation is not None, "it was their turn when they asked"
            about = (
                wanted.request.id,
                record.table,
                wanted.decision,
                record.rule_set,
                record.options,
                len(record.players),
            )
            advice = await self._done(Advise(*about, situation, wanted.language))
            assert isinstance(advice, Advice)
            self._send(wanted.person, advice)


def _timed(call: Callable[[], T]) -> tuple[T, int]:
    """Result of a call, and its processor time in nanoseconds."""
    begun = time.thread_time_ns()
    return call(), time.thread_time_ns() - begun


def _sheet(record: GameRecord, rule_set: RuleSet, seat: Seat) -> tuple[str, ...]:
    return parts_of(sheet_of(record, rule_set, seat, date="", server=""))


def _game_of(wanted: Study) -> Game | None:
    """The game to analyse; None: another question."""
    if not (isinstance(wanted, GameStudy) and isinstance(wanted.request, Analyse)):
        return None
    return wanted.record.table, wanted.record.number, wanted.seat, wanted.language


def _failure(wanted: Study, message: str) -> ServerMessage:
    """The answer to a question, with the reason why there is no other in the language of its person."""
    with speaking(wanted.language):
        says = say("refused-record-unwritten" if isinstance(wanted.request, Recall) and message == LOST else message)
    match wanted:
        case GameStudy(request=Analyse(), record=record, seat=seat):
            return Analysis(record.table, record.number, seat, flaw=says)
        case GameStudy(request=Recall(), record=record, seat=seat):
            return Recalled(record.table, record.number, seat, flaw=says)
        case GameStudy(request=request, record=record, decision=decision):
            return Advice(request.id, record.table, decision, flaw=says)
        case Practice(request=Drill(id=number, game=game)):
            return Position(number, game, flaw=says)
        case Practice(request=request):
            assert isinstance(request, Grade)
            return Judgement(request.id, request.number, flaw=says)

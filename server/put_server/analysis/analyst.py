"""The analyst: has a worker weigh what people ask to have weighed, and tells them when it is done.

Laws: the loop never waits for a weighing; one task owns the worker, which starts when it is first needed and ends with
the server; what waits is bounded, in all and by person; whoever was told `ok` hears what came of it, or why nothing
did, unless they have left meanwhile. Long games take turns with short questions, a hand at a time.
"""

import asyncio
import logging
import random
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, assert_never

from put_protocol.analysis import Reviewed
from put_protocol.messages import Analysis, Judgement, Position, ServerMessage
from put_protocol.seats import Seat
from put_server.analysis.drills import SEATS
from put_server.analysis.jobs import (
    Answer,
    Failed,
    FindPosition,
    GradePosition,
    HandWeighed,
    Job,
    NotLegal,
    PositionFound,
    PositionGraded,
    WeighHand,
)
from put_server.analysis.turns import Taken, turns_of
from put_server.analysis.verdicts import analyses
from put_server.analysis.worker_client import Worker, WorkerLost
from put_server.games.game import RuleSet
from put_server.table.effects import PersonId, Study, WantAnalysis, WantJudgement, WantPosition

log = logging.getLogger(__name__)

WAITING = 64
"""Studies at once: a minute or two of work."""

EACH = 3
"""Of one person's at once, so that nobody fills the room."""

KEPT = 32
"""Analyses that are remembered, for who asks twice: at most three megabytes."""

FULL = "the house is weighing as much as it can; ask again in a minute"
ENOUGH = "what you asked for before is not done yet; ask again when it is"
LOST = "the weighing failed; ask again"

Game = tuple[int, int, Seat]
"""A table, a game at it, and who of its players."""


class _NotDone(Exception):
    """The worker could not do it."""


class Tells(Protocol):
    """How people hear of it."""

    def __call__(self, person: PersonId, message: ServerMessage) -> None: ...


@dataclass(slots=True, eq=False)
class _Review:
    """A game to be weighed, and who wants to know. Two who sat there one after another may ask for the same."""

    wanted: WantAnalysis
    people: list[PersonId]
    hands: deque[tuple[Taken, ...]] | None = None
    """Still to be weighed; None: the record was not yet read."""
    reviewed: list[Reviewed] = field(default_factory=list)

    @property
    def game(self) -> Game:
        return _game_of(self.wanted)


@dataclass(slots=True, eq=False)
class _Drill:
    """A question about a position."""

    wanted: WantPosition | WantJudgement
    number: int

    @property
    def people(self) -> list[PersonId]:
        return [self.wanted.person]


class Analyst:
    """All studies of a server."""

    def __init__(
        self,
        games: Mapping[str, RuleSet],
        *,
        tell: Tells,
        sits_at: Callable[[PersonId, int], bool],
        is_here: Callable[[PersonId], bool],
        worker: Worker | None = None,
        seed: int | None = None,
    ) -> None:
        """`sits_at`: whether a person has a seat at a table. With a seed positions come in one order every time."""
        self._games = games
        self._tell = tell
        self._sits_at = sits_at
        self._is_here = is_here
        self._worker = Worker() if worker is None else worker
        self._chance = random.SystemRandom() if seed is None else random.Random(f"positions {seed}")
        self._waiting: deque[_Review | _Drill] = deque()
        """The one in hand included."""
        self._kept: dict[Game, tuple[Analysis, ...]] = {}
        self._wake = asyncio.Event()

    def study(self, wanted: Study) -> None:
        """Work it out, and tell. Must not block."""
        if isinstance(wanted, WantAnalysis):
            game = _game_of(wanted)
            if game in self._kept:
                self._say(wanted.person, *self._kept[game])
                return
            begun = next((one for one in self._waiting if isinstance(one, _Review) and one.game == game), None)
            if begun is not None:
                if wanted.person not in begun.people:
                    begun.people.append(wanted.person)
                return
        full = len(self._waiting) >= WAITING
        if full or sum(wanted.person in one.people for one in self._waiting) >= EACH:
            self._say(wanted.person, _failed(wanted, FULL if full else ENOUGH))
            return
        match wanted:
            case WantAnalysis(person=person):
                self._waiting.append(_Review(wanted, [person]))
            case WantPosition():
                self._waiting.append(_Drill(wanted, self._chance.randint(1, 2**53 - 1)))
            case WantJudgement(number=number):
                self._waiting.append(_Drill(wanted, number))
            case _:
                assert_never(wanted)
        self._wake.set()

    async def run(self) -> None:
        """Weigh for ever; the one task that owns the worker."""
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._waiting:
                    await self._next()
        finally:
            await self._worker.end()

    async def _next(self) -> None:
        """Do the next piece of work. What is not done with it waits behind the others."""
        work = self._waiting[0]
        try:
            is_done = await (self._review(work) if isinstance(work, _Review) else self._drill(work))
        except WorkerLost as error:
            log.warning("the process that weighs decisions was lost (%s); the next question starts another", error)
            self._give_up(work)
            is_done = True
        except _NotDone as error:
            log.error("decisions could not be weighed: %s", error)
            self._give_up(work)
            is_done = True
        except Exception as error:  # noqa: BLE001  # the boundary: a bug met in one study ends that study alone
            log.error("a study failed: %s", type(error).__name__)  # a trace might name a card
            self._give_up(work)
            is_done = True
        self._waiting.popleft()
        if not is_done:
            self._waiting.append(work)

    def _give_up(self, work: _Review | _Drill) -> None:
        for person in work.people:
            self._say(person, _failed(work.wanted, LOST))

    def _say(self, person: PersonId, *messages: ServerMessage) -> None:
        for message in messages:
            if not isinstance(message, Analysis) or self._sits_at(person, message.table):
                self._tell(person, message)

    # --- games ---

    async def _review(self, work: _Review) -> bool:
        """Weigh one more hand of a game; whether it was the last."""
        record = work.wanted.record
        if not any(self._sits_at(person, record.table) for person in work.people):
            return True  # nobody waits for it any more
        if work.hands is None:
            # A long game takes some milliseconds, which are the loop's.
            turns = await asyncio.to_thread(turns_of, record, self._games[record.rule_set], work.wanted.seat)
            work.hands = deque(turns)
        if work.hands:
            answer = await self._worker.ask(WeighHand(record.rule_set, record.options, work.hands.popleft()))
            if not isinstance(answer, HandWeighed):
                raise _NotDone(_kind_of(answer))
            work.reviewed += answer.reviewed
        if work.hands:
            return False
        told = analyses(record.table, record.number, work.wanted.seat, work.reviewed)
        self._kept[work.game] = told
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        for person in work.people:
            self._say(person, *told)
        return True

    # --- positions ---

    async def _drill(self, work: _Drill) -> bool:
        wanted = work.wanted
        if self._is_here(wanted.person):
            job: Job
            match wanted:
                case WantPosition():
                    job = FindPosition(wanted.game, wanted.options, work.number)
                case WantJudgement():
                    job = GradePosition(wanted.game, wanted.options, work.number, wanted.action)
                case _:
                    assert_never(wanted)
            self._say(wanted.person, _told(work, await self._worker.ask(job)))
        return True


def _game_of(wanted: WantAnalysis) -> Game:
    return wanted.record.table, wanted.record.number, wanted.seat


def _told(work: _Drill, answer: Answer) -> Position | Judgement:
    wanted = work.wanted
    match answer:
        case PositionFound(seat=seat, view=view, asks=asks, legal=legal, why=why):
            names = ["your adversary"] * SEATS
            names[seat] = "you"
            return Position(wanted.request, wanted.game, work.number, seat, tuple(names), view, asks, legal, why)
        case PositionGraded(judged=judged):
            return Judgement(wanted.request, work.number, judged)
        case NotLegal():
            return Judgement(wanted.request, work.number, flaw="that is not among the legal actions of this position")
        case _:
            raise _NotDone(_kind_of(answer))


def _kind_of(answer: Answer) -> str:
    """What is wrong with an answer; never what is in it."""
    return answer.kind if isinstance(answer, Failed) else type(answer).__name__


def _failed(wanted: Study, says: str) -> ServerMessage:
    match wanted:
        case WantAnalysis(record=record, seat=seat):
            return Analysis(record.table, record.number, seat, flaw=says)
        case WantPosition(request=request, game=game):
            return Position(request, game, flaw=says)
        case WantJudgement(request=request, number=number):
            return Judgement(request, number, flaw=says)
        case _:
            assert_never(wanted)

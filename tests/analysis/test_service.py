"""Analysis service: whoever asks gets an answer, or why there is none; faults of a worker do not spread."""

import asyncio
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress

import pytest
from msgspec import structs

from put_protocol.games.put import Redeal
from put_protocol.messages import Analyse, Analysis, Drill, Grade, Judgement, Position, Recall, Recalled, ServerMessage
from put_protocol.seats import Seat
from put_rules.record import GameRecord
from put_rules.registry import GAMES
from put_rules.steps import Steps
from put_server.analysis import service
from put_server.analysis.analysis_worker import Answer, Job, JobFailed, Practise
from put_server.game_sheet import parts_of, sheet_of
from put_server.table.table_effects import GameStudy, PersonId, Practice, Study
from put_text.catalogue import said_in, say_in_english
from put_text.notation import read
from tests.analysis.test_practice_positions import defaults
from tests.conformance.random_games import record_of
from tests.conformance.tables import TABLES, games_at

ANN, BEN = PersonId(1), PersonId(2)

BACKSTOP = 20
"""Seconds after which a test that waits for what does not come fails."""


def toy_process(*fault: str, patience_s: float = BACKSTOP, is_shared: bool = False) -> service.WorkerProcess:
    command = (sys.executable, "-m", "tests.analysis.toy_worker", *fault)
    return service.WorkerProcess(command, patience_s, is_shared=is_shared)


class ServiceHarness:
    """Analysis service, the people there, and the messages they were sent."""

    def __init__(self, *fault: str, patience_s: float = BACKSTOP, worker: service.WorkerProcess | None = None) -> None:
        self.worker = worker or toy_process(*fault, patience_s=patience_s)
        self.gone: set[PersonId] = set()
        self.sent: list[tuple[PersonId, ServerMessage]] = []
        self._has_sent = asyncio.Event()
        self.service = service.AnalysisService(
            GAMES,
            tell=self._tell,
            sits_at=lambda person, _: person not in self.gone,
            origin_of=lambda person: None if person in self.gone else "",
            worker=self.worker,
            seed=1,
        )

    def _tell(self, person: PersonId, message: ServerMessage) -> None:
        self.sent.append((person, message))
        self._has_sent.set()

    def ask(self, *wanted: Study) -> None:
        for one in wanted:
            self.service.study(one)

    async def until(self, count: int) -> list[tuple[PersonId, ServerMessage]]:
        """The messages sent, once there are so many."""
        while len(self.sent) < count:
            self._has_sent.clear()
            await self._has_sent.wait()
        return self.sent

    @property
    def pid(self) -> int:
        process = self.worker._process
        assert process is not None
        return process.pid


@asynccontextmanager
async def running_service(
    *fault: str, patience_s: float = BACKSTOP, worker: service.WorkerProcess | None = None
) -> AsyncIterator[ServiceHarness]:
    """A harness whose service runs as long as the block."""
    opened = ServiceHarness(*fault, patience_s=patience_s, worker=worker)
    async with asyncio.timeout(BACKSTOP), asyncio.TaskGroup() as tasks:
        running = tasks.create_task(opened.service.run())
        try:
            yield opened
        finally:
            running.cancel()
    assert opened.worker.is_shared or opened.worker._process is None


def games() -> list[GameRecord]:
    """Some, of two-handed tables, each with decisions of both."""
    found: list[GameRecord] = []
    for played in games_at(TABLES[0], share=0.5):
        kept = record_of(played.setup, [step.given for step in played.steps if step.given is not None])
        found.append(GameRecord(**{**{f: getattr(kept, f) for f in kept.__struct_fields__}, "number": len(found) + 1}))
    return found


GAME_LIST = games()
LOST = say_in_english(service.LOST)
LONG = max(GAME_LIST, key=lambda kept: len(kept.steps.unseal()))


def drill(person: PersonId, request: int) -> Practice:
    return Practice(person, Drill(request, "put-1674"), defaults("put-1674"))


async def test_player_is_told_what_their_decisions_cost() -> None:
    """All of them, of their seat, in the order of the game."""
    async with running_service() as harness:
        harness.ask(GameStudy(ANN, Analyse(1, LONG.table), LONG, Seat(0)))
        ((person, first), *_) = await harness.until(1)
        assert isinstance(first, Analysis)
        assert (person, first.table, first.game, first.seat, first.flaw) == (ANN, LONG.table, LONG.number, 0, "")
        parts = [message for _, message in await harness.until(-(-first.decisions // 32))]
        numbers = [one.number for part in parts if isinstance(part, Analysis) for one in part.reviewed]
        assert numbers == list(range(1, first.decisions + 1))
        assert first.decisions > 3


async def test_player_is_sent_their_game_as_they_saw_it() -> None:
    """In parts that fit into frames, and no longer than a peer can take; the worker is not needed for it."""
    async with running_service("dies") as harness:
        harness.ask(GameStudy(ANN, Recall(1, LONG.table), LONG, Seat(1)))
        ((_, first), *_) = await harness.until(1)
        assert isinstance(first, Recalled)
        parts = [told for _, told in await harness.until(first.parts) if isinstance(told, Recalled)]
        assert [(one.part, one.seat, one.game) for one in parts] == [
            (number, 1, LONG.number) for number in range(1, first.parts + 1)
        ]
        given = sheet_of(LONG, GAMES[LONG.rule_set], Seat(1), date="", server="")
        assert read("".join(one.text for one in parts)) == given
    assert parts_of(structs.replace(given, steps=given.steps * 200)) == ()


async def test_loop_is_not_held_up_by_a_worker_that_hangs() -> None:
    """Meanwhile everything else goes on; at the end of its patience the service gives up, and says so."""
    async with running_service("hangs", patience_s=0.4) as harness:
        harness.ask(drill(ANN, 5))
        turns = 0
        while not harness.sent:
            await asyncio.sleep(0)
            turns += 1
        assert turns > 10
        assert harness.sent == [(ANN, Position(5, "put-1674", flaw=LOST))]


@pytest.mark.parametrize("fault", ["dies", "babbles", "raves", "unknown"])
async def test_lost_worker_is_a_sentence_for_whoever_waits(fault: str) -> None:
    """Of each kind of question, in the person's language; and the next one starts another process."""
    async with running_service(fault) as harness:
        harness.ask(
            GameStudy(ANN, Analyse(1, LONG.table), LONG, Seat(0)),
            drill(BEN, 6),
            Practice(BEN, Grade(7, "put-1674", 9, Redeal()), defaults("put-1674"), "fr"),
        )
        assert await harness.until(3) == [
            (ANN, Analysis(LONG.table, LONG.number, Seat(0), flaw=LOST)),
            (BEN, Position(6, "put-1674", flaw=LOST)),
            (BEN, Judgement(7, 9, flaw=said_in("fr", service.LOST, {}))),
        ]


async def test_killed_worker_is_replaced() -> None:
    """It is gone between two questions: the first after that is lost or not, and then all goes on."""
    async with running_service() as harness:
        harness.ask(drill(ANN, 1))
        await harness.until(1)
        os.kill(harness.pid, 9)
        harness.ask(drill(ANN, 2))
        await harness.until(2)
        harness.ask(drill(ANN, 3))
        (*_, (_, last)) = await harness.until(3)
        assert isinstance(last, Position)
        assert (last.id, last.flaw) == (3, "")


async def test_who_asks_twice_is_told_twice_and_it_is_weighed_once() -> None:
    """While it is weighed, and after; others who sat there meanwhile hear it too, and of another game another."""
    async with running_service() as harness:
        wanted = GameStudy(ANN, Analyse(1, LONG.table), LONG, Seat(0))
        harness.ask(wanted, wanted, GameStudy(BEN, Analyse(1, LONG.table), LONG, Seat(0)))
        assert len(harness.service._works) == 1
        await harness.until(2)
        os.kill(harness.pid, 9)  # nothing more is asked of it
        harness.sent.clear()
        harness.ask(wanted)
        assert [person for person, _ in harness.sent] == [ANN] * len(harness.sent)
        first = harness.sent[0][1]
        assert isinstance(first, Analysis)
        assert first.flaw == ""
        assert not harness.service._works


async def test_who_has_left_hears_nothing() -> None:
    """Neither from the table nor from the house; and nothing is weighed for nobody."""
    async with running_service() as harness:
        harness.gone.add(ANN)
        harness.ask(GameStudy(ANN, Analyse(1, LONG.table), LONG, Seat(0)), drill(ANN, 1), drill(BEN, 2))
        assert [person for person, _ in await harness.until(1)] == [BEN]
        harness.gone.discard(ANN)
        assert (LONG.table, LONG.number, Seat(0), "") not in harness.service._cached


async def test_answer_to_a_position_is_judged() -> None:
    """By the number it came with; what is not legal there is a sentence."""
    async with running_service() as harness:
        harness.ask(drill(ANN, 1))
        ((_, position),) = await harness.until(1)
        assert isinstance(position, Position)
        assert position.view is not None
        assert (position.names[position.seat], position.seat) == ("you", position.view.to_move)
        options = defaults("put-1674")
        chosen = position.legal[0].action
        harness.ask(
            Practice(ANN, Grade(2, "put-1674", position.number, chosen), options),
            Practice(ANN, Grade(3, "put-1674", position.number, Redeal()), options),
        )
        (_, (_, judged), (_, refused)) = await harness.until(3)
        assert isinstance(judged, Judgement)
        assert judged.judged is not None
        assert (judged.id, judged.number, judged.judged.done) == (2, position.number, chosen)
        assert isinstance(refused, Judgement)
        assert (refused.judged, refused.flaw) == (None, "that is not among the legal actions of this position")


async def test_positions_are_told_in_one_order_from_a_seed() -> None:
    """For a show that repeats."""
    numbers = []
    for _ in range(2):
        async with running_service() as harness:
            harness.ask(drill(ANN, 1), drill(ANN, 2))
            numbers.append([m.number for _, m in await harness.until(2) if isinstance(m, Position)])
    assert numbers[0] == numbers[1]
    assert len(set(numbers[0])) == 2


def test_waiting_is_bounded() -> None:
    """In all, and by person; who is too many is told, and everybody else is not."""
    harness = ServiceHarness()
    for person in range(100):
        harness.ask(*(drill(PersonId(person), request) for request in range(service.MOST_PER_PERSON + 1)))
    flaws = [message.flaw for _, message in harness.sent if isinstance(message, Position)]
    kept = Counter(one.people[0] for one in harness.service._works)
    assert len(harness.service._works) == service.MOST_WAITING
    assert set(flaws) == {say_in_english(service.TOO_MANY), say_in_english(service.FULL)}
    assert len(flaws) == 100 * (service.MOST_PER_PERSON + 1) - service.MOST_WAITING
    assert set(kept.values()) == {1}


class _Counted(service.WorkerProcess):
    """Answers in no time, and each job takes so many seconds of the service's clock."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.seconds = 0.5

    async def ask(self, job: Job) -> Answer:
        self.now += self.seconds
        return JobFailed("toy")


@pytest.mark.parametrize(
    ("crowd", "alone"), [("192.0.2.{}", "198.51.100.1"), ("2001:db8:1:{}::/64", "2001:db8:2::/64"), ("", "192.0.2.1")]
)
async def test_crowd_of_one_network_keeps_nobody_elsewhere_waiting(crowd: str, alone: str) -> None:
    """Who comes behind thirty of them is served next but one, and again for each question, at most a job later."""
    origins = {PersonId(person): crowd.format(person) for person in range(30)} | {PersonId(99): alone}
    worker = _Counted()
    harness = ServiceHarness(worker=worker)
    harness.service._origin_of = origins.get
    harness.service._clock = lambda: worker.now
    for person in range(30):
        harness.ask(*(drill(PersonId(person), request) for request in range(2)))
    for _ in range(3):
        await harness.service._next()
    began = worker.now
    harness.ask(*(drill(PersonId(99), request) for request in range(3)))
    while [person for person, _ in harness.sent].count(PersonId(99)) < 3:
        await harness.service._next()
    assert worker.now - began <= 6 * worker.seconds
    assert next(person for person, _ in harness.sent[3:]) == PersonId(99) or harness.sent[4][0] == PersonId(99)


async def test_who_takes_longer_has_fewer_turns() -> None:
    """Turns are counted by the time that they take."""
    origins = {ANN: "192.0.2.1", BEN: "198.51.100.1"}
    worker = _Counted()
    harness = ServiceHarness(worker=worker)
    harness.service._origin_of = origins.get
    harness.service._clock = lambda: worker.now
    harness.ask(*(drill(who, request) for who in (ANN, BEN) for request in range(3)))
    order: list[PersonId] = []
    while harness.service._queue:
        worker.seconds = 2.0 if len(order) == 0 else 0.5
        await harness.service._next()
        order.append(harness.sent[-1][0])
    assert order == [ANN, BEN, BEN, BEN, ANN, ANN]


async def test_what_is_kept_is_bounded() -> None:
    """The oldest analyses are forgotten first."""
    async with running_service() as harness:
        small = [
            GameRecord(7, n, LONG.rule_set, LONG.options, LONG.players, Seat(0), Steps().packed()) for n in range(50)
        ]
        for kept in small:
            harness.ask(GameStudy(ANN, Analyse(1, kept.table), kept, Seat(0)))
            await harness.until(kept.number + 1)
        assert list(harness.service._cached) == [(7, number, 0, "") for number in range(50 - service.MOST_CACHED, 50)]


async def test_record_that_does_not_follow_ends_alone() -> None:
    """It is a bug; whoever asked is told that it failed, and the next is weighed."""
    async with running_service() as harness:
        broken = GameRecord(7, 1, "put-1674", {"no": "option"}, LONG.players, Seat(0), LONG.steps)
        harness.ask(GameStudy(ANN, Analyse(1, broken.table), broken, Seat(0)), drill(ANN, 1))
        (_, first), (_, second) = await harness.until(2)
        assert isinstance(first, Analysis)
        assert first.flaw == LOST
        assert isinstance(second, Position)
        assert not second.flaw


async def test_end_in_the_midst_of_a_job_leaves_no_process() -> None:
    """Cancelled while the worker thinks, the service ends it."""
    async with running_service("hangs") as harness:
        harness.ask(drill(ANN, 1))
        while harness.worker._process is None:  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0)
        pid = harness.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with suppress(ProcessLookupError):
        os.kill(pid, 9)


async def test_end_of_one_service_leaves_a_shared_process_to_the_others() -> None:
    """As where a shard is given away, and others of the same worker are asked."""
    process = toy_process(is_shared=True)
    async with running_service(worker=process) as stays:
        async with running_service(worker=process) as ends:
            ends.ask(drill(BEN, 1))
            await ends.until(1)
            asked_of = process._process
            assert asked_of is not None
            stays.ask(drill(ANN, 1))
        stays.ask(drill(ANN, 2))
        told = [message for _, message in await stays.until(2)]
        assert [message.flaw for message in told if isinstance(message, Position)] == ["", ""]
        assert process._process is asked_of
    await process.end()
    assert asked_of.poll() is not None


async def test_process_is_waited_for_however_often_its_question_is_cancelled() -> None:
    """Where all threads are busy the wait has not begun when the second cancellation comes."""
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(1))
    worker = service.WorkerProcess((sys.executable, "-c", "import time; time.sleep(60)"))
    asking = asyncio.ensure_future(worker.ask(Practise(Drill(1, "put-1674"), {}, 7)))
    await asyncio.sleep(0)
    process = worker._process
    assert process is not None
    for _ in range(2):
        asking.cancel()
        await asyncio.sleep(0)
    with suppress(asyncio.CancelledError):
        await asking
    await loop.shutdown_default_executor()
    assert process.returncode is not None

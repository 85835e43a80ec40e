"""The house runner: what house players are told, and what must not be logged of it."""

import asyncio
import logging
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest

from put_protocol.games.unions import Action, Choice
from put_protocol.messages import Act
from put_rules.record import Pack
from put_server.analysis.service import WorkerProcess
from put_server.house.put.solved.solution_table import shipped
from put_server.house.put.student import Acquaintance
from put_server.house_runner import PACE, HouseRunner
from put_server.table.seating import Sitter
from put_server.table.table import Table
from put_server.table.table_effects import Effect, HouseGone, PersonId, TableId, Tell, WantPack
from tests.table.table_harness import new_table

pytestmark = pytest.mark.timeout(120)

BACKSTOP_S = 100
"""For a game with long work, which a busy machine does slowly."""

A_CARD = re.compile(r"(?:10|[2-9AKQJ])[shdc]\b")

DOLL, NED = PersonId(90), PersonId(91)


class HouseTable:
    """A table of two house players, and their runner."""

    def __init__(self, house_runner: HouseRunner | None = None, table: Table | None = None) -> None:
        self.house_runner = house_runner or HouseRunner(lambda _: True, lambda _: True, seed=1, thinks=False)
        self.table: Table = table or new_table(target=1)
        self.acts: list[Act] = []
        self.over = asyncio.Event()

    def begin(self, kind: str = "steady") -> None:
        for person in (DOLL, NED):
            self.house_runner.seat(person, kind)
            self.do(self.table.sit(Sitter(person, str(person), house=kind), None, 0)[1])

    def do(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Tell):
                for person in effect.people:
                    assert self.house_runner.tell(person, effect.message)
            elif isinstance(effect, HouseGone):
                self.house_runner.dismiss(effect.person)
        for effect in effects:
            if isinstance(effect, WantPack):
                self.do(self.table.runner.deal(Pack(effect.cards), 0))

    def act(self, person: PersonId, act: Act) -> None:
        self.acts.append(act)
        self.do(self.table.act(person, act.decision, act.action, 0))
        if self.table.model.turn.seat is None:
            self.over.set()


@asynccontextmanager
async def running(house_runner: HouseRunner, act: Callable[[PersonId, Act], None]) -> AsyncIterator[None]:
    """House players move for as long as the block runs."""
    task = asyncio.create_task(house_runner.run(act))
    try:
        async with asyncio.timeout(BACKSTOP_S):
            yield
    finally:
        task.cancel()
        await asyncio.wait([task])
        house_runner.close()


async def test_house_runner_plays_a_game_to_its_end() -> None:
    """House players answer every decision of theirs, once each, until the game is over."""
    house = HouseTable()
    house.begin()
    async with running(house.house_runner, house.act):
        await house.over.wait()
    decisions = [act.decision for act in house.acts]
    assert decisions == list(range(1, len(decisions) + 1))


@pytest.mark.parametrize("takes", [0.001, 0.049, 0.12])
async def test_house_runner_answers_programs_at_a_time_that_does_not_depend_on_the_choice(
    monkeypatch: pytest.MonkeyPatch, takes: float
) -> None:
    """A choice that takes longer is not answered later; one that takes too long, at the end of another such moment."""
    now = 100.0
    due: list[float] = []

    def choose(_player: object, _view: object, legal: tuple[Choice, ...], _seat: object) -> Action:
        nonlocal now
        now += takes
        return legal[0].action

    def call_at(when: float, *_: object) -> asyncio.Handle:
        due.append(when)
        return asyncio.Handle(print, (), loop)

    house = HouseTable(HouseRunner(lambda _: False, lambda _: True))
    loop = asyncio.get_running_loop()
    with monkeypatch.context() as patch:
        patch.setattr(loop, "time", lambda: now)
        patch.setattr(loop, "call_at", call_at)
        house.begin()
        for seated in house.house_runner._seated.values():
            patch.setattr(type(seated.player), "choose", choose)
        task = asyncio.create_task(house.house_runner.run(house.act))
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
    await asyncio.wait([task])
    assert house.acts == []
    assert due == [pytest.approx(100.0 + PACE * (1 if takes < PACE else 3))]


@pytest.mark.parametrize(("seed", "guests"), [(1, True), (None, False)])
async def test_house_runner_is_quick_where_nobody_could_learn_from_it(seed: int | None, *, guests: bool) -> None:
    """Among the house alone, and at exhibitions, a house player answers at once."""
    house = HouseTable(HouseRunner(lambda _: False, lambda _: guests, seed=seed))
    house.begin()
    async with running(house.house_runner, house.act):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert house.acts


async def test_house_runner_dismisses_one_in_thought() -> None:
    """A player who is sent away answers no more, and what it is told is not for it."""
    house = HouseTable()
    house.begin()
    mover = house.table.seating.chairs[house.table.model.turn.seat or 0].sitter
    assert mover is not None
    async with running(house.house_runner, house.act):
        house.house_runner.dismiss(mover.id)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert house.acts == []
    seat = house.table.model.turn.seat
    assert seat is not None
    (asked,) = house.table.publisher.snapshot(mover.id, seat, 0)
    assert isinstance(asked, Tell)
    assert not house.house_runner.tell(mover.id, asked.message)


async def test_house_player_drops_a_decision_that_the_clock_has_made() -> None:
    """It does not think about it any more: the view has gone on, and a choice by both may not exist."""
    house = HouseTable(table=new_table(turn=10))
    house.begin()
    passed = house.table.model.turn.decision
    house.do(house.table.tick(11_000))
    async with running(house.house_runner, house.act):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert house.acts
    assert passed not in [act.decision for act in house.acts]


async def test_house_runner_lets_peers_be_heard_between_thoughts() -> None:
    """However many house players are asked at once: the loop turns between any two answers."""
    turns = 0
    answered: list[int] = []
    house_runner = HouseRunner(lambda _: True, lambda _: True, seed=1, thinks=False)
    houses = [HouseTable(house_runner) for _ in range(5)]
    everyone = {PersonId(100 + 2 * place + seat): house for place, house in enumerate(houses) for seat in (0, 1)}
    async with running(house_runner, lambda _person, _act: answered.append(turns)):
        for person, house in everyone.items():
            house_runner.seat(person, "steady")
            house.do(house.table.sit(Sitter(person, str(person), house="steady"), None, 0)[1])
        for _ in range(20):
            await asyncio.sleep(0)
            turns += 1
    assert len(answered) == len(set(answered)) == 5


async def test_house_player_answers_when_its_work_is_paid_and_others_at_once() -> None:
    """It does nothing meanwhile, and answers once."""
    waits = {1: 0.05, 2: 0.0}
    worked: list[int] = []

    @contextmanager
    def work(table: int, house: str, _beside: float) -> Iterator[None]:
        assert house == "steady"
        worked.append(table)
        yield

    def wait(table: int) -> float:
        seconds, waits[table] = waits[table], 0.0
        return seconds

    house_runner = HouseRunner(lambda _: True, lambda _: True, seed=1, thinks=False)
    answered: list[int] = []
    both = asyncio.Event()

    def act(_person: PersonId, act: Act) -> None:
        answered.append(act.table)
        if len(answered) == 2:
            both.set()

    task = asyncio.create_task(house_runner.run(act, work=work, wait=wait))
    houses = [HouseTable(house_runner) for _ in range(2)]
    for place, house in enumerate(houses):
        house.table.model.id = house.table.id = TableId(place + 1)
        for seat in (0, 1):
            person = PersonId(100 + 2 * place + seat)
            house_runner.seat(person, "steady")
            house.do(house.table.sit(Sitter(person, str(person), house="steady"), None, 0)[1])
    async with asyncio.timeout(BACKSTOP_S):
        await both.wait()
    task.cancel()
    await asyncio.wait([task])
    assert answered == worked == [2, 1]


@pytest.mark.parametrize("program", ["", "pass", "import time; time.sleep(60)"])
async def test_house_runner_has_long_work_done_in_another_process(
    monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    """A student that has won something asks a process of its own; where that ends or hangs, it chooses without it. And
    it keeps nothing of whom it is to forget."""
    monkeypatch.setattr("put_server.house_runner.PATIENCE_S", 0.01 if program else 50.0)
    worker = WorkerProcess((sys.executable, "-c", program)) if program else WorkerProcess()
    house_runner = HouseRunner(lambda _: True, lambda _: True, seed=1, thinks=False, worker=worker)
    house, table = HouseTable(house_runner, new_table()), shipped("put-1674")
    assert table is not None
    known = [house_runner.notebook.of(str(person), "put-1674", lambda: Acquaintance(table)) for person in (DOLL, NED)]
    for each in known:
        each.won, each.evidence = 99.0, 99.0
    house.begin("student")
    async with running(house_runner, house.act):
        await house.over.wait()
    assert all((each.hands > 0) == (not program) for each in known)
    assert all(each.model.learned.counts for each in known)
    assert house_runner.forget(str(NED))
    assert house_runner.notebook.of(str(NED), "put-1674", lambda: Acquaintance(table)) is not known[1]


async def test_student_chooses_without_long_work_where_it_cannot_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that is out of threads ends no house player."""

    async def asked(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(WorkerProcess, "ask", asked)
    house_runner = HouseRunner(lambda _: True, lambda _: True, seed=1, thinks=False, worker=WorkerProcess())
    house, table = HouseTable(house_runner, new_table()), shipped("put-1674")
    assert table is not None
    known = house_runner.notebook.of(str(NED), "put-1674", lambda: Acquaintance(table))
    known.won, known.evidence = 99.0, 99.0
    house.begin("student")
    async with running(house_runner, house.act):
        await house.over.wait()


async def test_student_chooses_without_long_work_where_much_is_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits for the process is bounded."""
    asked: list[object] = []
    monkeypatch.setattr(WorkerProcess, "ask", lambda _, job: asked.append(job))
    monkeypatch.setattr("put_server.house_runner.MOST_WORK", 0)
    house_runner = HouseRunner(lambda _: True, lambda _: True, seed=1, thinks=False, worker=WorkerProcess())
    house, table = HouseTable(house_runner, new_table()), shipped("put-1674")
    assert table is not None
    known = house_runner.notebook.of(str(NED), "put-1674", lambda: Acquaintance(table))
    known.won = 9.0
    house.begin("student")
    async with running(house_runner, house.act):
        await house.over.wait()
    assert known.model.learned.counts
    assert not asked


async def test_house_runner_survives_a_house_player_and_logs_no_card(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """When a thought breaks, or is slow enough for asyncio to remark on it, the log names nobody's cards, and the
    others go on."""
    caplog.set_level(logging.DEBUG)

    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    house = HouseTable()
    house.begin()
    asyncio.get_running_loop().slow_callback_duration = 0.0
    with monkeypatch.context() as patch:
        for seated in house.house_runner._seated.values():
            patch.setattr(type(seated.player), "choose", broken)
        async with running(house.house_runner, house.act):
            for _ in range(20):
                await asyncio.sleep(0)
    assert "a house player could not move" in caplog.text
    assert not A_CARD.search(caplog.text)
    assert house.acts == []
    other = HouseTable(house.house_runner)
    other.begin()
    async with running(house.house_runner, other.act):
        await other.over.wait()

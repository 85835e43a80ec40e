"""The house runner: what house players are told, and what must not be logged of it."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from put_protocol.cards import Card
from put_protocol.games.put import Play
from put_protocol.games.unions import Action
from put_protocol.messages import Act
from put_server.house import registry
from put_server.house_runner import HouseRunner
from put_server.table.effects import Effect, HouseGone, PersonId, Tell, WantPack
from put_server.table.seating import Sitter
from put_server.table.table import Table
from tests.table.table_harness import new_table

A_CARD = re.compile(r"(?:10|[2-9AKQJ])[shdc]\b")

DOLL, NED = PersonId(90), PersonId(91)


class HouseTable:
    """A table of two house players, and their runner."""

    def __init__(self, house_runner: HouseRunner | None = None) -> None:
        self.house_runner = house_runner or HouseRunner(lambda _: True, seed=1, thinks=False)
        self.table: Table = new_table(target=1)
        self.acts: list[Act] = []
        self.over = asyncio.Event()

    def begin(self) -> None:
        for person in (DOLL, NED):
            self.house_runner.seat(person, "steady")
            self.do(self.table.sit(Sitter(person, str(person), house="steady"), None, 0)[1])

    def do(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Tell):
                for person in effect.people:
                    assert self.house_runner.tell(person, effect.message)
            elif isinstance(effect, HouseGone):
                self.house_runner.dismiss(effect.person)
        for effect in effects:
            if isinstance(effect, WantPack):
                self.do(self.table.take_pack(effect.cards, 0))

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
        async with asyncio.timeout(20):
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
    decision = house.table.publisher.ask(house.table.model.turn.seat, 0)[0]
    assert isinstance(decision, Tell)
    assert not house.house_runner.tell(mover.id, decision.message)


async def test_house_runner_lets_peers_be_heard_between_thoughts() -> None:
    """However many house players are asked at once: the loop turns between any two answers."""
    turns = 0
    answered: list[int] = []
    house_runner = HouseRunner(lambda _: True, seed=1, thinks=False)
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


def _raises(*_: object) -> Action:
    raise KeyError("3s", "a bug")


def _cheats(*_: object) -> Action:
    return Play(Card("1s"))


@pytest.mark.parametrize(
    ("choose", "said"),
    [
        (
            _raises,
            "a steady house player could not choose, and plays at random: KeyError in _raises, test_house",
        ),
        (_cheats, "a steady house player chose what is not legal, and plays at random"),
    ],
)
async def test_house_player_that_is_broken_plays_at_random(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    choose: Callable[..., Action],
    said: str,
) -> None:
    """When a thought breaks, or comes to nothing legal, the game goes on to its end; when it is slow enough for asyncio
    to remark on it, too. The log says what happened and names nobody's cards."""
    caplog.set_level(logging.DEBUG)
    house = HouseTable()
    house.begin()
    asyncio.get_running_loop().slow_callback_duration = 0.0
    with monkeypatch.context() as patch:
        for seated in house.house_runner._seated.values():
            patch.setattr(type(seated.player), "choose", choose)
        async with running(house.house_runner, house.act):
            await house.over.wait()
    assert said in caplog.text
    assert not A_CARD.search(caplog.text)
    asyncio.get_running_loop().slow_callback_duration = 0.1
    other = HouseTable(house.house_runner)
    other.begin()
    async with running(house.house_runner, other.act):
        await other.over.wait()


async def test_house_player_that_cannot_be_made_plays_at_random(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A kind whose files are damaged, say, still sits down and plays."""
    monkeypatch.setattr(registry, "player", _raises)
    house = HouseTable()
    house.begin()
    async with running(house.house_runner, house.act):
        await house.over.wait()
    assert "no steady house player could be made, and one plays at random: KeyError" in caplog.text
    assert not A_CARD.search(caplog.text)

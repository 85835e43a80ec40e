"""The keeper of house players: what it is told, and what must not be told of it."""

import asyncio
import logging
import re

import pytest

from put_protocol.messages import Act, Promise, Request
from put_protocol.seats import Seat
from put_server.house_runner import HouseRunner
from put_server.table.effects import Effect, HouseGone, PersonId, Tell, WantPack
from put_server.table.seating import Sitter
from put_server.table.table import Table
from tests.table.table_harness import new_table

A_CARD = re.compile(r"(?:10|[2-9AKQJ])[shdc]\b")

DOLL, NED = PersonId(90), PersonId(91)


class Parlour:
    """A table of two house players, kept by a keeper."""

    def __init__(self) -> None:
        self.house_runner = HouseRunner(seed=1, thinks=False)
        self.table: Table = new_table(target=1)
        self.acts: list[Act] = []
        self.over = asyncio.Event()
        self.house_runner.serve(act=self._act, is_followed=lambda _: True)

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
                self.do(self.table.shuffled(effect.cards, 0))

    def _act(self, person: PersonId, act: Request) -> None:
        if isinstance(act, Promise):
            self.do(self.table.promise(person, act.end, 0))
            return
        assert isinstance(act, Act)
        self.acts.append(act)
        self.do(self.table.act(person, act.decision, act.action, 0))
        if self.table._mover is None:
            self.over.set()


async def test_keeper_plays_a_game_to_its_end() -> None:
    """House players answer every decision of theirs, once each, until the game is over."""
    parlour = Parlour()
    parlour.begin()
    async with asyncio.timeout(20):
        await parlour.over.wait()
    decisions = [act.decision for act in parlour.acts]
    assert decisions == list(range(1, len(decisions) + 1))
    parlour.house_runner.close()


async def test_keeper_dismisses_one_in_thought() -> None:
    """A player who is sent away answers no more, and what it is told is not for it."""
    parlour = Parlour()
    parlour.begin()
    mover = parlour.table.seating.chairs[parlour.table._mover or 0].sitter
    assert mover is not None
    parlour.house_runner.dismiss(mover.id)
    await asyncio.sleep(0)
    assert parlour.acts == []
    decision = parlour.table._decision_for(Seat(parlour.table._mover or 0), 0)[0]
    assert isinstance(decision, Tell)
    assert not parlour.house_runner.tell(mover.id, decision.message)


async def test_keeper_lets_peers_be_heard_between_thoughts(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many house players are asked at once: the loop turns between any two answers."""
    turns = 0
    answered: list[int] = []
    parlours = [Parlour() for _ in range(5)]
    for parlour in parlours:
        parlour.house_runner = parlours[0].house_runner
    everyone = {PersonId(100 + 2 * place + seat): parlour for place, parlour in enumerate(parlours) for seat in (0, 1)}

    def act(person: PersonId, act: Request) -> None:
        answered.append(turns)

    parlours[0].house_runner.serve(act=act, is_followed=lambda _: True)
    for person, parlour in everyone.items():
        parlour.house_runner.seat(person, "steady")
        parlour.do(parlour.table.sit(Sitter(person, str(person), house="steady"), None, 0)[1])
    for _ in range(20):
        await asyncio.sleep(0)
        turns += 1
    assert len(answered) == len(set(answered)) == 5


async def test_keeper_logs_no_card_when_a_house_player_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """When a thought breaks, or is slow enough for asyncio to remark on it, the log names nobody's cards."""
    caplog.set_level(logging.DEBUG)
    failed = asyncio.Event()
    loop = asyncio.get_running_loop()
    standard = loop.default_exception_handler

    def handled(_: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        standard(context)
        failed.set()

    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    loop.set_exception_handler(handled)
    parlour = Parlour()
    parlour.begin()
    for guest in parlour.house_runner._guests.values():
        monkeypatch.setattr(type(guest.player), "choose", broken)
    loop.slow_callback_duration = 0.0
    async with asyncio.timeout(20):
        await failed.wait()
    parlour.house_runner.close()
    assert "a bug" in caplog.text
    assert not A_CARD.search(caplog.text)

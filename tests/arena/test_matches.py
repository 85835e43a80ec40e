"""Matches of good bots, which are processes, at a real server."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from put_arena import match_play, processes, schedule
from put_arena.contest import BadMatch, NoBot
from put_arena.director import Director, MatchTable
from put_arena.match_log import Saving
from put_arena.match_play import play
from put_arena.processes import SdkBot
from put_arena.results import Played as PlayedGame
from put_arena.results import Results
from put_protocol.games.put import Dealt, Drawn, Played
from put_protocol.table_info import TableInfo
from put_runtime.child_process import ChildProcess, running
from put_text.notation import Sheet
from tests.arena.matches import (
    CLOSED,
    DICEY,
    FIRST,
    PLAYERS,
    children,
    contest,
    needs_sandbox,
    played,
    program,
    saved,
    serve_here,
)


@pytest.fixture(autouse=True)
def nobody_is_left() -> Iterator[None]:
    """Every process that a test started is gone when it is over."""
    before = children()
    yield
    assert children() <= before


@pytest.fixture
def server_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is no process."""
    serve_here(monkeypatch)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Results, dict[str, Sheet]]:
    """A match of two classes, and all its games."""
    folder = tmp_path_factory.mktemp("games")
    with pytest.MonkeyPatch.context() as patch:
        serve_here(patch)
        results = asyncio.run(played(FIRST, DICEY, games=10, saving=Saving(folder)))
    return results, saved(folder)


@needs_sandbox
async def test_every_kind_of_competitor_meets_every_other() -> None:
    """A class, a coroutine, a house player, a program on its standard streams and one that dials, each in the sandbox,
    at a server that is a process too."""
    dialler = f"dialler={program('good', 'dial')}"
    results = await played(
        FIRST, f"{PLAYERS}:Thinker", "house:steady", program("good"), dialler, games=2, sandbox=CLOSED
    )
    assert len(results.games) == 2 * 10
    assert len(results.sets) == 10
    assert not any(conduct.faults or conduct.out for conduct in results.conduct)
    # A class and two programs that do the same: each deal of the cards has the same winner whoever sits there.
    for one, other in pairwise([0, 3, 4]):
        assert results.differences(one, other) == [0.0]


def test_the_games_of_a_set_are_dealt_the_same_packs(evening: tuple[Results, dict[str, Sheet]]) -> None:
    """Seat by seat and hand by hand, game after game at the same table, and other sets others."""
    results, sheets = evening
    assert len(sheets) == len(results.games) == 10
    seen = set()
    for name, sheet in sheets.items():
        if name.endswith("seating-1.put"):
            other = sheets[name.replace("seating-1", "seating-2")]
            assert labels(sheet) == labels(other)[::-1]
            assert draw(sheet) == draw(other)
            mine, theirs = cards(sheet), cards(other)
            both = mine.keys() & theirs.keys()
            assert both
            assert all(len(mine[one] | theirs[one]) <= 3 for one in both)
            seen.add(str(draw(sheet)))
    assert len(seen) == 5
    assert all(sheet.is_exhibition for sheet in sheets.values())


def labels(sheet: Sheet) -> list[str]:
    """The competitors by seat; each seating has players of its own."""
    return [str(name).partition(" (")[0] for name in sheet.names]


def draw(sheet: Sheet) -> list[Drawn]:
    """The cards drawn for the deal."""
    return [event for step in sheet.steps for event in step.events if isinstance(event, Drawn)]


def cards(sheet: Sheet) -> dict[tuple[int, int], set[str]]:
    """What was shown of three cards, by hand and seat; other play shows others of the same three."""
    hand = 0
    found: dict[tuple[int, int], set[str]] = defaultdict(set)
    for step in sheet.steps:
        for event in step.events:
            if isinstance(event, Dealt):
                hand = event.hand
            elif isinstance(event, Played):
                found[hand, event.seat].add(str(event.card))
    return found


@pytest.mark.usefixtures("server_here")
async def test_two_of_a_kind_divide_every_set(tmp_path: Path) -> None:
    """They have the same cards, and dice of the seat and the game, so the games of a set are the same, card by card."""
    results = await played(DICEY, DICEY, games=10, saving=Saving(tmp_path))
    assert results.differences(0, 1) == [0.0] * 5
    games: dict[str, list[object]] = {}
    for name, sheet in saved(tmp_path).items():
        events = [event for step in sheet.steps for event in step.events if isinstance(event, Played)]
        games.setdefault(name.rpartition("-seating")[0], []).append(events)
    assert len(games) == 5
    assert all(one == other for one, other in games.values())


@pytest.mark.usefixtures("server_here")
async def test_a_seed_repeats_everything_whatever_the_number_of_jobs(
    evening: tuple[Results, dict[str, Sheet]],
) -> None:
    """Packs and dice follow from the round and not from who was quicker."""
    again = await played(FIRST, DICEY, games=10, jobs=2, tables=2)
    one, other = (sorted((g.round, g.number, g.seating, g.paid) for g in run.games) for run in (evening[0], again))
    assert one == other


@pytest.mark.usefixtures("server_here")
async def test_a_round_is_played_once_though_its_director_is_the_last_to_hear(monkeypatch: pytest.MonkeyPatch) -> None:
    """All games at a table may be over before the director hears that the last player was invited."""
    invite = Director._invite

    async def late(self: Director, table: MatchTable, seat: int) -> None:
        await invite(self, table, seat)
        if seat == len(table.people) - 1:
            await asyncio.wait({table.over})

    monkeypatch.setattr(Director, "_invite", late)
    results = await played(FIRST, DICEY, games=20)
    assert len(results.games) == 20
    assert len(results.sets) == 10
    assert not any("again" in game.round for game in results.games)


@pytest.mark.usefixtures("server_here")
async def test_what_was_played_of_a_round_that_breaks_off_is_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the last table breaks off before the director hears that its last player was invited."""
    invite, record = Director._invite, Director._record

    async def late(self: Director, table: MatchTable, seat: int) -> None:
        await invite(self, table, seat)
        if seat == len(table.people) - 1:
            await asyncio.wait({table.over})

    def break_off(self: Director, table: MatchTable, info: TableInfo) -> None:
        record(self, table, info)
        if table.done and table.seating == 1 and not table.round.retry:
            self._clear(table)

    monkeypatch.setattr(Director, "_invite", late)
    monkeypatch.setattr(Director, "_record", break_off)
    monkeypatch.setattr(schedule, "ROUNDS_OF_A_SIZE", 1)
    results = await played(FIRST, DICEY, games=20)  # in rounds of 1, 2, 4 and 3 sets
    assert len(results.sets) == 10
    assert len(results.games) == 20 + 6  # what the first seating had played of the sets that broke off in the second
    again = [game for game in results.games if "again" in game.round]
    assert len(again) == 12
    assert {game.number for game in again} == {1, 2, 3}


@pytest.mark.usefixtures("server_here")
async def test_a_class_is_told_where_to_sit_though_it_said_hello_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be invited before the arena hears that its process was started."""
    is_sent = asyncio.Event()
    go = SdkBot.go

    def go_and_tell(self: SdkBot, table: int, games: int, dice: str) -> None:
        go(self, table, games, dice)
        is_sent.set()

    @asynccontextmanager
    async def heard_late(words: Sequence[str], **how: Any) -> AsyncIterator[ChildProcess]:
        async with running(words, **how) as process:
            await is_sent.wait()
            yield process

    monkeypatch.setattr(SdkBot, "go", go_and_tell)
    monkeypatch.setattr(processes, "running", heard_late)
    results = await played(FIRST, "house:steady", games=4)
    assert len(results.games) == 4
    assert not results.conduct[0].faults


@pytest.mark.usefixtures("server_here")
async def test_partners_are_copies_and_three_play_in_every_order() -> None:
    """Tables of more than two seats, with a house player among them."""
    results = await played(FIRST, DICEY, games=2, game="put-partners")
    assert results.sides == (0, 1, 0, 1)
    assert [game.seats for game in results.games] in ([(0, 1, 0, 1), (1, 0, 1, 0)], [(1, 0, 1, 0), (0, 1, 0, 1)])
    assert all(game.paid[0] == game.paid[2] == -game.paid[1] for game in results.games)
    results = await played(FIRST, DICEY, "house:steady", games=3, seats=3)
    assert sorted(game.seats for game in results.games) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert all(sum(game.paid) == 0 for game in results.games)


@pytest.mark.usefixtures("server_here")
async def test_house_players_meet_each_other() -> None:
    """Where nobody sits who could ask for another game, the director does."""
    results = await played("house:steady", "house:beginner", games=6)
    assert len(results.games) == 6


@pytest.mark.usefixtures("server_here")
async def test_it_ends_when_it_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who cheats loses every game; that is seen long before the last."""
    monkeypatch.setattr(match_play, "FIRST_WAVE_SECONDS", 1.0)
    match = contest(FIRST, f"{PLAYERS}:Cheating", games=100_000, until_decided=True)
    await play(match)
    assert match.decided
    assert match.results is not None
    assert 9 <= len(match.results.sets) < 1_000


@pytest.mark.usefixtures("server_here")
async def test_it_can_be_stopped_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was played until then stands."""
    match = contest(FIRST, DICEY, games=100_000)
    note = match.played

    def stop_after_ten(game: PlayedGame) -> None:
        note(game)
        if match.done >= 10:
            match.end.set()

    monkeypatch.setattr(match, "played", stop_after_ten)
    await play(match)
    assert match.results is not None
    assert 10 <= len(match.results.games) < 100_000


@pytest.mark.usefixtures("server_here")
async def test_for_spectators_every_kind_can_play_slowly() -> None:
    """A moment before each move, whoever makes it."""
    results = await played(FIRST, f"{PLAYERS}:Thinker", program("good"), games=2, slow=0.01)
    assert len(results.sets) == 3
    assert not any(conduct.faults for conduct in results.conduct)


@pytest.mark.usefixtures("server_here")
async def test_what_cannot_be_played_is_told_at_once() -> None:
    """By the server, in its words."""
    with pytest.raises(BadMatch, match="no such rule set"):
        await play(contest(FIRST, DICEY, game="whist"))
    with pytest.raises(BadMatch, match="target"):
        await play(contest(FIRST, DICEY, options={"target": 0}))
    with pytest.raises(BadMatch, match="there is no house player 'nobody'"):
        await play(contest(FIRST, "house:nobody"))
    with pytest.raises(NoBot, match="has no Second"):
        await play(contest(FIRST, f"{PLAYERS}:Second"))

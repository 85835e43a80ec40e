"""Matches against a real server, with real processes: good bots, and each way to misbehave."""

import asyncio
import os
import shlex
import socket
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from put_arena import bot_process, director, roster
from put_arena.bot_process import SdkBot
from put_arena.competitors import parse
from put_arena.contest import Contest
from put_arena.director import Director
from put_arena.match_server import MatchServer
from put_arena.match_table import MatchTable
from put_arena.results import Conduct, Fault, Results
from put_arena.sandbox import Sandbox
from put_arena.saving import Saving
from put_arena.terms import BadMatch, NoBot, Rules
from put_client.replay import load
from put_protocol.games.put import Dealt, Drawn, Played
from put_protocol.table_info import TableInfo
from put_runtime.child_process import ChildProcess, running
from put_text.notation import Sheet
from tests.fork_server import SERVER

HERE = Path(__file__).parent
PLAYERS = f"{HERE / 'players.py'}"
CLOSED = Sandbox(closed=True)
FIRST, DICEY = f"{PLAYERS}:First", f"{PLAYERS}:Dicey"


def program(how: str, kind: str = "stdio") -> str:
    """A program that speaks JSON lines."""
    address = " {host} {port}" if kind == "dial" else ""
    return f"{kind}:{shlex.join([sys.executable, str(HERE / 'programs.py')])} {how}{address}"


def contest(
    *competitors: str,
    games: int = 4,
    jobs: int = 1,
    saving: Saving | None = None,
    until_decided: bool = False,
    sandbox: Sandbox | None = CLOSED,
    **rules: object,
) -> Contest:
    """Not yet begun; in the sandbox, as it is usual."""
    usual = {
        "game": "put-1674",
        "seats": 0,
        "options": {},
        "turn": 20,
        "bank": 1,
        "late": 2,
        "slow": 0.0,
        "seed": 1674,
        "host": "127.0.0.1",
        "tables": 8,
    }
    made = Rules(**{**usual, **rules})  # type: ignore[arg-type]  # the test's own to get right
    return Contest(
        parse(competitors), made, games=games, jobs=jobs, saving=saving, until_decided=until_decided, sandbox=sandbox
    )


async def played(*competitors: str, **asked: object) -> Results:
    """A match from its beginning to its end."""
    match = contest(*competitors, **asked)  # type: ignore[arg-type]  # as above
    await match.run()
    assert match.results is not None
    assert match.done >= match.planned
    return match.results


@pytest.fixture(autouse=True)
def nobody_is_left() -> Iterator[None]:
    """Every process that a test started is gone when it is over."""
    before = children()
    yield
    assert children() <= before


def children() -> set[str]:
    """The processes of the arena's, by their ids; where there is no /proc, none."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
            words = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == str(os.getpid()) and any(word in words for word in (b"put_", b"programs.py", b"fork_server.py")):
            found.add(entry.name)
    return found - {str(SERVER.pid)}


# --- good bots -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sandbox", [Sandbox(closed=True), None], ids=["sandbox", "open"])
async def test_every_kind_of_competitor_meets_every_other(sandbox: Sandbox | None) -> None:
    """A class, a coroutine, a house player, a program on its standard streams and one that dials."""
    dialler = f"dialler={program('good', 'dial')}"
    results = await played(
        FIRST, f"{PLAYERS}:Thinker", "house:steady", program("good"), dialler, games=2, sandbox=sandbox
    )
    assert len(results.games) == 2 * 10
    assert results.sets == 10
    assert not any(conduct.faults or conduct.out for conduct in results.conduct)
    # A class and two programs that do the same: each deal of the cards has the same winner whoever sits there.
    for one, other in pairwise([0, 3, 4]):
        assert results.differences(one, other) == [0.0]


async def test_the_games_of_a_set_are_dealt_the_same_packs(tmp_path: Path) -> None:
    """Seat by seat and hand by hand, game after game at the same table, and other sets others."""
    results = await played(FIRST, DICEY, games=20, saving=Saving(tmp_path))
    sheets = saved(tmp_path)
    assert len(sheets) == len(results.games) == 20
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
    assert len(seen) == 10
    assert all(sheet.is_exhibition for sheet in sheets.values())


def saved(folder: Path) -> dict[str, Sheet]:
    """Every game, by the name of its file."""
    return {file.name: load(file) for file in folder.iterdir()}


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


async def test_two_of_a_kind_divide_every_set(tmp_path: Path) -> None:
    """They have the same cards, and dice of the seat and the game, so the games of a set are the same, card by card."""
    results = await played(DICEY, DICEY, games=24, saving=Saving(tmp_path))
    assert results.differences(0, 1) == [0.0] * 12
    games: dict[str, list[object]] = {}
    for name, sheet in saved(tmp_path).items():
        events = [event for step in sheet.steps for event in step.events if isinstance(event, Played)]
        games.setdefault(name.rpartition("-seating")[0], []).append(events)
    assert len(games) == 12
    assert all(one == other for one, other in games.values())


async def test_a_seed_repeats_everything_whatever_the_number_of_jobs() -> None:
    """Packs and dice follow from the round and not from who was quicker."""
    runs = [await played(DICEY, FIRST, games=12, jobs=jobs, tables=tables) for jobs, tables in ((1, 8), (2, 2))]
    one, other = (sorted((g.round, g.number, g.seating, g.paid) for g in run.games) for run in runs)
    assert one == other


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
    assert results.sets == 10
    assert not any("again" in game.round for game in results.games)


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
    results = await played(FIRST, DICEY, games=20)
    assert results.sets == 10
    assert len(results.games) == 20 + 5  # a round: the second game at the first table, which makes no set
    again = [game for game in results.games if "again" in game.round]
    assert len(again) == 10
    assert {game.number for game in again} == {1}


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
    monkeypatch.setattr(bot_process, "running", heard_late)
    results = await played(FIRST, "house:steady", games=4)
    assert len(results.games) == 4
    assert not results.conduct[0].faults


async def test_partners_are_copies_and_three_play_in_every_order() -> None:
    """Tables of more than two seats, with a house player among them."""
    results = await played(FIRST, DICEY, games=2, game="put-partners")
    assert results.sides == (0, 1, 0, 1)
    assert [game.seats for game in results.games] in ([(0, 1, 0, 1), (1, 0, 1, 0)], [(1, 0, 1, 0), (0, 1, 0, 1)])
    assert all(game.paid[0] == game.paid[2] == -game.paid[1] for game in results.games)
    results = await played(FIRST, DICEY, "house:steady", games=3, seats=3)
    assert sorted(game.seats for game in results.games) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert all(sum(game.paid) == 0 for game in results.games)


async def test_house_players_meet_each_other() -> None:
    """Where nobody sits who could ask for another game, the director does."""
    results = await played("house:steady", "house:steady", games=20)
    assert len(results.games) == 20


async def test_it_ends_when_it_is_decided() -> None:
    """Who cheats loses every game; that is seen long before the last."""
    match = contest(FIRST, f"{PLAYERS}:Cheating", games=100_000, until_decided=True)
    await match.run()
    assert match.is_decided
    assert match.results is not None
    assert 9 <= match.results.sets < 1_000


async def test_it_can_be_stopped_at_any_time() -> None:
    """What was played until then stands."""
    match = contest(FIRST, DICEY, games=100_000)
    running = asyncio.ensure_future(match.run())
    while match.done < 10:  # noqa: ASYNC110  # nobody is told of games but by looking
        await asyncio.sleep(0)
    match.stop()
    await running
    assert match.results is not None
    assert 10 <= len(match.results.games) < 100_000


# --- misbehaviour ----------------------------------------------------------------------------------------------------


BAD = (
    (f"{PLAYERS}:Hanging", Fault.LATE, "does not come back from choosing"),
    (f"{PLAYERS}:Dreaming", Fault.LATE, "too late 2 times in a row"),
    (f"{PLAYERS}:Dying", Fault.CRASHED, "ended again: it ended with status 3"),
    (program("asleep"), Fault.LATE, "too late 2 times in a row"),
    (program("asleep", "dial"), Fault.LATE, "too late 2 times in a row"),
    (program("dying"), Fault.CRASHED, "ended with status 7, saying: something is wrong"),
    (program("dying", "dial"), Fault.CRASHED, "ended with status 7, saying: something is wrong"),
    (program("chatty"), Fault.GARBAGE, "does not speak the protocol"),
    ("stdio:./there-is-no-such-program", Fault.CRASHED, "cannot be started: No such file"),
)
"""Competitors, the fault that each is put out for, and what is said of it."""


@pytest.mark.timeout(120)  # each is waited for
@pytest.mark.parametrize("some", [BAD[0::3], BAD[1::3], BAD[2::3]], ids=range(3))
async def test_who_misbehaves_is_out_and_the_others_play_on(some: Sequence[tuple[str, Fault, str]]) -> None:
    """It is said why, and the games it does not play are counted; for each in a match of several."""
    several = [f"bad{number}={competitor}" for number, (competitor, _, _) in enumerate(some)]
    results = await played(FIRST, DICEY, *several, games=20, turn=2)
    good, other, *bad = results.conduct
    assert not good.faults
    assert not other.faults
    for conduct, (_, fault, why) in zip(bad, some, strict=True):
        assert conduct.faults[fault]
        assert why in conduct.out
    assert results.forfeited > 0
    assert len(results.differences(0, 1)) == 10
    assert {standing.competitor for standing in results.standings()[:2]} == {0, 1}


async def test_the_silence_of_a_process_that_died_is_not_held_against_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was long ago that anything was heard, but of another; this one may take its time to load."""

    def loading(words: Sequence[str], **_: object) -> AbstractAsyncContextManager[ChildProcess]:
        return running([sys.executable, "-c", "import time; time.sleep(1.5)"])  # a watch looks every second

    monkeypatch.setattr(bot_process, "running", loading)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    conduct, server = Conduct(), MatchServer(host="127.0.0.1", port=port, turn=1, late=1, slow=0.0)
    player = SdkBot("First", parse([FIRST, DICEY])[0], server, conduct, Sandbox())
    player._reported_at = asyncio.get_running_loop().time() - 3600
    assert await player.run() == "it ended with status 0"
    listener.close()
    assert not conduct.faults
    assert not player.disqualified


async def test_a_flood_ends_with_the_connection() -> None:
    """The server hears two hundred times too much and no more; what it says of it may drown in the flood."""
    floods = [f"{kind}={program('flooding', kind)}" for kind in ("stdio", "dial")]
    results = await played(FIRST, DICEY, *floods, games=20)
    for bad in results.conduct[2:]:
        assert bad.out
        assert bad.faults[Fault.CRASHED] == 2 or bad.faults[Fault.TOO_FAST]
    assert len(results.differences(0, 1)) == 10


@pytest.mark.timeout(90)  # each is waited for
async def test_who_keeps_others_waiting_is_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """At any point where nothing goes on without it."""
    monkeypatch.setattr(director, "SIT_SECONDS", 4.0)
    monkeypatch.setattr(roster, "HELLO_SECONDS", 10.0)
    said = {
        "mute": ("stdio", "did not say hello"),
        "lazy": ("dial", "did not sit down where it was invited"),
        "tired": ("stdio", "did not go on to another game"),
    }
    slow = [f"{how}={program(how, kind)}" for how, (kind, _) in said.items()]
    results = await played(FIRST, DICEY, *slow, games=20)
    for conduct, (_, why) in zip(results.conduct[2:], said.values(), strict=True):
        assert why in conduct.out
        assert set(conduct.faults) == {Fault.IDLE}
    assert len(results.differences(0, 1)) == 10


async def test_a_class_that_cheats_or_fails_loses_the_game_and_stays() -> None:
    """It is its author's to mend, and each game says so."""
    results = await played(FIRST, f"{PLAYERS}:Cheating", f"{PLAYERS}:Failing", games=4)
    assert set(results.conduct[1].faults) == {Fault.ILLEGAL}
    assert results.conduct[1].faults[Fault.ILLEGAL] >= 8  # a game more may begin at a table before it is closed
    assert "chose give, which is none of the legal actions: play " in results.conduct[1].says[0]
    assert set(results.conduct[2].faults) == {Fault.CRASHED}
    assert "raised KeyError at players.py:" in results.conduct[2].says[0]
    assert len(results.differences(0, 1)) >= 2
    assert set(results.differences(0, 1)) == {1.0}
    assert not any(conduct.out for conduct in results.conduct)


async def test_who_leaves_loses_the_game_each_time() -> None:
    """It may come back to other tables, so it is not out; and what is broken off is begun again, but not for ever."""
    results = await played(FIRST, program("leaving"), games=4)
    assert results.conduct[1].faults[Fault.IDLE] > 0
    assert "left a table" in results.conduct[1].says[0]
    assert all(game.wins(0) == 1 for game in results.games)


async def test_a_house_player_who_stands_in_wins_nothing_for_the_bot() -> None:
    """Where the house takes the seat of a player who leaves, the game is no longer that player's."""
    results = await played(FIRST, program("leaving"), games=4, options={"abandoned": "house"})
    assert not results.games
    assert results.forfeited == 4
    assert results.conduct[1].faults[Fault.IDLE] > 0


async def test_for_spectators_every_kind_can_play_slowly() -> None:
    """A moment before each move, whoever makes it."""
    results = await played(FIRST, f"{PLAYERS}:Thinker", program("good"), games=2, slow=0.01)
    assert results.sets == 3
    assert not any(conduct.faults for conduct in results.conduct)


async def test_a_program_that_cheats_is_refused_and_goes_on() -> None:
    """The server asks no second time: the decision still waits for a legal answer, which comes."""
    results = await played(FIRST, program("cheating"), games=2)
    assert results.conduct[1].faults[Fault.ILLEGAL] > 0
    assert results.differences(0, 1) == [0.0]


async def test_what_cannot_be_played_is_told_at_once() -> None:
    """By the server, in its words."""
    with pytest.raises(BadMatch, match="no such rule set"):
        await contest(FIRST, DICEY, game="whist").run()
    with pytest.raises(BadMatch, match="target"):
        await contest(FIRST, DICEY, options={"target": 0}).run()
    with pytest.raises(BadMatch, match="there is no house player 'nobody'"):
        await contest(FIRST, "house:nobody").run()
    with pytest.raises(NoBot, match="has no Second"):
        await contest(FIRST, f"{PLAYERS}:Second").run()

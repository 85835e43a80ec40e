"""Each way in which a competitor can misbehave: it is found, told, and harms nobody else."""

import asyncio
import socket
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from unittest import mock

import pytest
from msgspec.structs import replace

from put_arena import class_player, director, processes, roster, schedule
from put_arena.competitors import Fault
from put_arena.director import Director
from put_arena.orders import Go
from put_arena.processes import SdkBot
from put_arena.roster import Roster
from put_arena.sandbox import Sandbox
from put_client.sdk.client import Client
from put_client.sdk.errors import Refusal
from put_protocol.messages import Invited, LobbyState
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_runtime.child_process import ChildProcess, Tail, running
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
    serve_here,
)
from tests.arena.players import First


@pytest.fixture(autouse=True)
def nobody_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every process that a test started is gone when it is over; the server is none."""
    serve_here(monkeypatch)
    before = children()
    yield
    assert children() <= before


BAD = (
    (f"{PLAYERS}:Hanging", Fault.LATE, "does not come back from a call"),
    (f"{PLAYERS}:Dreaming", Fault.LATE, "too late 2 times in a row"),
    (f"{PLAYERS}:Dying", Fault.CRASHED, "ended again: it ended with status 3"),
    (program("asleep"), Fault.LATE, "too late 2 times in a row"),
    (program("asleep", "dial"), Fault.LATE, "too late 2 times in a row"),
    (program("dying"), Fault.CRASHED, "ended with status 7, saying: something is wrong"),
    (program("dying", "dial"), Fault.CRASHED, "ended with status 7, saying: something is wrong"),
    (program("chatty"), Fault.GARBAGE, "does not speak the protocol"),
    ("stdio:./there-is-no-such-program", Fault.CRASHED, "No such file"),
    (program("asleep@3"), Fault.LATE, "too late 2 times in a row"),
)
"""Competitors, the fault that each is put out for, and what is said of it."""


@pytest.mark.timeout(120)  # each is waited for
@pytest.mark.parametrize(
    ("good", "some", "games", "sandbox"),
    [
        pytest.param((FIRST, DICEY), BAD, 4, None, id="all"),
        pytest.param(  # through which the end of a process must come
            (program("good"), f"other={program('good@3')}"),
            (BAD[2], BAD[5], BAD[8]),
            6,
            CLOSED,
            id="in the sandbox",
            marks=needs_sandbox,
        ),
    ],
)
async def test_who_misbehaves_is_out_and_the_others_play_on(
    good: Sequence[str],
    some: Sequence[tuple[str, Fault, str]],
    games: int,
    sandbox: Sandbox | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is said why, though what a process said last is read after its end; and the games it does not play are
    counted. All in one match."""
    follow = Tail.follow

    async def follow_late(self: Tail, stream: asyncio.StreamReader) -> None:
        await asyncio.sleep(0.1)
        await follow(self, stream)

    monkeypatch.setattr(Tail, "follow", follow_late)
    several = [f"bad{number}={competitor}" for number, (competitor, _, _) in enumerate(some)]
    results = await played(*good, *several, games=games, turn=2, sandbox=sandbox)
    one, other, *bad = results.conduct
    assert not one.faults
    assert not other.faults
    for conduct, (_, fault, why) in zip(bad, some, strict=True):
        assert conduct.faults[fault]
        assert why in conduct.out
    assert results.games_forfeited > 0
    assert len(results.differences(0, 1)) == games / 2
    assert {standing.competitor for standing in results.standings()[:2]} == {0, 1}


async def test_a_process_may_take_its_time_to_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its silence counts from its first report; the roster waits for its hello."""

    def loading(words: Sequence[str], **_: object) -> AbstractAsyncContextManager[ChildProcess]:
        return running([sys.executable, "-c", "import time; time.sleep(1.5)"])

    monkeypatch.setattr(processes, "BLOCKED_SECONDS", 0)
    monkeypatch.setattr(processes, "running", loading)
    listener = socket.create_server(("127.0.0.1", 0))
    player = SdkBot("First", 0, contest(FIRST, DICEY, turn=1, late=1), listener.getsockname())
    assert await player.run() == "it ended with status 0"
    listener.close()
    assert not player.conduct.faults
    assert not player.conduct.out


async def test_a_session_that_cannot_go_on_gives_its_seat_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the seat would play on by the clock alone, and no turn of it would be counted as late."""
    left: list[int] = []
    client = mock.create_autospec(Client, instance=True)
    client.sit.return_value = Seat(1)
    client.leave.side_effect = left.append
    session = mock.Mock()
    session.play.side_effect = Refusal(RefusalCode.NOT_ADMITTED, "no")
    monkeypatch.setattr(class_player, "BotSession", lambda *_, **__: session)
    async with asyncio.TaskGroup() as tasks:
        player = class_player.ClassPlayer(mock.Mock(), First, client, tasks, mock.Mock())
        player.order(Go(table=3, games=1, dice=""))
        player._note_invitation(Invited(3, "The director", mock.Mock(), Seat(1)))
    assert left == [3]


async def test_a_flood_ends_with_the_connection(caplog: pytest.LogCaptureFixture) -> None:
    """The server hears two hundred times too much and no more; what it says of it may drown in the flood. The arena
    says nothing of each write that came too late."""
    floods = [f"{kind}={program('flooding', kind)}" for kind in ("stdio", "dial")]
    results = await played(FIRST, DICEY, *floods, games=6)
    for bad in results.conduct[2:]:
        assert bad.out
        assert bad.faults[Fault.CRASHED] == 2 or bad.faults[Fault.TOO_FAST]
    assert len(results.differences(0, 1)) == 3
    assert not [said for said in caplog.messages if "raised exception" in said]


@pytest.mark.timeout(90)  # each is waited for
async def test_who_keeps_others_waiting_is_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """At any point where nothing goes on without it."""
    monkeypatch.setattr(director, "SIT_SECONDS", 4.0)
    here: defaultdict[Roster, set[str]] = defaultdict(set)
    update = Roster.update

    async def note_arrivals(self: Roster, news: LobbyState) -> None:
        """All have time to load; who says nothing is waited for no longer once all others are there."""
        here[self].update(person.name for person in news.people)
        is_alone = all(name.startswith("mute") for name in set(self.names) - here[self])
        monkeypatch.setattr(roster, "HELLO_SECONDS", 1.0 if is_alone else 20.0)
        await update(self, news)

    monkeypatch.setattr(Roster, "update", note_arrivals)
    said = {
        "mute": ("stdio", "did not say hello"),
        "lazy": ("dial", "did not sit down where it was invited"),
        "lost": (
            "stdio",
            "did not sit down where it was invited in 4 seconds; the server refused what it asked",
        ),
        "gone": ("dial", "it did not come back in "),
        "tired": ("stdio", "did not go on to another game"),
    }
    slow = [f"{how}={program(how, kind)}" for how, (kind, _) in said.items()]
    monkeypatch.setattr(schedule, "ROUNDS_OF_A_SIZE", 1)  # the second round has several games at a table
    results = await played(FIRST, DICEY, *slow, games=6)
    for conduct, (_, why) in zip(results.conduct[2:], said.values(), strict=True):
        assert why in conduct.out
        assert set(conduct.faults) == {Fault.IDLE}
    assert len(results.differences(0, 1)) == 3


async def test_a_table_that_no_player_comes_to_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lobby may have told of it before the director knew its number, and tells of it again only when one comes."""
    monkeypatch.setattr(director, "SIT_SECONDS", 2.0)
    update = Director._update

    async def before_its_number(self: Director, news: LobbyState) -> None:
        told = [info for info in news.tables if any(seat.name for seat in info.seats)]
        await update(self, replace(news, tables=tuple(told)))

    monkeypatch.setattr(Director, "_update", before_its_number)
    results = await played(program("lazy"), f"other={program('lazy')}", games=2)
    assert all("did not sit down where it was invited" in conduct.out for conduct in results.conduct)
    assert results.games_forfeited == 2


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
    assert results.games_forfeited == 4
    assert results.conduct[1].faults[Fault.IDLE] > 0


async def test_only_the_last_connection_of_a_program_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where several are accepted at once. With two, messages of the arena would go to one of them, by chance."""
    received = processes._received

    async def late(pair: socket.socket) -> socket.socket:
        await asyncio.sleep(1)
        return await received(pair)

    monkeypatch.setattr(processes, "_received", late)
    results = await played(FIRST, f"other={program('returning', 'dial')}", games=2)
    assert len(results.games) == 2
    assert not results.conduct[1].faults


async def test_who_takes_the_seat_of_another_is_out() -> None:
    """The player who was invited there is not blamed, though they are slow."""
    results = await played(program("lazy"), f"thief={program('thief')}", games=2)
    assert results.conduct[1].out == "it sat down where it was not invited"
    assert not results.conduct[0].faults


async def test_a_program_gets_nothing_that_no_game_needs() -> None:
    """No advice of the server, no talk, no table or gallery of its own; and it plays on."""
    results = await played(program("asking"), "house:steady", games=2)
    assert set(results.conduct[0].faults) == {Fault.ILLEGAL}
    assert results.conduct[0].says[0] == "asked for coach, which no game needs"
    assert len(results.games) == 2


async def test_a_program_cannot_keep_a_game_in_a_pause() -> None:
    """Its opponent would agree, as bots do, and no game that it loses would come to its end."""
    results = await played(FIRST, program("pausing"), games=2)
    assert set(results.conduct[1].faults) == {Fault.ILLEGAL}
    assert results.conduct[1].says[0] == "asked for pause, which no game needs"
    assert len(results.games) == 2


async def test_what_a_program_prints_among_its_messages_is_shown() -> None:
    """Its author finds the line; and the messages before and after it count."""
    results = await played(FIRST, program("debugging"), games=2)
    assert set(results.conduct[1].faults) == {Fault.GARBAGE}
    assert results.conduct[1].says[0].endswith("; it had sent b'the king is best'")
    assert results.differences(0, 1) == [0.0]


async def test_a_program_that_cheats_is_refused_and_goes_on() -> None:
    """The server asks no second time: the decision still waits for a legal answer, which comes."""
    results = await played(FIRST, program("cheating"), games=2)
    assert results.conduct[1].faults[Fault.ILLEGAL] > 0
    assert results.differences(0, 1) == [0.0]

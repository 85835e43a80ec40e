"""`put-server forget`: nothing is left of a person, and everything of those they played with."""

import asyncio
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from put_protocol import messages
from put_protocol.codecs import FRAMES, LINES
from put_protocol.messages import Block, Goodbye, Mute, Ok, OpenTable, Pause, Resign, Say, Sit, Watch
from put_protocol.text import same_name
from put_rules.record import StandIn
from put_rules.registry import GAMES
from put_rules.steps import Steps, fold
from put_server.journal.journal import Journal
from put_server.journal.journal_reader import game_of
from put_server.journal.lobby_replay import fold as fold_input
from put_server.journal.records import encode
from put_server.lobby.inputs import Forget
from put_server.lobby.policy import EDITION
from put_server.transport.reception import digest_of
from tests.journal.recorded_journals import games_of, keep, lobby_after, recording, running, time_after
from tests.lobby.lobby_harness import LobbyHarness, new_lobby
from tests.server.test_commands import EX_NOUSER, done, failed
from tests.transport.sockets import BACKSTOP, running_server

NAME, TALK = "Gertrude", "the fat is in the fire"


def kept(folder: Path) -> bytes:
    """Everything in the files of the folder, in small letters."""
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file()).lower()


encoded = msgspec.msgpack.encode


def holds(folder: Path, *words: bytes) -> list[bytes]:
    return [word for word in words if word.lower() in kept(folder)]


async def test_nothing_is_left_of_a_forgotten_person(tmp_path: Path) -> None:
    """Neither name, token nor talk in any file, at once and after a restart; others keep their games and seats."""
    at = ("--data", str(tmp_path))
    async with running_server(data=str(tmp_path)) as harness:
        gert, ben = await harness.guest(NAME, FRAMES), await harness.guest("Ben", LINES)
        await gert.ask(lambda n: OpenTable(n, "put-1674"))
        for player in (gert, ben):
            await player.ask(lambda n: Sit(n, 1))
        await ben.ask(lambda n: Mute(n, NAME))
        await ben.ask(lambda n: Block(n, NAME))
        await gert.ask(lambda n: Say(n, 1, TALK))
        await ben.ask(lambda n: Say(n, 1, f"Hold your tongue, {NAME}"))
        await ben.ask(lambda n: OpenTable(n, "put-1674"))
        await ben.ask(lambda n: Sit(n, 2))
        await gert.ask(lambda n: Watch(n, 2))
        assert isinstance(await gert.ask(lambda n: Resign(n, 1)), Ok)
        words = (NAME.encode(), digest_of(gert.token), TALK.encode())
        harness.server.dispatcher.compact()
        await gert.ask(lambda n: Say(n, 2, TALK))
        assert holds(tmp_path, *words) == list(words)
        assert (
            await done("forget", "gertrude", *at)
            == "gertrude is forgotten, and named by their seat in 1 finished game\n"
        )
        assert (await gert.until(Goodbye)).code == "kicked"
        assert holds(tmp_path, *words) == []
        assert isinstance(await ben.ask(lambda n: Say(n, 2, "Who was that?")), Ok)
        assert "nothing is kept about 'Gertrude'" in await failed(EX_NOUSER, "forget", NAME, *at)
        harness.server._runners.houses.notebook.of(NAME, "put-1674", dict)
        assert "is forgotten" in await done("forget", NAME.upper(), *at)
        assert not harness.server._runners.houses.notebook.forget(NAME)
        await harness.guest(NAME)  # somebody else, perhaps
        await done("forget", NAME, *at)
    assert "Ben" in await done("show", "1", "--as", "Ben", *at)
    assert "Forgotten 1" in await done("show", "1", *at)
    assert "all is well" in await done("check", *at)
    async with running_server(data=str(tmp_path)) as harness:
        back = await harness.call()
        assert (await back.hello(token=ben.token)).name == "Ben"
        assert list(harness.server.dispatcher.lobby.tables) == [1, 2]
    assert holds(tmp_path, *words) == []


class NoRoom(sqlite3.Connection):
    """Cannot rebuild its file, as on a disk that is nearly full."""

    is_full = True

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        if sql == "VACUUM" and self.is_full:
            raise sqlite3.OperationalError("database or disk is full")
        return super().execute(sql, parameters)


async def test_operator_is_told_where_traces_may_be_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a file that was not rewritten, and of a finished game that cannot be read; the next try is as any."""
    at = ("--data", str(tmp_path))
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=NoRoom))
    async with running_server(data=str(tmp_path)) as harness:
        await harness.guest(NAME)
        said = await failed(EX_NOUSER, "forget", NAME, *at)
        assert "traces may be left (the file was not rewritten: database or disk is full)" in said
        monkeypatch.setattr(NoRoom, "is_full", False)
        assert "nothing is kept about" in await failed(EX_NOUSER, "forget", NAME, *at)
        row = (7, "2026-01-01T00:00:00Z", 1, 1, "put-1674", "junk", None, b"", 0)
        journal = harness.server.journal
        assert journal is not None
        journal._file.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        await harness.guest(NAME)
        assert "traces may be left (game 7 cannot be read)" in await failed(EX_NOUSER, "forget", NAME, *at)


@pytest.mark.parametrize("is_paused", [False, True])
async def test_player_of_a_game_in_play_is_not_forgotten(tmp_path: Path, is_paused: bool) -> None:
    """Nothing changes, and the sentence names the table; it is done once they have left the game."""
    at = ("--data", str(tmp_path))
    async with running_server(data=str(tmp_path)) as harness:
        players = await harness.game(FRAMES, LINES)
        if is_paused:
            for player in players:
                await player.ask(lambda n: Pause(n, 1, 60))
        before = encode(harness.server.dispatcher.lobby.checkpoint())
        assert "at table 1; kick them" in await failed(EX_NOUSER, "forget", "Player 0", *at)
        assert encode(harness.server.dispatcher.lobby.checkpoint()) == before
        await done("kick", "Player 0", *at)
        await done("forget", "Player 0", *at)
    (tmp_path / "audit.log").unlink()  # where it is who was kicked
    assert holds(tmp_path, b"Player 0", b"Player 1") == [b"Player 1"]


@pytest.mark.parametrize("seed", [2, 3])
def test_forgotten_names_are_nowhere_in_the_lobby(seed: int) -> None:
    """Of random people, one after the other; who plays on is told so, and the checkpoint is read as ever."""
    lobby, now = lobby_after(recording(seed)), time_after(recording(seed))
    names = [person.name for person in lobby.people.values()]
    forgotten = [name for name in names if not lobby.games_of(name)]
    assert forgotten
    for name in forgotten:
        fold_input(lobby, Forget(name), now)
        assert lobby.people.named(name) is None
        left = encode(lobby.checkpoint())
        assert encoded(name) not in left
        assert encoded(same_name(name)) not in left
    assert {person.name for person in lobby.people.values()} == set(names) - set(forgotten)


def test_address_and_who_is_kept_out_are_forgotten() -> None:
    """Of the tables that stay: who opened one from where, and whom an opener sent away."""
    harness = LobbyHarness(new_lobby(edition=EDITION))
    gert, ben = harness.arrive(NAME, origin="203.0.113.7"), harness.arrive("Ben", origin="203.0.113.9")
    of_gert, of_ben = harness.open(gert), harness.open(ben)
    harness.sit(of_gert, ben)
    harness.sit(of_ben, ben)
    harness.watch(of_ben, gert)
    harness.ok(ben, messages.Dismiss(harness.request_id(), of_ben, person=NAME))
    tables = harness.lobby.tables
    before = encode(harness.lobby.checkpoint())
    assert before.count(b"203.0.113.7") == 2
    assert b"gertrude" in before
    harness.handle(Forget(NAME))
    left = encode(harness.lobby.checkpoint())
    assert list(tables) == [of_gert, of_ben]
    assert b"203.0.113.7" not in left
    assert b"gertrude" not in left.lower()
    assert left.count(b"203.0.113.9") == 2


@pytest.mark.parametrize("seed", [2, 3])
async def test_finished_games_keep_their_play(seed: int, tmp_path: Path) -> None:
    """With a name gone each is the same game, step by step; who took a place in it goes as well."""
    games = [game.record for game in games_of(recording(seed))]
    guests = sorted({player.name for game in games for player in game.players if not player.is_house})
    assert guests
    path = tmp_path / "put.sqlite3"
    journal = Journal(path)
    async with asyncio.timeout(BACKSTOP), running(journal):
        opened_there = [
            batch._replace(
                games=[
                    replace(game, origin="" if all(one.is_house for one in game.record.players) else "203.0.113.7")
                    for game in batch.games
                ]
            )
            for batch in recording(seed)
        ]
        await keep(journal, opened_there)
        networks = "SELECT group_concat(network) FROM game_networks"
        assert journal._file.execute(networks).fetchone() != ("unknown",)
        found = [journal.forget(name) for name in guests]
        journal.compact(time_after(recording(seed)), lobby_after(recording(seed)).checkpoint())
        safe = asyncio.Event()
        journal.record([], safe.set)
        await safe.wait()
        assert all(one.games for one in found)
        rows = [game_of(row, path) for row in journal._file.execute("SELECT * FROM games ORDER BY id")]
        assert journal._file.execute(networks).fetchone() == ("unknown",)
        journal.finish()
    journal.close()
    assert len(rows) == len(games)
    for row, game in zip(rows, games, strict=True):
        assert row.row.players == row.record.players
        assert all(player.is_house or player.name.startswith("Forgotten ") for player in row.record.players)
        rule_set = GAMES[game.rule_set]
        old, new = (
            [step.state for step in fold(one, rule_set.make(len(one.players), one.options))]
            for one in (game, row.record)
        )
        assert len(old) == len(new)
        taken = [step.input.player for step in Steps(row.record.steps).read() if isinstance(step.input, StandIn)]
        assert all(player.is_house or player.name.startswith("Forgotten ") for player in taken)


async def test_what_a_reader_holds_back_is_erased_after_it(tmp_path: Path) -> None:
    """Another program may read the file while somebody is forgotten; traces of them end with it, or with the server."""
    async with running_server(data=str(tmp_path)) as harness:
        await harness.guest(NAME)
        harness.server.dispatcher.compact()
        await harness.guest("Ben")
        with closing(sqlite3.connect(tmp_path / "put.sqlite3")) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT lobby FROM checkpoint").fetchall()
            await done("forget", NAME, "--data", str(tmp_path))
            assert holds(tmp_path, NAME.encode())
    assert not holds(tmp_path, NAME.encode())

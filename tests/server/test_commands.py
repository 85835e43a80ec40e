"""The subcommands of `put-server`: what they print, and the code by which each failure ends."""

import asyncio
import contextlib
import io
import json
import os
import re
import shlex
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, get_args
from unittest import mock

import msgspec
import pytest
from msgspec import Struct

from put_protocol.codecs import FRAMES, LINES
from put_protocol.games.put import Dealt
from put_protocol.messages import Again, Ok, Resign
from put_protocol.seats import GALLERY
from put_server.admin.admin_calls import ServerStatus
from put_server.cli import main, parser
from put_server.settings import SETTINGS, Settings
from put_server.subcommands import COMMANDS
from put_text.notation import read
from scripts.docs import FOLDER
from tests.server.test_process import run, started
from tests.transport.sockets import BACKSTOP, ServerHarness, running_server

EX_USAGE, EX_DATAERR, EX_NOINPUT, EX_NOUSER, EX_UNAVAILABLE, EX_CANTCREAT, EX_TEMPFAIL = 64, 65, 66, 67, 69, 73, 75
EX_CONFIG = 78


class Ended(NamedTuple):
    """A command that came to its end."""

    returncode: int
    stdout: str
    stderr: str


def command(*arguments: str, **environment: str) -> Ended:
    """A command in this process: as one of its own it would spend half a second on starting."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, environment),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        main(arguments)
    assert isinstance(ended.value.code, int)
    return Ended(ended.value.code, out.getvalue(), err.getvalue())


async def done(*arguments: str, **environment: str) -> str:
    """What a command that succeeds prints."""
    ended = await asyncio.to_thread(command, *arguments, **environment)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


async def failed(code: int, *arguments: str, **environment: str) -> str:
    """The one sentence of a command that fails by this code."""
    ended = await asyncio.to_thread(command, *arguments, **environment)
    assert ended.returncode == code, ended.stderr
    assert ended.stderr.startswith("put-server: ")
    assert len(ended.stderr.splitlines()) == 1
    return ended.stderr


async def play(harness: ServerHarness, games: int = 1) -> None:
    """So many games at the first table, each given up by the first player."""
    ann, ben = await harness.game(FRAMES, LINES)
    for number in range(games):
        if number:
            for player in (ann, ben):
                assert isinstance(await player.ask(lambda n: Again(n, 1)), Ok)
        assert isinstance(await ann.ask(lambda n: Resign(n, 1)), Ok)


# --- the command line ------------------------------------------------------------------------------------------------


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Each with what it does."""
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    shown = re.sub(r"\s+", " ", capsys.readouterr().out)
    for name, command in COMMANDS.items():
        assert f" {name} {command.meaning} " in shown


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_has_an_example_that_works(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its example is a command line the program takes, and every setting it reads has its flag."""
    command = COMMANDS[name]
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    shown = re.sub(r"\s+", " ", capsys.readouterr().out)
    assert f"put-server {name} {command.example}" in shown
    assert all(f"--{setting} ".replace("_", "-") in shown for setting in command.settings)
    example = shlex.split(command.example.partition(" > ")[0])
    assert parser().parse_args([name, *example]).command == name


@pytest.mark.parametrize(
    "arguments",
    [
        "kick",
        "announce a b",
        "games --limit 0",
        "games --limit 99999999999999999999999999",
        "show first",
        "drain --seconds -1",
        "drain --back 999999",
        "status --colour",
        "status --data :memory:",
        "kick --data :memory:",
        "kick Ann --address 203.0.113.9",
        "ban",
        "games --data :memory:",
    ],
)
def test_usage_of_a_command_is_checked(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is missing, unknown or no number is a fault of the command line, before anything is asked or opened."""
    with pytest.raises(SystemExit) as ended:
        main(arguments.split())
    assert ended.value.code == EX_USAGE
    assert capsys.readouterr().err.startswith("put-server: ")


BYTES = os.fsdecode(b"\xff\xfe")


@pytest.mark.parametrize(
    "arguments",
    [
        ["announce", BYTES],
        ["kick", BYTES],
        ["kick", "Moll", "--because", BYTES],
        ["kick", "--address", BYTES],
        ["forget", BYTES],
        ["ban", BYTES],
        ["show", "1", "--as", BYTES],
        ["backup", BYTES],
        [BYTES],
    ],
)
def test_argument_that_is_no_text_is_named(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """It could not be sent or written down."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == EX_USAGE
    said, *_ = capsys.readouterr().err.splitlines()
    assert said.startswith("put-server: argument ")
    assert repr(BYTES) in said


@pytest.mark.parametrize("flag", ["--data", "--admin", "--certificate", "--nats-creds"])
@pytest.mark.parametrize("command", [[], ["status"]])
def test_home_of_a_user_who_is_unknown_is_named(
    flag: str, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder of this name is never made in its place."""
    if command and flag == "--certificate":
        return
    with pytest.raises(SystemExit) as ended:
        main([*command, flag, "~nosuch/x"])
    assert ended.value.code == EX_USAGE
    said = capsys.readouterr().err
    assert said.startswith(f"put-server: {flag}: ")
    assert said.endswith(" only where that is a user's home, not '~nosuch/x'\n")


def test_folder_whose_name_is_no_text_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Messages to the operator name it."""
    with mock.patch.dict(os.environ, {"PUT_SERVER_DATA": f"/tmp/{BYTES}"}), pytest.raises(SystemExit) as ended:
        main(["status"])
    assert ended.value.code == EX_CONFIG
    assert "PUT_SERVER_DATA: data must be a path in UTF-8" in capsys.readouterr().err


# --- of a running server ---------------------------------------------------------------------------------------------


async def test_status_of_a_running_server_is_printed(tmp_path: Path) -> None:
    """As lines for a person, or as one object; the directory may be told by any source of settings."""
    data = str(tmp_path)
    async with asyncio.timeout(BACKSTOP), started("--data", data, "--name", "The Swan"):
        ended = await asyncio.to_thread(run, "status", "--data", data)  # a process, as an operator starts it
        assert (ended.returncode, ended.stderr) == (0, "")
        lines = ended.stdout.splitlines()
        assert lines[0].startswith("The Swan: put-server ")
        assert len(lines) > 5
        status = json.loads(await done("status", "--json", PUT_SERVER_DATA=data))
    assert (status["name"], status["tables"]["total"], status["journal"]["path"]) == (
        "The Swan",
        0,
        str(tmp_path / "put.sqlite3"),
    )


async def test_commands_to_a_running_server_end_by_what_came_of_them(tmp_path: Path) -> None:
    """What the server does is told and the code is 0; what it declines is its sentence, with a code of its own."""
    at = ("--data", str(tmp_path))
    async with running_server(data=str(tmp_path)) as harness:
        await harness.guest("Ann")
        assert await done("announce", "Last orders", *at) == "told to 1 person\n"
        assert "cannot be shown" in await failed(EX_DATAERR, "announce", "\x1b[31m", *at)
        assert "here are Ann" in await failed(EX_NOUSER, "kick", "Ben", *at)
        assert await done("kick", "ann", *at) == "Ann was sent away\n"
        assert await done("ban", "203.0.113.0/24", *at) == (
            "203.0.113.0/24 is banned; sent away: 0 people; closed: 0 other connections\n"
        )
        assert await done("bans", *at) == "203.0.113.0/24\n"
        assert "not banned" in await failed(EX_DATAERR, "unban", "203.0.113.9", *at)
        assert await done("unban", "203.0.113.0/24", *at) == "203.0.113.0/24 is no longer banned\n"
        assert await done("bans", *at) == ""
        assert "'Black Bill' is neither an address" in await failed(EX_DATAERR, "ban", "Black Bill", *at)
        assert "neither an address" in await failed(EX_DATAERR, "kick", "--address", "Ann", *at)
        await harness.game(FRAMES, LINES)
        assert "for 60 seconds" in await done("drain", "--seconds", "60", *at)
        assert "stopping already" in await failed(EX_TEMPFAIL, "drain", *at)


async def test_commands_without_a_server_say_where_they_looked(tmp_path: Path) -> None:
    """One sentence with the path, for each command that asks a running server."""
    for arguments in (("status",), ("announce", "hm"), ("kick", "Ann"), ("ban", "203.0.113.9"), ("bans",), ("drain",)):
        assert str(tmp_path / "admin.sock") in await failed(EX_UNAVAILABLE, *arguments, "--data", str(tmp_path))
    deep = tmp_path / ("x" * 120)
    assert "too long" in await failed(EX_UNAVAILABLE, "status", "--admin", str(deep))


async def test_drain_ends_the_process_well(tmp_path: Path) -> None:
    """The command returns at once, and the server ends by itself with nothing left behind but the journal."""
    async with asyncio.timeout(BACKSTOP), started("--data", str(tmp_path)) as (process, _):
        await done("drain", "--data", str(tmp_path))
        assert await process.wait() == 0
    assert sorted(os.listdir(tmp_path)) == ["audit.log", "put.sqlite3", "put.sqlite3-mark"]  # noqa: PTH208  # as a name is all that is wanted


# --- of what is kept -------------------------------------------------------------------------------------------------


async def test_games_are_listed_latest_first_while_the_server_runs(tmp_path: Path) -> None:
    """With players and how each ended; of one table, no more than asked for, or as objects."""
    at = ("--data", str(tmp_path))
    async with running_server(data=str(tmp_path)) as harness:
        assert await done("games", *at) == ""
        await play(harness, 3)
        lines = (await done("games", *at)).splitlines()
        assert [line.split()[0] for line in lines] == ["3", "2", "1"]
        assert "table 1, game 3: put-1674; Player 0, Player 1. Player 1 wins the game by forfeit" in lines[0]
        assert (await done("games", "--limit", "2", *at)).splitlines() == lines[:2]
        assert (await done("games", "--table", "1", *at)).splitlines() == lines
        assert await done("games", "--table", "2", *at) == ""
        rows = [json.loads(line) for line in (await done("games", "--json", *at)).splitlines()]
    assert [row["id"] for row in rows] == [3, 2, 1]
    assert [player["name"] for player in rows[0]["players"]] == ["Player 0", "Player 1"]
    assert rows[0]["result"]["how"] == "forfeit"


async def test_show_prints_a_game_as_one_saw_it(tmp_path: Path) -> None:
    """The gallery by default, or a player by name or seat: a sheet that reads back, with the cards that one saw."""
    at = ("--data", str(tmp_path), "--name", "The Swan")
    async with running_server(data=str(tmp_path)) as harness:
        await play(harness)
    gallery = await done("show", "1", *at)
    first = await done("show", "1", "--as", "player 0", *at)
    assert first == await done("show", "1", "--as", "1", *at) == await done("show", "1", "--as", "seat 1", *at)
    assert gallery == await done("show", "1", "--as", "gallery", *at)
    sheets = [read(text) for text in (gallery, first)]
    assert [sheet.viewer for sheet in sheets] == [GALLERY, 0]
    assert {(sheet.server, sheet.game, sheet.table, sheet.number) for sheet in sheets} == {
        ("The Swan", "put-1674", 1, 1)
    }
    dealt = [[e for step in sheet.steps for e in step.events if isinstance(e, Dealt)][-1] for sheet in sheets]
    assert [len(event.cards) for event in dealt] == [0, 3]
    assert "seat 1 (Player 0), seat 2 (Player 1)" in await failed(EX_DATAERR, "show", "1", "--as", "Cat", *at)
    await failed(EX_DATAERR, "show", "1", "--as", "0", *at)
    await failed(EX_DATAERR, "show", "1", "--as", "3", *at)
    assert "no game 7" in await failed(EX_DATAERR, "show", "7", *at)


async def test_check_tells_whether_all_is_well(tmp_path: Path) -> None:
    """It counts what it looked at; a record that was changed is named, and the code says so."""
    at = ("--data", str(tmp_path))
    async with running_server(data=str(tmp_path)) as harness:
        await play(harness)
        assert re.fullmatch(r"\d+ records and 1 finished game were looked at; all is well\n", await done("check", *at))
    file = tmp_path / "put.sqlite3"
    content = file.read_bytes()
    assert content.count(b"Player 0") > 1
    file.write_bytes(content.replace(b"Player 0", b"Player X", 1))
    ended = await asyncio.to_thread(command, "check", *at)
    assert ended.returncode == EX_DATAERR
    assert "damaged" in ended.stdout
    assert ended.stderr.endswith("not all is well\n")


async def test_backup_is_a_journal_to_start_with(tmp_path: Path) -> None:
    """Made while the server runs, its owner's alone, never over another file; a server starts with it."""
    at, copy = ("--data", str(tmp_path / "data")), tmp_path / "copy" / "put.sqlite3"
    copy.parent.mkdir()
    async with running_server(data=at[1]) as harness:
        await play(harness)
        assert str(copy) in await done("backup", str(copy), *at)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    before = copy.read_bytes()
    assert str(copy) in await failed(EX_CANTCREAT, "backup", str(copy), *at)
    assert copy.read_bytes() == before
    assert str(tmp_path / "none") in await failed(EX_CANTCREAT, "backup", str(tmp_path / "none" / "file"), *at)
    async with running_server(data=str(copy.parent)) as harness:
        assert list(harness.server.dispatcher.lobby.tables) == [1]
    assert len((await done("games", "--data", str(copy.parent))).splitlines()) == 1


async def test_commands_on_what_is_not_kept_say_where_they_looked(tmp_path: Path) -> None:
    """No file, and none made by looking; another program's file is left as it is."""
    for arguments in (("games",), ("show", "1"), ("check",), ("backup", str(tmp_path / "copy"))):
        assert str(tmp_path) in await failed(EX_NOINPUT, *arguments, "--data", str(tmp_path))
    assert os.listdir(tmp_path) == []  # noqa: PTH208  # as a name is all that is wanted
    file = tmp_path / "put.sqlite3"
    file.write_bytes(b"recipes\n" * 1_000)
    for arguments in (("games",), ("show", "1"), ("check",), ("backup", str(tmp_path / "copy"))):
        assert str(file) in await failed(EX_DATAERR, *arguments, "--data", str(tmp_path))
    assert file.read_bytes() == b"recipes\n" * 1_000


async def test_output_into_a_closed_pipe_is_no_bug(tmp_path: Path) -> None:
    """As in `put-server games | head`: it ends without a word."""
    async with running_server(data=str(tmp_path)) as harness:
        await play(harness)
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "put_server", "games", "--data", str(tmp_path)]
    ended = await asyncio.to_thread(subprocess.run, command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (141, b"")


# --- the operator's page ---------------------------------------------------------------------------------------------


def test_operating_page_names_all_there_is() -> None:
    """Every setting with its flag and variable, every command, every field of a status, every file, every exit code."""
    page = (FOLDER / "operating.md").read_text("utf-8")
    for field in fields(Settings):
        assert f"| `{field.name}` | `--{field.name.replace('_', '-')}` | `{SETTINGS.variable(field.name)}` |" in page
    for name, command in COMMANDS.items():
        assert f"| `put-server {name}" in page
        assert all(one.name in page for one in command.arguments if one.name.startswith("--"))
    for name in _names(ServerStatus):
        assert f"`{name}`" in page
    codes = [int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)]
    for code in (EX_USAGE, EX_DATAERR, EX_NOINPUT, EX_NOUSER, EX_UNAVAILABLE, EX_CANTCREAT, EX_TEMPFAIL):
        assert code in codes


def _names(kind: Any, before: str = "") -> Iterator[str]:
    """Of every field, with those of structs within it."""
    for field in msgspec.structs.fields(kind):
        inner = [
            part for part in (field.type, *get_args(field.type)) if isinstance(part, type) and issubclass(part, Struct)
        ]
        if inner:
            yield from _names(inner[0], f"{before}{field.name}.")
        else:
            yield f"{before}{field.name}"

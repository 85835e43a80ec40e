"""The audit log: what operators do and read leaves a line, and nothing secret is in it."""

import asyncio
import json
import logging
import os
import re
import stat
from pathlib import Path
from typing import Any, get_args

import pytest

from put_server.admin import audit
from put_server.admin.admin_calls import AskStatus, Call, CallDeclined, CallDone
from put_server.subcommands import COMMANDS
from tests.server.test_admin import A_CARD
from tests.server.test_commands import EX_DATAERR, EX_NOUSER, command, done, failed, play
from tests.transport.sockets import running_server

TELLS_NOTHING = {"status", "migrate", "rehearse"}
"""Commands that leave no line: a count, a move of everything that needs the server's end, and a test of clients."""


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / audit.FILE).read_text().splitlines()]


async def test_what_an_operator_does_leaves_a_line(tmp_path: Path) -> None:
    """When, who, what with which arguments, and whether it was done; also what was refused. The file is the owner's."""
    at = ("--data", str(tmp_path))
    async with running_server(data=str(tmp_path)) as harness:
        await harness.guest("Bill")
        await done("status", *at)
        await done("kick", "Bill", "--because", "Enough", *at)
        await failed(EX_NOUSER, "kick", "Nell", *at)
        await done("ban", "203.0.113.9", *at)
        await done("bans", *at)
        await done("unban", "203.0.113.9", *at)
        await failed(EX_DATAERR, "announce", "", *at)
    noted = lines(tmp_path)
    assert [(line["did"], line["about"], line["done"]) for line in noted] == [
        ("kick", {"name": "Bill", "because": "Enough"}, True),
        ("kick", {"name": "Nell"}, False),
        ("ban", {"address": "203.0.113.9"}, True),
        ("bans", {}, True),
        ("unban", {"address": "203.0.113.9"}, True),
        ("announce", {}, False),
    ]
    assert {line["uid"] for line in noted} == {os.getuid()}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", line["at"]) for line in noted)
    assert stat.S_IMODE((tmp_path / audit.FILE).stat().st_mode) == 0o600


async def test_what_an_operator_reads_leaves_a_line(tmp_path: Path) -> None:
    """Of the folder in which a server ran, while it runs and after; no card is in it. Elsewhere no file is made."""
    at = ("--data", str(tmp_path))
    async with running_server(data=str(tmp_path)) as harness:
        await play(harness)
        await done("games", *at)
        assert A_CARD.search(await done("show", "1", "--as", "Player 0", *at))
    await failed(EX_DATAERR, "show", "2", *at)
    (tmp_path / "elsewhere").mkdir()
    await done("backup", str(tmp_path / "elsewhere/put.sqlite3"), *at)
    await done("games", "--data", str(tmp_path / "elsewhere"))
    noted = lines(tmp_path)
    assert [(line["did"], line["done"]) for line in noted] == [
        ("games", True),
        ("show", True),
        ("show", False),
        ("backup", True),
    ]
    assert noted[1]["about"] == {"id": "1", "viewer": "Player 0"}
    assert not A_CARD.search((tmp_path / audit.FILE).read_text())
    assert not (tmp_path / "elsewhere" / audit.FILE).exists()


def test_every_command_and_call_is_noted(caplog: pytest.LogCaptureFixture) -> None:
    """A command asks the server, which notes its calls, or reads what is kept, and notes that itself."""
    tags = {str(call.__struct_config__.tag) for call in get_args(Call)}
    assert {name for name, one in COMMANDS.items() if not one.reads} - tags <= TELLS_NOTHING
    with caplog.at_level(logging.INFO):
        audit.note_call(None, AskStatus(), CallDone(""), 0)
        assert not caplog.records
        for call in set(get_args(Call)) - {AskStatus}:
            fields = dict.fromkeys(call.__struct_fields__, "x")
            audit.note_call(None, call(**fields), CallDeclined(""), None)
    assert {json.loads(record.getMessage())["did"] for record in caplog.records} == tags - {"status"}


def test_log_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are two files of a size, whatever is done; the latest line is in the first."""
    monkeypatch.setattr(audit, "MOST_BYTES", 1_000)
    audit.begin(tmp_path)
    for number in range(100):
        audit.note_command(tmp_path, "show", {"id": number}, done=True)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert {"audit.log", "audit.log.1"} == set(sizes) - {"audit.lock"}
    assert max(sizes.values()) < 1_300
    assert lines(tmp_path)[-1]["about"] == {"id": "99"}


async def test_log_that_cannot_be_written_stops_no_operator(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What they ask is done, and the server's log says what is wrong."""
    (tmp_path / audit.FILE).mkdir()
    async with running_server(data=str(tmp_path)):
        ended = await asyncio.to_thread(command, "ban", "203.0.113.9", "--data", str(tmp_path))
    assert ended.returncode == 0
    assert "cannot be noted: Is a directory" in caplog.text

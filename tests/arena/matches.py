"""Matches that tests play, and what they save."""

import os
import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from put_arena.competitors import parse
from put_arena.contest import Contest, Rules
from put_arena.match_log import Saving
from put_arena.match_play import play
from put_arena.results import Results
from put_arena.sandbox import OPEN, Sandbox, why_impossible
from put_client.sheet_replay import load
from put_server.settings import Settings
from put_text.notation import Sheet
from tests.fork_server import SERVER
from tests.serving import serving
from tests.transport.sockets import EXEMPT

HERE = Path(__file__).parent
PLAYERS = f"{HERE / 'players.py'}"
CLOSED = Sandbox(closed=True)

needs_sandbox = pytest.mark.skipif(bool(why_impossible()), reason="this system has no sandbox")
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
    sandbox: Sandbox | None = None,
    is_in_process: bool = False,
    **rules: object,
) -> Contest:
    """Not yet begun. Outside the sandbox half as many processes play a match."""
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
        parse(competitors),
        made,
        games=games,
        jobs=jobs,
        saving=saving,
        until_decided=until_decided,
        sandbox=sandbox or OPEN,
        is_in_process=is_in_process,
    )


async def played(*competitors: str, **asked: object) -> Results:
    """A match from its beginning to its end."""
    match = contest(*competitors, **asked)  # type: ignore[arg-type]  # as above
    await play(match)
    assert match.results is not None
    assert match.done >= match.games_planned
    return match.results


def saved(folder: Path) -> dict[str, Sheet]:
    """Every game, by the name of its file."""
    return {file.name: load(file) for file in folder.iterdir()}


@asynccontextmanager
async def serving_here(host: str, seed: int, port: int = 0) -> AsyncIterator[tuple[str, int]]:
    """The server of a match, as `put_arena.processes.serving` starts it, but in this process: to start another takes
    longer than to play most matches."""
    quick: dict[str, Any] = {"announce": "no", "web": "no", "tls": "off", "exempt": EXEMPT}
    quick |= {"drain_seconds": 0, "news_ms": 0, "name_days": 0}
    settings = Settings(host=host, port=0, data=":memory:", seed=seed, **quick)
    async with serving(settings) as server:
        yield host, server.port


def serve_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The matches of a test need no process for their server."""
    monkeypatch.setattr("put_arena.director.serving", serving_here)


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


def descendants(parent: int) -> set[str]:
    """All processes below one, by their ids."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parents[entry.name] = (entry / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
    found: set[str] = set()
    while more := {pid for pid, its in parents.items() if (its == str(parent) or its in found) and pid not in found}:
        found |= more
    return found


def is_alive(pid: str) -> bool:
    """Whether it runs; what has ended and was not waited for does not."""
    try:
        return (Path("/proc") / pid / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

"""Real programs over restarts of a real server: SIGTERM, a while without any server, and the next one on its data."""

import asyncio
import json
import os
import re
import shlex
import shutil
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.client.test_cli import start
from tests.client.test_never_lost import BACKSTOP_S, Speaking
from tests.client.tui.test_tmux import Terminal, is_asked
from tests.crashes.disturbances import ServerProcess

ROOT = Path(__file__).parents[2]


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """It lets games in play end before it stops."""
    process = ServerProcess(tmp_path / "data", 1674, drain_seconds=60)
    await process.start()
    yield process
    await process.kill()


async def says(bot: Process, words: str) -> None:
    """The bot logs a line with these words, sooner or later."""
    assert bot.stderr is not None
    told = []
    while line := (await bot.stderr.readline()).decode():
        if words in line:
            return
        told.append(line)
    raise AssertionError(f"it ended without {words!r}: {told}")


async def put_bot(*arguments: str) -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "put_client.bots.cli", str(ROOT / "docs/examples/random_bot.py"), *arguments),
        *("--log-level", "info", "--json"),
        stdout=PIPE,
        stderr=PIPE,
        limit=2**20,
    )


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("drain_seconds", "dealing"), [(0, "blind"), (60, "plain")])
async def test_bot_plays_on_over_restarts_of_its_server(tmp_path: Path, drain_seconds: int, dealing: str) -> None:
    """Stopped in the middle of a game, or after it, when another is refused: every game is played, and counted once."""
    server = ServerProcess(tmp_path / "data", 1674, drain_seconds=drain_seconds)
    await server.start()
    bot = await put_bot(
        f"127.0.0.1:{server.port}",
        *("--house", "beginner", "--games", "5", "--option", f"dealing={dealing}"),
        *("--option", "pack=28", "--option", "target=2"),
    )
    try:
        for game in (1, 3):
            await says(bot, f"game {game} ")
            await server.stop()
            await says(bot, "waiting for the server, as long as it takes")
            await server.start()
            await says(bot, "the connection is back")
        out, _ = await bot.communicate()
        assert bot.returncode == os.EX_OK
        assert json.loads(out)["games"] == 5
    finally:
        if bot.returncode is None:
            bot.kill()
            await bot.wait()
        await server.kill()


@pytest.mark.timeout(120)
async def test_invited_bot_waits_for_its_server(server: ServerProcess) -> None:
    """It sits nowhere, and is there again when its host is."""
    bot = await put_bot(f"127.0.0.1:{server.port}", "--invited", "--name", "Waiting", "--games", "1")
    try:
        await says(bot, "waits to be invited")
        await server.stop()
        await says(bot, "waiting for the server")
        await server.start()
        await says(bot, "the connection is back")
        host = await put_bot(f"127.0.0.1:{server.port}", "--guest", "Waiting", "--name", "Host")
        out, _ = await host.communicate()
        assert json.loads(out)["games"] == 1
        await bot.communicate()
        assert bot.returncode == os.EX_OK
    finally:
        if bot.returncode is None:
            bot.kill()
            await bot.wait()


@pytest.mark.timeout(120)
async def test_line_mode_waits_for_its_server(server: ServerProcess) -> None:
    """It says what it waits for and how to stop, and asks the same question again when the server is back, without what
    was explained before; who stops waiting keeps the seat."""
    async with asyncio.timeout(BACKSTOP_S):
        moll = Speaking(await start(f"127.0.0.1:{server.port}", "--name", "Moll", "--line"))
        moll.types("open", "invite")
        question = await moll.hears("Your move.")
        await server.kill()
        assert 'type "quit" to stop waiting' in await moll.hears("The connection is lost")
        await server.start()
        await moll.hears("The connection is back.")
        asked = await moll.hears("Your move.")
        parts = [re.split(r" You can: |; (?=\d)", said.rstrip(".\n")) for said in (question, asked)]
        assert len(parts[0]) == len(parts[1])
        assert all(map(str.startswith, *parts)), parts  # an explanation stands behind its choice
        await server.kill()
        await moll.hears("The connection is lost")
        moll.types("quit")
        assert "is kept" in await moll.hears("Your seat at table 1")
        assert (await moll.run.ends())[0] == os.EX_OK
        await server.start()
        again = Speaking(await start(f"127.0.0.1:{server.port}", "--name", "Moll", "--line"))
        assert await again.hears("Your move.") == question
        again.types("quit")
        await again.run.ends()


@pytest.mark.timeout(120)
@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
async def test_full_screen_waits_for_its_server(
    server: ServerProcess, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The same on a real terminal."""
    terminal = Terminal(tmp_path_factory.mktemp("t"))
    program = f"{shlex.quote(sys.executable)} -c 'from put_client.cli import main; main()'"
    play = f"{program} 127.0.0.1:{server.port} --name Will; echo ended $?"
    try:
        await asyncio.to_thread(terminal.types, play)
        await asyncio.to_thread(terminal.shows, "People")
        terminal.types("/open")
        await asyncio.to_thread(terminal.shows, "Open a table")
        terminal.presses("Enter")
        await asyncio.to_thread(terminal.shows, "Will (you)")
        terminal.types("/invite")
        await asyncio.to_thread(terminal.until, is_asked)
        await server.kill()
        await asyncio.to_thread(terminal.shows, "waiting for the server. q quits.")
        await server.start()
        await asyncio.to_thread(terminal.until, is_asked)
        await server.kill()
        await asyncio.to_thread(terminal.shows, "waiting for the server. q quits.")
        terminal.presses("q")
        await asyncio.to_thread(terminal.shows, "Your seat at table 1 is kept", "ended 0")
        await server.start()
        await asyncio.to_thread(terminal.types, f"clear; {play}")
        await asyncio.to_thread(terminal.until, is_asked)
        terminal.presses("q", "y")
        await asyncio.to_thread(terminal.shows, "ended 0")
    finally:
        await asyncio.to_thread(terminal.end)

"""The bots in other languages and without our packages, against the real server."""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from put_client.sdk.client import Client
from tests.crashes import disturbances
from tests.examples.example_bots import STRANGERS, ended, evening, invited, killed, started


class WelcomeCut(disturbances.CuttableProxy):
    """A line that breaks once, in the middle of the first welcome."""

    def __init__(self, to: int) -> None:
        super().__init__(to, random.Random(1674))
        self._has_cut = False
        self.is_in = asyncio.Event()
        """Set when the next is on its way."""

    async def _pass(self, source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        to.write(first := await source.read(100))
        if b'"welcome"' in first:
            if not self._has_cut:
                self._has_cut = True
                raise ConnectionResetError
            self.is_in.set()
        await super()._pass(source, to)


KINDS = [
    pytest.param(kind, marks=pytest.mark.skipif(kind not in STRANGERS, reason="node is not installed"))
    for kind in ("stdlib", "node")
]


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[disturbances.ServerProcess]:
    running = disturbances.ServerProcess(tmp_path, 1674)
    await running.start()
    yield running
    await running.kill()


@pytest.mark.timeout(120)
async def test_strangers_play_every_family_over_lines_that_are_cut(tmp_path: Path) -> None:
    """Invited to all tables at once, they go on after every cut, and no action is refused. Campaigns play every rule
    set."""
    tables = (("put-1800", 2), ("triomphe-forcee", 4), ("primero", 3))
    assert await evening(1674, tmp_path, games=1, pieces=200, tables=tables) > 0


@pytest.mark.parametrize("kind", KINDS)
async def test_stranger_opens_a_table_and_plays_the_house(kind: str, server: disturbances.ServerProcess) -> None:
    """So many games under the options it was given, and then it ends by itself."""
    options = ("--game", "put-tavern", "--seats", 3, "--option", "target=1", "--option", "cut=low")
    bot = await started(kind, "127.0.0.1", server.port, "Tib", *options, "--house", "beginner", "--games", 3)
    try:
        told = await ended(bot)
    finally:
        await killed([bot])
    assert (told["name"], told["games"], told["refused"]) == ("Tib", 3, {})


@pytest.mark.parametrize("kind", KINDS)
async def test_stranger_sits_at_a_table_that_is_there(kind: str, server: disturbances.ServerProcess) -> None:
    """And gives its seat back at the end, with its name."""
    # A bot: opposite a person who watches the house takes its time.
    async with await Client.connect("127.0.0.1", server.port, name="Host", is_bot=True) as host:
        table = await host.open_table("put-1674", options={"target": 1})
        await host.watch(table)
        await host.invite(table, 1)
        bot = await started(kind, "127.0.0.1", server.port, "Tib", "--table", table)
        try:
            assert (await ended(bot))["games"] == 1
        finally:
            await killed([bot])
        again = await Client.connect("127.0.0.1", server.port, name="Tib")
        await again.close()


@pytest.mark.parametrize("kind", KINDS)
async def test_stranger_whose_welcome_was_lost_has_its_name(kind: str, server: disturbances.ServerProcess) -> None:
    """And is found by it."""
    proxy = WelcomeCut(server.port)
    bot = await started(kind, "127.0.0.1", await proxy.start(), "Tib", "--invited")
    try:
        async with asyncio.timeout(20), await Client.connect("127.0.0.1", server.port, name="Host") as host:
            table = await host.open_table("put-1674", seats=3)
            await host.sit(table)
            await proxy.is_in.wait()
            await invited(host, table, 1, "Tib")
            await _tib_sits(host)
        bot.terminate()
        assert (await ended(bot))["name"] == "Tib"
    finally:
        await killed([bot])
        await proxy.stop()


@pytest.mark.parametrize("kind", KINDS)
async def test_stranger_that_is_left_alone_leaves_and_waits_on(kind: str, server: disturbances.ServerProcess) -> None:
    """Who invited it may go; it is there for the next, and is still when its input ends."""
    bot = await started(kind, "127.0.0.1", server.port, "Tib", "--invited")
    try:
        for _ in range(2):
            async with await Client.connect("127.0.0.1", server.port, name="Host") as host:
                table = await host.open_table("put-1674", seats=3)
                await host.sit(table)
                await invited(host, table, 1, "Tib")
                await _tib_sits(host)
        bot.terminate()
        assert (await ended(bot))["games"] == 0
    finally:
        await killed([bot])


@pytest.mark.parametrize("kind", KINDS)
async def test_stranger_speaks_on_pipes_as_on_a_socket(kind: str, server: disturbances.ServerProcess) -> None:
    """The same words; when its input ends it says how it did on the other stream, and ends well."""
    bot = await started(kind, "--stdio", "--house", "beginner", "--games", 2, "--option", "target=1")
    assert bot.stdin is not None
    assert bot.stdout is not None
    assert bot.stderr is not None
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
            tasks.create_task(_pass(bot.stdout, writer))
            tasks.create_task(_pass(reader, bot.stdin))
        said = json.loads(await bot.stderr.read())
        assert await bot.wait() == 0
        assert (said["games"], said["refused"]) == (2, {})
        writer.close()
        await writer.wait_closed()
    finally:
        await killed([bot])


async def _tib_sits(host: Client) -> None:
    """Returns when they have taken the seat that they were asked to."""
    await host.look()
    async for message in host:
        if getattr(message, "info", None) is not None and message.info.seats[1].name == "Tib":  # type: ignore[union-attr]  # it has one
            break


async def _pass(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
    while data := await source.read(4096):
        to.write(data)
        await to.drain()
    to.write_eof()


@pytest.mark.parametrize("kind", KINDS)
async def test_stranger_that_is_not_let_in_says_why(kind: str, server: disturbances.ServerProcess) -> None:
    """A name that is taken is no reason to go on asking."""
    async with await Client.connect("127.0.0.1", server.port, name="Tib"):
        bot = await started(kind, "127.0.0.1", server.port, "Tib", "--invited")
        try:
            async with asyncio.timeout(20):
                _, complaint = await bot.communicate()
        finally:
            await killed([bot])
    assert bot.returncode == 1
    assert "Tib" in complaint.decode() or "name" in complaint.decode()

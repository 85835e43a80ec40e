"""Bots that share no line with us, in play over lines that are cut again and again."""

import asyncio
import json
import random
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from put_client.sdk.client import Client
from put_client.sdk.errors import Refusal
from put_protocol.messages import Events, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_rules.registry import GAMES
from tests.crashes import disturbances
from tests.crashes.campaigns import TABLES, Tables
from tests.crashes.disturbances import PIECES, CuttableProxy

T = TypeVar("T")

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
NODE = shutil.which("node")

STRANGERS: Mapping[str, tuple[str, ...]] = {
    "stdlib": (sys.executable, "-I", "-W", "error", str(EXAMPLES / "bot_stdlib.py")),
    **({"node": (NODE, str(EXAMPLES / "bot.mjs"))} if NODE is not None else {}),
}
"""How each is started; without Node there is but one."""

PATIENCE_S = 20
"""For a bot to end, once it is told to: never waited out by a run that is right."""


class WornProxy(CuttableProxy):
    """A line that breaks by itself, after so many pieces on average, and can be dialled again at once."""

    def __init__(self, to: int, dice: random.Random, pieces: int) -> None:
        super().__init__(to, dice)
        self.cuts = 0
        self._mean = pieces
        self._left = dice.randrange(2 * pieces) + 1

    async def _pass(self, source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        while data := await source.read(self._rng.choice(PIECES)):
            self._left -= 1
            if self._left <= 0:
                self._left = self._rng.randrange(2 * self._mean) + 1
                self.cuts += 1
                self.cut()
                self.restore()
                break
            to.write(data)
            await to.drain()
        raise ConnectionResetError


async def started(kind: str, *arguments: object) -> Process:
    """A bot's process."""
    return await asyncio.create_subprocess_exec(
        *STRANGERS[kind], *map(str, arguments), stdin=PIPE, stdout=PIPE, stderr=PIPE
    )


async def ended(bot: Process) -> dict[str, Any]:
    """What it says of itself once it has ended, which it does well and without complaint."""
    async with asyncio.timeout(PATIENCE_S):
        said, complaints = await bot.communicate()
    assert (bot.returncode or bool(complaints)) == 0, f"{bot.returncode}: {complaints.decode()}"
    told: dict[str, Any] = json.loads(said)
    return told


async def killed(bots: Sequence[Process]) -> None:
    """None is left, however a test ends."""
    for bot in bots:
        with suppress(ProcessLookupError):
            bot.kill()
        await bot.wait()
        bot._transport.close()  # type: ignore[attr-defined]  # its pipes, which nobody else closes before the loop ends


async def evening(seed: int, data: Path, *, games: int, pieces: int, tables: Tables = TABLES) -> int:
    """`play` at a server of its own. Returns the number of cuts."""
    server = disturbances.ServerProcess(data, seed)
    await server.start()
    try:
        cuts = await play(seed, server.port, games=games, pieces=pieces, tables=tables)
        await server.stop()
    finally:
        await server.kill()
    return cuts


async def play(seed: int, port: int, *, games: int, pieces: int, tables: Tables = TABLES) -> int:
    """These tables at once, strangers against each other and the house, until each table has seen so many games.

    Returns the number of cuts.

    :raises AssertionError: an action was refused, or a bot complained, or did not go on after a cut.
    """
    proxy = WornProxy(port, random.Random(seed), pieces)
    worn = await proxy.start()
    bots: list[Process] = []
    try:
        bots += [await started(kind, "127.0.0.1", worn, kind, "--invited") for kind in STRANGERS]
        async with await Client.connect("127.0.0.1", port, name="Host", is_bot=True) as host:
            played = dict.fromkeys([await _table(host, game, seats) for game, seats in tables], 0)
            async for message in host:
                if isinstance(message, TableSnapshot | Events) and message.info is not None:
                    played[message.table] = message.info.games - 1  # all have asked for the next, so they know of it
                if min(played.values()) >= games:
                    break
        for bot in bots:
            bot.send_signal(signal.SIGTERM)
        for bot in bots:
            told = await ended(bot)
            assert told["games"] >= games * len(tables) * (len(bots) == len(STRANGERS)), told
            assert told["refused"] == {}, told
    finally:
        await killed(bots)
        await proxy.stop()
    return proxy.cuts


async def _table(host: Client, game: str, seats: int) -> int:
    """A table with everyone invited, watched by the host."""
    has_length = any(option.name == "hands" for option in GAMES[game].offer.options)
    table = await patiently(lambda: host.open_table(game, seats=seats, options={"hands": 2} if has_length else {}))
    await patiently(lambda: host.watch(table))
    for seat, kind in enumerate(STRANGERS):
        await invited(host, table, seat, kind)
    for seat in range(len(STRANGERS), seats):
        await invited(host, table, seat)
    return table


async def invited(host: Client, table: int, seat: int, name: str = "") -> None:
    """Ask the house, or somebody who may be on their way, or away for the moment."""
    await patiently(lambda: host.invite(table, seat, "beginner", person=name))


async def patiently(ask: Callable[[], Awaitable[T]]) -> T:
    """What comes of it, once it is not too early or too much."""
    while True:
        try:
            return await ask()
        except Refusal as error:
            if error.code not in (RefusalCode.UNKNOWN_PERSON, RefusalCode.TOO_FAST):
                raise
            await asyncio.sleep((error.retry_after_ms or 10) / 1000)

"""Campaigns: games that are disturbed again and again, and must end as if they had not been."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from itertools import product
from pathlib import Path

from put_client.sdk.wire import backoff
from put_rules.record import GameRecord
from put_rules.registry import GAMES
from put_server.journal.archive import Archive
from put_server.journal.journal_check import check as check_journal
from put_server.lobby.lobby import Lobby
from put_server.settings import Settings
from put_server.transport.shuffler import Shuffler
from tests.crashes.disturbances import CuttableProxy, ServerProcess
from tests.crashes.scripted_bots import GameInputs, Programme, Progress, ScriptedBot, check, play, seat_bots, steps
from tests.lobby.lobby_harness import new_lobby

TABLES = tuple((name, {"put-tavern": 3}.get(name, rules.offer.seats[0])) for name, rules in GAMES.items())
"""One of each rule set, and one of them for three."""

WITH_PRIMERO, WITH_TRIOMPHE = (
    tuple((name, seats) for name, seats in TABLES if name in ("put-1674", "put-tavern", third))
    for third in ("primero", "triomphe-forcee")
)
"""For the suite's slice: what disturbs a game knows nothing of its rules. `scripts/soak` has all tables."""

DURING_UPGRADE = 20
"""Moves that are made at most until the successor is ready, so that it finds games in play."""

Tables = Sequence[tuple[str, int]]
"""Rule sets and seats."""


def recorded_games(data: Path) -> dict[int, GameInputs]:
    """The finished games of each table, in order, from a journal in which nothing is wrong."""
    journal = Settings(data=str(data)).journal
    assert journal is not None
    games: dict[int, GameInputs] = {}
    with Archive(journal) as archive:
        lobby: Lobby = new_lobby(people=1_000, tables=1_000, each=60)
        findings = check_journal(archive, lobby, GAMES).findings
        assert not findings, findings
        for number in archive.ids():
            found = archive.game(number)
            assert found is not None
            games.setdefault(found.record.table, []).append(steps(found.record))
    return games


def secrets_left(seed: int, data: Path) -> list[tuple[int, int]]:
    """Blind games, by table and number, whose secret is somewhere in the files. The secrets come from a seed."""
    raw = files(data)
    with Archive(data / "put.sqlite3") as archive:
        records = [found.record for number in archive.ids() if (found := archive.game(number)) is not None]
    return [game for game, secret in secrets_of(seed, records).items() if secret in raw]


def files(data: Path) -> bytes:
    return b"".join([file.read_bytes() for file in sorted(data.glob("put.sqlite3*"))])


def secrets_of(seed: int, records: Iterable[GameRecord]) -> dict[tuple[int, int], bytes]:
    """The secret that each finished game had if it was dealt blind. A table draws them in turn."""
    tables = Counter([record.table for record in records])
    games = [(table, number) for table, count in tables.items() for number in range(1, count + 1)]
    return {game: Shuffler(seed).secret(deal=game) for game in games}


async def killed(programme: Programme, data: Path, *, moves: int) -> int:
    """The server is killed by SIGKILL every so many moves on average. Returns how often it was."""
    rng = random.Random(programme.seed)
    server = ServerProcess(data, programme.seed)
    await server.start()
    kills = 0
    deals = product(range(1, len(programme.tables) + 1), range(1, programme.games + 1))
    secrets = [Shuffler(programme.seed).secret(deal=deal) for deal in deals]
    is_found = False
    try:
        async with AsyncExitStack() as stack:
            progress = Progress()
            bots = await seat_bots(programme, server.port, progress, stack)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(play(bots, progress))
                while await progress.after(rng.randrange(2 * moves) + 1):
                    await server.kill()
                    is_found |= any(secret in files(data) for secret in secrets)
                    kills += 1
                    await server.start()
        await server.stop()
    finally:
        await server.kill()
    check(programme, bots, recorded_games(data))
    assert is_found is (programme.holds_keys and kills > 0), (
        "while a blind game is in play its secret is kept, so that it can go on"
    )
    assert not secrets_left(programme.seed, data)
    return kills


async def upgraded(programme: Programme, data: Path, *, moves: int) -> tuple[int, list[float]]:
    """Another server process takes over every so many moves on average. Returns how often it did, and of every bot that
    still played, every time, the seconds for which it had no server."""
    rng = random.Random(programme.seed)
    server = ServerProcess(data, programme.seed)
    await server.start()
    upgrades = 0
    try:
        async with AsyncExitStack() as stack:
            progress = Progress()
            bots = await seat_bots(programme, server.port, progress, stack, waits=backoff)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(play(bots, progress))
                while await progress.after(rng.randrange(2 * moves) + 1):
                    with progress.held(DURING_UPGRADE):
                        await server.upgrade()
                    upgrades += 1
        await server.stop()
    finally:
        await server.kill()
    check(programme, bots, recorded_games(data))
    assert not secrets_left(programme.seed, data)
    pauses = [back - lost for bot in bots for lost, back in bot.absences]
    return upgrades, pauses


async def cut(programme: Programme, data: Path, *, moves: int) -> int:
    """All connections are cut every so many moves on average. Returns how often they were."""
    rng = random.Random(programme.seed)
    server = ServerProcess(data, programme.seed)
    await server.start()
    proxy = CuttableProxy(server.port, rng)
    port = await proxy.start()
    cuts = 0
    bots: list[ScriptedBot] = []
    try:
        async with AsyncExitStack() as stack:
            progress = Progress()
            bots = await seat_bots(programme, port, progress, stack)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(play(bots, progress))
                while await progress.after(rng.randrange(2 * moves) + 1):
                    proxy.cut()
                    cuts += 1
                    for _ in range(rng.randrange(50)):  # for so many turns of the loop nobody can connect
                        await asyncio.sleep(0)
                    proxy.restore()
        await server.stop()
    finally:
        await proxy.stop()
        await server.kill()
    check(programme, bots, recorded_games(data))
    assert not secrets_left(programme.seed, data)
    return cuts

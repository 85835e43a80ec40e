"""Subcommands of `put-server` for a cluster: each connects to the broker, asks, and ends."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from nats.aio.client import Client

from put_runtime import exit_codes
from put_runtime.command_line import CommandFailed
from put_server.admin.admin_calls import Answer, Call
from put_server.cluster import cluster_config
from put_server.cluster.broker import NoBroker, connected
from put_server.cluster.cluster_calls import ClusterCallFailed, ClusterCalls
from put_server.cluster.cluster_config import BadCluster, ClusterConfig
from put_server.cluster.finished_games import FinishedGames
from put_server.cluster.migration import CannotMigrate, to_cluster, to_journal
from put_server.cluster.migration import backup as copy_of
from put_server.cluster.shard_repair import ShardRepair
from put_server.cluster.shard_stream import OutOfReach, Overtaken
from put_server.cluster.status import ClusterStatus, asked
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_reader import FinishedGame, GameRow
from put_server.settings import Settings

T = TypeVar("T")


def _run(settings: Settings, work: Callable[[Client], Awaitable[T]]) -> T:
    """Connect to the broker, and return the result of the work.

    :raises CommandFailed: it cannot be done.
    """

    async def connect() -> T:
        async with connected(settings, "put-server command") as client:
            return await work(client)

    # Its client ends TLS in a way that asyncio warns of.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    try:
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            return runner.run(connect())
    except ClusterCallFailed as error:
        raise CommandFailed(error.code, str(error)) from None
    except (NoBroker, OutOfReach) as error:
        raise CommandFailed(exit_codes.UNAVAILABLE, str(error)) from None
    except Overtaken as error:
        raise CommandFailed(exit_codes.TEMPFAIL, f"{error}: stop all workers first") from None
    except (BadCluster, CannotMigrate) as error:
        raise CommandFailed(exit_codes.DATAERR, str(error)) from None


async def _config(client: Client, settings: Settings) -> ClusterConfig:
    there = await cluster_config.found(client, settings.cluster)
    if there is None:
        raise BadCluster(f"there is no cluster {settings.cluster}")
    return there


def games(settings: Settings, limit: int, table: int | None) -> tuple[list[GameRow], list[str]]:
    """The last finished games, and a sentence for each that could not be read.

    :raises CommandFailed: there is no such cluster, or NATS does not answer.
    """

    async def ask(client: Client) -> tuple[list[GameRow], list[str]]:
        return await FinishedGames(client, settings.cluster, await _config(client, settings)).latest(limit, table=table)

    return _run(settings, ask)


def game(settings: Settings, number: int) -> FinishedGame | None:
    """A finished game; None: there is none of this number.

    :raises CommandFailed: there is no such cluster, or NATS does not answer.
    :raises JournalError: it cannot be read.
    """

    async def ask(client: Client) -> FinishedGame | None:
        return await FinishedGames(client, settings.cluster, await _config(client, settings)).game(number)

    return _run(settings, ask)


def status(settings: Settings) -> ClusterStatus:
    """Status of all processes of the cluster.

    :raises CommandFailed: there is none, or NATS does not answer.
    """

    async def ask(client: Client) -> ClusterStatus:
        return await asked(client, settings.cluster, await _config(client, settings))

    return _run(settings, ask)


def ask(settings: Settings, call: Call) -> Answer:
    """Send an operator's call to the processes of the cluster.

    :raises CommandFailed: no process answers, or not all did their part.
    """

    async def do(client: Client) -> Answer:
        return await ClusterCalls(client, settings.cluster, await _config(client, settings)).answer(call)

    return _run(settings, do)


def backup(settings: Settings, path: Path) -> str:
    """Copy all stored data to a new journal. Returns a sentence that says what was done.

    :raises CommandFailed: there is no such cluster, or it cannot be copied.
    """
    if path.exists():
        raise CommandFailed(exit_codes.CANTCREAT, f"there is a file {path} already")
    return _run(settings, lambda client: copy_of(client, settings, path))


def shard(settings: Settings, action: str, number: int, file: Path | None) -> str:
    """Show, repair or restore a shard. Returns a sentence that says what was found or done.

    :raises CommandFailed: there is no such shard, or it cannot be done.
    """

    async def do(client: Client) -> str:
        repair = ShardRepair(client, settings, await _config(client, settings), number)
        match action:
            case "show":
                return await repair.show()
            case "repair":
                return await repair.repair()
            case _:
                assert file is not None
                return await repair.restore(file)

    try:
        return _run(settings, do)
    except JournalError as error:
        raise CommandFailed(exit_codes.DATAERR, str(error)) from None


def migrate(settings: Settings, journal: Path, *, to: str, replaces: bool) -> str:
    """Move all stored data to a cluster or a journal. Returns a sentence that says what was done.

    :raises CommandFailed: nothing was moved.
    """
    if to == "journal":
        return _run(settings, lambda client: to_journal(client, settings, journal))
    if not journal.exists():
        raise CommandFailed(exit_codes.NOINPUT, f"there is no {journal}; name the server's directory with --data")
    return _run(settings, lambda client: to_cluster(client, settings, journal, replaces=replaces))

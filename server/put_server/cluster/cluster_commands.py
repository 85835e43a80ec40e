"""Subcommands of `put-server` for a cluster: each connects to the broker, asks, and ends."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final

from nats.aio.client import Client

from put_runtime import exit_codes
from put_runtime.command_line import CommandFailed
from put_server.admin.admin_calls import Answer, Call
from put_server.cluster import cluster_config
from put_server.cluster.broker import OutOfReach, connected
from put_server.cluster.cluster_calls import ClusterCallFailed, ClusterCalls
from put_server.cluster.cluster_config import BadCluster, ClusterConfig
from put_server.cluster.finished_games import FinishedGames
from put_server.cluster.migration import CannotMigrate, backup, to_cluster, to_journal
from put_server.cluster.shard_repair import ShardRepair
from put_server.cluster.shard_stream import Overtaken
from put_server.cluster.status import ClusterStatus, asked
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_reader import FinishedGame, GameRow
from put_server.settings import Settings


async def _games(
    client: Client, settings: Settings, config: ClusterConfig, limit: int, table: int | None
) -> tuple[list[GameRow], list[str]]:
    """The last finished games, and a sentence for each that could not be read."""
    return await FinishedGames(client, settings.cluster, config).latest(limit, table=table)


async def _game(client: Client, settings: Settings, config: ClusterConfig, number: int) -> FinishedGame | None:
    """A finished game; None: there is none of this number."""
    return await FinishedGames(client, settings.cluster, config).game(number)


async def _status(client: Client, settings: Settings, config: ClusterConfig) -> ClusterStatus:
    """Status of all processes of the cluster."""
    return await asked(client, settings.cluster, config)


async def _ask(client: Client, settings: Settings, config: ClusterConfig, call: Call) -> Answer:
    """Answer to an operator's call by the processes of the cluster."""
    return await ClusterCalls(client, settings.cluster, config).answer(call)


def _backup(client: Client, settings: Settings, config: ClusterConfig, path: Path) -> Awaitable[str]:
    """Copy all stored data to a new journal. Returns a sentence that says what was done."""
    if path.exists():
        raise CommandFailed(exit_codes.CANTCREAT, f"there is a file {path} already")
    return backup(client, settings, config, path)


async def _shard(
    client: Client, settings: Settings, config: ClusterConfig, action: str, number: int, file: Path | None
) -> str:
    """Show, repair or restore a shard. Returns a sentence that says what was found or done."""
    repair = ShardRepair(client, settings, config, number)
    try:
        match action:
            case "show":
                return await repair.show()
            case "repair":
                return await repair.repair()
            case _:
                assert file is not None
                return await repair.restore(file)
    except JournalError as error:
        raise CommandFailed(exit_codes.DATAERR, str(error)) from None


_COMMANDS: Final[Mapping[str, Callable[..., Awaitable[Any]]]] = {
    "games": _games,
    "game": _game,
    "status": _status,
    "ask": _ask,
    "backup": _backup,
    "shard": _shard,
}
"""Commands for a cluster that there is."""


def run(command: str, settings: Settings, *arguments: Any, **options: Any) -> Any:
    """Connect to the broker, and return the result of a command.

    :raises CommandFailed: there is no such cluster, NATS does not answer, or it cannot be done.
    :raises JournalError: a game cannot be read.
    """

    async def work() -> Any:
        async with connected(settings, "put-server command") as client:
            if command == "migrate":
                return await _migrate(client, settings, *arguments, **options)
            if (config := await cluster_config.found(client, settings.cluster)) is None:
                raise BadCluster(f"there is no cluster {settings.cluster}")
            return await _COMMANDS[command](client, settings, config, *arguments)

    # Its client ends TLS in a way that asyncio warns of.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    try:
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            return runner.run(work())
    except ClusterCallFailed as error:
        raise CommandFailed(error.code, str(error)) from None
    except OutOfReach as error:
        raise CommandFailed(exit_codes.UNAVAILABLE, str(error)) from None
    except Overtaken as error:
        raise CommandFailed(exit_codes.TEMPFAIL, f"{error}: stop all workers first") from None
    except (BadCluster, CannotMigrate) as error:
        raise CommandFailed(exit_codes.DATAERR, str(error)) from None


def _migrate(client: Client, settings: Settings, journal: Path, *, to: str, replaces: bool) -> Awaitable[str]:
    """Move all stored data to a cluster or a journal. Returns a sentence that says what was done."""
    if to == "journal":
        return to_journal(client, settings, journal)
    if not journal.exists():
        raise CommandFailed(exit_codes.NOINPUT, f"there is no {journal}; name the server's directory with --data")
    return to_cluster(client, settings, journal, replaces=replaces)

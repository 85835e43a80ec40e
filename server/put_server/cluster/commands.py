"""Subcommands of `put-server` as they are for a cluster: each connects to the broker, asks, and ends."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from nats.aio.client import Client

from put_runtime import exit_codes
from put_server.cluster.broker import NoBroker, connected
from put_server.cluster.charter import BadCluster
from put_server.cluster.migrate import CannotMigrate, to_cluster, to_journal
from put_server.cluster.shard_stream import OutOfReach, Overtaken
from put_server.settings import Settings

T = TypeVar("T")


class Failed(Exception):
    """The sentence says why, `code` is of sysexits."""

    def __init__(self, code: int, says: str) -> None:
        super().__init__(says)
        self.code = code


def _run(settings: Settings, work: Callable[[Client], Awaitable[T]]) -> T:
    """What comes of the work with a connection.

    :raises Failed: it cannot be done.
    """

    async def connect() -> T:
        async with connected(settings, "put-server command") as client:
            return await work(client)

    try:
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            return runner.run(connect())
    except (NoBroker, OutOfReach) as error:
        raise Failed(exit_codes.UNAVAILABLE, str(error)) from None
    except Overtaken as error:
        raise Failed(exit_codes.TEMPFAIL, f"{error}: stop all workers first") from None
    except (BadCluster, CannotMigrate) as error:
        raise Failed(exit_codes.DATAERR, str(error)) from None


def migrate(settings: Settings, journal: Path, *, to: str, replaces: bool) -> str:
    """Move everything kept to a cluster or a journal. Returns what was done.

    :raises Failed: nothing was moved.
    """
    if to == "journal":
        return _run(settings, lambda client: to_journal(client, settings, journal))
    if not journal.exists():
        raise Failed(exit_codes.NOINPUT, f"there is no {journal}; name the server's directory with --data")
    return _run(settings, lambda client: to_cluster(client, settings, journal, replaces=replaces))

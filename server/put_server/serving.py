"""Runs the server, or a part of a cluster, from start to end. The command line imports it only to serve."""

import asyncio
import ctypes
import gc
import sys
from collections.abc import Mapping
from contextlib import suppress

from put_runtime import exit_codes
from put_runtime.command_line import CommandFailed
from put_server import app
from put_server.app import DiskFailed
from put_server.front import CannotListen
from put_server.handover import BadSockets
from put_server.journal.journal_errors import JournalError
from put_server.logs import start_logging
from put_server.settings import Settings
from put_server.transport.encryption import BadCertificate

OBJECTS = 50_000
"""New objects between two garbage collections. Python's default of 700 would take a tenth of the time to restore
tables."""

LARGE = 128 * 1024
"""A freed block of at least this size is returned to the system."""

_M_MMAP_THRESHOLD = -3

CODES: Mapping[type[Exception], int] = {
    CannotListen: exit_codes.UNAVAILABLE,
    BadSockets: exit_codes.UNAVAILABLE,
    BadCertificate: exit_codes.CONFIG,
    JournalError: exit_codes.DATAERR,
    DiskFailed: exit_codes.IOERR,
}


def serve(settings: Settings, *, accepts_loss: bool) -> None:
    """:raises Exception: as in `CODES`."""
    start_logging(settings.log_level, settings.log_format)
    gc.set_threshold(OBJECTS)
    return_large_blocks()
    # The same kind of loop on every system: the default one of Windows cannot tell that a socket has something to read.
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        if settings.nats:
            runner.run(_cluster_serve(settings))
        else:
            runner.run(app.serve(settings, _announce, accepts_loss=accepts_loss))


def return_large_blocks() -> None:
    """Fix glibc's threshold at `LARGE`. Otherwise glibc raises it with each freed block, and keeps that much memory: 6
    MB in each thread after a checkpoint of a thousand tables."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE)


def _announce(line: str) -> None:
    print(line, flush=True)


async def _cluster_serve(settings: Settings) -> None:
    try:
        from put_server.cluster import roles  # noqa: PLC0415  # the client of NATS is an extra
        from put_server.cluster.broker import BadCluster, OutOfReach  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "nats":
            raise
        says = "--nats needs the client of NATS: install it with pip install 'put-cards[cluster]'"
        raise CommandFailed(exit_codes.UNAVAILABLE, says) from None
    try:
        await roles.serve(settings, _announce)
    except OutOfReach as error:
        raise CommandFailed(exit_codes.UNAVAILABLE, str(error)) from None
    except BadCluster as error:
        raise CommandFailed(exit_codes.CONFIG, str(error)) from None

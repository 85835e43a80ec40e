"""Durability of the broker: checks that NATS acknowledges only data on its disks.

By default a NATS server acknowledges a message before it is on disk, and flushes every two minutes. With
`sync_interval: always` (reliable since 2.10.23) it flushes first. Without that setting, acknowledged play is lost if
the power of one machine fails while another server of the same stream lags behind. NATS clients cannot see the setting,
but the monitoring port of each server shows it. So a worker asks every server there before it plays. A server that is
down cannot lose anything: if a majority answers, the worker plays, and asks the others when they are back.
"""

import asyncio
import logging
from urllib.error import URLError
from urllib.request import urlopen

import msgspec
from msgspec import Struct

from put_server.cluster.broker import BadCluster
from put_server.settings import Settings, listed

log = logging.getLogger(__name__)

LEAST_VERSION = (2, 10, 23)
"""Earlier versions have no `sync_interval`, or one that omits some files."""

MONITOR_S = 3.0
MONITOR_BYTES = 1024 * 1024
"""Bytes read of an answer: a server's has some kilobytes, and that of another program may have no end."""

RECHECK_S = 60.0
"""Time until a server is asked again if it was silent, or may lose data."""

_HOW = "see docs/cluster.md, or start with may_lose_seconds"


class _JetStream(Struct, frozen=True):
    sync_always: bool = False
    sync_interval: int = 120_000_000_000
    """Nanoseconds."""


class _Server(Struct, frozen=True):
    """Relevant part of a monitoring port's answer at `/varz`."""

    class JetStream(Struct, frozen=True):
        config: _JetStream | None = None

    version: str
    jetstream: JetStream


_decode = msgspec.json.Decoder(_Server).decode


async def check(settings: Settings, replicas: int) -> list[str]:
    """Check that NATS keeps what it acknowledges, as the settings require. Returns the addresses of silent servers,
    which are fewer than half.

    :raises BadCluster: data may be lost, or that is unknown.
    """
    allowed = settings.may_lose_seconds
    if allowed:
        log.warning("acknowledged play of the last %d s may be lost if power fails, by may_lose_seconds", allowed)
    urls = listed(settings.nats_monitor)
    if not urls and allowed:
        return []
    if len(urls) < replicas:
        raise BadCluster(
            f"it is not known whether NATS keeps what it acknowledges: name the monitoring ports of all "
            f"{replicas} servers in nats_monitor; {_HOW}"
        )
    absent = await _absent(urls, allowed)
    if len(absent) * 2 >= len(urls):
        raise BadCluster(f"the NATS server at {absent[0]} cannot be asked whether it keeps everything")
    return absent


async def ask_absent(absent: list[str], allowed: int) -> None:
    """Ask the silent servers until all have answered. If one may lose data, log an error."""
    for url in absent:
        log.warning("the NATS server at %s does not answer: whether it keeps everything is asked when it does", url)
    while absent:
        await asyncio.sleep(RECHECK_S)
        try:
            absent = await _absent(absent, allowed)
        except BadCluster as error:
            log.error("%s", error)  # a wrong setting, and no fault of the program


async def _absent(urls: list[str], allowed: int) -> list[str]:
    """Ask servers; returns the addresses of the silent ones.

    :raises BadCluster: a server may lose more than is allowed.
    """
    servers = await asyncio.gather(*[asyncio.to_thread(_asked, url) for url in urls])
    for url, server in zip(urls, servers, strict=True):
        if server is not None and (flaw := _flaw(server, allowed)):
            raise BadCluster(f"the NATS server at {url} {flaw}; {_HOW}")
    return [url for url, server in zip(urls, servers, strict=True) if server is None]


def _asked(url: str) -> _Server | None:
    """The answer of a server; None: it is silent."""
    try:
        with urlopen(f"{url.rstrip('/')}/varz", timeout=MONITOR_S) as page:  # the settings allow only http
            return _decode(page.read(MONITOR_BYTES))
    except (OSError, URLError, ValueError, msgspec.MsgspecError):
        return None


def _flaw(server: _Server, allowed: int) -> str:
    """The flaw of a server, as the end of a sentence; empty: none."""
    config = server.jetstream.config
    if config is None:
        return "has no JetStream"
    if _version(server.version) < LEAST_VERSION and not allowed:
        return (
            f"is {server.version}, which cannot keep all that it acknowledges: take {'.'.join(map(str, LEAST_VERSION))}"
        )
    if not config.sync_always and config.sync_interval > allowed * 1_000_000_000:
        return f"flushes every {config.sync_interval // 1_000_000_000} s: set sync_interval to always"
    return ""


def _version(text: str) -> tuple[int, ...]:
    return tuple([int(part) for part in text.split("-", maxsplit=1)[0].split(".") if part.isdigit()])

"""A worker plays only on a NATS that keeps what it acknowledges, or says how much may be lost."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from put_runtime.settings import SettingsError
from put_server.cluster import durability
from put_server.cluster.broker import BadCluster
from put_server.cluster.durability import ask_absent, check
from put_server.settings import Settings, settle
from tests.cluster.members import until

ALWAYS = {"config": {"sync_interval": 120_000_000_000, "sync_always": True}}
EVERY_MINUTE = {"config": {"sync_interval": 60_000_000_000}}


@asynccontextmanager
async def monitor(version: str, jetstream: dict[str, Any], port: int = 0) -> AsyncIterator[str]:
    """A monitoring port, as NATS has one."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        body = json.dumps({"server_id": "N", "version": version, "jetstream": jetstream}).encode()
        writer.write(b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(answer, "127.0.0.1", port) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def verdict(version: str, jetstream: dict[str, Any], **settings: Any) -> str:
    """Why a worker refuses such a server; empty: it does not."""
    async with monitor(version, jetstream) as url:
        try:
            await check(Settings(nats_monitor=url, **settings), replicas=1)
        except BadCluster as error:
            return str(error)
    return ""


@pytest.mark.parametrize(
    ("version", "jetstream", "allowed", "says"),
    [
        ("2.12.1", ALWAYS, 0, ""),
        ("2.10.23-RC.1", ALWAYS, 0, ""),
        ("2.10.22", ALWAYS, 0, "is 2.10.22"),
        ("2.9.10", {"config": {}}, 0, "is 2.9.10"),
        ("2.12.1", EVERY_MINUTE, 0, "flushes every 60 s"),
        ("2.12.1", EVERY_MINUTE, 60, ""),
        ("2.12.1", EVERY_MINUTE, 59, "flushes every 60 s"),
        ("2.9.10", {"config": {}}, 119, "flushes every 120 s"),
        ("2.12.1", {}, 120, "has no JetStream"),
    ],
)
async def test_server_is_refused_if_it_may_lose_more_than_is_allowed(
    version: str, jetstream: dict[str, Any], allowed: int, says: str
) -> None:
    found = await verdict(version, jetstream, may_lose_seconds=allowed)
    assert says in found
    assert bool(found) == bool(says)


async def test_worker_that_cannot_know_refuses_unless_it_is_told_how_much_may_be_lost() -> None:
    with pytest.raises(BadCluster, match="nats_monitor"):
        await check(Settings(), replicas=3)
    async with monitor("2.12.1", ALWAYS) as url:
        with pytest.raises(BadCluster, match="all 3 servers"):
            await check(Settings(nats_monitor=url), replicas=3)
    with pytest.raises(BadCluster, match="cannot be asked"):
        await check(Settings(nats_monitor=url), replicas=1)
    await check(Settings(may_lose_seconds=120), replicas=3)


async def test_server_that_is_down_keeps_no_worker_from_playing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """While a majority keeps everything. When it is back, the log says if it may lose something."""
    monkeypatch.setattr(durability, "RECHECK_S", 0)
    async with monitor("2.12.1", ALWAYS) as one, monitor("2.12.1", ALWAYS) as two:
        async with monitor("2.12.1", EVERY_MINUTE) as down:
            pass
        settings = Settings(nats_monitor=f"{one} {down} {two}")
        assert await check(settings, replicas=3) == [down]
        with pytest.raises(BadCluster, match="cannot be asked"):
            await check(Settings(nats_monitor=f"{one} {down} {down}"), replicas=3)
        asking = asyncio.create_task(ask_absent([down], 0))
        port = int(down.rpartition(":")[2])
        async with monitor("2.12.1", EVERY_MINUTE, port):
            await until(lambda: "flushes every 60 s" in caplog.text)
        async with monitor("2.12.1", ALWAYS, port):
            await asking


def test_monitors_are_addresses_of_http() -> None:
    with pytest.raises(SettingsError, match="nats_monitor"):
        settle({"nats_monitor": "one:8222"}, {}, None)


async def test_answer_without_an_end_is_none() -> None:
    """Of a program that is no NATS server: the worker ends with a sentence."""

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.0 200 OK\r\n\r\n")
        with suppress(ConnectionError):
            while True:
                writer.write(b" " * 65_536)
                await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server, asyncio.timeout(20):
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with pytest.raises(BadCluster, match="cannot be asked whether it keeps everything"):
            await check(Settings(nats_monitor=url), replicas=1)

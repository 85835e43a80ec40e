"""Gateways of a real cluster: people play across shards and gateways as at one server."""

import asyncio
import subprocess
import sys
from pathlib import Path

from put_protocol.codecs import LINES
from put_protocol.messages import Again, Events, Ok
from tests.client_conformance.in_process import format_failures, run_cases, stdlib
from tests.cluster.members import SHARDS, cluster, named, opened, play, seat
from tests.cluster.nats_server import needs_nats
from tests.cluster.rehearsal import at_cluster
from tests.transport.sockets import SocketPeer

pytestmark = needs_nats


async def play_out(*guests: SocketPeer) -> None:
    async with asyncio.TaskGroup() as tasks:
        for guest in guests:
            tasks.create_task(play(guest))


async def page(port: int, path: str) -> bytes:
    """What HTTP answers at a gateway."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: here.local\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    return answer


async def test_two_people_at_two_gateways_play_and_one_goes_on_when_their_gateway_stops(tmp_path: Path) -> None:
    """Their table is in the home of one of them. The browser's page is at both gateways."""
    async with cluster(tmp_path) as town:
        host = await town.guest(named(0, "Ann"))
        guest = await town.guest(named(1, "Bob"), gateway=1, codec=LINES)
        table = await opened(host)
        assert table % SHARDS == 0
        await seat(guest, table)
        await seat(host, table)
        await play_out(host, guest)
        first, second = (gateway.server for gateway in town.gateways)
        assert first is not None
        assert second is not None
        assert (await page(first.front.port, "/healthz")).endswith(b"ok\n")
        assert b"<!doctype html>" in await page(second.front.port, "/")

        town.gateways[1].stop()
        goodbye = await guest.over()
        assert goodbye is not None
        assert (goodbye.code, goodbye.back_s) == ("draining", 0)
        assert not second.is_healthy
        again = await town.call(0)
        again.client.follow_from(guest.client.seen)
        welcome = await again.hello(token=guest.token, seen=guest.client.seen)
        assert welcome.tables == (table,)
        for player in (again, host):
            assert isinstance(await player.ask(lambda number: Again(number, table)), Ok)
        await again.until(Events, lambda message: message.info is not None and message.info.games == 2)


async def test_client_is_rehearsed_at_a_gateway_as_at_the_lobby_of_the_suite(tmp_path: Path) -> None:
    """Its answer is lost with its connection; `scripts/soak cluster-rehearsals` plays every case."""
    with at_cluster(tmp_path):
        report = await run_cases(stdlib(), "drop-before-ok")
    assert report.is_passed, format_failures(report)


def put_server(*words: str, before: str = "") -> tuple[int, str]:
    """What a process says that does not serve, and its exit code."""
    run = f"{before}from put_server.cli import main; main({list(words)!r})"
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stderr


def test_without_the_client_of_nats_a_sentence_says_what_to_install() -> None:
    code, says = put_server("--nats", "nats://127.0.0.1:4222", before="import sys; sys.modules['nats'] = None; ")
    assert says == "put-server: --nats needs the client of NATS: install it with pip install 'put-cards[cluster]'\n"
    assert code == 69

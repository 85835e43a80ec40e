"""Every process of a cluster answers for itself, and the answers make one picture."""

import asyncio
import re
from contextlib import suppress
from pathlib import Path

from msgspec import structs
from prometheus_client.parser import text_string_to_metric_families

from put_server.cluster import cluster_config
from put_server.cluster.broker import connected
from put_server.cluster.probes import MOST, Probes
from put_server.cluster.status import asked, lines
from put_server.settings import Settings
from put_server.transport.http_page import HttpPage
from tests.cluster.members import SHARDS, cluster, named, opened, seat, settings
from tests.cluster.nats_server import needs_nats

pytestmark = needs_nats

DOCS = Path(__file__).parents[2] / "docs"

METRICS = {
    re.sub("_(total|bucket|count|sum)$", "", name)
    for file in ("grafana.json", "alerts.yml")
    for name in re.findall(r"\bput_[a-z_]+", (DOCS / file).read_text(encoding="utf-8"))
}
"""Of the board and the alerts."""


async def test_status_and_metrics_are_of_the_whole_cluster(tmp_path: Path) -> None:
    """Tables, people and connections count once, wherever they are; what does not answer is named."""
    async with cluster(tmp_path) as town:
        ann = await town.guest(named(0, "Ann"), 0)
        bill = await town.guest(named(1, "Bill"), 1)
        table = await opened(ann)
        for guest in (ann, bill):
            await seat(guest, table)
        async with connected(settings(town.broker.url, "both"), "test") as client:
            made = await cluster_config.found(client, "test")
            assert made is not None
            found = await asked(client, "test", made)
        assert found.ok
        assert not found.missing
        assert sorted(member.gateway.connections for member in found.members if member.gateway) == [1, 1]
        shown = "\n".join(lines(found))
        assert f"cluster test: {SHARDS} of {SHARDS} shards are open, 1 replica of each" in shown
        assert "tables       1: 1 playing" in shown
        assert "people       2 here, 0 away" in shown
        assert "games        0 finished are kept, 0 bytes; as far as 1,024 MB hold them" in shown
        assert "connections  2 at 2 gateways" in shown
        assert shown.count("all shards linked") == 2

        pages = [member._metrics() for member in (town.worker, *town.gateways)]
        assert _sum(pages, "put_tables") == 1
        assert _sum(pages, "put_people") == 2
        assert _sum(pages, "put_connections") == 2
        assert _sum(pages, "put_gateway_linked") == 2 * SHARDS
        assert _sum(pages, "put_shard_open") == SHARDS
        assert _sum(pages, "put_commit_seconds_count") > 0
        assert _sum(pages, "put_may_lose_seconds") == 120
        assert "kept         all that is acknowledged, but for 120 seconds if power fails" in shown
        told = {family.name for page in pages for family in text_string_to_metric_families(page.body.decode())}
        assert not {name for name in METRICS if name not in told}

        probes = Probes(settings(town.broker.url, "worker"), is_healthy=lambda: True, metrics=town.worker._metrics)
        await probes.listen()
        assert (await _get(probes.port, "/healthz")).endswith("ok\n")
        assert "put_shard_open" in await _get(probes.port, "/metrics")
        assert (await _get(probes.port, "/")).startswith("HTTP/1.1 404")
        probes.close()

        others = tuple(
            [
                structs.replace(member, gateway=structs.replace(member.gateway, foreign={1: 2}))
                for member in found.members
                if member.gateway
            ]
        )
        shown = "\n".join(lines(structs.replace(found, members=others, missing=(0, 1), ok=False)))
        assert "shard 0      no worker that answers has it" in shown
        said = "speaks version 1 of the link and the workers of shards 1 version 2: they do not go together"
        assert shown.count(said) == 2
        assert "are kept" not in shown, "no worker answers"
        assert "acknowledged" not in shown


async def test_silent_connections_keep_no_monitor_out() -> None:
    """Not even twice as many as are held at once. Each of these is ended in favour of a later one."""
    probes = Probes(Settings(host="127.0.0.1"), is_healthy=lambda: True, metrics=lambda: HttpPage(200, b""))
    await probes.listen()
    silent = [await asyncio.open_connection("127.0.0.1", probes.port) for _ in range(2 * MOST)]
    assert (await _get(probes.port, "/healthz")).endswith("ok\n")
    for reader, writer in silent[:MOST]:
        with suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()
    probes.close()
    for _, writer in silent[MOST:]:
        writer.close()


def _sum(pages: list[HttpPage], name: str) -> float:
    families = [family for page in pages for family in text_string_to_metric_families(page.body.decode())]
    return sum(sample.value for family in families for sample in family.samples if sample.name == name)


async def _get(port: int, path: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: here.local\r\nConnection: close\r\n\r\n".encode())
    page = await reader.read()
    writer.close()
    await writer.wait_closed()
    return page.decode()

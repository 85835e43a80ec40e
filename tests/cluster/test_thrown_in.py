"""A hand that was thrown in, searched for in all that a real cluster has and says: logs of gateway, worker and NATS,
every byte between them and to the players, the streams on disk, and the memory of all three.
"""

import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.client.checking_players import BACKSTOP_S
from tests.cluster import rig
from tests.cluster.nats_server import needs_nats
from tests.cluster.rig import Size, running_rig
from tests.server.test_thrown_in import Hands, Tap, hands_thrown_in, needs_memory, search


def files(folder: Path, *, are_logs: bool) -> bytes:
    """All files of a cluster: its logs, or the others."""
    found = [file for file in sorted(folder.rglob("*")) if file.is_file() and (file.suffix == ".log") is are_logs]
    return b"".join([file.read_bytes() for file in found])


@needs_nats
@needs_memory
@pytest.mark.timeout(300)  # three processes that start, and a game of all of them in memory
async def test_hand_that_was_thrown_in_is_nowhere_in_a_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a share that would open a card of it, nor what makes one. What was shown is found in the same way."""
    hands, taps = Hands(monkeypatch), list[Tap]()

    def tapped(to: int | Callable[[], int], rng: random.Random, *, pieces: Sequence[int] = ()) -> Tap:
        taps.append(Tap(to, rng, pieces=pieces))
        return taps[-1]

    monkeypatch.setattr(rig, "CuttableProxy", tapped)
    size = Size(nodes=1, workers=1, gateways=1, shards=1)
    async with asyncio.timeout(4 * BACKSTOP_S), running_rig(tmp_path, 7, size, log_level="debug") as cluster:
        members = [member.process for member in (*cluster.workers, *cluster.gateways)]
        processes = [process.pid for process in (*members, *cluster.nodes.all)]
        told, secrets, memory = await hands_thrown_in(cluster.port, lambda: processes)
        streams = files(tmp_path, are_logs=False)
        for process in members:
            await process.stop()
    door, links = taps[-1], taps[:-1]
    places = {
        "the logs": files(tmp_path, are_logs=True),
        "the sockets of players": bytes(door.passed),
        "the sockets of NATS": b"".join([bytes(link.passed) for link in links]),
        "the streams": streams + files(tmp_path, are_logs=False),
        "the memory": memory,
    }
    search(hands, told, secrets, places, forms_in_memory=1)

"""A whole cluster on this machine: NATS nodes, workers, gateways, and links between them that can be cut."""

import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from put_runtime.child_process import PUT_SERVER
from tests.cluster.nodes import PIECES, Nodes, running_nodes
from tests.cluster.processes import Process
from tests.crashes.disturbances import CuttableProxy, free_port

NAME = "soak"
"""Of the cluster."""


class Size(NamedTuple):
    """How many of each."""

    nodes: int
    workers: int
    gateways: int
    shards: int


LARGE = Size(nodes=3, workers=3, gateways=2, shards=8)
SMALL = Size(nodes=1, workers=2, gateways=1, shards=2)


@dataclass(kw_only=True)
class Member:
    """A worker or a gateway, and its links to the nodes."""

    process: Process
    links: list[CuttableProxy] = field(default_factory=list)
    port: int = 0
    """Of a gateway."""


@dataclass(kw_only=True)
class Rig:
    """What is disturbed, and the port by which bots come in."""

    nodes: Nodes
    workers: list[Member]
    gateways: list[Member]
    port: int
    """Leads to any gateway that runs, another for each connection."""

    @property
    def logs(self) -> str:
        """The ends of all logs, for who has to find out."""
        processes = [*self.nodes.all, *[member.process for member in (*self.workers, *self.gateways)]]
        return "\n".join([f"--- {process.name}\n{process.log_end}" for process in processes])


async def _member(
    stack: AsyncExitStack,
    folder: Path,
    name: str,
    words: Sequence[str],
    nodes: Nodes,
    rng: random.Random,
    environment: Mapping[str, str] | None,
    log_level: str,
) -> Member:
    """A member that is started, with links of its own to every node."""
    links = [CuttableProxy(node.client_port, rng, pieces=PIECES) for node in nodes.all]
    urls = []
    for link in links:
        urls.append(f"nats://127.0.0.1:{await link.start()}")
        stack.push_async_callback(link.stop)
    port = free_port() if "gateway" in words else 0
    command = [
        *PUT_SERVER,
        *words,
        "--nats",
        " ".join(urls),
        "--cluster",
        NAME,
        "--log-level",
        log_level,
        "--exempt",
        "127.0.0.1",
    ]
    command += ["--data", str(folder / name), "--drain-seconds", "0"]
    command += ["--host", "127.0.0.1", "--port", str(port)] if port else []
    process = Process(name, command, folder / f"{name}.log", is_ready=lambda said: "listens" in said or "plays" in said)
    process.environment = environment
    await process.start()
    stack.push_async_callback(process.kill)
    return Member(process=process, links=links, port=port)


@asynccontextmanager
async def running_rig(
    folder: Path, seed: int, size: Size, environment: Mapping[str, str] | None = None, log_level: str = "info"
) -> AsyncIterator[Rig]:
    """A cluster of real processes that repeats its packs from a seed, gone when the block ends. `environment`: of the
    first life of every worker and gateway; None: ours."""
    rng = random.Random(f"{seed} links")
    common = ["--seed", str(seed), "--keep-exhibitions", "yes"]
    common += ["--shards", str(size.shards), "--replicas", str(size.nodes), "--may-lose-seconds", "120"]
    async with running_nodes(folder, size.nodes, rng) as nodes, AsyncExitStack() as stack:
        workers, gateways = [
            [
                await _member(
                    stack, folder, f"{role}-{number}", ["--role", role, *common], nodes, rng, environment, log_level
                )
                for number in range(1, count + 1)
            ]
            for role, count in (("worker", size.workers), ("gateway", size.gateways))
        ]

        def any_gateway() -> int:
            up = [gateway.port for gateway in gateways if gateway.process.is_running]
            return rng.choice(up or [gateways[0].port])

        door = CuttableProxy(any_gateway, rng, pieces=PIECES)
        port = await door.start()
        stack.push_async_callback(door.stop)
        yield Rig(nodes=nodes, workers=workers, gateways=gateways, port=port)

"""A cluster of real NATS servers with JetStream, with relays in front of them by which their links can be cut."""

import asyncio
import random
import shutil
import signal
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import nats
from nats.aio.client import Client
from nats.errors import Error as NatsError

from tests.cluster.processes import Process
from tests.crashes.disturbances import CuttableProxy, free_port

PROGRAM = shutil.which("nats-server")

READY_S = 60
"""For the nodes to elect who leads them."""

PIECES = (65_536,)
"""Relays pass on what there is: messages of the broker are cut anyway, and there are many."""

CONFIGURATION = """
server_name: {name}
listen: "127.0.0.1:{client_port}"
http: "127.0.0.1:{monitor_port}"
jetstream {{ store_dir: "{store}" }}
lame_duck_grace_period: "1s"
lame_duck_duration: "30s"
"""

CLUSTERED = """
cluster {{
  name: put
  listen: "127.0.0.1:{route_port}"
  advertise: "127.0.0.1:{advertised}"
  no_advertise: true
  routes: [{routes}]
}}
"""
"""Routes go by the relays, and clients hear of no other address than they were given."""


class Node(Process):
    """One NATS server, and its relays."""

    def __init__(self, folder: Path, name: str, rng: random.Random) -> None:
        assert PROGRAM is not None
        self.name = name
        self.store = folder / name
        self.client_port, self.route_port, self.monitor_port = free_port(), free_port(), free_port()
        self.routes = CuttableProxy(self.route_port, rng, pieces=PIECES)
        """In front of it, for the other nodes."""
        self._file = folder / f"{name}.conf"
        super().__init__(name, [PROGRAM, "-c", str(self._file)], folder / f"{name}.log")

    def configure(self, routes: Sequence[int], advertised: int) -> None:
        """Write its file: `routes` of the other nodes, by ports; with none it stands alone."""
        text = CONFIGURATION.format(
            name=self.name, client_port=self.client_port, monitor_port=self.monitor_port, store=self.store
        )
        if routes:
            urls = ", ".join([f'"nats-route://127.0.0.1:{port}"' for port in routes])
            text += CLUSTERED.format(route_port=self.route_port, advertised=advertised, routes=urls)
        self._file.write_text(text)

    @property
    def url(self) -> str:
        """Its own, without a relay."""
        return f"nats://127.0.0.1:{self.client_port}"

    async def retire(self) -> None:
        """End it as NATS would have it: it hands over what it leads, and then sends its clients away one by one."""
        self._signal(signal.SIGUSR2)
        await self._gone()

    async def current(self) -> None:
        """Wait until it says of itself that it has caught up with the others.

        :raises TimeoutError: it does not.
        """
        async with asyncio.timeout(READY_S):
            while not await self._is_healthy():  # noqa: ASYNC110  # it tells nobody
                await asyncio.sleep(0.1)

    async def _is_healthy(self) -> bool:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.monitor_port)
        except OSError:
            return False
        writer.write(b"GET /healthz HTTP/1.0\r\n\r\n")
        said = await reader.read()
        writer.close()
        return b" 200 " in said.partition(b"\r\n")[0]


class Nodes:
    """All of them."""

    def __init__(self, folder: Path, count: int, rng: random.Random) -> None:
        self.all = [Node(folder, f"node-{number}", rng) for number in range(1, count + 1)]

    @property
    def urls(self) -> list[str]:
        return [node.url for node in self.all]

    async def start(self) -> None:
        """Returns when JetStream can be asked, as which it elects a leader first."""
        ports = [await node.routes.start() for node in self.all]
        for node, own in zip(self.all, ports, strict=True):
            node.configure([port for port in ports if port != own], own)
            await node.start()
        await ready(self.urls)

    async def stop(self) -> None:
        for node in self.all:
            await node.kill()
            await node.routes.stop()

    @property
    def stored(self) -> bytes:
        """Everything in their files."""
        found: list[bytes] = []
        for file in [file for node in self.all for file in sorted(node.store.rglob("*"))]:
            with suppress(FileNotFoundError, IsADirectoryError):  # a node that runs replaces some
                found.append(file.read_bytes())
        return b"\0".join(found)


async def ready(urls: Sequence[str]) -> None:
    """Wait until JetStream answers.

    :raises TimeoutError: it does not.
    """
    deadline = time.monotonic() + READY_S
    while True:
        try:
            async with connected(urls) as client:
                await client.jetstream().account_info()
                return
        except (NatsError, TimeoutError, OSError):
            if time.monotonic() > deadline:
                raise TimeoutError("JetStream does not answer") from None
            await asyncio.sleep(0.05)


@asynccontextmanager
async def connected(urls: Sequence[str]) -> AsyncIterator[Client]:
    """A client of theirs, which comes back by itself."""

    async def hush(_: Exception) -> None:
        """nats-py would print a trace of every node that is away."""

    client = await nats.connect(
        list(urls), max_reconnect_attempts=-1, reconnect_time_wait=0.05, connect_timeout=2, error_cb=hush
    )
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def running_nodes(folder: Path, count: int, rng: random.Random) -> AsyncIterator[Nodes]:
    """So many nodes, gone when the block ends."""
    nodes = Nodes(folder, count, rng)
    try:
        await nodes.start()
        yield nodes
    finally:
        await nodes.stop()

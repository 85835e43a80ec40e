"""Time from an address to the first table, in a real browser behind a slow network.

python -m tests.web.first_table     prints when each thing is there, on a fast phone, and on a slow one at slow 3G

The network is a relay: what goes through it is late by half a round trip each way, all connections together have one
bandwidth, and a new connection takes a round trip of its own. The script presses at once whatever it waits for.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import perf_counter
from typing import NamedTuple
from urllib.request import urlopen

from put_server.settings import Settings
from tests.serving import serving
from tests.web.browser import MAY_PRESS, PHONE, chromium

RUNS = 3
PACKET_BYTES = 1_460


class Kind(NamedTuple):
    """A phone and its network."""

    name: str
    round_trip_s: float
    bytes_per_s: float
    slower: int
    """Times that the processor is slower than this one."""


KINDS = (
    Kind("a fast phone, 4G", round_trip_s=0.04, bytes_per_s=1_250_000, slower=1),
    Kind("a slow phone, slow 3G", round_trip_s=0.4, bytes_per_s=50_000, slower=6),
)


class Relay:
    """The network between the browser and a server."""

    def __init__(self, port: int, kind: Kind) -> None:
        self._port = port
        self._kind = kind
        self._free = {True: 0.0, False: 0.0}
        """When each direction can take more."""
        self.tasks: list[asyncio.Task[None]] = []
        self.carried = 0
        """Bytes to the browser."""
        self.connections = 0

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection of the browser."""
        self.connections += 1
        self.tasks.append(asyncio.create_task(self._both(reader, writer)))

    async def _both(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(self._kind.round_trip_s)
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.gather(self._carry(reader, to_server, True), self._carry(from_server, writer, False))

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, is_up: bool) -> None:
        waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        reading = asyncio.create_task(self._read(source, waiting, is_up))
        try:
            while True:
                due, data = await waiting.get()
                await asyncio.sleep(due - perf_counter())
                if not data:
                    return
                target.write(data)
        finally:
            reading.cancel()
            target.close()

    async def _read(
        self, source: asyncio.StreamReader, waiting: "asyncio.Queue[tuple[float, bytes]]", is_up: bool
    ) -> None:
        data = b"-"
        while data:
            try:
                data = await source.read(PACKET_BYTES)
            except ConnectionError:
                data = b""
            self.carried += 0 if is_up else len(data)
            self._free[is_up] = max(perf_counter(), self._free[is_up]) + len(data) / self._kind.bytes_per_s
            waiting.put_nowait((self._free[is_up] + self._kind.round_trip_s / 2, data))


@asynccontextmanager
async def relayed(port: int, kind: Kind) -> AsyncIterator[tuple[Relay, int]]:
    """A relay to a server, and its port."""
    relay = Relay(port, kind)
    async with await asyncio.start_server(relay.serve, "127.0.0.1", 0) as server:
        yield relay, server.sockets[0].getsockname()[1]
        for task in relay.tasks:
            task.cancel()
        await asyncio.gather(*relay.tasks, return_exceptions=True)


async def measure(kind: Kind) -> dict[str, float]:
    """Seconds from the navigation until each thing was there; and what it took."""
    found: dict[str, float] = {}
    settings = Settings(host="127.0.0.1", port=0, data=":memory:")
    async with (
        serving(settings, thinks=False) as server,
        relayed(server.port, kind) as (relay, port),
        chromium() as one,
    ):
        page = await (await one.new_context(viewport={"width": PHONE["width"], "height": PHONE["height"]})).new_page()
        session = await page.context.new_cdp_session(page)
        await session.send("Emulation.setCPUThrottlingRate", {"rate": kind.slower})
        await asyncio.to_thread(urlopen, f"http://127.0.0.1:{server.port}/")  # it loads its files for the first visitor
        await page.goto(f"http://127.0.0.1:{port}/", wait_until="commit")
        await page.evaluate(
            """what => {
                const steps = [
                    ["input[name=name]", (one) => {
                        one.value = "Moll";
                        one.form.requestSubmit();
                    }],
                    [".play-now", (one) => one.click()],
                    [".board", () => {}],
                    [what, () => {}],
                ];
                window.marks = [];
                const look = () => {
                    if (!steps.length) return;
                    const one = document.querySelector(steps[0][0]);
                    if (one) {
                        window.marks.push(performance.now());
                        steps.shift()[1](one);
                    }
                    requestAnimationFrame(look);
                };
                look();
            }""",
            MAY_PRESS,
        )
        await page.wait_for_function("() => window.marks?.length === 4", timeout=60_000)
        marks = await page.evaluate("window.marks")
        for what, mark in zip(("the door", "the lobby", "the table", "the first choice"), marks, strict=True):
            found[what] = mark / 1000
        found["kB to the phone"] = relay.carried / 1000
        found["connections"] = relay.connections
    return found


async def main() -> None:
    """Each kind a few times; the median of each figure is printed."""
    for kind in KINDS:
        runs = [await measure(kind) for _ in range(RUNS)]
        print(kind.name)
        for what in runs[0]:
            print(f"    {what}: {sorted(run[what] for run in runs)[RUNS // 2]:.2f}")


if __name__ == "__main__":
    asyncio.run(main())

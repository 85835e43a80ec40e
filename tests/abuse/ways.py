"""Ways to attack a server, from addresses that an attacker may have.

What the server refuses or closes is tried again at once: an attacker does not wait.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count

from put_protocol.messages import Bye, ClientMessage, Hello, OpenTable, ServerMessage
from tests.abuse.honest import Address, Line, way_from

Where = Callable[[int], str]
Doing = Callable[[Address], Awaitable[None]]
"""Goes on until it is cancelled."""
Ask = Callable[[Line, int], list[ClientMessage]]
First = Callable[[], bytes]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

numbers = count(1)
"""For names that no other guest has."""


# --- where attackers are ---


def alone(_: int) -> str:
    """One address for everything."""
    return "127.1.1.1"


def here(_: int) -> str:
    """The address of programs on the server's own machine."""
    return "127.0.0.1"


def spread(place: int) -> str:
    """An address for each of twenty, in networks of their own."""
    return f"127.1.{place % 20 + 1}.1"


def crowd(place: int) -> str:
    """The same for each of 250."""
    return f"127.2.{place % 250 + 1}.1"


def network(place: int) -> str:
    """An IPv4 address for each of 250 in one /24."""
    return f"127.4.4.{place % 250 + 1}"


def sites(places: int) -> Where:
    """An IPv6 address in each of so many /64s of one /48."""
    return lambda place: f"2001:db8:4b1d:{place % places:x}::1"


def provider(place: int) -> str:
    """An IPv6 address in each /48 of a /32."""
    return f"2001:db8:{place:x}::1"


# --- connections ---


@asynccontextmanager
async def stranger(server: Address, address: str, tls: ssl.SSLContext | None = None) -> AsyncIterator[Streams]:
    """A connection, cut in the end."""
    local, first = way_from(address)
    async with asyncio.timeout(5):
        reader, writer = await asyncio.open_connection(*server, local_addr=(local, 0), ssl=tls)
    try:
        writer.write(first)
        yield reader, writer
    finally:
        writer.transport.abort()


@asynccontextmanager
async def guest(
    server: Address,
    address: str,
    name: str = "",
    *,
    token: str = "",
    password: str = "",
    hear: Callable[[ServerMessage], None] = lambda _: None,
) -> AsyncIterator[Line]:
    """A guest who was let in, and is cut off in the end.

    :raises ConnectionError: they were not.
    """
    line = await Line.connect(server, address, hear)
    try:
        line.send(Hello(2, "" if token else name or f"Guest {next(numbers)}", password, is_bot=True, token=token))
        async with asyncio.timeout(5):
            await line._welcome
        yield line
    finally:
        line.cut()


async def drain(reader: asyncio.StreamReader) -> None:
    while await reader.read(65536):
        pass


async def each(peers: int, one: Callable[[int], Awaitable[None]]) -> None:
    """So many at once, each again and again."""

    async def again(place: int) -> None:
        while True:
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                await one(place)
            await asyncio.sleep(0.001)

    async with asyncio.TaskGroup() as tasks:
        for place in range(peers):
            tasks.create_task(again(place))


# --- ways ---


def pour(data: bytes, first: First = bytes, *, peers: int = 1, where: Where = alone) -> Doing:
    """Send the same without end, after something that is made for each connection."""

    async def attack(server: Address) -> None:
        async def one(place: int) -> None:
            async with stranger(server, where(place)) as (reader, writer):
                writer.write(first())
                reading = asyncio.ensure_future(drain(reader))
                try:
                    while not reading.done():
                        writer.write(data)
                        await writer.drain()
                        await asyncio.sleep(0)
                finally:
                    reading.cancel()

        await each(peers, one)

    return attack


def open_and(first: bytes, *, peers: int, where: Where = alone, drip: bytes = b"") -> Doing:
    """Say so much and then nothing; or one byte more now and then."""

    async def attack(server: Address) -> None:
        async def one(place: int) -> None:
            async with stranger(server, where(place)) as (reader, writer):
                writer.write(first)
                reading = asyncio.ensure_future(drain(reader))
                try:
                    for byte in drip or b"\0" * 1_000:
                        await asyncio.wait({reading}, timeout=0.5)
                        if reading.done():
                            break
                        if drip:
                            writer.write(bytes((byte,)))
                finally:
                    reading.cancel()

        await each(peers, one)

    return attack


def unread(data: bytes, first: First = bytes, *, peers: int) -> Doing:
    """Ask without end, and read nothing of the answers."""

    async def attack(server: Address) -> None:
        async def one(place: int) -> None:
            async with stranger(server, spread(place)) as (_, writer):
                writer.transport.set_write_buffer_limits(high=0)
                writer.write(first())
                for _ in range(200):
                    writer.write(data)
                    async with asyncio.timeout(2):
                        await writer.drain()

        await each(peers, one)

    return attack


def _nothing(line: Line, place: int) -> list[ClientMessage]:
    return []


def asking(requests: Ask, *, peers: int, where: Where, begin: Ask = _nothing, pause: float = 0.05) -> Doing:
    """Be let in, and ask the same again and again at the allowed pace and beyond it."""

    async def attack(server: Address) -> None:
        async def one(place: int) -> None:
            async with guest(server, where(place)) as line:
                line.send(*begin(line, place))
                while not line.is_over:
                    line.send(*requests(line, place))
                    await asyncio.sleep(pause)

        await each(peers, one)

    return attack


def coming(where: Where, *, goodbye: bool = False) -> Doing:
    """Come and go; with a `goodbye`, for good."""

    async def attack(server: Address) -> None:
        async def one(place: int) -> None:
            async with guest(server, where(place)) as line:
                if goodbye:
                    line.send(Bye())

        await each(100, one)

    return attack


def staying(where: Where, *, tables: int = 0) -> Doing:
    """Come and stay, as many as are let in, and open so many tables each."""

    async def attack(server: Address) -> None:
        async def one(place: int) -> None:
            async with guest(server, where(place)) as line:
                line.send(*(OpenTable(line.client.next_id(), "put-1674", bank=86_400) for _ in range(tables)))
                await line.over.wait()

        await each(400, one)

    return attack

"""Attacks on a server, one a process: `python -m tests.abuse.attacks NAME PORT SECONDS`.

Each does one thing as hard as it can, from addresses in 127.0.1.0/24 and 127.0.2.0/24, until its time is over. What the
server refuses or closes is tried again at once: an attacker does not wait.
"""

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from itertools import count

from websockets.frames import Frame, Opcode

from put_protocol.codecs import FRAMES, LINES
from put_protocol.messages import (
    ClientMessage,
    Hello,
    Invite,
    Leave,
    Look,
    OpenTable,
    Ping,
    Refresh,
    Say,
    Sit,
    Watch,
)
from tests.abuse.honest import Address, Line
from tests.web.browserless import request, upgrade

PREFIX = "127.0.1."
PASSWORD = "1674"
"""Of the server, in the attack that guesses at it; and of the table, in the one that guesses at that."""

READY = "ready"
"""What it says before it begins."""

Attack = Callable[[Address], Awaitable[None]]


def alone(place: int) -> str:
    """One address for everything."""
    return f"{PREFIX}1"


def spread(place: int) -> str:
    """An address for each of twenty."""
    return f"{PREFIX}{place % 20 + 1}"


async def _connect(server: Address, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    async with asyncio.timeout(5):
        return await asyncio.open_connection(*server, local_addr=(address, 0))


async def _each(count: int, one: Callable[[int], Awaitable[None]]) -> None:
    async with asyncio.TaskGroup() as tasks:
        for place in range(count):
            tasks.create_task(_again(one, place))


async def _again(one: Callable[[int], Awaitable[None]], place: int) -> None:
    while True:
        with suppress(OSError, TimeoutError, AssertionError, asyncio.IncompleteReadError):
            await one(place)
        await asyncio.sleep(0.001)


def pour(data: bytes, first: bytes = b"", *, peers: int = 1, where: Callable[[int], str] = alone) -> Attack:
    """So many connections over which the same is sent without end."""

    async def attack(server: Address) -> None:
        async def one(place: int) -> None:
            reader, writer = await _connect(server, where(place))
            try:
                writer.write(first)
                reading = asyncio.ensure_future(_drain(reader))
                try:
                    while not reading.done():
                        writer.write(data)
                        await writer.drain()
                        await asyncio.sleep(0)
                finally:
                    reading.cancel()
            finally:
                writer.transport.abort()

        await _each(peers, one)

    return attack


async def _drain(reader: asyncio.StreamReader) -> None:
    while await reader.read(65536):
        pass


def open_and(first: bytes, *, peers: int, where: Callable[[int], str] = alone, drip: bytes = b"") -> Attack:
    """Connections that say so much and then nothing; or one byte more now and then."""

    async def attack(server: Address) -> None:
        async def one(place: int) -> None:
            reader, writer = await _connect(server, where(place))
            try:
                writer.write(first)
                reading = asyncio.ensure_future(_drain(reader))
                for byte in drip or b"\0" * 1_000:
                    if reading.done():
                        break
                    await asyncio.wait({reading}, timeout=0.5)
                    if drip:
                        writer.write(bytes((byte,)))
                reading.cancel()
            finally:
                writer.transport.abort()

        await _each(peers, one)

    return attack


def hello_and_close(where: Callable[[int], str]) -> Attack:
    """People who come and go."""
    names = count()

    async def attack(server: Address) -> None:
        async def one(place: int) -> None:
            _, writer = await _connect(server, where(place))
            writer.write(FRAMES.encode(Hello(2, f"Passer-by {next(names)}")))
            await writer.drain()
            writer.transport.abort()

        await _each(100, one)

    return attack


async def _come(server: Address, address: str, name: str, token: str = "", password: str = "") -> Line:
    line = await Line.connect(server, address)
    try:
        line.send(Hello(2, name, token=token, password=password, is_bot=True))
        async with asyncio.timeout(5):
            await line._welcome
    except BaseException:
        line.cut()
        raise
    return line


def asking(
    requests: Callable[[Line, int], list[ClientMessage]],
    *,
    peers: int,
    where: Callable[[int], str],
    begin: Callable[[Line, int], list[ClientMessage]] = lambda _line, _place: [],
    pause: float = 0.05,
) -> Attack:
    """People who are let in, and ask the same again and again at the allowed pace and beyond it."""

    async def attack(server: Address) -> None:
        async def one(place: int) -> None:
            line = await _come(server, where(place), f"Guest {place}")
            try:
                line.send(*begin(line, place))
                while not line.is_over:
                    line.send(*requests(line, place))
                    await asyncio.sleep(pause)
            finally:
                line.cut()

        await _each(peers, one)

    return attack


def _id(line: Line) -> int:
    return line.client.next_id()


async def lock_out(server: Address) -> None:
    """Guests who open tables with a bank of a day, sit, and hang up."""
    names = count()

    async def one(place: int) -> None:
        line = await _come(server, spread(place), f"Locker {next(names)}")
        try:
            opened = await line.ask(lambda number: OpenTable(number, "put-1674", bank=86_400))
            table = getattr(opened, "table", None)
            if table:
                await line.ask(lambda number: Sit(number, table))
        finally:
            line.cut()

    await _each(40, one)


async def lookers_hang_up(server: Address) -> None:
    """A crowd looks at the lobby, and all hang up at once; again and again."""

    async def crowd() -> list[Line]:
        lines = await asyncio.gather(
            *(_come(server, f"127.0.2.{place % 250 + 1}", f"Looker {place}") for place in range(1_000)),
            return_exceptions=True,
        )
        return [line for line in lines if isinstance(line, Line)]

    while True:
        lines = await crowd()
        for line in lines:
            line.send(Look(_id(line)))
        await asyncio.sleep(0.5)
        for line in lines:
            line.cut()
        await asyncio.sleep(0.1)


async def resuming(server: Address) -> None:
    """Ten people who come back again and again, each time with sixty looks."""

    async def one(place: int) -> None:
        line = await _come(server, spread(place), f"Looker {place}")
        token = line.token
        while True:
            line = await _come(server, spread(place), "", token)
            line.send(*(Look(number) for number in range(1, 61)))
            await asyncio.sleep(0.02)

    await _each(10, one)


async def guess_password(server: Address) -> None:
    async def one(place: int) -> None:
        for guess in range(place, 10_000, 64):
            line = await _come(server, alone(place), f"Guesser {place}", password=f"{guess:04}x")
            line.cut()

    await _each(64, one)


async def guess_token(server: Address) -> None:
    async def one(place: int) -> None:
        line = await _come(server, alone(place), "", token=f"guess {place} {time.monotonic_ns()}")
        line.cut()

    await _each(64, one)


def _watch(line: Line, _: int) -> list[ClientMessage]:
    return [message for table in range(1, 6) for message in (Watch(_id(line), table), Leave(_id(line), table))]


async def count_only(_: Address) -> None:
    """No attack: it takes the processor, and leaves the server alone."""
    while True:
        for _number in range(100_000):
            pass
        await asyncio.sleep(0)


def _frame(opcode: Opcode, data: bytes, *, fin: bool = True, mask: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=mask)


SOCKET = upgrade()
"""Asks for a WebSocket, and its frames may follow at once."""

_SAYS_HELLO = SOCKET + _frame(Opcode.TEXT, b'{"type":"hello","version":2,"name":"Browser"}')
_GIANT = b"\x81\xff" + (1 << 40).to_bytes(8, "big") + b"mask"
"""The head of a frame of a terabyte."""


async def unread_pages(server: Address) -> None:
    """The whole page, asked for again and again by peers that read nothing of it."""

    async def one(place: int) -> None:
        _, writer = await _connect(server, spread(place))
        try:
            writer.transport.set_write_buffer_limits(high=0)
            for _ in range(200):
                writer.write(request("/") * 20)
                async with asyncio.timeout(2):
                    await writer.drain()
        finally:
            writer.transport.abort()

    await _each(100, one)


ATTACKS: Mapping[str, Attack] = {
    "WebSocket, slow to ask": open_and(SOCKET[:1], peers=1_000, where=spread, drip=SOCKET[1:]),
    "WebSocket, half open": open_and(SOCKET, peers=2_000, where=spread),
    "WebSocket, no masks": pour(_frame(Opcode.TEXT, b"{}", mask=False) * 1_000, SOCKET, peers=100, where=spread),
    "WebSocket, giant frames": pour(_GIANT + b"x" * 60_000, SOCKET, peers=100, where=spread),
    "WebSocket, fragments": pour(
        _frame(Opcode.CONT, b"", fin=False) * 8_000,
        _SAYS_HELLO + _frame(Opcode.TEXT, b"", fin=False),
        peers=20,
        where=spread,
    ),
    "WebSocket, pings": pour(_frame(Opcode.PING, b"p" * 125) * 400, _SAYS_HELLO, peers=20, where=spread),
    "HTTP, requests": pour(request("/") * 500, peers=20, where=spread),
    "HTTP, nothing is read": unread_pages,
    "lock-out": lock_out,
    "empty lines": pour(b"\n" * 65536),
    "empty lines, twenty": pour(b"\n" * 65536, peers=20, where=spread),
    "empty JSON lines, twenty": pour(b"\n" * 65536, LINES.encode(Hello(2, "Empty")), peers=20, where=spread),
    "telnet IAC, twenty": pour(b"\xff\xf1" * 32768, peers=20, where=spread),
    "telnet offers, twenty": pour(b"\xff\xfb\x01" * 20000, peers=20, where=spread),
    "spaces, twenty": pour(b"{" + b" " * 60000 + b"}\n", peers=20, where=spread),
    "pings, twenty": pour(FRAMES.encode(Ping()) * 3000, FRAMES.encode(Hello(2, "Pinger")), peers=20, where=spread),
    "garbage": pour(b"\x00\x00\xff\xf0" + b"\xc1" * 60000, peers=100, where=spread),
    "nested frames": pour(b"\x00\x00\xff\xf0" + b"\x90" * 65520, peers=20, where=spread),
    "silent sockets": open_and(b"", peers=2_256, where=spread),
    "half a frame": open_and(b"\x00\x00\x01\x00abc", peers=2_000, where=spread),
    "slowloris": open_and(b"\x00", peers=1_000, where=spread, drip=FRAMES.encode(Hello(2, "A very long name" * 3))[1:]),
    "hello and close": hello_and_close(alone),
    "hello and close, twenty": hello_and_close(spread),
    "looks": asking(lambda line, _: [Look(_id(line))], peers=16, where=alone),
    "looks, sixteen": asking(lambda line, _: [Look(_id(line))], peers=16, where=spread),
    "watchers in and out": asking(_watch, peers=100, where=spread, pause=0.25),
    "lookers hang up": lookers_hang_up,
    "resume with sixty looks": resuming,
    "talk": asking(
        lambda line, _: [Say(_id(line), table, "\U0001f0a1" * 400) for table in range(1, 6)],
        begin=lambda line, _: [Watch(_id(line), table) for table in range(1, 6)],
        peers=60,
        where=spread,
        pause=0.25,
    ),
    "refresh": asking(
        lambda line, _: [Refresh(_id(line), table) for table in range(1, 6)],
        begin=lambda line, _: [Watch(_id(line), table) for table in range(1, 6)],
        peers=60,
        where=spread,
        pause=0.25,
    ),
    "password": guess_password,
    "tokens": guess_token,
    "passcode": asking(
        lambda line, _: [Sit(_id(line), 1, passcode=f"{number % 10_000:04}") for number in range(20)],
        peers=60,
        where=spread,
        pause=0.1,
    ),
    "invitations": asking(
        lambda line, _: [Invite(_id(line), 1, person="Honest 0 0") for _ in range(10)],
        begin=lambda line, _: [OpenTable(_id(line), "put-1674")],
        peers=60,
        where=spread,
        pause=0.1,
    ),
}


async def run(name: str, server: Address, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await (count_only if name == "count" else ATTACKS[name])(server)


if __name__ == "__main__":
    os.nice(5)  # gives way to the server and the honest bots where it can
    print(READY, flush=True)
    asyncio.run(run(sys.argv[1], ("127.0.0.1", int(sys.argv[2])), float(sys.argv[3])))

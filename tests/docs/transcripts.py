"""Conversations with a real server, taken down as JSON lines, and the beginning of one as frames, byte by byte.

The server runs in this process, deals from a seed and keeps a clock that moves when it is told to, so what is taken
down is the same until the protocol changes. What is heard is checked against what is expected, message by message.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from textwrap import wrap
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no types

from put_server.app import Server
from put_server.settings import Settings
from tests.docs.frames import explained
from tests.serving import serving

SEED = 4
"""One from which Moll is eldest, holds Ks As 8d, and Ned Qc 7h 7d."""

WIDTH = 116
PATIENCE_S = 20
"""For anything to come. It comes at once, or there is a fault."""

UNSAID = {"welcome": ("limits", "games", "houses")}
"""Fields of a message that are too long to print."""

ELIDED = "\u2026"

LONG = ("options", "ranking")
"""Fields inside of others that are printed once in the lines."""

Map = dict[str, Any]


class TranscriptError(Exception):
    """The server said something else."""


@dataclass(slots=True)
class Connection:
    """The connection of one peer, and what was said on it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    is_framed: bool
    page: "Page | None"
    """Where it is taken down."""

    def says(self, **message: Any) -> None:
        """Send a message, as a map."""
        if self.is_framed:
            body: bytes = msgpack.packb(message)
            data = len(body).to_bytes(4, "big") + body
        else:
            data = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        self.writer.write(data)
        if self.page is not None:
            self.page.add("->", message, data)

    async def hears(self, *types: str) -> list[Map]:
        """The next messages, which must be of these types.

        :raises TranscriptError: they are not.
        """
        heard = [await self._next() for _ in types]
        if [message["type"] for message in heard] != list(types):
            raise TranscriptError(f"expected {types}, heard {heard}")
        return heard

    async def _next(self) -> Map:
        async with asyncio.timeout(PATIENCE_S):
            if self.is_framed:
                header = await self.reader.readexactly(4)
                body = await self.reader.readexactly(int.from_bytes(header, "big"))
                data = header + body
                message: Map = msgpack.unpackb(body)
            else:
                data = await self.reader.readline()
                message = json.loads(data)
        if self.page is not None:
            self.page.add("<-", message, data)
        return message

    def drops(self) -> None:
        """The connection is cut, and nothing more is read from it."""
        self.writer.transport.abort()


@dataclass(slots=True)
class Page:
    """What is taken down, as lines of text."""

    is_framed: bool
    once: tuple[str, ...] = ()
    """Fields of a message that are printed once."""
    lines: list[str] = field(default_factory=list)
    printed: set[str] = field(default_factory=set)
    """Fields of `once` that have been printed."""
    printed_inside: set[str] = field(default_factory=set)
    """Fields of `LONG` that have been."""

    def note(self, text: str) -> None:
        """A word of explanation."""
        self.lines += ["", *wrap(text, WIDTH - 2, initial_indent="# ", subsequent_indent="# "), ""][not self.lines :]

    def add(self, way: str, message: Map, data: bytes) -> None:
        """A message."""
        unsaid = {*UNSAID.get(message["type"], ()), *(self.printed & message.keys())}
        self.printed |= {key for key in self.once if key in message}
        if self.is_framed:
            self.lines += explained(way, data, unsaid)
        else:
            said = {key: ELIDED if key in unsaid else self._once(value) for key, value in message.items()}
            self.lines += _folded(way, said)

    def _once(self, value: Any) -> Any:
        """The value, with what is long and was printed before left out."""
        if not isinstance(value, dict):
            return value
        said = {key: ELIDED if key in self.printed_inside else self._once(part) for key, part in value.items()}
        self.printed_inside |= {key for key in LONG if key in value}
        return said


def _folded(way: str, message: Map) -> Iterator[str]:
    """The message as JSON, its line broken behind commas."""
    text = json.dumps(message, separators=(",", ":"), ensure_ascii=False).replace(f'"{ELIDED}"', ELIDED)
    line = way + " "
    for piece in re.split(r"(?<=,)(?=\S)", text):
        if len(line) + len(piece) > WIDTH and line.strip():
            yield line
            line = "     "
        line += piece
    yield line


@dataclass(slots=True)
class ClockedServer:
    """The server, its clock, and how to call it."""

    server: Server
    now: int = 0
    connections: list[Connection] = field(default_factory=list)

    async def call(self, page: Page | None = None, *, is_framed: bool = False) -> Connection:
        """A new connection."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        self.connections.append(Connection(reader, writer, is_framed, page))
        return self.connections[-1]

    def passes(self, seconds: int) -> None:
        """So much time."""
        self.now += 1_000 * seconds
        self.server.dispatcher.tick()
        self.server.dispatcher.tick_sessions()


@asynccontextmanager
async def clocked_server(seed: int) -> AsyncIterator[ClockedServer]:
    """A server that deals from this seed."""
    # Exempt, because nobody pays for work while the clock stands still.
    chosen = Settings(host="127.0.0.1", port=0, data=":memory:", exempt="127.0.0.1", seed=seed, drain_seconds=0)
    async with serving(chosen, thinks=False) as server:
        clocked = ClockedServer(server)
        server.dispatcher.now = lambda: clocked.now
        numbers = count(1)
        # A real one is 32 letters that nobody can guess, and another each time.
        server.dispatcher._shuffler.token = lambda: f"token-{next(numbers)}"  # type: ignore[method-assign]
        try:
            yield clocked
        finally:
            for connection in clocked.connections:
                connection.drops()
                with suppress(ConnectionError):
                    await connection.writer.wait_closed()


async def _conversation(page: Page) -> None:
    async with clocked_server(SEED) as clocked:
        moll = await clocked.call(page, is_framed=page.is_framed)
        page.note("Moll comes in.")
        moll.says(type="hello", version=3, name="Moll", is_bot=True)
        await moll.hears("welcome")
        page.note("She looks who is there: nobody else, and no table.")
        moll.says(type="look", id=1)
        await moll.hears("ok", "lobby")
        moll.says(type="look_away", id=2)
        await moll.hears("ok")
        page.note("She opens a table, with a minute for each decision, and sits down at it.")
        moll.says(type="open", id=3, game="put-1674", turn=60)
        await moll.hears("ok")
        moll.says(type="sit", id=4, table=1)
        await moll.hears("table")
        page.note("Ned has come in on another connection, and sits down too: the game begins, and Moll is eldest.")
        ned = await clocked.call()  # not sooner: whoever says nothing for seconds is greeted
        ned.says(type="hello", version=3, name="Ned")
        ned.says(type="sit", id=1, table=1)
        await moll.hears("events", "events")
        await ned.hears("welcome", "table", "events")
        await _first_trick(clocked, page, moll, ned)
        moll = await _dropped(clocked, page, moll, ned)
        await _end(page, moll, ned)


async def _first_trick(clocked: ClockedServer, page: Page, moll: Connection, ned: Connection) -> None:
    page.note("A card that she does not hold is refused. Nothing has changed, and the decision waits.")
    moll.says(type="act", id=5, table=1, decision=1, action={"do": "play", "card": "3h"})
    await moll.hears("refused")
    page.note("She leads the king, which is among the legal actions.")
    moll.says(type="act", id=6, table=1, decision=1, action={"do": "play", "card": "Ks"})
    await moll.hears("events")
    page.note("The same answer once more is too late: that decision is over.")
    moll.says(type="act", id=7, table=1, decision=1, action={"do": "play", "card": "Ks"})
    await moll.hears("refused")
    page.note("Nobody says anything for half a minute. The server asks whether she is there.")
    await ned.hears("events")
    clocked.passes(30)
    await moll.hears("ping")
    moll.says(type="pong")
    await ned.hears("ping")
    page.note("Ned plays. The trick is hers, and so is the next lead.")
    ned.says(type="act", id=2, table=1, decision=2, action={"do": "play", "card": "7h"})
    await ned.hears("events")
    await moll.hears("events")


async def _dropped(clocked: ClockedServer, page: Page, moll: Connection, ned: Connection) -> Connection:
    page.note("She puts, and the connection drops before the answer arrives.")
    moll.says(type="act", id=8, table=1, decision=3, action={"do": "put"})
    await ned.hears("events")
    moll.drops()
    await ned.hears("events")
    clocked.passes(7)
    ned.says(type="act", id=3, table=1, decision=4, action={"do": "see"})
    await ned.hears("events")
    page.note(
        "Seven seconds later she is back, with her token, the number of the last event she has, and the id of the "
        "request she knows nothing of. It was carried out. Ned has seen the put, and a decision waits for her."
    )
    moll = await clocked.call(page, is_framed=page.is_framed)
    moll.says(type="hello", version=3, token="token-1", seen=[{"table": 1, "number": 10}], asked=[8])
    await moll.hears("welcome", "ok", "events", "events")
    await ned.hears("events")
    return moll


async def _end(page: Page, moll: Connection, ned: Connection) -> None:
    page.note("She plays, with an id above those she asked after; Ned follows, and the game is hers.")
    moll.says(type="act", id=9, table=1, decision=5, action={"do": "play", "card": "As"})
    await moll.hears("events")
    await ned.hears("events")
    ned.says(type="act", id=4, table=1, decision=6, action={"do": "play", "card": "7d"})
    await ned.hears("events")
    await moll.hears("events")
    page.note("She would play another, but Ned says nothing; so she goes.")
    moll.says(type="again", id=10, table=1)
    await moll.hears("events")
    moll.says(type="bye")
    await moll.hears("goodbye")


async def _beginning(page: Page) -> None:
    """Enough frames to try one's reading and writing of them on: maps, texts, numbers, bytes."""
    async with clocked_server(SEED) as clocked:
        moll = await clocked.call(page, is_framed=True)
        page.note("Moll comes in. What she is told, and that she opens a table and sits down, is left out.")
        moll.says(type="hello", version=3, name="Moll", is_bot=True)
        moll.page = None
        await moll.hears("welcome")
        moll.says(type="open", id=1, game="put-1674")
        moll.says(type="sit", id=2, table=1)
        await moll.hears("ok", "table")
        moll.page = page
        page.note("She asks for the table as it is.")
        moll.says(type="refresh", id=3, table=1)
        await moll.hears("events")
        page.note("Nobody says anything for half a minute.")
        clocked.passes(30)
        await moll.hears("ping")
        moll.says(type="pong")


@cache
def transcript(*, is_framed: bool) -> tuple[str, ...]:
    """The conversation as lines of JSON, or its beginning as frames.

    :raises TranscriptError: the server said something that was not expected.
    """
    page = Page(is_framed)
    asyncio.run(_beginning(page) if is_framed else _conversation(page))
    return tuple(page.lines)


def lines_transcript() -> list[str]:
    """As JSON lines."""
    return ["```text", *transcript(is_framed=False), "```"]


def frames_transcript() -> list[str]:
    """As frames."""
    return ["```text", *transcript(is_framed=True), "```"]

"""A relay between a client and a server: it reads every message, and ends the connection where a test says."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, closing, suppress
from enum import Enum, auto
from typing import cast

from msgspec.structs import replace

from put_protocol.codecs import FRAMES, decoder_of_replies, decoder_of_requests
from put_protocol.framing import FrameSplitter, frame
from put_protocol.messages import ClientMessage, Hello, ServerMessage

READ_BYTES = 64 * 1024


class Fate(Enum):
    """What becomes of a message."""

    PASSES = auto()
    IS_LOST = auto()
    """the connection ends before it passes"""
    IS_LAST = auto()
    """the connection ends behind it"""


Rule = Callable[[ClientMessage | ServerMessage], Fate]


class Relay:
    """Where the client connects, once or many times, one connection at a time."""

    def __init__(self, server_port: int) -> None:
        self.server_port = server_port
        self.rule: Rule = lambda _: Fate.PASSES
        self.alter: Callable[[ServerMessage], Iterable[ServerMessage]] | None = None
        """Other messages in place of one of the server's; None: they pass as they are."""
        self.forgets_events = False
        """Whether the server is not told how far the client has followed its tables, and so shows them anew."""
        self.is_open = asyncio.Event()
        """Unless it is set, connections wait."""
        self.is_open.set()
        self.port = 0
        self._serving: set[asyncio.Task[None]] = set()
        self._writers: tuple[asyncio.StreamWriter, ...] = ()

    def end(self) -> None:
        """End the connection. Both sides get what was passed on before, and nothing more."""
        writers, self._writers = self._writers, ()
        for writer in writers:
            with suppress(OSError):
                writer.write_eof()

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A client connects."""
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            await self.is_open.wait()
            there, to_server = await asyncio.open_connection("127.0.0.1", self.server_port)
            with closing(to_server):
                self._writers = (writer, to_server)
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._pass_on(reader, to_server, decoder_of_requests(FRAMES).decode))
                    tasks.create_task(self._pass_on(there, writer, decoder_of_replies(FRAMES).decode))

    async def _pass_on(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        decode: Callable[[bytes], ClientMessage | ServerMessage],
    ) -> None:
        """To the end of what comes. What comes when the connection is ended is read, and lost."""
        splitter = FrameSplitter()
        with suppress(OSError):
            while data := await reader.read(READ_BYTES):
                for piece in splitter.feed(data):
                    if writer in self._writers:
                        self._pass_piece(piece, decode(piece), writer)
        if writer in self._writers:
            self.end()

    def _pass_piece(self, piece: bytes, message: ClientMessage | ServerMessage, writer: asyncio.StreamWriter) -> None:
        if isinstance(message, Hello) and self.forgets_events:
            writer.write(FRAMES.encode(replace(message, seen=())))
            return
        fate = self.rule(message)
        if fate is not Fate.IS_LOST and self.alter is not None and writer is self._writers[0]:
            writer.writelines(FRAMES.encode(told) for told in self.alter(cast("ServerMessage", message)))
        elif fate is not Fate.IS_LOST:
            writer.write(frame(piece))
        if fate is not Fate.PASSES:
            self.end()

    async def close(self) -> None:
        self.end()
        for task in tuple(self._serving):
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)


@asynccontextmanager
async def relaying(server_port: int) -> AsyncIterator[Relay]:
    """A relay to this server, for as long as the block runs."""
    relay = Relay(server_port)
    listener = await asyncio.start_server(relay.accept, "127.0.0.1", 0)
    relay.port = listener.sockets[0].getsockname()[1]
    try:
        yield relay
    finally:
        listener.close()
        await relay.close()

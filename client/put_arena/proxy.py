"""Proxy between somebody's program and the server: carries messages and reads only what tells how the program behaves.

Law: messages pass whole and in order, and what waits here is bounded. Two words are put in: `leave`,
to the server, when a table's games are played, with `left` to the program; and `bye` when the program has ended. The
`hello` is made to bear the name the arena gives, and to say that a bot speaks.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from put_arena.results import Fault
from put_protocol.codecs import FRAMES, Codec, decoder_of_replies, sniff
from put_protocol.errors import FramingError, ProtocolError
from put_protocol.framing import frame, line
from put_protocol.games.put import (
    Cause,
    ThrewIn,
)
from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.messages import Bye, Events, Goodbye, Leave, Left, Ok, Refused, ServerMessage
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat

READ_BYTES = 64 * 1024

UNREAD_BYTES = 1024 * 1024
"""What may wait for a program that does not read; then the server waits too, and drops it as whoever is slow."""

PATIENCE_SECONDS = 10.0
"""For the program to read what it is told."""

LAST_WORDS_SECONDS = 1.0
"""From the end of the connection one way to its end the other way."""

OWN_IDS = 2**53 - 2**20
"""Requests from here on are ours: no program counts so far."""

SHORT = 400
"""Bytes: answers and goodbyes are shorter, and of all that is longer only what tells of time is looked at."""

MOST_MOVES = 1_000
"""Moves whose answers are due, at most, that are remembered."""

_FAULTS = {
    RefusalCode.ILLEGAL: Fault.ILLEGAL,
    RefusalCode.BAD_REQUEST: Fault.GARBAGE,
    RefusalCode.TOO_FAST: Fault.TOO_FAST,
}

_GOODBYES = {"too_fast": Fault.TOO_FAST, "protocol": Fault.GARBAGE}


class Proxy:
    """The program, as long as it has one connection after another."""

    def __init__(
        self, name: str, noted: Callable[[Fault, str], None], was_late: Callable[[int], None], slow: float = 0.0
    ) -> None:
        """`noted` hears of faults; `was_late` of turns that ran out, and how many did without an answer in between."""
        self._name = name
        self._noted = noted
        self._was_late = was_late
        self._slow = slow
        self._running = 0
        self._last_id = OWN_IDS
        self._ours: dict[int, int] = {}
        """Requests of ours to leave a table."""
        self._moves: dict[Any, None] = {}
        self._seats: dict[int, Seat] = {}
        self._codec: Codec = FRAMES
        self._to_server: asyncio.StreamWriter | None = None
        self.ended_by = ""
        """Why the server closed, if it did."""

    def leave(self, table: int) -> None:
        """Take the program away from a table."""
        if self._to_server is not None and table in self._seats:
            self._last_id += 1
            self._ours[self._last_id] = table
            self._to_server.write(self._codec.encode(Leave(self._last_id, table)))

    async def carry(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        host: str,
        port: int,
        *,
        is_over: Callable[[], bool],
    ) -> str:
        """One connection, until either side ends it; then why, as the end of a sentence. `is_over`: asked then, whether
        the program has ended, and will not come back to its seats."""
        data = await reader.read(READ_BYTES)
        if not data:
            return "it said nothing"
        codec = sniff(data[0])
        if codec is None:
            self._noted(Fault.GARBAGE, f"spoke neither JSON lines nor frames: it began with {data[:40]!r}")
            return "it does not speak the protocol"
        self._codec = codec
        from_server, to_server = await asyncio.open_connection(host, port)
        self._to_server = to_server
        up = asyncio.create_task(self._up(data, reader, to_server))
        down = asyncio.create_task(self._down(from_server, writer))
        try:
            await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
            if not down.done():
                if is_over() and not to_server.is_closing():
                    to_server.write(codec.encode(Bye()))
                await asyncio.wait({down}, timeout=LAST_WORDS_SECONDS)  # in which it may say why
            return self.ended_by or next(task.result() for task in (up, down) if task.done())
        finally:
            self._to_server = None
            for task in (up, down):
                task.cancel()
            to_server.close()
            await asyncio.gather(up, down, return_exceptions=True)

    # --- from the program ---

    async def _up(self, data: bytes, reader: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> str:
        splitter = self._codec.splitter()
        is_first = True
        while data:
            try:
                for piece in splitter.feed(data):
                    is_move = b"act" in piece and self._note_move(piece)
                    if self._slow and is_move:
                        await asyncio.sleep(self._slow)
                    to_server.write(self._whole(self._introduced(piece) if is_first else piece))
                    is_first = False
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await to_server.drain()
            except FramingError as error:
                self._noted(Fault.GARBAGE, f"sent {error.reason}")
                return "it sent what is no message"
            except TimeoutError:
                return "it sent more than the server would read"
            except ConnectionError:
                return self.ended_by or "the server closed its line"
            data = await reader.read(READ_BYTES)
        return "it closed its output"

    def _introduced(self, piece: bytes) -> bytes:
        """The `hello`, as the arena wants it; what is none is the server's to refuse."""
        try:
            hello = self._codec.objects(piece, REQUEST_ARRAY_ITEMS)
        except ValueError:
            return piece
        if not isinstance(hello, dict) or hello.get("type") != "hello":
            return piece
        hello |= {"is_bot": True} if hello.get("token") else {"is_bot": True, "name": self._name}
        return msgspec.msgpack.encode(hello) if self._codec is FRAMES else msgspec.json.encode(hello)

    def _note_move(self, piece: bytes) -> bool:
        try:
            message = self._codec.objects(piece, REQUEST_ARRAY_ITEMS)
        except ValueError:
            return False
        if not isinstance(message, dict) or message.get("type") != "act":
            return False
        number = message.get("id")
        if isinstance(number, int) and len(self._moves) < MOST_MOVES:
            self._moves[number] = None
        return True

    def _whole(self, piece: bytes) -> bytes:
        return frame(piece) if self._codec is FRAMES else line(piece)

    # --- from the server ---

    async def _down(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
        splitter = self._codec.splitter()
        decoder = decoder_of_replies(self._codec)
        try:
            while data := await reader.read(READ_BYTES):
                passed = []
                for piece in splitter.feed(data):
                    if len(piece) < SHORT or b"time" in piece:
                        with suppress(ProtocolError):
                            said = self._heard(decoder.decode(piece))
                            if said is not None:
                                passed.append(self._codec.encode(said))
                                continue
                    passed.append(self._whole(piece))
                writer.write(b"".join(passed))
                # Read on for a while though the program does not: why the server closes comes at the end.
                if writer.transport.get_write_buffer_size() > UNREAD_BYTES:
                    async with asyncio.timeout(PATIENCE_SECONDS):
                        await writer.drain()
        except TimeoutError:
            return "it does not read what it is told"
        except ConnectionError:
            return "it closed its input"
        return self.ended_by or "the server closed its line"

    def _heard(self, message: ServerMessage) -> ServerMessage | None:
        """Note what tells of faults. What the program is to hear instead, if anything."""
        match message:
            case Ok() | Refused() if (table := self._ours.pop(message.id, None)) is not None:
                self._seats.pop(table, None)
                return Left(table, "your games at this table are played")
            case Ok(table=int(table), seat=int(seat)):
                self._seats[table] = seat
            case Ok() if message.id in self._moves:
                del self._moves[message.id]
                self._running = 0
            case Refused():
                self._moves.pop(message.id, None)
                if (fault := _FAULTS.get(message.code)) is not None:
                    self._noted(fault, f"was refused: {message.says}")
            case Goodbye() if message.code != "bye":
                self.ended_by = f"the server closed its line: {message.says}"
                if (fault := _GOODBYES.get(message.code)) is not None:
                    self._noted(fault, f"was sent away: {message.says}")
            case Left():
                self._seats.pop(message.table, None)
            case Events():
                for event in message.events:
                    if isinstance(event, ThrewIn) and event.cause is Cause.TIME:
                        self._late(message.table, event.seat)
            case _:
                pass
        return None

    def _late(self, table: int, seat: Seat) -> None:
        if self._seats.get(table) == seat:
            self._running += 1
            self._was_late(self._running)

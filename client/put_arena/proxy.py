"""Proxy between a program and the server: passes messages on, and records faults of the program.

Law: messages pass whole and in order, and the queue is bounded. The proxy adds three messages: `leave` to the server
when a table's games are played, with `left` to the program; and `bye` when the program has ended. In `hello` it sets
`is_bot` and the name that the arena gives. It refuses requests that no game needs, with which a program could talk to
another, ask the server how to play, invite its opponents to other tables, or keep a game that it would lose in a pause.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from put_arena.competitors import Conduct, Fault
from put_protocol.codecs import FRAMES, Codec, decoder_of_replies, sniff
from put_protocol.errors import FramingError, ProtocolError
from put_protocol.framing import frame, line
from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.messages import Bye, Events, Goodbye, Leave, Left, Ok, Refused, ServerMessage
from put_protocol.parts import parts
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import TimedOut
from put_protocol.text import printable

READ_BYTES = 64 * 1024

UNREAD_BYTES = 1024 * 1024
"""Bytes that may wait for a program that does not read. Then the server waits too, and drops it as too slow."""

READ_MESSAGES_SECONDS = 10.0

LAST_WORDS_SECONDS = 1.0
"""Limit from the end of one direction of the connection to the end of the other."""

OWN_IDS = 2**53 - 2**20
"""First id of the proxy's own requests. No program counts this far."""

MOST_MOVES_IN_FLIGHT = 1_000

_PLAY = frozenset(
    [
        *("hello", "sit", "stand", "leave", "resign", "again", "refresh", "act", "blind"),
        *("ping", "pong", "bye"),
    ]
)
"""Messages that pass."""

MOST_STRANGE = 200
"""Other requests after which the connection is closed."""

SHOWN_BYTES = 40
"""Bytes of something that is no message, in the words of a fault."""

_FAULTS = {
    RefusalCode.ILLEGAL: Fault.ILLEGAL,
    RefusalCode.BAD_REQUEST: Fault.GARBAGE,
    RefusalCode.TOO_FAST: Fault.TOO_FAST,
}

_GOODBYES = {"too_fast": Fault.TOO_FAST, "protocol": Fault.GARBAGE}


class Proxy:
    """The proxy of one program, for successive connections."""

    def __init__(self, name: str, conduct: Conduct, slow: float) -> None:
        """`conduct` gets the faults. `slow`: seconds to wait before each move."""
        self._name = name
        self._conduct = conduct
        self._slow = slow
        self._late_turns = 0
        self._last_id = OWN_IDS
        self._our_leaves: dict[int, int] = {}
        self._moves: dict[Any, None] = {}
        self._seats: dict[int, Seat] = {}
        self._codec: Codec = FRAMES
        self._to_server: asyncio.StreamWriter | None = None
        self._strange = 0
        self._stray = b""
        """The beginning of the last that was no message."""
        self.why_closed = ""
        self.refusal = ""
        """Reason why the program's last request was refused; empty: it was not."""

    def leave(self, table: int) -> None:
        if self._to_server is not None and table in self._seats:
            self._last_id += 1
            self._our_leaves[self._last_id] = table
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
        """Carry one connection until either side ends it. Returns the reason, as the end of a sentence. Then `is_over`
        tells whether the program has ended and will not return to its seats."""
        data = await reader.read(READ_BYTES)
        if not data:
            return "it sent nothing"
        codec = sniff(data[0])
        if codec is None:
            self._conduct.note(
                Fault.GARBAGE, f"spoke neither JSON lines nor frames: it began with {data[:SHOWN_BYTES]!r}"
            )
            return "it does not speak the protocol"
        self._codec = codec
        from_server, to_server = await asyncio.open_connection(host, port)
        self._to_server = to_server
        up = asyncio.create_task(self._carry_up(data, reader, to_server, writer))
        down = asyncio.create_task(self._carry_down(from_server, writer))
        try:
            await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
            if not down.done():
                if is_over() and not to_server.is_closing():
                    to_server.write(codec.encode(Bye()))
                await asyncio.wait({down}, timeout=LAST_WORDS_SECONDS)  # in which it may say why
            return self.why_closed or next(task.result() for task in (up, down) if task.done())
        finally:
            self._to_server = None
            for task in (up, down):
                task.cancel()
            to_server.close()
            await asyncio.gather(up, down, return_exceptions=True)

    async def _carry_up(
        self,
        data: bytes,
        reader: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
        to_program: asyncio.StreamWriter,
    ) -> str:
        splitter = self._codec.splitter()
        is_first = True
        while data:
            try:
                for piece in splitter.feed(data):
                    message = self._read(piece)
                    if not message:
                        self._stray = piece[:SHOWN_BYTES]
                    kind = message.get("type")
                    if isinstance(kind, str) and kind not in _PLAY:
                        self._refuse(kind, message.get("id"), to_program)
                        if self._strange > MOST_STRANGE:
                            return "it asked too often for what no game needs"
                        continue
                    if kind == "act":
                        self._note_move(message)
                        if self._slow:
                            await asyncio.sleep(self._slow)
                    if to_server.is_closing():  # each write more would be a line of asyncio's on the standard error
                        break
                    to_server.write(self._framed(self._our_hello(message) if is_first and kind == "hello" else piece))
                    is_first = False
                async with asyncio.timeout(READ_MESSAGES_SECONDS):
                    await to_server.drain()
            except FramingError as error:
                self._conduct.note(Fault.GARBAGE, f"sent {error.reason}")
                return "it sent what is no message"
            except TimeoutError:
                return "it sent more than the server would read"
            except ConnectionError:
                return self.why_closed or "the server closed the connection"
            data = await reader.read(READ_BYTES)
        return "it closed its output"

    def _read(self, piece: bytes) -> dict[str, Any]:
        """A message of the program; empty if it is none, which the server refuses."""
        try:
            message = self._codec.objects(piece, REQUEST_ARRAY_ITEMS)
        except ValueError:
            return {}
        return message if isinstance(message, dict) else {}

    def _our_hello(self, hello: dict[str, Any]) -> bytes:
        """The `hello` with the arena's name in it."""
        hello |= {"is_bot": True} if hello.get("token") else {"is_bot": True, "name": self._name}
        return msgspec.msgpack.encode(hello) if self._codec is FRAMES else msgspec.json.encode(hello)

    def _refuse(self, kind: str, request: Any, to_program: asyncio.StreamWriter) -> None:
        self._strange += 1
        self._conduct.note(Fault.ILLEGAL, f"asked for {printable(kind)[:SHOWN_BYTES]}, which no game needs")
        if isinstance(request, int) and not to_program.is_closing():
            says = "the arena passes on only what a game needs"
            to_program.write(self._codec.encode(Refused(request, RefusalCode.NOT_ADMITTED, says, field="type")))

    def _note_move(self, message: dict[str, Any]) -> None:
        number = message.get("id")
        if isinstance(number, int) and len(self._moves) < MOST_MOVES_IN_FLIGHT:
            self._moves[number] = None

    def _framed(self, piece: bytes) -> bytes:
        return frame(piece) if self._codec is FRAMES else line(piece)

    async def _carry_down(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
        splitter = self._codec.splitter()
        decoder = decoder_of_replies(self._codec)
        try:
            while data := await reader.read(READ_BYTES):
                passed = []
                for piece in splitter.feed(data):
                    replaced = None
                    with suppress(ProtocolError):
                        for part in parts(decoder.decode(piece)):
                            replaced = self._receive(part) or replaced
                    passed.append(self._framed(piece) if replaced is None else self._codec.encode(replaced))
                if writer.is_closing():
                    return "it closed its input"
                writer.write(b"".join(passed))
                # Read on for a while though the program does not: the reason why the server closes comes last.
                if writer.transport.get_write_buffer_size() > UNREAD_BYTES:
                    async with asyncio.timeout(READ_MESSAGES_SECONDS):
                        await writer.drain()
        except TimeoutError:
            return "it does not read what it is sent"
        except ConnectionError:
            return "it closed its input"
        return self.why_closed or "the server closed the connection"

    def _receive(self, message: ServerMessage) -> ServerMessage | None:
        """Record faults. Returns the message for the program in place of this one, if any."""
        match message:
            case Ok() | Refused() if (table := self._our_leaves.pop(message.id, None)) is not None:
                self._seats.pop(table, None)
                return Left(table, "your games at this table are played")
            case Ok():
                self.refusal = ""
                if message.table is not None and message.seat is not None:
                    self._seats[message.table] = message.seat
                elif self._moves.pop(message.id, None) is not None:
                    self._late_turns = 0
            case Refused():
                self._moves.pop(message.id, None)
                self.refusal = message.says
                if (fault := _FAULTS.get(message.code)) is not None:
                    stray, self._stray = self._stray, b""
                    self._conduct.note(
                        fault, f"was refused: {message.says}{f'; it had sent {stray!r}' if stray else ''}"
                    )
            case Goodbye() if message.code != "bye":
                self.why_closed = f"the server closed the connection: {message.says}"
                if (fault := _GOODBYES.get(message.code)) is not None:
                    self._conduct.note(fault, f"was sent away: {message.says}")
            case Left():
                self._seats.pop(message.table, None)
            case Events():
                for event in message.events:
                    if isinstance(event, TimedOut) and event.seat == self._seats.get(message.table):
                        self._late_turns += 1
                        self._conduct.note(Fault.LATE, running=self._late_turns)
            case _:
                pass
        return None

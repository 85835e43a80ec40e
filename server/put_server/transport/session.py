"""Session: one peer's connection, its rate limit, and its bounded outbox. A slow reader is dropped and may resume.

A session is the asyncio protocol itself, so an idle peer costs one small object. All sessions read into one buffer:
what is read is copied out before the next read can happen. Peers that speak frames or JSON and peers that type plain
English are the same to the handler, with one exception: the first are delivered bytes encoded once for all, the second
are sent messages, which become sentences for that session alone.
"""

import asyncio
import logging
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Final, Protocol

from put_protocol import PROTOCOL_VERSION, messages
from put_protocol.codecs import Codec, is_plain, misspoken
from put_protocol.connection import ServerConnection
from put_protocol.errors import FramingError, HandshakeError, MessageError, ProtocolError
from put_protocol.refusals import RefusalCode
from put_server.table.effects import PersonId
from put_server.transport.admission import Admission, Caller
from put_server.transport.budgets import (
    BYTE_COST,
    CONNECTION_COST,
    HANDSHAKE_COST,
    HEARTBEAT_COST,
    REFUSAL_COST,
    REQUEST_COST,
    TYPED_BYTE_COST,
    Budgets,
    Standing,
)
from put_server.transport.encryption import BUFFER_BYTES, limit_unread
from put_server.transport.keepalive import keep_alive
from put_server.transport.meters import Meters
from put_server.transport.older import OlderPeer
from put_server.transport.rate_limit import REQUESTS_AT_ONCE
from put_server.transport.web import Web, begins_http
from put_text.plain.connection import Parted, PlainConnection

if TYPE_CHECKING:  # it is loaded with HTTP, when a browser comes
    from put_server.transport.websocket import WebSocketConnection

log = logging.getLogger(__name__)

OUTBOX_BYTES: Final = 1024 * 1024
"""What may wait for one peer: twice the largest lobby as JSON, or minutes of play; mostly nothing waits."""

CLOSING_MS: Final = 5_000
"""For the last words to reach a peer before its connection is cut."""

READ_BYTES: Final = 4 * 1024
"""Read at once: fifty moves. What is read is decoded before anybody else is served."""

TYPED_BYTES: Final = 64
"""The same of typed text, where every byte may be a line."""

_READ = memoryview(bytearray(READ_BYTES))

_REFUSALS = frozenset(("refused", "protocol", "too_fast"))
"""Goodbyes that the log of peers has as refusals."""

MOVE_BYTES: Final = 160
"""Of a move that are free."""

_MOVES = frozenset({messages.Act, messages.Again, messages.Cut})
"""The table itself sets the pace of these: only one that it refused is counted."""

_FREE = _MOVES | {messages.Bye, messages.Ping, messages.Pong, FramingError, HandshakeError}
"""Nobody waits with these, whatever they owe."""

_PEACEFUL = frozenset(("bye", "draining", "taken_over"))
"""Goodbyes that refuse nothing."""


TOO_FAST = messages.Goodbye(code="too_fast", says="you asked too often, and did not wait when told to")


class Handler(Protocol):
    """Whoever handles what peers say: the dispatcher. It answers by `send`, `deliver` and `farewell`."""

    @property
    def now(self) -> Callable[[], int]: ...
    @property
    def asks_password(self) -> bool: ...
    @property
    def admission(self) -> Admission: ...
    @property
    def budgets(self) -> Budgets: ...

    read_at: float
    meters: Meters

    def enter(self, session: "Session") -> None: ...
    def exit(self, session: "Session") -> None: ...
    def family_at(self, table: int) -> str: ...
    def note_pause(self, session: "Session") -> None: ...
    def must_hello_wait(self, session: "Session", hello: messages.Hello) -> bool: ...
    def hello(self, session: "Session", hello: messages.Hello) -> messages.Goodbye | None: ...
    def bye(self, session: "Session") -> None: ...
    def ask(self, session: "Session", request: messages.Request) -> bool: ...
    def answer_ping(self, session: "Session") -> None: ...
    def flush(self, *sessions: "Session") -> None: ...


class Session(asyncio.BufferedProtocol):
    """One peer, from its connecting to its loss."""

    __slots__ = (
        "_closing_since",
        "_connection",
        "_early",
        "_framed",
        "_free_bytes",
        "_handler",
        "_held",
        "_is_http",
        "_is_paused",
        "_is_prepaid",
        "_is_stranger",
        "_older",
        "_plain",
        "_socket",
        "_transport",
        "_waiting",
        "_web",
        "caller",
        "person",
        "standing",
    )

    def __init__(self, handler: Handler, caller: Caller | None = None, web: Web | None = None) -> None:
        now = handler.now()
        self.person: PersonId | None = None
        """Who the peer is, once admitted."""
        self.caller = caller or Caller()
        """Where they connect from."""
        self._handler = handler
        self._web = web
        """What answers HTTP; None: nothing does."""
        self._held = b""
        """What may become HTTP."""
        self._framed = ServerConnection(now)
        self._plain: PlainConnection | None = None
        """Text connection; None for framed and JSON peers."""
        self._socket: WebSocketConnection | None = None
        """The same as `_framed`, where the peer speaks WebSocket."""
        self._older: OlderPeer | None = None
        """Adapts messages; None for peers of this protocol version."""
        self._connection: ServerConnection | PlainConnection = self._framed
        """The one in use."""
        self._is_http = False
        """HTTP answers on the connection."""
        self._is_stranger = True
        """No byte came yet."""
        self.standing = Standing(now)
        """What is counted against the peer; the person's, once admitted."""
        self._waiting: list[messages.ClientMessage | ProtocolError] = []  # an empty deque has 0.7 kB
        """Received and not handled: while there are any, nothing more is read."""
        self._is_paused = False
        """Nothing is read, until what is owed is paid."""
        self._free_bytes = 0
        """Of the last read, those that are not charged."""
        self._is_prepaid = False
        """The next read was charged already, as a whole."""
        self._transport: asyncio.Transport | None = None
        self._closing_since: int | None = None
        self._early: tuple[messages.ClientMessage | ProtocolError, ...] = ()
        """Received between the hello and the welcome, which is the first answer and may wait for its record."""

    @property
    def codec(self) -> Codec | None:
        """By which messages may be encoded for `deliver`; None: the peer types, is of an older version, or said
        nothing yet."""
        return self._framed.codec if self._older is None else None

    @property
    def pending(self) -> int:
        """Bytes that wait for the peer to read."""
        waiting = self._transport.get_write_buffer_size() if self._transport is not None else 0
        return self._connection.pending + waiting

    # --- called by asyncio ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self.caller.holder = self
        if self.caller.is_encrypted:
            limit_unread(transport)
        self._handler.enter(self)
        self._charge(CONNECTION_COST + (HANDSHAKE_COST if self.caller.is_encrypted else 0.0))
        if self._owes():
            self._pause()

    def get_buffer(self, sizehint: int) -> memoryview:  # asyncio's signature
        return _READ if self._plain is None else _READ[:TYPED_BYTES]

    def buffer_updated(self, nbytes: int) -> None:
        try:
            self._handler.read_at = perf_counter()
            data = bytes(_READ[:nbytes])
            if self._is_stranger:
                if self._web is not None:
                    data = self._held + data
                    if (is_http := begins_http(data)) is not False:
                        self._held = data
                        if is_http:
                            self._leave_to(self._web)
                        return
                self._meet(data)
                if self.caller.refusal:
                    self._refuse(data)
                    return
            self._hear(data)
        except Exception:  # the boundary: a bug met on one peer's account ends that peer alone
            log.exception("a message could not be handled; its connection is closed")
            self.cut()

    def _hear(self, data: bytes) -> None:
        """Handle what was read."""
        self._free_bytes = 0
        items = self._connection.receive(data, self._handler.now())
        if len(items) == 1 and type(items[0]) in _FREE and not (self._waiting or self._closing_since):
            self._handle(items[0])
        else:
            self._waiting += items
            self._process()
        if self.caller.place is not None and len(data) > self._free_bytes:
            if self._is_prepaid:
                self._is_prepaid = False
            else:
                self._charge((len(data) - self._free_bytes) * self._byte_cost)
            if self._owes():
                self._pause()
        if self._socket is not None:
            self._socket.note_frames()
        if self._framed.take_pulse():
            self._handler.answer_ping(self)
        # Heartbeats are answered below us; a flood of them is a flood all the same.
        if beats := self._framed.take_heartbeats():
            self._count(beats)
            self._charge(beats * HEARTBEAT_COST)
        if self._socket is not None and self._socket.wants_close:
            self._socket.close()
            self._end()
        else:
            self._handler.flush(self)

    def eof_received(self) -> bool:
        if self._plain is not None and self._closing_since is None:
            self._plain.part()  # who pressed Ctrl-D may still read
            self.flush()
        return False

    def connection_lost(self, exc: Exception | None) -> None:  # how it was lost changes nothing
        self._transport = None
        self._handler.exit(self)

    def _meet(self, data: bytes) -> None:
        """The first byte tells whether the peer types, unless the next ones say that a program made a mistake."""
        self._is_stranger = False
        if mistake := misspoken(data):
            self.caller.refusal = self.caller.refusal or mistake
        elif is_plain(data[0]):
            self._connection = self._plain = PlainConnection(
                self._handler.now(), spend=lambda: self._count(1), asks_password=self._handler.asks_password
            )
            keep_alive(self._transport)

    def _leave_to(self, web: Web) -> None:
        """The peer speaks HTTP. Until it upgrades, this session only ends the connection in time."""
        assert self._transport is not None
        self._is_http = True
        self._closing_since = self._handler.now()
        web.take_over(self._transport, self._held, self)

    def may_ask(self) -> bool:
        """HTTP asks for something: it is charged, and has its own time. False: too much is owed."""
        now = self._closing_since = self._handler.now()
        if self._web is not None:
            self._web.note_browser(self.caller.site, now)
        if self._owes():
            return False
        self._charge(REQUEST_COST)
        return True

    def upgrade(self, make: "Callable[[int], WebSocketConnection]", data: bytes) -> None:
        """HTTP gives the connection back: from now on it is a WebSocket. `data` came behind the request."""
        assert self._transport is not None
        self._held = b""
        self._closing_since = None
        self._is_stranger = self._is_http = False
        self._framed = self._connection = self._socket = make(self._handler.now())
        self._transport.set_protocol(self)
        if data:
            self._hear(data)

    def _refuse(self, data: bytes) -> None:
        """Send the peer away in the form in which it speaks."""
        self._connection.receive(data, self._handler.now())
        self.farewell(messages.Goodbye(code="protocol", says=self.caller.refusal))

    # --- what is owed ---

    @property
    def owed(self) -> float:
        """By the peer and their origin, when it was looked at last: who owes the least is served first."""
        place = self.caller.place
        return self.standing.account.debt + (0.0 if place is None else place.account.debt)

    @property
    def _byte_cost(self) -> float:
        return BYTE_COST if self._plain is None else TYPED_BYTE_COST

    def _charge(self, cost: float) -> None:
        place = self.caller.place
        if place is not None:
            self._handler.budgets.charge(self._handler.now(), cost, self.standing, place.account)

    def _owes(self, *, for_heavy: bool = False) -> bool:
        """Whether the peer owes too much to be served."""
        place = self.caller.place
        return place is not None and self._handler.budgets.must_wait(
            self._handler.now(), self.standing, place.account, for_heavy=for_heavy
        )

    def _pause(self) -> None:
        """Read no more until `resume`."""
        if not self._is_paused and self._closing_since is None and self._transport is not None:
            self._is_paused = True
            self._transport.pause_reading()
            self._handler.note_pause(self)

    def resume(self) -> bool:
        """Go on where reading was paused, as far as what is owed allows. Returns whether all is done."""
        if self._transport is None or self._closing_since is not None:
            return True
        try:
            if self._waiting:
                self._handler.read_at = perf_counter()
                self._process()
            if self._waiting or self._owes():
                return False
            self._is_paused = False
            if not self._is_prepaid:  # else all who wait would be read at once, and charged only then
                self._is_prepaid = True
                self._charge(READ_BYTES * BYTE_COST if self._plain is None else TYPED_BYTES * TYPED_BYTE_COST)
            self._transport.resume_reading()
        except Exception:  # the boundary, as where bytes are read
            log.exception("a message could not be handled; its connection is closed")
            self.cut()
        return True

    # --- messages ---

    def _process(self) -> None:
        """Handle what was received, until something must wait."""
        waiting = self._waiting
        while waiting and self._closing_since is None:
            if type(waiting[0]) not in _FREE and self._must_wait(waiting[0]):
                self._pause()
                return
            self._handle(waiting.pop(0))
        waiting.clear()

    def _must_wait(self, item: messages.ClientMessage | ProtocolError) -> bool:
        if isinstance(item, messages.Hello):
            return self._handler.must_hello_wait(self, item)
        return self._owes(for_heavy=type(item) is messages.Look)

    def _handle(self, item: messages.ClientMessage | ProtocolError) -> None:
        if self._older is not None:
            item = self._older.asked(item)
        match item:
            case messages.Act() | messages.Again() | messages.Cut() if self.person is not None:
                if self._handler.ask(self, item):
                    self._free_bytes += MOVE_BYTES
                else:
                    self._count(1)
                    self._charge(REQUEST_COST)
            case messages.Hello():
                if item.version < PROTOCOL_VERSION:
                    self._older = OlderPeer(self._handler.family_at)
                if (goodbye := self._handler.hello(self, item)) is not None:
                    self.farewell(goodbye)
            case messages.Bye():
                self._handler.bye(self)
            case messages.Ping() | messages.Pong():
                pass
            case Parted():
                self.farewell(messages.Goodbye(code="bye", says=item.reason))
            case FramingError() | HandshakeError():
                self.farewell(messages.Goodbye(code="protocol", says=item.reason))
            case _ if self.person is None:
                if len(self._early) >= REQUESTS_AT_ONCE:
                    self.farewell(messages.Goodbye(code="protocol", says="you ask too much before your welcome"))
                self._early = (*self._early, item)
            case MessageError():
                if self._is_within_limit(item.request_id):
                    self._handler.meters.refused[RefusalCode.BAD_REQUEST] += 1
                    self.send(messages.Refused(item.request_id, RefusalCode.BAD_REQUEST, item.reason, field=item.field))
            case ProtocolError():
                raise AssertionError(f"{item!r} is the client's to raise")
            case _:
                if self._is_within_limit(item.id):
                    self._handler.ask(self, item)

    def begin(self) -> None:
        """The peer is admitted, and has been sent all that comes with the welcome: handle what it asked too early."""
        self._waiting[:0] = self._early
        self._early = ()
        self._process()

    def _is_within_limit(self, request: int) -> bool:
        wait = self._count(1)
        if wait and self._closing_since is None:
            self._handler.meters.refused[RefusalCode.TOO_FAST] += 1
            says = f"too many requests: wait {max(wait, 100) / 1000:.1f} seconds"
            self.send(messages.Refused(request, RefusalCode.TOO_FAST, says, retry_after_ms=wait))
            self._charge(REFUSAL_COST)
        return wait == 0

    def _count(self, count: int) -> int:
        """Count against the rate limit; who exceeds it again and again is sent away. Returns milliseconds to wait."""
        rate_limit = self.standing.rate_limit
        wait = rate_limit.spend(self._handler.now(), count)
        if rate_limit.is_hopeless:
            self.farewell(TOO_FAST)
        return wait

    # --- sending ---

    def ping(self) -> None:
        """Ping a program; its answer goes to the handler. A person who types is not asked."""
        if self._plain is None and self._closing_since is None:
            self._framed.want_pulse()
            self.flush()

    def send(self, message: messages.ServerMessage) -> None:
        """Queue a message for this peer; `flush` sends it. After a goodbye nothing more is sent."""
        if self._closing_since is not None:
            return
        if self._plain is not None:
            self._say(self._plain, message)
        elif self._older is not None:
            self._send_adapted(self._older, message)
        else:
            self._framed.send(message)

    def _send_adapted(self, older: OlderPeer, message: messages.ServerMessage) -> None:
        """A session boundary: messages are adapted while somebody else's request is carried out."""
        try:
            adapted = older.told(message)
        except Exception:
            log.exception("a message could not be adapted; its connection is closed")
            self.cut()
            return
        if adapted is not None:
            self._framed.send(adapted)

    def _say(self, plain: PlainConnection, message: messages.ServerMessage) -> None:
        """A session boundary, too: sentences are made while somebody else's request is carried out."""
        try:
            plain.send(message, self._handler.now())
        except Exception:
            log.exception("a message could not be put in words; its connection is closed")
            self.cut()

    def _follow(self, plain: PlainConnection) -> None:
        """Handle the requests that follow from what was just sent. A session boundary, for the same reason."""
        try:
            while items := plain.take_requests():
                self._waiting += items
                self._process()
        except Exception:
            log.exception("a request could not be handled; its connection is closed")
            self.cut()

    def deliver(self, data: bytes) -> None:
        """Queue bytes already encoded by this peer's codec. After a goodbye nothing more is sent."""
        if self._closing_since is None:
            self._framed.send_encoded(data)

    def flush(self) -> None:
        """Send what is queued. This is where a slow reader is dropped: no table ever waits for it."""
        if self._plain is not None:
            self._follow(self._plain)
        if self._transport is None or self._connection.pending == 0:
            return
        data = self._connection.take()
        if self.caller.is_encrypted and len(data) > BUFFER_BYTES:
            self._write_pieces(self._transport, data)
        else:
            self._transport.write(data)
        if self._transport.get_write_buffer_size() > OUTBOX_BYTES:
            log.info("a slow reader is dropped")
            self._handler.meters.refused["too_slow"] += 1
            self.caller.parting = "too_slow"
            self.cut()

    def _write_pieces(self, transport: asyncio.Transport, data: bytes) -> None:
        """OpenSSL keeps for good as much room as the longest write took; a welcome alone has 30 KiB."""
        for at in range(0, len(data), BUFFER_BYTES):
            transport.write(data[at : at + BUFFER_BYTES])

    def farewell(self, goodbye: messages.Goodbye) -> None:
        """Say why and close; once. What the peer does not read in time is lost. A mistyped name may be tried again."""
        if self._is_http and self._transport is not None:
            self._transport.close()  # what was asked is answered, and there is nobody to part from
        if self._closing_since is not None or self._transport is None:
            return
        if goodbye.code in _REFUSALS:
            self._handler.admission.log.refused(self.caller.address, goodbye.refusal or goodbye.code)
        if self._plain is not None and self._plain.is_let_try_again(goodbye):
            return
        if goodbye.code not in _PEACEFUL:
            self._handler.meters.refused[goodbye.refusal or goodbye.code] += 1
        self.caller.parting = goodbye.code
        self.send(goodbye)
        self._end()

    def _end(self) -> None:
        """Send what is queued, and close; what the peer does not read in time is lost."""
        self._closing_since = self._handler.now()
        self.flush()
        if self._transport is not None:
            self._transport.close()

    def cut(self) -> None:
        """Close at once; may be called again and again."""
        if self._transport is not None:
            self._transport.abort()

    def tick(self, now: int) -> None:
        """Heartbeat and deadlines; every second or so."""
        if self._closing_since is not None:
            if now - self._closing_since >= CLOSING_MS:
                self.cut()
            return
        goodbye = self._connection.tick(now)
        if goodbye is not None:
            self.farewell(goodbye)
        self.flush()

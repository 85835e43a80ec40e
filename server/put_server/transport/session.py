"""Session: one peer's connection, its rate limit, and its bounded outbox. A slow reader is dropped and may resume.

A session is the asyncio protocol itself, so an idle peer costs one small object. All sessions read into one buffer:
what is read is copied out before the next read can happen. Peers that speak frames or JSON and peers that type plain
English are the same to the handler, with one exception: the first are delivered bytes encoded once for all, the second
are sent messages, which become sentences for that session alone.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final, Protocol

from put_protocol import PROTOCOL_VERSION, messages
from put_protocol.codecs import Codec, is_plain
from put_protocol.connection import ServerConnection
from put_protocol.errors import FramingError, HandshakeError, MessageError, ProtocolError
from put_protocol.refusals import RefusalCode
from put_server.table.effects import PersonId
from put_server.transport.admission import Caller
from put_server.transport.encryption import BUFFER_BYTES
from put_server.transport.keepalive import keep_alive
from put_server.transport.older import OlderPeer
from put_server.transport.rate_limit import REQUESTS_AT_ONCE, RateLimit
from put_text.plain.connection import PlainConnection

log = logging.getLogger(__name__)

OUTBOX_BYTES: Final = 1024 * 1024
"""What may wait for one peer: twice the largest lobby as JSON, or minutes of play; mostly nothing waits."""

CLOSING_MS: Final = 5_000
"""For the last words to reach a peer before its connection is cut."""

_READ = memoryview(bytearray(16 * 1024))


class Handler(Protocol):
    """Whoever handles what peers say: the dispatcher. It answers by `send`, `deliver` and `farewell`."""

    @property
    def now(self) -> Callable[[], int]: ...
    @property
    def asks_password(self) -> bool: ...
    def enter(self, session: "Session") -> None: ...
    def exit(self, session: "Session") -> None: ...
    def family_at(self, table: int) -> str: ...
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
        "_handler",
        "_is_stranger",
        "_older",
        "_plain",
        "_rate_limit",
        "_transport",
        "caller",
        "person",
    )

    def __init__(self, handler: Handler, caller: Caller | None = None) -> None:
        now = handler.now()
        self.person: PersonId | None = None
        """Who the peer is, once admitted."""
        self.caller = caller or Caller()
        """Where they connect from."""
        self._handler = handler
        self._framed = ServerConnection(now)
        self._plain: PlainConnection | None = None
        """Text connection; None for framed and JSON peers."""
        self._older: OlderPeer | None = None
        """Adapts messages; None for peers of this protocol version."""
        self._connection: ServerConnection | PlainConnection = self._framed
        """The one in use."""
        self._is_stranger = True
        """No byte came yet."""
        self._rate_limit = RateLimit(now)
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
        self._handler.enter(self)

    def get_buffer(self, sizehint: int) -> memoryview:  # asyncio's signature
        return _READ

    def buffer_updated(self, nbytes: int) -> None:
        try:
            data = bytes(_READ[:nbytes])
            if self._is_stranger:
                self._meet(data[0])
                if self.caller.refusal:
                    self._refuse(data)
                    return
            for item in self._connection.receive(data, self._handler.now()):
                if self._closing_since is not None:
                    break
                self._handle(item)
            if self._framed.take_pulse():
                self._handler.answer_ping(self)
            # Heartbeats are answered below us; a flood of them is a flood all the same.
            if beats := self._framed.take_heartbeats():
                self._charge(beats)
            self._handler.flush(self)
        except Exception:  # the boundary: a bug met on one peer's account ends that peer alone
            log.exception("a message could not be handled; its connection is closed")
            self.cut()

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:  # how it was lost changes nothing
        self._transport = None
        self._handler.exit(self)

    def _meet(self, first: int) -> None:
        """The first byte tells whether the peer types."""
        self._is_stranger = False
        if is_plain(first):
            self._connection = self._plain = PlainConnection(
                self._handler.now(), spend=lambda: self._charge(1), asks_password=self._handler.asks_password
            )
            keep_alive(self._transport)

    def _refuse(self, data: bytes) -> None:
        """Send the peer away in the form in which it speaks."""
        self._connection.receive(data, self._handler.now())
        self.farewell(messages.Goodbye(code="protocol", says=self.caller.refusal))

    # --- messages ---

    def _handle(self, item: messages.ClientMessage | ProtocolError) -> None:
        if self._older is not None:
            item = self._older.asked(item)
        match item:
            case messages.Act() | messages.Again() | messages.Cut() if self.person is not None:
                # The table itself sets the pace of these: only one that it refused is counted.
                if not self._handler.ask(self, item):
                    self._charge(1)
            case messages.Hello():
                if item.version < PROTOCOL_VERSION:
                    self._older = OlderPeer(self._handler.family_at)
                if (goodbye := self._handler.hello(self, item)) is not None:
                    self.farewell(goodbye)
            case messages.Bye():
                self._handler.bye(self)
            case messages.Ping() | messages.Pong():
                pass
            case FramingError() | HandshakeError():
                self.farewell(messages.Goodbye(code="protocol", says=item.reason))
            case _ if self.person is None:
                if len(self._early) >= REQUESTS_AT_ONCE:
                    self.farewell(messages.Goodbye(code="protocol", says="you ask too much before your welcome"))
                self._early = (*self._early, item)
            case MessageError():
                if self._is_within_limit(item.request_id):
                    self.send(messages.Refused(item.request_id, RefusalCode.BAD_REQUEST, item.reason, field=item.field))
            case ProtocolError():
                raise AssertionError(f"{item!r} is the client's to raise")
            case _:
                if self._is_within_limit(item.id):
                    self._handler.ask(self, item)

    def begin(self) -> None:
        """The peer is admitted, and has been sent all that comes with the welcome: handle what it asked too early."""
        items, self._early = self._early, ()
        for item in items:
            if self._closing_since is None:
                self._handle(item)

    def _is_within_limit(self, request: int) -> bool:
        wait = self._charge(1)
        if wait and self._closing_since is None:
            says = f"too many requests: wait {wait / 1000:.1f} seconds"
            self.send(messages.Refused(request, RefusalCode.TOO_FAST, says, retry_after_ms=wait))
        return wait == 0

    def _charge(self, count: int) -> int:
        """Count against the rate limit; who exceeds it again and again is sent away. Returns milliseconds to wait."""
        wait = self._rate_limit.spend(self._handler.now(), count)
        if self._rate_limit.is_hopeless:
            self.farewell(messages.Goodbye(code="too_fast", says="you asked too often, and did not wait when told to"))
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
                for item in items:
                    if self._closing_since is None:
                        self._handle(item)
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
            self.cut()

    def _write_pieces(self, transport: asyncio.Transport, data: bytes) -> None:
        """OpenSSL keeps for good as much room as the longest write took; a welcome alone has 30 KiB."""
        for at in range(0, len(data), BUFFER_BYTES):
            transport.write(data[at : at + BUFFER_BYTES])

    def farewell(self, goodbye: messages.Goodbye) -> None:
        """Say why and close; once. What the peer does not read in time is lost. A mistyped name may be tried again."""
        if self._closing_since is not None or self._transport is None:
            return
        if self._plain is not None and self._plain.is_let_try_again(goodbye):
            return
        self.send(goodbye)
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

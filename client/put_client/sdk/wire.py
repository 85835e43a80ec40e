"""One socket with the protocol's state: connecting, sending, receiving, dropping; and delays of reconnects.

`client` adds reconnection over any number of these.
"""

import asyncio
import errno
import random
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress

from put_client.sdk.dialler import Dialler
from put_client.sdk.errors import BadServer, HungUp, NoServer, Rejected
from put_protocol.codecs import Codec
from put_protocol.connection import ClientConnection
from put_protocol.errors import ProtocolError
from put_protocol.messages import ClientMessage, Goodbye, Hello, ServerMessage, Welcome
from put_protocol.refusals import RefusalCode
from put_text.catalogue import say
from put_text.translated import in_language

READ_BYTES = 64 * 1024

UNSENT_BYTES = 1024 * 1024
"""Unsent bytes at which we drop the connection: a server that leaves a thousand requests unread counts as gone."""

Received = list[ServerMessage | ProtocolError]


class Wire:
    """A connected socket and the state of the protocol on it."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: ClientConnection
    ) -> None:
        self.connection = connection
        self._reader = reader
        self._writer = writer
        self._size = 0
        self._is_flushing = False

    async def receive(self) -> Received | None:
        """Wait for messages; None: the server has closed.

        :raises OSError: the connection broke.
        """
        data = await self._reader.read(READ_BYTES)
        self._size += len(data)
        return self.connection.receive(data, now_ms()) if data else None

    def take_size(self) -> int:
        """Bytes received since the last call, including those of incomplete messages."""
        size, self._size = self._size, 0
        return size

    def send(self, message: ClientMessage) -> None:
        """Queue a message. It is written with the other messages of this turn of the loop."""
        self.connection.send(message)
        if not self._is_flushing:
            self._is_flushing = True
            asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Write all that is queued: messages, and answers to heartbeats."""
        self._is_flushing = False
        data = self.connection.take()
        if not data or self._writer.is_closing():
            return
        self._writer.write(data)
        if self._writer.transport.get_write_buffer_size() > UNSENT_BYTES:
            self.drop()

    def drop(self) -> None:
        """Close at once, and lose unsent data. `receive` then returns None or raises."""
        self._writer.transport.abort()

    async def gone(self, timeout_s: float) -> None:
        """Wait until the socket is closed: one turn of the loop after `drop`."""
        with suppress(OSError):  # the error is known already; and TimeoutError is an OSError
            async with asyncio.timeout(timeout_s):
                await self._writer.wait_closed()


async def dial(dialler: Dialler, hello: Hello, *, codec: Codec, timeout_s: float) -> tuple[Wire, Welcome, Received]:
    """Connect and shake hands. Returns the wire, the welcome, and messages that came with it.

    The timeout applies once to connecting and once to the welcome.

    :raises NoServer: the server is unreachable or silent.
    :raises CannotTrust: it may be a different server.
    :raises Rejected: the answer was a goodbye.
    :raises BadServer: the answer is not from a put server.
    """
    host, port = dialler.host, dialler.port
    try:
        async with asyncio.timeout(timeout_s):
            reader, writer = await dialler.open()
    except (OSError, UnicodeError) as error:
        raise NoServer(host, port, why_unreachable(error)) from error
    connection = ClientConnection(now_ms(), codec)
    connection.follow_from(hello.seen)
    wire = Wire(reader, writer, connection)
    welcome = None
    try:
        async with asyncio.timeout(timeout_s):
            wire.send(hello)
            welcome, rest = await _shake_hands(wire, host, port)
            return wire, welcome, rest
    except TimeoutError:
        raise NoServer(host, port, say("client-server-silent")) from None
    except OSError as error:
        raise HungUp(host, port, why_unreachable(error)) from error
    finally:
        if welcome is None:
            wire.drop()


async def _shake_hands(wire: Wire, host: str, port: int) -> tuple[Welcome, Received]:
    while True:
        match await wire.receive():
            case None:
                raise HungUp(host, port, say("client-server-closed"))
            case [Welcome() as welcome, *rest]:
                return in_language(welcome), rest
            case [Goodbye() as goodbye, *_]:
                raise Rejected(goodbye.refusal or goodbye.code, in_language(goodbye).says)
            case [ProtocolError() as error, *_]:
                raise BadServer(error.reason)
            case taken:
                assert not taken  # nothing else comes out before a welcome


def now_ms() -> int:
    return int(asyncio.get_running_loop().time() * 1000)


def why_unreachable(error: OSError | UnicodeError) -> str:
    """Reason why an address is unreachable, as a clause."""
    if isinstance(error, socket.gaierror | UnicodeError):
        return say("client-unreachable", why="unknown")
    if isinstance(error, TimeoutError):
        return say("client-unreachable", why="silent")
    if isinstance(error, ssl.SSLError):
        return say("client-unreachable", why="tls")
    if error.errno in (None, errno.ECONNREFUSED):  # None: several addresses were tried, each for nothing
        return say("client-unreachable", why="nobody")
    return (error.strerror or str(error)).lower()


FIRST_WAIT_S, LONGEST_WAIT_S = 0.2, 10.0
"""First and longest wait. With the longest one, all clients are back within seconds after a server returns, and two
thousand waiting clients make only a few hundred attempts a second."""

LONGEST_ABSENCE_S = 24 * 3600.0
"""Longest announced downtime we wait out; a person should be told of a longer one."""

LONGEST_JITTER_S = 30.0

RESUMABLE = frozenset({"too_slow", "idle", "draining"})
"""Goodbyes that end the connection but not the session: a stopping server keeps seats and tokens until it is back."""

ENDING = frozenset({"bye", "kicked"})
"""Goodbyes that end the session: the token is no longer valid."""

PASSING = frozenset({RefusalCode.SERVER_FULL, RefusalCode.TOO_FAST, RefusalCode.DRAINING, "idle"})
"""Codes of refusals and goodbyes after which a server may accept us a little later."""


def backoff() -> Iterator[float]:
    """Seconds before each attempt to reconnect, without end: doubled up to a limit, with jitter so that not all clients
    return at once."""
    wait = FIRST_WAIT_S
    while True:
        yield wait * random.uniform(0.5, 1.0)
        wait = min(2 * wait, LONGEST_WAIT_S)


def absence(back_s: int) -> float:
    """Seconds to wait for a server that will be back in `back_s`: at least that, at most a day, with a little jitter
    added."""
    stated = min(max(back_s, 0), LONGEST_ABSENCE_S)
    return stated + random.uniform(0.0, min(stated / 10, LONGEST_JITTER_S))

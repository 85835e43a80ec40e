"""Transport of a bare connection: what asyncio promises of one, over a pair of sockets."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from put_server.transport.socket_transport import UNSENT_BYTES, SocketTransport
from tests.transport.sockets import BACKSTOP

MUCH = 4 * 1024 * 1024


class Heard(asyncio.BufferedProtocol):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.received = b""
        self.lost: list[Exception | None] = []
        self.is_faulty = False
        self._buffer = bytearray(8)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.told.append("made")

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        if self.is_faulty:
            raise AssertionError("a bug")
        self.received += self._buffer[:nbytes]

    def eof_received(self) -> bool:
        self.told.append("eof")
        return False

    def pause_writing(self) -> None:
        self.told.append("pause")

    def resume_writing(self) -> None:
        self.told.append("resume")

    def connection_lost(self, exc: Exception | None) -> None:
        self.told.append("lost")
        self.lost.append(exc)


@contextmanager
def connected() -> Iterator[tuple[SocketTransport, Heard, socket.socket]]:
    """A transport that was begun, its protocol, and the other end."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    heard = Heard()
    transport = SocketTransport(ours, heard)
    transport.begin()
    with theirs:
        yield transport, heard, theirs
        transport.abort()


async def until_lost(heard: Heard) -> Exception | None:
    async with asyncio.timeout(BACKSTOP):
        while not heard.lost:  # noqa: ASYNC110  # it has no event
            await asyncio.sleep(0)
    return heard.lost[0]


async def read_to_end(theirs: socket.socket) -> bytes:
    loop, pieces = asyncio.get_running_loop(), [b""]
    async with asyncio.timeout(BACKSTOP):
        while piece := await loop.sock_recv(theirs, 64 * 1024):
            pieces.append(piece)
    return b"".join(pieces)


async def test_all_that_was_written_before_closing_arrives() -> None:
    """In order, however slowly it is read; the protocol is paused once, and goes on before the end."""
    written = bytes(at % 251 for at in range(MUCH))
    with connected() as (transport, heard, theirs):
        transport.write(written[:10])
        assert transport.get_write_buffer_size() == 0
        transport.write(written[10:-10])
        transport.write(written[-10:])
        assert transport.get_write_buffer_size() > UNSENT_BYTES
        transport.close()
        transport.close()
        assert transport.is_closing()
        assert heard.lost == []
        assert await read_to_end(theirs) == written
        assert await until_lost(heard) is None
    assert heard.told == ["made", "pause", "resume", "lost"]


async def test_limit_of_what_waits_can_be_set() -> None:
    with connected() as (transport, heard, theirs):
        transport.set_write_buffer_limits(MUCH)
        transport.write(bytes(MUCH))
        assert heard.told == ["made"]
        transport.close()
        assert len(await read_to_end(theirs)) == MUCH


async def test_nothing_is_sent_after_an_abort() -> None:
    with connected() as (transport, heard, theirs):
        transport.write(bytes(MUCH))
        transport.abort()
        transport.abort()
        transport.write(b"late")
        assert transport.get_write_buffer_size() == 0
        assert await until_lost(heard) is None
        transport.close()
        transport.pause_reading()
        transport.resume_reading()
        assert len(await read_to_end(theirs)) < MUCH
    await asyncio.sleep(0)
    assert heard.told == ["made", "pause", "lost"]


async def test_bytes_come_until_the_peer_ends_them() -> None:
    """Not while reading is paused, and in pieces as large as the protocol's buffer."""
    with connected() as (transport, heard, theirs):
        transport.pause_reading()
        transport.pause_reading()
        theirs.send(b"twenty bytes of text")
        for _ in range(5):
            await asyncio.sleep(0)
        assert heard.received == b""
        transport.resume_reading()
        transport.resume_reading()
        theirs.shutdown(socket.SHUT_WR)
        assert await until_lost(heard) is None
    assert heard.received == b"twenty bytes of text"
    assert heard.told == ["made", "eof", "lost"]


async def test_loss_tells_why_the_connection_broke() -> None:
    """Whether it is met by reading or by writing."""
    for is_writing in (True, False):
        with connected() as (transport, heard, theirs):
            transport.write(b"unread, so closing resets the connection")
            if is_writing:
                transport.pause_reading()
            theirs.close()
            for number in count():
                if heard.lost or number > 10_000:
                    break
                transport.write(b"more" if is_writing else b"")
                await asyncio.sleep(0)
            assert isinstance(await until_lost(heard), ConnectionError)
        assert heard.told.count("lost") == 1


async def test_bug_of_a_protocol_ends_its_connection_alone(caplog: pytest.LogCaptureFixture) -> None:
    with connected() as (transport, heard, theirs):
        heard.is_faulty = True
        theirs.send(b"x")
        assert isinstance(await until_lost(heard), AssertionError)
        assert transport.is_closing()
    assert "could not be handled" in caplog.text

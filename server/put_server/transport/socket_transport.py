"""Transport of a connection without TLS: its socket, what the kernel has not taken yet, and its protocol.

asyncio's own does the same, and keeps 1 kB more for each connection: both addresses, an empty buffer, and dicts. Here
nothing is kept for a connection that neither reads nor writes. The laws are those of asyncio's transports: after
`connection_made` the protocol hears of bytes until `connection_lost`, which comes once, in a turn of the loop of its
own; what was written before `close` is sent; after `abort` nothing is.
"""

import asyncio
import logging
import socket
from typing import Any, Final

log = logging.getLogger(__name__)

UNSENT_BYTES: Final = 64 * 1024
"""The protocol is told to pause when more waits, and to go on at a quarter."""


class SocketTransport(asyncio.Transport):
    __slots__ = (
        "_is_closing",
        "_is_full",
        "_is_lost",
        "_is_paused",
        "_loop",
        "_most",
        "_protocol",
        "_socket",
        "_unsent",
    )

    def __init__(self, sock: socket.socket, protocol: asyncio.BufferedProtocol) -> None:
        """`begin` must be called next.

        :raises OSError: the connection is broken.
        """
        self._loop = asyncio.get_running_loop()
        self._socket = sock
        self._protocol = protocol
        self._unsent: bytearray | None = None  # an empty one takes room, and mostly nothing waits
        self._most = UNSENT_BYTES
        self._is_full = False
        """The protocol was told to pause."""
        self._is_paused = False
        """Nothing is read."""
        self._is_closing = False
        self._is_lost = False
        """Nothing is written any more, and the protocol has heard of its loss or will in the next turn."""
        if sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def begin(self) -> None:
        """Have the protocol served from now on."""
        self._protocol.connection_made(self)
        if not (self._is_paused or self._is_closing):
            self._loop.add_reader(self._socket, self._read)

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._socket if name == "socket" else default

    def is_closing(self) -> bool:
        return self._is_closing

    def get_write_buffer_size(self) -> int:
        return len(self._unsent) if self._unsent else 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:  # low is a quarter
        self._most = UNSENT_BYTES if high is None else high

    def pause_reading(self) -> None:
        if not (self._is_paused or self._is_closing):
            self._is_paused = True
            self._loop.remove_reader(self._socket)

    def resume_reading(self) -> None:
        if self._is_paused and not self._is_closing:
            self._is_paused = False
            self._loop.add_reader(self._socket, self._read)

    def _read(self) -> None:
        protocol = self._protocol
        try:
            size = self._socket.recv_into(protocol.get_buffer(-1))
            if size:
                protocol.buffer_updated(size)
            elif protocol.eof_received():
                self.pause_reading()
            else:
                self.close()
        except (BlockingIOError, InterruptedError):
            pass
        except OSError as error:
            self._cut(error)
        except Exception as error:  # the boundary: a bug met on one peer's account ends that peer alone
            log.exception("what was received could not be handled; its connection is closed")
            self._cut(error)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._is_lost or not data:
            return
        if self._unsent is None:
            try:
                data = data[self._socket.send(data) :]
            except (BlockingIOError, InterruptedError):
                pass
            except OSError as error:
                self._cut(error)
                return
            if not data:
                return
            self._unsent = bytearray()
            self._loop.add_writer(self._socket, self._write_on)
        self._unsent += data
        if len(self._unsent) > self._most and not self._is_full:
            self._is_full = True
            self._protocol.pause_writing()

    def _write_on(self) -> None:
        """The kernel takes more of what waits."""
        assert self._unsent
        try:
            del self._unsent[: self._socket.send(self._unsent)]
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._cut(error)
            return
        if self._is_full and len(self._unsent) <= self._most // 4:
            self._is_full = False
            self._protocol.resume_writing()  # it may write more
        if not self.get_write_buffer_size():
            self._stop_writing()
            if self._is_closing:
                self._lose(None)

    def _stop_writing(self) -> None:
        if self._unsent is not None:
            self._unsent = None
            self._loop.remove_writer(self._socket)

    def close(self) -> None:
        if not self._is_closing:
            self._is_closing = True
            self._loop.remove_reader(self._socket)
            if self._unsent is None:
                self._lose(None)

    def abort(self) -> None:
        self._cut(None)

    def _cut(self, error: Exception | None) -> None:
        if not self._is_lost:
            self._stop_writing()
            self._is_closing = True
            self._loop.remove_reader(self._socket)
            self._lose(error)

    def _lose(self, error: Exception | None) -> None:
        if not self._is_lost:
            self._is_lost = True
            self._loop.call_soon(self._end, error)

    def _end(self, error: Exception | None) -> None:
        try:
            self._protocol.connection_lost(error)
        finally:
            self._socket.close()

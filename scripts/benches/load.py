"""The load: raw sockets around one epoll, cheap enough to keep a server busy from one core.

Here are the loop, introductions, and `Echoes`, which keeps one request outstanding on each connection of the
baseline; `scripts.benches.tables` has the players.
"""

import select
import socket
import time
from collections.abc import Iterable
from typing import Any, Protocol

from put_protocol import PROTOCOL_VERSION
from put_protocol.cards import Card
from put_protocol.codecs import FRAMES, decoder_of_replies
from put_protocol.games.put import (
    Play,
)
from put_protocol.messages import Act, ClientMessage, Hello, ServerMessage, Welcome
from scripts.benches.echo import TO_MOVER, TO_OTHER

RECEIVE = 64 * 1024


class LoadError(Exception):
    """The server did what it should not: refused a legal action, or closed."""


class Listener(Protocol):
    """Whoever owns a socket."""

    @property
    def socket(self) -> socket.socket: ...

    def readable(self) -> None:
        """There is something to read."""
        ...


class Loop:
    """Sockets and whoever hears what comes from them."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._listeners: dict[int, Listener] = {}

    def add(self, listener: Listener) -> None:
        listener.socket.setblocking(False)
        self._listeners[listener.socket.fileno()] = listener
        self._epoll.register(listener.socket, select.EPOLLIN)

    def poll(self, timeout: float) -> bool:
        """Read what can be read, waiting for the first at most so many seconds. Whether there was any."""
        ready = self._epoll.poll(timeout)
        for number, _ in ready:
            self._listeners[number].readable()
        return bool(ready)

    def close(self) -> None:
        for listener in self._listeners.values():
            listener.socket.close()
        self._epoll.close()


class Echoes:
    """Connections to a baseline, each with one request outstanding: an act as long as those at the tables.

    At an echo each connection has its turn when the answer to its request has come. With `is_paired` two connections
    take turns: the one who acts is told what a mover is told, and by what the other is told it is its turn.
    """

    def __init__(self, port: int, count: int, *, is_paired: bool = False) -> None:
        self._loop = Loop()
        self._is_paired = is_paired
        told, asked_next = (_length(TO_MOVER), _length(TO_OTHER)) if is_paired else (0, len(_REQUEST))
        self._echoes = [_Echo(connected(port), told + asked_next) for _ in range(count)]
        if is_paired:
            for second in self._echoes[1::2]:
                second.got = told  # it begins with what tells it that it is its turn
        for echo in self._echoes:
            self._loop.add(echo)

    @property
    def count(self) -> int:
        """Requests answered so far."""
        return sum(echo.count for echo in self._echoes)

    def run(self, seconds: float) -> tuple[int, float]:
        """Keep it busy; returns how many requests were answered in how many seconds."""
        begun, before = time.perf_counter(), self.count
        for echo in self._echoes:
            echo.is_held = False
        waiting = [echo for echo in self._echoes if echo.has_turn] or self._echoes[:: 2 if self._is_paired else 1]
        for echo in waiting:
            echo.act()
        while time.perf_counter() - begun < seconds:
            self._loop.poll(1)
        result = self.count - before, time.perf_counter() - begun
        for echo in self._echoes:
            echo.is_held = True
        while sum(echo.has_turn for echo in self._echoes) < len(waiting):
            self._loop.poll(1)
        while self._loop.poll(0.05):
            pass
        return result

    def close(self) -> None:
        self._loop.close()


# As long on the wire as what a player at a table of three digits sends.
_REQUEST = FRAMES.encode(Act(id=100_000, table=100, decision=100_000, action=Play(Card("10h"))))


def _length(messages: Iterable[ServerMessage]) -> int:
    return sum(len(FRAMES.encode(message)) for message in messages)


class _Echo:
    __slots__ = ("_turn_at", "count", "got", "has_turn", "is_held", "socket")

    def __init__(self, peer: socket.socket, turn_at: int) -> None:
        self.socket = peer
        self.count = 0
        self.got = 0
        """Bytes since its last turn; with so many as `turn_at` it has the next."""
        self.is_held = False
        self.has_turn = False
        self._turn_at = turn_at

    def act(self) -> None:
        self.has_turn = False
        self.socket.send(_REQUEST)

    def readable(self) -> None:
        self.got += len(self.socket.recv(RECEIVE))
        if self.got < self._turn_at:
            return
        self.got -= self._turn_at
        self.count += 1
        if self.is_held:
            self.has_turn = True
        else:
            self.socket.send(_REQUEST)


def connected(port: int) -> socket.socket:
    """A connection to it."""
    made = socket.create_connection(("127.0.0.1", port), timeout=10)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def asked(peer: socket.socket, message: ClientMessage) -> Any:
    """Send, and wait for the answer, which must come alone: for introductions only."""
    peer.sendall(FRAMES.encode(message))
    data = b""
    while len(data) < 4 or len(data) < 4 + int.from_bytes(data[:4], "big"):
        more = peer.recv(RECEIVE)
        if not more:
            raise LoadError("the server closed the connection")
        data += more
    return decoder_of_replies(FRAMES).decode(data[4:])


def introduced(port: int, name: str) -> socket.socket:
    """A connection that was welcomed."""
    peer = connected(port)
    answer = asked(peer, Hello(version=PROTOCOL_VERSION, name=name, is_bot=True))
    if not isinstance(answer, Welcome):
        raise LoadError(f"not welcome: {answer}")
    return peer

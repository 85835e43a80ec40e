"""Load on a server or the echo: players at tables of two, over raw sockets around one epoll, on a single core.

They play random legal actions, at once or at a given pace. Of a message only the number of its first event and the
decision are read; actions are sent back unchanged.
"""

import random
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec
from msgspec import Raw, Struct

from put_protocol import PROTOCOL_VERSION, messages
from put_protocol.cards import Card
from put_protocol.codecs import FRAMES, decoder_of_replies
from put_protocol.framing import FrameSplitter, frame
from put_protocol.games.put import Play

RECEIVE = 64 * 1024


class BadLoad(Exception):
    """The server refused a legal action, or closed the connection."""


class Loop:
    """Sockets and their readers, around one epoll."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()

    def add(self, peer: socket.socket, read: Callable[[], None]) -> None:
        peer.setblocking(False)
        self._selector.register(peer, selectors.EVENT_READ, (peer, read))

    def poll(self, timeout: float) -> bool:
        """Read what has arrived, waiting at most this time for the first data. Returns false if there was none."""
        ready = self._selector.select(timeout)
        for key, _ in ready:
            key.data[1]()
        return bool(ready)

    def close(self) -> None:
        for key in self._selector.get_map().values():
            key.data[0].close()
        self._selector.close()


# As long on the wire as what a player at a table of three digits sends.
_REQUEST = FRAMES.encode(messages.Act(id=100_000, table=100, decision=100_000, action=Play(Card("10h"))))


class Echoes:
    """Connections to the echo, each with one open request: an act of the same length as at the tables."""

    def __init__(self, port: int, count: int) -> None:
        self._loop = Loop()
        self._missing = {connected(port): 0 for _ in range(count)}
        """Bytes of the open request that have not come back, by connection."""
        self._count = 0
        self._is_over = True
        for peer in self._missing:
            self._loop.add(peer, partial(self._read, peer))

    def run(self, seconds: float) -> tuple[int, float]:
        """Keep it busy; returns the number of answered requests and the seconds."""
        begun, before, self._is_over = time.perf_counter(), self._count, False
        for peer in self._missing:
            self._ask(peer)
        while time.perf_counter() - begun < seconds:
            self._loop.poll(1)
        result = self._count - before, time.perf_counter() - begun
        self._is_over = True
        while any(self._missing.values()):
            self._loop.poll(1)
        return result

    def _ask(self, peer: socket.socket) -> None:
        self._missing[peer] = len(_REQUEST)
        peer.send(_REQUEST)

    def _read(self, peer: socket.socket) -> None:
        self._missing[peer] -= len(peer.recv(RECEIVE))
        if not self._missing[peer]:
            self._count += 1
            if not self._is_over:
                self._ask(peer)

    def close(self) -> None:
        self._loop.close()


def connected(port: int) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), timeout=10)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def asked(peer: socket.socket, message: messages.ClientMessage) -> Any:
    """Send a message and wait for its answer, which must come alone; only before the game."""
    peer.sendall(FRAMES.encode(message))
    data = b""
    while len(data) < 4 or len(data) < 4 + int.from_bytes(data[:4], "big"):
        more = peer.recv(RECEIVE)
        if not more:
            raise BadLoad("the server closed the connection")
        data += more
    return decoder_of_replies(FRAMES).decode(data[4:])


def introduced(port: int, name: str, *, views: messages.ViewForm = messages.ViewForm.WHOLE) -> socket.socket:
    peer = connected(port)
    answer = asked(peer, messages.Hello(PROTOCOL_VERSION, name, is_bot=True, views=views))
    if not isinstance(answer, messages.Welcome):
        raise BadLoad(f"not welcome: {answer}")
    return peer


_GAME_ENDED = b"\xa5event\xa4game"


class _Offered(Struct, gc=False):
    action: Raw


class _Question(Struct, gc=False):
    number: int
    legal: tuple[_Offered, ...]


class _Told(Struct, gc=False):
    """Fields of a message that matter here."""

    type: str
    first: int = 0
    decision: _Question | None = None


class _Act(Struct, tag_field="type", tag="act", gc=False):
    """An act whose action goes back as it came."""

    id: int
    table: int
    decision: int
    action: Raw


_told = msgspec.msgpack.Decoder(_Told).decode
_pack = msgspec.msgpack.Encoder().encode
_reply = decoder_of_replies(FRAMES).decode


class LoadedTables:
    """Tables with two players each, all in play from the start."""

    def __init__(
        self, port: int, count: int, *, name: str = "bench", views: messages.ViewForm = messages.ViewForm.WHOLE
    ) -> None:
        self._views = views
        self.chance = random.Random(1674).random
        self.is_held = True
        """Decisions wait in `ready` instead of being answered at once."""
        self.ready: deque[tuple[_Seat, _Question]] = deque()
        self.moves = 0
        """Sent and seen by both players."""
        self.latencies: list[float] = []
        """Seconds from sending each move until both players have its events."""
        self._loop = Loop()
        self._count = count
        self._seats: list[_Seat] = []
        for number in range(count):
            self._open(port, f"{name} {number}")
        self._settle()
        self.read_on()  # the last events of the players who do not move
        for seat in self._seats:
            seat.base = seat.first

    def _open(self, port: int, name: str) -> None:
        players = [introduced(port, f"{name} {side}", views=self._views) for side in ("a", "b")]
        answer = asked(players[0], messages.OpenTable(1, "put-1674"))
        if not isinstance(answer, messages.Ok) or answer.table is None:
            raise BadLoad(f"no table: {answer}")
        one, other = seats = [_Seat(player, self, answer.table) for player in players]
        one.partner, other.partner = other, one
        self._seats += seats
        for seat in seats:
            self._loop.add(seat.peer, seat.read)
            seat.peer.send(FRAMES.encode(messages.Sit(2, answer.table)))

    def watch(self, port: int, count: int) -> "list[Spectator]":
        spectators = []
        for number in range(count):
            spectator = Spectator(introduced(port, f"spectator {number}"))
            spectator.peer.send(FRAMES.encode(messages.Watch(2, self._seats[0].number)))
            self._loop.add(spectator.peer, spectator.read)
            spectators.append(spectator)
            while self._loop.poll(0):  # everyone at the table is told of everyone who comes
                pass
        self.read_on()
        return spectators

    def read_on(self) -> None:
        while self._loop.poll(0.2):
            pass

    def run(self, seconds: float) -> tuple[int, float]:
        """Play as fast as the server allows; returns the number of moves and the seconds."""
        begun, before = time.perf_counter(), self.moves
        self.is_held = False
        while self.ready:
            _Seat.act(*self.ready.popleft())
        while time.perf_counter() - begun < seconds:
            self._loop.poll(1)
        result = self.moves - before, time.perf_counter() - begun
        self._settle()
        return result

    def run_moves(self, count: int) -> None:
        """Make at least this many moves, spread over the tables."""
        wanted = self.moves + count
        while self.moves < wanted:
            self.run(0.2)

    def run_paced(self, rate: int, seconds: float) -> None:
        """Make this many moves a second, evenly, independent of the server's speed; latencies count from when each was
        due."""
        begun = time.perf_counter()
        for number in range(int(rate * seconds)):
            due = begun + number / rate
            while (now := time.perf_counter()) < due or not self.ready:
                self._loop.poll(0 if now < due else 1)
            _Seat.act(*self.ready.popleft(), due)
        self._settle()

    def quantiles(self, play: Callable[[], object]) -> tuple[float, float]:
        """Median and 99th percentile of the latencies in milliseconds, while `play` runs."""
        self.latencies.clear()
        play()
        taken = sorted(self.latencies)
        return 1000 * taken[len(taken) // 2], 1000 * taken[len(taken) * 99 // 100]

    def _settle(self) -> None:
        """Read until every table waits for its players."""
        self.is_held = True
        while len(self.ready) < self._count:
            self._loop.poll(5)

    def close(self) -> None:
        self._loop.close()


_PING, _PONG = FRAMES.encode(messages.Ping()), FRAMES.encode(messages.Pong())


@dataclass(slots=True)
class Spectator:
    """A spectator of a gallery. All get the same, so only bytes are counted."""

    peer: socket.socket
    count: int = 0
    """Bytes received."""

    def read(self) -> None:
        data = self.peer.recv(RECEIVE)
        if not data:
            raise BadLoad("the server closed a spectator's connection")
        self.count += len(data)
        if _PING in data:
            self.count -= len(_PING)  # not all are pinged at the same time
            self.peer.send(_PONG)


@dataclass(slots=True)
class _Move:
    """A move in flight. The next may be made before the mover has its events: both players have a queue."""

    mark: int
    """Number of the mover's events before it, since play began: for both players, later events are results of the
    move."""
    sent: float
    missing: int = 2
    """Players without its events."""


@dataclass(slots=True, eq=False)
class _Seat:
    peer: socket.socket
    tables: LoadedTables
    number: int
    partner: "_Seat" = field(init=False)
    unseen: deque[_Move] = field(default_factory=deque)
    first: int = 0
    """The number of the first event in the last message of events."""
    base: int = 0
    """Number of events when play began; from there both players see the same number."""
    last_id: int = 2
    splitter: FrameSplitter = field(default_factory=FrameSplitter)

    def act(self, asked: _Question, since: float = 0) -> None:
        self.last_id += 1
        action = asked.legal[int(self.tables.chance() * len(asked.legal))].action
        act = frame(_pack(_Act(self.last_id, self.number, asked.number, action)))
        move = _Move(self.first - self.base, since or time.perf_counter())
        self.unseen.append(move)
        self.partner.unseen.append(move)
        self.peer.send(act)

    def _again(self) -> None:
        self.last_id += 1
        self.peer.send(FRAMES.encode(messages.Again(self.last_id, self.number)))

    def read(self) -> None:
        data = self.peer.recv(RECEIVE)
        if not data:
            raise BadLoad("the server closed a connection")
        for body in self.splitter.feed(data):
            told = _told(body)
            if told.type == "events":
                self._see(told, is_over=_GAME_ENDED in body)
            elif told.type != "ok":
                self._receive_other(body)

    def _see(self, told: _Told, *, is_over: bool) -> None:
        self.first = told.first
        seen = self.first - self.base
        while self.unseen and seen > self.unseen[0].mark:
            move = self.unseen.popleft()
            move.missing -= 1
            if not move.missing:
                self.tables.moves += 1
                self.tables.latencies.append(time.perf_counter() - move.sent)
        if is_over:
            self._again()
        if told.decision is not None and self.tables.is_held:
            self.tables.ready.append((self, told.decision))
        elif told.decision is not None:
            self.act(told.decision)

    def _receive_other(self, body: bytes) -> None:
        message = _reply(body)
        if isinstance(message, messages.Ping):
            self.peer.send(FRAMES.encode(messages.Pong()))
        elif isinstance(message, messages.Refused):
            raise BadLoad(f"a legal request was refused: {message}")

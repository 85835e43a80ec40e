"""WebSocket: moves served to browsers against the same in lines of JSON, and a gallery of browsers at one table.

Both kinds of players are the same but for what stands around a message, so what differs is WebSocket.
"""

import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import msgspec
from websockets.frames import Frame, Opcode

from scripts.benches import harness
from scripts.benches.harness import Contestant, Report
from scripts.benches.load import RECEIVE, LoadError, Loop, Tables, connected

TABLES = 50
AIM = 0.8
"""Of the moves served in lines."""

GALLERY = 1_000
OTHERS = 20
"""Tables beside the one that is watched."""
PACE = 100
"""Moves a second at all of these; at the one that is watched there is one a second, as people play."""
P99_AIM = 2.0
"""Times what it is without a gallery."""

_UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: put.local\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: put.json.1\r\n\r\n"
)

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


class _Lines:
    """What stands around messages of JSON: a line feed behind each."""

    def __init__(self, peer: socket.socket) -> None:
        self._peer = peer
        self._rest = b""

    def send(self, body: bytes) -> None:
        self._peer.send(body + b"\n")

    def receive(self) -> list[bytes]:
        *whole, self._rest = (self._rest + _received(self._peer)).split(b"\n")
        return whole


class Frames:
    """The same of WebSocket: masked by the client, and not by the server."""

    def __init__(self, peer: socket.socket) -> None:
        peer.sendall(_UPGRADE)
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += peer.recv(1)
        if b" 101 " not in answer:
            raise LoadError(f"no WebSocket: {answer!r}")
        self._peer = peer
        self._rest = b""

    def send(self, body: bytes) -> None:
        self._peer.send(Frame(Opcode.TEXT, body).serialize(mask=True))

    def receive(self) -> list[bytes]:
        data = self._rest + _received(self._peer)
        whole, at = [], 0
        while len(data) - at >= 2:
            length, head = data[at + 1], 2
            if length >= 126:
                head = 4 if length == 126 else 10
                length = int.from_bytes(data[at + 2 : at + head], "big")
            if len(data) - at < head + length:
                break
            whole.append(data[at + head : at + head + length])
            at += head + length
        self._rest = data[at:]
        return whole


def _received(peer: socket.socket) -> bytes:
    data = peer.recv(RECEIVE)
    if not data:
        raise LoadError("the server closed a connection")
    return data


class Talker:
    """A connection that was welcomed."""

    def __init__(self, port: int, name: str, around: Callable[[socket.socket], _Lines | Frames]) -> None:
        self.socket = connected(port)
        self._around = around(self.socket)
        self.last_id = 0
        self.say(type="hello", version=2, name=name, is_bot=True)
        if (welcome := self.wait())["type"] != "welcome":
            raise LoadError(f"not welcome: {welcome}")

    def say(self, **message: Any) -> None:
        self._around.send(_encode(message))

    def ask(self, kind: str, **fields: Any) -> None:
        self.last_id += 1
        self.say(type=kind, id=self.last_id, **fields)

    def wait(self) -> dict[str, Any]:
        """The next message, which must come alone; used only before the game."""
        while not (whole := self._around.receive()):
            pass
        first: dict[str, Any] = _decode(whole[0])
        return first

    def readable(self) -> None:
        for body in self._around.receive():
            if body.startswith((b'{"type":"decision"', b'{"type":"events"', b'{"type":"ping"', b'{"type":"refused"')):
                self.hear(_decode(body))

    def hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "ping":
            self.say(type="pong")


class _Player(Talker):
    """Plays at random, at once."""

    def __init__(
        self, port: int, name: str, around: Callable[[socket.socket], _Lines | Frames], tables: "_WebTables"
    ) -> None:
        super().__init__(port, name, around)
        self._tables = tables
        self.table = 0

    def hear(self, message: dict[str, Any]) -> None:
        super().hear(message)
        if message["type"] == "decision":
            if self._tables.is_held:
                self._tables.ready.append((self, message))
            else:
                self.act(message)
        elif message["type"] == "events":
            if any(event["event"] == "game" for event in message["events"]):
                self.ask("again", table=self.table)
        elif message["type"] == "refused":
            raise LoadError(f"a legal request was refused: {message}")

    def act(self, decision: dict[str, Any]) -> None:
        legal = decision["legal"]
        action = legal[int(self._tables.chance() * len(legal))]["action"]
        self._tables.moves += 1
        self.ask("act", table=self.table, decision=decision["decision"], action=action)


class _WebTables:
    """Tables with two players each, all in play from the start."""

    def __init__(self, port: int, count: int, around: Callable[[socket.socket], _Lines | Frames]) -> None:
        self.chance = random.Random(1674).random
        self.moves = 0
        self.is_held = True
        self.ready: list[tuple[_Player, dict[str, Any]]] = []
        self._count = count
        self._loop = Loop()
        for number in range(count):
            players = [_Player(port, f"bench {number} {side}", around, self) for side in ("a", "b")]
            players[0].ask("open", game="put-1674", seats=2)
            table = players[0].wait()["table"]
            for player in players:
                player.table = table
                self._loop.add(player)
                player.ask("sit", table=table)
        self._settle()

    def run(self, seconds: float) -> tuple[int, float]:
        """Play as fast as the server does; returns how many moves were made in how many seconds."""
        begun, before = time.perf_counter(), self.moves
        self.is_held = False
        while self.ready:
            _Player.act(*self.ready.pop())
        while time.perf_counter() - begun < seconds:
            self._loop.poll(1)
        result = self.moves - before, time.perf_counter() - begun
        self._settle()
        return result

    def _settle(self) -> None:
        self.is_held = True
        while len(self.ready) < self._count:
            self._loop.poll(5)

    def close(self) -> None:
        self._loop.close()


def measure(report: Report, *, is_quick: bool) -> None:
    """The rate, and the gallery."""
    seconds, rounds = (1.0, 3) if is_quick else (2.0, 7)
    report.section(f"Moves served to {TABLES} tables of two: lines of JSON and WebSocket")
    with ExitStack() as stack:
        contestants = {}
        for name, around in (("lines of JSON", _Lines), ("WebSocket", Frames)):
            process = stack.enter_context(harness.server())
            tables = _WebTables(process.port, TABLES, around)
            stack.callback(tables.close)
            contestants[name] = Contestant(process, tables.run)
        harness.in_turns(contestants.values(), seconds, rounds)
        for name, contestant in contestants.items():
            contestant.report(report, name)
        contestants["WebSocket"].compare(
            report, "WebSocket against lines of JSON", contestants["lines of JSON"], at_least=AIM
        )
    _measure_gallery(report, is_quick=is_quick)


def _measure_gallery(report: Report, *, is_quick: bool) -> None:
    """Two servers in turns, one of them with the gallery: what disturbs one disturbs the other."""
    count = GALLERY // 4 if is_quick else GALLERY
    seconds, rounds = (3.0, 3) if is_quick else (10.0, 5)
    report.section(f"{OTHERS} tables, {PACE} moves a second in all, beside one with {count:,} spectators on WebSocket")
    with ExitStack() as stack:
        sides = [_Evening(stack.enter_context(harness.server()).port) for _ in range(2)]
        for side in sides:
            stack.callback(side.loop.close)
        stack.enter_context(_spectators(sides[1], count))
        for side in sides:
            side.p99(seconds)
        alone, watched = zip(*[[side.p99(seconds) for side in sides] for _ in range(rounds)], strict=True)
    report.figure("a move of the others: p99 without a gallery", alone, "ms", decimals=2)
    report.figure("    with it", watched, "ms", decimals=2)
    ratios = [with_it / without for with_it, without in zip(watched, alone, strict=True)]
    report.figure("    times what it is without", ratios, "times", at_most=P99_AIM, decimals=2)


@contextmanager
def _spectators(evening: "_Evening", count: int) -> Iterator[None]:
    """So many watch the table that is shown, until this is left."""
    words = ["-m", "scripts.benches.spectators", str(evening.port), str(evening.shown.first_table), str(count)]
    with subprocess.Popen(
        [sys.executable, *words], cwd=harness.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        if process.stdout.readline() != "there\n":
            raise LoadError("the spectators did not get in")
        evening.shown.read_on()
        try:
            yield
        finally:
            process.stdin.close()


class _Evening:
    """A server's tables: the one that is shown, and the others."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.loop = Loop()
        self._others = Tables(port, OTHERS, name="other", loop=self.loop)
        self.shown = Tables(port, 1, name="shown", loop=self.loop)

    def p99(self, seconds: float) -> float:
        """Of the moves of the others, in milliseconds."""
        return _p99(self._others, self.shown, self.loop, seconds)


def _p99(others: Tables, shown: Tables, loop: Loop, seconds: float) -> float:
    """Of the others, in milliseconds."""
    others.latencies.clear()
    begun = time.perf_counter()
    for number in range(int(PACE * seconds)):
        due = begun + number / PACE
        while (now := time.perf_counter()) < due or not others.ready:
            loop.poll(0 if now < due else 1)
        others.act_next(due)
        if number % PACE == 0 and shown.ready:
            shown.act_next(due)
    others.read_on()
    taken = sorted(others.latencies)
    return 1000 * taken[len(taken) * 99 // 100]

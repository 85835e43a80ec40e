"""Baselines of the server, over the same wire with the same codec: the echo and the toy.

    python -m scripts.benches.baselines echo|toy

The echo decodes an `act` and sends it back encoded, without games, sessions, rate limits or outboxes: its cost is that
of the kernel, asyncio and the codec.

The toy serves two-handed put-1674 by the server's own rules: it decodes typed requests, deals from the system's
randomness, refuses illegal moves, shows each player only what they may see, and sends the same `events` with the
answer, the view and the decision. It has no lobby, journal, clocks, spectators, reconnects, rate limits, blind deals or
other games, and a misbehaving peer may break its own connection. The server's additional cost is the price of these.

Connections are `asyncio.BufferedProtocol`s with one buffer, like the server's. The usual `asyncio.Protocol` reads with
`recv` of 256 KiB, for which glibc in a fresh process maps and unmaps memory each time, and has half the speed.
"""

import asyncio
import random
import sys
from abc import ABC, abstractmethod

import msgspec

from put_protocol import messages
from put_protocol.codecs import FRAMES
from put_protocol.framing import FrameSplitter
from put_protocol.limits import FRAME_BYTES
from put_protocol.offers import Limits
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo
from put_rules.driver import Driver, shuffled_by
from put_rules.facts import Fact, Open
from put_rules.game import IllegalAction, Over, Shuffle
from put_rules.game import Turn as Awaited
from put_rules.registry import GAMES

_READ = memoryview(bytearray(64 * 1024))
"""Read buffer of all connections; input is copied before the next read."""


class Framed(ABC, asyncio.BufferedProtocol):
    """A connection: handles frames one by one, and sends queued data in one write."""

    _transport: asyncio.Transport

    def __init__(self) -> None:
        self._splitter = FrameSplitter()
        self._out: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        return _READ

    def buffer_updated(self, nbytes: int) -> None:
        for body in self._splitter.feed(bytes(_READ[:nbytes])):
            self.handle(body)
        self.flush()

    @abstractmethod
    def handle(self, body: bytes) -> None: ...

    def send(self, message: messages.ServerMessage | messages.Act) -> None:
        self._out.append(FRAMES.encode(message))

    def flush(self) -> None:
        if self._out:
            self._transport.write(b"".join(self._out))
            self._out.clear()


class Echo(Framed):
    _decode = msgspec.msgpack.Decoder(messages.Act).decode

    def handle(self, body: bytes) -> None:
        self.send(self._decode(body))


BANK_MS = 300_000
_LIMITS = Limits(
    frame_bytes=FRAME_BYTES, requests_per_second=20, requests_at_once=60, tables=64, quiet_ms=30_000, dead_ms=75_000
)
_RULES = GAMES["put-1674"]
_GAME = _RULES.make(2, _RULES.offer.defaults)
_SHUFFLED = shuffled_by(random.SystemRandom())
_BOTH = Seat(0), Seat(1)


class ToyTable:
    """Two players, and one game after another."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.players: list[ToyConnection] = []
        self._driver = Driver(_GAME)
        self._games = 0
        self._agreed: set[Seat] = set()
        self._events = 0
        self._decision = 0

    def sit(self, player: "ToyConnection") -> Seat:
        self.players.append(player)
        return Seat(len(self.players) - 1)

    def agree(self, seat: Seat) -> None:
        """Ask for a game, which begins when both have asked."""
        self._agreed.add(seat)
        if len(self._agreed) < 2:
            return
        self._agreed.clear()
        self._games += 1
        if isinstance(over := self._driver.awaits, Over):
            self._driver = Driver(_GAME, over.dealer)
        self._tell((Open(GameStarted(self._games, tuple([player.name for player in self.players]))),))
        self._deal()

    def _deal(self) -> None:
        while isinstance(wanted := self._driver.awaits, Shuffle):
            self._tell(self._driver.deal(_SHUFFLED(wanted)))

    def act(self, seat: Seat, request: messages.Act) -> None:
        awaits, mover = self._driver.awaits, self.players[seat]
        if not isinstance(awaits, Awaited) or awaits.seat != seat or request.decision != self._decision:
            mover.send(
                messages.Refused(request.id, RefusalCode.TOO_LATE, "that decision is no longer open", field="decision")
            )
            return
        try:
            facts = self._driver.act(request.action)
        except IllegalAction:
            mover.send(messages.Refused(request.id, RefusalCode.ILLEGAL, "that is not legal now", field="action"))
            return
        self._tell(facts, request.id, seat)
        self._deal()

    def _tell(self, facts: tuple[Fact, ...], request: int = 0, asker: Seat | None = None) -> None:
        """`request`: the asker's request that this answers."""
        driver, first = self._driver, self._events + 1
        self._events += len(facts)
        mover, turn, question = None, None, None
        if isinstance(awaits := driver.awaits, Awaited):
            self._decision += 1
            mover, turn = awaits.seat, messages.Turn(awaits.seat, bank_ms=BANK_MS)
            asks, why = _GAME.asks(driver.state), _GAME.why(driver.state)
            question = messages.Question(self._decision, driver.choices(), asks, why)
        for seat, player in zip(_BOTH, self.players, strict=True):
            events = tuple([event for fact in facts if (event := fact.seen_by(seat)) is not None])
            answered, asked = request if seat == asker else 0, question if seat == mover else None
            view = driver.view(seat)
            player.send(messages.Events(self.number, first, events, view=view, turn=turn, id=answered, decision=asked))

    def snapshot(self, seat: Seat, request: int) -> messages.TableSnapshot:
        chairs = tuple([SeatInfo(name=player.name) for player in self.players])
        info = TableInfo(self.number, _RULES.offer.name, {}, chairs, ClockInfo())
        return messages.TableSnapshot(self.number, seat, self._events, info, id=request)

    def flush(self) -> None:
        for player in self.players:
            player.flush()


ToyRequest = messages.Hello | messages.OpenTable | messages.Sit | messages.Again | messages.Act | messages.Pong


class ToyConnection(Framed):
    _decode = msgspec.msgpack.Decoder(ToyRequest).decode

    def __init__(self, tables: list[ToyTable]) -> None:
        super().__init__()
        self.name = ""
        self._tables = tables
        self._seats: dict[int, Seat] = {}
        """The seat of this player, by table."""

    def handle(self, body: bytes) -> None:
        message: ToyRequest = self._decode(body)
        match message:
            case messages.Act():
                table = self._tables[message.table - 1]
                table.act(self._seats[message.table], message)
                table.flush()
            case messages.Again():
                table = self._tables[message.table - 1]
                self.send(messages.Ok(message.id))
                table.agree(self._seats[message.table])
                table.flush()
            case messages.Hello():
                self.name = message.name
                self.send(messages.Welcome(message.version, "toy", message.name, "no token", _LIMITS, (), ()))
            case messages.OpenTable():
                self._tables.append(ToyTable(len(self._tables) + 1))
                self.send(messages.Ok(message.id, table=len(self._tables)))
            case messages.Sit():
                table = self._tables[message.table - 1]
                seat = self._seats[message.table] = table.sit(self)
                self.send(table.snapshot(seat, message.id))
                table.agree(seat)
                table.flush()
            case messages.Pong():
                pass


async def main(name: str) -> None:
    tables: list[ToyTable] = []
    make = {"echo": Echo, "toy": lambda: ToyConnection(tables)}[name]
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0, backlog=512)
    print(f"{name} listens on 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))

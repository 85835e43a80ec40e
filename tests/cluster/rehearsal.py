"""A real cluster behind the rehearsal: `put-conformance` plays its cases with clients at a gateway, a worker and a NATS
server, instead of a lobby of its own.

The suite is as it is for everybody. What it asks of its lobby goes over sockets to the gateway, and so does what its
opponents do; each case has a cluster of its own. The suite is told at once what came of each request, so clusters run
in an event loop in another thread, and this one waits. It looks at the worker's lobby to see who sits where. Its time
stands in for hours: the clock of the shard is put forward.
"""

import asyncio
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from unittest.mock import patch

from msgspec.structs import replace

from put_conformance import case_runner
from put_conformance.fake_server import FakeServer, MessagePeer
from put_protocol.codecs import FRAMES, decoder_of_replies
from put_protocol.framing import FrameSplitter
from put_protocol.messages import (
    Bye,
    ClientMessage,
    Goodbye,
    Hello,
    Ok,
    Ping,
    Pong,
    Refused,
    Request,
    ServerMessage,
    Welcome,
)
from put_rules.game import RuleSet
from put_server.cluster.roles import Member
from put_server.cluster.shard import ShardClock
from put_server.cluster.shard_dispatcher import ShardDispatcher
from put_server.lobby.inputs import Arrive, Ask, Input
from put_server.lobby.lobby import Lobby
from put_server.table.table_effects import TableId
from put_server.transport.interfaces import Newcomer
from put_server.transport.peer_codecs import VERSION
from put_server.transport.reception import digest_of
from tests.cluster.members import settings
from tests.cluster.nats_server import nats_server
from tests.cluster.serving import serving
from tests.transport.sockets import BACKSTOP

T = TypeVar("T")

POLL_S = 0.05
"""Between two looks at what no socket tells."""

READ_BYTES = 65_536


class _Stage:
    """The cluster of one case: a NATS server, one shard, which is open, and a gateway."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ended = asyncio.Event()
        self._life: asyncio.Task[None] | None = None
        self.worker: Member
        self.gateway: Member

    async def begin(self) -> None:
        begun = asyncio.Event()
        self._life = asyncio.get_running_loop().create_task(self._live(begun))
        waiting = asyncio.get_running_loop().create_task(begun.wait())
        await asyncio.wait((self._life, waiting), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._life.done():
            self._life.result()

    async def _live(self, begun: asyncio.Event) -> None:
        async with AsyncExitStack() as stack:
            broker = await stack.enter_async_context(nats_server(self._folder))
            self.worker, self.gateway = [
                # The suite's own lobby reserves no names.
                await stack.enter_async_context(
                    serving(settings(broker.url, role, shards=1, name_days=0), thinks=False)
                )
                for role in ("worker", "gateway")
            ]
            begun.set()
            await self._ended.wait()

    async def end(self) -> None:
        assert self._life is not None
        self._ended.set()
        await self._life

    @property
    def shard(self) -> ShardDispatcher:
        assert self.worker.worker is not None
        return self.worker.worker.served[0].dispatcher

    @property
    def port(self) -> int:
        assert self.gateway.server is not None
        return self.gateway.server.front.port

    async def put_forward(self, milliseconds: int) -> None:
        """So much time passes at the shard."""
        clock = self.shard.now
        assert isinstance(clock, ShardClock)
        clock._now += milliseconds
        self.shard.tick()


class Theatre:
    """The event loop of all clusters."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="clusters", daemon=True)

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Have it done where the clusters are."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(BACKSTOP)

    def begin(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(BACKSTOP)
        self._loop.close()

    def stage(self) -> _Stage:
        stage = _Stage(self._folder / str(next(self._numbers)))
        self.call(stage.begin())
        return stage


class _Wire:
    """The connection of a peer to the gateway."""

    def __init__(self, port: int, peer: MessagePeer) -> None:
        self.peer = peer
        self.socket = socket.create_connection(("127.0.0.1", port), BACKSTOP)
        self.is_over = False
        self.token = ""
        """Of the welcome."""
        self.answers: dict[int, Ok | Refused] = {}
        """By the id of the request, until somebody has seen them."""
        self._splitter = FrameSplitter()
        self._decode = decoder_of_replies(FRAMES).decode

    def send(self, message: ClientMessage) -> None:
        self.socket.sendall(FRAMES.encode(message))

    def read(self) -> Iterator[ServerMessage]:
        """What came; there is something."""
        data = self.socket.recv(READ_BYTES)
        if not data:
            self.close()
            raise AssertionError("the gateway closed a connection without a word")
        for piece in self._splitter.feed(data):
            yield self._decode(piece)

    def close(self) -> None:
        self.is_over = True
        self.socket.close()


class _Outcome(NamedTuple):
    is_refused: bool


class _DispatcherAtCluster:
    """What the fake server asks of a dispatcher. Whatever a method causes has arrived when it returns, but for what the
    clocks of the cluster cause."""

    def __init__(self, theatre: Theatre) -> None:
        self._theatre = theatre
        self._stage = theatre.stage()
        self._wires: dict[MessagePeer, _Wire] = {}
        self._came: deque[tuple[_Wire, ServerMessage]] = deque()
        """Read, and not yet delivered."""
        self._tokens: dict[bytes, str] = {}
        """What the cluster gave an opponent, by the digest of the token that the suite has for them."""

    @property
    def lobby(self) -> Lobby:
        return self._stage.shard.lobby

    def put_forward(self, milliseconds: int) -> None:
        self._theatre.call(self._stage.put_forward(milliseconds))

    def end(self) -> None:
        for wire in self._wires.values():
            wire.close()
        self._theatre.call(self._stage.end())

    # --- reading ---

    def _read(self, seconds: float = 0.0) -> None:
        """Deliver all that came; wait so long for something. What one message makes the suite ask may read as well: the
        order stays what it was."""
        open_ = {wire.socket: wire for wire in self._wires.values() if not wire.is_over}
        if self._came:
            seconds = 0.0
        for found in select.select(list(open_), [], [], seconds)[0]:
            wire = open_[found]
            self._came.extend([(wire, message) for message in wire.read()])
        while self._came:
            self._deliver(*self._came.popleft())

    def _until(self, claim: Callable[[], bool]) -> None:
        deadline = time.monotonic() + BACKSTOP
        while not claim():
            assert time.monotonic() < deadline, "the cluster did not answer"
            self._read(POLL_S)

    def _settle(self) -> None:
        """What an answer brought about has come, too: the gateway had it from the shard at once, and writes all of it
        in one turn of its loop."""
        self._theatre.call(asyncio.sleep(0))
        self._read()

    def _deliver(self, wire: _Wire, message: ServerMessage) -> None:
        peer = wire.peer
        if wire.is_over:
            return
        match message:
            case Ping():
                peer.ping()
            case Pong():
                pass
            case Goodbye():
                wire.close()
                del self._wires[peer]
                peer.person = None
                peer.farewell(message)
            case _:
                if isinstance(message, Welcome):
                    wire.token = message.token
                    person = self.lobby.people.with_token(digest_of(message.token))
                    assert person is not None
                    peer.person = person.id
                elif isinstance(message, Ok | Refused):
                    wire.answers[message.id] = message
                peer.send(message)

    # --- what peers do ---

    def enter(self, peer: MessagePeer) -> None:
        """They connect when they say hello."""

    def hello(self, peer: MessagePeer, hello: Hello) -> None:
        wire = self._wires[peer] = _Wire(self._stage.port, peer)
        token = self._tokens.get(digest_of(hello.token), hello.token)
        # As the suite's own server, it tells its peers the parts of messages.
        wire.send(replace(hello, version=VERSION, token=token))
        self._until(lambda: wire.is_over or peer.person is not None)
        self._settle()

    def ask(self, peer: MessagePeer, request: Request) -> bool:
        wire = self._wires[peer]
        wire.answers.pop(request.id, None)
        wire.send(request)
        self._until(lambda: wire.is_over or request.id in wire.answers)
        answer = wire.answers.pop(request.id, None)
        self._settle()
        return isinstance(answer, Ok)

    def answer_ping(self, peer: MessagePeer) -> None:
        if peer in self._wires:
            self._wires[peer].send(Pong())

    def bye(self, peer: MessagePeer) -> None:
        wire = self._wires[peer]
        wire.send(Bye())
        self._until(lambda: wire.is_over)

    def exit(self, peer: MessagePeer) -> None:
        """The connection is lost, and the worker knows."""
        wire = self._wires.pop(peer, None)
        if wire is None:
            return
        wire.close()
        person = peer.person
        if person is not None and all(other.peer.person != person for other in self._wires.values()):
            self._until(lambda: (known := self.lobby.people.get(person)) is None or not known.is_here)

    def submit(self, event: Input, newcomer: Newcomer | None = None) -> _Outcome:
        """A peer's request, a newcomer, or that it is time to look what came."""
        if isinstance(event, Ask):
            peer = next((peer for peer in self._wires if peer.person == event.person), None)
            return _Outcome(peer is None or not self.ask(peer, event.request))
        if isinstance(event, Arrive):
            assert newcomer is not None
            assert isinstance(newcomer.session, MessagePeer)
            self.hello(newcomer.session, Hello(2, event.name, is_bot=event.is_bot))
            if newcomer.session in self._wires:
                self._tokens[event.token] = self._wires[newcomer.session].token
            return _Outcome(newcomer.session.person is None)
        self._read()
        return _Outcome(is_refused=False)


class _ServerAtCluster(FakeServer):
    """The opponents are the suite's, the lobby the worker's."""

    def __init__(self, theatre: Theatre, games: Mapping[str, RuleSet], **given: Any) -> None:
        super().__init__(games, **given)
        self._there = _DispatcherAtCluster(theatre)
        self._dispatcher = self._there  # type: ignore[assignment]  # as much of it as is used here
        self.lobby = self._there.lobby

    def skip(self, milliseconds: int) -> None:
        self._there.put_forward(milliseconds)
        super().skip(milliseconds)

    def close(self) -> None:
        super().close()
        self._there.end()

    def _has_client(self, number: TableId) -> bool:
        table = self.lobby.tables.get(number)
        sitters = [] if table is None else [chair.sitter for chair in table.seating.chairs if chair.sitter is not None]
        return any(not sitter.is_house and sitter.id not in self._players for sitter in sitters)


@contextmanager
def at_cluster(folder: Path) -> Iterator[None]:
    """Every rehearsal within the block is at a cluster."""
    theatre = Theatre(folder)
    theatre.begin()
    try:
        with patch.object(case_runner, "FakeServer", partial(_ServerAtCluster, theatre)):
            yield
    finally:
        theatre.end()

"""Several shards and gateways in memory: what is published arrives at once, in its order, unless a test keeps it."""

from itertools import count
from typing import Any

from put_protocol.codecs import FRAMES, Codec
from put_protocol.messages import Ok, OpenTable, Refused, Sit
from put_server.cluster.gateway import Gateway
from put_server.cluster.home_shards import home_of_name
from put_server.cluster.link import ShardLinks, read_packet
from put_server.cluster.link_messages import FromShard
from put_server.cluster.shard_dispatcher import ShardDispatcher
from put_server.lobby.lobby import Lobby
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.transport.admission import Caller
from put_server.transport.shuffler import Shuffler
from tests.lobby.lobby_harness import new_lobby
from tests.transport.dispatcher_harness import ManualJournal, NoHouses, NoStudies, Peer, TypingPeer

SHARDS = 3


def shard_lobby(number: int) -> Lobby:
    return new_lobby(shard={"first_table": number or SHARDS, "table_stride": SHARDS, "is_whole": False}, edition=2)


class TownShard:
    """A shard and its worker."""

    def __init__(
        self,
        town: "Town",
        number: int,
        worker: int = 1,
        lobby: Lobby | None = None,
        shuffler: Shuffler | None = None,
    ) -> None:
        self.journal = ManualJournal()
        self.dispatcher = ShardDispatcher(
            lobby or shard_lobby(number),
            shuffler=shuffler or Shuffler(1),
            now=lambda: town.now,
            houses=NoHouses(),
            journal=self.journal,  # type: ignore[arg-type]  # as much of one as is asked for
            studies=NoStudies(),
            send=self._send,
        )
        self.links = ShardLinks(
            number,
            worker,
            town.now,
            opened=lambda _: None,
            handle=self.dispatcher.hear,
            broken=lambda gateway, _: self.dispatcher.leave(gateway),
        )

    def _send(self, gateway: str, item: FromShard) -> None:
        self.links.send(gateway, item)


class TownGateway:
    """One gateway, as the harness that its peers are connected to."""

    def __init__(self, town: "Town", name: str, shuffler: Shuffler | None = None) -> None:
        self._town = town
        self.handler = self.gateway = Gateway(
            lambda: town.now,
            name=name,
            shards=SHARDS,
            first_link=1,
            shuffler=shuffler or Shuffler(),
        )

    @property
    def now(self) -> int:
        return self._town.now

    def settle(self) -> None:
        self._town.settle()

    def peer(self, codec: Codec = FRAMES, caller: Caller | None = None) -> Peer:
        return Peer(self, codec, caller)  # type: ignore[arg-type]  # all that a peer needs of its harness

    def guest(self, name: str, codec: Codec = FRAMES) -> Peer:
        peer = self.peer(codec)
        peer.hello(name)
        return peer

    def typist(self, *lines: str) -> TypingPeer:
        typist = TypingPeer(self)  # type: ignore[arg-type]  # as above
        typist.feed("".join(f"{line}\n" for line in lines).encode())
        self.settle()
        return typist


class Town:
    """A whole cluster."""

    def __init__(self, *, gateways: int = 2, shuffler: Shuffler | None = None) -> None:
        """`shuffler`: of every shard and gateway; else they have their own."""
        self.now = 1_000
        self._settles = False
        self.cut: set[str] = set()
        """Gateways whose packets are lost, on both ways."""
        self.stopped: set[int] = set()
        """Shards that hear and say nothing; what is sent to them is lost."""
        self.carried: dict[str, list[bytes]] = {}
        """What workers published, by gateway; an empty name: to all."""
        self.shards = [TownShard(self, number, shuffler=shuffler) for number in range(SHARDS)]
        for each in self.shards:
            each.dispatcher.begin(each.dispatcher.lobby.policy, today=1)
        self.gateways = [TownGateway(self, f"gate{number}", shuffler) for number in range(gateways)]
        self.settle()
        assert all(each.gateway.is_linked for each in self.gateways)

    def settle(self) -> None:
        if self._settles:  # what was published meanwhile is on its way already
            return
        self._settles = True
        while self.exchange():
            pass
        self._settles = False

    def exchange(self) -> bool:
        """What was published by now arrives. Returns whether there was any."""
        is_any = False
        for each in self.gateways:
            for shard, data in list(each.gateway.take()):
                is_any = True
                packet = read_packet(data)
                assert packet is not None
                if each.gateway.name not in self.cut and shard not in self.stopped:
                    self.shards[shard].links.receive(packet, self.now)
        for number, shard_ in enumerate(self.shards):
            if number in self.stopped:
                continue
            for sent in shard_.links.take(self.now):
                is_any = True
                self.carried.setdefault(sent.gateway, []).append(sent.data)
                for each in self.gateways:
                    if sent.gateway in ("", each.gateway.name) and each.gateway.name not in self.cut:
                        each.gateway.receive(sent.data)
        return is_any

    def add_gateway(self) -> TownGateway:
        """Another one begins."""
        self.gateways.append(TownGateway(self, f"gate{len(self.gateways)}"))
        self.settle()
        return self.gateways[-1]

    def tick(self, milliseconds: int = 250) -> None:
        """Time passes."""
        for _ in range(0, milliseconds, 250):
            self.now += 250
            for number, shard in enumerate(self.shards):
                if number not in self.stopped:
                    shard.dispatcher.tick()
                    shard.links.tick(self.now)
            for each in self.gateways:
                each.gateway.tick()
                each.gateway.tick_sessions()
            self.settle()

    def replace(
        self, number: int, worker: int = 2, kept: LobbyCheckpoint | None = None, *, today: int | None = None
    ) -> None:
        """Another worker takes a shard, from what is recorded, or from what is kept of that. `today`: by its
        calendar."""
        former = self.shards[number]
        lobby = shard_lobby(number)
        lobby.restore(kept or former.dispatcher.lobby.checkpoint())
        self.shards[number] = TownShard(self, number, worker, lobby)
        self.shards[number].dispatcher.begin(lobby.policy, today=self.now if today is None else today)
        self.stopped.discard(number)
        self.settle()


def named(home: int, like: str = "Guest") -> str:
    """A name whose home is this shard."""
    return next(name for n in count() if home_of_name(name := f"{like} {n}", SHARDS) == home)


def opened(host: Peer, **fields: Any) -> int:
    """A table in the home of whoever opens it."""
    answer = host.ask(lambda number: OpenTable(number, "put-1674", **fields))
    assert isinstance(answer, Ok)
    assert answer.table is not None
    return answer.table


def sit(peer: Peer, table: int, **fields: Any) -> Ok | Refused:
    return peer.ask(lambda number: Sit(number, table, **fields))


def seated(town: Town, *, codec: Codec = FRAMES) -> tuple[Peer, Peer, int]:
    """A host of shard 0 at one gateway, a guest of shard 1 at another, and their table, where a game begins."""
    host, guest = town.gateways[0].guest(named(0, "Ann")), town.gateways[1].guest(named(1, "Bob"), codec)
    table = opened(host)
    assert isinstance(sit(host, table), Ok)
    assert isinstance(sit(guest, table), Ok)
    return host, guest, table

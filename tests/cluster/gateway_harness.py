"""A gateway and a shard in memory, in the place of the dispatcher in its harness: what is published arrives at once, in
its order. So tests of the dispatcher's harness can be run against a gateway unchanged."""

from put_server.cluster.gateway import Gateway
from put_server.cluster.link import ShardLinks, read_packet
from put_server.cluster.link_messages import FromShard
from put_server.cluster.shard_dispatcher import ShardDispatcher
from put_server.games.registry import GAMES
from put_server.lobby.lobby import Lobby
from put_server.transport.neighbours import Studies
from tests.lobby.lobby_harness import new_lobby
from tests.transport.dispatcher_harness import DispatcherHarness, ManualJournal, NoHouses, ScriptedShuffler

NAME = "gate"


class NoStudies:
    """Nobody analyses."""

    def study(self, want: object) -> None:
        raise AssertionError("nothing is studied here")


class GatewayHarness(DispatcherHarness):
    """One shard, one gateway, and peers that are connected there."""

    dispatcher: ShardDispatcher

    def __init__(
        self,
        *,
        lobby: Lobby | None = None,
        dealer: ScriptedShuffler | None = None,
        journal: ManualJournal | None = None,
        password: str = "",
        studies: Studies | None = None,
    ) -> None:
        self.now = 1_000
        self._settles = False
        self.dealer = dealer or ScriptedShuffler()
        kept = journal or ManualJournal()
        self.dispatcher = ShardDispatcher(
            lobby or new_lobby(),
            shuffler=self.dealer,
            now=lambda: self.now,
            houses=NoHouses(),
            journal=kept,
            studies=studies or NoStudies(),
            send=self._post,
        )
        self._links = ShardLinks(
            0,
            1,
            self.now,
            opened=lambda _: None,
            handle=self.dispatcher.hear,
            broken=lambda gateway, _: self.dispatcher.leave(gateway),
        )
        self.handler = self.gateway = Gateway(
            lambda: self.now,
            name=NAME,
            shards=1,
            first_link=1,
            families={name: rules.offer.family for name, rules in GAMES.items()},
            shuffler=self.dealer,
            password=password,
        )
        self.settle()
        assert self.gateway.is_linked
        kept.after = self.settle

    def _post(self, gateway: str, item: FromShard) -> None:
        self._links.send(gateway, item)

    def settle(self) -> None:
        if self._settles:  # what was published meanwhile is on its way already
            return
        self._settles = True
        is_quiet = False
        while not is_quiet:
            is_quiet = True
            for _, data in list(self.gateway.take()):
                packet = read_packet(data)
                assert packet is not None
                self._links.receive(packet, self.now)
                is_quiet = False
            for sent in self._links.take(self.now):
                self.gateway.receive(sent.data)
                is_quiet = False
        self._settles = False

    def tick(self, milliseconds: int) -> None:
        self.now += milliseconds
        self.dispatcher.tick()
        self._links.tick(self.now)
        self.gateway.tick()
        self.gateway.tick_sessions()
        self.settle()

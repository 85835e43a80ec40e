"""Both ends of a link in memory, and what is published between them."""

from put_server.cluster.link import BEAT_MS, GatewayLink, Outgoing, ShardLinks, read_packet
from put_server.cluster.link_messages import FromGateway, FromShard

SHARD = 3


class Ends:
    """A gateway and a worker. Each notes what happens to it."""

    def __init__(self, *, worker: int = 7) -> None:
        self.now = 1_000
        self.at_gateway: list[str | FromShard] = []
        self.at_shard: list[str | FromGateway] = []
        self.gateway = GatewayLink(
            "g",
            SHARD,
            self.now,
            first=100,
            opened=lambda _: self.at_gateway.append("opened"),
            handle=lambda _, item: self.at_gateway.append(item),
            broken=lambda _, why: self.at_gateway.append(f"broken: {why}"),
        )
        self.worker = self.new_worker(worker)

    def new_worker(self, incarnation: int) -> ShardLinks:
        return ShardLinks(
            SHARD,
            incarnation,
            self.now,
            opened=lambda _: self.at_shard.append("opened"),
            handle=lambda _, item: self.at_shard.append(item),
            broken=lambda _, why: self.at_shard.append(f"broken: {why}"),
        )

    def up(self) -> list[bytes]:
        return self.gateway.take(self.now)

    def down(self, worker: ShardLinks | None = None) -> list[bytes]:
        return [sent.data for sent in self.sent_down(worker)]

    def sent_down(self, worker: ShardLinks | None = None) -> list[Outgoing]:
        return (worker or self.worker).take(self.now)

    def to_shard(self, packets: list[bytes], worker: ShardLinks | None = None) -> None:
        for data in packets:
            if (packet := read_packet(data)) is not None:
                (worker or self.worker).receive(packet, self.now)

    def to_gateway(self, packets: list[bytes]) -> None:
        for data in packets:
            if (packet := read_packet(data)) is not None:
                self.gateway.receive(packet, self.now)

    def exchange(self, times: int = 3) -> None:
        """Everything that is published arrives."""
        for _ in range(times):
            self.to_shard(self.up())
            self.to_gateway(self.down())

    def wait(self, ms: int, *, is_cut: bool = False) -> None:
        """Time passes, in steps as of a server's tick; what is published meanwhile arrives, unless the link is cut."""
        for _ in range(0, ms, BEAT_MS // 2):
            self.now += BEAT_MS // 2
            if is_cut:
                self.up(), self.down()
            else:
                self.exchange(1)
            self.gateway.tick(self.now)
            self.worker.tick(self.now)

    def opened(self) -> "Ends":
        """The link is up, and nothing of that is noted."""
        self.exchange()
        assert self.gateway.is_up
        self.at_gateway.clear()
        self.at_shard.clear()
        return self

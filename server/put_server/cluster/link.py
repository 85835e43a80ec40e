"""Links between gateways and shards, without NATS: give them packets, take packets to publish.

NATS delivers a message at most once: it may be lost without notice when a connection breaks or a reader is too slow. So
the packets of a link are numbered in each direction, and an idle link sends beats. A gap, a long silence, or another
incarnation of either side *breaks* the link. Nothing is sent again: client connections on a broken link end, and the
clients come back with their tokens and their unanswered requests, as after any lost connection. So a request is carried
out only once, even if links break.

A gateway opens links, and reopens broken ones; the worker of a shard answers. Link numbers between the same two grow,
so late packets of an old link are recognized. A worker's incarnation is greater than that of the shard's previous
worker, and a gateway accepts only the greatest incarnation so far. So gateways ignore an old worker after the first
packet of its successor, even if the old worker still believes that it has the shard.

All times are arguments, in milliseconds of one clock of the process.
"""

import logging
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from msgspec import MsgspecError

from put_server.cluster.link_messages import (
    PIECE_BYTES,
    RELEASE,
    VERSION,
    FromGateway,
    FromShard,
    Packet,
    decode_from_gateway,
    decode_from_shard,
    decode_packet,
    encode,
)

log = logging.getLogger(__name__)

BEAT_MS: Final = 500
"""Longest pause between two packets; an idle link sends empty ones."""

SILENCE_MS: Final = 2_500
"""Silence that breaks a link: five beats."""

OPENING_MS: Final = 250
"""First time limit for opening a link; it doubles with each attempt. Answers to earlier attempts are ignored, so with a
fixed limit a slow link would never open."""

LONGEST_OPENING_MS: Final = 2_000

FORGOTTEN_MS: Final = 15_000
"""Silence of the latest worker after which a smaller incarnation is accepted: the stream that numbers workers was then
restored to an earlier state. An overtaken worker does no harm, because its stream refuses its writes."""

STALL_MS: Final = 1_000
"""Pause between two ticks after which this process itself may have stood still: silence is then counted from now."""

MOST_BYTES: Final = 64 * 1024 * 1024
"""Most bytes in the pieces of one list of items: far more than a whole lobby."""


class LinkBroken(Exception):
    """A link must end; the sentence says why."""


class _Ways:
    """Both directions of one link, at one of its ends: packets sent and received."""

    def __init__(self, now: int, gateway: str, shard: int, link: int, worker: int) -> None:
        """The first packet is due at once. `worker`: as in `Packet.worker`."""
        self._gateway = gateway
        self._shard = shard
        self.link = link
        self.worker = worker
        self.heard_at = self.sent_at = now - BEAT_MS
        self._items: list[FromGateway | FromShard] = []
        self._sent = 0
        self._received = 0
        self._unfinished_items: list[bytes] = []
        self._size = 0

    def send(self, item: FromGateway | FromShard) -> None:
        self._items.append(item)

    def take(self, now: int) -> list[bytes]:
        if not self._items:
            return [] if now - self.sent_at < BEAT_MS else [self._packed(now, b"")]
        body = encode(self._items)
        self._items.clear()
        ends = range(PIECE_BYTES, len(body) + PIECE_BYTES, PIECE_BYTES)
        return [self._packed(now, body[end - PIECE_BYTES : end], is_whole=end >= len(body)) for end in ends]

    def _packed(self, now: int, body: bytes, *, is_whole: bool = True) -> bytes:
        self._sent += 1
        self.sent_at = now
        return encode(
            Packet(VERSION, self._gateway, self._shard, self.link, self.worker, self._sent, is_whole, body, RELEASE)
        )

    def receive(self, packet: Packet, now: int) -> bytes:
        """Take a packet. Returns the encoded items that it completes; empty: none.

        :raises LinkBroken: an earlier packet was lost, or there are too many pieces.
        """
        self.heard_at = now
        if packet.number != self._received + 1:
            raise LinkBroken(f"packet {self._received + 1} was lost: {packet.number} came")
        self._received = packet.number
        if packet.is_whole and not self._unfinished_items:
            return packet.body
        self._unfinished_items.append(packet.body)
        self._size += len(packet.body)
        if self._size > MOST_BYTES:
            raise LinkBroken(f"more than {MOST_BYTES} bytes came in pieces")
        if not packet.is_whole:
            return b""
        body = b"".join(self._unfinished_items)
        self._unfinished_items.clear()
        self._size = 0
        return body


class _Watch:
    """Distinguishes silence of others from a pause of this process."""

    def __init__(self, now: int) -> None:
        self._ticked_at = now

    def silent(self, now: int, ways: Iterable[_Ways]) -> list[_Ways]:
        """Links that were silent for too long; call it several times a second."""
        stalled = now - self._ticked_at >= STALL_MS
        self._ticked_at = now
        if stalled:
            for way in ways:
                way.heard_at = now
            return []
        return [way for way in ways if now - way.heard_at >= SILENCE_MS]


def _flaw(error: Exception) -> str:
    """Reason why a packet is refused, for the log, without values of a decoding error, which may be cards."""
    return str(error) if isinstance(error, LinkBroken) else "what came cannot be read"


def read_packet(data: bytes) -> Packet | None:
    """Decode a published packet, of any version of the link; None: it is no packet."""
    try:
        packet = decode_packet(data)
    except (MsgspecError, ValueError, RecursionError):
        log.warning("a message of %d bytes is no packet of a link", len(data))
        return None
    return packet


class GatewayLink:
    """Gateway's end of one link. It opens the link, and reopens it after a break."""

    def __init__(
        self,
        gateway: str,
        shard: int,
        now: int,
        *,
        first: int,
        opened: Callable[[int], None],
        handle: Callable[[int, FromShard], None],
        broken: Callable[[int, str], None],
    ) -> None:
        """`first`: a number greater than that of any earlier link of a gateway of this name, even one that has ended.
        `opened`, `handle` and `broken` get the shard; `broken` may not send."""
        self.shard = shard
        self._gateway = gateway
        self._opened, self._handle, self._broken = opened, handle, broken
        self._worker = 0
        """Greatest incarnation heard of."""
        self._worker_heard_at = now
        self.foreign: int | None = None
        """Version of the link of the shard's worker; None: ours, or unknown."""
        self.is_up = False
        self._ways = _Ways(now, gateway, shard, first, 0)
        self._watch = _Watch(now)
        self._tried_at: int | None = None
        self._patience = OPENING_MS

    def send(self, item: FromGateway) -> None:
        """Send an item; only while the link is up."""
        assert self.is_up
        self._ways.send(item)

    def take(self, now: int) -> list[bytes]:
        """Packets to publish to the shard; call it after `send`, and several times a second."""
        if self.is_up:
            return self._ways.take(now)
        if self._tried_at is not None:
            if now - self._tried_at < self._patience:
                return []
            self._patience = min(2 * self._patience, LONGEST_OPENING_MS)
        self._tried_at = now
        self._ways = _Ways(now, self._gateway, self.shard, self._ways.link + 1, 0)
        return self._ways.take(now)

    def receive(self, packet: Packet, now: int) -> None:
        if packet.version != VERSION:
            if packet.version != self.foreign:
                older = "its worker" if packet.version < VERSION else "this gateway"
                says = "shard %d: its worker speaks version %d of the link and this gateway %d: upgrade %s"
                log.error(says, self.shard, packet.version, VERSION, older)
            self.foreign = packet.version
            return
        self.foreign = None
        if packet.worker < self._worker:
            if now - self._worker_heard_at < FORGOTTEN_MS:
                return  # it was overtaken, and does not know it yet
            log.warning("shard %d goes on from an earlier moment: its workers are numbered anew", self.shard)
            self._worker = 0
        self._worker_heard_at = now
        if packet.worker > self._worker:
            self._worker = packet.worker
            if self.is_up:
                self._break("another worker has the shard")
        if packet.number == 0:
            if self.is_up and packet.link in (0, self._ways.link):
                if packet.link:
                    self._break("its worker knows nothing of the link")
            elif not self.is_up:
                self._tried_at = None
            return
        if packet.link != self._ways.link:
            return
        try:
            body = self._ways.receive(packet, now)
            items = decode_from_shard(body, packet.release) if body else ()
        except (LinkBroken, MsgspecError, ValueError, RecursionError) as error:
            if self.is_up:
                self._break(_flaw(error))
            return
        if not self.is_up:
            self.is_up = True
            self._ways.worker = self._worker
            self._patience = OPENING_MS
            self._opened(self.shard)
        for item in items:
            self._handle(self.shard, item)

    def tick(self, now: int) -> None:
        """Apply time limits; call it several times a second."""
        if self._watch.silent(now, (self._ways,)) and self.is_up:
            self._break(f"nothing was heard for {SILENCE_MS} ms")

    def _break(self, why: str) -> None:
        self.is_up = False
        self._tried_at = None
        self._broken(self.shard, why)


class Outgoing(NamedTuple):
    """Packet to publish to a gateway; empty name: to all gateways."""

    gateway: str
    data: bytes


class ShardLinks:
    def __init__(
        self,
        shard: int,
        worker: int,
        now: int,
        *,
        opened: Callable[[str], None],
        handle: Callable[[str, FromGateway], None],
        broken: Callable[[str, str], None],
    ) -> None:
        """`worker`: the shard's incarnation, greater than any before. `opened`, `handle` and `broken` get the gateway's
        name; `broken` may not send to it."""
        self._shard = shard
        self._worker = worker
        self._opened, self._handle, self._broken = opened, handle, broken
        self._links: dict[str, _Ways] = {}
        self._refused = {"": 0}
        """Refusals to send: the number of a non-existing link, by gateway. The first goes to all gateways, and
        announces this worker."""
        self._watch = _Watch(now)

    @property
    def heard_at(self) -> int | None:
        """Time when any linked gateway was last heard; None: there is no link."""
        return max([known.heard_at for known in self._links.values()], default=None)

    def send(self, gateway: str, item: FromShard) -> None:
        """Send an item to a gateway; without a link it is dropped."""
        if (known := self._links.get(gateway)) is not None:
            known.send(item)

    def take(self, now: int) -> list[Outgoing]:
        """Packets to publish; call it after `send` and `receive`, and several times a second."""
        out: list[Outgoing] = []
        for gateway, link in self._refused.items():
            none = Packet(VERSION, gateway, self._shard, link, self._worker, 0, release=RELEASE)
            out.append(Outgoing(gateway, encode(none)))
        self._refused.clear()
        for gateway, known in self._links.items():
            out += [Outgoing(gateway, data) for data in known.take(now)]
        return out

    def receive(self, packet: Packet, now: int) -> None:
        if packet.version != VERSION:
            if packet.gateway:
                self._refused[packet.gateway] = 0  # which shows our version
            return
        gateway, known = packet.gateway, self._links.get(packet.gateway)
        is_for_later = packet.worker > self._worker  # the beats of that worker end this one
        if is_for_later or (known is not None and packet.link < known.link):
            return
        if packet.worker not in (0, self._worker):  # the worker before this one
            if known is not None:
                self._break(gateway, "the gateway means another worker")
            self._refused[gateway] = packet.link
            return
        if known is None or packet.link > known.link:
            if packet.number != 1:
                self._refused[gateway] = packet.link
                return
            if known is not None:
                self._break(gateway, "the gateway opened another")
            known = self._links[gateway] = _Ways(now, gateway, self._shard, packet.link, self._worker)
            self._opened(gateway)
        try:
            body = known.receive(packet, now)
            items = decode_from_gateway(body, packet.release) if body else ()
        except (LinkBroken, MsgspecError, ValueError, RecursionError) as error:
            self._break(gateway, _flaw(error))
            self._refused[gateway] = packet.link
            return
        for item in items:
            self._handle(gateway, item)
            if self._links.get(gateway) is not known:
                return

    def tick(self, now: int) -> None:
        """Apply time limits; call it several times a second."""
        silent = self._watch.silent(now, self._links.values())
        for gateway, known in list(self._links.items()):
            if known in silent:
                self._break(gateway, f"nothing was heard for {SILENCE_MS} ms")

    def close(self) -> None:
        """Break every link, because the shard is given away or lost. `take` then returns the notices to the
        gateways."""
        for gateway, known in list(self._links.items()):
            self._break(gateway, "the worker gives the shard away")
            self._refused[gateway] = known.link

    def _break(self, gateway: str, why: str) -> None:
        del self._links[gateway]
        self._broken(gateway, why)

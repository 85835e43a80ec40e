"""Messages of the link: what a gateway and the worker of a shard say to each other, and how they are packed.

A connection is known on the link by its number, which its gateway gives it and never again. What goes up is asked for a
connection; what comes down is for one or more.

Two processes may be of different versions of put-server. By `VERSION` they go together or not at all: where it differs,
each end says so, and no link is opened. Within a version there are only additions, which `RELEASE` counts: a field at
the end with a default, or an item, or a message in one. The older end ignores fields that it does not know, and whole
items that it cannot read if they come from a newer release. So what is added must do no harm where it is ignored, or is
sent only to an end whose packets show that it knows it. Workers are upgraded first: then no request goes up that a
worker does not know.
"""

from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import TypeVar

from msgspec import MsgspecError, Raw, Struct, msgpack

from put_protocol.messages import Goodbye, LobbyState, Request, Seen, ServerMessage, ViewForm, Welcome

VERSION = 1
"""Of the link: raised where two ends can no longer go together."""

RELEASE = 2
"""Of that version: raised with every addition. 0: before there was this number."""

PIECE_BYTES = 480 * 1024
"""Of items in one packet: what NATS carries in one message is 1 MiB, unless an operator allows less."""


class Packet(Struct, frozen=True, array_like=True, gc=False):
    """What is published at once."""

    version: int
    gateway: str
    """Whose link it is."""
    shard: int
    """Which shard's."""
    link: int
    """Which of the links that the gateway made with this shard: each has a greater number than those before."""
    worker: int
    """The shard's incarnation; from a gateway: the one it means, 0 while it knows none."""
    number: int
    """From 1 without gaps on each way of a link. 0, from a shard: it has no such link."""
    is_whole: bool = True
    """The items end with this packet; else they go on in the next."""
    body: bytes = b""
    """Encoded items, or a piece of them."""
    release: int = 0
    """Of who sends it."""


class _Head(Struct, frozen=True, array_like=True, gc=False):
    """What a packet of any version begins with."""

    version: int
    gateway: str
    shard: int


# --- from a gateway --------------------------------------------------------------------------------------------------


class VisitKind(StrEnum):
    """In what way a connection comes to a shard."""

    NEW = "new"
    """at home: somebody new; their token is known to nobody"""
    BACK = "back"
    """at home: somebody with a token, who is known or turned away"""
    KNOWN = "known"
    """elsewhere: `Admitted` if they are known there, else `Absent`"""
    GUEST = "guest"
    """elsewhere: they are to be known there from now on, if they are not yet"""


class PeerEncoding(StrEnum):
    """How messages reach a connection."""

    FRAMES = "frames"
    """encoded as frames"""
    LINES = "lines"
    """encoded as JSON lines; a gateway makes WebSocket messages of them"""
    TYPED = "typed"
    """as they are: they become sentences, or are adapted to an older version, at the gateway"""


class Visit(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A connection comes to a shard. It is answered by `Admitted`, `Absent` or `Farewell`; the connection asks nothing
    before."""

    connection: int
    coming: VisitKind
    form: PeerEncoding
    name: str
    """Empty with `VisitKind.BACK`."""
    is_bot: bool
    token: bytes
    """Digest of the token."""
    openings: bool
    knows: tuple[str, ...]
    views: ViewForm
    origin: str
    """As `Arrive.origin`."""
    address: str
    """For the log."""
    incarnation: int
    """Of the `hello`; elsewhere than at home: the one that the home has answered, which is never 0."""
    epoch: int
    """Of the `hello`; elsewhere than at home 0, for each shard counts its own."""
    seen: tuple[Seen, ...] = ()
    """Of the shard's tables."""
    asked: tuple[int, ...] = ()
    """As in the `hello`: the request may have gone to any shard."""
    muted: tuple[str, ...] = ()
    """With `VisitKind.GUEST`: whom they muted, as their home has it."""
    blocked: tuple[str, ...] = ()


class Asked(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A request of a connection that is admitted."""

    connection: int
    request: Request
    is_silent: bool = False
    """Another shard answers it: whatever the answer is here, it is not told."""


class Lost(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A connection is lost; nothing more is sent for it. It may not have been admitted yet."""

    connection: int


class Departed(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Somebody departs for good: their home answers with `Farewell` once that is safe, others say nothing."""

    connection: int


class Beaten(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The ping that was wanted by `Pinged` is answered."""

    connection: int


class Looked(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The gateway follows the shard's tables and people from now on, until the link ends. It is answered by
    `Changed`, which begins, and then by what changes."""


class Sought(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """To the home of somebody who is invited to a table elsewhere: have them come to that shard. It is answered by
    `Found`. While they are here, their own gateway gets `Summoned`."""

    search: int
    """A number of the gateway's, for the answer."""
    name: str
    shard: int
    """Where they are to come to."""


class Came(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The answer to `Summoned`: they are known in that shard now, or cannot be."""

    summons: int
    is_there: bool


FromGateway = Visit | Asked | Lost | Departed | Beaten | Looked | Sought | Came


# --- from the worker of a shard --------------------------------------------------------------------------------------


class Admitted(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A visit is carried out, and that is safe."""

    connection: int
    welcome: Welcome
    """Without the token; elsewhere than at home without `finished_games` and `houses`, too."""
    messages: tuple[ServerMessage, ...] = ()
    """All that comes with the welcome: answers to `asked` and the tables where they are, in order."""
    muted: tuple[str, ...] = ()
    """Whom they muted, by `same_name`."""
    blocked: tuple[str, ...] = ()
    is_bot: bool = False


class Absent(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Nobody has this token here, and nobody new was to come."""

    connection: int
    is_lost: bool = False
    """They were told of a table here that was never opened, as far as anything is kept."""


class Farewell(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A visit is refused, or has ended: nothing more comes for it from this shard."""

    connection: int
    goodbye: Goodbye


class Delivered(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Bytes in the form that these connections have in common."""

    connections: tuple[int, ...]
    data: bytes


class Told(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A message for connections that take messages as they are."""

    connections: tuple[int, ...]
    message: ServerMessage


class Pinged(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Ping this connection, and say when it has answered: `Beaten`."""

    connection: int


class Charged(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """What was done for a connection took so long, in microseconds."""

    connection: int
    cost: float
    requests: int = 0
    """To be counted against the rate limit: a move that was refused."""
    refused: str = ""
    """The code of a refusal that is logged with the address it came from: a guess at a passcode."""
    is_play: bool = False
    """It was for moves that were carried out. A gateway before release 2 takes it for something else."""


class Changed(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Of the shard's tables and people: all of them, beginning with a message that `begins`, and then what changes."""

    lobby: LobbyState


class Summoned(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Somebody connected here is invited elsewhere: visit that shard for them, and answer with `Came`."""

    summons: int
    """A number of the worker's, for the answer."""
    connection: int
    shard: int


class Found(Struct, frozen=True, array_like=True, tag=True, gc=False):
    search: int
    is_there: bool
    """False: no one here has that name, or they could not come."""


class Announced(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A notice for everybody who is connected at the gateway."""

    says: str


FromShard = Admitted | Absent | Farewell | Delivered | Told | Pinged | Charged | Changed | Summoned | Found | Announced

encode = msgpack.Encoder().encode
"""Packets, and lists of items."""

_decode_packet = msgpack.Decoder(Packet).decode
_decode_head = msgpack.Decoder(_Head).decode
_decode_raw = msgpack.Decoder(list[Raw]).decode

T = TypeVar("T")


def decode_packet(data: bytes) -> Packet:
    """Of another version only what all versions have in common.

    :raises MsgspecError, ValueError, RecursionError: it is no packet.
    """
    try:
        packet = _decode_packet(data)
    except MsgspecError:
        head = _decode_head(data)
        if head.version == VERSION:
            raise
        return Packet(head.version, head.gateway, head.shard, 0, 0, 0)
    return packet


def _reading(every: Callable[[bytes], list[T]], one: Callable[[Raw], T]) -> Callable[[bytes, int], list[T]]:
    """Decodes what an end of a release sent: of a newer one than ours without the items that cannot be read.

    It raises MsgspecError, ValueError or RecursionError, if it cannot be read.
    """

    def read(body: bytes, release: int) -> list[T]:
        try:
            return every(body)
        except MsgspecError:
            if release <= RELEASE:
                raise
        found = []
        for item in _decode_raw(body):
            with suppress(MsgspecError):
                found.append(one(item))
        return found

    return read


decode_from_gateway = _reading(msgpack.Decoder(list[FromGateway]).decode, msgpack.Decoder(FromGateway).decode)
decode_from_shard = _reading(msgpack.Decoder(list[FromShard]).decode, msgpack.Decoder(FromShard).decode)

"""Messages between a gateway and the worker of a shard, and the packets that carry them.

A connection has a number on the link, which its gateway gives it and never uses again. An item of a gateway comes from
one connection; an item of a worker is for one or more.

Two processes may be of different versions of put-server. If their `VERSION` differs, each end says so, and no link is
opened. Within a version there are only additions, which `RELEASE` counts: a field at the end with a default, or an
item, or a message in one. The older end ignores fields that it does not know, and whole items that it cannot read if
they come from a newer release. So an addition must do no harm where it is ignored, or must be sent only to an end whose
packets show that it knows it. Workers are upgraded first: then no gateway sends a request that a worker does not know.
"""

from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import TypeVar

from msgspec import MsgspecError, Raw, Struct, msgpack

from put_protocol.messages import Goodbye, LobbyState, Request, Seen, ServerMessage, ViewForm, Welcome

VERSION = 1
"""Version of the link; raised when an end can no longer understand an older one."""

RELEASE = 7
"""Release within that version; raised with every addition. 0: a release before there was this number."""

PIECE_BYTES = 480 * 1024
"""Most bytes of items in a packet. NATS carries 1 MiB in a message, unless an operator allows less."""


class Packet(Struct, frozen=True, array_like=True, gc=False):
    version: int
    gateway: str
    """Name of the gateway at one end of the link."""
    shard: int
    link: int
    """Number of the link: greater than that of any link before between this gateway and this shard."""
    worker: int
    """Incarnation of the shard; from a gateway: the one that it addresses, 0 until the link is up."""
    number: int
    """Number of the packet, from 1 without gaps in each direction. 0, from a shard: it has no such link."""
    is_whole: bool = True
    """The items end with this packet; else they go on in the next."""
    body: bytes = b""
    """Encoded items, or a piece of them."""
    release: int = 0


class _Head(Struct, frozen=True, array_like=True, gc=False):
    """First fields of a packet, which are the same in all versions."""

    version: int
    gateway: str
    shard: int


class VisitKind(StrEnum):
    NEW = "new"
    """at home: a new person; their token is not known anywhere"""
    BACK = "back"
    """at home: a person with a token, who is known or turned away"""
    KNOWN = "known"
    """elsewhere: `Admitted` if the person is known there, else `Absent`"""
    GUEST = "guest"
    """elsewhere: the person is known there from now on, if they were not"""


class PeerEncoding(StrEnum):
    """Form in which a shard sends messages for a connection."""

    FRAMES = "frames 3"
    """encoded as frames"""
    LINES = "lines 3"
    """encoded as JSON lines; a gateway makes WebSocket messages of them"""
    TOLD = "typed"
    """unencoded: the gateway makes sentences of them, or what an earlier version of the protocol has"""


class Visit(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A connection comes to a shard, which answers `Admitted`, `Absent` or `Farewell`. No request of the connection is
    sent before the answer."""

    connection: int
    coming: VisitKind
    form: PeerEncoding
    name: str
    """Empty with `VisitKind.BACK`."""
    is_bot: bool
    token: bytes
    """Digest of the token."""
    knows: tuple[str, ...]
    views: ViewForm
    origin: str
    """The same as `Arrive.origin`."""
    address: str
    """IP address, for the log."""
    incarnation: int
    """Incarnation in the `hello`; at a shard other than the home: the one that the home answered, which is never 0."""
    epoch: int
    """Epoch in the `hello`; at a shard other than the home 0, because each shard counts its own."""
    seen: tuple[Seen, ...] = ()
    """Events seen at the shard's tables."""
    asked: tuple[int, ...] = ()
    """All requests named in the `hello`: each may have gone to any shard."""
    muted: tuple[str, ...] = ()
    """People whom they muted, as their home has it; for `VisitKind.GUEST` only."""
    blocked: tuple[str, ...] = ()
    words: bool = True
    """The same as `Arrive.words`."""
    fresh_since: int = 0
    """The same as `Admitted.fresh_since`, at a shard other than the home."""
    language: str = ""
    """The same as `Arrive.language`."""


class Asked(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A request of a connection that is admitted."""

    connection: int
    request: Request
    is_silent: bool = False
    """Another shard answers it: the answer of this shard is not sent."""


class Lost(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A connection is lost; the gateway sends nothing more for it. It may not have been admitted yet."""

    connection: int


class Departed(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A person departs for good. Their home answers `Farewell` once that is safe; other shards do not answer."""

    connection: int


class Beaten(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The client has answered the ping that `Pinged` asked for."""

    connection: int


class Looked(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The gateway follows a page of the shard's lobby from now on, until the link ends or it says otherwise. The shard
    answers with `Changed` for what is on it, and then for each change."""

    page: int | None = None
    """None: every page."""
    game: str = ""
    """The same as in `Look`; `free`, too."""
    free: bool = False
    is_over: bool = False
    """The gateway follows that page no longer."""


class Sought(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Ask a person's home to bring them to the shard of a table to which they are invited. The home sends `Summoned` to
    the person's own gateway if they are here, and answers `Found`."""

    search: int
    """Number that the gateway gave the search; the answer names it."""
    name: str
    shard: int
    """Shard to which the person is to come."""


class Came(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Answer to `Summoned`: the person is known in that shard now, or cannot come."""

    summons: int
    is_there: bool


class Queued(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The gateway answers a request by itself: the shard sends `Reached` behind its answers to all asked before."""

    connection: int
    number: int
    """Number that the gateway gave it; the answer names it."""


FromGateway = Visit | Asked | Lost | Departed | Beaten | Looked | Sought | Came | Queued


class Admitted(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A visit is carried out, and that is safe."""

    connection: int
    welcome: Welcome
    """Welcome without the token; from a shard other than the home also without `games` and `houses`."""
    messages: tuple[ServerMessage, ...] = ()
    """All that comes with the welcome: answers to `asked` and the tables where they are, in order."""
    muted: tuple[str, ...] = ()
    """Whom they muted, by `same_name`."""
    blocked: tuple[str, ...] = ()
    is_bot: bool = False
    fresh_since: int = 0
    """Incarnation of the last hello that asked after no request, as the home tells it."""


class Absent(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """No person with this token is known here, and the visit was not to make one known."""

    connection: int
    is_lost: bool = False
    """The person was told of a table of this shard of which no record is kept: acknowledged play was lost."""


class Farewell(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A visit is refused, or has ended: the shard sends nothing more for it."""

    connection: int
    goodbye: Goodbye


class Delivered(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Encoded bytes for connections that share a form."""

    connections: tuple[int, ...]
    data: bytes


class Told(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A message for connections of the form `TOLD`."""

    connections: tuple[int, ...]
    message: ServerMessage


class Pinged(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Ping this connection, and send `Beaten` once it has answered."""

    connection: int


class Charged(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Cost of the work for a connection, in microseconds."""

    connection: int
    cost: float
    requests: int = 0
    """Requests to count against the rate limit: refused moves."""
    refused: str = ""
    """Code of a refusal to log with the client's address: a guess at a passcode."""
    is_play: bool = False
    """The work was for moves that were carried out."""


class Changed(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Tables and people of a shard by page: first all of it, beginning with a message that `begins`; then changes."""

    lobby: LobbyState
    game: str = ""
    """The same as in `Looked`; `free`, too."""
    free: bool = False


class Reached(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Answer to `Queued`."""

    connection: int
    number: int


class Awaited(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Other people begin or cease to wait for a move of the person here: their connection is watched closely."""

    connection: int
    is_awaited: bool


class Placed(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Tables of the shard at which the person of a connection is now."""

    connection: int
    tables: tuple[int, ...]


class Summoned(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A guest of this gateway is invited to another shard: visit it for them, and answer `Came`."""

    summons: int
    """Number that the worker gave the summons; the answer names it."""
    connection: int
    shard: int


class Found(Struct, frozen=True, array_like=True, tag=True, gc=False):
    search: int
    is_there: bool
    """False: no one here has that name, or they could not come."""


FromShard = (
    Admitted
    | Absent
    | Farewell
    | Delivered
    | Told
    | Pinged
    | Charged
    | Changed
    | Placed
    | Summoned
    | Found
    | Reached
    | Awaited
)

encode = msgpack.Encoder().encode

_decode_packet = msgpack.Decoder(Packet).decode
_decode_head = msgpack.Decoder(_Head).decode
_decode_raw = msgpack.Decoder(list[Raw]).decode

T = TypeVar("T")


def decode_packet(data: bytes) -> Packet:
    """Decode a packet; of another version, only the fields that all versions have.

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
    """Make a decoder of items, which takes the body and the release of its sender. It leaves out items that it cannot
    read if the release is newer than ours.

    The decoder raises MsgspecError, ValueError or RecursionError for a body that cannot be read.
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

"""Messages between a gateway and the worker of a shard, and the packets that carry them.

The gateway gives each connection a unique number on the link. A gateway's item comes from one connection; a worker's
item is for one or more.

Two processes may be of different versions of put-server. If their `VERSION` differs, each end says so, and no link is
opened. Within a version there are only additions, which `RELEASE` counts: a field at the end with a default, an item,
or a message in one. The older end ignores unknown fields, and unreadable items of a newer release. So an addition must
be harmless if ignored, or be sent only to an end whose packets show a new enough release. Workers are upgraded first,
so that no gateway sends a request that a worker does not know.
"""

from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import TypeVar

from msgspec import MsgspecError, Raw, Struct, msgpack

from put_protocol.messages import Goodbye, LobbyState, Request, Seen, ServerMessage, ViewForm, Welcome

VERSION = 1
"""Version of the link; raised when older ends become incompatible."""

RELEASE = 7
"""Release within the version; raised with every addition. 0: a release before this number existed."""

PIECE_BYTES = 480 * 1024
"""Most bytes of items in a packet. NATS allows 1 MiB in a message, unless an operator sets less."""


class Packet(Struct, frozen=True, array_like=True, gc=False):
    version: int
    gateway: str
    shard: int
    link: int
    """Number of the link; it grows with each link between this gateway and this shard."""
    worker: int
    """Incarnation of the shard. From a gateway: the incarnation that it addresses, 0 until the link is up."""
    number: int
    """Number of the packet, from 1 without gaps in each direction. 0, from a shard: the link does not exist there."""
    is_whole: bool = True
    """True if the items end with this packet; otherwise they continue in the next."""
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
    """at home: a new person, whose token is known nowhere"""
    BACK = "back"
    """at home: a person with a token, who is known or refused"""
    KNOWN = "known"
    """elsewhere: `Admitted` if the person is known there, otherwise `Absent`"""
    GUEST = "guest"
    """elsewhere: make the person known there, if they are not"""


class PeerEncoding(StrEnum):
    """Form in which a shard sends messages for a connection."""

    FRAMES = "frames 3"
    """encoded as frames"""
    LINES = "lines 3"
    """encoded as JSON lines, which a gateway converts to WebSocket messages"""
    TOLD = "typed"
    """unencoded: the gateway converts it to sentences, to another language, or to an earlier version of the protocol"""


class Visit(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A connection visits a shard, which answers `Admitted`, `Absent` or `Farewell`. The gateway sends no request of
    the connection before the answer."""

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
    """Same as in `Arrive.origin`."""
    address: str
    """IP address, for the log."""
    incarnation: int
    """Incarnation in the `hello`; at a shard other than the home: the one from the home, never 0."""
    epoch: int
    """Epoch in the `hello`; 0 at a shard other than the home, because each shard has its own epochs."""
    seen: tuple[Seen, ...] = ()
    """Events seen at the shard's tables."""
    asked: tuple[int, ...] = ()
    """All requests listed in the `hello`: each may have gone to any shard."""
    muted: tuple[str, ...] = ()
    """People they muted, from their home; only for `VisitKind.GUEST`."""
    blocked: tuple[str, ...] = ()
    words: bool = True
    """Same as in `Arrive.words`."""
    fresh_since: int = 0
    """Same as in `Admitted.fresh_since`, at a shard other than the home."""
    language: str = ""
    """Same as in `Arrive.language`."""


class Asked(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A request of an admitted connection."""

    connection: int
    request: Request
    is_silent: bool = False
    """Another shard answers it: do not send this shard's answer."""


class Lost(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A connection is lost; the gateway sends nothing more for it. It may still be waiting for admission."""

    connection: int


class Departed(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A person departs for good. Their home answers `Farewell` when that is stored; other shards do not answer."""

    connection: int


class Beaten(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The client answered the ping of `Pinged`."""

    connection: int


class Looked(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The gateway follows a page of the shard's lobby, until the link ends or it cancels. The shard answers with
    `Changed` for the current page, and then for each change."""

    page: int | None = None
    """None: every page."""
    game: str = ""
    """Same as in `Look`; so is `free`."""
    free: bool = False
    is_over: bool = False
    """The gateway stops following the page."""


class Sought(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Ask a person's home to bring them to the shard of a table to which they are invited. If they are here, the home
    sends `Summoned` to their gateway. It answers `Found`."""

    search: int
    """The gateway's number of the search; the answer repeats it."""
    name: str
    shard: int


class Came(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Answer to `Summoned`: the person is known in that shard now, or cannot come."""

    summons: int
    is_there: bool


class Queued(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The gateway will answer a request itself: the shard sends `Reached` after its answers to all earlier requests."""

    connection: int
    number: int
    """The gateway's number of the request; the answer repeats it."""


FromGateway = Visit | Asked | Lost | Departed | Beaten | Looked | Sought | Came | Queued


class Admitted(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A visit is carried out and stored."""

    connection: int
    welcome: Welcome
    """Welcome without the token; from a shard other than the home also without `games` and `houses`."""
    messages: tuple[ServerMessage, ...] = ()
    """All messages with the welcome, in order: answers to `asked`, and the tables where they are."""
    muted: tuple[str, ...] = ()
    """People they muted, by `same_name`."""
    blocked: tuple[str, ...] = ()
    is_bot: bool = False
    fresh_since: int = 0
    """Incarnation of the last hello without open requests, from the home."""


class Absent(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """No person with this token is known here, and the visit did not create one."""

    connection: int
    is_lost: bool = False
    """The person knows a table of this shard without a record: acknowledged play was lost."""


class Farewell(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A visit is refused or has ended: the shard sends nothing more for it."""

    connection: int
    goodbye: Goodbye


class Delivered(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Encoded bytes for connections with the same form."""

    connections: tuple[int, ...]
    data: bytes


class Told(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A message for connections of the form `TOLD`."""

    connections: tuple[int, ...]
    message: ServerMessage


class Pinged(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Ping this connection, and send `Beaten` when it answers."""

    connection: int


class Charged(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Cost of the work for a connection, in microseconds."""

    connection: int
    cost: float
    requests: int = 0
    """Requests to count against the rate limit: refused moves."""
    refused: str = ""
    """Code of a refusal to log with the client's address: a wrong passcode."""
    is_play: bool = False
    """True if the work was for accepted moves."""


class Changed(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Tables and people of a shard by page: first everything, beginning with a message that `begins`; then changes."""

    lobby: LobbyState
    game: str = ""
    """Same as in `Looked`; so is `free`."""
    free: bool = False


class Reached(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Answer to `Queued`."""

    connection: int
    number: int


class Awaited(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Other people begin or cease to wait for a move of this person, so their connection is watched closely."""

    connection: int
    is_awaited: bool


class Placed(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Tables of the shard where the connection's person is now."""

    connection: int
    tables: tuple[int, ...]


class Summoned(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A guest of this gateway is invited to another shard: visit it for them, and answer `Came`."""

    summons: int
    """The worker's number of the summons; the answer repeats it."""
    connection: int
    shard: int


class Found(Struct, frozen=True, array_like=True, tag=True, gc=False):
    search: int
    is_there: bool
    """False: no person here has this name, or they could not come."""


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
    """Decode a packet; for another version only the fields of all versions.

    :raises MsgspecError, ValueError, RecursionError: the bytes are no packet.
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
    """Make a decoder of items from a body and its sender's release. It skips unreadable items if the release is newer
    than ours.

    The decoder raises MsgspecError, ValueError or RecursionError for an unreadable body.
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

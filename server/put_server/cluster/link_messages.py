"""Messages of the link: what a gateway and the worker of a shard say to each other, and how they are packed.

A connection is known on the link by its number, which its gateway gives it and never again. What goes up is asked for a
connection; what comes down is for one or more. Fields are only ever added at the end, with a default: so gateways and
workers of two releases that follow each other understand each other, and workers are upgraded first.
"""

from enum import StrEnum

from msgspec import Struct, msgpack

from put_protocol.messages import Goodbye, LobbyState, Request, Seen, ServerMessage, ViewForm, Welcome

VERSION = 1
"""Of the link. Other versions are not understood, and not answered."""

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


# --- from a gateway --------------------------------------------------------------------------------------------------


class Coming(StrEnum):
    """In what way a connection comes to a shard."""

    NEW = "new"
    """at home: somebody new; their token is known to nobody"""
    BACK = "back"
    """at home: somebody with a token, who is known or turned away"""
    KNOWN = "known"
    """elsewhere: `Admitted` if they are known there, else `Absent`"""
    GUEST = "guest"
    """elsewhere: they are to be known there from now on, if they are not yet"""


class Form(StrEnum):
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
    coming: Coming
    form: Form
    name: str
    """Empty with `Coming.BACK`."""
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
    """With `Coming.GUEST`: whom they muted, as their home has it."""
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
    """Without the token; elsewhere than at home without `games` and `houses`, too."""
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
    """What a request has cost, in the units of the budgets. Moves that are carried out are not charged."""

    connection: int
    cost: float
    requests: int = 0
    """To be counted against the rate limit: a move that was refused."""
    refused: str = ""
    """The code of a refusal that is logged with the address it came from: a guess at a passcode."""


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
    """The answer to `Sought`."""

    search: int
    is_there: bool
    """False: nobody of that name is here, or they could not come."""


class Announced(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A notice for everybody who is connected at the gateway."""

    says: str


FromShard = Admitted | Absent | Farewell | Delivered | Told | Pinged | Charged | Changed | Summoned | Found | Announced

encode = msgpack.Encoder().encode
"""Packets, and lists of items."""

decode_packet = msgpack.Decoder(Packet).decode
decode_from_gateway = msgpack.Decoder(list[FromGateway]).decode
decode_from_shard = msgpack.Decoder(list[FromShard]).decode

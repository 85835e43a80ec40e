"""Remote peer: a connection at a gateway, as the dispatcher of a shard sees it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.messages import Goodbye, ServerMessage, Welcome
from put_protocol.parts import parts
from put_server.cluster.link_messages import (
    Admitted,
    Charged,
    Delivered,
    Farewell,
    PeerEncoding,
    Pinged,
    Told,
    Visit,
    VisitKind,
)
from put_server.lobby.binding import UNBOUND, Bindings
from put_server.table.table_effects import PersonId
from put_server.transport.admission import Caller, NetworkUse
from put_server.transport.budgets import Allowance
from put_server.transport.older import FRAMES_2, LINES_2

if TYPE_CHECKING:
    from put_server.cluster.shard_dispatcher import ShardDispatcher

CODECS: Final = {
    PeerEncoding.FRAMES: FRAMES_2,
    PeerEncoding.LINES: LINES_2,
    PeerEncoding.TYPED: None,
    PeerEncoding.FRAMES_3: FRAMES,
    PeerEncoding.LINES_3: LINES,
}

_BUG = Goodbye(
    code="draining", says="the server could not handle what you asked; come back, your seats are kept", back_s=0
)
"""Goodbye after a bug. Clients come back, as after a lost connection, and learn what became of their requests."""


class RemotePeer:
    """One visit, until the connection is lost. Messages for it wait until it is admitted, and go with the welcome."""

    __slots__ = (
        "_coming",
        "_form",
        "_messages",
        "_shard",
        "_welcome",
        "bindings",
        "caller",
        "codec",
        "connection",
        "gateway",
        "is_admitted",
        "is_closed",
        "is_leaving",
        "person",
        "silent",
        "standing",
    )

    def __init__(
        self, shard: "ShardDispatcher", gateway: str, visit: Visit, now: int, places: tuple[NetworkUse, ...]
    ) -> None:
        """`places`: places of its origin at this shard; none: exempt."""
        self.gateway = gateway
        self.connection = visit.connection
        self.person: PersonId | None = None
        self.bindings: Bindings = UNBOUND
        self.caller = Caller(visit.address, visit.origin)
        """Caller that this shard's admission does not know, because gateways admit. Only debts for play are counted
        here as well, by its places."""
        self.caller.places = places
        self.standing = Allowance(now)
        """Allowance for play that is not reported yet; the gateway counts requests."""
        self.silent: set[int] = set()
        """Numbers of requests that another shard answers."""
        self.is_leaving = False
        """True: the person departs for good."""
        self._shard = shard
        self._form = visit.form
        self._coming = visit.coming
        self.codec: Codec | None = None
        """None: the peer is not admitted, or takes messages unencoded."""
        self.is_admitted = False
        """True: the welcome was sent."""
        self.is_closed = False
        self._welcome: Welcome | None = None
        self._messages: list[ServerMessage] = []

    @property
    def is_home(self) -> bool:
        """True if this shard answers for the person's name."""
        return self._coming in (VisitKind.NEW, VisitKind.BACK)

    pending = 0

    @property
    def waits_for_all(self) -> bool:
        return False

    def resume(self) -> bool:
        return True

    def owe(self, cost: float, *, is_play: bool) -> None:
        """Report a cost to the gateway."""
        if not self.is_closed and self.caller.places:
            self._shard.publish(self.gateway, Charged(self.connection, cost, is_play=is_play))

    def send(self, message: ServerMessage) -> None:
        if self.is_closed:
            return
        if self.is_admitted:
            for part in self._told(message):
                self._shard.publish(self.gateway, Told((self.connection,), part))
        elif isinstance(message, Welcome):
            self._welcome = message
        else:
            self._messages += self._told(message)

    def _told(self, message: ServerMessage) -> Iterable[ServerMessage]:
        """The message, as the gateway can tell it."""
        return (message,) if CODECS[self._form] in (FRAMES, LINES) else parts(message)

    def deliver(self, data: bytes) -> None:
        if not self.is_closed:
            self._shard.publish(self.gateway, Delivered((self.connection,), data))

    def begin(self) -> None:
        """Send the welcome with all messages that waited for it."""
        if self.is_closed or self._welcome is None or self.person is None:
            return
        welcome, self._welcome = self._welcome, None
        if not self.is_home:
            welcome = replace(welcome, games=(), houses=())
        self.is_admitted = True
        self.codec = CODECS[self._form]
        known = self._shard.known(self.person)
        hushed = tuple(known.muted), tuple(known.blocked)
        messages = tuple(self._messages)
        self._shard.publish(
            self.gateway, Admitted(self.connection, welcome, messages, *hushed, known.is_bot, known.fresh_since)
        )
        self._messages.clear()

    def flush(self) -> None:
        """Do nothing: no messages are queued here."""

    def ping(self) -> None:
        if not self.is_closed:
            self._shard.publish(self.gateway, Pinged(self.connection))

    def farewell(self, goodbye: Goodbye) -> None:
        if not self.is_closed:
            if self.is_home or not self.is_leaving:  # the gateway awaits an answer to `Departed` from the home only
                self._shard.publish(self.gateway, Farewell(self.connection, goodbye))
            self.forget()

    def cut(self) -> None:
        """End the connection after a bug met while serving it; may be called again."""
        self.farewell(_BUG)

    def forget(self) -> None:
        """Forget the connection; may be called again."""
        if not self.is_closed:
            self.is_closed = True
            self._shard.dismiss(self)

    def tick(self, now: int) -> None:
        """Do nothing: the gateway keeps the clocks of connections."""

"""Interfaces of the dispatcher's neighbours: peers, house players and analysis."""

from typing import NamedTuple, Protocol

from put_protocol.codecs import Codec
from put_protocol.messages import Goodbye, ServerMessage
from put_server.table.table_effects import PersonId, Study
from put_server.transport.admission import Caller
from put_server.transport.budgets import Allowance


class HouseSeating(Protocol):
    def seat(self, person: PersonId, house: str) -> None: ...

    def tell(self, person: PersonId, message: ServerMessage) -> bool:
        """Pass a message to a house player. Returns false if this person is none."""

    def dismiss(self, person: PersonId) -> None: ...

    def forget(self, name: str) -> bool:
        """Erase what house players have learned of this person. Returns true if there was anything."""


class AnalysisRunner(Protocol):
    def study(self, wanted: Study) -> None:
        """Start the work, and `tell` the asker when it is done. Must not block."""


class Peer(Protocol):
    """One connection, as the dispatcher sees it: a session, or a substitute in a program without sockets."""

    person: PersonId | None

    @property
    def caller(self) -> Caller: ...

    @property
    def codec(self) -> Codec | None:
        """Codec of messages for `deliver`; None: the peer gets message objects by `send`."""

    @property
    def pending(self) -> int: ...

    standing: Allowance
    """Debts and limits of the peer."""

    @property
    def waits_for_all(self) -> bool:
        """True if the paused peer also waits for the total debt."""

    def resume(self) -> bool: ...
    def send(self, message: ServerMessage) -> None: ...
    def deliver(self, data: bytes) -> None: ...
    def flush(self) -> None: ...
    def begin(self) -> None: ...
    def ping(self) -> None: ...
    def farewell(self, goodbye: Goodbye) -> None: ...
    def cut(self) -> None: ...
    def tick(self, now: int, *, is_awaited: bool) -> None:
        """Apply time limits. `is_awaited`: other people wait for a move of this peer."""


Unsent = dict[Peer, tuple[Peer, ...]]
"""Peers to write to, each with the peers who pay for that."""


class Newcomer(NamedTuple):
    """A session after `hello`, and the token for its person's return."""

    session: Peer
    token: str

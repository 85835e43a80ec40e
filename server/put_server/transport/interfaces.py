"""Interfaces of the dispatcher's neighbours: peers, house players, analysis and the journal."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from put_protocol.codecs import Codec
from put_protocol.messages import Goodbye, ServerMessage
from put_server.lobby.binding import Bindings
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.lobby.settling import Entry
from put_server.table.table_effects import GameConcluded, PersonId, Study
from put_server.transport.admission import Caller
from put_server.transport.budgets import Allowance


class HouseSeating(Protocol):
    def seat(self, person: PersonId, house: str) -> None: ...

    def tell(self, person: PersonId, message: ServerMessage) -> bool:
        """Hand a message to a house player. Returns whether this person is one."""
        ...

    def dismiss(self, person: PersonId) -> None: ...

    def forget(self, name: str) -> bool:
        """Keep nothing of what the house has learned of this person. Returns whether that was anything."""
        ...


class AnalysisRunner(Protocol):
    def study(self, wanted: Study) -> None:
        """Work it out, and `tell` the asker when it is done. Must not block."""
        ...


class InputJournal(Protocol):
    @property
    def most_records(self) -> int:
        """Records after which a checkpoint is due."""
        ...

    @property
    def since_checkpoint(self) -> int:
        """Records that a restart would have to fold."""
        ...

    @property
    def has_uncommitted(self) -> bool:
        """True if a call is due for what was handed in."""
        ...

    def record(self, entries: list[Entry], then: Callable[[], None], games: Sequence[GameConcluded] = ()) -> None:
        """Record these, and the games they ended, and call back once all is on disk, in the order of the calls. Where a
        deal is over, erase what it was made from."""
        ...

    def compact(self, at: int, checkpoint: LobbyCheckpoint) -> None:
        """Keep the lobby as it is after what was recorded so far, instead of all that."""
        ...

    def compact_behind(self, at: int, take: Callable[[], LobbyCheckpoint]) -> None:
        """The same of the lobby as it is now, without a wait. Called again before that is done, it does nothing."""
        ...


class Peer(Protocol):
    """One connection, as the dispatcher sees it: a session, or what a program without sockets puts in its place."""

    person: PersonId | None
    """The person, once admitted."""

    bindings: Bindings
    """Bindings to the tables where they are, now and later."""

    is_awaited: bool
    """Others wait for a move of this peer, as a shard of a cluster says; else its bindings tell."""

    @property
    def caller(self) -> Caller: ...

    @property
    def codec(self) -> Codec | None:
        """Codec of messages for `deliver`; None: the peer takes the messages themselves, by `send`."""
        ...

    @property
    def pending(self) -> int: ...

    standing: Allowance
    """The counts that are held against the peer."""

    @property
    def waits_for_all(self) -> bool:
        """True if it waits, while it is paused, for the debts of all, too."""
        ...

    def resume(self) -> bool: ...
    def send(self, message: ServerMessage) -> None: ...
    def deliver(self, data: bytes) -> None: ...
    def flush(self) -> None: ...
    def begin(self) -> None: ...
    def ping(self) -> None: ...
    def farewell(self, goodbye: Goodbye) -> None: ...
    def cut(self) -> None: ...
    def tick(self, now: int) -> None: ...


Unsent = dict[Peer, tuple[Peer, ...]]
"""The peers to be written to, each with those on whose behalf."""


class Newcomer(NamedTuple):
    """A session that said hello, and the token its person comes back with."""

    session: Peer
    token: str

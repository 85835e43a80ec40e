"""Interfaces of the dispatcher's neighbours: peers, house players, analysis and the journal."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from put_protocol.codecs import Codec
from put_protocol.messages import Goodbye, ServerMessage
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.lobby.settling import Entry
from put_server.table.table_effects import GameConcluded, PersonId, Study
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


class InputJournal(Protocol):
    @property
    def most_records(self) -> int:
        """Records after which a checkpoint is due."""

    @property
    def since_checkpoint(self) -> int:
        """Records that a restart would have to replay."""

    @property
    def uncommitted(self) -> int:
        """Calls of `record` without a callback yet."""

    def record(self, entries: list[Entry], then: Callable[[], None], games: Sequence[GameConcluded] = ()) -> None:
        """Record these entries and finished games, and call back when all is on disk, in the order of the calls. Erase
        the sources of finished deals."""

    def compact(self, at: int, checkpoint: LobbyCheckpoint) -> None:
        """Store a checkpoint of the lobby in place of all records so far."""

    def compact_behind(self, at: int, take: Callable[[], LobbyCheckpoint]) -> None:
        """Store a checkpoint of the current lobby in the background. Does nothing while one is being made."""


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

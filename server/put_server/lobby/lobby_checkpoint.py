"""Checkpoint of a lobby: all people and tables, as the journal stores them. It never travels."""

from msgspec import Struct

from put_protocol.messages import Ok, ViewForm
from put_server.lobby.policy import Policy
from put_server.table.table_checkpoint import TableCheckpoint
from put_server.table.table_effects import PersonId, TableId


class PersonCheckpoint(Struct, frozen=True):
    """A person. `answers`: their recent responses. `knows`: families of games that their client has text for. `views`:
    the form in which they want views. `origin`: their first address. `incarnation`: number of their last `hello`.
    `epoch`: that of their last `hello`. The other fields are as in `people.Person`."""

    id: PersonId
    name: str
    is_bot: bool
    token: bytes
    is_here: bool
    lost_at: int
    tables: tuple[TableId, ...]
    answers: tuple[Ok, ...]
    knows: tuple[str, ...] = ("put",)
    views: ViewForm = ViewForm.WHOLE
    origin: str = ""
    incarnation: int = 1
    muted: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    epoch: int = 0
    is_visitor: bool = False
    is_heard: bool = True
    is_kept: bool = False
    words: bool = True
    fresh_since: int = 0
    language: str = ""


class LobbyCheckpoint(Struct, frozen=True):
    """The lobby between two inputs. Subscribers are left out: they subscribe again when they come back."""

    people: tuple[PersonCheckpoint, ...]
    tables: tuple[TableCheckpoint, ...]
    opened: tuple[tuple[TableId, int], ...]
    last_person: int
    last_table: int
    is_draining: bool
    is_exhibition: bool
    policy: Policy = Policy()
    epochs: tuple[int, ...] = ()

"""Checkpoint of a lobby: all people and tables, as the journal stores them. It never travels."""

from msgspec import Struct

from put_protocol.messages import Ok, ViewForm
from put_server.lobby.policy import Policy
from put_server.table.table_checkpoint import TableCheckpoint
from put_server.table.table_effects import PersonId, TableId


class PersonCheckpoint(Struct):
    """A person. The fields are those of the journal."""

    id: PersonId
    name: str
    is_bot: bool
    token: bytes
    """Digest of the token they come back with."""
    is_here: bool = True
    lost_at: int = 0
    tables: tuple[TableId, ...] = ()
    """Tables where they sit or watch, by number."""
    answers: tuple[Ok, ...] = ()
    """Recent responses, in a checkpoint."""
    knows: tuple[str, ...] = ("put",)
    """Families of games that their client has text for."""
    views: ViewForm = ViewForm.WHOLE
    """The form in which they want views of games."""
    origin: str = ""
    """Their first address, which is never sent; empty: exempt from quotas. A return changes only an empty one.
    Otherwise a person with two addresses could fill any server, because a returning person is never refused."""
    incarnation: int = 1
    """Number of the `hello` on their current or last connection, the greatest so far."""
    muted: tuple[str, ...] = ()
    """Folded names of muted people; the latest last."""
    blocked: tuple[str, ...] = ()
    """Folded names of blocked people; the latest last."""
    epoch: int = 0
    """Epoch of their last `hello`; 0: unknown."""
    is_visitor: bool = False
    """True if another lobby of the same server keeps their name."""
    is_heard: bool = True
    """They have sent a request, so they know their token; also true if unknown."""
    is_kept: bool = False
    """They are gone, and their name is kept."""
    words: bool = True
    fresh_since: int = 0
    """Incarnation of the last `hello` that listed no requests. Ids of earlier requests may be used again, so responses
    to those no longer count."""
    language: str = ""
    """Language of the text that their client has; empty: English only."""


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

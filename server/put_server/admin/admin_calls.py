"""Calls that the admin socket takes, and their answers: one JSON object a line, each way.

An answer begins with `ok`. Where it is false, `says` tells why, and nothing was changed.
"""

from typing import Annotated

from msgspec import Meta, Struct

from put_server.settings import SETTINGS

_DRAIN, _BACK = (SETTINGS.table[name].bounds for name in ("drain_seconds", "back_seconds"))

LINE_BYTES = 8 * 1024
"""The longest call: what may be said, every character of it escaped, takes 5 KiB."""

ANSWER_BYTES = 64 * 1024
"""The longest answer: a status takes 2 KiB; room for a later server's."""


class AskStatus(Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask", tag="status"):
    """Asks for the status. Answered by `ServerStatus`; all other calls by `CallDone`, unless they say otherwise."""


class AskAnnounce(Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask", tag="announce"):
    text: str


class AskKick(Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask", tag="kick"):
    """Send a person away: they leave their tables as if they had said bye, and their token ends."""

    name: str = ""
    because: str = ""
    """Told to them."""
    address: str = ""
    """Instead of a name: everybody who came from this address or prefix."""


class AskBan(Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask", tag="ban"):
    """Refuse connections from an address or prefix, and send away the people from there."""

    address: str


class AskUnban(Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask", tag="unban"):
    address: str


class AskForget(Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask", tag="forget"):
    """Erase a person from all that is kept; finished games name them by their seat."""

    name: str


class AskBans(Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask", tag="bans"):
    """Asks for the bans. Answered by `BanList`."""


class AskDrain(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="ask", tag="drain"):
    """Stop. Nothing new begins; games in play may go on for a while, and then stand as they are in the journal."""

    seconds: Annotated[int, Meta(ge=_DRAIN[0], le=_DRAIN[1])] | None = None
    """Seconds for games in play; None: as the server's settings say."""
    back: Annotated[int, Meta(ge=_BACK[0], le=_BACK[1])] | None = None
    """Seconds from the end to the server's return, 0 if it is not known; None: as the server's settings say."""
    process: str = ""
    """Name of the worker or gateway of a cluster that ends; its games go on elsewhere."""


class AskUpgrade(Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask", tag="upgrade"):
    """Start the server that is installed now with the listening sockets of this one, and end in its favour."""


Call = AskStatus | AskAnnounce | AskKick | AskForget | AskBan | AskUnban | AskBans | AskDrain | AskUpgrade


class CallDeclined(Struct, frozen=True):
    says: str
    ok: bool = False


class CallDone(Struct, frozen=True):
    says: str
    ok: bool = True


class BanList(Struct, frozen=True):
    """Addresses and prefixes that are banned, in the order of the bans."""

    bans: tuple[str, ...]
    ok: bool = True


class TableCounts(Struct, frozen=True):
    total: int
    playing: int
    paused: int
    filling: int
    between: int
    """A game is over, and not everyone has asked for another."""
    spectators: int


class PeopleCounts(Struct, frozen=True):
    """People known by name, bots included, the house not."""

    here: int
    away: int
    """Lost, and expected back."""
    bots: int
    """Among both."""


class Outboxes(Struct, frozen=True):
    """Bytes that wait to be read by peers."""

    bytes: int
    largest: int
    """Bytes of the slowest peer, who is dropped if they grow too far."""
    waiting: int
    """Peers for whom anything waits."""


class JournalNumbers(Struct, frozen=True):
    path: str
    records: int
    """Records since the checkpoint: a restart would fold them."""
    bytes: int
    """Size on disk, SQLite's log included."""
    commit_p50_ms: float | None = None
    """Median of the last 1,000, from handing in to the answers going out; None: there was none yet."""
    commit_p99_ms: float | None = None


class ServerStatus(Struct, frozen=True):
    name: str
    version: str
    uptime_s: int
    is_draining: bool
    tables: TableCounts
    people: PeopleCounts
    connections: int
    """Those included who have not said hello."""
    house_players: int
    """Seated."""
    outboxes: Outboxes
    journal: JournalNumbers | None
    """None: nothing is kept."""
    games_finished: int
    """Games since the start."""
    ok: bool = True


Answer = CallDeclined | CallDone | BanList | ServerStatus

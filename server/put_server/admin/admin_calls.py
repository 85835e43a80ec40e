"""Calls to the admin socket, and their answers: one JSON object per line in each direction.

An answer begins with `ok`. If it is false, `says` has the reason, and nothing was changed.
"""

from typing import Annotated

from msgspec import Meta, Struct

from put_server.settings import SETTINGS

_DRAIN, _BACK = (SETTINGS.table[name].bounds for name in ("drain_seconds", "back_seconds"))

LINE_BYTES = 8 * 1024
"""The longest call: an announcement with every character escaped takes 5 KiB."""

ANSWER_BYTES = 64 * 1024
"""The longest answer: a status takes 2 KiB; the rest is for later versions."""


class _Call(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask", tag=lambda name: name.removeprefix("Ask").lower()
):
    """A call is named by its class: `ask` of `AskStatus` is `status`."""


class AskStatus(_Call, frozen=True):
    """Ask for the status. The answer is `ServerStatus`; other calls get `CallDone`, unless they say otherwise."""


class AskAnnounce(_Call, frozen=True):
    text: str


class AskKick(_Call, frozen=True):
    """Send a person away: they leave their tables as if they had said bye, and their token ends."""

    name: str = ""
    because: str = ""
    """Reason for the person."""
    address: str = ""
    """Used instead of a name: everyone from this address or prefix."""


class AskBan(_Call, frozen=True):
    """Refuse connections from an address or prefix, and send away the people from there."""

    address: str


class AskUnban(_Call, frozen=True):
    address: str


class AskForget(_Call, frozen=True):
    """Erase a person from all stored data; finished games name them by their seat."""

    name: str


class AskBans(_Call, frozen=True):
    """Asks for the bans. Answered by `BanList`."""


class AskDrain(_Call, frozen=True, omit_defaults=True):
    """Stop. Nothing new begins; games in play may continue for a while, and then stay in the journal."""

    seconds: Annotated[int, Meta(ge=_DRAIN[0], le=_DRAIN[1])] | None = None
    """Seconds for games in play; None: from the settings."""
    back: Annotated[int, Meta(ge=_BACK[0], le=_BACK[1])] | None = None
    """Seconds from the end to the server's return, 0 if unknown; None: from the settings."""
    process: str = ""
    """Name of the worker or gateway of a cluster to end; its games continue elsewhere."""


class AskUpgrade(_Call, frozen=True):
    """Start the currently installed server with this one's listening sockets, and end when it is ready."""


Call = AskStatus | AskAnnounce | AskKick | AskForget | AskBan | AskUnban | AskBans | AskDrain | AskUpgrade


class CallDeclined(Struct, frozen=True):
    says: str
    ok: bool = False


class CallDone(Struct, frozen=True):
    says: str
    ok: bool = True


class BanList(Struct, frozen=True):
    """Banned addresses and prefixes, in the order of the bans."""

    bans: tuple[str, ...]
    ok: bool = True


class TableCounts(Struct, frozen=True):
    total: int
    playing: int
    paused: int
    filling: int
    between: int
    """Tables where a game is over, and not everyone has asked for another."""
    spectators: int


class PeopleCounts(Struct, frozen=True):
    """People known by name, bots included, the house not."""

    here: int
    away: int
    """Lost, and expected back."""
    bots: int
    """Among both."""


class Outboxes(Struct, frozen=True):
    """Bytes that peers have not read yet."""

    bytes: int
    largest: int
    """Bytes of the slowest peer, who is disconnected above a limit."""
    waiting: int
    """Peers with unread bytes."""


class JournalNumbers(Struct, frozen=True):
    path: str
    records: int
    """Records since the checkpoint, which a restart would replay."""
    bytes: int
    """Size on disk, SQLite's log included."""
    commit_p50_ms: float | None = None
    """Median of the last 1,000 commits, from the record to the sending of answers; None: no commit yet."""
    commit_p99_ms: float | None = None


class ServerStatus(Struct, frozen=True):
    name: str
    version: str
    uptime_s: int
    is_draining: bool
    tables: TableCounts
    people: PeopleCounts
    connections: int
    """Number of connections, including those before `hello`."""
    house_players: int
    """Seated."""
    outboxes: Outboxes
    journal: JournalNumbers | None
    """None: there is no journal."""
    games_finished: int
    """Games since the start."""
    ok: bool = True


Answer = CallDeclined | CallDone | BanList | ServerStatus

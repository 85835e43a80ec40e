"""The limits of wire and lobby, each with its number and its reason, as the code has them."""

from types import ModuleType
from typing import NamedTuple

from put_protocol import limits, text
from put_server import app
from put_server.lobby import presence, subscribers
from put_server.lobby import tables as open_tables
from put_server.table import event_log, sealing, seating
from put_server.transport import rate_limit, session
from scripts.reference import tables as markdown
from scripts.reference.shapes import said_in


class Bound(NamedTuple):
    """One limit."""

    what: str
    """What it counts."""
    module: ModuleType
    name: str


BOUNDS = (
    Bound("bytes in a frame or a line, without its length or line feed", limits, "FRAME_BYTES"),
    Bound("items in a list of yours", limits, "REQUEST_ARRAY_ITEMS"),
    Bound("items in a list of the server's", limits, "ARRAY_ITEMS"),
    Bound("fields of a map", limits, "MAP_ITEMS"),
    Bound("bytes in one run of bytes", limits, "BIN_BYTES"),
    Bound("characters in a name", text, "NAME_LENGTH"),
    Bound("characters in what you `say`", text, "TALK_LENGTH"),
    Bound("milliseconds from connecting to your first byte", limits, "STRANGER_MS"),
    Bound("milliseconds from your first byte to a whole `hello`", limits, "HELLO_MS"),
    Bound("milliseconds of your silence until the server pings", limits, "QUIET_MS"),
    Bound("milliseconds of your silence until you are taken for gone", limits, "DEAD_MS"),
    Bound("counted requests a second", rate_limit, "REQUESTS_PER_SECOND"),
    Bound("counted requests in one burst, and requests before `welcome`", rate_limit, "REQUESTS_AT_ONCE"),
    Bound("counted requests in a row, all too fast, until you are sent away", rate_limit, "REFUSALS_BEFORE_CLOSING"),
    Bound("bytes that may wait for you to read", session, "OUTBOX_BYTES"),
    Bound("milliseconds for you to read the last words", session, "CLOSING_MS"),
    Bound("tables a person may sit at, watch, or have opened and not sat at", app, "TABLES_A_PERSON"),
    Bound("facts of a table that are kept for who comes back", event_log, "TAIL"),
    Bound("milliseconds to cut a sealed deal", sealing, "CUT_MS"),
    Bound("minutes of the longest pause", limits, "PAUSE_MINUTES"),
    Bound("spectators at a table", seating, "GALLERY_SIZE"),
    Bound("milliseconds a table stays open at which nobody has sat", open_tables, "FRESH_MS"),
    Bound("milliseconds a person is waited for who sits nowhere", presence, "GRACE_MS"),
    Bound("tables, and people, in one `lobby` message", subscribers, "PAGE"),
)


def limits_table() -> list[str]:
    """What is limited, to how much, and why."""
    return markdown.table(
        ["number", "of", "why"],
        [[f"{getattr(b.module, b.name):,}", b.what, said_in(b.module)[b.name].replace("|", "\\|")] for b in BOUNDS],
    )

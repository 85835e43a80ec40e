"""The screens over a record: what makes each, and its keys."""

from datetime import UTC, datetime, tzinfo

from put_client.record.keeping import wall_ms
from put_client.record.positions import Positions
from put_client.record.store import Record
from put_client.tui import drill_screen, record_screen
from put_client.tui.screens import Screens
from put_text.plain.offers import USUAL

RECORD, DRILL = "record", "drill"


def own_zone() -> tzinfo:
    """Where the player is."""
    return datetime.now().astimezone().tzinfo or UTC


def own_screens(record: Record | None, game: str = USUAL, positions: Positions | None = None) -> Screens:
    """Of a record; none without one. `game`: what is practised; `positions`: where new ones come from."""
    if record is None:
        return {}
    return {
        RECORD: (record_screen.maker(record, wall_ms, own_zone()), record_screen.bound_keys),
        DRILL: (drill_screen.maker(record, wall_ms, game, positions), drill_screen.bound_keys),
    }

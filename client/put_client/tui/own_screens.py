"""The screens over a record: what makes each, and its keys."""

from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

from put_client.record.keeping import wall_ms
from put_client.record.store import Record
from put_client.tui.screens import Host, Screen, Screens
from put_client.tui.widgets.theme import Theme
from put_text.plain.offers import USUAL

if TYPE_CHECKING:
    from put_client.record.positions import Positions

RECORD, DRILL = "record", "drill"

KEYS = frozenset(
    {
        *"abcdefghijklmnopqrstuvwxyz123456789? ",
        *("up", "down", "left", "right", "pageup", "pagedown", "home", "end"),
        *("enter", "escape", "c-c", "<scroll-up>", "<scroll-down>"),
    }
)
"""Every key that means anything on them. They are made, and loaded, when they are first wanted."""


def own_zone() -> tzinfo:
    return datetime.now().astimezone().tzinfo or UTC


def own_screens(record: Record | None, game: str = USUAL, positions: "Positions | None" = None) -> Screens:
    """Of a record; none without one. `game`: what is practised; `positions`: where new ones come from."""
    if record is None:
        return {}

    def recorded(host: Host, theme: Theme) -> Screen:
        from put_client.tui import record_screen  # noqa: PLC0415  # the first screen does not wait for it

        return record_screen.maker(record, wall_ms, own_zone())(host, theme)

    def drill(host: Host, theme: Theme) -> Screen:
        from put_client.tui import drill_screen  # noqa: PLC0415  # the same

        return drill_screen.maker(record, wall_ms, game, positions)(host, theme)

    return {RECORD: (recorded, KEYS), DRILL: (drill, KEYS)}

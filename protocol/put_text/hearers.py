"""Hearers of chat at a table, as a sentence for every client."""

from put_protocol.seats import GALLERY, Viewer
from put_protocol.table_info import TableInfo

GALLERY_ONLY = "While a game is played, only the gallery hears what the gallery says."
"""Law 6: "No bystander must interfere"."""


def who_hears(info: TableInfo, viewer: Viewer) -> str:
    """The people who hear this viewer now, in a sentence."""
    if viewer == GALLERY and info.is_in_play:
        return GALLERY_ONLY
    if viewer != GALLERY and not info.watchers:
        return "Everyone at the table hears what you say."
    return "Everyone at the table and in the gallery hears what you say."

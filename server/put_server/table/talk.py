"""Facts of a table that are no game's: who came and went, and what was said."""

from put_protocol.games.unions import (
    Event,
)
from put_protocol.seats import GALLERY, Viewer
from put_protocol.table_events import (
    Said,
)
from put_server.games.facts import Fact


class GalleryTalk(Fact):
    """Said by a spectator during a game: it reaches the gallery only (Law 6, Enquire Within 1856)."""

    __slots__ = ("said",)

    def __init__(self, said: Said) -> None:
        self.said = said

    def seen_by(self, viewer: Viewer) -> Event | None:
        return self.said if viewer == GALLERY else None

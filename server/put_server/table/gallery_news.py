"""News of a gallery, and how often news is told."""

NEWS_MS = 100
"""Milliseconds between two pieces of news of the lobby, or of a gallery, for those who wait for none: no eye sees the
difference. Where more than a hundred hear it, it is a millisecond for each, so that news costs the server the same
however many look."""


NEVER = -NEWS_MS
"""A time before all news."""


def news_interval(readers: int, least: int = NEWS_MS) -> int:
    """Milliseconds between two pieces of news for so many; 0 is for all."""
    return max(least, readers) if least else 0


class GalleryNews:
    """Changes of a gallery, sent to the table no more often than a reader can use them."""

    __slots__ = ("_told_at", "is_waiting")

    def __init__(self) -> None:
        self._told_at = NEVER
        self.is_waiting = False
        """True if something was put off."""

    def is_due(self, now: int, readers: int) -> bool:
        return now - self._told_at >= news_interval(readers)

    def note_told(self, now: int) -> None:
        self._told_at, self.is_waiting = now, False

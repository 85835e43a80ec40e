"""Encodings of the lobby's pages. All who begin to look are sent the same pages, until something on them changes
(`lobby.news`)."""

from put_protocol.codecs import Codec
from put_protocol.messages import LobbyState

MOST_PAGES = 128
"""Pages whose encodings are kept: more than the largest lobby has. With both codecs they take some two megabytes."""


class PageEncodings:
    def __init__(self) -> None:
        self._kept: dict[int, tuple[LobbyState, dict[Codec, bytes]]] = {}
        """Encodings by the identity of the page, which no other has while this one is kept."""

    def of(self, message: LobbyState) -> dict[Codec, bytes]:
        """Encodings of a page by codec, to be added to."""
        if (kept := self._kept.get(id(message))) is not None:
            return kept[1]
        if len(self._kept) >= MOST_PAGES:
            del self._kept[next(iter(self._kept))]
        encoded: dict[Codec, bytes] = {}
        self._kept[id(message)] = message, encoded
        return encoded

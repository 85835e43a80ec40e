"""Encodings of the lobby's pages. All who begin to look are sent the same pages, until something on them changes
(`lobby.news`)."""

from put_protocol.codecs import Codec
from put_protocol.messages import LobbyState, ServerMessage

MOST_PAGES = 128
"""Pages whose encodings are kept: more than the largest lobby has. With both codecs they take some two megabytes."""


class PageEncodings:
    def __init__(self) -> None:
        self._kept: dict[int, tuple[LobbyState, dict[Codec, bytes]]] = {}
        """By the identity of the page, which no other has while this one is kept."""

    def of(self, message: ServerMessage) -> dict[Codec, bytes]:
        """Encodings of a message by codec, to be added to; they are kept for a page of the lobby alone."""
        if type(message) is not LobbyState:
            return {}
        if (kept := self._kept.get(id(message))) is not None:
            return kept[1]
        if len(self._kept) >= MOST_PAGES:
            del self._kept[next(iter(self._kept))]
        encoded: dict[Codec, bytes] = {}
        self._kept[id(message)] = message, encoded
        return encoded

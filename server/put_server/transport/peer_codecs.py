"""Codecs of peers who are told the same otherwise: as version 2 of the protocol, or in another language.

They are codecs so that what many see is said and encoded once for them, too. For version 2 each part of a message is
one of its own. In another language the server's words are said in it, or their messages stand beside: what a table
tells is said where it is made; here is all else, refusals, notices, goodbyes, and the games and players of the welcome.

The lobby's pages are encoded once for each codec: all who begin to look are sent the same pages, until something on
them changes (`lobby.news`).
"""

from functools import cache

from msgspec.structs import replace

from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.messages import LobbyState, ServerMessage, Welcome
from put_protocol.parts import parts
from put_text.catalogue import speaking
from put_text.translated import in_language, with_phrase

VERSION = 2


@cache
def of_version_2(codec: Codec) -> Codec:
    """The codec by which a peer of version 2 is told what others are told by this one."""

    def encode(message: ServerMessage) -> bytes:
        if type(message) is Welcome:
            message = replace(message, version=VERSION)
        told = parts(message)
        return codec.encode(message) if len(told) == 1 else b"".join(map(codec.encode, told))

    return codec.with_encoder(f"{codec.name} of version 2", encode)


FRAMES_2, LINES_2 = of_version_2(FRAMES), of_version_2(LINES)


@cache
def speaking_codec(codec: Codec, language: str) -> Codec:
    """The codec, for peers of a language that there is."""

    def encode(message: ServerMessage) -> bytes:
        with speaking(language):
            return codec.encode(in_language(message))

    return codec.with_encoder(f"{codec.name} in {language}", encode)


@cache
def phrasing_codec(codec: Codec) -> Codec:
    """The codec, for peers who say the server's words themselves, by the messages of the catalogue."""
    return codec.with_encoder(f"{codec.name} in phrases", lambda message: codec.encode(with_phrase(message)))


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

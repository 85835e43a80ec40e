"""Codecs for peers who need another form: version 2 of the protocol, or another language.

They are codecs so that a broadcast is translated and encoded once for these peers, too. For version 2 each part of a
message becomes a message. For another language the server's text is translated, or the messages of the catalogue are
added. A table's text is translated where it is made; here are refusals, notices, goodbyes, and the games and players of
the welcome.

Pages of the lobby are encoded once for each codec: all new readers get the same pages, until a page changes
(`lobby.news`).
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
    """This codec for peers of version 2."""

    def encode(message: ServerMessage) -> bytes:
        if type(message) is Welcome:
            message = replace(message, version=VERSION)
        told = parts(message)
        return codec.encode(message) if len(told) == 1 else b"".join(map(codec.encode, told))

    return codec.with_encoder(f"{codec.name} of version 2", encode)


FRAMES_2, LINES_2 = of_version_2(FRAMES), of_version_2(LINES)


@cache
def speaking_codec(codec: Codec, language: str) -> Codec:
    def encode(message: ServerMessage) -> bytes:
        with speaking(language):
            return codec.encode(in_language(message))

    return codec.with_encoder(f"{codec.name} in {language}", encode)


@cache
def phrasing_codec(codec: Codec) -> Codec:
    """This codec with messages of the catalogue, for peers who make the server's text themselves."""
    return codec.with_encoder(f"{codec.name} in phrases", lambda message: codec.encode(with_phrase(message)))


MOST_PAGES = 128
"""Most pages whose encodings are cached: more than the largest lobby has. Both codecs together take two megabytes."""


class PageEncodings:
    def __init__(self) -> None:
        self._kept: dict[int, tuple[LobbyState, dict[Codec, bytes]]] = {}
        """Encodings by the page's `id()`, which is unique as long as the page is in this cache."""

    def of(self, message: LobbyState) -> dict[Codec, bytes]:
        """Encodings of a page by codec, to be added to."""
        if (kept := self._kept.get(id(message))) is not None:
            return kept[1]
        if len(self._kept) >= MOST_PAGES:
            del self._kept[next(iter(self._kept))]
        encoded: dict[Codec, bytes] = {}
        self._kept[id(message)] = message, encoded
        return encoded

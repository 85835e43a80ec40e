"""Codecs for peers of another language: with the server's words in it, or with their messages beside.

They are codecs so that what many see is said and encoded once for them, too. What a table tells is said where it is
made; here is all else: refusals, notices, goodbyes, and the games and players of the welcome.
"""

from functools import cache

from put_protocol.codecs import Codec
from put_protocol.messages import ServerMessage
from put_text.catalogue import speaking
from put_text.translated import in_language, with_phrase


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

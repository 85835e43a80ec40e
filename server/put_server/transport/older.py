"""Codecs for peers of version 2 of the protocol: they are sent the same, each part of a message as one of its own.

They are codecs so that what many see is encoded once for them, too.
"""

from functools import cache

from msgspec.structs import replace

from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.messages import ServerMessage, Welcome
from put_protocol.parts import parts

VERSION = 2


@cache
def of_version_2(codec: Codec) -> Codec:
    """The codec by which a peer of version 2 is told what others are told by this one."""

    def encode(message: ServerMessage) -> bytes:
        if type(message) is Welcome:
            message = replace(message, version=VERSION)
        return b"".join(map(codec.encode, parts(message)))

    return codec.with_encoder(f"{codec.name} of version 2", encode)


FRAMES_2, LINES_2 = of_version_2(FRAMES), of_version_2(LINES)

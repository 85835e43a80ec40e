"""How things are kept: one msgpack map each. This codec holds packs, hands and passcodes; no socket ever gets it.

It is the one codec that opens what is `Hidden`: any other meets it as a type that cannot be encoded.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from put_server.games.hidden import Hidden
from put_server.games.record import GameRecord
from put_server.lobby.inputs import Input
from put_server.lobby.kept import LobbyKept


def _opened(value: Any) -> Any:
    if isinstance(value, Hidden):
        return value.unseal()
    raise NotImplementedError(f"{type(value).__name__} is not kept")


def _sealed(kind: type, value: Any) -> Any:
    if kind == Hidden[bytes] and isinstance(value, bytes):
        return Hidden(value)
    raise NotImplementedError(f"{kind} is not kept")


encode: Callable[[Input | GameRecord | LobbyKept], bytes] = msgspec.msgpack.Encoder(enc_hook=_opened).encode
"""What is kept of it."""

decode_input = msgspec.msgpack.Decoder[Input](Input).decode
decode_game = msgspec.msgpack.Decoder(GameRecord, dec_hook=_sealed).decode
decode_lobby = msgspec.msgpack.Decoder(LobbyKept, dec_hook=_sealed).decode

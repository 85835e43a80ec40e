"""How an input is kept: one msgpack map a record. This codec holds packs and passcodes; no socket ever gets it."""

import msgspec

from put_server.lobby.inputs import Input

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder[Input](Input).decode

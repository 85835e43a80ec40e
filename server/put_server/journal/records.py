"""Codec of records, checkpoints and games: one msgpack map each, with packs, hands and passcodes. Never for a socket.

Only this codec encodes `Hidden` values; other codecs raise an error for them.

The source of a deal, its `Chance`, has its own row, and is left out of records and checkpoints. So it can be erased
when the deal is over, and replaced by its remains, which give the same events.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from put_rules.facts import Hidden
from put_rules.record import Chance, GameRecord, Pack
from put_server.lobby.inputs import Input, Secret, Shuffled
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.table.table_effects import TableId


def _encode_hidden(value: Any) -> Any:
    if isinstance(value, Hidden):
        return value.unseal()
    raise NotImplementedError(f"{type(value).__name__} is not kept")


def _decode_hidden(kind: type, value: Any) -> Any:
    if kind == Hidden[bytes] and isinstance(value, bytes):
        return Hidden(value)
    raise NotImplementedError(f"{kind} is not kept")


encode: Callable[[Input | GameRecord | LobbyCheckpoint | Chance], bytes] = msgspec.msgpack.Encoder(
    enc_hook=_encode_hidden
).encode

decode_input = msgspec.msgpack.Decoder[Input](Input).decode
decode_game = msgspec.msgpack.Decoder(GameRecord, dec_hook=_decode_hidden).decode
decode_chance = msgspec.msgpack.Decoder(Chance).decode
decode_lobby = msgspec.msgpack.Decoder(LobbyCheckpoint, dec_hook=_decode_hidden).decode


def chance_in(event: Secret | Shuffled) -> Chance:
    if isinstance(event, Secret):
        return Chance(event.secret, tape=event.tape)
    return Chance(pack=Pack(event.pack, luck=event.luck))


def without_chance(event: Secret | Shuffled) -> Secret | Shuffled:
    """The input as stored, without the source of its deal."""
    if isinstance(event, Secret):
        return replace(event, secret=b"", tape=None)
    return replace(event, pack=(), luck=None)


def with_chance(event: Input, chance: Chance | None) -> Input:
    """The stored input with the source of its deal, or its remains.

    :raises msgspec.DecodeError: the source is missing, or of another kind.
    """
    match event:
        case Secret(table=table, secret=b"", tape=None):
            if chance is None or chance == Chance():
                raise msgspec.DecodeError(f"what the deal of table {table} was made from is missing")
            return replace(event, secret=chance.secret, tape=chance.tape)
        case Shuffled(table=table, pack=()):
            if chance is None or chance.pack is None:
                raise msgspec.DecodeError(f"what the deal of table {table} was made from is missing")
            return replace(event, pack=chance.pack.cards, luck=chance.pack.luck)
        case _:
            return event


def split_chances(lobby: LobbyCheckpoint) -> tuple[LobbyCheckpoint, dict[TableId, tuple[Chance, ...]]]:
    """The lobby without the sources of its deals in play, and those sources by table, the oldest deal first."""
    chances = {table.id: (*table.beside, table.chance) for table in lobby.tables if table.chance is not None}
    tables = [replace(table, chance=None, beside=()) if table.id in chances else table for table in lobby.tables]
    return replace(lobby, tables=tuple(tables)), chances


def join_chances(lobby: LobbyCheckpoint, chances: Mapping[TableId, Sequence[Chance]]) -> LobbyCheckpoint:
    tables = []
    for table in lobby.tables:
        if (found := chances.get(table.id)) is not None:
            table = replace(table, chance=found[-1], beside=tuple(found[:-1]))
        tables.append(table)
    return replace(lobby, tables=tuple(tables))

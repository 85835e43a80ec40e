"""The format of what the journal keeps, held against `format.txt`: names and tags never change, classes may."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import inspect

from put_rules.record import Chance, GameRecord, Step
from put_server.journal.records import decode_lobby, encode
from put_server.lobby.inputs import Input
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from tests.journal.recorded_journals import lobby_after, recording

FORMAT = Path(__file__).with_name("format.txt")
ROOTS: dict[str, Any] = {
    "input": Input,
    "game": GameRecord,
    "checkpoint": LobbyCheckpoint,
    "chance": Chance,
    "step": Step,
}


def described() -> str:
    """A line for every map that is kept: where it is found first, its tag, and its fields; `?` marks the optional."""
    known: set[type] = set()
    lines = [line for root, kind in ROOTS.items() for line in _maps(inspect.type_info(kind), root, known)]
    return "".join(f"{line}\n" for line in lines)


def _maps(kind: inspect.Type, path: str, known: set[type]) -> Iterator[str]:
    match kind:
        case inspect.StructType(cls=cls, fields=fields) | inspect.DataclassType(cls=cls, fields=fields):
            if cls in known:
                return
            known.add(cls)
            tag = f"({kind.tag_field}={kind.tag})" if isinstance(kind, inspect.StructType) and kind.tag else ""
            names = [field.encode_name + ("" if field.required else "?") for field in fields]
            yield f"{path}{tag}: {' '.join(names)}".rstrip()
            for field in fields:
                yield from _maps(field.type, f"{path}{tag}.{field.encode_name}", known)
        case inspect.UnionType(types=types):
            for one in types:
                yield from _maps(one, path, known)
        case inspect.DictType(key_type=key, value_type=value):
            yield from _maps(key, f"{path}.key", known)
            yield from _maps(value, f"{path}.value", known)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            yield from _maps(item, path, known)
        case inspect.TupleType(item_types=items):
            for place, item in enumerate(items):
                yield from _maps(item, f"{path}.{place}", known)
        case _:
            pass


def test_format_is_as_written_down() -> None:
    """A field that is renamed in code keeps its name in the file: a journal of an earlier server can be read."""
    assert described() == FORMAT.read_text(), "the format of the journal changed: that takes a step in `journal_schema`"


def test_checkpoint_names_its_event_log_as_ever() -> None:
    """`ledger` in the file, whatever the code calls it."""
    lobby = lobby_after(recording(2)[:300]).checkpoint()
    assert lobby.tables
    assert encode(lobby).count(b"\xa6ledger") == len(lobby.tables)
    assert decode_lobby(encode(lobby)) == lobby


if __name__ == "__main__":
    sys.stdout.write(described())

"""Journals of servers that sealed their deals."""

import sqlite3
from contextlib import closing
from typing import Any

import msgspec
import pytest

from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_schema import STEPS

TABLE: dict[str, Any] = {"seal": None, "mover": None, "chairs": [], "way": None, "options": {}}


def opened(table: dict[str, Any], *records: dict[str, Any]) -> dict[str, Any]:
    """The table in the checkpoint of such a journal, after the step to this version."""
    with closing(sqlite3.connect(":memory:")) as file:
        file.execute("CREATE TABLE records (input BLOB)")
        file.execute("CREATE TABLE checkpoint (number INTEGER, at INTEGER, lobby BLOB, crc INTEGER)")
        encode = msgspec.msgpack.encode
        file.executemany("INSERT INTO records VALUES (?)", [(encode(record),) for record in records])
        file.execute("INSERT INTO checkpoint VALUES (1, 2, ?, 3)", (encode({"tables": [TABLE | table]}),))
        STEPS[-1](file)
        ((blob,),) = file.execute("SELECT lobby FROM checkpoint").fetchall()
    (after,) = msgspec.msgpack.decode(blob)["tables"]
    return dict(after)


def test_table_without_a_sealed_game_goes_on() -> None:
    """Its next game is dealt blind; who said that it is dealt plain has their way."""
    sit = {"request": {"type": "sit", "table": 1}}
    table = opened({"options": {"dealing": "sealed", "open": "played", "pack": 52}, "way": {"dealing": "sealed"}}, sit)
    assert (table["options"], table["way"]) == ({"dealing": "blind", "pack": 52}, None)
    assert opened({"options": {"dealing": "plain", "open": "after_game"}})["options"] == {"dealing": "plain"}


@pytest.mark.parametrize(
    ("table", "records"),
    [
        ({"seal": {"sealed": {}}}, []),
        ({"mover": 0, "chairs": [{"end": b"end"}]}, []),
        ({}, [{"request": {"type": "cut", "table": 1}}]),
        ({}, [{"request": {"type": "promise", "table": 1}}]),
        ({}, [{"request": {"type": "sit", "table": 1, "end": b"end"}}]),
    ],
)
def test_sealed_game_in_play_is_refused_with_what_to_do(table: dict[str, Any], records: list[dict[str, Any]]) -> None:
    with pytest.raises(JournalError, match=r"sealed.*put-server drain"):
        opened(table, *records)

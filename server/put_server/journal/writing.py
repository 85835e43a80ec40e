"""Statements that write a batch into a database of the journal's schema."""

import logging
import sqlite3

import msgspec

from put_protocol.text import same_name
from put_rules.steps import Steps, forget_player, packed_steps
from put_server.journal.commit_queue import Batch, Change, Compaction, Erase, Forgotten
from put_server.journal.journal_reader import GAME_COLUMNS, decode_players
from put_server.journal.journal_schema import crc
from put_server.journal.records import decode_game, encode
from put_server.journal.retention import UNKNOWN, forget_networks, note_networks

log = logging.getLogger(__name__)

_STAND_IN = b"stand_in"
"""Word for the step of a game in which a person replaced a player."""


def write(file: sqlite3.Connection, batch: Batch) -> None:
    """Write a batch, in the caller's transaction.

    :raises sqlite3.Error: the batch cannot be written.
    """
    file.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", batch.records)
    file.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", batch.games)
    for game in batch.games:
        note_networks(file, game[0], len(game[7]), batch.networks.get(game[0], UNKNOWN))
    for change in batch.changes:
        _change(file, change)
    for forgotten in batch.forgotten:
        _forget(file, forgotten)


def _forget(file: sqlite3.Connection, forgotten: Forgotten) -> None:
    """Remove a name from finished games, and count these."""
    name = forgotten.name
    rows = file.execute("SELECT id, players, instr(record, ?) FROM games", (_STAND_IN,)).fetchall()
    for found, named, has_stand_in in rows:
        try:
            is_named = any(same_name(player.name) == same_name(name) for player in decode_players(named))
            if not (is_named or has_stand_in):
                continue
            (row,) = file.execute(f"SELECT {GAME_COLUMNS} FROM games WHERE id = ?", (found,)).fetchall()
            record = decode_game(row[7])
            steps = Steps(record.steps).read()
        except msgspec.DecodeError:
            forgotten.left = f"game {found} cannot be read"
            log.error("game %d cannot be read, and may name the person who was to be forgotten", found)
            continue
        players, renamed = forget_player(record.players, steps, name)
        if (players, renamed) == (record.players, steps):
            continue
        blob = encode(msgspec.structs.replace(record, players=players, steps=packed_steps(renamed)))
        fresh = (*row[:5], msgspec.json.encode(players).decode(), row[6], blob)
        file.execute(
            "UPDATE games SET players = ?, record = ?, crc = ? WHERE id = ?", (fresh[5], blob, crc(*fresh), found)
        )
        forget_networks(file, found)
        forgotten.games += 1


def _change(file: sqlite3.Connection, change: Change) -> None:
    match change:
        case Erase(remains=remains):
            file.execute("DELETE FROM chances WHERE number = ? AND table_id = ?", remains[:2])
            file.execute("INSERT INTO remains VALUES (?, ?, ?, ?)", remains)
        case Compaction(number=number, at=at, blob=blob, crc=sum_):
            file.execute("DELETE FROM checkpoint")
            # A statement that is kept keeps a copy of what it was last given: the second time, which does nothing, it
            # is given nothing to keep.
            for lobby in (blob, b""):
                file.execute("INSERT OR IGNORE INTO checkpoint VALUES (?, ?, ?, ?)", (number, at, lobby, sum_))
            file.execute("DELETE FROM records WHERE number <= ?", (number,))
            for table, kept in (("chances", change.deals), ("remains", change.deals if change.is_behind else ())):
                deals = frozenset(kept)
                found = file.execute(f"SELECT number, table_id FROM {table} WHERE number <= ?", (number,)).fetchall()
                over = [one for one in found if one not in deals]
                file.executemany(f"DELETE FROM {table} WHERE number = ? AND table_id = ?", over)
        case _:
            file.execute("INSERT OR REPLACE INTO chances VALUES (?, ?, ?, ?)", change)

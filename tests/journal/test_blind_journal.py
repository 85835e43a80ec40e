"""Blind games in a journal: it brings them back as they were, and their secrets go with them."""

from collections import deque
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from put_protocol.blind.transcript import join_pieces, split_pieces
from put_rules.steps import BadRecord
from put_server.journal.journal import Journal
from put_server.journal.lobby_replay import bring_back
from put_server.journal.records import encode
from put_server.lobby.inputs import Tick
from put_server.lobby.lobby import Lobby
from put_server.lobby.policy import EDITION
from tests.journal.recorded_journals import RecordedBatch, keep, running
from tests.journal.test_erasing import copied, on_disk
from tests.lobby.blind_lobby import BlindLobby
from tests.lobby.lobby_harness import new_lobby
from tests.lobby.test_blind_tables import seated


@pytest.mark.parametrize("is_compacted", [False, True])
async def test_secret_of_a_blind_game_is_erased_with_it(is_compacted: bool, tmp_path: Path) -> None:
    """While it is in play the secret is in the files, or this would prove nothing. When it is over they give the same
    lobby without it, from the beginning as from a checkpoint in the middle."""
    path = tmp_path / "put.sqlite3"
    rig, guests, table = seated("put-1674", "knh", target=2)
    journal = Journal(path)
    async with running(journal):
        for turn in range(10_000):
            await keep(journal, taken(rig))
            if turn in (20, 45) and is_compacted:
                journal.compact(rig.now, rig.lobby.checkpoint())
            if turn % 15 == 14:
                killed = copied(path, tmp_path / f"killed-{turn}")
                assert encode(brought_back(killed).checkpoint()) == encode(rig.lobby.checkpoint())
                assert all(secret in on_disk(path) for secret in rig.drawn[-1:])
            if not rig.step():
                break
        await keep(journal, [*taken(rig), RecordedBatch([(rig.now, Tick())], [])])
        journal._empty_log()
        assert not any(secret in on_disk(path) for secret in rig.drawn)
    assert not rig.table(table).model.is_playing
    assert encode(brought_back(path).checkpoint()) == encode(rig.lobby.checkpoint())
    assert all(guest.hands for guest in guests)


def brought_back(path: Path) -> Lobby:
    """The lobby, as the next server has it."""
    lobby = new_lobby(edition=EDITION)
    with closing(Journal(path)) as journal:
        deque(bring_back(lobby, journal.kept.lobby(), journal.kept.inputs()), maxlen=0)
    return lobby


def taken(rig: BlindLobby) -> list[RecordedBatch]:
    """All that was not handed to a journal yet."""
    entries, rig.entries = rig.entries, []
    return [RecordedBatch(entries, [])] if entries else []


@pytest.mark.timeout(200)
@pytest.mark.parametrize("is_compacted", [False, True])
async def test_secret_by_which_a_deal_is_read_is_erased_with_its_hand(is_compacted: bool, tmp_path: Path) -> None:
    """While the game goes on. Until then it is in the files, and a server that is killed reads the deal again. What is
    over is brought back without it."""
    path = tmp_path / "put.sqlite3"
    rig, _, table = seated("triomphe-forcee", "kknh", hands=2)
    blind = rig.table(table).model.deals.blind
    journal, erased = Journal(path), set[bytes]()
    async with running(journal, seconds=200):
        for turn in range(10_000):
            await keep(journal, taken(rig))
            if turn in (30, 65) and is_compacted:
                journal.compact(rig.now, rig.lobby.checkpoint())
            if turn % 20 == 19 and blind.play is not None:
                await keep(journal, [RecordedBatch([(rig.now, Tick())], [])])
                journal._empty_log()
                live, there = {chance.secret for chance in blind.chances}, on_disk(path)
                assert all(secret in there for secret in live)
                erased = set(rig.drawn) - live
                assert not any(secret in there for secret in erased)
                killed = copied(path, tmp_path / f"killed-{turn}")
                assert encode(brought_back(killed).checkpoint()) == encode(rig.lobby.checkpoint())
            if not rig.step():
                break
    assert erased
    assert not rig.table(table).model.is_playing
    assert encode(brought_back(path).checkpoint()) == encode(rig.lobby.checkpoint())


def test_blind_game_of_a_later_release_is_no_bug() -> None:
    """A server that cannot read its state says so to the operator, who started an older one."""
    rig, _, _ = seated("put-1674", "knh", target=2)
    while not rig.lobby.checkpoint().tables[0].chances:
        assert rig.step()
    checkpoint = rig.lobby.checkpoint()
    (table,) = checkpoint.tables
    assert table.blind is not None
    span = join_pieces([*split_pieces(table.blind.span), b"an entry of another kind"])
    later = replace(checkpoint, tables=(replace(table, blind=replace(table.blind, span=span)),))
    with pytest.raises(BadRecord, match="the state of a blind deal cannot be read: "):
        new_lobby(edition=EDITION).restore(later)


@pytest.mark.parametrize("kept", [0, 1])
def test_blind_game_without_a_secret_of_its_own_is_no_bug(kept: int) -> None:
    """As of a journal that has lost a row, or a broker that has lost a message: it is refused in a sentence."""
    rig, _, _ = seated("triomphe-forcee", "kknh", hands=2)
    while len(rig.lobby.checkpoint().tables[0].chances) < 2:
        assert rig.step()
    checkpoint = rig.lobby.checkpoint()
    (table,) = checkpoint.tables
    lost = replace(table, chance=table.beside[0] if kept else None, beside=())
    with pytest.raises(BadRecord, match=f"^table {table.id}, game 1: what a blind deal was made from is missing$"):
        new_lobby(edition=EDITION).restore(replace(checkpoint, tables=(lost,)))

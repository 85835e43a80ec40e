"""Erasure of chances: what a deal was made from is erased when the deal is over, and everything else stays."""

import asyncio
import os
import re
import shutil
import signal
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import msgspec
import pytest

from put_rules.live_deal import reduced
from put_rules.record import Chance, GameRecord, Pack
from put_rules.registry import GAMES
from put_rules.steps import Steps, packed_steps
from put_server.app import _reduced_record
from put_server.journal import forked
from put_server.journal.archive import Archive
from put_server.journal.commit_queue import Batch, Change, Erase
from put_server.journal.journal import Journal
from put_server.journal.journal_check import JournalReport, check
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_reader import CHANCE_COLUMNS, FinishedGame
from put_server.journal.journal_schema import APPLICATION_ID, STEPS, _take, crc
from put_server.journal.lobby_replay import bring_back
from put_server.journal.records import decode_chance, encode
from put_server.lobby.inputs import Shuffled, Tick
from put_server.lobby.lobby import Lobby
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.table.table_effects import TableId
from tests.journal.dealt_journals import DealingHarness, FinishedDeal, PrimeroHarness, dealt_tables
from tests.journal.recorded_journals import RecordedBatch, inputs_of, keep, running, together
from tests.lobby.lobby_harness import new_lobby
from tests.repetitions import TURN

TABLES: tuple[dict[str, int | str], ...] = (
    {"target": 2},
    {"target": 2, "misdeals": 40},
    {"game": "truc"},
    {"target": 2, "pack": 28},
)


def on_disk(path: Path) -> bytes:
    """All that is there of a journal."""
    files = [path, *(path.with_name(f"{path.name}{end}") for end in ("-wal", "-shm"))]
    return b"\0".join(file.read_bytes() for file in files if file.exists())


def left_of(over: Iterable[FinishedDeal], raw: bytes) -> list[FinishedDeal]:
    """Deals that have left a trace."""
    return [deal for deal in over if any(trace in raw for trace in deal.traces())]


def restored(path: Path) -> tuple[Lobby, int]:
    """The lobby, as the next server has it."""
    lobby = new_lobby()
    with closing(Journal(path)) as journal:
        deque(bring_back(lobby, journal.kept.lobby(), journal.kept.inputs()), maxlen=0)
        return lobby, journal.last_time


def copied(path: Path, to: Path) -> Path:
    """The files as a server that is killed at this moment leaves them."""
    to.mkdir(exist_ok=True)
    for file in path.parent.glob(f"{path.name}*"):
        shutil.copy(file, to / file.name)
    return to / path.name


def is_to_be_emptied(journal: Journal) -> bool:
    """Whether its log may hold what was erased."""
    return journal._erased_at is not None


def checked(path: Path) -> JournalReport:
    with Archive(path) as archive:
        return check(archive, new_lobby(), GAMES)


def tables_for() -> DealingHarness:
    return dealt_tables(seed=5, tables=TABLES)


# --- erased ---


async def test_nothing_is_left_of_deals_that_are_over(tmp_path: Path) -> None:
    """When the log is emptied, the files hold no card that nobody saw where it lay; with a checkpoint or without, and
    in a backup too. Until then they do, or this would prove nothing."""
    path = tmp_path / "put.sqlite3"
    harness, journal = tables_for(), Journal(path)
    was_there = looked_at = 0
    async with running(journal):
        for turn in range(90 if TURN else 60):
            harness.move()
            await keep(journal, harness.take())
            if turn % 10 == 9:
                was_there += len(left_of(harness.over[looked_at:], on_disk(path)))
                if turn % 30 == 29:
                    journal.compact(harness.now, harness.lobby.checkpoint())
                    await keep(journal, _nothing(harness))
                journal._empty_log()
                assert not is_to_be_emptied(journal)
                assert left_of(harness.over[looked_at:], on_disk(path)) == []
                looked_at = len(harness.over)
        with Archive(path) as archive:
            archive.backup(tmp_path / "copy.sqlite3")
        assert left_of(harness.over, (tmp_path / "copy.sqlite3").read_bytes()) == []
    assert left_of(harness.over, on_disk(path)) == []
    assert was_there > 20
    assert len(harness.over) > 40
    assert len(harness.games_over) > 3
    assert checked(path).findings == ()


def _nothing(harness: DealingHarness) -> list[RecordedBatch]:
    """Something to wait for, which comes after what was handed in before."""
    return [RecordedBatch([(harness.now, Tick())], [])]


async def test_files_of_a_killed_server_have_a_deal_as_long_as_it_is_in_play(tmp_path: Path) -> None:
    """Killed at any moment, with records since a checkpoint whose deals are over or in play: everybody and every table
    is as it was."""
    path = tmp_path / "put.sqlite3"
    harness, journal = tables_for(), Journal(path)
    in_play = over = 0
    async with running(journal):
        for turn in range(60):
            harness.move()
            await keep(journal, harness.take())
            if turn == 30:
                journal.compact(harness.now, harness.lobby.checkpoint())
            if turn % 7 == 0:
                journal._empty_log()
            if turn % 10 == 0:
                lobby, _ = restored(copied(path, tmp_path / "killed"))
                assert encode(lobby.checkpoint()) == encode(harness.lobby.checkpoint()), turn
                assert checked(copied(path, tmp_path / "killed")).findings == ()
            in_play += sum(bool(table.model.deals.chances) for table in harness.lobby.tables.values())
            over = len(harness.over)
    assert in_play > 50
    assert over > 15


@pytest.mark.timeout(150)
async def test_deals_of_a_hand_whose_stock_is_renewed_are_kept_and_erased_together(tmp_path: Path) -> None:
    """Killed when the new stock is in play, with a checkpoint before or after it: every table is as it was, and when
    the hand is over nothing is left of any of its deals."""
    path = tmp_path / "put.sqlite3"
    harness = dealt_tables(seed=5, tables=({"game": "primero"},), seats=6, kind=PrimeroHarness)
    (table,) = harness.lobby.tables.values()
    deals, journal = table.model.deals, Journal(path)
    in_play = 0
    async with running(journal, seconds=120):
        for turn in range(2_000):
            if in_play > 3:
                break
            harness.move()
            has_several = len(deals.chances) > 1
            if has_several or turn % 40 == 0:
                await keep(journal, together(harness.take()))
            if (has_several and turn % 3 == 0) or turn % 40 == 0:
                journal.compact(harness.now, harness.lobby.checkpoint())
            if has_several:
                await keep(journal, _nothing(harness))
                lobby, _ = restored(copied(path, tmp_path / "killed"))
                assert encode(lobby.checkpoint()) == encode(harness.lobby.checkpoint()), turn
                in_play += 1
        while deals.chances and table.model.is_playing:
            harness.move()
        await keep(journal, together(harness.take()))
    assert in_play
    assert left_of(harness.over, on_disk(path)) == []
    assert checked(path).findings == ()


async def test_log_that_is_read_is_emptied_later(tmp_path: Path) -> None:
    """While somebody reads the file at a former moment, the log stays; it is tried again, and nobody waits for it."""
    path = tmp_path / "put.sqlite3"
    harness, journal = tables_for(), Journal(path)
    async with running(journal):
        await keep(journal, harness.take())
        with Archive(path):
            while len(harness.over) < 10:
                harness.move()
                await keep(journal, harness.take())
            journal._empty_log()
            assert is_to_be_emptied(journal)
            assert left_of(harness.over, on_disk(path)) != []
        journal._empty_log()
        assert not is_to_be_emptied(journal)
        assert left_of(harness.over, on_disk(path)) == []


async def test_log_is_emptied_when_its_time_has_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without anybody's doing, a minute after something was erased, and once for all that was erased by then."""
    monkeypatch.setattr("put_server.journal.journal.ERASE_S", 0.0)
    path = tmp_path / "put.sqlite3"
    harness, journal = tables_for(), Journal(path)
    async with running(journal):
        await keep(journal, harness.take())
        while len(harness.over) < 10:
            harness.move()
            await keep(journal, harness.take())
        await keep(journal, _nothing(harness))
        await keep(journal, _nothing(harness))  # the log is emptied before what comes next is written
        assert left_of(harness.over, on_disk(path)) == []


async def test_commit_does_not_put_off_what_is_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log whose time comes during a commit is emptied behind it, not when the next look falls between two."""
    for name in ("IDLE_CHECK_S", "ERASE_S"):
        monkeypatch.setattr(f"put_server.journal.journal.{name}", 1_000.0)
    harness, journal = tables_for(), Journal(tmp_path / "put.sqlite3")
    async with running(journal):
        await keep(journal, harness.take())
        while not harness.over:
            harness.move()
            await keep(journal, harness.take())
        while is_to_be_emptied(journal):  # noqa: ASYNC110  # the thread of the disk ends it
            await asyncio.sleep(0)


async def test_log_of_a_killed_server_is_emptied_at_the_start(tmp_path: Path) -> None:
    """What it had erased less than a minute before its end is in its log; the next server does not wait for a deal."""
    path = tmp_path / "put.sqlite3"
    harness, journal = tables_for(), Journal(path)
    async with running(journal):
        while len(harness.over) < 10:
            harness.move()
            await keep(journal, harness.take())
        killed = copied(path, tmp_path / "killed")
    assert left_of(harness.over, on_disk(killed))
    after = Journal(killed)
    async with running(after):
        await keep(after, _nothing(harness))
        assert left_of(harness.over, on_disk(killed)) == []
    assert checked(killed).findings == ()


def test_rows_that_were_moved_leave_no_copy(tmp_path: Path) -> None:
    """SQLite moves rows from page to page, and leaves what was there: with many tables in play and secrets erased in
    any order, some of these copies outlive the row, until the log is emptied."""
    path = tmp_path / "put.sqlite3"
    with closing(Journal(path)) as journal:
        journal._file.execute("PRAGMA synchronous = OFF")
        dice = Random(2)  # with which there is such a copy twice
        live: dict[TableId, int] = {}
        stale = 0
        for number in range(1, 4_001):
            table = TableId(dice.randrange(300))
            changes: list[Change] = [(number, table, encode(Chance(b"%032d" % number)), 0)]
            if (former := live.get(table)) is not None:
                changes.insert(0, Erase((former, table, bytes(dice.randrange(900)), 0)))
            journal._commit(Batch([], [], changes))
            live[table] = number
            if number % 400 == 0:
                journal._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                stale += len(secrets_in(on_disk(path)) - set(live.values()))
                journal._empty_log()
                assert secrets_in(on_disk(path)) == set(live.values())
    assert stale > 0, "or this would prove nothing"


def secrets_in(raw: bytes) -> set[int]:
    return {int(found) for found in re.findall(rb"\d{32}", raw)}


# --- what is missing or damaged ---


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("DELETE FROM remains", r"record \d+ of .*what the deal of table \d+ was made from is missing"),
        ("UPDATE remains SET chance = x'c1'", r"the deal of record \d+ of .*it was damaged"),
        ("UPDATE remains SET chance = x'c1', crc = crc(number, table_id, x'c1')", r"the deal of record \d+ of .*"),
        (
            "UPDATE remains SET chance = x'80', crc = crc(number, table_id, x'80')",
            r"record \d+ of .*what the deal of table \d+ was made from is missing",
        ),
    ],
)
async def test_deal_that_is_not_there_is_named(statement: str, says: str, tmp_path: Path) -> None:
    """A record whose deal is missing or was changed is refused, with its number and none of its cards."""
    path = tmp_path / "put.sqlite3"
    harness, journal = tables_for(), Journal(path)
    async with running(journal):
        await keep(journal, harness.take())
        while len(harness.over) < 9:
            harness.move()
            await keep(journal, harness.take())
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.create_function("crc", -1, crc)
        file.execute(statement)
    with closing(Journal(path)) as again, pytest.raises(JournalError, match=says):
        list(again.kept.inputs())
    (finding, *_) = checked(path).findings
    assert "of record" in finding or "record" in finding


async def test_deal_that_was_changed_does_not_follow(tmp_path: Path) -> None:
    """Other cards than those that were shown, in a row that is whole and readable: `check` names the record."""
    path = tmp_path / "put.sqlite3"
    harness, journal = tables_for(), Journal(path)
    async with running(journal):
        while len(harness.games_over) < 2:
            harness.move()
            await keep(journal, harness.take())
    assert checked(path).findings == ()
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        for number, table, blob, _ in file.execute(f"SELECT {CHANCE_COLUMNS} FROM remains").fetchall():
            pack = decode_chance(blob).pack
            assert pack is not None
            blob = encode(Chance(pack=msgspec.structs.replace(pack, cards=pack.cards[::-1])))
            file.execute(
                "UPDATE remains SET chance = ?, crc = ? WHERE number = ? AND table_id = ?",
                (blob, crc(number, table, blob), number, table),
            )
    assert checked(path).findings != ()


# --- files of version 2 ---


def whole_game(over: list[FinishedDeal], record: GameRecord) -> GameRecord:
    """A finished game as version 2 kept it: every pack as it was dealt. `over`: all deals from its first one on."""
    dealt = iter([deal for deal in over if deal.dealt.table == record.table])
    steps = Steps(record.steps).read()
    for number, step in enumerate(steps):
        if isinstance(step.input, Pack):
            deal = next(dealt)
            assert isinstance(deal.dealt, Shuffled)
            steps[number] = msgspec.structs.replace(step, input=Pack(deal.dealt.pack, luck=deal.dealt.luck))
    return msgspec.structs.replace(record, steps=packed_steps(steps))


def version_2(path: Path, harness: DealingHarness, stored: LobbyCheckpoint | None = None) -> None:
    """As put 0.2 wrote it: records with packs in them, games with every card, and free pages with what was there."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = WAL")
        _take(file, STEPS[:2])
        file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        file.execute("PRAGMA user_version = 2")
        for number, (at, event) in enumerate(inputs_of(harness.take()), 1):
            row = (number, at, encode(event))
            file.execute("INSERT INTO records VALUES (?, ?, ?, ?)", (*row, crc(*row)))
        over = list(harness.over)
        for number, game in enumerate(harness.games_over, 1):
            whole = whole_game(over, game.record)
            for _ in range(sum(isinstance(step.input, Pack) for step in Steps(whole.steps).read())):
                over.remove(next(deal for deal in over if deal.dealt.table == whole.table))
            end = None if game.end is None else msgspec.json.encode(game.end).decode()
            players = msgspec.json.encode(whole.players).decode()
            columns = (number, "2026-01-01T00:00:00Z", whole.table, whole.number, whole.rule_set, players, end)
            game_row = (*columns, encode(whole))
            file.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*game_row, crc(*game_row)))
            file.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (number + 10**6, *game_row[1:], 0))
        file.execute("DELETE FROM games WHERE id > 1000000")  # whose pages are free now, with all that was on them


@pytest.mark.parametrize("is_killed", [False, True])
async def test_file_of_version_2_is_brought_up_without_unseen_cards(is_killed: bool, tmp_path: Path) -> None:
    """Its finished games are reduced, tables in play go on, and when the first checkpoint is written nothing is left of
    what it kept; also where the server was killed on the way."""
    path = tmp_path / "put.sqlite3"
    harness = dealt_tables(seed=9, tables=({"target": 2}, {"target": 2, "pack": 28}))
    while len(harness.games_over) < 4 or any(not table.model.deals.chances for table in harness.lobby.tables.values()):
        harness.move()
    before = encode(harness.lobby.checkpoint())
    sheets = [encode(game.record) for game in harness.games_over]
    version_2(path, harness)
    assert len(left_of(harness.over, on_disk(path))) == len(harness.over)
    if is_killed:  # after half of the games
        with closing(Journal(path)) as journal, pytest.raises(KeyboardInterrupt):
            journal.reduce_games(interrupted(len(sheets) // 2))
    journal = Journal(path)
    journal.reduce_games(_reduced_record)
    assert [encode(game.record) for game in games_in(path)] == sheets
    lobby, _ = restored_by(journal)
    assert encode(lobby.checkpoint()) == before
    harness.lobby = lobby
    async with running(journal):
        journal.compact(harness.now, lobby.checkpoint())
        for _ in range(30):
            harness.move()
            await keep(journal, harness.take())
        journal._empty_log()
        assert left_of(harness.over, on_disk(path)) == []
    assert checked(path).findings == ()
    with closing(Journal(path)) as journal:
        journal.reduce_games(unexpected)
    (copy,) = tmp_path.glob("put.sqlite3.version-2.*")  # noqa: ASYNC240  # nothing else waits
    assert len(left_of(harness.over[:5], copy.read_bytes())) == 5, "the copy from before is as it was"


def games_in(path: Path) -> list[FinishedGame]:
    with Archive(path) as archive:
        return [game for number in archive.ids() if (game := archive.game(number)) is not None]


def restored_by(journal: Journal) -> tuple[Lobby, int]:
    lobby = new_lobby()
    deque(bring_back(lobby, None, journal.kept.inputs()), maxlen=0)
    return lobby, journal.last_time


def interrupted(after: int) -> Callable[[GameRecord], GameRecord]:
    """The server is stopped by its operator, after so many games."""
    done: list[GameRecord] = []

    def change(record: GameRecord) -> GameRecord:
        if len(done) == after:
            raise KeyboardInterrupt
        done.append(record)
        return reduced(record, GAMES[record.rule_set].make(len(record.players), record.options))

    return change


def unexpected(record: GameRecord) -> GameRecord:
    raise AssertionError("nothing is left to be reduced")


BEHIND = (0, 1, 4, 12) if TURN else (0, 12)
"""Turns after which the other process goes on."""


@pytest.mark.timeout(90)
@pytest.mark.parametrize("gap", BEHIND)
async def test_checkpoint_made_behind_play_is_of_its_moment(tmp_path: Path, gap: int) -> None:
    """While another process makes it deals end and others begin. Before and after it takes the records' place, a server
    that is killed comes back as it was, and nothing is left of deals that are over."""
    path = tmp_path / "put.sqlite3"
    harness, journal = tables_for(), Journal(path)
    made = over = looked_at = 0
    async with running(journal, seconds=60):
        for turn in range(80 if TURN else 40):
            harness.move()
            await keep(journal, harness.take())
            if turn % 20 == 5:
                compact_slowly(journal, harness)
                over = len(harness.over)
            if turn % 20 == 5 + gap:
                assert journal._forked is not None
                os.kill(journal._forked._process, signal.SIGCONT)
                await made_behind(journal)
                assert gap < 12 or len(harness.over) > over
                await keep(journal, _nothing(harness))
                made += 1
                looked_at = min(looked_at, over)  # what ended meanwhile may have come back with it
                assert journal.since_checkpoint < 40 * (gap + 2)
            if turn % 8 == 1:
                lobby, _ = restored(copied(path, tmp_path / "killed"))
                assert encode(lobby.checkpoint()) == encode(harness.lobby.checkpoint()), turn
                assert checked(copied(path, tmp_path / "killed")).findings == ()
            if turn % 7 == 0:
                journal._empty_log()
                assert left_of(harness.over[looked_at:], on_disk(path)) == []
                looked_at = len(harness.over)
    assert made == (4 if TURN else 2)
    assert looked_at
    lobby, _ = restored(path)
    assert encode(lobby.checkpoint()) == encode(harness.lobby.checkpoint())
    assert left_of(harness.over, on_disk(path)) == []


def compact_slowly(journal: Journal, harness: DealingHarness) -> int:
    """Begin a checkpoint behind play, by a process that stops before it does anything. Returns the process."""

    def take() -> LobbyCheckpoint:
        os.kill(os.getpid(), signal.SIGSTOP)
        return harness.lobby.checkpoint()

    journal.compact_behind(harness.now, take)
    assert journal._forked is not None
    process = journal._forked._process
    os.waitpid(process, os.WUNTRACED)
    return process


async def made_behind(journal: Journal) -> None:
    """Wait until another process has made the checkpoint, or cannot."""
    if journal._forked is not None:
        with suppress(ChildProcessError):  # it was gone, and the journal knows
            await asyncio.to_thread(os.waitid, os.P_PID, journal._forked._process, os.WEXITED | os.WNOWAIT)
    while journal._forked is not None:  # noqa: ASYNC110  # it has no event
        await asyncio.sleep(0)


async def test_checkpoint_that_takes_for_ever_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A child that hangs: the next checkpoint is made all the same, and no process is left."""
    monkeypatch.setattr(forked, "LONGEST_S", 0.1)
    harness, journal = tables_for(), Journal(tmp_path / "put.sqlite3")
    async with running(journal):
        harness.move()
        await keep(journal, harness.take())
        process = compact_slowly(journal, harness)
        async with asyncio.timeout(10):
            await made_behind(journal)
        assert "a checkpoint could not be made" in caplog.text
        monkeypatch.undo()
        journal.compact_behind(harness.now, harness.lobby.checkpoint)
        await made_behind(journal)
        assert journal.since_checkpoint == 0
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


async def test_checkpoint_that_is_overtaken_is_given_up(tmp_path: Path) -> None:
    """By one that is made at once, by the end, or by its own death: no process is left, and the journal is whole."""
    path = tmp_path / "put.sqlite3"
    harness, journal = tables_for(), Journal(path)
    process = 0
    async with running(journal):
        for end in ("compact", "killed", "closed"):
            for _ in range(10):
                harness.move()
                await keep(journal, harness.take())
            process = compact_slowly(journal, harness)
            forked = journal._forked
            journal.compact_behind(harness.now, harness.lobby.checkpoint)
            assert journal._forked is forked
            if end == "compact":
                journal.compact(harness.now, harness.lobby.checkpoint())
                await keep(journal, _nothing(harness))
            elif end == "killed":
                os.kill(process, signal.SIGKILL)
                await made_behind(journal)
    assert journal._forked is None
    assert process
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    lobby, _ = restored(path)
    assert encode(lobby.checkpoint()) == encode(harness.lobby.checkpoint())

"""The journal as it is written: commits, groups, checkpoints, finished games."""

import asyncio
import gc
import sqlite3
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from put_server.journal.archive import Archive
from put_server.journal.commit_queue import Batch, Compaction
from put_server.journal.journal import ENOUGH, Journal
from put_server.journal.journal_schema import bring_up
from put_server.journal.lobby_replay import bring_back
from put_server.journal.writing import write
from put_server.lobby.subscribers import ALL_TABLES
from tests.journal import recorded_journals
from tests.lobby.lobby_harness import lobby_snapshot, new_lobby


class NotingConnection(sqlite3.Connection):
    """Notes what each statement was given last: SQLite keeps a copy of it for as long as Python keeps the statement."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.given: dict[str, Any] = {}

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        self.given[sql] = parameters
        return super().execute(sql, parameters)


def test_checkpoint_is_not_kept_in_memory() -> None:
    with closing(NotingConnection(":memory:")) as file:
        bring_up(file, 0)
        write(file, Batch(changes=[Compaction(7, 1, 2, [], is_behind=True, blob=b"lobby")]))
        assert file.execute("SELECT * FROM checkpoint").fetchall() == [(7, 1, b"lobby", 2)]
        assert [given for given in file.given.values() if b"lobby" in given] == []


class SlowDisk:
    """Commits of a journal, each of which waits until it is let through."""

    def __init__(self, journal: Journal, patch: pytest.MonkeyPatch) -> None:
        self.batches: list[int] = []
        self.began = asyncio.Event()
        self._pass = threading.Semaphore(0)
        self._loop = asyncio.get_running_loop()
        self._commit = journal._commit
        patch.setattr(journal, "_commit", self._slowly)

    def _slowly(self, batch: Batch) -> Batch:
        self._loop.call_soon_threadsafe(self.began.set)
        assert self._pass.acquire(timeout=20)
        self.batches.append(len(batch.records))
        return self._commit(batch)

    async def begun(self) -> None:
        """A commit is under way."""
        await self.began.wait()
        self.began.clear()

    def let_through(self, count: int = 1) -> None:
        self._pass.release(count)


async def test_journal_keeps_what_it_was_given_in_order(tmp_path: Path) -> None:
    """Everything is there when the file is opened again, in its order and with its time."""
    path = tmp_path / "deep" / "put.sqlite3"
    given = [(at, recorded_journals.event(at + 1)) for at in range(50)]
    journal = Journal(path)
    called: list[int] = []
    async with recorded_journals.running(journal):
        for number, record in enumerate(given):
            journal.record([record], lambda number=number: called.append(number))  # type: ignore[misc]
    assert called == list(range(50))
    assert recorded_journals.stored(path) == given
    with closing(Journal(path)) as again:
        assert again.last_time == 49
        assert again.since_checkpoint == 50


async def test_journal_calls_back_only_after_the_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the disk is busy nobody is told; when it is done others read the record already."""
    journal = Journal(tmp_path / "put.sqlite3")
    disk = SlowDisk(journal, monkeypatch)
    told = asyncio.Event()
    async with recorded_journals.running(journal):
        journal.record([(1, recorded_journals.event(1))], told.set)
        await disk.begun()
        assert not told.is_set()
        disk.let_through()
        await told.wait()
        with Archive(journal.path) as archive:
            assert [record.number for record in archive.kept.inputs()] == [1]


async def test_commit_is_told_in_the_turn_of_the_loop_that_hears_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call by which the thread of the disk reaches the loop tells all of the commit: no request comes between."""
    loop, journal, count = asyncio.get_running_loop(), Journal(tmp_path / "put.sqlite3"), 3
    told: list[int] = []
    told_by_call: list[int] = []

    def call(callback: Callable[..., object], *args: object) -> None:
        before = len(told)
        callback(*args)
        told_by_call.append(len(told) - before)

    monkeypatch.setattr(
        loop, "call_soon_threadsafe", partial[object](loop.call_soon_threadsafe, cast("Callable[[], object]", call))
    )
    async with recorded_journals.running(journal):
        for number in range(count):
            journal.record([(1, recorded_journals.event(1))], partial(told.append, number))
    assert told == [0, 1, 2]
    assert [told_then for told_then in told_by_call if told_then] == [count]


async def test_journal_groups_what_comes_while_a_commit_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much comes meanwhile goes into one next commit, and is called back in its order."""
    journal = Journal(tmp_path / "put.sqlite3")
    disk = SlowDisk(journal, monkeypatch)
    called: list[int] = []
    done = asyncio.Event()
    async with recorded_journals.running(journal):
        journal.record([(0, recorded_journals.event(1))], lambda: called.append(0))
        await disk.begun()
        for number in range(1, 100):
            journal.record([(number, recorded_journals.event(1))] * 2, lambda number=number: called.append(number))  # type: ignore[misc]
        journal.record([(100, recorded_journals.event(1))], done.set)
        disk.let_through(2)
        await done.wait()
    assert disk.batches == [1, 199]
    assert called == list(range(100))


async def test_commit_of_few_records_waits_as_long_as_more_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each turn of the loop brings one: the first commit has enough, the next the rest."""
    journal = Journal(tmp_path / "put.sqlite3")
    async with recorded_journals.running(journal):
        await recorded_journals.keep(journal, recorded_journals.recording(1, 200)[:2])
        disk = SlowDisk(journal, monkeypatch)
        disk.let_through(2)
        for number in range(ENOUGH + 4):
            journal.record([(10**9 + number, recorded_journals.event(1))], lambda: None)
            await asyncio.sleep(0)
    assert disk.batches == [ENOUGH, 4]


async def test_journal_finishes_what_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was handed in before the end is committed before the end, also what came during the last commit."""
    path = tmp_path / "put.sqlite3"
    journal = Journal(path)
    disk = SlowDisk(journal, monkeypatch)
    async with recorded_journals.running(journal):
        journal.record([(1, recorded_journals.event(1))], lambda: None)
        await disk.begun()
        journal.record([(2, recorded_journals.event(2))], lambda: None)
        journal.finish()
        disk.let_through(2)
    assert [at for at, _ in recorded_journals.stored(path)] == [1, 2]


async def test_journal_that_cannot_write_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk fails the task ends with it, and nobody is called back."""
    path = tmp_path / "put.sqlite3"
    journal = Journal(path)

    def full(_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(journal, "_commit", full)
    told: list[int] = []
    task = asyncio.create_task(journal.run())
    journal.record([(1, recorded_journals.event(1))], lambda: told.append(1))
    with pytest.raises(sqlite3.OperationalError, match="full"):
        await task
    journal.close()
    journal.close()
    assert (told, recorded_journals.stored(path)) == ([], [])


async def test_commit_begun_while_the_log_is_emptied_at_the_end_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The task ends after it: a full disk is the task's own error then, and no call comes after the end."""
    journal = Journal(tmp_path / "put.sqlite3")
    journal._erased_at = time.monotonic()
    told: list[int] = []
    empty_log, loop, handed = journal._empty_log, asyncio.get_running_loop(), threading.Event()

    def hand_in() -> None:
        for number in range(ENOUGH):
            journal.record([(number, recorded_journals.event(1))], partial(told.append, number))
        handed.set()

    def empty() -> None:
        if not handed.is_set():
            loop.call_soon_threadsafe(hand_in)
            assert handed.wait(20)
        empty_log()

    monkeypatch.setattr(journal, "_empty_log", empty)
    journal.finish()
    async with asyncio.timeout(20):
        await journal.run()
    journal.close()
    assert told == list(range(ENOUGH))


async def test_error_of_a_callback_ends_the_task_and_nothing_more_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit that was begun before is stored all the same."""
    path = tmp_path / "put.sqlite3"
    journal = Journal(path)
    disk = SlowDisk(journal, monkeypatch)
    told: list[int] = []

    def fail() -> None:
        raise ValueError("a bug")

    task = asyncio.create_task(journal.run())
    journal.record([(1, recorded_journals.event(1))], fail)
    await disk.begun()
    for number in range(ENOUGH):
        journal.record([(2, recorded_journals.event(1))], partial(told.append, number))
    disk.let_through(2)
    with pytest.raises(ValueError, match="a bug"):
        await task
    journal.close()
    await asyncio.sleep(0)
    assert told == []
    assert disk.batches == [1, ENOUGH]
    assert len(recorded_journals.stored(path)) == 1 + ENOUGH


async def test_disk_that_is_full_at_the_following_commit_ends_the_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit before it is told, and nothing of the one that failed."""
    journal = Journal(tmp_path / "put.sqlite3")
    disk = SlowDisk(journal, monkeypatch)
    commit, told = disk._commit, list[int]()

    def full(batch: Batch) -> Batch:
        if len(batch.records) > 1:
            raise sqlite3.OperationalError("database or disk is full")
        return commit(batch)

    disk._commit = full
    task = asyncio.create_task(journal.run())
    journal.record([(1, recorded_journals.event(1))], partial(told.append, 0))
    await disk.begun()
    for _ in range(ENOUGH):
        journal.record([(2, recorded_journals.event(1))], partial(told.append, 1))
    disk.let_through(2)
    with pytest.raises(sqlite3.OperationalError, match="full"):
        await task
    journal.close()
    assert told == [0]


async def test_task_that_is_cancelled_while_the_disk_works_tells_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "put.sqlite3"
    journal = Journal(path)
    disk = SlowDisk(journal, monkeypatch)
    told: list[int] = []
    task = asyncio.create_task(journal.run())
    journal.record([(1, recorded_journals.event(1))], partial(told.append, 0))
    await disk.begun()
    task.cancel()
    disk.let_through()
    with pytest.raises(asyncio.CancelledError):
        await task
    journal.close()
    await asyncio.sleep(0)
    assert told == []
    assert len(recorded_journals.stored(path)) == 1


async def test_journal_knows_how_long_commits_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From handing in to the word that it is safe; before the first commit there is nothing to say."""
    journal = Journal(tmp_path / "put.sqlite3")
    clock = iter([1.0, 1.001, 2.0, 2.004])
    monkeypatch.setattr("put_server.journal.commit_queue.time.perf_counter", lambda: next(clock))
    async with recorded_journals.running(journal):
        assert journal.latency == (None, None)
        await recorded_journals.keep(journal, recorded_journals.recording(1, 200)[:2])
        assert journal.latency == pytest.approx((4, 4))


# --- checkpoints ---


async def test_checkpoint_takes_the_place_of_the_records_before_it(tmp_path: Path) -> None:
    """The lobby of the checkpoint and the records since make the lobby that all the records made."""
    path = tmp_path / "put.sqlite3"
    whole = recorded_journals.recording(1)
    past, since = whole[: len(whole) // 2], whole[len(whole) // 2 :]
    journal = Journal(path)
    async with recorded_journals.running(journal):
        await recorded_journals.keep(journal, past)
        assert journal.since_checkpoint == len(recorded_journals.inputs_of(past))
        journal.compact(recorded_journals.time_after(past), recorded_journals.lobby_after(past).checkpoint())
        assert journal.since_checkpoint == 0
        await recorded_journals.keep(journal, since)
        assert journal.since_checkpoint == len(recorded_journals.inputs_of(since))
    with closing(Journal(path)) as again:
        assert again.since_checkpoint == len(recorded_journals.inputs_of(since))
        found = again.kept.lobby()
        assert found is not None
        assert found.number == len(recorded_journals.inputs_of(past))
        lobby = new_lobby()
        deque(bring_back(lobby, found, again.kept.inputs()), maxlen=0)
        now = again.last_time
    straight = recorded_journals.lobby_after(whole)
    for one in (straight, lobby):
        one.subscribers._news[ALL_TABLES].readers.clear()  # they ask again when they are back
    assert lobby_snapshot(lobby, now) == lobby_snapshot(straight, now)


async def test_checkpoint_and_records_of_one_commit_are_kept_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was handed in before the checkpoint is in it, what came after is not, though one commit takes all."""
    path = tmp_path / "put.sqlite3"
    journal = Journal(path)
    disk = SlowDisk(journal, monkeypatch)
    async with recorded_journals.running(journal):
        journal.record([(1, recorded_journals.event(1))], lambda: None)
        await disk.begun()
        journal.record([(2, recorded_journals.event(2)), (3, recorded_journals.event(3))], lambda: None)
        journal.compact(3, new_lobby().checkpoint())
        journal.record([(4, recorded_journals.event(4))], lambda: None)
        disk.let_through(2)
    assert recorded_journals.stored(path) == [(4, recorded_journals.event(4))]
    with closing(Journal(path)) as again:
        assert again.kept.lobby() == (3, 3, new_lobby().checkpoint())


async def test_checkpoint_alone_keeps_number_and_time(tmp_path: Path) -> None:
    """With no record left the next one still has the next number, and the clock goes on."""
    path = tmp_path / "put.sqlite3"
    journal = Journal(path)
    async with recorded_journals.running(journal):
        journal.record([(70, recorded_journals.event(1)), (80, recorded_journals.event(1))], lambda: None)
        journal.compact(90, new_lobby().checkpoint())
    journal = Journal(path)
    assert (journal.last_time, journal.since_checkpoint) == (90, 0)
    async with recorded_journals.running(journal):
        journal.record([(100, recorded_journals.event(2))], lambda: None)
    with Archive(path) as archive:
        assert [record.number for record in archive.kept.inputs()] == [3]


async def test_checkpoint_is_made_at_once_where_nothing_can_fork(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows: the loop makes it, and what is handed in after it follows on."""
    monkeypatch.delattr("os.fork")
    path = tmp_path / "put.sqlite3"
    journal = Journal(path)
    async with recorded_journals.running(journal):
        journal.record([(70, recorded_journals.event(1))], lambda: None)
        journal.compact_behind(80, new_lobby().checkpoint)
        journal.record([(90, recorded_journals.event(2))], lambda: None)
    assert recorded_journals.stored(path) == [(90, recorded_journals.event(2))]
    with closing(Journal(path)) as again:
        assert again.kept.lobby() == (1, 80, new_lobby().checkpoint())


async def test_checkpoints_keep_the_file_from_growing(tmp_path: Path) -> None:
    """A lobby that goes on for ever takes as much of the disk as between two checkpoints."""
    journal = Journal(tmp_path / "put.sqlite3")
    sizes = []
    async with recorded_journals.running(journal):
        for turn in range(20):
            done = asyncio.Event()
            journal.record([(turn, recorded_journals.event(number)) for number in range(6_000)], done.set)
            journal.compact(turn, new_lobby().checkpoint())
            await done.wait()
            sizes.append(journal.file_bytes)
    assert max(sizes) < 5_000_000 < 20 * (sizes[1] - sizes[0])


# --- finished games ---


async def test_finished_game_is_kept_with_the_record_that_ended_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One transaction has both or neither: when it fails there is no game, either."""
    path = tmp_path / "put.sqlite3"
    (ended,) = [batch for batch in recorded_journals.recording(1) if batch.games][:1]
    journal = Journal(path)
    async with recorded_journals.running(journal):
        await recorded_journals.keep(journal, [ended])
        with Archive(path) as archive:
            assert len(archive.latest(10)[0]) == len(ended.games)
            assert len(list(archive.kept.inputs())) == len(recorded_journals.inputs_of([ended]))
    journal = Journal(path)
    monkeypatch.setattr("put_server.journal.journal.sign", lambda file: file.execute("INSERT INTO nowhere VALUES (1)"))
    task = asyncio.create_task(journal.run())
    journal.record(ended.records, lambda: None, ended.games)
    with pytest.raises(sqlite3.OperationalError):
        await task
    journal.close()
    with Archive(path) as archive:
        assert len(archive.latest(10)[0]) == len(ended.games)
        assert len(list(archive.kept.inputs())) == len(recorded_journals.inputs_of([ended]))


async def test_finished_games_outlive_checkpoints(tmp_path: Path) -> None:
    """What a checkpoint stands for is forgotten, but no game."""
    path = tmp_path / "put.sqlite3"
    journal = Journal(path)
    async with recorded_journals.running(journal):
        await recorded_journals.keep(journal, recorded_journals.recording(1))
        journal.compact(10**9, recorded_journals.lobby_after(recorded_journals.recording(1)).checkpoint())
    with Archive(path) as archive:
        assert list(archive.kept.inputs()) == []
        found = [archive.game(number) for number in archive.ids()]
    assert [game.record for game in found if game] == [
        game.record for game in recorded_journals.games_of(recorded_journals.recording(1))
    ]
    assert [game.row.result for game in found if game] == [
        game.end for game in recorded_journals.games_of(recorded_journals.recording(1))
    ]


async def test_what_a_commit_held_is_freed_with_it(tmp_path: Path) -> None:
    """No cycle keeps it until the next search for garbage, which would then take half as long as a move."""
    journal = Journal(tmp_path / "put.sqlite3")
    told = asyncio.Event()
    held = weakref.ref(waits := partial(told.set))
    gc.disable()
    try:
        async with recorded_journals.running(journal):
            journal.record([(1, recorded_journals.event(1))], waits)
            del waits
            await told.wait()
        assert held() is None
    finally:
        gc.enable()

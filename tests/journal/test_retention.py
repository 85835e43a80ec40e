"""Retention of finished games: the oldest go, by age and by size, a few at a time; the rest is as before."""

import asyncio
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from put_protocol.codecs import FRAMES
from put_protocol.messages import Resign
from put_rules.registry import GAMES
from put_server.journal import journal as journal_module
from put_server.journal import retention
from put_server.journal.archive import Archive
from put_server.journal.journal import Journal
from put_server.journal.journal_check import check
from put_server.journal.journal_schema import crc
from put_server.journal.retention import ENDED, GAMES_AT_ONCE, UNKNOWN, Retention, digest, note_networks, remove_oldest
from put_server.lobby.prefixes import networks_of
from tests.journal import recorded_journals
from tests.lobby.lobby_harness import new_lobby
from tests.transport.sockets import running_server

NOW = datetime(2026, 6, 30, 12, tzinfo=UTC)


def with_games(path: Path, count: int, ended: Callable[[int], str] = lambda _: "2026-06-01T00:00:00Z") -> Path:
    """A journal with so many finished games, in place of its own."""
    recorded_journals.written(path, recorded_journals.recording(2))
    with closing(sqlite3.connect(path)) as file, file:
        row = file.execute("SELECT * FROM games LIMIT 1").fetchone()
        for table in ("games", "game_origins", "game_networks"):
            file.execute(f"DELETE FROM {table}")
        for number in range(1, count + 1):
            columns = (number, ended(number), *row[2:-1])
            file.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*columns, crc(*columns)))
    return path


def ids(path: Path) -> list[int]:
    with Archive(path) as archive:
        return archive.ids()


def remove_all(path: Path, retention: Retention) -> int:
    """As a server does. Returns in how many transactions."""
    count = 1
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        while remove_oldest(file, retention, NOW):
            count += 1
    return count


def test_games_go_when_they_are_too_old(tmp_path: Path) -> None:
    """To the second; what is younger stays, and can be read."""
    path = with_games(tmp_path / "put.sqlite3", 30, lambda number: f"2026-06-{number:02}T12:00:00Z")
    remove_all(path, Retention(days=10))
    assert ids(path) == list(range(20, 31))
    with Archive(path) as archive:
        assert [row.id for row in archive.latest(100)[0]] == list(range(30, 19, -1))


def test_clock_that_is_set_forward_takes_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However far: what was removed would not come back with the right time."""

    class Ahead(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Ahead":
            return cls(9999, 1, 1, tzinfo=tz)

    monkeypatch.setattr(retention, "datetime", Ahead)
    monkeypatch.setattr(retention, "AGED_AFTER_S", 0.0)
    path = with_games(tmp_path / "put.sqlite3", 3, lambda _: datetime.now(UTC).strftime(ENDED))
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        remove_oldest(file, Retention(days=1))
    assert ids(path) == [1, 2, 3]


@pytest.mark.parametrize("wrong_by_years", [1, -50])
def test_clock_that_is_wrong_at_the_start_is_asked_again_after_an_hour(
    wrong_by_years: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then no game goes for its age, and then what is too old; nothing by a clock that is set forward later."""
    year = 365 * 86_400
    ended = (datetime.now(UTC) - timedelta(days=20)).strftime(ENDED)
    path = with_games(tmp_path / "put.sqlite3", 3, lambda _: ended)
    right = time.time
    retention._begun.cache_clear()
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        monkeypatch.setattr(time, "time", lambda: right() + wrong_by_years * year)
        remove_oldest(file, Retention(days=30))
        assert ids(path) == [1, 2, 3]
        monkeypatch.setattr(time, "time", right)
        monkeypatch.setattr(retention, "AGED_AFTER_S", 0.0)
        remove_oldest(file, Retention(days=30))
        assert ids(path) == [1, 2, 3]
        monkeypatch.setattr(time, "time", lambda: right() + year)
        remove_oldest(file, Retention(days=30))
        assert ids(path) == [1, 2, 3]
        monkeypatch.setattr(time, "time", right)
        remove_oldest(file, Retention(days=10))
        assert ids(path) == [3]


def test_games_go_a_few_at_a_time(tmp_path: Path) -> None:
    """However many are due, no transaction removes more, so that no commit waits long."""
    path = with_games(tmp_path / "put.sqlite3", 4 * GAMES_AT_ONCE + 10)
    assert remove_all(path, Retention(days=10)) == 5


def test_games_go_until_the_file_is_small_enough(tmp_path: Path) -> None:
    """The oldest of them; the free pages are used again, so the file stays as large as it ever was."""
    path = with_games(tmp_path / "put.sqlite3", 2_000)
    large = path.stat().st_size
    assert large > 2**20
    remove_all(path, Retention(megabytes=1))
    left = ids(path)
    assert left[-1] == 2_000
    assert 0 < len(left) < 2_000
    assert left == list(range(left[0], 2_001))
    with closing(sqlite3.connect(path)) as file, file:
        row = file.execute("SELECT * FROM games LIMIT 1").fetchone()
        for number in range(2_001, 2_001 + left[0] - 100):
            columns = (number, *row[1:-1])
            file.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*columns, crc(*columns)))
    assert path.stat().st_size <= large


def test_latest_game_stays_so_that_no_number_is_used_twice(tmp_path: Path) -> None:
    """Though it is too old, and the file too large."""
    path = with_games(tmp_path / "put.sqlite3", 60)
    remove_all(path, Retention(days=1, megabytes=1))
    assert ids(path) == [60]
    with closing(Journal(path)) as journal:
        assert journal._game == 60


def test_nothing_goes_without_a_limit(tmp_path: Path) -> None:
    """As before there were any."""
    path = with_games(tmp_path / "put.sqlite3", 60)
    assert not Retention().is_limited
    remove_all(path, Retention())
    assert len(ids(path)) == 60


async def test_server_removes_while_it_commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is handed in meanwhile is kept, and answered, before all is removed."""
    path = await asyncio.to_thread(with_games, tmp_path / "put.sqlite3", 10 * GAMES_AT_ONCE)
    monkeypatch.setattr(journal_module, "BETWEEN_S", 0.0)
    monkeypatch.setattr(retention, "AGED_AFTER_S", 0.0)
    journal = Journal(path)
    journal.retention = Retention(days=1)
    answered: list[int] = []
    async with recorded_journals.running(journal):
        for number in range(20):
            journal.record([(10**9, recorded_journals.event(number))], lambda: answered.append(len(answered)))
            while len(answered) <= number:  # noqa: ASYNC110  # the journal calls back, and tells of nothing else
                await asyncio.sleep(0)
        while journal._file.execute("SELECT count(*) FROM games").fetchone() != (1,):  # noqa: ASYNC110
            await asyncio.sleep(0)
    assert ids(path) == [10 * GAMES_AT_ONCE]
    assert len(answered) == 20


async def test_exhibitions_are_kept_only_where_they_are_to_be(tmp_path: Path) -> None:
    """Nothing of them is in the list of games; `check` misses none."""
    for is_kept in (False, True):
        path = tmp_path / f"{is_kept}" / "put.sqlite3"
        recorded = recorded_journals.recording(2)
        journal = Journal(path)
        journal.retention = Retention(exhibitions=is_kept)
        async with recorded_journals.running(journal):
            await recorded_journals.keep(journal, recorded)
        games = recorded_journals.games_of(recorded)
        kept = [game for game in games if is_kept or not game.record.is_exhibition]
        with Archive(path) as archive:
            assert len(archive.ids()) == len(kept)
            assert check(archive, new_lobby(), GAMES).findings == ()


def test_check_misses_games_that_were_lost_and_none_that_were_removed(tmp_path: Path) -> None:
    """The first of those that records ended may have been removed; one behind a game that is kept was lost."""
    path = recorded_journals.written(tmp_path / "put.sqlite3", recorded_journals.recording(2))
    every = ids(path)
    assert len(every) > 3
    recorded_journals.killed(
        path, f"DELETE FROM games WHERE id = {every[0]}", f"INSERT INTO meta VALUES ('removed', {every[0]})"
    )
    with Archive(path) as archive:
        assert check(archive, new_lobby(), GAMES).findings == ()
    recorded_journals.killed(path, f"DELETE FROM games WHERE id = {every[2]}")
    with Archive(path) as archive:
        findings = check(archive, new_lobby(), GAMES).findings
    assert len(findings) == 1
    assert "not among the finished games" in findings[0]


def played_from(path: Path, origins: Sequence[str], megabytes: int) -> list[str]:
    """Games of these origins, one after another, then removed until the file is small enough. Returns those left."""
    with closing(sqlite3.connect(with_games(path, len(origins)), isolation_level=None)) as file:
        size = 0
        for number, origin in enumerate(origins, 1):
            (size,) = file.execute("SELECT length(record) FROM games WHERE id = ?", (number,)).fetchone()
            note_networks(file, number, size, networks_of(origin)[1:] or UNKNOWN)
        while remove_oldest(file, Retention(megabytes=megabytes), NOW):
            pass
        left = [origins[number - 1] for (number,) in file.execute("SELECT id FROM games ORDER BY id")]
        counted = dict(file.execute("SELECT network, bytes FROM game_networks"))
        assert counted == {
            network: sum(network in networks_of(origin) for origin in left) * size
            for network in {network for origin in left for network in networks_of(origin)[1:]}
        }
    return left


def test_games_of_others_stay_whoever_plays_much(tmp_path: Path) -> None:
    """One address, or the many of one network, play until the file is full: they lose their own games, the address with
    most first, and 24 games of others that are older all stay."""
    others = [f"198.51.{number}.1" for number in range(24)]
    much = ["192.0.2.1", "192.0.2.1", *[f"192.0.2.{number + 2}" for number in range(98)]] * 12
    left = played_from(tmp_path / "put.sqlite3", [*others, *much], 1)
    assert set(others) <= set(left)
    assert 24 < len(left) < 1_200
    each = Counter(left[24:])
    assert max(each.values()) - min(each.values()) <= 1


def test_removal_looks_at_a_few_rows(tmp_path: Path) -> None:
    """However many games and networks there are, each step of it goes by an index."""
    path = with_games(tmp_path / "put.sqlite3", 3)
    seen: list[str] = []
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        note_networks(file, 1, 10, networks_of("192.0.2.1")[1:])
        file.set_trace_callback(seen.append)
        remove_oldest(file, Retention(days=10), NOW)
        retention._oldest_of_crowd(file)
        file.set_trace_callback(None)
        asked = {text for text in seen if "game" in text and text.startswith(("SELECT", "DELETE", "UPDATE"))}
        assert len(asked) > 5
        for text in asked:
            plan = [row[3] for row in file.execute(f"EXPLAIN QUERY PLAN {text}")]
            assert not any("TEMP B-TREE" in step for step in plan), (text, plan)
            assert not any(step.startswith("SCAN") and "LIMIT 1" not in text for step in plan), (text, plan)


async def test_origin_of_a_game_is_kept_as_a_digest(tmp_path: Path) -> None:
    """What a server records names the networks of the table's opener by digests, and no address."""
    async with running_server(data=str(tmp_path), exempt="", news_ms=0) as harness:
        players = await harness.game(FRAMES, FRAMES)
        await players[0].ask(lambda n: Resign(n, 1))
    with closing(sqlite3.connect(tmp_path / "put.sqlite3")) as file:
        kept = [row for table in ("game_networks", "game_origins") for row in file.execute(f"SELECT * FROM {table}")]
        (key,) = file.execute("SELECT value FROM meta WHERE key = 'passcode_key'").fetchone()
    names = [digest(network, bytes.fromhex(key)) for network in networks_of("127.0.0.1")[1:]]
    assert {row[0] for row in kept[:2]} == set(names)
    assert kept[2][1] == names[-1]
    assert "127.0.0" not in repr(kept)

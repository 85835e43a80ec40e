"""Everything kept moves from a journal to a cluster and back; what cannot be moved leaves all as it was."""

import asyncio
import shutil
import sqlite3
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from nats.aio.client import Client

from put_protocol.messages import Look
from put_runtime.command_line import CommandFailed
from put_server import record_commands
from put_server.cluster import cluster_commands, cluster_config, home_shards, migration
from put_server.cluster.broker import BadCluster, BrokerNames, OutOfReach, connected
from put_server.cluster.cluster_config import settled
from put_server.cluster.finished_games import FinishedGames
from put_server.cluster.home_shards import home_of_digest, home_of_name
from put_server.cluster.migration import StoredCluster, backup, to_cluster, to_journal
from put_server.cluster.partition import in_order
from put_server.cluster.stream_journal import StreamJournal
from put_server.journal.archive import Archive
from put_server.journal.journal import Journal
from put_server.journal.journal_errors import JournalError
from put_server.journal.lobby_replay import fold
from put_server.journal.mark import Mark, mark_of
from put_server.journal.records import encode
from put_server.lobby.presence import GRACE_MS
from put_server.settings import Settings
from tests.cluster.nats_server import nats_server, needs_nats
from tests.journal.dealt_journals import DealingHarness, dealt_tables
from tests.journal.recorded_journals import keep, running
from tests.lobby.lobby_harness import new_lobby

pytestmark = needs_nats

DAY_S = 86_400

TABLES: tuple[dict[str, int | str], ...] = (
    {"game": "put-1674", "target": 1},
    {"game": "primero"},
    {"game": "triomphe-forcee"},
)


class _KeepingNames(DealingHarness):
    """A lobby that keeps the names of people who are gone."""

    def __init__(self, *, seed: int) -> None:
        super().__init__(new_lobby(name_seconds=DAY_S, names=100), seed=seed)


def _come_and_go(harness: DealingHarness) -> None:
    """Four people come. One of them stays, one comes back, and two go, the later one first."""
    guests = [harness.welcome(name) for name in ("Gus", "Hal", "Ida", "Jem")]
    for guest in guests:
        harness.ok(guest, Look(harness.request_id()))
    gus, hal, _, jem = guests
    for guest in (jem, hal, gus):
        harness.lose(guest)
        harness.tick(GRACE_MS)
    harness.come_back(jem)
    harness.ok(jem, Look(1_000_000))
    harness.ok(jem, Look(harness.request_id()))


async def _evening(path: Path) -> None:
    """A journal with games of every family in play, some finished games, a checkpoint and records after it."""
    harness = dealt_tables(seed=5, tables=TABLES, seats=4, kind=_KeepingNames)
    _come_and_go(harness)
    async with running(journal := Journal(path)):
        for turn in range(30):
            harness.move()
            await keep(journal, harness.take())
            if turn == 20:
                journal.compact(harness.now, harness.lobby.checkpoint())
    assert harness.games_over
    assert len(harness.lobby.tables) == len(TABLES)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("evening") / "put.sqlite3"
    asyncio.run(_evening(path))
    return path


@pytest.fixture
def path(evening: Path, tmp_path: Path) -> Path:
    """Its journal, of a server that ended in good order."""
    shutil.copytree(evening.parent, tmp_path / "one")
    return tmp_path / "one" / evening.name


def lobby_in(path: Path) -> bytes:
    """The lobby that a journal brings back."""
    lobby = new_lobby()
    with Archive(path) as archive:
        if (found := archive.kept.lobby()) is not None:
            lobby.restore(found.lobby)
        for _, at, event in archive.kept.inputs():
            fold(lobby, event, at)
    return encode(in_order(lobby.checkpoint()))


def content_of(folder: Path) -> Mapping[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


async def streams_of(client: Client) -> list[str]:
    return sorted(str(one.config.name) for one in await client.jetstream().streams_info())


async def test_migrate_there_and_back_is_as_it_was(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lobby, its games in play and finished games come back as they were, through the streams of a real broker;
    the first journal is left alone, and each of the two is closed while the other goes on. The way back is cut off
    once, after the cluster was closed, and is begun again."""
    bans = "192.0.2.0/24\n2001:db8::1\n"
    (path.parent / "bans").write_text(bans)
    before = content_of(path.parent)
    async with nats_server(tmp_path / "nats") as server:
        settings = Settings(nats=server.url, cluster="a", shards=3, replicas=1)
        async with connected(settings, "test") as client:
            says = await to_cluster(client, settings, path, replaces=False)
            assert "16 people, 3 tables, " in says
            assert " and 2 bans were moved" in says
            assert content_of(path.parent) == before
            made = await settled(client, settings)
            with Archive(path) as archive:
                assert bytes.fromhex(made.passcode_key) == archive.passcode_key
                rows = list(archive.rows())
                people = new_lobby()
                people.restore(archive.kept.lobby().lobby)  # type: ignore[union-attr]  # it has one
            listed, flaws = await FinishedGames(client, "a", made).latest(100)
            assert not flaws
            assert [(row.ended, row.table, row.number) for row in reversed(listed)] == [row[1:4] for row in rows]
            for row, listing in zip(reversed(rows), listed, strict=True):
                shown = await FinishedGames(client, "a", made).game(listing.id)
                assert shown is not None
                assert (shown.row, encode(shown.record)) == (listing, row[7])
            assert await FinishedGames(client, "a", made).game(max(row.id for row in listed) + 3) is None
            of_one, _ = await FinishedGames(client, "a", made).latest(1, table=listed[-1].table)
            assert [row.table for row in of_one] == [listed[-1].table]
            homes = await home_shards.read_homes(client, "a")
            assert homes
            for person in people.people.values():
                home = homes.get(person.token, home_of_digest(person.token, 3))
                assert home == home_of_name(person.name, 3)
            with pytest.raises(BadCluster, match="there is a cluster a already, and it is in use"):
                await to_cluster(client, settings, path, replaces=True)
            await backup(client, settings, made, tmp_path / "copy.sqlite3")
            assert lobby_in(tmp_path / "copy.sqlite3") == lobby_in(path)
            assert (tmp_path / "copy.sqlite3.bans").read_text() == bans
            (tmp_path / "copy.sqlite3").unlink()
            (tmp_path / "copy.sqlite3.bans").write_text("192.0.2.7\n")
            again = record_commands.backup(settings, Namespace(file=tmp_path / "copy.sqlite3"))
            with pytest.raises(CommandFailed, match=r"cannot be copied to .*: there is .*copy\.sqlite3\.bans already"):
                await asyncio.to_thread(lambda: list(again))
            assert (tmp_path / "copy.sqlite3.bans").read_text() == "192.0.2.7\n"
            assert not (tmp_path / "copy.sqlite3").exists()
            back = tmp_path / "two" / "put.sqlite3"
            with monkeypatch.context() as patched:
                patched.setattr("put_server.cluster.migration.replace_private", _cut_off)
                with pytest.raises(OSError, match="the power goes"):
                    await to_journal(client, settings, back)
            assert not back.exists(), "without its bans it must not be served"
            assert list(back.parent.iterdir()) == []
            says = await to_journal(client, settings, back)
            assert " and 2 bans were moved" in says
            assert "had been moved before" in says
            assert (back.parent / "bans").read_text() == bans
            assert lobby_in(back) == lobby_in(path)
            assert mark_of(back).exists()
            assert sorted(file.name for file in back.parent.iterdir()) == ["bans", "put.sqlite3", "put.sqlite3-mark"]
            with Archive(back) as archive:
                assert list(archive.rows()) == rows
                assert bytes.fromhex(made.passcode_key) == archive.passcode_key
            with pytest.raises(BadCluster, match="was moved to a journal"):
                await settled(client, settings)
            with pytest.raises(BadCluster, match="remove it with --replace"):
                await to_cluster(client, settings, back, replaces=False)
            await to_cluster(client, settings, back, replaces=True)
            assert await settled(client, settings) == made
    Journal(back).close()  # a server takes it


async def test_migrate_that_is_refused_changes_nothing(path: Path, tmp_path: Path) -> None:
    """Neither the journal, nor the broker, nor the directory that it was to go to."""
    async with nats_server(tmp_path / "nats") as server:
        settings = Settings(nats=server.url, cluster="a", shards=2, replicas=1)
        async with connected(settings, "test") as client:
            with pytest.raises(BadCluster, match="there is no cluster a"):
                await to_journal(client, settings, tmp_path / "two" / "put.sqlite3")
            journal = Journal(path)
            with pytest.raises(Exception, match="in use by another put-server"):
                await to_cluster(client, settings, path, replaces=False)
            journal.close()
            Mark(mark_of(path)).write(10**6)
            with pytest.raises(BadCluster, match="what came after has been lost"):
                await to_cluster(client, settings, path, replaces=False)
            mark_of(path).unlink()
            before = content_of(path.parent)
            monkey = pytest.MonkeyPatch()
            monkey.setattr("put_server.cluster.migration.write_homes", _fail)
            with pytest.raises(OutOfReach, match="in the middle"), monkey.context():
                await to_cluster(client, settings, path, replaces=False)
            monkey.undo()
            assert await streams_of(client) == []
            assert content_of(path.parent) == before

            await to_cluster(client, settings, path, replaces=False)
            whole = await streams_of(client)
            with pytest.raises(BadCluster, match=r"there is .*put\.sqlite3 already"):
                await to_journal(client, settings, path)
            beating = asyncio.create_task(_beat(client, "a"))
            with pytest.raises(BadCluster, match="workers of the cluster a are running"):
                await to_journal(client, settings, tmp_path / "two" / "put.sqlite3")
            beating.cancel()
            assert content_of(path.parent) == before
            assert not (tmp_path / "two").exists()
            assert await streams_of(client) == whole
            assert await cluster_config.found(client, "a") == await settled(client, settings)


async def test_cluster_of_a_like_name_is_left_alone(path: Path, tmp_path: Path) -> None:
    """Its bucket is called as a shard of the one that is removed."""
    async with nats_server(tmp_path / "nats") as server:
        settings = Settings(nats=server.url, cluster="a", shards=2, replicas=1)
        async with connected(settings, "test") as client:
            others = {name: await settled(client, replace(settings, cluster=name)) for name in ("a-0", "a-aliases")}
            await to_cluster(client, replace(settings, cluster="a-1"), path, replaces=False)
            kept = await streams_of(client)
            await to_cluster(client, settings, path, replaces=False)
            await to_journal(client, settings, tmp_path / "two" / "put.sqlite3")
            await to_cluster(client, settings, path, replaces=True)
            assert set(kept) < set(await streams_of(client))
            for name, made in others.items():
                assert await cluster_config.found(client, name) == made


async def test_worker_that_is_started_during_a_move_goes_on_alone(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cluster is open again, and there is no journal."""
    copied = migration._copied
    async with nats_server(tmp_path / "nats") as server:
        settings = Settings(nats=server.url, cluster="a", shards=2, replicas=1)
        async with connected(settings, "test") as client:
            await to_cluster(client, settings, path, replaces=False)
            made = await settled(client, settings)

            async def meanwhile(cluster: StoredCluster, *arguments: Any) -> str:
                await StreamJournal.opened(*cluster.streams(1), "worker")
                return await copied(cluster, *arguments)

            monkeypatch.setattr(migration, "_copied", meanwhile)
            with pytest.raises(BadCluster, match="a worker of the cluster a was started meanwhile"):
                await to_journal(client, settings, tmp_path / "two" / "put.sqlite3")
            assert await settled(client, settings) == made
            assert list((tmp_path / "two").iterdir()) == []


async def test_commands_say_that_a_cluster_was_moved(path: Path, tmp_path: Path) -> None:
    """A backup of it would be one of former play."""
    async with nats_server(tmp_path / "nats") as server:
        settings = Settings(nats=server.url, cluster="a", shards=2, replicas=1)
        async with connected(settings, "test") as client:
            await to_cluster(client, settings, path, replaces=False)
            await to_journal(client, settings, tmp_path / "two" / "put.sqlite3")
        for command, more in (("backup", [tmp_path / "copy"]), ("status", []), ("games", [1, None])):
            with pytest.raises(CommandFailed, match="the cluster a was moved to a journal"):
                await asyncio.to_thread(cluster_commands.run, command, settings, *more)
        assert not (tmp_path / "copy").exists()


async def test_files_that_cannot_be_written_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a sentence, and nothing is left of them."""
    file = tmp_path / "file"
    file.touch()
    async with nats_server(tmp_path / "nats") as server:
        settings = Settings(nats=server.url, cluster="a", shards=2, replicas=1)
        async with connected(settings, "test") as client:
            await settled(client, settings)
            with pytest.raises(JournalError, match=r"put\.sqlite3 cannot be opened \(File exists\)"):
                await to_journal(client, settings, file / "put.sqlite3")
            told = record_commands.backup(settings, Namespace(file=tmp_path / "none" / "copy"))
            with pytest.raises(CommandFailed, match=r"the cluster a cannot be copied to .*: No such file or directory"):
                await asyncio.to_thread(lambda: list(told))
            monkeypatch.setattr(Journal, "_commit", _full)
            with pytest.raises(JournalError, match="disk is full"):
                await to_journal(client, settings, tmp_path / "two" / "put.sqlite3")
            assert list((tmp_path / "two").iterdir()) == []


def _full(*_: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


async def _fail(*_: object, **__: object) -> None:
    raise OutOfReach("in the middle")


def _cut_off(*_: object) -> None:
    raise OSError("the power goes")


async def _beat(client: Client, cluster: str) -> None:
    while True:
        await client.publish(BrokerNames(cluster).subject("workers"), b"")
        await asyncio.sleep(0.02)

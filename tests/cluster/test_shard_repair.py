"""A shard that cannot be read: its operator sees why; it goes on from the last record that follows, or a backup."""

import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from nats.aio.client import Client

from put_protocol.messages import Leave
from put_server.app import new_lobby
from put_server.cluster import cluster_config
from put_server.cluster.broker import BadCluster, BrokerNames, OutOfReach
from put_server.cluster.cluster_config import ClusterConfig
from put_server.cluster.migration import StoredCluster, backup
from put_server.cluster.shard_repair import ShardRepair
from put_server.cluster.shard_stream import ShardStream
from put_server.cluster.stream_journal import CHANCE, PART, StreamJournal
from put_server.journal.journal import Journal
from put_server.journal.journal_errors import JournalError
from put_server.journal.lobby_replay import DoesNotFollow
from put_server.journal.records import decode_lobby, encode
from put_server.lobby.inputs import Ask
from put_server.settings import Settings
from put_server.table.table_effects import PersonId
from tests.cluster.nats_server import connected, nats_server, needs_nats
from tests.cluster.test_stream_journal import running
from tests.journal.dealt_journals import DealingHarness, dealt_tables
from tests.journal.recorded_journals import RecordedBatch, keep

pytestmark = needs_nats

SETTINGS = Settings(cluster="a", shards=1, replicas=1)


class Damaged:
    """A cluster of one shard whose last record does not follow, and the lobby before it."""

    def __init__(self, client: Client, made: ClusterConfig) -> None:
        self.client = client
        self.made = made
        self.cluster = StoredCluster(client, SETTINGS, made)
        self.repair = ShardRepair(self.cluster, 0)
        self.right = b""
        self.harness: DealingHarness = dealt_tables(seed=3, tables=({"target": 2}, {"game": "truc"}))

    async def journal(self) -> StreamJournal:
        return await StreamJournal.opened(*self.cluster.streams(0), "worker")

    async def play(self, journal: StreamJournal, turns: int) -> None:
        for _ in range(turns):
            self.harness.move()
            await keep(journal, self.harness.take())

    async def lobby(self) -> bytes:
        """The lobby that a worker brings back."""
        journal = await self.journal()
        lobby = new_lobby(SETTINGS, bytes.fromhex(self.made.passcode_key))
        deque(journal.bring_back(lobby, journal.kept), maxlen=0)
        journal.close()
        return encode(lobby.checkpoint())


@pytest.fixture(autouse=True)
def _all_is_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No journal stays open, whether it could be read or not: a worker that tries again and again would fill up."""
    opened: list[sqlite3.Connection] = []

    def connect(*args: Any, **fields: Any) -> sqlite3.Connection:
        opened.append(_connect(*args, **fields))
        return opened[-1]

    _connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", connect)
    yield
    assert opened
    for file in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            file.execute("SELECT 1")


@asynccontextmanager
async def damaged(folder: Path) -> AsyncIterator[Damaged]:
    async with nats_server(folder) as server, connected(server) as client:
        made = await cluster_config.settled(client, SETTINGS)
        cluster = Damaged(client, made)
        async with running(journal := await cluster.journal()):
            await cluster.play(journal, 20)
            journal.compact(cluster.harness.now, cluster.harness.lobby.checkpoint())
            await cluster.play(journal, 20)
            await backup(client, SETTINGS, made, folder / "backup.sqlite3")
            await cluster.play(journal, 5)
        cluster.right = await cluster.lobby()
        async with running(journal := await cluster.journal()):
            nobody = Ask(PersonId(999), Leave(1, 1))
            await keep(journal, [RecordedBatch([(cluster.harness.now, nobody)], [])])
        yield cluster


async def test_shard_whose_last_record_does_not_follow_goes_on_from_the_one_before(tmp_path: Path) -> None:
    async with damaged(tmp_path) as cluster:
        shown = await cluster.repair.show()
        assert "of a person who is not here" in shown
        assert "2 tables" in shown
        assert "goes on from there" in await cluster.repair.repair()
        assert await cluster.lobby() == cluster.right
        assert "all records up to" in await cluster.repair.show()


async def test_table_whose_deal_is_lost_is_left_out_of_a_shard_that_goes_on(tmp_path: Path) -> None:
    """It is named, with its game. Everything at the other table is there, also what was played since the checkpoint."""
    async with nats_server(tmp_path) as server, connected(server) as client:
        cluster = Damaged(client, await cluster_config.settled(client, SETTINGS))
        lobby = cluster.harness.lobby
        async with running(journal := await cluster.journal()):
            await cluster.play(journal, 1)
            assert all(table.chance for table in lobby.checkpoint().tables), "a hand is in play at both"
            journal.compact(cluster.harness.now, lobby.checkpoint())
            since = {number: table.model.turn.decision for number, table in lobby.tables.items()}
            while any(lobby.tables[number].model.turn.decision == at for number, at in since.items()):
                await cluster.play(journal, 1)
        seen = await StreamJournal.seen(*cluster.cluster.streams(0))
        (_, lost), sequence = next(item for item in seen.kept.sequences.items() if item[0][0] <= seen.kept.number)
        await client.jetstream().delete_msg(BrokerNames("a").stream(0), sequence)
        with pytest.raises(DoesNotFollow, match=rf": table {lost}, game 1: what step \d+ was dealt from is missing$"):
            await cluster.lobby()
        shown = await cluster.repair.show()
        assert f"table {lost}, game 1: " in shown
        assert f"all up to record {seen.number} of {seen.number} can be read: 1 table and 4 people" in shown
        assert "goes on from there" in await cluster.repair.repair()
        await backup(client, SETTINGS, cluster.made, tmp_path / "backup.sqlite3")
        here = decode_lobby(await cluster.lobby())
        assert here.tables == tuple([table for table in lobby.checkpoint().tables if table.id != lost])
        assert sorted(table for person in here.people for table in person.tables) == [here.tables[0].id] * 2


async def test_record_that_is_gone_is_named_without_advice_for_a_file(tmp_path: Path) -> None:
    async with damaged(tmp_path) as cluster:
        name, stream = BrokerNames("a").stream(0), cluster.client.jetstream()
        last = (await stream.stream_info(name)).state.last_seq
        await stream.delete_msg(name, last - 3)
        shown = await cluster.repair.show()
        assert f"of stream {name} cannot be read (record" in shown
        assert "--data" not in shown


async def test_shard_that_nobody_can_read_is_restored_from_a_backup(tmp_path: Path) -> None:
    async with damaged(tmp_path) as cluster:
        stream, _ = cluster.cluster.streams(0)
        await stream.claimed("claim", b"test")
        await stream.append([(PART, b"what"), ("commit", b"ever")])
        assert "no record can be read" in await cluster.repair.show()
        with pytest.raises(JournalError, match="restore it"):
            await cluster.repair.repair()
        assert "2 tables" in await cluster.repair.restore(tmp_path / "backup.sqlite3")
        assert await cluster.lobby()
        assert "all records up to" in await cluster.repair.show()
        names = BrokerNames("a")
        state = (await cluster.client.jetstream().stream_info(names.stream(0))).state
        assert state.messages < 10, "what could not be read is gone"


async def test_backup_of_another_server_restores_no_shard(tmp_path: Path) -> None:
    """Its people would take the place of those here, and its passcodes open no table."""
    Journal(tmp_path / "another.sqlite3").close()
    async with damaged(tmp_path) as cluster:
        await cluster.repair.repair()
        with pytest.raises(JournalError, match=r"another\.sqlite3 is no backup of the cluster a"):
            await cluster.repair.restore(tmp_path / "another.sqlite3")
        assert await cluster.lobby() == cluster.right


async def test_backup_has_all_other_shards(tmp_path: Path) -> None:
    async with nats_server(tmp_path) as server, connected(server) as client:
        settings = Settings(cluster="a", shards=2, replicas=1)
        made = await cluster_config.settled(client, settings)
        for shard in range(2):
            (await StreamJournal.opened(*StoredCluster(client, settings, made).streams(shard), "w")).close()
        stream, _ = StoredCluster(client, settings, made).streams(1)
        await stream.claimed("claim", b"test")
        await stream.append([("commit", b"whatever")])
        with pytest.raises(BadCluster, match=r"is a copy of the cluster a.*without.*shard 1 cannot be read"):
            await backup(client, settings, made, tmp_path / "copy.sqlite3")
        assert (tmp_path / "copy.sqlite3").exists()
        with pytest.raises(BadCluster, match="shards 0 to 1"):
            ShardRepair(StoredCluster(client, settings, made), 2)


async def test_restoring_that_is_cut_off_changes_no_deal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends between the sources of the backup's deals and the commit that names them: the shard is as it was."""
    async with damaged(tmp_path) as cluster:
        await cluster.repair.repair()
        whole = ShardStream.append

        async def cut_off(self: ShardStream, messages: Sequence[tuple[str, bytes]]) -> list[int]:
            sources = [message for message in messages if message[0] == CHANCE]
            if not sources:
                return await whole(self, messages)
            await whole(self, sources)
            raise OutOfReach("gone")

        with monkeypatch.context() as patched:
            patched.setattr(ShardStream, "append", cut_off)
            with pytest.raises(OutOfReach):
                await cluster.repair.restore(tmp_path / "backup.sqlite3")
        assert await cluster.lobby() == cluster.right

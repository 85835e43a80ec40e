"""A shard's journal on a real broker: what was acknowledged comes back, secrets of deals that are over do not."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace
from nats.aio.client import Client
from nats.aio.msg import Msg

from put_server.cluster.shard_stream import Overtaken, ShardStream
from put_server.cluster.stream_journal import CHANCE, Diverged, StreamJournal
from put_server.journal.records import encode
from put_server.journal.retention import digest
from put_server.lobby.inputs import Shuffled
from put_server.lobby.lobby import Lobby
from tests.cluster.nats_server import connected, nats_server, needs_nats
from tests.journal.dealt_journals import PrimeroHarness, dealt_tables
from tests.journal.recorded_journals import RecordedBatch, keep, recording, together
from tests.lobby.lobby_harness import new_lobby
from tests.repetitions import TURN

pytestmark = needs_nats


KEY = bytes(32)

TABLES: tuple[dict[str, int | str], ...] = ({"target": 2}, {"game": "truc"}, {"target": 2, "misdeals": 40})


async def opened(client: Client, holder: str) -> StreamJournal:
    stream = ShardStream(client, "put-a-1", replicas=1)
    return await StreamJournal.opened(stream, ShardStream(client, "put-a-1-games", replicas=1), holder)


@asynccontextmanager
async def running(journal: StreamJournal) -> AsyncIterator[None]:
    task = asyncio.create_task(journal.run())
    try:
        yield
    finally:
        journal.finish()
        with suppress(Overtaken):
            await task
        journal.close()


def restored(journal: StreamJournal) -> Lobby:
    lobby = new_lobby()
    deque(journal.bring_back(lobby, journal.kept), maxlen=0)
    return lobby


async def test_shard_comes_back_as_it_was(tmp_path: Path) -> None:
    """After each of many ends, checkpoints at once and behind play between them; every finished game is kept once.

    Nothing is purged: a node of the broker that is started again would purge more than it was asked for."""
    purged: list[str] = []

    async def note(message: Msg) -> None:
        purged.append(message.subject)

    async with nats_server(tmp_path) as server, connected(server) as client:
        await client.subscribe("$JS.API.STREAM.PURGE.>", cb=note)
        harness = dealt_tables(seed=3, tables=TABLES)
        for holder in range(4):
            journal = await opened(client, f"worker-{holder}")
            if holder:
                assert encode(restored(journal).checkpoint()) == encode(harness.lobby.checkpoint())
            async with running(journal):
                for turn in range(25):
                    harness.move()
                    await keep(journal, harness.take())
                    if turn == 10 and holder % 3 == 1:
                        journal.compact(harness.now, harness.lobby.checkpoint())
                    if turn == 10 and holder % 3 == 2:
                        journal.compact_behind(harness.now, harness.lobby.checkpoint)
        assert harness.games_over
        assert purged == []
        games = ShardStream(client, "put-a-1-games", replicas=1)
        assert len(await games.read()) == len(harness.games_over)
        raw = b"\0".join(file.read_bytes() for file in (tmp_path / "store").rglob("*") if file.is_file())
        assert [deal for deal in harness.over if any(trace in raw for trace in deal.traces())] == []


async def test_game_is_kept_with_the_networks_of_its_table(tmp_path: Path) -> None:
    """As digests, the widest first; and by who takes the shard over before it is in the stream of games."""
    over = together(recording(1))[0]
    games = [replace(game, origin=origin) for game, origin in zip(over.games, ("192.0.2.1", ""), strict=False)]
    async with nats_server(tmp_path) as server, connected(server) as client:
        journal = await opened(client, "former")
        journal.key_of_networks = KEY

        async def lost(_: object) -> None:
            """The worker ends before it has told these."""

        journal._tell_games = lost  # type: ignore[assignment, method-assign]
        async with running(journal):
            await keep(journal, [RecordedBatch(over.records, games)])
        (await opened(client, "latter")).close()
        stored = await ShardStream(client, "put-a-1-games", replicas=1).read()
    around = [digest(network, KEY) for network in ("192.0.2.0/24", "192.0.2.1")]
    assert [found.kind for found in stored] == [f"game.{'.'.join(around)}", "game"]


@pytest.mark.parametrize("seed", range(4 if TURN else 2))
async def test_worker_that_is_overtaken_loses_nothing_that_it_told(tmp_path: Path, seed: int) -> None:
    """Another claims the shard in the middle: the former is refused, and the latter has all that was acknowledged, and
    of what was under way whole commits from the first on."""
    random = Random(seed)
    async with nats_server(tmp_path) as server, connected(server) as client, connected(server) as other:
        harness = dealt_tables(seed=seed, tables=TABLES)
        former = await opened(client, "former")
        states = [encode(new_lobby().checkpoint())]
        told: list[int] = []
        task = asyncio.create_task(former.run())
        claimed: asyncio.Task[StreamJournal] | None = None
        turn = late = 0
        while late < 10:  # the last turns come after the claim, so the former has something to be refused for
            turn += 1
            late += claimed is not None and claimed.done()
            harness.move()
            for batch in harness.take():
                former.record(batch.records, partial(told.append, len(states)), batch.games)
                states.append(encode(harness.lobby.checkpoint()))
            if turn % 25 == 10:
                former.compact_behind(harness.now, harness.lobby.checkpoint)
            if turn == 60:
                claimed = asyncio.create_task(opened(other, "latter"))
            for _ in range(random.randrange(40)):
                await asyncio.sleep(0)
        assert claimed is not None
        latter = await claimed
        with pytest.raises(Overtaken):
            await task
        former.close()
        assert told == list(range(1, len(told) + 1))
        assert 0 < len(told) < len(states) - 1
        found = encode(restored(latter).checkpoint())
        assert found in states[len(told) :]
        latter.close()


async def test_checkpoint_made_twice_of_the_same_moment_stays(tmp_path: Path) -> None:
    """As where a shard that just made one is given away: what is thrown away is the one before."""
    async with nats_server(tmp_path) as server, connected(server) as client:
        harness = dealt_tables(seed=5, tables=TABLES)
        journal = await opened(client, "first")
        async with running(journal):
            await keep(journal, harness.take())
            for _ in range(2):
                journal.compact(harness.now, harness.lobby.checkpoint())
                await keep(journal, [RecordedBatch([], [])])
        again = await opened(client, "second")
        assert encode(restored(again).checkpoint()) == encode(harness.lobby.checkpoint())
        again.close()


async def test_checkpoint_that_was_cut_off_changes_no_deal(tmp_path: Path) -> None:
    """Its worker was killed between the sources of deals and the commit that names them, after each move around the
    second deal of a hand: no record is replayed with the source of another deal."""
    async with nats_server(tmp_path) as server, connected(server) as client:
        harness = dealt_tables(seed=7, tables=({"game": "primero"},), seats=6, kind=PrimeroHarness)
        while not any(event.beside for _, event in harness.records if isinstance(event, Shuffled)):
            harness.move()
        former = encode(new_lobby().checkpoint())
        for turn in range(4):
            journal = await opened(client, f"worker-{turn}")
            assert encode(restored(journal).checkpoint()) == former
            async with running(journal):
                await keep(journal, harness.take())
            former = encode(harness.lobby.checkpoint())
            journal.compact(harness.now, harness.lobby.checkpoint())
            sources = [
                (CHANCE, msgspec.msgpack.encode(change))
                for change in journal._batch.changes
                if isinstance(change, tuple)
            ]
            await journal._stream.append(sources)
            harness.move()


async def test_commit_that_names_a_checkpoint_is_not_tidied_away_with_those_before(tmp_path: Path) -> None:
    """More commits come while it is tidied."""
    async with nats_server(tmp_path) as server, connected(server) as client:
        harness = dealt_tables(seed=5, tables=TABLES)
        journal = await opened(client, "first")
        async with running(journal):
            await keep(journal, harness.take())
            for turn in range(6):
                journal.compact(harness.now, harness.lobby.checkpoint())
                for _ in range(turn):
                    await keep(journal, [RecordedBatch([], [])])
                harness.move()
                await keep(journal, harness.take())
        again = await opened(client, "second")
        assert encode(restored(again).checkpoint()) == encode(harness.lobby.checkpoint())
        again.close()


async def test_lobby_that_no_record_explains_is_told_of_no_more(tmp_path: Path) -> None:
    """One that the records explain makes a checkpoint; the next worker goes on from what is stored."""
    async with nats_server(tmp_path) as server, connected(server) as client:
        harness = dealt_tables(seed=5, tables=TABLES)
        journal = await opened(client, "first")
        journal.fresh = new_lobby
        task = asyncio.create_task(journal.run())
        await keep(journal, harness.take())
        journal.compact_behind(harness.now, harness.lobby.checkpoint)
        await journal.settle()
        assert journal.since_checkpoint == 0
        harness.move()
        await keep(journal, harness.take())
        right = harness.lobby.checkpoint()
        journal.compact_behind(harness.now, lambda: replace(right, last_person=right.last_person + 1))
        with pytest.raises(Diverged):
            await task
        journal.close()
        again = await opened(client, "second")
        assert encode(restored(again).checkpoint()) == encode(right)
        again.close()

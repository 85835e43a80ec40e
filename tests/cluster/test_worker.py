"""Workers on a real broker: shards are served, taken over and given away, and nothing acknowledged is lost."""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from nats.aio.client import Client

from put_protocol.messages import (
    Decision,
    Events,
    Invite,
    Ok,
    OpenTable,
    Refused,
    Say,
    Seen,
    ServerMessage,
    Sit,
    TableSnapshot,
)
from put_protocol.refusals import RefusalCode
from put_protocol.table_events import Said
from put_server.cluster import cluster_config, roles, shard_stream
from put_server.cluster import shard_worker as worker_module
from put_server.cluster.broker import BadCluster, BrokerNames
from put_server.cluster.cluster_config import FORMAT
from put_server.cluster.finished_games import OldGames
from put_server.cluster.home_shards import home_of_digest
from put_server.cluster.link_messages import Departed, Lost, VisitKind
from put_server.cluster.migration import StoredCluster
from put_server.cluster.roles import listening
from put_server.cluster.shard import Shard
from put_server.cluster.shard_repair import ShardRepair
from put_server.cluster.shard_stream import ShardStream
from put_server.cluster.shard_worker import ShardWorker
from put_server.cluster.stream_journal import StreamJournal
from put_server.lobby.inputs import Keep
from put_server.lobby.lobby import Lobby
from put_server.settings import Settings
from put_server.transport.reception import digest_of
from tests.cluster import members
from tests.cluster.members import cluster, until
from tests.cluster.nats_server import connected, nats_server, needs_nats
from tests.cluster.raw_gateway import RawGateway, gateway

pytestmark = needs_nats

CLUSTER = "test"
SHARDS = 4


def settings() -> Settings:
    return Settings(cluster=CLUSTER, shards=SHARDS, replicas=1)


@asynccontextmanager
async def working(client: Client) -> AsyncIterator[ShardWorker]:
    shard_worker = ShardWorker(settings(), client, await cluster_config.settled(client, settings()), thinks=False)
    task = asyncio.create_task(shard_worker.run())
    try:
        yield shard_worker
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[tuple[Client, RawGateway]]:
    """A broker, a connection for workers, and a gateway."""
    async with (
        nats_server(folder) as server,
        connected(server) as client,
        connected(server) as other,
        gateway(other, CLUSTER, shards=SHARDS) as found,
    ):
        yield client, found


async def test_game_is_played_at_a_shard(tmp_path: Path) -> None:
    """Somebody is let in at home, opens a table there, and plays against the house."""
    async with running(tmp_path) as (client, found), working(client):
        admitted = await found.visit(3, 1, "Ann")
        assert admitted.welcome.name == "Ann"
        await found.ask(3, 1, OpenTable(1, "put-1674"))
        assert (await found.answer(3, 1, Ok)).table == 3
        await found.ask(3, 1, Sit(2, 3))
        await found.ask(3, 1, Invite(3, 3, house="steady"))
        decision = await found.answer(3, 1, Decision)
        assert decision.table == 3


class Talker:
    """Somebody who sits at a table and talks, one request after another, and comes back when the shard moves. What they
    said is heard by themselves, so all of it can be counted."""

    def __init__(self, found: RawGateway, shard: int) -> None:
        self._found, self._shard = found, shard
        self._connection = 0
        self._request = 10
        self._waiting: dict[int, str] = {}
        self.granted: set[str] = set()
        """Whose answer came."""
        self.refused: set[str] = set()
        """That changed nothing, as they were told after a takeover."""
        self.heard: list[str] = []
        self._read = 0
        self._last_event = 0

    async def arrive(self) -> None:
        self._connection += 1
        await self._found.visit(self._shard, self._connection, "Ann")
        await self._found.ask(self._shard, self._connection, OpenTable(1, "put-1674"))
        table = (await self._found.answer(self._shard, self._connection, Ok)).table
        assert table is not None
        self._table = table
        await self._found.ask(self._shard, self._connection, Sit(2, table))
        await self._found.until(lambda: len(self._new(Ok)) >= 2)
        self._follow()

    def _new(self, kind: type[ServerMessage]) -> list[ServerMessage]:
        return [one for one in self._found.told(self._shard, self._connection) if isinstance(one, kind)]

    async def say(self, count: int) -> None:
        """Say so many things more, without waiting for answers."""
        for _ in range(count):
            self._request += 1
            text = f"number {self._request}"
            self._waiting[self._request] = text
            await self._found.ask(self._shard, self._connection, Say(self._request, self._table, text))
        self._follow()

    async def settle(self) -> None:
        """Every request has its answer."""

        def is_settled() -> bool:
            self._follow()
            return not self._waiting

        await self._found.until(is_settled)

    def _follow(self) -> None:
        """Read what came."""
        came = self._found.told(self._shard, self._connection)
        for message in came[self._read :]:
            match message:
                case Ok(id=request) if request in self._waiting:
                    self.granted.add(self._waiting.pop(request))
                case Refused(id=request, code=RefusalCode.NOT_CARRIED_OUT):
                    self.refused.add(self._waiting.pop(request))
                case TableSnapshot(number=number):
                    self._last_event = number
                case Events(first=first, events=events):
                    assert first == self._last_event + 1
                    self._last_event += len(events)
                    self.heard += [event.text for event in events if isinstance(event, Said)]
                case _:
                    pass
        self._read = len(came)

    async def come_back_from_break(self) -> None:
        """By another connection, once the link was broken and there is one again."""
        await self._found.until(lambda: "broken" in self._found.heard[self._shard])
        self._follow()
        self._connection += 1
        self._read = 0
        seen, asked = (Seen(self._table, self._last_event),), tuple(self._waiting)
        await self._found.visit(self._shard, self._connection, "Ann", VisitKind.BACK, seen=seen, asked=asked)
        self._follow()

    def check(self) -> None:
        """Nothing that was acknowledged is lost, and nothing is done twice."""
        assert len(self.heard) == len(set(self.heard))
        assert set(self.heard) == self.granted
        assert not self.refused & self.granted


@pytest.mark.parametrize("is_paused", [False, True], ids=["killed", "paused"])
async def test_shard_whose_worker_dies_or_wakes_too_late_goes_on_at_another(tmp_path: Path, is_paused: bool) -> None:
    """In the middle of commits. Who was paused finds its shards taken, is refused, and serves others again."""
    async with nats_server(tmp_path) as server, connected(server) as client, connected(server) as other:
        words = (sys.executable, "-m", "tests.cluster.worker_process", server.url, CLUSTER, str(SHARDS))
        with (tmp_path / "worker").open("wb") as log:
            process = await asyncio.create_subprocess_exec(*words, stdin=PIPE, stdout=log, stderr=log)
        try:
            async with gateway(other, CLUSTER, shards=SHARDS) as found:
                await found.up(0)
                async with working(client) as shard_worker:
                    await found.until(lambda: len(shard_worker.shards) == SHARDS // 2 and found.is_up)
                    talker = Talker(found, 0)
                    await talker.arrive()
                    await talker.say(40)
                    process.send_signal(signal.SIGSTOP if is_paused else signal.SIGKILL)
                    await talker.come_back_from_break()
                    assert len(shard_worker.shards) == SHARDS
                    await talker.say(5)
                    if is_paused:
                        process.send_signal(signal.SIGCONT)
                        await found.until(lambda: len(shard_worker.shards) == SHARDS // 2 and found.is_up)
                        await talker.say(5)
                    await talker.settle()
                    talker.check()
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def test_worker_that_drains_gives_all_away_and_loses_nothing(tmp_path: Path) -> None:
    """Its shards go to another one after another, and their journals with them."""
    async with running(tmp_path) as (client, found), working(client) as leaver:
        await found.up(3)
        talker = Talker(found, 3)
        await talker.arrive()
        async with working(client) as stayer:
            await talker.say(20)
            leaver.drain()
            await talker.come_back_from_break()
            await found.until(lambda: len(stayer.shards) == SHARDS)
            assert not leaver.shards
            await found.until(lambda: found.is_up)
            await talker.say(5)
            await talker.settle()
            talker.check()


async def test_stream_that_stands_still_ends_no_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody is told anything meanwhile; what was sent again and again is stored once."""
    monkeypatch.setattr(shard_stream, "RESEND_S", 0.05)
    async with (
        nats_server(tmp_path) as server,
        connected(server) as client,
        connected(server) as other,
        gateway(other, CLUSTER, shards=SHARDS) as found,
        working(client) as shard_worker,
    ):
        await found.until(lambda: found.is_up)
        before = dict(shard_worker.shards)
        talker = Talker(found, 3)
        await talker.arrive()
        dispatcher, journal = shard_worker.served[3].dispatcher, shard_worker.served[3].journal
        assert server.process is not None
        server.process.send_signal(signal.SIGSTOP)
        caplog.clear()
        dispatcher.submit(Keep(next(iter(dispatcher.lobby.people))))
        await talker.say(20)
        await found.until(lambda: caplog.text.count("does not take what it is sent") > 1)
        assert journal.uncommitted
        server.process.send_signal(signal.SIGCONT)
        await talker.settle()
        talker.check()
        assert shard_worker.shards == before


async def test_worker_that_is_to_end_while_nats_is_away_ends_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It cannot give its shards away then; whoever comes next takes them."""
    monkeypatch.setattr(worker_module, "LEAVE_S", 0.1)
    async with (
        nats_server(tmp_path) as server,
        connected(server) as client,
        connected(server) as other,
        gateway(other, CLUSTER, shards=SHARDS) as found,
    ):
        async with working(client) as leaver:
            await found.until(lambda: found.is_up)
            talker = Talker(found, 3)
            await talker.arrive()
            await talker.say(5)
            await talker.settle()
            assert server.process is not None
            server.process.send_signal(signal.SIGSTOP)
            leaver.drain()
            await found.until(lambda: not leaver.shards)
            server.process.send_signal(signal.SIGCONT)
        assert "NATS has not answered" in caplog.text
        async with working(client) as stayer:
            await found.until(lambda: len(stayer.shards) == SHARDS)
            await talker.settle()
            talker.check()


@pytest.mark.parametrize(
    ("role", "changed", "says"),
    [
        ("worker", {"format": FORMAT + 1}, f"in format {FORMAT + 1}, and this one writes format {FORMAT}"),
        ("worker", {"is_moved": True}, f"the cluster {CLUSTER} was moved to a journal"),
        ("gateway", {"is_moved": True}, f"the cluster {CLUSTER} was moved to a journal"),
        ("gateway", {"passcode_key": "00"}, f"the cluster {CLUSTER} was made anew"),
        ("both", {"passcode_key": "00"}, f"the cluster {CLUSTER} was made anew"),
    ],
)
async def test_process_ends_where_it_may_not_serve_the_cluster_any_more(
    role: str, changed: dict[str, Any], says: str, tmp_path: Path
) -> None:
    """A worker that runs gives its shards away first, and a process that begins changes nothing."""
    async with nats_server(tmp_path) as server, connected(server) as client, asyncio.timeout(60):
        ours = members.settings(server.url, role)
        async with listening(ours, thinks=False) as member:
            task = asyncio.create_task(member.run())
            if (worker := member.worker) is not None:
                await until(lambda: len(worker.served) == SHARDS)
            await cluster_config.write(client, CLUSTER, replace(member._config, **changed), is_new=False)
            await task
            assert says in member.refusal
        if "passcode_key" not in changed:
            with pytest.raises(BadCluster, match=says):
                await cluster_config.settled(client, ours)


@pytest.mark.parametrize("role", ["worker", "gateway"])
async def test_process_ends_where_nats_has_lost_the_cluster(
    role: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a worker would go on with empty streams, and the players would learn that they are unknown."""
    monkeypatch.setattr(roles, "CONFIG_INTERVAL_S", 0.02)
    monkeypatch.setattr(worker_module, "LEAVE_S", 0.5)
    async with nats_server(tmp_path) as server, connected(server) as client, asyncio.timeout(60):
        async with listening(members.settings(server.url, role), thinks=False) as member:
            begun = asyncio.Event()
            task = asyncio.create_task(member.run(begun.set))
            await begun.wait()
            if (worker := member.worker) is not None:
                await until(lambda: len(worker.served) == SHARDS)
            for stream in await client.jetstream().streams_info():
                await client.jetstream().delete_stream(str(stream.config.name))
            await task
            assert f"NATS keeps nothing of the cluster {CLUSTER} any more" in member.refusal
        assert await client.jetstream().streams_info() == []


@pytest.mark.parametrize(
    ("whose", "what", "subject"),
    [
        (StreamJournal, "opened", ""),
        (OldGames, "remove_some", ""),
        (ShardStream, "is_given_away", ""),
        (Client, "publish", BrokerNames(CLUSTER).to_gateway("")),
        (Client, "subscribe", BrokerNames(CLUSTER).subject("shard", 2)),
    ],
)
async def test_worker_ends_though_a_call_of_the_broker_swallowed_the_word_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whose: type, what: str, subject: str
) -> None:
    """As `asyncio.wait_for` of Python 3.11 does when an answer comes at the same moment."""
    call = getattr(whose, what)
    is_called = asyncio.Event()

    async def swallows(*given: Any, **named: Any) -> Any:
        answer = await call(*given, **named)
        if not is_called.is_set() and (not subject or subject in given):
            is_called.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
        return answer

    monkeypatch.setattr(whose, what, swallows)
    async with nats_server(tmp_path) as server, connected(server) as client:
        async with working(client) as shard_worker:
            await is_called.wait()
        # The block has cancelled the worker, and waited for its end.
        assert not shard_worker.shards


async def test_shard_that_cannot_be_served_takes_no_other_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A bug met in one ends that one alone; nobody else is given it."""
    brought_back = Shard._brought_back

    async def fails_for_one(self: Shard, journal: StreamJournal) -> Lobby:
        if self.number == 2:
            raise AssertionError("a bug")
        return await brought_back(self, journal)

    monkeypatch.setattr(Shard, "_brought_back", fails_for_one)
    async with running(tmp_path) as (client, found), working(client) as shard_worker:
        await found.until(lambda: "shard 2 cannot be served" in caplog.text)
        await found.until(lambda: {shard for shard, link in found.links.items() if link.is_up} == {0, 1, 3})
        talker = Talker(found, 3)
        await talker.arrive()
        await talker.say(1)
        await talker.settle()
        assert set(shard_worker.aside) == {2}


async def test_home_keeps_who_is_lost_and_has_a_seat_elsewhere(tmp_path: Path) -> None:
    """It is told of them now and then by the shard of the table, and goes on expecting them."""
    async with running(tmp_path) as (client, found), working(client) as shard_worker:
        await found.visit(3, 1, "Ann")
        await found.visit(2, 1, "Ann", VisitKind.GUEST, incarnation=1)
        await found.ask(2, 1, OpenTable(1, "put-1674"))
        table = (await found.answer(2, 1, Ok)).table
        assert table is not None
        await found.ask(2, 1, Sit(2, table))
        await found.answer(2, 1, TableSnapshot)
        for shard in (3, 2):
            await found.say(shard, Lost(1))
        home, there = shard_worker.served[3].dispatcher, shard_worker.served[2].dispatcher
        (at_home,) = home.lobby.people.values()
        await found.until(lambda: there.lost_players() == [at_home.token] and not at_home.is_here)
        lost_at, at_home.lost_at = at_home.lost_at, 0
        await shard_worker.tell_kept()
        await found.until(lambda: at_home.lost_at >= lost_at)


async def test_seat_of_who_departed_from_home_meanwhile_waits_for_nobody(tmp_path: Path) -> None:
    """The shard of the table did not hear of it, as while it had no worker."""
    async with running(tmp_path) as (client, found), working(client) as shard_worker:
        at_home = home_of_digest(digest_of("token of Ann"), SHARDS)
        at_table = (at_home + 1) % SHARDS
        await found.visit(at_home, 1, "Ann")
        await found.visit(at_table, 1, "Ann", VisitKind.GUEST, incarnation=1)
        await found.ask(at_table, 1, OpenTable(1, "put-1674"))
        table = (await found.answer(at_table, 1, Ok)).table
        assert table is not None
        await found.ask(at_table, 1, Sit(2, table))
        await found.answer(at_table, 1, TableSnapshot)
        home, there = shard_worker.served[at_home].dispatcher, shard_worker.served[at_table].dispatcher
        await found.say(at_table, Lost(1))
        await found.until(lambda: there.lost_players() != [])
        await found.say(at_home, Departed(1))
        await found.until(lambda: not home.lobby.people)
        assert there.lobby.people, "the shard has not asked yet"
        await shard_worker.tell_kept()
        await found.until(lambda: not there.lobby.people)


async def test_worker_of_a_shard_that_is_repaired_goes_on_from_what_was_written(tmp_path: Path) -> None:
    """Also where nothing happens there, so that its stream refuses it nothing."""
    async with cluster(tmp_path, gateways=1) as town, connected(town.broker) as client:
        worker = town.worker.worker
        assert worker is not None
        await until(lambda: 0 in worker.served)
        before = worker.shards[0].claim
        made = await cluster_config.found(client, "test")
        assert made is not None
        await ShardRepair(StoredCluster(client, town.worker.settings, made), 0).repair()
        await until(lambda: 0 in worker.served and worker.shards[0].claim > before)

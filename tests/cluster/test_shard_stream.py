"""A stream has one writer at a time, and loses nothing that it acknowledged."""

import asyncio
from pathlib import Path

import pytest

from put_server.cluster import shard_stream
from put_server.cluster.broker import OutOfReach
from put_server.cluster.shard_stream import (
    UNANSWERED,
    Overtaken,
    ShardStream,
    Stored,
    StreamRequest,
    StreamRequests,
    first_answer,
)
from tests.cluster.members import until
from tests.cluster.nats_server import connected, nats_server, needs_nats

pytestmark = needs_nats


class DeafBroker:
    """A client whose broker never answers."""

    def __init__(self) -> None:
        self.stats = {"reconnects": 0}
        self.asked = asyncio.Event()

    def new_inbox(self) -> str:
        return "inbox"

    async def subscribe(self, subject: str, cb: object) -> None:
        pass

    async def publish(self, *_: object, **__: object) -> None:
        self.asked.set()


async def test_answer_that_was_lost_with_the_connection_is_not_waited_for() -> None:
    """What was asked by the connection that followed is."""
    broker = DeafBroker()
    requests = StreamRequests(broker)  # type: ignore[arg-type]  # all that it needs of a client
    asking = asyncio.create_task(requests.send([StreamRequest("a", b""), StreamRequest("b", b"")], seconds=1e6))
    await broker.asked.wait()
    requests.heed_reconnection()
    assert not asking.done()
    broker.stats["reconnects"] += 1
    requests.heed_reconnection()
    assert await asking == [UNANSWERED, UNANSWERED]
    broker.asked.clear()
    asking = asyncio.create_task(requests.send([StreamRequest("a", b"")], seconds=1e6))
    await broker.asked.wait()
    requests.heed_reconnection()
    await asyncio.sleep(0)
    assert not asking.done()
    asking.cancel()


async def test_stream_that_elects_a_leader_is_asked_until_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asked before it had one is answered as soon as who asks afterwards. What it answers may be an error."""
    monkeypatch.setattr(shard_stream, "ASK_S", 0.0)
    asked = 0

    async def ask(until: int, error: Exception | None = None) -> int:
        nonlocal asked
        asked += 1
        if asked < until:
            await asyncio.Event().wait()
        if error is not None:
            raise error
        return asked

    assert await first_answer(lambda: ask(until=3)) == 3
    assert len(asyncio.all_tasks()) == 1, "nobody asks any more"
    with pytest.raises(TimeoutError):
        await first_answer(lambda: ask(until=6, error=TimeoutError()))


async def test_what_is_appended_is_read_in_its_order(tmp_path: Path) -> None:
    async with nats_server(tmp_path) as server, connected(server) as client:
        stream = ShardStream(client, "put-a-1", replicas=1)
        await stream.make()
        assert await stream.read() == []
        assert await stream.append([("batch", b"one"), ("chance.1", b"two")]) == [1, 2]
        assert await stream.append([("batch", bytes(400_000))] * 3) == [3, 4, 5]
        await stream.erase([2, 2])
        await stream.remove([1, 3, 3])
        again = ShardStream(client, "put-a-1", replicas=1)
        await again.make()
        assert [(one.sequence, one.kind, len(one.data)) for one in await again.read()] == [
            (4, "batch", 400_000),
            (5, "batch", 400_000),
        ]
        assert await again.append([("batch", b"more")]) == [6]


async def test_message_of_a_kind_is_read_although_those_around_it_were_erased(tmp_path: Path) -> None:
    """The index of subjects of an older NATS does not have it: a reader that asks for a subject misses it."""
    async with nats_server(tmp_path) as server, connected(server) as client:
        stream = ShardStream(client, "put-a-1", replicas=1)
        await stream.make()
        await stream.append([("chance", b"one"), ("chance", b"two"), ("chance", b"three"), ("batch", b"four")])
        await stream.erase([3])
        await stream.erase([1])
        assert [one.data for one in await stream.read()] == [b"two", b"four"]


async def test_replica_that_lags_behind_is_not_taken_for_the_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even if it has the right number of messages, as one that has neither stored the last nor removed another."""
    async with nats_server(tmp_path) as server, connected(server) as client:
        stream = ShardStream(client, "put-a-1", replicas=1)
        await stream.make()
        await stream.append([("batch", b"one"), ("batch", b"two")])
        lagging = await stream.read()
        await stream.append([("batch", b"three")])
        await stream.remove([1])
        found, answers = stream._found, [lagging]

        async def read_somewhere(last: int) -> list[Stored]:
            return answers.pop() if answers else await found(last)

        monkeypatch.setattr(stream, "_found", read_somewhere)
        assert [one.data for one in await stream.read()] == [b"two", b"three"]
        assert not answers
        reading = asyncio.create_task(found(4))
        await stream.append([("batch", b"four")])
        assert (await reading)[-1].data == b"four", "one that catches up is waited for"


async def test_stream_that_is_written_all_the_time_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a backup does beside its worker. A worker that takes it over waits until nobody writes."""
    monkeypatch.setattr(shard_stream, "BUSY_ATTEMPTS", 3)
    async with nats_server(tmp_path) as server, connected(server) as client:
        writer = ShardStream(client, "put-a-1", replicas=1)
        await writer.make()
        await writer.append([("batch", b"0")])
        reader = ShardStream(client, "put-a-1", replicas=1)
        found = reader._found

        async def found_too_late(last: int) -> list[Stored]:
            await writer.append([("batch", str(last).encode())])
            return await found(last)

        monkeypatch.setattr(reader, "_found", found_too_late)
        assert [one.data for one in await reader.read(is_served=True)] == [b"0"]
        with pytest.raises(OutOfReach, match="changes whenever it is read"):
            await reader.read()
        assert [one.data for one in await reader.read(is_served=True)] == [b"0", b"1", b"2", b"3", b"4"]


async def test_writer_that_was_overtaken_writes_nothing(tmp_path: Path) -> None:
    async with nats_server(tmp_path) as server, connected(server) as client:
        former = ShardStream(client, "put-a-1", replicas=1)
        await former.make()
        await former.append([("batch", b"one")])
        latter = ShardStream(client, "put-a-1", replicas=1)
        await latter.read()
        await latter.append([("claim", b"latter")])
        with pytest.raises(Overtaken):
            await former.append([("batch", b"two"), ("batch", b"three")])
        assert [one.data for one in await latter.read()] == [b"one", b"latter"]


async def test_broker_that_is_killed_loses_and_doubles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shard_stream, "RESEND_S", 0.2)  # what is sent to one that dies is sent again sooner
    async with nats_server(tmp_path) as server, connected(server) as client:
        stream = ShardStream(client, "put-a-1", replicas=1)
        await stream.make()
        acknowledged: list[bytes] = []

        async def write() -> None:
            for number in range(60):
                group = [b"%d.%d" % (number, part) for part in range(3)]
                await stream.append([("batch", data) for data in group])
                acknowledged.extend(group)

        writing = asyncio.create_task(write())

        async def go_on() -> None:
            goal = len(acknowledged) + 30
            await until(lambda: len(acknowledged) >= goal or writing.done())

        for _ in range(3):
            await go_on()
            await server.kill()
            await server.start()
        await writing
        assert [one.data for one in await stream.read()] == acknowledged


async def test_stream_without_room_says_so_and_goes_on_when_there_is_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What was acknowledged stays, and nothing is stored twice."""
    monkeypatch.setattr(shard_stream, "PATIENCE_S", 0.2)
    async with nats_server(tmp_path, "jetstream { max_file_store: 300KB }") as server, connected(server) as client:
        stream = ShardStream(client, "put-a-1", replicas=1)
        await stream.make()
        await stream.claimed("claim", b"me")
        acknowledged: list[int] = []

        async def fill() -> None:
            while True:
                acknowledged.extend(await stream.append([("commit", b"x" * 30_000)]))

        with pytest.raises(OutOfReach, match=r"NATS has no room left, .*: raise its max_file_store"):
            await fill()
        assert [stored.sequence for stored in (await stream.read())[1:]] == acknowledged
        assert caplog.text.count("no room left") == 1
        monkeypatch.undo()
        await server.kill()
        server._config = ""
        await server.start()
        assert await stream.append([("commit", b"y")]) == [acknowledged[-1] + 1]

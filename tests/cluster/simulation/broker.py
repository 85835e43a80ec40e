"""Simulated NATS with JetStream: streams with replicas, and connections of clients to it.

nats-py's own JetStream, key-value and object-store classes run on it: a simulated client answers their requests in the
broker's JSON. What is simulated is what a writer can observe of three servers that fail:

- a message is stored when a majority has it, some time after it was sent; the answer may be lost;
- an election loses what no majority has yet, answers nothing for a while, and its new leader lags behind at first;
- a reader may be served by a replica that lags behind; a count of messages may be wrong;
- a reader that asks for a subject does not get all of it, as before 2.10.25;
- a repeated id is answered and not stored again; a full disk refuses;
- power failures of servers that acknowledge before their disks have it lose acknowledged messages (`is_lazy`);
- packets between processes are lost, late, out of order between subjects, or come twice.
"""

import asyncio
import base64
import json
from collections import defaultdict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from random import Random
from typing import Any

from nats.aio.msg import Msg
from nats.errors import ConnectionClosedError
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js.client import JetStreamContext

from tests.cluster.simulation.virtual_time import NEXT_S, Process, VirtualLoop

REMEMBERED_S = 120.0
"""Time for which ids are known."""

MAX_PAYLOAD = 2**20

MADE = "2026-01-01T00:00:00Z"

VERSION = "2.12.1"


@dataclass(eq=False)
class Message:
    """A message that was stored, even if it was removed since."""

    sequence: int
    subject: str
    data: bytes
    id: str
    stored_at: float
    removed_at: float | None = None
    is_erased: bool = False
    """True: its place on the disks was overwritten."""


BLOCK = 50
"""Messages of a block, each of which has an index of its own."""


@dataclass(eq=False)
class Indexed:
    """A subject in the index by which a stream finds messages for a reader. It goes wrong as that of NATS does: the
    last message is not looked for when it was removed, and becomes the first when only one is left."""

    count: int
    first: int
    last: int


def _indexed_as(message: Message) -> tuple[int, str]:
    return message.sequence // BLOCK, message.subject


Reply = Callable[[dict[str, Any]], None]


def fault(code: int, err_code: int, description: str) -> dict[str, Any]:
    return {"error": {"code": code, "err_code": err_code, "description": description}}


@dataclass(eq=False)
class Stream:
    """One stream, as its replicas agree on it."""

    config: dict[str, Any]
    all: list[Message] = field(default_factory=list)
    """Every message that was ever stored, in order."""
    by_id: dict[str, Message] = field(default_factory=dict)
    index: dict[tuple[int, str], Indexed] = field(default_factory=dict)
    """By block and subject."""
    last: int = 0
    proposed: list[tuple[Callable[[], dict[str, Any]], Reply]] = field(default_factory=list)
    """What the leader has sent to its followers, in order."""
    free_at: float = 0.0
    term: int = 0
    leaderless_until: float = 0.0
    lag: float = 0.0
    """Seconds by which readers are behind."""
    lags_until: float = 0.0
    off_by: int = 0
    """How much the count of messages is off."""
    full_until: float = 0.0

    @property
    def name(self) -> str:
        return str(self.config["name"])

    def takes(self, subject: str) -> bool:
        return any(subject.startswith(one.removesuffix(">")) for one in self.config["subjects"])

    def add(self, message: Message) -> None:
        self.all.append(message)
        if message.id:
            self.by_id[message.id] = message
        entry = self.index.setdefault(_indexed_as(message), Indexed(0, message.sequence, 0))
        entry.count += 1
        entry.last = message.sequence

    def remove(self, message: Message, now: float) -> None:
        message.removed_at = now
        key = _indexed_as(message)
        entry = self.index[key]
        entry.count -= 1
        if not entry.count:
            del self.index[key]
        elif message.sequence == entry.first:
            left = [one.sequence for one in self.all if _indexed_as(one) == key and one.removed_at is None]
            entry.first = entry.last if entry.count == 1 else left[0]

    def first_indexed(self, prefix: str, after: int) -> int:
        """Sequence from which on the index has messages of a subject."""
        found = [
            (key[0], one.first) for key, one in self.index.items() if key[1].startswith(prefix) and one.last > after
        ]
        return min(found, default=(0, self.last + 1))[1]

    def seen_at(self, at: float) -> list[Message]:
        """The messages as a replica has them that has applied everything up to a time."""
        return [
            message
            for message in self.all
            if message.stored_at <= at and (message.removed_at is None or message.removed_at > at)
        ]


class Broker:
    loses = 0.0
    """Probability that an answer of a stream is lost."""
    reorders = 0.0
    """Not 0: messages overtake others of the same publisher, on other subjects."""
    repeats = 0.0
    """Probability that a packet of a link comes twice."""
    slowness = 1.0
    """Factor of all delays."""

    def __init__(self, loop: VirtualLoop, rng: Random) -> None:
        self._loop = loop
        self.rng = rng
        self.streams: dict[str, Stream] = {}
        self.clients: list[SimulatedClient] = []

    def delay(self) -> float:
        """Seconds that a message takes."""
        return self.slowness * (self.rng.expovariate(1_000) if self.rng.random() < 0.98 else self.rng.uniform(0, 0.2))

    # What streams answer

    def stream_of(self, subject: str) -> Stream | None:
        for stream in self.streams.values():
            if stream.takes(subject):
                return stream
        return None

    def handle(self, subject: str, data: bytes, headers: dict[str, str], reply: Reply) -> bool:
        """Handle a message that is for a stream; returns False if it is for none."""
        if subject.startswith("$JS.API."):
            self._call(subject.removeprefix("$JS.API."), data, reply)
            return True
        stream = self.stream_of(subject)
        if stream is None:
            return False
        self._propose(stream, lambda: self._store(stream, subject, data, headers), reply)
        return True

    def _call(self, subject: str, data: bytes, reply: Reply) -> None:
        for kind in ("STREAM.INFO", "STREAM.CREATE", "STREAM.MSG.GET", "STREAM.MSG.DELETE", "DIRECT.GET"):
            if subject.startswith(f"{kind}."):
                name = subject.removeprefix(f"{kind}.").split(".")[0]
                break
        else:
            raise AssertionError(f"the simulated broker does not know {subject}")
        if kind == "STREAM.CREATE":
            self._create(name, json.loads(data), reply)
            return
        if (stream := self.streams.get(name)) is None:
            reply(fault(404, 10059, "stream not found"))
            return
        now = self._loop.time()
        if now < stream.leaderless_until:
            return
        asked = json.loads(data) if data else {}
        match kind:
            case "STREAM.INFO":
                reply(self._info(stream, asked))
            case "STREAM.MSG.DELETE":
                self._propose(stream, lambda: self._remove(stream, **asked), reply)
            case _:
                if kind == "DIRECT.GET" and not asked:
                    asked = {"last_by_subj": subject.removeprefix(f"{kind}.{name}.")}
                reply(self._get(stream, asked))

    def _create(self, name: str, config: dict[str, Any], reply: Reply) -> None:
        stream = self.streams.setdefault(name, Stream({**config, "allow_direct": False}))
        reply(self._info(stream, {}))

    def _seen(self, stream: Stream) -> list[Message]:
        now = self._loop.time()
        return stream.seen_at(now - stream.lag if now < stream.lags_until else now)

    def _info(self, stream: Stream, asked: dict[str, Any]) -> dict[str, Any]:
        seen = self._seen(stream)
        last = stream.last if self._loop.time() >= stream.lags_until else max([one.sequence for one in seen], default=0)
        state: dict[str, Any] = {
            "messages": max(0, len(seen) + stream.off_by) if seen else 0,
            "bytes": sum(len(one.data) for one in seen),
            "first_seq": seen[0].sequence if seen else last + 1,
            "last_seq": last,
            "consumer_count": 0,
        }
        if asked.get("subjects_filter"):
            counts: dict[str, int] = defaultdict(int)
            for one in seen:
                counts[one.subject] += 1
            state["subjects"] = counts
        return {"config": dict(stream.config), "state": state, "created": MADE}

    def _get(self, stream: Stream, asked: dict[str, Any]) -> dict[str, Any]:
        seen = self._seen(stream)
        if "last_by_subj" in asked:
            found = [one for one in seen if one.subject == asked["last_by_subj"]][-1:]
        elif "next_by_subj" in asked:
            prefix = asked["next_by_subj"].removesuffix(">")
            found = [one for one in seen if one.sequence >= (asked.get("seq") or 1) and one.subject.startswith(prefix)]
        else:
            found = [one for one in seen if one.sequence == asked["seq"]]
        if not found:
            return fault(404, 10037, "no message found")
        data = base64.b64encode(found[0].data).decode()
        return {"message": {"subject": found[0].subject, "seq": found[0].sequence, "data": data, "time": MADE}}

    def _propose(self, stream: Stream, apply: Callable[[], dict[str, Any]], reply: Reply) -> None:
        now = self._loop.time()
        if now < stream.leaderless_until:
            return
        stream.proposed.append((apply, reply))
        stream.free_at = max(stream.free_at + NEXT_S, now + self.delay())
        self._loop.call_at(stream.free_at, self._commit, stream, stream.term)

    def _commit(self, stream: Stream, term: int) -> None:
        """A majority has the oldest proposal."""
        if term == stream.term and stream.proposed:
            apply, reply = stream.proposed.pop(0)
            answer = apply()
            if self.rng.random() >= self.loses:
                reply(answer)

    def _store(self, stream: Stream, subject: str, data: bytes, headers: dict[str, str]) -> dict[str, Any]:
        now, mark = self._loop.time(), headers.get("Nats-Msg-Id", "")
        former = stream.by_id.get(mark)
        if former is not None and now - former.stored_at < REMEMBERED_S:
            return {"stream": stream.name, "seq": former.sequence, "duplicate": True}
        if now < stream.full_until:
            return fault(503, 10077, "no space left on device")
        expected = headers.get("Nats-Expected-Last-Sequence")
        if expected is not None and int(expected) != stream.last:
            return fault(400, 10071, f"wrong last sequence: {stream.last}")
        before = headers.get("Nats-Expected-Last-Msg-Id")
        if before is not None and (not stream.all or stream.all[-1].id != before):
            return fault(400, 10070, f"wrong last msg ID: {stream.all[-1].id if stream.all else ''}")
        of_subject = headers.get("Nats-Expected-Last-Subject-Sequence")
        most = stream.config.get("max_msgs_per_subject") or 0
        is_asked = of_subject is not None or most > 0
        same = [one for one in stream.all if is_asked and one.subject == subject and one.removed_at is None]
        if of_subject is not None and int(of_subject) != (same[-1].sequence if same else 0):
            return fault(400, 10071, "wrong last sequence")
        stream.last += 1
        stream.add(Message(stream.last, subject, data, mark, now))
        if most > 0:
            for one in same[: max(0, len(same) + 1 - most)]:
                stream.remove(one, now)
        return {"stream": stream.name, "seq": stream.last}

    def _remove(self, stream: Stream, seq: int, *, no_erase: bool = False) -> dict[str, Any]:
        for one in stream.all:
            if one.sequence == seq and one.removed_at is None:
                stream.remove(one, self._loop.time())
                one.is_erased = not no_erase
                return {"success": True}
        return (
            fault(400, 10043, "no message found") if self.rng.random() < 0.5 else fault(404, 10037, "no message found")
        )

    # What happens to streams

    def elect(self, stream: Stream, seconds: float) -> None:
        """The leader is gone: what no majority has is lost, all of it from some proposal on."""
        kept = self.rng.randrange(len(stream.proposed) + 1)
        for apply, _ in stream.proposed[:kept]:
            apply()
        stream.proposed.clear()
        stream.term += 1
        now = self._loop.time()
        stream.leaderless_until = now + seconds
        if self.rng.random() < 0.5:
            stream.lag, stream.lags_until = self.rng.uniform(0.0, seconds + 1.0), now + seconds + self.rng.uniform(0, 1)

    def lose_tail(self, seconds: float) -> None:
        """The power of all servers fails, and their disks lack what came in the last seconds."""
        since = self._loop.time() - seconds
        for stream in self.streams.values():
            self.elect(stream, 2.0)
            kept, stream.all = [one for one in stream.all if one.stored_at <= since], []
            stream.by_id, stream.index = {}, {}
            stream.last = max([one.sequence for one in kept], default=0)
            for one in kept:
                removed_at = one.removed_at if one.removed_at is not None and one.removed_at <= since else None
                one.removed_at, one.is_erased = None, one.is_erased and removed_at is not None
                stream.add(one)
                if removed_at is not None:
                    stream.remove(one, removed_at)


class _Reading:
    """An ordered consumer, served by a replica."""

    def __init__(self, client: "SimulatedClient", stream: Stream, subject: str) -> None:
        self._client = client
        self._stream = stream
        self._prefix = subject.removesuffix(">")
        self._after = 0
        self._is_over = False

    async def next_msg(self, timeout: float | None = 1.0) -> Msg:  # noqa: ASYNC109  # as nats-py has it
        deadline = asyncio.get_running_loop().time() + (timeout or 0.0)
        while True:
            if self._client.is_heard and asyncio.get_running_loop().time() >= self._stream.leaderless_until:
                indexed = self._stream.first_indexed(self._prefix, self._after) if self._prefix else 0
                left = [
                    one
                    for one in self._client.broker._seen(self._stream)
                    if one.sequence > self._after and one.sequence >= indexed and one.subject.startswith(self._prefix)
                ]
                if left:
                    self._after = left[0].sequence
                    reply = f"$JS.ACK.{self._stream.name}.c.1.{self._after}.1.0.{len(left) - 1}"
                    return Msg(_client=self._client, subject=left[0].subject, reply=reply, data=left[0].data)  # type: ignore[arg-type]
            if asyncio.get_running_loop().time() >= deadline:
                raise NatsTimeoutError
            await asyncio.sleep(0.05)

    async def unsubscribe(self) -> None:
        self._is_over = True


class _JetStream(JetStreamContext):
    """nats-py's, but for consumers."""

    async def subscribe(self, subject: str, *_: Any, **more: Any) -> Any:
        client: SimulatedClient = self._nc  # type: ignore[assignment]  # it stands in for that class
        await asyncio.sleep(client.broker.delay())
        client.check_alive()
        stream = client.broker.streams.get(more.get("stream") or "") or client.broker.stream_of(subject)
        assert stream is not None
        return _Reading(client, stream, subject)


class _Subscription:
    def __init__(self, client: "SimulatedClient", subject: str, cb: Callable[[Msg], Coroutine[Any, Any, None]]) -> None:
        self.client = client
        self.prefix = subject.removesuffix("*")
        self.is_exact = self.prefix == subject
        self.cb = cb

    def takes(self, subject: str) -> bool:
        return subject == self.prefix if self.is_exact else subject.startswith(self.prefix)

    async def unsubscribe(self) -> None:
        if self in self.client.subscriptions:
            self.client.subscriptions.remove(self)


class SimulatedClient:
    """A process's connection to the broker, with the methods of nats-py's client that the cluster uses."""

    max_payload = MAX_PAYLOAD
    servers = ("one", "other")

    def __init__(self, broker: Broker, process: Process) -> None:
        self.broker = broker
        self.process = process
        self.stats = {"reconnects": 0}
        self.options: dict[str, Any] = {}
        self.subscriptions: list[_Subscription] = []
        self.is_connected = True
        self.is_apart = False
        """Its server is cut off from the others."""
        self._loop = broker._loop
        self._unsent: list[Callable[[], None]] = []
        self._free_at: dict[str, float] = defaultdict(float)
        """When the last message arrives, by direction and, if the broker reorders, by subject."""
        self._asked = 0
        self._inboxes = 0
        broker.clients.append(self)

    @property
    def is_heard(self) -> bool:
        return self.is_connected and not self.is_apart and not self.process.is_dead

    def check_alive(self) -> None:
        if self.process.is_dead:
            raise ConnectionClosedError

    def jetstream(self, **options: Any) -> JetStreamContext:
        return _JetStream(self, **options)  # type: ignore[arg-type]

    def new_inbox(self) -> str:
        self._inboxes += 1
        return f"_INBOX.{self.broker.clients.index(self)}.{self._inboxes}"

    async def subscribe(self, subject: str, *, cb: Any = None, **_: Any) -> _Subscription:
        self.check_alive()
        made = _Subscription(self, subject, cb)
        self.subscriptions.append(made)
        return made

    async def publish(
        self, subject: str, data: bytes = b"", reply: str = "", headers: dict[str, str] | None = None
    ) -> None:
        self.check_alive()

        def answer(told: dict[str, Any]) -> None:
            if reply:
                self.deliver(reply, json.dumps(told).encode())

        self._send(subject, lambda: self._publish(subject, data, dict(headers or {}), reply, answer))

    async def request(
        self,
        subject: str,
        payload: bytes = b"",
        timeout: float = 0.5,  # noqa: ASYNC109  # as above
        headers: dict[str, str] | None = None,
        **_: Any,
    ) -> Msg:
        self.check_alive()
        answered: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        def take(data: bytes) -> None:
            if not answered.done():
                answered.set_result(data)

        def answer(told: dict[str, Any]) -> None:
            self._arrive("request", lambda: take(json.dumps(told).encode()))

        self._send(subject, lambda: self._publish(subject, payload, dict(headers or {}), "", answer))
        try:
            async with asyncio.timeout(timeout):
                return Msg(_client=self, subject="", data=await answered)  # type: ignore[arg-type]
        except TimeoutError:
            raise NatsTimeoutError from None

    async def force_reconnect(self) -> None:
        self.is_apart = False
        self.cut(0.2)

    async def flush(self, _timeout: float = 10) -> None:
        self.check_alive()

    async def close(self) -> None: ...

    def _send(self, subject: str, act: Callable[[], None]) -> None:
        if not self.is_connected:
            self._unsent.append(act)
            return
        at = self._time("out", subject)
        self._loop.call_at(at, lambda: act() if self.is_connected and not self.is_apart else None)

    def _time(self, way: str, subject: str) -> float:
        key = f"{way} {subject}" if self.broker.reorders else way
        self._free_at[key] = max(self._free_at[key] + NEXT_S, self._loop.time() + self.broker.delay())
        return self._free_at[key]

    def _publish(self, subject: str, data: bytes, headers: dict[str, str], reply: str, answer: Reply) -> None:
        """The message has reached the broker."""
        if self.process.is_dead and self._loop.rng.random() < 0.5:
            return  # it was on its way when the process was killed
        if self.broker.handle(subject, data, headers, answer):
            return
        for client in self.broker.clients:
            if client.is_heard and any(one.takes(subject) for one in client.subscriptions):
                client.deliver(subject, data, reply)
                if self.broker.rng.random() < self.broker.repeats:
                    client.deliver(subject, data, reply)

    def deliver(self, subject: str, data: bytes, reply: str = "") -> None:
        def take() -> None:
            for one in list(self.subscriptions):
                if one.takes(subject):
                    message = Msg(_client=self, subject=subject, reply=reply, data=data)  # type: ignore[arg-type]
                    self._run(one.cb(message))

        self._arrive(subject, take)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        """The callbacks of the cluster wait for nothing but a publication, which does not wait here."""
        try:
            work.send(None)
        except StopIteration:
            return
        raise AssertionError("a callback of a subscription waited")

    def _arrive(self, subject: str, take: Callable[[], None]) -> None:
        if not self.is_heard:
            return
        reconnects = self.stats["reconnects"]

        def arrive() -> None:
            if self.is_heard and self.stats["reconnects"] == reconnects:
                take()

        self._loop.call_at(self._time("in", subject), arrive, context=self.process.context)

    def cut(self, seconds: float) -> None:
        """The connection breaks; what is on its way is lost, and what is published meanwhile is sent afterwards."""
        if not self.is_connected or self.process.is_dead:
            return
        self.is_connected = False

        def back() -> None:
            self.is_connected = True
            self.stats["reconnects"] += 1
            unsent, self._unsent = self._unsent, []
            for act in unsent:
                self._send("", act)

        self._loop.call_later(seconds, back)

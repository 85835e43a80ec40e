"""The stream of a shard: messages in order, written by one worker at a time.

Every message is appended with the last sequence known to its writer (`Nats-Expected-Last-Sequence`). The stream refuses
it if another message came between. So a worker that was overtaken while it slept cannot write, even if it does not
know, and no clock is involved. Beats only avoid attempts by two workers.

Messages sent together also contain the id of the previous one (`Nats-Expected-Last-Msg-Id`). Otherwise the second could
be stored although the first is refused, because the other worker's message has exactly the sequence that the second
expects.

A message without an acknowledgement is sent again with the same id, and the stream acknowledges the first copy. So each
message is stored once. When it is acknowledged, a majority of the stream's replicas has it.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.api import DiscardPolicy, Header, StorageType, StreamConfig
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError

from put_server.cluster.broker import BrokerNames, OutOfReach, asking
from put_server.cluster.cluster_config import ClusterConfig


class StreamRequest(NamedTuple):
    subject: str
    data: bytes
    headers: Mapping[str, str] | None = None


class StreamFault(Struct, frozen=True):
    """Reason why a request was not carried out, or may not have been."""

    code: int = 0
    """HTTP status code; 0: no answer."""
    err_code: int = 0
    """JetStream's own number."""
    description: str = ""


class _Answer(Struct, frozen=True):
    error: StreamFault | None = None


UNANSWERED = StreamFault(description="no answer came")

_decode = msgspec.json.Decoder(_Answer).decode


class StreamRequests:
    """Requests of all streams that share one connection, sent together; all answers come by one subscription.

    The broker's client sends one request at a time, and makes a subject, a timer and an object for each answer, and a
    task for each request sent beside another. That is too slow here: a worker sends a request for each commit, and two
    for each deal, which store and erase its chance.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._inbox = ""
        """Prefix of the subjects of answers; empty before the first request."""
        self._made = 0
        self._reconnections = client.stats["reconnects"]
        self._waiting: dict[str, asyncio.Future[StreamFault | None]] = {}
        """Awaited answers, by the last part of their subjects."""

    async def send(self, requests: Sequence[StreamRequest], seconds: float) -> list[StreamFault | None]:
        """Send all requests at once, and wait for their answers. Returns the fault of each; None: carried out."""
        loop = asyncio.get_running_loop()
        marks = [str(self._made + place) for place in range(len(requests))]
        self._made += len(requests)
        answers: list[asyncio.Future[StreamFault | None]] = [loop.create_future() for _ in requests]
        self._waiting.update(zip(marks, answers, strict=True))
        late = loop.call_later(seconds, _end, answers, UNANSWERED)  # a fifth of what `asyncio.timeout` costs
        try:
            try:
                await self._publish(requests, marks)
            except NatsError as error:
                _end(answers, StreamFault(description=str(error)))
            return [await answer for answer in answers]
        finally:
            late.cancel()
            for mark in marks:
                self._waiting.pop(mark, None)

    async def _publish(self, requests: Sequence[StreamRequest], marks: Sequence[str]) -> None:
        if not self._inbox:
            inbox = self._client.new_inbox()
            await self._client.subscribe(f"{inbox}.*", cb=self._hear)
            self._inbox = inbox
        for mark, request in zip(marks, requests, strict=True):
            headers = None if request.headers is None else dict(request.headers)
            await self._client.publish(request.subject, request.data, reply=f"{self._inbox}.{mark}", headers=headers)

    def heed_reconnection(self) -> None:
        """End all waits after a lost connection, because answers may be lost with it; call it several times a second.
        So the callers can ask again at once, not only after the time limit."""
        if (reconnections := self._client.stats["reconnects"]) != self._reconnections:
            self._reconnections = reconnections
            _end(self._waiting.values(), UNANSWERED)

    async def _hear(self, message: Msg) -> None:
        answer = self._waiting.get(message.subject.rpartition(".")[2])
        if answer is not None:  # else it came too late
            _end((answer,), _fault(message))


def _end(answers: Iterable[asyncio.Future[StreamFault | None]], fault: StreamFault | None) -> None:
    for answer in answers:
        if not answer.done():
            answer.set_result(fault)


def _fault(message: Msg) -> StreamFault | None:
    if message.headers is not None and (status := message.headers.get(Header.STATUS.value)):
        return StreamFault(int(status), description="no server answers such requests")
    try:
        return _decode(message.data).error
    except msgspec.MsgspecError:
        return StreamFault(description="its answer cannot be read")


log = logging.getLogger(__name__)

WRONG_LAST_SEQUENCE = 10071
"""The stream's error when another message came between."""

NEVER = 2**62
"""Sequence that no stream reaches."""

GONE = frozenset((10037, 10043))
"""The stream's errors when there is no such message."""

NO_ROOM = frozenset((10002, 10023, 10047, 10077))
"""The stream's errors when the disk is full, or a limit of storage is reached."""

NOT_FOUND = "no message found"
"""Description of an error with the meaning of `GONE` but another number."""

INTERNAL = 500
"""Codes from here on are errors of the broker, which may be temporary."""

RESEND_S = 2.0
"""Time limit for an answer; then the message is sent again."""

ASK_S = 0.25
"""Pause before repeating a question to a stream that may have no leader."""

PATIENCE_S = 20.0
"""Time limit for a stream without a leader or a connection: an election takes a few seconds."""

BUSY_ATTEMPTS = 50
"""Attempts to claim or read a stream while another worker writes to it."""

RETRY_S = 0.1
WARNED_S = 1.0
"""Shortest time between two log lines with the same reason."""

ERASED_AT_ONCE = 32
PIECE_BYTES = 512 * 1024
"""Largest piece of data in a message; the broker refuses messages of more than twice that size."""

GIVEN_AWAY = "free"
"""Kind of the last message of a worker that ended normally."""


class Overtaken(Exception):
    """Another worker writes to the stream: this one must end."""


A = TypeVar("A")


async def first_answer(ask: Callable[[], Coroutine[Any, Any, A]]) -> A:
    """Repeat a question until an answer comes or the first one times out; the first answer counts. A stream without a
    leader drops questions, so one sent just before an election is never answered.

    :raises Exception: the error in the answer, or `TimeoutError`.
    """
    asked: set[asyncio.Task[A]] = set()
    try:
        while True:
            asked.add(asyncio.create_task(ask()))
            done, _ = await asyncio.wait(asked, timeout=ASK_S, return_when=asyncio.FIRST_COMPLETED)
            for answered in done:
                return answered.result()
    finally:
        for one in asked:
            one.cancel()
        await asyncio.gather(*asked, return_exceptions=True)


class Stored(NamedTuple):
    sequence: int
    kind: str
    """The last part of its subject."""
    data: bytes


class ShardStream:
    """A stream. Its methods raise `OutOfReach` if the broker refuses, or is silent for long."""

    def __init__(self, client: Client, name: str, *, replicas: int, requests: StreamRequests | None = None) -> None:
        """`name`: letters, digits, `-` and `_`. `requests`: shared with other streams."""
        self._stream: JetStreamContext = client.jetstream(timeout=RESEND_S)
        self._requests = requests or StreamRequests(client)
        self.name = name
        self._replicas = replicas
        self._last = 0
        """Sequence of the last known message."""
        self._writer = secrets.token_hex(8)
        """Unique prefix of the ids of our messages."""
        self._sent = 0
        """Number of messages with ids."""
        self._warned = ("", 0.0)
        self.claim = 0
        """Sequence of the message that claimed the stream: greater than that of any earlier claim."""

    async def make(self) -> None:
        """Create the stream if it does not exist."""
        config = StreamConfig(
            name=self.name,
            subjects=[f"{self.name}.>"],
            num_replicas=self._replicas,
            storage=StorageType.FILE,
            discard=DiscardPolicy.NEW,
            max_msg_size=2 * PIECE_BYTES,
        )
        with asking(f"stream {self.name}"):
            try:
                await first_answer(lambda: self._stream.stream_info(self.name))
            except NotFoundError:
                await self._stream.add_stream(config)

    async def is_given_away(self) -> bool:
        """True if its last worker has given it away, or it never had one; False also without an answer."""
        last = 0
        try:
            last = (await first_answer(lambda: self._stream.stream_info(self.name))).state.last_seq
            return not last or (await self._stream.get_msg(self.name, seq=last)).subject == f"{self.name}.{GIVEN_AWAY}"
        except NotFoundError:
            return not last
        except (NatsError, TimeoutError):
            return False

    async def read(self, *, is_served: bool = False) -> list[Stored]:
        """Read every message, in order. A later `append` succeeds only if the stream has not changed since.

        The replica that answers may lag behind, so the reading must reach the last sequence. It is repeated if the
        first messages were removed meanwhile. The broker's count of messages is not used, because it may be permanently
        wrong. `is_served`: a writer may append and erase messages meanwhile.
        """
        with asking(f"stream {self.name}"):
            state = (await self._stream.stream_info(self.name)).state
            for _ in range(BUSY_ATTEMPTS):
                found = await self._found(state.last_seq) if state.last_seq else []
                former, state = state, (await self._stream.stream_info(self.name)).state
                is_whole = not former.last_seq or (bool(found) and found[-1].sequence >= former.last_seq)
                is_same = former.first_seq == state.first_seq and (is_served or former.last_seq == state.last_seq)
                if is_whole and is_same:
                    self._last = former.last_seq
                    return found
        raise OutOfReach(f"stream {self.name} changes whenever it is read")

    async def _found(self, last: int) -> list[Stored]:
        """Messages that a reader gets, up to the sequence `last`, or until the time limit.

        The reader has no subject filter: before 2.10.25 the index of subjects loses the oldest message of a subject if
        the first and the last of three were erased, on every replica.
        """
        found: list[Stored] = []
        reading = await self._stream.subscribe("", stream=self.name, ordered_consumer=True)
        try:
            while True:
                message = await reading.next_msg(timeout=RESEND_S)
                at = message.metadata
                kind = message.subject.removeprefix(f"{self.name}.")
                found.append(Stored(at.sequence.stream, kind, message.data))
                if at.sequence.stream >= last:
                    return found
        except TimeoutError:
            return found
        finally:
            with suppress(NatsError, TimeoutError):
                await reading.unsubscribe()

    async def claimed(self, kind: str, data: bytes) -> list[Stored]:
        """Claim the stream with a message, and read the others. From then on appends of other writers fail.

        The claim comes first, because reading may take a second in which a former writer could append.

        :raises Overtaken: other workers write before every attempt, or another has also claimed the stream.
        """
        self.claim = await self._claim(kind, data)
        found = await self.read()
        if self._last != self.claim:
            raise Overtaken(f"another worker writes to {self.name}")
        return found[:-1]

    async def _claim(self, kind: str, data: bytes) -> int:
        for _ in range(BUSY_ATTEMPTS):
            with asking(f"stream {self.name}"):
                self._last = (await self._stream.stream_info(self.name)).state.last_seq
            with suppress(Overtaken):
                return (await self.append([(kind, data)]))[0]
        raise Overtaken(f"another worker writes to {self.name}")

    async def last(self) -> Stored | None:
        """Read the last message only. A later `append` succeeds only if the stream has not changed since."""
        with asking(f"stream {self.name}"):
            self._last = await self._last_sequence()
            if not self._last:
                return None
            found = await self._stream.get_msg(self.name, seq=self._last)
        return Stored(self._last, (found.subject or "").removeprefix(f"{self.name}."), found.data or b"")

    async def _last_sequence(self) -> int:
        """Sequence of the last message. A new leader that lags behind reports an older sequence, but compares appends
        with the right one, which its refusal contains."""
        headers = {
            Header.EXPECTED_STREAM.value: self.name,
            Header.EXPECTED_LAST_SEQUENCE.value: str(NEVER),
        }
        deadline = time.monotonic() + PATIENCE_S
        while True:
            request = StreamRequest(f"{self.name}.never", b"", headers)
            (fault,) = await self._requests.send([request], RESEND_S)
            assert fault is not None, "no stream has so many messages"
            if fault.err_code == WRONG_LAST_SEQUENCE:
                return int(fault.description.rpartition(":")[2])
            await self._wait(deadline, _says(fault))

    async def append(self, messages: Sequence[tuple[str, bytes]]) -> list[int]:
        """Append messages, each a kind and its data. Returns their sequences once all are stored.

        :raises Overtaken: another worker has appended a message.
        :raises OutOfReach: the stream was silent for so long that another worker may have taken over.
        """
        first = self._last + 1
        ids = [f"{self._writer}.{self._sent + place}" for place in range(len(messages))]
        self._sent += len(messages)
        done = 0
        deadline = time.monotonic() + PATIENCE_S
        while done < len(messages):
            stored, fault = await self._try(messages[done:], ids[done:])
            done += stored
            self._last += stored
            if fault is None:
                break
            if stored:
                continue
            if fault.err_code == WRONG_LAST_SEQUENCE:
                raise Overtaken(f"another worker writes to {self.name}")
            await self._wait(deadline, _says(fault))
            self._warn(_says(fault))
        return list(range(first, first + len(messages)))

    async def _try(self, messages: Sequence[tuple[str, bytes]], ids: Sequence[str]) -> tuple[int, StreamFault | None]:
        """Send all messages at once. Returns how many are certainly stored, and the fault of the next one."""
        asked = [
            StreamRequest(
                f"{self.name}.{kind}",
                data,
                {
                    Header.EXPECTED_STREAM.value: self.name,
                    Header.EXPECTED_LAST_SEQUENCE.value: str(self._last + place),
                    Header.MSG_ID.value: mark,
                    **({Header.EXPECTED_LAST_MSG_ID.value: ids[place - 1]} if place else {}),
                },
            )
            for place, ((kind, data), mark) in enumerate(zip(messages, ids, strict=True))
        ]
        for place, fault in enumerate(await self._requests.send(asked, RESEND_S)):
            if fault is not None:
                return place, fault
        return len(asked), None

    async def erase(self, sequences: Iterable[int]) -> None:
        """Overwrite messages where they are stored; missing ones are ignored."""
        await self._delete(sequences, b'{"seq":%d}')

    async def remove(self, sequences: Iterable[int]) -> None:
        """Remove messages; missing ones are ignored.

        They are removed one by one, because a purge can lose data: a restarted node of the broker (2.9.10) replays its
        log, and applies a purge of some messages to all messages stored then. If it becomes the leader, acknowledged
        messages are lost.
        """
        await self._delete(sequences, b'{"seq":%d,"no_erase":true}')

    async def _delete(self, sequences: Iterable[int], body: bytes) -> None:
        """`body`: template of the request's body for a sequence."""
        subject = f"$JS.API.STREAM.MSG.DELETE.{self.name}"
        asked = [StreamRequest(subject, body % one) for one in sequences]
        for at in range(0, len(asked), ERASED_AT_ONCE):
            await self._carry_out(asked[at : at + ERASED_AT_ONCE])

    async def _carry_out(self, asked: Sequence[StreamRequest]) -> None:
        """Send idempotent requests until all are carried out."""
        deadline = time.monotonic() + PATIENCE_S
        while asked:
            again: list[StreamRequest] = []
            why = ""
            for request, fault in zip(asked, await self._requests.send(asked, RESEND_S), strict=True):
                if fault is None or fault.err_code in GONE or fault.description == NOT_FOUND:
                    continue
                if 0 < fault.code < INTERNAL:
                    raise OutOfReach(f"stream {self.name}: {fault.description}")
                again.append(request)
                why = fault.description
            asked = again
            if asked:
                await self._wait(deadline, why)

    def _warn(self, why: str) -> None:
        """Log a reason, at most once a second."""
        now = time.monotonic()
        if why != self._warned[0] or now - self._warned[1] >= WARNED_S:
            self._warned = why, now
            log.warning("stream %s does not take what it is sent (%s); trying again", self.name, why)

    async def _wait(self, deadline: float, why: str) -> None:
        """:raises OutOfReach: the deadline has passed."""
        if time.monotonic() >= deadline:
            raise OutOfReach(f"stream {self.name}: {why}")
        await asyncio.sleep(RETRY_S)


def streams_of(
    client: Client, cluster: str, config: ClusterConfig, shard: int, requests: StreamRequests | None = None
) -> tuple[ShardStream, ShardStream]:
    """The stream of a shard's journal, and that of its finished games."""
    names, requests = BrokerNames(cluster), requests or StreamRequests(client)
    journal, games = [
        ShardStream(client, name, replicas=config.replicas, requests=requests)
        for name in (names.stream(shard), names.games(shard))
    ]
    return journal, games


def _says(fault: StreamFault) -> str:
    if fault.err_code in NO_ROOM:
        return f"NATS has no room left, {fault.description}: raise its max_file_store, or remove finished games"
    return fault.description

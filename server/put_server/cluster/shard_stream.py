"""The stream of a shard: messages in order, written by one worker at a time.

Every message is appended with the sequence that its writer takes for the last one (`Nats-Expected-Last-Sequence`). The
stream refuses it if another message came between. So a worker that was overtaken while it slept cannot write any more,
whatever it believes, and no clock or lease has to be trusted for that. A lease only saves two workers from trying.

Messages that are sent together also name the id of the one before (`Nats-Expected-Last-Msg-Id`). By the sequence alone
the second would be stored where the first is refused: another worker's message has just the sequence it expects.

A message whose acknowledgement is lost is sent again under the same id, and the stream answers for the first. So each
is stored once, and whoever is told that it is stored can rely on a majority of the stream's replicas having it.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.api import DiscardPolicy, Header, StorageType, StreamConfig
from nats.js.client import JetStreamContext
from nats.js.errors import APIError, NotFoundError

from put_server.cluster.stream_requests import StreamFault, StreamRequest, StreamRequests

log = logging.getLogger(__name__)

WRONG_LAST_SEQUENCE = 10071
"""The stream's error when another message came between."""

GONE = frozenset((10037, 10043))
"""Its errors when there is no such message."""

NO_ROOM = frozenset((10002, 10023, 10047, 10077))
"""Its errors when the disk is full, or as full as it may be."""

NOT_FOUND = "no message found"
"""The same, where it has another number."""

INTERNAL = 500
"""From here on an error is the broker's and may pass."""

ANSWER_S = 2.0
"""For which an answer is awaited before a message is sent again."""

ASK_S = 0.25
"""Without an answer, until a stream is asked once more that may have no leader."""

PATIENCE_S = 20.0
"""For a stream without a leader or a connection: an election takes a few seconds."""

ATTEMPTS = 50
"""To claim a stream to which somebody else still writes."""

AGAIN_S = 0.1
"""Between two attempts."""

WARNED_S = 1.0
"""Between two lines of the log for one reason."""

AT_ONCE = 32
"""Messages that are erased at once."""

PIECE_BYTES = 512 * 1024
"""Of a message, at most; the broker refuses more than twice of it."""


class Overtaken(Exception):
    """Another worker writes to the stream: this one must end."""


class OutOfReach(Exception):
    """The stream does not answer, or refuses what it is asked."""


A = TypeVar("A")


async def first_answer(ask: Callable[[], Coroutine[Any, Any, A]]) -> A:
    """Ask, and ask again while no answer comes, until the first has waited for as long as it may; the first answer to
    any of them counts. A stream without a leader answers nobody, not even once it has one: so who asked just before
    would wait for the whole time.

    :raises Exception: what the answer says, or `TimeoutError`.
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
    """A message in the stream."""

    sequence: int
    kind: str
    """The last part of its subject."""
    data: bytes


class ShardStream:
    """One stream, as its writer has it."""

    def __init__(self, client: Client, name: str, *, replicas: int, requests: StreamRequests | None = None) -> None:
        """`name`: of letters, digits, `-` and `_`. `requests`: shared with other streams."""
        self._stream: JetStreamContext = client.jetstream(timeout=ANSWER_S)
        self._requests = requests or StreamRequests(client)
        self.name = name
        self._replicas = replicas
        self._last = 0
        """Sequence of the last message, as far as is known here."""
        self._writer = secrets.token_hex(8)
        """Begins the ids of our messages, which nobody else's begin with."""
        self._sent = 0
        """Messages that were given an id."""
        self._warned = ("", 0.0)
        """Why it was that we were refused, when that was logged last."""
        self.claim = 0
        """Sequence of the message that claimed it: greater than that of any claim before."""

    async def make(self) -> None:
        """Make the stream, if there is none yet.

        :raises OutOfReach: it cannot be made.
        """
        config = StreamConfig(
            name=self.name,
            subjects=[f"{self.name}.>"],
            num_replicas=self._replicas,
            storage=StorageType.FILE,
            discard=DiscardPolicy.NEW,
            max_msg_size=2 * PIECE_BYTES,
        )
        try:
            try:
                await first_answer(lambda: self._stream.stream_info(self.name))
            except NotFoundError:
                await self._stream.add_stream(config)
        except (NatsError, TimeoutError) as error:
            raise OutOfReach(f"stream {self.name}: {_reason(error)}") from None

    async def read(self) -> list[Stored]:
        """Every message, in order. Who appends next appends to the stream as it was read.

        It is read again until nothing was removed meanwhile: a purge of one subject has the broker (2.9) skip messages
        of others, too, and what is read is that of any replica, which may lag behind. So it is counted, and must end
        with the last message: a replica that lags behind by as many messages as it has yet to remove has the right
        number of them.

        :raises OutOfReach: it cannot be read.
        """
        try:
            state = (await self._stream.stream_info(self.name)).state
            for _ in range(ATTEMPTS):
                found = await self._found(state.last_seq) if state.messages else []
                former, state = state, (await self._stream.stream_info(self.name)).state
                is_whole = len(found) == state.messages and (not found or found[-1].sequence == state.last_seq)
                if is_whole and former.messages == state.messages and former.last_seq == state.last_seq:
                    self._last = state.last_seq
                    return found
        except (NatsError, TimeoutError) as error:
            raise OutOfReach(f"stream {self.name}: {_reason(error)}") from None
        raise OutOfReach(f"stream {self.name} changes whenever it is read")

    async def _found(self, last: int) -> list[Stored]:
        """What a reader is sent up to the last message, by its sequence; or all that came, if that does not come."""
        found: list[Stored] = []
        reading = await self._stream.subscribe(f"{self.name}.>", ordered_consumer=True)
        try:
            while True:
                message = await reading.next_msg(timeout=ANSWER_S)
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
        """Every message, and from here on nobody else's append is taken: one more message says whose it is.

        The claim comes before the reading, which may take a second: whoever still writes could come between.

        :raises Overtaken: others go on writing, however often it is tried; or have claimed it, too.
        :raises OutOfReach: it cannot be read.
        """
        self.claim = await self._claim(kind, data)
        found = await self.read()
        if self._last != self.claim:
            raise Overtaken(f"another worker writes to {self.name}")
        return found[:-1]

    async def _claim(self, kind: str, data: bytes) -> int:
        for _ in range(ATTEMPTS):
            try:
                self._last = (await self._stream.stream_info(self.name)).state.last_seq
            except (NatsError, TimeoutError) as error:
                raise OutOfReach(f"stream {self.name}: {_reason(error)}") from None
            with suppress(Overtaken):
                return (await self.append([(kind, data)]))[0]
        raise Overtaken(f"another worker writes to {self.name}")

    async def last(self) -> Stored | None:
        """The last message, for who reads no other. Who appends next claims the stream as it is now.

        :raises OutOfReach: it cannot be read.
        """
        try:
            state = (await self._stream.stream_info(self.name)).state
            self._last = state.last_seq
            if not state.messages:
                return None
            found = await self._stream.get_msg(self.name, seq=state.last_seq)
        except (NatsError, TimeoutError) as error:
            raise OutOfReach(f"stream {self.name}: {_reason(error)}") from None
        return Stored(state.last_seq, (found.subject or "").removeprefix(f"{self.name}."), found.data or b"")

    async def append(self, messages: Sequence[tuple[str, bytes]]) -> list[int]:
        """Append messages, each a kind and its data. Returns their sequences once all are stored.

        :raises Overtaken: another worker has appended something.
        :raises OutOfReach: the stream did not answer for so long that somebody else may have taken over.
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
        """Send all without waiting between. Returns how many are stored for sure, and what the next one met."""
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
        for place, fault in enumerate(await self._requests.send(asked, ANSWER_S)):
            if fault is not None:
                return place, fault
        return len(asked), None

    async def erase(self, sequences: Iterable[int]) -> None:
        """Overwrite messages where they are stored; those that are gone already are none.

        :raises OutOfReach: it cannot be done.
        """
        await self._delete(sequences, b'{"seq":%d}')

    async def remove(self, sequences: Iterable[int]) -> None:
        """Remove messages; those that are gone already are none.

        One by one, for nothing may ever be purged. A node of the broker (2.9.10) that is started again carries out
        what is in its log once more, and takes a purge of some messages for one of all that were there when it was
        asked for. When it becomes the leader, what was acknowledged is gone.

        :raises OutOfReach: it cannot be done.
        """
        await self._delete(sequences, b'{"seq":%d,"no_erase":true}')

    async def _delete(self, sequences: Iterable[int], body: bytes) -> None:
        """`body`: of the request for one of them."""
        subject = f"$JS.API.STREAM.MSG.DELETE.{self.name}"
        asked = [StreamRequest(subject, body % one) for one in sequences]
        for at in range(0, len(asked), AT_ONCE):
            await self._carry_out(asked[at : at + AT_ONCE])

    async def _carry_out(self, asked: Sequence[StreamRequest]) -> None:
        """Send requests that may be sent again, until all are carried out."""
        deadline = time.monotonic() + PATIENCE_S
        while asked:
            again: list[StreamRequest] = []
            why = ""
            for request, fault in zip(asked, await self._requests.send(asked, ANSWER_S), strict=True):
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
        """Once a second for one reason."""
        now = time.monotonic()
        if why != self._warned[0] or now - self._warned[1] >= WARNED_S:
            self._warned = why, now
            log.warning("stream %s does not take what it is sent (%s); trying again", self.name, why)

    async def _wait(self, deadline: float, why: str) -> None:
        """Before something is tried again."""
        if time.monotonic() >= deadline:
            raise OutOfReach(f"stream {self.name}: {why}")
        await asyncio.sleep(AGAIN_S)


def _says(fault: StreamFault) -> str:
    """Why something was refused, for operators."""
    if fault.err_code in NO_ROOM:
        return f"NATS has no room left, {fault.description}: raise its max_file_store, or remove finished games"
    return fault.description


def _reason(error: BaseException) -> str:
    if isinstance(error, APIError) and error.description:
        return error.description
    return str(error) or type(error).__name__

"""Checkpoints of a shard, in an object store of the broker.

An object is a message that describes it, and pieces, each under subjects of their own. A worker that dies while it
stores an object leaves pieces that no message names; one that dies before its commit names the object leaves all of it.
So a worker that claims the shard removes everything that was stored before the claim, except the object that counts.
Later messages stay: they may be those of a successor of which this worker does not know yet.
"""

import asyncio
import base64
import hashlib
import json
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.api import ConsumerConfig, ObjectInfo, ObjectMetaOptions
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError
from nats.js.object_store import ObjectStore

from put_server.cluster.cluster_config import reason
from put_server.cluster.shard_stream import AGAIN_S, PATIENCE_S, OutOfReach, first_answer

ANSWER_S = 5.0
"""Time limit for one answer of the store."""

PIECE_BYTES = 128 * 1024
"""Size of an object's pieces, the same as that of the broker's client."""

LOST_S = 10.0
"""Time after which a checkpoint that is not found is taken for lost: a replica may lag behind."""

MOST_REMOVED = 1_000
"""Messages that one claim removes; the next one goes on."""


class NoCheckpoint(Exception):
    """No checkpoint has that name."""


class Checkpoints:
    """The store of one shard."""

    def __init__(self, stream: JetStreamContext, name: str, objects: ObjectStore) -> None:
        self._stream = stream
        self._name = name
        self._bucket = f"OBJ_{name}"
        """Name of the store's stream."""
        self._objects = objects

    @classmethod
    async def opened(cls, client: Client, name: str, *, replicas: int) -> Self:
        """Open the store; make it if there is none.

        :raises OutOfReach: the broker does not answer.
        """
        stream = client.jetstream(timeout=ANSWER_S)
        try:
            try:
                return cls(stream, name, await first_answer(lambda: stream.object_store(name)))
            except NotFoundError:
                return cls(stream, name, await stream.create_object_store(name, replicas=replicas))
        except (NatsError, TimeoutError) as error:
            raise OutOfReach(f"the store {name}: {reason(error)}") from None

    async def put(self, name: str, data: bytes) -> None:
        """Store a checkpoint under a name that no other ever has.

        :raises OutOfReach: it could not be stored for long.
        """
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                await self._put(name, data)
            except (NatsError, TimeoutError) as error:
                if time.monotonic() >= deadline:
                    raise OutOfReach(f"the store {self._name}: {reason(error)}") from None
                await asyncio.sleep(AGAIN_S)
            else:
                return

    async def _put(self, name: str, data: bytes) -> None:
        """Store an object in the same form as the broker's client. That client purges an object that it could not
        store to its end, and a purge may lose other messages (see `ShardStream.remove`)."""
        nuid = secrets.token_hex(11)
        pieces = [data[at : at + PIECE_BYTES] for at in range(0, len(data), PIECE_BYTES)]
        for piece in pieces:
            await self._stream.publish(f"$O.{self._name}.C.{nuid}", piece)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
        info = ObjectInfo(
            name=name,
            bucket=self._name,
            nuid=nuid,
            size=len(data),
            chunks=len(pieces),
            digest=f"SHA-256={digest}",
            options=ObjectMetaOptions(max_chunk_size=PIECE_BYTES),
        )
        await self._stream.publish(self._subject_of(name), json.dumps(info.as_dict()).encode())

    def _subject_of(self, name: str) -> str:
        return f"$O.{self._name}.M.{base64.urlsafe_b64encode(name.encode()).decode()}"

    async def get(self, name: str) -> bytes:
        """:raises NoCheckpoint: there is none of that name.
        :raises OutOfReach: it cannot be read.
        """
        deadline = time.monotonic() + LOST_S
        while True:
            try:
                async with asyncio.timeout(PATIENCE_S):  # the broker's client waits for a lost piece for ever
                    return (await self._objects.get(name)).data or b""
            except NotFoundError:
                if time.monotonic() >= deadline:
                    raise NoCheckpoint(name) from None
                await asyncio.sleep(AGAIN_S)
            except (NatsError, TimeoutError) as error:
                raise OutOfReach(f"the store {self._name}: {reason(error)}") from None

    async def last(self) -> int:
        """Sequence of the last message stored.

        :raises OutOfReach: the broker does not answer.
        """
        try:
            return (await self._stream.stream_info(self._bucket)).state.last_seq
        except (NatsError, TimeoutError) as error:
            raise OutOfReach(f"the store {self._name}: {reason(error)}") from None

    async def remove(self, name: str) -> None:
        """Remove a checkpoint that no longer counts.

        :raises OutOfReach: it cannot be removed now. The worker that claims the shard next removes it.
        """
        try:
            subjects = await self._subjects_of(name)
        except NoCheckpoint:
            return
        for subject in subjects:
            await self._delete([sequence for sequence, _ in await self._stored(subject)])

    async def remove_others(self, kept: str, up_to: int) -> None:
        """Remove everything stored up to a sequence, except the checkpoint `kept`; empty: without exception.

        :raises OutOfReach: not all of it could be removed. The worker that claims the shard next removes the rest.
        """
        try:
            subjects = await self._subjects_of(kept) if kept else []
        except NoCheckpoint:
            return  # a successor has removed it
        stored = await self._stored(">")
        others = [sequence for sequence, subject in stored if sequence <= up_to and subject not in subjects]
        await self._delete(others[:MOST_REMOVED])

    async def _subjects_of(self, name: str) -> list[str]:
        """
        :raises NoCheckpoint: there is none of that name.
        :raises OutOfReach: the broker does not answer.
        """
        try:
            info = await self._objects.get_info(name)
        except NotFoundError:
            raise NoCheckpoint(name) from None
        except (NatsError, TimeoutError) as error:
            raise OutOfReach(f"the store {self._name}: {reason(error)}") from None
        return [self._subject_of(name), f"$O.{self._name}.C.{info.nuid}"]

    async def _stored(self, subject: str) -> list[tuple[int, str]]:
        """Messages under a subject: the sequence of each, and its own subject.

        :raises OutOfReach: they cannot be listed.
        """
        found: list[tuple[int, str]] = []
        try:
            if not (await self._stream.stream_info(self._bucket)).state.messages:
                return found
            headers = ConsumerConfig(headers_only=True)
            reading = await self._stream.subscribe(subject, stream=self._bucket, ordered_consumer=True, config=headers)
            try:
                while True:
                    message = await reading.next_msg(timeout=ANSWER_S)
                    found.append((message.metadata.sequence.stream, message.subject))
                    if not message.metadata.num_pending:
                        return found
            finally:
                await reading.unsubscribe()
        except (NatsError, TimeoutError) as error:
            raise OutOfReach(f"the store {self._name}: {reason(error)}") from None

    async def _delete(self, sequences: Sequence[int]) -> None:
        """Delete messages one by one: a purge may lose others (see `ShardStream.remove`)."""
        try:
            for sequence in sequences:
                with suppress(NotFoundError):
                    await self._stream.delete_msg(self._bucket, sequence)
        except (NatsError, TimeoutError) as error:
            raise OutOfReach(f"the store {self._name}: {reason(error)}") from None

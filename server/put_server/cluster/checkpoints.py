"""Checkpoints of a shard, in an object store of the broker.

An object is a message that says what it is, and pieces, each under subjects of their own. A worker that dies while it
stores one leaves pieces that no message names, and one that dies before its commit names the object leaves all of it.
So whoever claims the shard removes everything that was stored before the claim, but the object that counts. What came
later is its successor's, if it has one and does not know it yet.
"""

import asyncio
import base64
import time
from typing import Self

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError
from nats.js.object_store import ObjectStore

from put_server.cluster.charter import reason
from put_server.cluster.shard_stream import AGAIN_S, PATIENCE_S, OutOfReach

ANSWER_S = 5.0
"""For one answer of the store."""

LOOKS = 10
"""For a checkpoint, before it is taken for lost: a replica may lag behind."""

MOST_REMOVED = 200
"""Subjects that one claim removes; the next one goes on."""


class NoCheckpoint(Exception):
    """There is none of that name."""


class Checkpoints:
    """The store of one shard."""

    def __init__(self, stream: JetStreamContext, name: str, objects: ObjectStore) -> None:
        """Made by `opened`."""
        self._stream = stream
        self._name = name
        self._objects = objects

    @classmethod
    async def opened(cls, client: Client, name: str, *, replicas: int) -> Self:
        """The store, which is made if there is none.

        :raises OutOfReach: the broker does not answer.
        """
        stream = client.jetstream(timeout=ANSWER_S)
        try:
            try:
                return cls(stream, name, await stream.object_store(name))
            except NotFoundError:
                return cls(stream, name, await stream.create_object_store(name, replicas=replicas))
        except (NatsError, TimeoutError) as error:
            raise OutOfReach(f"the store {name}: {reason(error)}") from None

    async def put(self, name: str, data: bytes) -> None:
        """Store one under a name that no other ever has.

        :raises OutOfReach: it could not be stored for long.
        """
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                await self._objects.put(name, data)
            except (NatsError, TimeoutError) as error:
                if time.monotonic() >= deadline:
                    raise OutOfReach(f"the store {self._name}: {reason(error)}") from None
                await asyncio.sleep(AGAIN_S)
            else:
                return

    async def get(self, name: str) -> bytes:
        """:raises NoCheckpoint: there is none of that name.
        :raises OutOfReach: it cannot be read.
        """
        for _ in range(LOOKS):
            try:
                async with asyncio.timeout(PATIENCE_S):  # the broker's client waits for a lost piece for ever
                    return (await self._objects.get(name)).data or b""
            except NotFoundError:
                await asyncio.sleep(AGAIN_S)
            except (NatsError, TimeoutError) as error:
                raise OutOfReach(f"the store {self._name}: {reason(error)}") from None
        raise NoCheckpoint(name)

    async def last(self) -> int:
        """The sequence up to which anything is stored.

        :raises OutOfReach: the broker does not answer.
        """
        try:
            return (await self._stream.stream_info(f"OBJ_{self._name}")).state.last_seq
        except (NatsError, TimeoutError) as error:
            raise OutOfReach(f"the store {self._name}: {reason(error)}") from None

    async def remove(self, name: str) -> None:
        """Remove one that counts no more.

        :raises OutOfReach: it cannot be removed now. Whoever claims the shard next does it.
        """
        try:
            subjects = await self._subjects_of(name)
        except NoCheckpoint:
            return
        await self._purge(subjects)

    async def remove_others(self, kept: str, up_to: int) -> None:
        """Remove what was stored up to a sequence, but one; empty: but none.

        :raises OutOfReach: not all of it could be removed. Whoever claims the shard next does it.
        """
        if not up_to:
            return  # the broker takes "before the first" for "all"
        try:
            subjects = await self._subjects_of(kept) if kept else []
            state = (await self._stream.stream_info(f"OBJ_{self._name}", subjects_filter=">")).state
        except NoCheckpoint:
            return  # a successor has removed it
        except (NatsError, TimeoutError) as error:
            raise OutOfReach(f"the store {self._name}: {reason(error)}") from None
        others = [subject for subject in state.subjects or () if subject not in subjects]
        await self._purge(others[:MOST_REMOVED], before=up_to + 1)

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
        encoded = base64.urlsafe_b64encode(name.encode()).decode()
        return [f"$O.{self._name}.M.{encoded}", f"$O.{self._name}.C.{info.nuid}"]

    async def _purge(self, subjects: list[str], *, before: int | None = None) -> None:
        try:
            for subject in subjects:
                await self._stream.purge_stream(f"OBJ_{self._name}", seq=before, subject=subject)
        except (NatsError, TimeoutError) as error:
            raise OutOfReach(f"the store {self._name}: {reason(error)}") from None

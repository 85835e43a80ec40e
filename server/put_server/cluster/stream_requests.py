"""Requests to JetStream that are sent together; all answers come by one subscription.

The broker's client sends one request at a time, and makes a subject, a timer and an object for each answer, and a task
for each request sent beside another. That is too much here: a worker sends a request for each commit, and two for each
deal, which keep its chance and erase it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.api import Header


class StreamRequest(NamedTuple):
    subject: str
    data: bytes
    headers: Mapping[str, str] | None = None


class StreamFault(Struct, frozen=True):
    """Reason why a request was not carried out, or may not have been."""

    code: int = 0
    """Status code of HTTP; 0: no answer came."""
    err_code: int = 0
    """JetStream's own number."""
    description: str = ""


class _Answer(Struct, frozen=True):
    error: StreamFault | None = None


UNANSWERED = StreamFault(description="no answer came")

_decode = msgspec.json.Decoder(_Answer).decode


class _Round:
    """Requests that were sent together."""

    __slots__ = ("answers", "done", "missing")

    def __init__(self, count: int) -> None:
        self.answers: list[StreamFault | None] = [UNANSWERED] * count
        self.missing = count
        self.done = asyncio.get_running_loop().create_future()

    def end(self) -> None:
        """Stop waiting for answers."""
        if not self.done.done():
            self.done.set_result(None)


class StreamRequests:
    """The requests of all streams that share one connection."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._inbox = ""
        """Prefix of the subjects of answers; empty before the first request."""
        self._made = 0
        self._reconnections = client.stats["reconnects"]
        """Reconnections that were handled."""
        self._waiting: dict[str, tuple[_Round, int]] = {}
        """The round of each awaited answer and its place there, by the answer's subject."""

    async def send(self, requests: Sequence[StreamRequest], seconds: float) -> list[StreamFault | None]:
        """Send all requests at once, and wait so many seconds for their answers. Returns the fault of each, in order;
        None: it was carried out."""
        made = _Round(len(requests))
        first = self._made
        self._made += len(requests)
        try:
            if not self._inbox:
                inbox = self._client.new_inbox()
                await self._client.subscribe(f"{inbox}.*", cb=self._hear)
                self._inbox = inbox
            for place, request in enumerate(requests):
                subject = f"{self._inbox}.{first + place}"
                self._waiting[subject] = made, place
                headers = None if request.headers is None else dict(request.headers)
                await self._client.publish(request.subject, request.data, reply=subject, headers=headers)
            late = asyncio.get_running_loop().call_later(seconds, made.end)  # a fifth of what `asyncio.timeout` costs
            try:
                await made.done
            finally:
                late.cancel()
        except NatsError as error:
            why = StreamFault(description=str(error))
            return [why if answer is UNANSWERED else answer for answer in made.answers]
        finally:
            if made.missing:
                for place in range(len(requests)):
                    self._waiting.pop(f"{self._inbox}.{first + place}", None)
        return made.answers

    def heed_reconnection(self) -> None:
        """End all waits if the connection was lost, for their answers may be lost with it; call it several times a
        second. The callers can then ask again at once, instead of when time is up."""
        if (reconnections := self._client.stats["reconnects"]) != self._reconnections:
            self._reconnections = reconnections
            for made, _ in self._waiting.values():
                made.end()

    async def _hear(self, message: Msg) -> None:
        found = self._waiting.pop(message.subject, None)
        if found is None:
            return  # it came too late
        made, place = found
        made.answers[place] = _fault(message)
        made.missing -= 1
        if not made.missing:
            made.end()


def _fault(message: Msg) -> StreamFault | None:
    if message.headers is not None and (status := message.headers.get(Header.STATUS.value)):
        return StreamFault(int(status), description="no server answers such requests")
    try:
        return _decode(message.data).error
    except msgspec.MsgspecError:
        return StreamFault(description="its answer cannot be read")

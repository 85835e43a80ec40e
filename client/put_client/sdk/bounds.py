"""Bounds on the data of a server that a client keeps: a client trusts a server as little as a server trusts a client.

What the server sends and the program has not taken yet is counted in messages and in bytes; at the limit the client
reads no more, and in the end the server cannot send. What must be kept while the connection lasts, such as the lobby
that is on the screen, has limits that no honest server reaches; one that exceeds them is left (`BadServer`).
"""

import asyncio
from typing import Generic, TypeVar

from put_client.sdk.errors import BadServer
from put_protocol.messages import LobbyState

INBOX = 1_000
"""Unread messages at which we stop reading the socket, and so, in the end, the server stops sending."""

INBOX_BYTES = 1024 * 1024
"""The same limit in bytes on the wire; objects take some ten times as much. Coming back to sixty tables takes a third
of it."""

WHILE_ASKING = 10
"""Factor on both limits while a request is in flight: its answer is behind those messages, and the task that waits for
it may be the one that should read them."""

LOBBY_ENTRIES = 20_000
"""Tables and people in a lobby. A server has at most a few thousand."""

LOBBY_BYTES = 16 * 1024 * 1024
"""The same limit in bytes on the wire: 20,000 of 800 bytes, twice the size of a table of ten."""

T = TypeVar("T")


class Inbox(Generic[T]):
    """A queue that knows how many bytes its messages came in."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[tuple[T, int]] = asyncio.Queue()  # bounded by who asks `has_room`
        self.bytes = 0

    def put(self, message: T, size: int = 0) -> None:
        self._queue.put_nowait((message, size))
        self.bytes += size

    async def get(self) -> T:
        message, size = await self._queue.get()
        self.bytes -= size
        return message

    @property
    def count(self) -> int:
        return self._queue.qsize()

    def has_room(self, *, is_asking: bool) -> bool:
        times = WHILE_ASKING if is_asking else 1
        return self.count < INBOX * times and self.bytes < INBOX_BYTES * times


class LobbyHeld:
    """Size of a lobby, as a client that follows it has to keep it."""

    def __init__(self) -> None:
        self._sizes: dict[int | str, int] = {}
        """Bytes by the number of a table or the name of a person."""
        self._bytes = 0

    def receive(self, news: LobbyState, size: int) -> None:
        """Count the entries of a message that came in `size` bytes.

        :raises BadServer: it is more than any server has.
        """
        if news.begins:
            self._sizes.clear()
            self._bytes = 0
        gone_now: list[int | str] = [*news.closed, *news.departed]
        for gone in gone_now:
            self._bytes -= self._sizes.pop(gone, 0)
        changed: list[int | str] = [table.id for table in news.tables]
        changed += [person.name for person in news.people]
        for one in changed:
            share = size // len(changed) + 1
            self._bytes += share - self._sizes.get(one, 0)
            self._sizes[one] = share
        if len(self._sizes) > LOBBY_ENTRIES or self._bytes > LOBBY_BYTES:
            raise BadServer("its lobby is larger than any lobby is")

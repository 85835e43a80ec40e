"""One connection, many tables: what comes is handed to the table it is about, and invitations to whoever wants them.

Law: one task iterates over the client, and it hands over everything in the order it came. It waits for a table whose
bot has more to hear than `sitting.HEARD`, and then everybody does.
"""

import asyncio
from collections.abc import Callable

from put_client.bots.bot_session import HEARD, Enough, Heard, log
from put_client.sdk.client import Client, ConnectionBack
from put_client.sdk.deal_checks import DealChecked, SealBroken
from put_protocol.messages import Decision, Events, Invited, Left, Notice, TableSnapshot
from put_protocol.seal_events import Openings


class TableRouter:
    """Who is to hear what. A table is to be connected before a seat there is asked for."""

    def __init__(self, client: Client, invite: Callable[[Invited | None], None] = lambda _: None) -> None:
        """`invite` is told of each invitation, and with None that no more will come. It must not block."""
        self._client = client
        self._invite = invite
        self._lines: dict[int, asyncio.Queue[Heard]] = {}
        self._seated: set[int] = set()
        """Tables that have said something to us in our seat."""

    def is_connected(self, table: int) -> bool:
        return table in self._lines

    def connect(self, table: int) -> "asyncio.Queue[Heard]":
        """What is said at this table from now on."""
        assert table not in self._lines, f"table {table} is connected already"
        line: asyncio.Queue[Heard] = asyncio.Queue(HEARD)
        self._lines[table] = line
        return line

    def disconnect(self, table: int, line: "asyncio.Queue[Heard]") -> None:
        """Nobody listens there any more; may be called again."""
        if self._lines.get(table) is line:
            self._hang_up(table)
        while not line.empty():  # whoever waits to say more there need not wait any longer
            line.get_nowait()

    async def enough(self) -> None:
        """Tell every table that no more games are wanted."""
        for line in list(self._lines.values()):
            await line.put(Enough())

    async def run(self) -> None:
        """Returns when the client is closed; raises what ended the connection otherwise."""
        async for message in self._client:
            match message:
                case TableSnapshot() | Events() | Decision() | DealChecked() | SealBroken():
                    if message.table in self._lines:
                        self._seated.add(message.table)
                        await self._lines[message.table].put(message)
                case Left():
                    await self._gone(message)
                case ConnectionBack(tables=tables):
                    log.info("the connection is back")
                    for table in self._seated - set(tables):
                        await self._gone(Left(table, "it was gone when the connection came back"))
                case Invited():
                    self._invite(message)
                case Notice(says=says):
                    log.info("the server says: %s", says)
                case Openings():
                    pass
                case _ as other:
                    log.info("%s", other)
        for table in list(self._lines):
            await self._gone(Left(table, "the connection was closed"))
        self._invite(None)

    async def _gone(self, left: Left) -> None:
        line = self._lines.get(left.table)
        if line is not None:
            self._hang_up(left.table)  # what comes of this table from now on is for another sitting
            await line.put(left)

    def _hang_up(self, table: int) -> None:
        del self._lines[table]
        self._seated.discard(table)

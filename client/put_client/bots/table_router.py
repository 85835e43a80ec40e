"""Router of one connection's messages: each goes to the session of its table, and invitations to one callback.

Law: one task iterates over the client, and delivers everything in the order it came. It waits for a table whose inbox
is full, and so does every other table.
"""

import asyncio
from collections.abc import Callable

from put_client.bots.bot_session import INBOX, Enough, Inbox, log
from put_client.sdk.client import Client
from put_client.sdk.deal_checks import DealChecked, SealBroken
from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_protocol.messages import Decision, Events, Invited, Left, Notice, TableSnapshot
from put_protocol.seal_events import Openings


class TableRouter:
    """The inboxes of all tables. A table is to be connected before a seat there is asked for."""

    def __init__(self, client: Client, on_invited: Callable[[Invited | None], None] = lambda _: None) -> None:
        """`on_invited` gets each invitation, and None when no more will come. It must not block."""
        self._client = client
        self._on_invited = on_invited
        self._inboxes: dict[int, Inbox] = {}
        self._seated: set[int] = set()
        """Tables that have sent something to our seat."""

    def is_connected(self, table: int) -> bool:
        return table in self._inboxes

    def connect(self, table: int) -> Inbox:
        """The inbox of this table from now on."""
        assert table not in self._inboxes, f"table {table} is connected already"
        inbox: Inbox = asyncio.Queue(INBOX)
        self._inboxes[table] = inbox
        return inbox

    def disconnect(self, table: int, inbox: Inbox) -> None:
        """Deliver nothing there any more. Idempotent."""
        if self._inboxes.get(table) is inbox:
            self._forget(table)
        while not inbox.empty():  # a task that waits for room there need not wait any longer
            inbox.get_nowait()

    async def enough(self) -> None:
        """Tell every session that no more games are wanted."""
        for inbox in list(self._inboxes.values()):
            await inbox.put(Enough())

    async def run(self) -> None:
        """Returns when the client is closed; raises what ended the connection otherwise."""
        async for message in self._client:
            match message:
                case TableSnapshot() | Events() | Decision() | DealChecked() | SealBroken():
                    if message.table in self._inboxes:
                        self._seated.add(message.table)
                        await self._inboxes[message.table].put(message)
                case Left():
                    await self._end(message)
                case ConnectionBack(tables=tables):
                    log.warning("the connection is back")
                    for table in self._seated - set(tables):
                        await self._end(Left(table, "it was gone when the connection came back"))
                case ConnectionLost(says=says):
                    log.warning("%s; waiting for the server, as long as it takes; ^C ends the bot", says)
                case Invited():
                    self._on_invited(message)
                case Notice(says=says):
                    log.info("the server says: %s", says)
                case Openings():
                    pass
                case _ as other:
                    log.info("%s", other)
        for table in list(self._inboxes):
            await self._end(Left(table, "the connection was closed"))
        self._on_invited(None)

    async def _end(self, left: Left) -> None:
        inbox = self._inboxes.get(left.table)
        if inbox is not None:
            self._forget(left.table)  # what comes of this table from now on is for another session
            await inbox.put(left)

    def _forget(self, table: int) -> None:
        del self._inboxes[table]
        self._seated.discard(table)

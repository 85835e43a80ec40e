"""Turn notices: a push message tells a person that a table waits for their move, while none of their pages is visible.

There is one message for each absence. It contains the number of the table and the end of the wait: no card, no name,
nothing about the game. A person has one subscription, only in memory. It ends when they cancel it or leave, when its
push service does not know it, and when this process ends, together with the signing key; a page sends it again with
each connection. There is no queue: if too many messages are being sent, the rest is due at the next check.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from put_protocol.messages import Push
from put_server.lobby.lobby import Lobby
from put_server.lobby.people import Person
from put_server.table.table_effects import PersonId, TableId, WaitFor
from put_server.table.waits import waits
from put_server.ticks import next_tick
from put_server.transport.http_page import HttpPage

if TYPE_CHECKING:  # it is loaded when a browser comes
    from put_server.push.web_push import Browser, Sender

log = logging.getLogger(__name__)

AWAY_MS = 10_000
"""Time without a visible page until a player is notified of a move."""

MESSAGE_GAP_MS = 60_000
SENDING_AT_ONCE = 32
LONGEST_MS = 86_400_000
"""Longest time for which a push service stores a message."""


@dataclass(slots=True)
class _Subscription:
    browser: "Browser"
    is_seen: bool = True
    is_told: bool = False
    since: int | None = None
    """Time since when their move is waited for, and no page of theirs seen."""
    told_at: int = -MESSAGE_GAP_MS


class TurnNotices:
    def __init__(self, lobby: Lobby, now: Callable[[], int], hosts: Collection[str], contact: str) -> None:
        """`hosts`: allowed hosts, as in `web_push.browser_at`; `contact`: as in its `Sender`."""
        self._lobby = lobby
        self._now = now
        self._hosts = hosts
        self._contact = contact
        self._sender: Sender | None = None
        """Created when the first page asks for its key."""
        self.kept: dict[PersonId, _Subscription] = {}
        self._sending = 0

    def key_page(self) -> HttpPage:
        """The page with the key for subscriptions; empty: no push."""
        if self._hosts and self._sender is None:
            from put_server.push.web_push import Sender  # noqa: PLC0415  # loaded with HTTP

            self._sender = Sender(self._contact)
        return HttpPage(200, b"" if self._sender is None else self._sender.public_key.encode())

    def note(self, person: PersonId, request: Push) -> bool:
        """Store a person's subscription, or remove it. False: invalid, or of a service that is not allowed."""
        if not request.endpoint:
            self.kept.pop(person, None)
            return True
        if self._sender is None:
            return False
        from put_server.push.web_push import browser_at  # noqa: PLC0415

        try:
            browser = browser_at(request.endpoint, request.p256dh, request.auth, self._hosts)
        except ValueError:
            return False
        one = self.kept.setdefault(person, _Subscription(browser))
        one.browser, one.is_seen = browser, request.is_seen
        if one.is_seen:
            one.is_told, one.since = False, None
        return True

    async def run(self) -> None:
        """Notify players; one owned task, which owns the sending tasks."""
        async with asyncio.TaskGroup() as tasks:
            while self._hosts:
                await next_tick(1.0)
                for person, one, table, left in self.due():
                    tasks.create_task(self._tell(person, one, table, left))

    def due(self) -> Iterator[tuple[PersonId, _Subscription, TableId, int]]:
        """Players to notify now, with table and milliseconds left; they count as notified. Removes people who left."""
        now = self._now()
        for person, one in list(self.kept.items()):
            known = self._lobby.people.get(person)
            if known is None:
                del self.kept[person]
                continue
            move = None if known.is_here and one.is_seen else self._move_of(known, now)
            if move is None:
                one.since = None
                continue
            if one.since is None:
                one.since = now
            is_time = now - one.since >= AWAY_MS and now - one.told_at >= MESSAGE_GAP_MS
            if is_time and not one.is_told and self._sending < SENDING_AT_ONCE:
                one.is_told, one.told_at = True, now
                self._sending += 1
                yield person, one, *move

    def _move_of(self, person: Person, now: int) -> tuple[TableId, int] | None:
        """The first table that waits for their move, and for how many milliseconds."""
        for number in sorted(person.tables):
            table = self._lobby.tables[number]
            seat = table.seating.seat_of(person.id)
            ends = {wait.what: wait.end for wait in waits(table.model, now) if wait.seat == seat}
            if WaitFor.MOVE in ends:
                return number, min([end - now for end in ends.values() if end is not None], default=LONGEST_MS)
        return None

    async def _tell(self, person: PersonId, one: _Subscription, table: TableId, left: int) -> None:
        browser = one.browser
        message = msgspec.json.encode({"table": table, "until": int(time.time() * 1000) + left})
        try:
            assert self._sender is not None
            status = await self._sender.send(message, browser, max(0, min(left, LONGEST_MS)) // 1000)
        except Exception as error:  # noqa: BLE001  # a boundary: no answer of a push service may end the games
            log.info("the push service %s was not reached: %s", browser.host, type(error).__name__)
            return
        finally:
            self._sending -= 1
        if status >= 300:
            log.info("the push service %s answered %d", browser.host, status)
        if status in (404, 410) and one.browser is browser:
            self.kept.pop(person, None)

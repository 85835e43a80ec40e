"""Turn notices: a person is told by a push message that a table waits for their move, while no page of theirs is seen.

One message per absence: the next comes when they were back between. It holds the number of the table, and the moment
until which it waits: no card, no name, nothing of the game. A person has one subscription, in memory alone. It is gone
when they say so or leave, when its push service does not know it, and when this process ends, with the key that signs;
a page gives it again with each connection. Nothing is queued: a message that is due while too many are on their way is
due at the next look.
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
"""Time for which a move is waited for, and no page seen, until its player is told."""

GAP_MS = 60_000
"""Least time between two messages to a person."""

AT_ONCE = 32
"""Messages on their way at the same time."""

LONGEST_MS = 86_400_000
"""Time for which a push service keeps a message, at most."""


@dataclass(slots=True)
class _Subscription:
    browser: "Browser"
    is_seen: bool = True
    is_told: bool = False
    since: int | None = None
    """Time since when their move is waited for, and no page of theirs seen."""
    told_at: int = -GAP_MS


class TurnNotices:
    def __init__(self, lobby: Lobby, now: Callable[[], int], hosts: Collection[str], contact: str) -> None:
        """`hosts`: that may be asked, as of `web_push.browser_at`; `contact`: as of its `Sender`."""
        self._lobby = lobby
        self._now = now
        self._hosts = hosts
        self._contact = contact
        self._sender: Sender | None = None
        """Made when the first page asks for its key."""
        self.kept: dict[PersonId, _Subscription] = {}
        self._sending = 0

    def key_page(self) -> HttpPage:
        """The page with the key that browsers subscribe with; empty: nothing is pushed."""
        if self._hosts and self._sender is None:
            from put_server.push.web_push import Sender  # noqa: PLC0415  # loaded with HTTP

            self._sender = Sender(self._contact)
        return HttpPage(200, b"" if self._sender is None else self._sender.public_key.encode())

    def note(self, person: PersonId, request: Push) -> bool:
        """Keep the subscription of a person, or forget it. False: it is none, or of a service that is not asked."""
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
        """Tell players; one owned task, which owns those that send."""
        async with asyncio.TaskGroup() as tasks:
            while self._hosts:
                await next_tick(1.0)
                for person, one, table, left in self.due():
                    tasks.create_task(self._tell(person, one, table, left))

    def due(self) -> Iterator[tuple[PersonId, _Subscription, TableId, int]]:
        """Players to be told now, of which table, and the milliseconds left; they count as told. Forgets who left."""
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
            is_time = now - one.since >= AWAY_MS and now - one.told_at >= GAP_MS
            if is_time and not one.is_told and self._sending < AT_ONCE:
                one.is_told, one.told_at = True, now
                self._sending += 1
                yield person, one, *move

    def _move_of(self, person: Person, now: int) -> tuple[TableId, int] | None:
        """The first table that waits for a move of theirs, and for how many milliseconds."""
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

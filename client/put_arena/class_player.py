"""Player of a Python class, in its own process. It sits, plays and leaves as ordered, and reports.

    python -m put_arena.class_player '{"descriptor": ..., "name": ..., "what": "my_bot.py", ...}'

The argument is `orders.BotTerms`. The process ends when its orders end, even if the bot is busy.

The bot plays over a `Client` of the SDK, with a `BotSession` at each table. The loopback does not drop connections, so
nothing is resumed. The bot is called on the event loop, because the process serves no other bot. A bot that blocks the
loop sends no more signs of life, so the arena notices.
"""

import asyncio
import os
import random
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

import msgspec

from put_arena.competitors import Fault
from put_arena.orders import (
    Alive,
    BadBot,
    BotTerms,
    Failed,
    Fell,
    Go,
    PlayerOrder,
    PlayerReport,
    fell,
    made,
    take_pipes,
)
from put_client.bots.bot import Bot
from put_client.bots.bot_session import BotSession
from put_client.bots.loading import LoadError, load
from put_client.bots.playing import TableRouter
from put_client.sdk.client import Client, connect
from put_client.sdk.dialler import Dialler, Security, Streams
from put_client.sdk.errors import ClientError, Disconnected, Refusal
from put_client.sdk.traffic import Message
from put_protocol.messages import Act, Events, Invited, Ok, Request
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import TimedOut
from put_runtime.system_errors import reason_of

BEAT_SECONDS = 0.5
"""Interval between two signs of life. A bot that blocks sends none."""


class ClassPlayer:
    """The player: one session for each table, whose requests it makes."""

    def __init__(
        self,
        terms: BotTerms,
        kind: type[Bot],
        client: Client,
        tasks: asyncio.TaskGroup,
        report: Callable[[PlayerReport], None],
    ) -> None:
        self._terms = terms
        self._kind = kind
        self._client = client
        self._tasks = tasks
        self._report = report
        self._router = TableRouter(client, self._note_invitation)
        self._orders: dict[int, Go] = {}
        self._invited: dict[int, Invited] = {}
        self._sessions: dict[int, asyncio.Task[None]] = {}
        self._seats: dict[int, Seat] = {}
        self._late_in_a_row = 0
        client.observer = self._observe

    async def run(self) -> NoReturn:
        """Play until the connection ends.

        :raises ClientError: the server refuses us, closed the connection, or broke the protocol.
        """
        try:
            await self._router.run()
        except Disconnected as error:
            if error.code == RefusalCode.TOO_FAST:
                self._report(Fell(Fault.TOO_FAST, "asked too often"))
            raise
        raise AssertionError("only the server ends the connection")

    async def beat(self) -> None:
        while True:
            self._report(Alive())
            await asyncio.sleep(BEAT_SECONDS)

    def order(self, order: PlayerOrder) -> None:
        number = order.table
        if isinstance(order, Go):
            self._orders[number] = order
            self._begin(number)
            return
        self._orders.pop(number, None)
        self._invited.pop(number, None)
        if (session := self._sessions.get(number)) is not None:
            session.cancel()

    def _note_invitation(self, invited: Invited | None) -> None:
        if invited is not None:
            self._invited[invited.table] = invited
            self._begin(invited.table)

    def _begin(self, number: int) -> None:
        """Sit down when both the order and the invitation have come. Other invitations are ignored."""
        if number in self._orders and number in self._invited and not self._router.is_connected(number):
            playing = self._play(self._orders.pop(number), self._invited.pop(number).seat)
            self._sessions[number] = session = self._tasks.create_task(playing)
            session.add_done_callback(lambda _: self._sessions.pop(number))

    async def _play(self, order: Go, seat: int | None) -> None:
        """Play at a table as ordered; leave it when cancelled."""
        client, dice = self._client, random.Random()
        inbox = self._router.connect(order.table)
        try:
            taken = await client.sit(order.table, seat)
            self._seats[order.table] = taken
            session = BotSession(
                made(self._kind, dice),
                self,
                order.table,
                is_enough=lambda played: played >= order.games,
                on_error=lambda error: self._report(fell(error)),
                on_begin=lambda game: dice.seed(f"{order.dice} {game}"),
                in_thread=False,
                choose_s=self._terms.turn,
            )
            await session.play(taken, inbox)
        except (asyncio.CancelledError, Refusal) as error:
            # Refused: the table is gone, another sits there, or the session cannot go on. A seat kept would play by the
            # clock alone, for as many games as others agree to.
            with suppress(Refusal):
                await client.leave(order.table)
            if isinstance(error, asyncio.CancelledError):
                raise
        finally:
            self._router.disconnect(order.table, inbox)
            self._seats.pop(order.table, None)

    async def ask(self, make: Callable[[int], Request]) -> Ok:
        is_move = isinstance(make(1), Act)
        if is_move and self._terms.slow:
            await asyncio.sleep(self._terms.slow)
        answer = await self._client.ask(make)
        if is_move:
            self._late_in_a_row = 0
        return answer

    def _observe(self, _: Client, message: Message) -> None:
        if isinstance(message, Events):
            for event in message.events:
                if isinstance(event, TimedOut) and event.seat == self._seats.get(message.table):
                    self._late_in_a_row += 1
                    self._report(Fell(Fault.LATE, running=self._late_in_a_row))


class _Inherited(Dialler):
    """An open connection to the arena's own server on this machine."""

    def __init__(self, descriptor: int) -> None:
        super().__init__("the arena", 0, security=Security.PLAIN)  # there is no other address to connect to
        self._descriptor = descriptor

    async def open(self) -> Streams:
        connection = socket.socket(fileno=self._descriptor)
        connection.set_inheritable(False)
        return await asyncio.open_connection(sock=connection)


async def _serve(terms: BotTerms, report: Callable[[PlayerReport], None], orders: int) -> None:
    loop = asyncio.get_running_loop()
    kind = load(terms.what)
    dialler = _Inherited(terms.descriptor)
    client = await connect(
        dialler.host,
        dialler.port,
        dialler=dialler,
        name=terms.name,
        is_bot=True,
        client="put-arena",
        checked=False,
        resume=False,
        words=True,
    )
    async with asyncio.TaskGroup() as tasks:
        player = ClassPlayer(terms, kind, client, tasks, report)
        threading.Thread(target=_obey, args=(orders, loop, player.order), name="orders", daemon=True).start()
        tasks.create_task(player.beat())
        await player.run()


def _obey(descriptor: int, loop: asyncio.AbstractEventLoop, order: Callable[[PlayerOrder], None]) -> None:
    """Read orders in a thread. The process ends when the orders end: the bot may be blocking the loop."""
    decoder: msgspec.json.Decoder[PlayerOrder] = msgspec.json.Decoder(PlayerOrder)
    with os.fdopen(descriptor, "rb") as lines, suppress(OSError, RuntimeError):
        for line in lines:
            loop.call_soon_threadsafe(order, decoder.decode(line))
    os._exit(0)


def main() -> NoReturn:
    terms = msgspec.json.decode(sys.argv[1], type=BotTerms)
    orders, report = take_pipes()
    try:
        asyncio.run(_serve(terms, report, orders))
    except LoadError as error:
        report(Failed(str(error), is_no_bot=True))
    except (BadBot, ClientError, ConnectionError) as error:
        report(Failed(reason_of(error)))
    except BaseExceptionGroup as group:
        report(Failed("; ".join(str(error) or type(error).__name__ for error in group.exceptions)))
    os._exit(1)  # though the bot may have left threads


if __name__ == "__main__":
    main()

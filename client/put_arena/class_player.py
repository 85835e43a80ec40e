"""Player of a Python class, in its own process. It sits, plays and leaves as ordered, and reports.

    python -m put_arena.class_player '{"host": ..., "port": ..., "name": ..., "what": "my_bot.py", ...}'

The argument is `orders.BotTerms`. The process ends when its orders end, even if the bot is busy.

The bot plays in the SDK's `BotSession`, over a connection that is faster than the SDK's. The loopback does not drop
connections, so nothing is resumed. A request is sent without waiting for its `ok`. All requests caused by one read go
out in one write. The bot is called on the event loop, because the process serves no other bot. A bot that blocks the
loop sends no more signs of life, so the arena notices.

So a session never waits, and each message is handled by stepping the session's coroutine by hand. A task and a queue
for each table would cost a tenth of the arena's speed. Only a bot whose `choose` is a coroutine waits. Then the step
goes on in a task, and later messages of that table wait for the task.
"""

import asyncio
import os
import random
import socket
import sys
import threading
import time
import types
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

import msgspec

from put_arena.competitors import Fault
from put_arena.orders import (
    Alive,
    BadBot,
    BotTerms,
    Failed,
    Fell,
    Go,
    GoAway,
    PlayerOrder,
    PlayerReport,
    fell,
    made,
    take_pipes,
)
from put_client.bots.bot import Bot
from put_client.bots.bot_session import OVERTAKEN, BotSession, TableMessage
from put_client.bots.loading import LoadError, load
from put_client.sdk.dialler import Dialler, Security, Streams
from put_client.sdk.errors import ClientError
from put_client.sdk.wire import Wire, dial, now_ms
from put_protocol import PROTOCOL_VERSION, messages
from put_protocol.codecs import FRAMES
from put_protocol.errors import ProtocolError
from put_protocol.games.unions import Action
from put_protocol.messages import Decision, Events, Invited, Left, Refused, Request, ServerMessage, TableSnapshot
from put_protocol.parts import parts
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import TimedOut
from put_runtime.system_errors import reason_of

HELLO_SECONDS = 10.0
BEAT_SECONDS = 0.5
"""Interval between two signs of life. A bot that blocks sends none."""

TICK_SECONDS = 5.0

HOLD_SECONDS = 0.005
"""Longest time that a request waits to be sent with others."""

T = TypeVar("T")


@dataclass(slots=True)
class _SeatedBot:
    session: BotSession
    seat: Seat
    dice: random.Random
    seed: str
    games_begun: int = 0
    asked_again: int = 0
    """Number of games begun at the last request for another game."""
    thinking: asyncio.Task[None] | None = None
    """The step of a bot that chooses in a coroutine."""

    deferred: deque[TableMessage] = field(default_factory=deque)


class ClassPlayer:
    """The player: its connection, one session for each table, and the `Requests` of the sessions."""

    def __init__(
        self,
        terms: BotTerms,
        kind: type[Bot],
        tasks: asyncio.TaskGroup,
        report: Callable[[PlayerReport], None],
        on_welcome: Callable[[], None],
    ) -> None:
        """`tasks` runs the steps of coroutines. `on_welcome` is called when orders can be carried out."""
        self._terms = terms
        self._kind = kind
        self._tasks = tasks
        self._report = report
        self._on_welcome = on_welcome
        self._orders: dict[int, Go] = {}
        self._invited: dict[int, Invited] = {}
        self._tables: dict[int, _SeatedBot] = {}
        self._unanswered: dict[int, Callable[[int], Request]] = {}
        """Requests other than moves, by id. They are repeated if they came too fast."""
        self._late_in_a_row = 0
        self._is_reading = False
        """Messages are being handled. Requests go out after the last message."""

        self._sent_at = 0.0
        self._wire: Wire

    async def run(self) -> None:
        """Play until the connection ends. It always ends by an error.

        :raises ClientError: there is no server, or it refuses us.
        :raises ConnectionError: the server closed the connection, or broke the protocol.
        """
        terms = self._terms
        hello = messages.Hello(version=PROTOCOL_VERSION, name=terms.name, is_bot=True, client="put-arena")
        server = (
            _Inherited(terms.descriptor)
            if terms.descriptor >= 0
            else Dialler(terms.host, terms.port, security=Security.PLAIN)  # the arena's own, on this machine
        )
        self._wire, _, received = await dial(server, hello, (), codec=FRAMES, timeout_s=HELLO_SECONDS)
        self._on_welcome()
        while True:
            self._is_reading, self._sent_at = True, time.monotonic()
            for message in received:
                for part in parts(message) if not isinstance(message, ProtocolError) else (message,):
                    self._receive(part)
            self._is_reading = False
            self._wire.flush()
            try:
                async with asyncio.timeout(TICK_SECONDS):
                    data = await self._wire.receive()
            except TimeoutError:
                self._wire.connection.tick(now_ms())
                received = []
                continue
            if data is None:
                raise ConnectionError("the server closed the connection")
            received = data

    async def beat(self) -> None:
        while True:
            self._report(Alive())
            await asyncio.sleep(BEAT_SECONDS)

    def order(self, order: PlayerOrder) -> None:
        match order:
            case Go(table=number):
                self._orders[number] = order
                self._sit(number)
            case GoAway(table=number):
                table = self._tables.get(number)
                self._orders.pop(number, None)
                self._invited.pop(number, None)
                if table is not None and table.thinking is not None:
                    table.thinking.cancel()
                self._leave(number)

    def _receive(self, message: ServerMessage | ProtocolError) -> None:
        match message:
            case Events():
                table = self._tables.get(message.table)
                if table is not None:
                    self._note(table, message)
                    if table.thinking is not None or not table.session.note(message):
                        self._deliver(table, message)
            case Decision():
                table = self._tables.get(message.table)
                if table is not None:
                    self._deliver(table, message)
            case messages.Ok():
                if self._unanswered.pop(message.id, None) is None:
                    self._late_in_a_row = 0  # a move that was in time
            case Refused():
                self._refused(message)
            case TableSnapshot():
                self._begin(message)
            case Invited():
                self._invited[message.table] = message
                self._sit(message.table)
            case Left():
                table = self._tables.pop(message.table, None)
                if table is not None and table.thinking is not None:
                    table.thinking.cancel()
            case messages.Goodbye() if message.code == "too_fast":
                self._report(Fell(Fault.TOO_FAST, "asked too often"))
            case ProtocolError():
                raise ConnectionError(f"the server broke the protocol: {message.reason}")
            case _:
                pass

    def _note(self, table: _SeatedBot, message: Events) -> None:
        for event in message.events:
            if isinstance(event, TimedOut) and event.seat == table.seat:
                self._late_in_a_row += 1
                self._report(Fell(Fault.LATE, running=self._late_in_a_row))

    def _sit(self, number: int) -> None:
        """Sit down when both the order and the invitation have come. Other invitations are ignored."""
        invited = self._invited.get(number)
        if invited is not None and number in self._orders:
            del self._invited[number]
            self._ask(lambda request: messages.Sit(request, number, invited.seat))

    def _begin(self, snapshot: TableSnapshot) -> None:
        number, seat = snapshot.table, snapshot.viewer
        order = self._orders.pop(number, None)
        if order is None or seat == GALLERY:
            return
        dice = random.Random()
        session = BotSession(
            made(self._kind, dice),
            self,
            number,
            is_enough=lambda played: played >= order.games,
            on_error=lambda error: self._report(fell(error)),
            on_begin=lambda game: self._begin_game(number, game),
            in_thread=False,
            choose_s=self._terms.turn,
        )
        session.begin(Seat(seat))
        table = self._tables[number] = _SeatedBot(session, Seat(seat), dice, order.dice)
        self._deliver(table, snapshot)

    def _begin_game(self, number: int, game: int) -> None:
        """Begin a game. The bot's dice depend only on the game and the seat."""
        table = self._tables[number]
        table.games_begun = game
        table.dice.seed(f"{table.seed} {game}")

    def _deliver(self, table: _SeatedBot, message: TableMessage) -> None:
        if table.thinking is not None:
            table.deferred.append(message)
            return
        step = table.session.receive(message)
        try:
            step.send(None)
        except StopIteration:
            return
        table.thinking = self._tasks.create_task(self._finish(table, step))

    async def _finish(self, table: _SeatedBot, step: Coroutine[Any, Any, bool]) -> None:
        """Finish a step that has to wait. Then handle the messages that arrived meanwhile."""
        is_over = await _rest_of(step)
        while table.deferred and not is_over:
            is_over = await table.session.receive(table.deferred.popleft())
        table.thinking = None

    async def act(self, table: int, decision: int, action: Action) -> None:
        """Send a move; a refusal of it is reported when it comes."""
        if self._terms.slow:
            asyncio.get_running_loop().call_later(self._terms.slow, self._act, table, decision, action)
        else:
            self._act(table, decision, action)

    def _act(self, table: int, decision: int, action: Action) -> None:
        if table in self._tables:  # we may have left while a slow move waited
            self._send(messages.Act(self._wire.connection.next_id(), table, decision, action))

    async def again(self, table: int) -> None:
        at = self._tables[table]
        if at.asked_again != at.games_begun:  # the session may look again before the answer is there
            at.asked_again = at.games_begun
            self._ask(lambda request: messages.Again(request, table))

    async def leave(self, table: int) -> None:
        self._leave(table)

    async def resign(self, table: int) -> None:
        self._ask(lambda request: messages.Resign(request, table))

    async def pause(self, table: int) -> None:
        """There are no pauses at the arena's tables."""

    async def go_on(self, table: int) -> None:
        """There are no pauses at the arena's tables."""

    def _leave(self, table: int) -> None:
        if self._tables.pop(table, None) is not None:
            self._ask(lambda request: messages.Leave(request, table))

    def _ask(self, make: Callable[[int], Request]) -> None:
        request = self._wire.connection.next_id()
        self._unanswered[request] = make
        self._send(make(request))

    def _send(self, request: Request) -> None:
        """Send a request. While messages are handled, it waits for those of the other messages, unless a bot takes
        long."""
        self._wire.connection.send(request)
        if not self._is_reading or time.monotonic() - self._sent_at > HOLD_SECONDS:
            self._wire.flush()
            self._sent_at = time.monotonic()

    def _refused(self, message: Refused) -> None:
        make = self._unanswered.pop(message.id, None)
        if message.code == RefusalCode.TOO_FAST and make is not None:
            asyncio.get_running_loop().call_later((message.retry_after_ms or 50) / 1000, self._ask, make)
        elif make is None and message.code not in OVERTAKEN:
            self._report(Fell(Fault.ILLEGAL, f"the server refused a move: {message.says}"))


class _Inherited(Dialler):
    """An open connection to the arena's own server on this machine."""

    def __init__(self, descriptor: int) -> None:
        super().__init__("the arena", 0, security=Security.PLAIN)
        self._descriptor = descriptor

    async def open(self) -> Streams:
        connection = socket.socket(fileno=self._descriptor)
        connection.set_inheritable(False)
        return await asyncio.open_connection(sock=connection)


@types.coroutine
def _rest_of(step: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
    """The rest of a coroutine that has yielded a bare None."""
    result: T = yield from step
    return result


async def _serve(terms: BotTerms, report: Callable[[PlayerReport], None], orders: int) -> None:
    loop = asyncio.get_running_loop()
    kind = load(terms.what)
    obeying = threading.Thread(target=lambda: _obey(orders, loop, player.order), name="orders", daemon=True)
    async with asyncio.TaskGroup() as tasks:
        player = ClassPlayer(terms, kind, tasks, report, obeying.start)
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

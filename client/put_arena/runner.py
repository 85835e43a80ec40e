"""One player of a Python class, in a process of its own: sits where it is told to, plays, leaves, and reports.

    python -m put_arena.runner '{"host": ..., "port": ..., "name": ..., "what": "my_bot.py", ...}'

Orders come on the standard input, a JSON object a line, and reports go out on what was the standard output; whatever
the bot prints goes to the standard error. When the input ends, so does the process, whatever the bot is doing.

It is not the client of people: on the loopback no connection drops, so nothing is resumed, an answer is sent without
waiting for its `ok`, and all that one read brought is answered in one write.
"""

import asyncio
import inspect
import os
import random
import sys
import threading
import time
import traceback
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

import msgspec

from put_client.bots.bot import Bot, Record, action_in_words
from put_client.bots.loading import LoadError, load
from put_client.sdk.errors import ClientError
from put_client.sdk.wire import Wire, dial, now_ms
from put_protocol import PROTOCOL_VERSION
from put_protocol.codecs import FRAMES
from put_protocol.errors import ProtocolError
from put_protocol.games.put import (
    Cause,
    ThrewIn,
)
from put_protocol.games.unions import (
    Action,
    GameView,
)
from put_protocol.messages import (
    Act,
    Again,
    Decision,
    Events,
    Goodbye,
    Hello,
    Invited,
    Leave,
    Left,
    Ok,
    Refused,
    Request,
    Resign,
    ServerMessage,
    Sit,
    TableSnapshot,
)
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_info import (
    TableInfo,
)

HELLO_SECONDS = 10.0
BEAT_SECONDS = 0.5
"""Between two signs of life: whoever blocks gives none."""

TICK_SECONDS = 5.0

HOLD_SECONDS = 0.005
"""The longest that an answer waits for others to be sent with it."""

UNSURE = (RefusalCode.TOO_LATE, RefusalCode.NOT_YOUR_TURN, RefusalCode.NO_GAME, RefusalCode.PAUSED)
"""Time, or somebody's leaving, decided first."""


class Terms(msgspec.Struct, frozen=True):
    """What the process is started with."""

    host: str
    port: int
    name: str
    what: str
    turn: float
    """Seconds for a choice; a coroutine that takes longer is stopped."""
    slow: float = 0.0
    """Seconds to wait before each answer, for a show."""


class Go(msgspec.Struct, frozen=True, tag="go"):
    """An order: sit at this table when invited, and leave it after so many games."""

    table: int
    games: int
    dice: str
    """What the bot's dice there are made from, if it takes any: anew for each game, by the seat and not by the bot, so
    that who plays the same cards has the same dice too."""


class GoAway(msgspec.Struct, frozen=True, tag="go_away"):
    """An order: leave this table now."""

    table: int


class Beat(msgspec.Struct, frozen=True, tag="beat"):
    """A report: alive."""


class Illegal(msgspec.Struct, frozen=True, tag="illegal"):
    """A report: the bot chose what is not legal, and has given the game up."""

    says: str


class Raised(msgspec.Struct, frozen=True, tag="raised"):
    """A report: the bot raised an error, and has given the game up."""

    says: str


class Late(msgspec.Struct, frozen=True, tag="late"):
    """A report: a turn's time ran out."""

    running: int
    """How often without an answer in time between."""


class TooFast(msgspec.Struct, frozen=True, tag="too_fast"):
    """A report: the server asked for patience."""


class Broken(msgspec.Struct, frozen=True, tag="broken"):
    """The last report: it cannot go on."""

    says: str
    is_no_bot: bool = False
    """Nothing that could play was found where the arena was told to look."""


Order = Go | GoAway
Report = Beat | Illegal | Raised | Late | TooFast | Broken


@dataclass(slots=True, kw_only=True)
class _Table:
    """Where it sits."""

    bot: Bot
    dice: random.Random
    seed: str
    seat: Seat
    games: int
    """To be played."""
    info: TableInfo
    view: GameView | None
    before: int
    """Games at the table before it came."""
    played: int = 0
    won: int = 0
    purse: int = 0
    asked: int = 0
    """After how many games it asked for another."""
    began: int = 0
    """Which game was begun last."""
    has_resigned: int = 0
    """Which game it gave up last."""


class Runner:
    """The player."""

    def __init__(
        self, terms: Terms, kind: type[Bot], report: Callable[[Report], None], obey: Callable[[], None]
    ) -> None:
        """`obey` is called when orders can be carried out."""
        self._terms = terms
        self._kind = kind
        self._takes_dice = "dice" in inspect.signature(kind).parameters
        self._sees = kind.saw is not Bot.saw
        self._report = report
        self._obey = obey
        self._orders: dict[int, Go] = {}
        self._invited: dict[int, Invited] = {}
        self._tables: dict[int, _Table] = {}
        self._asked: dict[int, Callable[[int], Request]] = {}
        """Requests beside moves whose answers are due, to be made again if they came too fast."""
        self._running = 0
        """Turns too late, one after another."""
        self._thoughts: set[asyncio.Task[None]] = set()
        self._sent_at = 0.0
        self._wire: Wire

    async def run(self) -> None:
        """Play until the connection ends.

        :raises ClientError: there is no server, or it would not have us.
        """
        terms = self._terms
        hello = Hello(version=PROTOCOL_VERSION, name=terms.name, is_bot=True, client="put-arena")
        self._wire, _, taken = await dial(terms.host, terms.port, hello, (), codec=FRAMES, timeout_s=HELLO_SECONDS)
        self._obey()
        while True:
            self._sent_at = time.monotonic()
            for message in taken:
                self._hear(message)
            self._wire.flush()
            try:
                async with asyncio.timeout(TICK_SECONDS):
                    came = await self._wire.receive()
            except TimeoutError:
                self._wire.connection.tick(now_ms())
                taken = []
                continue
            if came is None:
                return
            taken = came

    async def beat(self) -> None:
        """Say that the loop turns, until cancelled."""
        while True:
            self._report(Beat())
            await asyncio.sleep(BEAT_SECONDS)

    def order(self, order: Order) -> None:
        """Do as one is told."""
        match order:
            case Go(table=number):
                self._orders[number] = order
                self._sit(number)
            case GoAway(table=number):
                self._leave(number)
        self._wire.flush()

    # --- what comes ---

    def _hear(self, message: ServerMessage | ProtocolError) -> None:
        match message:
            case Events():
                table = self._tables.get(message.table)
                if table is not None:
                    self._follow(message.table, table, message)
            case Decision():
                table = self._tables.get(message.table)
                if table is not None:
                    self._choose(table, message)
            case Ok():
                if self._asked.pop(message.id, None) is None:
                    self._running = 0  # a move that was in time
            case Refused():
                self._refused(message)
            case TableSnapshot():
                self._come(message)
            case Invited():
                self._invited[message.table] = message
                self._sit(message.table)
            case Left():
                self._tables.pop(message.table, None)
            case Goodbye() if message.code == "too_fast":
                self._report(TooFast())
            case ProtocolError():
                raise ConnectionError(f"the server broke the protocol: {message.reason}")
            case _:
                pass

    def _sit(self, number: int) -> None:
        """Once both have come: the order, and the invitation. Nobody else's is followed."""
        invited = self._invited.get(number)
        if invited is not None and number in self._orders:
            del self._invited[number]
            self._ask(lambda request: Sit(request, number, invited.seat))

    def _come(self, message: TableSnapshot) -> None:
        order = self._orders.pop(message.table, None)
        if order is None or message.viewer == GALLERY:
            return
        dice = random.Random()
        try:
            bot = self._kind(dice=dice) if self._takes_dice else self._kind()  # type: ignore[call-arg]  # its own parameter
        except Exception as error:  # the bot's own code
            raise BadBot(f"{self._kind.__name__} cannot be made: {type(error).__name__}: {error}") from error
        bot.table, bot.seat, bot.info = message.table, message.viewer, message.info
        table = _Table(
            bot=bot,
            dice=dice,
            seed=f"{order.dice} {message.viewer}",
            seat=message.viewer,
            games=order.games,
            info=message.info,
            view=message.view,
            before=message.info.games - message.info.is_in_play,
        )
        self._tables[message.table] = table
        self._begin(table)
        self._look(message.table, table)

    def _follow(self, number: int, table: _Table, message: Events) -> None:
        table.view = message.view or table.view
        if message.info is not None:
            table.info = table.bot.info = message.info
            if message.info.games > table.began:
                self._begin(table)
        for event in message.events:
            if isinstance(event, ThrewIn) and event.cause is Cause.TIME and event.seat == table.seat:
                self._running += 1
                self._report(Late(self._running))
            if self._sees:
                self._guarded(number, table, lambda event=event: table.bot.saw(event, table.view))  # type: ignore[misc]  # a lambda's default has no type
        if message.info is not None:
            self._look(number, table)

    @staticmethod
    def _begin(table: _Table) -> None:
        table.began = table.info.games
        table.dice.seed(f"{table.seed} {table.began}")

    def _look(self, number: int, table: _Table) -> None:
        """After news of the table: note games that are over, and ask for the next or leave."""
        info = table.info
        played = info.games - info.is_in_play - table.before
        if played > table.played:
            purse = info.seats[table.seat].purse
            table.won += purse > table.purse
            table.played, table.purse = played, purse
            record = Record(table=number, seat=table.seat, games=played, won=table.won, purse=purse)
            self._guarded(number, table, lambda: table.bot.game_over(record))
        if played >= table.games:
            self._leave(number)
        elif played > table.asked and not info.is_in_play:
            table.asked = played
            self._ask(lambda request: Again(request, number))

    def _leave(self, number: int) -> None:
        self._orders.pop(number, None)
        self._invited.pop(number, None)
        if self._tables.pop(number, None) is not None:
            self._ask(lambda request: Leave(request, number))

    # --- what is done ---

    def _choose(self, table: _Table, decision: Decision) -> None:
        number = decision.table
        assert table.view is not None  # a decision is always sent behind the view it is about
        view, legal = table.view, decision.legal
        chosen = self._guarded(number, table, lambda: table.bot.choose(view, legal))
        if chosen is _NOTHING:
            return
        if isinstance(chosen, Awaitable):
            thought = asyncio.ensure_future(self._think(table, decision, chosen))
            self._thoughts.add(thought)
            thought.add_done_callback(self._thoughts.discard)
            return
        self._answer(table, decision, chosen)
        if time.monotonic() - self._sent_at > HOLD_SECONDS:
            self._wire.flush()
            self._sent_at = time.monotonic()

    async def _think(self, table: _Table, decision: Decision, thought: Awaitable[Action]) -> None:
        try:
            async with asyncio.timeout(self._terms.turn):
                chosen = await thought
        except TimeoutError:
            return  # the server sees to it
        except Exception as error:  # noqa: BLE001  # the bot's own code
            self._give_up(decision.table, table, error)
        else:
            self._answer(table, decision, chosen)
        self._wire.flush()

    def _answer(self, table: _Table, decision: Decision, chosen: object) -> None:
        number = decision.table
        action = next((choice.action for choice in decision.legal if choice.action == chosen), None)
        if action is None:
            there = "; ".join(action_in_words(choice.action) for choice in decision.legal)
            self._resign(number, table)
            self._report(Illegal(f"chose {action_in_words(chosen)}, and legal were: {there}"[:400]))
        elif self._terms.slow:
            asyncio.get_running_loop().call_later(self._terms.slow, self._act, decision, action)
        else:
            self._wire.connection.send(Act(self._wire.connection.next_id(), number, decision.decision, action))

    def _act(self, decision: Decision, action: Action) -> None:
        self._wire.send(Act(self._wire.connection.next_id(), decision.table, decision.decision, action))

    def _guarded(self, number: int, table: _Table, call: Callable[[], object]) -> object:
        """What the bot's own code returns; if it fails, the game is given up."""
        try:
            return call()
        except Exception as error:  # noqa: BLE001  # the bot's own code
            self._give_up(number, table, error)
            return _NOTHING

    def _give_up(self, number: int, table: _Table, error: Exception) -> None:
        traceback.print_exception(error)
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(where.filename)}:{where.lineno}"  # noqa: PTH119  # a name, not a path
        self._resign(number, table)
        self._report(Raised(f"raised {type(error).__name__} at {place}: {error}"[:400]))

    def _resign(self, number: int, table: _Table) -> None:
        if table.info.is_in_play and table.has_resigned != table.info.games:
            table.has_resigned = table.info.games
            self._ask(lambda request: Resign(request, number))

    def _ask(self, make: Callable[[int], Request]) -> None:
        """Sent with what is sent next, and again if it came too fast."""
        request = self._wire.connection.next_id()
        self._asked[request] = make
        self._wire.connection.send(make(request))

    def _refused(self, message: Refused) -> None:
        make = self._asked.pop(message.id, None)
        if message.code == RefusalCode.TOO_FAST and make is not None:
            wait = (message.retry_after_ms or 50) / 1000
            asyncio.get_running_loop().call_later(wait, self._ask_again, make)
        elif make is None and message.code not in UNSURE:
            self._report(Illegal(f"the server refused a move: {message.says}"))

    def _ask_again(self, make: Callable[[int], Request]) -> None:
        self._ask(make)
        self._wire.flush()


class BadBot(Exception):
    """The class cannot be played; the sentence says why."""


_NOTHING = object()


async def _serve(terms: Terms, report: Callable[[Report], None], orders: int) -> None:
    loop = asyncio.get_running_loop()
    obeying = threading.Thread(target=lambda: _obey(orders, loop, runner.order), name="orders", daemon=True)
    runner = Runner(terms, load(terms.what), report, obeying.start)
    async with asyncio.TaskGroup() as tasks:
        beating = tasks.create_task(runner.beat())
        playing = tasks.create_task(runner.run())
        await playing
        beating.cancel()
    raise ConnectionError("the server closed the line")


def _obey(descriptor: int, loop: asyncio.AbstractEventLoop, order: Callable[[Order], None]) -> None:
    """Read orders, in a thread: when they end nobody is left to play for, and the bot may be blocking the loop."""
    decoder: msgspec.json.Decoder[Order] = msgspec.json.Decoder(Order)
    with os.fdopen(descriptor, "rb") as lines, suppress(OSError, RuntimeError):
        for line in lines:
            loop.call_soon_threadsafe(order, decoder.decode(line))
    os._exit(0)


def main() -> NoReturn:
    """Play as the only argument says."""
    terms = msgspec.json.decode(sys.argv[1], type=Terms)
    orders, reports = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    encode = msgspec.json.Encoder().encode

    def report(said: Report) -> None:
        os.write(reports, encode(said) + b"\n")

    try:
        asyncio.run(_serve(terms, report, orders))
    except LoadError as error:
        report(Broken(str(error), is_no_bot=True))
    except (BadBot, ClientError, ConnectionError) as error:
        report(Broken(str(error)))
    except BaseExceptionGroup as group:
        report(Broken("; ".join(str(error) or type(error).__name__ for error in group.exceptions)))
    os._exit(1)  # whatever threads the bot has left


if __name__ == "__main__":
    main()

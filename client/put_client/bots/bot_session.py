"""Session of one bot in one seat, from sitting down to leaving: events in, decisions out, games counted.

This is the only loop on the client's side that turns a decision into an action. `put-bot`, `play` and the arena run it
over a `Client`; the arena's matches in one process run it over a table's rules, without a connection.

A blocking bot has its own thread, so that a slow `choose` does not block the connection. Calls run one at a time, in
order. A running call cannot be stopped; when no task waits for it any more, it continues alone, and does not delay the
end of the program.

Laws: a bot receives everything in the order it came, and nothing while it chooses. At the end of a session the seat was
left, or the table or the connection is gone.
"""

import asyncio
import inspect
import logging
import queue
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, TypeVar

import msgspec

from put_client.bots.bot import Bot, IllegalChoice, OnError, Played, Record, action_in_words
from put_client.sdk.deal_checks import CheckFailed, DealChecked
from put_client.sdk.errors import BadServer, Cheated, NoServer, Refusal, Unanswered
from put_protocol.games.unions import Action, Event, GameView, ending_of
from put_protocol.messages import (
    Act,
    Again,
    Decision,
    Events,
    GoOn,
    Leave,
    Left,
    Pause,
    Request,
    Resign,
    TableSnapshot,
)
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import TableInfo, TableState

_Call = tuple[Callable[[], object], Callable[[object, BaseException | None], None]]

T = TypeVar("T")


class BotThread:
    """The thread. It starts with the first call, and `close` ends it after the current call."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()  # one at most: callers take turns
        self._turn = asyncio.Lock()
        self._thread: threading.Thread | None = None

    async def call(self, function: Callable[[], T]) -> T:
        async with self._turn:
            loop = asyncio.get_running_loop()
            done: asyncio.Future[tuple[object, BaseException | None]] = loop.create_future()

            def tell(result: object, error: BaseException | None) -> None:
                with suppress(RuntimeError):  # the loop has ended, and no task waits
                    loop.call_soon_threadsafe(_settle, done, (result, error))

            if self._thread is None:
                self._thread = threading.Thread(target=_think, args=(self._calls,), name=self._name, daemon=True)
                self._thread.start()
            self._calls.put((function, tell))
            # As a pair: a future takes no StopIteration, which `next` raises in a bot that finds nothing.
            result, error = await done
        if error is not None:
            raise error
        return result  # type: ignore[return-value]  # what the function returned

    def close(self) -> None:
        self._calls.put(None)


def _settle(
    done: "asyncio.Future[tuple[object, BaseException | None]]", outcome: tuple[object, BaseException | None]
) -> None:
    if not done.done():
        done.set_result(outcome)


def _think(calls: "queue.SimpleQueue[_Call | None]") -> None:
    while (call := calls.get()) is not None:
        function, tell = call
        try:
            result = function()
        except BaseException as error:  # noqa: BLE001  # it is raised where the call was made
            tell(None, error)
        else:
            tell(result, None)
        del call, function, tell  # a bot need not live on in a thread that waits


log = logging.getLogger("put_client.bots")


class Requester(Protocol):
    """Makes a session's requests; a `Client` is one implementation."""

    async def ask(self, make: Callable[[int], Request]) -> object:
        """Make a request with the id it is given. May raise the client's errors."""


@dataclass(frozen=True, slots=True)
class Enough:
    """No more games are wanted: check whether to leave."""


TableMessage = TableSnapshot | Events | Decision | DealChecked | CheckFailed | Left | Enough

Inbox = asyncio.Queue[TableMessage]

INBOX = 1_000
"""Most messages waiting for a bot that thinks. A table waits for its player, so these are only talk, enough for
hours."""

CHOICES = 3
"""Times a bot may choose for one decision, if the server refuses an action that it listed as legal."""

GONE = (RefusalCode.NOT_THERE, RefusalCode.UNKNOWN_TABLE)
"""The table is gone, and `Left` is on its way."""

OVERTAKEN = (*GONE, RefusalCode.NOT_YOUR_TURN, RefusalCode.NO_GAME, RefusalCode.PAUSED)
"""The move came too late: the clock, a departure or the server decided first, or the game is paused and will ask
again."""


class BotSession:
    """A bot at a table. Either `play` runs it from an inbox, or the caller uses `begin`, and `receive` for each
    message."""

    def __init__(
        self,
        bot: Bot,
        requests: Requester,
        table: int,
        *,
        is_enough: Callable[[int], bool],
        on_error: OnError | Callable[[Exception], None] = OnError.END,
        on_begin: Callable[[int], None] | None = None,
        on_game: Callable[[Played], None] | None = None,
        is_invited: bool = False,
        in_thread: bool = True,
        choose_s: float | None = None,
    ) -> None:
        """`is_enough`: whether to leave after this number of games. `on_error`: a callable gets the bot's error, and
        the game is given up. `on_begin` gets the number of each game before the bot sees it. `is_invited`: the bot was
        invited, and leaves when it has had company and only house players are left. `in_thread`: run a bot with plain
        methods in a thread. `choose_s`: cancel a coroutine that chooses for longer, and send nothing."""
        self._bot = bot
        self._requests = requests
        self._table = table
        self._is_enough = is_enough
        self._on_error = on_error
        self._on_begin = on_begin
        self._on_game = on_game
        self._is_invited = is_invited
        self._choose_s = choose_s
        self._has_company = False
        self._wants_events = type(bot).saw is not Bot.saw
        self._wants_records = type(bot).game_over is not Bot.game_over
        has_thread = in_thread and not inspect.iscoroutinefunction(bot.choose)
        self._thread = BotThread(f"{type(bot).__name__} at table {table}") if has_thread else None
        self.view: GameView | None = None
        """The last view of the game, which the next choice is about."""
        self._info: TableInfo | None = None
        self._ended: TableInfo | None = None
        """The table after a game whose last deal is not counted yet."""
        self._before: int | None = None
        """Games begun at the table before ours."""
        self._begun = 0
        """Number of the last game begun, as counted by the table."""

        self._resigned = 0
        self._settled = 0
        """The last decision that needs no answer. It may arrive twice after a reconnect."""
        self._record: Record

    async def play(self, seat: Seat, inbox: Inbox) -> Record:
        """Play from this seat until enough games are played or the table is gone.

        :raises IllegalChoice: the bot chose an illegal action, and errors end the session.
        :raises Cheated: the table does not deal fairly; the bot still sits there.
        :raises BadServer: the server asked for a move without a game or a choice.
        :raises Exception: any other error of the bot.
        """
        self.begin(seat)
        try:
            while not await self.receive(await inbox.get()):
                pass
        except Cheated as error:  # from the checks, or from the client when the bot was to play
            try:
                await self._call(partial(self._bot.on_fault, error), "on_fault")
            except Exception as failed:
                raise error from failed
            raise
        finally:
            if self._thread is not None:
                self._thread.close()
        return self._record

    def begin(self, seat: Seat) -> None:
        self._record = Record(table=self._table, seat=seat, games=0, won=0, purse=0)
        self._bot.table, self._bot.seat, self._bot.checked = self._table, seat, None
        log.info("table %d: sits in seat %d", self._table, seat)

    async def receive(self, message: TableMessage) -> bool:
        """Handle a message. Returns true if the session is over."""
        match message:
            case Events():
                self._update(message)
                await self._show(message.first, message.events)
                if self._bot.checked is not None and any(ending_of(event) is not None for event in message.events):
                    self._ended = message.info or self._ended
                    return False  # the record gets its last deal when that is checked, which follows
                return message.info is not None and await self._follow(message.info)
            case Decision():
                if message.decision > self._settled:
                    await self._answer(message)
            case TableSnapshot():
                self._update(message)
                return await self._follow(message.info)
            case DealChecked():
                self._bot.checked = message
                tally = message.tally
                self._record = replace(self._record, deals=tally.dealt, proved=tally.proved)
                if message.is_game_over and self._ended is not None:
                    info, self._ended = self._ended, None
                    return await self._follow(info)
            case CheckFailed():
                raise message.error
            case Left(says=says):
                log.info("table %d: no longer there: %s", self._table, says)
                return True
            case Enough():
                return self._info is not None and await self._follow(self._info)
        return False

    def _update(self, message: TableSnapshot | Events) -> None:
        self.view = message.view or self.view
        if message.info is None:
            return
        self._info = self._bot.info = message.info
        if message.info.games > self._begun:
            self._begun = message.info.games
            if self._on_begin is not None:
                self._on_begin(self._begun)

    async def _show(self, first: int, events: tuple[Event, ...]) -> None:
        if _is_logged():
            for number, event in enumerate(events, first):
                log.debug("table %d: event %d: %s", self._table, number, msgspec.json.encode(event).decode())
        if events and self._wants_events:
            view = self.view

            def show() -> None:
                for event in events:
                    self._bot.saw(event, view)

            await self._call(show, "saw")

    async def _follow(self, info: TableInfo) -> bool:
        """React to the state of the table. Returns true if the session is over."""
        seat = self._record.seat
        await self._count(info)
        if not info.is_in_play and self._is_enough(self._record.games):
            await self._insist(Leave)
            return True
        others = [chair for number, chair in enumerate(info.seats) if number != seat and not chair.is_house]
        is_alone = all(chair.name is None for chair in others)
        if self._is_invited and self._has_company and is_alone and not info.is_in_play:
            log.info("table %d: left alone, and leaves", self._table)
            await self._insist(Leave)
            return True
        self._has_company = self._has_company or not is_alone
        if info.pause is not None and seat not in info.pause.seats:
            agree = GoOn if info.state is TableState.PAUSED else Pause
            await self._insist(agree, (RefusalCode.ALREADY_THERE, RefusalCode.PAUSED, RefusalCode.NO_GAME))
        if self._record.games and not info.is_in_play and not info.seats[seat].agrees:
            overtaken = (RefusalCode.ALREADY_THERE, RefusalCode.GAME_IN_PLAY, RefusalCode.TOO_LATE)
            await self._insist(Again, overtaken)
        return False

    async def _count(self, info: TableInfo) -> None:
        if self._before is None:
            self._before = info.games - info.is_in_play
        over, record = info.games - self._before - info.is_in_play, self._record
        if over <= record.games:
            return
        purse = info.seats[record.seat].purse
        won = purse > record.purse
        self._record = replace(record, games=over, won=record.won + won, purse=purse)
        log.info("table %d: game %d %s, purse %+d", self._table, over, "won" if won else "not won", purse)
        if self._on_game is not None:
            self._on_game(Played(table=self._table, won=won, paid=purse - record.purse))
        if self._wants_records:
            await self._call(lambda: self._bot.game_over(self._record), "game_over")

    async def _answer(self, decision: Decision) -> None:
        if self.view is None or not decision.legal:
            raise BadServer("it asked for a move, and gave no game or no choice")
        error: Refusal | None = None
        for _ in range(CHOICES):
            begun = time.monotonic()
            action = await self._choose(decision, self.view)
            if action is None:
                return
            took = time.monotonic() - begun
            if _is_logged():
                log.debug("table %d: decision %d: %s", self._table, decision.decision, action_in_words(action))
            error = await self._act(decision, action)
            match error and error.code:
                case None:
                    return
                case RefusalCode.TOO_LATE:
                    self._settled = decision.decision
                    log.warning("table %d: decision %d: too late, after %.1f s", self._table, decision.decision, took)
                    return
                case RefusalCode.ILLEGAL:
                    log.warning("table %d: decision %d: %s", self._table, decision.decision, error)
                    others = tuple(choice for choice in decision.legal if choice.action != action)
                    if not others:
                        break
                    decision = msgspec.structs.replace(
                        decision, legal=others
                    )  # the bot chooses among what was not refused
                case code if code in OVERTAKEN:
                    return
                case _:
                    break
        if error is not None:
            raise error

    async def _act(self, decision: Decision, action: Action) -> Refusal | None:
        try:
            await self._requests.ask(lambda request: Act(request, self._table, decision.decision, action))
            self._settled = decision.decision
        except (Unanswered, NoServer):
            pass  # if it still needs an answer, the decision comes again when the connection is back
        except Refusal as error:
            return error
        return None

    async def _choose(self, decision: Decision, view: GameView) -> Action | None:
        """The legal action that the bot chose; None: send none."""
        try:
            choose = partial(self._bot.choose, view, decision.legal)
            chosen: Any = choose() if self._thread is None else await self._thread.call(choose)
            if not isinstance(chosen, msgspec.Struct) and isinstance(chosen, Awaitable):
                limit = asyncio.timeout(self._choose_s)
                try:
                    async with limit:
                        chosen = await chosen
                except TimeoutError:
                    if limit.expired():
                        return None
                    raise
            for choice in decision.legal:
                if choice.action == chosen:
                    return choice.action
            raise IllegalChoice(self._bot, chosen, decision.legal)
        except Exception as error:  # noqa: BLE001  # a bot may raise anything
            await self._fail(error, "choose")
        return decision.legal[0].action if self._on_error is OnError.FIRST else None

    async def _call(self, function: Callable[[], object], name: str) -> None:
        try:
            if self._thread is None:
                function()
            else:
                await self._thread.call(function)
        except Exception as error:  # noqa: BLE001  # a bot may raise anything
            await self._fail(error, name)

    async def _fail(self, error: Exception, name: str) -> None:
        if self._on_error is OnError.END:
            raise error
        if self._on_error is OnError.FIRST:
            log.error("table %d: the bot failed in %s, and plays on", self._table, name, exc_info=error)
            return
        self._on_error(error)
        if self._info is not None and self._info.is_in_play and self._resigned != self._info.games:
            self._resigned = self._info.games
            await self._insist(Resign, (RefusalCode.NO_GAME,))

    async def _insist(self, kind: Callable[[int, int], Request], done: tuple[RefusalCode, ...] = ()) -> None:
        """Repeat a request about the table until the server answers `ok`, or refuses it because it is already done."""
        while True:
            try:
                await self._requests.ask(lambda request: kind(request, self._table))
                return
            except (Unanswered, NoServer):
                continue  # the connection dropped; once it is given up for good, the next attempt raises that
            except Refusal as error:
                if error.code not in (*done, *GONE):
                    raise
                return


def _is_logged() -> bool:
    return log.isEnabledFor(logging.DEBUG)

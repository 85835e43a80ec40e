"""One bot in one seat, from sitting down to leaving: it hears what comes, answers what is asked, and keeps count.

Laws: a bot hears everything in the order it came, and nothing while it thinks. A request that was refused for haste is
made again when the time is over. Whatever ends the sitting, the seat was left, or the table or the connection is gone.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import msgspec

from put_client.bots.bot import Bot, IllegalChoice, OnError, Played, Record, action_in_words, is_coroutine_bot
from put_client.bots.bot_thread import BotThread
from put_client.sdk.client import Client
from put_client.sdk.deal_checks import DealChecked, SealBroken
from put_client.sdk.errors import Cheated, NoServer, Refusal, Unanswered
from put_protocol.games.put import (
    GameEnded,
)
from put_protocol.games.unions import (
    Action,
    Event,
    GameView,
)
from put_protocol.messages import Decision, Events, Left, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import (
    TableInfo,
    TableState,
)

log = logging.getLogger("put_client.bots")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Enough:
    """No more games are wanted: look whether to leave."""


Heard = TableSnapshot | Events | Decision | DealChecked | SealBroken | Left | Enough
"""What is said to one table's bot."""

HEARD = 1_000
"""Messages that may wait for a bot that thinks. A table waits for its player, so this is talk, for hours."""

CHOICES = 3
"""Times a bot may choose for one decision, should the server refuse what it listed as legal itself."""

_OVERTAKEN = (RefusalCode.TOO_LATE, RefusalCode.NOT_YOUR_TURN, RefusalCode.NO_GAME, RefusalCode.PAUSED)
"""Time, or somebody's leaving, decided first; or the game rests, and asks again when it goes on."""


class BotSession:
    """A bot at a table. `heard` is filled by whoever reads the connection; `play` is to be called once."""

    def __init__(
        self,
        bot: Bot,
        client: Client,
        table: int,
        heard: "asyncio.Queue[Heard]",
        *,
        is_enough: Callable[[int], bool],
        on_error: OnError = OnError.END,
        on_game: Callable[[Played], None] | None = None,
        is_guest: bool = False,
    ) -> None:
        """`is_enough`: whether to leave, after so many games here. `is_guest`: it was invited, and leaves when it has
        had company and nobody but the house is left."""
        self._bot = bot
        self._client = client
        self._table = table
        self._heard = heard
        self._is_enough = is_enough
        self._on_error = on_error
        self._on_game = on_game
        self._is_guest = is_guest
        self._has_company = False
        self._hears_events = type(bot).saw is not Bot.saw
        self._hears_records = type(bot).game_over is not Bot.game_over
        self._thread = None if is_coroutine_bot(bot) else BotThread(f"{type(bot).__name__} at table {table}")
        self._view: GameView | None = None
        self._info: TableInfo | None = None
        self._ended: TableInfo | None = None
        """The table after a game whose last deal is still to be counted."""
        self._before: int | None = None
        """Games that were begun at the table before ours."""
        self._settled = 0
        """The last decision that needs no answer any more. It may come twice, if the connection dropped meanwhile."""
        self._record: Record

    async def play(self, seat: Seat) -> Record:
        """From this seat, until the games are played or the table is gone.

        :raises IllegalChoice: the bot chose what is not legal, and errors end everything.
        :raises Cheated: the deals at the table are not fair; the bot sits there still.
        :raises Exception: whatever else the bot raises.
        """
        self._record = Record(table=self._table, seat=seat, games=0, won=0, purse=0)
        self._bot.table, self._bot.seat, self._bot.checked = self._table, seat, None
        log.info("table %d: sits in seat %d", self._table, seat)
        try:
            while not await self._hear(await self._heard.get()):
                pass
        except Cheated as error:  # heard from the client, or met with when it was to play
            try:
                await self._call(partial(self._bot.on_fault, error), "on_fault")
            except Exception as failed:
                raise error from failed
            raise
        finally:
            if self._thread is not None:
                self._thread.close()
        return self._record

    async def _hear(self, message: Heard) -> bool:
        """Whether this was the end."""
        match message:
            case SealBroken():
                raise message.error
            case DealChecked():
                self._bot.checked = message
                tally = message.tally
                self._record = replace(self._record, deals=tally.dealt, proved=tally.proved)
                if message.is_game_over and self._ended is not None:
                    info, self._ended = self._ended, None
                    return await self._look(info)
            case Left(says=says):
                log.info("table %d: no longer there: %s", self._table, says)
                return True
            case Enough():
                return self._info is not None and await self._look(self._info)
            case Decision() if message.decision > self._settled:
                await self._answer(message)
            case Decision():
                pass
            case TableSnapshot() | Events():
                self._view = message.view or self._view
                if message.info is not None:
                    self._info = self._bot.info = message.info
                if isinstance(message, Events):
                    await self._see(message.first, message.events)
                    if self._bot.checked is not None and _ends_game(message.events):
                        self._ended = message.info or self._ended
                        return False  # the record has its last deal when that is checked, which follows
                if message.info is not None:
                    return await self._look(message.info)
        return False

    async def _see(self, first: int, events: tuple[Event, ...]) -> None:
        if log.isEnabledFor(logging.DEBUG):
            for number, event in enumerate(events, first):
                log.debug("table %d: event %d: %s", self._table, number, msgspec.json.encode(event).decode())
        if events and self._hears_events:
            view = self._view

            def tell() -> None:
                for event in events:
                    self._bot.saw(event, view)

            await self._call(tell, "saw")

    async def _look(self, info: TableInfo) -> bool:
        """Do what the state of the table asks for. Whether the sitting is over."""
        seat = self._record.seat
        await self._count(info)
        if not info.is_in_play and self._is_enough(self._record.games):
            await self._leave()
            return True
        others = [chair for number, chair in enumerate(info.seats) if number != seat and not chair.is_house]
        is_alone = all(chair.name is None for chair in others)
        if self._is_guest and self._has_company and is_alone and not info.is_in_play:
            log.info("table %d: left alone, and leaves", self._table)
            await self._leave()
            return True
        self._has_company = self._has_company or not is_alone
        if info.pause is not None and seat not in info.pause.seats:
            wish = self._client.go_on if info.state is TableState.PAUSED else self._client.pause
            await self._insist(wish, (RefusalCode.ALREADY_THERE, RefusalCode.PAUSED, RefusalCode.NO_GAME))
        if self._record.games and not info.is_in_play and not info.seats[seat].agrees:
            await self._insist(self._client.again, (RefusalCode.ALREADY_THERE, RefusalCode.GAME_IN_PLAY))
        return False

    async def _count(self, info: TableInfo) -> None:
        if self._before is None:
            self._before = info.games
        over, record = info.games - self._before - info.is_in_play, self._record
        if over <= record.games:
            return
        purse = info.seats[record.seat].purse
        won = purse > record.purse
        self._record = replace(record, games=over, won=record.won + won, purse=purse)
        log.info("table %d: game %d %s, purse %+d", self._table, over, "won" if won else "not won", purse)
        if self._on_game is not None:
            self._on_game(Played(table=self._table, won=won, paid=purse - record.purse))
        if self._hears_records:
            await self._call(lambda: self._bot.game_over(self._record), "game_over")

    # --- the bot ---

    async def _answer(self, decision: Decision) -> None:
        assert self._view is not None  # a decision is always sent behind the view it is about
        error: Refusal | None = None
        for _ in range(CHOICES):
            begun = time.monotonic()
            action = await self._choose(decision, self._view)
            took = time.monotonic() - begun
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
                case code if code in _OVERTAKEN:
                    return
                case _:
                    break
        if error is not None:
            raise error

    async def _act(self, decision: Decision, action: Action) -> Refusal | None:
        """Why it was refused, if it was."""
        try:
            await patiently(lambda: self._client.act(self._table, decision.decision, action))
            self._settled = decision.decision
        except (Unanswered, NoServer):
            pass  # if it is still to be answered, it is asked again when the connection is back
        except Refusal as error:
            return error
        return None

    async def _choose(self, decision: Decision, view: GameView) -> Action:
        try:
            if self._thread is None:
                chosen: Any = self._bot.choose(view, decision.legal)
            else:
                chosen = await self._thread.call(lambda: self._bot.choose(view, decision.legal))
            if isinstance(chosen, Awaitable):
                chosen = await chosen
            for choice in decision.legal:
                if choice.action == chosen:
                    return choice.action
            raise IllegalChoice(self._bot, chosen, decision.legal)
        except Exception:  # a bot may raise what it likes, and whoever runs it said what becomes of it
            if self._on_error is OnError.END:
                raise
            log.exception("table %d: the bot failed, and the first legal action is taken", self._table)
            return decision.legal[0].action

    async def _call(self, function: Callable[[], T], name: str) -> None:
        try:
            if self._thread is None:
                function()
            else:
                await self._thread.call(function)
        except Exception:  # the same
            if self._on_error is OnError.END:
                raise
            log.exception("table %d: the bot failed in %s", self._table, name)

    # --- the table ---

    async def _leave(self) -> None:
        await self._insist(self._client.leave, (RefusalCode.NOT_THERE, RefusalCode.UNKNOWN_TABLE))

    async def _insist(self, request: Callable[[int], Awaitable[None]], heard: tuple[RefusalCode, ...]) -> None:
        """Ask until it is known to have been heard: by an answer, or by a refusal that says so."""
        while True:
            try:
                return await patiently(lambda: request(self._table))
            except (Unanswered, NoServer):
                continue  # the connection dropped; when it is given up for good, the next attempt says so
            except Refusal as error:
                if error.code not in (*heard, RefusalCode.NOT_THERE, RefusalCode.UNKNOWN_TABLE):
                    raise
                return None  # if the table is gone, `Left` is on its way


def _ends_game(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, GameEnded) and not event.goes_on for event in events)


async def patiently(request: Callable[[], Awaitable[T]]) -> T:
    """The same, asked again as long as it is refused for haste, when it may be."""
    while True:
        try:
            return await request()
        except Refusal as error:
            if error.code != RefusalCode.TOO_FAST or error.retry_after_ms is None:
                raise
            log.debug("asked too fast, and waits %d ms", error.retry_after_ms)
            await asyncio.sleep(error.retry_after_ms / 1000)

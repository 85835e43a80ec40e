"""A bot is one method: shown a view and the legal actions, it chooses one.

class Bold(Bot):
    def choose(self, view, legal):
        return next((choice.action for choice in legal if choice.action == Put()), legal[0].action)

async with await Client.connect("localhost", 1674, name="Bold", is_bot=True) as client:
    record = await play(Bold(), client, house="steady", games=10)
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from put_client.client import Client
from put_client.errors import NoServer, Refusal, Unanswered
from put_client.sealed import SealBroken
from put_protocol.actions import Action, Choice
from put_protocol.events import Event
from put_protocol.messages import Decision, Events, Left, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.views import GameView, TableInfo, TableState


class Bot:
    """A player. Override `choose`; it may be a coroutine."""

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action | Awaitable[Action]:
        """One of the legal actions."""
        raise NotImplementedError

    def saw(self, event: Event, view: GameView | None) -> None:
        """Something happened; the view is as of the last event that came with it."""


class RandomBot(Bot):
    """Any legal action, by the dice it is given."""

    def __init__(self, dice: random.Random | None = None) -> None:
        self._dice = dice or random.Random()

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        return self._dice.choice(legal).action


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """How a bot did."""

    table: int
    seat: Seat
    games: int
    """Played to their end."""
    won: int
    purse: int
    """Stakes won less stakes lost."""


async def play(
    bot: Bot,
    client: Client,
    *,
    table: int | None = None,
    game: str = "put-1674",
    seats: int = 2,
    house: str = "",
    games: int = 1,
    passcode: str = "",
) -> Record:
    """Sit down, at a table opened for it if none is named, play so many games, and leave.

    A table opened waits for company, or is filled up with house players of this name. A pause that others ask for is
    agreed to, and never a reason to wait longer than they. Iterates over the client, so nobody else may meanwhile.

    :raises ValueError: the bot chose what is not legal.
    :raises Cheated: the deals at the table are not fair; the bot sits there still.
    :raises ClientError: as the client does.
    """
    is_ours = table is None
    if table is None:
        table = await client.open_table(game, seats=seats, passcode=passcode)
    seat = await client.sit(table, passcode=passcode)
    if is_ours and house:
        for _ in range(seats - 1):
            await client.invite(table, house=house)
    view: GameView | None = None
    before: int | None = None
    played = won = purse = 0
    async for message in client:
        info: TableInfo | None = None
        match message:
            case SealBroken() if message.table == table:
                raise message.error
            case Left() if message.table == table:
                return Record(table=table, seat=seat, games=played, won=won, purse=purse)
            case TableSnapshot() | Events() if message.table == table:
                info, view = message.info, message.view or view
                for event in message.events if isinstance(message, Events) else ():
                    bot.saw(event, view)
            case Decision() if message.table == table:
                assert view is not None  # a decision is always sent behind the view it is about
                await _answer(bot, client, message, view)
            case _:
                pass
        if info is None:
            continue
        if before is None:
            before = info.games
        over = info.games - before - info.is_in_play
        if over > played:
            won += info.seats[seat].purse > purse
            played, purse = over, info.seats[seat].purse
        if played >= games:
            await _insist(client.leave, table, (RefusalCode.NOT_THERE, RefusalCode.UNKNOWN_TABLE))
            break
        if info.pause is not None and seat not in info.pause.seats:
            wish = client.go_on if info.state is TableState.PAUSED else client.pause
            await _insist(wish, table, (RefusalCode.ALREADY_THERE, RefusalCode.PAUSED, RefusalCode.NO_GAME))
        if played and not info.is_in_play and not info.seats[seat].agrees:
            await _insist(client.again, table, (RefusalCode.ALREADY_THERE, RefusalCode.GAME_IN_PLAY))
    return Record(table=table, seat=seat, games=played, won=won, purse=purse)


_OVERTAKEN = (RefusalCode.TOO_LATE, RefusalCode.NOT_YOUR_TURN, RefusalCode.NO_GAME, RefusalCode.PAUSED)
"""Time, or somebody's leaving, decided first; or the game rests, and asks again when it goes on."""


async def _answer(bot: Bot, client: Client, decision: Decision, view: GameView) -> None:
    chosen = bot.choose(view, decision.legal)
    action = await chosen if isinstance(chosen, Awaitable) else chosen
    if all(action != choice.action for choice in decision.legal):
        raise ValueError(f"{action} is none of the legal actions")
    while True:
        try:
            await client.act(decision.table, decision.decision, action)
        except (Unanswered, NoServer):
            pass  # if it is still to be answered, it is asked again when the line is back
        except Refusal as error:
            if error.code == RefusalCode.TOO_FAST and error.retry_after_ms is not None:
                await asyncio.sleep(error.retry_after_ms / 1000)
                continue
            if error.code not in _OVERTAKEN:
                raise
        return


async def _insist(request: Callable[[int], Awaitable[None]], table: int, heard: tuple[RefusalCode, ...]) -> None:
    """Ask until it is known to have been heard: by an answer, or by a refusal that says so."""
    while True:
        try:
            return await request(table)
        except (Unanswered, NoServer):
            continue  # the line dropped; when it is given up for good, the next attempt says so
        except Refusal as error:
            if error.code not in heard:
                raise
            return None

"""A bot is one method: shown a view and the legal actions, it chooses one.

class Bold(Bot):
    def choose(self, view, legal):
        return next((choice.action for choice in legal if choice.action == Put()), legal[0].action)

async with await Client.connect("localhost", 1674, name="Bold", is_bot=True) as client:
    record = await play(Bold(), client, house="steady", games=10)

`play` is one bot at one table, `play_tables` several at several, `play_invited` at as many as others ask them to. Each
iterates over the client, so nobody else may meanwhile. Drops are the client's affair: whoever plays need not know.
Errors of the bot's own come out as they are; `IllegalChoice` is a choice that was not legal. What is seen and done is
logged by `put_client.bots`: games at INFO, and at DEBUG every event and choice, with no cards but the bot's own.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, TypedDict, TypeVar, Unpack

from put_client.bots.bot import Bot, OnError, Played, Record
from put_client.bots.bot_session import BotSession, Heard, log, patiently
from put_client.bots.table_router import TableRouter
from put_client.sdk.client import Client
from put_client.sdk.errors import NoServer, Refusal, Unanswered
from put_protocol.messages import Invited
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import (
    Admits,
)

T = TypeVar("T")


class BadTerms(ValueError):
    """What was asked for cannot be played: more tables than games, or more guests than seats."""


class Terms(TypedDict, total=False):
    """What is played at a table that is opened, and by whom; all of it may be left out."""

    game: str
    """The rule set: `put-1674`."""
    seats: int | None
    """None: as few as the rule set has."""
    options: Mapping[str, int | str]
    """Of the rule set."""
    turn: int
    """Seconds for each decision; 0, as it is by default: no limit."""
    bank: int
    """Seconds a player may be disconnected during a game, in all: 300."""
    guests: Sequence[str]
    """Who is invited into the other seats, by name: people, or bots that wait for it."""
    house: str
    """The house player invited into each of the seats that are left; empty: wait for company."""
    admits: Admits
    """Who may sit; by default all."""


async def play(
    bot: Bot,
    client: Client,
    *,
    table: int | None = None,
    games: int = 1,
    passcode: str = "",
    on_error: OnError = OnError.END,
    on_game: Callable[[Played], None] | None = None,
    **terms: Unpack[Terms],
) -> Record:
    """Sit down, at a table opened for it if none is named, play so many games, and leave.

    A table opened waits for company, or is filled up with house players. A pause that others ask for is agreed to, and
    never a reason to wait longer than they. Ends early, with what was played, when the table is gone.

    :raises IllegalChoice: the bot chose what is not legal. Like any error of the bot's it leaves the bot in its seat:
        closing the client gives the game up.
    :raises BadTerms: more guests are invited than there are seats.
    :raises Cheated: the deals at the table are not fair; the bot sits there still.
    :raises ClientError: as the client does.
    """
    board = TableRouter(client)
    sitting = _at_one(lambda: bot, client, board, table, games, passcode, on_error, on_game, terms)
    (record,) = await _together(board, [sitting])
    return record


async def play_tables(
    make: Callable[[], Bot],
    client: Client,
    *,
    tables: int,
    games: int,
    passcode: str = "",
    on_error: OnError = OnError.END,
    on_game: Callable[[Played], None] | None = None,
    **terms: Unpack[Terms],
) -> tuple[Record, ...]:
    """The same at several tables at once, each opened for a bot made for it, which share the games out among them.

    :raises BadTerms: so many there cannot be.
    """
    most = client.welcome.limits.tables
    if not 1 <= tables <= min(games, most):
        why = f"the server allows {most}" if tables > most else "each has at least one game"
        raise BadTerms(f"{games} game{'' if games == 1 else 's'} cannot be played at {tables} tables: {why}")
    board = TableRouter(client)
    shares = [games // tables + (number < games % tables) for number in range(tables)]
    return await _together(
        board, [_at_one(make, client, board, None, share, passcode, on_error, on_game, terms) for share in shares]
    )


async def play_invited(
    make: Callable[[], Bot],
    client: Client,
    *,
    games: int | None = None,
    on_error: OnError = OnError.END,
    on_game: Callable[[Played], None] | None = None,
) -> int:
    """Wait to be invited, and sit down wherever that is, with a bot made for each table; at many tables at once.

    At each it plays as long as anybody will, and leaves when it is left alone with the house. Returns the number of
    games played: when so many were (those in play meanwhile are played to their end), or when the client is closed.
    """
    guests = _Guests(make, client, games, on_error, on_game)
    await _together(guests.board, [guests.wait()])
    return guests.played


async def _at_one(
    make: Callable[[], Bot],
    client: Client,
    board: TableRouter,
    table: int | None,
    games: int,
    passcode: str,
    on_error: OnError,
    on_game: Callable[[Played], None] | None,
    terms: Terms,
) -> Record:
    bot, house, seats, guests = make(), "", 0, tuple[str, ...]()
    if table is None:
        game, house = terms.get("game", "put-1674"), terms.get("house", "")
        guests = tuple(terms.get("guests", ()))
        offered = [offer.seats for offer in client.welcome.games if offer.name == game]
        seats = terms.get("seats") or min((count for counts in offered for count in counts), default=2)
        if len(guests) >= seats:
            raise BadTerms(f"{len(guests)} guests find no seat at a table for {seats}")
        table = await patiently(
            lambda: client.open_table(
                game,
                seats=seats,
                options=terms.get("options"),
                turn=terms.get("turn", 0),
                bank=terms.get("bank", 300),
                passcode=passcode,
                admits=terms.get("admits", Admits.ALL),
            )
        )
    number = table
    line = board.connect(number)
    try:
        seat = await patiently(lambda: client.sit(number, passcode=passcode))
        places = [place for place in range(seats) if place != seat]
        for place, guest in zip(places, guests, strict=False):
            await patiently(partial(client.invite, number, place, person=guest))
        for place in places[len(guests) :] if house else ():
            await patiently(partial(client.invite, number, place, house))
        sitting = BotSession(
            bot, client, number, line, is_enough=lambda played: played >= games, on_error=on_error, on_game=on_game
        )
        return await sitting.play(seat)
    finally:
        board.disconnect(number, line)


class _Guests:
    """Bots that are invited, each to a table."""

    def __init__(
        self,
        make: Callable[[], Bot],
        client: Client,
        games: int | None,
        on_error: OnError,
        on_game: Callable[[Played], None] | None,
    ) -> None:
        self.board = TableRouter(client, self._hear)
        self.played = 0
        self._make = make
        self._client = client
        self._games = games
        self._on_error = on_error
        self._on_game = on_game
        self._invited: dict[int, Invited] = {}
        """The last invitation to each table that was not yet taken up; bounded by how many tables we may be at."""
        self._changed = asyncio.Event()
        self._is_over = False

    def _hear(self, invited: Invited | None) -> None:
        self._changed.set()
        if invited is None:
            self._is_over = True
            return
        log.info("table %d: invited by %s", invited.table, invited.by)
        if invited.table not in self._invited and len(self._invited) >= self._client.welcome.limits.tables:
            log.warning("table %d: there is no room for another invitation", invited.table)
            return
        self._invited[invited.table] = invited

    def _is_enough(self, _: int = 0) -> bool:
        return self._games is not None and self.played >= self._games

    def _count(self, played: Played) -> None:
        self.played += 1
        if self._on_game is not None:
            self._on_game(played)
        if self._is_enough():
            self._changed.set()

    async def wait(self) -> None:
        """Until there were games enough, or nobody can invite us any more."""
        log.info("waits to be invited, as %s", self._client.name)
        at: set[asyncio.Task[None]] = set()
        async with asyncio.TaskGroup() as tasks:
            while not self._is_enough() and not self._is_over:
                await self._changed.wait()
                self._changed.clear()
                for table in [table for table in self._invited if not self.board.is_connected(table)]:
                    if len(at) < self._client.welcome.limits.tables:
                        invited = self._invited.pop(table)
                        sitting = tasks.create_task(self._sit(invited, self.board.connect(table)))
                        at.add(sitting)
                        sitting.add_done_callback(at.discard)
            await self.board.enough()

    async def _sit(self, invited: Invited, line: "asyncio.Queue[Heard]") -> None:
        table = invited.table
        try:
            seat = await self._seat(invited)
            if seat is None:
                return
            sitting = BotSession(
                self._make(),
                self._client,
                table,
                line,
                is_enough=self._is_enough,
                on_error=self._on_error,
                on_game=self._count,
                is_guest=True,
            )
            await sitting.play(seat)
        finally:
            self.board.disconnect(table, line)
            self._changed.set()  # there is room again

    async def _seat(self, invited: Invited) -> Seat | None:
        """The seat had; None: there was none to be had."""
        try:
            return await patiently(lambda: self._client.sit(invited.table, invited.seat))
        except Refusal as error:
            if error.code not in _NO_SEAT:
                raise
            log.info("table %d: no seat: %s", invited.table, error)
        except (Unanswered, NoServer) as error:
            log.info("table %d: %s", invited.table, error)
        return None


_NO_SEAT = frozenset(
    {
        RefusalCode.UNKNOWN_TABLE,
        RefusalCode.SEAT_TAKEN,
        RefusalCode.NO_SUCH_SEAT,
        RefusalCode.GAME_IN_PLAY,
        RefusalCode.ALREADY_THERE,
        RefusalCode.NOT_ADMITTED,
        RefusalCode.WRONG_PASSCODE,
        RefusalCode.TOO_MANY_TABLES,
        RefusalCode.DRAINING,
    }
)
"""Why somebody who is invited may find no seat; they wait for the next invitation."""


async def _together(board: TableRouter, playing: list[Coroutine[Any, Any, T]]) -> tuple[T, ...]:
    """What each of them returns, while the board is read. What fails first is raised as it is, and ends the others."""
    failed: BaseException | None = None
    results: list[asyncio.Task[T]] = []
    try:
        async with asyncio.TaskGroup() as tasks:
            reading = tasks.create_task(board.run())
            results = [tasks.create_task(one) for one in playing]
            await asyncio.wait(results)
            reading.cancel()
    except BaseExceptionGroup as group:
        failed = group
    while isinstance(failed, BaseExceptionGroup):
        failed = failed.exceptions[0]
    if failed is not None:
        raise failed
    return tuple([one.result() for one in results])

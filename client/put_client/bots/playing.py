"""Playing of bots over a client: one bot at one table, several at several, or wherever others invite it.

    class Bold(Bot):
        def choose(self, view, legal):
            return next((choice.action for choice in legal if choice.action == Put()), legal[0].action)

    async with connect("localhost", 1674, name="Bold", is_bot=True) as client:
        record = await play(Bold(), client, house="steady", games=10)

Each function iterates over the client, so no other code may do so meanwhile. One task takes all messages in order, and
passes them to the sessions of their tables, and invitations to one callback. It waits for a table with a full inbox, so
all other tables wait too. The client handles drops: the functions continue when the connection is back. Errors of the
bot are raised unchanged; `IllegalChoice` means an illegal action. The logger `put_client.bots` logs games at INFO, and
every event and choice at DEBUG, with only the bot's own cards and those on the table.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, TypeVar, Unpack

from put_client.bots.bot import Bot, OnError, Played, Record
from put_client.bots.bot_session import INBOX, BotSession, Enough, Inbox, log
from put_client.sdk.client import Client
from put_client.sdk.deal_checks import CheckFailed, DealChecked, DealWarning
from put_client.sdk.errors import NoServer, Refusal, Unanswered
from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_protocol.messages import Decision, Events, Invited, Left, Notice, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import Admits
from put_protocol.text import counted
from put_runtime.system_errors import unwrapped


class TableRouter:
    """The inboxes of all tables. Connect a table before asking for a seat there."""

    def __init__(self, client: Client, on_invited: Callable[[Invited | None], None] = lambda _: None) -> None:
        """`on_invited` gets each invitation, and None after the last one. It must not block."""
        self._client = client
        client.is_patient = True
        self._on_invited = on_invited
        self._inboxes: dict[int, Inbox] = {}
        self._seated: set[int] = set()
        """Tables that have sent a message to our seat."""

    def is_connected(self, table: int) -> bool:
        return table in self._inboxes

    def connect(self, table: int) -> Inbox:
        assert table not in self._inboxes, f"table {table} is connected already"
        inbox: Inbox = asyncio.Queue(INBOX)
        self._inboxes[table] = inbox
        return inbox

    def disconnect(self, table: int, inbox: Inbox) -> None:
        """Stop delivering to this inbox. Idempotent."""
        if self._inboxes.get(table) is inbox:
            self._forget(table)
        while not inbox.empty():  # a task that waits for room there need not wait any longer
            inbox.get_nowait()

    async def enough(self) -> None:
        for inbox in list(self._inboxes.values()):
            await inbox.put(Enough())

    async def run(self) -> None:
        """Returns when the client is closed; otherwise raises the error that ended the connection."""
        async for message in self._client:
            match message:
                case TableSnapshot() | Events() | Decision() | DealChecked() | CheckFailed():
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
                case DealWarning(says=says):
                    log.warning("%s", says)
                case Notice(says=says):
                    log.info("the server says: %s", says)
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


T = TypeVar("T")

NO_SEAT = (
    *(RefusalCode.UNKNOWN_TABLE, RefusalCode.SEAT_TAKEN, RefusalCode.NO_SUCH_SEAT, RefusalCode.GAME_IN_PLAY),
    *(RefusalCode.ALREADY_THERE, RefusalCode.NOT_ADMITTED, RefusalCode.WRONG_PASSCODE),
    *(RefusalCode.TOO_MANY_TABLES, RefusalCode.DRAINING),
)
"""Refusals after which an invited bot waits for the next invitation."""


class BadTerms(ValueError):
    """Impossible terms: more tables than games, or more guests than seats."""


class Terms(TypedDict, total=False):
    """The table to open, and its players; all keys are optional."""

    game: str
    """The rule set; default `put-1674`."""
    seats: int | None
    """Number of seats; None: the fewest that the rule set allows."""
    options: Mapping[str, int | str]
    """Options of the rule set."""
    turn: int
    """Seconds for each decision; 0, the default: no limit."""
    bank: int
    """Total seconds for which a player may be disconnected in a game; default 300."""
    guests: Sequence[str]
    """Names of guests to invite: people, or waiting bots."""
    house: str
    """House player to invite into each remaining seat; empty: wait for guests."""
    admits: Admits
    """Guests who may sit there; default all."""


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
    """Sit down, at a new table if none is given, play a number of games, and leave.

    A new table waits for guests, or is filled with house players. The bot agrees to every pause, and to every end of
    one. If the table closes, it returns early with the games played.

    :raises IllegalChoice: the bot chose an illegal action. As after any error of the bot it still sits there: closing
    the client gives the game up.
    :raises BadTerms: there are more guests than seats.
    :raises Cheated: the table does not deal fairly; the bot still sits there.
    :raises ClientError: as in the client.
    """
    at = _Tables(client, _sessions(lambda: bot, client, on_error, on_game), TableRouter(client), passcode)
    (record,) = await _run_all(at.router, [at.play(table, games, terms)])
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
    """Play at several new tables at once, with a new bot for each; they share the games.

    :raises BadTerms: the server does not allow this number of tables, or there are fewer games than tables.
    """
    most = client.welcome.limits.tables
    if not 1 <= tables <= min(games, most):
        why = f"the server allows {most}" if tables > most else "each has at least one game"
        raise BadTerms(f"{counted(games, 'game')} cannot be played at {tables} tables: {why}")
    at = _Tables(client, _sessions(make, client, on_error, on_game), TableRouter(client), passcode)
    shares = [games // tables + (number < games % tables) for number in range(tables)]
    return await _run_all(at.router, [at.play(None, share, terms) for share in shares])


async def play_invited(
    make: Callable[[], Bot],
    client: Client,
    *,
    games: int | None = None,
    on_error: OnError = OnError.END,
    on_game: Callable[[Played], None] | None = None,
) -> int:
    """Wait for invitations, and sit down at each table with a new bot; several tables at once.

    A bot plays as long as others do, and leaves when only house players are left. After `games` games (those in play
    are finished), or when the client is closed, it returns the number of games played.
    """
    invitations = _Invitations(client, games, on_game)
    invitations.session = _sessions(make, client, on_error, invitations.count)
    await _run_all(invitations.router, [invitations.follow()])
    return invitations.played


def _sessions(
    make: Callable[[], Bot], client: Client, on_error: OnError, on_game: Callable[[Played], None] | None
) -> Callable[..., BotSession]:
    return lambda table, **own: BotSession(make(), client, table, on_error=on_error, on_game=on_game, **own)


@dataclass(frozen=True, slots=True)
class _Tables:
    """Tables at which bots sit down by themselves."""

    client: Client
    session: Callable[..., BotSession]
    router: TableRouter
    passcode: str

    async def play(self, table: int | None, games: int, terms: Terms) -> Record:
        client = self.client
        number, seats = (table, 0) if table is not None else await self._open(terms)
        inbox = self.router.connect(number)
        try:
            seat = await client.sit(number, passcode=self.passcode)
            await self._invite(number, [place for place in range(seats) if place != seat], terms)
            session = self.session(number, is_enough=lambda played: played >= games)
            return await session.play(seat, inbox)
        finally:
            self.router.disconnect(number, inbox)

    async def _open(self, terms: Terms) -> tuple[int, int]:
        """Open a table; returns its number and its number of seats."""
        game, guests = terms.get("game", "put-1674"), terms.get("guests", ())
        offered = [offer.seats for offer in self.client.welcome.games if offer.name == game]
        seats = terms.get("seats") or min((count for counts in offered for count in counts), default=2)
        if len(guests) >= seats:
            raise BadTerms(f"{len(guests)} guests find no seat at a table for {seats}")
        table = await self.client.open_table(
            game,
            seats=seats,
            options=terms.get("options"),
            turn=terms.get("turn", 0),
            bank=terms.get("bank", 300),
            passcode=self.passcode,
            admits=terms.get("admits", Admits.ALL),
        )
        return table, seats

    async def _invite(self, table: int, places: Sequence[int], terms: Terms) -> None:
        guests, house = terms.get("guests", ()), terms.get("house", "")
        for place, guest in zip(places, guests, strict=False):
            await self.client.invite(table, place, person=guest)
        for place in places[len(guests) :] if house else ():
            await self.client.invite(table, place, house)


class _Invitations:
    session: Callable[..., BotSession]

    def __init__(self, client: Client, games: int | None, on_game: Callable[[Played], None] | None) -> None:
        self.router = TableRouter(client, self._add)
        self.played = 0
        self._client = client
        self._on_game = on_game
        self._games = games
        self._invited: dict[int, Invited] = {}
        """The last unused invitation to each table; limited by the number of tables we may use."""
        self._changed = asyncio.Event()
        self._is_over = False

    def _add(self, invited: Invited | None) -> None:
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

    def count(self, played: Played) -> None:
        self.played += 1
        if self._on_game is not None:
            self._on_game(played)
        if self._is_enough():
            self._changed.set()

    async def follow(self) -> None:
        log.info("waits to be invited, as %s", self._client.name)
        sessions: set[asyncio.Task[None]] = set()
        async with asyncio.TaskGroup() as tasks:
            while not self._is_enough() and not self._is_over:
                await self._changed.wait()
                self._changed.clear()
                for table in [table for table in self._invited if not self.router.is_connected(table)]:
                    if len(sessions) < self._client.welcome.limits.tables:
                        invited = self._invited.pop(table)
                        session = tasks.create_task(self._play(invited, self.router.connect(table)))
                        sessions.add(session)
                        session.add_done_callback(sessions.discard)
            await self.router.enough()

    async def _play(self, invited: Invited, inbox: Inbox) -> None:
        table = invited.table
        try:
            seat = await self._sit(invited)
            if seat is None:
                return
            await self.session(table, is_enough=self._is_enough, is_invited=True).play(seat, inbox)
        finally:
            self.router.disconnect(table, inbox)
            self._changed.set()  # there is room again

    async def _sit(self, invited: Invited) -> Seat | None:
        """Sit down and return the seat; None: no seat is free."""
        try:
            return await self._client.sit(invited.table, invited.seat)
        except Refusal as error:
            if error.code not in NO_SEAT:
                raise
            log.info("table %d: no seat: %s", invited.table, error)
        except (Unanswered, NoServer) as error:
            log.info("table %d: %s", invited.table, error)
        return None


async def _run_all(router: TableRouter, playing: list[Coroutine[Any, Any, T]]) -> tuple[T, ...]:
    """Run the router and all these coroutines; returns their results. The first error ends all, and is raised
    unchanged."""
    async with unwrapped(), asyncio.TaskGroup() as tasks:
        routing = tasks.create_task(router.run())
        results = [tasks.create_task(one) for one in playing]
        await asyncio.wait(results)
        routing.cancel()
    return tuple([one.result() for one in results])

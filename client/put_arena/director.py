"""Director of one server's tables: opens them round by round, invites the players, and records what the server pays.

A director directs one *wave*: one seating of some rounds. Server and players are started for the wave and end with it.
So a bot cannot leave what it saw in one seating of a deal to its copy in another seating.

The director has no seat. It follows the lobby, where the purses show the end of every game. It joins the gallery only
if games are saved, or if all players are house players, because they do not ask for another game.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from put_arena.competitors import DIRECTOR
from put_arena.contest import Contest
from put_arena.processes import serving
from put_arena.results import Played
from put_arena.roster import Roster
from put_arena.schedule import Round
from put_client.sdk.client import Client, connect
from put_client.sdk.dialler import Security
from put_client.sdk.errors import Refusal
from put_protocol.messages import Events, LobbyState, TableSnapshot
from put_protocol.table_info import Admits, TableInfo, TableState

SIT_SECONDS = 10.0
"""Limit from an invitation to sitting down, and from the end of a game to the request for the next."""

CHECK_SECONDS = 0.25

LONGEST_GAME_TURNS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Wave:
    """One seating of some rounds, played at all servers at once."""

    seating: int
    rounds: Iterator[Round]
    played: list[Round] = field(default_factory=list)
    """The rounds that were played, with the number of games played."""


@dataclass(slots=True, kw_only=True)
class MatchTable:
    """A table opened by the director: its position in its round, and the payments of its games."""

    number: int
    round: Round
    seating: int
    people: tuple[str, ...]
    """Player names by seat; empty for house players."""
    opened: float
    changed_at: float
    over: asyncio.Future[None]
    is_watched: bool
    """The director is in its gallery."""
    purses: list[int]
    done: int = 0
    info: TableInfo | None = None

    @property
    def competitors(self) -> tuple[int, ...]:
        return self.round.seatings[self.seating]

    def finish_game(self, info: TableInfo, number: int) -> Played:
        """The game of this number is over. The purses show its payments."""
        self.done = number
        return Played(
            match=self.round.match,
            round=self.round.name,
            number=number,
            seating=self.seating,
            seats=self.competitors,
            paid=self._paid(info),
        )

    def _paid(self, info: TableInfo) -> tuple[int, ...]:
        """Gains of the purses. A player that left took its purse with it, and lost what the others gained."""
        gains = [seat.purse - before for seat, before in zip(info.seats, self.purses, strict=True)]
        gone = [seat for seat, chair in enumerate(info.seats) if chair.name is None]
        stayed = sum(gain for seat, gain in enumerate(gains) if seat not in gone)
        for seat in gone:
            gains[seat] = -stayed // len(gone)
        self.purses = [seat.purse for seat in info.seats]
        return tuple(gains)


class Director:
    def __init__(self, contest: Contest, wave: Wave) -> None:
        self._contest = contest
        self._wave = wave
        self._rules = contest.rules
        self._saving = contest.saving
        self._tables: dict[int, MatchTable] = {}
        self._client: Client
        self._tasks: asyncio.TaskGroup
        self._roster: Roster

    async def run(self, port: int) -> int:
        """Play all rounds at a server, on this port if it is free. Returns the server's port.

        :raises CannotStart: the server did not start.
        :raises NoBot: a competitor does not exist.
        :raises ClientError: the server failed.
        """
        rules = self._rules
        async with serving(rules.host, rules.seed, port) as (host, found):
            joining = connect(  # the server is our own, on this machine
                host, found, security=Security.PLAIN, name=DIRECTOR, is_bot=True, checked=False, resume=False
            )
            async with joining as client:
                self._client = client
                self._contest.add_address(host, found)
                await client.look()
                self._roster = Roster(self._contest, (host, found))
                async with asyncio.TaskGroup() as tasks:
                    self._tasks = tasks
                    kept = [tasks.create_task(self._roster.run(name)) for name in self._roster.names]
                    kept += [tasks.create_task(self._read_messages()), tasks.create_task(self._watch_players())]
                    await asyncio.gather(*[tasks.create_task(self._work()) for _ in range(rules.tables)])
                    for task in kept:
                        task.cancel()
        return found

    async def _work(self) -> None:
        for round_ in self._wave.rounds:
            table = await self._open(round_)
            if table is not None:
                await table.over
                self._wave.played.append(replace(round_, games=table.done))

    async def _open(self, round_: Round) -> MatchTable | None:
        """Open a table and invite its players; None: one of them is disqualified.

        The table may already be over when this returns, because players do not wait for the director. Then all its
        games are played, or it is broken off. The played games count in both cases.
        """
        rules, client = self._rules, self._client
        people = self._roster.people(round_.seatings[self._wave.seating])
        for name in people:
            if name and not await self._roster.ready(name):
                return None
        number = await client.open_table(
            rules.game,
            seats=len(people),
            options=rules.options,
            turn=rules.turn,
            bank=rules.bank,
            admits=Admits.BOTS,
            deals=round_.deals(rules.seed),
        )
        loop = asyncio.get_running_loop()
        table = self._tables[number] = MatchTable(
            number=number,
            round=round_,
            seating=self._wave.seating,
            people=people,
            opened=loop.time(),
            changed_at=loop.time(),
            over=loop.create_future(),
            is_watched=self._saving is not None or not any(people),
            purses=[0] * len(people),
        )
        if table.is_watched:
            await client.watch(number)
        for seat, name in enumerate(people):
            if name:
                self._roster.go(name, number, round_.games, round_.dice(rules.seed, seat))
            try:
                await self._invite(table, seat)
            except Refusal:  # the player has just gone, or another has sat down
                self._clear(table)
                return table
        table.changed_at = loop.time()
        # If a player's process ended meanwhile, others may have been invited after that.
        if table.over.done() and table.done < round_.games:
            self._roster.send_away(people, number)
        return table

    async def _invite(self, table: MatchTable, seat: int) -> None:
        if name := table.people[seat]:
            await self._client.invite(table.number, seat, person=name)
        else:
            await self._client.invite(table.number, seat, self._contest.competitors[table.competitors[seat]].what)

    def _clear(self, table: MatchTable) -> None:
        if self._tables.pop(table.number, None) is None:
            return
        self._roster.send_away(table.people, table.number)
        if not table.over.done():
            table.over.set_result(None)
        if table.is_watched:
            self._ask_later(self._client.leave, table.number)

    def _ask_later(self, request: Callable[[int], Awaitable[None]], table: int) -> None:
        """Make a request without waiting for the answer. A refusal means that it is already done."""

        async def ask() -> None:
            with suppress(Refusal):
                await request(table)

        self._tasks.create_task(ask())

    async def _read_messages(self) -> None:
        async for message in self._client:
            match message:
                case LobbyState():
                    await self._update(message)
                case Events() | TableSnapshot() if self._saving is not None and message.table in self._tables:
                    table = self._tables[message.table]
                    self._saving.take(message, table.round, table.seating)
                case _:
                    pass

    async def _update(self, news: LobbyState) -> None:
        for info in news.tables:
            table = self._tables.get(info.id)
            if table is not None:
                self._record(table, info)
        for closed in news.closed:
            if closed in self._tables:
                self._clear(self._tables[closed])
        await self._roster.update(news)

    def _record(self, table: MatchTable, info: TableInfo) -> None:
        before, table.info = table.info, info
        is_taken = False
        for name, seat in zip(table.people, info.seats, strict=True):
            if seat.name == name or (not name and (seat.name is None or seat.is_house)):
                continue
            is_taken = is_taken or seat.name is not None
            if seat.name is not None and not seat.is_house:
                self._roster.blame(seat.name, "it sat down where it was not invited")
            elif info.games:
                self._roster.blame_leaver(name)
        if is_taken:
            self._clear(table)
            return
        played = info.games - info.is_in_play
        if before is None or (played, info.state) != (before.games - before.is_in_play, before.state):
            table.changed_at = asyncio.get_running_loop().time()
        if played > table.done:
            self._contest.played(table.finish_game(info, played))
            if played >= table.round.games:
                self._clear(table)
                return
        if info.state is TableState.FILLING and info.games:
            self._clear(table)
        elif info.state is TableState.BETWEEN and not any(table.people) and info.games:
            self._ask_later(self._client.again, table.number)

    async def _watch_players(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            now = loop.time()
            for table in list(self._tables.values()):
                self._check_table(table, now - table.changed_at)
            await self._roster.check(now)

    def _check_table(self, table: MatchTable, silent: float) -> None:
        info = table.info
        if any(self._contest.conduct[number].out for number in table.competitors) or self._has_forgotten(table):
            self._clear(table)
        elif silent < SIT_SECONDS:
            pass
        elif info is None:  # the news of its beginning came before we knew its number, and none has sat down since
            self._blame(table, [True] * len(table.people), "sit down where it was invited")
        elif info.state is TableState.PLAYING:
            if silent > LONGEST_GAME_TURNS * (self._rules.turn + self._rules.slow):
                self._clear(table)
        elif info.state is TableState.FILLING:
            self._blame(table, [seat.name is None for seat in info.seats], "sit down where it was invited")
        else:
            self._blame(table, [not seat.agrees for seat in info.seats], "go on to another game")

    def _blame(self, table: MatchTable, waited: Sequence[bool], what: str) -> None:
        """Close a table for which these seats did not do something in time."""
        for name, is_waited in zip(table.people, waited, strict=True):
            if is_waited and name:
                self._roster.blame(name, f"it did not {what} in {SIT_SECONDS:.0f} seconds")
        self._clear(table)

    def _has_forgotten(self, table: MatchTable) -> bool:
        """A player of the table was restarted after it was opened: the new process does not know the invitation."""
        seated = [None] * len(table.people) if table.info is None else [seat.name for seat in table.info.seats]
        return any(
            name and sits != name and self._roster.has_restarted(name, table.opened)
            for name, sits in zip(table.people, seated, strict=True)
        )

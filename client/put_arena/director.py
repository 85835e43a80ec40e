"""Director of one server's tables: opens them round by round, invites the players, and records what the server pays.

The director has no seat. It follows the lobby, where every game that ends shows in the purses, and joins the gallery
only where games are to be saved, or where only house players sit, which needs somebody to ask for another game.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, TypeVar

from put_arena.bot_process import BotProcess, MatchServer, bot_process, last_line
from put_arena.competitors import DIRECTOR, Competitor, Kind
from put_arena.results import Conduct, Fault, Played
from put_arena.saving import Saving
from put_arena.schedule import Round, copies, sides_of
from put_client.bots.bot_session import patiently
from put_client.sdk.client import Client, connect
from put_client.sdk.dialler import Security
from put_client.sdk.errors import Refusal
from put_protocol.games.families import family_of
from put_protocol.games.put import PutView
from put_protocol.messages import Events, LobbyState, TableSnapshot
from put_protocol.table_info import Admits, PersonInfo, TableInfo, TableState
from put_runtime.child_process import PUT_SERVER, CannotStart, port_in, running

T = TypeVar("T")

START_SECONDS = 20.0
"""For a server to listen; it takes a fraction of one."""

HELLO_SECONDS = 20.0
"""From the start of a process to its hello: time for a bot's imports."""

SIT_SECONDS = 10.0
"""From an invitation to sitting, and from the end of a game to asking for another."""

LOOK_SECONDS = 0.25
"""Between two checks of who keeps others waiting."""

DECISIONS = 400
"""A game that takes longer than so many turns is broken off."""

LIVES = 2
"""A player whose process ends is started once more, and disqualified after the second end."""

RETRIES = 3
"""A round that is broken off more often is not begun again."""

PROBE_SECONDS = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What is played, and how."""

    game: str
    seats: int
    """0: as few as the rule set has."""
    options: Mapping[str, int | str]
    turn: int
    bank: int
    late: int
    slow: float
    seed: int
    host: str
    tables: int
    """At once at a server."""


class Scheduler(Protocol):
    """Gives out the rounds, and is told of games and faults; a `Contest` is one."""

    rules: Rules
    competitors: tuple[Competitor, ...]
    conduct: tuple[Conduct, ...]

    async def sides(self) -> tuple[int, ...]:
        """The side of each seat, once it is known."""
        ...

    def next_round(self) -> Round | None: ...

    def broken_off(self, round_: Round, games: int) -> None:
        """So many games at each table were not played."""
        ...

    def played(self, game: Played) -> None: ...

    def disqualify(self, competitor: int, says: str) -> None: ...

    def opened(self, host: str, port: int) -> None:
        """A server can be watched here."""
        ...


class BadMatch(Exception):
    """What is to be played cannot be, as the server says in a sentence."""


class NoBot(Exception):
    """A competitor does not exist; the sentence says what was looked for."""


@dataclass(slots=True, kw_only=True)
class _Table:
    """A table in use."""

    number: int
    round: Round
    seating: int
    opened: float
    since: float
    """When its state last changed."""
    over: asyncio.Future[None]
    people: tuple[str, ...]
    """Player names by seat; empty for house players."""
    done: int = 0
    purses: list[int] = field(default_factory=list)
    info: TableInfo | None = None

    @property
    def competitors(self) -> tuple[int, ...]:
        return self.round.seatings[self.seating]

    @property
    def is_broken_off(self) -> bool:
        """Whether it is over before all its games were played."""
        return self.over.done() and self.done < self.round.games


class Director:
    """The director of one server."""

    def __init__(self, scheduler: Scheduler, saving: Saving | None) -> None:
        self._scheduler = scheduler
        self._rules = scheduler.rules
        self._saving = saving
        self._tables: dict[int, _Table] = {}
        self._people: dict[str, PersonInfo] = {}
        self._bot_processes: dict[str, tuple[int, BotProcess]] = {}
        """By name, with the competitor."""
        self._news = asyncio.Condition()
        self._asking: set[asyncio.Task[None]] = set()
        self._client: Client

    async def run(self, on_probed: Callable[[tuple[int, ...], bool], None] | None = None) -> None:
        """Play rounds until there are no more. `on_probed` is told the side of each seat first.

        :raises CannotStart: the server did not start.
        :raises BadMatch: it does not have this game, or not so.
        :raises ClientError: the server failed.
        """
        rules = self._rules
        async with serving(rules.host, rules.seed) as (host, port):
            joining = connect(  # the server is our own, on this machine
                host, port, security=Security.PLAIN, name=DIRECTOR, is_bot=True, sealed=False, resume=False
            )
            async with joining as client, self._asked():
                self._client = client
                if on_probed is not None:
                    on_probed(*await self._probe())
                sides = await self._scheduler.sides()
                self._scheduler.opened(host, port)
                await client.look()
                self._create_players(
                    MatchServer(host=host, port=port, turn=rules.turn, late=rules.late, slow=rules.slow), sides
                )
                async with asyncio.TaskGroup() as tasks:
                    kept = [tasks.create_task(self._run_player(name)) for name in self._bot_processes]
                    kept += [tasks.create_task(self._read_messages()), tasks.create_task(self._watch_players())]
                    at_once = max(1, rules.tables // (max(sides) + 1))
                    await asyncio.gather(*[tasks.create_task(self._work()) for _ in range(at_once)])
                    for task in kept:
                        task.cancel()

    @asynccontextmanager
    async def _asked(self) -> AsyncIterator[None]:
        """Cancel the requests that nobody waits for at the end."""
        try:
            yield
        finally:
            for task in self._asking:
                task.cancel()
            await asyncio.gather(*self._asking, return_exceptions=True)

    async def _probe(self) -> tuple[tuple[int, ...], bool]:
        """Open a table of house players to learn the side of each seat, whether the game has no winner, and whether the
        server has such tables.

        :raises BadMatch: it has not.
        """
        rules, client = self._rules, self._client
        offered = {offer.name: min(offer.seats) for offer in client.welcome.games}
        seats = rules.seats or offered.get(rules.game, 2)
        try:
            table = await client.open_table(rules.game, seats=seats, options=rules.options, turn=rules.turn)
            for competitor in self._scheduler.competitors:
                known = [offer.name for offer in client.welcome.houses]
                if competitor.kind is Kind.HOUSE and competitor.what not in known:
                    raise BadMatch(f"there is no house player {competitor.what!r}; there are {', '.join(known)}")
            await client.watch(table)
            for seat in range(seats):
                await client.invite(table, seat)
        except Refusal as refusal:
            raise BadMatch(f"{rules.game} cannot be played so: {refusal.says}") from None
        async with asyncio.timeout(PROBE_SECONDS):
            async for message in client:
                if isinstance(message, Events | TableSnapshot) and message.view is not None:
                    await client.leave(table)
                    sides = message.view.sides if isinstance(message.view, PutView) else ()
                    return sides_of(seats, sides), not family_of(message.view).has_winner
        raise AssertionError("a client's messages end with an error")

    # --- the players ---

    def _create_players(self, server: MatchServer, sides: tuple[int, ...]) -> None:
        scheduler = self._scheduler
        for number, count in enumerate(copies(len(scheduler.competitors), sides)):
            competitor = scheduler.competitors[number]
            if competitor.kind is not Kind.HOUSE:
                for copy in range(count):
                    name = competitor.person(copy)
                    self._bot_processes[name] = number, bot_process(name, competitor, server, scheduler.conduct[number])

    async def _run_player(self, name: str) -> None:
        """Run a player's process, and once more if it ends."""
        number, player = self._bot_processes[name]
        conduct = self._scheduler.conduct[number]
        says = ""
        for _ in range(LIVES):
            async with self._news:  # the player may still have a seat, disconnected, until its bank is spent
                await self._news.wait_for(lambda: self._is_free(name))
            if conduct.out:
                return
            says = await player.run()
            if player.is_no_bot:
                raise NoBot(says)
            if player.disqualified:
                break
            conduct.note(Fault.CRASHED, f"its process ended: {says}")
        self._scheduler.disqualify(number, player.disqualified or f"its process ended again: {says}")

    def _is_free(self, name: str) -> bool:
        """Whether nobody of this name is connected or has a seat."""
        person = self._people.get(name)
        return person is None or (person.is_away and not person.tables)

    async def _ready(self, name: str) -> bool:
        """Wait until a player is connected; False: it is disqualified."""
        number, player = self._bot_processes[name]
        conduct = self._scheduler.conduct[number]
        people = self._people
        async with self._news:
            await self._news.wait_for(
                lambda: conduct.out or (player.began and name in people and not people[name].is_away)
            )
        return not conduct.out

    # --- rounds ---

    async def _work(self) -> None:
        while (round_ := self._scheduler.next_round()) is not None:
            await self._play(round_)

    async def _play(self, round_: Round) -> None:
        tables: list[_Table] = []
        try:
            for seating in range(len(round_.seatings)):
                table = await self._open(round_, seating)
                if table is None:
                    break
                tables.append(table)
                if table.is_broken_off:
                    break
            else:
                await asyncio.gather(*[table.over for table in tables])
        finally:
            for table in tables:
                self._clear(table)
        missing = round_.games - min([table.done for table in tables] + [0] * (len(tables) < len(round_.seatings)))
        if missing:
            self._scheduler.broken_off(round_, missing)

    async def _open(self, round_: Round, seating: int) -> _Table | None:
        """Open a table and invite its players; None: one of them is disqualified.

        The table may be over when this returns, for players do not wait for the director: all its games are played, or
        it is broken off. The games that were played count in either case.
        """
        rules, client, scheduler = self._rules, self._client, self._scheduler
        seats = round_.seatings[seating]
        people: list[str] = []
        for seat, number in enumerate(seats):
            competitor = scheduler.competitors[number]
            is_house = competitor.kind is Kind.HOUSE
            people.append("" if is_house else competitor.person(seats[:seat].count(number)))
            if people[-1] and not await self._ready(people[-1]):
                return None
        number = await patiently(
            lambda: client.open_table(
                rules.game,
                seats=len(seats),
                options=rules.options,
                turn=rules.turn,
                bank=rules.bank,
                admits=Admits.BOTS,
                deals=round_.name,
            )
        )
        loop = asyncio.get_running_loop()
        table = _Table(
            number=number,
            round=round_,
            seating=seating,
            opened=loop.time(),
            since=loop.time(),
            over=loop.create_future(),
            people=tuple(people),
            purses=[0] * len(seats),
        )
        self._tables[number] = table
        if self._saving is not None or not any(people):
            await patiently(lambda: client.watch(number))
        for seat, name in enumerate(people):
            if name:
                self._bot_processes[name][1].go(number, round_.games, f"{rules.seed} {round_.name}")
            try:
                await patiently(partial(self._invite, table, seat))
            except Refusal:  # the player has just gone, or somebody else has sat down
                self._clear(table)
                return table
        table.since = loop.time()
        if table.is_broken_off:  # a player's process ended meanwhile; others may have been invited after that
            self._send_away(table)
        return table

    async def _invite(self, table: _Table, seat: int) -> None:
        if name := table.people[seat]:
            await self._client.invite(table.number, seat, person=name)
        else:
            await self._client.invite(table.number, seat, self._scheduler.competitors[table.competitors[seat]].what)

    def _clear(self, table: _Table) -> None:
        """Send everyone away from a table: it is over."""
        if self._tables.pop(table.number, None) is None:
            return
        self._send_away(table)
        if not table.over.done():
            table.over.set_result(None)
        if self._saving is not None or not any(table.people):
            self._ask_later(self._client.leave, table.number)

    def _send_away(self, table: _Table) -> None:
        for name in table.people:
            if name:
                self._bot_processes[name][1].go_away(table.number)

    def _ask_later(self, request: Callable[[int], Awaitable[None]], table: int) -> None:
        """Make a request without waiting for the answer; a refusal means that it is done already."""

        async def ask() -> None:
            with suppress(Refusal):
                await patiently(lambda: request(table))

        self._asking.add(task := asyncio.ensure_future(ask()))
        task.add_done_callback(self._asking.discard)

    # --- messages ---

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
        if news.people or news.departed:
            for person in news.people:
                self._people[person.name] = person
            for name in news.departed:
                self._people.pop(name, None)
            async with self._news:
                self._news.notify_all()

    def _record(self, table: _Table, info: TableInfo) -> None:
        before, table.info = table.info, info
        if info.games:
            self._blame_leavers(table, info)
        if any(name and seat.name not in (None, name) for name, seat in zip(table.people, info.seats, strict=True)):
            self._clear(table)  # somebody else has the seat
            return
        played = info.games - info.is_in_play
        if before is None or (played, info.state) != (before.games - before.is_in_play, before.state):
            table.since = asyncio.get_running_loop().time()
        if played > table.done:
            table.done = played
            self._scheduler.played(
                Played(
                    match=table.round.match,
                    round=table.round.name,
                    number=played,
                    seating=table.seating,
                    seats=table.competitors,
                    paid=self._paid(table, info),
                )
            )
            if played >= table.round.games:
                self._clear(table)
                return
        if info.state is TableState.FILLING and info.games:
            self._clear(table)
        elif info.state is TableState.BETWEEN and not any(table.people) and info.games:
            self._ask_later(self._client.again, table.number)

    def _blame_leavers(self, table: _Table, info: TableInfo) -> None:
        """Note players that left on purpose; one whose process has ended is blamed for that end instead."""
        for name, seat in zip(table.people, info.seats, strict=True):
            if name and seat.name != name:
                number, player = self._bot_processes[name]
                person = self._people.get(name)
                if player.began and not player.disqualified and person is not None and not person.is_away:
                    self._scheduler.conduct[number].note(Fault.IDLE, "left a table before its games were played")

    @staticmethod
    def _paid(table: _Table, info: TableInfo) -> tuple[int, ...]:
        """What the game paid: what purses gained. A player that left took its purse along, and lost what others
        gained."""
        gains = [seat.purse - before for seat, before in zip(info.seats, table.purses, strict=True)]
        gone = [seat for seat, chair in enumerate(info.seats) if chair.name is None]
        stayed = sum(gain for seat, gain in enumerate(gains) if seat not in gone)
        for seat in gone:
            gains[seat] = -stayed // len(gone)
        table.purses = [seat.purse for seat in info.seats]
        return tuple(gains)

    # --- players that keep others waiting ---

    async def _watch_players(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            now = loop.time()
            for name, (number, player) in self._bot_processes.items():
                conduct = self._scheduler.conduct[number]
                if conduct.out:
                    player.disqualify(conduct.out)
                elif player.began and name not in self._people and now - player.began > HELLO_SECONDS:
                    self._blame(name, f"it did not say hello in {HELLO_SECONDS:.0f} seconds")
            for table in list(self._tables.values()):
                self._check_table(table, now - table.since)
            async with self._news:
                self._news.notify_all()  # somebody may be out

    def _check_table(self, table: _Table, silent: float) -> None:
        info = table.info
        if any(self._scheduler.conduct[number].out for number in table.competitors) or self._has_forgotten(table):
            self._clear(table)
        elif info is None or silent < SIT_SECONDS:
            pass
        elif info.state is TableState.PLAYING:
            if silent > DECISIONS * (self._rules.turn + self._rules.slow):
                self._clear(table)
        else:
            waited = [seat.name is None if info.state is TableState.FILLING else not seat.agrees for seat in info.seats]
            for name, is_waited in zip(table.people, waited, strict=True):
                if is_waited and name:
                    what = (
                        "sit down where it was invited" if info.state is TableState.FILLING else "go on to another game"
                    )
                    self._blame(name, f"it did not {what} in {SIT_SECONDS:.0f} seconds")
            self._clear(table)

    def _has_forgotten(self, table: _Table) -> bool:
        """Whether a player of it was restarted since it was opened: the new process knows of no invitation."""
        seated = [None] * len(table.people) if table.info is None else [seat.name for seat in table.info.seats]
        for name, sits in zip(table.people, seated, strict=True):
            if name and sits != name:
                began = self._bot_processes[name][1].began
                if not began or began > table.opened:
                    return True
        return False

    def _blame(self, name: str, says: str) -> None:
        number, player = self._bot_processes[name]
        if not player.disqualified:
            self._scheduler.conduct[number].note(Fault.IDLE, says)
            player.disqualify(says)


@asynccontextmanager
async def serving(host: str, seed: int) -> AsyncIterator[tuple[str, int]]:
    """A put-server that repeats its packs; yields the host and port where it can be reached from here.

    :raises CannotStart: it did not begin to listen.
    """
    words = [*PUT_SERVER, "--host", host, "--port", "0", "--data", ":memory:"]
    words += ["--seed", str(seed), "--drain-seconds", "0", "--log-level", "error", "--name", "The arena"]
    words += ["--at-eof", "stop"]  # so that it goes too when we are killed
    words += ["--news-ms", "0"]  # results are read from the purses in the news
    async with running(words) as process:
        said = b""
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                said = await process.stdout.readline()
        port = port_in(said.decode(errors="replace"))
        if port is None:
            await process.read_rest()
            raise CannotStart("put-server", last_line(process) or "it says nothing")
        process.discard_output()
        yield ("127.0.0.1" if host in ("*", "0.0.0.0", "localhost") else host), port

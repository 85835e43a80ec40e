"""Scripted bots whose games are known beforehand: what they choose depends on nothing but the decision.

With a seeded server the packs are known, too, so a programme has one right outcome, however often it is interrupted.
"""

import asyncio
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise

from msgspec.structs import replace

from put_client.sdk.client import Client
from put_client.sdk.deal_checks import CheckFailed, DealChecked, ProofStanding
from put_client.sdk.errors import Refusal
from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_protocol.games.unions import Action, Choice, Event
from put_protocol.messages import Act, Again, Decision, Events, OpenTable, Question, Sit, TableSnapshot
from put_protocol.offers import HouseOffer, Limits
from put_protocol.refusals import RefusalCode
from put_protocol.table_events import GameStarted
from put_protocol.table_info import TableInfo, TableState
from put_rules.record import GameRecord, Input, Move
from put_rules.registry import GAMES
from put_rules.steps import fold
from put_server.lobby import inputs
from put_server.lobby.config import LobbyConfig
from put_server.lobby.inputs import Admit, Answer, Arrive, Ask, Secret, Shuffled
from put_server.lobby.lobby import Lobby
from put_server.lobby.settling import Want, settle
from put_server.table.table_effects import GameConcluded, PersonId, TableId, Tell
from put_server.transport.shuffler import Shuffler


@dataclass(frozen=True, kw_only=True)
class Programme:
    """Which games are played, and by whom."""

    seed: int
    tables: Sequence[tuple[str, int]]
    """The rule set and the seats of each table; tables are numbered from 1 in this order."""
    games: int
    """At each table."""
    holds_keys: bool = False
    """Everyone keeps a key and checks. What is dealt is not known beforehand."""
    options: Mapping[str, str | int] = field(default_factory=dict)
    """Of every table whose rule set has them."""

    def choice(self, table: int, decision: int, legal: Sequence[Choice]) -> Action:
        """The action of the player who is asked."""
        return legal[zlib.crc32(f"{self.seed} {table} {decision}".encode()) % len(legal)].action

    def options_of(self, game: str) -> dict[str, str | int]:
        """Options of a table of this rule set."""
        known = {option.name for option in GAMES[game].offer.options}
        return {name: value for name, value in self.options.items() if name in known}

    def names(self, table: int) -> list[str]:
        """Names of the players, by seat."""
        return [f"Guest {table}-{seat}" for seat in range(self.tables[table - 1][1])]


GameInputs = list[tuple[Input, ...]]


def steps(record: GameRecord) -> tuple[Input, ...]:
    """The inputs of a game, without their times."""
    game = GAMES[record.rule_set].make(len(record.players), record.options)
    return tuple([played.input for played in fold(record, game) if played.input is not None])


def undisturbed(programme: Programme, numbers: Mapping[int, int]) -> dict[int, GameInputs]:
    """The games of each table if nothing is disturbed, from a lobby without connections, clock or disk. `numbers`: of
    each table at the server, from which its packs follow."""
    config = LobbyConfig(server_name="", limits=Limits(1, 1, 1, 60, 1, 1), houses=(HouseOffer("", ""),))
    lobby = Lobby(GAMES, config)
    shuffler = Shuffler(programme.seed)

    def draw(want: Want) -> Shuffled | Secret:
        drawn = shuffler.draw(replace(want, table=TableId(numbers[want.table])))
        return replace(drawn, table=want.table)

    games: dict[int, GameInputs] = defaultdict(list)
    asked: dict[int, tuple[PersonId, Question]] = {}

    def do(event: inputs.Input) -> Answer | None:
        outcome, _ = settle(lobby, event, 0, draw)
        for effect in outcome.effects:
            match effect:
                case GameConcluded(record=record):
                    games[record.table].append(steps(record))
                case Tell(people=(person,), message=Events(table=table, decision=Question() as decision)):
                    asked[table] = (person, decision)
                case _:
                    pass
        return outcome.answer

    for number, (game, seats) in enumerate(programme.tables, 1):
        people = []
        for name in programme.names(number):
            answer = do(Arrive(name, True, name.encode()))
            assert isinstance(answer, Admit)
            people.append(answer.person)
        do(Ask(people[0], OpenTable(1, game, seats=seats, options=programme.options_of(game))))
        for person in people:
            do(Ask(person, Sit(2, number)))
        while len(games[number]) < programme.games:
            if number not in asked:  # a game is over, which its first deal may end
                for sitter in people:
                    do(Ask(sitter, Again(4, number)))
                continue
            person, decision = asked.pop(number)
            action = programme.choice(number, decision.number, decision.legal)
            do(Ask(person, Act(3, number, decision.number, action)))
    return dict(games)


class Progress:
    """Progress of all bots, so that they can be disturbed at moments that do not depend on speed."""

    def __init__(self) -> None:
        self.moves = 0
        self.is_over = False
        self.acknowledged: dict[int, list[float]] = defaultdict(list)
        """When a move was, by table."""
        self._may_go_on = asyncio.Event()
        self._may_go_on.set()
        self._left = 0
        """Moves that are made while `held` is in force."""
        self._heard: set[type] = set()
        self._moved = asyncio.Event()

    def step(self) -> None:
        self.moves += 1
        self._moved.set()

    def hear(self, events: Sequence[Event]) -> None:
        """Somebody was told these."""
        self._heard |= {*map(type, events)}
        self._moved.set()

    async def until(self, kind: type[Event]) -> bool:
        """Wait until somebody is told such an event; False: the programme is over before."""
        while kind not in self._heard and not self.is_over:
            self._moved.clear()
            await self._moved.wait()
        return kind in self._heard

    @contextmanager
    def held(self, moves: int) -> Iterator[None]:
        """In this block so many moves are made at most, so that a game does not end before the disturbance has come."""
        self._left = moves
        self._may_go_on.clear()
        try:
            yield
        finally:
            self._may_go_on.set()

    async def turn(self) -> None:
        """Wait until a move may be made."""
        if not self._may_go_on.is_set() and self._left:
            self._left -= 1
        else:
            await self._may_go_on.wait()

    def end(self) -> None:
        """Nobody moves any more."""
        self.is_over = True
        self._moved.set()

    async def after(self, moves: int) -> bool:
        """Wait for so many more moves; False: the programme is over before."""
        goal = self.moves + moves
        while self.moves < goal and not self.is_over:
            self._moved.clear()
            await self._moved.wait()
        return not self.is_over


@dataclass
class ScriptedBot:
    """One bot, and what it received."""

    programme: Programme
    place: int
    """Of its table in the programme, from 1."""
    table: int
    """The table's number at the server."""
    client: Client
    progress: "Progress"
    acknowledged: list[tuple[int, Action]] = field(default_factory=list)
    """Decisions and their answers to which the server said `ok`."""
    events: list[tuple[int, Event]] = field(default_factory=list)
    """Numbered. Only a snapshot in between may leave a hole."""
    snapshots: int = 0
    proved: int = 0
    """How often a deal was found to be proved."""
    is_plain: bool = False
    """Its game is dealt by the server alone."""
    absences: list[tuple[float, float]] = field(default_factory=list)
    """When each connection was lost, and when the bot was back."""
    lost_at: float = 0.0
    goes_on_after: int = 0
    """The last game after which it has asked for another. The next may be over by its deal before that is told."""

    async def play(self) -> None:
        """Play until the last game is over."""
        async for message in self.client:
            match message:
                case TableSnapshot(info=info) if info.id == self.table:
                    self.snapshots += 1
                    if info.state is TableState.PAUSED:
                        await self._go_on()
                    if await self._is_done(info):
                        return
                case Events(first=first, events=events, info=info, table=self.table):
                    self.events += enumerate(events, first)
                    self.is_plain |= any(isinstance(event, GameStarted) and bool(event.plain) for event in events)
                    self.progress.hear(events)
                    if info is not None and info.state is TableState.PAUSED:
                        await self._go_on()
                    if info is not None and await self._is_done(info):
                        return
                case Decision():
                    action = self.programme.choice(self.place, message.decision, message.legal)
                    await self.progress.turn()
                    try:
                        await self.client.act(self.table, message.decision, action)
                    except Refusal as error:
                        # Asked again before it heard of its answer, or once the pause is over.
                        if error.code not in (RefusalCode.TOO_LATE, RefusalCode.PAUSED):
                            raise
                    else:
                        self.acknowledged.append((message.decision, action))
                        self.progress.acknowledged[self.table].append(time.monotonic())
                    self.progress.step()
                case CheckFailed():
                    raise message.error
                case ConnectionLost():
                    self.lost_at = time.monotonic()
                case ConnectionBack():
                    self.absences.append((self.lost_at, time.monotonic()))
                case DealChecked(standing=standing):
                    self.proved += standing is ProofStanding.PROVED
                case _:
                    pass

    async def _go_on(self) -> None:
        """Be ready to go on after a pause."""
        with suppress(Refusal):  # they were already, or it is over
            await self.client.go_on(self.table)

    async def _is_done(self, info: TableInfo) -> bool:
        if info.is_in_play or info.games == 0:
            return False
        if info.games == self.programme.games:
            return True
        seat = next(seat for seat in info.seats if seat.name == self.client.name)
        if not seat.agrees and info.games > self.goes_on_after:
            self.goes_on_after = info.games
            try:
                await self.client.again(self.table)
            except Refusal as error:
                if error.code not in (RefusalCode.ALREADY_THERE, RefusalCode.GAME_IN_PLAY):
                    raise
        return False


def waits() -> Iterator[float]:
    """Delays between attempts to reconnect: short, and without end."""
    while True:
        yield 0.02


async def seat_bots(
    programme: Programme,
    port: int,
    progress: Progress,
    stack: AsyncExitStack,
    waits: Callable[[], Iterable[float]] = waits,
) -> list[ScriptedBot]:
    """All bots in their seats. The games of a table begin when the last has sat down."""
    bots = []
    table = 0
    for number, (game, seats) in enumerate(programme.tables, 1):
        for seat, name in enumerate(programme.names(number)):
            client = await Client.connect(
                "127.0.0.1",
                port,
                name=name,
                is_bot=True,
                waits=waits,
                answer_timeout=300,
                connect_timeout=20,
                checked=programme.holds_keys,
            )
            await stack.enter_async_context(client)
            if seat == 0:
                table = await client.open_table(game, seats=seats, options=programme.options_of(game))
            assert await client.sit(table) == seat
            bots.append(ScriptedBot(programme, number, table, client, progress))
    return bots


async def play(bots: Iterable[ScriptedBot], progress: Progress) -> None:
    """All bots play to the end."""
    async with asyncio.TaskGroup() as tasks:
        for bot in bots:
            tasks.create_task(bot.play())
    progress.end()


def check(programme: Programme, bots: Sequence[ScriptedBot], recorded_games: dict[int, GameInputs]) -> None:
    """Nothing was lost, nothing came twice, and everything ended as it does undisturbed.

    :raises AssertionError: it did not.
    """
    table_of = {bot.place: bot.table for bot in bots}
    if not programme.holds_keys:
        expected = undisturbed(programme, table_of)
        for place, games in expected.items():
            assert recorded_games[table_of[place]] == games, f"table {table_of[place]} went another way"
    assert {number: len(games) for number, games in recorded_games.items()} == dict.fromkeys(
        table_of.values(), programme.games
    )
    for number, games in recorded_games.items():
        moves = [step.action for game in games for step in game if isinstance(step, Move)]
        acknowledged = [answer for bot in bots if bot.table == number for answer in bot.acknowledged]
        assert all(moves[decision - 1] == action for decision, action in acknowledged), "what was acknowledged is kept"
        assert len(acknowledged) == len({decision for decision, _ in acknowledged}), "and was acknowledged once"
    for bot in bots:
        assert bool(bot.proved) == (programme.holds_keys and not bot.is_plain)
        numbers = [number for number, _ in bot.events]
        assert numbers == sorted(set(numbers)), f"{bot.client.name} received an event twice"
        holes = sum(later != earlier + 1 for earlier, later in pairwise(numbers))
        assert holes <= bot.snapshots, f"{bot.client.name} missed events, and got no snapshot for them"

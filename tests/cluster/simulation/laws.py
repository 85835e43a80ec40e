"""Laws of an evening: what everybody was told is what the records say, whatever failed.

The streams of the simulated broker keep every message that was ever stored. So each shard's records can be folded anew
from the first, by the rules alone: that gives every event and every view that each viewer was to be told, by number. A
player or spectator who was told another, or one twice, or a card that they may not see, was told something that those
records do not say.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from put_protocol.games.unions import Event, GameView
from put_protocol.messages import (
    Act,
    Decision,
    Events,
    Hello,
    Ok,
    Refused,
    Request,
    Say,
    TableSnapshot,
    Welcome,
)
from put_protocol.table_events import Said
from put_protocol.table_info import TableInfo as Info
from put_rules.record import GameRecord
from put_server.app import new_lobby
from put_server.cluster.broker import BrokerNames
from put_server.cluster.stream_journal import _decode_chance, _decode_commit, decode_game_row
from put_server.journal.commit_queue import Compaction
from put_server.journal.journal_reader import ChanceColumns, JournalRecord, game_of
from put_server.journal.lobby_replay import fold
from put_server.journal.records import decode_chance, decode_input, encode, with_chance
from put_server.lobby.inputs import Ask, Input, Secret, Shuffled
from put_server.lobby.lobby import Lobby
from put_server.table.table_effects import PersonId, Tell
from tests.cluster.simulation.evening import Evening, Violation
from tests.cluster.simulation.world import NAME, World
from tests.crashes.campaigns import secrets_of
from tests.crashes.scripted_bots import GameInputs, check, steps


@dataclass
class Told:
    """All that one person was to be told of one table."""

    events: dict[int, Event] = field(default_factory=dict)
    """Events by number."""
    views: list[tuple[int, GameView]] = field(default_factory=list)
    """Views, each with the number of the last event before it."""

    def note(self, message: Events | TableSnapshot) -> None:
        if isinstance(message, Events):
            self.events.update(enumerate(message.events, message.first))
        if message.view is not None:
            self.views.append((_last_in(message), message.view))


KEPT = (Act, Say)
"""Requests of which each that is carried out is recorded."""

TRACED = 4
"""Sealed deals of an evening whose traces are looked for."""

TAKEN, TAKEN_S = 3, 20.0
"""Takeovers of which one makes a checkpoint, within so many seconds; one that another follows sooner may make none."""

_names = BrokerNames(NAME)


def must_hold(world: World) -> None:
    """
    :raises Violation: a law was broken.
    """
    games = _games(world)
    must_be_told(world, games, [_history(world, shard) for shard in range(world.plan.shards)])
    _forgotten(world, games)
    _checkpointed(world)
    _copied(world)


class History(NamedTuple):
    """What a lobby is made of: an empty one, and every input that counts."""

    lobby: Lobby
    records: Iterable[tuple[int, Input]]
    """Inputs with their times."""


def must_be_told(world: Evening, records: Iterable[GameRecord], histories: Iterable[History]) -> None:
    """Everybody was told what the records say, once and in order. `records`: of the finished games.

    :raises Violation: a law was broken.
    """
    if world.errors.said:
        raise Violation(f"an error was logged: {world.errors.said[0]}")
    games: dict[int, GameInputs] = {}
    for record in records:
        games.setdefault(record.table, []).append(steps(record))
    try:
        check(world.plan.programme, world.bots, games)
    except (AssertionError, KeyError) as error:
        raise Violation(f"play went another way: {error}") from error
    _as_recorded(world, histories)
    _in_order(world)


def _games(world: World) -> list[GameRecord]:
    found: list[GameRecord] = []
    for shard in range(world.plan.shards):
        rows = [decode_game_row(kept.data, "", kept.sequence) for kept in world.broker.streams[_names.games(shard)].all]
        numbers = [row[0] for row in rows]
        if numbers != sorted(set(numbers)):
            raise Violation(f"a game of shard {shard} was kept twice")
        found += [game_of(row, Path(str(shard))).record for row in rows]
    return found


def _records(world: World, shard: int) -> Iterator[JournalRecord]:
    """Every input that counts, from the first. Only a repair leaves out a number, for the sources of its deals."""
    stream = world.broker.streams[_names.stream(shard)]
    chances: dict[tuple[int, int], ChanceColumns] = {}
    parts: list[bytes] = []
    last = 0
    for message in stream.all:
        match message.subject.rsplit(".", 1)[1]:
            case "chance":
                row = _decode_chance(message.data)
                chances[row[0], row[1]] = row
            case "part":
                parts.append(message.data)
            case "commit":
                commit = _decode_commit(b"".join((*parts, message.data)))
                for number, at, blob, _ in commit.records:
                    if number != last + 1:
                        raise Violation(f"shard {shard}: record {number} comes after {last}")
                    last = number
                    event = decode_input(blob)
                    if isinstance(event, Secret | Shuffled):
                        event = with_chance(event, decode_chance(chances[number, event.table][2]))
                    yield JournalRecord(number, at, event)
                last = max([last, *[change.number for change in commit.changes if isinstance(change, Compaction)]])
                parts = []
            case _:
                parts = []


def _history(world: World, shard: int) -> History:
    lobby = new_lobby(world.settings("worker", 0), world.passcode_key, shard=shard, shards=world.plan.shards)
    return History(lobby, ((at, event) for _, at, event in _records(world, shard)))


def _last_in(message: Events | TableSnapshot) -> int:
    """Number of the last event that is told, or was told before."""
    return message.number if isinstance(message, TableSnapshot) else message.first + len(message.events) - 1


def _table_of(message: Events | TableSnapshot) -> int:
    return message.info.id if isinstance(message, TableSnapshot) else message.table


def _told(history: History, told: dict[tuple[str, int], Told], recorded: Counter[tuple[str, str]]) -> None:
    lobby, records = history
    names: dict[PersonId, str] = {}
    for at, event in records:
        if isinstance(event, Ask) and isinstance(event.request, KEPT):
            recorded[names[event.person], str(event.request)] += 1
        effects = fold(lobby, event, at)
        names.update({person.id: person.name for person in lobby.people.values()})
        for effect in effects:
            if isinstance(effect, Tell) and isinstance(effect.message, Events | TableSnapshot):
                for person in effect.people:
                    if person in names:
                        told[names[person], _table_of(effect.message)].note(effect.message)


def _as_recorded(world: Evening, histories: Iterable[History]) -> None:
    told: dict[tuple[str, int], Told] = defaultdict(Told)
    recorded: Counter[tuple[str, str]] = Counter()
    for history in histories:
        _told(history, told, recorded)
    _answered(world, recorded)
    talks = [[event.text for event in one.events.values() if isinstance(event, Said)] for one in told.values()]
    said = {text for talk in talks for text in talk}
    for talk in talks:
        twice = Counter(talk).most_common(1)
        if twice and twice[0][1] > 1:
            raise Violation(f"{twice[0][0]!r} was said twice")
    if lost := [text for text in world.said if text not in said]:
        raise Violation(f"{lost[0]!r} was acknowledged and is lost")
    _heard(world, told)


def _heard(world: Evening, told: dict[tuple[str, int], Told]) -> None:
    """Each player and spectator was told what the records say, each event once and in order."""
    names: dict[str, str] = {}
    """Names by token."""
    last: dict[tuple[str, int], int] = {}
    """Number of the last event that each person heard of each table."""
    for heard in world.heard:
        name = ""
        for message in heard:
            match message:
                case Hello():
                    name = names.get(message.token, message.name)
                case Welcome():
                    names[message.token] = name
                case Events() | TableSnapshot():
                    at = name, _table_of(message)
                    what = f"{name} was told of table {at[1]}"
                    if isinstance(message, Events):
                        if message.events and message.first != last.get(at, 0) + 1:
                            raise Violation(f"{what} event {message.first} after event {last.get(at, 0)}")
                        for number, event in enumerate(message.events, message.first):
                            if told[at].events.get(number) != event:
                                raise Violation(f"{what} as event {number} what is not recorded")
                    if message.view is not None and (_last_in(message), message.view) not in told[at].views:
                        raise Violation(f"{what} after event {_last_in(message)} a view that is not recorded")
                    last[at] = _last_in(message)
                case _:
                    pass


def _answered(world: Evening, recorded: Counter[tuple[str, str]]) -> None:
    """What was refused is not recorded, and what was carried out is recorded once. `recorded`: how often each request
    of each person is."""
    names: dict[str, str] = {}
    """Names by token."""
    last: dict[tuple[str, int], _Sent] = {}
    """The latest request of each person and number; a connection after another may count from 1."""
    every: list[_Sent] = []
    for heard in world.heard:
        name, waiting = "", dict[int, _Sent]()
        for message in heard:
            match message:
                case Hello():
                    name = names.get(message.token, message.name)
                    waiting = {number: last[name, number] for number in message.asked if (name, number) in last}
                case Welcome():
                    names[message.token] = name
                case _ if isinstance(message, Request):
                    waiting[message.id] = last[name, message.id] = one = _Sent(
                        (name, str(message)), isinstance(message, KEPT)
                    )
                    every.append(one)
                case Ok(id=number) | Refused(id=number) | Events(id=number) if number in waiting:
                    waiting.pop(number).answers.add(not isinstance(message, Refused))
                case _:
                    pass
    for what in {one.what for one in every if one.is_kept}:
        answers = [one.answers for one in every if one.what == what]
        if {True, False} in answers:
            raise Violation(f"{what[1]} of {what[0]} was carried out, and refused as well")
        least, most = answers.count({True}), len(answers) - answers.count({False})
        if not least <= recorded[what] <= most:
            raise Violation(
                f"{what[1]} of {what[0]} was carried out {least} times, and is recorded {recorded[what]} times"
            )


@dataclass
class _Sent:
    """A request that was sent once."""

    what: tuple[str, str]
    """Name of the person, and the request."""
    is_kept: bool
    answers: set[bool] = field(default_factory=set)
    """True: it was carried out; False: it was refused. One that is not read in time is asked for again."""


def _in_order(world: Evening) -> None:
    """Answers to carried-over requests come before what follows from them; and answers about one table, or about none,
    in the order of the requests."""
    asked: dict[tuple[str, int], int] = {}
    """Table of each request; 0: none."""
    for heard in world.heard:
        token, waiting = "", []
        carried: set[int] = set()
        for message in heard:
            match message:
                case Hello():
                    token, waiting, carried = message.token, list(message.asked), set(message.asked)
                case Welcome():
                    token = message.token
                case Ok(id=number) | Refused(id=number) | Events(id=number) | TableSnapshot(id=number) if (
                    number in waiting
                ):
                    _must_be_first(number, waiting, asked, token)
                    waiting.remove(number)
                case Decision(table=table) | Events(table=table, id=0) | TableSnapshot(info=Info(id=table)):
                    late = [n for n in waiting if n in carried and asked.get((token, n)) == table]
                    if late:
                        raise Violation(f"table {table} went on before request {late[0]} of before was answered")
                case _ if isinstance(message, Request):
                    asked[token, message.id] = getattr(message, "table", 0)
                    waiting.append(message.id)
                case _:
                    pass


def _must_be_first(number: int, waiting: list[int], asked: dict[tuple[str, int], int], token: str) -> None:
    table = asked.get((token, number))
    before = [n for n in waiting if n < number and table is not None and asked.get((token, n)) == table]
    if before:
        raise Violation(f"request {number} was answered before request {before[0]} about the same table, {table}")


def _checkpointed(world: World) -> None:
    """A worker that finds records in a shard makes a checkpoint there, if nothing hinders it."""
    made: list[bool] = []
    for shard in range(world.plan.shards):
        parts: list[bytes] = []
        last, compacted, until = 0, 0, 0.0
        for message in world.broker.streams[_names.stream(shard)].all:
            match message.subject.rsplit(".", 1)[1]:
                case "claim":
                    if message.stored_at <= until and not made[-1]:
                        made.pop()
                    parts, until = [], 0.0
                    if last > compacted:
                        until = message.stored_at + TAKEN_S
                        made.append(False)
                case "part":
                    parts.append(message.data)
                case "commit":
                    commit = _decode_commit(b"".join((*parts, message.data)))
                    parts = []
                    last = max([last, *[row[0] for row in commit.records]])
                    numbers = [change.number for change in commit.changes if isinstance(change, Compaction)]
                    compacted = max([compacted, *numbers])
                    if numbers and message.stored_at <= until:
                        made[-1] = True
                case _:
                    pass
    if len(made) >= TAKEN and not any(made):
        raise Violation(f"{len(made)} workers took a shard, and none made a checkpoint")


def _copied(world: World) -> None:
    """Each copy of a shard is the lobby that its records make."""
    for shard in {copy[0] for copy in world.copies}:
        lobby, records = _history(world, shard).lobby, deque(_records(world, shard))
        for last, copy in sorted([copy[1:] for copy in world.copies if copy[0] == shard]):
            while records and records[0].number <= last:
                _, at, event = records.popleft()
                fold(lobby, event, at)
            if last and encode(lobby.checkpoint()) != copy:
                raise Violation(f"a copy of shard {shard} is not what its records say")


def _forgotten(world: World, records: list[GameRecord]) -> None:
    """The secrets of blind games that are over are in no stream, nor where removed messages were stored."""
    if not world.plan.programme.holds_keys:
        return
    stored = b"\0".join(
        [one.data for stream in world.broker.streams.values() for one in stream.all if not one.is_erased]
    )
    for game, secret in list(secrets_of(world.plan.programme.seed, records).items())[-TRACED:]:
        if secret in stored:
            raise Violation(f"blind game {game[1]} of table {game[0]} can still be read")

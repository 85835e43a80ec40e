"""Splitting of a lobby into those of shards, and merging. All lobbies are checkpoints.

Tables keep their numbers, because a number determines the shard. A person has one home shard, by their name, and is a
visitor in every other shard with a table that knows them. A visitor has the same token as at home, so `merge`
recognizes them. Ids of people belong to a lobby: `split` keeps them, and `merge` replaces clashing ones. Each shard has
its own clock: `merge` moves all times to the latest of these clocks.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count

from msgspec.structs import replace

from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.messages import Ok
from put_protocol.text import same_name
from put_server.cluster.broker import BadCluster
from put_server.journal.journal_reader import Checkpoint
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint, PersonCheckpoint
from put_server.lobby.presence import REMEMBERED
from put_server.table.clock import Timer
from put_server.table.table_checkpoint import TableCheckpoint
from put_server.table.table_effects import PersonId, TableId

HomeOf = Callable[[str], int]


def split(lobby: LobbyCheckpoint, shards: int, home_of: HomeOf) -> list[LobbyCheckpoint]:
    """Split a lobby; returns the lobby of each shard, in order."""
    known: list[set[PersonId]] = [set() for _ in range(shards)]
    for table in lobby.tables:
        known[table.id % shards].update(_people_of(table))
    return [
        replace(
            lobby,
            people=tuple(
                [
                    _as_in(person, shard, shards, is_home=home_of(person.name) == shard)
                    for person in lobby.people
                    if home_of(person.name) == shard or (person.id in known[shard] and not person.is_kept)
                ]
            ),
            tables=tuple([table for table in lobby.tables if table.id % shards == shard]),
            opened=tuple([item for item in lobby.opened if item[0] % shards == shard]),
            last_table=max(0, lobby.last_table - (lobby.last_table - shard) % shards),
        )
        for shard in range(shards)
    ]


def _as_in(person: PersonCheckpoint, shard: int, shards: int, *, is_home: bool) -> PersonCheckpoint:
    tables = tuple([table for table in person.tables if table % shards == shard])
    # A returning client asks all shards for earlier answers; only one shard may have them.
    return replace(person, tables=tables, answers=person.answers if is_home else (), is_visitor=not is_home)


def _people_of(table: TableCheckpoint) -> Iterator[PersonId]:
    """People whom a table names by id, including house players and people who are gone."""
    yield table.opener
    yield from [chair.sitter.id for chair in table.chairs if chair.sitter is not None]
    yield from [person for person, _ in table.watchers]
    yield from table.players
    yield from [person for person, _ in table.invited]


class _Ids:
    """Unique ids for the people of several lobbies."""

    def __init__(self, first_free: int) -> None:
        self._fresh = count(first_free)
        self._of: dict[tuple[int, PersonId] | PersonId, PersonId] = {}
        self._taken: set[PersonId] = set()
        self.last = first_free - 1

    def give(self, wanted: PersonId, *keys: tuple[int, PersonId] | PersonId) -> PersonId:
        """Assign the wanted id if it is free, otherwise a new one. `of` finds it by any of the keys."""
        given = wanted
        if wanted in self._taken:
            given = PersonId(next(self._fresh))
            self.last = given
        self._taken.add(given)
        for key in keys:
            self._of[key] = given
        return given

    def of(self, shard: int, person: PersonId) -> PersonId:
        """The new id of a person in a shard; for a person who is gone, an unused id."""
        if (found := self._of.get((shard, person)) or self._of.get(person)) is not None:
            return found
        return self.give(person, person)


def merge(shards: Sequence[Checkpoint], home_of: HomeOf) -> Checkpoint:
    """:raises BadCluster: two people have one name."""
    at = max(kept.at for kept in shards)
    parts = [_shifted(kept.lobby, at - kept.at) for kept in shards]
    ids = _Ids(max(part.last_person for part in parts) + 1)
    people = _merged_people(parts, home_of, ids)
    for shard, part in enumerate(parts):
        for sitter in _house_of(part):
            ids.give(sitter, (shard, sitter))
    tables = [_renamed(table, shard, ids) for shard, part in enumerate(parts) for table in part.tables]
    lobby = replace(
        parts[0],
        people=tuple(people),
        tables=tuple(sorted(tables, key=lambda table: table.id)),
        opened=tuple(sorted([item for part in parts for item in part.opened])),
        last_person=ids.last,
        last_table=max(part.last_table for part in parts),
        is_draining=any(part.is_draining for part in parts),
        is_exhibition=any(part.is_exhibition for part in parts),
        epochs=_merged_epochs([part.epochs for part in parts]),
    )
    return Checkpoint(max(kept.number for kept in shards), at, in_order(lobby))


def in_order(lobby: LobbyCheckpoint) -> LobbyCheckpoint:
    """The lobby in the order of a merged one: people by id, behind them the kept names, the longest absent first; and
    answers by request, which a client counts up."""
    people = [replace(one, answers=_by_request(one.answers)) for one in lobby.people]
    people.sort(key=lambda one: (one.is_kept, one.lost_at if one.is_kept else 0, one.id))
    return replace(lobby, people=tuple(people))


def _by_request(answers: Sequence[Ok]) -> tuple[Ok, ...]:
    by_id = {ok.id: ok for ok in answers}
    return tuple([by_id[number] for number in sorted(by_id)][-REQUEST_ARRAY_ITEMS:])


def _merged_people(parts: Sequence[LobbyCheckpoint], home_of: HomeOf, ids: _Ids) -> list[PersonCheckpoint]:
    found: dict[bytes, list[tuple[int, PersonCheckpoint]]] = {}
    for shard, part in enumerate(parts):
        for person in part.people:
            found.setdefault(person.token, []).append((shard, person))
    merged: list[PersonCheckpoint] = []
    names: set[str] = set()
    for same in found.values():
        same.sort(key=lambda one: (home_of(one[1].name) != one[0], one[0]))
        main = same[0][1]
        if (name := same_name(main.name)) in names:
            raise BadCluster(f"two people are called {main.name}; send one of them away")
        names.add(name)
        merged.append(
            replace(
                main,
                id=ids.give(main.id, *[(shard, one.id) for shard, one in same]),
                is_here=any(one.is_here for _, one in same),
                lost_at=max(one.lost_at for _, one in same),
                tables=tuple(sorted({table for _, one in same for table in one.tables})),
                answers=tuple([ok for _, one in same for ok in one.answers]),
                incarnation=max(one.incarnation for _, one in same),
                is_kept=all(one.is_kept for _, one in same),
                is_visitor=False,
            )
        )
    return merged


def _merged_epochs(all_known: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The starts of all shards, without those that a shard may have forgotten, because these may be lost."""
    first = max([known[0] for known in all_known if len(known) == REMEMBERED], default=0)
    union = {epoch for known in all_known for epoch in known if epoch >= first}
    return tuple(sorted(union)[-REMEMBERED:])


def _house_of(lobby: LobbyCheckpoint) -> Iterator[PersonId]:
    for table in lobby.tables:
        for chair in table.chairs:
            if chair.sitter is not None and chair.sitter.is_house:
                yield chair.sitter.id


def _renamed(table: TableCheckpoint, shard: int, ids: _Ids) -> TableCheckpoint:
    chairs = [
        chair
        if chair.sitter is None
        else replace(chair, sitter=replace(chair.sitter, id=ids.of(shard, chair.sitter.id)))
        for chair in table.chairs
    ]
    return replace(
        table,
        opener=ids.of(shard, table.opener),
        chairs=tuple(chairs),
        watchers=tuple([(ids.of(shard, person), name) for person, name in table.watchers]),
        players=tuple([ids.of(shard, person) for person in table.players]),
        invited=tuple([(ids.of(shard, person), invitation) for person, invitation in table.invited]),
    )


def _shifted(lobby: LobbyCheckpoint, by: int) -> LobbyCheckpoint:
    """The lobby with all times moved later by `by` milliseconds."""
    if not by:
        return lobby
    return replace(
        lobby,
        people=tuple(
            [replace(person, lost_at=person.lost_at + by) if person.lost_at else person for person in lobby.people]
        ),
        tables=tuple([_shifted_table(table, by) for table in lobby.tables]),
        opened=tuple([(TableId(table), at + by) for table, at in lobby.opened]),
    )


def _shifted_table(table: TableCheckpoint, by: int) -> TableCheckpoint:
    def later(timer: Timer) -> Timer:
        return timer if timer.since is None else replace(timer, since=timer.since + by)

    blind, pause, play = table.blind, table.pause, table.play
    if blind is not None:
        waits = {seat: replace(wait, timer=later(wait.timer)) for seat, wait in blind.waits.items()}
        blind = replace(blind, waits=waits)
    if pause is not None and pause.timer is not None:
        pause = replace(pause, timer=later(pause.timer))
    if play is not None:
        play = replace(play, begun=play.begun + by)
    return replace(
        table,
        chairs=tuple([replace(chair, bank=later(chair.bank)) for chair in table.chairs]),
        turn=later(table.turn),
        blind=blind,
        pause=pause,
        play=play,
    )

"""Migration of all stored data: from a journal in a file to a cluster, and from a cluster to such a journal.

Laws: data that cannot be moved as a whole is not moved, and the source stays as it was. The configuration of a cluster
that is being written says so, and no process serves it before all of it was read again and compared. A journal is
written in a folder of its own, and put in its place at the end.
"""

import secrets
import shutil
import sqlite3
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from heapq import merge as merged_by_time
from itertools import count, islice
from pathlib import Path

from msgspec.structs import replace
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from put_rules.steps import BadRecord
from put_runtime.private_files import replace_private
from put_server.app import new_lobby
from put_server.cluster import cluster_config
from put_server.cluster.broker import OutOfReach, asking, reason
from put_server.cluster.broker_names import BrokerNames
from put_server.cluster.cluster_config import ClusterConfig, new_config
from put_server.cluster.home_shards import home_of_digest, home_of_name, write_homes
from put_server.cluster.partition import LobbyAtRest, merge, split
from put_server.cluster.shard_stream import streams_of
from put_server.cluster.shard_worker import beats_subject
from put_server.cluster.shared_value import SharedBans
from put_server.cluster.stream_journal import (
    GAME,
    StreamJournal,
    decode_game_row,
    encode_game_row,
)
from put_server.journal.archive import Archive
from put_server.journal.files import locked
from put_server.journal.journal import Journal
from put_server.journal.journal_errors import JournalError, as_journal_errors
from put_server.journal.journal_reader import GameColumns, JournalRecord
from put_server.journal.journal_schema import crc, take_passcode_key
from put_server.journal.lobby_replay import DoesNotFollow, replay
from put_server.journal.loss import why_lost
from put_server.journal.mark import mark_of
from put_server.journal.records import encode
from put_server.lobby.inputs import Tick
from put_server.lobby.lobby import Lobby
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.settings import Settings
from put_server.transport.bans import BadBans, Bans, lines_of
from put_server.transport.origins import Network, parse_network

GAMES_AT_ONCE = 100
"""Finished games that are written together: a quarter of a megabyte."""

LISTEN_S = 1.5
"""Time for which beats of workers are awaited: five beats."""

ATTEMPTS = 10
"""Attempts to read a shard while its worker serves it."""

ANSWER_S = 5.0
"""Time limit for the broker to make or remove a stream."""


class CannotMigrate(Exception):
    """Nothing was moved, and nothing was changed; the sentence says why."""


async def to_cluster(client: Client, settings: Settings, journal: Path, *, replaces: bool) -> str:
    """Move a journal to a new cluster. `replaces`: remove the rest of a cluster of this name that is not in use.
    Returns a sentence that says what was done.

    :raises CannotMigrate: there is such a cluster, a server has the journal, or the journal is damaged.
    :raises JournalError: it cannot be read.
    :raises OutOfReach: the broker does not answer.
    """
    with locked(journal.parent):
        with as_journal_errors(journal):
            loss = why_lost(journal)
        if loss:
            raise CannotMigrate(f"{journal} {loss}")
        with Archive(journal) as archive:
            archive.check_pages()
            kept = _restored(archive, new_lobby(settings, archive.passcode_key))
            rows = list(archive.rows())
            bans = _bans_beside(journal)
            made = new_config(settings, passcode_key=archive.passcode_key, is_moving=True)
            await _make_room(client, settings.cluster, replaces=replaces)
            try:
                await cluster_config.write(client, settings.cluster, made, is_new=True)
                await _write(client, settings.cluster, made, kept, rows)
                await SharedBans(client, settings.cluster).write(bans)
                await _compare(client, settings, made, kept, rows)
                await cluster_config.write(client, settings.cluster, replace(made, is_moving=False), is_new=False)
            except BaseException:
                with suppress(NatsError, TimeoutError, OutOfReach):
                    await _remove(client, settings.cluster)
                raise
    return (
        f"{_told(kept.lobby, len(rows), len(bans))} were moved from {journal} to the cluster {settings.cluster}; the "
        "journal is as it was: start no server with it as long as the cluster is used"
    )


def _told(lobby: LobbyCheckpoint, games: int, bans: int) -> str:
    people, tables, finished = (
        f"{len(lobby.people):,} people",
        f"{len(lobby.tables):,} tables",
        f"{games:,} finished games",
    )
    return f"{people}, {tables}, {finished} and {bans:,} bans" if bans else f"{people}, {tables} and {finished}"


def _bans_beside(journal: Path) -> list[Network]:
    """Bans of the server that has the journal.

    :raises CannotMigrate: their file cannot be read.
    """
    try:
        return list(map(parse_network, Bans(journal.with_name("bans")).all))
    except BadBans as error:
        raise CannotMigrate(str(error)) from None


def _restored(archive: Archive, lobby: Lobby) -> LobbyAtRest:
    """The lobby after the last record.

    :raises CannotMigrate: the records cannot be replayed.
    """
    last = JournalRecord(0, 0, Tick())
    try:
        if (checkpoint := archive.checkpoint()) is not None:
            lobby.restore(checkpoint.lobby)
            last = JournalRecord(checkpoint.number, checkpoint.at, Tick())
        for record, _ in replay(lobby, last.at, archive.records()):
            last = record
    except (BadRecord, DoesNotFollow) as error:
        raise CannotMigrate(f"{archive.path}: {error}; put-server check says more") from None
    return LobbyAtRest(last.number, last.at, lobby.checkpoint())


async def _make_room(client: Client, cluster: str, *, replaces: bool) -> None:
    """:raises CannotMigrate: there is a cluster of this name."""
    there = await cluster_config.found(client, cluster)
    if there is not None and not (there.is_moving or there.is_moved):
        raise CannotMigrate(f"there is a cluster {cluster} already, and it is in use; choose another --cluster")
    names = await _streams(client, cluster)
    if there is None and not names:
        return
    if not replaces:
        raise CannotMigrate(
            f"something is left of a cluster {cluster} that is not in use; remove it with --replace, or choose another "
            "--cluster"
        )
    await _nobody_serves(client, cluster)
    await _remove(client, cluster)


async def _nobody_serves(client: Client, cluster: str) -> None:
    """:raises CannotMigrate: a worker is running."""
    beats = await client.subscribe(beats_subject(cluster))
    try:
        await beats.next_msg(timeout=LISTEN_S)
    except TimeoutError:
        return
    except NatsError as error:
        raise OutOfReach(f"NATS cannot be asked for the workers of {cluster}: {reason(error)}") from None
    finally:
        await beats.unsubscribe()
    raise CannotMigrate(f"workers of the cluster {cluster} are running; stop all of them first")


async def _streams(client: Client, cluster: str) -> list[str]:
    """The streams of a cluster, those of its buckets included."""
    names = BrokerNames(cluster)
    found: list[str] = []
    with asking("NATS cannot be asked for its streams"):
        for offset in count(0, 256):
            page = await client.jetstream(timeout=ANSWER_S).streams_info(offset=offset)
            found += [one.config.name for one in page if one.config.name and names.has(one.config.name)]
            if len(page) < 256:
                return found
    raise AssertionError


async def _remove(client: Client, cluster: str) -> None:
    """Remove all streams of a cluster; the configuration last, so that a part of a cluster is never taken for a whole
    one."""
    last = f"KV_{BrokerNames(cluster).config}"
    for name in sorted(await _streams(client, cluster), key=lambda name: name == last):
        with suppress(NotFoundError):
            await client.jetstream(timeout=ANSWER_S).delete_stream(name)


async def _write(
    client: Client, cluster: str, made: ClusterConfig, kept: LobbyAtRest, rows: Sequence[GameColumns]
) -> None:
    def home_of(name: str) -> int:
        return home_of_name(name, made.shards)

    for shard, lobby in enumerate(split(kept.lobby, made.shards, home_of)):
        _, games = streams_of(client, cluster, made, shard)
        await games.make()
        await games.last()
        for some in _in_pieces(row for row in rows if row[2] % made.shards == shard):
            await games.append([(GAME, encode_game_row(row)) for row in some])
        journal = await _journal(client, cluster, made, shard)
        journal.go_on(kept.number, kept.at, lobby)
        journal.finish()
        await journal.run()
    homes = {
        person.token: home_of(person.name)
        for person in kept.lobby.people
        if home_of_digest(person.token, made.shards) != home_of(person.name)
    }
    await write_homes(client, cluster, homes, replicas=made.replicas)


async def _compare(
    client: Client, settings: Settings, made: ClusterConfig, kept: LobbyAtRest, rows: Sequence[GameColumns]
) -> None:
    """Read the cluster again, and compare it with the data that were written.

    :raises CannotMigrate: they differ.
    """
    found = await _read(client, settings, made)
    stored = [row for shard in range(made.shards) for row in await _games(client, settings.cluster, made, shard)]
    if encode(found.lobby) != encode(kept.lobby) or sorted(stored) != sorted(rows):
        raise CannotMigrate("the data in NATS differ from the data written; nothing was moved")


async def _journal(
    client: Client, cluster: str, made: ClusterConfig, shard: int, *, is_served: bool = False
) -> StreamJournal:
    """The journal of a shard; the shard is claimed, or only read with `is_served`."""
    streams = streams_of(client, cluster, made, shard)
    if is_served:
        return await StreamJournal.seen(*streams)
    return await StreamJournal.opened(*streams, f"migrate-{secrets.token_hex(4)}")


def _in_pieces(rows: Iterable[GameColumns]) -> Iterator[list[GameColumns]]:
    left = iter(rows)
    while some := list(islice(left, GAMES_AT_ONCE)):
        yield some


async def to_journal(client: Client, settings: Settings, journal: Path) -> str:
    """Move a cluster to a new journal. Returns what was done.

    :raises CannotMigrate: there is a journal already, workers run, or the cluster is damaged.
    :raises BadCluster: it is not in use.
    :raises OutOfReach: the broker does not answer.
    """
    there = await cluster_config.found(client, settings.cluster)
    if there is None:
        raise CannotMigrate(f"there is no cluster {settings.cluster}")
    cluster_config.check(there, settings)
    await _nobody_serves(client, settings.cluster)
    journal.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(journal.parent):
        bans_file = journal.with_name("bans")
        for file in (journal, mark_of(journal), bans_file):
            if file.exists():
                raise CannotMigrate(f"there is {file} already; name an empty directory with --data")
        folder = Path(tempfile.mkdtemp(prefix="moving-", dir=journal.parent))
        try:
            bans = await SharedBans(client, settings.cluster).read()
            kept, count_of_games = await _written(client, settings, there, folder / journal.name)
            await cluster_config.write(client, settings.cluster, replace(there, is_moved=True), is_new=False)
            for name in (journal.name, mark_of(journal).name):
                (folder / name).replace(journal.with_name(name))
            if bans:
                replace_private(bans_file, lines_of(bans).encode())
        finally:
            shutil.rmtree(folder)
    return (
        f"{_told(kept.lobby, count_of_games, len(bans))} were moved from the cluster {settings.cluster} to {journal}; "
        "the cluster is closed, and what NATS keeps of it is yours to remove"
    )


async def backup(client: Client, settings: Settings, made: ClusterConfig, path: Path) -> str:
    """Copy a cluster's data to a new journal, also while it is served: each shard as it is at one moment. Its bans, if
    there are any, are copied to a file beside the journal. Returns what was done.

    :raises CannotMigrate: a shard cannot be read, and the copy is of all others.
    :raises OutOfReach: the broker does not answer.
    """
    folder = Path(tempfile.mkdtemp(prefix="backup-", dir=path.parent))
    try:
        bans = await SharedBans(client, settings.cluster).read()
        unreadable: list[str] = []
        kept, games = await _written(client, settings, made, folder / path.name, is_served=True, unreadable=unreadable)
        (folder / path.name).replace(path)
        if bans:
            replace_private(path.with_name(f"{path.name}.bans"), lines_of(bans).encode())
    finally:
        shutil.rmtree(folder)
    told = f"{path} is a copy of the cluster {settings.cluster}: {_told(kept.lobby, games, len(bans))}"
    if unreadable:
        raise CannotMigrate(f"{told}, without what cannot be read: {'; '.join(unreadable)}")
    return told


async def _written(
    client: Client,
    settings: Settings,
    made: ClusterConfig,
    path: Path,
    *,
    is_served: bool = False,
    unreadable: list[str] | None = None,
) -> tuple[LobbyAtRest, int]:
    """Write all data of a cluster to a journal, and read it again. Returns its lobby, and the number of games.

    :raises CannotMigrate: the cluster is damaged.
    """
    kept = await _read(client, settings, made, is_served=is_served, unreadable=unreadable)
    stored = [await _games(client, settings.cluster, made, shard, is_served=is_served) for shard in range(made.shards)]
    in_order = merged_by_time(*stored, key=lambda row: (row[1], row[0]))
    rows = [_numbered(number, row) for number, row in enumerate(in_order, 1)]
    await _make_journal(path, kept, rows, bytes.fromhex(made.passcode_key))
    with Archive(path) as archive:
        found = _restored(archive, new_lobby(settings, archive.passcode_key))
        if encode(found.lobby) != encode(kept.lobby) or list(archive.rows()) != rows:
            raise CannotMigrate("the written journal differs from the cluster")
    return kept, len(rows)


def _numbered(number: int, row: GameColumns) -> GameColumns:
    new = (number, row[1], row[2], row[3], row[4], row[5], row[6], row[7])
    return (*new, crc(*new))


async def _make_journal(path: Path, kept: LobbyAtRest, rows: Sequence[GameColumns], passcode_key: bytes) -> None:
    journal = Journal(path)
    try:
        journal.go_on(kept.number, kept.at, kept.lobby)
        for some in _in_pieces(rows):
            journal.add_games(some)
        journal.finish()
        await journal.run()
    finally:
        journal.close()
    with as_journal_errors(path), closing(sqlite3.connect(path)) as file, file:
        take_passcode_key(file, passcode_key)


async def _read(
    client: Client,
    settings: Settings,
    made: ClusterConfig,
    *,
    is_served: bool = False,
    unreadable: list[str] | None = None,
) -> LobbyAtRest:
    """The lobby of the whole cluster. `is_served`: workers have the shards, and keep them. `unreadable`: takes why a
    shard cannot be read, and that shard is left out.

    :raises CannotMigrate: a shard cannot be read, or two cannot be merged.
    """
    parts: list[LobbyAtRest] = []
    for shard in range(made.shards):
        try:
            parts.append(await _read_shard(client, settings, made, shard, is_served=is_served))
        except CannotMigrate as error:
            if unreadable is None:
                raise
            unreadable.append(str(error))
    try:
        if not parts:
            raise CannotMigrate("; ".join(unreadable or ()))
        return merge(parts, lambda name: home_of_name(name, made.shards))
    except ValueError as error:
        raise CannotMigrate(str(error)) from None


async def _read_shard(
    client: Client, settings: Settings, made: ClusterConfig, shard: int, *, is_served: bool
) -> LobbyAtRest:
    attempts = ATTEMPTS if is_served else 1
    for left in reversed(range(attempts)):
        lobby = new_lobby(settings, bytes.fromhex(made.passcode_key), shard=shard, shards=made.shards)
        try:
            journal = await _journal(client, settings.cluster, made, shard, is_served=is_served)
            deque(journal.bring_back(lobby, journal.checkpoint(), journal.records()), maxlen=0)
            return LobbyAtRest(journal.number, journal.last_time(), lobby.checkpoint())
        except (JournalError, BadRecord, DoesNotFollow, OutOfReach) as error:
            if not left:  # else its worker may just have removed messages that were to be read
                raise CannotMigrate(f"shard {shard} cannot be read: {error}") from None
    raise AssertionError


async def _games(
    client: Client, cluster: str, made: ClusterConfig, shard: int, *, is_served: bool = False
) -> list[GameColumns]:
    _, stream = streams_of(client, cluster, made, shard)
    await stream.make()
    return [decode_game_row(stored.data) for stored in await stream.read(is_served=is_served)]

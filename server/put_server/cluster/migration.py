"""Migration of all stored data: from a journal in a file to a cluster, and from a cluster to such a journal.

Laws: data is moved completely or not at all, and the source is unchanged. The configuration marks a cluster that is
being written, and no process serves it before all data was read again and compared. A journal is written in a separate
folder. It is moved into place after the cluster is closed, so that never both go on. A cluster that is closed can be
moved again, because its data stays: so nothing is lost if a migration ends between the two.
"""

import secrets
import tempfile
from collections.abc import Sequence
from contextlib import closing, suppress
from heapq import merge as merged_by_time
from itertools import count, zip_longest
from pathlib import Path

from msgspec.structs import replace
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from put_protocol.text import counted
from put_runtime.private_files import replace_private, sync_folder
from put_server.app import new_lobby
from put_server.cluster import cluster_config
from put_server.cluster.broker import ANSWER_S, BadCluster, BrokerNames, OutOfReach, asking, reason
from put_server.cluster.cluster_config import ClusterConfig, new_config
from put_server.cluster.home_shards import home_of_digest, home_of_name, write_homes
from put_server.cluster.partition import in_order, merge, split
from put_server.cluster.shard_stream import ShardStream, streams_of
from put_server.cluster.shared_value import SharedBans
from put_server.cluster.stream_journal import GAME, StreamJournal, decode_game_row, encode_game_row
from put_server.journal.archive import Archive
from put_server.journal.files import locked
from put_server.journal.journal import Journal
from put_server.journal.journal_errors import JournalError, as_journal_errors
from put_server.journal.journal_reader import Checkpoint, GameColumns, row_of
from put_server.journal.journal_schema import crc
from put_server.journal.lobby_replay import DoesNotFollow, after_all
from put_server.journal.mark import mark_of, why_lost
from put_server.journal.records import encode
from put_server.lobby.lobby import Lobby
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.settings import Settings
from put_server.transport.bans import BadBans, Bans, lines_of
from put_server.transport.origins import Network, parse_network

GAMES_AT_ONCE = 100
"""Finished games written together: a quarter of a megabyte."""

LISTEN_S = 1.5
"""Time to wait for beats of workers: five beats."""

READ_ATTEMPTS = 10

_STOP = "stop all of them first"


def archived(archive: Archive, settings: Settings) -> Checkpoint:
    """:raises JournalError: the journal cannot be read or replayed."""
    try:
        return after_all(new_lobby(settings, archive.passcode_key), archive.kept)
    except DoesNotFollow as error:
        raise JournalError(f"{archive.path}: {error}; put-server check says more") from None


async def write(journal: Journal | StreamJournal, kept: Checkpoint) -> None:
    """Have a journal go on from a lobby, and end."""
    journal.go_on(kept.number, kept.at, kept.lobby)
    journal.finish()
    await journal.run()


class StoredCluster:
    def __init__(self, client: Client, settings: Settings, config: ClusterConfig) -> None:
        self.client = client
        self.settings = settings
        self.config = config
        self._claims: dict[int, int] = {}
        """Our claims of shards."""

    def home_of(self, name: str) -> int:
        return home_of_name(name, self.config.shards)

    def streams(self, shard: int) -> tuple[ShardStream, ShardStream]:
        return streams_of(self.client, self.settings.cluster, self.config, shard)

    def empty_lobby(self, shard: int) -> Lobby:
        key = bytes.fromhex(self.config.passcode_key)
        return new_lobby(self.settings, key, shard=shard, shards=self.config.shards)

    async def write(self, kept: Checkpoint, games: Sequence[GameColumns]) -> None:
        shards = self.config.shards
        for shard, lobby in enumerate(split(kept.lobby, shards, self.home_of)):
            _, stream = self.streams(shard)
            await stream.make()
            await stream.last()
            rows = [(GAME, encode_game_row(row)) for row in games if row[2] % shards == shard]
            for first in range(0, len(rows), GAMES_AT_ONCE):
                await stream.append(rows[first : first + GAMES_AT_ONCE])
            await write(await self._claimed(shard), kept._replace(lobby=lobby))
        homes = {person.token: self.home_of(person.name) for person in kept.lobby.people}
        elsewhere = {token: home for token, home in homes.items() if home != home_of_digest(token, shards)}
        await write_homes(self.client, self.settings.cluster, elsewhere, replicas=self.config.replicas)

    async def read(self, unreadable: list[str] | None = None) -> tuple[Checkpoint, list[list[GameColumns]]]:
        """The lobby of the whole cluster, and the finished games of each shard. `unreadable`: leave the shards to their
        workers, skip unreadable shards and games, and add the reasons to this list; None: claim all shards.

        :raises BadCluster: a shard or a game is unreadable, or two shards cannot be merged.
        """
        is_served = unreadable is not None
        parts: list[Checkpoint] = []
        for shard in range(self.config.shards):
            try:
                parts.append(await self._read(shard, READ_ATTEMPTS if is_served else 1, is_served=is_served))
            except BadCluster as error:
                if unreadable is None:
                    raise
                unreadable.append(str(error))
        if not parts:
            raise BadCluster("; ".join(unreadable or ()))
        try:
            games = [await self._games(shard, unreadable) for shard in range(self.config.shards)]
        except JournalError as error:
            raise BadCluster(str(error)) from None
        return merge(parts, self.home_of), games

    async def _read(self, shard: int, attempts: int, *, is_served: bool) -> Checkpoint:
        try:
            journal = await (StreamJournal.seen(*self.streams(shard)) if is_served else self._claimed(shard))
            return after_all(self.empty_lobby(shard), journal.kept)
        except (JournalError, OutOfReach) as error:
            if attempts > 1:  # its worker may just have removed messages that were to be read
                return await self._read(shard, attempts - 1, is_served=is_served)
            raise BadCluster(f"shard {shard} cannot be read: {error}") from None

    async def _claimed(self, shard: int) -> StreamJournal:
        journal = await StreamJournal.opened(*self.streams(shard), f"migrate-{secrets.token_hex(4)}")
        self._claims[shard] = journal.claim
        return journal

    async def must_be_unchanged(self) -> None:
        """:raises BadCluster: a worker has taken a shard since it was claimed and read."""
        for shard, claim in self._claims.items():
            last = await self.streams(shard)[0].last()
            if last is None or last.sequence != claim:
                raise BadCluster(f"a worker of the cluster {self.settings.cluster} was started meanwhile; {_STOP}")

    async def _games(self, shard: int, unreadable: list[str] | None) -> list[GameColumns]:
        """`unreadable`: as in `read`, for games. :raises JournalError: a game is unreadable."""
        _, stream = self.streams(shard)
        await stream.make()
        found: list[GameColumns] = []
        for stored in await stream.read(is_served=unreadable is not None):
            try:
                row = decode_game_row(stored.data, stream.name, stored.sequence)
                row_of(row, Path(f"stream {stream.name}"))  # its sum, because it gets another number and another sum
                found.append(row)
            except JournalError as error:
                if unreadable is None:
                    raise
                unreadable.append(str(error))
        return found


async def to_cluster(client: Client, settings: Settings, journal: Path, *, replaces: bool) -> str:
    """Move a journal to a new cluster. `replaces`: first remove an unused cluster of this name. Returns a sentence
    about the result.

    :raises BadCluster: the cluster exists, a server uses the journal, or the journal has lost play.
    :raises JournalError: the journal cannot be read or replayed.
    """
    with locked(journal.parent):
        with as_journal_errors(journal):
            loss = why_lost(journal)
        if loss:
            raise BadCluster(f"{journal} {loss}")
        with Archive(journal) as archive:
            archive.check_pages()
            kept = archived(archive, settings)
            kept = kept._replace(lobby=in_order(kept.lobby))
            rows = list(archive.rows())
            bans = _bans_beside(journal)
            made = new_config(settings, passcode_key=archive.passcode_key, is_moving=True)
        cluster = StoredCluster(client, settings, made)
        await _make_room(client, settings.cluster, replaces=replaces)
        try:
            await cluster_config.write(client, settings.cluster, made, is_new=True)
            await cluster.write(kept, rows)
            await SharedBans(client, settings.cluster).write(bans)
            found, games = await cluster.read()
            if encode(found.lobby) != encode(kept.lobby) or sorted(row for some in games for row in some) != rows:
                raise BadCluster("the data in NATS differ from the data written; nothing was moved")
            await cluster_config.write(client, settings.cluster, replace(made, is_moving=False), is_new=False)
        except BaseException:
            with suppress(NatsError, TimeoutError, OutOfReach):
                await _remove(client, settings.cluster)
            raise
    return (
        f"{_told(kept.lobby, len(rows), bans)} were moved from {journal} to the cluster {settings.cluster}; the "
        "journal is as it was: start no server with it as long as the cluster is used"
    )


def _told(lobby: LobbyCheckpoint, games: int, bans: Sequence[Network]) -> str:
    parts = [counted(len(lobby.people), "person", "people"), counted(len(lobby.tables), "table")]
    parts.append(counted(games, "finished game"))
    if bans:
        parts.append(counted(len(bans), "ban"))
    *first, last = parts
    return f"{', '.join(first)} and {last}"


def _bans_beside(journal: Path) -> list[Network]:
    """:raises BadCluster: the file of bans cannot be read."""
    try:
        return list(map(parse_network, Bans(journal.with_name("bans")).all))
    except BadBans as error:
        raise BadCluster(str(error)) from None


async def _make_room(client: Client, cluster: str, *, replaces: bool) -> None:
    """:raises BadCluster: there is a cluster of this name."""
    there = await cluster_config.found(client, cluster)
    if there is not None and not (there.is_moving or there.is_moved):
        raise BadCluster(f"there is a cluster {cluster} already, and it is in use; choose another --cluster")
    if there is None and not await _streams_in(client, cluster):
        return
    if not replaces:
        raise BadCluster(
            f"something is left of a cluster {cluster} that is not in use; remove it with --replace, or choose another "
            "--cluster"
        )
    await _must_be_idle(client, cluster)
    await _remove(client, cluster)


async def _must_be_idle(client: Client, cluster: str) -> None:
    """:raises BadCluster: a worker is running."""
    beats = await client.subscribe(BrokerNames(cluster).subject("workers"))
    try:
        await beats.next_msg(timeout=LISTEN_S)
    except TimeoutError:
        return
    except NatsError as error:
        raise OutOfReach(f"NATS cannot be asked for the workers of {cluster}: {reason(error)}") from None
    finally:
        await beats.unsubscribe()
    raise BadCluster(f"workers of the cluster {cluster} are running; {_STOP}")


async def _streams_in(client: Client, cluster: str) -> list[str]:
    """Names of a cluster's streams, including those of its buckets."""
    names = BrokerNames(cluster)
    found: list[str] = []
    with asking("NATS cannot be asked for its streams"):
        for offset in count(0, 256):
            page = await client.jetstream(timeout=ANSWER_S).streams_info(offset=offset)
            found += [one.config.name for one in page if one.config.name and names.has(one.config.name)]
            if len(page) < 256:
                break
    return found


async def _remove(client: Client, cluster: str) -> None:
    """Remove all streams of a cluster, the configuration last, so that a remainder never looks like a complete
    cluster."""
    last = f"KV_{BrokerNames(cluster).config}"
    for name in sorted(await _streams_in(client, cluster), key=lambda name: name == last):
        with suppress(NotFoundError):
            await client.jetstream(timeout=ANSWER_S).delete_stream(name)


async def to_journal(client: Client, settings: Settings, journal: Path) -> str:
    """Move a cluster to a new journal, even one that is closed. Returns a sentence about the result.

    :raises BadCluster: the journal exists already, workers run, or the cluster is damaged or was not written to its
    end.
    """
    there = await cluster_config.found(client, settings.cluster)
    if there is None:
        raise BadCluster(f"there is no cluster {settings.cluster}")
    cluster_config.check(replace(there, is_moved=False), settings)
    await _must_be_idle(client, settings.cluster)
    with as_journal_errors(journal):
        journal.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(journal.parent):
        bans_file = journal.with_name("bans")
        for file in (journal, mark_of(journal), bans_file):
            if file.exists():
                raise BadCluster(f"there is {file} already; name an empty directory with --data")
        with tempfile.TemporaryDirectory(prefix="moving-", dir=journal.parent) as folder:
            made = Path(folder, journal.name)
            bans = await SharedBans(client, settings.cluster).read()
            cluster = StoredCluster(client, settings, there)
            told = await _copied(cluster, *await cluster.read(), made, bans)
            await cluster_config.write(client, settings.cluster, replace(there, is_moved=True), is_new=False)
            try:
                await cluster.must_be_unchanged()
            except BadCluster:
                await cluster_config.write(client, settings.cluster, there, is_new=False)
                raise
            _put_in_place(made, journal, bans_file, bans)
            mark_of(made).replace(mark_of(journal))  # last: if this is interrupted before, it can be begun again
    closed = "had been moved before, so use no other journal of it" if there.is_moved else "is closed"
    return (
        f"{told} were moved from the cluster {settings.cluster} to {journal}; the cluster {closed}, and what NATS "
        "keeps of it is yours to remove"
    )


def _put_in_place(made: Path, journal: Path, bans_file: Path, bans: Sequence[Network]) -> None:
    """Move a written journal to its place, after its bans."""
    if bans:
        replace_private(bans_file, lines_of(bans).encode())
    made.replace(journal)
    sync_folder(journal.parent)


async def backup(client: Client, settings: Settings, config: ClusterConfig, path: Path) -> str:
    """Copy a cluster's data to a new journal, even while it is served: each shard in one consistent state. Bans, if
    any, go to a file beside the journal. Returns a sentence about the result.

    :raises BadCluster: a shard or a game is unreadable; the copy has all others.
    :raises FileExistsError: there is a file of bans already.
    """
    cluster = StoredCluster(client, settings, config)
    unreadable: list[str] = []
    bans_file = path.with_name(f"{path.name}.bans")
    bans = await SharedBans(client, settings.cluster).read()
    if bans and bans_file.exists():
        raise FileExistsError(f"there is {bans_file} already")
    with tempfile.TemporaryDirectory(prefix="backup-", dir=path.parent) as folder:
        made = Path(folder, path.name)
        told = await _copied(cluster, *await cluster.read(unreadable), made, bans)
        _put_in_place(made, path, bans_file, bans)
    says = f"{path} is a copy of the cluster {settings.cluster}: {told}"
    if unreadable:
        raise BadCluster(f"{says}, without what cannot be read: {'; '.join(unreadable)}")
    return says


async def _copied(
    cluster: StoredCluster,
    kept: Checkpoint,
    games: Sequence[Sequence[GameColumns]],
    path: Path,
    bans: Sequence[Network],
) -> str:
    """Write all data of a cluster to a new journal, and read it again. Returns its description, with `bans`.

    :raises BadCluster: the copy differs from the cluster.
    """
    in_order = merged_by_time(*games, key=lambda row: (row[1], row[0]))
    rows = [_numbered(number, row) for number, row in enumerate(in_order, 1)]
    journal = Journal(path, new_key=bytes.fromhex(cluster.config.passcode_key))
    with closing(journal), as_journal_errors(path):
        if rows:
            journal.add_games(rows)
        await write(journal, kept)
    with Archive(path) as archive:
        found = archived(archive, cluster.settings)
        is_same = all(one == other for one, other in zip_longest(archive.rows(), rows))  # row by row: they may be large
        if encode(found.lobby) != encode(kept.lobby) or not is_same:
            raise BadCluster("the written journal differs from the cluster")
    return _told(kept.lobby, len(rows), bans)


def _numbered(number: int, row: GameColumns) -> GameColumns:
    new = (number, row[1], row[2], row[3], row[4], row[5], row[6], row[7])
    return (*new, crc(*new))

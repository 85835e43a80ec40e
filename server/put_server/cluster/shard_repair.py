"""Repair of a shard that its worker cannot read: diagnosis and rewriting.

`show` only reads. `repair` goes back to the last valid record; later play is lost, and players who saw it are informed.
A table that cannot be restored from the checkpoint is left out. `restore` uses the shard's part of a backup. Both claim
the shard, so that no worker writes to it meanwhile; afterwards its worker takes it again.
"""

import secrets
from collections import deque
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from nats.errors import Error as NatsError

from put_protocol.text import counted
from put_rules.steps import BadRecord
from put_server.cluster.beats import Heartbeat
from put_server.cluster.broker import BadCluster, BrokerNames
from put_server.cluster.migration import StoredCluster, archived, write
from put_server.cluster.partition import split
from put_server.cluster.stream_journal import StreamJournal
from put_server.journal.archive import Archive
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_reader import Checkpoint, JournalRecord
from put_server.journal.lobby_replay import bring_back
from put_server.lobby.inputs import Ask, Secret, Shuffled
from put_server.lobby.lobby import Lobby
from put_server.lobby.settling import Want
from put_server.table.table_effects import TableId


class _Readable(NamedTuple):
    kept: Checkpoint
    """The lobby after the last record that leaves no table without its pack."""
    last: int
    """Number of the last record on the stream."""
    flaw: str
    """Reason why the next record is invalid; empty: all records are valid."""


class ShardRepair:
    def __init__(self, cluster: StoredCluster, shard: int) -> None:
        """:raises BadCluster: the shard does not exist."""
        if not 0 <= shard < cluster.config.shards:
            raise BadCluster(f"the cluster {cluster.settings.cluster} has shards 0 to {cluster.config.shards - 1}")
        self._cluster = cluster
        self._shard = shard

    async def show(self) -> str:
        try:
            found = self._readable(await StreamJournal.seen(*self._cluster.streams(self._shard)))
        except JournalError as error:
            return f"shard {self._shard}: {error}; no record can be read: restore it from a backup"
        return f"shard {self._shard}: {_told(found)}" + ("; repair goes back to there" if found.flaw else "")

    async def repair(self) -> str:
        """Go back to the last valid record. :raises JournalError: no record can be read."""
        journal, flaw = await self._taken()
        if flaw:
            raise JournalError(f"shard {self._shard}: {flaw}; no record can be read: restore it from a backup")
        found = self._readable(journal)
        await write(journal, found.kept._replace(number=journal.number))
        return f"shard {self._shard} goes on from there: {_told(found)}"

    async def restore(self, backup: Path) -> str:
        """:raises JournalError: the backup is unreadable, or of another cluster or server."""
        with Archive(backup) as archive:
            if archive.passcode_key.hex() != self._cluster.config.passcode_key:
                raise JournalError(f"{backup} is no backup of the cluster {self._cluster.settings.cluster}")
            whole = archived(archive, self._cluster.settings)
        parts = split(whole.lobby, self._cluster.config.shards, self._cluster.home_of)
        journal, _ = await self._taken()
        kept = Checkpoint(journal.number, whole.at, parts[self._shard])
        await write(journal, kept)
        return f"shard {self._shard} is as in {backup}: {_counts(kept)}"

    def _readable(self, journal: StreamJournal) -> _Readable:
        checkpoint, lost = self._brought_back(journal.kept.lobby())
        first, at = (0, 0) if checkpoint is None else checkpoint[:2]
        good = first
        flaws, awaited = [f"{why}, so the table is left out" for why in lost.values()], 0
        try:
            records = _without(lost, journal.kept.inputs())
            for record, effects in bring_back(self._empty_lobby(), checkpoint, records):
                awaited += sum(isinstance(effect, Want) for effect in effects)
                awaited -= isinstance(record.input, Secret | Shuffled)
                good, at = (good, at) if awaited else record[:2]
        except JournalError as error:
            flaws.append(str(error))
        # Its checkpoint once more: the lobby of the first one has gone on.
        checkpoint, _ = self._brought_back(journal.kept.lobby())
        lobby, records = self._empty_lobby(), _without(lost, islice(journal.kept.inputs(), good - first))
        deque(bring_back(lobby, checkpoint, records), maxlen=0)
        return _Readable(Checkpoint(good, at, lobby.checkpoint()), journal.number, "; ".join(flaws))

    def _brought_back(self, checkpoint: Checkpoint | None) -> tuple[Checkpoint | None, dict[TableId, str]]:
        """The checkpoint with the tables that can be restored, and reasons for the others."""
        if checkpoint is None:
            return None, {}
        lobby, lost = checkpoint.lobby, dict[TableId, str]()
        for table in lobby.tables:
            at_it = tuple([one for one in lobby.people if table.id in one.tables])
            try:
                self._empty_lobby().restore(replace(lobby, people=at_it, tables=(table,)))
            except BadRecord as error:
                lost[table.id] = str(error)
        people = [
            replace(one, tables=tuple([table for table in one.tables if table not in lost])) for one in lobby.people
        ]
        tables = [table for table in lobby.tables if table.id not in lost]
        opened = [item for item in lobby.opened if item[0] not in lost]
        left = replace(lobby, people=tuple(people), tables=tuple(tables), opened=tuple(opened))
        return checkpoint._replace(lobby=left), lost

    def _empty_lobby(self) -> Lobby:
        return self._cluster.empty_lobby(self._shard)

    async def _taken(self) -> tuple[StreamJournal, str]:
        """Claim the shard. A worker that serves it stops at once, on hearing our beat, and takes it again a little
        later."""
        holder = f"repair-{secrets.token_hex(4)}"
        journal, flaw = await StreamJournal.taken(*self._cluster.streams(self._shard), holder)
        beat = Heartbeat(holder, (self._shard,), is_leaving=True, claims=(journal.claim,))
        with suppress(NatsError):
            subject = BrokerNames(self._cluster.settings.cluster).subject("workers")
            await self._cluster.client.publish(subject, msgspec.msgpack.encode(beat))
        return journal, flaw


def _without(lost: Container[TableId], records: Iterable[JournalRecord]) -> Iterator[JournalRecord]:
    for record in records:
        about = record.input.request if isinstance(record.input, Ask) else record.input
        if getattr(about, "table", None) not in lost:
            yield record


def _told(found: _Readable) -> str:
    if not found.flaw:
        return f"all records up to {found.last} can be read: {_counts(found.kept)}"
    return f"{found.flaw}; all up to record {found.kept.number} of {found.last} can be read: {_counts(found.kept)}"


def _counts(kept: Checkpoint) -> str:
    tables, people = len(kept.lobby.tables), len(kept.lobby.people)
    return f"{counted(tables, 'table')} and {counted(people, 'person', 'people')}"

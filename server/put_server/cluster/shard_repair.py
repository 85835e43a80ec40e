"""Repair of one shard that its worker cannot read: what is wrong with it, and how it is written anew.

`show` only reads. `repair` goes back to the last record that follows from those before it; play after that is lost, and
players who were told of it are told so. `restore` takes the shard's part of a backup. Both claim the shard, so that no
worker writes to it meanwhile; its worker takes it again by itself.
"""

import secrets
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec
from nats.aio.client import Client
from nats.errors import Error as NatsError

from put_protocol.text import counted
from put_rules.steps import BadRecord
from put_server.app import new_lobby
from put_server.cluster.beats import Heartbeat
from put_server.cluster.broker import BadCluster
from put_server.cluster.cluster_config import ClusterConfig
from put_server.cluster.home_shards import home_of_name
from put_server.cluster.partition import LobbyAtRest, split
from put_server.cluster.shard_stream import ShardStream, streams_of
from put_server.cluster.shard_worker import beats_subject
from put_server.cluster.stream_journal import StreamJournal
from put_server.journal.archive import Archive
from put_server.journal.journal_errors import JournalError
from put_server.journal.lobby_replay import DoesNotFollow, bring_back, replay
from put_server.lobby.inputs import Secret, Shuffled
from put_server.lobby.lobby import Lobby
from put_server.lobby.settling import Want
from put_server.settings import Settings


class _Readable(NamedTuple):
    """The part of a shard that can be read."""

    kept: LobbyAtRest
    """The lobby after the last record that leaves no table without its pack."""
    last: int
    """Number of the last record there is."""
    flaw: str
    """The reason why the next record does not follow; empty: all of them do."""


class ShardRepair:
    """One shard of a cluster, for its operator."""

    def __init__(self, client: Client, settings: Settings, made: ClusterConfig, shard: int) -> None:
        """
        :raises BadCluster: there is no such shard.
        """
        if not 0 <= shard < made.shards:
            raise BadCluster(f"the cluster {settings.cluster} has shards 0 to {made.shards - 1}")
        self._client = client
        self._settings = settings
        self._made = made
        self._shard = shard

    async def show(self) -> str:
        """Say which part can be read."""
        try:
            found = self._readable(await StreamJournal.seen(*self._streams()))
        except JournalError as error:
            return f"shard {self._shard}: {error}; no record can be read: restore it from a backup"
        return f"shard {self._shard}: {_told(found)}" + ("; repair goes back to there" if found.flaw else "")

    async def repair(self) -> str:
        """Go back to the last record that follows from those before it.

        :raises JournalError: no record can be read.
        """
        journal, flaw = await self._taken()
        if flaw:
            raise JournalError(f"shard {self._shard}: {flaw}; no record can be read: restore it from a backup")
        found = self._readable(journal)
        await self._write(journal, found.kept)
        return f"shard {self._shard} goes on from there: {_told(found)}"

    async def restore(self, backup: Path) -> str:
        """Take the shard's part of a backup.

        :raises JournalError: the backup cannot be read.
        """
        with Archive(backup) as archive:
            lobby = new_lobby(self._settings, archive.passcode_key)
            at = 0
            for record, _ in bring_back(lobby, checkpoint := archive.checkpoint(), archive.records()):
                at = record.at
            at = max(at, 0 if checkpoint is None else checkpoint.at)
        parts = split(lobby.checkpoint(), self._made.shards, lambda name: home_of_name(name, self._made.shards))
        journal, _ = await self._taken()
        kept = LobbyAtRest(journal.number, at, parts[self._shard])
        await self._write(journal, kept)
        return f"shard {self._shard} is as in {backup}: {_counts(kept)}"

    def _readable(self, journal: StreamJournal) -> _Readable:
        checkpoint = journal.checkpoint()
        first = good = 0 if checkpoint is None else checkpoint.number
        flaw, awaited = "", 0
        try:
            for record, effects in bring_back(self._lobby(), checkpoint, journal.records()):
                awaited += sum(isinstance(effect, Want) for effect in effects)
                awaited -= isinstance(record.input, Secret | Shuffled)
                good = good if awaited else record.number
        except (JournalError, BadRecord, DoesNotFollow) as error:
            flaw = str(error)
        lobby, at = self._lobby(), 0
        if (fresh := journal.checkpoint()) is not None:  # the lobby of the first one has gone on
            at = fresh.at
            lobby.restore(fresh.lobby)
        for record, _ in replay(lobby, 0, islice(journal.records(), good - first)):
            at = record.at
        return _Readable(LobbyAtRest(good, at, lobby.checkpoint()), journal.number, flaw)

    def _lobby(self) -> Lobby:
        key = bytes.fromhex(self._made.passcode_key)
        return new_lobby(self._settings, key, shard=self._shard, shards=self._made.shards)

    def _streams(self) -> tuple[ShardStream, ShardStream]:
        return streams_of(self._client, self._settings.cluster, self._made, self._shard)

    async def _taken(self) -> tuple[StreamJournal, str]:
        """Claim the shard. A worker that serves it ends it at once, by our beat, and takes it again a little later."""
        holder = f"repair-{secrets.token_hex(4)}"
        journal, flaw = await StreamJournal.taken(*self._streams(), holder)
        beat = Heartbeat(holder, (self._shard,), is_leaving=True, claims=(journal.claim,))
        with suppress(NatsError):
            await self._client.publish(beats_subject(self._settings.cluster), msgspec.msgpack.encode(beat))
        return journal, flaw

    async def _write(self, journal: StreamJournal, kept: LobbyAtRest) -> None:
        journal.go_on(journal.number, kept.at, kept.lobby)
        journal.finish()
        await journal.run()


def _told(found: _Readable) -> str:
    if not found.flaw:
        return f"all records up to {found.last} can be read: {_counts(found.kept)}"
    return f"{found.flaw}; all up to record {found.kept.number} of {found.last} can be read: {_counts(found.kept)}"


def _counts(kept: LobbyAtRest) -> str:
    tables, people = len(kept.lobby.tables), len(kept.lobby.people)
    return f"{counted(tables, 'table')} and {counted(people, 'person', 'people')}"

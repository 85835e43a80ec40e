"""Journals as servers leave them: a recording of random people, input by input, with the games that ended."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, closing
from functools import cache
from pathlib import Path
from typing import NamedTuple

from put_protocol.messages import Look
from put_runtime.private_files import make_private_folder
from put_server.journal.commit_queue import CommitQueue
from put_server.journal.journal import Journal
from put_server.journal.lobby_replay import fold
from put_server.journal.mark import mark_of
from put_server.journal.records import with_chance, without_chance
from put_server.lobby.inputs import Ask, Input, Secret, Shuffled
from put_server.lobby.lobby import Lobby
from put_server.table.table_effects import DealOver, GameConcluded, PersonId, TableId
from tests.lobby.lobby_harness import LobbyHarness, new_lobby


class RecordedBatch(NamedTuple):
    """What a server hands to its journal at once."""

    records: list[tuple[int, Input] | DealOver]
    games: list[GameConcluded]


@cache
def recording(seed: int, steps: int = 1_500) -> tuple[RecordedBatch, ...]:
    """So much of what happens to a lobby; from 1,500 steps on, as many more as four games need to come to their end."""
    harness = LobbyHarness(seed=seed)
    for _ in range(steps):
        harness.random_step()
    lobby = new_lobby()
    handed: list[RecordedBatch] = []
    for at, event in harness.records:
        if not isinstance(event, Shuffled | Secret):
            handed.append(RecordedBatch([], []))
        effects = fold(lobby, event, at)
        handed[-1].records.append((at, event))
        handed[-1].records.extend(effect for effect in effects if isinstance(effect, DealOver))
        handed[-1].games.extend(effect for effect in effects if isinstance(effect, GameConcluded))
    if steps >= 1_500 and sum(len(batch.games) for batch in handed) <= 3:
        return recording(seed, 2 * steps)
    return tuple(handed)


def lobby_after(recording: Iterable[RecordedBatch]) -> Lobby:
    """The lobby when all this has happened."""
    lobby = new_lobby()
    for at, event in inputs_of(recording):
        fold(lobby, event, at)
    return lobby


def inputs_of(recording: Iterable[RecordedBatch]) -> list[tuple[int, Input]]:
    """As they came."""
    return [record for batch in recording for record in batch.records if not isinstance(record, DealOver)]


def stored_inputs(recording: Iterable[RecordedBatch]) -> list[tuple[int, Input]]:
    """As they are kept in the end: of deals that are over, what remains."""
    stored: list[tuple[int, Input]] = []
    dealt: dict[TableId, list[int]] = {}
    for batch in recording:
        for record in batch.records:
            if not isinstance(record, DealOver):
                stored.append(record)
                if isinstance(event := record[1], Secret | Shuffled):
                    dealt[event.table] = [*dealt.get(event.table, ())[: event.beside], len(stored) - 1]
                continue
            # A deal that is missing here began before this part of the evening.
            places = dealt.get(record.table, [])[record.kept :][: len(record.remains)]
            dealt[record.table] = dealt.get(record.table, [])[: record.kept]
            for place, chance in zip(places, record.remains[len(record.remains) - len(places) :], strict=True):
                at, event = stored[place]
                assert isinstance(event, Secret | Shuffled)
                stored[place] = at, with_chance(without_chance(event), chance)
    return stored


def time_after(recording: Iterable[RecordedBatch]) -> int:
    """Of the last input."""
    return inputs_of(recording)[-1][0]


def games_of(recording: Iterable[RecordedBatch]) -> list[GameConcluded]:
    return [game for batch in recording for game in batch.games]


@asynccontextmanager
async def running(journal: Journal, *, seconds: float = 20) -> AsyncIterator[asyncio.Task[None]]:
    """The journal commits for as long as the block runs, and no longer than this."""
    async with asyncio.timeout(seconds):
        task = asyncio.create_task(journal.run())
        try:
            yield task
        finally:
            journal.finish()
            await task
            journal.close()


async def keep(journal: CommitQueue, recording: Iterable[RecordedBatch]) -> None:
    """All of it is committed, batch by batch, as on an idle server."""
    for batch in recording:
        done = asyncio.Event()
        journal.record(batch.records, done.set, batch.games)
        await done.wait()


def together(recording: Iterable[RecordedBatch]) -> list[RecordedBatch]:
    """The same in one batch, as on a busy server."""
    batches = list(recording)
    return [RecordedBatch([one for batch in batches for one in batch.records], games_of(batches))]


def written(path: Path, recording: Iterable[RecordedBatch], *, compacted_after: int | None = None) -> Path:
    """A journal that a server closed in good order; with a checkpoint after so many batches. Of the same batches it is
    written once, and copied from then on."""
    batches = tuple(recording)
    known = (tuple(map(id, batches)), compacted_after)
    files = (path, mark_of(path))
    if known not in _written:
        asyncio.run(_write(path, batches, compacted_after))
        _written[known] = _Written(batches, [file.read_bytes() for file in files])
        return path
    make_private_folder(path.parent)
    for file, data in zip(files, _written[known].files, strict=True):
        file.touch(0o600)
        file.write_bytes(data)
    return path


class _Written(NamedTuple):
    batches: tuple[RecordedBatch, ...]
    """As long as they are here, nothing else has their ids."""
    files: list[bytes]


_written: dict[tuple[tuple[int, ...], int | None], _Written] = {}


async def _write(path: Path, batches: Sequence[RecordedBatch], compacted_after: int | None) -> None:
    journal = Journal(path)
    async with running(journal):
        await keep(journal, batches[:compacted_after])
        if compacted_after is not None:
            past = batches[:compacted_after]
            journal.compact(time_after(past), lobby_after(past).checkpoint())
            await keep(journal, batches[compacted_after:])


def stored(path: Path) -> list[tuple[int, Input]]:
    """The records since the checkpoint, by opening the file as a server does."""
    with closing(Journal(path)) as journal:
        return [(record.at, record.input) for record in journal.kept.inputs()]


def event(number: int) -> Input:
    """An input of no consequence."""
    return Ask(PersonId(number), Look(1))


def killed(path: Path, *statements: str) -> None:
    """Another process writes these and is killed before it can tidy up."""
    program = (
        f"import os, sqlite3; file = sqlite3.connect({str(path)!r}, isolation_level=None)\n"
        f"for statement in {statements!r}: file.execute(statement)\n"
        "os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=20)
    assert path.with_name(path.name + "-wal").stat().st_size > 0

"""Power cuts: what the disk has of the journal's log ends at any byte, or goes on with anything.

What was committed up to there must all be kept, and nothing of what was half written; the tests cut here and there,
and `scripts/soak` at every byte.
"""

import asyncio
import tempfile
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

from put_rules.registry import GAMES
from put_server.journal.archive import Archive
from put_server.journal.journal import Journal
from put_server.journal.journal_check import JournalReport, check
from put_server.journal.lobby_replay import bring_back, fold
from put_server.journal.records import encode
from tests.journal.recorded_journals import (
    RecordedBatch,
    games_of,
    inputs_of,
    keep,
    lobby_after,
    recording,
    running,
    stored_inputs,
    time_after,
    written,
)
from tests.lobby.lobby_harness import new_lobby

STRIDE = 499
"""Bytes between two cuts of a turn; so many turns cut at every byte."""


class Log(NamedTuple):
    """A server's files in the moment before the power goes: it began from a checkpoint, and made another on the way."""

    main: bytes
    """With what happened before."""
    log: bytes
    """With all that it handed in since."""
    before: tuple[RecordedBatch, ...]
    since: tuple[RecordedBatch, ...]
    half: int
    """After so many batches since came the second checkpoint."""
    lobbies: list[bytes]
    """As they are kept, at the beginning and after each batch since."""
    sizes: list[int]
    """Of the log at the beginning and after each commit, the checkpoint's among them."""


def written_log(recording: tuple[RecordedBatch, ...], begun: int) -> Log:
    """What a server writes that begins after so many batches."""

    before, since = recording[:begun], recording[begun:]
    half = len(since) // 2
    lobby = lobby_after(before)
    lobbies = [encode(lobby.checkpoint())]
    for batch in since:
        for at, event in inputs_of([batch]):
            fold(lobby, event, at)
        lobbies.append(encode(lobby.checkpoint()))
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder) / "put.sqlite3", before, compacted_after=begun)
        main = path.read_bytes()
        log = path.with_name(f"{path.name}-wal")

        async def write() -> Log:
            sizes = [0]
            journal = Journal(path)
            async with running(journal):
                for number, batch in enumerate(since):
                    if number == half:
                        journal.compact(time_after(since[:half]), lobby_after(recording[: begun + half]).checkpoint())
                        await keep(journal, [RecordedBatch([], [])])  # its word comes when the checkpoint is there
                        sizes.append(log.stat().st_size)
                    await keep(journal, [batch])
                    sizes.append(log.stat().st_size)
                return Log(main, log.read_bytes(), before, since, half, lobbies, sizes)

        return asyncio.run(write())


def cut(whole: Log, place: int, tail: bytes = b"") -> None:
    """The log is there up to this byte, and goes on with a tail nobody wrote: the next server has what it should."""
    commits = bisect_right(whole.sizes, place) - 1
    has_second = commits > whole.half
    batches = commits - has_second
    replaced = whole.half if has_second else 0
    records = stored_inputs(whole.since[replaced:batches])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "put.sqlite3"
        path.write_bytes(whole.main)
        path.with_name(f"{path.name}-wal").write_bytes(whole.log[:place] + tail)
        with closing(Journal(path)) as journal:
            checkpoint = journal.kept.lobby()
            assert checkpoint is not None
            assert checkpoint.number == len(inputs_of(whole.before + whole.since[:replaced])), place
            assert [(record.at, record.input) for record in journal.kept.inputs()] == records, place
            lobby = new_lobby()
            deque(bring_back(lobby, checkpoint, journal.kept.inputs()), maxlen=0)
            assert encode(lobby.checkpoint()) == whole.lobbies[batches], place
        with Archive(path) as archive:
            report = check(archive, new_lobby(), GAMES)
        assert report == JournalReport(len(records), len(games_of(whole.before + whole.since[:batches])), ()), place


def cut_at(whole: Log, places: Iterable[int], rng: Random) -> int:
    """Cut at each of these, with nothing behind it, or zeros, or anything; returns how many cuts that were."""
    count = 0
    for count, place in enumerate(places, 1):
        other = bytes([byte ^ 0xFF for byte in whole.log[place : place + 1]])
        tails = (b"", other + bytes(rng.randrange(9_000)), other + rng.randbytes(rng.randrange(9_000)))
        cut(whole, place, tails[count % 3])
    return count


def campaign(seed: int, turn: int) -> int:
    """A turn's share of every byte of a log."""
    whole = written_log(recording(seed), len(recording(seed)) - 60)
    return cut_at(whole, range(turn % STRIDE, len(whole.log), STRIDE), Random(f"{seed} {turn}"))

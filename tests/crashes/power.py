"""Power failures, simulated from what a real journal wrote: every write, cut and sync that the system saw, in order.

At a failure the disk has of each file what it had at its last sync, and of everything since any part: a write may be
there whole, torn between two sectors, or not at all, and a later one without an earlier one. That is all that the
system promises. From whatever is left the next server must bring back a moment that came after everything that was
acknowledged. The writes are recorded by strace; the index of SQLite's log is shared memory, and not among them.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

from put_rules.registry import GAMES
from put_server.journal.archive import Archive
from put_server.journal.journal import Journal
from put_server.journal.journal_check import check
from put_server.journal.lobby_replay import bring_back, fold
from put_server.journal.records import encode
from tests.journal.recorded_journals import recording
from tests.lobby.lobby_harness import new_lobby

SECTOR = 512

BATCHES = 150
"""Of a recorded evening, each in a commit of its own."""

STEPS = 6 * BATCHES
"""Of the evening: more than enough for so many batches."""

CALLS = "pwrite64,write,fsync,fdatasync,ftruncate,unlink"

WRITER = """
import asyncio, os, sys
from pathlib import Path
from put_server.journal.journal import Journal
from tests.crashes.power import STEPS
from tests.journal.recorded_journals import RecordedBatch, keep, lobby_after, recording, running, time_after

async def main():
    evening = recording(int(sys.argv[2]), STEPS)[:int(sys.argv[3])]
    assert len(evening) == int(sys.argv[3])
    journal = Journal(Path(sys.argv[1]))
    os.write(1, b"acked 0")
    async with running(journal, seconds=600):
        for number, batch in enumerate(evening, 1):
            await keep(journal, [batch])
            os.write(1, b"acked %d" % number)
            if number % 40 == 20:
                lobby = lobby_after(evening[:number])
                if number % 80 == 20:
                    journal.compact(time_after(evening[:number]), lobby.checkpoint())
                else:
                    journal.compact_behind(time_after(evening[:number]), lobby.checkpoint)
                    while journal._forked is not None:
                        await asyncio.sleep(0)
                await keep(journal, [RecordedBatch([], [])])
            if number % 30 == 29:
                journal._empty_log()

asyncio.run(main())
"""


class Step(NamedTuple):
    """One call."""

    kind: str
    """`write`, `cut` to a length, `gone`, `sync`, or `acked`. A sync of no file is one of the directory."""
    file: str = ""
    at: int = 0
    """Offset, length, or the number of batches that are acknowledged."""
    data: bytes = b""


def can_record() -> bool:
    """Whether strace is installed, and may look."""
    return shutil.which("strace") is not None and (
        subprocess.run(["strace", "-o", "/dev/null", "true"], check=False, capture_output=True).returncode == 0
    )


def recorded(seed: int, batches: int = BATCHES) -> list[Step]:
    """What a server's journal does to its files in so much of an evening."""
    with tempfile.TemporaryDirectory(prefix="put-power-") as folder:
        trace = Path(folder) / "trace"
        data = Path(folder) / "data"
        tracing = ["strace", "-f", "-y", "-xx", "-s", "10000000", "-e", f"trace={CALLS}", "-o", str(trace)]
        writer = [sys.executable, "-c", WRITER, str(data / "put.sqlite3"), str(seed), str(batches)]
        subprocess.run([*tracing, *writer], check=True, stdout=subprocess.DEVNULL)
        return list(_steps(_calls(trace), data))


def _calls(trace: Path) -> Iterator[str]:
    """Each call whole, when it began: one that another thread interrupts is in two lines."""
    begun: dict[str, str] = {}
    for line in trace.read_text("ascii").splitlines():
        process, _, rest = line.partition(" ")
        rest = rest.strip()
        if rest.endswith("<unfinished ...>"):
            begun[process] = rest.removesuffix("<unfinished ...>")
        elif rest.startswith("<... "):
            yield begun.pop(process) + rest.partition("resumed>")[2]
        else:
            yield rest


_CALL = re.compile(r'(\w+)\(\d+<([^>]*)>(?:, (?:"((?:\\x[0-9a-f]{2})*)", (\d+)(?:, (\d+))?|(\d+)))?')

_GONE = re.compile(r'unlink\("((?:\\x[0-9a-f]{2})*)"\) += 0')


def _steps(calls: Iterator[str], data: Path) -> Iterator[Step]:
    for call in calls:
        if (gone := _GONE.match(call)) is not None:
            removed = Path(bytes.fromhex(gone[1].replace("\\x", "")).decode())
            if removed.parent == data and not removed.name.endswith("-shm"):
                yield Step("gone", removed.name)
        found = _CALL.match(call)
        if found is None:
            continue
        kind, path, text, _, place, length = found.groups()
        written = bytes.fromhex((text or "").replace("\\x", ""))
        # strace escapes every path, too.
        name = bytes.fromhex(path.replace("\\x", "")).decode() if path.startswith("\\x") else path
        if kind == "write" and written.startswith(b"acked "):
            yield Step("acked", at=int(written[6:]))
        if name == str(data) and kind in ("fsync", "fdatasync"):
            yield Step("sync")
        if not name.startswith(f"{data}/") or name.endswith("-shm"):
            continue
        file = Path(name).name
        if kind == "pwrite64":
            yield Step("write", file, int(place), written)
        elif kind == "ftruncate":
            yield Step("cut", file, int(length))
        elif kind in ("fsync", "fdatasync"):
            yield Step("sync", file)


def left(steps: list[Step], rng: Random) -> dict[str, bytes]:
    """What a disk may have of each file after these calls and a power failure."""
    files: dict[str, bytearray] = {}
    unsynced: dict[str, list[Step]] = {}
    for step in steps:
        if step.kind in ("write", "cut", "gone"):
            unsynced.setdefault(step.file, []).append(step)
        elif step.kind == "sync":
            if not step.file:
                for file, pending in list(unsynced.items()):
                    if pending[-1].kind == "gone":
                        del unsynced[file]
                        files.pop(file, None)
                continue
            for done in unsynced.pop(step.file, ()):
                apply(files, done)
    for pending in unsynced.values():
        share = rng.choice((0.0, 0.3, 0.7, 1.0))
        for step in pending:
            if rng.random() >= share:
                continue
            if step.kind != "write" or rng.random() < 0.5:
                apply(files, step)
                continue
            for place in range(0, len(step.data), SECTOR):
                if rng.random() < 0.7:
                    apply(files, step._replace(at=step.at + place, data=step.data[place : place + SECTOR]))
    return {file: bytes(data) for file, data in files.items()}


def apply(files: dict[str, bytearray], step: Step) -> None:
    """Change files as a call does."""
    if step.kind == "gone":
        files.pop(step.file, None)
        return
    data = files.setdefault(step.file, bytearray())
    if step.kind == "cut":
        del data[step.at :]
        data.extend(bytes(step.at - len(data)))
        return
    if len(data) < step.at:
        data.extend(bytes(step.at - len(data)))
    data[step.at : step.at + len(step.data)] = step.data


def failures(seed: int, steps: list[Step], count: int, rng: Random) -> int:
    """So many power failures, each at a moment of its own: nothing that was acknowledged is ever lost.

    :raises AssertionError: something is, or the next server asks a question, or finds anything wrong.
    """
    assert any(step.kind == "sync" for step in steps), "nothing was recorded"
    evening = recording(seed, STEPS)
    lobby = new_lobby()
    states = [encode(lobby.checkpoint())]
    for batch in evening[: max(step.at for step in steps if step.kind == "acked")]:
        for entry in batch.records:
            if isinstance(entry, tuple):
                fold(lobby, entry[1], entry[0])
        states.append(encode(lobby.checkpoint()))
    for _ in range(count):
        end = rng.randrange(1, len(steps) + 1)
        acked = max((step.at for step in steps[:end] if step.kind == "acked"), default=0)
        with tempfile.TemporaryDirectory(prefix="put-power-") as folder:
            path = Path(folder) / "put.sqlite3"
            for name, data in left(steps[:end], rng).items():
                path.with_name(name).write_bytes(data)
            with closing(Journal(path)) as journal:
                lobby = new_lobby()
                deque(bring_back(lobby, journal.kept.lobby(), journal.kept.inputs()), maxlen=0)
            assert encode(lobby.checkpoint()) in states[acked:], f"after call {end}, with {acked} batches acknowledged"
            with Archive(path) as archive:
                assert check(archive, new_lobby(), GAMES).findings == ()
    return count


def campaign(seed: int, turn: int, count: int = 200) -> int:
    """Record an evening, and fail again and again."""
    return failures(seed + turn, recorded(seed + turn), count, Random(f"{seed} {turn}"))

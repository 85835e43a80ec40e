"""Simulated disk under the SQLite that the server really uses.

SQLite reaches files by tables of functions. For the time of a simulation three of them, and the two that open and
remove files, lead here: each write, cut and sync is noted and then carried out in a real file, or refused. At the end
of a life the next finds in a folder of its own what the disk would have: after a kill all that was written, to some
call of the one that was at work; after a power failure of what was not synced any part, as `tests.crashes.power` has
it. The index of SQLite's log is shared memory, and lost with the process.

Only a SQLite in a library of its own can be reached, as it is on most systems.
"""

import _sqlite3
import ctypes
import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from functools import cache
from pathlib import Path
from random import Random
from unittest.mock import patch

from put_server.journal import journal
from put_server.journal.mark import PLACES, Mark
from tests.crashes.power import Step, apply, left

MARK_BYTES = 20
"""Of each of its places."""

OK, IO_ERROR_OF_A_SYNC, FULL = 0, 10 | 4 << 8, 13

_Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
_Sync = CFUNCTYPE(c_int, c_void_p, c_int)
# The name is a pointer here: SQLite keeps it, and finds the parameters of an address behind it.
_Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_Delete = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)


class _Methods(Structure):
    """`sqlite3_io_methods`."""

    _fields_ = (
        *(("version", c_int), ("close", c_void_p), ("read", c_void_p)),
        *(("write", _Write), ("truncate", _Truncate), ("sync", _Sync)),
        ("others", c_void_p * 13),
    )


class _File(Structure):
    """`sqlite3_file`."""

    _fields_ = (("methods", POINTER(_Methods)),)


class _Files(Structure):
    """`sqlite3_vfs`, as far as it is used here."""

    _fields_ = (
        *(("version", c_int), ("size_of_file", c_int), ("longest_path", c_int), ("next", c_void_p)),
        *(("name", c_char_p), ("data", c_void_p), ("open", _Open), ("delete", _Delete)),
    )


class Disk:
    """The files of one server, from life to life."""

    is_full = False
    fails_to_sync = False
    slowness = 1.0
    """Factor of all delays."""

    def __init__(self, root: Path, rng: Random) -> None:
        self._root = root
        self._rng = rng
        self._lives = 0
        self.folder = root
        """Of the present life."""
        self.steps: list[Step] = []
        """What happened to the files in it."""
        self.at_work_since: int | None = None
        """Of the steps, the first that the journal waits for; None: it waits for none."""
        self.refused = ""
        """The last call that was refused."""
        self._begin({}, [])

    def delay(self) -> float:
        """Seconds that half of a commit takes."""
        return self.slowness * (
            self._rng.uniform(0.0002, 0.01) if self._rng.random() < 0.95 else self._rng.uniform(0, 0.3)
        )

    def _begin(self, files: Mapping[str, bytes], steps: list[Step]) -> None:
        """The next life begins with these files. `steps`: what made them, of which some may not be synced."""
        self._lives += 1
        self.folder = self._root / str(self._lives)
        self.folder.mkdir(mode=0o700)
        self.steps, self.at_work_since = steps, None
        for name, data in files.items():
            (self.folder / name).write_bytes(data)

    def has(self, path: Path) -> bool:
        """True if it is a file of the present life."""
        return path.parent == self.folder

    def note(self, path: Path, step: Step) -> None:
        """Something happened to a file; a process that is dead still closes its own."""
        if self.has(path):
            self.steps.append(step)

    def _done(self) -> list[Step]:
        """The steps that happened: a call of the job that is at work may be the last."""
        if self.at_work_since is None:
            return self.steps
        return self.steps[: self._rng.randrange(self.at_work_since, len(self.steps) + 1)]

    def kill(self) -> None:
        """The process is gone, and the system has what it wrote."""
        files: dict[str, bytearray] = {}
        steps = self._done()
        for step in steps:
            if step.kind != "sync":
                apply(files, step)
        self._begin({name: bytes(data) for name, data in files.items()}, steps)

    def fail(self) -> None:
        """The power is gone, and what was not synced may be lost."""
        files = left(self._done(), self._rng)
        whole = [(Step("write", name, 0, data), Step("sync", name)) for name, data in files.items()]
        self._begin(files, [step for pair in whole for step in pair])


class _Hooks:
    """Functions that SQLite calls in place of its own, from the first simulation on: what a dead process had open is
    closed at any later time."""

    def __init__(self) -> None:
        find = ctypes.CDLL(_sqlite3.__file__).sqlite3_vfs_find
        find.restype = c_void_p
        self._files = _Files.from_address(find(None))
        self._own_open = _Open.from_buffer_copy(self._files.open)
        self._own_delete = _Delete.from_buffer_copy(self._files.delete)
        self.disk: Disk | None = None
        """Of the simulation that runs."""
        self._opened: dict[int, tuple[Disk, Path]] = {}
        """By address."""
        self._made: set[int] = set()
        """Logs that were made: with the first sync of one SQLite syncs its folder."""
        self._methods: dict[int, _Methods] = {}
        """Ours by the address of SQLite's own: a kind of file has one."""
        self._calls = _Open(self._open), _Delete(self._delete)
        self._files.open, self._files.delete = self._calls

    def _disk_with(self, path: Path) -> Disk | None:
        is_there = self.disk is not None and path.parent == self.disk.folder
        return self.disk if is_there and not path.name.endswith("-shm") else None

    def _open(self, files: int, name: int | None, file: int, flags: int, flags_out: int) -> int:
        path = Path(ctypes.string_at(name).decode() if name else "")
        is_made = bool(name) and path.name.endswith(("-journal", "-wal")) and not path.exists()
        code: int = self._own_open(files, name, file, flags, flags_out)
        self._opened.pop(file, None)
        self._made.discard(file)
        found = ctypes.cast(file, POINTER(_File)).contents
        if code == OK and found.methods and (disk := self._disk_with(path)) is not None:
            self._opened[file] = disk, path
            if is_made:
                self._made.add(file)
            own = ctypes.addressof(found.methods.contents)
            if own not in self._methods:
                self._methods[own] = self._methods_of(found.methods.contents)
            found.methods = ctypes.pointer(self._methods[own])
        return code

    def _delete(self, files: int, name: int, syncs: int) -> int:
        code: int = self._own_delete(files, name, syncs)
        path = Path(ctypes.string_at(name).decode())
        if code == OK and (disk := self._disk_with(path)) is not None:
            disk.note(path, Step("gone", path.name))
            if syncs:
                disk.note(path, Step("sync"))
        return code

    def _methods_of(self, own: _Methods) -> _Methods:
        made = _Methods.from_buffer_copy(own)
        own_write, own_truncate, own_sync = own.write, own.truncate, own.sync

        def write(file: int, data: int, size: int, at: int) -> int:
            disk, path = self._opened[file]
            if disk.is_full and disk.has(path):
                disk.refused = "write"
                return FULL
            code: int = own_write(file, data, size, at)
            if code == OK:
                disk.note(path, Step("write", path.name, at, ctypes.string_at(data, size)))
            return code

        def truncate(file: int, size: int) -> int:
            disk, path = self._opened[file]
            code: int = own_truncate(file, size)
            if code == OK:
                disk.note(path, Step("cut", path.name, size))
            return code

        def sync(file: int, flags: int) -> int:
            disk, path = self._opened[file]
            if disk.fails_to_sync and disk.has(path):
                disk.refused = "sync"
                return IO_ERROR_OF_A_SYNC
            code: int = own_sync(file, flags)
            if code == OK:
                disk.note(path, Step("sync", path.name))
                if file in self._made:
                    self._made.remove(file)
                    disk.note(path, Step("sync"))
            return code

        made.write, made.truncate, made.sync = _Write(write), _Truncate(truncate), _Sync(sync)
        return made


def can_simulate() -> bool:
    """Whether Python's SQLite can be reached."""
    file = getattr(_sqlite3, "__file__", None)  # a part of Python itself has none
    return file is not None and hasattr(ctypes.CDLL(file), "sqlite3_vfs_find")


_hooks = cache(_Hooks)


def sync(path: Path) -> None:
    """Takes the place of the function by which a journal has a file's content on the disk."""
    disk = _hooks().disk
    if disk is not None and disk.has(path):
        if disk.fails_to_sync:
            disk.refused = "sync"
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        disk.note(path, Step("sync", path.name))


class _Mark(Mark):
    """The mark beside the journal."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._path = path

    def write(self, number: int) -> None:
        super().write(number)
        place = PLACES[self._count % 2]
        if (disk := _hooks().disk) is not None:
            disk.note(self._path, Step("write", self._path.name, place, os.pread(self._file, MARK_BYTES, place)))


@contextmanager
def simulated(disk: Disk) -> Iterator[None]:
    """What a journal does to the disk's files is noted while the block runs."""
    hooks = _hooks()
    hooks.disk = disk
    try:
        with patch.object(journal, "Mark", _Mark), patch.object(journal, "sync", sync):
            yield
    finally:
        hooks.disk = None

"""The store of tokens: each client leaves that of its person, a file each, so that the next can take up the seat.

Laws: a file is mode 600 and is replaced whole or not at all; whoever is that person holds a lock on it, which ends with
their process, so no client takes the seat of another that runs. Where nothing can be kept, nothing is, and the game
goes on without.
"""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

import msgspec
from msgspec import Struct

from put_protocol.text import same_name


class SavedSession(Struct, frozen=True):
    """What a file says."""

    server: str
    """As it was called, host and port."""
    name: str
    token: str


def directory() -> Path:
    """Where the files are: state of this user that belongs to no project."""
    home = os.environ.get("XDG_STATE_HOME", "")
    return (Path(home) if Path(home).is_absolute() else Path.home() / ".local" / "state") / "put-client"


class SessionLock:
    """The place of one person at one server, ours until it is let go."""

    def __init__(self, server: str, name: str, path: Path, descriptor: int) -> None:
        self.server = server
        self.name = name
        self.token = ""
        self._path = path
        self._lock = descriptor

    @classmethod
    def take(cls, server: str, name: str) -> Self | None:
        """The place of this person, with the token they left there, if any; None: another client has it, or there is no
        place to be had."""
        digest = hashlib.sha256(f"{server}\n{same_name(name)}".encode()).hexdigest()
        path = directory() / f"{digest[:32]}.json"
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = _locked(path)
        except OSError:
            return None
        if descriptor is None:
            return None
        session_lock = cls(server, name, path, descriptor)
        saved_session = _read(path)
        if saved_session is not None:
            session_lock.name, session_lock.token = saved_session.name, saved_session.token
        return session_lock

    def leave(self, token: str) -> None:
        """Leave this token here, for good even if the power fails."""
        fresh = self._path.with_suffix(".new")  # nobody else writes it while we hold the lock
        with suppress(OSError):
            descriptor = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)  # before it can be seen in its place
                os.write(descriptor, msgspec.json.encode(SavedSession(self.server, self.name, token)))
                os.fsync(descriptor)
                fresh.replace(self._path)
                _sync(self._path.parent)
            except OSError:
                os.close(descriptor)
                raise
            os.close(self._lock)
            self._lock = descriptor
            self.token = token

    def clear(self) -> None:
        """Nobody is to come back: let it go with all that is there."""
        with suppress(OSError):
            self._path.unlink()
        self.let_go()

    def let_go(self) -> None:
        """The next client may take it."""
        os.close(self._lock)


def last_left(server: str, name: str = "") -> SessionLock | None:
    """The place of the person who was at this server last and is not now, under this name if one is given."""
    for saved_session in _saved_sessions():
        if saved_session.server == server and (not name or same_name(saved_session.name) == same_name(name)):
            session_lock = SessionLock.take(server, saved_session.name)
            if session_lock is not None and session_lock.token:
                return session_lock
            if session_lock is not None:
                session_lock.clear()  # they have said goodbye since we read it
    return None


def seat_is_kept(table: int) -> str:
    """What to say to who goes without a goodbye."""
    return f"Your seat at table {table} is kept: come back with the same command."


def _saved_sessions() -> Iterator[SavedSession]:
    """Every ticket there is, the latest first."""
    with suppress(OSError):
        paths = sorted(directory().glob("*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in paths:
            saved_session = _read(path)
            if saved_session is not None:
                yield saved_session


def _read(path: Path) -> SavedSession | None:
    """What the file says; None: nothing, or nothing that makes sense."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=SavedSession)
    except (OSError, msgspec.DecodeError):
        return None


def _sync(path: Path) -> None:
    """Have a directory's entries on the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _locked(path: Path) -> int | None:
    """The file, made if need be and locked; None: somebody else has locked it.

    :raises OSError: it cannot be opened, or the file system knows no locks.
    """
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except FileNotFoundError:
            pass  # its owner removed it between our opening and our locking it, or put another in its place
        except BlockingIOError:
            os.close(descriptor)
            return None
        except OSError:
            os.close(descriptor)
            raise
        os.close(descriptor)

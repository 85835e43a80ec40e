"""Store of session tokens, a file a person and server, so that the next run of a client can take up the seat.

Laws: a file is mode 600 and is replaced whole or not at all. The process that plays as that person holds a lock on it,
which ends with the process, so no client takes over the seat of another that runs. Where nothing can be stored, the
game goes on without.
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
    """Content of a file."""

    server: str
    """Host and port, as the person wrote them."""
    name: str
    token: str
    incarnation: int = 0
    """The last that was used, or is about to be."""


def directory() -> Path:
    """The folder of this user's state."""
    home = os.environ.get("XDG_STATE_HOME", "")
    return (Path(home) if Path(home).is_absolute() else Path.home() / ".local" / "state") / "put-client"


class SessionLock:
    """The locked file of one person at one server, ours until `let_go` or `clear`."""

    def __init__(self, server: str, name: str, path: Path, descriptor: int) -> None:
        self.server = server
        self.name = name
        self.token = ""
        self.incarnation = 0
        self._path = path
        self._lock = descriptor

    @classmethod
    def take(cls, server: str, name: str) -> Self | None:
        """Lock this person's file and read the token saved there, if any; None: another client holds the lock, or files
        cannot be locked here."""
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
            session_lock.incarnation = saved_session.incarnation
        return session_lock

    def leave(self, token: str, incarnation: int) -> None:
        """Save a token, and the last incarnation used with it, durably."""
        fresh = self._path.with_suffix(".new")  # nobody else writes it while we hold the lock
        with suppress(OSError):
            descriptor = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)  # before it can be seen in its place
                os.write(descriptor, msgspec.json.encode(SavedSession(self.server, self.name, token, incarnation)))
                os.fsync(descriptor)
                fresh.replace(self._path)
                _sync(self._path.parent)
            except OSError:
                os.close(descriptor)
                raise
            os.close(self._lock)
            self._lock = descriptor
            self.token, self.incarnation = token, incarnation

    def note_incarnation(self, incarnation: int) -> None:
        """Save the number of the `hello` that is about to be sent. After a crash no number is used again."""
        if self.token:
            self.leave(self.token, incarnation)

    def clear(self) -> None:
        """Delete the file and unlock: the session is over."""
        with suppress(OSError):
            self._path.unlink()
        self.let_go()

    def let_go(self) -> None:
        """Unlock: the next client may take it."""
        os.close(self._lock)


def last_left(server: str, name: str = "") -> SessionLock | None:
    """The latest saved session at this server that no client holds, of this name if one is given."""
    for saved_session in _saved_sessions():
        if saved_session.server == server and (not name or same_name(saved_session.name) == same_name(name)):
            session_lock = SessionLock.take(server, saved_session.name)
            if session_lock is not None and session_lock.token:
                return session_lock
            if session_lock is not None:
                session_lock.clear()  # the session has ended since we read the file
    return None


def seat_is_kept(table: int) -> str:
    """What to tell a person who disconnects without `bye`."""
    return f"Your seat at table {table} is kept: come back with the same command."


def _saved_sessions() -> Iterator[SavedSession]:
    """All saved sessions, the latest first."""
    with suppress(OSError):
        paths = sorted(directory().glob("*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in paths:
            saved_session = _read(path)
            if saved_session is not None:
                yield saved_session


def _read(path: Path) -> SavedSession | None:
    """The file's content; None: there is none, or it is no saved session."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=SavedSession)
    except (OSError, msgspec.DecodeError):
        return None


def _sync(path: Path) -> None:
    """Flush a directory's entries to the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _locked(path: Path) -> int | None:
    """Create or open the file and lock it; None: another process holds the lock.

    :raises OSError: it cannot be opened, or the file system has no locks.
    """
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except FileNotFoundError:
            pass  # its owner removed or replaced it between our opening and our locking
        except BlockingIOError:
            os.close(descriptor)
            return None
        except OSError:
            os.close(descriptor)
            raise
        os.close(descriptor)

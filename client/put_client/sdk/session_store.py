"""Store of session tokens, one file for each person and server, so that the next run of a client can resume.

Laws: a file has mode 600 and is replaced atomically. The process that plays as a person holds the lock until it ends,
so no client takes over the seat of a running one. If nothing can be stored, the game continues without.

A person's memory of blind deals (`KeyMemory`) is stored with the token. A file that cannot be replaced is removed: an
older file would have the keys, but not all deals with given shares.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from put_client.places import state_folder
from put_protocol.text import same_name
from put_runtime.private_files import lock_file, make_private_folder, replace_private

SECRET_BYTES = 32

TABLES = 256
"""Most tables whose last blind game's key is kept: more than a person uses."""


class GameKey(Struct, frozen=True):
    """Memory of a blind game: the secret of our key, and the last deal for which shares were given, or were about to
    be."""

    game: bytes
    """Hash of the game's terms."""
    secret: bytes
    number: int = 0
    digest: str = ""
    """Digest of the deal's pack, and of the owners of its places."""


@dataclass(slots=True)
class KeyMemory:
    """Memory of blind deals during the life of a token: the last game of each table.

    Each game has its own secret, which is deleted when the next begins, or when we leave. So hands of earlier games can
    never be opened, not even by a server with a copy of this memory.

    After a crash a client has forgotten what it signed. A server could then repeat the deal in play with the places
    dealt to other seats, and get the client's shares of its own hand. So each deal is noted before shares are given,
    and no shares are given for another deal with the same or a lower number.
    """

    games: dict[int, GameKey] = field(default_factory=dict, repr=False)
    save: Callable[[], bool] = lambda: True
    """Saves this durably; False: no later client will have it. May be called in any thread."""
    is_kept: bool = True
    """The last note is kept on the disk."""
    lock: RLock = field(default_factory=RLock, repr=False, compare=False)

    def secret_of(self, table: int, game: bytes, *, is_told: bool) -> bytes | None:
        """The secret of a game; it is drawn if our key of it is not told yet. None: it is not known here."""
        with self.lock:
            known = self.games.get(table)
            if known is None or known.game != game:
                if is_told:  # what is kept of another game is not given up for it
                    return None
                self.games.pop(table, None)
                known = self.games[table] = GameKey(game, secrets.token_bytes(SECRET_BYTES))
                if len(self.games) > TABLES:
                    del self.games[next(iter(self.games))]
            return known.secret

    def keep(self, table: int, game: bytes, number: int = 0, digest: str = "") -> bool:
        """Note a key before it is published, or a deal before shares are given; False: do not continue.

        :raises OSError: it cannot be stored, and a later client would have the secret.
        :raises LookupError: another game has begun there.
        """
        with self.lock:
            known = self.games.get(table)
            if known is None or known.game != game:
                raise LookupError(table)
            if number:
                if number <= known.number:
                    return (number, digest) == (known.number, known.digest)
                self.games[table] = replace(known, number=number, digest=digest)
            try:
                self.is_kept = self.save()
            except OSError:
                self.games[table] = known
                raise
            return True

    def forget(self, table: int) -> None:
        """We have left the table."""
        with self.lock, suppress(OSError):
            if self.games.pop(table, None) is not None:
                self.save()


class SavedSession(Struct, frozen=True):
    server: str
    """Host and port, as typed."""
    name: str
    token: str
    incarnation: int = 0
    """The last one used or about to be used."""
    games: dict[int, GameKey] = {}


class SessionLock:
    """The locked file of one person at one server, held until `let_go` or `clear`; without a path nothing is stored."""

    def __init__(
        self, server: str = "", name: str = "", path: Path | None = None, let_go: Callable[[], object] = lambda: None
    ) -> None:
        self.server = server
        self.name = name
        self.token = ""
        self.incarnation = 0
        self.keys = KeyMemory()
        self._path = path
        self.let_go = let_go

    @classmethod
    def take(cls, server: str, name: str) -> Self | None:
        """Lock this person's file and read its token, if any; None: another client holds the lock, or files cannot be
        locked here."""
        digest = hashlib.sha256(f"{server}\n{same_name(name)}".encode()).hexdigest()
        path = state_folder() / f"{digest[:32]}.json"
        try:
            make_private_folder(path.parent)
            # A separate file, which is never removed: Windows lets no program read a locked file.
            let_go = lock_file(path.with_suffix(".lock"))
        except OSError:
            return None
        if let_go is None:
            return None
        session_lock = cls(server, name, path, let_go)
        saved_session = _read(path)
        if saved_session is not None:
            session_lock.name, session_lock.token = saved_session.name, saved_session.token
            session_lock.incarnation = saved_session.incarnation
            session_lock.keys = KeyMemory(saved_session.games, session_lock._save)
        return session_lock

    def leave(self, token: str, incarnation: int, keys: KeyMemory | None = None) -> None:
        """Save a token, its last incarnation, and the memory of blind deals, durably; and again whenever that memory
        changes."""
        if self._path is None:
            return
        if keys is not None:
            self.keys, keys.save = keys, self._save
        with suppress(OSError):
            self._write(token, incarnation)
            self.token, self.incarnation = token, incarnation

    def _save(self) -> bool:
        """:raises OSError: the file can be neither replaced nor removed."""
        assert self._path is not None
        try:
            if self.token:
                self._write(self.token, self.incarnation)
                return True
        except OSError:
            pass
        self._path.unlink(missing_ok=True)
        return False

    def _write(self, token: str, incarnation: int) -> None:
        assert self._path is not None
        with self.keys.lock:
            saved_session = SavedSession(self.server, self.name, token, incarnation, self.keys.games)
            replace_private(self._path, msgspec.json.encode(saved_session))

    def note_incarnation(self, incarnation: int) -> None:
        """Save the number of the `hello` that is about to be sent. After a crash no number is used again."""
        if self.token:
            self.leave(self.token, incarnation)

    def forget(self) -> None:
        self.token, self.incarnation = "", 0
        with suppress(OSError):
            if self._path is not None:
                self._path.unlink()

    def clear(self) -> None:
        self.forget()
        self.let_go()


def last_left(server: str, name: str = "") -> SessionLock | None:
    """The latest saved session at this server that no client holds; with this name, if given."""
    for saved_session in _saved_sessions():
        if saved_session.server == server and (not name or same_name(saved_session.name) == same_name(name)):
            session_lock = SessionLock.take(server, saved_session.name)
            if session_lock is not None and session_lock.token:
                return session_lock
            if session_lock is not None:
                session_lock.clear()  # the session has ended since we read the file
    return None


def _saved_sessions() -> Iterator[SavedSession]:
    """All saved sessions, the latest first."""
    with suppress(OSError):
        paths = sorted(state_folder().glob("*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in paths:
            saved_session = _read(path)
            if saved_session is not None:
                yield saved_session


def _read(path: Path) -> SavedSession | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=SavedSession)
    except (OSError, msgspec.DecodeError):
        return None

"""Store of session tokens, a file a person and server, so that the next run of a client can take up the seat.

Laws: a file is mode 600 and is replaced whole or not at all. The process that plays as that person holds its lock,
which ends with the process, so no client takes over the seat of another that runs. Where nothing can be stored, the
game goes on without.

What the clients of one person remember of blind deals (`KeyMemory`) is kept with the token. A file that cannot be
replaced is removed: a client that finds an older one would have the keys, and not know all deals that were shared.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import msgspec
from msgspec import Struct

from put_client.places import state_folder
from put_protocol.text import same_name
from put_runtime.private_files import lock_file, make_private_folder, replace_private

SECRET_BYTES = 32

GAMES = 1_024
"""Games of which the last shared deal is remembered. One that is forgotten could be told a client anew after a restart,
with its hands."""


class SharedDeal(Struct, frozen=True):
    """The last deal of a game of which shares were given, or were about to be."""

    number: int
    digest: str
    """A digest of its pack, and of who owns which place."""


@dataclass(slots=True)
class KeyMemory:
    """Memory of blind deals, for as long as a token lasts. The keys of all seats follow from one secret.

    A client that was killed has forgotten what it signed. A server could tell it the deal in play anew, with the places
    dealt to other seats, and so get its shares of its own hand. So each deal that it gives shares of is noted first,
    and no shares are ever given of another deal of the same number, or of an earlier one.
    """

    secret: bytes = field(default_factory=lambda: secrets.token_bytes(SECRET_BYTES), repr=False)
    shared: dict[str, SharedDeal] = field(default_factory=dict)
    """Deals by the hash of the game's terms."""
    save: Callable[[], bool] = lambda: True
    """Keeps this, durably; False: no later client will have it, nor the secret. It may be called in any thread."""
    is_kept: bool = True
    """The last note is kept on the disk."""

    def may_share(self, game: bytes, number: int, pack: bytes, owners: bytes) -> bool:
        """True if shares of this deal may be given; that is noted then.

        :raises OSError: it cannot be noted, and a later client would have the secret.
        """
        digest = hashlib.sha256(len(pack).to_bytes(4, "big") + pack + owners).hexdigest()
        known, deal = self.shared.get(game.hex()), SharedDeal(number, digest)
        if known == deal:
            return True
        if known is not None and known.number >= number:
            return False
        before = self.shared
        others = [(other, shared) for other, shared in before.items() if other != game.hex()]
        self.shared = dict((*others[1 - GAMES :], (game.hex(), deal)))
        try:
            self.is_kept = self.save()
        except OSError:
            self.shared = before
            raise
        return True


class SavedSession(Struct, frozen=True):
    server: str
    """Host and port, as the person wrote them."""
    name: str
    token: str
    incarnation: int = 0
    """The last that was used, or is about to be."""
    secret: bytes = b""
    """The keys of blind deals follow from it."""
    shared: dict[str, SharedDeal] = {}


class SessionLock:
    """The locked file of one person at one server, ours until `let_go` or `clear`."""

    def __init__(self, server: str, name: str, path: Path, let_go: Callable[[], object]) -> None:
        self.server = server
        self.name = name
        self.token = ""
        self.incarnation = 0
        self.keys = KeyMemory()
        self._path = path
        self._let_go = let_go

    @classmethod
    def take(cls, server: str, name: str) -> Self | None:
        """Lock this person's file and read the token saved there, if any; None: another client holds the lock, or files
        cannot be locked here."""
        digest = hashlib.sha256(f"{server}\n{same_name(name)}".encode()).hexdigest()
        path = state_folder() / f"{digest[:32]}.json"
        try:
            make_private_folder(path.parent)
            # A file beside it, which stays: Windows lets no program read what is locked.
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
            if len(saved_session.secret) == SECRET_BYTES:
                session_lock.keys = KeyMemory(saved_session.secret, saved_session.shared, session_lock._save)
        return session_lock

    def leave(self, token: str, incarnation: int, keys: KeyMemory | None = None) -> None:
        """Save a token, and the last incarnation used with it, durably; with what is remembered of blind deals, also
        whenever that changes."""
        if keys is not None:
            self.keys, keys.save = keys, self._save
        with suppress(OSError):
            self._write(token, incarnation)
            self.token, self.incarnation = token, incarnation

    def _save(self) -> bool:
        """:raises OSError: the file can be neither replaced nor removed."""
        try:
            if self.token:
                self._write(self.token, self.incarnation)
                return True
        except OSError:
            pass
        self._path.unlink(missing_ok=True)
        return False

    def _write(self, token: str, incarnation: int) -> None:
        keys = self.keys
        saved_session = SavedSession(self.server, self.name, token, incarnation, keys.secret, dict(keys.shared))
        replace_private(self._path, msgspec.json.encode(saved_session))

    def note_incarnation(self, incarnation: int) -> None:
        """Save the number of the `hello` that is about to be sent. After a crash no number is used again."""
        if self.token:
            self.leave(self.token, incarnation)

    def forget(self) -> None:
        self.token, self.incarnation = "", 0
        with suppress(OSError):
            self._path.unlink()

    def clear(self) -> None:
        self.forget()
        self.let_go()

    def let_go(self) -> None:
        self._let_go()


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

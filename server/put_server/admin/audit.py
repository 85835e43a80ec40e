"""Audit log: a line of JSON in `audit.log` for each action of an operator, and each reading of stored data.

The server records calls to its admin socket. Commands that read the data directory record themselves if a server has
created the log. The log has the names and words of calls, as given by the operator, but no answers: so no cards, and no
people other than those asked about. It is no proof against its own writer: a user who can read the journal can do so
without a command.
"""

import getpass
import logging
import os
import socket
import struct
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from put_runtime.private_files import lock_file, open_private
from put_server.admin.admin_calls import Answer, AskForget, AskStatus, Call

log = logging.getLogger(__name__)

FILE = "audit.log"

MOST_BYTES = 2**20
"""Largest size: some thousand lines. Then the file is renamed to `audit.log.1`, which replaces the previous one."""

_CREDENTIALS = struct.Struct("3i")
"""Process, user and group of a peer, in Linux's format."""


class AuditEntry(Struct, frozen=True, omit_defaults=True):
    at: str
    did: str
    about: dict[str, Any]
    """Arguments of the command."""
    done: bool
    uid: int | None = None
    """None: unknown to the system."""
    user: str = ""


def begin(folder: Path) -> None:
    """Create the log, so that commands find it."""
    try:
        os.close(open_private(folder / FILE, os.O_WRONLY))
    except OSError as error:
        _not_noted(folder / FILE, error)


def note_call(folder: Path | None, call: Call, answer: Answer, uid: int | None) -> None:
    """Record a call to the admin socket, except for the status, which monitoring asks all the time."""
    if isinstance(call, AskStatus):
        return
    given = {} if isinstance(call, AskForget) else msgspec.to_builtins(call)  # a forgotten person is not named here
    about = {name: value for name, value in given.items() if name != "ask" and value}
    _write(folder, _entry(str(call.__struct_config__.tag), about, uid, done=answer.ok))


def note_command(folder: Path, command: str, about: dict[str, Any], *, done: bool) -> None:
    """Record a command that read stored data, if there is a log."""
    if (folder / FILE).exists():
        given = {name: str(value) for name, value in about.items() if value}
        _write(folder, _entry(command, given, os.getuid() if hasattr(os, "getuid") else None, done=done))


def operator() -> str:
    """User and machine of this process, in the form in which a command identifies itself to a cluster."""
    uid = os.getuid() if hasattr(os, "getuid") else None
    return f"{_user(uid) or uid}@{socket.gethostname()}".encode("ascii", "replace").decode()


def _entry(did: str, about: dict[str, Any], uid: int | None, *, done: bool) -> AuditEntry:
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return AuditEntry(at=at, did=did, about=about, done=done, uid=uid, user=_user(uid))


def _user(uid: int | None) -> str:
    try:
        if sys.platform != "win32" and uid is not None:
            import pwd  # noqa: PLC0415  # POSIX only

            return pwd.getpwuid(uid).pw_name
        return getpass.getuser() if os.name == "nt" else ""
    except (ImportError, KeyError, OSError):
        return ""


def _write(folder: Path | None, entry: AuditEntry) -> None:
    line = msgspec.json.encode(entry)
    if folder is None:  # a server that keeps nothing
        log.info("%s", line.decode())
        return
    path = folder / FILE
    try:
        _rotate(path)
        with os.fdopen(open_private(path, os.O_WRONLY | os.O_APPEND), "wb", buffering=0) as file:
            file.write(line + b"\n")
    except OSError as error:
        _not_noted(path, error)


def _not_noted(path: Path, error: OSError) -> None:
    """A full disk is no reason not to drain."""
    log.warning("%s: what operators do cannot be noted: %s", path, error.strerror)


def _rotate(path: Path) -> None:
    if not path.exists() or path.stat().st_size < MOST_BYTES:
        return
    release = lock_file(path.with_suffix(".lock"))
    if release is None:  # another process does it
        return
    try:
        if path.stat().st_size >= MOST_BYTES:
            path.replace(path.with_suffix(".log.1"))
    finally:
        release()


def user_of(peer: Any) -> int | None:
    """The user at the other end of a Unix socket; None: unknown to the system."""
    if not hasattr(socket, "SO_PEERCRED") or peer.family != getattr(socket, "AF_UNIX", None):
        return None
    return int(_CREDENTIALS.unpack(peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))[1])

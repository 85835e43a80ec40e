"""List of known servers with their keys, to notice another key or no encryption, like ssh's known_hosts.

Laws: the file has mode 600 and is replaced atomically; programs lock it for changes, so no entry is lost. A line has an
address, and the fingerprint of the server's key, or `certificate` for a verified certificate of the host name. An
unreadable file is an error: continuing without it would mean to trust any server.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from put_client.places import state_folder
from put_client.sdk.errors import CannotTrust
from put_runtime.fingerprint import parse_fingerprint
from put_runtime.private_files import lock_file, make_private_folder, replace_private

CERTIFICATE = "certificate"
"""Stands in place of a fingerprint."""

MOST = 1_000
"""Most servers in the file, the latest last."""

_FILE = "known_servers"

_WAIT_S = 5.0
"""Longest wait for another program that is changing the list."""

_LOOK_S = 0.01


class KnownServers:
    def __init__(self, path: Path | None = None) -> None:
        self._path = path if path is not None else state_folder() / _FILE

    def get(self, server: str) -> str | None:
        """The known fingerprint of this address, or `CERTIFICATE`; None: an unknown server.

        :raises CannotTrust: the file is unreadable.
        """
        return self._entries().get(server.casefold())

    def name_of(self, fingerprint: str) -> str | None:
        """The last address remembered for a key; None: an unknown key.

        :raises CannotTrust: the file is unreadable.
        """
        return next((server for server, learnt in reversed(self._entries().items()) if learnt == fingerprint), None)

    def put(self, server: str, learnt: str) -> bool:
        """Store the key of a server. Returns false if the file cannot be written.

        :raises CannotTrust: the file is unreadable.
        """
        server = server.casefold()
        try:
            with self._locked():
                entries = self._entries()
                if entries.pop(server, None) == learnt and len(entries) < MOST:
                    return True
                entries[server] = learnt
                self._write(entries)
        except OSError:
            return False
        return True

    def _entries(self) -> dict[str, str]:
        try:
            text = self._path.read_text("utf-8", "replace")
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            raise CannotTrust(f"the list of known servers, {self._path}, cannot be read: {error.strerror}") from None
        entries = {}
        for line in text.splitlines():
            server, _, learnt = line.strip().partition(" ")
            known = CERTIFICATE if learnt == CERTIFICATE else parse_fingerprint(learnt)
            if known is not None:
                entries[server.casefold()] = known
        return entries

    def _write(self, entries: dict[str, str]) -> None:
        lines = "".join(f"{server} {learnt}\n" for server, learnt in list(entries.items())[-MOST:])
        replace_private(self._path, lines.encode())

    @contextmanager
    def _locked(self) -> Iterator[None]:
        make_private_folder(self._path.parent)
        let_go: Callable[[], object] | None = None
        deadline = time.monotonic() + _WAIT_S
        with suppress(OSError):  # a file system without locks: the worst is an entry lost
            while (let_go := lock_file(self._path.with_suffix(".lock"))) is None and time.monotonic() < deadline:
                time.sleep(_LOOK_S)
        try:
            yield
        finally:
            if let_go is not None:
                let_go()

"""List of known servers: which key each one had, so that another key or none at all is noticed. As ssh's known_hosts.

Laws: the file is mode 600 and is replaced whole or not at all; a program that changes it holds a lock, so no entry of
another is lost. A line is an address and what was learnt there: the fingerprint of the server's key, or `certificate`
where a certificate for the host's name was verified. A file that is there and cannot be read is an error: to go on
without it would be to trust anybody.
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
"""Servers in the file, the latest last; more than anybody plays at, and a bound on its size."""

_FILE = "known_servers"

_WAIT_S = 5.0
"""Longest wait for another program that changes the list."""

_LOOK_S = 0.01


class KnownServers:
    def __init__(self, path: Path | None = None) -> None:
        self._path = path if path is not None else state_folder() / _FILE

    def get(self, server: str) -> str | None:
        """The fingerprint known for this address, or `CERTIFICATE`; None: the server is not known.

        :raises CannotTrust: the file cannot be read.
        """
        return self._entries().get(server.casefold())

    def name_of(self, fingerprint: str) -> str | None:
        """The address under which a key was remembered last; None: it is not known.

        :raises CannotTrust: the file cannot be read.
        """
        return next((server for server, learnt in reversed(self._entries().items()) if learnt == fingerprint), None)

    def put(self, server: str, learnt: str) -> bool:
        """Keep what was learnt of a server. Returns whether it could be written.

        :raises CannotTrust: the file cannot be read.
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

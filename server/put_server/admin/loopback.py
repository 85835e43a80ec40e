"""Admin socket for systems without Unix sockets: a port of the loopback address, and a key in a file.

The file has the path of the Unix socket. It contains the port and a token, which every connection sends as its first
line. A user who can read the file may connect; only its owner can.
"""

import hmac
import secrets
import socket
from pathlib import Path

import msgspec
from msgspec import Struct

from put_runtime.private_files import replace_private

HOST = "127.0.0.1"

_MOST_BYTES = 1_000


class LoopbackKey(Struct, frozen=True, forbid_unknown_fields=True):
    port: int
    token: str

    @property
    def line(self) -> bytes:
        return self.token.encode() + b"\n"

    def opens(self, line: bytes) -> bool:
        """Compares the first line with the key, in constant time."""
        return hmac.compare_digest(line, self.line)


def read_key(path: Path) -> LoopbackKey | None:
    if not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(_MOST_BYTES), type=LoopbackKey)
    except (OSError, msgspec.DecodeError):
        return None


def listen(path: Path, backlog: int) -> tuple[socket.socket, LoopbackKey]:
    """Listen on a free port, and write its key.

    :raises OSError: no port is free, or the file cannot be written.
    """
    listening = socket.create_server((HOST, 0), backlog=backlog)
    try:
        key = LoopbackKey(port=listening.getsockname()[1], token=secrets.token_urlsafe(32))
        replace_private(path, msgspec.json.encode(key))
    except BaseException:
        listening.close()
        raise
    return listening, key


def connect(key: LoopbackKey, seconds: float) -> socket.socket:
    """Open a connection and send the key.

    :raises OSError: no server listens there.
    """
    connection = socket.create_connection((HOST, key.port), timeout=seconds)
    try:
        connection.sendall(key.line)
    except BaseException:
        connection.close()
        raise
    return connection

"""Admin client: one call to a running server, from another process."""

import os
import socket
import time
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from put_server.admin.admin_calls import ANSWER_BYTES, Answer, Call
from put_server.admin.loopback import connect, read_key

ANSWER_SECONDS = 10
"""Total time limit. The server answers at once, or within seconds while it replays a long journal."""

A = TypeVar("A", bound=Answer)


class NobodyAnswers(Exception):
    """No server listens at this socket, or its answer cannot be read; the sentence says which."""


class CallFailed(Exception):
    """The server declined; the sentence is the server's."""


class _Verdict(Struct):
    ok: bool
    says: str = ""


def ask(path: Path, call: Call, kind: type[A], seconds: float = ANSWER_SECONDS) -> A:
    """The server's answer of this type, within the time limit.

    :raises NobodyAnswers: no server listens there, or the answer cannot be read.
    :raises CallFailed: the server declined.
    """
    try:
        line = _exchange(path, msgspec.json.encode(call) + b"\n", seconds)
    except (FileNotFoundError, ConnectionRefusedError):
        raise NobodyAnswers(f"no server listens at {path}; is it running, with this --data?") from None
    except TimeoutError:
        raise NobodyAnswers(f"the server at {path} did not answer within {seconds:.0f} seconds") from None
    except OSError as error:
        raise NobodyAnswers(f"{path}: {error.strerror or error}") from None
    try:
        verdict = msgspec.json.decode(line, type=_Verdict)
        if not verdict.ok:
            raise CallFailed(verdict.says)
        return msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError as error:
        raise NobodyAnswers(
            f"the answer at {path} cannot be read ({error}); is the server of another version?"
        ) from None


def _connected(path: Path, seconds: float) -> socket.socket:
    key = read_key(path)
    if key is not None:
        return connect(key, seconds)
    if not hasattr(socket, "AF_UNIX"):
        raise FileNotFoundError
    admin_socket = socket.socket(socket.AF_UNIX)
    admin_socket.settimeout(seconds)
    try:
        admin_socket.connect(os.fspath(path))
    except BaseException:
        admin_socket.close()
        raise
    return admin_socket


def _exchange(path: Path, line: bytes, seconds: float) -> bytes:
    deadline = time.monotonic() + seconds
    with _connected(path, seconds) as admin_socket:
        admin_socket.sendall(line)
        answer = bytearray()
        while not answer.endswith(b"\n") and len(answer) < ANSWER_BYTES:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            admin_socket.settimeout(left)
            if not (piece := admin_socket.recv(4096)):
                break
            answer += piece
    return bytes(answer)

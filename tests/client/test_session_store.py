"""Stored session tokens: what is kept, who may take it, and what happens when two clients want the same."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from put_client.places import state_folder
from put_client.sdk.session_store import SessionLock, last_left

SERVER = "localhost:1674"


def taken(name: str = "Moll", server: str = SERVER) -> SessionLock:
    session_lock = SessionLock.take(server, name)
    assert session_lock is not None
    return session_lock


def left(name: str = "Moll", server: str = SERVER, token: str = "t1") -> None:
    """Somebody was here, and is no more."""
    session_lock = taken(name, server)
    session_lock.leave(token, 1)
    session_lock.let_go()


def found(name: str = "", server: str = SERVER) -> tuple[str, str] | None:
    """The name and token that the next client would take."""
    session_lock = last_left(server, name)
    if session_lock is None:
        return None
    session_lock.let_go()
    return session_lock.name, session_lock.token


def test_token_is_found_by_server_and_name() -> None:
    """Under the name as it looks, or under none; at that server only."""
    left()
    assert found() == found("moll") == found("\uff2doll") == ("Moll", "t1")
    assert found("Nan") is None
    assert found(server="localhost:1675") is None
    assert found(server="127.0.0.1:1674") is None


def test_last_token_is_found_first() -> None:
    """And when they are here again, the one before."""
    for age, name in ((20, "Moll"), (10, "Nan")):
        left(name, token=name)
        (path,) = (path for path in state_folder().glob("*.json") if name.encode() in path.read_bytes())
        os.utime(path, (1_000_000_000 - age, 1_000_000_000 - age))
    assert found() == ("Nan", "Nan")
    nan = last_left(SERVER)
    assert found() == ("Moll", "Moll")
    assert nan is not None
    nan.let_go()


def test_token_of_who_is_here_is_not_found() -> None:
    """Not while their client runs, and by no name."""
    session_lock = taken()
    session_lock.leave("t1", 1)
    assert found() is None
    assert SessionLock.take(SERVER, "MOLL") is None
    session_lock.leave("t2", 1)  # what was locked is not the file that is there now
    assert found() is None
    assert SessionLock.take(SERVER, "Moll") is None
    session_lock.let_go()
    assert found() == ("Moll", "t2")


def test_lock_ends_with_the_process() -> None:
    """However it ended, and nothing needs to be mended."""
    program = f"""
import os, signal
from put_client.sdk.session_store import SessionLock
session_lock = SessionLock.take({SERVER!r}, "Moll")
session_lock.leave("t1", 1)
assert SessionLock.take({SERVER!r}, "Moll") is None
os.kill(os.getpid(), signal.SIGKILL)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", program], env=environment, check=False)
    assert ended.returncode == -9
    assert found() == ("Moll", "t1")


def test_cleared_place_is_empty() -> None:
    """Nothing is left there, and whoever comes next begins anew."""
    session_lock = taken()
    session_lock.leave("t1", 1)
    session_lock.clear()
    assert list(state_folder().glob("*.json")) == []
    assert found() is None
    assert taken().token == ""


def test_place_that_was_cleared_is_held_by_one_client_at_a_time() -> None:
    """The file is gone and the lock is not: who comes next holds what everybody else asks for."""
    first = taken()
    first.leave("t1", 1)
    first.clear()
    second = taken()
    assert second.token == ""
    assert SessionLock.take(SERVER, "Moll") is None
    second.let_go()
    assert SessionLock.take(SERVER, "Moll") is not None


@pytest.mark.parametrize("written", [b"", b"{", b"[]", b'{"server":"localhost:1674","name":"Moll"}', b"\xff"])
def test_file_that_makes_no_sense_is_no_token(written: bytes) -> None:
    """What was cut short, or is another program's, is passed over and then replaced."""
    left()
    (path,) = state_folder().glob("*.json")
    path.write_bytes(written)
    assert found() is None
    left(token="t3")
    assert found() == ("Moll", "t3")


def test_files_are_nobody_elses() -> None:
    """Mode 600 in a directory of mode 700, whatever the mask; and nothing but the one file is left."""
    before = os.umask(0)
    try:
        left()
    finally:
        os.umask(before)
    path, lock = sorted(state_folder().iterdir())
    assert path.stat().st_mode & 0o777 == lock.stat().st_mode & 0o777 == 0o600
    assert state_folder().stat().st_mode & 0o777 == 0o700
    assert b"t1" in path.read_bytes()


def test_token_that_cannot_be_written_leaves_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk: what is there stays whole, and the lock says which token that is."""
    session_lock = taken()
    session_lock.leave("t1", 1)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    session_lock.leave("t2", 1)
    assert session_lock.token == "t1"
    assert SessionLock.take(SERVER, "Moll") is None
    session_lock.let_go()
    assert found() == ("Moll", "t1")


def test_directory_is_where_state_belongs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """XDG_STATE_HOME, or the place it stands for; a relative one is to be ignored."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for value in ("", "here"):
        monkeypatch.setenv("XDG_STATE_HOME", value)
        assert state_folder() == tmp_path / ".local" / "state" / "put-client"


def test_nothing_is_kept_where_nothing_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No place, and no exception."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert SessionLock.take(SERVER, "Moll") is None
    assert last_left(SERVER) is None

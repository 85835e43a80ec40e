"""Fixtures of the client's tests."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from put_client.fairness.referee import Referee
from put_runtime.child_process import PUT_SERVER, listening
from tests.client.scripted_server import Server, scripted_server


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """A put server on loopback whose every word is the test's."""
    async with scripted_server() as started:
        yield started


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Of a real server, a process, which the tests of a module share."""
    words = (*PUT_SERVER, "--host", "127.0.0.1", "--port", "0", "--data", ":memory:", "--log-level", "warning")
    with listening(words) as (_, port):
        yield port


@pytest.fixture
def no_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of the test are not by the rules, and nobody minds."""
    monkeypatch.setattr(Referee, "receive", lambda *_: None)


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where programs under test, too, leave their tokens."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "put-client"


@pytest.fixture(autouse=True)
def config_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where they look for settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "put-client"

"""The servers played at."""

from pathlib import Path

import pytest

from put_client.recent_servers import MOST, recent, remember


def test_recent_servers_are_the_latest_first_and_each_once() -> None:
    """Who plays at one of them again finds it on top; the oldest are forgotten."""
    assert recent() == ()
    for server in ("a:1", "b:2", "a:1"):
        remember(server)
    assert recent() == ("a:1", "b:2")
    for number in range(MOST):
        remember(f"c:{number + 1}")
    assert len(recent()) == MOST
    assert "b:2" not in recent()


def test_recent_servers_that_are_no_addresses_are_passed_over(state_home: Path) -> None:
    """A file somebody has edited is read for what makes sense in it."""
    state_home.mkdir(parents=True)
    (state_home / "servers").write_text("a:1\n[::1\nb:0\n\x1b[2J:3\n[::1]:5\n")
    assert recent() == ("a:1", "[::1]:5")


def test_recent_servers_that_cannot_be_kept_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home that cannot be written is no reason not to play."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    remember("a:1")
    assert recent() == ()

"""The servers played at."""

from pathlib import Path

import pytest

from put_client.recent_servers import MOST, last_name, recent, remember


def test_recent_servers_are_the_latest_first_and_each_once() -> None:
    """Who plays at one of them again finds it on top; the oldest are forgotten."""
    assert recent() == ()
    for server in ("a:1", "b:2", "a:1"):
        remember(server, "Moll")
    assert recent() == ("a:1", "b:2")
    for number in range(MOST):
        remember(f"c:{number + 1}", "Moll")
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
    remember("a:1", "Moll")
    assert (recent(), last_name()) == ((), "")


def test_name_last_played_as_is_kept(state_home: Path) -> None:
    """The latest; and one that no server takes is none."""
    assert last_name() == ""
    for name in ("Moll", "Nan"):
        remember("a:1", name)
    assert last_name() == "Nan"
    (state_home / "name").write_text("\x1b[2J\n")
    assert last_name() == ""

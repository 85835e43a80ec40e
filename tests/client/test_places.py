"""Folders of the player's files, on the systems there are."""

import sys
from pathlib import Path

import pytest

from put_client.places import config_folder, state_folder, write_new
from put_runtime.private_files import folders


def test_folders_are_where_every_release_had_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Sessions, known keys and settings of the last release are found by this one."""
    for variable, folder in (("STATE", state_folder), ("CONFIG", config_folder)):
        monkeypatch.setenv(f"XDG_{variable}_HOME", str(tmp_path / variable))
        assert folder() == tmp_path / variable / "put-client"
    assert not list(tmp_path.iterdir())


def test_folders_are_hidden_ones_of_the_home_folder_where_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On macOS, too: a variable that is empty or no absolute path is passed over."""
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setenv("HOME", str(tmp_path))
    for value in ("", "relative"):
        for variable in ("STATE", "CONFIG", "CACHE"):
            monkeypatch.setenv(f"XDG_{variable}_HOME", value)
        assert state_folder() == tmp_path / ".local" / "state" / "put-client"
        assert config_folder() == tmp_path / ".config" / "put-client"


def test_folders_on_windows_are_in_local_app_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """One folder a program, and none of an author; not what roams to another computer, for keys belong to one."""
    monkeypatch.setattr("sys.platform", "win32")
    asked: list[str] = []

    def known_folder(name: str) -> str:
        asked.append(name)
        return "/Users/moll/AppData/Local"

    monkeypatch.setattr("platformdirs.windows.get_win_folder", known_folder)
    assert folders("put-client").user_state_dir == "/Users/moll/AppData/Local/put-client"
    assert folders("put-server").user_data_dir == "/Users/moll/AppData/Local/put-server"
    assert set(asked) == {"CSIDL_LOCAL_APPDATA"}


def test_new_file_is_written_where_it_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also in one's own folder; and never over another."""
    monkeypatch.setenv("HOME", str(tmp_path))
    write_new("~/evening.txt", "Moll leads.\n")
    assert (tmp_path / "evening.txt").read_text() == "Moll leads.\n"
    for name in ("~/evening.txt", str(tmp_path), "~nobody-is-called-so/x", "a\0b"):
        with pytest.raises(OSError, match=r".") as failed:
            write_new(name, "nothing")
        assert failed.value.filename
    assert (tmp_path / "evening.txt").read_text() == "Moll leads.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no file")
def test_nothing_is_left_of_a_file_for_which_there_is_no_room(tmp_path: Path) -> None:
    """The error names it, so that the sentence of it does."""
    import resource  # noqa: PLC0415  # not on Windows

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large") as failed:
            write_new(str(tmp_path / "game.put"), "x" * 1_000_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert failed.value.filename == str(tmp_path / "game.put")
    assert not list(tmp_path.iterdir())

"""The modules loaded before the first screen: only those it needs, for loading is most of what a player waits for."""

import subprocess
import sys

import pytest

LATER = {
    "cryptography": "a server makes keys; a client has the standard library check them",
    "filelock": "there is fcntl",
    "h11": "a server speaks HTTP",
    "openskill": "the arena rates",
    "prometheus_client": "a server is watched",
    "put_client.discovery": "who named a server needs no search",
    "put_client.line": "sentences are for who asked for them",
    "put_client.sheet_replay": "a game is replayed on demand",
    "put_client.tui.boards.primero": "the first screen has no table",
    "put_client.tui.boards.put": "the same",
    "put_client.tui.boards.triomphe": "the same",
    "segno": "a server shows the code",
    "zeroconf": "who named a server needs no search",
}
"""By name, with what each is for."""


def loaded(program: str) -> set[str]:
    """All modules that a program has loaded, and the packages they are in."""
    told = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys\nprint(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    )
    return set(told.stdout.split())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fcntl")
def test_first_screen_loads_nothing_that_is_needed_later() -> None:
    """The program as `put-client HOST` starts it, up to the screen."""
    names = loaded("import put_client.start, put_client.cli, put_client.tui.app, put_client.sdk.session_store")
    assert "put_client.tui.terminal" in names
    assert {name: LATER[name] for name in LATER if name in names} == {}


def test_bots_load_no_screen() -> None:
    """`put-bot`, and programs with the SDK, start without what only people need."""
    names = loaded("import put_client.bots.cli; from put_client import Bot, connect")
    assert not names & {"prompt_toolkit", "put_client.tui", "sqlite3", *LATER}

"""The programs on a Python that lacks what Windows lacks, and coincurve (see `bare`): they load, and play whole games
over TCP."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from put_runtime import exit_codes
from put_runtime.child_process import port_in

ROOT = Path(__file__).parents[2]
BARE = Path(__file__).with_name("bare")

PACKAGES = ("put_protocol", "put_text", "put_runtime", "put_server", "put_client", "put_conformance")

IMPORTS = f"""
import importlib, pkgutil
for name in {PACKAGES}:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        if not module.name.endswith(".__main__"):
            importlib.import_module(module.name)
"""

BOT = """
from put_client import Bot

class First(Bot):
    def choose(self, view, legal):
        return legal[0].action
"""

PATIENCE_S = 60


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """The environment of a program that finds no POSIX."""
    paths = [str(path) for path in (BARE, ROOT / "protocol", ROOT / "server", ROOT / "client")]
    folders = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("STATE", "CONFIG", "DATA", "CACHE")}
    # PYTHON chooses another for .venv, which is made anew then.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHON"}
    return {**environment, **folders, "PYTHONPATH": os.pathsep.join(paths), "PYTHONWARNINGS": "ignore:only soft"}


def python(environment: dict[str, str], *words: str, says: str = "") -> subprocess.CompletedProcess[str]:
    """A program that must end by itself."""
    return subprocess.run(
        [sys.executable, *words],
        env=environment,
        input=says,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        cwd=ROOT,
    )


@contextmanager
def served(environment: dict[str, str], data: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server, which the end of its input ends."""
    words = [sys.executable, "-m", "put_server", "--host", "127.0.0.1", "--port", "0", "--data", str(data)]
    words += ["--at-eof", "stop", "--drain-seconds", "0"]
    process = subprocess.Popen(
        words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stderr is not None
    try:
        port = port_in(process.stdout.readline())
        assert port is not None, process.stderr.read()
        yield process, port
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0, process.stderr.read()
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


def test_python_of_these_tests_lacks_what_windows_lacks(bare: dict[str, str]) -> None:
    """Otherwise they would show nothing."""
    program = """
import asyncio, os, signal, socket
for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    try:
        __import__(name)
    except ImportError:
        continue
    raise SystemExit(name)
assert not hasattr(os, "fork") and not hasattr(socket, "AF_UNIX") and not hasattr(signal, "SIGHUP")
async def main():
    loop = asyncio.get_running_loop()
    for decline in (lambda: loop.add_signal_handler(2, print), lambda: loop.add_reader(0, print)):
        try:
            decline()
        except NotImplementedError:
            continue
        raise SystemExit("a loop that can")
asyncio.run(main())
"""
    assert python(bare, "-c", program).returncode == 0


def test_every_module_loads(bare: dict[str, str]) -> None:
    """Of the protocol, the server, the client and the conformance suite."""
    done = python(bare, "-c", IMPORTS)
    assert (done.returncode, done.stderr) == (0, "")


def test_bot_plays_a_game_at_a_server_that_starts_again(bare: dict[str, str], tmp_path: Path) -> None:
    """The operator's commands find the server, a second server keeps off its data, and a finished game is kept. A table
    that cannot be dealt blind, for a client that holds no key, either, is dealt plain."""
    bot = tmp_path / "first.py"
    bot.write_text(BOT)
    data = tmp_path / "data"
    commands = ("-m", "put_server")
    with served(bare, data) as (_, port):
        words = (str(bot), f"127.0.0.1:{port}", "--house", "beginner", "--json", "--option", "dealing=blind")
        played = python(bare, "-m", "put_client.bots.cli", *words)
        assert (played.returncode, played.stderr) == (0, "")
        assert json.loads(played.stdout)["games"] == 1
        status = python(bare, *commands, "status", "--json", "--data", str(data))
        assert json.loads(status.stdout)["ok"], status.stderr
        upgraded = python(bare, *commands, "upgrade", "--data", str(data))
        assert upgraded.returncode == exit_codes.TEMPFAIL
        assert "this system cannot pass listening sockets on" in upgraded.stderr
        second = python(bare, *commands, "--port", "0", "--data", str(data))
        assert "is in use by another put-server" in second.stderr
    with served(bare, data):
        listed = python(bare, *commands, "games", "--data", str(data))
    assert len(listed.stdout.splitlines()) == 1, listed.stderr


def test_person_plays_a_game_in_sentences(bare: dict[str, str], tmp_path: Path) -> None:
    """In line mode, from lines that are there already, against the house."""
    with served(bare, tmp_path / "data") as (_, port):
        lines = ["open put-1674 2 target=1", "invite steady", *["1"] * 20]
        done = python(
            bare,
            "-m",
            "put_client.start",
            "--line",
            "--name",
            "Moll",
            f"127.0.0.1:{port}",
            says="".join(f"{line}\r\n" for line in lines),
        )
        assert done.returncode == 0, done.stderr
        assert re.search(r"wins? the game", done.stdout), done.stdout[-2_000:]


def test_play_plays_by_itself(bare: dict[str, str]) -> None:
    """`python scripts/play.py`: a server of its own, house players and a spectator over TCP, and nothing is left."""
    done = python(bare, "scripts/play.py", "--watch", "--games", "1", "--seed", "7")
    assert done.returncode == 0, done.stderr
    assert re.search(r"wins? the game", done.stdout), done.stdout[-2_000:]

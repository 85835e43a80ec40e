"""The real program on a real terminal: tmux types the keys and says what is on the screen.

A screen is looked at again and again until it shows what is waited for, or the time is over; nothing counts seconds.
"""

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from put_server.games.registry import GAMES
from tests.repetitions import TURN

SOME = ("put-1674", "truc")
"""Those who have most to say and least alike; a campaign plays every game."""

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 25
"""Of a machine that does much else; it takes a fraction of it."""

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Terminal:
    """A shell in tmux."""

    def __init__(self, directory: Path) -> None:
        self._socket = str(directory / "tmux")
        home = {"XDG_STATE_HOME": str(directory), "XDG_CONFIG_HOME": str(directory), "LC_ALL": "C.UTF-8"}
        environment = [part for name, value in home.items() for part in ("-e", f"{name}={value}")]
        self._tmux("-f", os.devnull, "new-session", "-d", "-x", "80", "-y", "24", *environment, "sh")
        self.until(lambda text: text.strip() != "")

    def _tmux(self, *arguments: str) -> str:
        command = ("tmux", "-u", "-S", self._socket, *arguments)
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE_S, cwd=ROOT).stdout

    def end(self) -> None:
        self._tmux("kill-server")

    @property
    def text(self) -> str:
        return self._tmux("capture-pane", "-p")

    def until(self, holds: Callable[[str], bool]) -> str:
        """Look until it holds; what is shown then."""
        deadline = time.monotonic() + PATIENCE_S
        while not holds(text := self.text):
            assert time.monotonic() < deadline, text
        return text

    def shows(self, *wanted: str) -> str:
        return self.until(lambda text: all(part in text for part in wanted))

    def types(self, line: str) -> None:
        self._tmux("send-keys", "-l", line)
        self.presses("Enter")

    def presses(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def resizes(self, columns: int, lines: int) -> None:
        self._tmux("resize-window", "-x", str(columns), "-y", str(lines))

    def is_whole(self) -> bool:
        """Back at the shell, on the usual screen, with a cursor, and what is typed shows."""
        flags = self._tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}").split()
        self.types("clear; stty -a; echo all | tr a-z A-Z")
        modes = self.shows("ALL").replace(";", " ").split()
        return flags == ["0", "1", "0"] and {"echo", "icanon", "isig"} <= set(modes)


@pytest.fixture
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    made = Terminal(tmp_path_factory.mktemp("t"))
    try:
        yield made
    finally:
        made.end()


def begin(terminal: Terminal, game: str) -> None:
    """Sit at a table of this game, the house opposite."""
    terminal.types(f"{shlex.quote(sys.executable)} scripts/play.py --game {game} --seed 5 --name Will; echo ended $?")
    terminal.shows("Will (you)", "hand 1")


def _is_other(before: str, text: str) -> bool:
    return text != before


def is_asked(text: str) -> bool:
    """Whether something is expected of us, on a screen of 24 lines."""
    return text.split("\n")[20].startswith(" ▶ ")


@pytest.mark.parametrize("game", GAMES if TURN else SOME)
def test_every_game_is_played_in_the_real_program(terminal: Terminal, game: str) -> None:
    """With the arrows and Enter, and yes to every question; then the window changes, and it ends as it should."""
    begin(terminal, game)
    for _ in range(2):
        before = terminal.until(is_asked)
        terminal.presses("Left", "Enter", "y")
        terminal.until(partial(_is_other, before))
    terminal.resizes(120, 40)
    terminal.shows("Log", "Talk", f"{GAMES[game].offer.title}")
    terminal.resizes(60, 16)
    terminal.until(lambda text: "Talk" not in text and "Will (you)" in text and "best" in text)
    terminal.resizes(50, 12)
    terminal.shows("60 by 16", "line mode")
    terminal.resizes(80, 24)
    terminal.shows("Will (you)", "Talk")
    terminal.presses("q", "y")
    terminal.shows("ended 0")
    assert terminal.is_whole()


def test_a_move_by_its_letter_asks_once_and_by_its_digit_plays(terminal: Terminal) -> None:
    """p, and no; then a card."""
    begin(terminal, "put-1674")
    terminal.until(is_asked)
    terminal.presses("p")
    terminal.shows('Say "I put"?', "Esc or n no")
    terminal.presses("n")
    terminal.shows("p put")
    terminal.presses("1")
    terminal.until(lambda text: "1         " in text)
    terminal.presses("q", "y")
    terminal.shows("ended 0")


@pytest.mark.parametrize("signal", ["TERM", "HUP", "INT"])
def test_terminal_is_whole_after_a_signal(terminal: Terminal, signal: str) -> None:
    """However the program is told to end. ^C asks first, and means it when it comes twice."""
    begin(terminal, "put-1674")
    if signal == "INT":
        terminal.presses("C-c")
        terminal.shows("That gives up the game.")
        terminal.presses("C-c")
    else:
        shell = terminal._tmux("display-message", "-p", "#{pane_pid}").strip()
        program = subprocess.run(("pgrep", "-P", shell), check=True, capture_output=True, text=True).stdout.split()[0]
        subprocess.run(("kill", f"-{signal}", program), check=True)
    terminal.shows("ended ")
    assert terminal.is_whole()


def test_line_mode_is_a_key_away_in_the_same_seat(terminal: Terminal) -> None:
    """Also where the window is too small for a table; the game goes on."""
    begin(terminal, "put-1674")
    terminal.until(is_asked)
    terminal.presses("L")
    terminal.shows("You hold", "Your move.")
    terminal.types("hand")
    terminal.types("quit")
    terminal.shows("ended 0")
    assert terminal.is_whole()

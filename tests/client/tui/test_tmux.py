"""The real program on a real terminal: tmux types the keys and says what is on the screen.

A screen is looked at whenever something was written, until it shows what is waited for, or the time is over; nothing
counts seconds.
"""

import asyncio
import os
import re
import select
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial, wraps
from pathlib import Path
from typing import Any

import pytest

from put_client import connect
from put_rules.registry import GAMES
from put_server.settings import Settings
from tests.repetitions import TURN
from tests.serving import serving
from tests.transport.sockets import running_server

SOME = ("put-1674", "truc")
"""Those who have most to say and least alike; a campaign plays every game."""

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 25
"""Of a machine that does much else; it takes a fraction of it."""

LOOKS_AGAIN_S = 1.0
"""Though nothing was written."""

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Terminal:
    """A shell in tmux."""

    game = "put-1674"
    """What is played in it."""

    def __init__(self, directory: Path) -> None:
        self._socket = str(directory / "tmux")
        home = {
            "XDG_STATE_HOME": str(directory),
            "XDG_CONFIG_HOME": str(directory),
            "LC_ALL": "C.UTF-8",
            "PUT_CLIENT_TEACH": "no",
        }
        environment = [part for name, value in home.items() for part in ("-e", f"{name}={value}")]
        self._tmux("-f", os.devnull, "new-session", "-d", "-x", "80", "-y", "24", *environment, "sh")
        written = directory / "written"
        os.mkfifo(written)
        self._written = os.open(written, os.O_RDWR | os.O_NONBLOCK)  # as a writer, too, it has no end
        self._tmux("pipe-pane", f"exec cat > {shlex.quote(str(written))}")
        self.until(lambda text: text.strip() != "")

    def _tmux(self, *arguments: str) -> str:
        command = ("tmux", "-u", "-S", self._socket, *arguments)
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE_S, cwd=ROOT).stdout

    def end(self) -> None:
        self._tmux("kill-server")
        os.close(self._written)

    @property
    def text(self) -> str:
        return self._tmux("capture-pane", "-p")

    def until(self, holds: Callable[[str], bool]) -> str:
        """Look until it holds; what is shown then."""
        deadline = time.monotonic() + PATIENCE_S
        while not holds(text := self.text):
            assert time.monotonic() < deadline, text
            self._wait()
        return text

    def _wait(self) -> None:
        """Until something was written."""
        select.select([self._written], [], [], LOOKS_AGAIN_S)
        with suppress(BlockingIOError):
            while os.read(self._written, 65536):
                pass

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


@asynccontextmanager
async def house_at_table(game: str, seats: int, **options: int | str) -> AsyncIterator[str]:
    """A table of this game where house players have all seats but the first. The command that sits down there."""
    settings = Settings(host="127.0.0.1", port=0, data=":memory:", seed=5)
    async with serving(settings, thinks=False) as server, connect("127.0.0.1", server.port, name="Host") as host:
        table = await host.open_table(game, seats=seats, options={"dealing": "plain", **options})
        for seat in range(1, seats):
            await host.invite(table, seat)
        program = shlex.join([sys.executable, "-c", "import sys, put_client.cli; sys.exit(put_client.cli.main())"])
        yield f"{program} --name Will --table {table} 127.0.0.1:{server.port}; echo ended $?"


@pytest.fixture
async def seated(terminal: Terminal, request: pytest.FixtureRequest) -> AsyncIterator[Terminal]:
    """A terminal at a table of this game, the house opposite, at a server in the loop."""
    terminal.game = getattr(request, "param", terminal.game)
    async with house_at_table(terminal.game, GAMES[terminal.game].offer.seats[0]) as command:
        await asyncio.to_thread(terminal.types, command)
        await asyncio.to_thread(terminal.shows, "Will (you)", "hand 1")
        yield terminal


def beside_the_loop(test: Callable[..., None]) -> Callable[..., Awaitable[None]]:
    """A test that waits for the terminal, in a thread, while the loop serves."""

    @wraps(test)
    async def run(**given: Any) -> None:
        await asyncio.to_thread(test, **given)

    return run


def _is_other(before: str, text: str) -> bool:
    return text != before


def _is_rule(line: str) -> bool:
    """A line of 60 columns from edge to edge, which may have the ranks of the cards in it."""
    return len(line) == 60 and line.startswith("─") and line.endswith("─")


def is_asked(text: str) -> bool:
    """Whether something is expected of us, on a screen of 24 lines."""
    return text.split("\n")[20].startswith(" ▶ ")


@pytest.mark.parametrize("seated", GAMES if TURN else SOME, indirect=True)
@beside_the_loop
def test_every_game_is_played_in_the_real_program(seated: Terminal) -> None:
    """With the arrows and Enter, and yes to every question; then the window changes, and it ends as it should."""
    for _ in range(2):
        before = seated.until(is_asked)
        seated.presses("Left", "Enter", "y")
        seated.until(partial(_is_other, before))
    seated.resizes(120, 40)
    seated.shows("Log", "Talk", f"{GAMES[seated.game].offer.title}")
    seated.resizes(60, 16)
    seated.until(lambda text: "Talk" not in text and "Will (you)" in text and any(map(_is_rule, text.split("\n"))))
    seated.resizes(50, 12)
    seated.shows("60 by 16", "line mode")
    seated.resizes(80, 24)
    seated.shows("Will (you)", "Talk")
    seated.presses("q", "y")
    seated.shows("ended 0")
    assert seated.is_whole()


@beside_the_loop
def test_a_move_by_its_letter_asks_once_and_by_its_digit_plays(seated: Terminal) -> None:
    """p, and no; then a card."""
    seated.until(is_asked)
    seated.presses("p")
    seated.shows('Say "I put"?', "Esc or n no")
    seated.presses("n")
    seated.shows("p put")
    seated.presses("1")
    seated.shows("You lead the ")
    seated.presses("q", "y")
    seated.shows("ended 0")


@pytest.mark.parametrize("signal", ["TERM", "HUP", "INT"])
@beside_the_loop
def test_terminal_is_whole_after_a_signal(seated: Terminal, signal: str) -> None:
    """However the program is told to end. ^C asks first, and means it when it comes twice."""
    if signal == "INT":
        seated.presses("C-c")
        seated.shows("Leave the program?")
        seated.presses("C-c")
    else:
        shell = seated._tmux("display-message", "-p", "#{pane_pid}").strip()
        program = subprocess.run(("pgrep", "-P", shell), check=True, capture_output=True, text=True).stdout.split()[0]
        subprocess.run(("kill", f"-{signal}", program), check=True)
    seated.shows("ended ")
    assert seated.is_whole()


@beside_the_loop
def test_line_mode_is_a_key_away_in_the_same_seat(seated: Terminal) -> None:
    """Also where the window is too small for a table; the game goes on."""
    seated.until(is_asked)
    seated.presses("L")
    seated.shows("You hold", "Your move.")
    seated.types("hand")
    seated.types("quit")
    seated.shows("is kept", "ended 0")
    assert seated.is_whole()


# --- games of other families ---


TOPS = {
    "triomphe-forcee": "7w 7b 7u 7o 1t 2t 3t 4t 5t 6t 7t 8t 0t Kw Kb Ku Ko 9t 10t 12t",
    "primero": "7c 6c Ac 5d 4d 3d",
}
"""Cards on top of every pack: nobody holds La Mort, and declarations do not empty the pool, so there are tricks."""


def is_over(text: str) -> bool:
    return "The game is over: a for another" in text


def played_on(terminal: Terminal) -> list[str]:
    """The first choice is taken each time, by the key that is shown for it. The screens on which something was asked,
    and the last one."""
    screens = [whole(terminal, is_asked)]
    while not is_over(screens[-1]):
        terminal.presses(screens[-1].split("\n")[22].split()[0])
        after = whole(terminal, partial(_is_other, screens[-1]))
        if "Enter: " in after:  # an amount, or cards, are chosen and not done yet
            terminal.presses("Enter")
            whole(terminal, partial(_is_other, after))
        elif "Esc or n no" in after:
            terminal.presses("y")
            whole(terminal, partial(_is_other, after))
        screens.append(whole(terminal, is_asked))
    return screens


def whole(terminal: Terminal, holds: Callable[[str], bool]) -> str:
    """What is shown when it holds and nothing more is being drawn."""
    seen = ""
    while seen != (seen := terminal.until(holds)):
        pass
    return seen


@pytest.mark.parametrize(
    ("game", "seats", "always"),
    [
        ("triomphe-forcee", 4, ("pool ", "stake 2", "trick ", "dealer", "Tricks")),
        ("primero", 3, ("pot ", "stock ", "dealer")),
    ],
)
async def test_sitting_is_played_to_its_end(terminal: Terminal, game: str, seats: int, always: tuple[str, ...]) -> None:
    """Two hands with the house, by the keys that are shown; everything that a player needs is on the screen."""
    async with house_at_table(game, seats, hands=2, arranged=TOPS[game]) as command:
        await asyncio.to_thread(terminal.types, command)
        *asked, last = await asyncio.to_thread(played_on, terminal)
        assert asked
        for text in asked:
            assert all(part in text for part in (*always, "Will (you)", "of 2 ", "Your move.")), text
            why, choices = text.split("\n")[21:23]
            assert not why.endswith("…"), text
            assert choices.strip(), text
        assert "Will (you)" in last
        await asyncio.to_thread(terminal.presses, "e")
        await asyncio.to_thread(terminal.shows, "Hand by hand")
        await asyncio.to_thread(terminal.presses, "Escape")
        await asyncio.to_thread(terminal.until, lambda text: "Hand by hand" not in text)
        await asyncio.to_thread(terminal.presses, "q")
        await asyncio.to_thread(terminal.shows, "ended 0")


async def test_ten_play_triomphe_on_a_small_terminal(terminal: Terminal) -> None:
    """Everyone's name and gains, the pool, the trick, and our cards behind their digits."""
    async with house_at_table("triomphe-forcee", 10) as command:
        await asyncio.to_thread(terminal.types, command)
        text = await asyncio.to_thread(whole, terminal, is_asked)
        table = "\n".join(row[:51] for row in text.split("\n")[1:19])
        assert {"Doll", "Ned", "Peg", "Hal", "Kit", "Meg", "Wat", "Sib", "Jack"} <= {*table.split()}, text
        assert len(re.findall(r" (?:[+-]\d+|0)(?=\s)", table)) == 10, text
        for part in ("pool ", "trick 1 of 5", "stake 2", "dealer", "Your move.", " 1 "):
            assert part in text, text
        assert "Trick 1: " in text or "Lead to trick 1." in text, text


async def test_key_of_a_server_met_for_the_first_time_is_on_the_screen(terminal: Terminal) -> None:
    """The screen covers what was written before it. The connection is encrypted, and a second one says nothing."""
    async with running_server(name="The Swan") as server:
        assert server.server.front.encryption is not None
        key = server.server.front.encryption.fingerprint
        program = f"{shlex.quote(sys.executable)} -c 'from put_client.cli import main; main()'"
        command = f"clear; {program} --tls --name Will 127.0.0.1:{server.server.port}; echo ended $?"
        await asyncio.to_thread(terminal.types, command)
        await asyncio.to_thread(
            terminal.shows, "The Swan", "you are Will", f"New server, key {key}: compare with the operator's."
        )
        await asyncio.to_thread(terminal.presses, "q")
        await asyncio.to_thread(terminal.shows, "ended 0")
        await asyncio.to_thread(terminal.types, command)
        text = await asyncio.to_thread(terminal.shows, "The Swan", "you are Will")
        assert "New server" not in text
        await asyncio.to_thread(terminal.presses, "q")
        await asyncio.to_thread(terminal.shows, "ended 0")


@beside_the_loop
def test_suspended_program_goes_on_where_it_was(seated: Terminal) -> None:
    """^Z gives the seated back to the shell, and `fg` draws the table again."""
    before = seated.until(is_asked)
    seated.presses("C-z")
    seated.shows("topped")  # as each shell spells it
    assert seated.is_whole()
    seated.types("fg")
    seated.shows("Will (you)", *[line for line in before.split("\n") if line.startswith(" ▶ ")])
    seated.presses("q", "y")
    seated.until(lambda text: "Will (you)" not in text)
    seated.types("echo over $?")
    seated.shows("over 0")

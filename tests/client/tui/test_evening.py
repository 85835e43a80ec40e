"""An evening at the keyboard: from nothing to a game with the house, to its end, away and back, and home again."""

import asyncio
import re
import shlex
import sys
from collections.abc import Iterator

import pytest

from put_server.settings import Settings
from tests.client.tui import test_tmux
from tests.client.tui.test_tmux import Terminal, is_asked
from tests.serving import serving

pytestmark = [test_tmux.pytestmark, pytest.mark.timeout(180)]  # a whole game, and then some, on a slow machine

SHORTLY = "from put_client.tui import app, moments; moments.HOLD_MS = 100"
"""Finished hands are looked at for a moment only: half of this evening would be waiting for the next."""

PROGRAM = f"{shlex.quote(sys.executable)} -c '{SHORTLY}; from put_client.cli import main; main()'"

PAGES = {"r": "The rules", "e": "Hand by hand", "v": "The deal", "u": "Log and talk", "?": "Help"}
"""Keys, and what they open."""


@pytest.fixture
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    made = Terminal(tmp_path_factory.mktemp("t"))
    try:
        yield made
    finally:
        made.end()


def lead(terminal: Terminal) -> None:
    """From the command to the first card that is ours to play, in as few keys as it takes."""
    terminal.shows("No table is open. Play against the house at once:", "1 ")
    terminal.presses("1")
    terminal.shows("▶ Your move.")  # before the first deal, the mark of our own seat may stand where a question does


def play_to_the_end(terminal: Terminal) -> None:
    """The first card each time, and every put is thrown in to."""
    while True:
        text = terminal.until(lambda text: is_asked(text) or "a for another" in text)
        if "a for another" in text:
            return
        terminal.presses("t" if "t throw in" in text else "1")
        after = terminal.until(lambda now, before=text: now != before)  # type: ignore[misc]  # bound at once
        if "Esc or n no" in after:
            terminal.presses("y")


def look_back(terminal: Terminal) -> None:
    """The games of the evening shown again, and practice; each with a key of the lobby, and back with another."""
    terminal.presses("g")
    terminal.shows("Your record", "2 games")
    terminal.presses("Down", "Enter")
    terminal.shows("Replay", "step 0 of")
    terminal.presses("Right")
    terminal.shows("step 1 of")
    terminal.presses("q")
    terminal.shows("Your record")
    terminal.presses("q")
    terminal.shows("d practise")
    terminal.presses("d")
    terminal.shows("Practice", "0 of 0 right")
    terminal.presses("t", "1")  # throw in; or where that is no answer, the first card
    terminal.shows("Every choice", "of 1 right")
    terminal.presses("q")
    terminal.shows("d practise")


def evening(terminal: Terminal, port: int) -> None:
    terminal.types(f"{PROGRAM} --name Will 127.0.0.1:{port}; echo ended $?")
    lead(terminal)
    terminal.presses("c")
    terminal.shows("say:", "Nobody hears this but the house.")
    terminal.types("Good evening")
    terminal.shows("Will: Good evening")
    for key, title in (
        ("r", "The rules"),
        ("e", "Hand by hand"),
        ("v", "The deal"),
        ("u", "Log and talk"),
        ("?", "Help"),
    ):
        terminal.presses(key)
        terminal.shows(title)
        terminal.presses("Escape")
        terminal.until(lambda text, title=title: f"─ {title} ─" not in text)  # type: ignore[misc]  # bound at once
    play_to_the_end(terminal)
    terminal.presses("a")
    terminal.until(lambda text: "game 2" in text and is_asked(text))
    terminal.presses("q")
    terminal.shows("Leave the program?", "Your seat at table 1 is kept for five minutes.")
    terminal.presses("Enter")
    told = terminal.shows("To come back, type:", "ended 0")
    command = re.search(r"type: put-client (\S+)", told)
    assert command is not None
    terminal.types(f"clear; {PROGRAM} {command[1]}; echo ended $?")
    terminal.until(is_asked)
    terminal.presses("u")
    terminal.presses("Home")
    terminal.shows("Will: Good evening")
    terminal.presses("Escape")
    terminal.until(is_asked)
    terminal.presses("b")
    terminal.shows("Leave the table?", "That gives up the game.")
    terminal.presses("Enter", "y")
    terminal.shows("you are Will")
    look_back(terminal)
    terminal.presses("q")
    terminal.shows("ended 0")
    assert terminal.is_whole()


async def test_a_whole_evening_is_played_by_keyboard_alone(terminal: Terminal) -> None:
    """One key from the empty lobby to a game; talk, pages, a second game; away and back with the log; and home."""
    async with serving(Settings(host="127.0.0.1", port=0, data=":memory:", seed=5), thinks=False) as server:
        await asyncio.to_thread(evening, terminal, server.port)

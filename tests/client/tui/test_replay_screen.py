"""The screen on which a game is shown again: its keys, what is drawn, and the application itself."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.utils import get_cwidth

from put_client.sheet_replay import Replay
from put_client.tui.replay_screen import BINDINGS, Showing, after_key, draw, gone_on, run, table_at
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import ASCII, UNICODE, Theme
from put_protocol.games.put import Dealt, GameEnded, GameWon
from put_protocol.games.unions import Event
from put_protocol.seats import GALLERY
from put_protocol.table_info import TableState
from put_protocol.text import is_printable
from put_text.catalogue import languages, speaking
from put_text.notation import Sheet, SheetPlayer, SheetStep
from tests.client.sample_sheet import EVENTS, MOLL, NAN, sheet
from tests.client.tui.sample_models import LARGE, SMALL, text_of
from tests.client.tui.test_app import Screen

LAST = len(EVENTS)


def at(position: int, of: Sheet | None = None) -> Showing:
    return Showing(replay=Replay.of(of or sheet()).to(position))


def pressed(showing: Showing, key: str) -> Showing:
    after = after_key(showing, key)
    assert after is not None
    return after


def shown(showing: Showing, size: Size = SMALL, theme: Theme = UNICODE) -> str:
    return text_of(draw(showing, size, theme))


# --- keys ---


@pytest.mark.parametrize(
    ("start", "keys", "position"),
    [
        (0, ("right", " "), 2),
        (3, ("left",), 2),
        (0, ("n", "n"), 7),
        (LAST, ("p",), 10),
        (5, ("home",), 0),
        (5, ("end",), LAST),
        (0, ("left", "p"), 0),
        (LAST, ("right", "n"), LAST),
        (5, ("?", "escape"), 5),
    ],
)
def test_keys_move_in_the_game(start: int, keys: tuple[str, ...], position: int) -> None:
    """A step, a hand, or to an end, and no further."""
    showing = at(start)
    for key in keys:
        showing = pressed(showing, key)
    assert showing.replay.position == position
    assert not showing.is_playing


def test_game_goes_on_by_itself_until_it_ends_or_a_key_stops_it() -> None:
    """From where it is; at the end, from the beginning again."""
    playing = pressed(at(LAST - 2), "enter")
    assert playing.is_playing
    once = gone_on(playing)
    assert (once.replay.position, once.is_playing) == (LAST - 1, True)
    assert (gone_on(once).replay.position, gone_on(once).is_playing) == (LAST, False)
    assert not pressed(once, "enter").is_playing
    assert not pressed(once, "left").is_playing
    assert pressed(gone_on(once), "enter").replay.position == 0


def test_keymap_gives_a_key_one_meaning_and_explains_it() -> None:
    """No key has two meanings; all are in the help, and those for the line at the bottom fit into 80 columns."""
    assert [key for key, count in Counter(key for b in BINDINGS for key in b.keys).items() if count > 1] == []
    help_ = shown(pressed(at(3), "?"))
    assert all(text in help_ for binding in BINDINGS for text in binding.explained()[:2])
    footer = shown(at(3)).splitlines()[-1]
    assert all(" ".join(b.explained(is_brief=True)[:2]) in footer for b in BINDINGS if b.is_below)
    assert pressed(at(3), "x") == at(3)
    assert after_key(at(3), "q") is None


# --- what is drawn ---


def test_table_is_drawn_as_its_viewer_saw_it() -> None:
    """Their cards, the trick, who moves next, the log up to here and nothing after it."""
    screen = shown(at(3))
    assert "seen by Moll" in screen
    assert "Moll (you)" in screen
    assert all(card in screen for card in ("2", "10", "♦"))
    assert "Nan leads the 3 of hearts." in screen
    assert "take trick 1" not in screen
    assert "▶ Moll" in screen
    assert "step 3 of 11 · hand 1 of 3 · 0:06" in screen
    assert "Nan takes trick 1" in shown(at(4))


def test_table_of_the_gallery_shows_no_hand() -> None:
    """Only backs; nobody is "you"."""
    opening = sheet(GALLERY)
    steps = [SheetStep(at_ms, tuple(map(_without_cards, events))) for at_ms, events, *_ in opening.steps]
    screen = shown(at(2, msgspec.structs.replace(opening, steps=tuple(steps))))
    assert "seen by the gallery" in screen
    assert "you" not in screen
    assert "░" in screen
    assert "♦" not in screen


def _without_cards(event: Event) -> Event:
    return msgspec.structs.replace(event, cards=()) if isinstance(event, Dealt) else event


def test_beginning_says_what_will_be_played() -> None:
    """The rule set and its options, and that nothing has happened."""
    screen = shown(at(0))
    assert "cut high, target 5" in screen
    assert "nothing has happened yet" in screen


def test_end_says_what_the_game_came_to() -> None:
    """The result over the table, the purses, and that it is the end; a game that goes on has none yet."""
    screen = shown(at(LAST), LARGE)
    assert "│ You win the game by forfeit" in screen
    assert "purse +1" in screen
    assert "the end" in screen
    assert table_at(at(LAST).replay).info.state is TableState.BETWEEN
    *steps, last = sheet().steps
    ended = GameEnded(GameWon.POINTS, (MOLL,), (5, 1), (1, -1), rubber=(1, 0), goes_on=True)
    rubber = msgspec.structs.replace(sheet(), steps=(*steps, SheetStep(last.at_ms, (ended,))))
    assert table_at(at(LAST, rubber).replay).info.state is TableState.PLAYING


def test_table_follows_who_sits_there() -> None:
    """A stand-in has their own name, marks and log; a leaver is gone, and the purse stays with the seat."""
    before, after = table_at(at(7).replay), table_at(at(8).replay)
    assert (before.info.seats[1].name, before.info.seats[1].is_bot) == ("Nan", True)
    assert (after.info.seats[1].name, after.info.seats[1].is_house) == ("steady", True)
    assert (before.name(NAN), after.name(NAN)) == ("Nan", "steady")
    gone = table_at(at(LAST).replay).info.seats[1]
    assert (gone.is_gone, gone.purse) == (True, -1)


@pytest.mark.parametrize("theme", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("size", [SMALL, LARGE, Size(60, 16), Size(59, 16), Size(20, 5), Size(1, 1)], ids=str)
def test_screen_fits_and_obeys_nobody(size: Size, theme: Theme) -> None:
    """At every place of the game so many lines of so many columns, whatever the players are called."""
    evil = msgspec.structs.replace(sheet(), players=(SheetPlayer("M\x1b[2J\u202eoll" * 9), SheetPlayer("\u674e" * 24)))
    for position in range(LAST + 1):
        frame = draw(pressed(at(position, evil), "?"), size, theme)
        assert len(frame.lines) == size.height
        for line in frame.lines:
            text = "".join(part for _, part in line)
            assert get_cwidth(text) == size.width
            assert is_printable(text)
            assert text.isascii() or theme is UNICODE


def test_long_sentence_is_told_where_there_is_no_log() -> None:
    """In two lines, and how far the game is beside the second."""
    lines = shown(at(4), Size(60, 16)).splitlines()
    assert lines[-3] == "   You play the 4 of diamonds. Nan takes trick 1; tricks"
    assert lines[-2] == "   taken so far: you 0, Nan 1." + " " * 22 + "4 of 11"


def test_small_window_says_how_large_it_must_be() -> None:
    """Below the least there is no table, but a sentence."""
    assert "60 by 16" in shown(at(3), Size(50, 10))


# --- the application ---


class Running:
    """An application that runs."""

    def __init__(self, screen: Screen, keys: PipeInput, task: "asyncio.Task[int]") -> None:
        self.screen = screen
        self.keys = keys
        self.task = task


@asynccontextmanager
async def running(pace: float = 600) -> AsyncIterator[Running]:
    """The application on a screen of 80 by 24. The test has 10 seconds."""
    screen = Screen(80, 24)
    output = Vt100_Output(screen, lambda: screen.size, term="xterm")
    async with asyncio.timeout(10):
        with create_pipe_input() as keys, create_app_session(input=keys, output=output):
            task = asyncio.create_task(run(sheet(), pace=pace), name="the application")
            try:
                yield Running(screen, keys, task)
            finally:
                task.cancel()
                await asyncio.wait({task})


async def test_application_steps_and_quits() -> None:
    """Keys of the terminal arrive; q ends it with 0 and gives the terminal back."""
    async with running() as it:
        await it.screen.shows("nothing has happened yet")
        it.keys.send_text("\x1b[C ")
        await it.screen.shows("step 2 of 11")
        it.keys.send_text("\x1b[D")
        await it.screen.shows("step 1 of 11")
        it.keys.send_text("\x1b[200~nn\x1b[201~q")
        assert await it.task == 0
        assert it.screen.is_given_back


async def test_application_plays_to_the_end_by_itself() -> None:
    """At its pace, here none, once it is told to."""
    async with running(pace=0) as it:
        await it.screen.shows("nothing has happened yet")
        it.keys.send_text("\r")
        await it.screen.shows("the end")
        it.keys.send_text("\x03")
        assert await it.task == 0


@pytest.mark.parametrize("language", languages())
def test_no_step_is_told_to_the_middle_of_a_word(language: str) -> None:
    """A sentence that is too long beside the log, which has all of it, ends where a clause does."""
    with speaking(language):
        said = [shown(at(position)).splitlines()[-3] for position in range(LAST + 1)]
    assert [line for line in said if "…" in line] == []


@pytest.mark.parametrize("language", languages())
def test_title_ends_with_no_part_of_a_word(language: str) -> None:
    """Whatever does not fit is left out: the server, and then the date, at each width of a name."""
    for length in range(1, 24):
        of = msgspec.structs.replace(sheet(), players=(SheetPlayer("M" * length), sheet().players[1]))
        with speaking(language):
            title = shown(at(3, of)).splitlines()[0]
        assert "…" not in title
        parts = title.split("  ")[0].split(" · ")
        assert parts[3:] in ([], [of.date], [of.date, of.server])

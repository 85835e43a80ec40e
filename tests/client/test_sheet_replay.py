"""A game shown again: every place of it, in sentences, and from a file."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import pytest

from put_client import cli
from put_client.sheet_replay import Replay, heading, load, speak
from put_protocol.cards import Card
from put_protocol.games.put import PutView
from put_protocol.games.tricks import TrickView
from put_protocol.seats import GALLERY, Seat
from put_text.catalogue import say
from put_text.notation import FILE_LENGTH, NotationError, Sheet, SheetPlayer, write
from tests.client.sample_sheet import EVENTS, MOLL, NAN, sheet

LAST = len(EVENTS)


def at(position: int) -> Replay:
    return Replay.of(sheet()).to(position)


def view_at(position: int) -> PutView:
    view = at(position).view
    assert isinstance(view, PutView)
    return view


# --- places ---


def test_replay_shows_what_was_to_be_seen_at_every_place() -> None:
    """The cards, the trick on the table, the score; and who moves next is who moved."""
    assert at(0).view == msgspec.structs.replace(sheet().opening, to_move=None)
    assert view_at(2).cards == (Card("2s"), Card("10h"), Card("4d"))
    assert view_at(3).trick == TrickView((NAN,), (Card("3h"),))
    assert view_at(4).tricks == (0, 1)
    assert view_at(LAST).scores == (1, 1)
    assert [at(position).view.to_move for position in range(LAST + 1)] == [
        *(None, None, NAN, MOLL, NAN, MOLL, None, None, NAN, None, None, None),
    ]


def test_replay_goes_back_as_it_went_on() -> None:
    """A place is the same wherever one comes from."""
    onward = [at(0)]
    while not onward[-1].is_at_end:
        onward.append(onward[-1].stepped(1))
    back = [at(LAST)]
    while back[-1].position:
        back.append(back[-1].stepped(-1))
    assert [(place.view, place.last_sentences, place.hand) for place in onward] == [
        (place.view, place.last_sentences, place.hand) for place in reversed(back)
    ]
    assert at(0).stepped(-1) == at(0)
    assert at(LAST).stepped(1) == at(LAST)


def test_replay_jumps_from_deal_to_deal() -> None:
    """On to where the next hand has been dealt, back to where this one was or the one before; else to the ends."""
    place = at(0)
    onward = []
    for _ in range(5):
        place = place.at_next_hand()
        onward.append((place.position, place.hand))
    assert onward == [(2, 1), (7, 2), (10, 3), (LAST, 3), (LAST, 3)]
    back = []
    for _ in range(5):
        place = place.at_last_hand()
        back.append(place.position)
    assert back == [10, 7, 2, 0, 0]
    assert place.hands == 3


def test_replay_says_what_each_step_came_to() -> None:
    """In the words its viewer was told it in, with the name of who sat there then, and when that was."""
    assert at(0).last_sentences == ()
    assert at(4).last_sentences == (
        "You play the 4 of diamonds.",
        "Nan takes trick 1; tricks taken so far: you 0, Nan 1.",
    )
    assert at(9).last_sentences[0] == "Steady runs out of time and so throws in."
    assert (at(0).at_ms, at(4).at_ms) == (0, 8_000)
    assert Replay.of(sheet(GALLERY)).to(3).last_sentences == ("Nan leads the 3 of hearts.",)


# --- in sentences ---


def spoken(answers: Iterable[str] | None, of: Sheet | None = None) -> list[str]:
    """What is said when these are the answers, and then nobody is there; None: nobody ever was."""
    rest = iter(answers or ())

    def ask() -> str:
        try:
            return next(rest)
        except StopIteration:
            raise EOFError from None

    said: list[str] = []
    speak(of or sheet(), said.append, None if answers is None else ask)
    return said


def test_speech_tells_everything_where_nobody_can_be_asked() -> None:
    """All sentences in their order, under the heading."""
    assert spoken(None) == [heading(sheet()), *(sentence for step in Replay.of(sheet()).sentences for sentence in step)]


def test_speech_goes_on_as_it_is_told() -> None:
    """Enter for a step, b for one back, h for the next hand, q for the end; anything else is helped."""
    told = Replay.of(sheet()).sentences
    assert spoken(["", "", "b", "what", "H ", "q", ""]) == [
        *(heading(sheet()), say("record-replay-keys")),
        *told[0],
        *told[1],
        *told[0],
        say("record-replay-keys"),
        *told[1],
    ]
    assert spoken(["h", "h"])[2:] == [sentence for step in told[:7] for sentence in step]


def test_speech_ends_after_its_end() -> None:
    """It says that it is the end, from where one can still go back; one more Enter ends it."""
    said = spoken(["h", "h", "h", "h", "b", "", "", "b"])
    assert said.count("That is all of it.") == 2
    assert said[-1] == "That is all of it."
    assert spoken(["", "b"])[-1] == "This is the beginning."


def test_heading_says_which_game_it_is() -> None:
    """Where and when, who played, who saw it; and it obeys nobody."""
    assert heading(sheet()) == (
        "Game 2 at table 3 of The Mermaid, 2025-11-21T19:30:00Z: "
        "put-1674, played by Moll, Nan (bot), as Moll (you) saw it."
    )
    plain = msgspec.structs.replace(
        sheet(GALLERY),
        date="",
        server="",
        is_exhibition=True,
        players=(SheetPlayer("M\x1b\u202eoll"), SheetPlayer("steady", is_house=True)),
    )
    assert heading(plain) == (
        "Game 2 at table 3: put-1674, an exhibition, played by Moll, steady (house), from the gallery."
    )


# --- from a file ---


def test_file_is_loaded(tmp_path: Path) -> None:
    """What was written is read."""
    path = tmp_path / "game.put"
    path.write_text(write(sheet()), "utf-8")
    assert load(path) == sheet()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"; Put notation 1\n[Game \xff]\n", "line 2: this is no text in UTF-8"),
        (b";" * (FILE_LENGTH + 1), f"line 1: the file is longer than {FILE_LENGTH} bytes"),
        (b"", "line 1: this is no game in Put notation, which begins with `; Put notation 1`"),
    ],
)
def test_file_that_is_no_sheet_is_refused(data: bytes, says: str, tmp_path: Path) -> None:
    """By its line; and no more of it is read than a sheet may have."""
    path = tmp_path / "game.put"
    path.write_bytes(data)
    with pytest.raises(NotationError) as caught:
        load(path)
    assert str(caught.value) == says


def ends(arguments: list[str]) -> object:
    """The exit code of `put-client` with these arguments."""
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    return caught.value.code


def test_program_tells_a_game_without_a_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither address nor name is needed; without a terminal it is told in sentences, all at once."""
    path = tmp_path / "game.put"
    path.write_text(write(sheet(Seat(1))), "utf-8")
    assert ends(["--replay", str(path)]) == os.EX_OK
    assert capsys.readouterr().out.splitlines() == spoken(None, sheet(Seat(1)))


@pytest.mark.parametrize(
    ("write_file", "code", "says"),
    [
        (lambda path: path.write_text("; Put notation 1\nview put"), os.EX_DATAERR, "line 2: before the view "),
        (lambda path: path.mkdir(), os.EX_NOINPUT, "is a directory.\n"),
        (lambda _: None, os.EX_NOINPUT, "no such file or directory.\n"),
    ],
)
def test_program_says_what_is_wrong_with_a_file(
    write_file: Callable[[Path], object], code: int, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one sentence, which names the file and, where it can, the line; the exit code tells which it was."""
    path = tmp_path / "game.put"
    write_file(path)
    assert ends(["--replay", str(path)]) == code
    error = capsys.readouterr().err
    assert error.startswith(f"put-client: {path}: {says}")
    assert error.count("\n") == 1


def test_program_replays_or_plays() -> None:
    """A file and a table at once make no sense."""
    assert ends(["--replay", "game.put", "--table", "3"]) == os.EX_USAGE

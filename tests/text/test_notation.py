"""The notation: a sheet is written and read back, and a text that is none is refused by its line."""

from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect

from put_protocol.cards import Card
from put_protocol.games.families import family_of
from put_protocol.games.put import DealerFound, Dealt, Drawn, Gave, Played, PutView, TakenUp
from put_protocol.games.unions import Event, GameEvent
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import Said, Sat
from put_protocol.text import is_printable
from put_text.notation import (
    EVENTS,
    FILE_LENGTH,
    LINE_LENGTH,
    NotationError,
    Sheet,
    SheetPlayer,
    SheetStep,
    read,
    write,
)
from tests.protocol.strategies import about, instances
from tests.repetitions import often

SHEET = Sheet(
    game="put-1674",
    options={"cut": "high", "target": 5, "arranged": ""},
    table=3,
    number=2,
    date="2025-11-21T19:30:00Z",
    server="The Mermaid",
    viewer=Seat(0),
    players=(SheetPlayer("Moll"), SheetPlayer("steady", is_house=True)),
    opening=PutView(target=5, scores=(0, 0), ranking=("3", "2", "A")),
    steps=(
        SheetStep(0, (Drawn((Seat(0), Seat(1)), (Card("3s"), Card("Kd"))), DealerFound(Seat(0)))),
        SheetStep(1, (Dealt(1, Seat(0), Seat(1), (3, 3), (Card("2s"), Card("10h"), Card("4d"))),)),
        SheetStep(61_005, (Played(Seat(1), Card("3h"), leads=True),)),
        SheetStep(61_005, (Sat(Seat(1), "Nan"),)),
    ),
)
TEXT = """\
; Put notation 1
[Game "put-1674"]
[Option "cut" "high"]
[Option "target" 5]
[Option "arranged" ""]
[Table 3]
[Number 2]
[Date "2025-11-21T19:30:00Z"]
[Server "The Mermaid"]
[Player 0 "Moll"]
[Player 1 "steady" "house"]
[Viewer 0]

view put target=5 scores=0,0 ranking=3,2,A

0.000     drawn seats=0,1 cards=3s,Kd               ; For the deal Moll draws the 3 of spades and steady draws the \
king of diamonds.
          dealer seat=0                             ; Moll deals first.

0.001     dealt hand=1 dealer=0 eldest=1 counts=3,3 cards=2s,10h,4d ; Moll deals hand 1, three cards each; steady is \
eldest, first to play; Moll holds the 2 of spades, the 10 of hearts and the 4 of diamonds.
61.005    played seat=1 card=3h leads=true          ; Steady leads the 3 of hearts.
61.005    sat seat=1 name=Nan                       ; Nan sits down in seat 2.
"""
TAGS, BODY = TEXT.split("view ", 1)
LINES = TEXT.split("\n")
LAST = len(LINES)


def test_sheet_is_text_that_a_person_can_read() -> None:
    """Every part of it in its place, with names where a player would read "you"."""
    assert write(SHEET) == TEXT
    assert read(TEXT) == SHEET


# --- whatever is in it ---


def openings(players: int) -> st.SearchStrategy[PutView]:
    """A view before anything happened: what is set of it is what a game begins with."""
    names = ("target", "scores", "plain", "accepted", "rubber", "ranking", "sides")
    views = about(PutView, players)
    return views.map(lambda view: PutView(**{name: getattr(view, name) for name in names}))


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    players = draw(st.lists(instances(SheetPlayer), min_size=1, max_size=4).map(tuple))
    table = draw(st.integers(0, 2**53))
    opening = draw(openings(len(players)))
    others = {*get_args(GameEvent)} - {*family_of(opening).events}
    events = st.one_of([about(kind, len(players)) for kind in get_args(Event) if kind not in others])
    steps = st.builds(SheetStep, st.integers(0, 10**11), st.lists(events, min_size=1, max_size=3).map(tuple))
    return Sheet(
        game=draw(st.text()),
        options=draw(st.dictionaries(st.text(), st.text() | st.integers(-(2**63), 2**64), max_size=3)),
        table=table,
        number=draw(st.integers(0, 2**53)),
        date=draw(st.text()),
        server=draw(st.text()),
        viewer=draw(st.just(GALLERY) | st.integers(0, len(players) - 1).map(Seat)),
        players=players,
        is_exhibition=draw(st.booleans()),
        is_assisted=draw(st.booleans()),
        opening=opening,
        steps=tuple(draw(st.lists(steps, max_size=4))),
    )


@often(20)
@given(sheets())
def test_sheet_reads_back_as_what_was_written(sheet: Sheet) -> None:
    """Whatever its events and its texts are, with the same steps; and no line of it reaches for a terminal."""
    text = write(sheet)
    assert read(text) == sheet
    assert all(is_printable(line) for line in text.split("\n"))


@often(20)
@given(sheets(), st.data())
def test_text_cut_or_changed_is_a_sheet_or_an_error(sheet: Sheet, data: st.DataObject) -> None:
    """Of any text at all either a sheet comes, or a NotationError that names one of its lines."""
    text = write(sheet)
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, len(text)))
    other = text[:start] + data.draw(st.text(st.sampled_from('0 \n;[]"\\=,-x\u202e'), max_size=4)) + text[stop:]
    error = _refused(other)
    if error is not None:
        assert 1 <= error.line <= other.count("\n") + 1
        assert str(error) == f"line {error.line}: {error.reason}"
        assert is_printable(str(error))
        assert len(error.reason) < 300


def _refused(text: str) -> NotationError | None:
    try:
        read(text)
    except NotationError as error:
        return error
    return None


# --- what is not known, and what is not allowed ---


def test_what_a_later_version_adds_is_skipped() -> None:
    """Tags, fields and kinds of lines that nobody knows yet change nothing, nor do comments and blank lines."""
    more = TEXT.replace("[Table 3]", '[Annotator "Hal" [1] true]\n[Table 3] ; the one by the fire\n[Weather rain]')
    more = more.replace("view ", 'weather of=rain key="a b"\n\n   ; a comment\nview ')
    more = more.replace("card=3h", "card=3h aloud=true") + "result 1-0\r\n[Note 5]\n"
    assert read(more) == SHEET


def test_line_ends_may_be_of_another_system() -> None:
    """A file that went through a mail or an editor reads the same."""
    assert read(TEXT.replace("\n", "\r\n")) == SHEET
    assert read(TEXT.rstrip("\n")) == SHEET
    assert read(TEXT.replace(" " * 10, "\t")) == SHEET


def _with(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "this is no game in Put notation"),
        ('{"type":"hello"}', 1, "this is no game in Put notation"),
        (_with("notation 1", "notation 2"), 1, "this is version 2 of the notation, and version 1 is known here"),
        (_with("notation 1", "notation 0"), 1, "this is version 0"),
        (TAGS, 14, "the file ends before the view"),
        (_with('[Game "put-1674"]\n', ""), 13, "before the view there must be a tag Game"),
        (_with('[Player 0 "Moll"]\n', ""), 10, "the tag Player comes twice, out of order"),
        (_with('[Game "put-1674"]', "[Game 1674]"), 2, "the tag Game comes twice, out of order, or with other values"),
        (_with("[Table 3]", "[Table 3]\n[Table 3]"), 7, "the tag Table comes twice"),
        (_with("[Table 3]", "[Table 3"), 6, "this tag has no end, or no name"),
        (_with("[Viewer 0]", "[Viewer 2]"), 14, "the viewer is in seat 2, and no player is"),
        (_with("[Viewer 0]", '[Viewer "all"]'), 12, "the tag Viewer"),
        (_with("view put", "view whist"), 14, "a view of whist is not known here: this is a later version's sheet"),
        (TEXT + f"view {BODY}", 22, "a second view"),
        (TEXT + "[Server 5]\n", 22, "the tag Server"),
        (TEXT + '[Option "pack" 52]\n', 22, "the tag Option must stand before the view"),
        (_with("view", "1.000 put seat=0\nview"), 14, "an event before the view"),
        (_with("0.000     drawn", "          drawn"), 16, "the first event has no time"),
        (_with("0.001     ", ""), 19, "dealt stands behind neither a time nor blanks"),
        (_with("0.001", "0.01"), 19, "a time is seconds with three decimals"),
        (_with("played", "whispered"), 20, "an event 'whispered' is not known here: this is a later version's sheet"),
        (TEXT + "          primero.passed seat=0\n", 22, "primero.passed is no event of the family put"),
        (_with("seat=1 card=3h", "seat=2 card=3h"), 20, "there is no seat 2"),
        (_with("seats=0,1", "seats=0,-1"), 16, "there is no seat -1"),
        (_with("counts=3,3", "counts=3,3,3"), 19, "counts has 3 items, and there are 2 players"),
        (_with("counts=3,3", "counts=3,1000"), 19, "counts has a number over the limit of 999"),
        (_with("2s,10h,4d", ",".join(["2s"] * 129)), 19, "cards has 129 items, over the limit of 128"),
        (_with("scores=0,0", "scores=0,0,0"), 14, "scores has 3 items"),
        (_with("scores=0,0", 'scores=0,0 past=[{"seats":[7]}]'), 14, "there is no seat 7"),
        (_with("card=3h", "card"), 20, "'card leads=true' is no field=value"),
        (_with("view", "\u202eview"), 14, "'\\u202eview put"),
    ],
)
def test_text_that_is_no_sheet_is_refused(text: str, line: int, reason: str) -> None:
    """The error names the line and what is wrong there."""
    with pytest.raises(NotationError) as caught:
        read(text)
    assert (caught.value.line, caught.value.reason[: len(reason)]) == (line, reason)


def test_text_beyond_the_limits_is_refused() -> None:
    """A file too long, a line too long, too many players, too many events: each before it can do harm."""
    longer = TEXT + ";" * (FILE_LENGTH - len(TEXT) + 1)
    line = ";" * (LINE_LENGTH + 1)
    players = "".join(f'[Player {seat} "x"]\n' for seat in range(2, 11))
    events = "1.000 dealer seat=0\n" * EVENTS
    for text, number, reason in (
        (longer, 1, f"the file is longer than {FILE_LENGTH} characters"),
        (TEXT + line, LAST, f"the line is longer than {LINE_LENGTH} characters"),
        (_with("[Viewer", f"{players}[Viewer"), 20, "the tag Player comes twice, out of order"),
        (TEXT + events, EVENTS + LAST - 5, f"more than {EVENTS} events"),
    ):
        with pytest.raises(NotationError) as caught:
            read(text)
        assert (caught.value.line, caught.value.reason[: len(reason)]) == (number, reason)
    assert read(TEXT + line[1:]) == SHEET


# --- what is said behind the events ---


def test_comment_says_names_and_whose_cards_they_are() -> None:
    """A sheet may be read by anybody, so nobody in it is "you"; and a stand-in has their own name from then on."""
    events = (
        TakenUp((3, 3), (Card("2s"),)),
        Gave(Seat(0), Seat(1), Card("3s")),
        Sat(Seat(1), "Hal"),
        Played(Seat(1), Card("3h")),
        Said("Moll", "you; you", Seat(0)),
    )
    text = write(msgspec.structs.replace(SHEET, steps=(SheetStep(0, events),)))
    comments = [line.rpartition("  ; ")[2] for line in text.splitlines()[-len(events) :]]
    assert comments == [
        "The deal stands, and the hands are taken up; Moll holds the 2 of spades.",
        "Moll gives steady the best card, the 3 of spades, and throws the others away.",
        "Hal sits down in seat 2.",
        "Hal plays the 3 of hearts.",
        'Moll says: "you; you".',
    ]


def test_every_field_of_an_event_is_of_a_kind_that_the_notation_writes_in_words() -> None:
    """No event needs the JSON that is left for what has no words; views do, of what no game begins with."""
    for kind in get_args(Event):
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType)
        assert not any(isinstance(field.type, inspect.StructType | inspect.DictType) for field in info.fields)

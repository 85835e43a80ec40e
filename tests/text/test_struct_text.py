"""A Struct in words of one line: whatever it holds comes back, and what is badly written is told."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.games.put import AccidentView, Cause, Dealt, FreshDeal, Played, PutView, ThrewIn
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Event
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted, Said
from put_protocol.text import is_printable
from put_text.struct_text import FieldError, quoted, split, struct_of, unquoted, words_of
from tests.protocol.strategies import instances
from tests.repetitions import often

KINDS: dict[str, type[Struct]] = {str(kind.__struct_config__.tag): kind for kind in get_args(Event)}


@often(100)
@given(st.one_of([instances(kind) for kind in (*KINDS.values(), PutView)]))
def test_words_read_back_as_what_was_written(struct: Struct) -> None:
    """Every event there is and every view, whatever is in its fields, in one line that may be shown."""
    line = words_of(struct)
    assert is_printable(line)
    words = split(line)
    assert words.name == struct.__struct_config__.tag
    assert struct_of(words, type(struct)) == struct


@often(50)
@given(instances(Said), st.text())
def test_words_end_where_a_comment_begins(said: Said, comment: str) -> None:
    """Behind ` ;` may stand anything, whatever semicolons are in the fields."""
    line = f"{words_of(said)} ;{comment}".replace("\n", "")
    assert struct_of(split(line), Said) == said


@pytest.mark.parametrize(
    ("struct", "line"),
    [
        (Played(Seat(0), Card("3s")), "played seat=0 card=3s"),
        (Played(Seat(0), Card("3s"), leads=True), "played seat=0 card=3s leads=true"),
        (ThrewIn(Seat(1), Cause.TIME), "threw_in seat=1 cause=time"),
        (FreshDeal(None), "fresh_deal seat=-"),
        (Dealt(1, Seat(0), Seat(1), (3, 3)), "dealt hand=1 dealer=0 eldest=1 counts=3,3"),
        (GameStarted(2, ()), "started game=2 names="),
        (GameStarted(2, ("", "Moll", "A, B")), 'started game=2 names="",Moll,"A, B"'),
        (Said("Ned", "-"), 'said name=Ned text="-"'),
        (
            Said("Zo\u00eb", 'He said: "put"; \u202e\x1b'),
            'said name="Zo\u00eb" text="He said: \\"put\\"; \\u202e\\u001b"',
        ),
        (
            PutView(5, (0, 0), past=(TrickView((Seat(0),), (Card("3s"),)),), accident=AccidentView(1, Seat(0))),
            'put target=5 scores=0,0 past=[{"seats":[0],"cards":["3s"]}] accident={"law":1,"seat":0}',
        ),
    ],
)
def test_words_are_plain(struct: Struct, line: str) -> None:
    """What is at its default is left out, a word needs no quotes, and nothing that would reach for a terminal is
    written."""
    assert words_of(struct) == line
    assert struct_of(split(line), type(struct)) == struct


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "no name stands where one must"),
        ("Played seat=0", "no name stands where one must"),
        ("played seat=0 seat=1 card=3s", "seat is given twice"),
        ("played seat=0 card", "'card' is no field=value"),
        ("played seat=0 card=3s leads = true", "'leads = true' is no field=value"),
        ('played seat=0 card="3s', "'\"3s' is no field=value"),
        ("played seat=0", "card is missing"),
        ("played seat=x card=3s", "seat cannot be 'x'"),
        ("played seat=- card=3s", "seat cannot be '-'"),
        (f"played seat={'9' * 5000} card=3s", f"seat cannot be '{'9' * 40}'"),
        ("played seat=0 card=", "card cannot be ''"),
        ("played seat=0 card=-", "- is no text in quotes"),
        ("played seat=0 card=3", "Expected `str` of length >= 2 - at `$.card`"),
        ("played seat=0 card=3s leads=yes", "leads cannot be 'yes'"),
        ("threw_in seat=0 cause=whim", "cause cannot be 'whim'"),
        ("dealt hand=1 dealer=0 eldest=1 counts=3,", "counts cannot be ''"),
        ("dealt hand=1 dealer=0 eldest=1 counts=3,,3", "counts cannot be ''"),
        ('started game=1 names="a"b', '"a"b is no text in quotes'),
        (r'started game=1 names="\x"', r'"\x" is no text in quotes'),
        ("put target=1 scores=0 past=" + "[" * 30_000, "past cannot be '" + "[" * 40 + "'"),
    ],
)
def test_words_that_are_wrong_are_told(line: str, complaint: str) -> None:
    """What does not fit is named, in few words, however long the line."""
    kinds: dict[str, Any] = {**KINDS, "put": PutView}

    def read() -> Any:
        words = split(line)
        return struct_of(words, kinds[words.name])

    with pytest.raises(FieldError) as caught:
        read()
    assert str(caught.value) == complaint


def test_fields_of_a_later_version_are_skipped() -> None:
    """What an event does not have here adds to it, and does no harm."""
    assert struct_of(split("put seat=1 aloud=true why={}"), KINDS["put"]) == KINDS["put"](Seat(1))


@often(50)
@given(st.text())
def test_quoted_text_reads_back_and_may_be_shown(text: str) -> None:
    """Whatever it is."""
    assert unquoted(quoted(text)) == text
    assert is_printable(quoted(text))

"""Names and talk: what a stranger's screen may be sent."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_protocol.text import NAME_LENGTH, TALK_LENGTH, flaw_of_name, flaw_of_talk, is_printable, printable, same_name
from tests.repetitions import often

CANNOT_BE_SHOWN = "unprintable"

UNPRINTABLE = {
    "escape": "\x1b",
    "bell": "\x07",
    "new line": "\n",
    "delete": "\x7f",
    "C1 control": "\x9b",
    "right-to-left override": "\u202e",
    "left-to-right isolate": "\u2066",
    "right-to-left mark": "\u200f",
    "Arabic letter mark": "\u061c",
    "zero-width space": "\u200b",
    "zero-width joiner": "\u200d",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "soft hyphen": "\u00ad",
    "tag letter": "\U000e0041",
    "line separator": "\u2028",
    "lone surrogate": "\ud800",
    "private use": "\ue000",
    "unassigned": "\uffff",
    "combining grapheme joiner": "\u034f",
    "variation selector": "\ufe0f",
    "variation selector of the supplement": "\U000e0100",
    "Hangul filler": "\u3164",
    "halfwidth Hangul filler": "\uffa0",
    "Khmer inherent vowel": "\u17b4",
    "Braille blank": "\u2800",
}

any_text = st.text(st.characters(exclude_categories=())) | st.lists(
    st.sampled_from([*UNPRINTABLE.values(), "a", " ", "\u00e9", "\u4e2d", "\U0001f0a1"])
).map("".join)


@pytest.mark.parametrize("character", UNPRINTABLE.values(), ids=UNPRINTABLE.keys())
def test_text_refuses_what_moves_hides_or_reorders(character: str) -> None:
    """Controls, bidi controls, zero-width and invisible characters are neither named, said nor printed."""
    assert not is_printable(f"Mo{character}ll")
    assert printable(f"Mo{character}ll{character}") == "Moll"
    assert flaw_of_name(f"Mo{character}ll") == CANNOT_BE_SHOWN
    assert flaw_of_talk(f"I put{character}!") == CANNOT_BE_SHOWN


@pytest.mark.parametrize(
    "shown", ["Moll", "Moll Cutpurse", "O'Neil-3 <b>", "Zo\u00eb", "\u4e2d\u6587", "e\u0301", "\U0001f0a1", "\u05d0"]
)
def test_text_accepts_what_can_be_shown(shown: str) -> None:
    """Letters of any script, marks, signs and inner spaces pass unchanged."""
    assert is_printable(shown)
    assert printable(shown) == shown
    assert flaw_of_name(shown) is None
    assert flaw_of_talk(shown) is None


@given(text=any_text)
@often(50)
def test_printable_leaves_nothing_unprintable(text: str) -> None:
    """Whatever goes in, what comes out may be shown, is a subsequence of it, and is the same text iff it was fit."""
    shown = printable(text)
    assert is_printable(shown)
    assert (shown == text) == is_printable(text)
    rest = iter(text)
    assert all(character in rest for character in shown)


def test_printable_agrees_with_python_on_every_character() -> None:
    """No character passes that Python itself would escape in a repr, spaces aside."""
    passed = [c for c in map(chr, range(sys.maxunicode + 1)) if is_printable(c) and not c.isprintable()]
    assert {unicodedata.category(c) for c in passed} == {"Zs"}


@pytest.mark.parametrize("name", ["", " ", "\t", "\u00a0", "\u3000\u3000"])
def test_name_must_not_be_empty(name: str) -> None:
    """No name is nothing but space, of whatever width."""
    assert flaw_of_name(name) == "empty"
    assert flaw_of_talk(name) == "empty"


@pytest.mark.parametrize("name", [" Moll", "Moll ", "Moll\u3000", "\nMoll"])
def test_name_must_not_begin_or_end_with_space(name: str) -> None:
    """Space around a name, which no eye would see, is refused."""
    assert flaw_of_name(name) == "spaced"


@pytest.mark.parametrize("letter", ["a", "\u00e9", "\u4e2d", "\U0001f0a1"])
def test_length_is_counted_in_characters(letter: str) -> None:
    """Limits count characters, whatever bytes they take: the limit passes and one more does not."""
    assert flaw_of_name(letter * NAME_LENGTH) is None
    assert flaw_of_name(letter * (NAME_LENGTH + 1)) == "long"
    assert flaw_of_talk(letter * TALK_LENGTH) is None
    assert flaw_of_talk(letter * (TALK_LENGTH + 1)) == "long"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Moll", "mOLL"),
        ("Moll", "\uff2d\uff4f\uff4c\uff4c"),  # full width
        ("Zo\u00eb", "zoe\u0308"),  # composed and not
        ("Stra\u00dfe", "STRASSE"),
        ("file", "\ufb01le"),  # the ligature fi
        ("a b", "a\u00a0b"),
        ("\u0390", "\u03aa\u0301"),  # iota with both marks, small, and its capital: folding takes the small one apart
    ],
)
def test_same_name_folds_width_case_and_composition(one: str, other: str) -> None:
    """Names that differ by nothing but width, case or composition are the same."""
    assert one != other
    assert same_name(one) == same_name(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Moll", "Mall"), ("Moll", "Moll 2"), ("\u4e2d", "\u56fd"), ("e", "\u00e9")]
)
def test_same_name_tells_names_apart(one: str, other: str) -> None:
    """Names that differ in a letter or a mark stay different."""
    assert same_name(one) != same_name(other)


@given(name=st.text(max_size=NAME_LENGTH))
@often(50)
def test_same_name_of_any_form_is_the_same(name: str) -> None:
    """Composing, decomposing or folding a name changes nothing, and its form is its own form."""
    form = same_name(name)
    assert same_name(form) == form
    for other in ("NFC", "NFD"):
        assert same_name(unicodedata.normalize(other, name)) == form

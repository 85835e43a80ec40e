"""Text of people: what names and talk may hold, how text is made safe to print, and how sentences are built.

A terminal obeys control characters and re-orders text at bidi characters, so neither may travel from one person's
keyboard to another's screen. The server refuses them; clients strip them all the same, for they may face any server.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

NAME_LENGTH = 24
"""Characters in a name: four names and their scores still fit a line of 120 columns."""

TALK_LENGTH = 400
"""Characters in one thing said: five lines of an 80-column terminal."""

MARKS = 3
"""Marks on one letter, as Hebrew and Tibetan have them; more reach into the lines of others."""


class Phrase(Struct, frozen=True, omit_defaults=True, gc=False):
    """A text as a message of the catalogue, to be said in any language."""

    id: str
    """The name of the message."""
    args: Annotated[dict[str, str | int | tuple[str, ...]], Meta(max_length=8)] = {}
    """Values of its arguments; a `card` is in its notation, and so are `cards`."""

    def __hash__(self) -> int:
        return hash(self.id)  # the arguments are a map, which has no hash of its own


# Control, format (all bidi controls and most zero-width characters are Cf), surrogate, private use, unassigned,
# line and paragraph separators.
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

# Letters, marks and signs that show nothing, by which a second "Moll" would look like the first: the rest of Unicode's
# Default_Ignorable_Code_Point (joiner, fillers, vowels, variation selectors), and the blank of Braille.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)


def is_printable(text: str) -> bool:
    """True if every character may be shown on a stranger's screen."""
    if text.isprintable():  # of no unprintable category, and quickly known, as it is of nearly every text
        return text.isascii() or _INVISIBLE.search(text) is None
    return all(map(_is_shown, text))  # it has spaces other than the usual one, or is unprintable


def printable(text: str) -> str:
    """The text without the characters that may not be shown."""
    return text if is_printable(text) else "".join(filter(_is_shown, text))


def _is_shown(character: str) -> bool:
    return unicodedata.category(character) not in _UNPRINTABLE and _INVISIBLE.match(character) is None


Flaw = Literal["empty", "spaced", "long", "unprintable"]
"""The flaw in a text of people; the catalogue has words for each."""


def flaw_of_name(name: str) -> Flaw | None:
    """The flaw in a name, or None if it will do."""
    if not name or not name.strip():
        return "empty"
    if name != name.strip():
        return "spaced"
    if len(name) > NAME_LENGTH:
        return "long"
    return None if is_printable(name) else "unprintable"


def same_name(name: str) -> str:
    """The form under which two names are the same to the eye: width, case and composition folded."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)  # folding takes some letters apart


def has_stacked_marks(text: str) -> bool:
    """True if a letter has more marks than `MARKS`."""
    marks = 0
    for character in () if text.isascii() else unicodedata.normalize("NFD", text):
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks > MARKS:
            return True
    return False


def flaw_of_talk(text: str) -> Flaw | None:
    """The flaw in something said, or None if it will do."""
    if not text.strip():
        return "empty"
    if len(text) > TALK_LENGTH:
        return "long"
    return None if is_printable(text) else "unprintable"


def listed(parts: Sequence[str], before_last: str = "and") -> str:
    return f" {before_last} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def counted(count: int, one: str, many: str = "") -> str:
    """`1 game`, `2 games`, `1,000 games`; `many` where it is not `one` with an s."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def capitalized(text: str) -> str:
    """The text with its first character in upper case, and all else as it is."""
    return text[:1].upper() + text[1:]


def uncapitalized(text: str) -> str:
    """The text with its first character in lower case, for the middle of a sentence."""
    return text[:1].lower() + text[1:]


def clause(says: str) -> str:
    """A sentence of a stranger's, safe to print, without its full stop."""
    return printable(says).strip().rstrip(".") or "no reason was given"


def sentence(says: str) -> str:
    """The same as a sentence: with a capital at its beginning, and one mark at its end."""
    said = capitalized(clause(says))
    return said if said.endswith(("!", "?")) else f"{said}."

"""Text from people: characters allowed in names and talk, text made safe to print, and small sentence builders.

A terminal obeys control characters and reorders text at bidi characters, so neither may reach another person's screen.
The server refuses them. Clients strip them too, because they may face any server.
"""

import re
import unicodedata
from typing import Annotated, Literal

from msgspec import Meta, Struct

NAME_LENGTH = 24
"""Longest name: four names with their scores still fit a line of 120 columns."""

TALK_LENGTH = 400
"""Longest talk: five lines of an 80-column terminal."""

MARKS = 3
"""Most marks on one letter, enough for Hebrew and Tibetan; more marks overlap other lines."""


class Phrase(Struct, frozen=True, omit_defaults=True, gc=False):
    """A message of the catalogue, which can be rendered in any language."""

    id: str
    """The name of the message."""
    args: Annotated[dict[str, str | int | tuple[str, ...]], Meta(max_length=8)] = {}
    """Arguments by name. A `card` is in its notation, and so are `cards`."""

    def __hash__(self) -> int:
        return hash(self.id)  # the arguments are a map, which has no hash of its own


def bare_tag(struct: Struct | type[Struct]) -> str:
    """The tag of an event or an action within its family, as its messages are named."""
    return str(struct.__struct_config__.tag).rpartition(".")[2].replace("_", "-")


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
    if text.isprintable():  # a quick test, which nearly every text passes
        return text.isascii() or _INVISIBLE.search(text) is None
    return all(map(_is_shown, text))  # it has spaces other than the usual one, or is unprintable


def printable(text: str) -> str:
    """The text without the characters that may not be shown."""
    return text if is_printable(text) else "".join(filter(_is_shown, text))


def _is_shown(character: str) -> bool:
    return unicodedata.category(character) not in _UNPRINTABLE and _INVISIBLE.match(character) is None


Flaw = Literal["empty", "spaced", "long", "unprintable"]
"""Flaws of a text; the catalogue has words for each."""


def flaw_of_name(name: str) -> Flaw | None:
    """The flaw in a name; None: the name is allowed."""
    if not name or not name.strip():
        return "empty"
    if name != name.strip():
        return "spaced"
    if len(name) > NAME_LENGTH:
        return "long"
    return None if is_printable(name) else "unprintable"


def same_name(name: str) -> str:
    """Key under which look-alike names are equal: width, case and composition folded."""
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
    """The flaw in talk; None: the text is allowed."""
    if not text.strip():
        return "empty"
    if len(text) > TALK_LENGTH:
        return "long"
    return None if is_printable(text) else "unprintable"


def counted(count: int, one: str, many: str = "") -> str:
    """`1 game`, `2 games`, `1,000 games`; `many` is an irregular plural."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def uncapitalized(text: str) -> str:
    """The text with its first character in lower case, for the middle of a sentence."""
    return text[:1].lower() + text[1:]


def clause(says: str) -> str:
    """A sentence from a peer, safe to print, without its full stop."""
    return printable(says).strip().rstrip(".") or "no reason was given"


def sentence(says: str) -> str:
    """A sentence from a peer, safe to print, with a capital first and one mark at its end."""
    said = capitalized(clause(says))
    return said if said.endswith(("!", "?")) else f"{said}."

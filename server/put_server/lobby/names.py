"""Names: look-alikes and reserved names.

Names are compared by their skeletons (UTS 39): every character is replaced by the one that it looks like. Before and
after that, details that are easily overlooked are removed: marks above, below and through letters, whether they are
separate characters, parts of a letter (`ọ`), or a stroke or hook (`ø`). Small capitals become capitals. Marks that make
a different letter stay, such as the vowels of Devanagari.

Case affects likeness: `I` looks like `l`, and a Cyrillic capital Ve like `B`, but neither in lower case. So a name has
two skeletons, of its letters and of its lower-case letters. Two names look alike if they share one.

A skeleton finds whole names that look alike. A name that mixes alphabets is refused for that reason alone. The allowed
mixes are "highly restrictive" in UTS 39: letters of one script, or Latin with the scripts of Japanese, Chinese or
Korean. Digits, signs and spaces go with any script.
"""

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from put_protocol.text import MARKS, has_stacked_marks, same_name


class Table(Mapping[int, str]):
    """Table from code point to text, for `str.translate`. A dict takes ten times the memory."""

    __slots__ = ("_sources", "_starts", "_targets")

    def __init__(self, number: int) -> None:
        """`number`: index of the table in the file."""
        starts: dict[str, int] = {}
        self._targets = ""
        """All target texts, each with a NUL behind it."""
        for target, sources in _table(number):
            starts |= dict.fromkeys(_characters(sources), len(self._targets))
            self._targets += f"{_characters(target)}\0"
        self._sources = "".join(sorted(starts))
        self._starts = array("I", [starts[source] for source in self._sources])
        """Start of the target text of each source character."""

    def __getitem__(self, code_point: int) -> str:
        at = bisect_left(self._sources, chr(code_point))
        if self._sources[at : at + 1] != chr(code_point):
            raise KeyError(code_point)
        start = self._starts[at]
        return self._targets[start : self._targets.index("\0", start)]

    def __iter__(self) -> Iterator[int]:
        return map(ord, self._sources)

    def __len__(self) -> int:
        return len(self._sources)


@cache
def looks() -> Table:
    """Characters that look like another, with that other."""
    return Table(0)


@cache
def letters() -> Table:
    """Plain letter, by letter with a stroke or hook, and for each small capital the capital."""
    return Table(1)


@cache
def _ranges() -> tuple[str, str, tuple[str, ...]]:
    """Ranges of letters of one script, in order: first characters, last characters, and scripts."""
    scripts = [(name.replace("_", " "), found.split(",")) for name, found in _table(2)]
    ranges = sorted(
        (*(chr(int(end, 16)) for end in each.split("-")), name) for name, found in scripts for each in found
    )
    firsts, lasts, names = zip(*ranges, strict=True)
    return "".join(firsts), "".join(lasts), names


def _table(number: int) -> Iterator[tuple[str, str]]:
    text = (files("put_server.lobby") / "lookalikes.txt").read_text("ascii")
    _, *tables = text.split("\n\n")
    return ((match[1], match[2]) for match in re.finditer(r"(\S+)=(\S+)", tables[number]))


def _characters(written: str) -> str:
    return "".join([chr(int(one, 16)) for one in written.split(",")])


RESERVED = (
    *("you", "nobody", "somebody", "everybody", "everyone", "operator", "server", "house", "gallery", "dealer"),
    *("admin", "administrator", "moderator", "system", "putserver", "table", "game", "lobby", "connection", "notice"),
)
"""Words that the game's sentences use for a person or at their start, and words for the server's own messages; also
after `the`. House players have people's names, and are marked by `is_house`."""

_MAY_MIX = (
    {"Latin", "Han", "Hiragana", "Katakana"},
    {"Latin", "Han", "Bopomofo"},
    {"Latin", "Han", "Hangul"},
)


@lru_cache(maxsize=64)  # a newcomer's are asked for again and again
def skeletons(name: str) -> frozenset[str]:
    """Skeletons of a name. Two names look alike if they share one."""
    found = plain_skeletons(name) | plain_skeletons(bare(name))
    return frozenset(same_name(_without_marks(skeleton)) for skeleton in found)  # a look may have marks, too


def plain_skeletons(name: str) -> frozenset[str]:
    """Skeletons with all marks, which were used until edition 2 of the policy."""
    composed = unicodedata.normalize("NFKC", name)
    return frozenset(
        same_name(unicodedata.normalize("NFKC", form).translate(looks())) for form in (composed, same_name(name))
    )


def bare(name: str) -> str:
    """The name without marks, strokes and hooks, and with capitals for small capitals."""
    return unicodedata.normalize("NFKC", _without_marks(name).translate(letters()))


def _without_marks(text: str) -> str:
    return "".join([c for c in unicodedata.normalize("NFKD", text) if not _is_overlooked(c)])


def _is_overlooked(character: str) -> bool:
    """True for a mark, unless it makes another letter: a vowel, the sign for a missing vowel (9), a dot that makes a
    consonant (7), the voicing of kana (8), or a tone (combining classes up to 132)."""
    category, order = unicodedata.category(character), unicodedata.combining(character)
    if order == 0:
        return category == "Me" or (category[0] == "M" and not _script(character))
    return not (6 <= order <= 9 or 84 <= order <= 132)


@cache
def _reserved() -> frozenset[str]:
    return frozenset(skeleton for word in RESERVED for skeleton in skeletons(word))


def flaw_of_look(name: str) -> dict[str, Any] | None:
    """Flaw in the look of a name, as arguments of its message; None: no flaw."""
    scripts = _scripts(name)
    if len(scripts) > 1 and not any(scripts <= together for together in _MAY_MIX):
        return {"flaw": "mixed", "scripts": ", ".join(sorted(scripts))}
    if has_stacked_marks(name):
        return {"flaw": "marks", "most": MARKS}
    # Spaces and signs are easily overlooked.
    words = "".join([character for character in bare(name) if unicodedata.category(character)[0] in "LN"])
    if not _reserved().isdisjoint(form for found in skeletons(words) for form in (found, found.removeprefix("the"))):
        return {"flaw": "reserved"}
    return None


def _scripts(name: str) -> set[str]:
    found = {_script(character) for character in unicodedata.normalize("NFKC", name)}
    return found - {""}


def _script(character: str) -> str:
    """Script of a letter; empty: it goes with any script."""
    firsts, lasts, scripts = _ranges()
    at = bisect_right(firsts, character) - 1
    if at >= 0 and character <= lasts[at]:
        return scripts[at] if unicodedata.category(character)[0] in "LM" else ""
    return ""

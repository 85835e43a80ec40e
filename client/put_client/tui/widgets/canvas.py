"""A grid of cells for text, with clickable areas.

Laws: output never exceeds the grid's width and height; every character passes `printable` here, so views cannot forget
it; with an ASCII theme the output is ASCII only.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from prompt_toolkit.utils import get_cwidth

from put_client.tui.widgets.theme import CHOSEN, PLAIN, STRONG, Outline, Theme
from put_protocol.text import printable

Fragment = tuple[str, str]
"""A style, and text in it."""
Line = tuple[Fragment, ...]

MARKS = 2
"""Most combining marks drawn on one character: enough for every language, too few to reach other lines."""

# Characters of no width of their own that change the width of the one before, by which terminals disagree:
# variation selectors and the skin tones of emoji.
_SELECTORS = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0x1F3FB, 0x1F3FF))


class Size(NamedTuple):
    """Size of a screen or a part of it, in cells."""

    width: int
    height: int


class KeyTarget(Struct, frozen=True):
    """This key, by prompt_toolkit's name."""

    key: str


class ChoiceTarget(Struct, frozen=True):
    """A legal action, by its index in this decision, not in a later one."""

    decision: int
    place: int


class LineTarget(Struct, frozen=True):
    """A line of a list: a click selects it, a second one does what it is for."""

    at: int
    """Its place; in the lobby the table's number."""


Target = KeyTarget | ChoiceTarget | LineTarget


class Spot(NamedTuple):
    x: int
    y: int
    width: int
    height: int
    what: Target


def at(spots: tuple[Spot, ...], x: int, y: int) -> Target | None:
    """The topmost target at a cell."""
    for spot in reversed(spots):
        if spot.x <= x < spot.x + spot.width and spot.y <= y < spot.y + spot.height:
            return spot.what
    return None


class Frame(NamedTuple):
    lines: tuple[Line, ...]
    cursor: tuple[int, int] | None
    """Column and line, while text is being typed."""
    spots: tuple[Spot, ...] = ()


TEXTS = 4_096
"""Cached measured and wrapped texts: enough for several screens, which are mostly equal from frame to frame."""


@lru_cache(TEXTS)
def clean(text: str) -> str:
    """The text with only characters of certain width."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c for c in printable(text) if not any(a <= ord(c) <= b for a, b in _SELECTORS))


@lru_cache(TEXTS)
def _in_ascii(character: str) -> str:
    """The letter without its accent, or an ASCII substitute; empty: none."""
    plain = _SIGNS.get(character) or unicodedata.normalize("NFD", character)[0]
    return plain if plain.isascii() else ""


_SIGNS = {"\u00a0": " ", "«": '"', "»": '"', "œ": "o"}


@lru_cache(TEXTS)
def width_of(text: str) -> int:
    return get_cwidth(clean(text))


@lru_cache(TEXTS)
def _cells_of(text: str, *, is_ascii: bool) -> tuple[str, ...]:
    """The text in cells: the right half of a wide character is empty, and a mark is with the character before it."""
    if text.isascii():
        return tuple(text)
    cells: list[str] = []
    for character in text:
        columns = get_cwidth(character)
        if is_ascii and not character.isascii():
            cells += _in_ascii(character) or "?" * columns
        elif columns:
            cells += [character, *[""] * (columns - 1)]
        elif cells:
            marked = -2 if len(cells) > 1 and cells[-1] == "" else -1
            cells[marked] += character if len(cells[marked]) <= MARKS else ""
    return tuple(cells)


@lru_cache(TEXTS)
def cut(text: str, width: int, mark: str) -> str:
    """The text, or as much of its beginning as fits with the mark after it."""
    text = clean(text)
    if get_cwidth(text) <= width:
        return text
    room = width - get_cwidth(mark)
    if room < 0:
        return ""
    kept = ""
    for character in text:
        if get_cwidth(kept + character) > room:
            break
        kept += character
    return kept.rstrip() + mark


_CLAUSE_ENDS = re.compile(r"(?=[,;:.] )")


def whole_clauses(says: str, width: int, rows: int, ellipsis: str) -> tuple[str, ...]:
    """A sentence in at most this many rows: all of it, or its first clauses, up to a comma only if not even one ends in
    another way; if necessary without articles; cut if even the first clause is too long."""
    found = sorted((end.start() for end in _CLAUSE_ENDS.finditer(says)), key=lambda at: (says[at] == ",", -at))
    ends = [len(says), *found]
    first = says[: min(ends)].replace(" the ", " ")
    for text in (*[says[:end] for end in ends], first):
        if len(wrapped := wrap(text, width)) <= rows:
            return wrapped
    return (cut(first, width, ellipsis),)


@lru_cache(TEXTS)
def wrap(text: str, width: int) -> tuple[str, ...]:
    """The text in lines, broken between words, or inside a word longer than a line."""
    lines: list[str] = []
    line = ""
    for word in clean(text).split(" "):
        longer = f"{line} {word}" if line else word
        if get_cwidth(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        while get_cwidth(line) > width:
            head = cut(line, width, "") or line[0]
            lines.append(head)
            line = line[len(head) :]
    lines.append(line)
    return tuple(lines)


def columns_of(fragments: Iterable[Fragment]) -> int:
    return sum(width_of(text) for _, text in fragments)


def wrapped(text: str, width: int, style: str = PLAIN, *, head: Fragment = (PLAIN, "")) -> list[Line]:
    """The text in lines of one style: the first after `head`, the others indented to it."""
    indent = width_of(head[1])
    first, *rest = wrap(text, max(width - indent, 1))
    if not indent:
        return [((style, row),) for row in (first, *rest)]
    return [(head, (style, first)), *(((PLAIN, " " * indent), (style, row)) for row in rest)]


def flowed(
    groups: Iterable[Sequence[Fragment]], width: int, *, head: Fragment, between: Fragment = (PLAIN, "")
) -> list[Line]:
    """Groups of fragments in lines, each group whole: the first line after `head`, the others indented to it."""
    lines: list[Line] = []
    for group in groups:
        if lines and columns_of((*lines[-1], between, *group)) <= width:
            lines[-1] = (*lines[-1], between, *group)
        else:
            lines.append(((PLAIN, " " * width_of(head[1])) if lines else head, *group))
    return lines


class Canvas:
    """The grid. Coordinates are columns and lines from the top left; anything outside is not drawn."""

    def __init__(self, size: Size, theme: Theme) -> None:
        self.width, self.height = size
        self.theme = theme
        self.cursor: tuple[int, int] | None = None
        self.spots: list[Spot] = []
        # The right half of a wide character is an empty cell.
        self._cells = [[" "] * self.width for _ in range(self.height)]
        self._styles = [[PLAIN] * self.width for _ in range(self.height)]

    def put(self, x: int, y: int, text: str, style: str = PLAIN, *, width: int | None = None) -> int:
        """Draw the text, cut to `width`, if given. Returns the column after it."""
        text = clean(text) if width is None else cut(text, width, self.theme.ellipsis)
        cells = _cells_of(text, is_ascii=self.theme.is_ascii)
        end = x + len(cells)
        start, stop = max(x, 0), min(end, self.width)
        if start >= stop or not 0 <= y < self.height:
            return end
        row, shown = self._cells[y], list(cells[start - x : stop - x])
        # A wide character of which only a half is left is blank.
        if shown[0] == "":
            shown[0] = " "
        if stop < end and cells[stop - x] == "":
            shown[-1] = " "
        if row[start] == "":
            row[start - 1] = " "
        if stop < self.width and row[stop] == "":
            row[stop] = " "
        row[start:stop] = shown
        self._styles[y][start:stop] = [style] * len(shown)
        return end

    def put_all(self, x: int, y: int, fragments: Iterable[Fragment], *, width: int | None = None) -> int:
        """Draw fragments one after another, cut to a total width."""
        stop = None if width is None else x + width
        for style, text in fragments:
            room = None if stop is None else stop - x
            if room is not None and width_of(text) > room:
                return self.put(x, y, text, style, width=room)
            x = self.put(x, y, text, style)
        return x

    def put_lines(self, x: int, y: int, lines: Iterable[Line], *, width: int | None = None) -> None:
        """Draw lines below each other, each cut to `width` columns if given."""
        for at, line in enumerate(lines, start=y):
            self.put_all(x, at, line, width=width)

    def put_rows(self, x: int, y: int, rows: Iterable[str], style: str = PLAIN, *, width: int | None = None) -> None:
        self.put_lines(x, y, [((style, row),) for row in rows], width=width)

    def put_right(self, x: int, y: int, fragments: Iterable[Fragment]) -> int:
        """Draw fragments that end before this column. Returns the first column."""
        fragments = tuple(fragments)
        start = x - columns_of(fragments)
        self.put_all(start, y, fragments)
        return start

    def title(self, name: str, said: Sequence[str], right: Sequence[Fragment] = ()) -> None:
        """The first line of a screen: its name, what is said of it, without the last parts if they do not fit, and what
        stands at the right end."""
        dot = f" {self.theme.separator} "
        stop = self.put_right(self.width - 1, 0, right) - 3 if right else self.width - 2
        while len(said) > 1 and width_of(dot.join((name, *said))) > stop:
            said = said[:-1]
        self.put_all(1, 0, [(STRONG, name), (PLAIN, dot + dot.join(said))], width=max(stop, 0))

    def fill(self, x: int, y: int, width: int, height: int, character: str = " ", style: str = PLAIN) -> None:
        for line in range(y, y + height):
            self.put(x, line, character * width, style)

    def box(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        *,
        outline: Outline | None = None,
        style: str = PLAIN,
    ) -> None:
        theme = self.theme
        top_left, top_right, bottom_left, bottom_right, across, down = outline or theme.outline(theme.corners)
        side = across * (width - 2)
        self.put(x, y, top_left + side + top_right, style)
        for line in range(y + 1, y + height - 1):
            self.put(x, line, f"{down}{' ' * (width - 2)}{down}", style)
        self.put(x, y + height - 1, bottom_left + side + bottom_right, style)

    def heading(self, x: int, y: int, width: int, title: str) -> None:
        self.fill(x, y, width, 1, self.theme.horizontal)
        self.put(x + 1, y, f" {title} ", STRONG)

    def choice(self, x: int, y: int, width: int, text: str, what: Target, *, is_chosen: bool) -> None:
        pointer, style = (self.theme.pointer, CHOSEN) if is_chosen else (" ", PLAIN)
        self.put(x, y, f"{pointer} {text}", style, width=width)
        self.spot(x, y, width, 1, what)

    def spot(self, x: int, y: int, width: int, height: int, what: Target) -> None:
        self.spots.append(Spot(x, y, width, height, what))

    def frame(self) -> Frame:
        """The drawn frame, with cells of one style joined."""
        lines = []
        for cells, styles in zip(self._cells, self._styles, strict=True):
            line: list[Fragment] = []
            start = 0
            for end in range(1, self.width + 1):
                if end == self.width or styles[end] != styles[start]:
                    line.append((styles[start], "".join(cells[start:end])))
                    start = end
            lines.append(tuple(line))
        return Frame(tuple(lines), self.cursor, tuple(self.spots))


def scrolled(at: int, count: int, rows: int) -> int:
    """First of `count` lines to show in `rows` rows, with the selected one in the middle if possible."""
    return min(max(at - rows // 2, 0), max(count - rows, 0))

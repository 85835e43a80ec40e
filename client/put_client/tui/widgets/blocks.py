"""Drawings in blocks, with what every font of a console has: large letters, a bar, and a row of columns."""

from collections.abc import Sequence
from typing import NamedTuple

from put_client.tui.widgets.canvas import Canvas
from put_client.tui.widgets.theme import Theme

_FONT = {
    "A": ".##. #..# #### #..# #..#",
    "B": "###. #..# ###. #..# ###.",
    "C": ".### #... #... #... .###",
    "D": "###. #..# #..# #..# ###.",
    "E": "#### #... ###. #... ####",
    "F": "#### #... ###. #... #...",
    "G": ".### #... #.## #..# .###",
    "H": "#..# #..# #### #..# #..#",
    "I": "### .#. .#. .#. ###",
    "J": "..## ...# ...# #..# .##.",
    "K": "#..# #.#. ##.. #.#. #..#",
    "L": "#... #... #... #... ####",
    "M": "#...# ##.## #.#.# #...# #...#",
    "N": "#..# ##.# #.## #..# #..#",
    "O": ".##. #..# #..# #..# .##.",
    "P": "###. #..# ###. #... #...",
    "Q": ".##. #..# #..# #.## .###",
    "R": "###. #..# ###. #.#. #..#",
    "S": ".### #... .##. ...# ###.",
    "T": "##### ..#.. ..#.. ..#.. ..#..",
    "U": "#..# #..# #..# #..# .##.",
    "V": "#...# #...# .#.#. .#.#. ..#..",
    "W": "#...# #...# #.#.# ##.## #...#",
    "Y": "#...# .#.#. ..#.. ..#.. ..#..",
    " ": ".. .. .. .. ..",
}
"""Each five rows high. Of the alphabet, what is said in large letters."""

ROWS = 5
_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}


class Extent(NamedTuple):
    """Size of a word in large letters, in cells."""

    width: int
    height: int


def extent_of(word: str, *, has_blocks: bool, scale: int = 1) -> Extent:
    width = sum(len(_FONT[letter].split()[0]) + 1 for letter in word) - 1
    rows = ROWS * scale
    return Extent(max(width, 0) * scale, -(-rows // 2) if has_blocks else rows)


def draw_word(canvas: Canvas, x: int, y: int, word: str, style: str, *, scale: int = 1) -> None:
    for line, row in enumerate(word_rows(word, has_blocks=canvas.theme.has_blocks, scale=scale), start=y):
        canvas.put(x, line, row, style)


def word_rows(word: str, *, has_blocks: bool, scale: int = 1) -> list[str]:
    """The word in lines; empty where it has a letter that there is not."""
    if not word or not set(word) <= set(_FONT):
        return []
    rows = _pixels(word, scale)
    if not has_blocks:
        return ["".join("#" if pixel else " " for pixel in row) for row in rows]
    rows += [[False] * len(rows[0])] * (len(rows) % 2)
    return [
        "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def _pixels(word: str, scale: int) -> list[list[bool]]:
    rows: list[list[bool]] = []
    for number in range(ROWS):
        row = [mark == "#" for mark in ".".join(_FONT[letter].split()[number] for letter in word)]
        wide = [pixel for pixel in row for _ in range(scale)]
        rows += [wide] * scale
    return rows


def bar(share: float, width: int, theme: Theme) -> str:
    """A share of 1 as a bar so many columns wide."""
    full, empty = ("#", ".") if not theme.has_blocks else ("█", "░")
    count = round(min(max(share, 0), 1) * width)
    return full * count + empty * (width - count)


def columns(shares: Sequence[float | None], height: int, theme: Theme, least: float = 0) -> list[str]:
    """A column for each share, so many lines high, from `least` at the bottom to 1 at the top; nothing for None."""
    full, half, none = ("#", ":", " ") if not theme.has_blocks else ("█", "▄", " ")
    lines = []
    for line in range(height, 0, -1):
        row = ""
        for share in shares:
            halves = 0 if share is None else max(round((share - least) / (1 - least) * height * 2), 1)
            row += full if halves >= 2 * line else half if halves == 2 * line - 1 else none
        lines.append(row)
    return lines

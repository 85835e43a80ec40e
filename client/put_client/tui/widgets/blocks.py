"""Block graphics with characters of every console font: large letters, a bar, and a row of columns."""

from collections.abc import Sequence

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
"""Letters of five rows, for the words that are shown in large letters."""

_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}


def word_rows(word: str, *, has_blocks: bool, scale: int = 1) -> list[str]:
    """The word in lines of equal width; empty if a letter is missing."""
    if not word or not set(word) <= set(_FONT):
        return []
    rows: list[list[bool]] = []
    for number in range(5):
        row = [mark == "#" for mark in ".".join(_FONT[letter].split()[number] for letter in word)]
        rows += [[pixel for pixel in row for _ in range(scale)]] * scale
    if not has_blocks:
        return ["".join("#" if pixel else " " for pixel in row) for row in rows]
    rows += [[False] * len(rows[0])] * (len(rows) % 2)
    return [
        "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def bar(share: float, width: int, theme: Theme) -> str:
    """A share from 0 to 1 as a bar of this width."""
    full, empty = ("#", ".") if not theme.has_blocks else ("█", "░")
    count = round(min(max(share, 0), 1) * width)
    return full * count + empty * (width - count)


def columns(shares: Sequence[float | None], height: int, theme: Theme, least: float = 0) -> list[str]:
    """A column for each share, of this height, from `least` at the bottom to 1 at the top; None: empty."""
    full, half, none = ("#", ":", " ") if not theme.has_blocks else ("█", "▄", " ")
    lines = []
    for line in range(height, 0, -1):
        row = ""
        for share in shares:
            halves = 0 if share is None else max(round((share - least) / (1 - least) * height * 2), 1)
            row += full if halves >= 2 * line else half if halves == 2 * line - 1 else none
        lines.append(row)
    return lines

"""Small plots in characters: a bar, and a row of columns. Blocks are drawn with what every font of a console has."""

from collections.abc import Sequence

from put_client.tui.widgets.theme import Theme


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

"""Drawings for the paper: grids of numbers and rows of bars, as SVG, the same bytes from the same numbers.

They bring their own background, light or dark as the reader has it. Every cell and bar has its number in writing too;
colour only helps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 760
_MARGIN = 20
_STYLE = (
    "text{font-family:system-ui,sans-serif;font-size:12px}"
    ".back{fill:#fcfbf8}.ink{fill:#22252a}.soft{fill:#5d6168}.none{fill:#e9e7e2}"
    "@media(prefers-color-scheme:dark)"
    "{.back{fill:#16181c}.ink{fill:#e9e7e2}.soft{fill:#a9abb0}.none{fill:#26292f}}"
)
_PALE, _DEEP, _WARM = (238, 243, 249), (23, 64, 122), (166, 82, 12)
_SERIES = ("#2f6fc4", "#c46a17", "#2a8c7d", "#7d5ba6", "#777c85")
"""Dark enough for white letters, and distinct from either background."""
_FEW = 8
"""Panels with more columns stand two in a row."""
_NARROW = 30
"""A piece of a bar that is narrower has no number in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Cells with chances; None where there is none."""

    title: str
    down: Sequence[str]
    across: Sequence[str]
    cells: Sequence[Sequence[float | None]]
    digits: int = 0
    """Of the percentages written in them."""
    full: float = 0.0
    """How far from a half a chance has its full colour, blue above and warm below; 0: the more, the bluer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A row of pieces that follow each other; what is left of 1 stays empty."""

    label: str
    pieces: Sequence[float]
    note: str = ""


def grids(title: str, about: str, axes: tuple[str, str], panels: Sequence[Grid]) -> str:
    """Panels next to each other. `axes` are what goes down and what goes across."""
    gap = 34
    beside = len(panels) if max(len(panel.across) for panel in panels) <= _FEW else 2
    room = (WIDTH - 2 * _MARGIN - gap * (beside - 1)) / beside
    side = min((room - 24) / max(len(panel.across) for panel in panels), 46)
    rows = max(len(panel.down) for panel in panels)
    first, high = 74.0, 24 + side * rows + 40
    parts = [_text(_MARGIN, 44, f"down: {axes[0]}; across: {axes[1]}", "soft")]
    for number, panel in enumerate(panels):
        left, top = _MARGIN + 24 + number % beside * (room + gap), first + number // beside * high
        parts.append(_text(left, top, panel.title, "ink", weight=600))
        for at, name in enumerate(panel.across):
            parts.append(_text(left + side * (at + 0.5), top + 18, name, "soft", anchor="middle", size=11))
        for at, (name, cells) in enumerate(zip(panel.down, panel.cells, strict=True)):
            y = top + 24 + side * at
            parts.append(_text(left - 6, y + side / 2 + 4, name, "soft", anchor="end", size=11))
            parts += [
                part
                for column, chance in enumerate(cells)
                for part in _cell(panel, left + side * column, y, side, chance)
            ]
    return _svg(title, about, first + -(-len(panels) // beside) * high - 24, parts)


def _cell(panel: Grid, x: float, y: float, side: float, chance: float | None) -> list[str]:
    box = f'x="{x:.1f}" y="{y:.1f}" width="{side - 1:.1f}" height="{side - 1:.1f}"'
    if chance is None:
        return []
    red, green, blue = _shade(chance, full=panel.full)
    is_light = 0.3 * red + 0.59 * green + 0.11 * blue > 140
    said = f"{100 * chance:.{panel.digits}f}"
    size = min(12.0, (side - 3) / (0.6 * max(len(said), 2)))
    ink = "#16181c" if is_light else "#ffffff"
    label = (
        f'<text x="{x + (side - 1) / 2:.1f}" y="{y + side / 2 + size / 3:.1f}" text-anchor="middle" '
        f'style="font-size:{size:.1f}px" fill="{ink}">{said}</text>'
    )
    return [f'<rect {box} fill="rgb({red},{green},{blue})"/>', label]


def _shade(chance: float, *, full: float) -> tuple[int, int, int]:
    if not full:
        deep, share = _DEEP, chance
    else:
        deep, share = (_DEEP if chance > 0.5 else _WARM), abs(chance - 0.5) / full
    share = min(max(share, 0.0), 1.0)
    red, green, blue = (round(pale + (end - pale) * share) for pale, end in zip(_PALE, deep, strict=True))
    return red, green, blue


def bars(
    title: str, about: str, legend: Sequence[str], groups: Sequence[tuple[str, Sequence[Bar]]], whole: float
) -> str:
    """Rows of pieces, in groups with a heading; `whole` is the length of a row."""
    labels, height = 250, 22
    length = WIDTH - 2 * _MARGIN - labels - 64
    parts, x = [], float(_MARGIN)
    for colour, name in zip(_SERIES, legend, strict=False):
        parts.append(f'<rect x="{x:.1f}" y="38" width="12" height="12" fill="{colour}"/>')
        parts.append(_text(x + 17, 48, name, "ink"))
        x += 34 + 6.6 * len(name)
    y = 64.0
    for heading, rows in groups:
        if heading:
            parts.append(_text(_MARGIN, y + 16, heading, "ink", weight=600))
            y += 26
        for row in rows:
            at = float(_MARGIN + labels)
            parts.append(_text(at - 8, y + 14, row.label, "ink", anchor="end"))
            parts.append(f'<rect class="none" x="{at:.1f}" y="{y:.1f}" width="{length}" height="{height - 4}"/>')
            for colour, piece in zip(_SERIES, row.pieces, strict=False):
                wide = length * piece / whole
                parts.append(
                    f'<rect x="{at:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{height - 4}" fill="{colour}"/>'
                )
                if wide >= _NARROW:
                    parts.append(
                        f'<text x="{at + wide / 2:.1f}" y="{y + 13:.1f}" text-anchor="middle" fill="#ffffff" '
                        f'style="font-size:11px">{100 * piece:.0f}</text>'
                    )
                at += wide
            parts.append(_text(WIDTH - _MARGIN, y + 14, row.note, "soft", anchor="end", size=11))
            y += height
        y += 8
    return _svg(title, about, y + 8, parts)


def _text(
    x: float, y: float, words: str, kind: str, *, anchor: str = "start", size: int = 12, weight: int = 400
) -> str:
    style = f' style="font-size:{size}px;font-weight:{weight}"' if (size, weight) != (12, 400) else ""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(words)}</text>'


def _svg(title: str, about: str, height: float, parts: Sequence[str]) -> str:
    size, box = f"{WIDTH} {height:.0f}", f'width="{WIDTH}" height="{height:.0f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" {box} role="img" aria-labelledby="title about">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="about">{escape(about)}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="back" width="{WIDTH}" height="{height:.0f}" rx="8"/>',
        _text(_MARGIN, 26, title, "ink", size=15, weight=600),
        *parts,
        "</svg>",
    ]
    return "".join(f"{line}\n" for line in lines)

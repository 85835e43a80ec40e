"""Plots of a match, as SVG: win rates and ratings over the games, and each against each. Pure: results in, text out.

SVG is written here by hand, because the arena needs three plain drawings, and plotting libraries are fifty megabytes
and more. A drawing has its own background, light or dark by the reader's settings. Every line has its name, and every
cell its number.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from html import escape
from statistics import NormalDist

from put_arena.ratings import MIDDLE, rate
from put_arena.results import Results
from put_arena.statistics import CONFIDENCE

POINTS = 80

RATED = 5_000
"""Games in the line of ratings, drawn evenly from all: as many as can be rated in a moment."""

Line = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 150, 50, 40
_STYLE = (
    "text{font-family:system-ui,sans-serif;font-size:12px}"
    ".back{fill:#fcfbf8}.ink{fill:#22252a}.soft{fill:#5d6168}.rule{stroke:#d5d2cb}"
    "@media(prefers-color-scheme:dark){.back{fill:#16181c}.ink{fill:#e9e7e2}.soft{fill:#a9abb0}.rule{stroke:#3a3e46}}"
)
_COLOURS = ("#2f6fc4", "#c46a17", "#2a8c7d", "#9a5fc0", "#777c85", "#b8402f", "#6d8a1f", "#c0608f")


def drawings(results: Results) -> Mapping[str, str]:
    """The SVG files, by name."""
    return {"wins.svg": _wins(results), "ratings.svg": _ratings(results), "matrix.svg": _matrix(results)}


def _wins(results: Results) -> str:
    lines, bands = zip(*[_running(results.gains(number)) for number in range(len(results.competitors))], strict=True)
    title = "Purse a game, with its 95% interval" if results.by_purse else "Games won, with their 95% interval"
    return _chart(results, title, "whole sets", lines, bands, is_share=not results.by_purse)


def _running(values: Sequence[float]) -> tuple[Line, Line]:
    """The mean so far and its interval: the upper edge, and back along the lower one."""
    normal = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2)
    count, total, squares = len(values), 0.0, 0.0
    marks = {max(2, round(count * (point + 1) / POINTS)) for point in range(POINTS)}
    line, high, low = [], [], []
    for number, value in enumerate(values, 1):
        total += value
        squares += value * value
        if number in marks:
            mean = total / number
            half = normal * math.sqrt(max(0.0, (squares / number - mean * mean) / (number - 1)))
            line.append((float(number), mean))
            high.append((float(number), mean + half))
            low.append((float(number), mean - half))
    return line, [*high, *reversed(low)]


def _ratings(results: Results) -> str:
    from openskill.models import PlackettLuce  # noqa: PLC0415  # as in `ratings`

    model = PlackettLuce(tau=0.0)
    outcomes = results.outcomes
    picked = sorted(random.Random(1674).sample(range(len(outcomes)), min(RATED, len(outcomes))))
    ratings = [model.rating() for _ in results.competitors]
    lines: list[list[tuple[float, float]]] = [[] for _ in ratings]
    every = max(1, len(picked) // POINTS)
    for step, number in enumerate(picked, 1):
        rate(model, ratings, outcomes[number])
        if step % every == 0 or step == len(picked):
            level = sum(rating.mu for rating in ratings) / len(ratings) - MIDDLE
            for line, rating in zip(lines, ratings, strict=True):
                line.append((number + 1, rating.mu - level))
    return _chart(results, "Rating, game by game", "games", lines, [()] * len(lines))


def _chart(
    results: Results, title: str, across: str, lines: Sequence[Line], bands: Sequence[Line], *, is_share: bool = False
) -> str:
    points = [point for line in (*lines, *bands) for point in line] or [(0.0, 0.0), (1.0, 1.0)]
    settled = [y for line in (*lines, *bands) for x, y in line if x >= max(x for x, _ in points) / 20] or [0.0, 1.0]
    most_x, low, high = max(x for x, _ in points), min(settled), max(settled)
    step = _step(high - low)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    high = high if high > low else low + step

    def place(x: float, y: float) -> tuple[float, float]:
        inside = min(high, max(low, y))
        return (
            _LEFT + x / most_x * (_WIDTH - _LEFT - _RIGHT),
            _TOP + (high - inside) / (high - low) * (_HEIGHT - _TOP - _BOTTOM),
        )

    parts = [_text(_LEFT, 26, title, "ink", size=16)]
    mark = low
    while mark <= high + step / 2:
        _, y = place(0, mark)
        parts.append(f'<line class="rule" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(
            _text(_LEFT - 8, y + 4, f"{100 * mark:.0f}%" if is_share else f"{mark:g}"[:6], "soft", anchor="end")
        )
        mark += step
    marks = (0.0, most_x / 2, most_x)
    parts += [_text(place(x, low)[0], _HEIGHT - 18, f"{x:,.0f}", "soft", anchor="end" if x > 0 else "") for x in marks]
    parts.append(_text(_WIDTH - _RIGHT + 8, _HEIGHT - 18, across, "soft"))
    ends = []
    for number, (line, band) in enumerate(zip(lines, bands, strict=True)):
        colour = _COLOURS[number % len(_COLOURS)]
        if band:
            parts.append(f'<polygon points="{_path(band, place)}" fill="{colour}" fill-opacity="0.15"/>')
        if line:
            parts.append(f'<polyline points="{_path(line, place)}" fill="none" stroke="{colour}" stroke-width="2"/>')
            ends.append((place(*line[-1])[1], colour, results.competitors[number].label))
    beneath = -math.inf
    for y, colour, label in sorted(ends):
        beneath = max(y + 4, beneath + 15)
        parts.append(_text(_WIDTH - _RIGHT + 8, beneath, label, colour))
    return _svg(_HEIGHT, parts, title)


def _step(width: float) -> float:
    """Distance of two marks: about five of them, at round numbers."""
    rough = max(width, 1e-6) / 5
    size = 10.0 ** math.floor(math.log10(rough))
    return next(size * each for each in (1, 2, 5, 10) if size * each >= rough)


def _path(line: Line, place: Callable[[float, float], tuple[float, float]]) -> str:
    return " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in line)


def _matrix(results: Results) -> str:
    labels = [competitor.label for competitor in results.competitors]
    side, first = 74, 150
    title = "Purse more than the other, a game" if results.by_purse else "Won more than the other, of 100 games"
    parts = [_text(20, 26, f"{title} (the row less the column), at 95%", "ink", size=16)]
    cells = {(one, other): results.lead(one, other) for one in range(len(labels)) for other in range(len(labels))}
    full = max([abs(lead.mean) for (one, other), lead in cells.items() if lead is not None and one != other] or [1.0])
    for one, label in enumerate(labels):
        parts.append(_text(first - 10, 90 + one * side + side / 2, label, "ink", anchor="end"))
        parts.append(_text(first + one * side + side / 2, 78, label[:10], "ink", anchor="middle"))
        for other in range(len(labels)):
            lead = cells[one, other]
            if one == other or lead is None:
                continue
            x, y = first + other * side, 90 + one * side
            colour = _COLOURS[0] if lead.mean > 0 else _COLOURS[1]
            shade = abs(lead.mean) / (full or 1.0)
            parts.append(
                f'<rect x="{x}" y="{y}" width="{side - 2}" height="{side - 2}" fill="{colour}" '
                f'fill-opacity="{0.08 + 0.6 * shade:.2f}"/>'
            )
            unit = 1 if results.by_purse else 100
            parts.append(_text(x + side / 2, y + side / 2, f"{unit * lead.mean:+.1f}", "ink", anchor="middle"))
            parts.append(_text(x + side / 2, y + side / 2 + 16, f"±{unit * lead.half:.1f}", "soft", anchor="middle"))
    return _svg(90 + len(labels) * side + 20, parts, title, width=max(_WIDTH, first + len(labels) * side + 20))


def _text(x: float, y: float, text: str, look: str, *, size: int = 12, anchor: str = "") -> str:
    """Text whose `look` is one of the style's classes, or a colour."""
    at = f' text-anchor="{anchor}"' if anchor else ""
    fill = f' fill="{look}"' if look.startswith("#") else f' class="{look}"'
    bigger = f' style="font-size:{size}px"' if size != 12 else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{fill}{at}{bigger}>{escape(text)}</text>'


def _svg(height: float, parts: Sequence[str], title: str, *, width: float = _WIDTH) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img">'
    back = f'<rect class="back" width="{width:.0f}" height="{height:.0f}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", f"<style>{_STYLE}</style>", back, *parts, "</svg>\n"])

"""Report of a match, as text, as JSON and as plots. Pure.

The plots show win rates and ratings over the games, and every pair of competitors. The SVG is written by hand: the
arena needs only three plain drawings, and plotting libraries take fifty megabytes or more. A drawing has its own
background, light or dark by the reader's settings. Every line has its name, and every cell its number.
"""

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from itertools import combinations, permutations
from typing import Any

from msgspec import to_builtins

from put_arena.competitors import Fault
from put_arena.results import Decided, Results, Standing
from put_arena.statistics import NORMAL, Interval, rated
from put_protocol.text import counted, printable

Rows = Sequence[Sequence[str]]


def as_text(results: Results, standings: Sequence[Standing], conditions: str) -> Iterator[str]:
    seatings = max(results.sides) + 1
    loose = len(results.games) - len(results.sets) * seatings
    yield ""
    yield f"{conditions}: {counted(len(results.games), 'game')}, {counted(len(results.sets), 'set')} of {seatings}."
    if loose:
        yield f"{counted(loose, 'game')} outside whole sets, of rounds that were broken off, count in no share below."
    if results.games_forfeited:
        why = "a competitor was out, or a round was broken off each time"
        yield f"{counted(results.games_forfeited, 'game')} not played: {why}."
    yield ""
    yield from _ranking(results, standings)
    yield ""
    yield from _each_other(results, standings)
    if any(one.fair is not None for one in standings):
        yield ""
        yield from _without_luck(results, standings)
    yield ""
    yield from live_lines(results, LONGEST_BAR + 60)
    if any(conduct.faults or conduct.out for conduct in results.conduct):
        yield ""
        yield from _faults(results, standings)


LONGEST_BAR = 40
SHORTEST_BAR = 10


def live_lines(results: Results, width: int) -> list[str]:
    """Results during the match: the share of each competitor so far, with its interval in numbers and as a line."""
    shares = results.shares()
    if not any(shares):
        return []
    order = sorted(range(len(shares)), key=lambda number: -_mean(shares[number]))
    name = max(len(competitor.label) for competitor in results.competitors)
    room = min(LONGEST_BAR, width - name - 22)
    least, most = _scale([one for one in shares if one is not None], results)
    lines = []
    for place, number in enumerate(order, 1):
        share = shares[number]
        told = f"{' '.join(_told(share, by_purse=results.by_purse)):<16}"
        bar = "" if share is None or room < SHORTEST_BAR else _bar(share, least, most, room)
        lines.append(f"{place:>2}  {results.competitors[number].label:<{name}}  {told} {bar}".rstrip())
    if room >= SHORTEST_BAR:
        scale = f"{least:+.1f}" if results.by_purse else f"{100 * least:.0f}%"
        end = f"{most:+.1f}" if results.by_purse else f"{100 * most:.0f}%"
        lines.append(" " * (name + 23) + scale + end.rjust(room - len(scale)))
    return lines


def _mean(value: Interval | None) -> float:
    return -math.inf if value is None else value.mean


def _scale(values: Sequence[Interval], results: Results) -> tuple[float, float]:
    step = 1.0 if results.by_purse else 0.1
    low, high = min(one.low for one in values), max(one.high for one in values)
    least, most = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    return least, max(most, least + step)


def _bar(value: Interval, least: float, most: float, room: int) -> str:
    """An interval as a line, with its mean: `  |---o---|  `."""

    def at(number: float) -> int:
        return min(room - 1, max(0, round((number - least) / (most - least) * (room - 1))))

    low, high, mean = at(value.low), at(value.high), at(value.mean)
    line = [" "] * room
    line[low : high + 1] = "-" * (high + 1 - low)
    line[low] = line[high] = "|"
    line[mean] = "o"
    return "".join(line)


def _ranking(results: Results, standings: Sequence[Standing]) -> Iterator[str]:
    by_purse = results.by_purse
    rows = [["", "", "purse a game" if by_purse else "wins", "95%", "plain 95%", "luck removed"]]
    rows[0] += [*(() if by_purse else ("stakes a game",)), "rating", "games"]
    for place, one in enumerate(standings, 1):
        rows.append(
            [
                "-" if results.conduct[one.competitor].out else str(place),
                results.competitors[one.competitor].label,
                *_told(one.stakes if by_purse else one.share, by_purse=by_purse),
                _told(one.plain, by_purse=by_purse)[1],
                "-" if one.luck_removed is None else f"{100 * one.luck_removed:.0f}%",
                *(() if by_purse else (" ".join(_told(one.stakes, by_purse=True)),)),
                f"{one.rating.mu:.1f} ±{1.96 * one.rating.sigma:.1f}",
                f"{one.games:,}",
            ]
        )
    yield from _table(rows, left=(1,))


def _without_luck(results: Results, standings: Sequence[Standing]) -> Iterator[str]:
    yield "Without the luck of the deals, as the solution of the game weighs them:"
    rows = [["", "wins", "95%", "instead of", "as good as"]]
    for one in standings:
        if one.fair is not None:
            worth = "-" if one.worth is None else f"{one.worth:.2f} times the games"
            label = results.competitors[one.competitor].label
            rows.append([label, *_told(one.fair, by_purse=False), _told(one.share, by_purse=False)[1], worth])
    yield from _table(rows, left=(0,))


def _each_other(results: Results, standings: Sequence[Standing]) -> Iterator[str]:
    labels = [results.competitors[one.competitor].label for one in standings]
    is_duel = max(results.sides) == 1 and not results.by_purse
    if results.by_purse:
        yield "Gained more than the other where both sat, a game and seat (the row less the column), at 95%:"
    elif is_duel:
        yield "Games won of those against each other (the row against the column), at 95%:"
    else:
        yield "Games won more than the other where both sat, in points of 100 (the row less the column), at 95%:"
    rows = [["", *labels]]
    for one, label in zip(standings, labels, strict=True):
        row = [label]
        for other in standings:
            if one is other:
                row.append("-")
                continue
            found = results.share_against if is_duel else results.lead
            cell = found(one.competitor, other.competitor)
            mean, half = _told(cell, by_purse=results.by_purse)
            if cell is not None and not results.by_purse:
                mean = f"{100 * cell.mean:{'.1f' if is_duel else '+.1f'}}"
            row.append("" if cell is None else f"{mean} {half}")
        rows.append(row)
    yield from _table(rows, left=(0,))


def _faults(results: Results, standings: Sequence[Standing]) -> Iterator[str]:
    kinds = [fault for fault in Fault if any(conduct.faults[fault] for conduct in results.conduct)]
    rows = [["faults", *map(str, kinds)]]
    for one in standings:
        conduct = results.conduct[one.competitor]
        if conduct.faults:
            label = results.competitors[one.competitor].label
            rows.append([label, *(str(conduct.faults[kind]) if conduct.faults[kind] else "" for kind in kinds)])
    yield from _table(rows, left=(0,))
    for one in standings:
        conduct, label = results.conduct[one.competitor], results.competitors[one.competitor].label
        yield from (f"  {label}: {printable(says)}" for says in conduct.says)
        if conduct.out:
            yield f"  {label} is out: {printable(conduct.out)}"


def verdict(results: Results, decided: Decided) -> str:
    lead = decided.lead
    first, second = (results.competitors[number].label for number in (decided.best, decided.second))
    if results.by_purse:
        told = f"gains {lead.mean:.2f} a game and seat more than {second} ({lead.low:.2f} to {lead.high:.2f}"
    else:
        low, high = 100 * lead.low, 100 * lead.high
        told = f"wins {100 * lead.mean:.1f} games of 100 more than {second} ({low:.1f} to {high:.1f}"
    return f"Decided: {first} {told}, at 95% however often one looked)."


def _told(value: Interval | None, *, by_purse: bool) -> tuple[str, str]:
    """The mean, in percent or as a gain, and half the width of its interval; both ends if it is not symmetric."""
    if value is None:
        return "-", "-"
    above, below = value.high - value.mean, value.mean - value.low
    if by_purse:
        return f"{value.mean:+.2f}", f"±{max(above, below):.2f}"
    is_symmetric = abs(above - below) <= 0.0005
    half = f"±{100 * value.half:.1f}" if is_symmetric else f"({100 * value.low:.1f} to {100 * value.high:.1f})"
    return f"{100 * value.mean:.1f}%", half


def _table(rows: Rows, left: Sequence[int]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def as_json(results: Results, standings: Sequence[Standing], conditions: Mapping[str, Any]) -> dict[str, Any]:
    labels = [competitor.label for competitor in results.competitors]
    return {
        **conditions,
        "seats": len(results.sides),
        "sides": results.sides,
        "by_purse": results.by_purse,
        "sets": len(results.sets),
        "forfeited": results.games_forfeited,
        "competitors": [
            {
                "label": labels[one.competitor],
                "typed": results.competitors[one.competitor].typed,
                **to_builtins(one),
                "faults": {str(fault): count for fault, count in results.conduct[one.competitor].faults.items()},
                "says": results.conduct[one.competitor].says,
                "out": results.conduct[one.competitor].out or None,
            }
            for one in standings
        ],
        "pairs": [
            {
                "one": labels[one],
                "other": labels[other],
                "sets": len(results.differences(one, other)),
                "lead": to_builtins(results.lead(one, other)),
            }
            for one, other in combinations(range(len(labels)), 2)
        ],
        "games": [
            {
                "round": game.round,
                "number": game.number,
                "seating": game.seating,
                "seats": [labels[one] for one in game.seats],
                "paid": game.paid,
            }
            for game in results.in_order
        ],
    }


POINTS = 80

RATED = 5_000
"""Games in the line of ratings, drawn evenly from all games: the number that can be rated in a moment."""

Line = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 150, 50, 40
_STYLE = (
    "text{font-family:system-ui,sans-serif;font-size:12px}"
    ".end{text-anchor:end}.middle{text-anchor:middle}.title{font-size:16px}"
    ".back{fill:#fcfbf8}.ink{fill:#22252a}.soft{fill:#5d6168}.rule{stroke:#d5d2cb}"
    "@media(prefers-color-scheme:dark){.back{fill:#16181c}.ink{fill:#e9e7e2}.soft{fill:#a9abb0}.rule{stroke:#3a3e46}}"
)
_COLOURS = ("#2f6fc4", "#c46a17", "#2a8c7d", "#9a5fc0", "#777c85", "#b8402f", "#6d8a1f", "#c0608f")


def drawings(results: Results) -> Mapping[str, str]:
    return {"wins.svg": _wins(results), "ratings.svg": _ratings(results), "matrix.svg": _matrix(results)}


def _wins(results: Results) -> str:
    lines, bands = zip(*[_running(results.gains(number)) for number in range(len(results.competitors))], strict=True)
    title = "Purse a game, with its 95% interval" if results.by_purse else "Games won, with their 95% interval"
    return _chart(results, title, "whole sets", lines, bands, is_share=not results.by_purse)


def _running(values: Sequence[float]) -> tuple[Line, Line]:
    """The mean so far and its interval: the upper edge, and back along the lower one."""
    count, total, squares = len(values), 0.0, 0.0
    marks = {max(2, round(count * (point + 1) / POINTS)) for point in range(POINTS)}
    line, high, low = [], [], []
    for number, value in enumerate(values, 1):
        total += value
        squares += value * value
        if number in marks:
            mean = total / number
            half = NORMAL * math.sqrt(max(0.0, (squares / number - mean * mean) / (number - 1)))
            line.append((float(number), mean))
            high.append((float(number), mean + half))
            low.append((float(number), mean - half))
    return line, [*high, *reversed(low)]


def _ratings(results: Results) -> str:
    outcomes = results.outcomes
    picked = sorted(random.Random(1674).sample(range(len(outcomes)), min(RATED, len(outcomes))))
    lines: list[list[tuple[float, float]]] = [[] for _ in results.competitors]
    every = max(1, len(picked) // POINTS)
    for step, ratings in enumerate(rated([outcomes[number] for number in picked], len(lines))):
        if step and (step % every == 0 or step == len(picked)):
            for line, rating in zip(lines, ratings, strict=True):
                line.append((picked[step - 1] + 1, rating.mu))
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

    parts = [_text(_LEFT, 26, title, "ink title")]
    mark = low
    while mark <= high + step / 2:
        _, y = place(0, mark)
        parts.append(f'<line class="rule" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(_text(_LEFT - 8, y + 4, f"{100 * mark:.0f}%" if is_share else f"{mark:g}"[:6], "soft end"))
        mark += step
    marks = (0.0, most_x / 2, most_x)
    parts += [_text(place(x, low)[0], _HEIGHT - 18, f"{x:,.0f}", "soft end" if x > 0 else "soft") for x in marks]
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
    """Distance of two marks, a round number: an axis gets about five marks."""
    rough = max(width, 1e-6) / 5
    size = 10.0 ** math.floor(math.log10(rough))
    return next(size * each for each in (1, 2, 5, 10) if size * each >= rough)


def _path(line: Line, place: Callable[[float, float], tuple[float, float]]) -> str:
    return " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in line)


def _matrix(results: Results) -> str:
    labels = [competitor.label for competitor in results.competitors]
    side, first = 74, 150
    title = "Purse more than the other, a game" if results.by_purse else "Won more than the other, of 100 games"
    parts = [_text(20, 26, f"{title} (the row less the column), at 95%", "ink title")]
    for number, label in enumerate(labels):
        parts.append(_text(first - 10, 90 + number * side + side / 2, label, "ink end"))
        parts.append(_text(first + number * side + side / 2, 78, label[:10], "ink middle"))
    pairs = permutations(range(len(labels)), 2)
    cells = {pair: lead for pair in pairs if (lead := results.lead(*pair)) is not None}
    full = max([abs(lead.mean) for lead in cells.values()], default=0.0) or 1.0
    unit = 1 if results.by_purse else 100
    for (one, other), lead in cells.items():
        x, y = first + other * side, 90 + one * side
        colour, shade = _COLOURS[0 if lead.mean > 0 else 1], 0.08 + 0.6 * abs(lead.mean) / full
        box = f'x="{x}" y="{y}" width="{side - 2}" height="{side - 2}"'
        parts.append(f'<rect {box} fill="{colour}" fill-opacity="{shade:.2f}"/>')
        parts.append(_text(x + side / 2, y + side / 2, f"{unit * lead.mean:+.1f}", "ink middle"))
        parts.append(_text(x + side / 2, y + side / 2 + 16, f"±{unit * lead.half:.1f}", "soft middle"))
    return _svg(90 + len(labels) * side + 20, parts, title, width=max(_WIDTH, first + len(labels) * side + 20))


def _text(x: float, y: float, text: str, look: str) -> str:
    """Text whose `look` is classes of the style, or a colour."""
    shown = f'fill="{look}"' if look.startswith("#") else f'class="{look}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {shown}>{escape(text)}</text>'


def _svg(height: float, parts: Sequence[str], title: str, *, width: float = _WIDTH) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img">'
    back = f'<rect class="back" width="{width:.0f}" height="{height:.0f}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", f"<style>{_STYLE}</style>", back, *parts, "</svg>\n"])

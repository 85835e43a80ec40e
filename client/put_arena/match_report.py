"""Report of a match, as text and as JSON. Pure."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from put_arena.conduct import Fault
from put_arena.results import Results, Standing
from put_arena.statistics import Interval
from put_arena.verdict import Verdict
from put_protocol.text import counted, printable

Rows = Sequence[Sequence[str]]


def as_text(results: Results, standings: Sequence[Standing], conditions: str) -> Iterator[str]:
    """Lines of text. `standings`: those of the results; `conditions` says what was played."""
    seatings = max(results.sides) + 1
    loose = len(results.games) - results.sets * seatings
    yield ""
    yield f"{conditions}: {counted(len(results.games), 'game')}, {counted(results.sets, 'set')} of {seatings}."
    if loose:
        yield f"{counted(loose, 'game')} outside whole sets, of rounds that were broken off, count in no share below."
    if results.forfeited:
        yield f"{counted(results.forfeited, 'game')} not played, for a competitor was out."
    yield ""
    yield from _ranking(results, standings)
    yield ""
    yield from _each_other(results, standings)
    if any(one.fair is not None for one in standings):
        yield ""
        yield from _without_luck(results, standings)
    yield ""
    yield from live_lines(results, BAR + 60)
    if any(conduct.faults or conduct.out for conduct in results.conduct):
        yield ""
        yield from _faults(results, standings)


BAR = 40
"""Characters of the widest line that shows an interval."""

NARROW = 10
"""Least width of such a line."""


def live_lines(results: Results, width: int) -> list[str]:
    """Results while the match goes on: the share of each so far, with its interval in numbers and as a line."""
    shares = results.shares()
    if not any(shares):
        return []
    order = sorted(range(len(shares)), key=lambda number: -_mean(shares[number]))
    name = max(len(competitor.label) for competitor in results.competitors)
    room = min(BAR, width - name - 22)
    least, most = _ends([one for one in shares if one is not None], results)
    lines = []
    for place, number in enumerate(order, 1):
        share = shares[number]
        told = f"{_stakes(share) if results.by_purse else f'{_percent(share)} {_half(share)}':<16}"
        bar = "" if share is None or room < NARROW else _bar(share, least, most, room)
        lines.append(f"{place:>2}  {results.competitors[number].label:<{name}}  {told} {bar}".rstrip())
    if room >= NARROW:
        scale = f"{least:+.1f}" if results.by_purse else f"{100 * least:.0f}%"
        end = f"{most:+.1f}" if results.by_purse else f"{100 * most:.0f}%"
        lines.append(" " * (name + 23) + scale + end.rjust(room - len(scale)))
    return lines


def _mean(value: Interval | None) -> float:
    return -math.inf if value is None else value.mean


def _ends(values: Sequence[Interval], results: Results) -> tuple[float, float]:
    """Ends of the scale: in tenths, or in whole stakes, around all intervals."""
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
    value, half = (_signed, _half_stakes) if by_purse else (_percent, _half)
    rows = [["", "", "purse a game" if by_purse else "wins", "95%", "plain 95%", "luck removed"]]
    rows[0] += [*(() if by_purse else ("stakes a game",)), "rating", "games"]
    for place, one in enumerate(standings, 1):
        measured = one.stakes if by_purse else one.share
        rows.append(
            [
                "-" if results.conduct[one.competitor].out else str(place),
                results.competitors[one.competitor].label,
                value(measured),
                half(measured),
                half(one.plain),
                "-" if one.removed is None else f"{100 * one.removed:.0f}%",
                *(() if by_purse else (_stakes(one.stakes),)),
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
            rows.append([label, _percent(one.fair), _half(one.fair), _half(one.share), worth])
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
            if cell is not None and results.by_purse:
                row.append(_stakes(cell))
            else:
                row.append("" if cell is None else f"{100 * cell.mean:{'.1f' if is_duel else '+.1f'}} {_half(cell)}")
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


def decided(results: Results, verdict: Verdict) -> str:
    """The lead that decided the match, as a line."""
    best = verdict.two_best()
    lead = None if best is None else verdict.lead(*best)
    assert best is not None
    assert lead is not None
    first, second = (results.competitors[number].label for number in best)
    if results.by_purse:
        told = f"gains {lead.mean:.2f} a game and seat more than {second} ({lead.low:.2f} to {lead.high:.2f}"
    else:
        low, high = 100 * lead.low, 100 * lead.high
        told = f"wins {100 * lead.mean:.1f} games of 100 more than {second} ({low:.1f} to {high:.1f}"
    return f"Decided: {first} {told}, at 95% however often one looked)."


def _percent(value: Interval | None) -> str:
    return "-" if value is None else f"{100 * value.mean:.1f}%"


def _half(value: Interval | None) -> str:
    """Half the width in points of 100; both ends where the interval is not symmetric."""
    if value is None:
        return "-"
    above, below = value.high - value.mean, value.mean - value.low
    if abs(above - below) > 0.0005:
        return f"({100 * value.low:.1f} to {100 * value.high:.1f})"
    return f"±{100 * value.half:.1f}"


def _signed(value: Interval | None) -> str:
    return "-" if value is None else f"{value.mean:+.2f}"


def _half_stakes(value: Interval | None) -> str:
    return "-" if value is None else f"±{max(value.high - value.mean, value.mean - value.low):.2f}"


def _stakes(value: Interval | None) -> str:
    return "-" if value is None else f"{_signed(value)} {_half_stakes(value)}"


def _table(rows: Rows, left: Sequence[int]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def as_json(results: Results, standings: Sequence[Standing], conditions: Mapping[str, Any]) -> dict[str, Any]:
    """Everything: the conditions, every game, faults and standings."""
    labels = [competitor.label for competitor in results.competitors]
    return {
        **conditions,
        "seats": len(results.sides),
        "sides": results.sides,
        "by_purse": results.by_purse,
        "sets": results.sets,
        "forfeited": results.forfeited,
        "competitors": [
            {
                "label": labels[one.competitor],
                "typed": results.competitors[one.competitor].typed,
                "games": one.games,
                "won": one.won,
                "share": _interval(one.share),
                "plain_share": _interval(one.plain),
                "fair_share": _interval(one.fair),
                "fair_is_worth": one.worth,
                "stakes": _interval(one.stakes),
                "luck_removed": one.removed,
                "rating": {"mu": one.rating.mu, "sigma": one.rating.sigma},
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
                "lead": _interval(results.lead(one, other)),
            }
            for one in range(len(labels))
            for other in range(one + 1, len(labels))
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


def _interval(value: Interval | None) -> dict[str, float] | None:
    return None if value is None else {"mean": value.mean, "low": value.low, "high": value.high, "of": value.count}

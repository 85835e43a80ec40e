"""The numbers that a table says of itself, which are read in no time; and how numbers are kept."""

import hashlib
from typing import Any

from put_server.house.solved.payoffs import Score
from put_server.house.solved.spots import End
from put_server.house.solved.table import Table

Figures = dict[str, Any]

_DIGITS = 6
"""Kept of every number: what another machine adds up in another order is the same to so many."""


def head(data: bytes) -> Figures:
    """What a table says of itself, and which one it is; cheap."""
    table = Table(data)
    ruling, parts, points = table.ruling, table.parts, range(table.ruling.target)
    worth = {score: ruling.shown(part.worth) for score, part in parts.items()}
    eldest = {score: (part.worth - part.lower) * ruling.unit for score, part in parts.items()}
    dealer = {score: (part.upper - part.worth) * ruling.unit for score, part in parts.items()}
    both = {score: (part.upper - part.lower) * ruling.unit for score, part in parts.items()}
    found: Figures = shortened(
        {
            "sha256": hashlib.sha256(data).hexdigest(),
            "bytes": len(data),
            "target": ruling.target,
            "worth": [[worth[own, other] for other in points] for own in points],
            "deal": [
                [worth[own, other] - ruling.shown(-parts[other, own].worth) for other in points] for own in points
            ],
            "point": [[_point(table, (own, other)) for other in points] for own in points],
            "eldest_loses": max(eldest.values()),
            "dealer_loses": max(dealer.values()),
            "both_lose": max(both.values()),
            "first_loses": both[0, 0],
        }
    )
    return found


def _point(table: Table, score: Score) -> float:
    """What eldest has more if they win the point of a hand than if they lose it."""
    ends = table.ruling.ends(score, {each: part.worth for each, part in table.parts.items()})
    return (ends[End.ELDEST_POINT] - ends[End.DEALER_POINT]) * table.ruling.unit


def shortened(value: Any) -> Any:
    """The numbers with as many digits as are kept."""
    if isinstance(value, float):
        return round(value, _DIGITS) + 0.0  # and no -0.0
    if isinstance(value, dict):
        return {name: shortened(each) for name, each in value.items()}
    return [shortened(each) for each in value] if isinstance(value, list) else value

"""Presenter for a family without its own: the name of each field, with a readable value.

Seats are recognized by the usual names of fields and become players' names, cards are recognized by their notation, and
a list with an item for each seat is paired with names.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any

from msgspec import Struct, structs

from put_protocol.cards import CARD_ORDER, Card
from put_protocol.games.unknown import UnknownEvent, UnknownView
from put_protocol.seats import Seat
from put_protocol.text import printable
from put_text.catalogue import card_in_words, cards_in_words, listed
from put_text.phrases import Speaker, format_number, task_at

GRAVE: tuple[type[Struct], ...] = ()
"""It is unknown what its actions decide."""

_SEAT_FIELDS = frozenset({"seat", "seats", "to", "to_move", "dealer", "eldest", "leader", "winner", "winners"})

_UNSAID = frozenset({"to_move", "moment"})
"""Fields of a view that are in its last clause."""


def event_clause(event: Struct, who: Speaker) -> str:
    """The name of the event, its player, and its values."""
    said = [
        _value_in_words(value, name, who) if name == "seat" else f"{_plain(name)} {_value_in_words(value, name, who)}"
        for name, value in _fields(event)
    ]
    name = event.tag if isinstance(event, UnknownEvent) else str(event.__struct_config__.tag)
    return f"{_plain(name)}{': ' if said else ''}{', '.join(said)}"


def view_clauses(view: Struct, who: Speaker) -> Iterable[str]:
    """Each value of the view; the last clause says whose move it is."""
    for name, value in _fields(view):
        if name not in _UNSAID:
            yield f"{_plain(name)}: {_value_in_words(value, name, who)}"
    to_move = getattr(view, "to_move", None)
    asked = getattr(view, "moment", None)
    about = f" ({_plain(str(asked))})" if asked else ""
    yield who.to_move(to_move, task_at("", None) + about)


def introduction_clauses(view: Struct, who: Speaker) -> Iterable[str]:  # noqa: ARG001  # as in every presenter
    """Empty, because such a game is unknown."""
    return ()


def score_clauses(view: Struct, who: Speaker) -> Iterable[str]:
    """Values whose names indicate a score."""
    for name, value in _fields(view):
        if name in ("scores", "gains", "pot", "pool", "tricks", "rubber"):
            yield f"{_plain(name)}: {_value_in_words(value, name, who)}"


def _plain(name: str) -> str:
    return printable(name).replace("_", " ").replace(".", " ")


def _fields(struct: Struct) -> list[tuple[str, Any]]:
    """Name and value of each field with a non-default value; the event's seat first."""
    if isinstance(struct, UnknownEvent | UnknownView):
        found = list(struct.values.items())
    else:
        values = [(field, getattr(struct, field.name)) for field in structs.fields(struct)]
        found = [(field.name, value) for field, value in values if field.required or value != field.default]
    return sorted([one for one in found if one[1] is not None], key=lambda one: one[0] != "seat")


def _value_in_words(value: Any, name: str, who: Speaker) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case int():
            return who.name(Seat(value)) if name in _SEAT_FIELDS else format_number(value)
        case str() if value in CARD_ORDER:
            return card_in_words(Card(value))
        case Enum():
            return _plain(str(value.value))
        case Struct():
            return ", ".join(f"{_plain(n)} {_value_in_words(v, n, who)}" for n, v in _fields(value))
        case tuple() | list():
            return _listed(value, name, who)
        case dict():
            return ", ".join(f"{_plain(str(n))} {_value_in_words(v, str(n), who)}" for n, v in value.items())
        case None:
            return "nothing"
        case _:
            return printable(str(value))


def _listed(values: Sequence[Any], name: str, who: Speaker) -> str:
    if not values:
        return "none"
    if all(isinstance(value, str) and value in CARD_ORDER for value in values):
        return cards_in_words([Card(value) for value in values])
    said = [_value_in_words(value, name, who) for value in values]
    if name in _SEAT_FIELDS:
        return listed(said)
    if len(values) == who.seats and not isinstance(values[0], Struct):
        of_seats = sorted(enumerate(said), key=lambda one: one[0] != who.you)
        return ("; " if any(", " in one for one in said) else ", ").join(
            f"{who.name(Seat(seat))} {one}" for seat, one in of_seats
        )
    return ("; " if isinstance(values[0], Struct) else ", ").join(said)

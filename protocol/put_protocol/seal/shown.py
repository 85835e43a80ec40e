"""The cards an event shows and who holds them, read off its fields: an event yet to be thought of is checked like any.

A `card` is held by the event's `seat`. `cards` are held by its `seats`, one each; where it has none, by the viewer.
"""

from functools import cache
from typing import Any, NamedTuple, get_args, get_type_hints

from put_protocol.cards import Card
from put_protocol.events import Event
from put_protocol.seats import GALLERY, Seat, Viewer


class Shown(NamedTuple):
    """A card that an event shows."""

    card: Card
    seat: Seat | None
    """Who holds it; None: an event shows the gallery a hand, which no honest one does."""
    is_own: bool = False
    """It is of the viewer's hand, as dealt to him."""


def cards_shown(event: Event, viewer: Viewer) -> tuple[Shown, ...]:
    """Every card in the event, in its order."""
    shown: list[Shown] = []
    for name in _card_fields(type(event)):
        value = getattr(event, name)
        if value is None:
            continue
        if not isinstance(value, tuple):
            shown.append(Shown(value, getattr(event, "seat")))  # noqa: B009 - of events with a card, which all have it
        elif (seats := getattr(event, "seats", None)) is not None:
            shown += [Shown(card, seat) for seat, card in zip(seats, value, strict=False)]
        else:
            own = None if viewer == GALLERY else viewer
            shown += [Shown(card, own, is_own=True) for card in value]
    return tuple(shown)


@cache
def _card_fields(event: type) -> tuple[str, ...]:
    return tuple([name for name, hint in get_type_hints(event, include_extras=True).items() if _holds_card(hint)])


def _holds_card(hint: Any) -> bool:
    return hint is Card or any(map(_holds_card, get_args(hint)))

"""Presenters: a family that no module here knows is told all the same, in plain values."""

from typing import get_args

from msgspec import Struct

from put_protocol.games.put import DidPut, PutEvent, PutView
from put_protocol.seats import Seat
from put_text.phrases import Speaker
from put_text.presenters import put
from put_text.presenters.registry import PRESENTERS, presenter_of


class Roll(Struct, frozen=True, tag_field="event", tag="dice_rolled"):
    seat: Seat
    pips: tuple[int, ...]
    says: str = ""


class Wait(Struct, frozen=True, tag_field="event", tag="wait"):
    pass


class DiceView(Struct, frozen=True, tag_field="view", tag="dice"):
    scores: tuple[int, ...]
    to_move: Seat | None = None


WHO = Speaker(("Jack", "Moll"), Seat(0))


def test_presenter_of_the_put_family_tells_its_events_and_its_view() -> None:
    """Every one of them, by its type."""
    event = DidPut(Seat(1))
    assert presenter_of(event) is put
    assert presenter_of(PutView(target=5, scores=(0, 0))) is put
    assert all(PRESENTERS[kind] is put for kind in get_args(PutEvent))


def test_unknown_family_is_told_by_the_names_of_its_fields() -> None:
    """Seats by their players, and nothing that a terminal would obey."""
    event = Roll(Seat(1), (6, 1), "\x1b[2J")
    assert presenter_of(event).event_clause(event, WHO) == 'dice rolled: seat Moll, pips 6,1, says "\\u001b[2J"'
    assert presenter_of(Wait()).event_clause(Wait(), WHO) == "wait"
    view = DiceView((2, 3))
    assert list(presenter_of(view).view_clauses(view, WHO)) == ["scores 2,3"]
    assert list(presenter_of(view).introduction_clauses(view, WHO)) == []

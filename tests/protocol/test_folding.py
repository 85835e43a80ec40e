"""Views folded from messages; that they are the server's is tried on games, in tests/conformance and tests/lobby."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_protocol.cards import Card
from put_protocol.folding import CannotFold, folded
from put_protocol.games import put
from put_protocol.games.families import FAMILIES
from put_protocol.games.unions import GameView
from put_protocol.games.unknown import UnknownEvent, UnknownView
from put_protocol.messages import Events, Turn
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameStarted, Said
from tests.protocol.strategies import instances
from tests.repetitions import often

NEAR, FAR = Seat(0), Seat(1)
VIEW = put.PutView(5, (0, 0), 1, NEAR, FAR, counts=(3, 3), to_move=FAR, moment=put.Moment.LEAD)
LED = put.Played(FAR, Card("3s"), leads=True)


def events(*told: Any, **fields: Any) -> Events:
    return Events(7, 1, told, **fields)


def test_view_is_what_the_events_and_the_turn_make_of_it() -> None:
    """The turn with `moment`; without one it is nobody's."""
    after = folded(VIEW, events(LED, turn=Turn(NEAR), moment="reply"), GALLERY)
    assert isinstance(after, put.PutView)
    assert (after.trick.cards, after.to_move, after.moment) == ((LED.card,), NEAR, put.Moment.REPLY)
    assert folded(VIEW, events(LED), GALLERY).to_move is None  # type: ignore[union-attr]  # it was some view's


def test_game_begins_at_its_opening() -> None:
    """Where the view of the game before is known, and the first of the next is not told."""
    after = folded(VIEW, events(GameStarted(2, ("Hal", "Nan"))), NEAR)
    assert after == put.PutView(5, (0, 0))


def test_view_that_comes_is_taken_as_it_is() -> None:
    """Whatever was known before, and whatever the events are."""
    for before in (None, VIEW, UnknownView("whist", {})):
        assert folded(before, events(UnknownEvent("rain", {}), LED, view=VIEW), NEAR) is VIEW


def test_message_that_changes_nothing_leaves_the_same_view() -> None:
    """Talk, or news of the table or its clock alone; without a view there is none to change."""
    for message in (events(), events(Said("Hal", "Good day.")), events(turn=Turn(FAR, 1_000))):
        assert folded(VIEW, message, NEAR) is VIEW
    for message in (events(), events(Said("Hal", "Good day.")), events(LED), events(UnknownEvent("rain", {}))):
        assert folded(None, message, NEAR) is None
    unknown = UnknownView("whist", {})
    assert folded(unknown, events(UnknownEvent("whist.played", {})), NEAR) is unknown


@pytest.mark.parametrize(
    ("before", "message"),
    [
        (VIEW, events(UnknownEvent("rain", {}))),
        (VIEW, events(turn=Turn(NEAR), moment="sing")),
        (None, events(turn=Turn(NEAR), moment="lead")),
        (UnknownView("whist", {}), events(turn=Turn(NEAR), moment="lead")),
        (VIEW, events(FAMILIES["triomphe"].events[0]((), (), NEAR))),
    ],
)
def test_what_is_not_known_is_not_folded(before: GameView | None, message: Events) -> None:
    """An event or a moment of a later release, or of another family; or a change of no view."""
    with pytest.raises(CannotFold):
        folded(before, message, NEAR)


@often(50)
@given(st.data())
def test_any_message_makes_a_view_or_none_is_known(data: st.DataObject) -> None:
    """Nothing else comes of it, whatever a server sends."""
    view = data.draw(st.none() | st.one_of([instances(family.view) for family in FAMILIES.values()]))
    message = data.draw(instances(Events))
    with suppress(CannotFold):
        after = folded(view, message, data.draw(st.sampled_from((NEAR, FAR, GALLERY))))
        assert message.view in (None, after)

"""The fold of events into a view, by itself; that it is the server's view is tried on games, in tests/conformance."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_protocol.blind_events import BlindEvent
from put_protocol.cards import Card
from put_protocol.games import families, put
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Event, GameView
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import Said, Sat, TableEvent, TimedOut, seated_names
from tests.protocol.strategies import about
from tests.repetitions import often

NEAR, FAR = Seat(0), Seat(1)
OPENING = put.PutView(
    target=5,
    scores=(0, 0),
    accepted=put.Worth.TO_TARGET,
    ranking=("3", "2"),
    sides=(),
    to_move=NEAR,
    moment=put.Moment.LEAD,
)
PutEvents = put.PutEvent | TableEvent | BlindEvent

HAND = (Card("3s"), Card("2h"), Card("Kd"))
DEALT = put.Dealt(1, NEAR, FAR, (3, 3), HAND)


def followed(*events: PutEvents, viewer: Viewer = NEAR, view: put.PutView = OPENING) -> put.PutView:
    after: GameView = view
    for event in events:
        after = families.apply_event(after, event, viewer)
    assert isinstance(after, put.PutView)
    return after


def test_view_follows_a_hand_to_its_end() -> None:
    """Cards leave the hand for the trick, the trick is laid aside, the hand is scored; what differs between games
    stays as it was."""
    played = followed(DEALT, put.Played(FAR, Card("Qs"), leads=True), put.Played(NEAR, Card("2h")))
    assert (played.cards, played.counts) == ((Card("3s"), Card("Kd")), (2, 2))
    assert played.trick == TrickView((FAR, NEAR), (Card("Qs"), Card("2h")))
    taken = followed(put.TrickEnded(1, NEAR, NEAR, (1, 0)), put.DidPut(NEAR), put.ThrewIn(FAR), view=played)
    assert taken.past == (TrickView((FAR, NEAR), (Card("Qs"), Card("2h")), NEAR),)
    assert (taken.tricks, taken.trick, taken.putter) == ((1, 0), TrickView(), NEAR)
    assert (taken.playing, taken.counts, taken.cards) == ((True, False), (2, 0), (Card("3s"), Card("Kd")))
    over = followed(put.HandEnded(put.HandWon.THROWN_IN, NEAR, 1, (1, 0)), view=taken)
    assert (over.scores, over.hand, over.cards, over.counts, over.dealer) == ((1, 0), 1, (), (), None)
    assert (over.accepted, over.ranking, over.target) == (put.Worth.TO_TARGET, ("3", "2"), 5)


def test_view_says_nothing_of_who_is_to_move() -> None:
    """No event tells it, so it is not kept from before; what changes no game leaves it as it was."""
    assert (followed(put.DidPut(NEAR)).to_move, followed(put.DidPut(NEAR)).moment) == (None, None)
    assert followed(TimedOut(NEAR)).to_move is None
    assert followed(Sat(FAR, "Hal"), Said("Hal", "Good day.")) is OPENING


def test_rubber_that_goes_on_begins_its_next_game_at_nothing() -> None:
    """The event says so, and nobody has to know how many games it takes."""
    ended = put.GameEnded(put.GameWon.POINTS, (NEAR,), (5, 2), (1, -1), rubber=(1, 0))
    goes_on = put.GameEnded(put.GameWon.POINTS, (NEAR,), (5, 2), (1, -1), rubber=(1, 0), goes_on=True)
    assert (followed(DEALT, ended).scores, followed(DEALT, ended).hand) == ((5, 2), 1)
    assert (followed(DEALT, goes_on).scores, followed(DEALT, goes_on).hand) == ((0, 0), 0)
    assert followed(DEALT, goes_on).rubber == (1, 0)


def test_partner_of_eldest_is_eldest_when_given_their_card() -> None:
    """The lead stays with the side; and who gave is out of the hand, their other cards thrown away."""
    opening = put.PutView(5, (0,) * 4, sides=(0, 1, 0, 1))
    dealt = put.Dealt(1, NEAR, FAR, (3,) * 4, HAND)
    gave = followed(dealt, put.Gave(FAR, Seat(3)), put.Gave(NEAR, Seat(2), HAND[0]), view=opening)
    assert (gave.eldest, gave.givers, gave.playing) == (3, (1, 0), (False, False, True, True))
    assert (gave.gave, gave.thrown, gave.cards, gave.counts) == (HAND[0], HAND[1:], (), (0, 0, 4, 4))
    given_ = followed(dealt, put.Gave(Seat(2), NEAR, Card("As")), view=opening)
    assert (given_.eldest, given_.cards) == (FAR, (*HAND, Card("As")))
    out = followed(dealt, put.ThrewIn(FAR), view=opening)
    assert out.playing == (True, False, True, False)


def test_who_leaves_between_hands_is_out_of_none() -> None:
    """Their side's cards of the hand before have been laid away."""
    over = followed(DEALT, put.HandEnded(put.HandWon.DRAWN, None, 0, (0, 0)))
    assert followed(put.ThrewIn(FAR, put.Cause.LEFT), view=over) == over


@often(25)
@given(st.data())
def test_any_events_in_any_order_make_a_view(data: st.DataObject) -> None:
    """Of seats that there are; so a file that no game wrote can be shown, whatever it shows."""
    players = data.draw(st.integers(1, 4))
    viewer = data.draw(st.just(GALLERY) | st.integers(0, players - 1).map(Seat))
    view = data.draw(about(put.PutView, players))
    events = data.draw(st.lists(st.one_of([about(kind, players) for kind in get_args(PutEvents)]), max_size=6))
    after = followed(*events, viewer=viewer, view=view)
    assert (after.target, after.ranking, after.sides) == (view.target, view.ranking, view.sides)
    assert families.mover_of(view, tuple(events)) in (None, *range(players))


@pytest.mark.parametrize(
    ("events", "mover"),
    [
        ((), None),
        ((DEALT,), None),
        ((put.Played(FAR, Card("3s")), put.TrickEnded(1, FAR, FAR, (0, 1))), FAR),
        ((put.LetGive(NEAR), put.Gave(Seat(2), NEAR)), NEAR),
        ((put.ThrewIn(FAR, put.Cause.TIME),), FAR),
        ((put.ThrewIn(FAR, put.Cause.LEFT),), None),
        ((put.FreshDeal(FAR),), FAR),
        ((put.FreshDeal(None),), None),
        ((put.ExtraDrawn(FAR), put.TakenUp((3, 3))), None),
    ],
)
def test_mover_is_whose_action_it_was(events: tuple[Event, ...], mover: Seat | None) -> None:
    """The first event says it; of who leaves, and of what befalls a deal, nobody may have been to move."""
    assert families.mover_of(put.PutView(target=5, scores=(0, 0)), events) == mover


def test_names_change_when_somebody_sits_down() -> None:
    """And with no other event."""
    assert seated_names(("Moll", "Nan"), Sat(FAR, "Hal")) == ("Moll", "Hal")
    assert seated_names(("Moll", "Nan"), put.DidPut(FAR)) == ("Moll", "Nan")

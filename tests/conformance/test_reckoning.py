"""The laws of purses, of the deal and of the end, over random games of every registered rule set."""

from typing import Any

import pytest

from put_protocol.games.families import FAMILIES
from put_protocol.games.unions import Ending, ending_of
from put_protocol.seats import GALLERY, Seat
from put_rules.game import Over
from put_rules.registry import GAMES
from tests.conformance.random_games import Leave
from tests.conformance.tables import Table, at_every_table, games_at


@at_every_table
def test_purses_and_pot_sum_to_nothing(table: Table) -> None:
    """At every moment: what the purses have lost lies in the pot, and when the game is over nothing does. A view that
    tells of purses and pot tells the same."""
    for played in games_at(table):
        for step in played.steps:
            paid, pot = played.game.paid(step.state), played.game.pot(step.state)
            assert len(paid) == played.setup.seats
            assert sum(paid) + pot == 0
            assert pot >= 0
            for viewer in played.setup.viewers:
                view = played.game.view(step.state, viewer)
                assert getattr(view, "gains", paid) == paid
                assert getattr(view, "pot", getattr(view, "pool", pot)) == pot
        assert played.game.pot(played.steps[-1].state) == 0


@at_every_table
def test_end_is_told_once_and_as_it_was_paid(table: Table) -> None:
    """The last event of a game, for everyone, is its end; what all ends told together is what the purses gained; and
    winners gain."""
    for played in games_at(table):
        told = [0] * played.setup.seats
        for step in played.steps:
            is_over = isinstance(played.game.awaits(step.state), Over)
            for viewer in played.setup.viewers:
                ends = [event for event in step.seen_by(viewer) if ending_of(event) is not None]
                assert len(ends) == is_over
                assert not is_over or ends == [step.seen_by(viewer)[-1]]
            for event in step.seen_by(GALLERY):
                if isinstance(event, Ending):
                    gains = event.gains if hasattr(event, "gains") else event.paid
                    assert sum(gains) == 0
                    assert all(gains[winner] > 0 for winner in event.winners)
                    told = [sum(both) for both in zip(told, gains, strict=True)]
        assert tuple(told) == played.game.paid(played.steps[-1].state)


@pytest.mark.parametrize("name", GAMES)
def test_direction_is_that_of_the_family(name: str) -> None:
    """What a rule set's offer says goes for all games of its family."""
    offer = GAMES[name].offer
    assert offer.direction is FAMILIES[offer.family].direction


@at_every_table
def test_deal_passes_on(table: Table) -> None:
    """The next hand is dealt by the player in the next seat, over those who left; a hand that is dealt again by who
    dealt it, while they are there; and the first to speak sits next to the dealer."""
    for played in games_at(table):
        seats = played.setup.seats
        left: set[Seat] = set()
        last: Seat | None = None
        hand = 0
        for step in played.steps:
            if isinstance(step.given, Leave):
                left.add(step.given.seat)
            for event in step.seen_by(GALLERY):
                if isinstance(event, Ending):
                    hand = 0  # of a rubber, and the next game counts anew
                elif event.__struct_fields__[:3] == ("hand", "dealer", "eldest"):
                    dealt: Any = event
                    if last is not None:
                        due = last if dealt.hand == hand else (last + 1) % seats
                        assert dealt.dealer == next_there(due, left, seats)
                    assert dealt.eldest == next_there(dealt.dealer + 1, left, seats)
                    last, hand = dealt.dealer, dealt.hand
        assert last is not None or left
        awaits = played.game.awaits(played.steps[-1].state)
        assert isinstance(awaits, Over)
        assert awaits.dealer in range(seats)


def next_there(seat: int, left: set[Seat], seats: int) -> Seat:
    """This seat, or the first after it whose player has not left the game."""
    return next(s for s in (Seat((seat + step) % seats) for step in range(seats)) if s not in left)

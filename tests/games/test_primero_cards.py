"""The cards of Primero: each is in one place, from the deal to the end of the hand."""

from collections.abc import Iterator

import pytest

from put_protocol.games import primero
from put_protocol.seats import GALLERY, Seat
from put_rules.primero.state import PACK, PrimeroState
from tests.conformance.random_games import Step
from tests.conformance.tables import Played, Table, games_at
from tests.games.vectors import FOLDER, read, steps

TABLES = tuple(Table("primero", seats) for seats in (3, 4, 5, 6))
at_every_number_of_seats = pytest.mark.parametrize("table", TABLES, ids=str)


def steps_of(table: Table, *, share: float = 1.0) -> Iterator[tuple[Played, Step, PrimeroState]]:
    for played in games_at(table, share=share):
        for step in played.steps:
            assert isinstance(step.state, PrimeroState)
            yield played, step, step.state


def check_cards(state: PrimeroState) -> None:
    """Each of the forty is in a hand, in the stock, among those laid away, or being laid down; between hands none is.

    :raises AssertionError: it is not so.
    """
    hands = state.hands.unseal()
    held = [card for hand in hands for card in hand]
    places = [*held, *state.stock.unseal(), *state.away.unseal(), *state.laying.unseal()]
    assert sorted(places) == (sorted(PACK) if hands else [])


@at_every_number_of_seats
def test_every_card_is_in_one_place(table: Table) -> None:
    """At every step of random sittings."""
    for _, _, state in steps_of(table):
        check_cards(state)


def test_every_card_is_in_one_place_in_every_vector() -> None:
    """Where the stock is renewed, too, which random sittings seldom come to."""
    for path in sorted((FOLDER / "primero").glob("*.txt")):
        for _, step in steps(read(path)):
            check_cards(step.state)


@at_every_number_of_seats
def test_who_is_in_holds_two_cards_or_four(table: Table) -> None:
    """Who is out holds none; who waits for a new stock holds fewer for that long."""
    for _, _, state in steps_of(table):
        view = state.view
        waiting = state.asked[:1] if state.drawing else ()
        sizes = {count for seat, count in enumerate(view.counts) if view.playing[seat] and seat not in waiting}
        assert sizes in (set(), {2}, {4})
        assert not any(count for seat, count in enumerate(view.counts) if not view.playing[seat])


@at_every_number_of_seats
def test_showdown_shows_who_is_in_and_nobody_else(table: Table) -> None:
    """Hands of players who are out, and laid-down cards, are never shown to anybody else."""
    for played, step, state in steps_of(table):
        view = state.view
        for event in step.seen_by(GALLERY):
            shown = {card for card, _, _ in event.shows(GALLERY)}
            assert not shown or isinstance(event, primero.Showdown | primero.TurnedUp)
            if isinstance(event, primero.Showdown):
                seats = [hand.seat for hand in event.hands]
                assert seats == [Seat(seat) for seat in played.game.terms.right_of[view.dealer] if view.playing[seat]]
                assert all(len(hand.cards) == 4 for hand in event.hands)

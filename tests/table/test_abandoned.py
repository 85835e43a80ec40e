"""The option `abandoned`: what becomes of the seat of a player who goes away in the middle of a game."""

from put_protocol.games.put import GameEnded
from put_protocol.messages import Decision, TableSnapshot
from put_protocol.table_events import Sat, Stood
from put_server.table.table_effects import HouseSat, PersonId
from tests.table.table_harness import TableHarness, playing

HOUSE = PersonId(99)


def abandoned_by_mover(harness: TableHarness) -> tuple[PersonId, PersonId, Decision]:
    """Who goes, who stays, and the question the first leaves unanswered."""
    goes, stays, decision = harness.mover, harness.waiter, harness.decision
    harness.leave(goes)
    return goes, stays, decision


def test_house_takes_the_seat_the_cards_and_the_question() -> None:
    """With `house` a house player has the very cards and choices of whoever left, and the game goes on."""
    harness = playing(abandoned="house")
    held = harness.cards_of(harness.mover)
    _, stays, decision = abandoned_by_mover(harness)
    seat = harness.table.seating.seat_of(HOUSE)
    assert seat is not None
    assert harness.cards_of(HOUSE) == held
    assert harness.last(HOUSE, Decision).legal == decision.legal
    told = harness.events(stays)
    assert [type(event) for event in told[-2:]] == [Stood, Sat]
    assert not any(isinstance(event, GameEnded) for event in told)
    harness.act(harness.decision.legal[0].action)
    assert harness.last(HOUSE, TableSnapshot).viewer == seat


def test_house_is_announced_to_whoever_runs_it() -> None:
    """The effect that seats the house player names it, so that somebody thinks for it."""
    harness = playing(abandoned="house")
    effects = harness.table.leave(harness.mover, harness.now)
    assert [effect.person for effect in effects if isinstance(effect, HouseSat)] == [HOUSE]


def test_forfeit_ends_the_game_between_two() -> None:
    """With `forfeit`, as by default, the other player wins."""
    harness = playing()
    _, stays, _ = abandoned_by_mover(harness)
    (ended,) = [event for event in harness.events(stays) if isinstance(event, GameEnded)]
    assert ended.winners == (harness.table.seating.seat_of(stays),)


def test_house_takes_no_seat_that_was_resigned() -> None:
    """A player who has given up the game and goes then leaves nothing to play on."""
    harness = playing(3, abandoned="house")
    goes = harness.mover
    harness.resign(goes)
    harness.leave(goes)
    assert harness.table.seating.seat_of(HOUSE) is None
    assert harness.table.seating.seat_of(goes) is None


def test_house_takes_the_seat_of_who_was_away_too_long() -> None:
    """A bank that is spent is a leaving like any other."""
    harness = playing(abandoned="house", bank=10)
    goes = harness.mover
    harness.disconnect(goes)
    harness.tick(harness.now + 10_000)
    assert harness.table.seating.seat_of(goes) is None
    assert harness.table.seating.seat_of(HOUSE) is not None
    assert harness.mover == HOUSE

"""The option `abandoned`: what becomes of the seat of a player who goes away in the middle of a game."""

from put_protocol.games.put import (
    GameEnded,
)
from put_protocol.messages import Decision, TableSnapshot
from put_protocol.table_events import (
    Sat,
    Stood,
)
from put_server.table.effects import HouseSat, PersonId
from tests.table.table_harness import Felt, playing

HOUSE = PersonId(99)


def abandoned_by_mover(felt: Felt) -> tuple[PersonId, PersonId, Decision]:
    """Who goes, who stays, and the question the first leaves unanswered."""
    goes, stays, decision = felt.mover, felt.waiter, felt.decision
    felt.leave(goes)
    return goes, stays, decision


def test_house_takes_the_seat_the_cards_and_the_question() -> None:
    """With `house` a house player has the very cards and choices of whoever left, and the game goes on."""
    felt = playing(abandoned="house")
    held = felt.cards_of(felt.mover)
    _, stays, decision = abandoned_by_mover(felt)
    seat = felt.table.seat_of(HOUSE)
    assert seat is not None
    assert felt.cards_of(HOUSE) == held
    assert felt.last(HOUSE, Decision).legal == decision.legal
    told = felt.events(stays)
    assert [type(event) for event in told[-2:]] == [Stood, Sat]
    assert not any(isinstance(event, GameEnded) for event in told)
    felt.act(felt.decision.legal[0].action)
    assert felt.last(HOUSE, TableSnapshot).viewer == seat


def test_house_is_announced_to_whoever_runs_it() -> None:
    """The effect that seats the house player names it, so that somebody thinks for it."""
    felt = playing(abandoned="house")
    effects = felt.table.leave(felt.mover, felt.now)
    assert [effect.person for effect in effects if isinstance(effect, HouseSat)] == [HOUSE]


def test_forfeit_ends_the_game_between_two() -> None:
    """With `forfeit`, as by default, the other player wins."""
    felt = playing()
    _, stays, _ = abandoned_by_mover(felt)
    (ended,) = [event for event in felt.events(stays) if isinstance(event, GameEnded)]
    assert ended.winners == (felt.table.seat_of(stays),)


def test_house_takes_no_seat_that_was_resigned() -> None:
    """Who has given up the game himself and goes then leaves nothing to play on."""
    felt = playing(3, abandoned="house")
    goes = felt.mover
    felt.resign(goes)
    felt.leave(goes)
    assert felt.table.seat_of(HOUSE) is None
    assert felt.table.seat_of(goes) is None


def test_house_takes_the_seat_of_who_was_away_too_long() -> None:
    """A bank that is spent is a leaving like any other."""
    felt = playing(abandoned="house", bank=10)
    goes = felt.mover
    felt.lose(goes)
    felt.tick(felt.now + 10_000)
    assert felt.table.seat_of(goes) is None
    assert felt.table.seat_of(HOUSE) is not None
    assert felt.mover == HOUSE

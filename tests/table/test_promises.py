"""What a table that seals its deals makes of promises, of who comes back, and of deals for which nobody cuts."""

import random

from put_protocol.messages import Events
from put_protocol.seal.told import DealVoided, Sealed
from put_protocol.seats import Seat
from tests.table.felt import ANN, BEN, EVE
from tests.table.test_sealing import SealedFelt


def awaited() -> SealedFelt:
    """A deal that waits for Ben's cut, Ann's having been given."""
    felt = SealedFelt()
    felt.idle.add(BEN)
    felt.join(ANN, Seat(0))
    felt.join(BEN, Seat(1))
    return felt


def told(felt: SealedFelt, kind: type[Sealed | DealVoided]) -> list[int]:
    """The numbers of deals Ann was told of so."""
    events = [event for message in felt.mail[ANN] if isinstance(message, Events) for event in message.events]
    return [event.deal for event in events if isinstance(event, kind)]


def test_promise_that_stands_already_changes_nothing() -> None:
    """Who says again where his chain stands, as after a drop, does not call the deal off that waits for him."""
    felt = awaited()
    felt.do(felt.table.promise(BEN, felt.checkers[BEN].end, felt.now))
    assert told(felt, DealVoided) == []
    felt.do(felt.table.promise(BEN, bytes(32), felt.now))
    assert told(felt, DealVoided) == [1]
    assert told(felt, Sealed) == [1, 2]


def test_deal_that_waits_for_who_comes_back_by_another_line_is_sealed_anew() -> None:
    """It was told to the line he lost, before anybody knew that he had; nobody is said to have been late."""
    felt = awaited()
    felt.do(felt.table.find(BEN, None, felt.now))
    assert told(felt, DealVoided) == [1]
    assert told(felt, Sealed) == [1, 2]
    felt.idle.clear()
    felt.listen()
    assert felt.failures == []


def test_seals_are_counted_without_gaps_whatever_is_not_sealed_between() -> None:
    """A deal for which nobody cuts has no seal, and no number that anybody could miss; and nobody is accused."""
    felt = SealedFelt()
    felt.look_on(EVE)
    felt.join(ANN, Seat(0))
    felt.join(BEN, Seat(1), takes_part=False)
    dice = random.Random(1)
    felt.play_on(dice, 20)
    felt.checkers[ANN].withdraw()
    felt.do(felt.table.promise(ANN, None, felt.now))
    felt.play_on(dice, 40)
    before = told(felt, Sealed)
    felt.do(felt.table.promise(ANN, felt.checkers[ANN].end, felt.now))
    felt.play_on(dice, 40)
    numbers = told(felt, Sealed)
    assert len(numbers) > len(before)
    assert numbers == [*range(1, len(numbers) + 1)]
    assert felt.failures == []

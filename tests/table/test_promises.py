"""What a table that seals its deals makes of promises, of who comes back, and of deals for which nobody cuts."""

import random
from collections.abc import Callable

import pytest

from put_protocol.events import DealerFound, Dealt, Drawn
from put_protocol.messages import Events
from put_protocol.seal.chain import Chain
from put_protocol.seal.told import DealVoided, Sealed
from put_protocol.seats import Seat
from put_server.table.sealing import CALLED_OFF_MS, CUT_MS
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


def calls_off_by_promising(felt: SealedFelt) -> None:
    """A chain that is promised anew while the deal waits for a link of the one before."""
    felt.checkers[BEN].renew(Chain(len(felt.mail[BEN]).to_bytes(32), 64))
    felt.do(felt.table.promise(BEN, felt.checkers[BEN].end, felt.now))


def calls_off_by_coming_back(felt: SealedFelt) -> None:
    """By another line, which takes the place of the one he has."""
    felt.checkers[BEN].resume()
    felt.find(BEN, None)


def calls_off_by_dropping(felt: SealedFelt) -> None:
    """His line, and taking up another at once."""
    felt.lose(BEN)
    calls_off_by_coming_back(felt)


WAYS = (calls_off_by_promising, calls_off_by_coming_back, calls_off_by_dropping)


@pytest.mark.parametrize("wait", [0, 1_000, CUT_MS - 1])
@pytest.mark.parametrize("call_off", WAYS)
def test_nobody_holds_up_a_table_by_calling_deals_off(call_off: Callable[[SealedFelt], None], wait: int) -> None:
    """However quickly or slowly he does it, he is left out when his time to cut is spent: the others are dealt to, and
    wait no longer for him than for who says nothing at all. When he promises again, the next deal has his cut."""
    felt = awaited()
    began = felt.now
    for _ in range(CUT_MS // CALLED_OFF_MS + 1):
        if felt.table._seal is not None:
            felt.now += wait
            call_off(felt)
            felt.listen()
    assert isinstance(felt.events(ANN)[-1], Drawn | DealerFound | Dealt)
    assert felt.now - began <= 2 * CUT_MS
    voided = [event for event in felt.events(ANN) if isinstance(event, DealVoided)]
    assert [event.seats for event in voided] == [()] * (len(voided) - 1) + [(Seat(1),)]
    felt.idle.clear()
    felt.do(felt.table.promise(BEN, felt.checkers[BEN].end, felt.now))
    before = len(told(felt, Sealed))
    felt.play_on(random.Random(1), 40)
    sealed = [event for event in felt.events(ANN) if isinstance(event, Sealed)]
    assert len(sealed) > before
    assert all(event.cuts[1] is not None for event in sealed[before:])
    assert felt.failures == []


def test_time_to_cut_is_whole_again_when_cards_are_dealt() -> None:
    """Who has a bad line the whole evening is not left out by and by."""
    felt = SealedFelt()
    felt.join(ANN, Seat(0))
    felt.idle.add(BEN)
    felt.join(BEN, Seat(1))
    dice = random.Random(1)
    for _ in range(3):
        for _ in range(CUT_MS // CALLED_OFF_MS // 2):
            calls_off_by_dropping(felt)
            felt.listen()
        felt.idle.clear()
        felt.listen()
        felt.idle.add(BEN)
        while felt.table._seal is None:
            felt.play_on(dice, 1)
    voided = [event for event in felt.events(ANN) if isinstance(event, DealVoided)]
    assert len(voided) > CUT_MS // CALLED_OFF_MS
    assert not any(event.seats for event in voided)
    assert felt.failures == []

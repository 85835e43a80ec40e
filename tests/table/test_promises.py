"""Promises and cuts at a table that seals its deals: whom a void may name, and who is waited for."""

import random
from collections.abc import Callable

import pytest

from put_protocol.cards import FULL_PACK
from put_protocol.games.put import DealerFound, Dealt, Drawn, GameEnded
from put_protocol.messages import Events, Left
from put_protocol.refusals import RefusalCode
from put_protocol.seal.cuts import Chain
from put_protocol.seal.packs import laid
from put_protocol.seal_events import CutMade, CutsShown, DealVoided, Sealed
from put_protocol.seats import Seat
from put_protocol.table_events import PresenceChanged, Stood
from put_server.table.sealed_deal import CUT_MS
from put_server.table.step_waits import PULSE_MS
from tests.table.table_harness import ANN, BEN, CAT, EVE
from tests.table.test_sealing import SealedTableHarness
from tests.table.test_table import refused


def awaited() -> SealedTableHarness:
    """A deal that waits for Ben's cut, Ann's having been given."""
    harness = SealedTableHarness()
    harness.idle.add(BEN)
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1))
    return harness


def three() -> SealedTableHarness:
    """Three players, of whom two have yet to cut."""
    harness = SealedTableHarness(seats=3)
    harness.idle.update((BEN, CAT))
    for seat, person in enumerate((ANN, BEN, CAT)):
        harness.join(person, Seat(seat))
    return harness


def told(harness: SealedTableHarness, kind: type[Sealed | DealVoided | CutMade]) -> list[int]:
    """The numbers of deals Ann was told of so."""
    events = [event for message in harness.mail[ANN] if isinstance(message, Events) for event in message.events]
    return [event.deal for event in events if isinstance(event, kind)]


def voids(harness: SealedTableHarness) -> list[DealVoided]:
    """What Ann was told of voids."""
    return [event for event in harness.events(ANN) if isinstance(event, DealVoided)]


def test_cut_is_told_to_everyone_at_once() -> None:
    """While others have yet to cut; so nobody can be said not to have cut who has."""
    harness = awaited()
    made = [event for event in harness.events(BEN) if isinstance(event, CutMade)]
    assert [(event.deal, event.seat) for event in made] == [(1, Seat(0))]
    harness.idle.clear()
    harness.listen()
    shown = [event for event in harness.events(BEN) if isinstance(event, CutsShown)]
    assert shown[0].links[0] == made[0].link
    assert harness.failures == []


def test_promise_that_stands_already_changes_nothing() -> None:
    """Whoever says again where their chain stands, as after a drop, does not call the deal off that waits for them."""
    harness = awaited()
    harness.do(harness.table.promise(BEN, harness.checkers[BEN].own.end, harness.now))
    assert told(harness, DealVoided) == []
    harness.do(harness.table.promise(BEN, bytes(32), harness.now))
    assert [(void.deal, void.seats) for void in voids(harness)] == [(1, (Seat(1),))]
    assert told(harness, Sealed) == [1, 2]


def test_void_turns_up_both_packs() -> None:
    """A deal that is called off hides nothing about what was sealed for it."""
    harness = awaited()
    harness.wait_out(BEN)
    (void,) = voids(harness)
    sealed = next(event for event in harness.events(ANN) if isinstance(event, Sealed))
    assert void.seeds is not None
    packs = [laid(seed, 7, 1, pack, FULL_PACK) for pack, seed in enumerate(void.seeds)]
    assert tuple([pack.root for pack in packs]) == sealed.roots


def test_deal_that_waits_for_who_comes_back_by_another_connection_goes_on_waiting() -> None:
    """They know the seal, or are shown it; nothing is called off, and the same deal is cut."""
    harness = awaited()
    harness.reconnect(BEN, None)
    harness.idle.clear()
    harness.listen()
    assert told(harness, DealVoided) == []
    assert isinstance(harness.events(ANN)[-1], Drawn | DealerFound | Dealt)
    assert harness.failures == []


def test_cutter_whose_connection_stalls_is_never_named() -> None:
    """Where no ping is answered their cut may be on its way: they are waited for until the connection is given up."""
    harness = awaited()
    harness.stalled.add(BEN)
    harness.tick(harness.now + 100 * CUT_MS)
    assert voids(harness) == []
    harness.stalled.clear()
    harness.do(harness.table.answer_ping(BEN, harness.now))
    harness.idle.clear()
    harness.listen()
    assert harness.tick(harness.now + PULSE_MS) == 0
    assert voids(harness) == []
    assert harness.failures == []


def test_cutter_who_is_away_has_their_time_whole_when_they_are_back() -> None:
    """Time away is the bank's to count."""
    harness = awaited()
    harness.tick(harness.now + CUT_MS - 1)
    harness.disconnect(BEN)
    harness.tick(harness.now + 60_000)
    harness.reconnect(BEN, harness.number(BEN))
    harness.tick(harness.now + CUT_MS - 1)
    assert voids(harness) == []
    harness.dropped.clear()
    harness.tick(harness.now + 1)
    harness.tick(harness.now + PULSE_MS)
    assert [void.seats for void in voids(harness)] == [(Seat(1),)]


def test_seals_are_counted_without_gaps_whatever_is_not_sealed_between() -> None:
    """A deal for which nobody cuts has no seal, and no number that anybody could miss; and nobody is accused."""
    harness = SealedTableHarness()
    harness.look_on(EVE)
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1), takes_part=False)
    dice = random.Random(1)
    harness.play_on(dice, 20)
    harness.checkers[ANN].own.withdraw()
    harness.do(harness.table.promise(ANN, None, harness.now))
    harness.play_on(dice, 40)
    before = told(harness, Sealed)
    harness.do(harness.table.promise(ANN, harness.checkers[ANN].own.end, harness.now))
    harness.play_on(dice, 40)
    numbers = told(harness, Sealed)
    assert len(numbers) > len(before)
    assert numbers == [*range(1, len(numbers) + 1)]
    assert harness.failures == []


def misses_by_silence(harness: SealedTableHarness) -> None:
    """They say nothing, on a connection that stands."""
    harness.wait_out(BEN)
    if harness.table.seating.seat_of(BEN) is not None:
        harness.do(harness.table.promise(BEN, harness.checkers[BEN].own.end, harness.now))


def misses_by_promising(harness: SealedTableHarness) -> None:
    """They promise another chain while the deal waits for a link of the one before."""
    harness.checkers[BEN].own.renew(Chain(len(harness.mail[BEN]).to_bytes(32), 64))
    harness.do(harness.table.promise(BEN, harness.checkers[BEN].own.end, harness.now))


@pytest.mark.parametrize("miss", [misses_by_silence, misses_by_promising])
def test_who_misses_the_cut_twice_running_leaves_the_game(miss: Callable[[SealedTableHarness], None]) -> None:
    """As if their bank were spent: the other player has won, and they are told why."""
    harness = awaited()
    began = harness.now
    miss(harness)
    harness.listen()
    if harness.table.model.deals.cutting is None:  # what they were left out of is dealt; they miss the next
        harness.play_on(random.Random(1), 40)
    harness.idle.add(BEN)
    while not harness.sent(BEN, Left):
        if harness.table.model.deals.cutting is None:
            harness.play_on(random.Random(2), 1)
        else:
            miss(harness)
            harness.tick(harness.now)
            harness.listen()
    assert any(isinstance(event, Stood) and event.seat == 1 for event in harness.events(ANN))
    assert harness.now - began <= 4 * (CUT_MS + PULSE_MS)


def test_two_who_take_turns_at_not_cutting_hold_up_nobody() -> None:
    """A cut of a deal that is called off all the same wins no time: both have left after two misses each."""
    harness = three()
    harness.idle.clear()
    turns = 0
    while harness.table.model.deals.cutting is not None or not any(
        isinstance(event, GameEnded) for event in harness.events(ANN)
    ):
        assert harness.table.model.deals.cutting is not None
        harness.idle = {(BEN, CAT)[turns % 2]}
        harness.listen()
        (idle,) = harness.idle
        if harness.table.seating.seat_of(idle) is None:
            break
        harness.wait_out(idle)
        if harness.table.seating.seat_of(idle) is not None:
            harness.do(harness.table.promise(idle, harness.checkers[idle].own.end, harness.now))
        turns += 1
        assert turns <= 4
    assert harness.now - 1_000 <= 4 * (CUT_MS + PULSE_MS)


def test_missed_cut_is_forgotten_when_a_deal_is_cut_and_dealt() -> None:
    """Only misses without a cut between are running."""
    harness = awaited()
    harness.wait_out(BEN)
    harness.listen()
    harness.idle.clear()
    harness.do(harness.table.promise(BEN, harness.checkers[BEN].own.end, harness.now))
    dice = random.Random(1)
    sealed = len(told(harness, Sealed))
    while len(told(harness, Sealed)) == sealed or harness.table.model.deals.cutting is not None:
        harness.play_on(dice, 1)
    harness.idle.add(BEN)
    sealed = len(told(harness, Sealed))
    while len(told(harness, Sealed)) == sealed:
        harness.play_on(dice, 1)
    harness.wait_out(BEN)
    assert [void.seats for void in voids(harness)] == [(Seat(1),)] * 2
    assert harness.sent(BEN, Left) == []


def test_deal_that_is_cut_when_somebody_leaves_names_who_left() -> None:
    """Not those who have yet to cut and may have done so already; with three the others are dealt another."""
    harness = three()
    harness.resign(ANN)
    (void,) = voids(harness)
    assert (void.seats, void.left) == ((), (Seat(0),))
    harness.idle.clear()
    harness.listen()
    first, *later = [event for event in harness.events(BEN) if isinstance(event, Sealed)]
    assert Seat(0) in first.to
    assert later
    assert not any(Seat(0) in event.to for event in later)
    assert harness.failures == []


def test_player_who_is_away_does_not_make_others_late() -> None:
    """The time of who is here runs out alone; when the other is back and has cut, only the first is named."""
    harness = three()
    harness.disconnect(CAT)
    assert isinstance(harness.events(ANN)[-1], PresenceChanged)
    harness.wait_out(BEN)
    assert voids(harness) == []
    harness.idle.clear()
    harness.reconnect(CAT, harness.number(CAT))
    harness.listen()
    assert [void.seats for void in voids(harness)] == [(Seat(1),)]
    assert harness.failures == []


def test_player_whose_cut_is_on_its_way_is_never_made_to_miss_another() -> None:
    """Two others promise anew, one after the other, each time before the third's cut is here: no deal is called off
    before it is, so the third is named by no void, and has missed nothing."""
    harness = SealedTableHarness(seats=3)
    harness.idle.update((ANN, BEN, CAT))
    for seat, person in enumerate((ANN, BEN, CAT)):
        harness.join(person, Seat(seat))
    for number, spoiler in enumerate((BEN, CAT)):
        harness.checkers[spoiler].own.renew(Chain(bytes([number + 7]) * 32, 64))
        harness.do(harness.table.promise(spoiler, harness.checkers[spoiler].own.end, harness.now))
        assert len(voids(harness)) == number, "it waits for the others' cuts"
        harness.idle.clear()
        for person in (ANN, BEN, CAT):
            link = harness.checkers[person].cut() if person != spoiler else None
            if link is not None:
                harness.do(harness.table.cut(person, number + 1, link, harness.now))
        harness.idle.update((ANN, BEN, CAT))
        harness.listen()
        assert [void.seats for void in voids(harness)][number:] == [(Seat(number + 1),)]
    assert harness.table.seating.chairs[0].misses == 0
    assert harness.table.seating.seat_of(ANN) is not None
    assert harness.failures == []


def test_cut_that_crosses_a_departure_is_no_miss() -> None:
    """The deal is called off at once for who left; the link given for it is spent, and the next seal asks for it again.
    Whoever says so is not said to have missed that one; but only once."""
    harness = SealedTableHarness(seats=3)
    harness.idle.update((ANN, BEN, CAT))
    for seat, person in enumerate((ANN, BEN, CAT)):
        harness.join(person, Seat(seat))
    link = harness.checkers[ANN].cut()
    harness.leave(CAT)
    assert refused(harness, lambda: harness.table.cut(ANN, 1, link or b"", harness.now)) is RefusalCode.TOO_LATE
    harness.idle.discard(BEN)
    harness.listen()
    harness.do(harness.table.promise(ANN, link, harness.now))
    assert harness.table.seating.chairs[0].misses == 0
    harness.idle.add(BEN)
    harness.do(harness.table.promise(ANN, bytes(32), harness.now))
    assert harness.table.seating.chairs[0].misses == 1

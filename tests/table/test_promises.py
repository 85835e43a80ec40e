"""Promises and cuts at a table that seals its deals: whom a void may name, and who is waited for."""

import random
from collections.abc import Callable

import pytest

from put_protocol.games.put import (
    DealerFound,
    Dealt,
    Drawn,
    GameEnded,
)
from put_protocol.messages import Events, Left
from put_protocol.refusals import RefusalCode
from put_protocol.seal.chain import Chain
from put_protocol.seal.events import FULL_PACK, CutMade, CutsShown, DealVoided, Sealed
from put_protocol.seal.packs import laid
from put_protocol.seats import Seat
from put_protocol.table_events import (
    PresenceChanged,
    Stood,
)
from put_server.table.sealing import CUT_MS, PULSE_MS
from tests.table.table_harness import ANN, BEN, CAT, EVE
from tests.table.test_sealing import SealedFelt
from tests.table.test_table import refused


def awaited() -> SealedFelt:
    """A deal that waits for Ben's cut, Ann's having been given."""
    felt = SealedFelt()
    felt.idle.add(BEN)
    felt.join(ANN, Seat(0))
    felt.join(BEN, Seat(1))
    return felt


def three() -> SealedFelt:
    """Three players, of whom two have yet to cut."""
    felt = SealedFelt(seats=3)
    felt.idle.update((BEN, CAT))
    for seat, person in enumerate((ANN, BEN, CAT)):
        felt.join(person, Seat(seat))
    return felt


def told(felt: SealedFelt, kind: type[Sealed | DealVoided | CutMade]) -> list[int]:
    """The numbers of deals Ann was told of so."""
    events = [event for message in felt.mail[ANN] if isinstance(message, Events) for event in message.events]
    return [event.deal for event in events if isinstance(event, kind)]


def voids(felt: SealedFelt) -> list[DealVoided]:
    """What Ann was told of voids."""
    return [event for event in felt.events(ANN) if isinstance(event, DealVoided)]


def test_cut_is_told_to_everyone_at_once() -> None:
    """While others have yet to cut; so nobody can be said not to have cut who has."""
    felt = awaited()
    made = [event for event in felt.events(BEN) if isinstance(event, CutMade)]
    assert [(event.deal, event.seat) for event in made] == [(1, Seat(0))]
    felt.idle.clear()
    felt.listen()
    shown = [event for event in felt.events(BEN) if isinstance(event, CutsShown)]
    assert shown[0].links[0] == made[0].link
    assert felt.failures == []


def test_promise_that_stands_already_changes_nothing() -> None:
    """Whoever says again where their chain stands, as after a drop, does not call the deal off that waits for them."""
    felt = awaited()
    felt.do(felt.table.promise(BEN, felt.checkers[BEN].end, felt.now))
    assert told(felt, DealVoided) == []
    felt.do(felt.table.promise(BEN, bytes(32), felt.now))
    assert [(void.deal, void.seats) for void in voids(felt)] == [(1, (Seat(1),))]
    assert told(felt, Sealed) == [1, 2]


def test_void_turns_up_both_packs() -> None:
    """A deal that is called off hides nothing about what was sealed for it."""
    felt = awaited()
    felt.wait_out(BEN)
    (void,) = voids(felt)
    sealed = next(event for event in felt.events(ANN) if isinstance(event, Sealed))
    assert void.seeds is not None
    packs = [laid(seed, 7, 1, pack, FULL_PACK) for pack, seed in enumerate(void.seeds)]
    assert tuple([pack.root for pack in packs]) == sealed.roots


def test_deal_that_waits_for_who_comes_back_by_another_connection_goes_on_waiting() -> None:
    """They know the seal, or are shown it; nothing is called off, and the same deal is cut."""
    felt = awaited()
    felt.find(BEN, None)
    felt.idle.clear()
    felt.listen()
    assert told(felt, DealVoided) == []
    assert isinstance(felt.events(ANN)[-1], Drawn | DealerFound | Dealt)
    assert felt.failures == []


def test_cutter_whose_connection_stalls_is_never_named() -> None:
    """Where no ping is answered their cut may be on its way: they are waited for until the connection is given up."""
    felt = awaited()
    felt.stalled.add(BEN)
    felt.tick(felt.now + 100 * CUT_MS)
    assert voids(felt) == []
    felt.stalled.clear()
    felt.do(felt.table.answer_ping(BEN, felt.now))
    felt.idle.clear()
    felt.listen()
    assert felt.tick(felt.now + PULSE_MS) == 0
    assert voids(felt) == []
    assert felt.failures == []


def test_cutter_who_is_away_has_their_time_whole_when_they_are_back() -> None:
    """Time away is the bank's to count."""
    felt = awaited()
    felt.tick(felt.now + CUT_MS - 1)
    felt.lose(BEN)
    felt.tick(felt.now + 60_000)
    felt.find(BEN, felt.number(BEN))
    felt.tick(felt.now + CUT_MS - 1)
    assert voids(felt) == []
    felt.dropped.clear()
    felt.tick(felt.now + 1)
    felt.tick(felt.now + PULSE_MS)
    assert [void.seats for void in voids(felt)] == [(Seat(1),)]


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


def misses_by_silence(felt: SealedFelt) -> None:
    """They say nothing, on a connection that stands."""
    felt.wait_out(BEN)
    if felt.table.seat_of(BEN) is not None:
        felt.do(felt.table.promise(BEN, felt.checkers[BEN].end, felt.now))


def misses_by_promising(felt: SealedFelt) -> None:
    """They promise another chain while the deal waits for a link of the one before."""
    felt.checkers[BEN].renew(Chain(len(felt.mail[BEN]).to_bytes(32), 64))
    felt.do(felt.table.promise(BEN, felt.checkers[BEN].end, felt.now))


@pytest.mark.parametrize("miss", [misses_by_silence, misses_by_promising])
def test_who_misses_the_cut_twice_running_leaves_the_game(miss: Callable[[SealedFelt], None]) -> None:
    """As if their bank were spent: the other player has won, and they are told why."""
    felt = awaited()
    began = felt.now
    miss(felt)
    felt.listen()
    if felt.table._seal is None:  # what they were left out of is dealt; they miss the next
        felt.play_on(random.Random(1), 40)
    felt.idle.add(BEN)
    while not felt.told(BEN, Left):
        if felt.table._seal is None:
            felt.play_on(random.Random(2), 1)
        else:
            miss(felt)
            felt.tick(felt.now)
            felt.listen()
    assert any(isinstance(event, Stood) and event.seat == 1 for event in felt.events(ANN))
    assert felt.now - began <= 4 * (CUT_MS + PULSE_MS)


def test_two_who_take_turns_at_not_cutting_hold_up_nobody() -> None:
    """A cut of a deal that is called off all the same wins no time: both have left after two misses each."""
    felt = three()
    felt.idle.clear()
    turns = 0
    while felt.table._seal is not None or not any(isinstance(event, GameEnded) for event in felt.events(ANN)):
        assert felt.table._seal is not None
        felt.idle = {(BEN, CAT)[turns % 2]}
        felt.listen()
        (idle,) = felt.idle
        if felt.table.seat_of(idle) is None:
            break
        felt.wait_out(idle)
        if felt.table.seat_of(idle) is not None:
            felt.do(felt.table.promise(idle, felt.checkers[idle].end, felt.now))
        turns += 1
        assert turns <= 4
    assert felt.now - 1_000 <= 4 * (CUT_MS + PULSE_MS)


def test_missed_cut_is_forgotten_when_a_deal_is_cut_and_dealt() -> None:
    """Only misses without a cut between are running."""
    felt = awaited()
    felt.wait_out(BEN)
    felt.listen()
    felt.idle.clear()
    felt.do(felt.table.promise(BEN, felt.checkers[BEN].end, felt.now))
    dice = random.Random(1)
    sealed = len(told(felt, Sealed))
    while len(told(felt, Sealed)) == sealed or felt.table._seal is not None:
        felt.play_on(dice, 1)
    felt.idle.add(BEN)
    sealed = len(told(felt, Sealed))
    while len(told(felt, Sealed)) == sealed:
        felt.play_on(dice, 1)
    felt.wait_out(BEN)
    assert [void.seats for void in voids(felt)] == [(Seat(1),)] * 2
    assert felt.told(BEN, Left) == []


def test_deal_that_is_cut_when_somebody_leaves_names_who_left() -> None:
    """Not those who have yet to cut and may have done so already; with three the others are dealt another."""
    felt = three()
    felt.resign(ANN)
    (void,) = voids(felt)
    assert (void.seats, void.left) == ((), (Seat(0),))
    felt.idle.clear()
    felt.listen()
    first, *later = [event for event in felt.events(BEN) if isinstance(event, Sealed)]
    assert Seat(0) in first.to
    assert later
    assert not any(Seat(0) in event.to for event in later)
    assert felt.failures == []


def test_player_who_is_away_does_not_make_others_late() -> None:
    """The time of who is here runs out alone; when the other is back and has cut, only the first is named."""
    felt = three()
    felt.lose(CAT)
    assert isinstance(felt.events(ANN)[-1], PresenceChanged)
    felt.wait_out(BEN)
    assert voids(felt) == []
    felt.idle.clear()
    felt.find(CAT, felt.number(CAT))
    felt.listen()
    assert [void.seats for void in voids(felt)] == [(Seat(1),)]
    assert felt.failures == []


def test_player_whose_cut_is_on_its_way_is_never_made_to_miss_another() -> None:
    """Two others promise anew, one after the other, each time before the third's cut is here: no deal is called off
    before it is, so the third is named by no void, and has missed nothing."""
    felt = SealedFelt(seats=3)
    felt.idle.update((ANN, BEN, CAT))
    for seat, person in enumerate((ANN, BEN, CAT)):
        felt.join(person, Seat(seat))
    for number, spoiler in enumerate((BEN, CAT)):
        felt.checkers[spoiler].renew(Chain(bytes([number + 7]) * 32, 64))
        felt.do(felt.table.promise(spoiler, felt.checkers[spoiler].end, felt.now))
        assert len(voids(felt)) == number, "it waits for the others' cuts"
        felt.idle.clear()
        for person in (ANN, BEN, CAT):
            link = felt.checkers[person].cut() if person != spoiler else None
            if link is not None:
                felt.do(felt.table.cut(person, number + 1, link, felt.now))
        felt.idle.update((ANN, BEN, CAT))
        felt.listen()
        assert [void.seats for void in voids(felt)][number:] == [(Seat(number + 1),)]
    assert felt.table.chairs[0].misses == 0
    assert felt.table.seat_of(ANN) is not None
    assert felt.failures == []


def test_cut_that_crosses_a_departure_is_no_miss() -> None:
    """The deal is called off at once for who left; the link given for it is spent, and the next seal asks for it again.
    Whoever says so is not said to have missed that one; but only once."""
    felt = SealedFelt(seats=3)
    felt.idle.update((ANN, BEN, CAT))
    for seat, person in enumerate((ANN, BEN, CAT)):
        felt.join(person, Seat(seat))
    link = felt.checkers[ANN].cut()
    felt.leave(CAT)
    assert refused(felt, lambda: felt.table.cut(ANN, 1, link or b"", felt.now)) is RefusalCode.TOO_LATE
    felt.idle.discard(BEN)
    felt.listen()
    felt.do(felt.table.promise(ANN, link, felt.now))
    assert felt.table.chairs[0].misses == 0
    felt.idle.add(BEN)
    felt.do(felt.table.promise(ANN, bytes(32), felt.now))
    assert felt.table.chairs[0].misses == 1

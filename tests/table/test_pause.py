"""A table and its pauses: by consent of all who sit, with every clock at rest."""

import pytest

from put_protocol.messages import Decision, Events, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import GoOnAsked, PauseAsked, Paused, WentOn
from put_protocol.table_info import PauseInfo, TableState
from put_server.table.seating import Sitter
from put_server.table.table_effects import PersonId
from tests.table.table_harness import ANN, BEN, CAT, TableHarness, new_table, playing
from tests.table.test_table import refused

MINUTE = 60_000


def paused(seats: int = 2, *, minutes: int = 10, turn: int = 30, bank: int = 60) -> TableHarness:
    """A game that rests, seven seconds of a turn being spent."""
    harness = playing(seats, turn=turn, bank=bank)
    harness.now += 7_000
    for person in (ANN, BEN, CAT)[:seats]:
        harness.do(harness.table.pause(person, minutes, harness.now))
    assert harness.state() is TableState.PAUSED
    return harness


def go_on(harness: TableHarness, *people: PersonId) -> None:
    for person in people:
        harness.do(harness.table.go_on(person, harness.now))


def test_pause_begins_when_everyone_has_asked() -> None:
    """One who asks is heard by all; the game rests only when the last agrees."""
    harness = playing()
    harness.do(harness.table.pause(ANN, 30, harness.now))
    assert harness.state() is TableState.PLAYING
    assert harness.table.info.pause == PauseInfo(30, (Seat(0),))
    harness.do(harness.table.pause(BEN, 0, harness.now))
    assert harness.state() is TableState.PAUSED
    asked = [PauseAsked(Seat(0), 30), PauseAsked(Seat(1), 30), Paused(30)]
    assert harness.events(ANN)[-3:] == harness.events(BEN)[-3:] == asked


@pytest.mark.parametrize(("first", "second"), [(30, 31), (31, 30)])
def test_pause_is_as_long_as_the_shortest_that_was_asked_for(first: int, second: int) -> None:
    """Two who name different lengths both want a pause, and nobody is bound to a longer one than they agreed to."""
    harness = playing()
    harness.do(harness.table.pause(ANN, first, harness.now))
    harness.do(harness.table.pause(BEN, second, harness.now))
    assert harness.state() is TableState.PAUSED
    asked = [PauseAsked(Seat(0), first), PauseAsked(Seat(1), 30), Paused(30)]
    assert harness.events(ANN)[-3:] == harness.events(BEN)[-3:] == asked
    assert harness.last(ANN, Events).turn is not None


def test_pause_may_be_shortened_by_anybody_and_lengthened_only_by_who_asks_alone() -> None:
    """What others agreed to does not grow behind their backs."""
    harness = playing(3)
    harness.do(harness.table.pause(ANN, 30, harness.now))
    harness.do(harness.table.pause(ANN, 60, harness.now))
    assert harness.table.info.pause == PauseInfo(60, (Seat(0),))
    assert refused(harness, lambda: harness.table.pause(ANN, 60, harness.now)) is RefusalCode.ALREADY_THERE
    harness.do(harness.table.pause(BEN, 45, harness.now))
    assert refused(harness, lambda: harness.table.pause(ANN, 60, harness.now)) is RefusalCode.ALREADY_THERE
    harness.do(harness.table.pause(ANN, 5, harness.now))
    assert harness.table.info.pause == PauseInfo(5, (Seat(0), Seat(1)))
    harness.do(harness.table.pause(CAT, 0, harness.now))
    assert harness.state() is TableState.PAUSED


def test_pause_lets_nobody_play() -> None:
    """What is tried meanwhile is refused, and the same decision waits afterwards."""
    harness = paused()
    mover, decision = harness.mover, harness.decision
    action = decision.legal[0].action
    assert (
        refused(harness, lambda: harness.table.act(mover, decision.decision, action, harness.now)) is RefusalCode.PAUSED
    )
    go_on(harness, ANN, BEN)
    again = harness.last(mover, Decision)
    assert (again.decision, again.legal) == (decision.decision, decision.legal)
    harness.act(action)


def test_pause_stops_the_turn_clock_where_it_stood() -> None:
    """A turn takes as long as it would have without the pause, to the millisecond."""
    harness = paused(turn=30)
    told = harness.last(ANN, Events).turn
    assert told is not None
    assert (told.turn_ms, told.paused_ms) == (23_000, 10 * MINUTE)
    assert harness.tick(harness.now + 9 * MINUTE) == 0
    go_on(harness, ANN, BEN)
    assert harness.decision.turn_ms == 23_000
    assert harness.tick(harness.now + 22_999) == 0
    assert harness.tick(harness.now + 1) == 1


def test_pause_spends_nobodys_bank() -> None:
    """Players who go home during a pause lose nothing by it; their bank runs again when the game does."""
    harness = paused(bank=60, minutes=24 * 60)
    harness.disconnect(ANN)
    assert harness.tick(harness.now + 23 * 60 * MINUTE) == 0
    assert harness.table.seating.seat_of(ANN) is not None
    assert harness.tick(harness.now + 60 * MINUTE) == 1, "the day is over, and the game goes on by itself"
    assert harness.events(BEN)[-1] == WentOn(by_time=True)
    assert harness.tick(harness.now + 59_999) == 0
    assert harness.tick(harness.now + 1) >= 1
    assert harness.table.seating.seat_of(ANN) is None


def test_pause_ends_only_when_everyone_is_here_and_ready() -> None:
    """Readiness is a promise to play now: who goes away again takes it back."""
    harness = paused()
    go_on(harness, ANN)
    assert refused(harness, lambda: harness.table.go_on(ANN, harness.now)) is RefusalCode.ALREADY_THERE
    harness.disconnect(ANN)
    go_on(harness, BEN)
    assert harness.state() is TableState.PAUSED
    snapshot = harness.reconnect(ANN, None)[0]
    assert isinstance(snapshot, TableSnapshot)
    assert snapshot.info.pause == PauseInfo(10, (Seat(1),))
    assert snapshot.turn is not None
    assert snapshot.turn.paused_ms == 10 * MINUTE
    go_on(harness, ANN)
    assert harness.state() is TableState.PLAYING
    assert harness.events(BEN)[-2:] == [GoOnAsked(Seat(0)), WentOn()]
    assert harness.table.info.pause is None


def test_pause_waits_for_no_house_player() -> None:
    """Opposite the house one asks, and it is agreed; and so with going on."""
    harness = TableHarness(new_table())
    harness.sit(ANN)
    harness.do(harness.table.sit(Sitter(PersonId(90), "Doll", house="steady"), None, harness.now)[1])
    harness.do(harness.table.pause(ANN, 0, harness.now))
    assert harness.state() is TableState.PAUSED
    assert harness.table.info.pause == PauseInfo(60)
    go_on(harness, ANN)
    assert harness.state() is TableState.PLAYING


def test_pause_is_over_with_the_game() -> None:
    """Who gives the game up during a pause ends both, and the next game is not paused."""
    harness = paused()
    harness.resign(ANN)
    assert harness.state() is TableState.BETWEEN
    harness.again(ANN, BEN)
    assert harness.state() is TableState.PLAYING
    assert harness.table.info.pause is None


def test_pause_needs_no_word_of_who_gave_the_game_up() -> None:
    """With three, those who still play agree among themselves."""
    harness = playing(3)
    harness.resign(CAT)
    harness.do(harness.table.pause(ANN, 5, harness.now))
    harness.do(harness.table.pause(BEN, 5, harness.now))
    assert harness.state() is TableState.PAUSED
    assert refused(harness, lambda: harness.table.go_on(CAT, harness.now)) is RefusalCode.NO_GAME
    go_on(harness, ANN, BEN)
    assert harness.state() is TableState.PLAYING


def test_pause_is_settled_by_whoever_leaves() -> None:
    """The one who did not agree leaves the game: those who did have their pause."""
    harness = playing(3)
    harness.do(harness.table.pause(ANN, 5, harness.now))
    harness.do(harness.table.pause(BEN, 5, harness.now))
    assert harness.state() is TableState.PLAYING
    harness.leave(CAT)
    assert harness.state() is TableState.PAUSED
    info = harness.table.info.seats[2]
    assert (info.name, info.is_gone) == ("Cat", True), "everyone sees who is gone while the game goes on"


def test_pause_ends_when_the_last_unready_player_leaves() -> None:
    """Those who wait need not wait for one who has gone."""
    harness = paused(3)
    go_on(harness, ANN, BEN)
    assert harness.state() is TableState.PAUSED
    harness.leave(CAT)
    assert harness.state() is TableState.PLAYING


def test_pause_is_refused_where_there_is_no_game() -> None:
    """Between games there is nothing to pause, and nothing to go on with in a game that runs."""
    harness = TableHarness(new_table())
    harness.sit(ANN)
    assert refused(harness, lambda: harness.table.pause(ANN, 5, harness.now)) is RefusalCode.NO_GAME
    harness.sit(BEN)
    assert refused(harness, lambda: harness.table.go_on(ANN, harness.now)) is RefusalCode.PAUSED
    harness.watch(CAT)
    assert refused(harness, lambda: harness.table.pause(CAT, 5, harness.now)) is RefusalCode.NOT_THERE


def test_seat_of_who_is_gone_is_free_when_the_game_is_over() -> None:
    """A seat left in the middle of a game can be taken for the next one."""
    harness = playing(3)
    harness.leave(CAT)
    assert harness.table.info.seats[2].is_gone
    harness.resign(BEN)
    assert harness.table.info.seats[2].name is None
    harness.sit(CAT)

"""A table and its pauses: by consent of all who sit, with every clock at rest."""

from put_protocol.messages import Decision, Events, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import GoOnAsked, PauseAsked, Paused, WentOn
from put_protocol.table_info import (
    PauseInfo,
    TableState,
)
from put_server.table.chairs import Sitter
from put_server.table.effects import PersonId
from tests.table.table_harness import ANN, BEN, CAT, Felt, new_table, playing
from tests.table.test_table import refused

MINUTE = 60_000


def paused(seats: int = 2, *, minutes: int = 10, turn: int = 30, bank: int = 60) -> Felt:
    """A game that rests, seven seconds of a turn being spent."""
    felt = playing(seats, turn=turn, bank=bank)
    felt.now += 7_000
    for person in (ANN, BEN, CAT)[:seats]:
        felt.do(felt.table.pause(person, minutes, felt.now))
    assert felt.state() is TableState.PAUSED
    return felt


def go_on(felt: Felt, *people: PersonId) -> None:
    for person in people:
        felt.do(felt.table.go_on(person, felt.now))


def test_pause_begins_when_everyone_has_asked() -> None:
    """One who asks is heard by all; the game rests only when the last agrees."""
    felt = playing()
    felt.do(felt.table.pause(ANN, 30, felt.now))
    assert felt.state() is TableState.PLAYING
    assert felt.table.info.pause == PauseInfo(30, (Seat(0),))
    felt.do(felt.table.pause(BEN, 0, felt.now))
    assert felt.state() is TableState.PAUSED
    asked = [PauseAsked(Seat(0), 30), PauseAsked(Seat(1), 30), Paused(30)]
    assert felt.events(ANN)[-3:] == felt.events(BEN)[-3:] == asked


def test_pause_of_another_length_must_be_agreed_to_anew() -> None:
    """Nobody is bound to a longer pause than he agreed to."""
    felt = playing()
    felt.do(felt.table.pause(ANN, 30, felt.now))
    felt.do(felt.table.pause(BEN, 31, felt.now))
    assert felt.state() is TableState.PLAYING
    assert felt.table.info.pause == PauseInfo(31, (Seat(1),))
    assert refused(felt, lambda: felt.table.pause(BEN, 31, felt.now)) is RefusalCode.ALREADY_THERE
    felt.do(felt.table.pause(ANN, 31, felt.now))
    assert felt.state() is TableState.PAUSED


def test_pause_lets_nobody_play() -> None:
    """What is tried meanwhile is refused, and the same decision waits afterwards."""
    felt = paused()
    mover, decision = felt.mover, felt.decision
    action = decision.legal[0].action
    assert refused(felt, lambda: felt.table.act(mover, decision.decision, action, felt.now)) is RefusalCode.PAUSED
    go_on(felt, ANN, BEN)
    again = felt.last(mover, Decision)
    assert (again.decision, again.legal) == (decision.decision, decision.legal)
    felt.act(action)


def test_pause_stops_the_turn_clock_where_it_stood() -> None:
    """A turn takes as long as it would have without the pause, to the millisecond."""
    felt = paused(turn=30)
    told = felt.last(ANN, Events).turn
    assert told is not None
    assert (told.turn_ms, told.paused_ms) == (23_000, 10 * MINUTE)
    assert felt.tick(felt.now + 9 * MINUTE) == 0
    go_on(felt, ANN, BEN)
    assert felt.decision.turn_ms == 23_000
    assert felt.tick(felt.now + 22_999) == 0
    assert felt.tick(felt.now + 1) == 1


def test_pause_spends_nobodys_bank() -> None:
    """Who goes home during a pause loses nothing by it; his bank runs again when the game does."""
    felt = paused(bank=60, minutes=24 * 60)
    felt.lose(ANN)
    assert felt.tick(felt.now + 23 * 60 * MINUTE) == 0
    assert felt.table.seat_of(ANN) is not None
    assert felt.tick(felt.now + 60 * MINUTE) == 1, "the day is over, and the game goes on by itself"
    assert felt.events(BEN)[-1] == WentOn(by_time=True)
    assert felt.tick(felt.now + 59_999) == 0
    assert felt.tick(felt.now + 1) >= 1
    assert felt.table.seat_of(ANN) is None


def test_pause_ends_only_when_everyone_is_here_and_ready() -> None:
    """Readiness is a promise to play now: who goes away again takes it back."""
    felt = paused()
    go_on(felt, ANN)
    assert refused(felt, lambda: felt.table.go_on(ANN, felt.now)) is RefusalCode.ALREADY_THERE
    felt.lose(ANN)
    go_on(felt, BEN)
    assert felt.state() is TableState.PAUSED
    snapshot = felt.find(ANN, None)[0]
    assert isinstance(snapshot, TableSnapshot)
    assert snapshot.info.pause == PauseInfo(10, (Seat(1),))
    assert snapshot.turn is not None
    assert snapshot.turn.paused_ms == 10 * MINUTE
    go_on(felt, ANN)
    assert felt.state() is TableState.PLAYING
    assert felt.events(BEN)[-2:] == [GoOnAsked(Seat(0)), WentOn()]
    assert felt.table.info.pause is None


def test_pause_waits_for_no_house_player() -> None:
    """Opposite the house one asks, and it is agreed; and so with going on."""
    felt = Felt(new_table())
    felt.sit(ANN)
    felt.do(felt.table.sit(Sitter(PersonId(90), "Doll", house="steady"), None, felt.now)[1])
    felt.do(felt.table.pause(ANN, 0, felt.now))
    assert felt.state() is TableState.PAUSED
    assert felt.table.info.pause == PauseInfo(60)
    go_on(felt, ANN)
    assert felt.state() is TableState.PLAYING


def test_pause_is_over_with_the_game() -> None:
    """Who gives the game up during a pause ends both, and the next game is not paused."""
    felt = paused()
    felt.resign(ANN)
    assert felt.state() is TableState.BETWEEN
    felt.again(ANN, BEN)
    assert felt.state() is TableState.PLAYING
    assert felt.table.info.pause is None


def test_pause_needs_no_word_of_who_gave_the_game_up() -> None:
    """With three, those who still play agree among themselves."""
    felt = playing(3)
    felt.resign(CAT)
    felt.do(felt.table.pause(ANN, 5, felt.now))
    felt.do(felt.table.pause(BEN, 5, felt.now))
    assert felt.state() is TableState.PAUSED
    assert refused(felt, lambda: felt.table.go_on(CAT, felt.now)) is RefusalCode.NO_GAME
    go_on(felt, ANN, BEN)
    assert felt.state() is TableState.PLAYING


def test_pause_is_settled_by_whoever_leaves() -> None:
    """The one who did not agree leaves the game: those who did have their pause."""
    felt = playing(3)
    felt.do(felt.table.pause(ANN, 5, felt.now))
    felt.do(felt.table.pause(BEN, 5, felt.now))
    assert felt.state() is TableState.PLAYING
    felt.leave(CAT)
    assert felt.state() is TableState.PAUSED
    info = felt.table.info.seats[2]
    assert (info.name, info.is_gone) == ("Cat", True), "everyone sees who is gone while the game goes on"


def test_pause_ends_when_the_last_unready_player_leaves() -> None:
    """Those who wait need not wait for one who has gone."""
    felt = paused(3)
    go_on(felt, ANN, BEN)
    assert felt.state() is TableState.PAUSED
    felt.leave(CAT)
    assert felt.state() is TableState.PLAYING


def test_pause_is_refused_where_there_is_no_game() -> None:
    """Between games there is nothing to pause, and nothing to go on with in a game that runs."""
    felt = Felt(new_table())
    felt.sit(ANN)
    assert refused(felt, lambda: felt.table.pause(ANN, 5, felt.now)) is RefusalCode.NO_GAME
    felt.sit(BEN)
    assert refused(felt, lambda: felt.table.go_on(ANN, felt.now)) is RefusalCode.PAUSED
    felt.watch(CAT)
    assert refused(felt, lambda: felt.table.pause(CAT, 5, felt.now)) is RefusalCode.NOT_THERE


def test_seat_of_who_is_gone_is_free_when_the_game_is_over() -> None:
    """A seat left in the middle of a game can be taken for the next one."""
    felt = playing(3)
    felt.leave(CAT)
    assert felt.table.info.seats[2].is_gone
    felt.resign(BEN)
    assert felt.table.info.seats[2].name is None
    felt.sit(CAT)

"""A table and time: turns, the bank for being away, and coming back."""

import pytest

from put_protocol.games.put import Cause, GameEnded, GameWon, HandEnded, Put, ThrewIn, ThrowIn
from put_protocol.messages import Decision, Events, Left, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import PresenceChanged, Said, TimedOut
from put_protocol.table_info import TableState
from put_server.table.event_log import TAIL
from put_server.table.publisher import EVENTS_A_MESSAGE
from put_server.table.table_effects import WantPack
from tests.table.table_harness import ANN, BEN, CAT, DAN, EVE, TableHarness, gap_in, new_table, playing, state_of
from tests.table.test_table import refused


def test_turn_is_told_with_each_decision() -> None:
    """Whoever is asked, and everyone at the table, is told both clocks."""
    harness = playing(turn=30, bank=60)
    assert (harness.decision.turn_ms, harness.decision.bank_ms) == (30_000, 60_000)
    told = harness.last(harness.waiter, Events).turn
    assert told is not None
    assert (told.seat, told.turn_ms, told.bank_ms) == (harness.table.seating.seat_of(harness.mover), 30_000, 60_000)


def test_turn_expires_at_its_last_millisecond() -> None:
    """A player whose time is spent throws in their hand, and not a millisecond sooner."""
    harness = playing(turn=30)
    mover = harness.mover
    seat = harness.table.seating.seat_of(mover)
    assert harness.tick(1_000 + 29_999) == 0
    assert harness.mover == mover
    assert harness.tick(1_000 + 30_000) == 1
    assert ThrewIn(Seat(seat or 0), Cause.TIME) in harness.events(ANN)


def test_turn_begins_anew_with_each_decision() -> None:
    """The clock of a decision starts when it is asked."""
    harness = playing(turn=30)
    harness.now += 29_000
    harness.act(harness.decision.legal[0].action)
    assert harness.decision.turn_ms == 30_000
    assert harness.tick(harness.now + 29_999) == 0
    assert harness.tick(harness.now + 1) == 1


def test_turn_without_limit_never_expires() -> None:
    """At a table without a turn clock one may think for a year."""
    harness = playing(turn=0)
    assert harness.decision.turn_ms is None
    assert harness.tick(10**11) == 0


def test_turn_expired_makes_the_answer_too_late() -> None:
    """An answer to a decision that time has taken is refused as late, not as illegal."""
    harness = playing(turn=30)
    mover, decision = harness.mover, harness.decision
    harness.tick(harness.now + 30_000)
    action = decision.legal[0].action
    code = refused(harness, lambda: harness.table.act(mover, decision.decision, action, harness.now))
    assert code is RefusalCode.TOO_LATE


def test_turn_stands_still_while_its_player_is_away() -> None:
    """Losing the connection costs no turn, and the time that was left is there on coming back."""
    harness = playing(turn=30, bank=600)
    mover = harness.mover
    harness.now += 10_000
    harness.disconnect(mover)
    assert harness.tick(harness.now + 500_000) == 0
    harness.reconnect(mover, None)
    assert harness.decision.turn_ms == 20_000
    assert harness.decision.bank_ms == 100_000
    assert harness.tick(harness.now + 19_999) == 0
    assert harness.tick(harness.now + 1) == 1


def test_turn_of_one_who_is_away_begins_when_they_are_back() -> None:
    """A decision that comes while its player is away waits for them with its whole clock."""
    harness = playing(turn=30, bank=600)
    away = harness.waiter
    harness.disconnect(away)
    harness.act(harness.decision.legal[0].action)
    assert harness.mover == away
    harness.tick(harness.now + 100_000)
    assert harness.mover == away
    harness.reconnect(away, None)
    assert harness.last(away, Decision).turn_ms == 30_000


def test_bank_spent_loses_the_game_and_the_seat() -> None:
    """Away for too long is leaving: the game is forfeit, the seat empty, and they are told."""
    harness = playing(bank=60)
    harness.disconnect(ANN)
    assert harness.tick(harness.now + 59_999) == 0
    assert harness.tick(harness.now + 1) == 1
    (ended,) = [event for event in harness.events(BEN) if isinstance(event, GameEnded)]
    assert (ended.how, ended.winners) == (GameWon.FORFEIT, (1,))
    assert harness.table.seating.seat_of(ANN) is None
    assert isinstance(harness.mail[ANN][-1], Left)


def test_bank_is_one_for_the_whole_game() -> None:
    """Absences add up: coming back stops the bank and does not fill it."""
    harness = playing(bank=60)
    for _ in range(5):
        harness.disconnect(ANN)
        harness.tick(harness.now + 11_000)
        harness.reconnect(ANN, None)
    harness.disconnect(ANN)
    assert harness.tick(harness.now + 4_999) == 0
    assert harness.tick(harness.now + 1) == 1


def test_bank_is_full_again_in_the_next_game() -> None:
    """Each game has its own bank."""
    harness = playing(bank=60, target=1)
    harness.disconnect(ANN)
    harness.tick(harness.now + 50_000)
    harness.reconnect(ANN, None)
    harness.play_game()
    harness.again(ANN, BEN)
    harness.disconnect(ANN)
    assert harness.tick(harness.now + 59_999) == 0
    assert harness.tick(harness.now + 1) == 1


def test_bank_runs_whoevers_turn_it_is() -> None:
    """The bank of one who waits runs as well."""
    harness = playing(bank=60)
    waiter = harness.waiter
    harness.disconnect(waiter)
    assert harness.tick(harness.now + 60_000) == 1
    assert harness.table.seating.seat_of(waiter) is None


def test_bank_of_three_spent_at_once_is_settled_in_order() -> None:
    """Three players whose banks end in the same tick leave one after another, and nobody is left waiting."""
    harness = playing(3, bank=60)
    for person in (ANN, BEN, CAT):
        harness.disconnect(person)
    assert harness.tick(harness.now + 60_000) == 3
    assert harness.table.seating.is_empty
    assert harness.table.state is TableState.FILLING
    ended = [event for event in harness.events(CAT) if isinstance(event, GameEnded)]
    assert len(ended) == 1


def test_tick_waits_for_the_pack_that_is_wanted() -> None:
    """When time ends a hand it decides nothing more before the next is dealt, so a pack is never wanted twice."""
    harness = playing(4, bank=60)
    harness.act(Put())
    out = [harness.mover]
    harness.act(ThrowIn())
    out.append(harness.mover)
    harness.act(ThrowIn())
    last = harness.mover
    # All three answerers go in one tick; whoever goes last ends the hand.
    for person in (last, *out):
        harness.disconnect(person)
    harness.now += 60_000
    packs = 0
    for _ in range(20):
        effects = harness.table.tick(harness.now)
        packs += sum(isinstance(effect, WantPack) for effect in effects)
        assert sum(isinstance(effect, WantPack) for effect in effects) <= 1
        if any(isinstance(effect, WantPack) for effect in effects):
            assert harness.table.tick(harness.now) == []
        harness.do(effects)
    assert packs == 1
    assert harness.table.state is TableState.FILLING
    assert (
        len([event for event in harness.events(harness.table.seating.people[0]) if isinstance(event, GameEnded)]) == 1
    )


# --- presence ---


def test_presence_is_told_when_it_changes_and_only_then() -> None:
    """Losing a player twice is one event; so is their return."""
    harness = playing()
    harness.disconnect(ANN)
    harness.disconnect(ANN)
    told = [event for event in harness.events(BEN) if isinstance(event, PresenceChanged)]
    assert told == [PresenceChanged(Seat(0), away=True)]
    assert harness.table.info.seats[0].is_away
    harness.reconnect(ANN, None)
    harness.reconnect(ANN, None)
    told = [event for event in harness.events(BEN) if isinstance(event, PresenceChanged)]
    assert told == [PresenceChanged(Seat(0), away=True), PresenceChanged(Seat(0), away=False)]
    assert not harness.table.info.seats[0].is_away


def test_presence_of_the_gallery_is_nobodys_business() -> None:
    """A spectator's lost line is no event."""
    harness = playing()
    harness.watch(CAT)
    before = state_of(harness.table, harness.now)
    harness.disconnect(CAT)
    assert state_of(harness.table, harness.now) == before


def test_coming_back_brings_the_missed_tail_and_the_decision() -> None:
    """With the number of their last event a player gets exactly what came after it, and is asked again."""
    harness = playing()
    away = harness.waiter
    seat = harness.table.seating.seat_of(away)
    assert seat is not None
    known = harness.table.model.event_log.number(seat)
    harness.disconnect(away)
    harness.act(harness.decision.legal[0].action)
    told = harness.reconnect(away, known)
    assert gap_in(told, known) is None
    missed = told[0]
    assert isinstance(missed, Events)
    assert missed.events[0] == PresenceChanged(seat, away=True)
    assert (missed.view, missed.info, missed.turn) != (None, None, None)
    assert isinstance(told[-1], Decision)


def test_coming_back_with_nothing_missed_still_brings_the_table() -> None:
    """Who missed no event learns how the table is now, for what changed may have been no event."""
    harness = playing()
    harness.watch(CAT, DAN)
    known = harness.last(CAT, TableSnapshot).number
    harness.disconnect(CAT)
    harness.leave(DAN)
    (told,) = harness.reconnect(CAT, known)
    assert isinstance(told, Events)
    assert (told.first, told.events) == (known + 1, ())
    assert told.info is not None
    assert told.info.watchers == 1


def test_coming_back_without_a_number_brings_the_whole_table() -> None:
    """With no number, one of the future, or one too old, there is one snapshot and no events before it."""
    harness = playing()
    for ahead in (None, 1, 2**52):
        harness.disconnect(ANN)
        told = harness.reconnect(ANN, ahead and harness.table.model.event_log.number(Seat(0)) + ahead)
        assert isinstance(told[0], TableSnapshot)
        assert told[0].viewer == 0
        assert gap_in(told) is None
    harness.disconnect(ANN)
    known = harness.table.model.event_log.number(Seat(0))
    for _ in range(TAIL + 1):
        harness.say(BEN, "where are you?")
    assert isinstance(harness.reconnect(ANN, known)[0], TableSnapshot)


@pytest.mark.parametrize("talk", range(EVENTS_A_MESSAGE - 5, EVENTS_A_MESSAGE + 1))
def test_what_a_turn_made_known_comes_in_one_piece(talk: int) -> None:
    """However much was said before: a client that checks the rules takes the first half of it for all of it."""
    harness = playing(turn=30)
    away = harness.waiter
    known = harness.table.model.event_log.number(Seat(harness.table.seating.seat_of(away) or 0))
    harness.disconnect(away)
    for turn in range(talk):
        harness.say(harness.mover, str(turn))
    assert harness.tick(1_000 + 30_000) == 1
    told = [message.events for message in harness.reconnect(away, known) if isinstance(message, Events)]
    assert len(told) > 1
    turns = [[event for event in events if isinstance(event, TimedOut | ThrewIn | HandEnded)] for events in told]
    assert [list(map(type, events)) for events in turns if events] == [[TimedOut, ThrewIn, HandEnded]]


def test_coming_back_to_much_talk_brings_it_in_pieces() -> None:
    """A long tail comes in several messages whose numbers follow one another; the last has the table."""
    harness = playing()
    known = harness.table.model.event_log.number(Seat(0))
    harness.disconnect(ANN)
    for turn in range(TAIL - 1):
        harness.say(BEN, str(turn))
    told = [message for message in harness.reconnect(ANN, known) if isinstance(message, Events)]
    assert gap_in(told, known) is None
    assert max(len(message.events) for message in told) == EVENTS_A_MESSAGE
    said = [event.text for message in told for event in message.events if isinstance(event, Said)]
    assert said == [str(turn) for turn in range(TAIL - 1)]
    assert [message.info is not None for message in told[:2]] == [False, True]


def test_coming_back_asks_only_who_is_to_move() -> None:
    """Who waits for another is asked nothing on coming back."""
    harness = playing()
    waiter = harness.waiter
    harness.disconnect(waiter)
    assert not [message for message in harness.reconnect(waiter, None) if isinstance(message, Decision)]


def test_a_new_sitter_learns_nothing_their_seat_saw_before() -> None:
    """No number they may name brings a new player the cards the last one held in their seat."""
    harness = playing(target=1)
    secret = harness.cards_of(BEN)
    harness.resign(BEN)
    harness.stand(BEN)
    harness.now += 1
    harness.watch(EVE)
    harness.say(EVE, "may I?")
    harness.leave(EVE)
    harness.sit(CAT)
    seat = harness.table.seating.seat_of(CAT)
    assert seat is not None
    for number in (*range(harness.table.model.event_log.number(seat) + 1), None):
        harness.disconnect(CAT)
        told = repr(harness.reconnect(CAT, number))
        assert not [card for card in secret if f"'{card}'" in told]


def test_an_empty_table_has_no_time() -> None:
    """Nothing is decided at a table where nobody sits."""
    harness = TableHarness(new_table(turn=1, bank=0))
    assert harness.tick(10**9) == 0

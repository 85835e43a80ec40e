"""A table and time: turns, the bank for being away, and coming back."""

from put_protocol.games.put import (
    Cause,
    GameEnded,
    GameWon,
    Put,
    ThrewIn,
    ThrowIn,
)
from put_protocol.messages import Decision, Events, Left, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import (
    PresenceChanged,
    Said,
)
from put_protocol.table_info import (
    TableState,
)
from put_server.table.effects import WantPack
from put_server.table.event_log import TAIL
from put_server.table.publisher import EVENTS_A_MESSAGE
from tests.table.table_harness import ANN, BEN, CAT, DAN, EVE, Felt, gap_in, new_table, picture, playing
from tests.table.test_table import refused


def test_turn_is_told_with_each_decision() -> None:
    """Whoever is asked, and everyone at the table, is told both clocks."""
    felt = playing(turn=30, bank=60)
    assert (felt.decision.turn_ms, felt.decision.bank_ms) == (30_000, 60_000)
    told = felt.last(felt.waiter, Events).turn
    assert told is not None
    assert (told.seat, told.turn_ms, told.bank_ms) == (felt.table.seat_of(felt.mover), 30_000, 60_000)


def test_turn_expires_at_its_last_millisecond() -> None:
    """A player whose time is spent throws in his hand, and not a millisecond sooner."""
    felt = playing(turn=30)
    mover = felt.mover
    seat = felt.table.seat_of(mover)
    assert felt.tick(1_000 + 29_999) == 0
    assert felt.mover == mover
    assert felt.tick(1_000 + 30_000) == 1
    assert ThrewIn(Seat(seat or 0), Cause.TIME) in felt.events(ANN)


def test_turn_begins_anew_with_each_decision() -> None:
    """The clock of a decision starts when it is asked."""
    felt = playing(turn=30)
    felt.now += 29_000
    felt.act(felt.decision.legal[0].action)
    assert felt.decision.turn_ms == 30_000
    assert felt.tick(felt.now + 29_999) == 0
    assert felt.tick(felt.now + 1) == 1


def test_turn_without_limit_never_expires() -> None:
    """At a table without a turn clock one may think for a year."""
    felt = playing(turn=0)
    assert felt.decision.turn_ms is None
    assert felt.tick(10**11) == 0


def test_turn_expired_makes_the_answer_too_late() -> None:
    """An answer to a decision that time has taken is refused as late, not as illegal."""
    felt = playing(turn=30)
    mover, decision = felt.mover, felt.decision
    felt.tick(felt.now + 30_000)
    action = decision.legal[0].action
    code = refused(felt, lambda: felt.table.act(mover, decision.decision, action, felt.now))
    assert code is RefusalCode.TOO_LATE


def test_turn_stands_still_while_its_player_is_away() -> None:
    """Losing the line costs no turn, and the time that was left is there on coming back."""
    felt = playing(turn=30, bank=600)
    mover = felt.mover
    felt.now += 10_000
    felt.lose(mover)
    assert felt.tick(felt.now + 500_000) == 0
    felt.find(mover, None)
    assert felt.decision.turn_ms == 20_000
    assert felt.decision.bank_ms == 100_000
    assert felt.tick(felt.now + 19_999) == 0
    assert felt.tick(felt.now + 1) == 1


def test_turn_of_one_who_is_away_begins_when_he_is_back() -> None:
    """A decision that comes while its player is away waits for him with its whole clock."""
    felt = playing(turn=30, bank=600)
    away = felt.waiter
    felt.lose(away)
    felt.act(felt.decision.legal[0].action)
    assert felt.mover == away
    felt.tick(felt.now + 100_000)
    assert felt.mover == away
    felt.find(away, None)
    assert felt.last(away, Decision).turn_ms == 30_000


def test_bank_spent_loses_the_game_and_the_seat() -> None:
    """Away for too long is leaving: the game is forfeit, the seat empty, and he is told."""
    felt = playing(bank=60)
    felt.lose(ANN)
    assert felt.tick(felt.now + 59_999) == 0
    assert felt.tick(felt.now + 1) == 1
    (ended,) = [event for event in felt.events(BEN) if isinstance(event, GameEnded)]
    assert (ended.how, ended.winners) == (GameWon.FORFEIT, (1,))
    assert felt.table.seat_of(ANN) is None
    assert isinstance(felt.mail[ANN][-1], Left)


def test_bank_is_one_for_the_whole_game() -> None:
    """Absences add up: coming back stops the bank and does not fill it."""
    felt = playing(bank=60)
    for _ in range(5):
        felt.lose(ANN)
        felt.tick(felt.now + 11_000)
        felt.find(ANN, None)
    felt.lose(ANN)
    assert felt.tick(felt.now + 4_999) == 0
    assert felt.tick(felt.now + 1) == 1


def test_bank_is_full_again_in_the_next_game() -> None:
    """Each game has its own bank."""
    felt = playing(bank=60, target=1)
    felt.lose(ANN)
    felt.tick(felt.now + 50_000)
    felt.find(ANN, None)
    felt.play_game()
    felt.again(ANN, BEN)
    felt.lose(ANN)
    assert felt.tick(felt.now + 59_999) == 0
    assert felt.tick(felt.now + 1) == 1


def test_bank_runs_whoevers_turn_it_is() -> None:
    """The bank of one who waits runs as well."""
    felt = playing(bank=60)
    waiter = felt.waiter
    felt.lose(waiter)
    assert felt.tick(felt.now + 60_000) == 1
    assert felt.table.seat_of(waiter) is None


def test_bank_of_three_spent_at_once_is_settled_in_order() -> None:
    """Three players whose banks end in the same tick leave one after another, and nobody is left waiting."""
    felt = playing(3, bank=60)
    for person in (ANN, BEN, CAT):
        felt.lose(person)
    assert felt.tick(felt.now + 60_000) == 3
    assert felt.table.is_empty
    assert felt.table.state is TableState.FILLING
    ended = [event for event in felt.events(CAT) if isinstance(event, GameEnded)]
    assert len(ended) == 1


def test_tick_waits_for_the_pack_that_is_wanted() -> None:
    """When time ends a hand it decides nothing more before the next is dealt, so a pack is never wanted twice."""
    felt = playing(4, bank=60)
    felt.act(Put())
    out = [felt.mover]
    felt.act(ThrowIn())
    out.append(felt.mover)
    felt.act(ThrowIn())
    last = felt.mover
    # All three answerers go in one tick; whoever goes last ends the hand.
    for person in (last, *out):
        felt.lose(person)
    felt.now += 60_000
    packs = 0
    for _ in range(20):
        effects = felt.table.tick(felt.now)
        packs += sum(isinstance(effect, WantPack) for effect in effects)
        assert sum(isinstance(effect, WantPack) for effect in effects) <= 1
        if any(isinstance(effect, WantPack) for effect in effects):
            assert felt.table.tick(felt.now) == []
        felt.do(effects)
    assert packs == 1
    assert felt.table.state is TableState.FILLING
    assert len([event for event in felt.events(felt.table.people[0]) if isinstance(event, GameEnded)]) == 1


# --- presence ---


def test_presence_is_told_when_it_changes_and_only_then() -> None:
    """Losing a player twice is one event; so is finding him."""
    felt = playing()
    felt.lose(ANN)
    felt.lose(ANN)
    told = [event for event in felt.events(BEN) if isinstance(event, PresenceChanged)]
    assert told == [PresenceChanged(Seat(0), away=True)]
    assert felt.table.info.seats[0].is_away
    felt.find(ANN, None)
    felt.find(ANN, None)
    told = [event for event in felt.events(BEN) if isinstance(event, PresenceChanged)]
    assert told == [PresenceChanged(Seat(0), away=True), PresenceChanged(Seat(0), away=False)]
    assert not felt.table.info.seats[0].is_away


def test_presence_of_the_gallery_is_nobodys_business() -> None:
    """A spectator's lost line is no event."""
    felt = playing()
    felt.watch(CAT)
    before = picture(felt.table, felt.now)
    felt.lose(CAT)
    assert picture(felt.table, felt.now) == before


def test_coming_back_brings_the_missed_tail_and_the_decision() -> None:
    """With the number of his last event a player gets exactly what came after it, and is asked again."""
    felt = playing()
    away = felt.waiter
    seat = felt.table.seat_of(away)
    assert seat is not None
    known = felt.table._ledger.number(seat)
    felt.lose(away)
    felt.act(felt.decision.legal[0].action)
    told = felt.find(away, known)
    assert gap_in(told, known) is None
    missed = told[0]
    assert isinstance(missed, Events)
    assert missed.events[0] == PresenceChanged(seat, away=True)
    assert (missed.view, missed.info, missed.turn) != (None, None, None)
    assert isinstance(told[-1], Decision)


def test_coming_back_with_nothing_missed_still_brings_the_table() -> None:
    """Who missed no event learns how the table is now, for what changed may have been no event."""
    felt = playing()
    felt.watch(CAT, DAN)
    known = felt.last(CAT, TableSnapshot).number
    felt.lose(CAT)
    felt.leave(DAN)
    (told,) = felt.find(CAT, known)
    assert isinstance(told, Events)
    assert (told.first, told.events) == (known + 1, ())
    assert told.info is not None
    assert told.info.watchers == 1


def test_coming_back_without_a_number_brings_the_whole_table() -> None:
    """With no number, one of the future, or one too old, there is one snapshot and no events before it."""
    felt = playing()
    for ahead in (None, 1, 2**52):
        felt.lose(ANN)
        told = felt.find(ANN, ahead and felt.table._ledger.number(Seat(0)) + ahead)
        assert isinstance(told[0], TableSnapshot)
        assert told[0].viewer == 0
        assert gap_in(told) is None
    felt.lose(ANN)
    known = felt.table._ledger.number(Seat(0))
    for _ in range(TAIL + 1):
        felt.say(BEN, "where are you?")
    assert isinstance(felt.find(ANN, known)[0], TableSnapshot)


def test_coming_back_to_much_talk_brings_it_in_pieces() -> None:
    """A long tail comes in several messages whose numbers follow one another; the last has the table."""
    felt = playing()
    known = felt.table._ledger.number(Seat(0))
    felt.lose(ANN)
    for turn in range(TAIL - 1):
        felt.say(BEN, str(turn))
    told = [message for message in felt.find(ANN, known) if isinstance(message, Events)]
    assert gap_in(told, known) is None
    assert max(len(message.events) for message in told) == EVENTS_A_MESSAGE
    said = [event.text for message in told for event in message.events if isinstance(event, Said)]
    assert said == [str(turn) for turn in range(TAIL - 1)]
    assert [message.info is not None for message in told[:2]] == [False, True]


def test_coming_back_asks_only_who_is_to_move() -> None:
    """Who waits for another is asked nothing on coming back."""
    felt = playing()
    waiter = felt.waiter
    felt.lose(waiter)
    assert not [message for message in felt.find(waiter, None) if isinstance(message, Decision)]


def test_a_new_sitter_learns_nothing_his_seat_saw_before() -> None:
    """No number he may name brings a new player the cards the last one held in his seat."""
    felt = playing(target=1)
    secret = felt.cards_of(BEN)
    felt.resign(BEN)
    felt.stand(BEN)
    felt.now += 1
    felt.watch(EVE)
    felt.say(EVE, "may I?")
    felt.leave(EVE)
    felt.sit(CAT)
    seat = felt.table.seat_of(CAT)
    assert seat is not None
    for number in (*range(felt.table._ledger.number(seat) + 1), None):
        felt.lose(CAT)
        told = repr(felt.find(CAT, number))
        assert not [card for card in secret if f"'{card}'" in told]


def test_an_empty_table_has_no_time() -> None:
    """Nothing is decided at a table where nobody sits."""
    felt = Felt(new_table(turn=1, bank=0))
    assert felt.tick(10**9) == 0

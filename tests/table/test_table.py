"""A table: coming and going, games one after another, purses, talk, and refusals that change nothing."""

from collections.abc import Callable
from functools import partial

import pytest

from put_protocol.games.put import (
    Dealt,
    DidPut,
    Drawn,
    GameEnded,
    GameWon,
    HandEnded,
    Played,
    Put,
    See,
    ThrewIn,
    ThrowIn,
)
from put_protocol.messages import Decision, Events, Left, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import (
    Agreed,
    GameStarted,
    Said,
    Sat,
    Stood,
)
from put_protocol.table_info import (
    TableState,
)
from put_server.table.chairs import Sitter
from put_server.table.effects import HouseGone, PersonId
from put_server.table.refusal import Refusal
from put_server.table.table import GALLERY_SIZE
from tests.table.table_harness import ANN, BEN, CAT, DAN, EVE, Felt, gap_in, new_table, picture, play, playing


def refused(felt: Felt, command: Callable[[], object]) -> RefusalCode:
    """The code of a refusal, which changed nothing and told nobody anything."""
    before, mail = picture(felt.table, felt.now), {person: len(box) for person, box in felt.mail.items()}
    with pytest.raises(Refusal) as caught:
        command()
    assert picture(felt.table, felt.now) == before
    assert {person: len(box) for person, box in felt.mail.items()} == mail
    assert caught.value.says
    return caught.value.code


# --- coming and going ---


def test_sitting_shows_the_newcomer_the_table_and_tells_the_others() -> None:
    """Who sits gets the table as his seat sees it, and not the event, which those get who are there."""
    felt = Felt(new_table(3))
    felt.sit(ANN)
    felt.sit(BEN)
    (snapshot,) = felt.mail[BEN]
    assert isinstance(snapshot, TableSnapshot)
    assert (snapshot.viewer, [seat.name for seat in snapshot.info.seats]) == (Seat(1), ["Ann", "Ben", None])
    assert felt.events(ANN) == [Sat(Seat(1), "Ben")]


def test_sitting_in_the_last_seat_begins_the_game() -> None:
    """The game starts by itself when the last seat is taken, and the eldest is asked."""
    felt = Felt(new_table())
    felt.sit(ANN)
    assert (felt.table.state, felt.wanted) == (TableState.FILLING, [])
    felt.sit(BEN)
    assert felt.state() is TableState.PLAYING
    assert felt.table.info.games == 1
    assert GameStarted(1, ("Ann", "Ben")) in felt.events(ANN)
    assert [len(felt.told(person, Decision)) for person in (felt.mover, felt.waiter)] == [1, 0]


def test_sitting_takes_the_seat_that_was_asked_for() -> None:
    """A free seat of one's choice is given."""
    felt = Felt(new_table(3))
    seat, effects = felt.table.sit(Sitter(ANN, "Ann"), Seat(2), felt.now)
    felt.do(effects)
    assert (seat, felt.table.seat_of(ANN), felt.table.viewer_of(ANN)) == (2, 2, 2)


def test_sitting_is_refused_where_it_cannot_be() -> None:
    """No seat beyond the table, none that is taken, none twice for one person, none at a full table."""
    felt = Felt(new_table(3))
    felt.sit(ANN)
    ben = Sitter(BEN, "Ben")
    assert refused(felt, lambda: felt.table.sit(ben, Seat(3), 0)) is RefusalCode.NO_SUCH_SEAT
    assert refused(felt, lambda: felt.table.sit(ben, Seat(0), 0)) is RefusalCode.SEAT_TAKEN
    assert refused(felt, lambda: felt.table.sit(Sitter(ANN, "Ann"), Seat(1), 0)) is RefusalCode.ALREADY_THERE
    felt.sit(BEN, CAT)
    assert refused(felt, lambda: felt.table.sit(Sitter(DAN, "Dan"), None, 0)) is RefusalCode.GAME_IN_PLAY


def test_sitting_at_a_full_table_between_games_is_refused() -> None:
    """Between games a full table has no free seat."""
    felt = playing(target=1)
    felt.play_game()
    assert felt.state() is TableState.BETWEEN
    assert refused(felt, lambda: felt.table.sit(Sitter(DAN, "Dan"), None, 0)) is RefusalCode.SEAT_TAKEN


def test_sitting_from_the_gallery_ends_watching() -> None:
    """A spectator who sits is a player only, and is told things once."""
    felt = Felt(new_table(3))
    felt.sit(ANN)
    felt.watch(BEN)
    felt.sit(BEN)
    assert (felt.table.viewer_of(BEN), felt.table.info.watchers) == (1, 0)
    had = len(felt.mail[BEN])
    felt.say(ANN, "Welcome")
    assert len(felt.mail[BEN]) == had + 1


def test_standing_empties_the_seat_and_its_purse() -> None:
    """Who stands is gone from the table, and who sits there next begins with nothing."""
    felt = playing(target=1)
    felt.play_game()
    assert sorted(chair.purse for chair in felt.table.chairs) == [-1, 1]
    seat = felt.table.seat_of(ANN)
    felt.stand(ANN)
    assert felt.events(BEN)[-1] == Stood(Seat(0), "Ann")
    assert (felt.table.viewer_of(ANN), felt.table.state) == (None, TableState.FILLING)
    felt.table.sit(Sitter(CAT, "Cat"), seat, felt.now)
    assert felt.table.info.seats[0].purse == 0


def test_standing_is_refused_in_play_and_to_who_does_not_sit() -> None:
    """A seat is given up only between games, and only by its sitter."""
    felt = playing()
    felt.watch(CAT)
    assert refused(felt, lambda: felt.table.stand(ANN, 0)) is RefusalCode.GAME_IN_PLAY
    assert refused(felt, lambda: felt.table.stand(CAT, 0)) is RefusalCode.NOT_THERE
    assert refused(felt, lambda: felt.table.stand(DAN, 0)) is RefusalCode.NOT_THERE


def test_watching_shows_the_table_without_any_hand() -> None:
    """The gallery sees the public picture and no card that was not played."""
    felt = playing()
    felt.watch(CAT)
    (snapshot,) = felt.mail[CAT]
    assert isinstance(snapshot, TableSnapshot)
    assert snapshot.viewer == GALLERY
    assert snapshot.view is not None
    assert (snapshot.view.cards, snapshot.view.counts) == ((), (3, 3))
    assert snapshot.info.watchers == 1
    info = felt.last(ANN, Events).info
    assert info is not None
    assert info.watchers == 1


def test_watching_is_refused_to_who_is_there_and_where_the_gallery_is_shut() -> None:
    """One comes to a table once; a shut gallery admits nobody."""
    felt = playing()
    felt.watch(CAT)
    assert refused(felt, lambda: felt.table.watch(CAT, "Cat", 0)) is RefusalCode.ALREADY_THERE
    assert refused(felt, lambda: felt.table.watch(ANN, "Ann", 0)) is RefusalCode.ALREADY_THERE
    shut = playing(gallery=False)
    assert refused(shut, lambda: shut.table.watch(CAT, "Cat", 0)) is RefusalCode.GALLERY_SHUT


def test_watching_is_refused_when_the_gallery_is_full() -> None:
    """The gallery has a bound, and a place again when somebody goes."""
    felt = playing()
    for number in range(GALLERY_SIZE):
        felt.table.watch(PersonId(100 + number), str(number), felt.now)
    assert refused(felt, lambda: felt.table.watch(CAT, "Cat", 0)) is RefusalCode.GALLERY_SHUT
    felt.table.leave(PersonId(100), felt.now)
    felt.watch(CAT)
    assert felt.table.viewer_of(CAT) == GALLERY


def test_leaving_the_gallery_tells_the_count_and_nothing_more() -> None:
    """A spectator goes without an event; the number of spectators is told."""
    felt = playing()
    felt.watch(CAT, DAN)
    number = felt.table._ledger.number(Seat(0))
    felt.leave(CAT)
    assert felt.table._ledger.number(Seat(0)) == number
    info = felt.last(ANN, Events).info
    assert info is not None
    assert info.watchers == 1
    assert refused(felt, lambda: felt.table.leave(CAT, 0)) is RefusalCode.NOT_THERE


def test_leaving_in_play_gives_the_game_up_and_pays() -> None:
    """With two players the one who leaves loses the game and its stake."""
    felt = playing()
    felt.leave(BEN)
    (ended,) = [event for event in felt.events(ANN) if isinstance(event, GameEnded)]
    assert (ended.how, ended.winners, ended.paid) == (GameWon.FORFEIT, (0,), (1, -1))
    assert felt.events(ANN)[-1] == Stood(Seat(1), "Ben")
    assert (felt.table.seat_of(BEN), felt.table.info.seats[0].purse) == (None, 1)
    assert felt.state() is TableState.FILLING


def test_leaving_in_play_lets_three_go_on() -> None:
    """With three players the others play on, and the empty seat stays closed until the game is over."""
    felt = playing(3)
    felt.leave(CAT)
    assert felt.state() is TableState.PLAYING
    assert refused(felt, lambda: felt.table.sit(Sitter(DAN, "Dan"), None, 0)) is RefusalCode.GAME_IN_PLAY
    felt.play_game()
    assert felt.state() is TableState.FILLING
    felt.sit(DAN)
    assert felt.table.seat_of(DAN) == 2
    assert felt.table.info.seats[2].purse == 0


def test_resigning_gives_the_game_up_and_keeps_the_seat() -> None:
    """Who resigns has lost the game and still sits, on anybody's turn."""
    felt = playing()
    felt.resign(felt.waiter)
    assert (felt.table.state, felt.table.is_empty) == (TableState.BETWEEN, False)
    assert {felt.table.seat_of(ANN), felt.table.seat_of(BEN)} == {0, 1}
    assert refused(felt, lambda: felt.table.resign(ANN, 0)) is RefusalCode.NO_GAME
    assert refused(felt, lambda: felt.table.resign(CAT, 0)) is RefusalCode.NOT_THERE


def test_who_has_resigned_has_no_game_to_act_in() -> None:
    """With three players it goes on without him; an answer of his that was on its way is not said to be late."""
    felt = playing(3)
    decision, action = felt.decision.decision, felt.decision.legal[0].action
    felt.resign(felt.mover)
    gone = next(p for p in (ANN, BEN, CAT) if felt.table.seat_of(p) in felt.table._resigned)
    assert refused(felt, lambda: felt.table.act(gone, decision, action, felt.now)) is RefusalCode.NO_GAME
    assert felt.table.state is TableState.PLAYING


def test_resigning_twice_gives_up_no_more() -> None:
    """With three players a second resignation from the same seat changes nothing and tells nobody."""
    felt = playing(3)
    felt.resign(CAT)
    before = picture(felt.table, felt.now)
    assert felt.table.resign(CAT, felt.now) == []
    assert picture(felt.table, felt.now) == before


def test_dismissing_is_for_house_players_only() -> None:
    """A guest cannot be sent away, nor an empty seat, nor one that is not there; a house player can, between games."""
    felt = Felt(new_table(3))
    felt.sit(ANN)
    felt.do(felt.table.sit(Sitter(PersonId(90), "Doll", house="steady"), None, felt.now)[1])
    for seat in (0, 2, 9):
        assert refused(felt, partial(felt.table.dismiss, Seat(seat), 0)) is RefusalCode.NO_SUCH_SEAT
    assert HouseGone(PersonId(90)) in felt.table.dismiss(Seat(1), felt.now)
    assert felt.table.info.seats[1].name is None


def test_closing_sends_everybody_away() -> None:
    """Everyone at the table is told that he is no longer there, and the house is let go."""
    felt = Felt(new_table(3))
    felt.sit(ANN)
    felt.watch(BEN)
    felt.table.sit(Sitter(PersonId(90), "Doll", house="steady"), None, felt.now)
    effects = felt.table.close("over")
    felt.do(effects)
    assert felt.mail[ANN][-1] == felt.mail[BEN][-1] == Left(felt.table.id, "over")
    assert HouseGone(PersonId(90)) in effects


# --- games one after another ---


def test_again_waits_for_every_player() -> None:
    """The next game begins when the last player has asked for it, and not before."""
    felt = playing(3, target=1)
    felt.play_game()
    felt.again(ANN)
    felt.again(CAT)
    assert felt.state() is TableState.BETWEEN
    assert [seat.agrees for seat in felt.table.info.seats] == [True, False, True]
    assert felt.events(BEN)[-2:] == [Agreed(Seat(0)), Agreed(Seat(2))]
    felt.again(BEN)
    assert felt.table.info.games == 2
    assert felt.state() is TableState.PLAYING


def test_again_is_refused_in_play_twice_and_to_strangers() -> None:
    """It is asked once, between games, by who sits."""
    felt = playing(target=1)
    felt.watch(CAT)
    assert refused(felt, lambda: felt.table.again(ANN, 0)) is RefusalCode.GAME_IN_PLAY
    felt.play_game()
    felt.again(ANN)
    assert refused(felt, lambda: felt.table.again(ANN, 0)) is RefusalCode.ALREADY_THERE
    assert refused(felt, lambda: felt.table.again(CAT, 0)) is RefusalCode.NOT_THERE
    assert refused(felt, lambda: felt.table.again(DAN, 0)) is RefusalCode.NOT_THERE


def test_again_may_be_asked_by_the_gallery_of_the_house() -> None:
    """Where only the house sits, a spectator's word starts the next game."""
    felt = Felt(new_table(target=1))
    felt.watch(CAT)
    for number in (90, 91):
        felt.do(felt.table.sit(Sitter(PersonId(number), f"House {number}", house="steady"), None, felt.now)[1])
    felt.play_game()
    felt.again(CAT)
    assert felt.table.info.games == 2


def test_deal_passes_on_between_games_of_the_same_players() -> None:
    """The next game between the same players has no draw: the next dealer deals."""
    felt = playing(target=1)
    last = [event for event in felt.events(ANN) if isinstance(event, Dealt)][-1]
    felt.play_game()
    dealer = [event for event in felt.events(ANN) if isinstance(event, Dealt)][-1].dealer
    before = len(felt.events(ANN))
    felt.again(ANN, BEN)
    after = felt.events(ANN)[before:]
    assert not [event for event in after if isinstance(event, Drawn)]
    assert next(event for event in after if isinstance(event, Dealt)).dealer == (dealer + 1) % 2
    assert last.hand == 1


def test_deal_is_drawn_for_anew_when_players_change() -> None:
    """A new player, or the same two in other seats, draw for the deal."""
    felt = playing(target=1)
    felt.play_game()
    felt.stand(BEN)
    felt.sit(CAT)
    felt.again(ANN)
    assert [event for event in felt.events(CAT) if isinstance(event, Drawn)]
    swapped = playing(target=1)
    swapped.play_game()
    swapped.stand(ANN)
    swapped.stand(BEN)
    swapped.sit(BEN, ANN)
    assert swapped.table.info.games == 2
    assert [event for event in swapped.events(BEN) if isinstance(event, Drawn)]


def test_purses_are_kept_over_games_and_sum_to_nothing() -> None:
    """What one wins the other loses, game after game, and the purses keep it."""
    felt = playing(target=1)
    paid = [0, 0]
    for _ in range(6):
        felt.play_game()
        ended = [event for event in felt.events(ANN) if isinstance(event, GameEnded)][-1]
        paid = [purse + gain for purse, gain in zip(paid, ended.paid, strict=True)]
        assert [seat.purse for seat in felt.table.info.seats] == paid
        felt.again(ANN, BEN)
    assert sum(paid) == 0
    assert felt.table.info.games == 7


def test_game_wants_exactly_the_pack_of_its_options() -> None:
    """Every pack that is wanted is the whole pack of the rule set."""
    felt = playing(target=2)
    felt.play_game()
    assert {frozenset(cards) for cards in felt.wanted} == {frozenset(felt.wanted[0])}
    assert all(len(cards) == 52 for cards in felt.wanted)


# --- the game through the table ---


def test_decision_lists_what_is_accepted_and_nothing_else() -> None:
    """The cards of the asked seat and the put are legal at the first lead; the other's cards are not."""
    felt = playing()
    legal = [choice.action for choice in felt.decision.legal]
    assert legal == [*map(play, felt.cards_of(felt.mover)), Put()]
    other = felt.cards_of(felt.waiter)[0]
    asked = felt.decision.decision
    for action in (play(other), See(), ThrowIn(), play("zz")):
        code = refused(felt, partial(felt.table.act, felt.mover, asked, action, felt.now))
        assert code is RefusalCode.ILLEGAL


def test_act_for_another_seat_is_refused() -> None:
    """Neither the player who waits nor a spectator nor a stranger can answer a decision that is not his."""
    felt = playing()
    felt.watch(CAT)
    decision, action = felt.decision.decision, felt.decision.legal[0].action
    codes = [
        refused(felt, partial(felt.table.act, person, decision, action, felt.now)) for person in (felt.waiter, CAT, DAN)
    ]
    assert codes == [RefusalCode.NOT_YOUR_TURN, RefusalCode.NOT_THERE, RefusalCode.NOT_THERE]


def test_act_on_an_old_decision_is_too_late() -> None:
    """An answer given twice, or to a decision of long ago, is told apart from an illegal one."""
    felt = playing()
    mover, decision = felt.mover, felt.decision
    felt.act(decision.legal[0].action)
    code = refused(felt, lambda: felt.table.act(mover, decision.decision, decision.legal[0].action, felt.now))
    assert code is RefusalCode.TOO_LATE
    assert felt.decision.decision > decision.decision


def test_act_on_a_decision_to_come_is_refused() -> None:
    """Nobody can answer before he is asked."""
    felt = playing()
    asked, action = felt.decision.decision, felt.decision.legal[0].action
    for ahead in (1, 2**40):
        code = refused(felt, partial(felt.table.act, felt.mover, asked + ahead, action, felt.now))
        assert code is RefusalCode.NOT_YOUR_TURN


def test_act_between_games_is_refused() -> None:
    """Without a game there is nothing to answer, and an old decision of the last one stays answered."""
    felt = Felt(new_table())
    felt.sit(ANN)
    assert refused(felt, lambda: felt.table.act(ANN, 1, Put(), 0)) is RefusalCode.NO_GAME
    felt.sit(BEN)
    asked = felt.decision.decision
    felt.resign(ANN)
    assert refused(felt, lambda: felt.table.act(ANN, asked, Put(), 0)) is RefusalCode.NO_GAME


def test_decisions_grow_over_games() -> None:
    """The numbers of decisions never begin again, so an answer to the last game is late in the next."""
    felt = playing(target=1)
    felt.play_game()
    last = max(decision.decision for person in (ANN, BEN) for decision in felt.told(person, Decision))
    felt.again(ANN, BEN)
    assert felt.decision.decision == last + 1
    code = refused(felt, lambda: felt.table.act(felt.mover, last, felt.decision.legal[0].action, felt.now))
    assert code is RefusalCode.TOO_LATE


def test_events_reach_every_viewer_numbered_without_gaps() -> None:
    """Over games, talk, coming and going every viewer's numbers follow one another."""
    felt = Felt(new_table(3, target=2))
    felt.watch(DAN)
    felt.sit(ANN, BEN, CAT)
    felt.say(DAN, "psst")
    felt.play_game()
    felt.watch(EVE)
    felt.say(EVE, "well played")
    felt.again(ANN, BEN, CAT)
    felt.lose(CAT)
    felt.find(CAT, felt.table._ledger.number(Seat(2)) - 1)
    felt.leave(CAT)
    felt.play_game()
    for person in (ANN, BEN, DAN, EVE):
        assert gap_in(felt.mail[person]) is None
    assert len(felt.events(DAN)) > 40


def test_a_put_seen_is_told_to_all_alike() -> None:
    """The put and its answer are public events; the cards are each seat's own."""
    felt = Felt(new_table())
    felt.tops = [["3s", "4s"], ["5s", "5h", "6s", "6h", "7s", "7h"]]
    felt.watch(CAT)
    felt.sit(ANN, BEN)
    assert (felt.cards_of(BEN), felt.cards_of(ANN)) == (("5s", "6s", "7s"), ("5h", "6h", "7h"))
    felt.act(Put())
    felt.act(See())
    felt.act(play("5s"))
    shown = {person: [e for e in felt.events(person) if not isinstance(e, Dealt)] for person in (ANN, BEN, CAT)}
    assert shown[ANN][-3:] == [DidPut(Seat(1)), *shown[ANN][-2:]]
    assert shown[ANN][-1] == Played(Seat(1), play("5s").card, leads=True)
    # Who came last did not see the first sit down; from the game's start all see the same.
    start = GameStarted(1, ("Ann", "Ben"))
    told = [shown[person][shown[person].index(start) :] for person in (ANN, BEN, CAT)]
    assert told[0] == told[1] == told[2]
    dealt = [next(e for e in felt.events(person) if isinstance(e, Dealt)) for person in (ANN, BEN, CAT)]
    assert [event.cards for event in dealt] == [("5h", "6h", "7h"), ("5s", "6s", "7s"), ()]


def test_throwing_in_shows_no_card() -> None:
    """Thrown-in cards are in no event and no view of anybody (never shown during a game)."""
    felt = playing()
    felt.watch(CAT)
    mover, waiter = felt.mover, felt.waiter
    secret = set(felt.cards_of(waiter))
    felt.act(Put())
    before = {person: len(felt.mail[person]) for person in (mover, CAT)}
    felt.act(ThrowIn())
    told = [message for person in (mover, CAT) for message in felt.mail[person][before[person] :]]
    assert any(isinstance(m, Events) and any(isinstance(e, ThrewIn | HandEnded) for e in m.events) for m in told)
    own = set(felt.cards_of(mover))
    assert not [card for card in secret - own if f"'{card}'" in repr(told)]


# --- talk (Law 6, Enquire Within 1856) ---


def test_enquire_within_law_6_gallery_talk_reaches_only_the_gallery_in_play() -> None:
    """No bystander must interfere: during a game what a spectator says is heard by spectators only."""
    felt = playing()
    felt.watch(CAT, DAN)
    before = {person: list(felt.mail[person]) for person in (ANN, BEN)}
    felt.say(CAT, "he has nothing")
    assert felt.events(DAN)[-1] == felt.events(CAT)[-1] == Said("Cat", "he has nothing")
    assert {person: felt.mail[person] for person in (ANN, BEN)} == before


def test_enquire_within_law_6_gallery_talk_stays_secret_from_who_comes_back() -> None:
    """A player who comes back, with any number or none, is told nothing of what the gallery said meanwhile."""
    felt = playing()
    felt.watch(CAT)
    for number in (None, 0, felt.table._ledger.number(Seat(0))):
        felt.lose(ANN)
        felt.say(CAT, "he has nothing")
        told = felt.find(ANN, number)
        assert told
        assert "he has nothing" not in repr(told)


def test_enquire_within_law_6_gallery_talk_reaches_all_when_the_game_is_over() -> None:
    """Before and between games everyone hears the gallery."""
    felt = Felt(new_table(target=1))
    felt.watch(CAT)
    felt.sit(ANN)
    felt.say(CAT, "sit down")
    assert felt.events(ANN)[-1] == Said("Cat", "sit down")
    felt.sit(BEN)
    felt.play_game()
    felt.say(CAT, "well played")
    for person in (ANN, BEN, CAT):
        assert felt.events(person)[-1] == Said("Cat", "well played")


def test_talk_from_a_seat_reaches_everyone() -> None:
    """Players may talk as they please, for talk is part of the bluff."""
    felt = playing()
    felt.watch(CAT)
    felt.say(ANN, "I have three threes")
    for person in (ANN, BEN, CAT):
        assert felt.events(person)[-1] == Said("Ann", "I have three threes", Seat(0))
    assert refused(felt, lambda: felt.table.say(DAN, "Dan", "let me in", 0)) is RefusalCode.NOT_THERE

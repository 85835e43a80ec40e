"""A table: coming and going, games one after another, purses, talk, and refusals that change nothing."""

from collections.abc import Callable
from functools import partial

import pytest

from put_protocol.games import put
from put_protocol.messages import Decision, Events, Left, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import Agreed, GameStarted, Said, Sat, Stood
from put_protocol.table_info import TableState
from put_server.table.seating import GALLERY_SIZE, Sitter
from put_server.table.table_effects import HouseGone, PersonId, RequestRefused
from tests.table.table_harness import ANN, BEN, CAT, DAN, EVE, TableHarness, gap_in, new_table, play, playing, state_of


def refused(harness: TableHarness, command: Callable[[], object]) -> RefusalCode:
    """The code of a refusal, which changed nothing and told nobody anything."""
    before, mail = state_of(harness.table, harness.now), {person: len(box) for person, box in harness.mail.items()}
    with pytest.raises(RequestRefused) as caught:
        command()
    assert state_of(harness.table, harness.now) == before
    assert {person: len(box) for person, box in harness.mail.items()} == mail
    assert caught.value.says
    return caught.value.code


# --- coming and going ---


def test_sitting_shows_the_newcomer_the_table_and_tells_the_others() -> None:
    """Who sits gets the table as their seat sees it, and not the event, which those get who are there."""
    harness = TableHarness(new_table(3))
    harness.sit(ANN)
    harness.sit(BEN)
    (snapshot,) = harness.mail[BEN]
    assert isinstance(snapshot, TableSnapshot)
    assert (snapshot.viewer, [seat.name for seat in snapshot.info.seats]) == (Seat(1), ["Ann", "Ben", None])
    assert harness.events(ANN) == [Sat(Seat(1), "Ben")]


def test_sitting_in_the_last_seat_begins_the_game() -> None:
    """The game starts by itself when the last seat is taken, and the eldest is asked."""
    harness = TableHarness(new_table())
    harness.sit(ANN)
    assert (harness.table.state, harness.wanted) == (TableState.FILLING, [])
    harness.sit(BEN)
    assert harness.state() is TableState.PLAYING
    assert harness.table.info.games == 1
    assert GameStarted(1, ("Ann", "Ben"), "nobody here keeps the key of their cards") in harness.events(ANN)
    assert [len(harness.sent(person, Decision)) for person in (harness.mover, harness.waiter)] == [1, 0]


def test_sitting_takes_the_seat_that_was_asked_for() -> None:
    """A free seat of one's choice is given."""
    harness = TableHarness(new_table(3))
    seat, effects = harness.table.sit(Sitter(ANN, "Ann"), Seat(2), harness.now)
    harness.do(effects)
    assert (seat, harness.table.seating.seat_of(ANN), harness.table.seating.viewer_of(ANN)) == (2, 2, 2)


def test_sitting_is_refused_where_it_cannot_be() -> None:
    """No seat beyond the table, none that is taken, none twice for one person, none at a full table."""
    harness = TableHarness(new_table(3))
    harness.sit(ANN)
    ben = Sitter(BEN, "Ben")
    assert refused(harness, lambda: harness.table.sit(ben, Seat(3), 0)) is RefusalCode.NO_SUCH_SEAT
    assert refused(harness, lambda: harness.table.sit(ben, Seat(0), 0)) is RefusalCode.SEAT_TAKEN
    assert refused(harness, lambda: harness.table.sit(Sitter(ANN, "Ann"), Seat(1), 0)) is RefusalCode.ALREADY_THERE
    harness.sit(BEN, CAT)
    assert refused(harness, lambda: harness.table.sit(Sitter(DAN, "Dan"), None, 0)) is RefusalCode.GAME_IN_PLAY


def test_sitting_at_a_full_table_between_games_is_refused() -> None:
    """Between games a full table has no free seat."""
    harness = playing(target=1)
    harness.play_game()
    assert harness.state() is TableState.BETWEEN
    assert refused(harness, lambda: harness.table.sit(Sitter(DAN, "Dan"), None, 0)) is RefusalCode.SEAT_TAKEN


def test_sitting_from_the_gallery_ends_watching() -> None:
    """A spectator who sits is a player only, and is told things once."""
    harness = TableHarness(new_table(3))
    harness.sit(ANN)
    harness.watch(BEN)
    harness.sit(BEN)
    assert (harness.table.seating.viewer_of(BEN), harness.table.info.watchers) == (1, 0)
    had = len(harness.mail[BEN])
    harness.say(ANN, "Welcome")
    assert len(harness.mail[BEN]) == had + 1


def test_standing_empties_the_seat_and_its_purse() -> None:
    """Who stands is gone from the table, and who sits there next begins with nothing."""
    harness = playing(target=1)
    harness.play_game()
    assert sorted(chair.purse for chair in harness.table.seating.chairs) == [-1, 1]
    seat = harness.table.seating.seat_of(ANN)
    harness.stand(ANN)
    assert harness.events(BEN)[-1] == Stood(Seat(0), "Ann")
    assert (harness.table.seating.viewer_of(ANN), harness.table.state) == (None, TableState.FILLING)
    harness.table.sit(Sitter(CAT, "Cat"), seat, harness.now)
    assert harness.table.info.seats[0].purse == 0


def test_standing_is_refused_in_play_and_to_who_does_not_sit() -> None:
    """A seat is given up only between games, and only by its sitter."""
    harness = playing()
    harness.watch(CAT)
    assert refused(harness, lambda: harness.table.stand(ANN, 0)) is RefusalCode.GAME_IN_PLAY
    assert refused(harness, lambda: harness.table.stand(CAT, 0)) is RefusalCode.NOT_THERE
    assert refused(harness, lambda: harness.table.stand(DAN, 0)) is RefusalCode.NOT_THERE


def test_watching_shows_the_table_without_any_hand() -> None:
    """The gallery sees the public view and no card that was not played."""
    harness = playing()
    harness.watch(CAT)
    (snapshot,) = harness.mail[CAT]
    assert isinstance(snapshot, TableSnapshot)
    assert snapshot.viewer == GALLERY
    assert snapshot.view is not None
    assert (snapshot.view.cards, snapshot.view.counts) == ((), (3, 3))
    assert snapshot.info.watchers == 1
    info = harness.last(ANN, Events).info
    assert info is not None
    assert info.watchers == 1


def test_watching_is_refused_to_who_is_there_and_where_the_gallery_is_shut() -> None:
    """One comes to a table once; a shut gallery admits nobody."""
    harness = playing()
    harness.watch(CAT)
    assert refused(harness, lambda: harness.table.watch(CAT, "Cat", 0)) is RefusalCode.ALREADY_THERE
    assert refused(harness, lambda: harness.table.watch(ANN, "Ann", 0)) is RefusalCode.ALREADY_THERE
    shut = playing(gallery=False)
    assert refused(shut, lambda: shut.table.watch(CAT, "Cat", 0)) is RefusalCode.GALLERY_SHUT


def test_watching_is_refused_when_the_gallery_is_full() -> None:
    """The gallery has a bound, and a place again when somebody goes."""
    harness = playing()
    for number in range(GALLERY_SIZE):
        harness.table.watch(PersonId(100 + number), str(number), harness.now)
    assert refused(harness, lambda: harness.table.watch(CAT, "Cat", 0)) is RefusalCode.GALLERY_SHUT
    harness.table.leave(PersonId(100), harness.now)
    harness.watch(CAT)
    assert harness.table.seating.viewer_of(CAT) == GALLERY


def test_leaving_the_gallery_tells_the_count_and_nothing_more() -> None:
    """A spectator goes without an event; the number of spectators is told."""
    harness = playing()
    harness.watch(CAT, DAN)
    number = harness.table.model.event_log.number(Seat(0))
    harness.leave(CAT)
    assert harness.table.model.event_log.number(Seat(0)) == number
    info = harness.last(ANN, Events).info
    assert info is not None
    assert info.watchers == 1
    assert refused(harness, lambda: harness.table.leave(CAT, 0)) is RefusalCode.NOT_THERE


def test_leaving_in_play_gives_the_game_up_and_pays() -> None:
    """With two players the one who leaves loses the game and its stake."""
    harness = playing()
    harness.leave(BEN)
    (ended,) = [event for event in harness.events(ANN) if isinstance(event, put.GameEnded)]
    assert (ended.how, ended.winners, ended.paid) == (put.GameWon.FORFEIT, (0,), (1, -1))
    assert harness.events(ANN)[-1] == Stood(Seat(1), "Ben")
    assert (harness.table.seating.seat_of(BEN), harness.table.info.seats[0].purse) == (None, 1)
    assert harness.state() is TableState.FILLING


def test_leaving_in_play_lets_three_go_on() -> None:
    """With three players the others play on, and the empty seat stays closed until the game is over."""
    harness = playing(3)
    harness.leave(CAT)
    assert harness.state() is TableState.PLAYING
    assert refused(harness, lambda: harness.table.sit(Sitter(DAN, "Dan"), None, 0)) is RefusalCode.GAME_IN_PLAY
    harness.play_game()
    assert harness.state() is TableState.FILLING
    harness.sit(DAN)
    assert harness.table.seating.seat_of(DAN) == 2
    assert harness.table.info.seats[2].purse == 0


def test_resigning_gives_the_game_up_and_keeps_the_seat() -> None:
    """Who resigns has lost the game and still sits, on anybody's turn."""
    harness = playing()
    harness.resign(harness.waiter)
    assert (harness.table.state, harness.table.seating.is_empty) == (TableState.BETWEEN, False)
    assert {harness.table.seating.seat_of(ANN), harness.table.seating.seat_of(BEN)} == {0, 1}
    assert refused(harness, lambda: harness.table.resign(ANN, 0)) is RefusalCode.NO_GAME
    assert refused(harness, lambda: harness.table.resign(CAT, 0)) is RefusalCode.NOT_THERE


def test_who_has_resigned_has_no_game_to_act_in() -> None:
    """With three players it goes on without them; an answer of theirs that was on its way is not said to be late."""
    harness = playing(3)
    decision, action = harness.decision.decision, harness.decision.legal[0].action
    harness.resign(harness.mover)
    play = harness.table.model.play
    assert play is not None
    gone = next(p for p in (ANN, BEN, CAT) if harness.table.seating.seat_of(p) in play.resigned)
    assert refused(harness, lambda: harness.table.act(gone, decision, action, harness.now)) is RefusalCode.NO_GAME
    assert harness.table.state is TableState.PLAYING


def test_resigning_twice_gives_up_no_more() -> None:
    """With three players a second resignation from the same seat changes nothing and tells nobody."""
    harness = playing(3)
    harness.resign(CAT)
    before = state_of(harness.table, harness.now)
    assert harness.table.resign(CAT, harness.now) == []
    assert state_of(harness.table, harness.now) == before


def test_dismissing_is_for_house_players_only() -> None:
    """A guest cannot be sent away, nor an empty seat, nor one that is not there; a house player can, between games."""
    harness = TableHarness(new_table(3))
    harness.sit(ANN)
    harness.do(harness.table.sit(Sitter(PersonId(90), "Doll", house="steady"), None, harness.now)[1])
    for seat in (0, 2, 9):
        assert refused(harness, partial(harness.table.dismiss, Seat(seat), 0)) is RefusalCode.NO_SUCH_SEAT
    assert HouseGone(PersonId(90)) in harness.table.dismiss(Seat(1), harness.now)
    assert harness.table.info.seats[1].name is None


def test_closing_sends_everybody_away() -> None:
    """Everyone at the table is told that they are no longer there, and the house is let go."""
    harness = TableHarness(new_table(3))
    harness.sit(ANN)
    harness.watch(BEN)
    harness.table.sit(Sitter(PersonId(90), "Doll", house="steady"), None, harness.now)
    effects = harness.table.close("over")
    harness.do(effects)
    assert harness.mail[ANN][-1] == harness.mail[BEN][-1] == Left(harness.table.id, "over")
    assert HouseGone(PersonId(90)) in effects


# --- games one after another ---


def test_again_waits_for_every_player() -> None:
    """The next game begins when the last player has asked for it, and not before."""
    harness = playing(3, target=1)
    harness.play_game()
    harness.again(ANN)
    harness.again(CAT)
    assert harness.state() is TableState.BETWEEN
    assert [seat.agrees for seat in harness.table.info.seats] == [True, False, True]
    assert harness.events(BEN)[-2:] == [Agreed(Seat(0)), Agreed(Seat(2))]
    harness.again(BEN)
    assert harness.table.info.games == 2
    assert harness.state() is TableState.PLAYING


def test_again_is_refused_in_play_twice_and_to_strangers() -> None:
    """It is asked once, between games, by who sits."""
    harness = playing(target=1)
    harness.watch(CAT)
    assert refused(harness, lambda: harness.table.again(ANN, 0)) is RefusalCode.GAME_IN_PLAY
    harness.play_game()
    harness.again(ANN)
    assert refused(harness, lambda: harness.table.again(ANN, 0)) is RefusalCode.ALREADY_THERE
    assert refused(harness, lambda: harness.table.again(CAT, 0)) is RefusalCode.NOT_THERE
    assert refused(harness, lambda: harness.table.again(DAN, 0)) is RefusalCode.NOT_THERE


def test_again_may_be_asked_by_the_gallery_of_the_house() -> None:
    """Where only the house sits, a spectator's word starts the next game."""
    harness = TableHarness(new_table(target=1))
    harness.watch(CAT)
    for number in (90, 91):
        harness.do(harness.table.sit(Sitter(PersonId(number), f"House {number}", house="steady"), None, harness.now)[1])
    harness.play_game()
    harness.again(CAT)
    assert harness.table.info.games == 2


def test_deal_passes_on_between_games_of_the_same_players() -> None:
    """The next game between the same players has no draw: the next dealer deals."""
    harness = playing(target=1)
    last = [event for event in harness.events(ANN) if isinstance(event, put.Dealt)][-1]
    harness.play_game()
    dealer = [event for event in harness.events(ANN) if isinstance(event, put.Dealt)][-1].dealer
    before = len(harness.events(ANN))
    harness.again(ANN, BEN)
    after = harness.events(ANN)[before:]
    assert not [event for event in after if isinstance(event, put.Drawn)]
    assert next(event for event in after if isinstance(event, put.Dealt)).dealer == (dealer + 1) % 2
    assert last.hand == 1


def test_deal_is_drawn_for_anew_when_players_change() -> None:
    """A new player, or the same two in other seats, draw for the deal."""
    harness = playing(target=1)
    harness.play_game()
    harness.stand(BEN)
    harness.sit(CAT)
    harness.again(ANN)
    assert [event for event in harness.events(CAT) if isinstance(event, put.Drawn)]
    swapped = playing(target=1)
    swapped.play_game()
    swapped.stand(ANN)
    swapped.stand(BEN)
    swapped.sit(BEN, ANN)
    assert swapped.table.info.games == 2
    assert [event for event in swapped.events(BEN) if isinstance(event, put.Drawn)]


def test_purses_are_kept_over_games_and_sum_to_nothing() -> None:
    """What one wins the other loses, game after game, and the purses keep it."""
    harness = playing(target=1)
    paid = [0, 0]
    for _ in range(6):
        harness.play_game()
        ended = [event for event in harness.events(ANN) if isinstance(event, put.GameEnded)][-1]
        paid = [purse + gain for purse, gain in zip(paid, ended.paid, strict=True)]
        assert [seat.purse for seat in harness.table.info.seats] == paid
        harness.again(ANN, BEN)
    assert sum(paid) == 0
    assert harness.table.info.games == 7


def test_game_wants_exactly_the_pack_of_its_options() -> None:
    """Every pack that is wanted is the whole pack of the rule set."""
    harness = playing(target=2)
    harness.play_game()
    assert {frozenset(cards) for cards in harness.wanted} == {frozenset(harness.wanted[0])}
    assert all(len(cards) == 52 for cards in harness.wanted)


# --- the game through the table ---


def test_decision_lists_what_is_accepted_and_nothing_else() -> None:
    """The cards of the asked seat and the put are legal at the first lead; the other's cards are not."""
    harness = playing()
    legal = [choice.action for choice in harness.decision.legal]
    assert legal == [*map(play, harness.cards_of(harness.mover)), put.Put()]
    other = harness.cards_of(harness.waiter)[0]
    asked = harness.decision.decision
    for action in (play(other), put.See(), put.ThrowIn(), play("zz")):
        code = refused(harness, partial(harness.table.act, harness.mover, asked, action, harness.now))
        assert code is RefusalCode.ILLEGAL


def test_act_for_another_seat_is_refused() -> None:
    """Neither the player who waits nor a spectator nor a stranger can answer a decision that is not theirs."""
    harness = playing()
    harness.watch(CAT)
    decision, action = harness.decision.decision, harness.decision.legal[0].action
    codes = [
        refused(harness, partial(harness.table.act, person, decision, action, harness.now))
        for person in (harness.waiter, CAT, DAN)
    ]
    assert codes == [RefusalCode.NOT_YOUR_TURN, RefusalCode.NOT_THERE, RefusalCode.NOT_THERE]


def test_act_on_an_old_decision_is_too_late() -> None:
    """An answer given twice, or to a decision of long ago, is told apart from an illegal one."""
    harness = playing()
    mover, decision = harness.mover, harness.decision
    harness.act(decision.legal[0].action)
    code = refused(harness, lambda: harness.table.act(mover, decision.decision, decision.legal[0].action, harness.now))
    assert code is RefusalCode.TOO_LATE
    assert harness.decision.decision > decision.decision


def test_act_on_a_decision_to_come_is_refused() -> None:
    """Nobody can answer before they are asked."""
    harness = playing()
    asked, action = harness.decision.decision, harness.decision.legal[0].action
    for ahead in (1, 2**40):
        code = refused(harness, partial(harness.table.act, harness.mover, asked + ahead, action, harness.now))
        assert code is RefusalCode.NOT_YOUR_TURN


def test_act_between_games_is_refused() -> None:
    """Without a game there is nothing to answer, and an old decision of the last one stays answered."""
    harness = TableHarness(new_table())
    harness.sit(ANN)
    assert refused(harness, lambda: harness.table.act(ANN, 1, put.Put(), 0)) is RefusalCode.NO_GAME
    harness.sit(BEN)
    asked = harness.decision.decision
    harness.resign(ANN)
    assert refused(harness, lambda: harness.table.act(ANN, asked, put.Put(), 0)) is RefusalCode.NO_GAME


def test_decisions_grow_over_games() -> None:
    """The numbers of decisions never begin again, so an answer to the last game is late in the next."""
    harness = playing(target=1)
    harness.play_game()
    last = max(decision.decision for person in (ANN, BEN) for decision in harness.sent(person, Decision))
    harness.again(ANN, BEN)
    assert harness.decision.decision == last + 1
    code = refused(
        harness, lambda: harness.table.act(harness.mover, last, harness.decision.legal[0].action, harness.now)
    )
    assert code is RefusalCode.TOO_LATE


def test_events_reach_every_viewer_numbered_without_gaps() -> None:
    """Over games, talk, coming and going every viewer's numbers follow one another."""
    harness = TableHarness(new_table(3, target=2))
    harness.watch(DAN)
    harness.sit(ANN, BEN, CAT)
    harness.say(DAN, "psst")
    harness.play_game()
    harness.watch(EVE)
    harness.say(EVE, "well played")
    harness.again(ANN, BEN, CAT)
    harness.disconnect(CAT)
    harness.reconnect(CAT, harness.table.model.event_log.number(Seat(2)) - 1)
    harness.leave(CAT)
    harness.play_game()
    for person in (ANN, BEN, DAN, EVE):
        assert gap_in(harness.mail[person]) is None
    assert len(harness.events(DAN)) > 40


def test_a_put_seen_is_told_to_all_alike() -> None:
    """The put and its answer are public events; the cards are each seat's own."""
    harness = TableHarness(new_table())
    harness.tops = [["3s", "4s"], ["5s", "5h", "6s", "6h", "7s", "7h"]]
    harness.watch(CAT)
    harness.sit(ANN, BEN)
    assert (harness.cards_of(BEN), harness.cards_of(ANN)) == (("5s", "6s", "7s"), ("5h", "6h", "7h"))
    harness.act(put.Put())
    harness.act(put.See())
    harness.act(play("5s"))
    shown = {person: [e for e in harness.events(person) if not isinstance(e, put.Dealt)] for person in (ANN, BEN, CAT)}
    assert shown[ANN][-3:] == [put.DidPut(Seat(1)), *shown[ANN][-2:]]
    assert shown[ANN][-1] == put.Played(Seat(1), play("5s").card, leads=True)
    # Who came last did not see the first sit down; from the game's start all see the same.
    start = GameStarted(1, ("Ann", "Ben"), "nobody here keeps the key of their cards")
    told = [shown[person][shown[person].index(start) :] for person in (ANN, BEN, CAT)]
    assert told[0] == told[1] == told[2]
    dealt = [next(e for e in harness.events(person) if isinstance(e, put.Dealt)) for person in (ANN, BEN, CAT)]
    assert [event.cards for event in dealt] == [("5h", "6h", "7h"), ("5s", "6s", "7s"), ()]


def test_throwing_in_shows_no_card() -> None:
    """Thrown-in cards are in no event and no view of anybody (never shown during a game)."""
    harness = playing()
    harness.watch(CAT)
    mover, waiter = harness.mover, harness.waiter
    secret = set(harness.cards_of(waiter))
    harness.act(put.Put())
    before = {person: len(harness.mail[person]) for person in (mover, CAT)}
    harness.act(put.ThrowIn())
    told = [message for person in (mover, CAT) for message in harness.mail[person][before[person] :]]
    assert any(
        isinstance(m, Events) and any(isinstance(e, put.ThrewIn | put.HandEnded) for e in m.events) for m in told
    )
    own = set(harness.cards_of(mover))
    assert not [card for card in secret - own if f"'{card}'" in repr(told)]


# --- talk (Law 6, Enquire Within 1856) ---


def test_enquire_within_law_6_gallery_talk_reaches_only_the_gallery_in_play() -> None:
    """No bystander must interfere: during a game what a spectator says is heard by spectators only."""
    harness = playing()
    harness.watch(CAT, DAN)
    before = {person: list(harness.mail[person]) for person in (ANN, BEN)}
    harness.say(CAT, "they have nothing")
    assert harness.events(DAN)[-1] == harness.events(CAT)[-1] == Said("Cat", "they have nothing")
    assert {person: harness.mail[person] for person in (ANN, BEN)} == before


def test_enquire_within_law_6_gallery_talk_stays_secret_from_who_comes_back() -> None:
    """A player who comes back, with any number or none, is told nothing of what the gallery said meanwhile."""
    harness = playing()
    harness.watch(CAT)
    for number in (None, 0, harness.table.model.event_log.number(Seat(0))):
        harness.disconnect(ANN)
        harness.say(CAT, "they have nothing")
        told = harness.reconnect(ANN, number)
        assert told
        assert "they have nothing" not in repr(told)


def test_enquire_within_law_6_gallery_talk_reaches_all_when_the_game_is_over() -> None:
    """Before and between games everyone hears the gallery."""
    harness = TableHarness(new_table(target=1))
    harness.watch(CAT)
    harness.sit(ANN)
    harness.say(CAT, "sit down")
    assert harness.events(ANN)[-1] == Said("Cat", "sit down")
    harness.sit(BEN)
    harness.play_game()
    harness.say(CAT, "well played")
    for person in (ANN, BEN, CAT):
        assert harness.events(person)[-1] == Said("Cat", "well played")


def test_talk_from_a_seat_reaches_everyone() -> None:
    """Players may talk as they please, for talk is part of the bluff."""
    harness = playing()
    harness.watch(CAT)
    harness.say(ANN, "I have three threes")
    for person in (ANN, BEN, CAT):
        assert harness.events(person)[-1] == Said("Ann", "I have three threes", Seat(0))
    assert refused(harness, lambda: harness.table.say(DAN, "Dan", "let me in", 0)) is RefusalCode.NOT_THERE

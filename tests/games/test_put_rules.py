"""Claims of the sources about Put that hold everywhere, where a vector shows but one case."""

from itertools import product
from random import Random
from typing import Any

import pytest

from put_protocol.cards import SUITS, Card, rank_of, suit_of
from put_protocol.games import put
from put_protocol.games.unions import Action
from put_protocol.seats import GALLERY, Seat
from put_rules.game import Over, Turn
from put_rules.put.hand import DRAWN, decided
from tests.conformance.random_games import Act, Input, Pack, replayed
from tests.games.staged_games import after, events, game_cards, random_games, table
from tests.games.vectors import filled_up

RANKS = ("3", "2", "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4")


# --- the cards ---


@pytest.mark.parametrize(("pack", "worst"), [(52, "4"), (32, "9"), (28, "10")])
def test_cotton_three_is_best_and_four_worst(pack: int, worst: str) -> None:
    """Cotton: 3 2 A K Q J 10 9 8 7 6 5 4, in tricks of any two cards; Parlett's short packs stop at the 9 or 10."""
    ranks = RANKS[: RANKS.index(worst) + 1]
    setup = table(pack=pack)
    game = setup.game()
    view = game.view(game.begin(setup.dealer), GALLERY)
    assert isinstance(view, put.PutView)
    assert view.ranking == ranks
    for led, played in product(ranks, ranks):
        steps = after(setup, f"{led}s {played}h", Act(put.Play(Card(f"{led}s"))), Act(put.Play(Card(f"{played}h"))))
        (trick,) = [event for event in events(steps) if isinstance(event, put.TrickEnded)]
        places = ranks.index(led), ranks.index(played)
        assert trick.winner == (None if led == played else int(places[0] < places[1]))


def test_cotton_suits_do_not_matter() -> None:
    """The same game with its suits renamed has the same course, card for card."""
    for seed, (setup, steps) in enumerate(random_games(150, misdeals=0, arranged="")):
        names = dict(zip(SUITS, Random(seed).sample(SUITS, 4), strict=True))

        def renamed(card: Card, names: dict[str, str] = names) -> Card:
            return Card(rank_of(card) + names[suit_of(card)])

        inputs: list[Input] = []
        for step in steps[1:]:
            match step.given:
                case Pack(cards=cards):
                    inputs.append(Pack(tuple(map(renamed, cards))))
                case Act(action=put.Play(card=card)):
                    inputs.append(Act(put.Play(renamed(card))))
                case None:
                    raise AssertionError("only a beginning has no input")
                case other:
                    inputs.append(other)
        again = list(replayed(setup, inputs))
        told = (put.DealerFound, put.HandEnded, put.TrickEnded)
        assert [e for e in events(again) if isinstance(e, told)] == [e for e in events(steps) if isinstance(e, told)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_willughby_one_card_more_than_players(seats: int) -> None:
    """Willughby: one card more each than players, one at a time from the dealer's left; so if no trick is tied somebody
    takes two."""
    setup = table(seats)
    game = setup.game()
    state = after(setup, "")[-1].state
    pack = filled_up((), tuple(card for card in game_cards(setup)))
    for seat in range(seats):
        view = game.view(state, Seat(seat))
        place = (seat - 1) % seats
        assert view.cards == pack[place : seats * (seats + 1) : seats]
        assert len(view.cards) == seats + 1


# --- the put ---


def test_willughby_put_before_any_card() -> None:
    """Willughby: before every lead and every reply the player may put, until somebody has in this hand; an answer is to
    see or to throw in; and there is no other throwing in."""
    for setup, steps in random_games(400):
        game = setup.game()
        for step in steps:
            if not isinstance(game.awaits(step.state), Turn):
                continue
            legal = game.legal(step.state)
            view = game.view(step.state, GALLERY)
            assert isinstance(view, put.PutView)
            if view.moment is put.Moment.ANSWER:
                assert set(legal) == {put.See(), put.ThrowIn()}
            elif view.moment is not put.Moment.ACCIDENT:
                assert (put.Put() in legal) == (view.putter is None)
                assert put.See() not in legal
                assert put.ThrowIn() not in legal


def test_law_7_nobody_puts_twice_in_a_hand() -> None:
    """From deal to deal "I put" is said at most once, is answered by everyone still in, and is never taken back."""
    puts = 0
    for _, steps in random_games(600):
        said = 0
        for event in events(steps):
            match event:
                case put.Dealt():
                    said = 0
                case put.DidPut():
                    said += 1
                    puts += 1
                    assert said == 1
                case put.Saw():
                    assert said == 1
                case _:
                    pass
    assert puts > 300, "the games were to be full of puts"


def test_cotton_high_game_dealer_can_always_win() -> None:
    """The High Game is no bluff: after the put is seen the dealer has an answer to every play of their victim's."""
    setup = table()
    game = setup.game()
    dealt = after(setup, "3s 2d 2s 3h 2h 3d", Act(put.Put()), Act(put.See()))[-1].state

    def dealer_wins(state: Any) -> bool:
        awaits = game.awaits(state)
        if not isinstance(awaits, Turn):
            return isinstance(awaits, Over) and game.paid(state) == (1, -1)
        outcomes = (dealer_wins(game.act(state, action)[0]) for action in game.legal(state))
        return any(outcomes) if awaits.seat == 0 else all(outcomes)

    assert dealer_wins(dealt)


def test_refused_put_shows_no_card() -> None:
    """A hand thrown in to a put ends in a point for the putter, and the events name no card of it but those played."""
    starts: tuple[put.Put | put.Play, ...] = (put.Put(), put.Play(Card("3s")))
    for first in starts:
        inputs: tuple[Action, ...] = (put.Put(),) if isinstance(first, put.Put) else (first, put.Put())
        steps = after(table(), "3s 2d 2s 3h 2h 3d", *map(Act, inputs), Act(put.ThrowIn()))
        ended = events(steps)[-1]
        assert isinstance(ended, put.HandEnded)
        assert (ended.how, ended.points) == (put.HandWon.THROWN_IN, 1)
        told = repr(events(steps[-1:]))
        assert not any(card in told for card in ("2d", "2s", "3h", "2h", "3d"))


# --- the draw ---


@pytest.mark.parametrize("cut", ["high", "low"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_parlett_best_card_drawn_deals_or_lowest(seats: int, cut: str) -> None:
    """Who draws the best card deals, or by Enquire Within the lowest; ties draw again among themselves, to the end."""
    setup = table(seats, None, cut=cut)
    for seed in range(300):
        pack = list(game_cards(setup))
        Random(seed).shuffle(pack)
        seen = events(after(setup, " ".join(pack)))
        drawing, drawn = list(range(seats)), 0
        for event in seen[:-1]:
            assert isinstance(event, put.Drawn)
            assert list(event.seats) == drawing
            assert list(event.cards) == pack[drawn : drawn + len(drawing)]
            drawn += len(drawing)
            places = [RANKS.index(rank_of(card)) for card in event.cards]
            best = min(places) if cut == "high" else max(places)
            drawing = [seat for seat, place in zip(drawing, places, strict=True) if place == best]
            assert list(event.tied) == (drawing if len(drawing) > 1 else [])
        assert seen[-1] == put.DealerFound(Seat(drawing[0]))
        assert len(drawing) == 1


# --- who wins ---


def outcomes(tricks: tuple[int, ...], playing: tuple[bool, ...], left: int) -> set[int | str]:
    """Every way a hand can end: each trick to come falls to one of those still in, or to nobody."""
    still_in = [seat for seat, is_in in enumerate(playing) if is_in]
    found: set[int | str] = set()
    for takers in product([None, *still_in], repeat=left):
        counts = {seat: tricks[seat] + takers.count(seat) for seat in still_in}
        most = max(counts.values())
        best = [seat for seat, count in counts.items() if count == most]
        found.add(best[0] if len(best) == 1 else DRAWN)
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hand_is_decided_exactly_when_certain(seats: int) -> None:
    """For all trick counts, players still in, and tricks to come, the result is called iff all continuations agree."""
    length = seats + 1
    calls = 0
    for tricks in product(range(length + 1), repeat=seats):
        for left in range(length - sum(tricks) + 1):
            for playing in product((False, True), repeat=seats):
                if sum(playing) >= 2:
                    possible = outcomes(tricks, playing, left)
                    expected = next(iter(possible)) if len(possible) == 1 else None
                    assert decided(tricks, playing, left) == expected, (tricks, playing, left)
                    calls += expected is not None
    assert calls > 10


def test_hand_ends_as_soon_as_it_is_certain() -> None:
    """In games no hand goes on after a trick that left one result, and none is scored while two were possible."""
    ended = 0
    for setup, steps in random_games(500, accidents=False):
        game = setup.game()
        for step in steps:
            seen = step.seen_by(GALLERY)
            trick = next((event for event in seen if isinstance(event, put.TrickEnded)), None)
            if trick is None:
                continue
            view = game.view(step.state, GALLERY)
            assert isinstance(view, put.PutView)
            hand = next((event for event in seen if isinstance(event, put.HandEnded)), None)
            possible = outcomes(trick.tricks, view.playing, setup.seats + 1 - trick.number)
            assert (hand is not None) == (len(possible) == 1)
            if hand is not None:
                ended += 1
                assert (DRAWN if hand.winner is None else hand.winner) in possible
    assert ended > 200, "hands were to be played out"


def test_two_tricks_or_one_with_two_tied_win() -> None:
    """With two players and every way three tricks can fall: two, or one with two tied, win; the rest is a draw."""
    for falls in product((0, 1, None), repeat=3):
        counts = (falls.count(0), falls.count(1))
        winner = decided(counts, (True, True), 0)
        if 2 in counts or 3 in counts or counts in ((1, 0), (0, 1)):
            assert winner == (0 if counts[0] > counts[1] else 1)
        else:
            assert winner == DRAWN
            assert counts in ((0, 0), (1, 1))

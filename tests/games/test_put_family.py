"""Claims of the sources about the other rule sets, where a vector shows but one case."""

from itertools import chain, pairwise

import pytest

from put_protocol.cards import rank_of
from put_protocol.games import put
from put_protocol.seats import GALLERY, Seat
from tests.games.put_tables import games_in
from tests.games.staged_games import events, game_cards, hands_of, random_games, table

# --- the nineteenth century ---


def test_hoyle_second_trick_only_after_an_accepted_put() -> None:
    """Hoyle, Enquire Within: whatever became of the first trick, there is a second only if a put was accepted."""
    second = 0
    for _, steps in random_games(400, "put-1800"):
        for hand in hands_of(steps):
            cards = [place for place, event in enumerate(hand) if isinstance(event, put.Played)]
            seen = [place for place, event in enumerate(hand) if isinstance(event, put.Saw)]
            if len(cards) > 2:
                second += 1
                assert seen
                assert seen[0] < cards[2]
            ended = next((event for event in hand if isinstance(event, put.HandEnded)), None)
            if ended is not None and not seen:
                assert ended.how is put.HandWon.THROWN_IN
    assert second > 50


def test_pagat_accepted_put_brings_the_winner_to_the_target() -> None:
    """A hand played out after a put gives its winner what they need, and nobody a point more."""
    won = 0
    games = (random_games(300, "put-1800"), random_games(300, "put-partners", two_handed="put-1800"))
    for setup, steps in chain(*games):
        for event in events(steps):
            if isinstance(event, put.HandEnded) and event.how is put.HandWon.TRICKS:
                assert event.winner is not None
                assert event.scores[event.winner] == setup.options["target"]
                won += 1
    assert won > 50


# --- partners ---


def test_enquire_within_partner_gives_their_best_card() -> None:
    """One of each side gives their best card, the first dealt of equals; the receiver, with four, discards one."""
    gifts = 0
    for setup, steps in random_games(300, "put-partners"):
        game = setup.game()
        for before, step in pairwise(steps):
            for gave in [event for event in step.seen_by(GALLERY) if isinstance(event, put.Gave)]:
                assert gave.to == (gave.seat + 2) % 4
                view = game.view(before.state, gave.seat)
                assert isinstance(view, put.PutView)
                after = game.view(step.state, gave.to)
                assert isinstance(after, put.PutView)
                places = [view.ranking.index(rank_of(card)) for card in view.cards]
                best = view.cards[places.index(min(places))]
                assert after.cards[-1] == best
                assert len(after.cards) == 4
                assert game.view(step.state, gave.seat).cards == ()
                gifts += 1
    assert gifts > 300


# --- Parlett ---


def test_parlett_tricks_win_the_game_and_concessions_points() -> None:
    """Parlett 1994: a hand won by tricks wins the game outright and no points; points come from concessions alone."""
    ways = set()
    for _, steps in random_games(400, "put-parlett", misdeals=0):
        seen = events(steps)
        for event, after in zip(seen, [*seen[1:], None], strict=True):
            if isinstance(event, put.HandEnded):
                ways.add(event.how)
                assert event.points == (event.how is put.HandWon.THROWN_IN)
                if event.how is put.HandWon.TRICKS:
                    assert isinstance(after, put.GameEnded)
                    assert after.how is put.GameWon.OUTRIGHT
    assert ways == set(put.HandWon)


def test_parlett_follower_must_play() -> None:
    """Who is led to has nothing to say: in every reply each choice is a card, and in every lead there is more."""
    for setup, steps in random_games(200, "put-parlett"):
        game = setup.game()
        for step in steps:
            moment = game.view(step.state, GALLERY).moment
            kinds = {type(action) for action in game.legal(step.state)}
            if moment is put.Moment.REPLY:
                assert kinds == {put.Play}
            elif moment is put.Moment.LEAD:
                assert kinds in ({put.Play}, {put.Play, put.Put, put.ThrowIn})


# --- the tavern ---


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_tavern_put_only_before_the_first_trick(seats: int) -> None:
    """The tavern sheet: every put is said before a card is played, and from eldest round each is asked at most once."""
    puts = 0
    for _, steps in random_games(300, "put-tavern", seats=seats):
        for hand in hands_of(steps):
            kinds = [type(event) for event in hand]
            if put.DidPut in kinds:
                puts += 1
                assert kinds.count(put.DidPut) == 1
                assert put.Played not in kinds[: kinds.index(put.DidPut)]
                assert put.Passed not in kinds[kinds.index(put.DidPut) :]
            passed = [event.seat for event in hand if isinstance(event, put.Passed)]
            assert len(set(passed)) == len(passed)
    assert puts > 20


# --- Truc ---


def test_parlett_truc_is_to_twelve() -> None:
    """Parlett 1994: twelve points win a game, two games the rubber, and the pack is of 32 cards, or 28 as printed."""
    for ranking, ranks in (("french", "7 8 A K Q J 10 9"), ("printed", "6 7 A K Q J 10")):
        setup = table(game="truc", ranking=ranking)
        view = setup.game().view(setup.game().begin(setup.dealer), GALLERY)
        assert isinstance(view, put.PutView)
        assert view.target == 12
        assert view.ranking == tuple(ranks.split())
        assert len(game_cards(setup)) == 4 * len(view.ranking)
        assert setup.options["rubber"] == 2


def test_truc_double_is_offered_while_it_may_matter() -> None:
    """A double is offered at every lead and reply but right after one's own, until the value reaches what each of the
    two still needs; and it makes the value twice what it was."""
    offered, withheld = 0, 0
    for setup, steps in random_games(150, "truc"):
        game = setup.game()
        value, has_spoken = 1, False
        for step in steps:
            for event in step.seen_by(GALLERY):
                match event:
                    case put.Dealt():
                        value, has_spoken = 1, False
                    case put.Doubled(value=offer):
                        assert offer == 2 * value
                    case put.Saw(value=taken):
                        assert taken == 2 * value
                        value, has_spoken = taken, True
                    case put.Played():
                        has_spoken = False
                    case _:
                        pass
            view = game.view(step.state, GALLERY)
            assert isinstance(view, put.PutView)
            if view.moment in (put.Moment.LEAD, put.Moment.REPLY):
                assert view.value == value
                needed = [12 - score for score in view.scores]
                may = not has_spoken and any(need > value for need in needed)
                assert (put.Double() in game.legal(step.state)) == may
                if not has_spoken:
                    assert ("double" in game.wording(step.state).asks) == may
                offered += may
                withheld += not may and not has_spoken
    assert offered > 1000
    assert withheld > 20, "values were to grow beyond the target"


def test_truc_rubber_pays_a_stake_for_each_game() -> None:
    """What a purse gains in a rubber is the games won less the games lost, given up ones included."""
    lengths = set()
    for setup, steps in random_games(150, "truc"):
        won = [event.winners[0] for event in events(steps) if isinstance(event, put.GameEnded)]
        lengths.add(len(won))
        gain = won.count(Seat(0)) - won.count(Seat(1))
        assert setup.game().paid(steps[-1].state) == (gain, -gain)
        assert len(won) <= 2 * games_in(setup) - 1
    assert lengths == {1, 2, 3}


def test_truc_deal_alternates_through_a_rubber() -> None:
    """Each hand of a rubber is dealt by the other, over the end of a game as well."""
    games = 0
    for _, steps in random_games(80, "truc", rubber=2):
        seen = events(steps)
        dealers = [event.dealer for event in seen if isinstance(event, put.Dealt)]
        assert all(one != other for one, other in pairwise(dealers))
        games += sum(isinstance(event, put.GameEnded) for event in seen[:-1])
    assert games > 30


@pytest.mark.parametrize("tied_trick", ["nobody", "first_winner"])
def test_truc_tied_tricks(tied_trick: str) -> None:
    """By the French habit tied tricks are the first winner's, earlier ones included; else they are nobody's."""
    ties = 0
    for _, steps in random_games(80, "truc", tied_trick=tied_trick):
        for hand in hands_of(steps):
            taken = [event for event in hand if isinstance(event, put.TrickEnded)]
            for number, event in enumerate(taken, 1):
                winners = [trick.winner for trick in taken[:number]]
                first = next((winner for winner in winners if winner is not None), None)
                if tied_trick == "first_winner":
                    winners = [first if winner is None else winner for winner in winners]
                assert event.tricks == (winners.count(Seat(0)), winners.count(Seat(1)))
                ties += event.winner is None
    assert ties > 50

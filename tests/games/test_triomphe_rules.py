"""Claims of the source about Triomphe Forcée over whole games, where a vector shows but one case.

The source is Dummett 1980, who has the rules from the *Maison académique* of 1659, as an article of *The Oak* (no. 5)
tells them. What it leaves open is decided in docs/games/triomphe-forcee.md.
"""

from itertools import pairwise, product
from typing import Any

import pytest

from put_protocol.cards import FOOL, LA_MORT, TAROT_PACK, Card
from put_protocol.games import triomphe
from put_protocol.games.families import FAMILIES
from put_protocol.games.put import Put
from put_protocol.games.triomphe import Play, TriompheView
from put_protocol.seats import GALLERY, Direction, Seat
from put_protocol.table_events import GameOver, LeftGame
from put_rules.game import Game, IllegalAction, NotAwaited, Over, Shuffle, Turn
from put_rules.registry import GAMES
from put_rules.triomphe import rules
from put_rules.triomphe.machine import won
from put_text.catalogue import card_in_words
from tests.conformance.random_games import Act, Expire, Leave, Pack, Setup, Step
from tests.games import triomphe_model as model
from tests.games.staged_games import after, events, random_games, table

NAME = "triomphe-forcee"
SEATS = range(4, 11)


def _view(setup: Setup, step: Step, viewer: Seat) -> TriompheView:
    view = setup.game().view(step.state, viewer)
    assert isinstance(view, TriompheView)
    return view


def _mover(game: Game[Any, Any], state: Any) -> Seat:
    awaits = game.awaits(state)
    assert isinstance(awaits, Turn)
    return awaits.seat


def _dealt_to(setup: Setup, step: Step, pack: tuple[Card, ...]) -> dict[int, list[str]]:
    """The hands that this pack gives, in the order of play."""
    awaits = setup.game().awaits(step.state)
    assert isinstance(awaits, Shuffle)
    hands: dict[int, list[str]] = {}
    for seat, card in zip(awaits.to, pack, strict=False):
        hands.setdefault(seat, []).append(card)
    return hands


# --- the cards -------------------------------------------------------------------------------------------------------


def test_dummett_order_of_cards() -> None:
    """Swords and batons from the king to the 1, cups and coins with the pips upside down, trumps above all of them."""
    for suit, ranking in model.RANKING.items():
        cards = [Card(rank + suit) for rank in ranking.split()]
        assert sorted(cards, key=rules.STRENGTH.__getitem__, reverse=True) == cards
        assert (min(map(rules.STRENGTH.__getitem__, cards)) > 14) == (suit == "t")
    assert set(rules.STRENGTH) == set(TAROT_PACK)


def test_time_out_plays_from_the_bottom() -> None:
    """Decided here: the Fool; the lowest of each suit in turn, then the next lowest; trumps last, I to XXI."""
    left = list(TAROT_PACK)
    order = []
    while left:
        order.append(rules.lowest(left))
        left.remove(order[-1])
    assert order[:5] == [FOOL, "1w", "1b", "10u", "10o"]
    assert order[5:9] == ["2w", "2b", "9u", "9o"]
    assert order[53:57] == ["Kw", "Kb", "Ku", "Ko"]
    assert order[57:] == [Card(f"{number}t") for number in range(1, 22)]


def test_offer_says_family_direction_and_seats() -> None:
    """Between four and ten players, counter-clockwise, under the family's name."""
    offer = GAMES[NAME].offer
    assert offer.seats == tuple(SEATS)
    assert offer.direction is Direction.COUNTER_CLOCKWISE
    assert FAMILIES[offer.family].view is TriompheView
    assert FAMILIES[offer.family].direction is offer.direction


# --- against the model -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("accidents", [False, True], ids=["quiet", "people-leave"])
def test_machine_plays_as_the_model(accidents: bool) -> None:
    """Declarations, legal cards, takers of tricks and of the pool, and time-outs are those of an independent model."""
    ended = set()
    for setup, steps in random_games(250, NAME, accidents=accidents):
        game = setup.game()
        stake, force = int(setup.options["stake"]), int(setup.options["force"])
        hands: dict[int, list[str]] = {}
        trick: list[tuple[int, str]] = []
        winners: list[int] = []
        gone: set[int] = set()
        opening = model.Opening([], 0)
        pool = 0
        for before, step in pairwise(steps):
            absent = {_mover(game, before.state)} if isinstance(step.given, Expire) else set()
            shown = []
            for event in step.seen_by(GALLERY):
                match event:
                    case LeftGame(seat=seat):
                        gone.add(seat)
                    case triomphe.Dealt(hand=hand, eldest=eldest):
                        assert isinstance(step.given, Pack)
                        hands = _dealt_to(setup, before, step.given.cards)
                        trick, winners = [], []
                        opening = model.open_hand(hands, stake, force)
                        assert next(iter(hands)) == eldest
                        assert hand == _view(setup, before, Seat(0)).hand + 1
                        for player, own in hands.items():
                            dealt = step.seen_by(Seat(player))[0]
                            assert isinstance(dealt, triomphe.Dealt)
                            assert list(dealt.cards) == own
                    case triomphe.LaMortShown(seat=seat):
                        shown.append((seat, [LA_MORT], stake * len(hands)))
                    case triomphe.Declared(seat=seat, cards=cards, paid=paid):
                        shown.append((seat, list(cards), paid))
                    case triomphe.Played(seat=seat, card=card):
                        legal = model.may_play(hands[seat], [card for _, card in trick])
                        assert card in legal
                        if seat in absent | gone:
                            assert card == model.played_for_the_absent(legal)
                        hands[seat].remove(card)
                        trick.append((seat, card))
                    case triomphe.TrickEnded(winner=winner):
                        assert winner == model.winner(trick)
                        winners.append(winner)
                        trick = []
                    case triomphe.HandEnded(how=how, winner=winner, paid=paid):
                        ended.add(how)
                        if how in (triomphe.HandWon.MOST, triomphe.HandWon.SECOND_FIRST, triomphe.HandWon.FIRST_TRICK):
                            assert len(winners) == 5
                            assert (winner, paid) == (model.takes_the_pool(winners), pool)
                    case _:
                        pass
            if isinstance(step.given, Pack) and shown:
                assert shown == opening.shown
            if isinstance(step.given, Pack) and hands:
                pool = opening.pool
            awaits = game.awaits(step.state)
            if isinstance(awaits, Turn):
                assert game.pot(step.state) == pool
                legal = {action.card for action in game.legal(step.state)}
                assert legal == model.may_play(hands[awaits.seat], [card for _, card in trick])
    assert ended >= set(triomphe.HandWon) - {triomphe.HandWon.ALONE}
    assert (triomphe.HandWon.ALONE in ended) == accidents


def test_model_takes_the_pool_as_the_machine_in_every_order() -> None:
    """Of all orders in which five tricks may fall to five players, the same one has the pool."""
    for winners in product(map(Seat, range(5)), repeat=5):
        how, winner = won(list(winners))
        assert winner == model.takes_the_pool(list(winners))
        counts = sorted([winners.count(seat) for seat in set(winners)], reverse=True)
        if counts[0] == 1:
            assert how is triomphe.HandWon.FIRST_TRICK
        elif counts[:2] == [2, 2]:
            assert how is triomphe.HandWon.SECOND_FIRST
        else:
            assert how is triomphe.HandWon.MOST


# --- money -----------------------------------------------------------------------------------------------------------


def test_purses_and_pool_sum_to_nothing() -> None:
    """After every step, also when people leave; and when the sitting is over there is no pool, and the end says so."""
    for setup, steps in random_games(200, NAME):
        game = setup.game()
        for step in steps:
            assert sum(game.paid(step.state)) + game.pot(step.state) == 0
            view = _view(setup, step, Seat(0))
            assert view.gains == game.paid(step.state)
            assert view.pool == game.pot(step.state)
        assert isinstance(game.awaits(steps[-1].state), Over)
        over = steps[-1].seen_by(GALLERY)[-1]
        assert over == GameOver(gains=game.paid(steps[-1].state))


def test_sitting_has_its_hands() -> None:
    """Every hand that is staked counts, also one that La Mort ends; nobody leaving, there are as many as agreed."""
    for setup, steps in random_games(150, NAME, accidents=False):
        dealt = [event for event in events(steps) if isinstance(event, triomphe.Dealt)]
        assert [event.hand for event in dealt] == list(range(1, int(setup.options["hands"]) + 1))
        assert all(later.dealer == (one.dealer + 1) % setup.seats for one, later in pairwise(dealt))
        assert all(event.eldest == (event.dealer + 1) % setup.seats for event in dealt)
        last = setup.game().awaits(steps[-1].state)
        assert last == Over(Seat((dealt[-1].dealer + 1) % setup.seats))


def test_cards_not_played_are_never_shown() -> None:
    """What others see of a hand are the cards declared and played; nothing tells the rest, at the end neither."""
    for _, steps in random_games(60, NAME):
        for step in steps:
            shown = {card for event in step.seen_by(GALLERY) for card, _, _ in event.shows(GALLERY)}
            told = set()
            for event in step.seen_by(GALLERY):
                match event:
                    case triomphe.Played(card=card) | triomphe.LaMortShown(card=card):
                        told.add(card)
                    case triomphe.Declared(cards=cards) | triomphe.TurnedUp(cards=cards):
                        told |= set(cards)
                    case _:
                        pass
            assert shown == told


# --- leaving ---------------------------------------------------------------------------------------------------------


def test_leaving_hand_is_played_by_time_out() -> None:
    """Nobody is asked any more who has left; what is played for them is what a time-out would play."""
    autoplayed = 0
    for setup, steps in random_games(200, NAME):
        game = setup.game()
        gone: set[Seat] = set()
        for before, step in pairwise(steps):
            seen = step.seen_by(GALLERY)
            gone |= {event.seat for event in seen if isinstance(event, LeftGame)}
            if isinstance(step.given, Act | Expire):
                mover = _mover(game, before.state)
                autoplayed += sum(isinstance(event, triomphe.Played) and event.seat != mover for event in seen)
            awaits = game.awaits(step.state)
            if isinstance(awaits, Turn):
                assert awaits.seat not in gone
            if isinstance(awaits, Shuffle):
                assert gone.isdisjoint(awaits.to)
            assert len(gone) < setup.seats
            assert isinstance(awaits, Over) or len(gone) < setup.seats - 1
    assert autoplayed > 100


def test_last_one_left_takes_the_pool() -> None:
    """In the middle of a hand whoever is left has all of it, and the sitting is over."""
    hand = "2t Kw 2w 3w 4w Kb 2b 3b 4b 5b Ku 2u 3u 4u 5u Ko 2o 3o 4o 5o"
    steps = after(table(4, 3, NAME), hand, Leave(Seat(0)), Leave(Seat(2)), Leave(Seat(1)))
    *_, ended, over = steps[-1].seen_by(GALLERY)
    assert ended == triomphe.HandEnded(how=triomphe.HandWon.ALONE, winner=Seat(3), paid=8)
    assert over == GameOver(gains=(-2, -2, -2, 6))


def test_nobody_leaves_twice_or_after_the_end() -> None:
    """Whoever has left is not in the game, and nobody is when it is over."""
    setup = table(4, 3, NAME)
    steps = after(setup, Leave(Seat(0)))
    with pytest.raises(NotAwaited):
        setup.game().leave(steps[-1].state, Seat(0))
    steps = after(setup, *[Leave(Seat(seat)) for seat in range(3)])
    with pytest.raises(NotAwaited):
        setup.game().leave(steps[-1].state, Seat(3))


# --- inputs that do not fit ------------------------------------------------------------------------------------------


def test_inputs_that_do_not_fit_are_refused() -> None:
    """A card not held, a card not allowed, another family's action, a second pack, a pack that is none."""
    setup = table(4, 3, NAME)
    game = setup.game()
    waiting = after(setup)[-1].state
    for bad in (TAROT_PACK[1:], (*TAROT_PACK[1:], TAROT_PACK[1])):
        with pytest.raises(NotAwaited):
            game.deal(waiting, bad)
    with pytest.raises(NotAwaited):
        game.expire(waiting)
    with pytest.raises(IllegalAction):
        game.act(waiting, Play(Card("Kw")))
    state = after(setup, "2w 3w Kb Ku 2t 4b Qb Qu", Act(Play(Card("2w"))))[-1].state
    assert [action.card for action in game.legal(state)][:1] == ["3w"]
    for action in (Play(Card("4b")), Play(Card("Kb")), Put()):
        with pytest.raises(IllegalAction):
            game.act(state, action)
    with pytest.raises(NotAwaited):
        game.deal(state, TAROT_PACK)


# --- words -----------------------------------------------------------------------------------------------------------


def test_choices_say_the_card() -> None:
    """Leading and playing have words of their own, and so has the Fool."""
    setup = table(4, 3, NAME)
    game = setup.game()
    state = after(setup, "0t 21t Kb Ku 2t 1w Qb Qu 3t 2w 4b 4u 5w 5o 5b 5u 6w 6t 6b 6u")[-1].state
    says = [choice.says for choice in game.choices(state)]
    assert says[0] == "lead the Fool: it never takes a trick"
    assert says[1] == "lead trump II"
    assert game.wording(state).asks == "Lead to trick 1."
    state, _ = game.act(state, Play(FOOL))
    assert "sets the suit" in game.wording(state).why
    assert game.choices(state)[0].says == f"play {card_in_words(Card('21t'))}"
    state, _ = game.act(state, Play(Card("1w")))
    assert game.wording(state).why.startswith("Swords led: follow suit")

"""The house players of Primero: what they may do, what they may know, and that each is stronger than the one below."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from put_protocol.cards import PACKS, Card
from put_protocol.games import primero
from put_protocol.games.primero import Category, Moment, PrimeroAction, PrimeroView
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_rules.driver import Driver, shuffled_by
from put_rules.facts import Hidden
from put_rules.primero.machine import PrimeroGame
from put_rules.primero.rules import ORDER, worth_of
from put_rules.primero.state import PrimeroState, Terms
from put_server.house import registry
from put_server.house.player import Player, RandomPlayer
from put_server.house.primero import drawing
from put_server.house.primero.drawing import best_trade, simple_trade
from put_server.house.primero.four_cards import CARDS, CHORUS, NUMBERS, STRENGTHS, category_of, strength
from put_server.house.primero.observation import observe
from put_server.house_runner import terms_at
from tests.house.duplicate_matches import Match, play, play_deal
from tests.repetitions import TIMES

KINDS = ("beginner", "steady", "sharp")
TABLES = ((3, 6), (4, 1), (5, 2), (6, 20))
"""Seats, and the limit."""

pytestmark = pytest.mark.timeout(120)  # thousands of decisions: seconds, but not where many tests share a core

Watch = Callable[[PrimeroState, Seat, PrimeroAction], None]


def table(seats: int, limit: int = 6, hands: int = 2) -> PrimeroGame:
    """The game of one table."""
    return PrimeroGame(Terms(seats, {"limit": limit, "hands": hands}))


def seated(kind: str, dice: Random) -> Player:
    """A house player."""
    return registry.player(kind, dice, terms_at("primero", {}))


def sitting(game: PrimeroGame, players: list[Player], dice: Random, watch: Watch, quits: float = 0) -> None:
    """A sitting to its end. Each action is watched before it is done; with chance `quits` the turn runs out, or
    somebody leaves, instead."""
    driver = Driver(game)
    for seat in driver.turns(shuffled_by(dice)):
        view: Any = driver.view(seat)
        action: Any = players[seat].choose(view, driver.choices(), seat)
        watch(driver.state, seat, action)
        what = dice.random()
        if what < quits / 2:
            driver.leave(dice.choice(driver.state.members))
        elif what < quits:
            driver.expire()
        else:
            driver.act(action)


# --- what every player keeps -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "limit"), TABLES)
@pytest.mark.parametrize("kind", KINDS)
def test_house_plays_primero_legally_among_players_who_do_anything(kind: str, seats: int, limit: int) -> None:
    """Among random players, who also leave and run out of time, each of its choices is legal and in its mixture."""
    game, dice = table(seats, limit), Random(f"{kind} {seats} {limit}")
    player = seated(kind, dice)
    asked = Counter[Moment]()

    def watch(state: PrimeroState, seat: Seat, action: PrimeroAction) -> None:
        if seat % 2:
            return
        assert action in game.legal(state)
        moment = game.view(state, seat).moment
        assert moment is not None
        asked[moment] += 1

    for _ in range(2 * TIMES):
        players = [RandomPlayer(dice) if seat % 2 else player for seat in range(seats)]
        sitting(game, players, dice, watch, quits=0.02)
    assert {Moment.OPEN, Moment.ANSWER} <= set(asked)


@pytest.mark.parametrize("kind", KINDS)
def test_house_copes_with_any_part_of_the_choices(kind: str) -> None:
    """Whatever part of its usual choices is left to it, its choice is among them, and so is all of its mixture."""
    game, dice = table(4), Random(7)
    player = seated(kind, dice)

    def watch(state: PrimeroState, seat: Seat, action: PrimeroAction) -> None:
        legal = game.choices(state)
        some = tuple(dice.sample(legal, dice.randint(1, len(legal))))
        mixture = player.mixture(game.view(state, seat), some, seat)
        assert set(mixture) <= {choice.action for choice in some}
        assert sum(mixture.values()) == pytest.approx(1)
        assert min(mixture.values()) > 0

    for _ in range(TIMES):
        sitting(game, [RandomPlayer(dice)] * 4, dice, watch)


@pytest.mark.parametrize("kind", KINDS)
def test_house_chooses_alike_whatever_is_hidden(kind: str) -> None:
    """With the same dice it chooses the same, twice, and in deals that differ only in what the seat may not see."""
    game, dice = table(4), Random(11)
    compared = 0

    def watch(state: PrimeroState, seat: Seat, action: PrimeroAction) -> None:
        nonlocal compared
        other = with_others_dealt_anew(state, seat, dice)
        compared += other.hands.unseal() != state.hands.unseal()
        chosen, again, instead = [
            seated(kind, Random(5)).choose(game.view(dealt, seat), game.choices(dealt), seat)
            for dealt in (state, state, other)
        ]
        assert chosen == again == instead

    sitting(game, [RandomPlayer(dice)] * 4, dice, watch)
    assert compared > 0


def with_others_dealt_anew(state: PrimeroState, seat: Seat, dice: Random) -> PrimeroState:
    """The same to this seat; what the others hold, and the stock, are other cards."""
    hands, thrown = state.hands.unseal(), state.thrown.unseal()
    known = {*hands[seat], *thrown[seat]}
    pack = [card for card in PACKS["french-40"] if card not in known]
    dice.shuffle(pack)
    others = tuple([held if place == seat else tuple([pack.pop() for _ in held]) for place, held in enumerate(hands)])
    stock = tuple([pack.pop() for _ in state.stock.unseal()])
    return replace(state, hands=Hidden(others), stock=Hidden(stock))


def test_beginner_never_announces_above_its_hand() -> None:
    """It says what it has; the others bluff now and then, and never announce less than the rules allow."""
    game, dice = table(4), Random(1)
    said: dict[str, Counter[bool]] = {kind: Counter() for kind in KINDS}
    for kind in KINDS:

        def watch(state: PrimeroState, seat: Seat, action: PrimeroAction, kind: str = kind) -> None:
            if isinstance(action, primero.Announce):
                own = worth_of(state.hands.unseal()[seat]).category
                said[kind][ORDER[action.category] > ORDER[own]] += 1

        for _ in range(4 * TIMES):
            sitting(game, [seated(kind, dice) for _ in range(4)], dice, watch)
    assert said["beginner"][True] == 0
    assert said["beginner"][False] > 0
    assert said["steady"][True] > 0
    assert said["steady"][False] > said["steady"][True]
    assert said["sharp"][True] > 0


def test_perfect_is_called_sharp_in_primero() -> None:
    """Nobody has solved it."""
    terms = terms_at("primero", {})
    assert [registry.kind_at(kind, terms, 4) for kind in (*KINDS, "perfect")] == [*KINDS, "sharp"]


# --- what they are made of -------------------------------------------------------------------------------------------


def test_strength_is_the_worth_by_the_rules() -> None:
    """The house's number for four cards orders them as the rules do, in every tenth of all hands."""
    for hand in list(combinations(CARDS, 4))[::10]:
        worth = worth_of(hand)
        number = strength(*[NUMBERS[card] for card in hand])
        assert number == 100 * ORDER[worth.category] + worth.points
        assert category_of(number) is worth.category
        assert number < STRENGTHS


def test_best_trade_is_the_best_over_all_draws() -> None:
    """A brute count over every trade and every draw of the server's own rules finds nothing better."""
    dice = Random(3)
    chance = tuple([place / STRENGTHS for place in range(STRENGTHS)])
    for _ in range(TIMES):
        cards = tuple(dice.sample(range(40), 4))
        unseen = tuple(sorted(dice.sample([card for card in range(40) if card not in cards], 12)))
        best = best_trade(cards, unseen, chance)
        worths: dict[tuple[int, ...], float] = {(): chance[strength(*cards)]}
        for count in (1, 2):
            for kept in combinations(cards, 4 - count):
                ends = [chance[strength(*kept, *new)] for new in combinations(unseen, count)]
                worths[tuple([card for card in cards if card not in kept])] = sum(ends) / len(ends)
        assert worths[best.laid] == pytest.approx(best.worth)
        assert best.worth >= max(worths.values()) - 0.02


def test_simple_trade_keeps_what_is_near() -> None:
    """Three suits keep one card of each, three of a suit are kept, and made hands are."""

    def laid(cards: str) -> set[str]:
        return {CARDS[number] for number in simple_trade([NUMBERS[Card(card)] for card in cards.split()])}

    assert laid("7s 2s 6h Kd") == {"2s"}
    assert laid("7s 2s 5s Kd") == {"Kd"}
    assert laid("7s 2s Kd 6d") == {"2s", "Kd"}
    assert laid("7s 2h Kd 6c") == set()
    assert laid("7s 6s As Kd") == set()
    assert laid("7s 6s As Ks") == set()


def test_observation_says_who_has_answered_a_bet() -> None:
    """The worked example of the article: a raise of 6 over a bet of 2, refused by two; the first bettor is asked."""
    game = table(4)
    state = game.begin(Seat(0))
    state, _ = game.deal(state, PACKS["french-40"])
    for action in (primero.Bet(2), primero.Raise(6), primero.Refuse(), primero.Refuse()):
        state, _ = game.act(state, action)
    observation = observe(game.view(state, Seat(1)), Seat(1))
    assert observation is not None
    assert observation.committed == (Seat(2),)
    assert observation.undecided == ()
    assert (observation.due, observation.pot) == (6, 14)
    state, _ = game.act(state, primero.Refuse())
    observation = observe(game.view(state, Seat(3)), Seat(3))
    assert observation is not None
    assert set(observation.committed) == {Seat(1), Seat(2)}
    assert observation.undecided == (Seat(0),)
    assert (observation.due, observation.pot) == (2, 8)


def test_practice_has_rising_chances() -> None:
    """The chances that the house has learned rise with the hand."""
    learned = drawing.practised()
    assert list(learned.beats) == sorted(learned.beats)
    assert learned.two_worth(NUMBERS[Card("7s")], NUMBERS[Card("6s")]) > learned.two_worth(
        NUMBERS[Card("Ks")], NUMBERS[Card("Qh")]
    )


def test_nobody_with_a_chorus_lets_it_go() -> None:
    """The best hand there is stands, and is traded by nobody."""
    cards = [NUMBERS[Card(card)] for card in ("7s", "7h", "7d", "7c")]
    assert strength(*cards) >= CHORUS
    view = PrimeroView(
        hands=12,
        limit=6,
        gains=(0,) * 3,
        hand=1,
        dealer=Seat(2),
        eldest=Seat(0),
        cards=tuple([CARDS[card] for card in cards]),
        counts=(4, 4, 4),
        playing=(True, True, True),
        pot=3,
        put_in=(0, 0, 0),
        raises=(0, 0, 0),
        announced=(Category.FLUXUS, Category.NUMERUS, Category.NUMERUS),
        traded=(0, 0, 0),
        stock=28,
        to_move=Seat(0),
        moment=Moment.TRADE,
    )
    actions: list[PrimeroAction] = [primero.Trade((card,)) for card in view.cards]
    legal = tuple([Choice(action, "") for action in (*actions, primero.Stand())])
    for kind in KINDS:
        assert seated(kind, Random(0)).choose(view, legal, Seat(0)) == primero.Stand()


def test_sharp_raises_as_often_as_it_may_with_good_cards() -> None:
    """With three in and a Fluxus it raises the limit once more where a steady player leaves it at one raise; with bad
    cards, or against one other, it does as a steady player."""

    def chosen(kind: str, cards: str, playing: tuple[bool, ...]) -> PrimeroAction:
        view = PrimeroView(
            hands=12,
            limit=6,
            gains=(-20,) * 3,
            hand=1,
            dealer=Seat(2),
            eldest=Seat(0),
            cards=tuple([Card(card) for card in cards.split()]),
            counts=tuple([4 * is_in for is_in in playing]),
            playing=playing,
            pot=60,
            level=13,
            bettor=Seat(1),
            put_in=(12, 13, 12),
            raises=(1, 1, 0),
            announced=(Category.FLUXUS, Category.NUMERUS, Category.NUMERUS),
            traded=(0, 0, 0),
            stock=28,
            to_move=Seat(0),
            moment=Moment.ANSWER,
        )
        raises: list[PrimeroAction] = [primero.Raise(amount) for amount in range(1, 7)]
        legal = tuple([Choice(action, "") for action in (primero.See(), primero.Refuse(), *raises)])
        action = seated(kind, Random(0)).choose(view, legal, Seat(0))
        assert isinstance(action, PrimeroAction)
        return action

    good, bad, three, two = "7s 6s As 5s", "Ks Qs 2h Jh", (True,) * 3, (True, True, False)
    assert chosen("sharp", good, three) == primero.Raise(6)
    assert chosen("steady", good, three) == primero.See()
    assert chosen("sharp", bad, three) == chosen("steady", bad, three)
    assert chosen("sharp", good, two) == chosen("steady", good, two)


# --- strengths -------------------------------------------------------------------------------------------------------


def test_purses_are_measured_twice_alike() -> None:
    """The same numbers give the same hands."""
    match = Match("primero", 4, {"hands": 1}, "steady", "beginner", instead=True)
    assert [play_deal(match, number) for number in range(2)] == [play_deal(match, number) for number in range(2)]


def test_random_players_lose_to_beginners() -> None:
    """One among three of them loses more than a whole ante a hand, every deal from every seat."""
    result = play(Match("primero", 4, {"hands": 1}, "random", "beginner"), range(60 * TIMES))
    assert result.stakes + 1.96 * result.stakes_error < 0
    assert result.stakes < -1


def test_steady_wins_from_beginners() -> None:
    """One among three of them gains a fifth of an ante a hand or more, every deal from every seat."""
    result = play(Match("primero", 4, {"hands": 1}, "steady", "beginner"), range(1000, 1000 + 4 * TIMES))
    assert result.stakes > 0.2

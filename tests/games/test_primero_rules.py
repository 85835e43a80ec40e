"""The rules of Primero, as Dafydd ap Gwystl has them (The Oak 5, after Parlett 1990, 91-92), and as decided here.

Whole hands are vectors, and the course of a sitting is compared with an independent model; here are the parts.
"""

from collections import Counter
from itertools import combinations, pairwise, product

import pytest
from msgspec.structs import replace

from put_protocol.cards import PACKS, Card
from put_protocol.games import primero
from put_protocol.games.primero import Category
from put_protocol.seats import GALLERY, Seat
from put_rules import betting
from put_rules.facts import Hidden
from put_rules.game import IllegalAction, NotAwaited, Purpose, Shuffle
from put_rules.primero import play
from put_rules.primero.machine import PrimeroGame
from put_rules.primero.rules import ORDER, POINTS, worth_of
from put_rules.primero.state import PrimeroState, Terms
from tests.games import primero_model
from tests.games.vectors import filled_up, notation

PACK = PACKS["french-40"]
GAME = PrimeroGame(Terms(3, {"limit": 6, "hands": 12}))
ALL_HANDS = tuple(combinations(PACK, 4))


def cards(words: str) -> tuple[Card, ...]:
    return tuple(map(Card, words.split()))


def dealt(game: PrimeroGame, top: str = "", dealer: int = 0) -> PrimeroState:
    """The first hand, these cards on top of its pack."""
    state, _ = game.deal(game.begin(Seat(dealer)), filled_up(cards(top), PACK))
    return state


def after(game: PrimeroGame, state: PrimeroState, *words: str) -> PrimeroState:
    """The state after these actions of whoever is to move."""
    for said in words:
        (action,) = [action for action in game.legal(state) if notation(action) == said]
        state, _ = game.act(state, action)
    return state


def may(game: PrimeroGame, state: PrimeroState) -> tuple[str, ...]:
    return tuple(map(notation, game.legal(state)))


# --- the pack and the hands ---


def test_pack_has_forty_cards_without_8_9_and_10() -> None:
    """Parlett 1990, 91-92: a deck of 40 cards, no 8, 9 or 10 in all suits."""
    assert len(PACK) == 40
    assert {card[:-1] for card in PACK} == set(POINTS) == {"A", "2", "3", "4", "5", "6", "7", "J", "Q", "K"}


def test_card_points_are_those_of_the_article() -> None:
    """The Oak 5: seven 21, six 18, ace 16, five 15, four 14, three 13, two 12, all face cards 10."""
    assert [POINTS[rank] for rank in "76A5432KQJ"] == [21, 18, 16, 15, 14, 13, 12, 10, 10, 10]


def test_categories_of_all_hands() -> None:
    """Of 91,390 hands 10 are a Chorus, 840 a Fluxus, 120 a Supremus and 9,990 a Primero; the others are Numeri."""
    assert Counter(worth_of(hand).category for hand in ALL_HANDS) == {
        Category.CHORUS: 10,
        Category.FLUXUS: 4 * 210,
        Category.SUPREMUS: 4 * 30,
        Category.PRIMERO: 10**4 - 10,
        Category.NUMERUS: 91_390 - 10_960,
    }


def test_worth_agrees_with_the_model() -> None:
    """Category and points of every fifth hand, in any order of its cards, are those of the independent model."""
    for hand in ALL_HANDS[::5]:
        assert worth_of(hand).strength == worth_of(hand[::-1]).strength == primero_model.worth(hand)


def test_categories_rank_as_in_the_article() -> None:
    """The Oak 5: any hand of a category beats any of the categories below it, whatever the points."""
    by_category: dict[Category, list[tuple[int, int]]] = {category: [] for category in Category}
    for hand in ALL_HANDS:
        worth = worth_of(hand)
        by_category[worth.category].append(worth.strength)
    assert list(Category) == ["numerus", "primero", "supremus", "fluxus", "chorus"]
    for lower, higher in pairwise(by_category.values()):
        assert max(lower) < min(higher)


@pytest.mark.parametrize(
    ("hand", "category", "points"),
    [
        ("7s 6s Kd 2c", Category.NUMERUS, 39),
        ("2s 3s 4s 7c", Category.NUMERUS, 39),
        ("2s 3s 7c 6c", Category.NUMERUS, 39),
        ("Ks Qs 7c 6d", Category.NUMERUS, 20),
        ("As 6s 7c 6d", Category.NUMERUS, 34),
        ("Ks Qh Jd Kc", Category.PRIMERO, 40),
        ("7s 7h 7d 6c", Category.PRIMERO, 81),
        ("As 6s 7s 2d", Category.SUPREMUS, 55),
        ("As 6s 7s Ks", Category.FLUXUS, 65),
        ("2s 3s 4s 5s", Category.FLUXUS, 54),
        ("7s 7h 7d 7c", Category.CHORUS, 84),
        ("Js Jh Jd Jc", Category.CHORUS, 40),
    ],
)
def test_worth_of_a_hand(hand: str, category: Category, points: int) -> None:
    """The Oak 5: a Numerus is worth its suit only, a Supremus 55, all others the sum of their cards."""
    assert worth_of(cards(hand)) == (category, points)


# --- the deal ---


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_cards_are_dealt_one_at_a_time_from_the_dealers_right(seats: int) -> None:
    """Two cards each, and of the same pack two more; the pack goes round counter-clockwise."""
    game = PrimeroGame(Terms(seats, {"limit": 6, "hands": 12}))
    for dealer in range(seats):
        state = dealt(game, dealer=dealer)
        order = [Seat((dealer + step) % seats) for step in range(1, seats + 1)]
        awaits = game.awaits(game.begin(Seat(dealer)))
        assert isinstance(awaits, Shuffle)
        assert awaits == Shuffle(PACK, Purpose.HAND, tuple(order * 2))
        state = after(game, state, "bet 1", *["see"] * (seats - 1))
        for place, seat in enumerate(order):
            assert game.view(state, seat).cards == PACK[place : 4 * seats : seats]
        assert game.view(state, GALLERY).stock == 40 - 4 * seats


@pytest.mark.parametrize("ace", range(36))
def test_first_ace_deals(ace: int) -> None:
    """Decided here: cards are turned up one at a time from the first seat, and the first ace deals."""
    others = [card for card in PACK if card[:-1] != "A"]
    pack = (*others[:ace], *(Card(f"A{suit}") for suit in "shdc"), *others[ace:])
    state, (fact,) = GAME.deal(GAME.begin(None), pack)
    event = fact.seen_by(GALLERY)
    assert isinstance(event, primero.TurnedUp)
    assert event.cards == pack[: ace + 1]
    assert state.dealer == event.dealer == ace % 3


def test_draw_may_take_all_but_three_cards() -> None:
    """The aces at the bottom: the first of them is the 37th card."""
    others = [card for card in PACK if card[:-1] != "A"]
    state, _ = GAME.deal(GAME.begin(None), (*others, *(Card(f"A{suit}") for suit in "shdc")))
    assert state.dealer == 36 % 3


@pytest.mark.parametrize("pack", [PACK[:-1], (*PACK[:-1], PACK[0]), (*PACK[:-1], Card("8s")), ()])
def test_other_cards_are_refused(pack: tuple[Card, ...]) -> None:
    """A pack that lacks a card, has one twice, or has one of another pack is not the one that was awaited."""
    with pytest.raises(NotAwaited):
        GAME.deal(GAME.begin(Seat(0)), pack)


# --- what may be done ---


def test_bets_go_up_to_the_limit() -> None:
    """A bet is from 1 to the limit of the table, a raise too."""
    for limit in (1, 6, 20):
        game = PrimeroGame(Terms(3, {"limit": limit, "hands": 12}))
        state = dealt(game)
        assert [word for word in may(game, state) if word.startswith("bet")] == [
            f"bet {n}" for n in range(1, limit + 1)
        ]
        state = after(game, state, "bet 1")
        assert may(game, state) == ("see", *[f"raise {n}" for n in range(1, limit + 1)], "refuse")
        with pytest.raises(IllegalAction):
            game.act(state, primero.Raise(limit + 1))


def test_trade_is_of_one_or_two_cards_in_the_order_held() -> None:
    """Of four cards there are four ways to trade one and six to trade two; the same two the other way round are no
    further way, and are refused."""
    state = after(GAME, dealt(GAME), "bet 1", "see", "see", "go_on", "go_on", "go_on")
    for _ in range(3):
        state = after(GAME, state, may(GAME, state)[0], "pass")
    one, two, three, four = GAME.view(state, Seat(1)).cards
    pairs = [(one, two), (one, three), (one, four), (two, three), (two, four), (three, four)]
    singles = [f"trade {card}" for card in (one, two, three, four)]
    assert may(GAME, state) == (*singles, *[f"trade {' '.join(pair)}" for pair in pairs], "stand")
    with pytest.raises(IllegalAction):
        GAME.act(state, primero.Trade((two, one)))


def with_hand(state: PrimeroState, hand: str, announced: tuple[Category | None, ...]) -> PrimeroState:
    """The state with another hand for its first seat, where others have announced something."""
    return replace(
        state,
        hands=Hidden((cards(hand), *state.hands.unseal()[1:])),
        view=replace(state.view, announced=announced),
    )


HANDS = {
    Category.NUMERUS: "7s 6s Kd 2c",
    Category.PRIMERO: "Ks Qh Jd Kc",
    Category.SUPREMUS: "As 6s 7s 2d",
    Category.FLUXUS: "2s 3s 4s 5s",
    Category.CHORUS: "7s 7h 7d 7c",
}


@pytest.mark.parametrize("own", Category)
def test_vada_is_for_primero_and_fluxus_exactly(own: Category) -> None:
    """The Oak 5: anyone holding a Primero or Fluxus may call. A Chorus is also a card of each suit, a Supremus is
    better than a Primero: decided here, neither may."""
    state = with_hand(dealt(GAME), HANDS[own], (None,) * 3)
    assert play.may_call_vada(state, Seat(0)) == (own in (Category.PRIMERO, Category.FLUXUS))


def test_announcement_is_bounded_by_the_hand() -> None:
    """The Oak 5: never worse than the hand, except that a Chorus may repeat a Fluxus, Supremus or Primero that a player
    before has announced."""
    for own, said in product(Category, product((None, *Category), repeat=2)):
        state = with_hand(dealt(GAME), HANDS[own], (None, *said))
        expected = {category for category in Category if ORDER[category] >= ORDER[own]}
        if own is Category.CHORUS:
            expected |= {category for category in said if category is not None and category is not Category.NUMERUS}
        announceable = play.announceable(state, Seat(0))
        assert set(announceable) == expected, (own, said)
        assert list(announceable) == sorted(announceable, key=ORDER.__getitem__), (own, said)


# --- words ---


def test_choices_are_told_in_plain_words() -> None:
    """What a choice costs is said with it."""
    state = dealt(GAME, "7h As 2d 2c Ks 3c")
    told = [choice.says for choice in GAME.choices(state)]
    assert told[:2] == ["bet 1", "bet 2"]
    assert told[-1] == "trade the 7 of hearts and the 2 of clubs"
    state = after(GAME, state, "bet 2")
    told = [choice.says for choice in GAME.choices(state)]
    assert told == ["see the bet: pay 2", *[f"raise by {n}: pay {2 + n}" for n in range(1, 7)], "refuse the bet"]
    state = after(GAME, state, "raise 4", "refuse")
    told = [choice.says for choice in GAME.choices(state)]
    assert told[:2] == ["see the bet: pay 4", "raise by 1: pay 5"]


def test_who_must_take_the_first_bet_is_told_so() -> None:
    """Refusing is not among the choices, and the reason is given."""
    state = after(GAME, dealt(GAME), "bet 2", "refuse")
    assert "refuse" not in may(GAME, state)
    assert "you must take it" in GAME.wording(state).why


def test_nothing_has_to_be_taken_where_one_may_pass() -> None:
    """Below all bets of the second round there is none that could be taken, also with two players left."""
    assert not betting.must_take(betting.SECOND_ROUND, (True, True, False))


def test_question_for_vada_is_the_same_for_every_hand() -> None:
    """Decided here: being asked tells nothing, and neither do the words."""
    asked = set()
    for hands in ("7h As 2d 6s Ks 3d Kd 4s 4d 2c 5s 5d", "7h As 2d 6h Ks 3d Kd 4h 4c 2c 5d 5c"):
        state = after(GAME, dealt(GAME, hands), "bet 1", "see", "see")
        asked.add((*GAME.wording(state)[:2], GAME.view(state, GALLERY).moment))
    assert len(asked) == 1


# --- secrets ---


def test_laid_down_cards_are_seen_by_who_laid_them_down() -> None:
    """By nobody else, and never again: not when the hand is over either."""
    state = dealt(GAME, "7h As 2d 6h Ks 3c 5c")
    state, facts = GAME.act(state, primero.Trade(cards("7h")))
    assert [fact.seen_by(Seat(1)) for fact in facts] == [
        primero.Traded(Seat(1), 1, cards("7h")),
        primero.Drew(Seat(1), 1, 33, cards("5c")),
    ]
    for viewer in (Seat(0), Seat(2), GALLERY):
        assert [fact.seen_by(viewer) for fact in facts] == [
            primero.Traded(Seat(1), 1),
            primero.Drew(Seat(1), 1, 33),
        ]


def test_new_stock_is_asked_for_in_canonical_order() -> None:
    """The order of its cards does not say who laid down which."""
    game = PrimeroGame(Terms(6, {"limit": 6, "hands": 12}))
    state = dealt(game, dealer=5)
    for seat in range(5):
        state = after(game, state, f"trade {' '.join(game.view(state, Seat(seat)).cards)}")
    state = after(game, state, "bet 1", *["see"] * 5, *["go_on"] * 6)
    for _ in range(6):
        state = after(game, state, may(game, state)[0], "pass")
    for seat in range(4):
        state = after(game, state, f"trade {' '.join(game.view(state, Seat(seat)).cards[:2])}")
    awaits = game.awaits(state)
    assert isinstance(awaits, Shuffle)
    assert awaits.purpose is Purpose.STOCK
    assert awaits.to == (3, 3)
    assert len(awaits.cards) == 16
    assert awaits.cards == tuple(card for card in PACK if card in awaits.cards)
    assert not set(awaits.cards) & set(game.view(state, Seat(3)).thrown[2:]), "nobody draws back what they lay down"

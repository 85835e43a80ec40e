"""Triomphe Forcée in English, what may be typed in every family, and both without a presenter."""

import random
from typing import Any, get_args

import pytest

from put_protocol.cards import TAROT_PACK, Card, in_order
from put_protocol.games import primero, triomphe
from put_protocol.games.families import FAMILIES
from put_protocol.games.primero import Category
from put_protocol.games.tricks import TrickView
from put_protocol.games.triomphe import TriompheView
from put_protocol.games.unions import Action, Choice, Event
from put_protocol.games.unknown import UnknownAction
from put_protocol.seats import GALLERY, Seat
from put_protocol.text import is_printable
from put_rules.facts import Fact
from put_rules.game import Over, Shuffle, Turn
from put_rules.registry import GAMES
from put_rules.triomphe.machine import words_of
from put_text import presenters
from put_text.catalogue import card_in_words, speaking
from put_text.parse_action import parse
from put_text.presenters import PRESENTERS, plain_values

NAMES = ("Jack", "Moll", "Ann")
YOU, MOLL, ANN = Seat(0), Seat(1), Seat(2)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


SENTENCES: list[tuple[Event, str, str]] = [  # the event, as its seat 0 hears it, as the gallery does
    (
        triomphe.TurnedUp(seats=(MOLL, ANN), cards=cards("5u 6t"), dealer=ANN),
        (
            "Cards are turned up for the deal, until the first trump: the 5 of cups for Moll and trump VI for Ann; "
            "Ann deals first."
        ),
        "",
    ),
    (
        triomphe.Dealt(hand=2, dealer=ANN, eldest=YOU, stakes=(2, 2, 2), counts=(5, 5, 5), cards=cards("0t 21t")),
        (
            "Ann deals hand 2, five cards each; each stakes 2, so the pool holds 6; you are the first to play; "
            "you hold the Fool and trump XXI."
        ),
        (
            "Ann deals hand 2, five cards each; each stakes 2, so the pool holds 6; Jack is the first to play; "
            "you hold the Fool and trump XXI."
        ),
    ),
    (
        triomphe.Dealt(hand=3, dealer=ANN, eldest=MOLL, stakes=(0, 3, 3), counts=(0, 5, 5)),
        (
            "Ann deals hand 3, five cards each to Moll and Ann; each stakes 3, so the pool holds 6; "
            "Moll is the first to play."
        ),
        "",
    ),
    (triomphe.LaMortShown(YOU, Card("13t")), "You show trump XIII, La Mort.", "Jack shows trump XIII, La Mort."),
    (
        triomphe.Declared(YOU, cards("0t 1t 11t"), 4),
        "You declare the Fool, trump I, Le Basteleur and La Force, trump XI, and get 4 from the pool.",
        "Jack declares the Fool, trump I, Le Basteleur and La Force, trump XI, and gets 4 from the pool.",
    ),
    (
        triomphe.Declared(MOLL, cards("0t"), 0),
        "Moll declares the Fool, and gets nothing from the pool.",
        "",
    ),
    (
        triomphe.Played(YOU, Card("Cw"), leads=True),
        "You lead the cavalier of swords.",
        "Jack leads the cavalier of swords.",
    ),
    (triomphe.Played(MOLL, Card("21t")), "Moll plays trump XXI.", ""),
    (
        triomphe.TrickEnded(number=2, winner=YOU, tricks=(1, 1, 0)),
        "You take trick 2; tricks taken so far: you 1, Moll 1, Ann 0.",
        "Jack takes trick 2; tricks taken so far: Jack 1, Moll 1, Ann 0.",
    ),
    (
        triomphe.HandEnded(triomphe.HandWon.LA_MORT, YOU, 6),
        "You win the hand with La Mort, and take the stakes, 6.",
        "Jack wins the hand with La Mort, and takes the stakes, 6.",
    ),
    (triomphe.HandEnded(triomphe.HandWon.EMPTIED), "The hand is over, because nothing is left of the pool.", ""),
    (
        triomphe.HandEnded(triomphe.HandWon.MOST, MOLL, 3),
        "Moll wins the hand with the most tricks, and takes 3 from the pool.",
        "",
    ),
    (
        triomphe.HandEnded(triomphe.HandWon.SECOND_FIRST, YOU, 3),
        "You win the hand, as the first of two players to have two tricks, and take 3 from the pool.",
        "Jack wins the hand, as the first of two players to have two tricks, and takes 3 from the pool.",
    ),
    (
        triomphe.HandEnded(triomphe.HandWon.FIRST_TRICK, MOLL, 3),
        "Moll wins the hand, with the first of five tricks to five players, and takes 3 from the pool.",
        "",
    ),
    (
        triomphe.HandEnded(triomphe.HandWon.ALONE, MOLL, 3),
        "Moll wins the hand, as everyone else has left, and takes 3 from the pool.",
        "",
    ),
]


@pytest.mark.parametrize(("event", "yours", "theirs"), SENTENCES, ids=lambda value: type(value).__name__)
def test_event_is_told_to_each(event: Event, yours: str, theirs: str) -> None:
    """The reader's own seat is "you" with its verb; everyone else has a name."""
    assert presenters.format_event(event, NAMES, you=YOU) == yours
    assert not theirs or presenters.format_event(event, NAMES, you=GALLERY) == theirs


def test_every_event_is_tried() -> None:
    """The list above leaves none out."""
    kinds = {type(event) for event, _, _ in SENTENCES}
    assert kinds == set(get_args(triomphe.TriompheEvent))


def test_view_of_triomphe_is_told_whole() -> None:
    """The purses and the pool, what was shown, the hands, the tricks, and whose move it is."""
    view = TriompheView(
        hands=12,
        stake=2,
        force=Card("11t"),
        gains=(-1, -2, -2),
        hand=1,
        dealer=ANN,
        eldest=YOU,
        cards=cards("5u 21t"),
        counts=(2, 3, 3),
        pool=5,
        declared=(cards("0t"), (), ()),
        tricks=(0, 1, 0),
        past=(TrickView((YOU, MOLL), cards("Kw 2t"), MOLL),),
        trick=TrickView((MOLL,), cards("3o")),
        to_move=YOU,
        moment=triomphe.Moment.FOLLOW,
    )
    assert presenters.format_view(view, NAMES, YOU) == (
        "The sitting is of 12 hands, and each player stakes 2 on a hand.",
        "La Force is trump XI.",
        "In this sitting you have lost 1, Moll has lost 2, Ann has lost 2.",
        "The pool holds 5.",
        "This is hand 1, dealt by Ann; you were the first to play.",
        "You hold the 5 of cups and trump XXI.",
        "Moll holds three cards.",
        "Ann holds three cards.",
        "You showed the Fool.",
        "Trick 1: you led the king of swords and Moll played trump II; Moll took it.",
        "Tricks taken so far: you 0, Moll 1, Ann 0.",
        "On the table Moll led the 3 of coins.",
        "You are to play to the trick.",
    )
    score = "In this sitting you have lost 1, Moll has lost 2, Ann has lost 2; the pool holds 5."
    assert presenters.format_score(view, NAMES, YOU) == score


@pytest.mark.parametrize("game", [name for name, rule_set in GAMES.items() if rule_set.offer.family != "put"])
@pytest.mark.parametrize("is_plain", [False, True], ids=["presented", "plain values"])
def test_everything_of_random_games_can_be_said(game: str, is_plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence an event and a clause, all of it safe to print, and each choice can be typed in the server's words;
    the same holds without the presenter of the family."""
    rule_set = GAMES[game]
    if is_plain:
        monkeypatch.delitem(PRESENTERS, rule_set.offer.family)
    dice = random.Random(game)
    for seats in (rule_set.offer.seats[0], rule_set.offer.seats[-1]):
        machine = rule_set.make(seats, rule_set.offer.defaults)
        names = tuple(f"Player {seat}" for seat in range(seats))
        state: Any = machine.begin(None)
        facts: tuple[Fact, ...] = ()
        for _ in range(120):
            match machine.awaits(state):
                case Over():
                    break
                case Shuffle(cards=pack):
                    state, facts = machine.deal(state, tuple(dice.sample(pack, len(pack))))
                case Turn(seat=mover):
                    choices = machine.choices(state)
                    meant = [(parse(one.says, choices), one.action) for one in choices]
                    assert all(found == action for found, action in meant)
                    assert parse(f"#{len(choices)}", choices) == choices[-1].action
                    says = presenters.format_view(machine.view(state, mover), names, mover)
                    assert says[-1].startswith("You are to ")
                    state, facts = machine.act(state, dice.choice(choices).action)
            for viewer in (GALLERY, Seat(0)):
                said = [
                    presenters.format_event(event, names, you=viewer)
                    for fact in facts
                    if (event := fact.seen_by(viewer))
                ]
                said += presenters.format_view(machine.view(state, viewer), names, viewer)
                assert all(is_printable(one) and one[0] == one[0].upper() and one[-1] == "." for one in said)


# --- what is typed ---


def plays(text: str) -> tuple[Choice, ...]:
    return tuple(words_of(triomphe.Play(card), True) for card in cards(text))


HELD = plays("0t 1t 9t 21t Kw Cb 1u 10o")


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("0t", "0t"),
        ("the Fool", "0t"),
        ("play the fool", "0t"),
        ("le fou", "0t"),
        ("Le Basteleur", "1t"),
        ("trump 1", "1t"),
        ("trump IX", "9t"),
        ("ix", "9t"),
        ("21t", "21t"),
        ("XXI", "21t"),
        ("trump 21", "21t"),
        ("play trump xxi.", "21t"),
        ("21 of trumps", "21t"),
        ("king of swords", "Kw"),
        ("Kw", "Kw"),
        ("the cavalier of batons", "Cb"),
        ("knight of batons", "Cb"),
        ("1u", "1u"),
        ("the 1 of cups", "1u"),
        ("10", "10o"),
        ("king", "Kw"),
    ],
)
def test_tarot_card_is_typed(text: str, card: str) -> None:
    """By its notation, its name, or its number in figures of either kind."""
    assert parse(text, HELD) == triomphe.Play(Card(card))


def test_tarot_card_is_typed_as_it_is_said() -> None:
    """Whoever hears a card's name may answer with it, whatever else they hold."""
    legal = [Choice(triomphe.Play(held), f"card {held}") for held in TAROT_PACK]
    for card in TAROT_PACK:
        assert parse(card_in_words(card), legal) == triomphe.Play(card), card
        assert parse(f"play {card_in_words(card)}", legal) == triomphe.Play(card), card


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("trump 5", "You cannot play trump V now."),
        ("queen of cups", "You cannot play the queen of cups now."),
        ("la mort", "You cannot play trump XIII, La Mort now."),
        ("bet 3", '"bet 3" is no choice of yours.'),
    ],
)
def test_tarot_card_that_is_not_held_is_named(text: str, why: str) -> None:
    """With all that can be played."""
    assert str(parse(text, HELD)).startswith(f"{why} You can ")


def test_number_that_is_also_a_card_is_asked_about() -> None:
    """1 is the first in the list, and the 1 of cups, or trump I."""
    assert parse("9", plays("9t Kw")) == triomphe.Play(Card("9t"))
    assert str(parse("1", plays("Kw 1u"))).startswith("1 could be a number in the list or a card")


def offered(*actions: Action) -> tuple[Choice, ...]:
    return tuple(Choice(action, f"choice {place}") for place, action in enumerate(actions, 1))


ANSWER = offered(primero.See(), *(primero.Raise(amount) for amount in range(1, 7)), primero.Refuse())
OPEN = offered(
    *(primero.Bet(amount) for amount in range(1, 7)),
    primero.Trade(cards("7h")),
    primero.Trade(cards("2c")),
    primero.Trade(cards("7h 2c")),
)


@pytest.mark.parametrize(
    ("text", "legal", "action"),
    [
        ("see", ANSWER, primero.See()),
        ("I see it", ANSWER, primero.See()),
        ("raise 4", ANSWER, primero.Raise(4)),
        ("raise by 4", ANSWER, primero.Raise(4)),
        ("I raise by four", ANSWER, primero.Raise(4)),
        ("refuse", ANSWER, primero.Refuse()),
        ("fold", ANSWER, primero.Refuse()),
        ("bet 3", OPEN, primero.Bet(3)),
        ("trade 7h", OPEN, primero.Trade(cards("7h"))),
        ("trade 7h 2c", OPEN, primero.Trade(cards("7h 2c"))),
        ("trade 2c and 7h", OPEN, primero.Trade(cards("7h 2c"))),
        ("trade the 7 of hearts and the 2 of clubs", OPEN, primero.Trade(cards("7h 2c"))),
        ("trade the 2 of clubs", OPEN, primero.Trade(cards("2c"))),
        ("3", OPEN, primero.Bet(3)),
        ("#7", OPEN, primero.Trade(cards("7h"))),
        ("announce a fluxus", offered(*map(primero.Announce, Category)), primero.Announce(Category.FLUXUS)),
        ("announce chorus", offered(*map(primero.Announce, Category)), primero.Announce(Category.CHORUS)),
        ("vada", offered(primero.Vada(), primero.GoOn()), primero.Vada()),
        ("go on", offered(primero.Vada(), primero.GoOn()), primero.GoOn()),
        ("stand", offered(primero.Stand()), primero.Stand()),
        ("pass", offered(primero.Pass(), primero.Bet(1)), primero.Pass()),
        (
            "take it",
            offered(UnknownAction("whist.take_it", {}), UnknownAction("whist.bid", {"tricks": 3})),
            UnknownAction("whist.take_it", {}),
        ),
        (
            "bid 3",
            offered(UnknownAction("whist.take_it", {}), UnknownAction("whist.bid", {"tricks": 3})),
            UnknownAction("whist.bid", {"tricks": 3}),
        ),
        ("3s", offered(UnknownAction("whist.play", {"card": "3s"})), UnknownAction("whist.play", {"card": "3s"})),
    ],
)
def test_action_is_typed_by_its_verb_and_its_value(text: str, legal: tuple[Choice, ...], action: Action) -> None:
    """In the words of its family, or by the words of its tag where the family has none here."""
    assert parse(text, legal) == action


@pytest.mark.parametrize(
    ("text", "legal", "said"),
    [
        ("bet 9", OPEN, "You cannot bet now."),
        ("vada", OPEN, "You cannot call vada"),
        ("trade Kh", OPEN, "You cannot trade now."),
        ("dance", OPEN, '"dance" is no choice of yours.'),
        (
            "2",
            ANSWER,
            '2 could be a number in the list or an amount: say "#2" for "choice 2", or "raise 2" for the amount.',
        ),
    ],
)
def test_what_cannot_be_done_or_is_not_clear_is_said(text: str, legal: tuple[Choice, ...], said: str) -> None:
    """Nothing is guessed at: a bet cannot be taken back."""
    assert str(parse(text, legal)).startswith(said)


def test_what_is_not_clear_in_french_is_answered_by_french_words() -> None:
    """Those that it says are taken."""
    with speaking("fr"):
        assert "ou «\xa0relance 2\xa0» pour le montant" in str(parse("2", ANSWER))
        assert parse("relance 2", ANSWER) == primero.Raise(2)


def test_every_family_has_a_presenter() -> None:
    """What a family may lack in a later release, none lacks in this one."""
    assert set(PRESENTERS) == set(FAMILIES)
    assert plain_values not in PRESENTERS.values()
    assert in_order(cards("21t 0t")) == cards("0t 21t")


@pytest.mark.parametrize("ends_trading", [False, True])
def test_last_deal_that_is_thrown_in_says_that_nobody_may_trade(ends_trading: bool) -> None:
    """By the event's own word, so that no rule of the game is told twice."""
    event = primero.ThrownIn(7, ends_trading=ends_trading)
    says = presenters.format_event(event, NAMES, you=YOU)
    assert ("no player may trade" in says) == ends_trading

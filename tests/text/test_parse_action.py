"""Typed words: the action or the number of minutes they mean, and what is said where they mean none."""

import random

import pytest

from put_protocol.cards import Card, pack_of
from put_protocol.games.put import Play, Put, See, ThrowIn
from put_protocol.games.unions import Choice
from put_text.catalogue import card_in_words
from put_text.parse_action import minutes_of, parse

# --- lengths of pauses ---


@pytest.mark.parametrize(
    ("typed", "minutes"), [("30m", 30), ("2h", 120), ("7d", 10_080), ("31D", 44_640), ("1m", 1), ("0090m", 90)]
)
def test_minutes_are_understood(typed: str, minutes: int) -> None:
    """A number and the letter of its unit."""
    assert minutes_of(typed) == minutes


@pytest.mark.parametrize("typed", ["", "0m", "2", "h", "-2h", "2 h", "2w", "\u0662h", "1e3m", "9999999m"])
def test_minutes_that_cannot_be_understood_are_asked_for(typed: str) -> None:
    """With examples; and nothing is guessed."""
    assert minutes_of(typed) == 'How long? For example "30m", "2h" or "7d": minutes, hours or days.'


def test_minutes_beyond_the_longest_pause_are_refused_at_once() -> None:
    """The schema of the wire would have it no longer."""
    assert minutes_of("32d") == minutes_of("745h") == "A pause is 31 days at most."


# --- actions ---


def plays(words: str, *others: Put | See | ThrowIn) -> tuple[Choice, ...]:
    held = [Choice(Play(card), f"lead {card_in_words(card)}") for card in map(Card, words.split())]
    says = {Put: 'say "I put"', See: "see the put and play for the game", ThrowIn: "throw in your cards"}
    return (*held, *(Choice(other, says[type(other)]) for other in others))


LEAD = plays("3s 10h Kc", Put())
ANSWER = plays("", See(), ThrowIn())


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("play 3s", "3s"),
        ("3s", "3s"),
        ("3S", "3s"),
        ("3 s", "3s"),
        ("3\u2660", "3s"),
        ("  Lead  THE 3 of Spades. ", "3s"),
        ("three of spades", "3s"),
        ("play 3", "3s"),
        ("1", "3s"),
        ("#1", "3s"),
        ("number 2", "10h"),
        ("10", "10h"),
        ("10h", "10h"),
        ("king", "Kc"),
        ("k", "Kc"),
        ("kc", "Kc"),
        ("i play the king of clubs!", "Kc"),
        ("lead the king of clubs", "Kc"),
        ("#3", "Kc"),
    ],
)
def test_parse_finds_the_card_meant(text: str, card: str) -> None:
    """A card by its notation, its name, its rank when that is enough, or its number in the list."""
    assert parse(text, LEAD) == Play(Card(card))


@pytest.mark.parametrize("text", ["put", "PUT", "I put!", 'say "I put"', "4", "# 4"])
def test_parse_finds_the_put(text: str) -> None:
    """The word of the game, the server's own phrase, and its number."""
    assert parse(text, LEAD) == Put()


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("see", See()),
        ("see it", See()),
        ("I see.", See()),
        ("see the put and play for the game", See()),
        ("1", See()),
        ("throw", ThrowIn()),
        ("throw in", ThrowIn()),
        ("throw in your cards", ThrowIn()),
        ("2", ThrowIn()),
    ],
)
def test_parse_finds_the_answer_to_a_put(text: str, action: See | ThrowIn) -> None:
    """Both answers, in the words of the game."""
    assert parse(text, ANSWER) == action


def test_parse_asks_which_card_where_several_fit() -> None:
    """A rank held twice is never guessed at: a card cannot be taken back."""
    assert parse("play 3", plays("3s 10h 3d")) == "Which one: the 3 of spades or the 3 of diamonds?"


def test_parse_asks_where_a_number_is_also_a_card() -> None:
    """A bare number that is one choice in the list and another's rank is asked about; the way out is named."""
    legal = plays("Ks 2h Kc", Put())
    assert parse("2", legal) == Play(Card("2h"))
    legal = plays("2h Ks Kc", Put())
    assert parse("2", legal) == (
        '2 could be a number in the list or a card: say "#2" for "lead the king of spades", or "play 2" for the card.'
    )
    assert parse("#2", legal) == Play(Card("Ks"))
    assert parse("play 2", legal) == Play(Card("2h"))


CARDS = "You can play the 3 of spades, the 10 of hearts or the king of clubs."


@pytest.mark.parametrize(
    ("text", "legal", "says"),
    [
        ("4h", LEAD, f"You cannot play the 4 of hearts now. {CARDS}"),
        ("play 4", plays("3s"), "You can play no 4 now. You can play the 3 of spades."),
        ("queen", LEAD, f"You can play no queen now. {CARDS}"),
        ("see", LEAD, "There is nothing for you to see now. You can lead or put."),
        ("throw in", LEAD, "You cannot throw in now. You can lead or put."),
        ("put", ANSWER, "You cannot put now. You can see or throw in."),
        ("3s", ANSWER, "You cannot play the 3 of spades now. You can see or throw in."),
        ("#9", LEAD, '"#9" is no choice of yours. You can lead or put.'),
        ("0", LEAD, '"0" is no choice of yours. You can lead or put.'),
        ("threes", LEAD, '"threes" is no choice of yours. You can lead or put.'),
        ("", LEAD, '"" is no choice of yours. You can lead or put.'),
        ("\x1b[2J", LEAD, '"[2j" is no choice of yours. You can lead or put.'),
        ("pit", LEAD, '"pit" is no choice of yours. Did you mean "put"?'),
        ("thow in", ANSWER, '"thow in" is no choice of yours. Did you mean "throw in"?'),
    ],
)
def test_parse_says_why_not_and_what_was_meant(text: str, legal: tuple[Choice, ...], says: str) -> None:
    """What is no legal action is answered with the reason, and with the nearest words or the kinds of choices."""
    assert parse(text, legal) == says


@pytest.mark.parametrize(("text", "action"), [("s", See()), ("se", See()), ("t", ThrowIn()), ("thr", ThrowIn())])
def test_parse_takes_the_keys_of_the_screen_and_the_beginnings_of_words(text: str, action: See | ThrowIn) -> None:
    """As long as they can mean nothing else."""
    assert parse(text, ANSWER) == action


def test_parse_when_nothing_is_asked() -> None:
    """Without a decision there is nothing to choose."""
    assert parse("put", ()) == "It is not your move."


def test_parse_takes_every_choice_it_lists() -> None:
    """Each number and each phrase of the list means its own action."""
    pack = pack_of(("2", "3", "4", "10", "K", "A"))
    dice = random.Random(1)
    for _ in range(200):
        held = dice.sample(pack, dice.randint(1, 5))
        legal = plays(" ".join(held), Put())
        for number, choice in enumerate(legal, 1):
            assert parse(f"#{number}", legal) == choice.action
            assert parse(choice.says, legal) == choice.action
        for card in held:
            assert parse(card, legal) == parse(f"play {card}", legal) == Play(card)

"""English: every event and every view in sentences that a stranger can follow."""

import unicodedata
from typing import get_args

import pytest

from put_protocol import table_events
from put_protocol.blind.keys import key_of_seed
from put_protocol.blind.transcript import Terms
from put_protocol.blind_events import BlindBegun, BlindEntry, BlindEvent, BlindOpened, PartMissed
from put_protocol.cards import FULL_PACK, Card
from put_protocol.games.put import (
    Accident,
    Cause,
    DealerFound,
    Dealt,
    DidPut,
    Discarded,
    Doubled,
    Drawn,
    ExtraDrawn,
    FreshDeal,
    GameEnded,
    GameWon,
    Gave,
    HandEnded,
    HandWon,
    LetGive,
    Moment,
    Passed,
    Played,
    PutEvent,
    PutView,
    Saw,
    TakenUp,
    ThrewIn,
    TrickEnded,
)
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Event
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameOver, LeftGame, TableEvent, TimedOut
from put_text import phrases, presenters
from put_text.catalogue import cards_in_words

YOU, MOLL, ANN = Seat(0), Seat(1), Seat(2)
TWO = ("Jack", "Moll")
THREE = ("Jack", "Moll", "Ann")


def cards(words: str) -> tuple[Card, ...]:
    return tuple(Card(word) for word in words.split())


# --- events ---


HASH = bytes(32)

TERMS = Terms(table=7, game=1, holders=(0, 255), cards=FULL_PACK, server=key_of_seed(HASH).point)

SENTENCES: list[tuple[Event, str, str]] = [  # the event, as its seat 0 hears it, as the gallery does
    (
        Drawn(seats=(YOU, MOLL), cards=cards("3s Kh")),
        "For the deal you draw the 3 of spades and Moll draws the king of hearts.",
        "For the deal Jack draws the 3 of spades and Moll draws the king of hearts.",
    ),
    (
        Drawn(seats=(YOU, MOLL), cards=cards("3s 3h"), tied=(YOU, MOLL)),
        (
            "For the deal you draw the 3 of spades and Moll draws the 3 of hearts; you and Moll are tied and must draw"
            " again."
        ),
        (
            "For the deal Jack draws the 3 of spades and Moll draws the 3 of hearts; Jack and Moll are tied and must"
            " draw again."
        ),
    ),
    (DealerFound(YOU), "You deal first.", "Jack deals first."),
    (
        Dealt(hand=2, dealer=MOLL, eldest=YOU, counts=(3, 3)),
        "Moll deals hand 2, three cards each; you are eldest, first to play.",
        "Moll deals hand 2, three cards each; Jack is eldest, first to play.",
    ),
    (Played(YOU, Card("3s"), leads=True), "You lead the 3 of spades.", "Jack leads the 3 of spades."),
    (Played(YOU, Card("Ad")), "You play the ace of diamonds.", "Jack plays the ace of diamonds."),
    (
        Accident(1, YOU, Card("3s")),
        "One of your cards is seen in the dealing: the 3 of spades.",
        "One of Jack's cards is seen in the dealing: the 3 of spades.",
    ),
    (
        Accident(2, MOLL, Card("3s")),
        "One of the dealer's own cards is seen in the dealing: the 3 of spades.",
        "One of the dealer's own cards is seen in the dealing: the 3 of spades.",
    ),
    (
        Accident(3, YOU, Card("3s")),
        "A faced card is found in the pack: the 3 of spades.",
        "A faced card is found in the pack: the 3 of spades.",
    ),
    (Accident(4, YOU), "You were dealt a card too many.", "Jack was dealt a card too many."),
    (Accident(5, YOU), "You, the dealer, were dealt a card too many.", "Jack, the dealer, was dealt a card too many."),
    (
        FreshDeal(None),
        "The pack is shuffled, and the same dealer deals again.",
        "The pack is shuffled, and the same dealer deals again.",
    ),
    (
        FreshDeal(YOU, 1, (1, 0)),
        "You call a fresh deal and score a point: the score is you 1, Moll 0; the same dealer deals again.",
        "Jack calls a fresh deal and scores a point: the score is Jack 1, Moll 0; the same dealer deals again.",
    ),
    (
        ExtraDrawn(YOU),
        "A card is drawn, unseen, out of your hand and out of play.",
        "A card is drawn, unseen, out of Jack's hand and out of play.",
    ),
    (
        TakenUp((1, 1)),
        "The deal stands, and the hands are taken up.",
        "The deal stands, and the hands are taken up.",
    ),
    (
        TakenUp((1, 1), cards("3s")),
        "The deal stands, and the hands are taken up; you hold the 3 of spades.",
        "The deal stands, and the hands are taken up; you hold the 3 of spades.",
    ),
    (LetGive(YOU), "You let the partner give.", "Jack lets the partner give."),
    (
        Gave(YOU, MOLL),
        "You give Moll the best card, and throw the others away.",
        "Jack gives Moll the best card, and throws the others away.",
    ),
    (
        Gave(MOLL, YOU, Card("3s")),
        "Moll gives you the best card, the 3 of spades, and throws the others away.",
        "Moll gives Jack the best card, the 3 of spades, and throws the others away.",
    ),
    (Discarded(YOU), "You throw away a card, unseen.", "Jack throws away a card, unseen."),
    (Discarded(YOU, Card("4s")), "You throw away the 4 of spades.", "Jack throws away the 4 of spades."),
    (Passed(YOU), "You say nothing.", "Jack says nothing."),
    (
        Doubled(YOU, 2),
        "You offer to double the hand to two points: Moll must take it or throw in.",
        "Jack offers to double the hand to two points: Moll must take it or throw in.",
    ),
    (
        Saw(YOU, 4),
        "You take the double: the hand is worth four points.",
        "Jack takes the double: the hand is worth four points.",
    ),
    (
        GameEnded(GameWon.POINTS, (YOU,), (5, 2), (0, 0), rubber=(1, 0), goes_on=True),
        (
            "You win the game on points, with the score at you 5, Moll 2; games won in the rubber: you 1, Moll 0, and"
            " the next one begins."
        ),
        (
            "Jack wins the game on points, with the score at Jack 5, Moll 2; games won in the rubber: Jack 1, Moll 0,"
            " and the next one begins."
        ),
    ),
    (
        GameEnded(how=GameWon.OUTRIGHT, winners=(YOU,), scores=(2, 2), paid=(2, -2), rubber=(1, 0)),
        (
            "You win the game outright, with the score at you 2, Moll 2; Moll pays two stakes and you receive two"
            " stakes; games won in the rubber: you 1, Moll 0."
        ),
        (
            "Jack wins the game outright, with the score at Jack 2, Moll 2; Moll pays two stakes and Jack receives two"
            " stakes; games won in the rubber: Jack 1, Moll 0."
        ),
    ),
    (DidPut(YOU), "You put: Moll must see it or throw in.", "Jack puts: Moll must see it or throw in."),
    (Saw(YOU), "You see the put and play on.", "Jack sees the put and plays on."),
    (
        ThrewIn(YOU),
        "You throw in, and the cards go away unseen.",
        "Jack throws in, and the cards go away unseen.",
    ),
    (
        ThrewIn(YOU, Cause.TIME),
        "You run out of time and so throw in.",
        "Jack runs out of time and so throws in.",
    ),
    (ThrewIn(YOU, Cause.LEFT), "You give up the game.", "Jack gives up the game."),
    (
        TrickEnded(number=1, winner=YOU, leader=YOU, tricks=(1, 0)),
        "You take trick 1; tricks taken so far: you 1, Moll 0.",
        "Jack takes trick 1; tricks taken so far: Jack 1, Moll 0.",
    ),
    (
        TrickEnded(number=2, winner=None, leader=YOU, tricks=(1, 0)),
        "Trick 2 is tied, and no player takes it; tricks taken so far: you 1, Moll 0.",
        "Trick 2 is tied, and no player takes it; tricks taken so far: Jack 1, Moll 0.",
    ),
    (
        HandEnded(how=HandWon.TRICKS, winner=YOU, points=1, scores=(3, 2)),
        "You win the hand by tricks, for a point: the score is you 3, Moll 2.",
        "Jack wins the hand by tricks, for a point: the score is Jack 3, Moll 2.",
    ),
    (
        HandEnded(how=HandWon.THROWN_IN, winner=YOU, points=2, scores=(3, 2)),
        "You win the hand, as everyone else has thrown in, for two points: the score is you 3, Moll 2.",
        "Jack wins the hand, as everyone else has thrown in, for two points: the score is Jack 3, Moll 2.",
    ),
    (
        HandEnded(how=HandWon.TRICKS, winner=YOU, points=0, scores=(3, 2)),
        "You win the hand by tricks.",
        "Jack wins the hand by tricks.",
    ),
    (
        HandEnded(how=HandWon.DRAWN, winner=None, points=0, scores=(3, 2)),
        "The hand is drawn, so no player wins it, and the score stays you 3, Moll 2.",
        "The hand is drawn, so no player wins it, and the score stays Jack 3, Moll 2.",
    ),
    (
        HandEnded(how=HandWon.DRAWN, winner=None, points=0, scores=(0, 0), anew=True),
        "The hand is drawn, so no player wins it, and all scores go back to nothing.",
        "The hand is drawn, so no player wins it, and all scores go back to nothing.",
    ),
    (
        GameEnded(how=GameWon.POINTS, winners=(YOU,), scores=(5, 2), paid=(1, -1)),
        "You win the game on points, with the score at you 5, Moll 2; Moll pays one stake and you receive one stake.",
        (
            "Jack wins the game on points, with the score at Jack 5, Moll 2; Moll pays one stake and Jack receives one"
            " stake."
        ),
    ),
    (
        GameEnded(how=GameWon.PUT, winners=(MOLL,), scores=(4, 2), paid=(-1, 1)),
        (
            "Moll wins the game by the put, with the score at you 4, Moll 2; you pay one stake and Moll receives one"
            " stake."
        ),
        (
            "Moll wins the game by the put, with the score at Jack 4, Moll 2; Jack pays one stake and Moll receives one"
            " stake."
        ),
    ),
    (
        GameEnded(how=GameWon.FORFEIT, winners=(YOU, MOLL), scores=(4, 2), paid=(0, 0)),
        "You and Moll win the game by forfeit, with the score at you 4, Moll 2.",
        "Jack and Moll win the game by forfeit, with the score at Jack 4, Moll 2.",
    ),
    (table_events.Sat(YOU, "Jack"), "You sit down in seat 1.", "Jack sits down in seat 1."),
    (
        table_events.Sat(MOLL, "Nan", is_house=True),
        "Nan, of the house, sits down in seat 2.",
        "Nan, of the house, sits down in seat 2.",
    ),
    (table_events.Stood(YOU, "Jack"), "You give up seat 1.", "Jack gives up seat 1."),
    (table_events.GameStarted(3, TWO), "Game 3 begins: you and Moll play.", "Game 3 begins: Jack and Moll play."),
    (table_events.Agreed(YOU), "You are ready for another game.", "Jack is ready for another game."),
    (table_events.PresenceChanged(YOU, away=True), "You have lost the connection.", "Jack has lost the connection."),
    (table_events.PresenceChanged(YOU, away=False), "You are back.", "Jack is back."),
    (
        table_events.PauseAsked(YOU, 30),
        "You ask for a pause of at most 30 minutes.",
        "Jack asks for a pause of at most 30 minutes.",
    ),
    (
        table_events.Paused(2 * 24 * 60),
        "All agree to a pause of at most two days: the clocks stand still.",
        "All agree to a pause of at most two days: the clocks stand still.",
    ),
    (table_events.GoOnAsked(YOU), "You are ready to go on.", "Jack is ready to go on."),
    (
        PartMissed(YOU, 1),
        "You did not do your part of the deal, and you lose the next hand (1 in this game).",
        "Jack did not do their part of the deal, and loses the next hand (1 in this game).",
    ),
    (
        PartMissed(YOU, 2, is_dismissed=True),
        "You did not do your part of the deal, and you lose the seat (2 in this game).",
        "Jack did not do their part of the deal, and loses the seat (2 in this game).",
    ),
    (
        BlindBegun(TERMS.encoded),
        "The cards are dealt blind: only you can see your cards, this server can see the cards of Moll.",
        "The cards are dealt blind: only Jack can see Jack's cards, this server can see the cards of Moll.",
    ),
    (BlindEntry(HASH, 2 * HASH), "", ""),
    (BlindOpened(()), "", ""),
    (table_events.WentOn(), "The pause is over, and the game goes on.", "The pause is over, and the game goes on."),
    (
        table_events.WentOn(by_time=True),
        "The pause is over, for its time is up.",
        "The pause is over, for its time is up.",
    ),
    (table_events.Said("Jack", "well played", YOU), 'You say: "well played".', 'Jack says: "well played".'),
    (table_events.Said("Bess", "oh"), 'Bess says from the gallery: "oh".', 'Bess says from the gallery: "oh".'),
    (TimedOut(MOLL), "Moll's time is up.", "Moll's time is up."),
    (TimedOut(YOU), "Your time is up.", "Jack's time is up."),
    (LeftGame(YOU), "You leave the game.", "Jack leaves the game."),
    (
        GameOver(gains=(3, -3), winners=(YOU,)),
        "The game is over, won by you: you win 3, Moll loses 3.",
        "The game is over, won by Jack: Jack wins 3, Moll loses 3.",
    ),
]


@pytest.mark.parametrize(("event", "yours", "theirs"), SENTENCES, ids=lambda value: type(value).__name__)
def test_tell_says_the_event_to_each(event: Event, yours: str, theirs: str) -> None:
    """The reader's own seat is "you" with its verb; everyone else has a name."""
    assert presenters.format_event(event, TWO, you=YOU) == yours
    assert presenters.format_event(event, TWO, you=GALLERY) == theirs


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (1, "one minute"),
        (59, "59 minutes"),
        (60, "one hour"),
        (90, "90 minutes"),
        (120, "two hours"),
        (1_440, "one day"),
        (1_500, "25 hours"),
        (10_080, "seven days"),
    ],
)
def test_length_is_told_exactly_in_the_largest_unit(minutes: int, said: str) -> None:
    """Nobody has to reckon, and nothing is rounded."""
    assert phrases.format_minutes(minutes) == said


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (0, "one minute"),
        (1, "one minute"),
        (600_000, "ten minutes"),
        (119 * 60_000 + 1, "two hours"),
        (2 * 3_600_000 + 1, "three hours"),
        (47 * 3_600_000 + 1, "two days"),
        (2 * 24 * 3_600_000 + 1, "three days"),
    ],
)
def test_about_rounds_what_is_left_up_to_what_people_say(ms: int, said: str) -> None:
    """Minutes up to two hours, hours up to two days, then days; never less than there is."""
    assert phrases.format_time_left(ms) == said


def test_seats_are_named_as_the_reader_knows_them() -> None:
    """The reader as you, whoever left by the number of the seat."""
    assert phrases.Speaker(THREE, YOU).names((YOU, MOLL, ANN)) == "you, Moll and Ann"
    assert phrases.Speaker(("Jack", "Moll", None), GALLERY).names((ANN,)) == "seat 3"


def test_tell_is_tried_on_every_event() -> None:
    """The list above leaves no kind of event out."""
    kinds = {type(event) for event, _, _ in SENTENCES}
    assert kinds == {*get_args(PutEvent), *get_args(TableEvent), *get_args(BlindEvent)}


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (DidPut(MOLL), "Moll puts: the opponents must see it or throw in."),
        (
            Dealt(hand=2, dealer=MOLL, eldest=YOU, counts=(4, 4, 4), cards=cards("3s 10h Jc Ad")),
            (
                "Moll deals hand 2, four cards each; you are eldest, first to play; you hold the 3 of spades, the 10 of"
                " hearts, the knave of clubs and the ace of diamonds."
            ),
        ),
        (
            Dealt(hand=1, dealer=MOLL, eldest=ANN, counts=(0, 3, 3)),
            "Moll deals hand 1, three cards each to Moll and Ann; Ann is eldest, first to play.",
        ),
        (
            Dealt(hand=1, dealer=MOLL, eldest=ANN, counts=(1, 3, 12)),
            (
                "Moll deals hand 1, one card to you, three cards to Moll and 12 cards to Ann; Ann is eldest, first to"
                " play."
            ),
        ),
        (table_events.GameStarted(1, THREE), "Game 1 begins: you, Moll and Ann play."),
        (
            GameEnded(how=GameWon.PUT, winners=(ANN,), scores=(1, 2, 3), paid=(-1, -1, 2)),
            (
                "Ann wins the game by the put, with the score at you 1, Moll 2, Ann 3; you pay one stake, Moll pays one"
                " stake and Ann receives two stakes."
            ),
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_tell_counts_three(event: Event, said: str) -> None:
    """Lists read as lists, and unequal hands are told apart."""
    assert presenters.format_event(event, THREE, you=YOU) == said


@pytest.mark.parametrize("names", [(), ("Jack",), ("Jack", None), ("Jack", "")])
def test_tell_names_a_seat_without_a_name_by_its_number(names: tuple[str | None, ...]) -> None:
    """A missing name never breaks a sentence."""
    assert presenters.format_event(DealerFound(MOLL), names, you=YOU) == "Seat 2 deals first."


HOSTILE = "\x1b[2J\u202eM\u200boll\n"


@pytest.mark.parametrize(
    "event",
    [
        table_events.Sat(MOLL, HOSTILE),
        table_events.Stood(MOLL, HOSTILE),
        table_events.GameStarted(1, ("Jack", HOSTILE)),
        table_events.Said(HOSTILE, HOSTILE, MOLL),
        table_events.Said(HOSTILE, HOSTILE),
        Played(MOLL, Card("\x1b\n")),
        Drawn((MOLL,), (Card("\x1b\n"),)),
    ],
    ids=lambda event: type(event).__name__,
)
def test_tell_says_nothing_unprintable(event: Event) -> None:
    """Whatever a hostile server calls people and cards, no control or bidi character comes out."""
    said = presenters.format_event(event, ("Jack", HOSTILE), you=YOU)
    assert not {unicodedata.category(character) for character in said} & {"Cc", "Cf"}


# --- views ---


VIEW = PutView(
    target=5,
    scores=(2, 3),
    hand=4,
    dealer=MOLL,
    eldest=YOU,
    cards=cards("3s 10h"),
    counts=(2, 1),
    playing=(True, True),
    tricks=(1, 0),
    trick=TrickView((MOLL,), cards("4c")),
    past=(TrickView((YOU, MOLL), cards("Ks Qd"), YOU),),
    to_move=YOU,
    moment=Moment.REPLY,
    putter=MOLL,
    seen_by=(YOU,),
)


def test_describe_says_the_whole_table() -> None:
    """Score, deal, cards, tricks, the table, the put and whose move it is, a sentence each."""
    assert presenters.format_view(VIEW, TWO, YOU) == (
        "The game is to five points, and the score is you 2, Moll 3.",
        "This is hand 4, dealt by Moll; you are eldest.",
        "You hold the 3 of spades and the 10 of hearts.",
        "Moll holds one card.",
        "Trick 1: you led the king of spades and Moll played the queen of diamonds; you took it.",
        "Tricks taken so far: you 1, Moll 0.",
        "On the table Moll led the 4 of clubs.",
        "Moll put, and you saw it.",
        "You are to play to the trick.",
    )


def test_describe_to_the_gallery_holds_no_hand() -> None:
    """A spectator hears how many cards each holds, and everyone by name."""
    view = PutView(target=5, scores=(0, 0), hand=1, counts=(3, 3), playing=(True, True), tricks=(0, 0), to_move=MOLL)
    assert presenters.format_view(view, TWO, GALLERY) == (
        "The game is to five points, and the score is Jack 0, Moll 0.",
        "This is hand 1.",
        "Jack holds three cards.",
        "Moll holds three cards.",
        "No card is on the table.",
        "Moll is to move.",
    )


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        (Moment.LEAD, "Moll is to lead."),
        (Moment.REPLY, "Moll is to play to the trick."),
        (Moment.ANSWER, "Moll is to see the put, or throw in."),
        (None, "Moll is to move."),
    ],
)
def test_describe_ends_with_whose_move_it_is(moment: Moment | None, said: str) -> None:
    """The last sentence is what is awaited."""
    view = PutView(target=5, scores=(0, 0), hand=1, counts=(3, 3), to_move=MOLL, moment=moment)
    assert presenters.format_view(view, TWO, YOU)[-1] == said


def test_describe_before_between_and_out_of_hands() -> None:
    """No hand yet, a hand that is over, and a player who is out of it are said as such."""
    assert presenters.format_view(PutView(target=5, scores=(0, 0)), TWO, YOU)[-1] == "No hand has been dealt yet."
    assert presenters.format_view(PutView(target=5, scores=(0, 1), hand=1), TWO, YOU)[-1] == "Hand 1 is over."
    out = PutView(target=5, scores=(0, 1), hand=1, counts=(0, 2), playing=(False, True), to_move=MOLL)
    assert "You are out of this hand." in presenters.format_view(out, TWO, YOU)


def test_describe_names_the_partner() -> None:
    """A player is told who their partner is; a spectator is not told that they have one."""
    view = PutView(target=5, scores=(0,) * 4, hand=1, counts=(3,) * 4, playing=(True,) * 4, sides=(0, 1, 0, 1))
    names = (*THREE, "Bess")
    assert "Ann is your partner." in presenters.format_view(view, names, YOU)
    assert not any("partner" in said for said in presenters.format_view(view, names, GALLERY))


def test_words_of_hand_and_score() -> None:
    """Cards are named in full and in their order, the reader's own score comes first."""
    assert cards_in_words(()) == "no cards"
    assert cards_in_words(cards("Qd 2c")) == "the queen of diamonds and the 2 of clubs"
    assert phrases.Speaker(THREE, ANN).counted((1, 2, 3)) == "you 3, Jack 1, Moll 2"

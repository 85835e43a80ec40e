"""Triomphe Forcée on the screen: pool, declarations, the trick, tricks taken, the hand, and a hand's story."""

import pytest
from msgspec.structs import replace

from put_client.tui.boards import board_of
from put_client.tui.effects import NO_ID
from put_client.tui.model import Model
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import ASCII
from put_protocol.cards import Card
from put_protocol.games.families import apply_event
from put_protocol.games.tricks import TrickView
from put_protocol.games.triomphe import (
    Dealt,
    Declared,
    HandEnded,
    HandWon,
    Moment,
    Play,
    Played,
    TrickEnded,
    TriompheView,
)
from put_protocol.games.unions import Choice, Event
from put_protocol.messages import Act, Decision, Events, TableSnapshot, Turn
from put_protocol.offers import GameOffer
from put_protocol.seats import Direction, Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from put_text.catalogue import card_in_words
from tests.client.tui.sample_models import LARGE, SMALL, TABLE, WELCOME, after, screen, send_keys, table_of

WILL, MOLL, ANN, JACK = map(Seat, range(4))
NAMES = ("Will", "Moll", "Ann", "Jack", "Nan", "Tom", "Kate", "Hal", "Peg", "Ned")
HAND = tuple(map(Card, ("21t", "0t", "Kw", "18t", "10o")))
"""As it was dealt, not as it is laid out."""
WHY = "Swords led: follow suit, else trump, else any card; the Fool always."

OFFER = GameOffer(
    name="triomphe-forcee",
    title="Triomphe Forcée",
    source="1659",
    summary="Five tricks with the tarot pack.",
    seats=tuple(range(4, 11)),
    options=(),
    family="triomphe",
    direction=Direction.COUNTER_CLOCKWISE,
)


def info_of(seats: int, state: TableState = TableState.PLAYING) -> TableInfo:
    return TableInfo(
        id=TABLE,
        game="triomphe-forcee",
        options={"stake": 2},
        seats=tuple([SeatInfo(name=name) for name in NAMES[:seats]]),
        clock=ClockInfo(),
        state=state,
        games=1,
    )


def opening(seats: int) -> TriompheView:
    return TriompheView(hands=12, stake=2, force=Card("11t"), gains=(0,) * seats)


def dealt(seats: int) -> Dealt:
    counts = (5,) * seats
    return Dealt(hand=3, dealer=WILL, eldest=MOLL, stakes=(2,) * seats, counts=counts, cards=HAND)


def played(*events: Event, seats: int = 4) -> Model:
    """At a table where a hand was dealt and these things happened."""
    welcome = replace(WELCOME, games=(OFFER,))
    waiting = replace(info_of(seats, TableState.FILLING), games=0)
    model = after(Model(welcome=welcome), TableSnapshot(table=TABLE, viewer=WILL, number=1, info=waiting))
    view = opening(seats)
    began = GameStarted(1, NAMES[:seats])
    model = after(model, Events(table=TABLE, first=1, events=(began,), info=info_of(seats), view=view))
    for event in (dealt(seats), *events):
        view = apply_event(view, event, WILL)  # type: ignore[assignment]  # of one family
        model = after(model, Events(table=TABLE, first=1, events=(event,), view=view))
    return model


def your_turn(model: Model, *cards: str) -> Model:
    """Asked, with these cards allowed."""
    legal = tuple([Choice(Play(Card(card)), f"play {card_in_words(Card(card))}") for card in cards])
    return after(model, Decision(table=TABLE, decision=9, asks="Play to trick 1.", legal=legal, why=WHY))


LED = (
    Declared(seat=ANN, cards=(Card("1t"), Card("11t")), paid=6),
    Played(MOLL, Card("2w"), leads=True),
    Played(ANN, Card("9w")),
    Played(JACK, Card("4t")),
)
TAKEN = (*LED, Played(WILL, Card("Kw")), TrickEnded(number=1, winner=JACK, tricks=(0, 0, 0, 1)))


def test_table_shows_pool_gains_and_what_each_declared() -> None:
    """Four staked 2 each, and Ann was paid 6 of the 8."""
    text = screen(played(*LED))
    assert "pool 2" in text
    assert "trick 1 of 5" in text
    assert "hand 3 of 12" in text
    assert "shows I XI" in text
    assert "+4" in text
    assert "-2" in text
    assert "dealer" in text


def test_next_player_sits_at_the_right() -> None:
    """The game goes counter-clockwise; a table of a game that goes the other way is the mirror of it."""
    rows = screen(played()).splitlines()
    moll = next(row for row in rows if "Moll" in row and "Jack" in row)
    assert moll.index("Jack") < moll.index("Moll")
    clockwise = replace(WELCOME, games=(replace(OFFER, direction=Direction.CLOCKWISE),))
    info = info_of(4)
    snapshot = TableSnapshot(table=TABLE, viewer=WILL, number=1, info=info, view=opening(4))
    other = screen(after(Model(welcome=clockwise), snapshot)).splitlines()
    moll = next(row for row in other if "Moll" in row and "Jack" in row)
    assert moll.index("Moll") < moll.index("Jack")


@pytest.mark.parametrize("size", [Size(60, 16), SMALL, LARGE, Size(200, 60)])
@pytest.mark.parametrize("seats", [4, 10])
def test_trick_in_play_shows_what_each_played(size: Size, seats: int) -> None:
    """Beside each name, at every size and with ten at the table, and what the pool holds."""
    text = screen(played(*LED, seats=seats), size)
    for word in (*NAMES[:seats], "2†", "9†", "IV", "pool"):
        assert word in text
    assert "Trick 1: Moll led 2†" in text


TEN = ("2w", "10w", "18t", "19t", "17t", "9w", "8w", "7w", "3w", "Kw")
"""A trick of ten; Moll leads."""


def test_trick_of_ten_is_told_in_the_line_there_is() -> None:
    """In play, as many cards as fit, and a mark that there are more; then what took it and what was led."""
    seats = [Seat((number + 1) % 10) for number in range(10)]
    plays = [Played(seat, Card(card), leads=seat == MOLL) for seat, card in zip(seats, TEN, strict=True)]
    rows = screen(played(*plays, seats=10)).splitlines()
    (row,) = [row for row in rows if "│ 1 " in row]
    assert row.endswith("│ 1  2† 10† XVIII XIX XVII …")
    for winner, says in ((Seat(4), "│ 1 [XIX] Nan  2† led"), (MOLL, "│ 1 [2†] Moll led")):
        taken = TrickEnded(number=1, winner=winner, tricks=tuple([int(seat == winner) for seat in range(10)]))
        assert says in screen(played(*plays, taken, seats=10))


def test_declarations_and_the_dealer_find_room_with_ten_at_the_table() -> None:
    """All three cards, in the columns that a seat has there, and who dealt beside their name."""
    dealer = replace(dealt(10), dealer=ANN, eldest=JACK)
    shown = Declared(seat=ANN, cards=(Card("0t"), Card("1t"), Card("11t")), paid=8)
    rows = screen(played(dealer, shown, seats=10)).splitlines()
    assert any("Ann  dealer" in row for row in rows)
    assert any("Fool I XI" in row for row in rows)


def test_hand_lies_in_order_with_the_trumps_together_and_the_fool_last() -> None:
    """However it was dealt; the digit of a card is its place."""
    text = screen(your_turn(played(*LED), "Kw", "0t"), SMALL)
    row = next(row for row in text.splitlines() if "XXI" in row and "K†" in row)
    assert row.index("K†") < row.index("10◎") < row.index("XVIII") < row.index("XXI") < row.index("Fool")
    assert "   1 K†   5 Fool" in text


def test_card_that_may_not_be_played_has_a_dot_for_its_digit() -> None:
    """So that it is told without colour; its digit says why not."""
    model = your_turn(played(*LED), "Kw", "0t")
    for text in (screen(model), screen(model, SMALL, ASCII)):
        digits = next(row for row in text.splitlines() if row.split()[:1] == ["1"] and "5" in row and "K" not in row)
        dot = "-" if "-" in digits.split("|")[0] else "·"
        assert digits.split()[:5] == ["1", dot, dot, dot, "5"]
    refused, effects = send_keys(model, "3")
    assert effects == ()
    assert refused.notice == f"No. {WHY}"


def test_digit_plays_the_card_in_that_place() -> None:
    """As it is laid out, not as it was dealt."""
    model = your_turn(played(*LED), "Kw", "0t")
    assert send_keys(model, "1")[1] == (Act(NO_ID, TABLE, 9, Play(Card("Kw"))),)
    assert send_keys(model, "5")[1] == (Act(NO_ID, TABLE, 9, Play(Card("0t"))),)
    assert send_keys(model, "right", "right", "enter")[1] == (Act(NO_ID, TABLE, 9, Play(Card("0t"))),)


def test_trick_that_was_taken_stays_until_the_next_is_led() -> None:
    """With the card that took it in brackets, in the pane too; then the next begins."""
    text = screen(played(*TAKEN))
    assert "takes it" in text
    assert "1 [IV] Jack  2† 9† K†" in text
    after_it = screen(played(*TAKEN, Played(JACK, Card("5o"), leads=True)))
    assert "takes it" not in after_it
    assert "2  5◎" in after_it
    assert "▪" in after_it


def test_last_trick_of_a_hand_stays_after_the_next_deal() -> None:
    """The next hand is dealt at once; nobody could see it otherwise."""
    ended = HandEnded(how=HandWon.MOST, winner=JACK, paid=2)
    model = played(*TAKEN, ended, replace(dealt(4), hand=4))
    assert "[IV]" in screen(model, Size(80, 20)) or "takes it" in screen(model)
    assert "hand 4 of 12" in screen(model)


def test_hand_that_we_won_is_said_in_large_letters() -> None:
    """And no other: of several players somebody always wins it."""
    table = table_of(played(*TAKEN))
    for winner, word in ((table.seat, "HAND WON"), (JACK, "")):
        assert winner is not None
        banner = board_of(table).banner(table, HandEnded(how=HandWon.MOST, winner=winner, paid=2))
        assert ("" if banner is None else banner.word) == word


def test_waiting_says_whom_for_and_what() -> None:
    """Leading, or following."""
    view = replace(
        opening(4), hand=3, counts=(5,) * 4, to_move=ANN, moment=Moment.FOLLOW, trick=TrickView((MOLL,), HAND[:1])
    )
    model = after(played(), Events(table=TABLE, first=1, events=(), view=view, turn=Turn(ANN)))
    assert "Ann is thinking: what to play to trick 1 ..." in screen(model)


def test_story_tells_declarations_tricks_and_who_gained() -> None:
    """A line of what each gained, what happened, and every trick."""
    ended = HandEnded(how=HandWon.SECOND_FIRST, winner=JACK, paid=2)
    text = screen(send_keys(played(*TAKEN, ended), "e")[0], LARGE)
    assert "hand         you     Moll      Ann     Jack" in text
    assert "   3          -2       -2       +4        0" in text
    assert "Ann declares trump I, Le Basteleur and La Force, trump XI, and gets 6" in text
    assert "1  Moll 2†  Ann 9†  [Jack IV]  you K†" in text


def test_story_of_who_came_late_says_so() -> None:
    """What came before is not made up."""
    view = apply_event(opening(4), dealt(4), WILL)
    info = info_of(4)
    snapshot = TableSnapshot(table=TABLE, viewer=WILL, number=1, info=info, view=view)
    model = after(Model(welcome=replace(WELCOME, games=(OFFER,))), snapshot)
    text = screen(send_keys(model, "e")[0], LARGE)
    assert "Told from where you came to the table." in text


def test_help_explains_the_signs_of_the_game() -> None:
    """Keys and marks are this game's, not Put's."""
    text = "\n".join(screen(send_keys(played(), "?", *["down"] * down)[0], LARGE) for down in (0, 30))
    assert "play that card of your hand" in text
    assert "XXI, Fool" in text
    assert "PUT, sees" not in text

"""The game hand by hand: folded from events, told in lines, drawn at its end, and read at any time."""

import pytest
from msgspec import structs

from put_client.sdk.lasting_wire import ConnectionBack
from put_client.tui.model import HANDS, Help, Model, PageKind
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import ASCII, UNICODE, Theme
from put_protocol.cards import Card
from put_protocol.games import put
from put_protocol.games.unions import Event
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import TableState
from tests.client.tui.sample_models import (
    LARGE,
    SMALL,
    TABLE,
    after,
    arrive,
    info_of,
    screen,
    send_keys,
    table_of,
    view_of,
    with_events,
)

WILL, MOLL = Seat(0), Seat(1)


def hand(number: int, *events: Event) -> tuple[Event, ...]:
    return (put.Dealt(number, MOLL, WILL, (3, 3), (Card("3s"), Card("10h"), Card("Kd"))), *events)


def trick(number: int, winner: Seat | None, *cards: str) -> tuple[Event, ...]:
    first, second = map(Card, cards)
    ended = put.TrickEnded(number, winner, WILL, (int(winner == WILL), int(winner == MOLL)))
    return put.Played(WILL, first, leads=True), put.Played(MOLL, second), ended


THROWN = hand(1, put.DidPut(WILL), put.ThrewIn(MOLL), put.HandEnded(put.HandWon.THROWN_IN, WILL, 1, (1, 0)))
DRAWN = hand(2, *trick(1, None, "3s", "3h"), put.HandEnded(put.HandWon.DRAWN, None, 0, (1, 0)))
LAST = hand(
    3,
    *trick(1, WILL, "3s", "4c"),
    put.DidPut(MOLL),
    put.Saw(WILL),
    *trick(2, WILL, "Kd", "Jc"),
    put.HandEnded(put.HandWon.TRICKS, WILL, 0, (1, 0)),
    put.GameEnded(put.GameWon.PUT, (WILL,), (1, 0), (1, -1)),
)
BEGUN = GameStarted(1, ("Will", "Moll"))


def game(*events: Event) -> Model:
    """A game seen from its start."""
    seen = arrive(info=info_of("Will", None, state=TableState.FILLING, games=0))
    return after(
        seen, Events(table=TABLE, first=1, events=(BEGUN, *events), info=info_of("Will", "Moll"), view=_view(events))
    )


def _view(events: tuple[Event, ...]) -> put.PutView:
    return (
        put.PutView(target=5, scores=(1, 0)) if events and isinstance(events[-1], put.GameEnded) else view_of(2, WILL)
    )


def over(*events: Event) -> Model:
    ended = Events(table=TABLE, first=90, events=(), info=info_of("Will", "Moll", state=TableState.BETWEEN))
    return after(game(*events), ended)


def read(model: Model, size: Size = LARGE, theme: Theme = UNICODE) -> str:
    return screen(send_keys(model, "e")[0], size, theme)


def test_story_tells_who_put_who_threw_in_and_the_score() -> None:
    """A line a hand; the score of whoever won it is in brackets."""
    text = read(game(*THROWN, *DRAWN, *LAST))
    assert "  1  You put; Moll throws in; you win the hand" in text
    assert "[1]      0" in text
    assert "  2  The hand is drawn" in text
    assert "  3  Moll puts; you see; you win the hand; you win the" in text


def test_story_shows_the_cards_of_every_trick() -> None:
    """With who played them: the taker's in brackets, a tie with its sign."""
    text = read(game(*DRAWN, *LAST))
    assert "=you 3♠ =Moll 3♥" in text
    assert "[you 3♠] Moll 4♣ · [you K♦] Moll J♣" in text


def test_story_tells_the_hand_in_play() -> None:
    """As far as it got, and without a score."""
    text = read(game(*hand(1, put.Played(WILL, Card("3s"), leads=True))))
    assert "  1  In play" in text
    assert "you 3♠" in text
    assert "=you" not in text


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ((put.Doubled(WILL, 2), put.Saw(MOLL, 2)), "You double to two points; Moll takes it"),
        (
            (put.ThrewIn(MOLL, put.Cause.TIME), put.HandEnded(put.HandWon.THROWN_IN, WILL, 1, (1, 0))),
            "Moll runs out of time and so throws in",
        ),
        ((put.FreshDeal(MOLL, 1, (0, 1)),), "Moll calls a fresh deal and scores a point"),
        ((put.FreshDeal(None),), "The pack is shuffled, and the same dealer deals again"),
        (
            (put.ThrewIn(MOLL, put.Cause.LEFT), put.GameEnded(put.GameWon.FORFEIT, (WILL,), (0, 0), (1, -1))),
            "Moll gives up the game; you win the game by forfeit",
        ),
        (
            (put.HandEnded(put.HandWon.DRAWN, None, 0, (0, 0), anew=True),),
            "The hand is drawn, so no player wins it",
        ),
        ((put.HandEnded(put.HandWon.TRICKS, MOLL, 1, (0, 1)),), "Moll wins the hand"),
    ],
)
def test_story_has_words_for_whatever_ends_a_hand(events: tuple[Event, ...], says: str) -> None:
    """In a rubber, after an accident, by time, by leaving."""
    assert says in read(game(*hand(1, *events)))


def test_story_goes_on_through_a_rubber_and_ends_with_it() -> None:
    """A game that goes on ends no story; the game after the last begins another."""
    first = hand(1, put.GameEnded(put.GameWon.POINTS, (MOLL,), (0, 12), (0, 0), (0, 1), goes_on=True))
    both = game(*first, *hand(1, put.GameEnded(put.GameWon.POINTS, (WILL,), (12, 0), (1, -1), (1, 1))))
    assert len(table_of(both).told.hands) == 2
    again = table_of(with_events(both, GameStarted(2, ("Will", "Moll")), *hand(1))).told
    assert (again.number, len(again.hands)) == (2, 1)


def test_story_of_who_came_late_says_so() -> None:
    """It begins with the hand in play, as the view shows it; so it does after a gap that was not filled."""
    late = arrive("Will", "Moll", view=view_of(2, WILL))
    assert "Told from where you came" in read(late)
    assert "  7  In play" in read(late)
    whole = game(*THROWN)
    assert "Told from where you came" not in read(whole)
    snapshot = TableSnapshot(TABLE, WILL, 9, info_of("Will", "Moll"), view=view_of(2, WILL))
    gap = after(whole, ConnectionBack((TABLE,)), snapshot)
    assert "Told from where you came" in read(gap)
    assert "  1  You put; Moll throws in; you win the hand" in read(gap)
    assert "  7  In play" in read(gap)
    goes_on = with_events(gap, put.Played(WILL, Card("3s"), leads=True))
    assert [(hand.number, hand.is_whole) for hand in table_of(goes_on).told.hands] == [(1, True), (7, False)]
    assert table_of(goes_on).told.hands[0] == table_of(whole).told.hands[0]


def test_story_keeps_so_many_hands_of_a_server_that_fills_no_gap() -> None:
    """It may name another hand in each snapshot."""
    model = game(*THROWN)
    for number in range(2, HANDS + 9):
        view = structs.replace(view_of(2, WILL), hand=number)
        model = after(model, TableSnapshot(TABLE, WILL, 9, info_of("Will", "Moll"), view=view))
    assert len(table_of(model).told.hands) == HANDS


@pytest.mark.parametrize("size", [Size(60, 16), SMALL, LARGE, Size(200, 60)])
def test_story_is_shown_when_the_game_ends(size: Size) -> None:
    """Without a key: what it came to, and the hands, or where there is no room for all, the last of them."""
    text = screen(over(*THROWN, *DRAWN, *LAST), size)
    assert "You win the game by the put" in text
    assert "  3  Moll puts; you see" in text
    assert ("  1  You put; Moll throws in" in text) == (size.height > 16)


def test_story_of_many_hands_keeps_its_end_in_sight() -> None:
    """Under the names of the columns."""
    many = [event for _ in range(30) for event in THROWN]
    text = screen(over(*many, *LAST), SMALL)
    assert "hand" in text
    assert "  3  Moll puts; you see" in text
    assert "You win the game by the put" in text


def test_pages_are_a_key_away_from_each_other() -> None:
    """e and r change between hands and rules, and the key of the page itself closes it."""
    model, _ = send_keys(game(*THROWN), "e")
    assert model.overlay == Help(page=PageKind.STORY)
    model, _ = send_keys(model, "r")
    assert model.overlay == Help(page=PageKind.RULES)
    assert send_keys(model, "r")[0].overlay is None
    assert send_keys(model, "escape")[0].overlay is None


def test_story_in_ascii_is_ascii() -> None:
    """Suits are letters."""
    text = read(game(*DRAWN, *LAST), SMALL, ASCII)
    assert text.isascii()
    assert "[you 3s] Moll 4c" in text

"""Moments: a finished hand is looked at, a card travels, a put stands in large letters; and nothing is late or lost."""

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as altered

from put_client.settings import Settings
from put_client.tui import moments
from put_client.tui.app import may_move
from put_client.tui.effects import NO_ID
from put_client.tui.model import Model
from put_client.tui.moments import BANNER_MS, FRAME_MS, HOLD_MS, TRAVEL_MS, until_next
from put_client.tui.update.dispatch import KeyPress, Quick, TimeTick, update
from put_client.tui.widgets.blocks import word_rows
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import ASCII, CONSOLE, LIT, UNICODE
from put_protocol.cards import Card
from put_protocol.games.put import (
    Dealt,
    DidPut,
    GameEnded,
    GameWon,
    HandEnded,
    HandWon,
    Play,
    Played,
    Saw,
    TrickEnded,
)
from put_protocol.games.tricks import TrickView
from put_protocol.messages import Act, Decision, Events, Turn
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import TableState
from put_text.catalogue import ENGLISH, every_message, languages, say, speaking
from tests.client.tui.sample_models import (
    HAND,
    TABLE,
    after,
    choices,
    frame,
    info_of,
    led,
    looked_at,
    screen,
    send_keys,
    table_of,
    taken,
    view_of,
    your_lead,
)

SIZES = [Size(60, 20), Size(80, 24), Size(120, 40), Size(200, 60)]
OVER = view_of(2, Seat(0))
ENDED = HandEnded(HandWon.TRICKS, Seat(0), 1, (1, 1))


def last_trick(*more: object, winner: int = 0, now: int = 10_000) -> Model:
    """We lead the ten of hearts to the second trick and win the hand with it; `more` is told in the same message."""
    past = TrickView((Seat(0), Seat(1)), (HAND[1], Card("9h")), Seat(winner))
    view = altered(OVER, scores=(1, 1), cards=(), counts=(), tricks=(2, 0), past=(past,), to_move=None, moment=None)
    events = (
        Played(Seat(0), HAND[1], leads=True),
        Played(Seat(1), Card("9h")),
        TrickEnded(number=2, winner=Seat(winner), leader=Seat(winner), tricks=(2, 0)),
        altered(ENDED, winner=Seat(winner)),
    )
    told = Events(table=TABLE, first=20, events=(*events, *more), view=view)  # type: ignore[arg-type]  # events
    return looked_at(taken(), told, now=now)


def dealt_after(model: Model, now: int) -> Model:
    """The next hand is dealt, and it is our lead."""
    view = altered(view_of(2, Seat(0)), hand=8, cards=(Card("2c"), Card("2d"), Card("4s")))
    news = Events(
        table=TABLE, first=30, events=(Dealt(8, Seat(1), Seat(0), (3, 3), view.cards),), view=view, turn=Turn(Seat(0))
    )
    legal = choices(view.cards)
    return looked_at(model, news, Decision(table=TABLE, decision=11, asks="Lead to trick 1.", legal=legal), now=now)


@pytest.mark.parametrize("size", SIZES)
def test_finished_hand_is_looked_at_while_the_next_is_dealt(size: Size) -> None:
    """For two seconds, with its last trick; then the new hand is there with its question."""
    model = dealt_after(last_trick(), 10_700)
    text = screen(model, size, now=11_900)
    assert "You win the hand" in text
    assert "10" in text
    assert "The hand is over. Any key goes on." in text
    assert "2♣" not in text.split("Log")[0]
    assert until_next(model, 11_900) == 100
    text = screen(after(model, TimeTick(), now=12_000), size, now=12_000)
    assert "Lead to trick 1." in text
    assert "1 2♣" in text


def test_key_ends_the_look_and_plays_no_card_unseen() -> None:
    """A digit or a letter that would be a move only goes on; any other key does what it does."""
    model = dealt_after(last_trick(), 10_700)
    for key in ("1", "p", "enter", "right"):
        ended, effects = update(model, KeyPress(key), 11_000)
        assert effects == ()
        assert ended.overlay is None
        assert ended.moments == ()
        assert table_of(ended).chosen is None
        assert "1 2♣" in screen(ended, now=11_000)
    played, effects = update(send_keys(model, "1")[0], KeyPress("1"), 11_001)
    assert effects == (Act(NO_ID, TABLE, 11, Play(Card("2c"))),)
    helped, _ = update(model, KeyPress("?"), 11_000)
    assert helped.overlay is not None
    assert played.moments == ()


def test_look_is_short_where_there_is_little_time() -> None:
    """A tenth of the time for the decision, at most: nobody loses a turn by it."""
    hurried = Decision(table=TABLE, decision=11, asks="?", legal=choices(HAND[:3]), turn_ms=5_000)
    model = looked_at(dealt_after(last_trick(), 10_100), hurried, now=10_100)
    assert [moment.until for moment in model.moments] == [10_600]


def test_hand_that_is_dealt_in_the_same_message_is_looked_at_too() -> None:
    """What is shown is folded from the events before the deal."""
    view_after = view_of(2, Seat(0))
    model = last_trick(Dealt(8, Seat(1), Seat(0), (3, 3), view_after.cards))
    text = screen(model, now=10_500)
    assert "You win the hand" in text
    assert "10♥" in text


def test_put_after_a_finished_hand_is_drawn_after_it() -> None:
    """In large letters, too: the player was looking at the hand."""
    view = altered(view_of(2, Seat(0)), hand=8, putter=Seat(1))
    news = Events(table=TABLE, first=40, events=(DidPut(Seat(1)),), view=view)
    model = looked_at(replace(dealt_after(last_trick(), 10_100), has_motion=True), news, now=10_900)
    whole = [row.rstrip() for row in word_rows("I PUT", has_blocks=True)]
    assert "Any key goes on" in screen(model, now=11_999)
    model = looked_at(model, TimeTick(), now=12_000)
    assert all(row in screen(model, now=12_000 + BANNER_MS - 1) for row in whole)
    assert not any(row in screen(model, now=12_000 + BANNER_MS) for row in whole)


def test_game_that_is_over_is_said_in_large_letters() -> None:
    """While it is looked at, in our favour or not; and in words as ever behind it."""
    for winner, word in ((0, "YOU WIN"), (1, "YOU LOSE")):
        ended = GameEnded(GameWon.POINTS, (Seat(winner),), (5, 1), (1, -1))
        model = last_trick(ended, winner=winner)
        assert [moment.banner.word for moment in model.moments if moment.banner] == [word]
        rows = word_rows(word, has_blocks=True)
        assert all(row.rstrip() in screen(model, now=10_000) for row in rows)
        assert all(row.rstrip() in screen(model, theme=ASCII, now=10_000) for row in word_rows(word, has_blocks=False))


@pytest.mark.parametrize("language", languages())
def test_every_word_in_large_letters_has_its_letters(language: str) -> None:
    """In every language: one without would not be said."""
    words = [message for message in every_message(ENGLISH, "screen") if message.startswith("screen-large-")]
    assert words
    with speaking(language):
        for message in words:
            for has_blocks in (True, False):
                assert word_rows(say(message), has_blocks=has_blocks), say(message)


def test_deciding_card_is_lit_by_more_than_a_colour() -> None:
    """Its outline is another one, in every set of signs; the loser's card is not."""
    for theme in (UNICODE, ASCII, CONSOLE):
        lines = frame(taken(), Size(120, 40), theme).lines
        lit = "".join(text for line in lines for style, text in line if LIT in style)
        assert theme.lit[0] in lit
        assert theme.lit[5] in lit
        assert lit.count(theme.lit[0]) + lit.count(theme.lit[1]) >= 2
    assert UNICODE.lit[0] not in screen(led(), Size(120, 40))


# --- what moves ---


def moving() -> Model:
    return replace(your_lead(), has_motion=True)


def played(model: Model, now: int = 0) -> Model:
    view = altered(
        view_of(2, Seat(0)), cards=HAND[1:3], counts=(2, 3), trick=TrickView((Seat(0),), (HAND[0],)), to_move=Seat(1)
    )
    return after(
        model, Events(table=TABLE, first=11, events=(Played(Seat(0), HAND[0], leads=True),), view=view), now=now
    )


@pytest.mark.parametrize("size", SIZES)
def test_card_travels_to_its_place_and_stays_there(size: Size) -> None:
    """From the hand to the trick, upwards, in a few frames; at the end it is where it is without motion."""
    model = played(moving(), 1_000)
    places = []
    for now in range(1_000, 1_000 + TRAVEL_MS, FRAME_MS):
        rows = screen(model, size, now=now).split("\n")
        places.append(next(y for y, row in enumerate(rows) if "│3" in row))
    assert places == sorted(places, reverse=True)
    assert places[0] > places[-1]
    still = screen(played(your_lead(), 1_000), size, now=1_000)
    assert screen(model, size, now=1_000 + TRAVEL_MS) == still
    assert until_next(after(model, TimeTick(), now=1_000 + TRAVEL_MS), 1_000 + TRAVEL_MS) is None


def test_nothing_moves_unless_the_terminal_is_quick() -> None:
    """Until it has answered, and where the player does not want it, no timer runs after a card."""
    assert until_next(played(your_lead()), 0) is None
    quick, _ = update(your_lead(), Quick(), 0)
    assert until_next(played(quick), 0) == FRAME_MS


@pytest.mark.parametrize(
    ("settings", "environment", "may"),
    [
        (Settings(), {}, True),
        (Settings(motion=False), {}, False),
        (Settings(), {"NO_MOTION": "1"}, False),
        (Settings(), {"NO_MOTION": ""}, True),
        (Settings(), {"ACCESSIBILITY_ENABLED": "1"}, False),
    ],
)
def test_motion_can_be_turned_off(settings: Settings, environment: dict[str, str], may: bool) -> None:
    """By the setting, by the variable, and by those that say that a screen reader is there."""
    assert may_move(settings, environment) is may


def test_put_stands_in_large_letters_for_a_moment() -> None:
    """Letter by letter; then only the mark at the seat says it."""
    view = altered(view_of(2, Seat(0)), putter=Seat(1))
    news = Events(table=TABLE, first=11, events=(DidPut(Seat(1)),), view=view)
    model = after(moving(), news, now=0)
    whole = [row.rstrip() for row in word_rows("I PUT", has_blocks=True)]
    assert not all(row in screen(model, now=0) for row in whole)
    assert all(row in screen(model, now=BANNER_MS - 1) for row in whole)
    assert not any(row in screen(model, now=BANNER_MS) for row in whole)
    assert " PUT " in screen(model, now=BANNER_MS)
    assert moments.shown_banner(after(your_lead(), news), 0) is None


def test_put_that_is_seen_stands_in_large_letters() -> None:
    """It decides the hand; a double that is taken has a word of its own."""
    for event, word in ((Saw(Seat(1)), "I SEE"), (Saw(Seat(1), 2), "TAKEN")):
        news = Events(table=TABLE, first=11, events=(event,), view=view_of(2, Seat(0)))
        model = after(moving(), news, now=0)
        rows = [row.rstrip() for row in word_rows(word, has_blocks=True)]
        assert all(row in screen(model, now=BANNER_MS - 1) for row in rows)


def test_keys_are_taken_while_something_moves() -> None:
    """At once: what moves has come to where it goes."""
    model, effects = update(played(moving()), KeyPress("?"), 10)
    assert model.overlay is not None
    assert model.moments == ()
    assert effects == ()


def test_letters_fill_a_box() -> None:
    """Each word that is said, in blocks and in ASCII, at both sizes: five pixels high, its lines of one width."""
    for word in ("I PUT", "DOUBLE", "DRAWN", "HAND WON", "HAND LOST", "HAND OVER", "YOU WIN", "YOU LOSE", "GAME OVER"):
        for has_blocks in (True, False):
            for scale in (1, 2):
                rows = word_rows(word, has_blocks=has_blocks, scale=scale)
                assert len(rows) == ((5 * scale + 1) // 2 if has_blocks else 5 * scale)
                assert len({len(row) for row in rows}) == 1


def test_end_of_a_game_stays_in_large_letters_where_there_is_room() -> None:
    """Above how it came about, until the next game; and whatever the size, in words."""
    ended = GameEnded(GameWon.POINTS, (Seat(0),), (5, 1), (1, -1))
    between = info_of("Will", "Moll", state=TableState.BETWEEN)
    model = after(last_trick(ended), Events(TABLE, 40, (), info=between))
    rows = [row.rstrip() for row in word_rows("YOU WIN", has_blocks=True)]
    for size in SIZES:
        text = screen(model, size, now=10_000 + HOLD_MS)
        assert table_of(model).result.split(";")[0][:40] in text
        assert all(row in text for row in rows) == (size.height >= 40)
    begun = after(model, Events(TABLE, 50, (GameStarted(2, ("Will", "Moll")),)))
    assert table_of(begun).ending is None

"""The mouse: what is drawn can be clicked, and a click does what the key would."""

import pytest

from put_client.tui.effects import NO_ID, Quit
from put_client.tui.model import Confirm, Help, Model, OpenForm, PromptKind, Typing
from put_client.tui.update.dispatch import Click, begin
from put_client.tui.views.screen import draw
from put_client.tui.widgets.canvas import ChoiceTarget, KeyTarget, Size, Spot, at
from put_client.tui.widgets.theme import UNICODE
from put_protocol.games.put import Play, Put
from put_protocol.messages import Act, Invite, LobbyState, Sit
from put_protocol.table_info import TableState
from tests.client.tui.sample_models import (
    HAND,
    LARGE,
    SMALL,
    TABLE,
    WELCOME,
    after,
    arrive,
    frame,
    info_of,
    led,
    screen,
    send_keys,
    step,
    with_decision,
    your_lead,
)
from tests.client.tui.test_app import DECISION, SNAPSHOT, running


def clicked(model: Model, text: str, size: Size = SMALL, nth: int = 0) -> tuple[Model, tuple[object, ...]]:
    """After a click in the middle of a text on the screen."""
    places = [
        (row.index(text) + len(text) // 2, y) for y, row in enumerate(screen(model, size).split("\n")) if text in row
    ]
    what = at(draw(model, size, UNICODE, 0).spots, *places[nth])
    return (model, ()) if what is None else step(model, Click(what))


@pytest.mark.parametrize("size", [Size(60, 16), SMALL, LARGE, Size(200, 60)])
def test_click_on_a_card_plays_it(size: Size) -> None:
    """On the card itself, and on its name among the choices."""
    spots = frame(your_lead(), size).spots
    chosen = [spot for spot in spots if spot.what == ChoiceTarget(9, 1)]
    assert len(chosen) == 2
    for spot in chosen:
        _, effects = step(your_lead(), Click(spot.what))
        assert effects == (Act(NO_ID, TABLE, 9, Play(HAND[1])),)


def test_click_where_cards_overlap_is_the_upper_one() -> None:
    """Of two fanned cards the right one lies over the left."""
    cards = [
        spot for spot in frame(your_lead(), LARGE).spots if isinstance(spot.what, ChoiceTarget) and spot.height > 1
    ]
    assert [spot.what.place for spot in cards if isinstance(spot.what, ChoiceTarget)] == [0, 1, 2]
    edge = cards[1].x
    assert at(tuple(cards), edge - 1, cards[0].y + 2) == ChoiceTarget(9, 0)
    assert at(tuple(cards), edge, cards[0].y + 2) == ChoiceTarget(9, 1)


def test_of_spots_over_each_other_the_topmost_is_meant() -> None:
    """Which was drawn last; beside them all there is nothing."""
    spots = (Spot(0, 0, 5, 2, KeyTarget("a")), Spot(3, 1, 5, 2, KeyTarget("b")))
    assert [at(spots, x, 1) for x in (2, 3, 7, 8)] == [KeyTarget("a"), KeyTarget("b"), KeyTarget("b"), None]
    assert at(spots, 0, 2) is None


def test_click_on_what_decides_asks_first() -> None:
    """As the key does; and yes and no can be clicked, and nothing else then."""
    model, effects = clicked(your_lead(), "p put")
    assert isinstance(model.overlay, Confirm)
    assert effects == ()
    assert clicked(model, "1 ", nth=0)[1] == ()
    assert clicked(model, "y yes")[1] == (Act(NO_ID, TABLE, 9, Put()),)
    assert clicked(model, "Esc or n no")[0].overlay is None


def test_click_on_an_older_question_does_nothing() -> None:
    """The screen had not been drawn anew."""
    later = with_decision(your_lead(), number=10)
    assert step(later, Click(ChoiceTarget(9, 1))) == (later, ())
    assert step(led(), Click(ChoiceTarget(9, 1)))[1] == ()


def test_click_on_a_card_that_is_not_to_be_played_says_why() -> None:
    """As its digit does."""
    model, effects = clicked(led(), "10")
    assert (model.notice, effects) == ("It is not your turn.", ())


def test_click_below_is_the_key() -> None:
    """Also with a key of one's own."""
    assert isinstance(clicked(your_lead(), "? help")[0].overlay, Help)
    assert clicked(arrive("Will", "Moll", viewer="gallery"), "q quit")[1] == (Quit(),)
    own = Model(welcome=WELCOME, keys=(("open", "x"),))
    assert isinstance(clicked(own, "x open")[0].overlay, OpenForm)


def test_click_in_the_lobby_selects_and_then_sits_down() -> None:
    """A row of the list."""
    tables = tuple(info_of(name, None, state=TableState.FILLING, number=n) for n, name in ((3, "Ann"), (4, "Bet")))
    model = after(begin(WELCOME)[0], LobbyState(tables=tables, begins=True))
    selected, effects = clicked(model, "Bet")
    assert (selected.lobby.selected_table, effects) == (4, ())
    assert clicked(selected, "Bet")[1] == (Sit(NO_ID, 4),)


def test_click_in_a_menu_and_a_form() -> None:
    """The line clicked is taken; in the form it is chosen first, and then changes."""
    waiting = arrive(info=info_of("Will", None, state=TableState.FILLING, games=0))
    assert clicked(send_keys(waiting, "h")[0], "bold")[1] == (Invite(NO_ID, TABLE, house="bold"),)
    form = send_keys(begin(WELCOME)[0], "o")[0]
    whole = clicked(clicked(form, "more")[0], "more")[0]
    on_gallery = clicked(whole, "gallery")[0]
    assert isinstance(on_gallery.overlay, OpenForm)
    assert on_gallery.overlay.field.name == "gallery"
    assert on_gallery.overlay.field.value == "open"
    turned = clicked(on_gallery, "gallery")[0].overlay
    assert isinstance(turned, OpenForm)
    assert turned.field.value == "shut"


def test_click_is_gated_while_something_is_typed() -> None:
    """Talk is not lost to a slip of the hand, and no card is played."""
    typing = send_keys(your_lead(), "c", *"hello")[0]
    assert not [spot for spot in frame(typing).spots if isinstance(spot.what, ChoiceTarget)]
    assert clicked(typing, "│10")[0] == typing
    assert typing.overlay == Typing(prompt=PromptKind.TALK, text="hello", at=5)
    assert clicked(typing, "Esc never mind")[0].overlay is None


@pytest.mark.parametrize("size", [Size(60, 16), SMALL, LARGE])
def test_spots_are_on_the_screen(size: Size) -> None:
    """Wholly, and none is empty."""
    for model in (your_lead(), send_keys(your_lead(), "?")[0], send_keys(your_lead(), "p")[0]):
        for spot in frame(model, size).spots:
            assert 0 <= spot.x < spot.x + spot.width <= size.width
            assert 0 <= spot.y < spot.y + spot.height <= size.height


async def test_application_hears_the_mouse() -> None:
    """As terminals tell of it: a press of the left button on the second card, and the wheel."""
    async with running(SNAPSHOT, DECISION) as it:
        await it.screen.shows("1 3♠   2 10♥   3 K♦   p put")
        row = next(y for y, line in enumerate(it.screen.text.split("\n")) if "1 3♠   2 10♥" in line)
        column = it.screen.text.split("\n")[row].index("10♥")
        it.keys.send_text("?")
        await it.screen.shows("lines 1 to 21 of")
        it.keys.send_text("\x1b[<65;10;10M")
        await it.screen.shows("lines 2 to 22 of")
        it.keys.send_text("?")
        await it.screen.shows("1 3♠   2 10♥   3 K♦   p put")
        it.keys.send_text(f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m")
        await it.requested(Act(NO_ID, TABLE, 9, Play(HAND[1])))
        assert [type(request) for request in it.client.requests].count(Act) == 1
    assert "\x1b[?1000l" in it.screen.getvalue()


def test_press_is_as_if_typed() -> None:
    """A spot with a key means what the key means now."""
    assert step(your_lead(), Click(KeyTarget("r"))) == send_keys(your_lead(), "r")

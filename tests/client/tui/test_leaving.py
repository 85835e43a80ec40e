"""Leaving: the program keeps the seat and says how to come back; what gives a game up is asked, and y says yes."""

import pytest
from msgspec.structs import replace

from put_client.tui.effects import NO_ID, Quit
from put_client.tui.model import Confirm, Model
from put_client.tui.update.departure import seat_is_kept
from put_protocol.messages import Decision, Events, Leave, Resign
from put_protocol.table_events import GameOver
from put_protocol.table_info import TableState
from put_text.catalogue import say
from tests.client.tui.sample_models import (
    HAND,
    TABLE,
    after,
    arrive,
    choices,
    info_of,
    screen,
    send_keys,
    table_of,
    your_lead,
)

BACK = "put-client inn:1674"


def playing() -> Model:
    return replace(your_lead(), back=BACK)


def test_quitting_keeps_the_seat_and_asks_first_in_a_game() -> None:
    """It says for how long; Enter says yes, for nothing is lost; and what gives the game up is named beside it."""
    model, effects = send_keys(playing(), "q")
    assert effects == ()
    text = screen(model)
    assert "Leave the program?" in text
    assert "Your seat at table 3 is kept for five minutes. b gives the game up." in text
    assert "Enter or y yes" in text
    for yes in ("enter", "y", "c-c"):
        assert send_keys(model, yes)[1] == (Quit(keeps=True),)
    assert send_keys(model, "n") == (playing(), ())


def test_detach_key_leaves_at_once() -> None:
    """The seat is kept; where no seat outlives the program, or we have none, the key means nothing."""
    assert send_keys(playing(), "D")[1] == (Quit(keeps=True),)
    assert send_keys(replace(playing(), back=""), "D")[1] == ()
    watching = replace(arrive("Moll", "Ann", viewer="gallery"), back=BACK)
    assert send_keys(watching, "D")[1] == ()


def test_typed_detach_is_its_key() -> None:
    """It did nothing once, because only the key was known to leave."""
    assert send_keys(playing(), "/", *"detach", "enter")[1] == (Quit(keeps=True),)


def test_who_sits_between_games_keeps_the_seat_without_a_question() -> None:
    """Nothing runs against them. A spectator, and who is in the lobby, says goodbye."""
    between = replace(arrive(info=info_of("Will", "Moll", state=TableState.BETWEEN)), back=BACK)
    assert send_keys(between, "q")[1] == (Quit(keeps=True),)
    watching = replace(arrive("Moll", "Ann", viewer="gallery"), back=BACK)
    assert send_keys(watching, "q")[1] == (Quit(),)


def test_time_to_come_back_is_what_the_server_said() -> None:
    """What is left of the time for being away, once a decision has told it."""
    told = Decision(table=TABLE, decision=9, asks="?", legal=choices(HAND[:3]), bank_ms=120_000)
    table = table_of(after(playing(), told))
    assert seat_is_kept(table, 0) == "Your seat at table 3 is kept for two minutes."
    assert say("screen-come-back", command=BACK) == "To come back, type: put-client inn:1674"


@pytest.mark.parametrize(
    ("keys", "question", "effect"),
    [
        (("b",), "Leave the table?", Leave(NO_ID, TABLE)),
        (("/", *"resign", "enter"), "Give up the game?", Resign(NO_ID, TABLE)),
        (("/", *"leave", "enter"), "Leave the table?", Leave(NO_ID, TABLE)),
    ],
)
def test_giving_a_game_up_is_asked_and_enter_is_no_answer(
    keys: tuple[str, ...], question: str, effect: Leave | Resign
) -> None:
    """Who holds Enter down has not said yes."""
    model, effects = send_keys(playing(), *keys)
    assert effects == ()
    text = screen(model)
    assert question in text
    assert "That gives up the game." in text
    assert "Enter or y" not in text
    assert send_keys(model, "enter", "enter") == (model, ())
    assert send_keys(model, "y")[1] == (effect,)


def test_question_about_a_game_that_is_over_is_asked_no_more() -> None:
    """Yes would do something else than was asked."""
    model, _ = send_keys(playing(), "b")
    assert isinstance(model.overlay, Confirm)
    over = Events(TABLE, 20, (GameOver((1, -1)),), info=info_of("Will", "Moll", state=TableState.BETWEEN))
    assert after(model, over).overlay is None
    another = Events(TABLE, 20, (), info=info_of("Will", "Moll", games=2))
    assert after(model, another).overlay is None

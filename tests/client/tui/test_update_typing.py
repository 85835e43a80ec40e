"""While a line is typed: what goes into it, what it means when it is entered, and that nothing else listens."""

import pytest
from msgspec.structs import replace as struct_replace

from put_client.tui.effects import NO_ID, Quit
from put_client.tui.model import Confirm, Help, PromptKind, Typing
from put_client.tui.update.dispatch import Paste
from put_protocol.games.put import Play
from put_protocol.messages import Act, Again, Block, Dismiss, Invite, Leave, Mute, Say, Sit, Stand
from put_protocol.seats import Seat
from put_protocol.table_info import SeatInfo, TableState
from tests.client.tui.sample_models import (
    ANSWERS,
    HAND,
    TABLE,
    after,
    arrive,
    dealt,
    info_of,
    led,
    send_keys,
    step,
    typed,
    with_decision,
    your_lead,
)

PLAY = Act(NO_ID, TABLE, 9, Play(HAND[0]))


def test_keys_are_text_while_somebody_talks() -> None:
    """No letter or digit acts; Enter sends, Esc does not."""
    model, effects = send_keys(your_lead(), "c", *"1 p q? !")
    assert effects == ()
    assert model.overlay == Typing(prompt=PromptKind.TALK, text="1 p q? !", at=8)
    assert send_keys(model, "enter")[1] == (Say(NO_ID, TABLE, "1 p q? !"),)
    assert send_keys(model, "escape") == (your_lead(), ())


def test_a_decision_that_comes_while_typing_leaves_the_line_alone() -> None:
    """And its keys wait until the line is sent."""
    model = typed(send_keys(led(), "c")[0], "hm")
    model = with_decision(model, ANSWERS)
    assert model.overlay == Typing(prompt=PromptKind.TALK, text="hm", at=2)
    model, effects = send_keys(model, "s")
    assert effects == ()
    assert model.overlay == Typing(prompt=PromptKind.TALK, text="hms", at=3)


def test_line_can_be_edited() -> None:
    """Cursor keys, erasing a character, a word, a line."""
    model = typed(send_keys(your_lead(), "c")[0], "two words")
    for keys, text in (
        (("backspace",), "two word"),
        (("home", "delete"), "wo words"),
        (("left", "x"), "two wordxs"),
        (("c-w",), "two "),
        (("c-u",), ""),
        (("home", "right", "c-u"), "wo words"),
        (("home", "backspace"), "two words"),
        (("end", "!"), "two words!"),
        (("f5",), "two words"),
    ):
        overlay = send_keys(model, *keys)[0].overlay
        assert isinstance(overlay, Typing)
        assert overlay.text == text


def test_talk_too_long_cannot_be_typed_and_empty_talk_is_not_sent() -> None:
    """The protocol's own limit; who meets it is told."""
    model = after(send_keys(your_lead(), "c")[0], Paste("x" * 400))
    assert model.notice == ""
    for more in (after(model, Paste("xx")), send_keys(model, "x")[0]):
        assert isinstance(more.overlay, Typing)
        assert more.overlay.text == "x" * 400
        assert more.notice == "A line has at most 400 characters: the rest was left out."
    assert send_keys(your_lead(), "c", " ", "enter") == (your_lead(), ())


def test_paste_goes_only_where_text_is_typed() -> None:
    """A clipboard plays no cards; what it holds of control characters is left out."""
    assert step(your_lead(), Paste("1p\n")) == (your_lead(), ())
    model = after(send_keys(your_lead(), "c")[0], Paste("a\nb\x1b[2Jc"))
    assert isinstance(model.overlay, Typing)
    assert model.overlay.text == "a b[2Jc"


@pytest.mark.parametrize(
    ("line", "effects"),
    [
        ("3s", (PLAY,)),
        ("the 3 of spades", (PLAY,)),
        ("say hello there", (Say(NO_ID, TABLE, "hello there"),)),
        ("again", (Again(NO_ID, TABLE),)),
        ("stand", (Stand(NO_ID, TABLE),)),
        ("sit", (Sit(NO_ID, TABLE),)),
        ("sit 2", (Sit(NO_ID, TABLE, Seat(1)),)),
        ("invite", (Invite(NO_ID, TABLE, house="steady"),)),
        ("invite bold", (Invite(NO_ID, TABLE, house="bold"),)),
        ("", ()),
    ],
)
def test_commands_do_what_they_say(line: str, effects: tuple[object, ...]) -> None:
    """And the line is closed."""
    model, done = send_keys(typed(send_keys(your_lead(), "/")[0], line), "enter")
    assert done == effects
    assert model.overlay is None


def test_command_of_an_action_asks_like_its_key() -> None:
    """Putting by a typed word is confirmed like putting by a letter."""
    model, effects = send_keys(typed(send_keys(your_lead(), "/")[0], "put"), "enter")
    assert effects == ()
    assert isinstance(model.overlay, Confirm)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("4d", "You cannot play the 4 of diamonds now."),
        ("sit 7", "Seats are numbered 1 to 2."),
        ("dismiss", "No such house player sits here."),
        ("send Ben", 'Say it as "send away NAME"'),
        ("say", "What you say is empty."),
    ],
)
def test_mistyped_command_stays_to_be_mended(line: str, says: str) -> None:
    """What is wrong is said, and the line is still there."""
    model, effects = send_keys(typed(send_keys(your_lead(), "/")[0], line), "enter")
    assert effects == ()
    assert says in model.notice
    assert isinstance(model.overlay, Typing)
    assert model.overlay.text == line


def test_command_out_of_turn_says_so() -> None:
    """A card when it is another's turn; nonsense where nothing is played."""
    assert send_keys(typed(send_keys(led(), "/")[0], "10h"), "enter")[0].notice == "It is not your turn."
    gallery = dealt("Will", "Moll", viewer="gallery")
    assert "no such command" in send_keys(typed(send_keys(gallery, "/")[0], "10h"), "enter")[0].notice


def test_commands_for_help_leaving_and_quitting_are_the_keys() -> None:
    """With the same questions."""
    assert send_keys(typed(send_keys(your_lead(), "/")[0], "help"), "enter")[0].overlay == Help()
    leaving, effects = send_keys(typed(send_keys(your_lead(), "/")[0], "leave"), "enter")
    assert effects == ()
    assert send_keys(leaving, "y")[1] == (Leave(NO_ID, TABLE),)
    quitting, _ = send_keys(typed(send_keys(your_lead(), "/")[0], "quit"), "enter")
    assert send_keys(quitting, "y")[1] == (Quit(),)


def test_dismiss_names_the_house_player() -> None:
    """By name, by number, or the last."""
    info = struct_replace(
        info_of(state=TableState.BETWEEN), seats=(SeatInfo(name="Will"), SeatInfo(name="Doll", is_house=True))
    )
    for line in ("dismiss", "dismiss doll", "dismiss 2"):
        model = typed(send_keys(arrive(info=info), "/")[0], line)
        assert send_keys(model, "enter")[1] == (Dismiss(NO_ID, TABLE, Seat(1)),)


@pytest.mark.parametrize(
    ("typed_", "request_"),
    [
        ("/mute Ben", Mute(NO_ID, "Ben")),
        ("/unmute Ben", Mute(NO_ID, "Ben", on=False)),
        ("/block Long Ben", Block(NO_ID, "Long Ben")),
        ("/unblock Ben", Block(NO_ID, "Ben", on=False)),
        ("/send away Long Ben", Dismiss(NO_ID, TABLE, person="Long Ben")),
    ],
)
def test_somebody_can_be_muted_blocked_or_sent_away(typed_: str, request_: Mute | Block | Dismiss) -> None:
    """By a command with their name."""
    model = typed(send_keys(arrive("Moll", "Ben"), "/")[0], typed_.removeprefix("/"))
    assert send_keys(model, "enter")[1] == (request_,)

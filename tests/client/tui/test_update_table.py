"""At a table: what keys and messages make of the model, and what is asked of the server for it."""

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as struct_replace

from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_client.tui.effects import NO_ID, Quit, TaskDone, TaskFailed
from put_client.tui.model import LOG_ENTRIES, TALK_ENTRIES, Confirm, EntryKind, Help, HouseMenu, Model, PageKind
from put_client.tui.update.dispatch import KeyPress
from put_protocol import messages
from put_protocol.games.put import Dealt, Discard, Double, Pass, Play, Put, See, ThrowIn
from put_protocol.games.unions import Choice
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted, Said
from put_protocol.table_info import SeatInfo, TableState
from tests.client.tui.sample_models import (
    ANSWERS,
    HAND,
    TABLE,
    WELCOME,
    after,
    arrive,
    choices,
    dealt,
    info_of,
    led,
    put_to,
    send_keys,
    step,
    table_of,
    typed,
    view_of,
    with_decision,
    with_events,
    your_lead,
)

PLAY = messages.Act(NO_ID, TABLE, 9, Play(HAND[0]))
PUT = messages.Act(NO_ID, TABLE, 9, Put())


def filling() -> Model:
    return arrive(info=info_of("Will", None, state=TableState.FILLING, games=0))


def between() -> Model:
    return arrive(info=info_of("Will", "Moll", state=TableState.BETWEEN), view=view_of(2, Seat(0)))


# --- acting ----------------------------------------------------------------------------------------------------------


def test_digit_plays_that_card_of_the_hand() -> None:
    """At once, and once."""
    model, effects = send_keys(your_lead(), "1")
    assert effects == (PLAY,)
    model, effects = send_keys(model, "1")
    assert effects == ()
    assert model.notice == "It is not your turn."


@pytest.mark.parametrize("model", [led(), dealt("Moll", "Will", viewer=Seat(1))])
def test_digit_does_nothing_out_of_turn(model: Model) -> None:
    """It says why."""
    model, effects = send_keys(model, "1")
    assert effects == ()
    assert model.notice == "It is not your turn."


def test_digit_plays_only_what_is_legal() -> None:
    """A card that is not among the legal actions is not played, nor any while a put is to be answered."""
    model = with_decision(dealt("Will", "Moll"), choices(HAND[:1], put=False))
    assert send_keys(model, "2")[1] == ()
    model, effects = send_keys(put_to(), "1")
    assert effects == ()
    assert model.notice == "Not a card now: answer first."
    assert send_keys(your_lead(), "9")[1] == ()


def test_digit_of_the_gallery_does_nothing() -> None:
    """A spectator has no cards."""
    assert send_keys(dealt("Will", "Moll", viewer="gallery"), "1") == (dealt("Will", "Moll", viewer="gallery"), ())


def test_letters_stand_for_actions() -> None:
    """p puts, s sees, t throws in, each after its question; out of place they do nothing."""
    assert send_keys(your_lead(), "p", "y")[1] == (PUT,)
    assert send_keys(put_to(), "s", "enter")[1] == ()  # Enter does not decide a game
    assert send_keys(put_to(), "s", "y")[1] == (messages.Act(NO_ID, TABLE, 10, See()),)
    assert send_keys(put_to(), "t", "y")[1] == (messages.Act(NO_ID, TABLE, 10, ThrowIn()),)
    assert send_keys(your_lead(), "s")[1] == ()
    assert send_keys(led(), "p") == (led(), ())


def test_question_is_asked_once_and_can_be_declined() -> None:
    """Esc or n leave everything as it was."""
    for key in ("n", "escape"):
        model, effects = send_keys(your_lead(), "p", key)
        assert (model, effects) == (your_lead(), ())
    model, effects = send_keys(your_lead(), "p")
    assert effects == ()
    assert model.overlay == Confirm(question='Say "I put"?', says="It cannot be taken back.", effects=(PUT,))


def test_question_says_what_follows_where_the_server_does() -> None:
    """Its phrase for the action, split where the consequence begins."""
    legal = (Choice(Put(), 'say "I put": they throw in, or this hand decides the game'),)
    model, _ = send_keys(with_decision(dealt("Will", "Moll"), legal), "p")
    assert isinstance(model.overlay, Confirm)
    assert model.overlay.question == 'Say "I put"?'
    assert model.overlay.says == "They throw in, or this hand decides the game."


def test_only_what_decides_a_hand_is_asked_about() -> None:
    """To throw a card away, or to say nothing, is done at once."""
    legal = (Choice(Discard(HAND[0]), "throw away the 3"), Choice(Pass(), "say nothing"), Choice(Double(), "double"))
    model = with_decision(dealt("Will", "Moll"), legal)
    assert send_keys(model, "1")[1] == (messages.Act(NO_ID, TABLE, 9, Discard(HAND[0])),)
    assert send_keys(model, "n")[1] == (messages.Act(NO_ID, TABLE, 9, Pass()),)
    assert send_keys(model, "d")[1] == ()


def test_question_takes_no_other_key_for_yes() -> None:
    """A card's digit or the same letter again do not put."""
    model, effects = send_keys(your_lead(), "p", "p", "1", " ")
    assert effects == ()
    assert isinstance(model.overlay, Confirm)


def test_question_is_dropped_when_the_decision_is_replaced() -> None:
    """Time ran out, say: a late yes must not answer the next decision."""
    model, _ = send_keys(your_lead(), "p")
    model = after(model, messages.Decision(table=TABLE, decision=10, asks="Lead to trick 1.", legal=choices(HAND[:2])))
    assert model.overlay is None
    assert send_keys(model, "y")[1] == ()


def test_question_is_dropped_when_the_game_moves_on() -> None:
    """The same when it is another player's turn now."""
    model, _ = send_keys(your_lead(), "p")
    model = with_events(model, view=view_of(2, Seat(0)), turn=messages.Turn(Seat(1)))
    assert model.overlay is None


def test_question_stays_while_people_talk() -> None:
    """Talk changes nothing of the game."""
    model, _ = send_keys(your_lead(), "p")
    model = with_events(model, Said("Moll", "Well?", Seat(1)))
    assert send_keys(model, "y")[1] == (PUT,)


def test_questions_can_be_switched_off() -> None:
    """! does it for the session, and once more switches them on."""
    model, _ = send_keys(your_lead(), "!")
    assert send_keys(model, "p")[1] == (PUT,)
    model, _ = send_keys(model, "!")
    assert send_keys(model, "p")[1] == ()


def test_arrows_choose_and_enter_does_it() -> None:
    """Around in a circle, and nothing is chosen to begin with."""
    assert send_keys(your_lead(), "enter") == (your_lead(), ())
    assert send_keys(your_lead(), "right", "enter")[1] == (PLAY,)
    assert send_keys(your_lead(), "right", "right", "left", "enter")[1] == (PLAY,)
    model, effects = send_keys(your_lead(), "left", "enter")  # the last: put
    assert effects == ()
    assert isinstance(model.overlay, Confirm)
    assert send_keys(your_lead(), *["right"] * 5, "enter")[1] == (PLAY,)


def test_a_new_decision_begins_without_a_choice() -> None:
    """What was chosen among the former actions is not chosen among these."""
    model, _ = send_keys(your_lead(), "right")
    model = after(model, messages.Decision(table=TABLE, decision=10, asks="?", legal=choices(HAND[:2])))
    assert send_keys(model, "enter")[1] == ()


def test_the_same_decision_sent_anew_can_be_answered() -> None:
    """After a drop the answer may have been lost for good: the decision comes again and takes an answer again."""
    model, _ = send_keys(your_lead(), "1")
    model = after(model, ConnectionLost("dropped"), ConnectionBack((TABLE,)))
    model = with_decision(model)
    assert send_keys(model, "1")[1] == (PLAY,)


def test_late_refusal_is_shown() -> None:
    """Too late: the notice says so, and the decision that came meanwhile is untouched."""
    model, _ = send_keys(your_lead(), "1")
    model = with_decision(model, number=10)
    model = after(model, TaskFailed(PLAY, "Decision 9 is over.", RefusalCode.TOO_LATE))
    assert model.notice == "Decision 9 is over."
    assert send_keys(model, "1")[1] == (messages.Act(NO_ID, TABLE, 10, Play(HAND[0])),)


def test_refused_action_can_be_tried_again() -> None:
    """The same decision is still to be made."""
    model, _ = send_keys(your_lead(), "1")
    model = after(model, TaskFailed(PLAY, "Slow down.", RefusalCode.TOO_FAST))
    assert model.notice == "Slow down."
    assert send_keys(model, "2")[1] == (messages.Act(NO_ID, TABLE, 9, Play(HAND[1])),)


def test_nothing_is_played_while_the_connection_is_lost() -> None:
    """It would be played whenever it comes back, and who knows what is asked then."""
    model = after(your_lead(), ConnectionLost("dropped"))
    model, effects = send_keys(model, "1")
    assert effects == ()
    assert "connection is lost" in model.notice
    question, _ = send_keys(your_lead(), "p")
    assert send_keys(after(question, ConnectionLost("dropped")), "y")[1] == ()


# --- coming and going ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "effect"),
    [("q", Quit()), ("c-c", Quit()), ("b", messages.Leave(NO_ID, TABLE)), ("escape", messages.Leave(NO_ID, TABLE))],
)
def test_leaving_a_game_asks_first(key: str, effect: object) -> None:
    """It gives up the game; from a game that is over, or from the gallery, one goes without a question."""
    model, effects = send_keys(your_lead(), key)
    assert effects == ()
    assert isinstance(model.overlay, Confirm)
    assert "gives up the game" in model.overlay.says
    assert send_keys(model, "n")[1] == ()
    assert send_keys(model, "y")[1] == (effect,)
    for free in (between(), filling(), dealt("Will", "Moll", viewer="gallery")):
        assert send_keys(free, key)[1] == (effect,)


def test_escape_takes_back_one_thing_at_a_time() -> None:
    """The choice, then the scrolling, and only then the table."""
    model, effects = send_keys(your_lead(), "right", "escape")
    assert (model, effects) == (your_lead(), ())


def test_interrupt_twice_quits() -> None:
    """Also from a game, and from the middle of a line."""
    assert send_keys(your_lead(), "c-c", "c-c")[1] == (Quit(),)
    model, _ = send_keys(your_lead(), "c", "a", "c-c")
    assert isinstance(model.overlay, Confirm)


def test_left_table_gives_way_to_the_lobby() -> None:
    """When the server has carried it out, or sent us away itself and said why."""
    model, effects = step(your_lead(), TaskDone(messages.Leave(NO_ID, TABLE)))
    assert model.table is None
    assert effects == (messages.Look(NO_ID),)
    model, effects = step(your_lead(), messages.Left(TABLE, "you were away for too long"))
    assert model.table is None
    assert "you were away for too long" in model.notice
    assert step(your_lead(), messages.Left(TABLE + 1, "gone"))[0] == your_lead()


def test_coming_to_a_table_ends_looking_at_the_lobby() -> None:
    """Its changes are not needed there."""
    snapshot = messages.TableSnapshot(table=TABLE, viewer=Seat(0), number=0, info=info_of("Will", None))
    model, effects = step(Model(welcome=WELCOME), snapshot)
    assert table_of(model).id == TABLE
    assert effects == (messages.LookAway(NO_ID),)


def test_snapshot_of_the_same_table_keeps_log_and_line() -> None:
    """After a long drop the picture is new, but what was written and read stays."""
    model = typed(send_keys(with_events(your_lead(), Said("Moll", "Well?", Seat(1))), "c")[0], "half a li")
    snapshot = messages.TableSnapshot(table=TABLE, viewer=Seat(0), number=90, info=info_of("Will", "Moll"))
    later = after(model, snapshot)
    assert table_of(later).log == table_of(model).log
    assert later.overlay == model.overlay
    assert table_of(later).decision is None


def test_table_lost_with_the_connection_gives_way_to_the_lobby() -> None:
    """The connection is back, but not at this table."""
    model, effects = step(after(your_lead(), ConnectionLost("dropped")), ConnectionBack(()))
    assert model.table is None
    assert model.lost is None
    assert "table 3 is gone" in model.notice
    assert effects == (messages.Look(NO_ID),)


def test_other_tables_change_nothing_here() -> None:
    """Events, decisions and pictures of a table that is not shown."""
    for message in (
        messages.Events(table=9, first=1, events=(Said("Ann", "hello", Seat(0)),)),
        messages.Decision(table=9, decision=1, asks="?", legal=ANSWERS),
        messages.TableSnapshot(table=9, viewer=Seat(0), number=0, info=info_of("Will", None, number=9)),
    ):
        assert step(your_lead(), message) == (your_lead(), ())


# --- between games ---------------------------------------------------------------------------------------------------


def test_another_game_is_asked_for_once_one_is_over() -> None:
    """a means nothing before, nor when it was asked already."""
    assert send_keys(between(), "a")[1] == (messages.Again(NO_ID, TABLE),)
    assert send_keys(your_lead(), "a")[1] == ()
    assert send_keys(filling(), "a")[1] == ()
    agreed = struct_replace(
        info_of(state=TableState.BETWEEN), seats=(SeatInfo(name="Will", agrees=True), SeatInfo(name="Moll"))
    )
    assert send_keys(arrive(info=agreed), "a")[1] == ()


def test_house_is_invited_where_a_seat_is_empty() -> None:
    """Among several house players one chooses; a single one comes at once."""
    model, _ = send_keys(filling(), "h")
    assert model.overlay == HouseMenu()
    assert send_keys(model, "enter")[1] == (messages.Invite(NO_ID, TABLE, house="steady"),)
    assert send_keys(model, "down", "enter")[1] == (messages.Invite(NO_ID, TABLE, house="bold"),)
    assert send_keys(model, "up", "enter")[1] == (messages.Invite(NO_ID, TABLE, house="bold"),)
    assert send_keys(model, "2")[1] == (messages.Invite(NO_ID, TABLE, house="bold"),)
    assert send_keys(model, "escape") == (filling(), ())
    single = replace(filling(), welcome=struct_replace(WELCOME, houses=WELCOME.houses[:1]))
    assert send_keys(single, "h")[1] == (messages.Invite(NO_ID, TABLE, house="steady"),)
    assert send_keys(your_lead(), "h")[1] == ()


def test_spectator_sits_down_in_an_empty_seat() -> None:
    """s from the gallery, while no game is in play."""
    model = arrive(viewer="gallery", info=info_of("Moll", None, state=TableState.FILLING))
    assert send_keys(model, "s")[1] == (messages.Sit(NO_ID, TABLE),)


# --- the log ---------------------------------------------------------------------------------------------------------


def test_log_is_bounded() -> None:
    """A client may run for a year."""
    model = your_lead()
    for _ in range(3):
        model = with_events(model, *(Said("Moll", "again", Seat(1)) for _ in range(300)))
    assert len(table_of(model).log.entries) == LOG_ENTRIES
    assert len(table_of(model).log.talk) == TALK_ENTRIES


def test_talk_outlives_the_log() -> None:
    """What was said is still there when games of events have passed since."""
    model = with_events(your_lead(), Said("Moll", "Good luck", Seat(1)))
    for number in range(LOG_ENTRIES):
        model = with_events(model, GameStarted(number, ("Will", "Moll")))
    assert [entry.text for entry in table_of(model).log.talk] == ["Moll: Good luck"]


def test_log_cannot_be_scrolled_beyond_its_ends() -> None:
    """However often PgUp or PgDn are pressed."""
    model, _ = send_keys(your_lead(), *["pageup"] * 50)
    assert model.overlay == Help(page=PageKind.LOG, down=None)  # all of it is on the screen
    model, _ = send_keys(model, *["pagedown"] * 50)
    assert model.overlay == Help(page=PageKind.LOG, down=None)


def test_log_says_each_event_in_a_sentence() -> None:
    """Without what the screen shows anyway: one's own cards."""
    model = with_events(
        arrive("Will", "Moll"),
        GameStarted(1, ("Will", "Moll")),
        Dealt(hand=1, dealer=Seat(1), eldest=Seat(0), counts=(3, 3), cards=HAND[:3]),
        Said("Moll", "Good luck", Seat(1)),
    )
    texts = [(entry.text, entry.kind) for entry in table_of(model).log.entries[-3:]]
    assert texts == [
        ("Game 1 begins: you and Moll play.", EntryKind.EVENT),
        ("Moll deals hand 1, three cards each.", EntryKind.EVENT),
        ("Moll: Good luck", EntryKind.TALK),
    ]


def test_operator_is_heard_and_remembered() -> None:
    """The operator's word is a notice, and stays in the log."""
    model = after(your_lead(), messages.Notice("The server stops in five minutes."))
    assert model.notice == "The operator says: The server stops in five minutes."
    assert table_of(model).log.entries[-1].text == model.notice


def test_update_changes_nothing_without_cause() -> None:
    """A key that means nothing gives an equal model, so nothing is drawn."""
    assert step(your_lead(), KeyPress("x")) == (your_lead(), ())
    assert step(your_lead(), KeyPress("f1")) == (your_lead(), ())

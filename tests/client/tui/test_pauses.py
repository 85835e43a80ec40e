"""Pauses and lost lines: what is told of them, what may be pressed, and that nothing is left of them afterwards."""

import re

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as altered

from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_client.tui.effects import NO_ID, Quit
from put_client.tui.model import Clock, Confirm, Model
from put_client.tui.update.dispatch import begin
from put_client.tui.widgets.canvas import Size
from put_protocol.messages import Events, GoOn, Leave, LobbyState, LookAway, Pause, Sit, TableSnapshot, Turn
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import GoOnAsked, PauseAsked, Paused, PresenceChanged, WentOn
from put_protocol.table_info import PauseInfo, PersonInfo, SeatInfo, TableInfo, TableState
from tests.client.tui.sample_models import (
    LARGE,
    SMALL,
    TABLE,
    WELCOME,
    after,
    arrive,
    dealt,
    info_of,
    led,
    screen,
    send_keys,
    step,
    table_of,
    typed,
    view_of,
    with_decision,
    your_lead,
)

WILL, MOLL = Seat(0), Seat(1)
SIZES = (Size(60, 16), SMALL, LARGE)
HOUR = 3_600_000


def resting(*ready: Seat, state: TableState = TableState.PAUSED, minutes: int = 120) -> TableInfo:
    """Will's and Moll's table; who asks for the pause, or is ready after it."""
    return altered(info_of("Will", "Moll", state=state), pause=PauseInfo(minutes, ready))


def asked_for(model: Model, *seats: Seat) -> Model:
    """A pause of two hours is asked for by these."""
    events = tuple(PauseAsked(seat, 120) for seat in seats)
    return after(model, Events(TABLE, 11, events, info=resting(*seats, state=TableState.PLAYING)))


def paused(*ready: Seat, viewer: Viewer = WILL, back: str = "put-client") -> Model:
    """In the middle of a hand, with our decision to make, all agreed to a pause."""
    playing = your_lead() if viewer == WILL else dealt("Will", "Moll", viewer=viewer)
    news = Events(
        TABLE, 12, (Paused(120),), info=resting(*ready), view=view_of(2, viewer), turn=Turn(WILL, None, None, 2 * HOUR)
    )
    return replace(after(playing, news), back=back)


def test_pause_is_asked_for_with_a_key_and_with_a_command() -> None:
    """The key leaves the length to the server; a command names it."""
    assert send_keys(your_lead(), "z")[1] == (Pause(NO_ID, TABLE),)
    assert send_keys(typed(your_lead(), "/pause 7d"), "enter")[1] == (Pause(NO_ID, TABLE, 7 * 24 * 60),)
    assert send_keys(typed(your_lead(), "/pause"), "enter")[1] == (Pause(NO_ID, TABLE),)
    model, effects = send_keys(typed(your_lead(), "/pause soon"), "enter")
    assert effects == ()
    assert model.notice.startswith("How long?")


@pytest.mark.parametrize("size", SIZES)
def test_pause_that_others_ask_for_is_told_and_agreed_to(size: Size) -> None:
    """In the line that says what is expected of whom, unless a move is; and at the seat, in a word."""
    model = asked_for(led(), MOLL)
    text = screen(model, size)
    assert "▶ Moll asks for a pause of two hours: z agrees." in text
    assert any("Moll  pause" in row for row in text.split("\n"))
    assert send_keys(model, "z")[1] == (Pause(NO_ID, TABLE),)
    to_move = asked_for(your_lead(), MOLL)
    assert "▶ Your move. Lead to trick 1." in screen(to_move, size)
    assert table_of(to_move).log.entries[-1].text == "Moll asks for a pause of at most two hours."


def test_pause_we_ask_for_is_asked_for_once() -> None:
    """The game goes on until everyone agrees, and says so as ever."""
    model = asked_for(led(), WILL)
    assert "Moll is thinking" in screen(model)
    assert send_keys(model, "z")[1] == ()
    assert "You ask for a pause of two hours; waiting for Moll." in screen(model)


def test_whoever_is_asked_for_a_pause_in_their_turn_sees_it() -> None:
    """Under the question, and so does the gallery while somebody thinks."""
    assert "Moll asks for a pause of two hours: z agrees." in screen(asked_for(your_lead(), MOLL))
    watching = screen(asked_for(dealt("Will", "Moll", viewer=GALLERY), MOLL))
    assert "Moll asks for a pause of two hours; waiting for Will." in watching


@pytest.mark.parametrize("size", SIZES)
def test_pause_is_shown_calmly(size: Size) -> None:
    """What ends it and how long it may last; the cards stay, and nothing is asked."""
    text = screen(paused(), size)
    assert "  Paused: g when you are ready to go on." in text
    assert "two hours" in text
    if size != SIZES[0]:  # where there is no log, its end stands in the place of the keys
        assert "g go on" in text
    assert "paused" in text.split("\n")[0]
    assert re.search("│ ?3", text)
    assert "You may quit: your seat is kept." in text
    assert "p put" not in text


def test_pause_says_who_is_ready_and_whom_it_waits_for() -> None:
    """At the seats, and in the line."""
    ready = screen(paused(WILL))
    assert "Paused until Moll is ready to go on." in ready
    assert "g go on" not in ready
    assert send_keys(paused(WILL), "g")[1] == ()
    watching = screen(paused(MOLL, viewer=GALLERY))
    assert "Paused until Will is ready to go on." in watching
    assert "Moll  ready" in watching
    assert "You may quit" not in watching


def test_pause_does_not_wait_for_the_house_or_who_is_gone() -> None:
    """Only those who can be ready are named."""
    seats = (SeatInfo(name="Will"), SeatInfo(name="Doll", is_house=True), SeatInfo(name="Ann", is_gone=True))
    info = altered(info_of("Will", "Doll", "Ann", state=TableState.PAUSED), seats=seats, pause=PauseInfo(60, (WILL,)))
    text = screen(arrive(info=info, view=view_of(3, WILL)))
    assert "   Paused.\n" in text
    assert "gone" in text


def test_pause_lets_nothing_be_played() -> None:
    """Digits say why; the decision is asked again when the game goes on."""
    model, effects = send_keys(paused(), "1")
    assert effects == ()
    assert model.notice == "The game is paused."
    model, effects = send_keys(typed(paused(), "/put"), "enter")
    assert effects == ()
    assert model.notice == "The game is paused."
    went_on = Events(
        TABLE, 13, (WentOn(),), info=info_of("Will", "Moll"), view=view_of(2, WILL), turn=Turn(WILL, None, None)
    )
    on = with_decision(after(paused(), went_on))
    assert "Your move. Lead to trick 1." in screen(on)
    assert len(send_keys(on, "1")[1]) == 1


def test_ready_is_a_key_and_a_command() -> None:
    """Both ways to write it."""
    assert send_keys(paused(), "g")[1] == (GoOn(NO_ID, TABLE),)
    for words in ("go on", "goon"):
        assert send_keys(typed(paused(), f"/{words}"), "enter")[1] == (GoOn(NO_ID, TABLE),)
    assert send_keys(your_lead(), "g")[1] == ()


def test_quitting_a_pause_keeps_the_seat_and_asks_nothing() -> None:
    """Unless nobody could come back; to leave the table gives the game up in any case."""
    for keys in (("q",), ("c-c",), ("/", *"quit", "enter")):
        assert send_keys(paused(), *keys)[1] == (Quit(keeps=True),)
    model, effects = send_keys(paused(back=""), "q")
    assert effects == ()
    assert isinstance(model.overlay, Confirm)
    assert "You may quit" not in screen(paused(back=""))
    model, effects = send_keys(paused(), "b")
    assert effects == ()
    assert send_keys(model, "y")[1] == (Leave(NO_ID, TABLE),)
    assert send_keys(paused(viewer=GALLERY), "q")[1] == (Quit(),)


def test_clock_of_a_pause_runs_whoever_comes_and_goes() -> None:
    """What is left of it is told; the clocks of the game are as they were when it is over."""
    clock = Clock(seat=WILL, turn_ms=30_000, bank_ms=300_000, since=0, paused_ms=2 * HOUR)
    assert clock.left(HOUR) == HOUR
    away = clock.turn_to(is_away=True, now=HOUR)
    assert (away.turn_ms, away.bank_ms, away.left(HOUR)) == (30_000, 300_000, HOUR)
    model = after(
        paused(), Events(TABLE, 13, (PresenceChanged(MOLL, away=True), GoOnAsked(WILL)), info=resting(WILL)), now=HOUR
    )
    assert "at most one hour" in screen(model, now=HOUR)
    assert "at most two hours" in screen(model, now=1)


def test_lobby_tells_pauses_and_who_is_away() -> None:
    """In words."""
    seats = (SeatInfo(name="Ann", is_away=True), SeatInfo(name="Hal", is_gone=True))
    info = altered(info_of("Ann", "Hal", state=TableState.PAUSED), seats=seats, pause=PauseInfo(60))
    people = (PersonInfo("Ann", is_away=True, tables=(TABLE,)),)
    model = after(Model(welcome=WELCOME), LobbyState(tables=(info,), people=people, begins=True))
    text = screen(model, LARGE)
    assert "paused" in text
    assert "Ann (away), Hal (gone)" in text
    assert "Ann (away) at 3" in text
    assert "no seat free" in send_keys(model, "enter")[0].notice


# --- lost lines ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [your_lead(), led(), paused(), send_keys(your_lead(), "c")[0]])
def test_drop_leaves_nothing_on_the_screen(model: Model) -> None:
    """While it lasts one line says so; afterwards the table is as if nothing had happened."""
    lost = after(model, ConnectionLost("the connection dropped"))
    changed = [
        number
        for number, (one, other) in enumerate(zip(screen(model).split("\n"), screen(lost).split("\n"), strict=True))
        if one != other
    ]
    assert set(changed) <= {0, 20, 21, 22}
    assert "no connection" in screen(lost).split("\n")[0]
    if model.overlay is None:
        assert "The connection is lost; waiting for the server. q quits." in screen(lost)
    presence = PresenceChanged(WILL, away=True), PresenceChanged(WILL, away=False)
    info = table_of(model).info
    back = after(lost, ConnectionBack((TABLE,)), Events(TABLE, 12, presence, info=info))
    assert screen(back) == screen(model)
    assert back == model


def test_drop_is_told_while_a_question_is_open() -> None:
    """What cannot be sent is not asked; afterwards it is."""
    model = send_keys(your_lead(), "p")[0]
    assert 'Say "I put"?' in screen(model)
    lost = after(model, ConnectionLost("the connection dropped"))
    assert "The connection is lost; waiting for the server. q quits." in screen(lost)
    assert 'Say "I put"?' not in screen(lost)
    assert "sealed" not in screen(lost).split("\n")[0]
    assert screen(after(lost, ConnectionBack((TABLE,)))) == screen(model)


def test_drop_does_not_forget_an_answer_on_its_way() -> None:
    """It is sent again by whoever sent it, and so cannot be given twice."""
    model, effects = send_keys(your_lead(), "1")
    assert len(effects) == 1
    back = after(model, ConnectionLost("the connection dropped"), ConnectionBack((TABLE,)))
    assert send_keys(back, "1")[1] == ()
    assert "Sent; the table has it in a moment" in screen(back)


def test_server_that_stops_says_when_it_is_back() -> None:
    """At the table and in the lobby."""
    stopped = ConnectionLost("the server is stopping", back_s=600)
    says = "The server is stopping; back in about ten minutes. q quits."
    assert says in screen(after(your_lead(), stopped))
    assert says in screen(after(Model(welcome=WELCOME), stopped))


def test_who_is_back_at_a_table_goes_nowhere_else() -> None:
    """Whatever table was named: their own is shown when its snapshot comes."""
    back = altered(WELCOME, tables=(TABLE,))
    model, effects = begin(back, Sit(0, 9), back="put-client")
    assert not [effect for effect in effects if isinstance(effect, Sit)]
    snapshot = TableSnapshot(TABLE, WILL, 40, resting(), view_of(2, WILL), Turn(WILL, None, None, HOUR))
    model, effects = step(model, snapshot)
    assert effects == (LookAway(NO_ID),)
    assert "Paused: g when you are ready to go on." in screen(model)

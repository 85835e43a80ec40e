"""The lobby as it is drawn, and what opens over a screen."""

import pytest
from msgspec.structs import replace as struct_replace

from put_client.keymap import label_of
from put_client.tui.effects import NO_ID, TaskDone, TaskFailed
from put_client.tui.model import Model
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import ASCII
from put_protocol.messages import Invite, Invited, LobbyState, OpenTable, Sit
from put_protocol.seats import Seat
from put_protocol.table_info import PersonInfo, SeatInfo, TableState
from put_text.catalogue import languages, say, speaking
from tests.client.tui.sample_models import (
    LARGE,
    SMALL,
    WELCOME,
    after,
    arrive,
    info_of,
    screen,
    send_keys,
    step,
    typed,
    your_lead,
)

SIZES = (Size(60, 16), SMALL, LARGE, Size(200, 60))


def lobby(tables: int = 3) -> Model:
    people = (PersonInfo(name="Will"), PersonInfo(name="Ann", tables=(1,)), PersonInfo(name="Hal", is_bot=True))
    infos = tuple(info_of("Ann", None, number=n, state=TableState.FILLING, games=0) for n in range(1, tables + 1))
    return after(Model(welcome=WELCOME), LobbyState(tables=infos, people=people, begins=True))


@pytest.mark.parametrize("size", SIZES)
def test_lobby_lists_tables_and_says_how_to_sit(size: Size) -> None:
    """Numbers, players, empty seats, and the keys."""
    text = screen(lobby(), size)
    assert "The Mermaid" in text
    assert "3 tables" in text
    assert "Ann, (empty)" in text
    assert "1 free" in text
    assert "Enter sit down" in text
    assert "q quit" in text


@pytest.mark.parametrize("size", SIZES)
def test_empty_lobby_says_what_to_do(size: Size) -> None:
    """Nobody is left before an empty list: a digit begins a game, with the player of the house that is behind it."""
    text = screen(lobby(0), size)
    assert "No table is open. Play against the house at once:" in text
    assert "1 steady: plays its cards" in text
    assert "2 bold: puts on nothing" in text
    assert "Or press o to open a table" in text


def test_a_key_in_an_empty_lobby_begins_a_game_with_the_house() -> None:
    """The table is opened, we sit down, and the player chosen is asked to; where tables are open, h and then the digit
    do it."""
    for model, keys in ((lobby(0), "2"), (lobby(), "h2")):
        model, effects = send_keys(model, *keys)
        opened = OpenTable(NO_ID, game="put-1674", seats=2)
        assert effects == (opened,)
        assert send_keys(model, *keys)[1] == ()  # pressed twice it is one table
        model, effects = step(model, TaskDone(opened, table=9))
        assert effects == (Sit(NO_ID, 9), Invite(NO_ID, 9, house="bold"))
        assert step(model, TaskDone(opened, table=10))[1] == (Sit(NO_ID, 10),)  # the next is opened for people


def test_table_that_could_not_be_opened_leaves_nobody_invited() -> None:
    """A table that is opened later, for people, gets no player of the house."""
    model, (opened,) = send_keys(lobby(0), "2")
    assert isinstance(opened, OpenTable)
    model, _ = step(model, TaskFailed(opened, "Too many tables are open."))
    assert step(model, TaskDone(opened, table=9))[1] == (Sit(NO_ID, 9),)


def test_enter_accepts_an_invitation() -> None:
    """In the lobby; Esc stays, and then Enter sits down at the table chosen."""
    invited = Invited(1, "Ann", info_of("Ann", None, number=1), Seat(1))
    model = after(lobby(), invited)
    assert "Ann asks you to table 1, put-1674: Enter sits down, Esc stays." in screen(model)
    accepted, effects = send_keys(model, "enter")
    assert effects == (Sit(NO_ID, 1, Seat(1)),)
    assert "asks you" not in screen(accepted)
    declined, effects = send_keys(model, "escape")
    assert effects == ()
    assert "asks you" not in screen(declined)
    gone = after(model, LobbyState(closed=(1,)))
    assert "asks you" not in screen(gone)


def test_lobby_names_people_and_where_they_sit() -> None:
    """Bots are marked."""
    for size in (SMALL, LARGE):
        text = screen(lobby(), size)
        assert "Ann at 1" in text
        assert "Hal (bot)" in text


def test_selected_table_is_told_in_full() -> None:
    """Players with purses, rules with source, options that are not as usual, clocks, and what is special."""
    info = struct_replace(
        info_of(turn=30, locked=True),
        seats=(SeatInfo(name="Ann", purse=2), SeatInfo(name="Doll", is_house=True, purse=-2)),
        is_exhibition=True,
        is_gallery_open=False,
        options={"cut": "low", "target": 5},
    )
    text = screen(after(Model(welcome=WELCOME), LobbyState(tables=(info,), begins=True)), LARGE)
    assert "Ann +2, Doll (house) -2" in text
    assert "Put in the seventeenth century (Cotton 1674)" in text
    assert "cut low (who deals first)" in text
    assert "target" not in text
    assert "30 s a turn" in text
    assert "asks a passcode" in text
    assert "exhibition: nothing here counts" in text
    assert "gallery shut" in text


def test_selected_table_is_in_sight_in_a_long_list() -> None:
    """With a mark that is no colour, and how many tables are above and below."""
    model, _ = send_keys(lobby(100), *["down"] * 50)
    text = screen(model)
    assert "▶ 51 " in text
    assert "─ Table 51 ─" in text
    assert "more" in text


def test_form_shows_values_and_what_they_mean() -> None:
    """The line with the cursor is marked and explained, its arrows show that it can be changed."""
    usual, _ = send_keys(lobby(), "o")
    assert "▶ rules" in screen(usual)
    assert "all as usual" in screen(usual)
    model, _ = send_keys(usual, "up", "right", "down")
    for size in SIZES:
        text = screen(model, size)
        assert "▶ target" in text
        assert "← 5 →" in text
        assert "points that win the game, 1 to 21" in text
    assert "put-1674" in screen(model)
    assert "! Target is 1 to 21." in screen(send_keys(model, "0")[0])


def test_passcode_is_not_shown() -> None:
    """Neither it nor anything but its length."""
    locked = after(
        Model(welcome=WELCOME), LobbyState(tables=(info_of("Ann", None, state=TableState.FILLING, locked=True),))
    )
    text = screen(typed(send_keys(locked, "enter")[0], "sesame"))
    assert "passcode: ******" in text
    assert "sesame" not in text


def test_line_being_typed_is_in_sight_at_its_cursor() -> None:
    """Also when it is longer than the screen."""
    model = typed(send_keys(your_lead(), "c")[0], "x" * 100 + " the end")
    text = screen(model)
    assert "say: xx" in text
    assert "the end" in text
    assert "say: xxx" in screen(send_keys(model, "home")[0])


def test_help_tells_what_it_is_about_and_keys_and_marks() -> None:
    """From the keymap, its keys first, and the offer; where it is longer than the screen it can be scrolled to its
    end."""
    model, _ = send_keys(your_lead(), "?")
    text = screen(model, Size(120, 80))
    lines = ("play that card of your hand", "talk to the table", "who dealt", "Most tricks win the hand")
    places = [text.index(line) for line in lines]
    assert places == sorted(places)
    small = screen(model)
    assert "lines 1 to 21 of" in small
    assert lines[0] in small
    assert lines[-1] in screen(send_keys(model, *["pagedown"] * 12)[0])


def test_house_menu_says_what_each_player_is_like() -> None:
    """With its number, name and meaning."""
    model = arrive(info=info_of("Will", None, state=TableState.FILLING, games=0))
    text = screen(send_keys(model, "h", "down")[0])
    assert "▶ 2 bold: puts on nothing" in text
    assert "  1 steady: plays its cards" in text


def test_lobby_in_ascii_is_ascii() -> None:
    """With names of any script."""
    people = (PersonInfo(name="李小龍"), PersonInfo(name="Zoë"))
    model = after(lobby(), LobbyState(people=people))
    assert screen(model, SMALL, ASCII).isascii()


@pytest.mark.parametrize("language", languages())
def test_keys_of_the_form_are_whole_in_the_smallest_window(language: str) -> None:
    """What does not fit is left out, and never how to open a table or to leave."""
    with speaking(language):
        row = screen(send_keys(lobby(), "o")[0], Size(60, 16)).split("\n")[14]
        assert "…" not in row
        for key, does in (("enter", "opens-table"), ("escape", "cancel")):
            assert f"{label_of(key)} {say(f'keys-{does}')}" in row

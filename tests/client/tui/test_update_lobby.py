"""In the lobby: the list, ways to a table, and the form that opens one."""

import pytest
from msgspec.structs import replace as struct_replace

from put_client.tui.effects import NO_ID, Effect, Quit, TaskDone, TaskFailed
from put_client.tui.model import LOOKED_AT, Help, Model, OpenForm, PageKind, PromptKind, Typing
from put_client.tui.update.dispatch import Paste, begin
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import UNICODE
from put_protocol.messages import Invited, LobbySize, LobbyState, Look, OpenTable, Sit, Watch
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import PersonInfo, TableState
from tests.client.tui.sample_models import WELCOME, after, info_of, screen, send_keys, step, typed


def lobby(*numbers: int, locked: bool = False) -> Model:
    tables = tuple(info_of("Ann", None, number=n, state=TableState.FILLING, locked=locked) for n in numbers)
    people = (PersonInfo(name="Will"), PersonInfo(name="Ann"))
    return after(Model(welcome=WELCOME), LobbyState(tables=tables, people=people, begins=True))


def form_of(model: Model) -> OpenForm:
    assert isinstance(model.overlay, OpenForm)
    return model.overlay


# --- the list --------------------------------------------------------------------------------------------------------


def test_lobby_is_the_sum_of_its_news() -> None:
    """Tables new, changed and closed, people come and gone; a new picture forgets the old."""
    model = after(lobby(4, 2), LobbyState(tables=(info_of("Bob", number=3),), closed=(2,), departed=("Ann",)))
    assert [table.id for table in model.lobby.tables] == [3, 4]
    assert [person.name for person in model.lobby.people] == ["Will"]
    model = after(model, LobbyState(tables=(info_of("Bob", number=7),), begins=True))
    assert [table.id for table in model.lobby.tables] == [7]
    assert model.lobby.people == ()


def test_selection_stays_on_its_table() -> None:
    """Also when others open above it; when it is closed, its neighbour is selected."""
    model, _ = send_keys(lobby(2, 4, 6), "down")
    assert model.lobby.selected_table == 4
    model = after(model, LobbyState(tables=(info_of("Bob", number=1),)))
    assert model.lobby.selected_table == 4
    model = after(model, LobbyState(closed=(4,)))
    assert model.lobby.selected_table == 6
    model = after(model, LobbyState(closed=(1, 2, 6)))
    assert model.lobby.selected_table is None
    assert send_keys(model, "enter") == (model, ())


def test_large_lobby_is_looked_at_by_pages() -> None:
    """At the end of those that are listed the next are asked for, before their beginning those before; a rule set and
    `free` among the words are the server's to find. An invitation to a table elsewhere stays open."""
    welcome = struct_replace(WELCOME, limits=struct_replace(WELCOME.limits, lobby_pages=15))
    ours = tuple([info_of("Ann", None, number=n, state=TableState.FILLING) for n in (2, 4)])
    model = Model(welcome=welcome)
    assert model.look() == Look(NO_ID, 0, LOOKED_AT)
    for message in (LobbyState(begins=True, page=0, size=LobbySize(900, 5_000, 30)), LobbyState(ours, page=0)):
        model = after(model, message)
    assert "900 tables" in screen(model)
    assert "more" in screen(model)
    model = after(model, Invited(77, "Bob", info_of("Bob", None, number=77)), LobbyState(ours, page=0))
    assert model.invitation is not None
    model, effects = send_keys(model, "end", "down")
    assert effects == (Look(NO_ID, LOOKED_AT, LOOKED_AT),)
    model = after(model, LobbyState(begins=True, page=LOOKED_AT, size=LobbySize(900, 5_000, 30)), LobbyState(ours))
    assert send_keys(model, "home")[1] == (Look(NO_ID, 0, LOOKED_AT),)
    model, effects = send_keys(model, "f", *"free put-1674", "enter")
    assert effects == (Look(NO_ID, 0, LOOKED_AT, "put-1674", True),)
    assert send_keys(model, "f", *["backspace"] * 20, "enter")[1] == (Look(NO_ID, 0, LOOKED_AT),)
    assert after(model, LobbyState(closed=(77,))).invitation is None


def test_arrows_stop_at_the_ends() -> None:
    """Up, Down, Home and End."""
    model = lobby(2, 4, 6)
    assert send_keys(model, "up")[0].lobby.selected_table == 2
    assert send_keys(model, "end")[0].lobby.selected_table == 6
    assert send_keys(model, "end", "down")[0].lobby.selected_table == 6
    assert send_keys(model, "end", "home")[0].lobby.selected_table == 2


@pytest.mark.parametrize(("key", "effect"), [("enter", Sit(NO_ID, 2)), ("w", Watch(NO_ID, 2)), ("q", Quit())])
def test_keys_of_the_lobby(key: str, effect: Effect) -> None:
    """Sit, watch, quit: each at once."""
    assert send_keys(lobby(2, 4), key)[1] == (effect,)


def test_full_table_is_watched_not_sat_at() -> None:
    """It says so before the server has to."""
    model = after(Model(welcome=WELCOME), LobbyState(tables=(info_of("Ann", "Bob"),), begins=True))
    model, effects = send_keys(model, "enter")
    assert effects == ()
    assert model.notice == "Table 3 has no seat free now; w watches it."


def test_shut_gallery_is_not_watched() -> None:
    """The table says so in the list."""
    info = struct_replace(info_of("Ann", "Bob"), is_gallery_open=False)
    model = after(Model(welcome=WELCOME), LobbyState(tables=(info,), begins=True))
    model, effects = send_keys(model, "w")
    assert effects == ()
    assert model.notice == "Table 3 admits no spectators."


def test_only_tables_with_some_words_are_listed() -> None:
    """By rules, players and free seats, until the words are taken away; the arrows stay among them."""
    cat, bob = [info_of(name, None, number=n, state=TableState.FILLING) for name, n in (("Cat", 3), ("Bob", 9))]
    tables = (cat, struct_replace(info_of("Ann", "Bob", number=7), game="truc"), bob)
    model = after(Model(welcome=WELCOME), LobbyState(tables=tables, begins=True))
    only = model
    for words, numbers in (("bob", [7, 9]), ("BOB truc", [7]), ("free", [3, 9]), ("nobody", [])):
        only, _ = send_keys(typed(send_keys(model, "f")[0], words), "enter")
        assert [table.id for table in only.lobby.listed] == numbers
        selected = only.lobby.table
        assert (selected is not None and selected.id in numbers) == bool(numbers)
    assert "No table has these words" in screen(only, Size(80, 24), UNICODE)
    everything, _ = send_keys(only, "f", "c-u", "enter")
    assert everything.lobby.listed == tables


# --- passcodes -------------------------------------------------------------------------------------------------------


def test_locked_table_asks_for_its_passcode() -> None:
    """Before it is tried; Esc goes back to the list."""
    model, effects = send_keys(lobby(2, locked=True), "enter")
    assert effects == ()
    assert model.overlay == Typing(prompt=PromptKind.PASSCODE, request=Sit(NO_ID, 2))
    assert send_keys(typed(model, "open"), "enter")[1] == (Sit(NO_ID, 2, passcode="open"),)
    assert send_keys(model, "escape")[0] == lobby(2, locked=True)


def test_wrong_passcode_asks_again() -> None:
    """And says that it was wrong; one never given is only asked for."""
    model = after(lobby(2, locked=True), TaskFailed(Watch(NO_ID, 2, "shut"), "No.", RefusalCode.WRONG_PASSCODE))
    assert model.overlay == Typing(prompt=PromptKind.PASSCODE, request=Watch(NO_ID, 2, "shut"))
    assert model.notice == "No."
    assert send_keys(typed(model, "open"), "enter")[1] == (Watch(NO_ID, 2, "open"),)
    model = after(lobby(2), TaskFailed(Sit(NO_ID, 2), "No.", RefusalCode.WRONG_PASSCODE))
    assert model.notice == ""


def test_refusal_to_sit_is_shown() -> None:
    """In the lobby, where one still is."""
    model = after(lobby(2), TaskFailed(Sit(NO_ID, 2), "No seat is free.", RefusalCode.SEAT_TAKEN))
    assert model.notice == "No seat is free."
    assert model.table is None


# --- the start -------------------------------------------------------------------------------------------------------


def test_begin_goes_where_it_was_told() -> None:
    """To a seat, to a gallery, or to the lobby, which is behind either."""
    assert begin(WELCOME, Sit(NO_ID, 5, passcode="x"))[1] == (Look(NO_ID), Sit(NO_ID, 5, passcode="x"))
    assert begin(WELCOME, Watch(NO_ID, 5, "x"))[1] == (Look(NO_ID), Watch(NO_ID, 5, "x"))
    assert begin(WELCOME)[1] == (Look(NO_ID),)


# --- the form --------------------------------------------------------------------------------------------------------


def whole_form() -> Model:
    """The form with every line, at its first."""
    model, _ = send_keys(lobby(), "o", *["down"] * 4, "right", *["up"] * 4)
    return model


def test_form_opens_with_what_the_server_offers() -> None:
    """Rule sets, seats, what most people choose, and behind one line every option with its default; Enter opens the
    table so."""
    model, _ = send_keys(lobby(), "o")
    assert [field.name for field in form_of(model).fields] == ["game", "seats", "turn", "passcode", "more"]
    more, _ = send_keys(model, "up", "right")
    names = [field.name for field in form_of(more).fields]
    assert names == ["game", "seats", "turn", "passcode", "cut", "target", "arranged", "bank", "gallery", "admits"]
    assert form_of(more).field.name == "cut"
    model, effects = send_keys(model, "enter")
    wanted = OpenTable(NO_ID, game="put-1674", seats=2, options={"cut": "high", "target": 5, "arranged": ""})
    assert effects == (wanted,)
    assert step(model, TaskDone(wanted, 8)) == (lobby(), (Sit(NO_ID, 8),))


def test_form_without_games_says_so() -> None:
    """A server may offer none."""
    model = Model(welcome=struct_replace(WELCOME, games=()))
    model, effects = send_keys(model, "o")
    assert (model.notice, effects) == ("No game is offered here.", ())


def test_arrows_change_what_the_line_offers() -> None:
    """Choices around in a circle, numbers within their bounds."""
    model, _ = send_keys(whole_form(), "down", "right", *["down"] * 3, "right", "down", "right", "right")
    request = send_keys(model, "enter")[1][0]
    assert isinstance(request, OpenTable)
    assert (request.seats, request.options) == (3, {"cut": "low", "target": 7, "arranged": ""})
    model, _ = send_keys(model, *["left"] * 30)
    assert form_of(model).value("target") == 1
    model, _ = send_keys(model, *["right"] * 30)
    assert form_of(model).value("target") == 21


def test_other_rules_bring_their_own_lines() -> None:
    """What was chosen for the table itself stays, and what the new rules cannot be played with falls back."""
    model, _ = send_keys(whole_form(), "down", "right", "down", "3", "0", "up", "up")
    assert form_of(model).value("seats") == 3
    model, _ = send_keys(model, "right")
    names = [field.name for field in form_of(model).fields]
    assert names == ["game", "seats", "turn", "passcode", "bank", "gallery", "admits"]
    short, _ = send_keys(lobby(), "o", "right")
    assert [field.name for field in form_of(short).fields] == ["game", "seats", "turn", "passcode", "more"]
    assert form_of(model).value("seats") == 2
    assert form_of(model).value("turn") == 30
    assert form_of(model).at == 0


def test_numbers_are_typed() -> None:
    """The first digit begins anew, erasing takes back, too large a number is not taken."""
    model, _ = send_keys(lobby(), "o", *["down"] * 2, "4", "5")
    assert form_of(model).value("turn") == 45
    assert form_of(send_keys(model, "backspace")[0]).value("turn") == 4
    assert form_of(send_keys(model, "c-u")[0]).value("turn") == 0
    assert form_of(send_keys(model, "x")[0]).value("turn") == 45
    assert form_of(send_keys(model, "9", "9", "9", "9")[0]).value("turn") == 45_999
    assert form_of(send_keys(model, "right")[0]).value("turn") == 60


def test_number_below_its_bounds_is_not_sent() -> None:
    """It may stand there while it is typed, and the form says what is wanted."""
    model, _ = send_keys(whole_form(), *["down"] * 5, "0")
    model, effects = send_keys(model, "enter")
    assert effects == ()
    assert model.notice == "Target is 1 to 21."


def test_option_that_is_a_text_is_typed() -> None:
    """As long as the server admits; arrows leave it alone."""
    model, _ = send_keys(whole_form(), *["down"] * 6, *"3s 2h", "right", *" 2c 4d")
    assert form_of(model).value("arranged") == "3s 2h 2c"
    request = send_keys(model, "enter")[1][0]
    assert isinstance(request, OpenTable)
    assert request.options["arranged"] == "3s 2h 2c"


def test_passcode_is_typed_or_pasted() -> None:
    """Any character but those that cannot be shown; keys of the lobby are text here."""
    model, _ = send_keys(lobby(), "o", *["down"] * 3, *"qo?")
    model = after(model, Paste("\x1bok"))
    assert form_of(model).value("passcode") == "qo?ok"
    assert form_of(send_keys(model, "backspace")[0]).value("passcode") == "qo?o"


def test_refused_form_stays_open() -> None:
    """What the server says against it is shown, and what was chosen is still there."""
    model, _ = send_keys(lobby(), "o", "down", "right")
    refused = TaskFailed(
        OpenTable(NO_ID, game="put-1674", seats=3), "As many tables as can be.", RefusalCode.SERVER_FULL
    )
    after_refusal = after(model, refused)
    assert after_refusal.notice == "As many tables as can be."
    assert after_refusal.overlay == model.overlay


# --- typed -----------------------------------------------------------------------------------------------------------


def entered(model: Model, line: str) -> tuple[Model, tuple[Effect, ...]]:
    return send_keys(typed(send_keys(model, "/")[0], line), "enter")


def test_commands_can_be_typed_in_the_lobby() -> None:
    """A table by its number or the one selected; the rest is what the keys do."""
    model = lobby(3, 4)
    assert entered(model, "sit 4")[1] == (Sit(NO_ID, 4),)
    assert entered(model, "watch 4")[1] == (Watch(NO_ID, 4),)
    assert entered(model, "watch")[1] == (Watch(NO_ID, 3),)
    assert isinstance(entered(model, "open")[0].overlay, OpenForm)
    wanted = OpenTable(NO_ID, game="put-1674", seats=3, options={"target": 7})
    model_, effects = entered(model, "open put-1674 3 target=7")
    assert effects == (wanted,)
    assert step(model_, TaskDone(wanted, 8))[1] == (Sit(NO_ID, 8),)
    assert entered(model, "rules")[0].overlay == Help(page=PageKind.RULES)
    assert entered(model, "quit")[1] == (Quit(),)


def test_commands_that_cannot_be_carried_out_in_the_lobby_say_why() -> None:
    """And the line stays, to be mended."""
    for line, says in (
        ("sit here", 'Which seat? For example "sit 1 2" for the second at table 1, or "sit 1" for any.'),
        ("open whist", 'There is no game "whist" here. Say "games" to hear which there are.'),
        ("dance", "There is no such command as 'dance' here; sit, watch, open, rules, help and quit are."),
    ):
        model, effects = entered(lobby(3), line)
        assert (model.notice, effects) == (says, ())
        assert isinstance(model.overlay, Typing)
    shut = struct_replace(info_of("Ann", None, number=3, state=TableState.FILLING), is_gallery_open=False)
    model = after(Model(welcome=WELCOME), LobbyState(tables=(shut,), begins=True))
    assert entered(model, "watch")[0].notice == "Table 3 admits no spectators."
    empty, _ = begin(WELCOME)
    assert entered(empty, "sit")[0].notice == "No table is open."

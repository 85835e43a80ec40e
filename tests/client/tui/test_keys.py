"""The keymap: one table feeds bindings, footer and help, and nothing in it contradicts itself."""

from collections import Counter

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as struct_replace
from prompt_toolkit.keys import Keys

from put_client.keymap import BINDINGS, FUNCTION_KEYS, Intent, KeyBinding, Mode
from put_client.sdk.deal_checks import DealChecked, ProofStanding, Unproved
from put_client.tui.effects import Quit
from put_client.tui.keys import action_keys, explained, holds, intent_of, mode_of, shown_below
from put_client.tui.model import Help, HouseMenu, Model, OpenForm, Overlay, PromptKind, Typing
from put_client.tui.terminal import name_of
from put_client.tui.widgets.canvas import Size
from put_protocol.cards import Card
from put_protocol.games.put import Discard, Double, Give, Let, Pass, Play, Put, Redeal
from put_protocol.games.unions import Choice
from put_protocol.messages import Invited, LobbyState
from put_protocol.seats import Seat
from put_protocol.table_info import PauseInfo, TableInfo, TableState
from put_text.lessons import Lesson
from tests.client.tui.sample_models import (
    ANSWERS,
    HAND,
    TABLE,
    WELCOME,
    after,
    arrive,
    dealt,
    info_of,
    put_to,
    send_keys,
    table_of,
    view_of,
    with_decision,
    your_lead,
)
from tests.client.tui.test_notes import against_house


def lobby() -> Model:
    return after(Model(welcome=WELCOME), LobbyState(tables=(info_of("Ann", None),), begins=True))


def resting(state: TableState, *seats: Seat) -> TableInfo:
    """A table with a pause, asked for or on."""
    return struct_replace(info_of("Will", "Moll", state=state), pause=PauseInfo(60, seats))


SCENES: dict[str, Model] = {
    "lobby": lobby(),
    "empty lobby": Model(welcome=WELCOME),
    "your lead": your_lead(),
    "against the house": against_house(),
    "card chosen": send_keys(your_lead(), "right")[0],
    "note": after(your_lead(), Lesson("put.put", "You may put.")),
    "put to": put_to(),
    "waiting": dealt("Moll", "Will"),
    "gallery": dealt("Moll", "Ann", viewer="gallery"),
    "gallery with a seat": arrive("Moll", None, viewer="gallery", info=info_of("Moll", None, state=TableState.FILLING)),
    "filling": arrive(info=info_of("Will", None, state=TableState.FILLING, games=0)),
    "between": arrive(info=info_of("Will", "Moll", state=TableState.BETWEEN), is_back=True),
    "invited": after(lobby(), Invited(1, "Ann", info_of("Ann", None, number=1))),
    "invited at a table": after(
        arrive(info=info_of("Will", None, state=TableState.FILLING)), Invited(1, "Ann", info_of("Ann", None, number=1))
    ),
    "invited in a game": after(your_lead(), Invited(1, "Ann", info_of("Ann", None, number=1))),
    "paused": arrive(info=resting(TableState.PAUSED)),
    "ready": arrive(info=resting(TableState.PAUSED, Seat(0))),
    "pause asked for": with_decision(
        arrive(info=resting(TableState.PLAYING, Seat(1)), view=view_of(2, Seat(0))),
    ),
    "pause asked": arrive(info=resting(TableState.PLAYING, Seat(0))),
    "watching a pause": arrive(viewer="gallery", info=resting(TableState.PAUSED)),
    "confirm": send_keys(your_lead(), "p")[0],
    "talk": send_keys(your_lead(), "c")[0],
    "help": send_keys(your_lead(), "?")[0],
    "form": send_keys(lobby(), "o")[0],
    "plain": after(your_lead(), DealChecked(TABLE, ProofStanding.UNPROVED, None, Unproved.PLAIN)),
    "deal": send_keys(after(your_lead(), DealChecked(TABLE, ProofStanding.UNPROVED, None, Unproved.PLAIN)), "v")[0],
}


@pytest.mark.parametrize("name", SCENES)
def test_keymap_gives_a_key_one_meaning(name: str) -> None:
    """No two bindings that hold at once share a key, nor does an action's letter collide with one."""
    model = SCENES[name]
    mode = mode_of(model)
    keys = [key for b in BINDINGS if mode in b.modes and holds(b.when, model) for key in b.keys]
    if mode is Mode.TABLE:
        keys += [key for key, _ in action_keys(table_of(model)) if key]
    assert [key for key, count in Counter(keys).items() if count > 1] == []


@pytest.mark.parametrize("name", SCENES)
def test_footer_shows_only_keys_that_mean_something(name: str) -> None:
    """Every key at the bottom has a meaning in this very state."""
    model = SCENES[name]
    shown = list(shown_below(model))
    for _, _, key in shown:
        assert intent_of(model, key) is not None
    assert (("Enter", "do it", "enter") in shown) == (name == "card chosen")


@pytest.mark.parametrize("binding", [binding for binding in BINDINGS if binding.short], ids=lambda b: b.intent)
def test_command_at_the_bottom_does_something(binding: KeyBinding) -> None:
    """A key that is shown there changes the screen or asks the server for something: its intent is handled."""
    shown = [m for m in SCENES.values() if intent_of(m, binding.keys[0]) is binding.intent and holds(binding.when, m)]
    assert shown, "no scene shows it"
    assert any(send_keys(model, binding.keys[0]) != (model, ()) for model in shown)


@pytest.mark.parametrize("mode", [Mode.LOBBY, Mode.TABLE])
def test_help_explains_every_key_of_the_footer(mode: Mode) -> None:
    """What is shown below is explained in the help of the same screen."""
    short = {binding.label for binding in BINDINGS if binding.short and mode in binding.modes}
    assert short <= {label for label, _ in explained(mode)}


@pytest.mark.parametrize("name", SCENES)
def test_no_key_does_what_a_window_is_too_small_to_show(name: str) -> None:
    """Cards are not played unseen and nothing is opened; line mode is a key away, as the window says."""
    model = replace(SCENES[name], size=Size(59, 16))
    if mode_of(model) is Mode.CONFIRM:
        assert send_keys(model, "y") != (model, ()), "what is asked is on the screen"
        return
    for key in ("1", "p", "h", "o", "enter", "x", "escape"):
        pressed, effects = send_keys(model, key)
        assert (pressed.table, pressed.overlay, effects) == (model.table, model.overlay, ())
    assert send_keys(model, "L")[1] == (Quit(to_line_mode=True),)


def test_every_mode_has_a_way_out() -> None:
    """Ctrl-C quits everywhere; Esc closes whatever is open."""
    for model in SCENES.values():
        assert intent_of(model, "c-c") is Intent.QUIT
        if model.overlay is not None:
            assert intent_of(model, "escape") is Intent.CANCEL


def test_actions_have_their_letters_from_their_names() -> None:
    """Cards by their place in the hand; put p, see s, throw in t."""
    assert [key for key, _ in action_keys(table_of(your_lead()))] == ["1", "2", "3", "p"]
    assert [key for key, _ in action_keys(table_of(put_to()))] == ["s", "t"]


def test_actions_of_other_rule_sets_have_letters_too() -> None:
    """What is thrown away goes by digits like what is played; n says nothing, for p is always the put."""
    legal = (Choice(Discard(HAND[1]), "throw away the 10"), Choice(Pass(), "say nothing"), Choice(Put(), "put"))
    assert [key for key, _ in action_keys(table_of(with_decision(dealt("Will", "Moll"), legal)))] == ["2", "n", "p"]
    partners = (
        Choice(Give(), "give"),
        Choice(Let(), "let"),
        Choice(Double(), "double"),
        Choice(Redeal(), "fresh deal"),
    )
    assert [key for key, _ in action_keys(table_of(with_decision(dealt("Will", "Moll"), partners)))] == [
        "g",
        "l",
        "d",
        "a",
    ]


def test_actions_never_share_a_letter() -> None:
    """Actions that begin alike or hit a taken letter still get different keys."""
    legal = (*ANSWERS, Choice(Put(), "put"), Choice(Pass(), "pass"), Choice(Redeal(), "deal again"))
    keys = [key for key, _ in action_keys(table_of(with_decision(dealt("Will", "Moll"), legal)))]
    letters = [key for key in keys if key]
    assert len(set(letters)) == len(letters)
    assert set(letters).isdisjoint({"c", "b", "q", "!", "/", "?"})


def test_a_card_not_in_the_hand_has_no_digit() -> None:
    """It can be chosen with the arrows all the same."""
    legal = (Choice(Play(Card("4d")), "play the 4"), Choice(Play(HAND[1]), "play the 10"))
    assert [key for key, _ in action_keys(table_of(with_decision(dealt("Will", "Moll"), legal)))] == ["", "2"]


def test_modes_follow_what_is_open() -> None:
    """The overlay has the keyboard before the screen under it."""
    model = your_lead()
    assert mode_of(model) is Mode.TABLE
    overlays: dict[Mode, Overlay] = {
        Mode.TYPING: Typing(prompt=PromptKind.TALK),
        Mode.HELP: Help(),
        Mode.MENU: HouseMenu(),
        Mode.FORM: OpenForm(fields=()),
    }
    for mode, overlay in overlays.items():
        assert mode_of(replace(model, overlay=overlay)) is mode


def test_every_key_name_is_one_of_the_terminal() -> None:
    """A key of the keymap has the name by which the terminal tells it; others are characters."""
    known = {name_of(key) for key in Keys}
    assert {key for binding in BINDINGS for key in binding.keys if len(key) > 1} <= known
    assert known >= FUNCTION_KEYS

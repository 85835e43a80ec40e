"""Meaning of the keys: the keymap applied to a model. The keys of legal actions come from the decision."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import assert_never

from put_client.keymap import IDLE, Binding, Intent, Keys, Mode, When, action_letters, keymap, label_of, letter_of
from put_client.tui.boards.registry import board_of
from put_client.tui.model import AtTable, Confirm, Help, HouseMenu, Model, OpenForm, PageKind, Typing
from put_protocol.games.unions import Choice


def _has_chosen(model: Model) -> bool:
    table = model.table
    return table is not None and table.is_asked and table.chosen is not None


def _can_accept(model: Model) -> bool:
    """True if something open over the table takes Enter."""
    table = model.table
    is_noted = table is not None and (table.advice is not None or bool(table.lessons))
    return model.overlay is not None or (is_noted and not _has_chosen(model))


def _is_invited(model: Model) -> bool:
    """Enter accepts an invitation where nothing else waits for it."""
    return model.invitation is not None and (model.table is None or not model.table.is_playing)


def _can_invite(model: Model) -> bool:
    table = model.table
    return table is not None and table.seat is not None and table.has_empty_seat and bool(model.welcome.houses)


def _can_play_again(model: Model) -> bool:
    table = model.table
    return (
        table is not None
        and table.seat is not None
        and table.is_between
        and not table.has_empty_seat
        and not table.info.seats[table.seat].agrees
    )


def _can_pause(model: Model) -> bool:
    table = model.table
    return table is not None and table.is_playing and not table.is_paused and table.info.pause is None


def _can_agree_to_pause(model: Model) -> bool:
    table = model.table
    is_asked_for = table is not None and not table.is_paused and table.info.pause is not None
    return is_asked_for and table is not None and table.is_playing and not table.has_asked


def _can_go_on(model: Model) -> bool:
    table = model.table
    return table is not None and table.seat is not None and table.is_paused and not table.has_asked


def _has_story(model: Model) -> bool:
    return model.table is not None and board_of(model.table).has_story(model.table)


def _can_ask_for_analysis(model: Model) -> bool:
    table = model.table
    return table is not None and table.is_between and table.is_weighable


def _can_ask_coach(model: Model) -> bool:
    table = model.table
    return table is not None and table.is_asked and table.is_against_house and table.info.is_solved


def _shows_deal(model: Model) -> bool:
    return isinstance(model.overlay, Help) and model.overlay.page is PageKind.DEAL


def _can_sit(model: Model) -> bool:
    table = model.table
    return table is not None and table.seat is None and table.has_empty_seat and not table.info.is_in_play


HOLDS: Mapping[When, Callable[[Model], bool]] = {
    When.ALWAYS: lambda _: True,
    When.HAS_TABLES: lambda model: bool(model.lobby.tables),
    When.IS_INVITED: _is_invited,
    When.IS_NOT_INVITED: lambda model: bool(model.lobby.tables) and not _is_invited(model),
    When.HAS_HOUSE: lambda model: bool(model.welcome.houses) and bool(model.welcome.games),
    When.CAN_DETACH: lambda model: bool(model.back) and model.table is not None and model.table.seat is not None,
    When.HAS_CHOSEN: _has_chosen,
    When.CAN_ACCEPT: _can_accept,
    When.CAN_PLAY_AGAIN: _can_play_again,
    When.CAN_PAUSE: _can_pause,
    When.CAN_AGREE_TO_PAUSE: _can_agree_to_pause,
    When.CAN_GO_ON: _can_go_on,
    When.CAN_INVITE: _can_invite,
    When.CAN_SIT: _can_sit,
    When.IS_BETWEEN_GAMES: _can_ask_for_analysis,
    When.HAS_ANALYSIS: lambda model: model.table is not None and model.table.analysis is not None,
    When.CAN_ASK_COACH: _can_ask_coach,
    When.HAS_STORY: _has_story,
    When.HAS_DEAL: lambda model: model.table is not None and model.table.standing is not None,
    When.SHOWS_DEAL: _shows_deal,
}


def mode_of(model: Model) -> Mode:
    """The mode that has the keyboard."""
    match model.overlay:
        case None:
            return Mode.LOBBY if model.table is None else Mode.TABLE
        case Typing():
            return Mode.TYPING
        case Confirm():
            return Mode.CONFIRM
        case Help():
            return Mode.HELP
        case HouseMenu():
            return Mode.MENU
        case OpenForm():
            return Mode.FORM
        case _:
            assert_never(model.overlay)


def intent_of(model: Model, key: str) -> Intent | None:
    """The intent of a key in the present mode."""
    mode = mode_of(model)
    for binding in keymap(model.keys):
        if key in binding.keys and mode in binding.modes and HOLDS[binding.when](model):
            return binding.intent
    return None


def bound_keys(keys: Keys = ()) -> frozenset[str]:
    """Every key that means anything anywhere; not the default letters of actions, which arrive as typed text."""
    return frozenset(key for binding in keymap(keys) for key in binding.keys) | {key for _, key in keys}


def shown_below(model: Model) -> Iterator[tuple[str, str, str]]:
    """For the line at the bottom: how a key is written, what it does, and the key; what lies over the screen says its
    own."""
    mode = mode_of(model)
    for binding in keymap(model.keys):
        if binding.short and mode in (Mode.LOBBY, Mode.TABLE) and mode in binding.modes and HOLDS[binding.when](model):
            yield binding.label, binding.short, binding.keys[0]


def explained(mode: Mode, keys: Keys = ()) -> Iterator[tuple[str, str]]:
    """Keys and sentences for the help."""
    for binding in keymap(keys):
        if binding.label and mode in binding.modes:
            yield binding.label, binding.says + _also(binding)


def _also(binding: Binding) -> str:
    """The other keys of a command that has more than the one it is shown with."""
    others = [label for label in map(label_of, binding.keys) if label not in binding.label]
    return f" (also {' or '.join(others)})" if letter_of(binding) and others else ""


@cache
def _taken(keys: Keys) -> frozenset[str]:
    """Letters an action may not have."""
    return frozenset(
        key
        for binding in keymap(keys)
        if Mode.TABLE in binding.modes and binding.intent not in IDLE
        for key in binding.keys
    )


def action_keys(table: AtTable, keys: Keys = ()) -> tuple[tuple[str, Choice], ...]:
    """A key for each legal action. Empty where there is none; such an action can still be chosen with the arrows."""
    return board_of(table).action_keys(table, action_letters(keys), _taken(keys))

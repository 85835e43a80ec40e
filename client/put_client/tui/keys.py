"""Meaning of the keys: the keymap applied to a model. The keys of legal actions come from the decision."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from put_client.keymap import IDLE, Intent, KeyBinding, Keys, Mode, When, action_letters, keymap, label_of, letter_of
from put_client.tui.boards import board_of
from put_client.tui.model import AtTable, Confirm, Help, HouseMenu, Model, OpenForm, Overlay, PageKind, Typing
from put_protocol.games.unions import Choice
from put_text.catalogue import listed, say

_TABLE_CONDITIONS: Mapping[When, Callable[[AtTable], bool]] = {
    When.HAS_CHOSEN: lambda table: table.is_asked and table.chosen is not None,
    When.CAN_PLAY_AGAIN: lambda table: table.is_between and not table.has_empty_seat and not table.agrees,
    When.CAN_PAUSE: lambda table: table.is_playing and not table.is_paused and table.info.pause is None,
    When.CAN_AGREE_TO_PAUSE: lambda table: (
        table.is_playing and not table.is_paused and table.info.pause is not None and not table.has_asked
    ),
    When.CAN_GO_ON: lambda table: table.seat is not None and table.is_paused and not table.has_asked,
    When.CAN_SIT: lambda table: table.seat is None and table.has_empty_seat and not table.info.is_in_play,
    When.IS_BETWEEN_GAMES: lambda table: table.is_between and table.is_weighable,
    When.HAS_ANALYSIS: lambda table: table.analysis is not None,
    When.CAN_ASK_COACH: lambda table: table.is_asked and table.is_against_house and not table.info.hides_hands,
    When.LACKS_COACH: lambda table: table.is_asked and table.is_against_house and table.info.hides_hands,
    When.HAS_STORY: lambda table: board_of(table).has_story(table),
    When.HAS_DEAL: lambda table: table.standing is not None,
}

_EVER: Mapping[When, Callable[[AtTable], bool]] = {
    When.IS_BETWEEN_GAMES: lambda table: table.info.is_solved and table.seat is not None,
    When.CAN_ASK_COACH: lambda table: table.is_against_house,
}
"""Tables at which a condition can ever hold; other conditions can hold at every table."""

_OF_MODEL: Mapping[When, Callable[[Model], bool]] = {
    When.ALWAYS: lambda _: True,
    When.HAS_TABLES: lambda model: bool(model.lobby.tables),
    # Enter accepts an invitation where nothing else waits for it.
    When.IS_INVITED: lambda model: model.invitation is not None and (model.table is None or not model.table.is_playing),
    When.IS_NOT_INVITED: lambda model: bool(model.lobby.tables) and not holds(When.IS_INVITED, model),
    When.HAS_HOUSE: lambda model: bool(model.welcome.houses) and bool(model.welcome.games),
    When.CAN_DETACH: lambda model: bool(model.back) and model.table is not None and model.table.seat is not None,
    When.CAN_ACCEPT: lambda model: (
        model.overlay is not None
        or (model.table is not None and model.table.is_noted and not holds(When.HAS_CHOSEN, model))
    ),
    When.CAN_INVITE: lambda model: (
        bool(model.welcome.houses)
        and model.table is not None
        and model.table.seat is not None
        and model.table.has_empty_seat
    ),
    When.SHOWS_DEAL: lambda model: isinstance(model.overlay, Help) and model.overlay.page is PageKind.DEAL,
}


def holds(when: When, model: Model) -> bool:
    if when in _TABLE_CONDITIONS:
        return model.table is not None and _TABLE_CONDITIONS[when](model.table)
    return _OF_MODEL[when](model)


_MODES: Mapping[type[Overlay], Mode] = {
    Typing: Mode.TYPING,
    Confirm: Mode.CONFIRM,
    Help: Mode.HELP,
    HouseMenu: Mode.MENU,
    OpenForm: Mode.FORM,
}


def mode_of(model: Model) -> Mode:
    if model.overlay is None:
        return Mode.LOBBY if model.table is None else Mode.TABLE
    return _MODES[type(model.overlay)]


def intent_of(model: Model, key: str) -> Intent | None:
    mode = mode_of(model)
    for binding in keymap(model.keys):
        if key in binding.keys and mode in binding.modes and holds(binding.when, model):
            return binding.intent
    return None


def shown_below(model: Model) -> Iterator[tuple[str, str, str]]:
    """Keys for the bottom line: written form, description, and key. Overlays show their own."""
    mode = mode_of(model)
    for binding in keymap(model.keys):
        is_here = mode in (Mode.LOBBY, Mode.TABLE) and mode in binding.modes
        if binding.is_below and is_here and holds(binding.when, model):
            yield binding.label, binding.short, binding.keys[0]


def explained(mode: Mode, keys: Keys = (), table: AtTable | None = None) -> Iterator[tuple[str, str]]:
    """Keys and sentences for the help, without keys that have no effect at this table."""
    for binding in keymap(keys):
        is_ever = table is None or binding.when not in _EVER or _EVER[binding.when](table)
        if binding.label and mode in binding.modes and is_ever:
            yield binding.label, _explanation(binding)


def _explanation(binding: KeyBinding) -> str:
    others = [label for label in map(label_of, binding.keys) if label not in binding.label]
    if not others or not letter_of(binding):
        return binding.says
    return say("keys-also", says=binding.says, keys=listed(others, "or"))


@cache
def _taken(keys: Keys) -> frozenset[str]:
    return frozenset(
        key
        for binding in keymap(keys)
        if Mode.TABLE in binding.modes and binding.intent not in IDLE
        for key in binding.keys
    )


def action_keys(table: AtTable, keys: Keys = ()) -> tuple[tuple[str, Choice], ...]:
    """A key for each legal action; empty: no key, only arrows."""
    return board_of(table).action_keys(table, action_letters(keys), _taken(keys))

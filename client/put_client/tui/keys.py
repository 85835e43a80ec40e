"""The one keymap: it feeds the bindings, the line of keys at the bottom, and the help.

A binding holds in its modes and while its `when` does. Digits, and the letters of legal actions, are not in it: they
come from the decision.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from put_client.tui.model import AtTable, Confirm, Help, HouseMenu, Model, OpenForm, Typing, card_of, hand_of
from put_protocol.actions import Choice


class Mode(StrEnum):
    """What has the keyboard."""

    LOBBY = "lobby"
    TABLE = "table"
    TYPING = "typing"
    CONFIRM = "confirm"
    HELP = "help"
    MENU = "menu"
    FORM = "form"


class Intent(StrEnum):
    """What a key is meant to do."""

    ACCEPT = "accept"
    CANCEL = "cancel"
    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"
    HOME = "home"
    END = "end"
    PAGE_UP = "page_up"
    PAGE_DOWN = "page_down"
    ERASE = "erase"
    ERASE_NEXT = "erase_next"
    ERASE_WORD = "erase_word"
    ERASE_LINE = "erase_line"
    SIT = "sit"
    WATCH = "watch"
    OPEN = "open"
    INVITE = "invite"
    AGAIN = "again"
    PAUSE = "pause"
    GO_ON = "go_on"
    BACK = "back"
    TALK = "talk"
    COMMAND = "command"
    CONFIRMS = "confirms"
    HELP = "help"
    QUIT = "quit"


def _always(_: Model) -> bool:
    return True


def _is_asked(model: Model) -> bool:
    return model.table is not None and model.table.is_asked


def _may_invite(model: Model) -> bool:
    table = model.table
    return table is not None and table.seat is not None and table.has_empty_seat and bool(model.welcome.houses)


def _may_ask_again(model: Model) -> bool:
    table = model.table
    return table is not None and table.is_between and not table.has_empty_seat and not _agrees(table)


def _may_pause(model: Model) -> bool:
    table = model.table
    return table is not None and table.is_playing and not table.is_paused and table.info.pause is None


def _may_agree(model: Model) -> bool:
    table = model.table
    is_asked_for = table is not None and not table.is_paused and table.info.pause is not None
    return is_asked_for and table is not None and table.is_playing and not table.has_asked


def _may_go_on(model: Model) -> bool:
    table = model.table
    return table is not None and table.seat is not None and table.is_paused and not table.has_asked


def _agrees(table: AtTable) -> bool:
    return table.seat is not None and table.info.seats[table.seat].agrees


def _has_tables(model: Model) -> bool:
    return bool(model.lobby.tables)


def _may_sit(model: Model) -> bool:
    table = model.table
    return table is not None and table.seat is None and table.has_empty_seat and not table.info.is_in_play


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """Keys, where they hold, and what they are meant to do."""

    keys: tuple[str, ...]
    """By prompt_toolkit's names."""
    intent: Intent
    modes: tuple[Mode, ...]
    label: str
    """The keys as people write them."""
    says: str
    """For the help."""
    short: str = ""
    """For the line at the bottom; empty: not shown there."""
    when: Callable[[Model], bool] = _always


_EVERYWHERE = tuple(Mode)
_SCREENS = (Mode.LOBBY, Mode.TABLE)
_LISTS = (Mode.LOBBY, Mode.MENU, Mode.FORM, Mode.HELP)

BINDINGS: tuple[Binding, ...] = (
    # The lobby.
    Binding(
        keys=("enter", "s"),
        intent=Intent.SIT,
        modes=(Mode.LOBBY,),
        label="Enter",
        says="sit down at the table chosen",
        short="sit down",
        when=_has_tables,
    ),
    Binding(
        keys=("w",),
        intent=Intent.WATCH,
        modes=(Mode.LOBBY,),
        label="w",
        says="watch it from the gallery",
        short="watch",
        when=_has_tables,
    ),
    Binding(keys=("o",), intent=Intent.OPEN, modes=(Mode.LOBBY,), label="o", says="open a table", short="open a table"),
    # The table.
    Binding(
        keys=("left",),
        intent=Intent.LEFT,
        modes=(Mode.TABLE, Mode.TYPING, Mode.FORM),
        label="Left, Right",
        says="choose among what you may do",
    ),
    Binding(keys=("right",), intent=Intent.RIGHT, modes=(Mode.TABLE, Mode.TYPING, Mode.FORM), label="", says=""),
    Binding(
        keys=("enter",),
        intent=Intent.ACCEPT,
        modes=(Mode.TABLE, Mode.TYPING, Mode.CONFIRM, Mode.MENU, Mode.FORM, Mode.HELP),
        label="Enter",
        says="do what is chosen; say yes",
        short="do it",
        when=lambda model: model.overlay is not None or (_is_asked(model) and _has_chosen(model)),
    ),
    Binding(keys=("y",), intent=Intent.ACCEPT, modes=(Mode.CONFIRM,), label="y", says="yes"),
    Binding(keys=("n",), intent=Intent.CANCEL, modes=(Mode.CONFIRM,), label="n", says="no"),
    Binding(
        keys=("a",),
        intent=Intent.AGAIN,
        modes=(Mode.TABLE,),
        label="a",
        says="another game, when one is over",
        short="another game",
        when=_may_ask_again,
    ),
    Binding(
        keys=("z",),
        intent=Intent.PAUSE,
        modes=(Mode.TABLE,),
        label="z",
        says="ask for a pause of an hour; /pause 30m, /pause 2h or /pause 7d for another time",
        when=_may_pause,
    ),
    Binding(
        keys=("z",),
        intent=Intent.PAUSE,
        modes=(Mode.TABLE,),
        label="z",
        says="agree to the pause that others ask for",
        short="agree to the pause",
        when=_may_agree,
    ),
    Binding(
        keys=("g",),
        intent=Intent.GO_ON,
        modes=(Mode.TABLE,),
        label="g",
        says="after a pause: be ready to go on",
        short="go on",
        when=_may_go_on,
    ),
    Binding(
        keys=("h",),
        intent=Intent.INVITE,
        modes=(Mode.TABLE,),
        label="h",
        says="invite a house player into an empty seat",
        short="invite the house",
        when=_may_invite,
    ),
    Binding(
        keys=("s",),
        intent=Intent.SIT,
        modes=(Mode.TABLE,),
        label="s",
        says="from the gallery: sit down in an empty seat",
        short="sit down",
        when=_may_sit,
    ),
    Binding(
        keys=("c", '"'),
        intent=Intent.TALK,
        modes=(Mode.TABLE,),
        label="c",
        says='talk to the table (also ")',
        short="talk",
    ),
    Binding(
        keys=("/",),
        intent=Intent.COMMAND,
        modes=(Mode.TABLE,),
        label="/",
        says="type what to do: a move, or say, pause, go on, resign, leave, again, sit, stand, invite, dismiss, quit",
        short="command",
    ),
    Binding(
        keys=("pageup",),
        intent=Intent.PAGE_UP,
        modes=(Mode.TABLE, Mode.TYPING, Mode.HELP),
        label="PgUp, PgDn",
        says="look back in the log",
    ),
    Binding(keys=("pagedown",), intent=Intent.PAGE_DOWN, modes=(Mode.TABLE, Mode.TYPING, Mode.HELP), label="", says=""),
    Binding(
        keys=("!",),
        intent=Intent.CONFIRMS,
        modes=(Mode.TABLE,),
        label="!",
        says="ask, or ask no more, before you put, see or throw in",
    ),
    Binding(
        keys=("b", "escape"),
        intent=Intent.BACK,
        modes=(Mode.TABLE,),
        label="b",
        says="leave the table, back to the lobby (also Esc)",
        short="lobby",
    ),
    # Lists and lines.
    Binding(keys=("up",), intent=Intent.UP, modes=_LISTS, label="Up, Down", says="choose a line"),
    Binding(keys=("down",), intent=Intent.DOWN, modes=_LISTS, label="", says=""),
    Binding(keys=("s-tab",), intent=Intent.UP, modes=(Mode.FORM,), label="", says=""),
    Binding(keys=("tab",), intent=Intent.DOWN, modes=(Mode.FORM,), label="", says=""),
    Binding(
        keys=("escape",),
        intent=Intent.CANCEL,
        modes=(Mode.TYPING, Mode.CONFIRM, Mode.HELP, Mode.MENU, Mode.FORM),
        label="Esc",
        says="no; close what is open",
    ),
    Binding(keys=("?", "q"), intent=Intent.CANCEL, modes=(Mode.HELP,), label="", says=""),
    Binding(keys=("backspace",), intent=Intent.ERASE, modes=(Mode.TYPING, Mode.FORM), label="", says=""),
    Binding(keys=("delete",), intent=Intent.ERASE_NEXT, modes=(Mode.TYPING,), label="", says=""),
    Binding(keys=("c-w",), intent=Intent.ERASE_WORD, modes=(Mode.TYPING,), label="", says=""),
    Binding(keys=("c-u",), intent=Intent.ERASE_LINE, modes=(Mode.TYPING, Mode.FORM), label="", says=""),
    Binding(keys=("home", "c-a"), intent=Intent.HOME, modes=(Mode.TYPING, Mode.LOBBY), label="", says=""),
    Binding(keys=("end", "c-e"), intent=Intent.END, modes=(Mode.TYPING, Mode.LOBBY), label="", says=""),
    # Both screens.
    Binding(keys=("?",), intent=Intent.HELP, modes=_SCREENS, label="?", says="this help", short="help"),
    Binding(keys=("q",), intent=Intent.QUIT, modes=_SCREENS, label="q", says="quit", short="quit"),
    Binding(keys=("c-c",), intent=Intent.QUIT, modes=_EVERYWHERE, label="Ctrl-C", says="quit, from anywhere"),
)


def _has_chosen(model: Model) -> bool:
    return model.table is not None and model.table.chosen is not None


def mode_of(model: Model) -> Mode:
    """What has the keyboard now."""
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
    """What a key means now, if it means anything."""
    mode = mode_of(model)
    for binding in BINDINGS:
        if key in binding.keys and mode in binding.modes and binding.when(model):
            return binding.intent
    return None


def bound_keys() -> frozenset[str]:
    """Every key that means anything anywhere."""
    return frozenset(key for binding in BINDINGS for key in binding.keys)


def shown_below(model: Model) -> Iterator[tuple[str, str]]:
    """Keys and words for the line at the bottom; what lies over the screen says its own."""
    mode = mode_of(model)
    for binding in BINDINGS:
        if binding.short and mode in (Mode.LOBBY, Mode.TABLE) and mode in binding.modes and binding.when(model):
            yield binding.label, binding.short


def explained(mode: Mode) -> Iterator[tuple[str, str]]:
    """Keys and sentences for the help."""
    for binding in BINDINGS:
        if binding.label and mode in binding.modes:
            yield binding.label, binding.says


_TAKEN = frozenset(key for binding in BINDINGS if Mode.TABLE in binding.modes for key in binding.keys) - {
    "s",
    "a",
    "h",
    "g",
}
"""Letters an action may not have. Those taken out again mean something only when nobody is asked anything."""

_OWN = {"put": "p", "see": "s", "throw": "t", "pass": "n"}
"""Letters that are always the same action's, so that fingers may know them. To pass is to say nothing."""


def action_keys(table: AtTable) -> tuple[tuple[str, Choice], ...]:
    """A key for each legal action: the card's place in the hand, or the action's own letter, or the first free one of
    its name. Empty where there is none; such an action can still be chosen with the arrows."""
    hand = hand_of(table)
    letters: set[str] = set()
    keys: list[tuple[str, Choice]] = []
    for choice in table.legal:
        card = card_of(choice.action)
        if card is not None:
            place = hand.index(card) + 1 if card in hand else 0
            keys.append((str(place) if 1 <= place <= 9 else "", choice))
            continue
        name = str(choice.action.__struct_config__.tag)
        wanted = _OWN[name] if name in _OWN else [c for c in name if c.isalpha() and c not in _OWN.values()]
        letter = next((c for c in wanted if c not in letters and c not in _TAKEN), "")
        letters.add(letter)
        keys.append((letter, choice))
    return tuple(keys)

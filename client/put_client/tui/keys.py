"""The one keymap: it feeds the bindings, the line of keys at the bottom, and the help.

A binding holds in its modes and while its `when` does. Digits, and the letters of legal actions, are not in it: they
come from the decision. A person may give a command another key, never the same one as another command's.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import assert_never

from put_client.tui.model import (
    AtTable,
    Confirm,
    Help,
    HouseMenu,
    Model,
    OpenForm,
    Page,
    Typing,
    card_of,
    hand_of,
)
from put_protocol.games.unions import (
    Choice,
)


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
    RULES = "rules"
    STORY = "story"
    DEAL = "deal"
    ANALYSIS = "analysis"
    LINES = "lines"
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


def _has_story(model: Model) -> bool:
    table = model.table
    return table is not None and table.story is not None and bool(table.story.hands)


def _has_dealt(model: Model) -> bool:
    return model.table is not None and model.table.standing is not None


def _is_between(model: Model) -> bool:
    return model.table is not None and model.table.is_between


def _has_analysis(model: Model) -> bool:
    """Of the game before the one in play."""
    return model.table is not None and model.table.analysis is not None


def _shows_deal(model: Model) -> bool:
    return isinstance(model.overlay, Help) and model.overlay.page is Page.DEAL


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


Keys = tuple[tuple[str, str], ...]
"""Commands and actions with the keys somebody has given them instead of their own."""

_LABELS = {"enter": "Enter", "escape": "Esc", "pageup": "PgUp", "pagedown": "PgDn"}

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
    Binding(keys=("o",), intent=Intent.OPEN, modes=(Mode.LOBBY,), label="o", says="open a table", short="open"),
    Binding(
        keys=("/",),
        intent=Intent.COMMAND,
        modes=(Mode.LOBBY,),
        label="/",
        says="type it: sit 3, watch 3, open, rules, help, quit",
        short="command",
    ),
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
        keys=("m",),
        intent=Intent.ANALYSIS,
        modes=(Mode.TABLE, Mode.HELP),
        label="m",
        says="when a game is over: what your decisions in it cost against perfect play",
        short="mistakes",
        when=_is_between,
    ),
    Binding(
        keys=("m",),
        intent=Intent.ANALYSIS,
        modes=(Mode.TABLE, Mode.HELP),
        label="",
        says="",
        when=_has_analysis,
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
        says="talk to the table",
        short="talk",
    ),
    Binding(
        keys=("/",),
        intent=Intent.COMMAND,
        modes=(Mode.TABLE,),
        label="/",
        says="type it: a move, say, pause, go on, resign, leave, again, sit, stand, invite, dismiss, save, quit",
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
        says="leave the table, back to the lobby",
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
    Binding(keys=("<scroll-up>",), intent=Intent.UP, modes=_LISTS, label="", says=""),
    Binding(keys=("<scroll-down>",), intent=Intent.DOWN, modes=_LISTS, label="", says=""),
    Binding(keys=("<scroll-up>",), intent=Intent.PAGE_UP, modes=(Mode.TABLE, Mode.TYPING), label="", says=""),
    Binding(keys=("<scroll-down>",), intent=Intent.PAGE_DOWN, modes=(Mode.TABLE, Mode.TYPING), label="", says=""),
    # Both screens.
    Binding(
        keys=("e",),
        intent=Intent.STORY,
        modes=(Mode.TABLE, Mode.HELP),
        label="e",
        says="the game hand by hand; /save FILE writes it down",
        short="hands",
        when=_has_story,
    ),
    Binding(
        keys=("r",),
        intent=Intent.RULES,
        modes=(*_SCREENS, Mode.HELP),
        label="r",
        says="the rules of the game at hand",
        short="rules",
    ),
    Binding(
        keys=("v",),
        intent=Intent.DEAL,
        modes=(Mode.TABLE, Mode.HELP),
        label="v",
        says="whether the deal is fair: its four words, its seals, cuts and proofs",
        short="deal",
        when=_has_dealt,
    ),
    Binding(keys=("left",), intent=Intent.LEFT, modes=(Mode.HELP,), label="", says="", when=_shows_deal),
    Binding(keys=("right",), intent=Intent.RIGHT, modes=(Mode.HELP,), label="", says="", when=_shows_deal),
    Binding(keys=("?",), intent=Intent.HELP, modes=_SCREENS, label="?", says="this help", short="help"),
    Binding(keys=("q",), intent=Intent.QUIT, modes=_SCREENS, label="q", says="quit", short="quit"),
    Binding(keys=("L",), intent=Intent.LINES, modes=_SCREENS, label="L", says="go on in line mode, in the same seat"),
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
    for binding in keymap(model.keys):
        if key in binding.keys and mode in binding.modes and binding.when(model):
            return binding.intent
    return None


def bound_keys(keys: Keys = ()) -> frozenset[str]:
    """Every key that means anything anywhere."""
    return frozenset(key for binding in keymap(keys) for key in binding.keys)


def shown_below(model: Model) -> Iterator[tuple[str, str, str]]:
    """For the line at the bottom: how a key is written, what it does, and the key; what lies over the screen says its
    own."""
    mode = mode_of(model)
    for binding in keymap(model.keys):
        if binding.short and mode in (Mode.LOBBY, Mode.TABLE) and mode in binding.modes and binding.when(model):
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


# --- keys of one's own -----------------------------------------------------------------------------------------------


def label_of(key: str) -> str:
    """A key as people write it."""
    return _LABELS.get(key, key.capitalize() if len(key) > 1 else key)


def letter_of(binding: Binding) -> str:
    """The character that another key may take the place of; nothing where there is none, or where it is the keyboard's
    own, as yes and no are."""
    letters = [key for key in binding.keys if len(key) == 1]
    return letters[0] if letters and binding.intent not in (Intent.ACCEPT, Intent.CANCEL) else ""


@cache
def keymap(keys: Keys = ()) -> tuple[Binding, ...]:
    """The bindings with these keys in the place of the letters they have."""
    wanted = dict(keys)
    return tuple(_rebound(binding, wanted.get(binding.intent)) for binding in BINDINGS)


def _rebound(binding: Binding, key: str | None) -> Binding:
    letter = letter_of(binding)
    if key is None or not letter:
        return binding
    keys = tuple(dict.fromkeys(key if len(own) == 1 else own for own in binding.keys))
    return replace(binding, keys=keys, label=label_of(key) if binding.label == letter else binding.label)


def own_letters(keys: Keys = ()) -> dict[str, str]:
    """Letters that are always the same action's, by the action's tag, so that fingers may know them."""
    wanted = dict(keys)
    return {action: wanted.get(action, letter) for action, letter in OWN_LETTERS.items()}


# --- the keys of actions ---------------------------------------------------------------------------------------------


OWN_LETTERS: Mapping[str, str] = {"put": "p", "see": "s", "throw": "t", "pass": "n"}
"""By the action's tag. To pass is to say nothing."""

IDLE = frozenset({Intent.SIT, Intent.AGAIN, Intent.INVITE, Intent.GO_ON})
"""Commands at a table that mean something only when nobody is asked anything: an action may have the same letter."""


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
    """A key for each legal action: the card's place in the hand, or the action's own letter, or the first free one of
    its name. Empty where there is none; such an action can still be chosen with the arrows."""
    if table.put is None:  # of a game that nobody drew a board for: they are listed
        return tuple((str(place) if place <= 9 else "", choice) for place, choice in enumerate(table.legal, 1))
    hand = hand_of(table)
    own = own_letters(keys)
    letters: set[str] = set()
    keyed: list[tuple[str, Choice]] = []
    for choice in table.legal:
        card = card_of(choice.action)
        if card is not None:
            place = hand.index(card) + 1 if card in hand else 0
            keyed.append((str(place) if 1 <= place <= 9 else "", choice))
            continue
        name = str(choice.action.__struct_config__.tag)
        wanted = [own[name]] if name in own else [c for c in name if c.isalpha() and c not in own.values()]
        letter = next((c for c in wanted if c not in letters and c not in _taken(keys)), "")
        letters.add(letter)
        keyed.append((letter, choice))
    return tuple(keyed)

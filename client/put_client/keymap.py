"""The keymap of the full screen, and a user's own keys from the configuration.

One table, `BINDINGS`, feeds the bindings, the keys at the bottom of the screen, the help, and the names under `[keys]`
in the settings. A name (`When`) says when a binding applies, so that settings can be checked without the screen;
`put_client.tui.keys` defines each name. Digits, and variable letters of actions, are not in the table: they come from
the decision.

Law: in one mode a key means one thing, for all keys that `clash` lets through.
"""

from enum import StrEnum, auto
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.text import printable
from put_text.catalogue import say
from put_text.parse_action import LETTERS

Keys = tuple[tuple[str, str], ...]
"""Commands and actions, with their keys from the settings."""


class Mode(StrEnum):
    LOBBY = auto()
    TABLE = auto()
    TYPING = auto()
    CONFIRM = auto()
    HELP = auto()
    MENU = auto()
    FORM = auto()


class Intent(StrEnum):
    """The purpose of a key. Those with a letter have the same name in the settings."""

    ACCEPT = auto()
    YES = auto()
    CANCEL = auto()
    LEFT = auto()
    RIGHT = auto()
    UP = auto()
    DOWN = auto()
    HOME = auto()
    END = auto()
    PAGE_UP = auto()
    PAGE_DOWN = auto()
    ERASE = auto()
    ERASE_NEXT = auto()
    ERASE_WORD = auto()
    ERASE_LINE = auto()
    SIT = auto()
    JOIN = auto()
    DECLINE = auto()
    HOUSE = auto()
    WATCH = auto()
    OPEN = auto()
    FILTER = auto()
    INVITE = auto()
    AGAIN = auto()
    PAUSE = auto()
    GO_ON = auto()
    BACK = auto()
    TALK = auto()
    COMMAND = auto()
    CONFIRMS = auto()
    RULES = auto()
    STORY = auto()
    DEAL = auto()
    ANALYSIS = auto()
    LOG = auto()
    COACH = auto()
    RECORD = auto()
    DRILL = auto()
    LINES = auto()
    HELP = auto()
    DETACH = auto()
    QUIT = auto()


class When(StrEnum):
    ALWAYS = auto()
    HAS_TABLES = auto()
    IS_INVITED = auto()
    IS_NOT_INVITED = auto()
    HAS_HOUSE = auto()
    CAN_DETACH = auto()
    HAS_CHOSEN = auto()
    CAN_ACCEPT = auto()
    CAN_PLAY_AGAIN = auto()
    CAN_PAUSE = auto()
    CAN_AGREE_TO_PAUSE = auto()
    CAN_GO_ON = auto()
    CAN_INVITE = auto()
    CAN_SIT = auto()
    IS_BETWEEN_GAMES = auto()
    HAS_ANALYSIS = auto()
    CAN_ASK_COACH = auto()
    LACKS_COACH = auto()
    HAS_STORY = auto()
    HAS_DEAL = auto()
    SHOWS_DEAL = auto()


_KEYS_WITH_NAMES = frozenset({"enter", "escape", "pageup", "pagedown", "home", "end", "left", "right"})


def label_of(key: str) -> str:
    return say(f"keys-{key}") if key in _KEYS_WITH_NAMES else key.capitalize() if len(key) > 1 else key


class KeyBinding(Struct, frozen=True):
    """Keys, when they apply, and their purpose. A struct, because a dataclass takes a millisecond to create."""

    keys: tuple[str, ...]
    """Names as in prompt_toolkit."""
    intent: Intent
    modes: tuple[Mode, ...]
    name: str = ""
    """Message that explains it; empty: not in the help."""
    when: When = When.ALWAYS
    is_below: bool = False
    """Also shown in the bottom line."""
    together: str = ""
    """Name of the keys, if the help explains several bindings together."""

    @property
    def says(self) -> str:
        return say(f"keys-{self.name}") if self.name else ""

    @property
    def short(self) -> str:
        """Text in the bottom line; empty: not shown there."""
        return say(f"keys-{self.name}", is_brief=True) if self.is_below else ""

    @property
    def label(self) -> str:
        """The key as shown to people; empty: never shown."""
        return say(f"keys-{self.together}") if self.together else label_of(self.keys[0]) if self.name else ""


_LOBBY, _TABLE, _TYPING, _CONFIRM = (Mode.LOBBY,), (Mode.TABLE,), (Mode.TYPING,), (Mode.CONFIRM,)
_HELP, _FORM, _SCREENS, _EVERYWHERE = (Mode.HELP,), (Mode.FORM,), (Mode.LOBBY, Mode.TABLE), tuple(Mode)
_LISTS = (Mode.LOBBY, Mode.MENU, Mode.FORM, Mode.HELP)
_OVERLAYS = (Mode.TYPING, Mode.CONFIRM, Mode.HELP, Mode.MENU, Mode.FORM)

BINDINGS: tuple[KeyBinding, ...] = (
    # The lobby.
    KeyBinding(("enter",), Intent.JOIN, _SCREENS, "join", When.IS_INVITED, is_below=True),
    KeyBinding(("escape",), Intent.DECLINE, _LOBBY, "decline", When.IS_INVITED, is_below=True),
    KeyBinding(("enter",), Intent.SIT, _LOBBY, "sit", When.IS_NOT_INVITED, is_below=True),
    KeyBinding(("s",), Intent.SIT, _LOBBY, "sit", When.HAS_TABLES),
    KeyBinding(("w",), Intent.WATCH, _LOBBY, "watch", When.HAS_TABLES, is_below=True),
    KeyBinding(("h",), Intent.HOUSE, _LOBBY, "house", When.HAS_HOUSE, is_below=True),
    KeyBinding(("o",), Intent.OPEN, _LOBBY, "open", is_below=True),
    KeyBinding(("f",), Intent.FILTER, _LOBBY, "filter", When.HAS_TABLES, is_below=True),
    KeyBinding(("g",), Intent.RECORD, _LOBBY, "record", is_below=True),
    KeyBinding(("d",), Intent.DRILL, _LOBBY, "drill", is_below=True),
    KeyBinding(("/",), Intent.COMMAND, _LOBBY, "command-lobby", is_below=True),
    # The table.
    KeyBinding(("left",), Intent.LEFT, (*_TABLE, *_TYPING, *_FORM), "choose", together="left-right"),
    KeyBinding(("right",), Intent.RIGHT, (*_TABLE, *_TYPING, *_FORM)),
    KeyBinding(("enter",), Intent.ACCEPT, _TABLE, "do", When.HAS_CHOSEN, is_below=True),
    KeyBinding(("enter",), Intent.ACCEPT, (*_TABLE, *_OVERLAYS), when=When.CAN_ACCEPT),
    KeyBinding(("y",), Intent.YES, _CONFIRM, "yes"),
    KeyBinding(("n",), Intent.CANCEL, _CONFIRM, "no"),
    KeyBinding(("a",), Intent.AGAIN, _TABLE, "again", When.CAN_PLAY_AGAIN, is_below=True),
    KeyBinding(("m",), Intent.ANALYSIS, (*_TABLE, *_HELP), "mistakes", When.IS_BETWEEN_GAMES, is_below=True),
    KeyBinding(("m",), Intent.ANALYSIS, (*_TABLE, *_HELP), when=When.HAS_ANALYSIS),
    KeyBinding(("w",), Intent.COACH, _TABLE, "coach", When.CAN_ASK_COACH, is_below=True),
    KeyBinding(("w",), Intent.COACH, _TABLE, when=When.LACKS_COACH),  # the server says why there is none
    KeyBinding(("z",), Intent.PAUSE, _TABLE, "pause", When.CAN_PAUSE),
    KeyBinding(("z",), Intent.PAUSE, _TABLE, "agree", When.CAN_AGREE_TO_PAUSE, is_below=True),
    KeyBinding(("g",), Intent.GO_ON, _TABLE, "go-on", When.CAN_GO_ON, is_below=True),
    KeyBinding(("h",), Intent.INVITE, _TABLE, "invite", When.CAN_INVITE, is_below=True),
    KeyBinding(("s",), Intent.SIT, _TABLE, "sit-gallery", When.CAN_SIT, is_below=True),
    KeyBinding(("c", '"'), Intent.TALK, _TABLE, "talk", is_below=True),
    KeyBinding(("/",), Intent.COMMAND, _TABLE, "command", is_below=True),
    KeyBinding(("u",), Intent.LOG, (*_TABLE, *_HELP), "log", is_below=True),
    KeyBinding(("pageup", "<scroll-up>"), Intent.PAGE_UP, _TABLE),
    KeyBinding(("!",), Intent.CONFIRMS, _TABLE, "confirms"),
    KeyBinding(("b", "escape"), Intent.BACK, _TABLE, "back", is_below=True),
    # Lists and lines.
    KeyBinding(("up",), Intent.UP, _LISTS, "line", together="up-down"),
    KeyBinding(("down",), Intent.DOWN, _LISTS),
    KeyBinding(("s-tab",), Intent.UP, _FORM),
    KeyBinding(("tab",), Intent.DOWN, _FORM),
    KeyBinding(("escape",), Intent.CANCEL, _OVERLAYS, "close"),
    KeyBinding(("q",), Intent.CANCEL, _HELP),
    KeyBinding(("pageup",), Intent.PAGE_UP, _HELP, "page", together="pages"),
    KeyBinding(("pagedown", " "), Intent.PAGE_DOWN, _HELP),
    KeyBinding(("backspace",), Intent.ERASE, (*_TYPING, *_FORM)),
    KeyBinding(("delete",), Intent.ERASE_NEXT, _TYPING),
    KeyBinding(("c-w",), Intent.ERASE_WORD, _TYPING),
    KeyBinding(("c-u",), Intent.ERASE_LINE, (*_TYPING, *_FORM)),
    KeyBinding(("home", "c-a"), Intent.HOME, (*_TYPING, *_LOBBY, *_HELP)),
    KeyBinding(("end", "c-e"), Intent.END, (*_TYPING, *_LOBBY, *_HELP)),
    KeyBinding(("<scroll-up>",), Intent.UP, _LISTS),
    KeyBinding(("<scroll-down>",), Intent.DOWN, _LISTS),
    # Both screens.
    KeyBinding(("e",), Intent.STORY, (*_TABLE, *_HELP), "story", When.HAS_STORY, is_below=True),
    KeyBinding(("r",), Intent.RULES, (*_SCREENS, *_HELP), "rules", is_below=True),
    KeyBinding(("v",), Intent.DEAL, (*_TABLE, *_HELP), "deal", When.HAS_DEAL, is_below=True),
    KeyBinding(("left",), Intent.LEFT, _HELP, when=When.SHOWS_DEAL),
    KeyBinding(("right",), Intent.RIGHT, _HELP, when=When.SHOWS_DEAL),
    KeyBinding(("?",), Intent.HELP, (*_SCREENS, *_HELP), "help", is_below=True),
    KeyBinding(("D",), Intent.DETACH, _TABLE, "detach", When.CAN_DETACH),
    KeyBinding(("q",), Intent.QUIT, _SCREENS, "quit", is_below=True),
    KeyBinding(("L",), Intent.LINES, _SCREENS, "lines"),
    KeyBinding(("c-c",), Intent.QUIT, _EVERYWHERE, "quit-anywhere", together="control-c"),
)

ACTIONS = ("put", "see", "throw", "pass", "bet", "refuse", "trade", "stand", "vada", "on")
"""Actions with fixed letters, so that fingers can learn them: by the action's tag without its family. A raise has the
letter of a bet, and going on that of `on`."""

FIRM = frozenset({"put", "see", "throw", "pass"})
"""Actions whose letters no command may take. Other actions give way."""

IDLE = frozenset({Intent.SIT, Intent.AGAIN, Intent.INVITE, Intent.GO_ON})
"""Commands at a table that apply only while there is no decision, so an action may have the same letter."""

FIXED = frozenset({"enter"})
"""Keys that no command can have: they answer the current question. `When` separates their uses."""

FUNCTION_KEYS = frozenset(f"f{number}" for number in range(1, 13))


def letter_of(binding: KeyBinding) -> str:
    """The character that another key may replace; empty: none, or fixed by the language, like yes and no."""
    letters = [key for key in binding.keys if len(key) == 1]
    return letters[0] if letters and binding.intent not in (Intent.YES, Intent.CANCEL, Intent.PAGE_DOWN) else ""


@cache
def keymap(keys: Keys = ()) -> tuple[KeyBinding, ...]:
    """The bindings with their letters replaced by these keys."""
    wanted, bindings = dict(keys), []
    for binding in BINDINGS:
        key = wanted.get(binding.intent)
        if key is not None and letter_of(binding):
            own = dict.fromkeys(key if len(one) == 1 else one for one in binding.keys)
            binding = replace(binding, keys=tuple(own))
        bindings.append(binding)
    return tuple(bindings)


def stepped(intent: Intent, at: int, last: int, page: int = 1) -> int:
    """Place to which a key leads in a list, from `at`, at least 0 and at most `last`."""
    steps = {Intent.UP: -1, Intent.DOWN: 1, Intent.PAGE_UP: -page, Intent.PAGE_DOWN: page}
    steps |= {Intent.HOME: -last, Intent.END: last}
    return max(min(at + steps.get(intent, 0), last), 0)


def action_letters(keys: Keys = ()) -> dict[str, str]:
    """The letters of `ACTIONS`, or their replacements. Empty for an action that gives way: it then gets any free
    letter."""
    wanted = dict(keys)
    used = set(wanted.values())
    return {
        action: wanted.get(action, "" if LETTERS[action] in used and action not in FIRM else LETTERS[action])
        for action in ACTIONS
    }


def commands() -> dict[str, tuple[str, str]]:
    """Every command that may have another key: its key, and its description."""
    named = {action: (LETTERS[action], say(f"keys-action-{action}")) for action in ACTIONS}
    for binding in BINDINGS:
        if letter_of(binding):
            named.setdefault(binding.intent.value, (letter_of(binding), binding.says))
    return named


def is_key(key: str) -> bool:
    """True if a command can have this key: a function key, or a character that is not blank and plays no card."""
    is_character = len(key) == 1 and printable(key) == key and not key.isspace() and not key.isdecimal()
    return is_character or key in FUNCTION_KEYS


def clash(keys: Keys) -> str | None:
    """A key with two meanings in one mode, as a clause; None: there is none."""
    for mode in Mode:
        meant: dict[str, str] = {}
        for action, letter in action_letters(keys).items() if mode is Mode.TABLE else ():
            if letter in meant:
                return _clash(letter, meant[letter], action)
            if letter:
                meant[letter] = action
        for binding in keymap(keys):
            for key in binding.keys if mode in binding.modes else ():
                if key in FIXED:
                    continue
                shares = binding.intent in IDLE and meant.get(key) in ACTIONS
                if meant.setdefault(key, binding.intent.value) != binding.intent and not shares:
                    return _clash(key, meant[key], binding.intent)
    return None


def _clash(key: str, one: str, other: str) -> str:
    return say("keys-both-mean", key=label_of(key), one=one, other=other)

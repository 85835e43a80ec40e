"""The keymap of the full screen, and the keys of one's own that a configuration may put in it.

One table, `BINDINGS`, feeds the bindings, the keys at the bottom of the screen, the help, and the names under `[keys]`
in the settings. When a binding holds is told by name (`When`), so that settings can be checked without the screen;
`put_client.tui.keys` knows what each name means. Digits, and letters of actions that are not always the same, are not
in the table: they come from the decision.

Law: in one mode a key means one thing, for all keys that `clash` lets through.
"""

from collections.abc import Mapping
from enum import StrEnum, auto
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.text import printable
from put_text.parse_action import LETTERS

Keys = tuple[tuple[str, str], ...]
"""Commands and actions with the keys that the settings give them."""


class Mode(StrEnum):
    LOBBY = auto()
    TABLE = auto()
    TYPING = auto()
    CONFIRM = auto()
    HELP = auto()
    MENU = auto()
    FORM = auto()


class Intent(StrEnum):
    """Commands of the replay. Those with a letter are named so in the settings."""

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
    """A condition under which a binding holds."""

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
    HAS_STORY = auto()
    HAS_DEAL = auto()
    SHOWS_DEAL = auto()


_LABELS = {"enter": "Enter", "escape": "Esc", "pageup": "PgUp", "pagedown": "PgDn"}


def label_of(key: str) -> str:
    """A key as people write it."""
    return _LABELS.get(key, key.capitalize() if len(key) > 1 else key)


class Binding(Struct, frozen=True):
    """Keys, where they hold, and what they are meant to do. A struct, for a dataclass takes a millisecond to make."""

    keys: tuple[str, ...]
    """Names as prompt_toolkit has them."""
    intent: Intent
    modes: tuple[Mode, ...]
    says: str = ""
    """The help's words; empty: not shown there."""
    short: str = ""
    """The words of the bottom line; empty: not shown there."""
    when: When = When.ALWAYS
    together: str = ""
    """The keys as the help writes them where it explains several bindings in one."""

    @property
    def label(self) -> str:
        """The key as people write it; empty where it is shown nowhere."""
        return self.together or (label_of(self.keys[0]) if self.says else "")


_LOBBY, _TABLE, _TYPING, _CONFIRM = (Mode.LOBBY,), (Mode.TABLE,), (Mode.TYPING,), (Mode.CONFIRM,)
_HELP, _FORM, _SCREENS, _EVERYWHERE = (Mode.HELP,), (Mode.FORM,), (Mode.LOBBY, Mode.TABLE), tuple(Mode)
_LISTS = (Mode.LOBBY, Mode.MENU, Mode.FORM, Mode.HELP)
_OVERLAYS = (Mode.TYPING, Mode.CONFIRM, Mode.HELP, Mode.MENU, Mode.FORM)

BINDINGS: tuple[Binding, ...] = (
    # The lobby.
    Binding(("enter",), Intent.JOIN, _SCREENS, "sit down where you are asked to", "accept", When.IS_INVITED),
    Binding(("escape",), Intent.DECLINE, _LOBBY, "stay here, if you are asked to a table", "decline", When.IS_INVITED),
    Binding(("enter",), Intent.SIT, _LOBBY, "sit down at the table chosen", "sit down", When.IS_NOT_INVITED),
    Binding(("s",), Intent.SIT, _LOBBY, "sit down at the table chosen", when=When.HAS_TABLES),
    Binding(("w",), Intent.WATCH, _LOBBY, "watch it from the gallery", "watch", When.HAS_TABLES),
    Binding(("h",), Intent.HOUSE, _LOBBY, "play against the house at once", "play the house", When.HAS_HOUSE),
    Binding(("o",), Intent.OPEN, _LOBBY, "open a table", "open"),
    Binding(
        ("f",),
        Intent.FILTER,
        _LOBBY,
        "list only the tables with these words: a game, a player, or free",
        "filter",
        When.HAS_TABLES,
    ),
    Binding(("g",), Intent.RECORD, _LOBBY, "the games you have played, and how well", "your games"),
    Binding(("d",), Intent.DRILL, _LOBBY, "practise: your own mistakes first, again and again", "practise"),
    Binding(("/",), Intent.COMMAND, _LOBBY, "type it: sit 3, watch 3, open, rules, help, quit", "command"),
    # The table.
    Binding(
        ("left",), Intent.LEFT, (*_TABLE, *_TYPING, *_FORM), "choose among what you may do", together="Left, Right"
    ),
    Binding(("right",), Intent.RIGHT, (*_TABLE, *_TYPING, *_FORM)),
    Binding(("enter",), Intent.ACCEPT, _TABLE, "do what is chosen", "do it", when=When.HAS_CHOSEN),
    Binding(("enter",), Intent.ACCEPT, (*_TABLE, *_OVERLAYS), when=When.CAN_ACCEPT),
    Binding(("y",), Intent.YES, _CONFIRM, "yes"),
    Binding(("n",), Intent.CANCEL, _CONFIRM, "no"),
    Binding(("a",), Intent.AGAIN, _TABLE, "another game, when one is over", "another game", When.CAN_PLAY_AGAIN),
    Binding(
        ("m",),
        Intent.ANALYSIS,
        (*_TABLE, *_HELP),
        "when a game is over: what your decisions in it cost against perfect play",
        "mistakes",
        when=When.IS_BETWEEN_GAMES,
    ),
    Binding(("m",), Intent.ANALYSIS, (*_TABLE, *_HELP), when=When.HAS_ANALYSIS),
    Binding(
        ("w",),
        Intent.COACH,
        _TABLE,
        "against the house: what is best now, and why; marks the game as assisted",
        "coach",
        when=When.CAN_ASK_COACH,
    ),
    Binding(
        ("z",),
        Intent.PAUSE,
        _TABLE,
        "ask for a pause of an hour; /pause 30m, /pause 2h or /pause 7d for another time",
        when=When.CAN_PAUSE,
    ),
    Binding(
        ("z",),
        Intent.PAUSE,
        _TABLE,
        "agree to the pause that others ask for",
        "agree to the pause",
        when=When.CAN_AGREE_TO_PAUSE,
    ),
    Binding(("g",), Intent.GO_ON, _TABLE, "after a pause: be ready to go on", "go on", When.CAN_GO_ON),
    Binding(
        ("h",),
        Intent.INVITE,
        _TABLE,
        "invite a house player into an empty seat",
        "invite the house",
        when=When.CAN_INVITE,
    ),
    Binding(("s",), Intent.SIT, _TABLE, "from the gallery: sit down in an empty seat", "sit down", When.CAN_SIT),
    Binding(("c", '"'), Intent.TALK, _TABLE, "talk to the table", "talk"),
    Binding(
        ("/",),
        Intent.COMMAND,
        _TABLE,
        "type it: a move, say, pause, go on, resign, leave, again, sit, stand, invite, dismiss, send away, save, quit",
        "command",
    ),
    Binding(("u",), Intent.LOG, (*_TABLE, *_HELP), "the log and the talk, from their end (also PgUp)", "log"),
    Binding(("pageup", "<scroll-up>"), Intent.PAGE_UP, _TABLE),
    Binding(("!",), Intent.CONFIRMS, _TABLE, "ask, or ask no more, before what decides a hand or a game"),
    Binding(
        ("b", "escape"),
        Intent.BACK,
        _TABLE,
        "leave the table, back to the lobby; in a game that gives it up, and is asked about",
        "lobby",
    ),
    # Lists and lines.
    Binding(("up",), Intent.UP, _LISTS, "choose a line", together="Up, Down"),
    Binding(("down",), Intent.DOWN, _LISTS),
    Binding(("s-tab",), Intent.UP, _FORM),
    Binding(("tab",), Intent.DOWN, _FORM),
    Binding(("escape",), Intent.CANCEL, _OVERLAYS, "no; close what is open"),
    Binding(("q",), Intent.CANCEL, _HELP),
    Binding(("pageup",), Intent.PAGE_UP, _HELP, "turn a page; Space too", together="PgUp, PgDn"),
    Binding(("pagedown", " "), Intent.PAGE_DOWN, _HELP),
    Binding(("backspace",), Intent.ERASE, (*_TYPING, *_FORM)),
    Binding(("delete",), Intent.ERASE_NEXT, _TYPING),
    Binding(("c-w",), Intent.ERASE_WORD, _TYPING),
    Binding(("c-u",), Intent.ERASE_LINE, (*_TYPING, *_FORM)),
    Binding(("home", "c-a"), Intent.HOME, (*_TYPING, *_LOBBY, *_HELP)),
    Binding(("end", "c-e"), Intent.END, (*_TYPING, *_LOBBY, *_HELP)),
    Binding(("<scroll-up>",), Intent.UP, _LISTS),
    Binding(("<scroll-down>",), Intent.DOWN, _LISTS),
    # Both screens.
    Binding(
        ("e",),
        Intent.STORY,
        (*_TABLE, *_HELP),
        "the game hand by hand; /save FILE writes it down",
        "hands",
        when=When.HAS_STORY,
    ),
    Binding(("r",), Intent.RULES, (*_SCREENS, *_HELP), "the rules of the game at hand", "rules"),
    Binding(
        ("v",),
        Intent.DEAL,
        (*_TABLE, *_HELP),
        "whether the deal is fair: its four words, its seals, cuts and proofs",
        "deal",
        when=When.HAS_DEAL,
    ),
    Binding(("left",), Intent.LEFT, _HELP, when=When.SHOWS_DEAL),
    Binding(("right",), Intent.RIGHT, _HELP, when=When.SHOWS_DEAL),
    Binding(("?",), Intent.HELP, (*_SCREENS, *_HELP), "this help", "help"),
    Binding(
        ("D",),
        Intent.DETACH,
        _TABLE,
        "leave the program at once and keep your seat: it says how to come back",
        when=When.CAN_DETACH,
    ),
    Binding(("q",), Intent.QUIT, _SCREENS, "quit; your seat is kept", "quit"),
    Binding(("L",), Intent.LINES, _SCREENS, "go on in line mode, in the same seat"),
    Binding(("c-c",), Intent.QUIT, _EVERYWHERE, "quit, from anywhere", together="Ctrl-C"),
)

ACTIONS: Mapping[str, tuple[str, str]] = {
    action: (LETTERS[action], says)
    for action, says in (
        ("put", "say that you put"),
        ("see", "see the put or the bet, or take the double"),
        ("throw", "throw in"),
        ("pass", "say nothing; make no bet"),
        ("bet", "choose a bet or a raise: again for a higher one"),
        ("refuse", "refuse the bet"),
        ("trade", "choose cards to trade: again for others"),
        ("stand", "keep all your cards"),
        ("vada", "call the showdown"),
        ("on", "go on without a showdown"),
    )
}
"""Actions whose letters are always the same, so that fingers may know them: by the action's tag, without the name of
its family. A raise has the letter of a bet, to go on that of `on`."""

FIRM = frozenset({"put", "see", "throw", "pass"})
"""Actions whose letters no command may take. The others give way."""

IDLE = frozenset({Intent.SIT, Intent.AGAIN, Intent.INVITE, Intent.GO_ON})
"""Commands at a table that mean something only while no question is open: an action may have the same letter."""

FIXED = frozenset({"enter"})
"""Keys that no setting can give to a command; they answer what is asked just now. `When` keeps their meanings apart."""

FUNCTION_KEYS = frozenset(f"f{number}" for number in range(1, 13))


def letter_of(binding: Binding) -> str:
    """The character that another key may take the place of; nothing where there is none, or where it is the keyboard's
    own, as yes and no are."""
    letters = [key for key in binding.keys if len(key) == 1]
    return letters[0] if letters and binding.intent not in (Intent.YES, Intent.CANCEL, Intent.PAGE_DOWN) else ""


@cache
def keymap(keys: Keys = ()) -> tuple[Binding, ...]:
    """The bindings with these keys in the place of the letters they have."""
    wanted = dict(keys)
    return tuple(_rebound(binding, wanted.get(binding.intent)) for binding in BINDINGS)


def _rebound(binding: Binding, key: str | None) -> Binding:
    if key is None or not letter_of(binding):
        return binding
    return replace(binding, keys=tuple(dict.fromkeys(key if len(own) == 1 else own for own in binding.keys)))


def action_letters(keys: Keys = ()) -> dict[str, str]:
    """The letters of `ACTIONS`, or the keys in their place. Empty for an action that gives way: then it has any free
    letter."""
    wanted = dict(keys)
    used = set(wanted.values())
    return {
        action: wanted.get(action, "" if letter in used and action not in FIRM else letter)
        for action, (letter, _) in ACTIONS.items()
    }


def commands() -> dict[str, tuple[str, str]]:
    """Every name that may be given a key: the one it has, and what it does."""
    named = dict(ACTIONS)
    for binding in BINDINGS:
        if letter_of(binding):
            named.setdefault(binding.intent.value, (letter_of(binding), binding.says))
    return named


def is_key(key: str) -> bool:
    """True if a command can have a key: a function key, or a character that neither plays a card nor is blank."""
    is_character = len(key) == 1 and printable(key) == key and not key.isspace() and not key.isdecimal()
    return is_character or key in FUNCTION_KEYS


def clash(keys: Keys) -> str | None:
    """A key that would mean two things in one mode, as a clause; None: every key means one."""
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
    return f"{label_of(key)} would mean both {one} and {other}"

"""The commands and actions that may be given another key, and which keys: what a configuration is checked with.

Law: whatever passes, a key means one thing in one place.
"""

from put_client.tui.keys import (
    BINDINGS,
    IDLE,
    OWN_LETTERS,
    Keys,
    Mode,
    keymap,
    label_of,
    letter_of,
    own_letters,
)
from put_protocol.text import printable

FUNCTION_KEYS = frozenset(f"f{number}" for number in range(1, 13))

_ACTIONS = {
    "put": "say that you put",
    "see": "see the put, or take the double",
    "throw": "throw in",
    "pass": "say nothing",
}


def commands() -> dict[str, tuple[str, str]]:
    """Every name that may be given a key: the one it has, and what it does."""
    named = {name: (OWN_LETTERS[name], says) for name, says in _ACTIONS.items()}
    for binding in BINDINGS:
        if letter_of(binding):
            named.setdefault(binding.intent.value, (letter_of(binding), binding.says))
    return named


def is_key(key: str) -> bool:
    """Whether it can be given to a command: a function key, or a character that neither plays a card nor is blank."""
    is_character = len(key) == 1 and printable(key) == key and not key.isspace() and not key.isdecimal()
    return is_character or key in FUNCTION_KEYS


def clash(keys: Keys) -> str | None:
    """A key that would mean two things in one place, as a clause; None: every key means one."""
    for mode in Mode:
        meant: dict[str, str] = {}
        for action, letter in own_letters(keys).items() if mode is Mode.TABLE else ():
            if letter in meant:
                return _clash(letter, meant[letter], action)
            meant[letter] = action
        for binding in keymap(keys):
            for key in binding.keys if mode in binding.modes else ():
                shares = binding.intent in IDLE and meant.get(key) in OWN_LETTERS
                if meant.setdefault(key, binding.intent.value) != binding.intent and not shares:
                    return _clash(key, meant[key], binding.intent)
    return None


def _clash(key: str, one: str, other: str) -> str:
    return f"{label_of(key)} would mean both {one} and {other}"

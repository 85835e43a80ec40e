"""The colours of the screen, by theme: what each role of text looks like, as prompt_toolkit takes it.

Laws: nothing is said by colour alone, so any theme may be taken, and none at all (NO_COLOR). In the theme `terminal`
foreground and background stay the terminal's own; every other sets both, everywhere, so that it fits any terminal.
"""

from collections.abc import Mapping

from msgspec import Struct

from put_client.settings import DEFAULTS, SUIT_COLOURS, Settings
from put_protocol.cards import SUIT_NAMES

ROLES: Mapping[str, str] = {
    "base": "",
    "strong": "bold",
    "faint": "dim",
    "turn": "bold",
    "chosen": "reverse",
    "alarm": "bold reverse",
    "key": "bold",
    "notice": "bold",
    "card": "",
    "back": "dim",
    "lit": "bold",
    "won": "bold",
    "lost": "bold",
}
"""Styles of the theme `terminal`: weights, and no colour."""

TWO_COLOURS: Mapping[str, str] = {"spades": "none", "clubs": "none", "hearts": "red", "diamonds": "red"}
"""Colours of the French suits, as on most printed cards."""


class ScreenLook(Struct, frozen=True, kw_only=True):
    roles: Mapping[str, str]
    """Styles that differ from those of `terminal`."""
    suits: Mapping[str, str] = {}
    """Colours of suits in lines of text, by name."""
    on_card: Mapping[str, str] = {}
    """And on cards, where those are of another colour than the table."""
    two: tuple[str, str] = ("", "")
    """In a deck of two colours: what hearts and diamonds have in text, and on cards."""


_INK = {
    "spades": "#101010",
    "hearts": "#b3141c",
    "diamonds": "#1346a8",
    "clubs": "#17632b",
    "swords": "#1346a8",
    "batons": "#17632b",
    "cups": "#b3141c",
    "coins": "#7a5200",
    "trumps": "#7a1fa2",
}
"""On white cards."""

_BRIGHT = {
    "spades": "#ffffff",
    "hearts": "#ffb8b0",
    "diamonds": "#9cc8ff",
    "clubs": "#9df0a8",
    "swords": "#9cc8ff",
    "batons": "#9df0a8",
    "cups": "#ffb8b0",
    "coins": "#ffe08a",
    "trumps": "#f0b0ff",
}
"""On a dark table."""

LOOKS: Mapping[str, ScreenLook] = {
    "terminal": ScreenLook(roles={}),
    "felt": ScreenLook(
        roles={
            "base": "bg:#005f00 #eef4ea",
            "faint": "#b4d2bf",
            "turn": "bold #ffe08a",
            "chosen": "bg:#eef4ea #005f00",
            "alarm": "bold bg:#ffe08a #1a1a1a",
            "key": "bold #ffe08a",
            "notice": "bold #ffe08a",
            "card": "bg:#f8f6ee #101010",
            "back": "bg:#f8f6ee #7a1f1f",
            "lit": "bold bg:#ffe9a8 #101010",
            "won": "bold #ffe08a",
            "lost": "bold #ffb8b0",
        },
        suits=_BRIGHT,
        on_card=_INK,
        two=("#ffb8b0", "#b3141c"),
    ),
    "light": ScreenLook(
        roles={
            "base": "bg:#fbfaf5 #1c1c1c",
            "faint": "#595959",
            "turn": "bold #0b4f9c",
            "chosen": "bg:#1c1c1c #fbfaf5",
            "alarm": "bold bg:#9c1c12 #ffffff",
            "key": "bold #0b4f9c",
            "notice": "bold #9c1c12",
            "card": "bg:#ffffff #101010",
            "back": "bg:#ffffff #1346a8",
            "lit": "bold bg:#fff0b8 #101010",
            "won": "bold #17632b",
            "lost": "bold #9c1c12",
        },
        suits=_INK,
        on_card=_INK,
        two=("#b3141c", "#b3141c"),
    ),
    "contrast": ScreenLook(
        roles={
            "base": "bg:#000000 #ffffff",
            "faint": "#ffffff",
            "turn": "bold #ffff00",
            "chosen": "bg:#ffff00 #000000",
            "alarm": "bold bg:#ffff00 #000000",
            "key": "bold #ffff00",
            "notice": "bold #ffff00",
            "card": "bg:#000000 #ffffff",
            "back": "bg:#000000 #ffffff",
            "lit": "bold bg:#000000 #ffff00",
            "won": "bold #ffff00",
            "lost": "bold #ffffff",
        },
        suits=_BRIGHT,
        on_card=_BRIGHT,
        two=("#ffb8b0", "#ffb8b0"),
    ),
}


def styles(settings: Settings = DEFAULTS) -> dict[str, str]:
    """Styles for prompt_toolkit. The player's own colours of suits go before those of the theme."""
    look = LOOKS[settings.theme]
    own = {suit: _ansi(colour) for suit, colour in settings.suits}
    is_two = settings.deck == "two"
    in_text = {suit: _ansi(colour) for suit, colour in SUIT_COLOURS.items()} | dict(look.suits)
    on_card = dict(look.on_card)
    if is_two:
        in_text |= _two(look.two[0] or "ansired", in_text["spades"])
        on_card |= _two(look.two[1], on_card["spades"]) if on_card else {}
    made = {**ROLES, **look.roles}
    for letter, name in SUIT_NAMES.items():
        made[f"suit-{letter}"] = own.get(name, in_text[name])
        if name in on_card:
            made[f"card suit-{letter}"] = own.get(name, on_card[name])
    return made


def _two(red: str, black: str) -> dict[str, str]:
    return {suit: black if colour == "none" else red for suit, colour in TWO_COLOURS.items()}


def _ansi(colour: str) -> str:
    return "" if colour == "none" else f"ansi{colour.replace('-', '')}"

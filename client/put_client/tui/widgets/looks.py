"""The colours of the screen, by theme: what each role of text looks like, as prompt_toolkit takes it.

Laws: nothing is said by colour alone, so any theme may be taken, and none at all (NO_COLOR). In the theme `terminal`
foreground and background stay the terminal's own; every other sets both, everywhere, so that it fits any terminal.
"""

from collections.abc import Mapping

from put_client.settings import DEFAULTS, SUIT_COLOURS, Settings
from put_protocol.cards import SUIT_NAMES

THEMES = ("terminal", "felt", "light", "contrast")

ROLES: Mapping[str, tuple[str, str, str, str]] = {
    "base": ("", "bg:#005f00 #eef4ea", "bg:#fbfaf5 #1c1c1c", "bg:#000000 #ffffff"),
    "strong": ("bold", "bold", "bold", "bold"),
    "faint": ("dim", "#b4d2bf", "#595959", "#ffffff"),
    "turn": ("bold", "bold #ffe08a", "bold #0b4f9c", "bold #ffff00"),
    "chosen": ("reverse", "bg:#eef4ea #005f00", "bg:#1c1c1c #fbfaf5", "bg:#ffff00 #000000"),
    "alarm": ("bold reverse", "bold bg:#ffe08a #1a1a1a", "bold bg:#9c1c12 #ffffff", "bold bg:#ffff00 #000000"),
    "key": ("bold", "bold #ffe08a", "bold #0b4f9c", "bold #ffff00"),
    "notice": ("bold", "bold #ffe08a", "bold #9c1c12", "bold #ffff00"),
    "card": ("", "bg:#f8f6ee #101010", "bg:#ffffff #101010", "bg:#000000 #ffffff"),
    "back": ("dim", "bg:#f8f6ee #7a1f1f", "bg:#ffffff #1346a8", "bg:#000000 #ffffff"),
    "lit": ("bold", "bold bg:#ffe9a8 #101010", "bold bg:#fff0b8 #101010", "bold bg:#000000 #ffff00"),
    "won": ("bold", "bold #ffe08a", "bold #17632b", "bold #ffff00"),
    "lost": ("bold", "bold #ffb8b0", "bold #9c1c12", "bold #ffffff"),
}
"""Styles of each role in each of `THEMES`; in the first, weights and no colour."""

_PALETTE: Mapping[str, tuple[str, str]] = {
    "spades": ("#101010", "#ffffff"),
    "hearts": ("#b3141c", "#ffb8b0"),
    "diamonds": ("#1346a8", "#9cc8ff"),
    "clubs": ("#17632b", "#9df0a8"),
    "swords": ("#1346a8", "#9cc8ff"),
    "batons": ("#17632b", "#9df0a8"),
    "cups": ("#b3141c", "#ffb8b0"),
    "coins": ("#7a5200", "#ffe08a"),
    "trumps": ("#7a1fa2", "#f0b0ff"),
}
"""Colours of suits: on white, and on a dark ground."""

Suits = Mapping[str, str]
_ON_WHITE: Suits = {suit: colour for suit, (colour, _) in _PALETTE.items()}
_ON_DARK: Suits = {suit: colour for suit, (_, colour) in _PALETTE.items()}


def styles(settings: Settings = DEFAULTS) -> dict[str, str]:
    """Styles for prompt_toolkit. The player's own colours of suits go before those of the theme."""
    own = {suit: _ansi(colour) for suit, colour in settings.suits}
    in_text, on_card = _suits_of(settings.theme)
    if settings.deck == "two":
        in_text, on_card = _of_two(in_text), _of_two(on_card)
    made = {role: looks[THEMES.index(settings.theme)] for role, looks in ROLES.items()}
    for letter, name in SUIT_NAMES.items():
        made[f"suit-{letter}"] = own.get(name, in_text[name])
        if name in on_card:
            made[f"card suit-{letter}"] = own.get(name, on_card[name])
    return made


def _suits_of(theme: str) -> tuple[Suits, Suits]:
    """Colours of suits in lines of text, and on cards, where those are of another colour than the table."""
    match theme:
        case "felt":
            return _ON_DARK, _ON_WHITE
        case "light":
            return _ON_WHITE, _ON_WHITE
        case "contrast":
            return _ON_DARK, _ON_DARK
        case _:
            return {suit: _ansi(colour) for suit, colour in SUIT_COLOURS.items()}, {}


def _of_two(suits: Suits) -> Suits:
    """The French suits in two colours, as on most printed cards."""
    return {**suits, "clubs": suits["spades"], "diamonds": suits["hearts"]} if suits else suits


def _ansi(colour: str) -> str:
    return "" if colour == "none" else f"ansi{colour.replace('-', '')}"

"""Signs of the screen, roles of text, and colours of each role.

A terminal without UTF-8 shows question marks for most signs, and console fonts have letters, lines and shades, but no
suits, rounded corners or dots. So the signs depend on the terminal's encoding and type.

Laws: nothing is shown by colour alone: a role with a colour also has a sign, a word or a weight. So every theme works,
even none (NO_COLOR, a plain terminal): the weights remain. The theme `terminal` keeps the terminal's foreground and
background; all others set both everywhere, so that they suit any terminal.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from put_client.settings import DEFAULTS, SUIT_COLOURS, THEMES, Settings
from put_protocol.cards import SUIT_NAMES, SUIT_SIGNS

Outline = tuple[str, str, str, str, str, str]
"""Four corners in the order of `Theme.corners`, then horizontal and vertical."""


class Theme(Struct, frozen=True, kw_only=True):
    """The signs. All except `suits` are one column wide."""

    is_ascii: bool
    horizontal: str
    vertical: str
    corners: tuple[str, str, str, str]
    """Top left, top right, bottom left, bottom right."""
    card_corners: tuple[str, str, str, str]
    meets_below: str
    """A rule from above ends on this rule."""
    meets_right: str
    """A rule goes off to the right."""
    dotted: tuple[str, str]
    """Outline of an empty place for a card: horizontal, vertical."""
    suits: dict[str, str]
    card_back: str
    held: str
    """A card in a hand, if there is no room to draw it."""
    trick_taken: str
    pip: str
    no_pip: str
    pointer: str
    ellipsis: str
    separator: str
    arrows: tuple[str, str, str, str]
    """Left, right, up, down."""
    proved: str
    lit: Outline
    """Outline of a deciding card."""

    has_blocks: bool
    """Half and full blocks can be drawn, for large letters."""
    is_proved: bool = True
    """The shown cards are proved, or checks are off; otherwise they have a mark."""

    def outline(self, corners: tuple[str, str, str, str]) -> Outline:
        return (*corners, self.horizontal, self.vertical)


_CORNERS, _PLUSES = ("┌", "┐", "└", "┘"), ("+", "+", "+", "+")
_LETTERS = {suit: suit for suit in SUIT_NAMES}

_SIGNS: Mapping[str, tuple[Any, Any, Any]] = {
    "is_ascii": (False, False, True),
    "horizontal": ("─", "─", "-"),
    "vertical": ("│", "│", "|"),
    "corners": (_CORNERS, _CORNERS, _PLUSES),
    "card_corners": (("╭", "╮", "╰", "╯"), _CORNERS, _PLUSES),
    "meets_below": ("┴", "┴", "+"),
    "meets_right": ("├", "├", "+"),
    "dotted": (("╌", "╎"), (".", ":"), (".", ":")),
    "suits": ({**SUIT_SIGNS, "w": "†", "b": "‖", "u": "\u222a", "o": "◎", "t": "★"}, _LETTERS, _LETTERS),
    "card_back": ("░", "░", "#"),
    "held": ("▒", "▒", "#"),
    "trick_taken": ("▪", "=", "="),
    "pip": ("●", "*", "*"),
    "no_pip": ("○", ".", "."),
    "pointer": ("▶", ">", ">"),
    "ellipsis": ("…", "~", "~"),
    "separator": ("·", "·", "-"),
    "arrows": (("←", "→", "↑", "↓"), ("<", ">", "^", "v"), ("<", ">", "^", "v")),
    "proved": ("✓", "ok", "ok"),
    "lit": (("┏", "┓", "┗", "┛", "━", "┃"), ("╔", "╗", "╚", "╝", "═", "║"), ("*", "*", "*", "*", "=", "!")),
    "has_blocks": (True, True, False),
}
"""Signs in Unicode, in characters of console fonts (lines, shades, blocks, and Latin letters), and in ASCII."""

UNICODE, CONSOLE, ASCII = (Theme(**{sign: each[kind] for sign, each in _SIGNS.items()}) for kind in range(3))

PLAIN = ""
STRONG = "class:strong"
FAINT = "class:faint"
SUITS = {suit: f"class:suit-{suit}" for suit in SUIT_NAMES}
"""Style of each suit; the suit's sign is always shown too."""
TURN = "class:turn"
"""A question to the player."""
CHOSEN = "class:chosen"
ALARM = "class:alarm"
"""A put, and time running out."""
KEY = "class:key"
NOTICE = "class:notice"
CARD = "class:card"
"""A card face up, on a table of another colour."""
BACK = "class:back"
LIT = "class:card class:lit"
"""The deciding card; it also has its own outline."""
WON = "class:won"
LOST = "class:lost"


CARD_BACKS: Mapping[str, str] = {"dots": "░", "shade": "▒", "lattice": "\u2573", "waves": "≈", "plain": " "}
"""Fillings for card backs, if the terminal has the signs."""

_CONSOLES = ("linux", "cons25", "wscons", "pccon")
_OLD = ("vt52", "vt100", "vt102", "vt220", "vt320", "ansi", "dumb", "cygwin", "sun", "wyse")


def glyphs_for(settings: Settings, environment: Mapping[str, str], encoding: str | None) -> Theme:
    """The signs for a terminal. `encoding`: of standard output."""
    theme = _most(environment, encoding)
    if settings.ascii:
        theme = ASCII
    back = CARD_BACKS[settings.card_back]
    if theme is ASCII or settings.card_back == DEFAULTS.card_back:
        return theme
    return replace(theme, card_back=back) if theme is UNICODE or settings.card_back in ("shade", "plain") else theme


def _most(environment: Mapping[str, str], encoding: str | None) -> Theme:
    if _codeset(environment) not in ("", "utf8") or _plain(encoding or "") not in ("", "utf8"):
        return ASCII
    term = environment.get("TERM", "")
    kind = term.partition(".")[2] or term  # as in screen.linux
    if kind.startswith(_CONSOLES):
        return CONSOLE
    return ASCII if kind.startswith(_OLD) else UNICODE


def _codeset(environment: Mapping[str, str]) -> str:
    """The locale's encoding, normalized; empty: none."""
    named = (environment.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    locale = next((value for value in named if value), "")
    if locale in ("C", "POSIX"):
        return "ascii"  # for which Python takes UTF-8
    return _plain(locale.partition(".")[2].partition("@")[0])


def _plain(encoding: str) -> str:
    return encoding.lower().replace("-", "").replace("_", "")


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
"""Styles of each role in each of `THEMES`; the first has weights and no colours."""

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
"""Colours of suits: on white, and on a dark background."""

Suits = Mapping[str, str]
_ON_WHITE: Suits = {suit: colour for suit, (colour, _) in _PALETTE.items()}
_ON_DARK: Suits = {suit: colour for suit, (_, colour) in _PALETTE.items()}


def styles(settings: Settings = DEFAULTS) -> dict[str, str]:
    """Styles for prompt_toolkit. The player's colours of suits override those of the theme."""
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
    """Colours of suits in text, and on cards, if cards have another colour than the table."""
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

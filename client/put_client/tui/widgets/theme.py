"""The signs the screen is drawn with, and the roles of text; what a role looks like says `looks`.

Laws: nothing is said by colour alone, and foreground and background stay the terminal's own: a role that has a colour
also has a sign, a word or a weight. Without colours (NO_COLOR, a plain terminal) the weights remain.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from put_protocol.cards import SUIT_NAMES, SUIT_SIGNS, Card
from put_protocol.seal.findings import Proof


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The signs. Every one but those of `suits` is one column wide."""

    is_ascii: bool
    horizontal: str
    vertical: str
    corners: tuple[str, str, str, str]
    """Top left, top right, bottom left, bottom right."""
    card_corners: tuple[str, str, str, str]
    meets_below: str
    """A rule from above ends on this one."""
    meets_right: str
    """A rule goes off to the right."""
    dotted: tuple[str, str]
    """The outline of a place where a card will lie: horizontal, vertical."""
    suits: dict[str, str]
    back: str
    """Filling of the back of a card."""
    held: str
    """A card in a hand, where there is no room to draw it."""
    taken: str
    """A trick taken."""
    pip: str
    no_pip: str
    pointer: str
    ellipsis: str
    dot: str
    """Between two things said in one line."""
    arrows: tuple[str, str, str, str]
    """Left, right, up, down."""
    check: str
    """Proved."""
    lit: tuple[str, str, str, str, str, str]
    """The outline of a card that decided something: four corners, horizontal, vertical."""
    has_blocks: bool
    """Half and full blocks can be drawn, for large letters."""
    proofs: Mapping[Card, Proof] | None = None
    """Proof of each card of the hand shown; a card that is missing is not proved. None: cards have no marks."""


UNICODE = Theme(
    is_ascii=False,
    horizontal="─",
    vertical="│",
    corners=("┌", "┐", "└", "┘"),
    card_corners=("╭", "╮", "╰", "╯"),
    meets_below="┴",
    meets_right="├",
    dotted=("╌", "╎"),
    suits={**SUIT_SIGNS, "w": "†", "b": "‖", "u": "\u222a", "o": "◎", "t": "★"},
    back="░",
    held="▒",
    taken="▪",
    pip="●",
    no_pip="○",
    pointer="▶",
    ellipsis="…",
    dot="·",
    arrows=("←", "→", "↑", "↓"),
    check="✓",
    lit=("┏", "┓", "┗", "┛", "━", "┃"),
    has_blocks=True,
)

ASCII = Theme(
    is_ascii=True,
    horizontal="-",
    vertical="|",
    corners=("+", "+", "+", "+"),
    card_corners=("+", "+", "+", "+"),
    meets_below="+",
    meets_right="+",
    dotted=(".", ":"),
    suits={suit: suit for suit in SUIT_NAMES},
    back="#",
    held="#",
    taken="=",
    pip="*",
    no_pip=".",
    pointer=">",
    ellipsis="~",
    dot="-",
    arrows=("<", ">", "^", "v"),
    check="ok",
    lit=("*", "*", "*", "*", "=", "!"),
    has_blocks=False,
)

CONSOLE = replace(
    UNICODE,
    card_corners=UNICODE.corners,
    dotted=ASCII.dotted,
    suits=ASCII.suits,
    taken=ASCII.taken,
    pip=ASCII.pip,
    no_pip=ASCII.no_pip,
    pointer=ASCII.pointer,
    ellipsis=ASCII.ellipsis,
    arrows=ASCII.arrows,
    check=ASCII.check,
    lit=("╔", "╗", "╚", "╝", "═", "║"),
)
"""For the fonts of consoles: lines, shades and blocks, and Latin letters."""

PLAIN = ""
STRONG = "class:strong"
FAINT = "class:faint"
SUITS = {suit: f"class:suit-{suit}" for suit in SUIT_NAMES}
"""Each suit, beside its sign."""
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
"""The card that decided something; it has an outline of its own, too."""
WON = "class:won"
LOST = "class:lost"

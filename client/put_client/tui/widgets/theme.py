"""The signs the screen is drawn with, and the look of each role of text.

Laws: nothing is said by colour alone, and foreground and background stay the terminal's own: a role that has a colour
also has a sign, a word or a weight. Without colours (NO_COLOR, a plain terminal) the weights remain.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from put_client.settings import SUIT_COLOURS
from put_protocol.cards import SUIT_NAMES, SUIT_SIGNS


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
    """What the back of a card is filled with."""
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
    dash: str
    arrows: tuple[str, str, str, str]
    """Left, right, up, down."""


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
    dash="—",
    arrows=("←", "→", "↑", "↓"),
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
    dash="-",
    arrows=("<", ">", "^", "v"),
)

PLAIN = ""
STRONG = "class:strong"
FAINT = "class:faint"
SUITS = {suit: f"class:suit-{suit}" for suit in SUIT_NAMES}
"""Each suit, beside its sign."""
TURN = "class:turn"
"""What is expected of you."""
CHOSEN = "class:chosen"
ALARM = "class:alarm"
"""A put, and time running out."""
KEY = "class:key"
NOTICE = "class:notice"

STYLES = {
    "strong": "bold",
    "faint": "dim",
    "turn": "bold",
    "chosen": "reverse",
    "alarm": "bold reverse",
    "key": "bold",
    "notice": "bold",
}
"""What prompt_toolkit makes of the roles that have no colour."""


def styles(suits: Mapping[str, str] = SUIT_COLOURS) -> dict[str, str]:
    """What prompt_toolkit makes of the roles, with these suits in other colours than they have by themselves."""
    colours = {**SUIT_COLOURS, **suits}
    ansi = {suit: "" if colour == "none" else f"ansi{colour.replace('-', '')}" for suit, colour in colours.items()}
    return STYLES | {f"suit-{letter}": ansi[name] for letter, name in SUIT_NAMES.items()}

"""Parser of typed actions: what a person types, matched with what is legal.

Laws: only a legal action is ever meant; an action cannot be taken back, so what could mean two things is asked about.
"""

import re
from collections.abc import Sequence

from put_protocol.cards import RANK_NAMES, SUIT_NAMES, SUIT_SIGNS, Card, name_of, rank_of, suit_of
from put_protocol.games.put import Discard, Play
from put_protocol.games.unions import Action, Choice
from put_protocol.limits import PAUSE_MINUTES
from put_protocol.text import printable
from put_text.phrases import NUMBERS, format_choices
from put_text.presenters.put import TYPED, why_not

_RANK_WORDS = {
    **{str(number): str(number) for number in range(2, 11)},
    **{NUMBERS[number]: str(number) for number in range(2, 11)},
    **{name: rank for rank, name in RANK_NAMES.items()},
    **{rank.casefold(): rank for rank in RANK_NAMES},
    "jack": "J",
}
_SUIT_WORDS = {
    **{suit: suit for suit in SUIT_NAMES},
    **{name: suit for suit, name in SUIT_NAMES.items()},
    **{name.removesuffix("s"): suit for suit, name in SUIT_NAMES.items()},
    **{sign: suit for suit, sign in SUIT_SIGNS.items()},
}
_INDEX = re.compile(r"(#|number |choice )? ?(\d{1,3})")
_CARD = re.compile(
    r"(?:(?:i )?(?P<verb>play|lead|discard|throw away) )?(?:the )?"
    rf"(?P<rank>{'|'.join(sorted(_RANK_WORDS, key=len, reverse=True))})"
    # A letter may follow a figure at once, but a word only after a space: "threes" is not the 3 of spades.
    rf"(?:(?:(?<![a-z]{{3}}) ?| )(?:of )?(?P<suit>{'|'.join(sorted(_SUIT_WORDS, key=len, reverse=True))}))?"
)


def parse(text: str, legal: Sequence[Choice]) -> Action | str:
    """The legal action meant by typed words, or a sentence that helps to say it better.

    Takes a card (`3s`, `play 3s`, `the 3 of spades`, and `play 3` when there is but one), `put`, `see`, `throw in`, the
    server's own phrase, or a number in the list of choices. An action cannot be taken back, so what could mean two
    things is asked about.
    """
    if not legal:
        return "It is not your move."
    words = " ".join(printable(text.expandtabs(1)).casefold().rstrip(" .!").split())
    index, card = _INDEX.fullmatch(words), _CARD.fullmatch(words)
    meant = [choice for choice in legal if _is_meant(choice, words, card)]
    if index is not None and 1 <= int(index[2]) <= len(legal):
        numbered = legal[int(index[2]) - 1]
        if index[1] or not meant or meant == [numbered]:
            return numbered.action
        return (
            f'{index[2]} could be a number in the list or a card: say "#{index[2]}" for '
            f'"{printable(numbered.says)}", or "play {index[2]}" for the card.'
        )
    if len(meant) == 1:
        return meant[0].action
    if meant:
        cards = [choice.action.card for choice in meant if isinstance(choice.action, Play | Discard)]
        return f"Which one: {' or '.join(map(printable, cards))}?"
    return f"{_why_not(words, card)} You can: {format_choices(legal)}."


_LENGTH = re.compile(r"([0-9]{1,6})([mhd])")
_MINUTES = {"m": 1, "h": 60, "d": 24 * 60}


def minutes_of(text: str) -> int | str:
    """The length of a pause, such as `30m`, `2h` or `7d`, in minutes; or a sentence that helps to say it better."""
    found = _LENGTH.fullmatch(text.casefold())
    minutes = int(found[1]) * _MINUTES[found[2]] if found is not None else 0
    if not minutes:
        return 'How long? For example "30m", "2h" or "7d": minutes, hours or days.'
    if minutes > PAUSE_MINUTES:
        return f"A pause is {PAUSE_MINUTES // _MINUTES['d']} days at most."
    return minutes


def _is_meant(choice: Choice, words: str, card: re.Match[str] | None) -> bool:
    if words == printable(choice.says).casefold():
        return True
    match choice.action:
        case Play(card=held) | Discard(card=held):
            if card is None or _RANK_WORDS[card["rank"]] != rank_of(held):
                return False
            return card["suit"] is None or _SUIT_WORDS[card["suit"]] == suit_of(held)
        case _:
            return words in TYPED.get(type(choice.action), frozenset())


def _why_not(words: str, card: re.Match[str] | None) -> str:
    if card is not None:
        rank = _RANK_WORDS[card["rank"]]
        name = RANK_NAMES.get(rank, rank)
        if card["suit"] is None:
            return f"You can play no {name} now."
        return f"You cannot play {name_of(Card(rank + _SUIT_WORDS[card['suit']]))} now."
    return why_not(words) or f'"{words[:40]}" is no choice of yours.'

"""Parser of typed actions: matches typed text with legal actions.

Laws: the result is a legal action or a question. An action cannot be taken back, so ambiguous words lead to a question.

An action is typed by the server's phrase for it, by its number in the list, or by a verb and its values: `bet 3`,
`trade 7h 2c`, `announce fluxus`. Verbs come from the family's presenter and from the action's tag, so actions of a
family without a presenter, or of a later release, can be typed too. A card needs no verb.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct

from put_protocol.cards import NAMED_RANKS, SUIT_NAMES, SUIT_SIGNS, TRUMPS, Card, rank_of, roman, suit_of
from put_protocol.games.unions import Action, Choice
from put_protocol.limits import PAUSE_MINUTES
from put_protocol.text import printable
from put_text.catalogue import LANGUAGE, say, vocabulary
from put_text.choices_text import alternatives, card_of, choices_in_brief, tag_words, values_of
from put_text.presenters import typed_verb, typed_words, why_not


class _CardGrammar(NamedTuple):
    """Words for cards, as they are typed in a language and in English."""

    whole: re.Pattern[str]
    verb: re.Pattern[str]
    """A word before a card, without a meaning of its own."""
    named: Mapping[str, Card]
    ranks: Mapping[str, str]
    suits: Mapping[str, str]


_ROMAN = {roman(number).casefold(): str(number) for number in range(1, 22)}


def _any_of(words: Iterable[str], after: str = "") -> str:
    """A pattern for one of these words; `after`: text after each word that does not end in an apostrophe."""
    escaped = [re.escape(word) + ("" if word.endswith("'") else after) for word in words]
    return "|".join(sorted(escaped, key=len, reverse=True))


def _by_word(values: Iterable[str], about: str) -> dict[str, str]:
    return {word: value for value in values for word in vocabulary(f"words-typed-{about}-{value}")}


@cache
def _grammar(_language: str) -> _CardGrammar:
    """The grammar of this language, which is that of the context."""
    named = {word: Card(card) for word, card in _by_word(("0t", "1t", "13t"), "card").items()}
    ranks = {
        **{str(number): str(number) for number in range(1, 22)},
        **_by_word(map(str, range(1, 11)), "number"),
        **_by_word(NAMED_RANKS, "rank"),
        **{rank.casefold(): rank for rank in NAMED_RANKS},
    }
    suits = {
        **{suit: suit for suit in SUIT_NAMES},
        **_by_word(SUIT_NAMES, "suit"),
        **{sign: suit for suit, sign in SUIT_SIGNS.items()},
    }
    the, of = (_any_of(vocabulary(f"words-typed-{word}"), " ") for word in ("the", "of"))
    trumps = _any_of(vocabulary("words-typed-suit-t"))
    numbered = _any_of((*_ROMAN, *map(str, range(1, 22))))
    whole = re.compile(
        rf"(?P<name>{_any_of(named)})"
        rf"|(?:{the})?(?:{trumps}) (?:number )?(?P<trump>{numbered})"
        rf"|(?:{the})?(?P<roman>{_any_of(_ROMAN)})(?: (?:{of})(?:{trumps}))?"
        rf"|(?:{the})?(?P<rank>{_any_of(ranks)})"
        # A letter may follow a figure at once, but a word only after a space: "threes" is not the 3 of spades.
        rf"(?:(?:(?<![a-z]{{3}}) ?| )(?:{of})?(?P<suit>{_any_of(suits)}))?"
    )
    return _CardGrammar(whole, re.compile(f"^(?:{_any_of(vocabulary('words-typed-play'), ' ')})"), named, ranks, suits)


_INDEX = re.compile(r"(#|number |choice )? ?(\d{1,3})")
LETTERS: Mapping[str, str] = {
    "put": "p",
    "see": "s",
    "throw": "t",
    "pass": "n",
    "bet": "+",
    "raise": "+",
    "refuse": "f",
    "trade": "x",
    "stand": "k",
    "vada": "d",
    "on": "o",
}
"""Keys of actions on the screen, by the last word of the action's tag."""

NEAR = 0.6
"""Similarity of words (see `difflib`) above which one may be a mistyped other."""

_BETWEEN = re.compile(r"(?: and |[, ])+")


class _CardWords(NamedTuple):
    """A card as typed."""

    rank: str
    suit: str | None
    """None: any."""

    def fits(self, card: Card) -> bool:
        return rank_of(card) == self.rank and self.suit in (None, suit_of(card))


def parse(text: str, legal: Sequence[Choice], vocabulary: Collection[str] = ()) -> Action | str:
    """The legal action meant by typed words, or a sentence that helps to correct them. `vocabulary`: other words that
    may have been meant.

    Takes a card (`3s`, `play 3s`, `the 3 of spades`, `trump XXI`, and `play 3` if there is only one 3), the family's
    words for its actions (`put`, `throw in`, `bet 3`), the server's own phrase, a number in the list of choices, a key
    of the screen, or an unambiguous beginning of a word."""
    if not legal:
        return say("plain-not-your-move")
    words = _plain(text)
    index, card = _INDEX.fullmatch(words), _card_behind_verb(words)
    meant = [choice for choice in legal if _is_meant(choice, words, card)]
    if index is not None and 1 <= int(index[2]) <= len(legal):
        numbered = legal[int(index[2]) - 1]
        others = [choice for choice in (meant or _of_amount(int(index[2]), legal)) if choice != numbered]
        if index[1] or not others:
            return numbered.action
        amount = "" if card_of(others[0].action) is not None else _words_of(others[0].action)
        message = "plain-number-or-amount" if amount else "plain-number-or-card"
        return say(message, number=index[2], choice=printable(numbered.says), amount=amount)
    meant = meant or begun(text, legal)
    if len(meant) == 1:
        return meant[0].action
    if meant:
        return say("plain-which-one", choices=alternatives(meant))
    cards = [choice for choice in legal if card_of(choice.action) is not None]
    is_of_cards = card is not None and bool(cards)
    choices = alternatives(cards) if is_of_cards else choices_in_brief(legal)
    instead = say("plain-you-can-play" if is_of_cards else "plain-you-can", choices=choices)
    if (why := _why_not(words, card, legal)) is not None:
        return f"{why} {instead}"
    verbs = {verb for choice in legal for verb in _verbs(choice)}
    near = get_close_matches(words, verbs, 1, NEAR) or get_close_matches(words, vocabulary, 1, NEAR)
    if near:
        instead = say("plain-did-you-mean", word=near[0])
    return f"{say('plain-no-choice', words=words[:40])} {instead}"


def is_known(text: str, legal: Sequence[Choice]) -> bool:
    """True if the words are a card, a number of a choice, or words for an action, legal or not; or a screen key of a
    legal one."""
    words = _plain(text)
    is_number = _INDEX.fullmatch(words) is not None
    if is_number or _card_behind_verb(words) is not None:
        return True
    if any(_is_meant(choice, words, None) or _is_key(words, choice) for choice in legal):
        return True
    return any(why_not(words, choice.action) is not None for choice in legal)


def begun(text: str, legal: Sequence[Choice]) -> list[Choice]:
    """Choices meant by a screen key, or by the beginning of a word for them."""
    words = _plain(text)
    keyed = [choice for choice in legal if _is_key(words, choice)]
    return keyed or [choice for choice in legal if words and any(verb.startswith(words) for verb in _verbs(choice))]


def _is_key(words: str, choice: Choice) -> bool:
    return words == LETTERS.get(tag_words(choice.action).rpartition(" ")[2])


def _verbs(choice: Choice) -> Iterable[str]:
    """Words for an action before its values, except those that look like talk."""
    action = choice.action
    own = printable(choice.says).casefold().partition(" ")[0] if card_of(action) is not None else tag_words(action)
    typed = typed_words(type(action))
    return (own, tag_words(action), *[words for words in typed if not words.startswith("say")])


def own_commands() -> Mapping[str, str]:
    """English commands by the words for them in the language of this context."""
    return dict(pair.strip().split(": ") for pair in say("heard-commands").split("|"))


def command_in_english(text: str) -> str:
    """A typed line, with a command in the language of this context replaced by the English one."""
    known = own_commands()
    for count in (2, 1):
        words = text.split(maxsplit=count)
        if (english := known.get(" ".join(words[:count]).casefold())) is not None:
            return " ".join([english, *words[count:]])
    return text


def command_in_own_words(usage: str) -> str:
    """A command with its arguments, by its word in the language of this context."""
    for own, english in own_commands().items():
        if f"{usage} ".startswith(f"{english} "):
            return own + usage[len(english) :]
    return usage


_LENGTH = re.compile(r"([0-9]{1,6})([mhd])")
_MINUTES = {"m": 1, "h": 60, "d": 24 * 60}


def minutes_of(text: str) -> int | str:
    """The length of a pause in minutes, such as `30m`, `2h` or `7d`; or a sentence that helps to correct it."""
    found = _LENGTH.fullmatch(text.casefold())
    minutes = int(found[1]) * _MINUTES[found[2]] if found is not None else 0
    if not minutes:
        return say("plain-how-long")
    if minutes > PAUSE_MINUTES:
        return say("plain-longest-pause", days=PAUSE_MINUTES // _MINUTES["d"])
    return minutes


def _is_meant(choice: Choice, words: str, card: _CardWords | None) -> bool:
    phrase = printable(choice.says).casefold()
    if words in (phrase, phrase.partition(":")[0]):
        return True
    held = card_of(choice.action)
    if held is not None and card is not None:
        return card.fits(held)
    return any(_are_typed(rest, values_of(choice.action)) for rest in _after_verb(choice.action, words))


def _after_verb(action: Struct, words: str) -> Iterable[str]:
    """The remaining words after each verb of the action that the words begin with."""
    for verb in {*typed_words(type(action)), tag_words(action)}:
        for begun in (verb, f"i {verb}"):
            if words == begun or words.startswith(f"{begun} "):
                yield words[len(begun) :].strip()


def _are_typed(rest: str, values: Mapping[str, Any]) -> bool:
    """The typed words are the values of an action, each once."""
    if not values:
        return not rest
    if len(values) > 1 or not rest:
        return False
    (value,) = values.values()
    match value:
        case bool():
            return rest == ("yes" if value else "no")
        case int():
            typed = rest.removeprefix("by ")
            return typed == str(value) or (0 < value <= 10 and typed in vocabulary(f"words-typed-number-{value}"))
        case Enum() | str():
            return rest.removeprefix("a ") == str(value).replace("_", " ").casefold()
        case tuple() | list():
            return _are_cards(rest, value)
        case _:
            return False


def _are_cards(rest: str, cards: Sequence[object]) -> bool:
    """True if the words are these cards, in any order."""
    typed = [_card_in(part) for part in _BETWEEN.split(rest)]
    if None in typed:  # some card is of several words
        typed = [_card_in(part) for part in re.split(r",| and ", rest) if part.strip()]
    found = [card for card in typed if card is not None]
    left = [Card(card) for card in cards if isinstance(card, str)]
    for card in found:
        fitting = [one for one in left if card.fits(one)]
        if not fitting or card.suit is None:
            return False
        left.remove(fitting[0])
    return len(found) == len(typed) and not left


def _of_amount(number: int, legal: Sequence[Choice]) -> list[Choice]:
    return [choice for choice in legal if list(values_of(choice.action).values()) == [number]]


def _card_behind_verb(words: str) -> _CardWords | None:
    """The card in the words, after a verb or alone."""
    return _card_in(_grammar(LANGUAGE.get()).verb.sub("", words, count=1))


def _card_in(words: str) -> _CardWords | None:
    grammar = _grammar(LANGUAGE.get())
    found = grammar.whole.fullmatch(words.strip())
    if found is None:
        return None
    if found["name"] is not None:
        card = grammar.named[found["name"]]
        return _CardWords(rank_of(card), suit_of(card))
    if found["trump"] is not None:
        return _CardWords(_ROMAN.get(found["trump"], found["trump"]), TRUMPS)
    if found["roman"] is not None:
        return _CardWords(_ROMAN[found["roman"]], TRUMPS)
    return _CardWords(grammar.ranks[found["rank"]], None if found["suit"] is None else grammar.suits[found["suit"]])


def card_named(text: str) -> Card | None:
    """The card that the words name completely; None: none, or only its rank."""
    card = _card_behind_verb(_plain(text))
    return Card(card.rank + card.suit) if card is not None and card.suit is not None else None


def _plain(text: str) -> str:
    """The words without parts that do not matter."""
    return " ".join(printable(text.expandtabs(1)).casefold().rstrip(" .!").split())


def _words_of(action: Struct) -> str:
    return " ".join([typed_verb(action) or tag_words(action), *map(str, values_of(action).values())])


def _why_not(words: str, card: _CardWords | None, legal: Sequence[Choice]) -> str | None:
    """Reason why a card or an action cannot be played now; None: the words are neither."""
    if card is not None:
        if card.suit is None:
            return say("plain-no-such-card", rank=card.rank)
        return say("plain-cannot-play", card=Card(card.rank + card.suit))
    return next((why for choice in legal if (why := why_not(words, choice.action)) is not None), None)

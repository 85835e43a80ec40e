"""Catalogue of sentences: each text of the programs is a message in a file of `languages`, in Project Fluent's format.

A message has a name `<part>-<words>`, and is in `languages/<language>/<part>.ftl`. English is complete. Another
language has a part completely or not at all; a missing part is in English. Fluent is imported at the first message, and
each message is parsed on first use.

Arguments are texts, made safe to print by the caller; whole numbers, which can choose the form of a message; cards, as
`card` and `cards`; booleans; and lists of texts, joined with "and". For persons see `Speaker.say`.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from put_protocol.cards import FOOL, LA_MORT, LE_BASTELEUR, TRUMPS, Card, place_of, rank_of, roman, suit_of
from put_protocol.text import Phrase, printable

if TYPE_CHECKING:
    from put_text.resolver import Bundle, Form, Messages

ENGLISH = "en"

LANGUAGE: ContextVar[str] = ContextVar("LANGUAGE", default=ENGLISH)
"""Language of texts in this context: a client has one, a server that of each typed connection."""

_FILES = Path(__file__).with_name("languages")


@cache
def languages() -> tuple[str, ...]:
    return tuple(sorted(folder.name for folder in _FILES.iterdir() if folder.is_dir()))


def language_named(name: str) -> str | None:
    """The language with this code or name; None: there is none."""
    return next((one for one in languages() if name.casefold() in _words(one, "words-language")), None)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use this language during the block; English, if it is not available."""
    before = LANGUAGE.set(language if language in languages() else ENGLISH)
    try:
        yield
    finally:
        LANGUAGE.reset(before)


def say(message: str, /, *, is_brief: bool = False, **arguments: Any) -> str:
    """The message in the language of this context. `is_brief`: its short form, if it has one."""
    return said_in(LANGUAGE.get(), message, arguments, is_brief=is_brief)


def said_in(language: str, message: str, arguments: Mapping[str, Any], *, is_brief: bool = False) -> str:
    """The message in a language.

    :raises LookupError: the message does not exist, or lacks an argument.
    """
    given = tuple([(name, _fixed(value)) for name, value in arguments.items()]) if arguments else ()
    return _said(language, message, is_brief, given)


def say_in_english(message: str, /, **arguments: Any) -> str:
    """The message in English, as a server sends it to everyone."""
    return said_in(ENGLISH, message, arguments)


def in_english(phrase: Phrase | str) -> str:
    """A text from the rules, in English."""
    return phrase if isinstance(phrase, str) else _said(ENGLISH, phrase.id, False, tuple(phrase.args.items()))


def translated(phrase: Phrase | None, english: str) -> str:
    """A text with an English version, in the language of this context if the message is known here."""
    language = LANGUAGE.get()
    if phrase is None or language == ENGLISH:
        return english
    try:
        return said_in(language, phrase.id, phrase.args)
    except (LookupError, ValueError):
        return english


def has_message(message: str) -> bool:
    """True if a message of this name exists, at least in English."""
    bundle = _bundle(ENGLISH, message.partition("-")[0])
    return bundle is not None and message in bundle


def forms_in_english(message: str) -> "Iterator[Form]":
    bundle = _bundle(ENGLISH, message.partition("-")[0])
    return iter(()) if bundle is None else bundle.forms(message)


def vocabulary(message: str) -> frozenset[str]:
    """Words to type for something, in English and in the language of this context: `see | i see | see it`."""
    return frozenset(word for language in {ENGLISH, LANGUAGE.get()} for word in _words(language, message))


@cache
def _words(language: str, message: str) -> tuple[str, ...]:
    return tuple(map(str.strip, said_in(language, message, {}).split("|")))


def listed(texts: Sequence[str], last: str = "and") -> str:
    """`a, b and c`; `last`: `and` or `or`."""
    if len(texts) < 2:
        return "".join(texts)
    return say(f"words-{last}", most=", ".join(texts[:-1]), last=texts[-1])


def _fixed(value: Any) -> Any:
    """An argument as a cache key, in which 1 and True differ."""
    return ("no", "yes")[value] if isinstance(value, bool) else tuple(value) if isinstance(value, list) else value


@lru_cache(maxsize=8192)
def _said(language: str, message: str, is_brief: bool, arguments: tuple[tuple[str, Any], ...]) -> str:
    part = message.partition("-")[0]
    bundle = _bundle(language, part)
    if bundle is None or message not in bundle:
        language, bundle = ENGLISH, _bundle(ENGLISH, part)
    if bundle is None or message not in bundle:
        raise LookupError(message)
    is_brief = is_brief and bundle.has_brief(message)
    given: dict[str, Any] = {}
    with speaking(language):
        for name, value in arguments:
            if name == "card" and value != "none":
                given[name] = card_in_words(value, is_brief=is_brief)
            elif name == "cards":
                given[name] = cards_in_words(value, is_brief=is_brief)
            elif isinstance(value, tuple):
                given[name] = listed(value)
            elif isinstance(value, int) and value < 0:
                given[name] = say("words-minus", number=-value)
            else:
                given[name] = value
    try:
        return bundle.say(message, given, is_brief=is_brief)
    except LookupError as missing:
        raise LookupError(f"{message}: {missing}") from None


@cache
def _bundle(language: str, part: str) -> "Bundle | None":
    """The messages of a part, with common parts of sentences, to which every message may refer; None: missing."""
    from put_text.resolver import Bundle  # noqa: PLC0415  # takes 20 ms, only for programs that show texts

    own = every_message(language, part)
    return Bundle(own, every_message(language, "words")) if own else None


@cache
def every_message(language: str, part: str) -> "Messages":
    """Messages of a part by name; empty: the language does not have the part."""
    from put_text.resolver import Messages  # noqa: PLC0415  # likewise

    file = _FILES / language / f"{part}.ftl"
    return Messages(file.read_text("utf-8") if file.is_file() else "")


def card_in_words(card: Card, *, is_brief: bool = False) -> str:
    """A card: `the 3 of spades`; in brief `3 of spades`."""
    place = place_of(card)
    if place is not None:
        return say("words-place", number=place)
    return say("words-card", is_brief=is_brief, rank=_rank(card), suit=printable(suit_of(card)))


def cards_in_words(cards: Sequence[Card], *, is_brief: bool = False) -> str:
    """Cards in their order: `the 3 of spades and the knave of clubs`; in brief suit by suit: `king and 3 of spades`."""
    if not cards:
        return say("words-no-cards")
    if not is_brief:
        return listed([card_in_words(card) for card in cards])
    suits: dict[str, list[Card]] = {}
    for card in cards:
        has_name = card in _NAMED_TRUMPS or place_of(card) is not None
        suits.setdefault("" if has_name else suit_of(card), []).append(card)
    return ", ".join(_of_suit(suit, of_suit) for suit, of_suit in suits.items())


def _of_suit(suit: str, cards: Sequence[Card]) -> str:
    if not suit or len(cards) == 1:
        return ", ".join(card_in_words(card, is_brief=True) for card in cards)
    ranks = [say("words-rank", rank=_rank(card)) for card in cards]
    return say("words-of-suit", ranks=ranks, suit=suit)


_NAMED_TRUMPS = (FOOL, LE_BASTELEUR, LA_MORT)


def _rank(card: Card) -> str:
    """The rank as messages use it: `K`, `3`, `XXI`, `fool`."""
    if suit_of(card) != TRUMPS or not rank_of(card).isdecimal():
        return printable(rank_of(card))
    return "fool" if card == FOOL else roman(int(rank_of(card)))

"""Facts that sentences must tell of an event, a view or a question, found by their types: no family is known here.

A fact is a card, a player or a number. It is said if its words are in the sentences: a card by its name, a player by
theirs or as the listener, a number in figures or in words. A new family is held to this by being registered.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Any, NamedTuple, get_args, get_type_hints

from msgspec import Struct, structs

from put_protocol.cards import CARD_ORDER, Card
from put_protocol.seats import GALLERY, Seat, Viewer
from put_text.catalogue import card_in_words, say


class Fact(NamedTuple):
    """Something that a listener may know."""

    field: str
    """Where it stands, such as `hand.scores`."""
    kind: type
    """Card, Seat or int."""
    value: object
    place: int | None = None
    """Of a list: which item it is; of a list by seat, whose."""


def facts_in(struct: Struct, path: str = "") -> Iterator[Fact]:
    """Every card, seat and number in it, whatever is at its default left out."""
    hints = _hints(type(struct))
    for field in _fields(type(struct)):
        value = getattr(struct, field.name)
        if not field.required and value == field.default:
            continue
        name = f"{path or type(struct).__name__}.{field.name}"
        yield from _facts_of(value, hints[field.name], name)


@cache
def _fields(kind: type[Struct]) -> tuple[structs.FieldInfo, ...]:
    return structs.fields(kind)


@cache
def _hints(kind: type[Struct]) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _facts_of(value: object, hint: Any, name: str) -> Iterator[Fact]:
    kinds = (hint, *get_args(hint))
    match value:
        case None | bool() | Enum():
            return
        case Struct():
            yield from facts_in(value, name)
        case str() if value in CARD_ORDER:
            yield Fact(name, Card, value)
        case int():
            yield Fact(name, Seat if Seat in kinds else int, value)
        case tuple():
            item = next((arg for arg in get_args(hint) if arg not in (None, type(None), Ellipsis)), None)
            for place, one in enumerate(value):
                yield from (
                    fact._replace(place=place) if fact.place is None else fact for fact in _facts_of(one, item, name)
                )
        case _:
            return


def unsaid(facts: Iterable[Fact], sentences: Iterable[str], names: Iterable[str], you: Viewer) -> list[Fact]:
    """Those that are not in the sentences."""
    text = " ".join(sentences).casefold()
    words = Counter(re.findall(r"[\w']+", text))
    people = list(names)
    return [fact for fact in facts if not _is_said(fact, text, words, people, you)]


def _is_said(fact: Fact, text: str, words: Counter[str], names: list[str], you: Viewer) -> bool:
    value = fact.value
    if fact.kind is Card:
        return card_in_words(Card(str(value))).casefold() in text
    assert isinstance(value, int)
    if fact.kind is Seat:
        called = ("you", "your") if you != GALLERY and value == you else (names[value].casefold(), f"{names[value]}'s")
        return any(words[word.casefold()] for word in called)
    if value < 0:
        is_loss = any(words[word] for word in ("pay", "pays", "lose", "loses", "lost"))
        return f"minus {-value}" in text or (is_loss and _is_counted(-value, words))
    return _is_counted(value, words)


def _is_counted(value: int, words: Counter[str]) -> bool:
    said = [str(value)]
    said += [say("words-number", number=value)]
    said += {0: ["nothing", "nobody", "none", "even"], 1: ["a"]}.get(value, [])
    return any(words[word] for word in said)


_PLAIN = re.compile(r"""[A-Z"0-9][\w\s,.;:?!'"()\u00e9\u2019-]*[.?!]"?\)?""")
"""A sentence of letters, figures and the marks that every screen reader takes for pauses or quotations."""


def flaws_by_ear(sentence: str) -> list[str]:
    """Why a sentence is not fit to be heard alone."""
    flaws = []
    if _PLAIN.fullmatch(sentence) is None:
        flaws.append("is no sentence, or has a sign that is read aloud as nonsense")
    if re.search(r"(?<![\w])-\d", sentence):
        flaws.append("has a number below nothing whose sign is passed over")
    if len(re.findall(r"\w+", sentence)) < 2:
        flaws.append("says nothing to who hears it alone")
    if re.match(
        r"(It|They|He|She|This|That|Them) (?!deal|sitting|hand|table|server|game|is hand|round|is not your move)",
        sentence,
    ):
        flaws.append("is about something that was said before it")
    if re.search(r"(?<!the )\b(?:10|[2-9AKQJ])[shdc]\b", sentence):
        flaws.append("has a card in figures")
    return flaws


def cards_named(sentences: Iterable[str]) -> set[Card]:
    """Every card that is named in them."""
    return {_CARD_NAMED[found[1]] for found in _NAME.finditer(" ".join(sentences).casefold())}


_CARD_NAMED = {card_in_words(Card(card)).casefold(): Card(card) for card in CARD_ORDER}
_NAME = re.compile(rf"(?<!\w)(?=({'|'.join(map(re.escape, _CARD_NAMED))})(?!\w))")
"""Looked for everywhere, also within another; no name is the beginning of another."""

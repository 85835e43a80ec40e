"""Choices of a decision in words: each with its number, or grouped if they differ only in a card or an amount.

No knowledge of games is needed: the types and values of actions show what choices have in common.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct, structs

from put_protocol.cards import Card
from put_protocol.games.unions import Choice
from put_protocol.games.unknown import UnknownAction
from put_protocol.text import printable
from put_text.catalogue import card_in_words, listed, say, vocabulary

_PARTICLES = frozenset({"in", "away", "on"})
"""Words that belong to the verb before them."""


def format_choices(legal: Sequence[Choice]) -> str:
    """Every choice after its number, as `parse` accepts it: `1 lead the 3 of spades; 2 say "I put"`."""
    return say("words-semicolon").join(f"{number} {_whole(choice)}" for number, choice in enumerate(legal, 1))


def grouped_choices(legal: Sequence[Choice], told: Mapping[str, str]) -> str:
    """The choices with their numbers, similar ones together: `1 and 2 lead the 3 of spades or the 4 of clubs; 3 to 8
    raise by 1 to 6`. `told`: `consequences` that are known, and left out."""
    said, number = [], 1
    for choices in _grouped_by_kind(legal):
        last = number + len(choices) - 1
        grouped = _in_one(choices)
        if grouped is None:
            for place, choice in enumerate(choices, number):
                phrase, whole = _before_colon(choice), _whole(choice)
                said.append(f"{place} {phrase if told.get(phrase) == whole else whole}")
        else:
            said.append(say("plain-choices", count=len(choices), first=number, last=last, choices=grouped))
        number = last + 1
    return say("words-semicolon").join(said)


def choices_in_brief(legal: Sequence[Choice]) -> str:
    """The kinds of choices: `lead or put`, `see, raise by 1 to 6 or refuse`."""
    return listed([_in_brief(choices) for choices in _grouped_by_kind(legal)], "or")


def values_of(action: Struct) -> Mapping[str, Any]:
    return action.values if isinstance(action, UnknownAction) else structs.asdict(action)


def tag_words(action: Struct) -> str:
    """The last part of an action's tag in words: `throw in`."""
    tag = action.tag if isinstance(action, UnknownAction) else str(action.__struct_config__.tag)
    return tag.rpartition(".")[2].replace("_", " ").casefold()


def card_of(action: Struct) -> Card | None:
    """The card of an action whose only value is a card."""
    card = _only_value(action)
    return Card(card) if isinstance(card, str) and "card" in values_of(action) else None


def _only_value(action: Struct) -> Any:
    values = list(values_of(action).values())
    return values[0] if len(values) == 1 else None


def _grouped_by_kind(legal: Sequence[Choice]) -> Iterator[list[Choice]]:
    for _, choices in groupby(legal, lambda choice: tag_words(choice.action)):
        yield list(choices)


def alternatives(choices: Sequence[Choice]) -> str:
    """Alternatives: `the 3 of spades or the 3 of diamonds`, `raise by 1 to 6`."""
    cards = [card for choice in choices if (card := card_of(choice.action)) is not None]
    if len(cards) == len(choices):
        return listed([card_in_words(card) for card in cards], "or")
    says = [
        _amounts(alike) or _sets(alike) or listed([*map(_before_colon, alike)], "or")
        for alike in _grouped_by_kind(choices)
    ]
    return listed(says, "or")


def consequences(legal: Sequence[Choice], told: Mapping[str, str]) -> Mapping[str, str]:
    """The phrase of each choice by its part before the consequence; empty: it had another consequence before, so each
    is told. Cards, and choices that are told together, have no consequence."""
    alone = [choice for choices in _grouped_by_kind(legal) if _in_one(choices) is None for choice in choices]
    whole = {_before_colon(choice): _whole(choice) for choice in alone if card_of(choice.action) is None}
    return {**told, **{phrase: says if told.get(phrase, says) == says else "" for phrase, says in whole.items()}}


def _whole(choice: Choice) -> str:
    return printable(choice.says)


def _before_colon(choice: Choice) -> str:
    return printable(choice.says).partition(":")[0].rstrip()


def _in_one(choices: Sequence[Choice]) -> str | None:
    """Similar choices in one phrase; None: each has a phrase of its own."""
    return _amounts(choices) or _cards(choices) or _sets(choices)


def _amounts(choices: Sequence[Choice]) -> str | None:
    """`raise by 1 to 6`; None: the choices are not consecutive amounts."""
    amounts = [_only_value(choice.action) for choice in choices]
    first = _before_colon(choices[0])
    if len(amounts) < 2 or not all(type(amount) is int for amount in amounts):
        return None
    is_row = amounts == list(range(amounts[0], amounts[0] + len(amounts)))
    has_amount = is_row and first.endswith(f" {amounts[0]}")
    return say("plain-amounts", first=first, last=amounts[-1]) if has_amount else None


def _cards(choices: Sequence[Choice]) -> str | None:
    """`lead the 3 of spades or the 4 of clubs`; None: the choices do not have one card each."""
    if len(choices) < 2 or any(card_of(choice.action) is None for choice in choices):
        return None
    heads = [_before_colon(choice).split(" ") for choice in choices]
    verb = heads[0][:1]
    if any(head[:1] != verb for head in heads) or all(head == heads[0] for head in heads):
        return None
    shared = next(place for place in range(len(heads[0]) + 1) if len({tuple(head[: place + 1]) for head in heads}) > 1)
    articles = vocabulary("plain-articles")
    shared = min(shared, next((at for at, word in enumerate(heads[0]) if word.partition("'")[0] in articles), shared))
    return f"{' '.join(heads[0][:shared])} {listed([' '.join(head[shared:]) for head in heads], 'or')}"


def _sets(choices: Sequence[Choice]) -> str | None:
    """`trade one or two cards`; None: the choices are not sets of cards."""
    sets = [_only_value(choice.action) for choice in choices]
    if len(sets) < 2 or not all(isinstance(cards, tuple | list) for cards in sets):
        return None
    sizes = sorted({len(cards) for cards in sets})
    return say(
        "plain-sets",
        verb=_verb(_before_colon(choices[0])),
        sizes=listed([say("words-number", number=size) for size in sizes], "or"),
        most=sizes[-1],
    )


def _in_brief(choices: Sequence[Choice]) -> str:
    action, head = choices[0].action, _before_colon(choices[0])
    if card_of(action) is not None:
        return _verb(head)
    words = tag_words(action)
    if len(choices) > 1:
        return _amounts(choices) or _verb(head)
    if head.startswith(words):
        return _verb(head)
    return words if words in head.replace('"', "").split() else head


def _verb(head: str) -> str:
    """The first word of a phrase, with its particle: `throw in`."""
    first, *rest = head.split(" ")
    return " ".join([first, *rest[: bool(rest) and rest[0] in _PARTICLES]])

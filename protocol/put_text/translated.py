"""A server's messages with texts in the language of this context. Pure.

The server sends all texts in English. If `hello` names a language, it adds messages of the catalogue to choices,
questions, refusals, notices and goodbyes. Other texts are looked up in the catalogue by their English, with arguments
in between. An unknown text stays English.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, TypeVar

from msgspec.structs import replace

from put_protocol import messages
from put_protocol.games.unions import Choice
from put_protocol.messages import ServerMessage
from put_protocol.offers import GameOffer, OptionOffer
from put_protocol.text import Phrase, sentence
from put_text.catalogue import ENGLISH, LANGUAGE, every_message, forms_in_english, say, say_in_english, translated

_PARTS = ("refused", "offer", "rules", "usage")


_M = TypeVar("_M", bound=ServerMessage)
_Q = TypeVar("_Q", messages.Decision, messages.Question)


def in_language(message: _M) -> _M:
    """The message for display, in the language of this context."""
    if LANGUAGE.get() == ENGLISH:
        return message
    match message:
        case messages.Decision():
            return asked(message)  # type: ignore[return-value]  # of the same type
        case messages.Notice():
            message = with_phrase(message)
            return replace(message, says=translated(message.phrase, message.says))
        case messages.Refused() | messages.Goodbye() | messages.Left():
            return replace(message, says=translated(message.phrase or _recognised(message.says), message.says))
        case messages.Analysis() | messages.Recalled() | messages.Advice() | messages.Position() | messages.Judgement():
            return replace(message, flaw=in_own_words(message.flaw))
        case messages.Welcome(games=games, houses=houses):
            said = [replace(house, meaning=in_own_words(house.meaning)) for house in houses]
            return replace(message, games=tuple(map(offer_in_language, games)), houses=tuple(said))
        case _:
            return message


def with_phrase(message: _M) -> _M:
    """The message with its text as a message of the catalogue, if the catalogue has it."""
    if isinstance(message, messages.Refused | messages.Goodbye | messages.Left | messages.Notice):
        return replace(message, phrase=message.phrase or _recognised(message.says))
    return message


def notice_in_words(notice: messages.Notice) -> str:
    """A notice with its speaker: the server, if the catalogue has its text, and otherwise the operator."""
    speaker = "operator" if with_phrase(notice).phrase is None else "server"
    return say("heard-notice", speaker=speaker, says=sentence(notice.says))


def asked(question: _Q) -> _Q:
    """A decision with its texts in the language of this context, and without catalogue messages."""
    return replace(
        question,
        asks=translated(question.asks_phrase, question.asks),
        why=translated(question.why_phrase, question.why),
        legal=said_choices(question.legal),
        asks_phrase=None,
        why_phrase=None,
    )


def said_choices(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """The choices with their text in the language of this context, and without other fields."""
    return tuple([Choice(choice.action, translated(choice.phrase, choice.says)) for choice in choices])


def in_own_words(english: str) -> str:
    """An English text in the language of this context, if it is known."""
    return english if LANGUAGE.get() == ENGLISH else translated(_recognised(english), english)


def offer_in_language(offer: GameOffer) -> GameOffer:
    if LANGUAGE.get() == ENGLISH:
        return offer
    return replace(
        offer,
        title=in_own_words(offer.title),
        source=in_own_words(offer.source),
        summary=in_own_words(offer.summary),
        rules=tuple(map(in_own_words, offer.rules)),
        options=tuple(map(_option, offer.options)),
    )


def _option(option: OptionOffer) -> OptionOffer:
    changes = [replace(change, says=in_own_words(change.says)) for change in option.changes]
    return replace(option, meaning=in_own_words(option.meaning), changes=tuple(changes))


@lru_cache(maxsize=1024)
def _recognised(english: str) -> Phrase | None:
    """The message with this English text, with its arguments."""
    exact, patterns = _known()
    if english in exact:
        return exact[english]
    for begins, pattern, phrase in patterns:
        if english.startswith(begins) and (found := re.fullmatch(pattern, english)):
            return Phrase(
                phrase.id, {**phrase.args, **{name: _value(text) for name, text in found.groupdict().items()}}
            )
    return None


@cache
def _known() -> tuple[dict[str, Phrase], list[tuple[str, str, Phrase]]]:
    """English texts without arguments; and those with arguments, each with its beginning and its pattern, the most
    specific first."""
    exact: dict[str, Phrase] = {}
    patterns: list[tuple[int, tuple[str, str, Phrase]]] = []
    for message in [one for part in _PARTS for one in every_message(ENGLISH, part)]:
        for parts, chosen in forms_in_english(message):
            phrase = Phrase(message, {**chosen})
            texts = [text for text, is_argument in parts if not is_argument]
            if len(texts) == len(parts):
                exact["".join(texts)] = phrase
                continue
            names, pattern = set[str](), ""
            for text, is_argument in parts:
                pattern += (f"(?P={text})" if text in names else f"(?P<{text}>.+?)") if is_argument else re.escape(text)
                names |= {text} if is_argument else set()
            begins = "" if parts[0][1] else parts[0][0]
            patterns.append((len("".join(texts)), (begins, pattern, phrase)))
    return exact, [found for _, found in sorted(patterns, key=lambda one: -one[0])]


def _value(text: str) -> Any:
    """Value of an argument in a text; a number in figures or words becomes a number."""
    return int(text) if text.isascii() and text.isdecimal() else _numbers().get(text, text)


@cache
def _numbers() -> dict[str, int]:
    return {say_in_english("words-number", number=number): number for number in range(11)}

"""Texts of the rules, from the catalogue: choices, and a table's rules for a player who has only a screen."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from put_protocol.games.unions import Action, Choice
from put_protocol.offers import GameOffer, OptionOffer, RuleChange
from put_protocol.text import Phrase
from put_text.catalogue import forms_in_english, has_message, in_english, say_in_english, translated

Value = str | int


def choice_in_words(action: Action, message: str, **arguments: Value | tuple[str, ...]) -> Choice:
    """A choice with its text: a message, also rendered in English."""
    return Choice(action, say_in_english(message, **arguments), Phrase(message, {**arguments}), action.IS_UNSEEN)


class Wording(NamedTuple):
    """The question to the seat to move, and the reason why it has exactly these actions. Neither tells a secret."""

    asks: str
    why: str
    asks_phrase: Phrase | None
    why_phrase: Phrase | None

    def spoken(self) -> tuple[str, str]:
        """Question and reason in the language of this context."""
        return translated(self.asks_phrase, self.asks), translated(self.why_phrase, self.why)


def wording_of(asks: Phrase | str, why: Phrase | str) -> Wording:
    """The wording from messages of the catalogue, or from sentences."""
    asks_phrase, why_phrase = (said if isinstance(said, Phrase) else None for said in (asks, why))
    return Wording(in_english(asks), in_english(why), asks_phrase, why_phrase)


class Gist(str):
    """A line that a newcomer needs before a first game."""

    __slots__ = ()


class Line(NamedTuple):
    """A line that depends on one option, whose value is `$value` in the message. An empty form omits the line."""

    option: str
    message: str
    is_gist: bool = False
    """A newcomer needs it before a first game."""


Prose = Sequence[str | Line]
"""Lines of the rules, one or a few sentences each: names of messages, or plain sentences."""


def in_words(text: str) -> str:
    """The message with this name in English; otherwise the text itself."""
    return say_in_english(text) if has_message(text) else str(text)


def with_prose(offer: GameOffer, prose: Prose, fixed: Mapping[str, Value] | None = None) -> GameOffer:
    """The offer with its texts, and its rules for default options, with the changes of each option. `fixed`: values of
    options that this rule set does not let a table choose."""
    values = {**(fixed or {}), **offer.defaults}
    rules = [in_words(one) if isinstance(one, str) else _under(one, values[one.option]) for one in prose]
    primer = [
        at for at, line in enumerate(prose) if (line.is_gist if isinstance(line, Line) else isinstance(line, Gist))
    ]
    options = [
        replace(one, meaning=in_words(one.meaning), changes=tuple(_changes(one, prose))) for one in offer.options
    ]
    return replace(
        offer,
        title=in_words(offer.title),
        source=in_words(offer.source),
        summary=in_words(offer.summary),
        rules=tuple(rules),
        options=tuple(options),
        primer=tuple(primer),
    )


def _under(line: Line, value: Value) -> str:
    return say_in_english(line.message, value=value)


def _changes(option: OptionOffer, prose: Prose) -> Iterator[RuleChange]:
    """Forms of the lines that depend on the option: one for each listed value, and one with `{}` for other values."""
    for at, line in enumerate(prose):
        if isinstance(line, Line) and line.option == option.name:
            named = dict.fromkeys(chosen.get("value", "other") for _, chosen in forms_in_english(line.message))
            known = {str(value): value for value in option.values}
            for name in named:
                value = None if name == "other" else known.get(name, int(name) if name.isdecimal() else name)
                if value != option.default:
                    yield RuleChange(at, _under(line, "{}" if value is None else value), value)

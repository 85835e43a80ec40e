"""Rules in prose, for a player who has nothing but a screen, as a table's options have them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from put_protocol.games.unions import Action, Choice
from put_protocol.offers import GameOffer, OptionOffer, RuleChange
from put_protocol.text import Phrase
from put_text.catalogue import ENGLISH, said_in

Value = str | int


def choice_in_words(action: Action, message: str, **arguments: Value) -> Choice:
    """A choice with the message that is its words, and these in English."""
    return Choice(action, said_in(ENGLISH, message, arguments), Phrase(message, {**arguments}))


class Gist(str):
    """A line that a newcomer needs before a first game."""

    __slots__ = ()


class Line(NamedTuple):
    """A line of the rules that depends on one option."""

    option: str
    says: Mapping[Value | None, str]
    """Sentences by value; under None what the line says of every other, with `{}` for it. Empty: there is no such
    line."""
    is_gist: bool = False
    """A newcomer needs it before a first game."""

    def under(self, value: Value) -> str:
        """The line as it reads under this value."""
        return self.says[value if value in self.says else None].replace("{}", str(value))


Prose = Sequence[str | Line]
"""Lines of the rules, a sentence or a few each."""


def with_prose(offer: GameOffer, prose: Prose, fixed: Mapping[str, Value] | None = None) -> GameOffer:
    """The offer with its rules: as its options' defaults have them, and with each option what that changes.

    `fixed`: values of options that a table of this rule set cannot choose.
    """
    values = {**(fixed or {}), **{option.name: option.default for option in offer.options}}
    rules = [str(line) if isinstance(line, str) else line.under(values[line.option]) for line in prose]
    primer = [
        at for at, line in enumerate(prose) if (line.is_gist if isinstance(line, Line) else isinstance(line, Gist))
    ]
    options = tuple([replace(option, changes=_changes(option, prose)) for option in offer.options])
    return replace(offer, rules=tuple(rules), options=options, primer=tuple(primer))


def _changes(option: OptionOffer, prose: Prose) -> tuple[RuleChange, ...]:
    return tuple(
        RuleChange(at, says, value)
        for at, line in enumerate(prose)
        if isinstance(line, Line) and line.option == option.name
        for value, says in line.says.items()
        if value != option.default
    )

"""Registry of presenters by the type of event or view, and the presenter of families that have none of their own."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, get_args

from msgspec import Struct

from put_protocol.games.put import PutEvent, PutView
from put_protocol.seats import Seat
from put_protocol.text import printable
from put_text.phrases import Speaker
from put_text.presenters import put
from put_text.struct_text import split, words_of


class Presenter(Protocol):
    """A family of games in clauses: without a capital at the beginning, or a full stop at the end."""

    def event_clause(self, event: Any, who: Speaker) -> str:
        """One clause that says all the event does."""
        ...

    def view_clauses(self, view: Any, who: Speaker) -> Iterable[str]:
        """The whole game as it stands, a clause each."""
        ...

    def introduction_clauses(self, view: Any, who: Speaker) -> Iterable[str]:
        """What to know before the first card, a clause each."""
        ...


class PlainValues:
    """The presenter of a family that is not known here: the name of each field, and its value."""

    def event_clause(self, event: Struct, who: Speaker) -> str:
        name, fields = split(words_of(event))
        values = [_value(field, text, who) for field, text in fields.items()]
        return f"{_plain(name)}{': ' if values else ''}{', '.join(values)}"

    def view_clauses(self, view: Struct, who: Speaker) -> Iterable[str]:
        return [_value(field, text, who) for field, text in split(words_of(view)).fields.items()]

    def introduction_clauses(self, view: Struct, who: Speaker) -> Iterable[str]:
        return ()


def _value(field: str, text: str, who: Speaker) -> str:
    is_seat = field == "seat" and text.isdecimal()
    return f"{_plain(field)} {who.name(Seat(int(text))) if is_seat else printable(text)}"


def _plain(name: str) -> str:
    return name.replace("_", " ")


PRESENTERS: Mapping[type, Presenter] = dict.fromkeys((*get_args(PutEvent), PutView), put)
"""By the type of event or view. A family adds a line."""


def presenter_of(struct: Struct) -> Presenter:
    """Who puts this event or view in words."""
    return PRESENTERS.get(type(struct)) or PlainValues()

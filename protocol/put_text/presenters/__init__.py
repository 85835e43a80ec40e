"""Presenters: the events and views of each family of games in words, and notes for beginners; a module a family.

The presenter of an event, a view or an action is found by its type. `plain_values` stands in for a family that has
none, and its choices are told in the server's own words (`Choice.says`).
"""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from msgspec import Struct

from put_protocol.games.families import FAMILIES
from put_text.catalogue import has_message, say, vocabulary
from put_text.phrases import Speaker
from put_text.presenters import plain_values


class Presenter(Protocol):
    """A family of games in clauses: without a capital at the beginning, or a full stop at the end."""

    @property
    def GRAVE(self) -> tuple[type[Struct], ...]:  # noqa: N802  # a constant of a module
        """Actions that decide a hand or a game, so that a person is asked about them once more."""

    def event_clause(self, event: Any, who: Speaker) -> str:
        """One clause that says all the event does."""

    def view_clauses(self, view: Any, who: Speaker) -> Iterable[str]:
        """The whole game as it stands, a clause each; the last says whose move it is."""

    def introduction_clauses(self, view: Any, who: Speaker) -> Iterable[str]:
        """Facts to know before the first card, a clause each."""

    def score_clauses(self, view: Any, who: Speaker) -> Iterable[str]:
        """The score, or the gains of each player and what is still to be won, a clause each."""


_module: Callable[[str], Any] = import_module

PRESENTERS: dict[str, Presenter] = {
    family: _module(f"{__name__}.{family}") for family in FAMILIES if find_spec(f"{__name__}.{family}") is not None
}
"""By the name of the family, which may have none."""

_FAMILY_OF: Mapping[type, str] = {
    struct: family.name for family in FAMILIES.values() for struct in (family.view, *family.events, *family.actions)
}


def presenter_of(struct: Struct) -> Presenter:
    """The presenter of this event, view or action."""
    return PRESENTERS.get(_FAMILY_OF.get(type(struct), ""), plain_values)


def typed_words(action: type[Struct]) -> frozenset[str]:
    """Words that are typed for an action, or before its values, beside its tag and the server's phrase for it."""
    message = _message_about(action, "typed")
    presenter = PRESENTERS.get(_FAMILY_OF.get(action, ""), plain_values)
    return vocabulary(message) if message else getattr(presenter, "TYPED", {}).get(action, frozenset())


def why_not(words: str, action: Struct) -> str | None:
    """The reason words for an action of this one's family mean none that is legal now; None: they are words for no
    action."""
    family = FAMILIES.get(_FAMILY_OF.get(type(action), ""))
    for kind in () if family is None else family.actions:
        message = _message_about(kind, "cannot")
        has_values = bool(kind.__struct_fields__)
        for phrase in typed_words(kind) if message else ():
            if words == phrase or (has_values and words.startswith(f"{phrase} ")):
                return say(message)
    return None


def _message_about(action: type[Struct], about: str) -> str:
    """The message of the family about an action; empty: there is none."""
    tag = str(action.__struct_config__.tag).rpartition(".")[2].replace("_", "-")
    message = f"{_FAMILY_OF.get(action, 'words')}-{about}-{tag}"
    return message if has_message(message) else ""


def families_in_words() -> tuple[str, ...]:
    """The families that have a presenter here, for the `knows` of a `hello`."""
    return tuple(PRESENTERS)

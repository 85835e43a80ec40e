"""Registry of presenters by family; `plain_values` stands in for a family that has none."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from put_protocol.games.families import FAMILIES
from put_text.family_modules import family_modules
from put_text.phrases import Speaker
from put_text.presenters import plain_values


class Presenter(Protocol):
    """A family of games in clauses: without a capital at the beginning, or a full stop at the end."""

    @property
    def TYPED(self) -> Mapping[type[Struct], frozenset[str]]:  # noqa: N802  # a constant of a module
        """Words typed for an action, or before its values, beside its tag and the server's phrase for it."""

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

    def why_not(self, words: str) -> str | None:
        """The reason words for an action mean none that is legal now; None: they are words for no action."""


PRESENTERS: dict[str, Presenter] = family_modules(__package__)
"""Listed by the name of the family."""

_FAMILY_OF: Mapping[type, str] = {
    struct: family.name for family in FAMILIES.values() for struct in (family.view, *family.events, *family.actions)
}


def presenter_of(struct: Struct) -> Presenter:
    """The presenter of this event, view or action."""
    return PRESENTERS.get(_FAMILY_OF.get(type(struct), ""), plain_values)


def families_in_words() -> tuple[str, ...]:
    """The families that have a presenter here, for the `knows` of a `hello`."""
    return tuple(PRESENTERS)

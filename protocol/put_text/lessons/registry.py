"""Registry of lessons by family."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from put_protocol.games.families import FAMILIES
from put_text.lessons.lesson import AtDecision, AtEvent


class FamilyLessons(Protocol):
    """The lessons of a family; the name of each begins with the family's."""

    @property
    def AT_EVENTS(self) -> Mapping[type, tuple[str, AtEvent]]:  # noqa: N802  # a constant of a module
        """Lessons due at an event, by its type."""
        ...

    @property
    def AT_DECISIONS(self) -> tuple[tuple[str, AtDecision], ...]:  # noqa: N802  # a constant of a module
        """The most pressing first: one at a decision is enough."""
        ...


def _found(family: str) -> FamilyLessons | None:
    """The module that is called as the family, if there is one."""
    name = f"{__package__}.{family}"
    lessons: Any = None if find_spec(name) is None else import_module(name)
    found: FamilyLessons | None = lessons
    return found


LESSONS: Mapping[str, FamilyLessons] = {name: found for name in FAMILIES if (found := _found(name)) is not None}

AT_EVENTS: Mapping[type, tuple[str, AtEvent]] = {
    event: lesson for family in LESSONS.values() for event, lesson in family.AT_EVENTS.items()
}

NAMES = frozenset(
    [name for name, _ in AT_EVENTS.values()] + [name for family in LESSONS.values() for name, _ in family.AT_DECISIONS]
)
"""Names of all lessons."""

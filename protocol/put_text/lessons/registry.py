"""Registry of lessons by family."""

from collections.abc import Mapping
from typing import Protocol

from put_text.lessons import primero, put, triomphe
from put_text.lessons.lesson import AtDecision, AtEvent


class FamilyLessons(Protocol):
    """The lessons of a family; the name of each begins with the family's."""

    @property
    def AT_EVENTS(self) -> Mapping[type, tuple[str, AtEvent]]:  # noqa: N802  # a constant of a module
        """By event."""
        ...

    @property
    def AT_DECISIONS(self) -> tuple[tuple[str, AtDecision], ...]:  # noqa: N802  # a constant of a module
        """The most pressing first: one at a decision is enough."""
        ...


LESSONS: Mapping[str, FamilyLessons] = {"put": put, "triomphe": triomphe, "primero": primero}

AT_EVENTS: Mapping[type, tuple[str, AtEvent]] = {
    event: lesson for family in LESSONS.values() for event, lesson in family.AT_EVENTS.items()
}

NAMES = frozenset(
    [name for name, _ in AT_EVENTS.values()] + [name for family in LESSONS.values() for name, _ in family.AT_DECISIONS]
)
"""Of all lessons."""

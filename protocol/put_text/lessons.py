"""Notes for beginners: a few sentences each, when they matter. Pure.

The presenter of a family may have tables of lessons, whose names begin with the family's. Each lesson determines when
it is due, and its words come from the view, the event or the server's words for the choices, so that they are true
under every rule set.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

from put_protocol.games.families import family_of
from put_protocol.games.unions import GameView
from put_protocol.messages import Decision, Events, TableSnapshot
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameStarted
from put_protocol.text import capitalized, printable
from put_text.catalogue import say
from put_text.presenters import PRESENTERS


class Lesson(NamedTuple):
    name: str
    """Identifier of a lesson: `put.tie`."""
    says: str


class Sight(NamedTuple):
    """View of one player at an event, or at a decision of theirs."""

    seat: Seat
    names: tuple[str, ...]
    view: Any
    """View of the family of games."""

    def name(self, seat: Seat) -> str:
        return printable(self.names[seat]) if seat < len(self.names) and self.names[seat] else say("lesson-opponent")


AtEvent = Callable[[Any, Sight], str]
AtDecision = Callable[[Decision, Sight], str]
"""The words of a lesson; empty: not due."""


LESSONS: Mapping[str, tuple[tuple[str, AtDecision], ...]] = {
    name: family.LESSONS_AT_DECISIONS for name, family in PRESENTERS.items() if hasattr(family, "LESSONS_AT_DECISIONS")
}
"""Lessons at a decision by family, the most important first: only one is shown."""

LESSON_AT_EVENT: Mapping[type, tuple[str, AtEvent]] = {
    event: lesson
    for family in PRESENTERS.values()
    for event, lesson in getattr(family, "LESSONS_AT_EVENTS", {}).items()
}

NAMES = frozenset(name for name, _ in (*LESSON_AT_EVENT.values(), *chain.from_iterable(LESSONS.values())))


class Lessons:
    """Lessons of one player, at one table after another. `known`: lessons not to be repeated."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.known = set(known)
        self._table = 0
        self._sight: Sight | None = None

    def take(self, message: object) -> tuple[Lesson, ...]:
        """Lessons due after a message; they count as shown."""
        match message:
            case TableSnapshot(viewer=viewer, info=info, view=view):
                names = tuple([seat.name or "" for seat in info.seats])
                self._table = message.table
                self._sight = None if viewer == GALLERY else Sight(Seat(viewer), names, view)
            case Events() if message.table == self._table and self._sight is not None:
                return self._after(self._sight, message)
            case Decision() if message.table == self._table and self._sight is not None:
                return self._asked(self._sight, message)
            case _:
                pass
        return ()

    def _after(self, sight: Sight, news: Events) -> tuple[Lesson, ...]:
        due: list[Lesson] = []
        for event in news.events:
            if isinstance(event, GameStarted):
                sight = sight._replace(names=event.names)
            if type(event) in LESSON_AT_EVENT:
                name, words = LESSON_AT_EVENT[type(event)]
                due += self._learned(name, "" if name in self.known else words(event, sight))
        self._sight = sight if news.view is None else sight._replace(view=news.view)
        return tuple(due)

    def _asked(self, sight: Sight, decision: Decision) -> tuple[Lesson, ...]:
        view: GameView | None = sight.view
        if view is None:
            return ()
        for name, words in LESSONS.get(family_of(view).name, ()):
            if due := self._learned(name, "" if name in self.known else words(decision, sight)):
                return due
        return ()

    def _learned(self, name: str, says: str) -> tuple[Lesson, ...]:
        if not says:
            return ()
        self.known.add(name)
        return (Lesson(name, capitalized(says.strip())),)

"""The events of a table, numbered for each viewer from 1 without gaps, the last of them kept for who comes back."""

from collections import deque
from collections.abc import Iterable

from msgspec import Struct

from put_protocol.games.unions import (
    Event,
)
from put_protocol.seats import Viewer
from put_server.games.facts import Fact

TAIL = 32
"""Facts kept: about three hands of Put, or half a minute of quick play; an older drop is mended with a snapshot."""


class Told(Fact):
    """A fact of which only is known what each viewer was told of it."""

    __slots__ = ("_events",)

    def __init__(self, events: dict[Viewer, Event | None]) -> None:
        self._events = events

    def seen_by(self, viewer: Viewer) -> Event | None:
        return self._events[viewer]


class EventLogCheckpoint(Struct, frozen=True):
    """A ledger at rest; an item a viewer, the gallery last."""

    numbers: tuple[int, ...]
    begun: tuple[int, ...]
    tail: tuple[tuple[Event | None, ...], ...]


class EventLog:
    """Counts what each viewer was told."""

    __slots__ = ("_begun", "_numbers", "_tail")

    def __init__(self, viewers: Iterable[Viewer]) -> None:
        self._numbers: dict[Viewer, int] = dict.fromkeys(viewers, 0)
        self._begun: dict[Viewer, int] = dict.fromkeys(self._numbers, 0)
        self._tail: deque[Fact] = deque(maxlen=TAIL)

    def checkpoint(self) -> EventLogCheckpoint:
        viewers = tuple(self._numbers)
        return EventLogCheckpoint(
            tuple(self._numbers.values()),
            tuple(self._begun.values()),
            tuple([tuple([fact.seen_by(viewer) for viewer in viewers]) for fact in self._tail]),
        )

    def restore(self, kept: EventLogCheckpoint) -> None:
        """Go on as the ledger of the same viewers was."""
        viewers = tuple(self._numbers)
        self._numbers = dict(zip(viewers, kept.numbers, strict=True))
        self._begun = dict(zip(viewers, kept.begun, strict=True))
        self._tail.extend(Told(dict(zip(viewers, events, strict=True))) for events in kept.tail)

    def number(self, viewer: Viewer) -> int:
        """Of the last event this viewer was told."""
        return self._numbers[viewer]

    def begin(self, viewer: Viewer) -> None:
        """Somebody else is this viewer from now on, and may never learn what the one before them was told.

        Their numbers begin above every number they may have from elsewhere at the table, so none is taken for another.
        """
        self._numbers[viewer] = self._begun[viewer] = max(self._numbers.values()) + 1

    def record(self, facts: tuple[Fact, ...]) -> dict[Viewer, tuple[Event, ...]]:
        """Note the facts; returns what each viewer sees of them."""
        self._tail.extend(facts)
        seen: dict[Viewer, tuple[Event, ...]] = {}
        for viewer in self._numbers:
            events = tuple([event for fact in facts if (event := fact.seen_by(viewer)) is not None])
            self._numbers[viewer] += len(events)
            seen[viewer] = events
        return seen

    def since(self, viewer: Viewer, number: int) -> tuple[Event, ...] | None:
        """What this viewer was told after the event of that number; None when it is no longer, or was never, known."""
        missing = self._numbers[viewer] - number
        if missing < 0 or number < self._begun[viewer]:
            return None
        events: list[Event] = []
        for fact in reversed(self._tail):
            if len(events) == missing:
                break
            if (event := fact.seen_by(viewer)) is not None:
                events.append(event)
        return tuple(reversed(events)) if len(events) == missing else None

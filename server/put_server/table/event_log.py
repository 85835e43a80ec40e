"""Event log of a table: events numbered for each viewer from 1 without gaps, the last of them kept for a reconnect.

The log counts per viewer, not per table: an event that a viewer may not know of would otherwise show as a gap in their
numbers, and a gap tells that something happened. A number is given when the fact is recorded, and whoever sees the
table as that viewer is sent every event in the order of the numbers; so a client that holds number n and receives
n + 1 knows that it has missed nothing, and one that receives anything else knows that it has. Two things would break
this: to send events that were not recorded, and to record facts and not send them. Only `publisher` does either, and it
does both together.

What is kept is the facts, not what each viewer saw of them: a tail for every viewer costs no more than one. Of a fact
that all see alike it is the event, for half of the memory.
"""

from collections.abc import Iterable
from functools import lru_cache

from put_protocol.games.families import FAMILIES
from put_protocol.games.unions import Event
from put_protocol.seats import Viewer
from put_rules.facts import Fact, Open
from put_rules.live_deal import seen_by
from put_server.table.table_checkpoint import EventLogCheckpoint

TAIL = 32
"""Facts kept: about three hands of Put, or half a minute of quick play; an older drop is mended with a snapshot."""

_OF_GAMES = frozenset([event for family in FAMILIES.values() for event in family.events])
"""Events that name no person, and are like many others."""


@lru_cache(maxsize=1024)
def _shared(event: Event) -> Event:
    """One event for all tables, of those that are equal: their tails are mostly made of the same few hundred."""
    return event


class RestoredFact(Fact):
    """A fact from a checkpoint: of it only is known what each viewer saw."""

    __slots__ = ("_events",)

    def __init__(self, events: dict[Viewer, Event | None]) -> None:
        self._events = events

    def seen_by(self, viewer: Viewer) -> Event | None:
        return self._events[viewer]


class EventLog:
    """Numbers and tail of the events of every viewer."""

    __slots__ = ("_begun", "_started", "_tail", "numbers")

    def __init__(self, viewers: Iterable[Viewer]) -> None:
        self.numbers: dict[Viewer, int] = dict.fromkeys(viewers, 0)
        """Number of each viewer's last event."""
        self._begun: tuple[int, ...] = (0,) * len(self.numbers)
        """The number after which each viewer may be told events, in the same order."""
        self._started: tuple[int, ...] = ()
        """Numbers at the last start of the server; none: the table is of later."""
        self._tail: list[Fact | Event] = []

    def checkpoint(self, *, has_tail: bool = True) -> EventLogCheckpoint:
        """The log at rest. Without a tail, who missed an event gets a snapshot: entries of blind deals are large."""
        viewers, tail = tuple(self.numbers), self._tail if has_tail else []
        return EventLogCheckpoint(
            tuple(self.numbers.values()),
            self._begun,
            tuple([tuple([_seen(kept, viewer) for viewer in viewers]) for kept in tail]),
            self._started,
        )

    def restore(self, checkpoint: EventLogCheckpoint) -> None:
        viewers = tuple(self.numbers)
        self.numbers = dict(zip(viewers, checkpoint.numbers, strict=True))
        self._begun = checkpoint.begun
        self._started = checkpoint.started
        self._tail.extend(RestoredFact(dict(zip(viewers, events, strict=True))) for events in checkpoint.tail)

    def note_start(self) -> None:
        self._started = tuple(self.numbers.values())

    def number_at_start(self, viewer: Viewer) -> int:
        """Number of a viewer's last event before the last start of the server, the most that any client can have."""
        return self._started[self._place(viewer)] if self._started else 0

    def forget(self) -> None:
        """Keep the numbers and none of the events: a viewer who missed one gets a snapshot."""
        self._tail.clear()

    def begin(self, viewer: Viewer) -> None:
        """Another person is this viewer from now on, and may never learn what the one before them saw. Their numbers
        begin above every number they may have from elsewhere at the table, so none is taken for another."""
        self.numbers[viewer] = begun = max(self.numbers.values()) + 1
        place = self._place(viewer)
        self._begun = (*self._begun[:place], begun, *self._begun[place + 1 :])

    def _place(self, viewer: Viewer) -> int:
        return list(self.numbers).index(viewer)

    def record(self, facts: tuple[Fact, ...]) -> dict[Viewer, tuple[Event, ...]]:
        """Number the facts; returns what each viewer sees of them. What all see alike is one and the same tuple."""
        numbers = self.numbers
        public = tuple(
            [
                _shared(fact.event) if type(fact.event) in _OF_GAMES else fact.event
                for fact in facts
                if type(fact) is Open
            ]
        )
        is_public = len(public) == len(facts)  # most often
        self._tail += public if is_public else facts
        del self._tail[:-TAIL]
        seen: dict[Viewer, tuple[Event, ...]] = {}
        for viewer in numbers:
            seen[viewer] = events = public if is_public else seen_by(facts, viewer)
            numbers[viewer] += len(events)
        return seen

    def since(self, viewer: Viewer, number: int) -> tuple[Event, ...] | None:
        """This viewer's events after the one of that number; None when they are no longer, or were never, known."""
        missing = self.numbers[viewer] - number
        if missing < 0 or number < self._begun[self._place(viewer)]:
            return None
        events: list[Event] = []
        for kept in reversed(self._tail):
            if len(events) == missing:
                break
            if (event := _seen(kept, viewer)) is not None:
                events.append(event)
        return tuple(reversed(events)) if len(events) == missing else None


def _seen(kept: Fact | Event, viewer: Viewer) -> Event | None:
    return kept.seen_by(viewer) if isinstance(kept, Fact) else kept

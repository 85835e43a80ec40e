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

from functools import lru_cache

from put_protocol.games.families import FAMILIES
from put_protocol.games.unions import Event
from put_protocol.seats import Viewer
from put_rules.facts import Fact, Open
from put_rules.live_deal import SeenByAll, seen_by
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

    __slots__ = ("_begun", "_started", "_tail", "apart", "count", "viewers")

    def __init__(self, viewers: tuple[Viewer, ...]) -> None:
        """`viewers`: the gallery is the last."""
        self.viewers = viewers
        self.count = 0
        """Facts that were recorded."""
        self.apart: tuple[int, ...] = (0,) * len(viewers)
        """The number of each viewer's last event, less that count, in the same order."""
        self._begun = self.apart
        """The number after which each viewer may be told events."""
        self._started: tuple[int, ...] = ()
        """Numbers at the last start of the server; none: the table is of later."""
        self._tail: list[Fact | Event] = []

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple([self.count + apart for apart in self.apart])

    def number(self, viewer: Viewer) -> int:
        return self.count + self.apart[self.viewers.index(viewer)]

    def checkpoint(self, *, has_tail: bool = True) -> EventLogCheckpoint:
        """The log at rest. Without a tail, who missed an event gets a snapshot: entries of blind deals are large."""
        tail = self._tail if has_tail else []
        return EventLogCheckpoint(
            self.numbers,
            self._begun,
            tuple([tuple([_seen(kept, viewer) for viewer in self.viewers]) for kept in tail]),
            self._started,
        )

    def restore(self, checkpoint: EventLogCheckpoint) -> None:
        self.apart = checkpoint.numbers
        self._begun = checkpoint.begun
        self._started = checkpoint.started
        self._tail.extend(RestoredFact(dict(zip(self.viewers, events, strict=True))) for events in checkpoint.tail)

    def note_start(self) -> None:
        self._started = self.numbers

    def number_at_start(self, viewer: Viewer) -> int:
        """Number of a viewer's last event before the last start of the server, the most that any client can have."""
        return self._started[self.viewers.index(viewer)] if self._started else 0

    def forget(self) -> None:
        """Keep the numbers and none of the events: a viewer who missed one gets a snapshot."""
        self._tail.clear()

    def begin(self, viewer: Viewer) -> None:
        """Another person is this viewer from now on, and may never learn what the one before them saw. Their numbers
        begin above every number they may have from elsewhere at the table, so none is taken for another."""
        begun, place = max(self.numbers) + 1, self.viewers.index(viewer)
        self.apart = (*self.apart[:place], begun - self.count, *self.apart[place + 1 :])
        self._begun = (*self._begun[:place], begun, *self._begun[place + 1 :])

    def record(self, facts: tuple[Fact, ...]) -> SeenByAll:
        """Number the facts; returns what each viewer sees of them. What all see alike is one and the same tuple."""
        self.count += len(facts)
        events: list[Event] = []
        for fact in facts:
            if type(fact) is Open:
                event = fact.event
                events.append(_shared(event) if type(event) in _OF_GAMES else event)
        is_public = len(events) == len(facts)  # most often
        self._tail += events if is_public else facts
        del self._tail[:-TAIL]
        if is_public:
            return (tuple(events),) * len(self.viewers)
        seen = tuple([seen_by(facts, viewer) for viewer in self.viewers])
        if set(map(len, seen)) != {len(facts)}:
            self.apart = tuple([apart + len(own) - len(facts) for apart, own in zip(self.apart, seen, strict=True)])
        return seen

    def since(self, viewer: Viewer, number: int) -> tuple[Event, ...] | None:
        """This viewer's events after the one of that number; None when they are no longer, or were never, known."""
        missing = self.number(viewer) - number
        if missing < 0 or number < self._begun[self.viewers.index(viewer)]:
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

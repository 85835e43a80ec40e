"""Event log of a table: events numbered for each viewer from 1 without gaps; the latest are kept for a reconnect.

The log counts per viewer, not per table. Otherwise an event that a viewer may not know of would show as a gap in their
numbers. An event gets its number when the fact is recorded, and every person with that view is sent every event in
order. So a client that has event n and receives n + 1 has missed nothing, and any other number means a gap. Two things
would break this: sending events that were not recorded, and recording facts without sending them. Only `publisher`
records and sends, and it does both together.

The tail stores facts, not the events of each viewer, so it serves all viewers. If all viewers see the same, it stores
the event, for half the memory.
"""

from functools import lru_cache

from put_protocol.games.families import FAMILIES
from put_protocol.games.unions import Event
from put_protocol.seats import Viewer
from put_protocol.table_events import Agreed, PresenceChanged
from put_rules.facts import Fact, Hidden, Open, Told, seen_by
from put_rules.live_deal import SeenByAll
from put_server.table.table_checkpoint import EventLogCheckpoint

TAIL = 32
"""Facts in the tail: about three hands of Put, or half a minute of quick play. Later a client gets a snapshot."""

_COMMON = frozenset([Agreed, PresenceChanged, *[event for family in FAMILIES.values() for event in family.events]])
"""Events that name no person, so many of them are equal."""


@lru_cache(maxsize=1024)
def _shared(event: Event) -> Event:
    """One object for equal events of all tables: their tails mostly hold the same few hundred."""
    return event


class EventLog:
    __slots__ = ("_begun", "_started", "_tail", "apart", "count", "viewers")

    def __init__(self, viewers: tuple[Viewer, ...]) -> None:
        """`viewers`: the gallery comes last."""
        self.viewers = viewers
        self.count = 0
        """Number of facts recorded."""
        self.apart: tuple[int, ...] = (0,) * len(viewers)
        """Number of each viewer's last event, less `count`; in the order of `viewers`."""
        self._begun = self.apart
        """The number after which each viewer may be sent events."""
        self._started: tuple[int, ...] = ()
        """Last numbers at the latest start of the server; empty: the table was opened later."""
        self._tail: list[Fact | Event] = []

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple([self.count + apart for apart in self.apart])

    def number(self, viewer: Viewer) -> int:
        return self.count + self.apart[self.viewers.index(viewer)]

    def checkpoint(self, *, has_tail: bool = True) -> EventLogCheckpoint:
        """The log for a checkpoint. Without a tail (blind entries are large), a viewer who missed an event gets a
        snapshot."""
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
        for events in checkpoint.tail:
            seen = zip(self.viewers, events, strict=True)
            self._tail.append(Told(Hidden({viewer: event for viewer, event in seen if event is not None})))

    def note_start(self) -> None:
        self._started = self.numbers

    def number_at_start(self, viewer: Viewer) -> int:
        """Number of a viewer's last event before the latest start of the server: no client can have a later one."""
        return self._started[self.viewers.index(viewer)] if self._started else 0

    def forget(self) -> None:
        """Drop the events but keep the numbers: a viewer who missed an event gets a snapshot."""
        self._tail.clear()

    def begin(self, viewer: Viewer) -> None:
        """Begin with a new person as this viewer, who may not learn what the previous one saw. Their numbers start
        above all numbers that they may have from another place at the table, so no two are confused."""
        begun, place = max(self.numbers) + 1, self.viewers.index(viewer)
        self.apart = (*self.apart[:place], begun - self.count, *self.apart[place + 1 :])
        self._begun = (*self._begun[:place], begun, *self._begun[place + 1 :])

    def record(self, facts: tuple[Fact, ...]) -> SeenByAll:
        """Number the facts; returns what each viewer sees of them. If all viewers see the same, it is one shared
        tuple."""
        self.count += len(facts)
        events: list[Event] = []
        for fact in facts:
            if type(fact) is Open:
                event = fact.event
                events.append(_shared(event) if type(event) in _COMMON else event)
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
        """This viewer's events after the given number; None: no longer kept, or never known."""
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

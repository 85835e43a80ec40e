"""Facts: results of an input, and the part of each that a viewer may see.

A card that not everyone sees is in `Hidden` from the moment it is dealt. No codec can encode it, and no log or error
can show it. Only `unseal()` reveals it, and every use of that is easy to find in the code. A fact may contain secrets.
A viewer gets an event, which cannot: `seen_by` is the only way from a fact to a message, and has no default that could
show too much.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, NoReturn, TypeVar

from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.games.unions import Event
from put_protocol.seats import GALLERY, Seat, Viewer

T = TypeVar("T")


class Hidden(Generic[T]):
    """Opaque; equal if the contents are equal."""

    __slots__ = ("_value",)

    def __init__(self, value: T) -> None:
        self._value = value

    def unseal(self) -> T:
        """The secret. Only rules, and code that shows a viewer their own cards, may call this."""
        return self._value

    def __repr__(self) -> str:
        return "<hidden>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hidden) and self._value == other._value

    __hash__ = None  # type: ignore[assignment]  # a hash of a hand would tell the hand

    def __reduce__(self) -> NoReturn:
        raise TypeError("what is hidden cannot be pickled")


Cards = tuple[Card, ...]
Hands = Hidden[tuple[Cards, ...]]
NO_CARDS: Hidden[Cards] = Hidden(())
NO_HANDS: Hands = Hidden(())


class Fact(ABC):
    """Something that happened."""

    __slots__ = ()

    @abstractmethod
    def seen_by(self, viewer: Viewer) -> Event | None:
        """The event that this viewer sees; None: the viewer must not even know that it happened. Has no default, so
        that no fact omits it."""


def seen_by(facts: Iterable[Fact], viewer: Viewer) -> tuple[Event, ...]:
    return tuple([event for fact in facts if (event := fact.seen_by(viewer)) is not None])


class Open(Fact):
    """A fact that all viewers see in the same way."""

    __slots__ = ("event",)

    def __init__(self, event: Event) -> None:
        self.event = event

    def seen_by(self, viewer: Viewer) -> Event:  # that is what open means
        return self.event


class Private(Fact):
    """An event of which some seats see more than others."""

    __slots__ = ("_event", "_field", "_own")

    def __init__(self, event: Event, own: Hidden[Mapping[Seat, Any]], field: str = "cards") -> None:
        """`event`: as all others see it. `own`: for each of these seats, the value of `field`."""
        self._event = event
        self._own = own
        self._field = field

    def seen_by(self, viewer: Viewer) -> Event:
        own: Mapping[Any, Any] = self._own.unseal()
        return replace(self._event, **{self._field: own[viewer]}) if viewer in own else self._event


class HandsDealt(Fact):
    """A deal: each seat sees its own hand in the event, the gallery sees none."""

    __slots__ = ("_event", "_hands")

    def __init__(self, event: Event, hands: Hands) -> None:
        self._event = event
        self._hands = hands

    def seen_by(self, viewer: Viewer) -> Event:
        return self._event if viewer == GALLERY else replace(self._event, cards=self._hands.unseal()[viewer])


def dealt_by_one(pack: Cards, to: Sequence[Seat], each: int, seats: int) -> tuple[Cards, ...]:
    """Hands of `each` cards by seat, dealt to these players one card at a time; empty for other seats."""
    hands: list[Cards] = [()] * seats
    for place, seat in enumerate(to):
        hands[seat] = pack[place : each * len(to) : len(to)]
    return tuple(hands)


class Told(Fact):
    """A separate event for each viewer; viewers who are not listed see nothing."""

    __slots__ = ("_events",)

    def __init__(self, events: Hidden[Mapping[Viewer, Event]]) -> None:
        self._events = events

    def seen_by(self, viewer: Viewer) -> Event | None:
        return self._events.unseal().get(viewer)

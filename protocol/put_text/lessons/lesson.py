"""The types of a lesson.

A family has tables of lessons. Each says when it is due, and its words are taken from the view, the event or the
server's own words for the choices, so that they are true under every rule set.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from put_protocol.messages import Decision
from put_protocol.seats import Seat
from put_protocol.text import printable
from put_text.catalogue import say


class Lesson(NamedTuple):
    """A note for beginners, and the moment for it."""

    name: str
    """`put.tie`: by it a lesson is known."""
    says: str
    """Sentences."""


class Sight(NamedTuple):
    """View of one player at an event, or at a decision of theirs."""

    seat: Seat
    names: tuple[str, ...]
    view: Any
    """The family's."""
    has_put: bool
    """A player has put, and this hand is not over."""

    def name(self, seat: Seat) -> str:
        return printable(self.names[seat]) if seat < len(self.names) and self.names[seat] else say("lesson-opponent")


AtEvent = Callable[[Any, Sight], str]
AtDecision = Callable[[Decision, Sight], str]
"""The words of a lesson; empty: it is not due."""

"""Reading of a typed line: an immediate answer, a request to the server, a question back, or the end."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from put_protocol.messages import Ok, Request

if TYPE_CHECKING:
    from put_text.plain.text_state import Sentences, TextState

Make = Callable[[int], Request]
"""Makes a request with this id."""
Then = Callable[["TextState", Ok], "Step"]
"""What to do with the `ok`."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to send."""

    make: Make
    then: Then | None = None
    """On `ok`: the new state, and what to say or to request next. None: no change, and nothing to say."""


Step: TypeAlias = tuple["TextState", "Sentences | Ask"]


@dataclass(frozen=True, slots=True)
class Noted:
    """An immediate answer, with a new state."""

    state: "TextState"
    says: "Sentences"


@dataclass(frozen=True, slots=True)
class Quit:
    """Close the connection and end."""


Outcome: TypeAlias = "Sentences | Noted | Ask | Quit"
"""What a line leads to: an immediate answer, a request, or the end."""


@dataclass(frozen=True, slots=True)
class Question:
    """Asked of the person before what cannot be taken back is done."""

    says: str
    about: tuple[object, ...]
    """The moment that it is about: once that has passed, a yes means nothing."""
    outcome: Ask | Quit
    """What a yes leads to."""

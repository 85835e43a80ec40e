"""Outcome of an input: the answer to the asker, and the effects.

The answer and the effects are apart, so that no caller needs to search the effects for a refusal. Whoever performs an
outcome gives the answer first: a client then knows which of its requests caused the events that follow.

Invariant: an input that is refused has changed nothing that is kept, and has no effects but notices to whom it may
concern. So it is never recorded, and a replay that meets a refusal has found a journal that no server wrote.
"""

from msgspec import Struct

from put_protocol.messages import Goodbye, Ok, Refused, Welcome
from put_server.table.table_effects import Effect, PersonId


class Admit(Struct, frozen=True, gc=False):
    """The peer that said hello is this person; their former connection, if any, is to be closed."""

    person: PersonId
    welcome: Welcome


class TurnAway(Struct, frozen=True, gc=False):
    """The peer that said hello may not come in."""

    goodbye: Goodbye
    loss: str = ""
    """A proof of loss, for the operator; mostly nothing."""


Answer = Ok | Refused | Admit | TurnAway


REFUSALS = frozenset((Refused, TurnAway))
"""Types of answers, to be looked up: `isinstance` is slow where a struct is of another kind, as after most inputs."""


class InputOutcome(Struct, frozen=True):
    answer: Answer | None
    """The answer to a request or a hello; None: to other inputs, and to the requests of house players, which hear
    none."""
    effects: list[Effect]

    @property
    def is_refused(self) -> bool:
        return type(self.answer) in REFUSALS

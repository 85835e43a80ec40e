"""Everything that can happen to the lobby, and the outcome of each. Chance and secrets come in with the inputs: packs,
and digests of tokens.

The answer and the effects of an input are apart, so that no caller needs to search the effects for a refusal. Whoever
performs an outcome gives the answer first: a client then knows which of its requests caused the events that follow.

Invariant: an input that is refused has changed nothing that is kept, and has no effects but notices to whom it may
concern. So it is never recorded, and a replay that meets a refusal has found a journal that no server wrote.
"""

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.messages import (
    Analyse,
    Drill,
    Goodbye,
    Grade,
    Ok,
    Recall,
    Refresh,
    Refused,
    Request,
    Seen,
    ViewForm,
    Welcome,
)
from put_rules.record import Tape
from put_server.lobby.policy import Policy
from put_server.table.table_effects import Effect, PersonId, TableId


class Arrive(Struct, frozen=True, tag_field="input", tag="arrive"):
    """A newcomer said hello, with a password that was right."""

    name: str
    is_bot: bool
    token: bytes
    """Digest of the token they come back with; the token itself is only theirs."""
    knows: tuple[str, ...] = ("put",)
    """Families of games that their client can put in words."""
    views: ViewForm = ViewForm.WHOLE
    """The form in which they want views of games."""
    origin: str = ""
    """The address they come from, as it is counted against quotas; empty: none applies."""
    incarnation: int = 0
    """The number of this hello among theirs; 0: they do not count."""
    is_visitor: bool = False
    """Another lobby of the same server has let them in, and answers for their name."""
    muted: tuple[str, ...] = ()
    """A visitor's: whom they want to hear no more, by name, in one case."""
    blocked: tuple[str, ...] = ()
    """A visitor's: whom they want nothing to do with."""
    words: bool = True
    language: str = ""
    """The language in which their client says those words; empty: English alone."""


class Return(Struct, frozen=True, tag_field="input", tag="return"):
    """A person said hello with a token."""

    token: bytes
    seen: tuple[Seen, ...]
    asked: tuple[int, ...] = ()
    """Requests on the connection that dropped whose answers they did not hear."""
    knows: tuple[str, ...] = ("put",)
    views: ViewForm = ViewForm.WHOLE
    origin: str = ""
    incarnation: int = 0
    epoch: int = 0
    """The server's start that they know of; 0: of none."""
    words: bool = True
    fresh_since: int = 0
    """`Person.fresh_since` for a shard other than the home."""
    language: str = ""


class Ask(Struct, frozen=True, tag_field="input", tag="ask", gc=False):
    person: PersonId
    request: Request


class Lose(Struct, frozen=True, tag_field="input", tag="lose"):
    person: PersonId


class Depart(Struct, frozen=True, tag_field="input", tag="depart"):
    person: PersonId


class Forget(Struct, frozen=True, tag_field="input", tag="forget"):
    """The operator erases a person: they depart, and their name is nowhere any more. No game of theirs is in play."""

    name: str


class Shuffled(Struct, frozen=True, tag_field="input", tag="shuffled", omit_defaults=True, gc=False):
    """The pack a table wanted."""

    table: TableId
    pack: tuple[Card, ...]
    luck: int | None = None
    """The number that decides on an accident, where one may happen; below `game.LUCK`."""
    beside: int = 0
    """Deals of the same hand that stay in play beside this one."""


class Secret(Struct, frozen=True, tag_field="input", tag="secret", omit_defaults=True):
    """The secret of the blind game that a table begins, or of a deal of it that is read: 32 bytes."""

    table: TableId
    secret: bytes = b""
    beside: int = 0
    """The same as in `WantSecret`."""
    tape: Tape | None = None
    """The deals made of the secret of a game that is over, in its place."""


class Parts(Struct, frozen=True, tag_field="input", tag="parts"):
    """The parts of a blind deal that a table wanted of the server."""

    table: TableId
    work: int
    entries: tuple[bytes, ...]
    read: int = 0
    """The number of the deal that it has read; 0: of none."""


class Pulse(Struct, frozen=True, tag_field="input", tag="pulse"):
    """A person answered the ping that `WantPulse` asked for."""

    person: PersonId


class Tick(Struct, frozen=True, tag_field="input", tag="tick", gc=False):
    pass


class News(Struct, frozen=True, tag_field="input", tag="news", gc=False):
    """News that was put off may be told now. It is never recorded, for it changes nothing that is kept."""


class Keep(Struct, frozen=True, tag_field="input", tag="keep"):
    """A person who is lost has a seat in another lobby of the same server, and so is expected back."""

    person: PersonId


class Drain(Struct, frozen=True, tag_field="input", tag="drain"):
    """The server is stopping: nothing new begins."""


class Restart(Struct, frozen=True, tag_field="input", tag="restart"):
    """The server began, perhaps again from its journal: no person is connected, and the house knows nothing."""

    is_exhibition: bool = False
    """Packs repeat from a seed from now on: every new table says so."""
    policy: Policy = Policy()
    """The operator's limits from now on."""
    epoch: int = 0
    """The number of this start, greater than that of any before; 0: starts are not counted."""


IDLE = frozenset((Analyse, Drill, Grade, Recall, Refresh))
"""Requests that change nothing, not even the recent responses: after a lost connection they are asked again."""


def changes_nothing(event: "Input") -> bool:
    """True if the lobby is the same after this input as before, so that it need not be recorded."""
    return type(event) is News or (isinstance(event, Ask) and type(event.request) in IDLE)


Happening = (
    Arrive | Return | Lose | Depart | Forget | Shuffled | Secret | Parts | Pulse | Tick | News | Keep | Drain | Restart
)
"""All but requests."""

Input = (
    Arrive
    | Return
    | Ask
    | Lose
    | Depart
    | Forget
    | Shuffled
    | Secret
    | Parts
    | Pulse
    | Tick
    | News
    | Keep
    | Drain
    | Restart
)


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


class InputOutcome(Struct, frozen=True, gc=False):
    answer: Answer | None
    """The answer to a request or a hello; None: to other inputs, and to house players, which hear none."""
    effects: list[Effect]

    @property
    def is_refused(self) -> bool:
        return type(self.answer) in REFUSALS

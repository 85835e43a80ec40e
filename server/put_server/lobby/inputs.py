"""Inputs of the lobby, and their outcomes. Inputs also bring chance and secrets: packs, and digests of tokens.

The answer of an input is separate from its effects, so callers need not search the effects for a refusal. Callers send
the answer first: a client then knows which of its requests caused the events that follow.

Invariant: a refused input has changed no stored state, and its only effects are notices, to people whom it concerns or
to the operator. So it is never recorded, and a refusal during a replay means that no server wrote this journal.
"""

from msgspec import Struct, field

from put_protocol import messages
from put_protocol.cards import Card
from put_rules.record import Tape
from put_server.lobby.policy import Policy
from put_server.table.table_effects import Effect, PersonId, TableId


class Arrive(Struct, frozen=True, tag_field="input", tag="arrive"):
    """A newcomer sent `hello` with the right password."""

    name: str
    is_bot: bool
    token: bytes
    """Digest of the token for their return. Only they have the token itself."""
    knows: tuple[str, ...] = ("put",)
    """Families of games that their client has text for."""
    views: messages.ViewForm = messages.ViewForm.WHOLE
    """The form in which they want views of games."""
    origin: str = ""
    """Their address for quotas; empty: exempt."""
    incarnation: int = 0
    """Number of this `hello` among theirs; 0: they do not count."""
    is_visitor: bool = False
    """Another lobby of the same server admitted them, and is responsible for their name."""
    muted: tuple[str, ...] = ()
    """Only for a visitor: folded names of people they muted."""
    blocked: tuple[str, ...] = ()
    """Only for a visitor: folded names of people they blocked."""
    words: bool = True
    language: str = ""
    """Language of the text that their client has; empty: English only."""


class Return(Struct, frozen=True, tag_field="input", tag="return"):
    """A person sent `hello` with a token."""

    token: bytes
    seen: tuple[messages.Seen, ...]
    asked: tuple[int, ...] = ()
    """Requests on the dropped connection without a response."""
    knows: tuple[str, ...] = ("put",)
    views: messages.ViewForm = messages.ViewForm.WHOLE
    origin: str = ""
    incarnation: int = 0
    epoch: int = 0
    """The `epoch` of their last `welcome`; 0: none."""
    words: bool = True
    fresh_since: int = 0
    """`Person.fresh_since` for a shard other than the home."""
    language: str = ""


class Ask(Struct, frozen=True, tag_field="input", tag="ask", gc=False):
    person: PersonId
    request: messages.Request


class Lose(Struct, frozen=True, tag_field="input", tag="lose"):
    person: PersonId


class Depart(Struct, frozen=True, tag_field="input", tag="depart"):
    person: PersonId


class Forget(Struct, frozen=True, tag_field="input", tag="forget"):
    """The operator erases a person: they depart, and no mention of their name stays. They have no game in play."""

    name: str


class Shuffled(Struct, frozen=True, tag_field="input", tag="shuffled", omit_defaults=True, gc=False):
    """The pack a table wanted."""

    table: TableId
    pack: tuple[Card, ...]
    luck: int | None = None
    """Number that decides whether an accident happens, if one is possible; below `game.LUCK`."""
    beside: int = 0
    """Number of deals of the hand that stay in play beside this one."""


class Secret(Struct, frozen=True, tag_field="input", tag="secret", omit_defaults=True):
    """Secret of a table's new blind game, or of a read deal of that game: 32 bytes."""

    table: TableId
    secret: bytes = b""
    beside: int = 0
    """See `WantSecret`."""
    tape: Tape | None = None
    """Only for a finished game: the tape of the deals made from the secret, in place of it."""


class Parts(Struct, frozen=True, tag_field="input", tag="parts"):
    """Parts of a blind deal that a table requested from the server."""

    table: TableId
    task: int = field(name="work")
    entries: tuple[bytes, ...]
    read: int = 0
    """Number of the deal that was read; 0: none."""


class Pulse(Struct, frozen=True, tag_field="input", tag="pulse"):
    """A person answered the ping of `WantPulse`."""

    person: PersonId


class Tick(Struct, frozen=True, tag_field="input", tag="tick", gc=False):
    pass


class News(Struct, frozen=True, tag_field="input", tag="news", gc=False):
    """Delayed news may be sent now. It is never recorded, because it changes no stored state."""


class Keep(Struct, frozen=True, tag_field="input", tag="keep"):
    """A disconnected person has a seat in another lobby of the same server, and is therefore expected back."""

    person: PersonId


class Drain(Struct, frozen=True, tag_field="input", tag="drain"):
    """The server is stopping: nothing new may begin."""


class Restart(Struct, frozen=True, tag_field="input", tag="restart"):
    """The server started, perhaps from its journal: no person is connected, and house players remember nothing."""

    is_exhibition: bool = False
    """Packs repeat from a seed from now on; every new table shows that."""
    policy: Policy = Policy()
    """The operator's limits from now on."""
    epoch: int = 0
    """Number of this start, greater than all before; 0: starts are not counted."""


IDLE = frozenset((messages.Analyse, messages.Drill, messages.Grade, messages.Recall, messages.Refresh))
"""Requests that change nothing, not even the recent responses. After a lost connection clients send them again."""


def changes_nothing(event: "Input") -> bool:
    """True if this input leaves the lobby unchanged, so it need not be recorded."""
    return type(event) is News or (isinstance(event, Ask) and type(event.request) in IDLE)


Happening = (
    Arrive | Return | Lose | Depart | Forget | Shuffled | Secret | Parts | Pulse | Tick | News | Keep | Drain | Restart
)
"""Inputs other than requests."""

Input = Ask | Happening


class Admit(Struct, frozen=True, gc=False):
    """The peer is admitted as this person. Their former connection, if any, must be closed."""

    person: PersonId
    welcome: messages.Welcome


class TurnAway(Struct, frozen=True, gc=False):
    """The peer is not admitted."""

    goodbye: messages.Goodbye


Answer = messages.Ok | messages.Refused | Admit | TurnAway

REFUSALS = frozenset((messages.Refused, TurnAway))
"""Types of refusals, for a set lookup: `isinstance` is slow for a struct of another type, the usual case."""


class InputOutcome(Struct, frozen=True, gc=False):
    answer: Answer | None
    """Answer to a request or a `hello`. None: for other inputs, and for house players, which get no answers."""
    effects: list[Effect]

    @property
    def is_refused(self) -> bool:
        return type(self.answer) in REFUSALS

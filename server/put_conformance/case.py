"""A scene: a table, what is done to the client's connection there, and what the client is judged by."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from put_conformance.checker import Critic
from put_conformance.checks import Check
from put_conformance.fake_server import Stage
from put_conformance.fault_injector import Line, Told
from put_conformance.marks import Marks
from put_protocol.games.put import (
    Moment,
)
from put_protocol.messages import ClientMessage, Hello, ServerMessage
from put_server.games.game import OptionValue
from put_server.table.effects import PersonId


class Play(Protocol):
    """What a scene may reach of the performance it is in."""

    stage: Stage
    marks: Marks
    critic: Critic

    @property
    def now(self) -> int:
        """Milliseconds of the real clock."""
        ...

    def progress(self) -> None:
        """What is going on takes time; the client does not hang."""
        ...

    @property
    def connections(self) -> int:
        """That the client made in this scene."""
        ...

    def say(self, line: Line, told: Told) -> None:
        """Tell the client something that the lobby did not."""
        ...

    def pass_on(self, line: Line, message: ClientMessage) -> bool:
        """Let the lobby hear it after all. Returns whether it was carried out."""
        ...

    def moment(self, table: int) -> Moment | None:
        """What the client was shown last to be asked there."""
        ...

    def forget(self, person: PersonId, *, is_departed: bool) -> None:
        """Its connection is over; if it has departed, its token too."""
        ...

    def withdraw(self, line: Line, table: int) -> None:
        """Take the client away from a table; what the lobby says to that nobody hears."""
        ...

    def shut(self, until: int | None) -> None:
        """Whoever connects is cut off until then; None: whoever connects is let in."""
        ...


class Mischief:
    """What is done between the lobby and the client: nothing, here. A scene overrides what it needs."""

    waits_for_moves = False
    """Whether more moves of the client are all that brings it on."""

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        self.play = play
        self.marks = play.marks
        self.checks = tuple(checks)

    @property
    def is_done(self) -> bool:
        """Everything was tried."""
        return all(self.marks.is_decided(check) for check in self.checks if check.is_needed)

    @property
    def may_end(self) -> bool:
        """Whether the client may end by itself now."""
        return False

    @property
    def wanted(self) -> frozenset[Moment]:
        """What the client has yet to be asked; opponents play so that it is."""
        return frozenset()

    def connected(self, line: Line) -> None:
        """The client connected."""

    def said_hello(self, line: Line, hello: Hello) -> Hello:
        """It says hello; what the lobby is to hear of it."""
        return hello

    def heard(self, line: Line, message: ClientMessage) -> bool:
        """It says something else. False: the lobby does not hear it."""
        return True

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        """The lobby tells it something; what it hears."""
        return (message,)

    def moved(self, decision: tuple[int, int]) -> None:
        """An answer of the client's was carried out, and it has been told so."""

    def tick(self, now: int) -> None:
        """Some hundredths of a second passed."""

    def lost(self, line: Line) -> None:
        """A connection of the client's is lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One scene, as data."""

    name: str
    """Stable; what `--scene` takes."""
    tries: str
    """What is done, in a sentence."""
    game: str
    seats: int = 2
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    turn: int = 0
    """Seconds of the table's clock, also at a table of the client's own; 0: none."""
    checks: tuple[Check, ...] = ()
    """Beside those that hold always."""
    mischief: Callable[[Play, Sequence[Check]], Mischief] = Mischief

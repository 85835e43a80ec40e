"""A case: a table, the faults injected into the client's connection there, and the checks it is judged by."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from put_conformance.checker import Checker
from put_conformance.checks import Check, Results
from put_conformance.client_connection import ClientConnection, Outgoing
from put_conformance.fake_server import FakeServer
from put_protocol.games.unions import GameView
from put_protocol.messages import ClientMessage, Goodbye, Hello, ServerMessage
from put_rules.game import OptionValue, RuleSet

SHORT: Mapping[str, OptionValue] = {"target": 1, "hands": 1}
"""Options of a game that is soon over, in whatever rule set."""


class CaseContext(Protocol):
    """What a fault injector may use of the case's runner."""

    server: FakeServer
    results: Results
    checker: Checker

    @property
    def now(self) -> int:
        """Milliseconds of the real clock."""
        ...

    def note_progress(self) -> None:
        """Restart the time-out of the case: the case itself takes time, the client does not hang."""
        ...

    @property
    def connection_count(self) -> int:
        """Connections the client made in this case."""
        ...

    def send(self, connection: ClientConnection, outgoing: Outgoing) -> None:
        """Send the client something that the lobby did not."""
        ...

    def forward(self, connection: ClientConnection, message: ClientMessage) -> bool:
        """Pass a message that was held back on to the lobby. Returns whether it was carried out."""
        ...

    def view(self, table: int) -> GameView | None:
        """The last view of this table that the client was sent."""
        ...

    def end_session(self, connection: ClientConnection, *, is_departed: bool) -> None:
        """The lobby loses the client; if it departed, its token ends too."""
        ...

    def remove_from_table(self, connection: ClientConnection, table: int) -> None:
        """Unseat the client; what the lobby sends about that is discarded."""
        ...

    def refuse_until(self, until: int | None) -> None:
        """Refuse connections until this time; None: accept them."""
        ...


class FaultInjector:
    """Hooks between the lobby and the client. These do nothing; a case overrides what it needs."""

    moves = 0
    """Answers of the client that were carried out, as far as it has been sent the ok."""
    waits_for_moves = False
    """Whether the case advances only by more moves of the client."""
    skipped = ""
    """Why the case says nothing of this client, once it is known; a sentence."""
    is_about_rules = False
    """Whether the case says nothing of a client that plays another rule set."""

    def __init__(self, context: CaseContext, checks: Sequence[Check]) -> None:
        self.context = context
        self.results = context.results
        self.checks = tuple(checks)

    @property
    def is_done(self) -> bool:
        """Whether everything was tried."""
        return all(self.results.is_decided(check) for check in self.checks if check.is_needed)

    @property
    def may_end(self) -> bool:
        """Whether the client may end by itself now."""
        return False

    @property
    def wanted(self) -> frozenset[str]:
        """Scenes in which the client has yet to be asked; opponents play so that it is."""
        return frozenset()

    def connected(self, connection: ClientConnection) -> None:
        """The client connected."""

    def is_expected(self, goodbye: Goodbye) -> bool:
        """Whether the lobby turns the client away on purpose of the case, and no fault of the client's."""
        return False

    def incoming_hello(self, connection: ClientConnection, hello: Hello) -> Hello:
        """The client says hello. Returns what the lobby is to receive."""
        return hello

    def refusal(self, hello: Hello) -> Goodbye | None:
        """Why this hello, which `incoming_hello` has seen, is not to reach the lobby."""
        return None

    def incoming(self, connection: ClientConnection, message: ClientMessage) -> bool:
        """The client sends something else. False: the lobby does not receive it."""
        return True

    def outgoing(self, connection: ClientConnection, message: ServerMessage) -> Iterable[Outgoing]:
        """The lobby sends the client a message. Returns what is sent instead."""
        return (message,)

    def move_accepted(self, decision: tuple[int, int]) -> None:
        """An answer of the client's was carried out, and the client has been sent the ok."""

    def tick(self, now: int) -> None:
        """Called every few hundredths of a second."""

    def disconnected(self, connection: ClientConnection) -> None:
        """A connection of the client's was lost."""

    def left_between_games(self) -> None:
        """The client said bye while no game of its was in play, as it may at any time. It is started again."""
        for check in self.checks:
            self.results.withdraw(check)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case, as data."""

    name: str
    """Stable; what `--scene` takes."""
    summary: str
    """What is tried, in a sentence."""
    game: str
    seats: int = 2
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """Of the table, also of one that the client opens; a rule set that lacks one goes without."""
    turn: int = 0
    """Seconds on the table's clock, also at a table that the client opens; 0: none."""
    is_sealed: bool = False
    """Whether the opponents take part in the cutting."""
    checks: tuple[Check, ...] = ()
    """In addition to those of every case."""
    fault_injector: Callable[[CaseContext, Sequence[Check]], FaultInjector] = FaultInjector

    def options_for(self, rule_set: RuleSet) -> dict[str, OptionValue]:
        """Those options that the rule set has."""
        known = {option.name for option in rule_set.offer.options}
        return {name: value for name, value in self.options.items() if name in known}

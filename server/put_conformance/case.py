"""A case: a table, the faults injected into the client's connection, and the checks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from put_conformance.checks import Check
from put_conformance.client_connection import CandidateConnection, Outgoing
from put_conformance.fake_server import NAMES
from put_protocol.messages import ClientMessage, Decision, Goodbye, Hello, ServerMessage
from put_rules.game import OptionValue, RuleSet

if TYPE_CHECKING:
    from put_conformance.case_runner import CaseRunner

SHORT_GAME: Mapping[str, OptionValue] = {"target": 1, "hands": 1}


class FaultInjector:
    """Hooks between the lobby and the client, and the data of the case. A case overrides what it needs.

    Most faults happen once, when the client is about to be asked for a move: `strike` injects them.
    """

    name: str
    """Stable name, for `--scene`."""
    summary: str
    """The fault, in a sentence."""
    tries: tuple[Check, ...]
    """Checks of the case, in addition to those of every case."""
    options: Mapping[str, OptionValue] = {}
    turn = 0
    """Seconds on the table's turn clock; 0: none."""

    names: Sequence[str] = NAMES
    """Names of the opponents."""
    moves_before = 1
    then: tuple[Check, ...] = ()
    """Checks that pass with the first move after the fault."""
    waits_for_moves = False
    """The case advances only by more moves of the client."""

    connection: CandidateConnection
    """The client's, from its first one on: where something happened last."""

    def __init__(self, runner: "CaseRunner") -> None:
        self.runner = runner
        self.results = runner.results
        self.checks = runner.case.checks
        self.moves = 0
        """Accepted answers of the client whose ok was sent."""
        self.skipped = ""
        """Reason why the case does not apply to this client, once known; a sentence."""
        self.struck_at: int | None = None
        """Time of the fault; None: not yet."""
        self.connections_then = 0
        """Connections of the client before the fault."""
        self.may_end = False
        """The client may end by itself now."""
        self._timers: list[tuple[int, Callable[[], object]]] = []

    @property
    def is_done(self) -> bool:
        return all(self.results.is_decided(check) for check in self.checks if check.is_needed)

    @property
    def has_struck(self) -> bool:
        return self.struck_at is not None

    @property
    def is_due(self) -> bool:
        """The fault comes with the next decision."""
        return not self.has_struck and self.moves >= self.moves_before

    def note_strike(self, *checks: Check) -> None:
        self.struck_at = self.runner.now
        self.connections_then = self.runner.checker.connection_count
        self.results.begin(*checks)

    def strike(self, decision: Decision) -> Iterable[Outgoing]:
        """Inject the fault at a decision of the client. Returns what to send instead."""
        return (decision,)

    def after(self, milliseconds: int, action: Callable[[], object] = lambda: None) -> None:
        """Do this later. Until then the case waits without a fault of the client."""
        self._timers.append((self.runner.now + milliseconds, action))

    def watch(self, check: Check, milliseconds: int) -> None:
        """Begin a check that passes if the client makes no fault for this time. Meanwhile it may end."""
        self.results.begin(check)
        self.may_end = True
        self.after(milliseconds, lambda: self.results.passed(check))

    def connected(self) -> None:
        """Called when the client has connected."""

    def is_expected(self, goodbye: Goodbye) -> bool:
        """True if the case makes the lobby refuse the client without a fault of the client."""
        return False

    def incoming_hello(self, hello: Hello) -> Hello:
        """The client sends hello. Returns what the lobby gets."""
        return hello

    def refusal(self, hello: Hello) -> Goodbye | None:
        """Refuse this hello, after `incoming_hello`. None: pass it to the lobby."""
        return None

    def incoming(self, message: ClientMessage) -> bool:
        """The client sends another message. False: do not pass it to the lobby."""
        return True

    def outgoing(self, message: ServerMessage) -> Iterable[Outgoing]:
        """The lobby sends the client a message. Returns what to send instead."""
        if isinstance(message, Decision) and self.is_due:
            return self.strike(message)
        return (message,)

    def move_accepted(self, decision: tuple[int, int]) -> None:
        """An answer of the client's was carried out, and the client has been sent the ok."""
        if self.has_struck:
            self.results.passed(*self.then)

    def tick(self, now: int) -> None:
        """Called every few hundredths of a second."""
        if self._timers:
            self.runner.note_progress()
        due, self._timers = (
            [one for one in self._timers if one[0] <= now],
            [one for one in self._timers if one[0] > now],
        )
        for _, action in due:
            action()

    def disconnected(self) -> None:
        """A connection of the client's was lost."""

    def left_between_games(self) -> None:
        """The client said bye between its games, which is allowed. Start it again."""
        for check in self.checks:
            self.results.withdraw(check)


class HoldingBack(FaultInjector):
    """Holds a decision back, until `release`."""

    held: Decision | None = None

    def strike(self, decision: Decision) -> Iterable[Outgoing]:
        self.note_strike(*self.then)
        self.held = decision
        return ()

    def release(self) -> None:
        if self.held is not None:
            decision, self.held = self.held, None
            self.runner.send(self.connection, decision)

    def disconnected(self) -> None:
        self.held = None  # it comes again by itself

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self.held is None:
            super().move_accepted(decision)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    name: str
    summary: str
    game: str
    seats: int = 2
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """Options of the table, also if the client opens it; options that a rule set lacks are ignored."""
    turn: int = 0
    """Seconds on the table's turn clock, also if the client opens it; 0: none."""
    checks: tuple[Check, ...] = ()
    """Checks in addition to those of every case."""
    fault_injector: Callable[["CaseRunner"], FaultInjector] = FaultInjector

    def options_for(self, rule_set: RuleSet) -> dict[str, OptionValue]:
        known = {option.name for option in rule_set.offer.options}
        chosen = {"dealing": "plain", **self.options}
        return {name: value for name, value in chosen.items() if name in known}

"""Other players: opponents who leave during a game or are away, long names, and a second table."""

from collections import Counter
from collections.abc import Iterable

from put_conformance import checks
from put_conformance.case import HoldingBack
from put_conformance.cases.robustness import Harmless
from put_conformance.client_connection import Outgoing
from put_protocol import messages
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import TableState
from put_protocol.text import NAME_LENGTH
from put_server.table.table import Table

AWAY_MS = 700
"""Time for which opponents are away."""

WIDE_NAMES = tuple([chr(0x9F8D + number) * NAME_LENGTH for number in range(10)])
"""Each letter takes three bytes, and two columns of a screen."""

PLAYED = 3
"""Moves at a table that prove that a client plays there."""

BOTH_MS = 400
"""Time for which an answer at one table waits for one at the other."""


class _AtItsTable(HoldingBack):
    """Injects its fault at a decision of the client, which is held back until then."""

    def tick(self, now: int) -> None:
        super().tick(now)
        if self.held is None:
            return
        table = self.runner.server.table(self.held.table)
        if table is None or not self.begin(table):
            self.skipped = "It plays with the house alone, which neither leaves nor loses its connection."
        elif table.state is not TableState.PLAYING:
            self.held = None  # nothing is to be decided any more
        self.release()

    def begin(self, table: Table) -> bool:
        """Cause the fault at this table. Returns false if that is impossible."""
        raise NotImplementedError


class OpponentLeaves(_AtItsTable):
    name = "opponent-leaves"
    summary = "An opponent leaves in the middle of a game, which is over by that; another takes the seat."
    tries = (checks.OUTLIVES,)

    _left_table: int | None = None

    def begin(self, table: Table) -> bool:
        if not self.runner.server.ask_each(table, lambda request: messages.Leave(request, table.id)):
            return False
        self._left_table = table.id
        self.results.begin(*self.tries)
        return True

    def tick(self, now: int) -> None:
        super().tick(now)
        table = None if self._left_table is None else self.runner.server.table(self._left_table)
        if table is not None and table.state is TableState.FILLING:
            self.runner.server.fill_seats(table)

    def incoming(self, message: messages.ClientMessage) -> bool:
        if isinstance(message, messages.Leave | messages.Stand | messages.Bye):
            self._note_outlived()
        return True

    def move_accepted(self, decision: tuple[int, int]) -> None:
        self._note_outlived()  # the move is of the next game, or of this one with the house in the seat

    def _note_outlived(self) -> None:
        if self._left_table is not None:
            self.results.passed(*self.tries)
            self.may_end = True


class OpponentAway(_AtItsTable):
    name = "opponent-away"
    summary = f"The connections of the opponents are lost in the middle of a game; after {AWAY_MS} ms they are back."
    tries = (checks.BEARS_ABSENCE,)

    _is_over = False

    def begin(self, table: Table) -> bool:
        if not self.runner.server.lose(table):
            return False
        self.results.begin(*self.tries)
        self.after(AWAY_MS, self._come_back)
        return True

    def _come_back(self) -> None:
        self._is_over = True
        self.runner.server.come_back()

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._is_over:
            self.results.passed(*self.tries)


class WideNames(Harmless):
    name = "wide-names"
    summary = f"The names of the opponents have {NAME_LENGTH} wide letters, the most there may be."
    tries = (checks.READS_NAMES,)
    names = WIDE_NAMES


class SecondTable(_AtItsTable):
    name = "second-table"
    summary = "In the middle of a game the client is invited to another table, where it may come; two answers cross."
    tries = (checks.PLAYS_BESIDE, checks.PLAYS_AT_BOTH, checks.PAIRS)

    _other: int | None = None
    _first = 0
    _is_at_other_table = False
    _choices: dict[tuple[int, int], int]
    """Number of choices at each decision since."""
    _waiting: messages.Act | None = None
    """An answer that waits for one at the other table."""
    _crossed: tuple[int, int] | None = None
    """The decision whose answer was refused after a later request was carried out; it is still open."""

    def strike(self, decision: messages.Decision) -> Iterable[Outgoing]:
        self._choices = {}
        self._first, self._moves = decision.table, Counter[int]()
        return super().strike(decision)

    @property
    def is_done(self) -> bool:
        return super().is_done and (not self._is_at_other_table or self.results.is_decided(checks.PLAYS_AT_BOTH))

    def begin(self, table: Table) -> bool:
        server, person = self.runner.server, self.connection.person
        if person is not None:
            host, self._other = server.open_table(table.info.game, 2, {"dealing": "plain", **self.options}, self.turn)
            self.results.begin(checks.PLAYS_BESIDE)
            server.invite(host, self._other, person)
        return True

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.TableSnapshot) and message.table == self._other and not self._is_at_other_table:
            self._is_at_other_table = True
            self._moves.clear()
            self.results.begin(checks.PLAYS_AT_BOTH)
        if self._is_at_other_table and isinstance(message, messages.Decision):
            self._choices[message.table, message.decision] = len(message.legal)
        return super().outgoing(message)

    def incoming(self, message: messages.ClientMessage) -> bool:
        if self._other is not None and isinstance(message, messages.Bye):  # as a client may at any time
            self.results.passed(checks.PLAYS_BESIDE)
            self.results.withdraw(checks.PLAYS_AT_BOTH)
            self._is_at_other_table = False
        return not (self._is_at_other_table and isinstance(message, messages.Act) and self._waits(message))

    def _waits(self, act: messages.Act) -> bool:
        """Answer two requests in reverse order, once, as a cluster may. Returns true if the lobby must not get this
        one, or already has it."""
        if self._waiting is None:
            if self._crossed is None and self._choices.get((act.table, act.decision), 0) > 1:
                self._waiting = act
                self.after(BOTH_MS, self._go_on)
            return self._waiting is not None
        first = self._waiting
        if act.table == first.table:
            return False
        self._waiting, self._crossed = None, (first.table, first.decision)
        self.results.begin(checks.PAIRS)
        self.runner.forward(self.connection, act)
        says = "that is not among the legal actions of this decision"
        self.runner.send(self.connection, messages.Refused(first.id, RefusalCode.ILLEGAL, says, field="action"))
        return True

    def _go_on(self) -> None:
        if self._waiting is not None:  # it asks one thing at a time
            act, self._waiting = self._waiting, None
            self._crossed = self._crossed or (0, 0)
            self.runner.forward(self.connection, act)

    def disconnected(self) -> None:
        super().disconnected()
        self._waiting = None

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._other is None:
            return
        if decision == self._crossed:
            self.results.passed(checks.PAIRS)
        self._moves[decision[0]] += 1
        at_first, at_other = (self._moves[table] >= PLAYED for table in (self._first, self._other))
        if at_first:
            self.results.passed(checks.PLAYS_BESIDE)
        if at_first and at_other:
            self.results.passed(checks.PLAYS_AT_BOTH)

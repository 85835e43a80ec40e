"""The table and its clocks under anything at all, with Hypothesis choosing, so that a failure comes small."""

from collections.abc import Callable
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from put_protocol.games.put import Put
from put_protocol.messages import Events, ServerMessage, TableSnapshot
from put_protocol.seats import Seat
from put_protocol.table_info import TableState
from put_rules.registry import GAMES
from put_server.journal.records import decode_lobby, encode
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.table.clock import Timer
from put_server.table.seating import Sitter
from put_server.table.table import Table
from put_server.table.table_effects import PersonId, RequestRefused
from put_server.table.table_model import TableModel
from tests.repetitions import often
from tests.table.table_harness import ANN, BEN, CAT, DAN, EVE, NAMES, TableHarness, gap_in, new_table, state_of

COMPANY = st.sampled_from((ANN, BEN, CAT, DAN, EVE))
DOLL = PersonId(90)

few = often(40, steps=40)


def known_in(mail: list[ServerMessage]) -> int:
    """The number of the last event somebody has."""
    known = 0
    for message in mail:
        if isinstance(message, TableSnapshot):
            known = message.number
        elif isinstance(message, Events):
            known = message.first + len(message.events) - 1
    return known


class TimerMachine(RuleBasedStateMachine):
    """A timer against the plain sum of the times it ran."""

    @initialize(left=st.none() | st.integers(0, 10_000))
    def begin(self, left: int | None) -> None:
        self.timer = Timer(left)
        self.left = left
        self.ran = 0
        self.runs = False
        self.now = 0

    @rule(span=st.integers(0, 3_000))
    def wait(self, span: int) -> None:
        self.now += span
        self.ran += span if self.runs else 0

    @rule()
    def start(self) -> None:
        self.timer.start(self.now)
        self.runs = True

    @rule()
    def stop(self) -> None:
        self.timer.stop(self.now)
        self.runs = False

    @invariant()
    def has_what_is_left(self) -> None:
        if not hasattr(self, "timer"):
            return
        left = None if self.left is None else max(0, self.left - self.ran)
        assert self.timer.remaining(self.now) == left
        assert self.timer.is_spent(self.now) == (self.runs and left == 0)


class TableMachine(RuleBasedStateMachine):
    """A table to which people do everything they can, allowed or not."""

    @initialize(
        seats=st.integers(2, 4),
        turn=st.sampled_from((0, 5)),
        bank=st.sampled_from((0, 8)),
        abandoned=st.sampled_from(("forfeit", "house")),
        empty=st.sampled_from((0, 0, 0, 1)),
    )
    def open(self, seats: int, empty: int, **terms: Any) -> None:
        self.new = partial(new_table, seats, target=3, **terms)
        self.harness = TableHarness(self.new())
        self.journal: list[tuple[int, Callable[[TableHarness], None]]] = []
        for person in (ANN, BEN, CAT, DAN)[: seats - empty]:
            self.sit(person=person)

    def do(self, command: Callable[[TableHarness], None]) -> None:
        """A command: carried out and kept, or refused and as if it had not been."""
        before = state_of(self.harness.table, self.harness.now)
        try:
            command(self.harness)
        except RequestRefused:
            assert state_of(self.harness.table, self.harness.now) == before, "what is refused changes nothing"
        else:
            self.journal.append((self.harness.now, command))

    @rule(person=COMPANY)
    def sit(self, person: PersonId) -> None:
        self.do(lambda harness: harness.sit(person))

    @precondition(lambda self: self.harness.table.state is TableState.FILLING)
    @rule()
    def invite(self) -> None:
        self.do(
            lambda harness: harness.do(harness.table.sit(Sitter(DOLL, "Doll", house="steady"), None, harness.now)[1])
        )

    @precondition(lambda self: self.harness.table.seating.seat_of(DOLL) is not None)
    @rule(seat=st.integers(0, 3))
    def dismiss(self, seat: int) -> None:
        self.do(lambda harness: harness.do(harness.table.dismiss(Seat(seat), harness.now)))

    @rule(person=COMPANY)
    def watch(self, person: PersonId) -> None:
        self.do(lambda harness: harness.watch(person))

    @rule(person=COMPANY, how=st.sampled_from(("stand", "leave", "resign", "again")))
    def ask(self, person: PersonId, how: str) -> None:
        self.do(lambda harness: getattr(harness, how)(person))

    @rule(person=COMPANY, minutes=st.sampled_from((0, 1, 60)))
    def pause(self, person: PersonId, minutes: int) -> None:
        self.do(lambda harness: harness.do(harness.table.pause(person, minutes, harness.now)))

    @rule(minutes=st.sampled_from((1, 60)))
    def pause_by_all(self, minutes: int) -> None:
        for person in self.harness.table.seating.people:
            self.pause(person=person, minutes=minutes)

    @rule(person=COMPANY)
    def go_on(self, person: PersonId) -> None:
        self.do(lambda harness: harness.do(harness.table.go_on(person, harness.now)))

    @precondition(lambda self: self.harness.table.seating.people)
    @rule(index=st.integers(0, 4))
    def disconnect(self, index: int) -> None:
        person = self.harness.table.seating.people[index % len(self.harness.table.seating.people)]
        self.do(lambda harness: harness.disconnect(person))

    @precondition(lambda self: self.harness.table.seating.people)
    @rule(index=st.integers(0, 4), missed=st.none() | st.integers(0, 40))
    def reconnect(self, index: int, missed: int | None) -> None:
        """They come back without their last messages, or with nothing."""
        person = self.harness.table.seating.people[index % len(self.harness.table.seating.people)]

        def reconnect(harness: TableHarness) -> None:
            mail = harness.mail[person]
            del mail[len(mail) - (missed or 0) :]
            harness.do(harness.table.reconnect(person, None if missed is None else known_in(mail), harness.now))

        self.do(reconnect)

    @precondition(
        lambda self: self.harness.table.model.turn.seat is not None and self.harness.table.state is TableState.PLAYING
    )
    @rule(choice=st.integers(0, 9), times=st.integers(1, 6))
    def act(self, choice: int, times: int) -> None:
        for _ in range(times):
            if self.harness.table.model.turn.seat is not None:
                legal = self.harness.decision.legal
                action = legal[choice % len(legal)].action
                self.do(lambda harness, action=action: harness.act(action))  # type: ignore[misc]  # a default cannot be typed

    @precondition(
        lambda self: self.harness.table.state is TableState.PAUSED and self.harness.table.model.turn.seat is not None
    )
    @rule()
    def act_in_a_pause(self) -> None:
        had = len(self.journal)
        self.do(
            lambda harness: harness.do(
                harness.table.act(harness.mover, harness.table.model.turn.decision, Put(), harness.now)
            )
        )
        assert len(self.journal) == had

    @rule(span=st.sampled_from((1, 999, 4_000, 61_000)))
    def wait(self, span: int) -> None:
        then = self.harness.now + span

        def tick(harness: TableHarness) -> None:
            harness.tick(then)

        self.do(tick)

    def teardown(self) -> None:
        """It is what its journal says."""
        if not hasattr(self, "harness"):
            return
        again = TableHarness(self.new())
        for at, command in self.journal:
            again.now = at
            command(again)
        assert state_of(again.table, self.harness.now) == state_of(self.harness.table, self.harness.now)

    @invariant()
    def comes_back_from_rest(self) -> None:
        if not hasattr(self, "harness"):
            return
        table = self.harness.table
        kept = LobbyCheckpoint((), (table.model.checkpoint(),), (), 0, 0, False, False)
        (found,) = decode_lobby(encode(kept)).tables
        again = Table(TableModel.restored(found, GAMES[found.rule_set]), table._hire, table.publisher._form_of)
        assert state_of(again, self.harness.now) == state_of(table, self.harness.now)
        assert encode(LobbyCheckpoint((), (again.model.checkpoint(),), (), 0, 0, False, False)) == encode(kept)

    @invariant()
    def keeps_time(self) -> None:
        if not hasattr(self, "harness"):
            return
        table = self.harness.table
        is_paused = table.state is TableState.PAUSED
        for seat, chair in enumerate(table.seating.chairs):
            assert (chair.bank.since is not None) == (chair.is_away and not is_paused)
            if seat == table.model.turn.seat:
                assert (table.model.turn.since is not None) == (not chair.is_away and not is_paused)
        if table.model.turn.seat is None:
            assert table.model.turn.since is None

    @invariant()
    def numbers_events_without_gaps(self) -> None:
        if hasattr(self, "harness"):
            for person in NAMES:
                assert gap_in(self.harness.mail[person]) is None


TimerMachine.TestCase.settings = few
TableMachine.TestCase.settings = few
TestTimerMachine = TimerMachine.TestCase
TestTableMachine = TableMachine.TestCase

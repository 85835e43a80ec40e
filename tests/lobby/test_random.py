"""The lobby under anything at all: its laws are checked by `LobbyHarness` after every input."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from put_server.lobby.inputs import Arrive, Return, Shuffled
from tests.lobby.lobby_harness import ROOM, LobbyHarness, folded, lobby_snapshot, new_lobby, token_of
from tests.repetitions import TIMES, often

STEPS = 2_000


@pytest.mark.parametrize("seed", range(2 * TIMES))
def test_lobby_keeps_its_laws_whatever_happens(seed: int) -> None:
    """Answers, numbers, decisions, secrets of tables and what subscribers know hold over long random evenings."""
    harness = LobbyHarness(seed=seed)
    for _ in range(STEPS):
        harness.random_step()
    dealt = sum(isinstance(event, Shuffled) for _, event in harness.records)
    assert dealt > 12, "too dull an evening to prove anything"


@pytest.mark.parametrize("seed", range(100, 100 + 2 * TIMES))
def test_lobby_folded_again_is_the_same_lobby(seed: int) -> None:
    """The records a journal would keep, folded again, give the same tables, people, numbers and views."""
    harness = LobbyHarness(seed=seed)
    for step in range(STEPS // 3):
        harness.random_step()
        if step % 250 == 0:
            again = folded(harness.records, new_lobby())
            assert lobby_snapshot(again.lobby, harness.now) == lobby_snapshot(harness.lobby, harness.now)
            assert set(again.houses) == set(harness.houses)


class LobbyMachine(RuleBasedStateMachine):
    """The same with Hypothesis choosing, so that a failure comes small."""

    @initialize(seed=st.integers(0, 2**16))
    def open(self, seed: int) -> None:
        self.harness = LobbyHarness(seed=seed)

    def _person(self, index: int, *, is_here: bool) -> int | None:
        people = [p.id for p in self.harness.lobby.people.values() if p.is_here == is_here]
        return people[index % len(people)] if people else None

    @rule(name=st.sampled_from(ROOM))
    def arrive(self, name: str) -> None:
        self.harness.handle(Arrive(name, is_bot=False, token=token_of(f"{name} {len(self.harness.records)}")))

    @rule(index=st.integers(0, 9))
    def lose(self, index: int) -> None:
        person = self._person(index, is_here=True)
        if person is not None:
            self.harness.lose(self.harness.lobby.people[person].id)  # type: ignore[index]  # an id is an int

    @rule(index=st.integers(0, 9))
    def come_back(self, index: int) -> None:
        person = self._person(index, is_here=False)
        if person is not None:
            self.harness.come_back(self.harness.lobby.people[person].id)  # type: ignore[index]  # an id is an int

    @rule()
    def come_back_with_no_such_token(self) -> None:
        assert self.harness.turned_away(Return(b"none", ())).refusal == "bad_token"

    @rule(index=st.integers(0, 9), times=st.integers(1, 6))
    def ask(self, index: int, times: int) -> None:
        person = self._person(index, is_here=True)
        for _ in range(times if person is not None else 0):
            known = self.harness.lobby.people[person].id  # type: ignore[index]  # an id is an int
            self.harness.ask(known, self.harness.random_request(known))

    @rule(times=st.integers(1, 10))
    def move(self, times: int) -> None:
        for _ in range(times):
            self.harness.house_moves()
            self.harness.random_move()

    @rule(span=st.sampled_from((1, 1_000, 6_000, 130_000)))
    def tick(self, span: int) -> None:
        self.harness.tick(span)

    @rule()
    def restart(self) -> None:
        self.harness.restart()

    @invariant()
    def folds(self) -> None:
        harness = getattr(self, "harness", None)
        if harness is not None:
            again = folded(harness.records, new_lobby())
            assert lobby_snapshot(again.lobby, harness.now) == lobby_snapshot(harness.lobby, harness.now)


LobbyMachine.TestCase.settings = often(8, steps=40)


TestLobbyMachine = LobbyMachine.TestCase

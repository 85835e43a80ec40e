"""The lobby under anything at all: its laws are checked by `Tavern` after every input."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from put_server.lobby.inputs import Arrive, Return, Shuffled
from tests.lobby.lobby_harness import ROOM, Tavern, folded, lobby_picture, new_lobby, token_of
from tests.repetitions import often

STEPS = 2_000


@pytest.mark.parametrize("seed", range(4))
def test_lobby_keeps_its_laws_whatever_happens(seed: int) -> None:
    """Answers, numbers, decisions, secrets of tables and the lookers' picture hold over long random evenings."""
    tavern = Tavern(seed=seed)
    for _ in range(STEPS):
        tavern.random_step()
    dealt = sum(isinstance(event, Shuffled) for _, event in tavern.records)
    assert dealt > 12, "too dull an evening to prove anything"


@pytest.mark.parametrize("seed", range(100, 104))
def test_lobby_folded_again_is_the_same_lobby(seed: int) -> None:
    """The records a journal would keep, folded again, give the same tables, people, numbers and views."""
    tavern = Tavern(seed=seed)
    for step in range(STEPS // 3):
        tavern.random_step()
        if step % 250 == 0:
            again = folded(tavern.records, new_lobby())
            assert lobby_picture(again.lobby, tavern.now) == lobby_picture(tavern.lobby, tavern.now)
            assert set(again.houses) == set(tavern.houses)


class LobbyMachine(RuleBasedStateMachine):
    """The same with Hypothesis choosing, so that a failure comes small."""

    @initialize(seed=st.integers(0, 2**16))
    def open(self, seed: int) -> None:
        self.tavern = Tavern(seed=seed)

    def _person(self, index: int, *, is_here: bool) -> int | None:
        people = [p.id for p in self.tavern.lobby.people.values() if p.is_here == is_here]
        return people[index % len(people)] if people else None

    @rule(name=st.sampled_from(ROOM))
    def arrive(self, name: str) -> None:
        self.tavern.handle(Arrive(name, is_bot=False, token=token_of(f"{name} {len(self.tavern.records)}")))

    @rule(index=st.integers(0, 9))
    def lose(self, index: int) -> None:
        person = self._person(index, is_here=True)
        if person is not None:
            self.tavern.lose(self.tavern.lobby.people[person].id)  # type: ignore[index]  # an id is an int

    @rule(index=st.integers(0, 9))
    def come_back(self, index: int) -> None:
        person = self._person(index, is_here=False)
        if person is not None:
            self.tavern.come_back(self.tavern.lobby.people[person].id)  # type: ignore[index]  # an id is an int

    @rule()
    def come_back_with_no_such_token(self) -> None:
        assert self.tavern.turned_away(Return(b"none", ())).refusal == "bad_token"

    @rule(index=st.integers(0, 9), times=st.integers(1, 6))
    def ask(self, index: int, times: int) -> None:
        person = self._person(index, is_here=True)
        for _ in range(times if person is not None else 0):
            known = self.tavern.lobby.people[person].id  # type: ignore[index]  # an id is an int
            self.tavern.ask(known, self.tavern.random_request(known))

    @rule(times=st.integers(1, 10))
    def move(self, times: int) -> None:
        for _ in range(times):
            self.tavern.house_moves()
            self.tavern.random_move()

    @rule(span=st.sampled_from((1, 1_000, 6_000, 130_000)))
    def tick(self, span: int) -> None:
        self.tavern.tick(span)

    @rule()
    def restart(self) -> None:
        self.tavern.restart()

    @invariant()
    def folds(self) -> None:
        tavern = getattr(self, "tavern", None)
        if tavern is not None:
            again = folded(tavern.records, new_lobby())
            assert lobby_picture(again.lobby, tavern.now) == lobby_picture(tavern.lobby, tavern.now)


LobbyMachine.TestCase.settings = often(8, steps=40)


TestLobbyMachine = LobbyMachine.TestCase

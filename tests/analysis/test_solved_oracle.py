"""The shipped solutions, asked as seats see them: by tables over sockets, by records, and for positions."""

from collections.abc import Iterator
from contextlib import nullcontext
from itertools import islice
from random import Random

import pytest

from put_protocol.analysis import CERTAIN, Situation, action_kind
from put_protocol.codecs import FRAMES, LINES
from put_protocol.games.put import Put, ThrowIn
from put_protocol.messages import (
    Advice,
    Again,
    Analyse,
    Analysis,
    Coach,
    Decision,
    Drill,
    Grade,
    Invite,
    Judgement,
    Ok,
    OpenTable,
    Position,
    Refused,
    Resign,
    Sit,
)
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_rules.driver import Driver, shuffled_by
from put_rules.facts import seen_by
from put_rules.record import SeatTurns
from put_rules.registry import GAMES
from put_server.analysis.evaluation import COSTLY, judge
from put_server.analysis.practice_positions import _hand
from put_server.analysis.solved_oracle import SolvedOracle, is_solved, oracle_of
from put_server.house.put.solved import solution_table
from put_server.house.put.solved.solution_table import shipped
from put_server.lobby.analysis_requests import AnalysisRequests
from put_server.table.table_effects import PersonId, RequestRefused
from tests.analysis.test_practice_positions import defaults
from tests.transport.sockets import running_server

SOLVED = [name for name in GAMES if solution_table.is_shipped(name)]

at_every_solved_game = pytest.mark.parametrize("game", SOLVED)

TRUE = 0.002
"""How far a solution may be from perfect, in games; it is exploited by less than half of that."""


def test_what_is_solved_is_known_without_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """No question about any game, with any options and seats, reads one: a peer may ask many times a second."""

    def no_table(_: bytes) -> None:
        raise AssertionError("a table was read")

    solution_table._read.cache_clear()
    monkeypatch.setattr(solution_table, "Table", no_table)
    studies = AnalysisRequests(GAMES, is_solved)
    solved = set()
    for game, rule_set in GAMES.items():
        for seats in rule_set.offer.seats:
            for options in ({}, {"target": 3}, {"misdeals": 5}, {"pack": 32}):
                if is_solved(game, defaults(game) | options, seats):
                    solved.add((game, seats, tuple(options)))
        with nullcontext() if game in SOLVED else pytest.raises(RequestRefused):
            studies.practice(PersonId(1), Drill(1, game), "")
    assert solved == {(game, 2, ()) for game in ("put-1674", "put-1800", "put-parlett")}


def test_tables_are_read_once_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever games are asked for in between, and in whatever order."""
    read: list[bytes] = []

    class CountedTable(solution_table.Table):
        def __init__(self, data: bytes) -> None:
            read.append(data)
            super().__init__(data)

    solution_table._read.cache_clear()
    monkeypatch.setattr(solution_table, "Table", CountedTable)
    for game in [*GAMES, *reversed(list(GAMES)), *GAMES]:
        found = shipped(game)
        assert (found is not None) == is_solved(game, defaults(game), 2)
    assert len(read) == len(set(read)) == len(SOLVED) == 3
    solution_table._read.cache_clear()


def decisions(game: str, count: int) -> Iterator[tuple[Situation, SolvedOracle]]:
    """Those that perfect players come to, with one who knows."""
    oracle, rng = oracle_of(game, defaults(game)), Random(f"{game} 1")
    machine = GAMES[game].make(2, defaults(game))
    found = (situation for _ in range(count) for situation, _ in _hand(machine, rng, oracle))
    return ((situation, oracle) for situation in islice(found, count))


@at_every_solved_game
def test_what_perfect_play_does_costs_nothing(game: str) -> None:
    """Each thing it does is worth as much as the best there is, but for what the table errs, where it comes to itself;
    every legal action has a worth, and chances are chances."""
    loss, weight = 0.0, 0
    for situation, oracle in decisions(game, 10):
        evaluation = oracle.evaluation(situation)
        assert evaluation is not None
        assert {action_kind(action) for action in evaluation.values} == {
            action_kind(choice.action) for choice in situation.legal
        }
        assert all(-1e-9 <= value <= 1 + 1e-9 for value in evaluation.values.values())
        assert sum(evaluation.policy.values()) == pytest.approx(1)
        best = max(evaluation.values.values())
        loss += sum(share * (best - evaluation.values[action]) for action, share in evaluation.policy.items())
        weight += 1
        assert oracle.policy(situation).keys() <= {choice.action for choice in situation.legal}
        verdict = judge(situation, situation.legal[0].action, evaluation)
        assert sum(choice.share for choice in verdict.choices) == 10_000
    assert loss / weight < TRUE


@at_every_solved_game
def test_what_perfect_play_does_costs_little_whatever_the_other_did(game: str) -> None:
    """A player may do anything at all. Then, too, what is said to be perfect is worth what is said to be best."""
    oracle, rng = oracle_of(game, defaults(game)), Random(f"{game} anything")
    machine, judged = GAMES[game].make(2, defaults(game)), 0
    while judged < 30:
        driver = Driver(machine, Seat(0))
        turns = {seat: SeatTurns(machine, seat) for seat in (Seat(0), Seat(1))}
        for seat in driver.turns(shuffled_by(rng)):
            for each, own in turns.items():
                own.see(seen_by(driver.facts, each))
            situation = turns[seat].situation(driver.state)
            view = situation.put
            if situation.is_choice and (view.putter is not None or len(view.past) == 2):
                evaluation = oracle.evaluation(situation)
                assert evaluation is not None
                best, judged = max(evaluation.values.values()), judged + 1
                assert sum(evaluation.policy.values()) == pytest.approx(1)
                assert all(best - evaluation.values[action] < COSTLY / CERTAIN for action in evaluation.policy)
            driver.act(rng.choice(situation.legal).action)


def test_what_is_not_solved_is_known() -> None:
    """Other options, other numbers of players, and games nobody has solved."""
    assert not is_solved("truc", defaults("truc"), 2)
    assert not is_solved("put-tavern", defaults("put-tavern"), 2)
    for game in SOLVED:
        assert is_solved(game, defaults(game), 2)
        assert not is_solved(game, defaults(game), 3)
        for option, value in (("target", 3), ("pack", 28), ("misdeals", 20), ("arranged", "3s")):
            assert not is_solved(game, {**defaults(game), option: value}, 2)
        for option, value in (("open", "after_game"), ("abandoned", "house")):
            assert is_solved(game, {**defaults(game), option: value}, 2)


@pytest.mark.skipif("put-1674" not in SOLVED, reason="its table is not here")
async def test_game_is_weighed_at_a_real_table() -> None:
    """From the first card to the analysis, over sockets and in the worker's own process, in either codec; and again,
    from what is remembered. During a game nothing is told."""
    async with running_server() as harness:
        players = await harness.game(FRAMES, LINES)
        for _ in range(6):
            if harness.server.dispatcher.lobby.tables[1].model.turn.seat is not None:  # type: ignore[index]  # a number is a number
                mover, decision = await harness.asked(players)
                quiet = [one for one in decision.legal if not isinstance(one.action, Put | ThrowIn)]
                await mover.act(decision, (quiet or decision.legal)[0].action)
        refused = await players[0].ask(lambda n: Analyse(n, 1))
        assert isinstance(refused, Refused)
        assert refused.code == RefusalCode.GAME_IN_PLAY
        await players[1].ask(lambda n: Resign(n, 1))
        for seat, player in enumerate(players):
            for _ in range(2):
                assert isinstance(await player.ask(lambda n: Analyse(n, 1)), Ok)
                seen = await player.until(Analysis)
                assert (seen.table, seen.game, seen.seat, seen.flaw) == (1, 1, seat, "")
                assert seen.decisions == len(seen.reviewed) >= 1
                player.messages.remove(seen)
        assert isinstance(await players[0].ask(lambda n: Again(n, 1)), Ok)


@pytest.mark.skipif("put-1674" not in SOLVED, reason="its table is not here")
async def test_coach_advises_at_a_real_table() -> None:
    """Over sockets, in the worker's own process: every legal action with its chance, in their order."""
    async with running_server() as harness:
        ann = await harness.guest("Ann", LINES)
        await ann.ask(lambda n: OpenTable(n, "put-1674"))
        await ann.ask(lambda n: Sit(n, 1))
        await ann.ask(lambda n: Invite(n, 1, house="steady"))
        decision = await ann.until(Decision)
        assert isinstance(await ann.ask(lambda n: Coach(n, 1)), Ok)
        told = await ann.until(Advice)
        assert (told.table, told.decision, told.flaw) == (1, decision.decision, "")
        assert [choice.action for choice in told.choices] == [choice.action for choice in decision.legal]
        assert sum(choice.share for choice in told.choices) == 10_000


@pytest.mark.skipif("put-1674" not in SOLVED, reason="its table is not here")
async def test_positions_are_practised_over_sockets() -> None:
    """A position, an answer, its judgement; what is not legal, and what is not solved, are sentences."""
    async with running_server() as harness:
        ann = await harness.guest("Ann", LINES)
        assert isinstance(await ann.ask(lambda n: Drill(n, "put-1674")), Ok)
        position = await ann.until(Position)
        assert position.flaw == ""
        chosen = position.legal[-1].action
        assert isinstance(await ann.ask(lambda n: Grade(n, "put-1674", position.number, chosen)), Ok)
        judgement = await ann.until(Judgement)
        assert judgement.judged is not None
        assert judgement.judged.done == chosen
        refused = await ann.ask(lambda n: Drill(n, "truc"))
        assert isinstance(refused, Refused)
        assert refused.code == RefusalCode.NOT_SOLVED

"""Practice positions follow from their numbers, matter, and show no more than a seat would see."""

import io
import subprocess
import sys
from collections.abc import Mapping

import pytest

from put_protocol.analysis import Situation, action_kind
from put_protocol.games.put import PutAction, Redeal
from put_protocol.games.unions import Action
from put_protocol.messages import Drill, Grade, Judgement, Position
from put_rules.game import OptionValue
from put_rules.registry import GAMES
from put_server.analysis import analysis_worker
from put_server.analysis.evaluation import Evaluation
from put_server.analysis.practice_positions import HANDS, MATTERS, NoPositionFound, PracticePosition, find_position
from put_text.catalogue import said_in
from tests.analysis.toy_oracle import ToyOracle, toy_oracle
from tests.house.sample_hands import put_actions

PAIRS = [name for name, rule_set in GAMES.items() if 2 in rule_set.offer.seats]


def defaults(game: str) -> dict[str, OptionValue]:
    return GAMES[game].offer.defaults


def position(number: int, game: str = "put-1674") -> PracticePosition:
    return find_position(GAMES[game], defaults(game), number, ToyOracle())


@pytest.mark.parametrize("game", PAIRS)
def test_position_follows_from_its_number(game: str) -> None:
    """The same one every time, another one of another number, and always a decision between two things at least."""
    found = [position(number, game) for number in range(1, 30)]
    assert found == [position(number, game) for number in range(1, 30)]
    assert len({repr(one.situation) for one in found}) == len(found)
    for one in found:
        assert one.situation.is_choice
        assert one.situation.view.to_move == one.situation.seat
        assert one.wording.asks
        assert max(one.evaluation.values.values()) - min(one.evaluation.values.values()) > MATTERS / 10
        assert set(map(action_kind, one.evaluation.values)) == {
            action_kind(choice.action) for choice in one.situation.legal
        }
    assert {one.situation.seat for one in found} == {0, 1}
    assert len({one.situation.put.moment for one in found}) > 1
    assert len({one.situation.put.scores for one in found}) > 5


def test_scores_are_below_the_target() -> None:
    """Nobody has won yet."""
    for number in range(1, 50):
        view = find_position(
            GAMES["put-1674"], {**defaults("put-1674"), "target": 2}, number, ToyOracle()
        ).situation.put
        assert view.target == 2
        assert max(view.scores) < 2


def test_position_that_matters_nowhere_is_not_found() -> None:
    """With an oracle to which all actions are worth the same, the search ends."""

    class Indifferent(ToyOracle):
        hands = 0

        def evaluation(self, situation: Situation) -> Evaluation:
            return Evaluation(dict.fromkeys(put_actions(situation.legal), 0.5), {put_actions(situation.legal)[0]: 1.0})

        def policy(self, situation: Situation) -> Mapping[PutAction, float]:
            self.hands += len(situation.put.past) == 0
            return {put_actions(situation.legal)[0]: 1.0}

    oracle = Indifferent()
    with pytest.raises(NoPositionFound):
        find_position(GAMES["put-1674"], defaults("put-1674"), 1, oracle)
    assert oracle.hands >= HANDS


# --- the worker ---


def worked(*jobs: analysis_worker.Job) -> list[analysis_worker.Answer]:
    """What a worker answers to these."""
    answers = io.BytesIO()
    analysis_worker.serve(io.BytesIO(b"".join(map(analysis_worker.packed, jobs))), answers, toy_oracle)
    data, found = answers.getvalue(), []
    while data:
        length = int.from_bytes(data[: analysis_worker.LENGTH], "big")
        found.append(analysis_worker.answer_of(data[analysis_worker.LENGTH : analysis_worker.LENGTH + length]))
        data = data[analysis_worker.LENGTH + length :]
    return found


def practise(
    number: int, answer: Action | None = None, game: str = "put-1674", language: str = "en"
) -> analysis_worker.Practise:
    """The job of finding a position, or of grading an answer to it."""
    request = Drill(1, game) if answer is None else Grade(2, game, number, answer)
    return analysis_worker.Practise(request, defaults(game), number, language)


def test_worker_grades_what_it_finds() -> None:
    """The same position for a find and a grade of its number, whatever came between."""
    (found,) = worked(practise(7))
    assert isinstance(found, Position)
    other, graded = worked(
        practise(8),
        practise(7, found.legal[-1].action),
    )
    assert other != found
    assert isinstance(graded, Judgement)
    assert graded.judged is not None
    assert graded.judged.done == found.legal[-1].action
    assert [choice.action for choice in graded.judged.choices] == [choice.action for choice in found.legal]
    assert [choice.says for choice in graded.judged.choices] == [choice.says for choice in found.legal]


def test_worker_in_a_process_of_its_own_finds_the_same() -> None:
    """Nothing depends on what was done before, or on how a process hashes."""
    job = practise(2**53 - 1, game="put-parlett")
    command = [sys.executable, "-m", "tests.analysis.toy_worker"]
    data = subprocess.run(
        command, input=analysis_worker.packed(job), capture_output=True, check=True, timeout=20
    ).stdout
    assert [analysis_worker.answer_of(data[analysis_worker.LENGTH :])] == worked(job)


def test_worker_survives_what_it_cannot_do() -> None:
    """An action that is not legal there is answered in the language of the person, a bug without its text."""
    answers = worked(
        practise(9, Redeal(), language="fr"),
        analysis_worker.Practise(Drill(1, "no-such-game"), {"target": 5}, 1),
        practise(9),
    )
    assert answers[0] == Judgement(2, 9, flaw=said_in("fr", "refused-illegal-position", {}))
    assert answers[1] == analysis_worker.JobFailed("KeyError")
    assert isinstance(answers[2], Position)


def test_worker_weighs_hands() -> None:
    """A hand without turns has no decisions."""
    assert worked(analysis_worker.EvaluateHand("put-1674", defaults("put-1674"), ())) == [
        analysis_worker.HandEvaluated(())
    ]

"""The trainer: what is practised next, and when it comes again."""

import asyncio
import sys
from pathlib import Path

import pytest

from put_client.record import trainer
from put_client.record.store import Exercise, LocalRecord
from put_client.record.trainer import DAY_MS, WAITS, NothingToPractise, PracticeProcess, Trainer, after_answer
from put_client.sdk.weigher import COMMAND
from put_protocol.analysis import Quality
from put_protocol.games.put import See, ThrowIn
from put_protocol.messages import Analysis
from put_protocol.seats import Seat
from tests.client.record.games import NOW, game
from tests.client.sample_sheet import sheet
from tests.client.tui.test_record_screen import REVIEW

TODAY = NOW // DAY_MS
NO_PROCESS = (sys.executable, "-c", "")
"""A process that answers nothing, where no new positions are wanted."""


class Person:
    """Somebody who practises, on one day after another."""

    def __init__(self, folder: Path, command: tuple[str, ...] = NO_PROCESS) -> None:
        self.record = LocalRecord(folder / "record.sqlite3")
        self.now = NOW
        self.trainer = Trainer(self.record, "put-1674", lambda: self.now, PracticeProcess(command))

    def played(self) -> None:
        """A game with one mistake, of two decisions."""
        number = self.record.save(game(1), sheet())
        self.record.save_analysis(number, Analysis(3, 2, Seat(0), 2, 260, 1, (2,), REVIEW))


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


@pytest.mark.parametrize(("box", "days"), list(enumerate(WAITS[1:])))
def test_right_answers_put_a_position_off_longer_and_longer(box: int, days: int) -> None:
    """And a wrong one brings it back at once, from wherever it was."""
    assert after_answer(box, TODAY, is_right=True) == (box + 1, TODAY + days)
    assert after_answer(box, TODAY, is_right=False) == (0, TODAY)


def test_last_box_is_the_last() -> None:
    """What is known comes once a quarter."""
    last = len(WAITS) - 1
    assert after_answer(last, TODAY, is_right=True) == (last, TODAY + WAITS[-1])


async def test_own_mistake_is_practised_and_comes_again(person: Person) -> None:
    """As it stood in the game; right, it comes the next day, and then after three."""
    person.played()
    assert person.trainer.gather() == 1
    assert person.trainer.gather() == 0, "once"
    exercise = await person.trainer.next()
    assert exercise.source == "game 1, decision 2"
    judged = await person.trainer.answer(exercise, See())
    assert (judged.cost, judged.quality, judged.done) == (0, Quality.FINE, See())
    with pytest.raises(NothingToPractise):
        await person.trainer.next()
    assert person.record.due("put-1674", TODAY, 9) == ()
    (again,) = person.record.due("put-1674", TODAY + 1, 9)
    person.now += DAY_MS
    await person.trainer.answer(again, See())
    assert person.record.due("put-1674", TODAY + 3, 9) == ()
    assert len(person.record.due("put-1674", TODAY + 4, 9)) == 1


async def test_wrong_answer_is_due_again_and_counted(person: Person) -> None:
    """What it cost is in the record; it does not come before other positions did."""
    person.played()
    person.trainer.gather()
    exercise = await person.trainer.next()
    judged = await person.trainer.answer(exercise, ThrowIn())
    assert (judged.cost, judged.quality) == (260, Quality.MISTAKE)
    (answer,) = person.record.answers()
    assert (answer.cost, answer.is_right, answer.at) == (260, False, NOW)
    assert len(person.record.due("put-1674", TODAY, 9)) == 1
    with pytest.raises(NothingToPractise):
        await person.trainer.next()


async def test_new_positions_need_no_server(tmp_path: Path) -> None:
    """They come from a process with the solutions, are judged by it, and are kept where the answer was wrong: the next
    time they are judged without it."""
    person = Person(tmp_path, COMMAND)
    wrong: Exercise | None = None
    for _ in range(8):
        exercise = await person.trainer.next()
        assert exercise.id == 0
        worst = exercise.position.legal[-1].action
        judged = await person.trainer.answer(exercise, worst)
        assert judged.done == worst
        if judged.quality is not Quality.FINE:
            wrong = exercise
            break
    await person.trainer.end()
    assert wrong is not None
    (kept,) = person.record.due("put-1674", TODAY, 9)
    assert kept.source == wrong.source
    offline = Person(tmp_path)
    best = max(kept.judged.choices, key=lambda choice: choice.chance)
    assert (await offline.trainer.answer(kept, best.action)).quality is Quality.FINE


async def test_rule_set_that_is_not_solved_is_said(tmp_path: Path) -> None:
    """In a sentence."""
    trainer = Trainer(LocalRecord(tmp_path / "record.sqlite3"), "truc", lambda: NOW)
    with pytest.raises(NothingToPractise, match="Perfect play is not known for truc"):
        await trainer.next()
    await trainer.end()


@pytest.mark.parametrize("does", ["import time; time.sleep(60)", "print('x' * 1_000_000)", "print('{}')"])
async def test_process_that_gives_no_answer_is_not_waited_for(
    does: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It hangs, or its line never ends, or is no answer."""
    monkeypatch.setattr(trainer, "WAIT_S", 0.5)
    person = Person(tmp_path, (sys.executable, "-c", does))
    async with asyncio.timeout(20):
        with pytest.raises(NothingToPractise):
            await person.trainer.next()
        await person.trainer.end()

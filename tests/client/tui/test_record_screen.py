"""The screen of the record: what is on it, at every size, and every game shown again with its costs."""

import re
from datetime import UTC
from pathlib import Path

import pytest

from put_client.record.store import ExerciseKind, GameCost, GameOutcome, LocalRecord
from put_client.record.trainer import decisions_at, exercises_of
from put_client.sheet_replay import Replay
from put_client.tui.effects import Show
from put_client.tui.model import Model
from put_client.tui.record_screen import RecordScreen
from put_client.tui.screens import Screen
from put_client.tui.widgets.canvas import KeyTarget, Size
from put_client.tui.widgets.theme import ASCII, UNICODE, Theme
from put_protocol.analysis import Judged, Quality, Reviewed
from put_protocol.analysis import Weighed as Worth
from put_protocol.cards import Card
from put_protocol.games.put import Moment, Play, PutView, See, ThrowIn
from put_protocol.messages import Analysis
from put_protocol.seats import Seat
from put_text.catalogue import speaking
from tests.client.record.games import DAY, NOW, game
from tests.client.sample_sheet import sheet
from tests.client.tui.sample_models import WELCOME, send_keys, text_of

SIZES = [Size(60, 16), Size(60, 20), Size(80, 24), Size(120, 40), Size(200, 60)]
MOLL = Seat(0)


class Nobody:
    """A stage without a terminal: it counts how often it was emptied."""

    def __init__(self, theme: Theme = UNICODE) -> None:
        self.theme = theme
        self.closed = 0
        self.screens: list[Screen] = []

    def open(self, screen: Screen) -> None:
        self.screens.append(screen)

    def refresh(self) -> None:
        pass

    def close(self) -> None:
        if len(self.screens) > 1:
            self.screens.pop()
        else:
            self.closed += 1


def decision(number: int, moment: Moment, done: Play | ThrowIn, cost: int, quality: Quality) -> Reviewed:
    """One of Moll's in the first hand of the sample game."""
    other = See() if isinstance(done, ThrowIn) else Play(Card("2s"))
    choices = (Worth(done, "do it", 6000 - cost, 0), Worth(other, "do better", 6000, 10_000))
    judged = Judged(before=6000, after=6000 - cost, quality=quality, done=done, choices=choices)
    cards = (Card("2s"), Card("10h"), Card("4d"))
    return Reviewed(number, 1, 1, moment, (0, 0), cards, judged, led=Card("3h"))


REVIEW = (
    decision(1, Moment.REPLY, Play(Card("4d")), 0, Quality.FINE),
    decision(2, Moment.ANSWER, ThrowIn(), 260, Quality.MISTAKE),
)


@pytest.fixture
def record(tmp_path: Path) -> LocalRecord:
    """Thirty games over two months, the last of which can be shown again."""
    kept = LocalRecord(tmp_path / "record.sqlite3")
    for number in range(1, 30):
        weighed = GameCost(10, 5 + number // 6, 300, 1)
        outcome = GameOutcome.WON if number % 3 else GameOutcome.LOST
        kept.save(game(number, ended=NOW - (30 - number) * DAY, weighed=weighed, outcome=outcome))
    last = kept.save(game(40, ended=NOW), sheet())
    kept.save_analysis(last, Analysis(3, 2, MOLL, 2, 260, 1, (2,), REVIEW))
    return kept


def stage_of(record: LocalRecord, theme: Theme = UNICODE) -> Nobody:
    stage = Nobody(theme)
    stage.open(RecordScreen(stage, record, now=NOW, zone=UTC))
    return stage


def shown(stage: Nobody, size: Size = SIZES[2], notice: str = "") -> str:
    return text_of(stage.screens[-1].draw(size, notice))


def pressed(stage: Nobody, *keys: str) -> None:
    for key in keys:
        stage.screens[-1].on_key(key)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", [UNICODE, ASCII])
def test_record_is_drawn_on_every_screen(record: LocalRecord, size: Size, theme: Theme) -> None:
    """Totals, the plot with its months, the games, and the keys; no line is too long, and ASCII is ASCII."""
    said = shown(stage_of(record, theme), size)
    lines = said.splitlines()
    assert "30 games" in lines[0]
    assert "Oct" in said
    assert "Nov" in said
    assert "house, steady" in said
    assert "Enter show it again" in lines[-1]
    assert all(len(line) <= size.width for line in lines)
    assert theme is UNICODE or said.isascii()
    assert ("Against" in said) == (size.width >= 84)


def test_record_in_french_is_french(record: LocalRecord) -> None:
    """How a game ended, too, and the comma in what it cost."""
    with speaking("fr"):
        said = shown(stage_of(record), Size(80, 24))
    assert re.search(r"gagnée +[+-]|perdue +[+-]", said)
    assert re.search(r"coût \d+,\d", said)
    assert re.search(r"\b(won|lost|even|house)\b", said) is None


def test_list_scrolls_to_the_first_game(record: LocalRecord) -> None:
    """And back; the game chosen is always in sight."""
    stage = stage_of(record)
    screen = stage.screens[0]
    assert isinstance(screen, RecordScreen)
    pressed(stage, "end")
    assert screen.at == 29
    assert f"{UNICODE.pointer} 2026-" in shown(stage)
    pressed(stage, "down", "pagedown")
    assert screen.at == 29
    pressed(stage, "home", "up")
    assert screen.at == 0


@pytest.mark.parametrize("size", SIZES)
def test_game_is_shown_again_with_the_cost_beside_the_step(record: LocalRecord, size: Size) -> None:
    """At the step that the decision led to, and what perfect play does there; Esc goes back to the list."""
    stage = stage_of(record)
    pressed(stage, "enter", "right", "right", "right", "right")
    assert "Fine: 60% to win the game." in shown(stage, size)
    pressed(stage, "right", "right")
    said = shown(stage, size)
    assert "A mistake: cost 2.6%. Perfect play: do" in said
    assert "6 of " in said
    pressed(stage, "escape")
    assert "Your record" in shown(stage, size)
    assert stage.closed == 0
    pressed(stage, "escape")
    assert stage.closed == 1


def test_game_without_its_moves_says_so(record: LocalRecord) -> None:
    """It has its figures all the same."""
    stage = stage_of(record)
    pressed(stage, "down", "enter")
    assert "only the figures are kept" in shown(stage)


def test_notice_of_the_lobby_is_seen_here(record: LocalRecord) -> None:
    """As when somebody asks for us meanwhile."""
    stage = stage_of(record)
    assert "Ann asks you to table 3" in shown(stage, notice="Ann asks you to table 3")
    pressed(stage, "enter")
    assert "Ann asks you to table 3" in shown(stage, notice="Ann asks you to table 3")


def test_record_that_is_broken_or_empty_says_so(tmp_path: Path) -> None:
    """And harms nobody."""
    empty = stage_of(LocalRecord(tmp_path / "new.sqlite3"))
    pressed(empty, "enter", "down")
    assert "Nothing is recorded yet" in shown(empty)
    (tmp_path / "broken.sqlite3").write_bytes(b"nonsense" * 1000)
    broken = stage_of(LocalRecord(tmp_path / "broken.sqlite3"))
    assert "cannot be used" in shown(broken, Size(200, 60))


def test_click_on_a_key_is_the_key(record: LocalRecord) -> None:
    """As everywhere."""
    stage = stage_of(record)
    stage.screens[0].on_click(KeyTarget("escape"))
    assert stage.closed == 1


def test_record_is_asked_for_in_the_lobby() -> None:
    """With one key."""
    assert send_keys(Model(welcome=WELCOME), "g")[1] == (Show("record"),)


def test_decisions_are_found_where_they_were_taken() -> None:
    """By what was done, in its hand; what is not found is left out."""
    replay = Replay.of(sheet())
    assert {at: one.number for at, one in decisions_at(replay, REVIEW).items()} == {4: 1, 6: 2}
    strange = decision(1, Moment.REPLY, Play(Card("Ks")), 0, Quality.FINE)
    assert decisions_at(replay, (strange,)) == {}


def test_mistake_becomes_an_exercise_as_it_stood() -> None:
    """With the view before it, its choices, and their worth; what was fine is none."""
    (exercise,) = exercises_of(game(id=7), sheet(), REVIEW)
    assert (exercise.source, exercise.kind) == ("game 7, decision 2", ExerciseKind.ANSWER)
    view = exercise.position.view
    assert isinstance(view, PutView)
    assert (view.putter, view.to_move, view.moment) == (Seat(1), MOLL, Moment.ANSWER)
    assert view.cards == (Card("2s"), Card("10h"))
    assert [choice.says for choice in exercise.position.legal] == ["do it", "do better"]
    assert exercise.judged.cost == 260

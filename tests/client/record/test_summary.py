"""Figures over the record: what a player would count by hand."""

import re
from datetime import timedelta, timezone
from pathlib import Path

import msgspec
import pytest

from put_client.record import summary
from put_client.record.store import Answer, ExerciseKind, GameOutcome, LocalRecord, Opponent
from put_client.record.summary import WinTally, summarize
from put_text.catalogue import speaking
from put_text.notation import read
from tests.client.record.games import DAY, NOW, WEIGHED, game
from tests.client.sample_sheet import sheet
from tests.client.tui.test_analysis_view import analysis
from tests.text.english_words import english_in

W, L, E = GameOutcome.WON, GameOutcome.LOST, GameOutcome.EVEN


@pytest.mark.parametrize(
    ("outcomes", "streak", "best"),
    [((), 0, 0), ((W, W, L), -1, 2), ((L, W, W), 2, 2), ((W, W, W, E), 0, 3), ((L, L), -2, 0)],
)
def test_streak_is_the_run_at_the_end(outcomes: tuple[GameOutcome, ...], streak: int, best: int) -> None:
    """Of wins, or of losses; and the longest of wins that there was. The order of the games is that of their ends."""
    games = [game(number, outcome=outcome) for number, outcome in enumerate(outcomes, 1)]
    summary = summarize(reversed(games), (), NOW)
    assert (summary.streak, summary.best_streak) == (streak, best)


def test_games_with_the_coach_count_for_neither_streak_nor_accuracy() -> None:
    """They were played, and that is all that is said of them. The same holds for exhibitions."""
    games = [game(1, weighed=WEIGHED), game(2, weighed=WEIGHED, is_assisted=True), game(3, is_exhibition=True)]
    summary = summarize(games, (), NOW)
    assert (summary.total.games, summary.streak, summary.assisted) == (3, 1, 1)
    assert (summary.total.decisions, summary.total.accuracy) == (10, 0.8)


def test_games_are_counted_by_opponent_and_by_rules() -> None:
    """House players by how they play, people by name; against two people a game counts for each."""
    ann, ben = Opponent("Ann"), Opponent("Ben")
    games = [game(1), game(2, outcome=L), game(3, rule_set="truc", opponents=(ann, ben), outcome=L)]
    summary = summarize(games, (), NOW)
    assert summary.opponents == (
        WinTally("house, steady", won=1, lost=1),
        WinTally("Ann", lost=1),
        WinTally("Ben", lost=1),
    )
    assert [(tally.label, tally.games) for tally in summary.rule_sets] == [("put-1674", 2), ("truc", 1)]


def test_months_have_no_gaps() -> None:
    """From the first in which something was played or practised, where the player is."""
    new_year = 1_798_761_600_000  # 2027-01-01 00:00 UTC
    games = [game(1, ended=new_year - 60 * DAY, weighed=WEIGHED), game(2, ended=new_year + 1, outcome=L)]
    answers = [Answer(at=new_year + 2, rule_set="put-1674", kind=ExerciseKind.LEAD, cost=0, is_right=True)]
    months = summarize(games, answers, new_year + DAY).months
    assert [(month.label, month.games, month.won) for month in months] == [
        ("2026-11", 1, 1),
        ("2026-12", 0, 0),
        ("2027-01", 1, 0),
    ]
    assert (months[0].accuracy, months[1].accuracy) == (0.8, None)
    assert (months[2].drill_score, months[0].drill_score) == (1.0, None)
    west = timezone(timedelta(hours=-5))
    assert [month.label for month in summarize(games, answers, new_year + 1, west).months] == ["2026-11", "2026-12"]


def test_a_year_of_months_is_shown_at_most() -> None:
    """The latest twelve."""
    months = summarize([game(1, ended=0)], (), NOW).months
    assert len(months) == 12
    assert months[-1].label == "2026-11"


def test_record_in_sentences_says_how_one_plays() -> None:
    """Every sentence stands alone; control characters of a name are not printed."""
    games = (game(2, outcome=L, opponents=(Opponent("\x1b[31mAnn"),)), game(1, weighed=WEIGHED))
    said = list(summary.in_sentences(summarize(games, (), NOW), games))
    assert said[0] == "2 games: 1 won, 1 lost, 0 even."
    assert "Against perfect play: 80% of 10 decisions fine, 0.1% of a game lost by each on the average." in said
    assert "By rules put-1674: 2 games, 1 won, 1 lost; 80% of 10 decisions fine." in said
    assert all(one.endswith(".") for one in said)
    assert "\x1b" not in "".join(said)


def test_record_in_french_has_no_english_number_or_plural() -> None:
    """A comma in each decimal, and one game is not lost in the plural; the house's players are the house's."""
    steady = Opponent("Doll", is_house=True, house="steady")
    with speaking("fr"):
        played = game(1, outcome=L, opponents=(steady,), weighed=WEIGHED)
        said = "\n".join(summary.in_sentences(summarize((played,), (), NOW), (played,)))
    assert english_in(said) == set()
    assert re.search(r"\d\.\d|\d%", said) is None
    assert "1 partie\xa0: gagnées 0, perdues 1, nulles 0." in said
    assert "contre maison, steady, perdue (" in said


def test_empty_record_says_so() -> None:
    """And how it fills."""
    assert list(summary.in_sentences(summarize((), (), NOW), ())) == [
        "Nothing is recorded yet. Games are recorded when they end."
    ]


def test_export_writes_every_game(tmp_path: Path) -> None:
    """In the notation, which reads back as it was shown, and all of it as JSON. A second export replaces the first."""
    record = LocalRecord(tmp_path / "record.sqlite3")
    number = record.save(game(1), sheet())
    record.save_analysis(number, analysis(0, 150))
    record.save(game(2, rule_set="../../etc/passwd"))
    folder = tmp_path / "out" / "record"
    assert summary.export(record, folder) == 2
    assert summary.export(record, folder) == 2
    whole = msgspec.json.decode((folder / "record.json").read_bytes())
    first, second = whole["games"]
    assert read((folder / first["file"]).read_text()) == sheet()
    assert [one["judged"]["after"] for one in first["decisions"]] == [6000, 5850]
    assert (first["outcome"], second["rule_set"], "file" in second) == ("won", "../../etc/passwd", False)
    assert {path.name for path in folder.iterdir()} == {"record.json", first["file"]}
    assert {path.name for path in tmp_path.iterdir()} == {"record.sqlite3", "out"} | {
        path.name for path in tmp_path.iterdir() if path.name.startswith("record.sqlite3-")
    }

"""Matches in one process: the same games as by sockets, card by card, and the same treatment of bots that misbehave."""

from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from put_arena.competitors import Fault
from put_arena.contest import ArenaFailed, BadMatch, NoBot
from put_arena.in_process import foreman, round_worker
from put_arena.in_process.foreman import Begin, GamesOver
from put_arena.match_log import Saving
from put_arena.match_play import play
from put_arena.results import Results
from put_arena.schedule import Round
from tests.arena import matches
from tests.arena.matches import DICEY, FIRST, PLAYERS, played, saved, serve_here
from tests.house import opponents
from tests.repetitions import TURN

EXAMPLES = Path(__file__).parents[2] / "docs/examples"


contest = partial(matches.contest, is_in_process=True)
played_here = partial(played, is_in_process=True)


def all_games(results: Results) -> list[tuple[object, ...]]:
    """Every game, in the order of its number."""
    return sorted((game.match, game.round, game.number, game.seating, game.seats, game.paid) for game in results.games)


def all_events(folder: Path) -> dict[str, list[object]]:
    """The events of every game that was saved, without who sat where by name."""
    return {name: [step.events for step in sheet.steps] for name, sheet in saved(folder).items()}


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("put-1674", 3, {"target": 3, "misdeals": 30}),
        ("put-partners", 0, {}),
        ("primero", 3, {"hands": 2}),
    ]
    + (
        [("put-1674", 2, {}), ("put-1800", 2, {}), ("truc", 0, {}), ("triomphe-forcee", 4, {"hands": 2})]
        if TURN
        else []
    ),
)
async def test_games_are_the_same_as_by_sockets(
    game: str, seats: int, options: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Card by card and event by event, for the same seed: only the way from the rules to the bots is another."""
    serve_here(monkeypatch)
    asked: dict[str, Any] = {"games": 2, "game": game, "seats": seats, "options": options}
    here = await played_here(DICEY, FIRST, saving=Saving(tmp_path / "here"), **asked)
    there = await played(DICEY, FIRST, saving=Saving(tmp_path / "there"), **asked)
    assert all_games(here) == all_games(there)
    assert (here.sides, here.by_purse) == (there.sides, there.by_purse)
    assert all_events(tmp_path / "here") == all_events(tmp_path / "there")
    assert len(all_events(tmp_path / "here")) == len(here.games)


async def test_bots_are_told_the_same_as_by_sockets(tmp_path: Path) -> None:
    """Every view, choice, event of the game, record and description of the table, as its text."""
    diarists = (f"{PLAYERS}:Diarist", f"{PLAYERS}:Diarist")
    told = []
    for name, how_played in (("here", played_here), ("there", played)):
        how: dict[str, Any] = {} if how_played is played_here else {"tables": 1}
        options = {"target": 3}
        with pytest.MonkeyPatch.context() as patch:
            serve_here(patch)
            patch.setenv("PYTHON_DIARY", str(tmp_path / name))
            results = await how_played(*diarists, games=2, options=options, **how)
        assert not any(conduct.faults for conduct in results.conduct), results.conduct
        told.append({file.name: file.read_text().splitlines() for file in (tmp_path / name).iterdir()})
    here, there = told
    assert there.keys() == here.keys()
    for name, lines in there.items():
        assert lines == here[name][: len(lines)]
        # By sockets a bot may be sent away before it hears how its game ended.
        assert not any(line.startswith("choose") for line in here[name][len(lines) :])


async def test_a_seed_repeats_everything_whatever_the_number_of_jobs() -> None:
    """House players too, which have dice of the seat here."""
    one = await played_here(DICEY, "house:steady", games=12, jobs=1)
    two = await played_here(DICEY, "house:steady", games=12, jobs=2)
    assert all_games(one) == all_games(two)


async def test_coroutines_and_house_players_play() -> None:
    """Whatever can be called without a socket."""
    results = await played_here(f"{PLAYERS}:Thinker", "house:steady", FIRST, "house:beginner", games=4)
    assert len(results.sets) == 12
    assert not any(conduct.faults for conduct in results.conduct)


async def test_a_class_that_cheats_or_fails_loses_the_game_and_stays() -> None:
    """As by sockets."""
    results = await played_here(FIRST, f"{PLAYERS}:Cheating", f"{PLAYERS}:Failing", games=4)
    assert results.conduct[1].faults == {Fault.ILLEGAL: 8}
    assert "chose give, which is none of the legal actions: play " in results.conduct[1].says[0]
    assert set(results.conduct[2].faults) == {Fault.CRASHED}
    assert "raised KeyError at players.py:" in results.conduct[2].says[0]
    assert set(results.differences(0, 1)) == {1.0}
    assert not any(conduct.out for conduct in results.conduct)


async def test_bots_that_do_not_come_back_are_out_and_the_others_play_on() -> None:
    """They are interrupted where they are, and their turn is spent."""
    results = await played_here(FIRST, DICEY, f"{PLAYERS}:Hanging", f"{PLAYERS}:Dreaming", games=8, turn=1)
    for conduct in results.conduct[2:]:
        assert "too late 2 times in a row" in conduct.out
        assert conduct.faults == {Fault.LATE: 2}
    assert results.games_forfeited > 0
    assert len(results.differences(0, 1)) == 4
    assert not results.conduct[0].faults


@pytest.mark.parametrize(
    ("bot", "says"), [("Dying", "ended with status 3"), ("Quitting", r"bad ended it by SystemExit\(3\)")]
)
async def test_a_bot_that_ends_the_process_ends_the_match(bot: str, says: str) -> None:
    """There is nobody left to play; it is said how it ended, and by which bot if that can be known."""
    with pytest.raises(ArenaFailed, match=says):
        await play(contest(FIRST, f"bad={PLAYERS}:{bot}", games=4))


async def test_a_worker_that_is_blocked_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that does not come back from other code cannot be interrupted."""
    monkeypatch.setattr(foreman, "BLOCKED_SECONDS", 0.5)
    with pytest.raises(ArenaFailed, match="does not go on"):
        await play(contest(FIRST, f"{PLAYERS}:Deaf", games=4, turn=1, late=1))


async def test_a_game_of_long_turns_is_reported_as_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house player that thinks long, on a busy machine, does not look like a bot that is blocked."""
    clock = count(step=2)
    monkeypatch.setattr(round_worker, "monotonic", lambda: next(clock))
    reports: list[object] = []
    match = contest("house:steady", "house:beginner", games=2)
    worker = round_worker.RoundWorker(
        Begin(match.rules, match.competitors, removes_luck=False, save=""), reports.append
    )
    await worker.play(Round(match=1, name="1", seatings=((0, 1), (1, 0)), games=1))
    games = [report for report in reports if isinstance(report, GamesOver)]
    assert sum(not report.played for report in games) > 10
    assert sum(len(report.played) for report in games) == 2
    assert games[-1].sets == 1


async def test_what_cannot_be_played_is_told_at_once() -> None:
    """In the words of the server."""
    with pytest.raises(BadMatch, match="whist cannot be played so: no such rule set"):
        await play(contest(FIRST, DICEY, game="whist"))
    with pytest.raises(BadMatch, match="target must be a whole number"):
        await play(contest(FIRST, DICEY, options={"target": 0}))
    with pytest.raises(BadMatch, match="is played with"):
        await play(contest(FIRST, DICEY, seats=9))
    with pytest.raises(BadMatch, match="there is no house player 'nobody'"):
        await play(contest(FIRST, "house:nobody"))
    with pytest.raises(NoBot, match="has no Second"):
        await play(contest(FIRST, f"{PLAYERS}:Second"))


async def test_student_meets_every_opponent_that_it_is_measured_by() -> None:
    """A slice of `scripts/soak student`: whole games, in which no bot errs or is late."""
    names = [f"{opponents.__file__}:{name}" for name in ("Timid", "Caller", "Loose", "Turncoat")]
    match = contest("house:student", *names, games=2, is_in_process=True)
    await play(match)
    assert match.done == match.games_planned
    assert not any(conduct.faults for conduct in match.conduct)

"""Whole games solved, in packs of a few ranks: sure to within the gap, the same every time, and after a kill."""

import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from put_server.house.put.solved.payoffs import Score, Variant
from put_server.house.put.solved.solution_table import Table
from put_solver import kernels
from put_solver.certificate import Bounds, certified_bounds
from put_solver.game_solver import GameSolver, Progress
from put_solver.hand_solver import HandTree

pytestmark = [pytest.mark.timeout(240), pytest.mark.usefixtures("kernels")]

GAP = 2e-3

WIDE = 1e-2
"""Where only the bytes of two solutions are compared."""

VARIANTS = (
    Variant(game="put-1674", pack=12, target=2),
    Variant(game="put-1800", pack=12, target=3),
    Variant(game="put-parlett", pack=12, target=2),
    Variant(game="put-1674", pack=12, target=2, drawn_put="anew"),
    Variant(game="put-1800", pack=12, target=2, drawn_put="anew"),
    Variant(game="put-parlett", pack=12, target=2, outright="double"),
    Variant(game="put-1674", pack=16, target=1),
)


def checked(table: Table) -> dict[Score, Bounds]:
    """What a table's bytes make certain."""
    return certified_bounds(table.variant, HandTree(table.variant.tree), table.entries)


@pytest.fixture(scope="module", params=VARIANTS, ids=str)
def solved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A small game."""
    variant: Variant = request.param
    return Table(GameSolver(variant, tmp_path_factory.mktemp("solved"), GAP).solve())


def test_solved_game_is_sure_to_within_what_its_hands_leave_open(solved: Table) -> None:
    """From the file alone, the worth of every score is found between bounds that are as
    close as the gap allows over a game; the file says the same of itself."""
    sure = checked(solved)
    assert set(sure) == set(solved.parts)
    for score, part in solved.parts.items():
        lower, upper = sure[score]
        assert lower <= upper + 1e-9
        assert upper - lower < 6 * GAP  # some hands to a game, and chances in 255ths
        assert lower - 1e-9 <= part.worth <= upper + 1e-9
        assert part.lower == pytest.approx(lower, abs=1e-8)
        assert part.upper == pytest.approx(upper, abs=1e-8)


def test_solved_game_is_worth_more_the_more_points_one_has(solved: Table) -> None:
    """A point more is never worth less, and one more for the other never worth more; and no score is worth more than a
    game. Where a drawn put begins the game anew, that may be what one hopes for."""
    variant = solved.variant
    for (eldest, dealer), part in solved.parts.items():
        assert abs(part.worth) <= variant.outright_stake
        if eldest + 1 < variant.target and not variant.is_anew:
            assert solved.parts[eldest + 1, dealer].worth >= part.worth - GAP
        if dealer + 1 < variant.target and not variant.is_anew:
            assert solved.parts[eldest, dealer + 1].worth <= part.worth + GAP


class _Killed(Exception):
    pass


def test_solver_that_was_killed_comes_to_the_same_end(tmp_path: Path) -> None:
    """Killed and begun again, each time when it has come a little further, it writes the same bytes as one left
    alone."""
    variant = Variant(game="put-1674", pack=12, target=2)
    alone = GameSolver(variant, tmp_path / "alone", WIDE).solve()
    looks = deaths = 0

    def die(progress: Progress) -> None:
        nonlocal looks
        looks += 1
        if looks > 2 * deaths:
            raise _Killed

    again = b""
    while not again:
        looks = 0
        try:
            again = GameSolver(variant, tmp_path / "killed", WIDE, die).solve()
        except _Killed:
            deaths += 1
            assert deaths < 100
    assert deaths > 2
    assert again == alone


def test_solver_passes_over_what_a_kill_left_half_written(tmp_path: Path) -> None:
    """A file that was being written when the power failed is not taken for a finished score."""
    variant = Variant(game="put-1800", pack=12, target=1)
    alone = GameSolver(variant, tmp_path / "alone", WIDE).solve()
    solver = GameSolver(variant, tmp_path / "cut", WIDE)
    solver.folder.mkdir(parents=True)
    (solver.folder / "0-0.new").write_bytes(b"half")
    assert solver.solve() == alone


@pytest.mark.parametrize("damage", [lambda _: b"", lambda data: data[:-9], lambda _: zlib.compress(b"no score")])
def test_score_whose_file_is_damaged_is_solved_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    """By a disk, or by hand: it is not taken for a finished score, and is no end of the program."""
    solver = GameSolver(Variant(game="put-1800", pack=12, target=1), tmp_path, WIDE)
    alone = solver.solve()
    (file,) = solver.folder.glob("*.solved")
    file.write_bytes(damage(file.read_bytes()))
    assert solver.solve() == alone


def test_solver_is_the_same_on_one_core_as_on_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is passed at the same time does not meet: the bytes do not depend on how many do it."""
    variant = Variant(game="put-parlett", pack=12, target=1)
    found = {GameSolver(variant, tmp_path / "usual", WIDE).solve()}
    monkeypatch.setattr(kernels, "LEAST_BATCH", 1)
    for cores in (1, 2, 64):
        monkeypatch.setattr(kernels, "CORES", cores)
        monkeypatch.setattr(kernels, "_threads", ThreadPoolExecutor(cores))
        found.add(GameSolver(variant, tmp_path / str(cores), WIDE).solve())
    assert len(found) == 1

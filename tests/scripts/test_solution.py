"""The numbers of the solution's page are those of the tables."""

import json
from typing import Any

import pytest

from put_protocol.games.put import Moment
from put_server.house.put.solved.payoffs import Variant
from put_server.house.put.solved.rank_sets import Ranks, hands_of, ways_dealt, without
from put_server.house.put.solved.solution_table import Table, shipped
from put_server.house.put.solved.tree import ELDEST, FIRST, SOLVABLE, TRICKS, End, PublicState, Say
from put_solver.game_solver import GameSolver
from scripts.research.counts import Counter, Habit
from scripts.research.figures import dealt
from scripts.research.solution import FILE, ROOT, TABLES, figures, head, written

pytestmark = [pytest.mark.timeout(240), pytest.mark.usefixtures("kernels")]

KEPT = json.loads(FILE.read_text("utf-8"))
PAGE = " ".join((ROOT / "docs" / "solution.md").read_text("utf-8").split())

CLAIMS = (
    "Eldest wins {f[put-1674][worth][0][0]:.1%} of the games of `put-1674`",
    "{f[put-1800][worth][0][0]:.1%} of `put-1800`",
    "{f[put-parlett][worth][0][0]:.1%} of `put-parlett`",
    "In a game of `put-1674` there is a put in {f[put-1674][average][put]:.0%} of the hands",
    "{f[put-1674][game][by_hand]:.2%} of the games of `put-1674`, after {f[put-1674][game][hands]:.1f} hands",
    "{f[put-1800][game][by_hand]:.2%} of `put-1800`, after {f[put-1800][game][hands]:.1f}",
    "{f[put-1800][at][0-0][thrown]:.0%} of all hands end with",
    "{f[put-1674][average][refused]:.0%} of the hands end with one that is not seen",
    "{f[put-1674][average][tricks]:.0%} are played out for a point",
    "In `put-parlett` {f[put-parlett][average][thrown]:.0%} of the hands are thrown in",
    "decides the game, after {f[put-parlett][game][hands]:.1f} hands",
)
"""Sentences of the page, with their numbers in the file."""


@pytest.fixture(scope="module", params=list(SOLVABLE))
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A game of three ranks to two points."""
    variant = Variant(game=request.param, pack=12, target=2)
    return Table(GameSolver(variant, tmp_path_factory.mktemp("solved"), 1e-2).solve())


class PlainCount:
    """A hand dealt in every way and played out in every way, with nothing but the table's chances."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.sums: dict[str, float] = dict.fromkeys(("put", "bluff", "seen", "refused", "thrown", "again"), 0.0)
        self.ends = [0.0] * len(End)
        self.first = [0.0] * table.tree.ranks
        """How often each rank is led first, without a word."""
        self._puts: dict[tuple[object, ...], list[float]] = {}
        self._choices: dict[tuple[PublicState, int, Ranks], list[tuple[int | Say, float]]] = {}
        """What who holds these ranks does there, whatever the other holds."""
        hands = hands_of(table.tree.ranks, TRICKS).hands
        deals = {(one, two): ways_dealt(one) * ways_dealt(two, one) for one in hands for two in hands}
        whole = sum(deals.values())
        for (one, two), number in deals.items():
            if number:
                self._walk(FIRST, 0, (one, two), number / whole, (), False)
        self.sums["bluff"] = sum(chance for chance, net, seen in self._puts.values() if seen and net < -1e-12)

    def _walk(
        self,
        public: PublicState,
        at: int,
        hands: tuple[Ranks, Ranks],
        chance: float,
        path: tuple[object, ...],
        has_put: bool,
    ) -> list[tuple[float, End]]:
        """Gives how it ends, and how often."""
        tree = self.table.tree
        side = tree.actor(public)
        found: list[tuple[float, End]] = []
        for move, share in self._choice(public, at, hands[side]):
            is_answer = public.moment is Moment.ANSWER
            if move is Say.PUT:
                self.sums["again" if has_put else "put"] += chance * share
            if move is Say.SEE and not has_put:
                self.sums["seen"] += chance * share
            if move is Say.THROW:
                self.sums["refused" if is_answer else "thrown"] += chance * share
            if public == FIRST and isinstance(move, int):
                self.first[move] += chance * share
            after, further = tree.step(public, at, move)
            if isinstance(after, End):
                self.ends[after] += chance * share
                found.append((chance * share, after))
                continue
            left = hands
            if isinstance(move, int):
                fewer = without(hands[side], move)
                left = (fewer, hands[1]) if side == ELDEST else (hands[0], fewer)
            follows = self._walk(after, further, left, chance * share, (*path, move), has_put or is_answer)
            found += follows
            if move is Say.SEE and not has_put:
                # Whose put this was, with what they hold: what is known when they say it.
                entry = self._puts.setdefault((path, 1 - side, hands[1 - side]), [0.0, 0.0, 0.0])
                entry[1] += sum(each * _wins(end, 1 - side) for each, end in follows)
                entry[2] += chance * share
            if move is Say.PUT and not has_put:
                self._puts.setdefault(((*path, move), side, hands[side]), [0.0, 0.0, 0.0])[0] += chance * share
        return found

    def _choice(self, public: PublicState, at: int, hand: Ranks) -> list[tuple[int | Say, float]]:
        found = self._choices.get((public, at, hand))
        if found is None:
            moves, shares = self.table.tree.moves_of(public, hand), self.table.chances((0, 0), public, at, hand)
            found = [(move, share) for move, share in zip(moves, shares, strict=True) if share]
            self._choices[public, at, hand] = found
        return found


def _wins(end: End, side: int) -> int:
    for_eldest = {End.ELDEST_POINT: 1, End.ELDEST_GAME: 1, End.DEALER_POINT: -1, End.DEALER_GAME: -1}.get(end, 0)
    return for_eldest if side == ELDEST else -for_eldest


def test_counts_are_those_of_every_deal_played_out(table: Table) -> None:
    """How often is put, seen, thrown in and bluffed, how hands end, and what is led: as a walk through all deals in
    plain Python finds it."""
    plain = PlainCount(table)
    found: dict[str, Any] = figures({table.variant.game: _bytes(table)})[table.variant.game]
    summary = found["at"]["0-0"]
    for name, chance in plain.sums.items():
        assert summary[name] == pytest.approx(chance, abs=2e-6), name
    assert summary["game_eldest"] == pytest.approx(plain.ends[End.ELDEST_GAME], abs=2e-6)
    assert summary["drawn"] == pytest.approx(plain.ends[End.DRAWN] + plain.ends[End.DRAWN_PUT], abs=2e-6)
    assert [row["led"] for row in found["replies"]] == pytest.approx(plain.first, abs=2e-6)
    moments = found["moments"]["0-0"]
    assert sum(row["put"] for row in moments) == pytest.approx(plain.sums["put"], abs=5e-5)
    assert sum(row["loses"] for row in moments) == pytest.approx(plain.sums["bluff"], abs=5e-5)
    assert sum(row["seen"] for row in moments) == pytest.approx(plain.sums["seen"], abs=5e-5)


def test_hands_and_games_add_up(table: Table) -> None:
    """Every hand is dealt as often as it is and worth, on the whole, what the score is worth; and every game ends once
    and in one way."""
    found = figures({table.variant.game: _bytes(table)})[table.variant.game]
    hands, game = found["hands"], found["game"]
    assert sum(row["dealt"] for row in hands) == pytest.approx(1, abs=1e-5)
    part, variant = table.parts[0, 0], table.variant
    for side, worth in (("eldest", part.worth), ("dealer", -part.worth)):
        mean = sum(row["dealt"] * row[side] for row in hands)
        assert mean == pytest.approx(variant.shown(worth), abs=(part.upper - part.lower) / 2 + 1e-4)
    for row in hands:
        assert row["put"] + row["throw"] + sum(row["leads"]) == pytest.approx(1, abs=1e-5)
    ends = [game[name] for name in ("by_hand", "by_refusal", "by_throwing", "by_tricks")]
    assert min(ends) > -1e-5
    assert sum(ends) == pytest.approx(1, abs=1e-5)
    assert game["hands"] >= 1
    assert dealt((0, 0, 1), 3) == pytest.approx(6 * 4 / 220)


def test_habit_costs_more_if_it_is_known(table: Table) -> None:
    """Nobody gains by a habit; and who knows of it takes at least as much as who does not. One that is free to those
    who know costs nothing to others."""
    counter, worths = Counter(table.tree), {score: part.worth for score, part in table.parts.items()}
    open_by = table.parts[0, 0].upper - table.parts[0, 0].lower + 1e-3
    costs = {(side, habit): counter.cost(table, (0, 0), worths, side, habit) for side in (0, 1) for habit in Habit}
    for known, unknown in costs.values():
        assert known >= unknown - 1e-9
        assert unknown >= -open_by
    assert max(known for known, _ in costs.values()) > 0.01


def _bytes(table: Table) -> bytes:
    return bytes(table._data)


@pytest.mark.parametrize("claim", CLAIMS)
def test_page_says_what_was_counted(claim: str) -> None:
    """Each sentence stands there with the number of the file."""
    assert claim.format(f=KEPT) in PAGE


@pytest.mark.parametrize("game", list(SOLVABLE))
def test_page_has_the_worth_of_every_score(game: str) -> None:
    """In the rows of a table, as shares of a game."""
    for own, row in enumerate(KEPT[game]["worth"]):
        assert f"| {own} | {' | '.join(f'{100 * worth:.2f}%' for worth in row)} |" in PAGE


def test_file_is_laid_out_to_be_read() -> None:
    """What `scripts/solution` would write for the same numbers is there already."""
    assert FILE.read_text("utf-8") == written(KEPT)


@pytest.mark.parametrize("game", list(SOLVABLE))
def test_numbers_are_those_of_the_shipped_table(game: str) -> None:
    """The table they were counted from is the one that is shipped, and they have its worths and its accuracy."""
    if shipped(game) is None:
        pytest.skip("no table of this game is shipped")
    for name, value in head((TABLES / f"{game}.put").read_bytes()).items():
        assert KEPT[game][name] == value, f"{name} is stale: run scripts/solution"

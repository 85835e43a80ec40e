"""Results of a match: how they are computed, and how they are told."""

import json
import random
import re

import pytest

from put_arena.competitors import MOST_SAID, Conduct, Fault, parse
from put_arena.match_report import as_json, as_text
from put_arena.results import Played, Results, Verdict
from put_arena.schedule import all_rounds

DUEL = (0, 1)


def game(number: int, seating: int, seats: tuple[int, ...], winner: int | None, name: str = "r") -> Played:
    """A game of which each loser pays 1."""
    others = len(seats) - 1
    paid = [0 if winner is None else others if seat == winner else -1 for seat in range(len(seats))]
    return Played(match=0, round=name, number=number, seating=seating, seats=seats, paid=tuple(paid))


def test_a_set_is_whole_when_every_seating_was_played() -> None:
    """Whichever came first; one alone counts in no share."""
    results = Results(parse(["a.py", "b.py"]), DUEL)
    assert not results.add(game(1, 1, (1, 0), 0))
    assert not results.add(game(2, 0, (0, 1), 0))
    assert results.add(game(1, 0, (0, 1), 1))
    assert (len(results.sets), len(results.games)) == (1, 3)
    assert results.differences(0, 1) == [-1.0]  # b won both games of the set


def test_sets_are_in_the_order_of_completion() -> None:
    """Whatever their match: drawn over the sets, a share is that of any time, and not of one opponent after another."""
    results = Results(parse(["a.py", "b.py", "c.py"]), DUEL)
    for number in (1, 2):
        for match, other, winner in ((0, 1, 0), (1, 2, 1)):
            for seating, seats in enumerate([(0, other), (other, 0)]):
                paid = (1, -1) if (seats[0] == 0) == (winner == 0) else (-1, 1)
                name = f"match {match}"
                results.add(Played(match=match, round=name, number=number, seating=seating, seats=seats, paid=paid))
    assert results.gains(0) == [1.0, 0.0, 1.0, 0.0]


def test_shares_are_of_the_seats_one_had() -> None:
    """A wins from both seats, b from one."""
    results = Results(parse(["a.py", "b.py"]), DUEL)
    for number, (first, second) in enumerate([(0, 1), (0, 0), (0, 1)], 1):
        results.add(game(number, 0, (0, 1), first))
        results.add(game(number, 1, (1, 0), second))
    best, other = results.standings()
    assert (best.competitor, best.games, best.won) == (0, 6, 5)
    assert best.share is not None
    assert other.share is not None
    assert best.share.mean + other.share.mean == pytest.approx(1)
    assert best.stakes is not None
    assert best.stakes.mean * 6 == pytest.approx(5 - 1)
    against = results.share_against(0, 1)
    assert against is not None
    assert against.mean == pytest.approx(best.share.mean)


def test_ratings_count_the_stakes_and_not_only_the_wins() -> None:
    """Of three who win as often, the one who puts every time and so pays most of the stakes is rated last."""
    results = Results(parse(["puts.py", "b.py", "c.py"]), (0, 1, 2))
    for number in range(1, 61):
        paid = ((1, -1, 0), (1, 0, -1), (-1, 1, 0), (-1, 1, 0), (-1, 0, 1), (-1, 0, 1))[number % 6]
        for seating in range(3):
            seats, pay = (0, 1, 2)[seating:] + (0, 1, 2)[:seating], paid[seating:] + paid[:seating]
            results.add(Played(match=0, round="r", number=number, seating=seating, seats=seats, paid=pay))
    standings = {one.competitor: one for one in results.standings()}
    assert {round(one.won) for one in standings.values()} == {60}
    puts = standings.pop(0).rating
    assert all(puts.mu + 1.96 * puts.sigma < one.rating.mu for one in standings.values())


def test_a_game_nobody_won_is_nobodys() -> None:
    """All left; it is no reason to fail."""
    results = Results(parse(["a.py", "b.py"]), DUEL)
    results.add(game(1, 0, (0, 1), None))
    results.add(game(1, 1, (1, 0), None))
    assert [one.won for one in results.standings()] == [0, 0]


def test_of_partners_both_have_won() -> None:
    """And each is paid; it is one game all the same."""
    results = Results(parse(["a.py", "b.py"]), (0, 1, 0, 1))
    results.add(Played(match=0, round="r", number=1, seating=0, seats=(0, 1, 0, 1), paid=(1, -1, 1, -1)))
    results.add(Played(match=0, round="r", number=1, seating=1, seats=(1, 0, 1, 0), paid=(1, -1, 1, -1)))
    assert [(one.games, one.won) for one in results.standings()] == [(2, 1), (2, 1)]
    assert results.differences(0, 1) == [0.0]


def test_who_sits_there_twice_wins_by_the_seat() -> None:
    """Two of three seats are theirs, so by chance they win two games of three; one seat wins one."""
    results = Results(parse(["a.py", "b.py"]), (0, 1, 2))
    for seating, seats in enumerate([(0, 0, 1), (0, 1, 0), (1, 0, 0)]):
        results.add(game(1, seating, seats, 0))
    standings = {one.competitor: one for one in results.standings()}
    assert (standings[0].won, standings[1].won) == (1, 1)


def test_who_is_out_comes_last() -> None:
    """However well they did before."""
    results = Results(parse(["a.py", "b.py"]), DUEL)
    results.add(game(1, 0, (0, 1), 0))
    results.add(game(1, 1, (1, 0), 1))
    results.conduct[0].out = "it was too late 3 times running"
    assert [one.competitor for one in results.standings()] == [1, 0]
    text = "\n".join(as_text(results, results.standings(), "put-1674"))
    assert "a is out: it was too late 3 times running" in text


def test_faults_are_counted_and_the_first_kept_in_words() -> None:
    """A bot with ten thousand faults fills no screen."""
    conduct = Conduct()
    for number in range(10_000):
        conduct.note(Fault.ILLEGAL, f"chose {number}")
    assert conduct.faults[Fault.ILLEGAL] == 10_000
    assert len(conduct.says) == MOST_SAID


def played(games: int, strengths: list[float]) -> Results:
    """A programme played by dice."""
    dice = random.Random(1)
    labels = ["a.py", "b.py", "c.py"][: len(strengths)]
    results = Results(parse(labels), DUEL)
    for round_ in all_rounds(len(strengths), DUEL, games):
        for number in range(1, round_.games + 1):
            for seating, seats in enumerate(round_.seatings):
                weights = [strengths[one] for one in seats]
                winner = dice.choices((0, 1), weights)[0]
                paid = (1, -1) if winner == 0 else (-1, 1)
                results.add(
                    Played(
                        match=round_.match, round=round_.name, number=number, seating=seating, seats=seats, paid=paid
                    )
                )
    return results


def test_the_stronger_is_told_to_be() -> None:
    """Place, share and rating agree, and the two best are told apart."""
    results = played(400, [3.0, 1.0, 2.0])
    standings = results.standings()
    assert [one.competitor for one in standings] == [0, 2, 1]
    assert [one.rating.mu for one in standings] == sorted((one.rating.mu for one in standings), reverse=True)
    assert judged(results).decided()
    assert judged(results).two_best() == (0, 2)
    assert not judged(played(200, [1.0, 1.0])).decided()


def test_the_tables_have_a_row_and_a_column_for_each() -> None:
    """And every column is as wide in every line."""
    results = played(100, [3.0, 1.0, 2.0])
    lines = list(as_text(results, results.standings(), "put-1674 with 2 seats"))
    assert lines[1] == "put-1674 with 2 seats: 300 games, 150 sets of 2."
    ranking = lines[3:7]
    assert [line.split()[1] for line in ranking[1:]] == ["a", "c", "b"]
    assert "luck removed" in ranking[0]
    assert len({len(line) for line in ranking}) == 1


def test_games_not_played_are_put_on_no_competitor_alone() -> None:
    """Their round may also have been broken off as often as it is begun again, and then nobody is out."""
    results = Results(parse(["a.py", "b.py"]), DUEL)
    results.games_forfeited = 4
    (line,) = [line for line in as_text(results, results.standings(), "put-1674") if "not played" in line]
    assert line == "4 games not played: a competitor was out, or a round was broken off each time."


def judged(results: Results) -> Verdict:
    """The verdict on all these games."""
    verdict = Verdict(results)
    for complete in results.sets:
        verdict.add_set(complete)
    return verdict


def sittings(count: int, better: float) -> Results:
    """Sittings of three in which nobody wins; the first competitor gains more than the others by so much."""
    dice = random.Random(7)
    results = Results(parse(["a.py", "b.py", "c.py"]), (0, 1, 2), by_purse=True)
    for round_ in all_rounds(3, (0, 1, 2), count):
        for number in range(1, round_.games + 1):
            for seating, seats in enumerate(round_.seatings):
                gains = [dice.gauss(better if one == 0 else 0.0, 3.0) for one in seats]
                paid = [round(gain - sum(gains) / 3) for gain in gains]
                paid[-1] = -sum(paid[:-1])
                results.add(
                    Played(
                        match=round_.match,
                        round=round_.name,
                        number=number,
                        seating=seating,
                        seats=seats,
                        paid=tuple(paid),
                    )
                )
    return results


def test_purses_tell_where_nobody_wins() -> None:
    """Competitors stand in the order of what they gained, a game and seat, and so are they told apart."""
    results = sittings(450, 2.0)
    first, *others = results.standings()
    assert first.competitor == 0
    assert first.stakes is not None
    assert first.stakes.low > 0
    assert all(other.stakes is not None and other.stakes.high < 0 for other in others)
    lead = results.lead(0, 1)
    assert lead is not None
    assert lead.low > 1
    assert judged(results).decided()
    assert not judged(sittings(300, 0.0)).decided()


def test_purses_are_reported_with_their_intervals() -> None:
    """No share of games won is told, because there is none."""
    results = sittings(90, 2.0)
    lines = list(as_text(results, results.standings(), "primero with 3 seats"))
    assert "purse a game" in lines[3]
    assert "wins" not in lines[3]
    assert re.match(r"1  a +\+\d\.\d\d +±\d\.\d\d ", lines[4])
    assert any("Gained more than the other" in line for line in lines)
    assert as_json(results, results.standings(), {})["by_purse"] is True


def test_the_json_holds_every_game() -> None:
    """So that anybody can reckon for himself."""
    results = played(40, [3.0, 1.0])
    read = json.loads(json.dumps(as_json(results, results.standings(), {"seed": 7})))
    assert read["seed"] == 7
    assert len(read["games"]) == 40
    wins = sum(game["paid"][game["seats"].index("a")] > 0 for game in read["games"])
    assert wins == next(one["won"] for one in read["competitors"] if one["label"] == "a")
    assert read["pairs"][0]["lead"]["of"] == 20

"""The number of words that a turn takes by ear, counted in games that are played."""

from functools import cache
from statistics import median

import pytest

from put_text.presenters import PRESENTERS
from tests.conformance.tables import TRIED, Table
from tests.conformance.turns_heard import EVENINGS, PAGE, evening, turns_heard
from tests.repetitions import TIMES, TURN

GAMES_EACH = 2 * TIMES

MOST, USUAL = 80, 25
"""Words of a turn: at most, and at the median. A round of bets with a showdown of six took 73 in 240 games."""

FULL_SEATS, EACH = 6, 4
"""At larger tables each more player may add the words of their name and card before one's own turn."""

TOLD = [table for table in TRIED if table.family in PRESENTERS]
"""Tables of families with sentences of their own: plain values of a view are as many as there are."""


def words(turn: tuple[str, ...]) -> int:
    return sum(len(sentence.split()) for sentence in turn)


@cache
def turns(table: Table) -> tuple[tuple[str, ...], ...]:
    return tuple([turn for seed in range(GAMES_EACH) for turn in turns_heard(table, seed, is_brief=True)])


@pytest.mark.parametrize("table", TOLD, ids=str)
def test_no_turn_in_brief_takes_many_words(table: Table) -> None:
    """Deals, ends of hands and everything that the others do are in it."""
    most = MOST + EACH * max(0, table.seats - FULL_SEATS)
    for turn in turns(table):
        assert words(turn) <= most, turn


@pytest.mark.parametrize("family", sorted({table.family for table in TOLD}))
def test_turn_in_brief_takes_few_words_in_every_family(family: str) -> None:
    """At the median of all its tables, those of ten players too."""
    counts = [
        words(turn)
        for table in TOLD
        if table.family == family
        for turn in turns(table)
        if turn[-1].startswith("Your move: ")
    ]
    assert counts
    assert median(counts) <= USUAL


@pytest.mark.skipif(bool(TURN), reason="another turn plays another game")
@pytest.mark.parametrize("language", EVENINGS)
def test_game_on_the_page_is_the_one_that_is_heard(language: str) -> None:
    """Word for word."""
    assert f"```text\n{evening(language)}\n```" in PAGE.read_text("utf-8")

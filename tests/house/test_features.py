"""The numbers of a decision: the same as when the networks learned from them."""

from random import Random
from zlib import crc32

import pytest

from put_protocol.seats import Seat
from put_rules.driver import Driver, shuffled_by
from put_server.house.put.features import FEATURES, features_of, numbered, players_of
from put_server.house.put.observation import observe
from put_server.house.put.score_values import ScoreUtility
from tests.house.sample_hands import TABLES, Table, tables_with

EVERY = (
    *TABLES,
    *tables_with({"pack": 28, "target": 3}),
    Table("put-1674", 4, {"pack": 32, "drawn_put": "anew"}),
    Table("put-partners", 4, {"two_handed": "put-1674"}),
    Table("put-parlett", 2, {"outright": "double", "target": 9}),
    Table("truc", 2, {"ranking": "printed", "tied_trick": "first_winner", "rubber": 1}),
    Table("truc", 2, {"tied_trick": "first_winner"}),
)
"""Every rule set and every option that changes the play of a hand."""

NUMBERS = {
    "put-1674 2": 2807359636,
    "put-1674 3": 2389576452,
    "put-1674 4": 4164033178,
    "put-1800 2": 3243065157,
    "put-partners 4": 2799504628,
    "put-parlett 2": 2509708403,
    "put-tavern 2": 294799142,
    "put-tavern 3": 2855351073,
    "put-tavern 4": 3716523937,
    "truc 2": 440959980,
    "put-1674 2 pack=28 target=3": 488148271,
    "put-1674 3 pack=28 target=3": 887533277,
    "put-1674 4 pack=28 target=3": 4207940231,
    "put-1800 2 pack=28 target=3": 1302153876,
    "put-partners 4 pack=28 target=3": 1375809797,
    "put-parlett 2 pack=28 target=3": 2394011021,
    "put-tavern 2 pack=28 target=3": 4108860667,
    "put-tavern 3 pack=28 target=3": 915855327,
    "put-tavern 4 pack=28 target=3": 861564589,
    "put-1674 4 pack=32 drawn_put=anew": 860596075,
    "put-partners 4 two_handed=put-1674": 1395104336,
    "put-parlett 2 outright=double target=9": 1070816447,
    "truc 2 ranking=printed tied_trick=first_winner rubber=1": 3160496428,
    "truc 2 tied_trick=first_winner": 3329006852,
}
"""Check sums of all numbers, in thousandths, in three games of random play."""


@pytest.mark.parametrize("table", EVERY, ids=str)
def test_features_are_those_that_the_networks_learned(table: Table) -> None:
    """At every turn of the play, of every seat; and each number of an action is that of a legal one."""
    dice, seen, turns = Random(str(table)), 0, 0
    for _ in range(3):
        driver = Driver(table.game, Seat(0))
        for seat in driver.turns(shuffled_by(dice)):
            legal = table.game.legal(driver.state)
            view = table.game.view(driver.state, seat)
            observation = observe(view, seat)
            if observation is not None and (known := numbered(legal, view, observation)):
                found = features_of(view, observation, ScoreUtility.of(view, seat, is_even=True), known, table.options)
                assert len(found) == FEATURES
                assert players_of(view, seat)[0] == seat
                assert set(known.values()) <= set(legal)
                seen = crc32(repr([round(1000 * each) for each in found]).encode(), seen)
                turns += 1
            driver.act(dice.choice(legal))
    assert turns > 10
    assert seen == NUMBERS.get(str(table), seen)  # a new rule set has none


def test_numbers_are_those_of_every_table_of_the_rule_sets_that_were_learned() -> None:
    """So none of them is left out of the comparison."""
    learned = {name.split()[0] for name in NUMBERS}
    assert set(NUMBERS) == {str(table) for table in EVERY if str(table).split()[0] in learned}

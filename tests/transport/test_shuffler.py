"""Chance from a seed: what it depends on, and what it does not."""

import pytest

from put_protocol.cards import RANKS, pack_of
from put_server.transport.shuffler import Shuffler

PACK = pack_of(RANKS)


def test_named_deals_are_the_same_at_every_table() -> None:
    """Packs of one name come in one order, whatever tables are dealt them and however often."""
    first, second = Shuffler(7), Shuffler(7)
    dealt = [first.shuffled(PACK, deal=("monday", number)) for number in range(1, 6)]
    assert [second.shuffled(PACK, deal=("monday", number)) for number in range(1, 6)] == dealt
    assert len(set(dealt)) == 5


@pytest.mark.parametrize("other", [("tuesday", 1), ("monday", 2), (1, 1)])
def test_other_names_and_deals_have_other_packs(other: tuple[int | str, int]) -> None:
    """And so has another seed."""
    dealt = Shuffler(7).shuffled(PACK, deal=("monday", 1))
    assert sorted(dealt) == sorted(PACK)
    assert Shuffler(7).shuffled(PACK, deal=other) != dealt
    assert Shuffler(8).shuffled(PACK, deal=("monday", 1)) != dealt


def test_name_of_digits_is_not_a_table() -> None:
    """Who names their deals as a table is numbered is not dealt that table's packs."""
    assert Shuffler(7).shuffled(PACK, deal=("3", 1)) != Shuffler(7).shuffled(PACK, deal=(3, 1))

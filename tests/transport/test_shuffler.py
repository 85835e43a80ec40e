"""Chance: that no card is likelier than another, and what a seed decides."""

from collections import Counter

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


def test_packs_of_a_seed_stay_as_they_were() -> None:
    """A pack of a seed never changes: results of matches between programs are told with their seeds."""
    dealt = Shuffler(7).shuffled(PACK, deal=("monday", 1))
    assert " ".join(dealt[:8]) == "8c 10d Qc 9s 8d Kc 3d 3h"


def test_every_card_is_as_likely_at_every_place() -> None:
    """Without a seed, 13,000 packs of 5 cards have each card at each place a fifth of the time."""
    shuffler, packs = Shuffler(), 13_000
    counts = Counter(place for _ in range(packs) for place in enumerate(shuffler.shuffled(PACK[:5], deal=(1, 1))))
    assert len(counts) == 25
    # Each count has a standard deviation of 45.6: it is 7 of them off once in 10**10 runs of this test.
    assert all(abs(count - packs / 5) < 320 for count in counts.values())


def test_cards_drawn_from_a_pack_are_as_likely() -> None:
    """Where two of five cards can be dealt, each lies at either place a fifth of the time, and all five are there."""
    shuffler, packs = Shuffler(), 13_000
    counts: Counter[tuple[int, str]] = Counter()
    for _ in range(packs):
        dealt = shuffler.shuffled(PACK[:5], deal=(1, 1), most=2)
        assert sorted(dealt) == sorted(PACK[:5])
        counts.update(enumerate(dealt[:2]))
    assert len(counts) == 10
    assert all(abs(count - packs / 5) < 320 for count in counts.values())


def test_every_order_comes() -> None:
    """Without a seed, all 24 orders of four cards come; each is missed in 2,000 packs once in 10**36."""
    assert len({Shuffler().shuffled(PACK[:4], deal=(1, 1)) for _ in range(2_000)}) == 24


def test_arranged_cards_lie_on_top() -> None:
    """And the others below them, once each."""
    top = (PACK[50], PACK[3])
    dealt = Shuffler().shuffled(PACK, top, deal=(1, 1))
    assert dealt[:2] == top
    assert sorted(dealt) == sorted(PACK)

"""A slice of the campaigns: honest tables are never accused, and no order of cards is likelier than another."""

import pytest

from tests.seal.campaign import LIMIT, fit, honest


@pytest.mark.timeout(60)
def test_honest_table_is_never_accused() -> None:
    """Hundreds of random deals, with accidents, voids and drops: every card proved to all who saw it and no other
    opened, the same words for all, nobody blamed, and nothing unproved but what was shown anew."""
    tally = honest(1674, 360)
    assert min(tally[what] for what in ("cards", "cut", "void", "whole", "seen")) > 40
    assert tally["missed"] > 8
    assert tally["others"] == 0


@pytest.mark.parametrize("constant_links", [0, 3])
@pytest.mark.parametrize("is_secret_constant", [False, True])
def test_deal_is_uniform(is_secret_constant: bool, constant_links: int) -> None:
    """Each card in each slot, each pair of cards in a pair of slots, either pack: also where the server always seals
    the same packs, and where all but one of the players cut alike."""
    found = fit(1674, 1_600, is_secret_constant=is_secret_constant, constant_links=constant_links)
    assert max(map(abs, found)) < LIMIT


def test_deal_that_nobody_cuts_is_the_servers() -> None:
    """With its secret and all the cuts constant every deal is the same, and the statistics say so."""
    assert min(map(abs, fit(1674, 500, is_secret_constant=True, constant_links=4))) > LIMIT

"""Policy networks: their file, and how it is read."""

import struct

import pytest

from put_server.house.put.features import ACTIONS, FEATURES
from put_server.house.put.score_values import StakeRule
from put_server.house.put.sharp import PolicyNetwork, network_for

KINDS = [*((stake_rule, False) for stake_rule in StakeRule), (StakeRule.PLAYED_OUT, True)]


def test_mind_adds_and_cuts_off() -> None:
    """Two numbers in, two inner sums, three leanings: a sum below nothing goes no further, a leaning may be below."""
    inner = (1.0, -1.0, 0.5, 2.0, 0.25, 0.0)  # from the first, from the second, biases
    outer = (1.0, 0.0, -2.0, 3.0, 1.0, 0.0, 0.0, 0.5, 0.0)
    network = PolicyNetwork(struct.pack("<4H", 2, 2, 3, 0) + struct.pack("<15e", *inner, *outer))
    assert network.logits([1.0, 0.0]) == [1.25, 0.5, -2.5]
    assert network.logits([-1.0, 2.0]) == [0.25 + 15.0, 5.5, -0.5]
    likely, unlikely = network.mixture([1.0, 0.0], [0, 2])
    assert likely + unlikely == pytest.approx(1)
    assert likely / unlikely == pytest.approx(2.718281828**3.75)


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize(("stake_rule", "opens"), KINDS)
def test_mind_is_shipped_for_every_kind_of_play(stake_rule: StakeRule, opens: bool, count: int) -> None:
    """It takes what a hand shows and leans to every action there is."""
    logits = network_for(stake_rule, count, opens=opens).logits([0.0] * FEATURES)
    assert len(logits) == ACTIONS
    assert all(abs(logit) < 1000 for logit in logits)

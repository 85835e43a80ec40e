"""Shares of places, and the cards that they open."""

import pytest

from put_protocol.blind.group import Point, base, combined
from put_protocol.blind.same_secret import check, prove
from put_protocol.blind.shares import opened, shares_of, weighed
from put_protocol.blind.shuffle import card_point, first_pack, order_of, shuffle
from put_protocol.cards import FULL_PACK
from put_protocol.errors import ProofError

G = base(1)

SECRETS = (101, 202, 303)
JOINT = base(sum(SECRETS))
CARDS = FULL_PACK[:6]
ORDER = order_of(b"order" + bytes(27), 6)
PACK = shuffle(first_pack(CARDS, JOINT), JOINT, ORDER)
A, B = PACK.halves()


def test_all_shares_open_each_place() -> None:
    """With the shares of all seats every place opens to the card that was shuffled there."""
    shares = [shares_of(secret, A) for secret in SECRETS]
    cards = [opened(-b, one, CARDS) for b, one in zip(B, zip(*shares, strict=True), strict=True)]
    assert cards == [CARDS[place] for place in ORDER.places]


@pytest.mark.parametrize("kept", range(3))
def test_without_one_share_no_place_opens(kept: int) -> None:
    """With every secret but one, what comes out is no card, at any place."""
    known = [secret for seat, secret in enumerate(SECRETS) if seat != kept]
    for a, b in zip(A, B, strict=True):
        assert opened(-b, shares_of(known[0], [a]) + shares_of(known[1], [a]), CARDS) is None


def test_a_sum_that_is_the_identity_is_no_card() -> None:
    """A place that opens to no point at all is as little a card as another point."""
    assert opened(-base(3), [base(1), base(2)], CARDS) is None
    assert opened(-(card_point(CARDS[0]) + G), [G], CARDS) == CARDS[0]


def is_shown(secret: int, bases: list[Point], shares: list[Point], message: bytes = b"message") -> bool:
    """True if a prover with this secret gets these shares through."""
    pair = weighed(bases, shares, message)
    try:
        check(prove(secret, base(secret), message, (pair,)), base(secret), message, (pair,))
    except ProofError:
        return False
    return True


@pytest.mark.parametrize("wrong", range(4))
def test_one_wrong_share_among_many_is_found(wrong: int) -> None:
    """One proof for many shares refuses each that is wrong, the first one too."""
    bases, shares = list(A[:4]), list(shares_of(101, A[:4]))
    assert is_shown(101, bases, shares)
    for other in (shares[wrong] + G, A[wrong] * 102, shares[wrong - 1]):
        assert not is_shown(101, bases, [*shares[:wrong], other, *shares[wrong + 1 :]])


def test_errors_that_cancel_are_found() -> None:
    """Two wrong shares whose sum is right do not pass: each is weighed by a hash of all of them."""
    bases, shares = list(A[:3]), list(shares_of(101, A[:3]))
    assert not is_shown(101, bases, [shares[0] + G, shares[1] - G, shares[2]])
    assert not is_shown(101, bases, [shares[1], shares[0], shares[2]])
    assert not is_shown(101, bases, [shares[0], shares[1] + G, shares[2] - G])


def test_weights_hang_on_the_message_and_every_point() -> None:
    """The weighed sums differ with the message, so that no proof can be prepared for other shares."""
    bases, shares = list(A[:3]), list(shares_of(101, A[:3]))
    assert weighed(bases, shares, b"one") != weighed(bases, shares, b"two")
    assert weighed(bases[:1], shares[:1], b"one") == (bases[0], shares[0]) == weighed(bases[:1], shares[:1], b"two")
    assert weighed(bases, shares, b"one")[0] != combined((1, 1, 1), bases)

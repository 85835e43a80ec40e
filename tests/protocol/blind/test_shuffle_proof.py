"""Shuffles and their proofs: what holds, and that nothing else does."""

from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest

from put_protocol.blind.group import POINT_BYTES, SCALAR_BYTES, Point, Q, base, digest, scalar_bytes
from put_protocol.blind.shuffle import (
    PLACE_BYTES,
    Order,
    Pack,
    card_point,
    cards_by_minus,
    first_pack,
    order_of,
    shuffle,
)
from put_protocol.blind.shuffle_proof import Statement, check, proof_bytes, prove
from put_protocol.cards import FULL_PACK, PACKS
from put_protocol.errors import ProofError
from tests.protocol.blind.cheating_prover import Matrix, cheat, new_pack

G = base(1)

SECRET = 0x5EC4E7
JOINT = base(SECRET)
SIZE = 4
BEFORE = shuffle(first_pack(FULL_PACK[:SIZE], JOINT), JOINT, order_of(b"before" + bytes(26), SIZE))
ORDER = Order((2, 0, 3, 1), (11, 12, 13, 14))
AFTER = shuffle(BEFORE, JOINT, ORDER)
STATEMENT = Statement(context=b"context", joint=JOINT, before=BEFORE, after=AFTER)
PROOF = prove(STATEMENT, ORDER, bytes(32))


def cards_of(pack: Pack) -> list[str]:
    """What lies in a pack, by the whole secret."""
    known = cards_by_minus(FULL_PACK)
    a, b = pack.halves()
    return [known[(one * SECRET - two).encoded] for one, two in zip(a, b, strict=True)]


def refused(statement: Statement, proof: bytes) -> bool:
    try:
        check(statement, proof)
    except ProofError:
        return True
    return False


def test_a_shuffle_keeps_the_cards_in_the_secret_order() -> None:
    """Each place has the card that lay where the order says, under another encryption."""
    cards = cards_of(BEFORE)
    assert cards_of(AFTER) == [cards[place] for place in ORDER.places]
    pieces = [
        pack.data[at : at + PLACE_BYTES] for pack in (BEFORE, AFTER) for at in range(0, len(pack.data), PLACE_BYTES)
    ]
    assert len(set(pieces)) == 2 * SIZE


def test_every_order_comes_out_about_as_often() -> None:
    """The orders of three cards, of 6,000 seeds: chi squared below the value that chance passes once in a million."""
    found = Counter(order_of(digest("seed", number.to_bytes(4, "big")), 3).places for number in range(6000))
    assert set(found) == set(permutations(range(3)))
    assert sum((count - 1000) ** 2 / 1000 for count in found.values()) < 36.5


@pytest.mark.parametrize("name", PACKS)
def test_a_proof_holds_for_every_pack(name: str) -> None:
    """The proof of a shuffle of a first pack holds, and has the length that is said."""
    cards = PACKS[name]
    before = first_pack(cards, JOINT)
    order = order_of(bytes(32), len(cards))
    statement = Statement(context=b"", joint=JOINT, before=before, after=shuffle(before, JOINT, order))
    proof = prove(statement, order, bytes(32))
    assert len(proof) == proof_bytes(len(cards)) == 130 * len(cards) + 160
    check(statement, proof)
    assert sorted(cards_of(statement.after)) == sorted(cards) if set(cards) <= set(FULL_PACK) else True


def components() -> dict[str, tuple[int, int]]:
    """Where each part of a proof lies."""
    found = {}
    at = 0
    for name in [f"{letter}{number}" for letter in "cd" for number in range(SIZE)]:
        found[name] = (at, POINT_BYTES)
        at += POINT_BYTES
    names = ["e", "s1", "s2", "s3", "s4", *[f"{letter}{number}" for letter in "xu" for number in range(SIZE)]]
    for name in names:
        found[name] = (at, SCALAR_BYTES)
        at += SCALAR_BYTES
    assert at == len(PROOF)
    return found


@pytest.mark.parametrize("name", components())
def test_a_proof_with_one_part_altered_is_refused(name: str) -> None:
    """Every commitment, the challenge and every response is needed as it is: s1 to s4, x and u for an equation each."""
    at, length = components()[name]
    part = PROOF[at : at + length]
    others = (
        [Point.parse(part).plus_base(1).encoded, (-Point.parse(part)).encoded, bytes(33), b"\x04" + part[1:]]
        if length == POINT_BYTES
        else [scalar_bytes((int.from_bytes(part, "big") + 1) % Q), bytes(32), scalar_bytes(Q), b"\xff" * 32]
    )
    for other in others:
        assert refused(STATEMENT, PROOF[:at] + other + PROOF[at + length :])
    check(STATEMENT, PROOF)


@pytest.mark.parametrize("length", [0, 1, len(PROOF) - 1, len(PROOF) + 1, 2 * len(PROOF)])
def test_a_proof_of_another_length_is_refused(length: int) -> None:
    """The length is known from the number of cards."""
    assert refused(STATEMENT, (PROOF * 2)[:length])


def changed_packs(pack: Pack) -> dict[str, Pack]:
    places = [pack.data[at : at + PLACE_BYTES] for at in range(0, len(pack.data), PLACE_BYTES)]
    a, b = pack.halves()
    again = (a[0].plus_base(5), b[0] + JOINT * 5)
    return {
        "a place encrypted anew": Pack.of([again, *zip(a[1:], b[1:], strict=True)]),
        "two places swapped": Pack(b"".join([places[1], places[0], *places[2:]])),
        "a place doubled": Pack(b"".join([places[1], *places[1:]])),
        "another card": Pack.of([(a[0], b[0] + G), *zip(a[1:], b[1:], strict=True)]),
        "a place short": Pack(b"".join(places[1:])),
        "a place more": Pack(b"".join([*places, places[0]])),
        "the identity": Pack(bytes(33) + pack.data[33:]),
        "off the curve": Pack(b"\x02" + (5).to_bytes(32, "big") + pack.data[33:]),
        "halves swapped": Pack.of(list(zip(b, a, strict=True))),
    }


@pytest.mark.parametrize("name", changed_packs(AFTER))
def test_a_proof_is_bound_to_its_statement(name: str) -> None:
    """With either pack changed, the joint key or the context, the proof does not hold."""
    assert refused(replace(STATEMENT, after=changed_packs(AFTER)[name]), PROOF)
    assert refused(replace(STATEMENT, before=changed_packs(BEFORE)[name]), PROOF)
    assert refused(replace(STATEMENT, context=b"contexts"), PROOF)
    assert refused(replace(STATEMENT, joint=JOINT + G), PROOF)
    assert refused(replace(STATEMENT, before=AFTER, after=BEFORE), PROOF)


@pytest.mark.parametrize(
    "name", [name for name in changed_packs(AFTER) if name not in {"the identity", "off the curve"}]
)
def test_a_prover_who_changed_the_pack_convinces_nobody(name: str) -> None:
    """Following the algorithm on a pack that is no shuffle gives no proof."""
    changed = changed_packs(AFTER)[name]
    if len(changed) == SIZE:
        statement = replace(STATEMENT, after=changed)
        assert refused(statement, prove(statement, ORDER, bytes(32)))


@pytest.mark.parametrize("places", [(2, 0, 3, 3), (0, 0, 0, 0), (2, 0, 1, 1)])
def test_a_prover_who_copied_a_card_convinces_nobody(places: tuple[int, ...]) -> None:
    """A pack with one card twice, and one missing, has no proof by its own order."""
    order = Order(places, ORDER.factors)
    statement = replace(STATEMENT, after=shuffle(BEFORE, JOINT, order))
    assert refused(statement, prove(statement, order, bytes(32)))


HALF = pow(2, -1, Q)
PERMUTATION: Matrix = ((0, 0, 1, 0), (1, 0, 0, 0), (0, 0, 0, 1), (0, 1, 0, 0))


def claimed(matrix: Matrix, *, proved_by: Matrix | None = None, factors: tuple[int, ...] = (5, 6, 7, 8)) -> bool:
    """True if a pack made by this matrix passes."""
    statement = replace(STATEMENT, after=new_pack(BEFORE, JOINT, matrix, (5, 6, 7, 8)))
    return not refused(statement, cheat(statement, proved_by or matrix, factors, bytes(32)))


def test_the_second_prover_agrees() -> None:
    """The prover written a second time, with a permutation, gives a proof that holds."""
    assert claimed(PERMUTATION)


CHEATS: dict[str, Matrix] = {
    # Each breaks one equation alone: the new pack is what the matrix asks for, so all the others hold.
    "rows that do not sum to one, with the right product": ((2, 0, 0, 0), (0, HALF, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
    "rows that sum to one, with another product": ((2, -1, 0, 0), (-1, 2, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
}


@pytest.mark.parametrize("name", CHEATS)
def test_a_matrix_that_is_no_permutation_convinces_nobody(name: str) -> None:
    """The equations for the sums and for the product are each needed: one is all that refuses this pack."""
    assert not claimed(CHEATS[name])


def test_a_proof_about_another_pack_convinces_nobody() -> None:
    """The equation between the packs is all that refuses a proof by another permutation, or by other factors."""
    other: Matrix = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0))
    assert not claimed(PERMUTATION, proved_by=other)
    assert not claimed(PERMUTATION, factors=(5, 6, 7, 9))


def test_card_points_are_known_to_nobody_and_differ() -> None:
    """The cards of all packs have points of their own."""
    cards = {card for pack in PACKS.values() for card in pack}
    assert len({card_point(card) for card in cards}) == len(cards)

"""The bytes of a seal: trees, chains, shuffles, packs, draws, accidents and words."""

from collections import Counter
from hashlib import sha256
from itertools import product
from random import Random

import pytest

from put_protocol.cards import FULL_PACK, Card
from put_protocol.seal.accidents import LUCK, UniformNumber, luck, misdeal
from put_protocol.seal.cuts import LINKS, Chain, after, basis, draw, words_of
from put_protocol.seal.hashing import HashTree, label, root_of, shuffled
from put_protocol.seal.packs import laid, root_by, seal
from put_protocol.seal_events import MOST_CARDS, AccidentOpening, Opening
from put_protocol.seats import Seat

SECRET = bytes(range(32))
TO = tuple(map(Seat, (0, 1) * 3))


class Bytes:
    """A stream of given bytes, then zeros."""

    def __init__(self, *given: int) -> None:
        self.given = bytes(given)
        self.asked: list[int] = []

    def digest(self, length: int, /) -> bytes:
        self.asked.append(length)
        return self.given[:length].ljust(length, b"\0")


def rfc6962(leaves: list[bytes]) -> bytes:
    """The root as RFC 6962 (2.1) defines it, from the root down."""
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\x01" + rfc6962(leaves[:split]) + rfc6962(leaves[split:])).digest()


# --- trees -----------------------------------------------------------------------------------------------------------


def test_tree_has_the_root_of_rfc_6962_and_a_path_to_each_leaf() -> None:
    """Of any size; a path is as long as its leaf is deep, at most 8 for 256."""
    for size in (*range(1, 71), 128, 255, 256):
        leaves = [sha256(bytes([at])).digest() for at in range(size)]
        tree = HashTree(b"".join(leaves))
        assert tree.root == rfc6962(leaves), size
        for position, leaf in enumerate(leaves):
            path = tree.path(position)
            assert len(path) <= (size - 1).bit_length(), size
            assert root_of(leaf, position, size, path) == tree.root, size


def test_path_proves_its_leaf_at_its_position_in_its_tree_only() -> None:
    """Another leaf, position, size or a path longer or shorter gives another root or none."""
    leaves = [sha256(bytes([at])).digest() for at in range(52)]
    tree = HashTree(b"".join(leaves))
    path = tree.path(20)
    assert root_of(leaves[20], 20, 52, path) == tree.root
    assert root_of(leaves[21], 20, 52, path) != tree.root
    assert all(root_of(leaves[20], other, 52, path) != tree.root for other in range(52) if other != 20)
    assert root_of(leaves[20], 20, 16, path) is None
    assert root_of(leaves[20], 20, 52, path[:-1]) is None
    assert root_of(leaves[20], 20, 52, (*path, path[0])) is None
    assert root_of(leaves[20], 20, 52, path[::-1]) != tree.root


# --- chains ----------------------------------------------------------------------------------------------------------


def test_chain_has_each_link_after_the_one_before() -> None:
    """Every link is found, wherever the kept ones lie, and hashes to the next."""
    chain = Chain(SECRET, 200)
    assert chain.link(0) == SECRET
    assert all(after(chain.link(number)) == chain.link(number + 1) for number in range(200))
    assert chain.link(1) == sha256(bytes([14]) + b"put seal chain" + SECRET).digest()


def test_chain_shows_nothing_of_itself() -> None:
    """Its repr, which a log may hold, has its length and no link."""
    assert repr(Chain(SECRET)) == f"<a chain of {LINKS} links>"


# --- shuffles --------------------------------------------------------------------------------------------------------


def test_shuffle_has_no_favourites() -> None:
    """Over all streams of two bytes that are not passed over, each order of three comes equally often."""
    found = Counter(shuffled(3, Bytes(*two), 0)[0] for two in product(range(255), range(256)))
    assert len(found) == 6
    assert set(found.values()) == {255 * 256 // 6}


def test_shuffle_passes_over_what_would_favour_some() -> None:
    """255 of 256 cannot be shared among three, so the next byte counts."""
    assert shuffled(3, Bytes(255, 255, 1, 1), 0) == shuffled(3, Bytes(1, 1), 0)


def test_shuffle_asks_for_as_much_as_it_needs() -> None:
    """A stream that is passed over for long is asked for further bytes, from its beginning."""
    stream = Bytes(*[255] * 40, 2)
    assert shuffled(3, stream, 1)[0] == (2, 1, 0)
    assert stream.asked == [7, 14, 28, 56]


def test_shuffle_is_of_all_sizes() -> None:
    """Every number is there once, up to the most cards there may be."""
    rng = Random(1)
    for count in range(MOST_CARDS + 1):
        order, head = shuffled(count, Bytes(7, *rng.randbytes(4 * MOST_CARDS)), 1)
        assert sorted(order) == list(range(count))
        assert head == b"\x07"


# --- packs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", [FULL_PACK, FULL_PACK[:13], FULL_PACK[:1]], ids=len)
def test_packs_are_all_cards_in_orders_of_their_own(cards: tuple[Card, ...]) -> None:
    """Two packs, each with every card once and a salt for each."""
    packs = seal(SECRET, 1, 2, cards).packs
    salts = [pack.salts[at : at + 32] for pack in packs for at in range(0, len(pack.salts), 32)]
    assert [sorted(pack.cards) for pack in packs] == [sorted(cards)] * 2
    assert len(set(salts)) == 2 * len(cards)
    assert len({pack.root for pack in packs}) == 2


def test_opening_proves_a_card_of_its_pack_deal_and_table_only() -> None:
    """Not one bit of where it belongs or what it says can be another."""
    pack = seal(SECRET, 1, 2, FULL_PACK).packs[0]
    for position in range(52):
        opening = pack.opening(position)
        assert opening.card == pack.cards[position]
        assert root_by(opening, 1, 2, 0, 52) == pack.root
        for table, deal, number, size in ((2, 2, 0, 52), (1, 1, 0, 52), (1, 2, 1, 52), (1, 2, 0, 16)):
            assert root_by(opening, table, deal, number, size) != pack.root
        others = (
            Opening((position + 1) % 52, opening.card, opening.salt, opening.path),
            Opening(position, pack.cards[position - 1], opening.salt, opening.path),
            Opening(position, opening.card, bytes(32), opening.path),
        )
        assert all(root_by(other, 1, 2, 0, 52) != pack.root for other in others)
    assert root_by(Opening(52, FULL_PACK[0], SECRET, (SECRET,) * 3), 1, 2, 0, 52) is None


def test_pack_is_made_again_from_its_seed() -> None:
    """What is turned up is 32 bytes; another pack's seed, deal or table gives another root."""
    first, second = seal(SECRET, 1, 2, FULL_PACK).packs
    assert laid(first.whole().seed, 1, 2, 0, FULL_PACK).cards == first.cards
    assert laid(first.seed, 1, 2, 0, FULL_PACK).root == first.root
    assert first.seed != second.seed
    assert first.root not in {laid(first.seed, *other, FULL_PACK).root for other in ((2, 2, 0), (1, 3, 0), (1, 2, 1))}


@pytest.mark.parametrize("cards", [FULL_PACK, FULL_PACK[:13], FULL_PACK[:1]], ids=len)
def test_leaf_of_accidents_lies_behind_the_cards(cards: tuple[Card, ...]) -> None:
    """It has a salt of its own, and proves its number of its pack, deal and table only; without it a pack has the
    same order and another root."""
    pack = seal(SECRET, 1, 2, cards, has_accidents=True).packs[0]
    opening = pack.accident()
    assert opening is not None
    assert root_by(opening, 1, 2, 0, len(cards), has_accidents=True) == pack.root
    for table, deal, number, size in (
        (2, 2, 0, len(cards)),
        (1, 1, 0, len(cards)),
        (1, 2, 1, len(cards)),
        (1, 2, 0, 2),
    ):
        assert root_by(opening, table, deal, number, size, has_accidents=True) != pack.root
    assert root_by(opening, 1, 2, 0, len(cards)) is None
    assert root_by(opening, 1, 2, 0, len(cards) + 1) is None
    assert root_by(AccidentOpening(bytes(32), opening.path), 1, 2, 0, len(cards), has_accidents=True) != pack.root
    assert opening.salt not in [pack.opening(position).salt for position in range(len(cards))]
    for position in range(len(cards)):
        assert root_by(pack.opening(position), 1, 2, 0, len(cards), has_accidents=True) == pack.root
    other = seal(SECRET, 1, 2, cards).packs[0]
    assert other.accident() is None
    assert other.root != pack.root
    assert laid(pack.seed, 1, 2, 0, cards, has_accidents=True).root == pack.root


def test_luck_is_spent_on_uniform_choices() -> None:
    """Of all numbers of a small size: as many accidents as the chance says, each law, seat and card equally often."""
    size = 100 * 5 * 2 * 12
    found = Counter(
        misdeal(UniformNumber(value, size), 50, dealer=Seat(2), adversaries=(Seat(0), Seat(1)), cards_each=3)
        for value in range(size)
    )
    assert found.pop(None) == size // 2
    by_law = Counter(
        {law: sum(n for one, n in found.items() if one is not None and one.law == law) for law in range(6)}
    )
    assert by_law == Counter({0: 0} | dict.fromkeys(range(1, 6), size // 10))
    for law, kinds in ((1, 6), (2, 3), (3, 1), (4, 8), (5, 4)):
        counts = [n for one, n in found.items() if one is not None and one.law == law]
        assert counts == [size // 10 // kinds] * kinds


def test_luck_depends_on_the_salt_and_on_all_that_the_draw_does() -> None:
    """So nobody who cuts can know it, and the server cannot choose it."""
    drawn_from = basis(1, 2, (bytes(32), SECRET), TO, FULL_PACK, (SECRET, None))
    others = [basis(1, 2, (bytes(32), SECRET), TO, FULL_PACK, (link, None)) for link in (bytes(32), None)]
    assert len({luck(SECRET, drawn_from), luck(bytes(32), drawn_from), *[luck(SECRET, other) for other in others]}) == 4
    assert luck(SECRET, drawn_from) < LUCK


def test_pack_shows_nothing_of_itself() -> None:
    """The repr of a sealing has neither cards nor salts nor seeds."""
    sealing = seal(SECRET, 1, 2, FULL_PACK)
    assert repr(sealing) == "Sealing(packs=(SealedPack(number=0), SealedPack(number=1)))"


# --- the draw --------------------------------------------------------------------------------------------------------


def test_draw_depends_on_everything_told() -> None:
    """Table, deal, either root, slots, cards and every cut, also whether there is one."""
    roots = (bytes(32), SECRET)
    links = (bytes(32), None)
    plain = draw(1, 2, roots, TO, FULL_PACK, links)
    others = [
        draw(2, 2, roots, TO, FULL_PACK, links),
        draw(1, 1, roots, TO, FULL_PACK, links),
        draw(1, 2, (SECRET, SECRET), TO, FULL_PACK, links),
        draw(1, 2, roots[::-1], TO, FULL_PACK, links),
        draw(1, 2, roots, TO[1:], FULL_PACK, links),
        draw(1, 2, roots, TO[::-1], FULL_PACK, links),
        draw(1, 2, roots, TO, FULL_PACK[::-1], links),
        draw(1, 2, roots, TO, FULL_PACK, (SECRET, None)),
        draw(1, 2, roots, TO, FULL_PACK, (None, bytes(32))),
        draw(1, 2, roots, TO, FULL_PACK, (bytes(32), bytes(32))),
        draw(1, 2, roots, TO, FULL_PACK, (bytes(32),)),
    ]
    assert len({drawn.words for drawn in (plain, *others)}) == 1 + len(others)
    assert sorted(plain.order) == list(range(52))


def test_label_has_one_reading() -> None:
    """Its length in bytes comes first."""
    assert label("3s") == b"\x023s"
    assert label("\u2660") == b"\x03\xe2\x99\xa0"


def test_words_are_the_bits_they_stand_for() -> None:
    """Sixteen consonants and four vowels: every eight bytes have words of their own."""
    assert words_of(bytes(8)) == "babab babab babab babab"
    assert words_of(b"\xff" * 8) == "zozoz zozoz zozoz zozoz"
    assert len({words_of(number.to_bytes(8, "big")).split()[3] for number in range(2**16)}) == 2**16

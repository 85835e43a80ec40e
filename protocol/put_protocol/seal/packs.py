"""The server's part: two packs from one secret, their seals, and the openings of their cards.

For pack p of 0 and 1: `seed` = SHA-256(label "put seal seed" | secret | table u64 | deal u64 | p u8). From it comes the
stream SHAKE-256(label "put seal pack" | seed): first the salts, 32 bytes for each position; then the bytes of a shuffle
(`hashing.shuffled`), which says which of the cards, in the order they are told in, lies at each position.

The leaf of a position is SHA-256(0x00 | label "put seal card" | table u64 | deal u64 | p u8 | position u16 | label of
the card's notation | salt), and the root of these leaves (`hashing.HashTree`) is the seal. The salt keeps anybody from
finding the card by 52 guesses; table, deal, pack and position make an opening good for this place only.

Where a deal may have an accident (`accidents`), the stream has one salt more, and behind the leaves of the cards there
is one with that salt: SHA-256(0x00 | label "put seal accident" | table u64 | deal u64 | p u8 | position u16 | salt).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256, shake_256

from put_protocol.cards import Card
from put_protocol.seal.hashing import (
    LEAF,
    Begun,
    HashTree,
    hashes,
    in_pieces,
    label,
    labels,
    root_of,
    shuffled,
    u16,
    u64,
)
from put_protocol.seal_events import HASH_BYTES, MOST_CARDS, AccidentOpening, Opening, PackOpening

_SEED = label("put seal seed")
_PACK = label("put seal pack")
_CARD = LEAF + label("put seal card")
_ACCIDENT = LEAF + label("put seal accident")
_POSITIONS = tuple(map(u16, range(MOST_CARDS)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedPack:
    """A sealed pack. All of it but the root is secret, and none of it is in its repr."""

    number: int
    """0 or 1."""
    cards: tuple[Card, ...] = field(repr=False)
    """Listed by position."""
    salts: bytes = field(repr=False)
    """Listed by position, 32 bytes each; behind them that of the accident, if the deal may have one."""
    seed: bytes = field(repr=False)
    tree: HashTree = field(repr=False)

    @property
    def root(self) -> bytes:
        return self.tree.root

    def opening(self, position: int) -> Opening:
        """The proof of the card that lies there, for viewers who may see it."""
        return Opening(position, self.cards[position], self._salt(position), self.tree.path(position))

    def accident(self) -> AccidentOpening | None:
        """The leaf that decides whether the deal has an accident; None: it can have none."""
        behind = len(self.cards)
        if len(self.salts) == behind * HASH_BYTES:
            return None
        return AccidentOpening(self._salt(behind), self.tree.path(behind))

    def _salt(self, position: int) -> bytes:
        return self.salts[position * HASH_BYTES : (position + 1) * HASH_BYTES]

    def whole(self) -> PackOpening:
        """The proof of every card."""
        return PackOpening(self.number, self.seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealing:
    """A deal's two packs. When it is cut, the one that is not played is turned up, and can be let go."""

    packs: tuple[SealedPack, SealedPack]

    @property
    def roots(self) -> tuple[bytes, bytes]:
        return self.packs[0].root, self.packs[1].root


def seal(secret: bytes, table: int, deal: int, cards: tuple[Card, ...], *, has_accidents: bool = False) -> Sealing:
    """Two packs of these cards. The secret is 32 bytes of the operating system's randomness, new for every deal."""
    deal_of_table = u64(table) + u64(deal)
    seeds = [sha256(b"".join([_SEED, secret, deal_of_table, bytes([pack])])).digest() for pack in (0, 1)]
    first, second = [
        laid(seed, table, deal, pack, cards, has_accidents=has_accidents) for pack, seed in enumerate(seeds)
    ]
    return Sealing(packs=(first, second))


def laid(
    seed: bytes, table: int, deal: int, pack: int, cards: tuple[Card, ...], *, has_accidents: bool = False
) -> SealedPack:
    """The pack that has this seed."""
    order, salts = shuffled(len(cards), shake_256(_PACK + seed), HASH_BYTES * (len(cards) + has_accidents))
    notations = labels(cards)
    tree = tree_of(table, deal, pack, [notations[number] for number in order], salts)
    return SealedPack(number=pack, cards=tuple([cards[number] for number in order]), salts=salts, seed=seed, tree=tree)


def tree_of(table: int, deal: int, pack: int, cards: Sequence[bytes], salts: bytes) -> HashTree:
    """The tree of cards, by the labels of their notations, lying in this order under these salts. One salt more than
    cards is that of the accident."""
    salted = zip(_POSITIONS, cards, in_pieces(salts, HASH_BYTES), strict=False)
    leaves = hashes(_begun(table, deal, pack), [position + card + salt for position, card, salt in salted])
    behind = len(cards)
    if len(salts) > behind * HASH_BYTES:
        leaves.append(accident_leaf(salts[behind * HASH_BYTES :], table, deal, pack, behind))
    return HashTree(b"".join(leaves))


def root_by(
    opening: Opening | AccidentOpening, table: int, deal: int, pack: int, cards: int, *, has_accidents: bool = False
) -> bytes | None:
    """The root of a pack of so many cards in which the opening is true; None if none can be."""
    size = cards + has_accidents
    if isinstance(opening, AccidentOpening):
        if not has_accidents:
            return None
        return root_of(accident_leaf(opening.salt, table, deal, pack, cards), cards, size, opening.path)
    if opening.position >= cards:
        return None
    return root_of(leaf_of(opening, table, deal, pack), opening.position, size, opening.path)


def leaf_of(opening: Opening, table: int, deal: int, pack: int) -> bytes:
    """The leaf of an opened card."""
    leaf = _begun(table, deal, pack).copy()
    leaf.update(_POSITIONS[opening.position] + label(opening.card) + opening.salt)
    return leaf.digest()


def accident_leaf(salt: bytes, table: int, deal: int, pack: int, behind: int) -> bytes:
    """The leaf that decides on an accident. It lies behind so many cards."""
    return sha256(b"".join([_ACCIDENT, u64(table), u64(deal), bytes([pack]), u16(behind), salt])).digest()


@lru_cache(maxsize=16)  # a checker asks for that of the deal in play with every opening
def _begun(table: int, deal: int, pack: int) -> Begun:
    """The beginning of every leaf of a card."""
    return sha256(b"".join([_CARD, u64(table), u64(deal), bytes([pack])]))

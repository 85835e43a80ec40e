"""The server's part: two packs from one secret, their seals, and the openings of their cards.

For pack p of 0 and 1: `seed` = SHA-256(label "put seal seed" | secret | table u64 | deal u64 | p u8). From it comes the
stream SHAKE-256(label "put seal pack" | seed): first the salts, 32 bytes for each position; then the bytes of a shuffle
(`hashing.shuffled`), which says which of the cards, in the order they are told in, lies at each position.

The leaf of a position is SHA-256(0x00 | label "put seal card" | table u64 | deal u64 | p u8 | position u16 | label of
the card's notation | salt), and the root of these leaves (`merkle`) is the seal. The salt keeps 52 guesses from finding
the card; table, deal, pack and position keep an opening from serving anywhere else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256, shake_256

from put_protocol.cards import Card
from put_protocol.seal.hashing import HASH_BYTES, MOST_CARDS, label, labels, shuffled, u16, u64
from put_protocol.seal.merkle import LEAF, Tree, root_of
from put_protocol.seal.told import Opening, PackOpening

_SEED = label("put seal seed")
_PACK = label("put seal pack")
_CARD = LEAF + label("put seal card")
_POSITIONS = tuple(map(u16, range(MOST_CARDS)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """A sealed pack. All of it but the root is secret, and none of it is in its repr."""

    number: int
    """0 or 1."""
    cards: tuple[Card, ...] = field(repr=False)
    """By position."""
    salts: bytes = field(repr=False)
    """By position, 32 bytes each."""
    seed: bytes = field(repr=False)
    tree: Tree = field(repr=False)

    @property
    def root(self) -> bytes:
        return self.tree.root

    def opening(self, position: int) -> Opening:
        """The proof of the card that lies there, for who may see it."""
        salt = self.salts[position * HASH_BYTES : (position + 1) * HASH_BYTES]
        return Opening(position, self.cards[position], salt, self.tree.path(position))

    def whole(self) -> PackOpening:
        """The proof of every card."""
        return PackOpening(self.number, self.seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealing:
    """A deal's two packs. When it is cut, the one that is not played is turned up, and can be let go."""

    packs: tuple[Pack, Pack]

    @property
    def roots(self) -> tuple[bytes, bytes]:
        return self.packs[0].root, self.packs[1].root


def seal(secret: bytes, table: int, deal: int, cards: tuple[Card, ...]) -> Sealing:
    """Two packs of these cards. The secret is 32 bytes of the operating system's randomness, new for every deal."""
    deal_of_table = u64(table) + u64(deal)
    first, second = [
        laid(sha256(b"".join([_SEED, secret, deal_of_table, bytes([pack])])).digest(), table, deal, pack, cards)
        for pack in (0, 1)
    ]
    return Sealing(packs=(first, second))


def laid(seed: bytes, table: int, deal: int, pack: int, cards: tuple[Card, ...]) -> Pack:
    """The pack that has this seed."""
    order, salts = shuffled(len(cards), shake_256(_PACK + seed), HASH_BYTES * len(cards))
    notations = labels(cards)
    tree = tree_of(table, deal, pack, [notations[number] for number in order], salts)
    return Pack(number=pack, cards=tuple([cards[number] for number in order]), salts=salts, seed=seed, tree=tree)


def tree_of(table: int, deal: int, pack: int, cards: Sequence[bytes], salts: bytes) -> Tree:
    """The tree of cards, by the labels of their notations, lying in this order under these salts."""
    head = _head(table, deal, pack)
    leaves = [
        sha256(head + position + card + salts[at : at + HASH_BYTES]).digest()
        for position, card, at in zip(_POSITIONS, cards, range(0, len(salts), HASH_BYTES), strict=False)
    ]
    return Tree(b"".join(leaves))


def root_by(opening: Opening, table: int, deal: int, pack: int, size: int) -> bytes | None:
    """The root of a pack of this size in which the opening is true; None if none can be."""
    if opening.position >= size:
        return None
    return root_of(leaf_of(opening, table, deal, pack), opening.position, size, opening.path)


def leaf_of(opening: Opening, table: int, deal: int, pack: int) -> bytes:
    """The leaf of an opened card."""
    place = _POSITIONS[opening.position] + label(opening.card)
    return sha256(_head(table, deal, pack) + place + opening.salt).digest()


def _head(table: int, deal: int, pack: int) -> bytes:
    return b"".join([_CARD, u64(table), u64(deal), bytes([pack])])

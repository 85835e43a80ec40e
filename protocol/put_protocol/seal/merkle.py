"""Hash trees of any size, split as in RFC 6962: a root commits to every leaf, and a short path proves one of them.

A leaf is SHA-256(0x00 | what it holds), a node SHA-256(0x01 | left | right). A row is hashed in pairs from the left,
and a last one without a partner goes up as it is; that is the tree RFC 6962 (2.1) defines from its root down.
"""

from hashlib import sha256

from put_protocol.seal_events import HASH_BYTES

LEAF = b"\x00"
NODE = b"\x01"


class Tree:
    """A tree over leaves that are already hashed; at least one."""

    __slots__ = ("_rows",)

    def __init__(self, leaves: bytes) -> None:
        """The leaves, one after another. Rows are kept as such strings: two for a card are 7 kB less a deal."""
        rows = [leaves]
        while len(leaves) > HASH_BYTES:
            pairs = len(leaves) // (2 * HASH_BYTES) * (2 * HASH_BYTES)
            nodes = [sha256(NODE + leaves[at : at + 2 * HASH_BYTES]).digest() for at in range(0, pairs, 2 * HASH_BYTES)]
            leaves = b"".join([*nodes, leaves[pairs:]])
            rows.append(leaves)
        self._rows = tuple(rows)

    @property
    def root(self) -> bytes:
        return self._rows[-1]

    def path(self, position: int) -> tuple[bytes, ...]:
        """What `root_of` needs beside the leaf: its neighbours on the way up."""
        path = []
        for row in self._rows[:-1]:
            beside = (position ^ 1) * HASH_BYTES
            if beside < len(row):
                path.append(row[beside : beside + HASH_BYTES])
            position //= 2
        return tuple(path)


def root_of(leaf: bytes, position: int, size: int, path: tuple[bytes, ...]) -> bytes | None:
    """The root of a tree of this size with this leaf at this position; None if its paths there have another length."""
    steps = iter(path)
    for _ in range((size - 1).bit_length()):
        if position ^ 1 < size:
            beside = next(steps, None)
            if beside is None:
                return None
            leaf = sha256(NODE + (beside + leaf if position & 1 else leaf + beside)).digest()
        position //= 2
        size = (size + 1) // 2
    return leaf if next(steps, None) is None else None

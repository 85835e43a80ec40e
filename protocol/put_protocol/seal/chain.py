"""Cuts promised beforehand: a chain of hashes, whose links are shown from its end backwards.

`x[0]` is a secret, `x[k]` = SHA-256(label "put seal chain" | `x[k-1]`). Who has told `x[k]` can show nothing but
`x[k-1]` next, and nobody else can. A link shown is the promise of the one before it, so a deal costs no round for it.
"""

from hashlib import sha256

from put_protocol.seal.hashing import label

_LABEL = label("put seal chain")

LINKS = 4_096
"""Links of a chain, unless asked otherwise: an evening's deals many times over. Made in some milliseconds."""

_APART = 64
"""Links between two that are kept: 64 of 4,096 are 2 kB, and any link is at most 63 hashes from one of them."""


def after(link: bytes) -> bytes:
    """The link that comes after this one, which was told before it."""
    return sha256(_LABEL + link).digest()


class Chain:
    """All the links there are from a secret."""

    __slots__ = ("_kept", "length")

    def __init__(self, secret: bytes, length: int = LINKS) -> None:
        """The secret is 32 bytes of the operating system's randomness. A chain is for one sitting at one table: a link
        that was given elsewhere is known, and cuts nothing."""
        self.length = length
        kept = [secret]
        for _ in range(length // _APART):
            kept.append(_later(kept[-1], _APART))
        self._kept = tuple(kept)

    def __repr__(self) -> str:
        return f"<a chain of {self.length} links>"

    def link(self, number: int) -> bytes:
        """`x[number]`, from 0 to the length of the chain."""
        return _later(self._kept[number // _APART], number % _APART)


def _later(link: bytes, steps: int) -> bytes:
    for _ in range(steps):
        link = after(link)
    return link

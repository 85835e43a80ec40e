"""Cuts of a deal: the chain of hashes that promises them, what they decide, and four words that name the deal.

A cut is promised before it is made. `x[0]` is a secret, and `x[k]` = SHA-256(label "put seal chain" | `x[k-1]`).
A player who told `x[k]` can show nothing but `x[k-1]` next, and no other can show that. Each link is also the promise
of the one before it, so a deal needs no round of promises.

The cuts decide which pack is played, and which of its cards each slot takes. The stream is SHAKE-256(label "put seal
draw" | table u64 | deal u64 | root 0 | root 1 | number of slots u16 | the seat u8 of each | number of cards u16 | the
label of each | number of seats at the table u8 | for each 0x00 if it takes no part, or 0x01 and its link). Its first 8
bytes are the words; the lowest bit of the 9th chooses the pack; from the 10th on it shuffles the positions
(`hashing.shuffled`): slot k takes the k-th of them.

Four words, such as `fozat ligub rokit hames`, name these 8 bytes for players to compare aloud. Each word is 16 bits,
from the highest: a consonant (4), a vowel (2), a consonant (4), a vowel (2), a consonant (4).
"""

from functools import lru_cache
from hashlib import sha256, shake_256
from typing import NamedTuple

from put_protocol.cards import Card
from put_protocol.seal.hashing import label, labels, shuffled, u16, u64
from put_protocol.seats import Seat

LINKS = 4_096
"""Links of a chain, unless asked otherwise: an evening's deals many times over. Made in some milliseconds."""

CONSONANTS = "bdfghklmnprstvwz"
VOWELS = "aeio"
WORD_BYTES = 8
"""64 bits. The words hash the cuts, too, which are unknown before the seals are sent. So if a server shows two players
different seals, their words agree with a chance of one in 2**64, and the server cannot try beforehand."""

_LINK = label("put seal chain")
_DRAW = label("put seal draw")

_APART = 16
"""Links between two that are kept: 256 of 4,096 are 19 kB, and any link is at most 15 hashes from one of them."""


def after(link: bytes) -> bytes:
    """The link after this one in the chain, which is given before it."""
    return sha256(_LINK + link).digest()


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


class Draw(NamedTuple):
    """A deal that is cut."""

    pack: int
    """Which is played; the other one is turned up."""
    order: tuple[int, ...]
    """The position each slot takes. All positions: slots beyond those the seal names follow in this order."""
    basis: bytes
    """What was hashed for it."""
    named: bytes
    """The bytes that the words stand for."""

    @property
    def words(self) -> str:
        """Players who have the same words were sent the same roots, slots, cards and cuts."""
        return words_of(self.named)


def draw(
    table: int,
    deal: int,
    roots: tuple[bytes, bytes],
    to: tuple[Seat, ...],
    cards: tuple[Card, ...],
    links: tuple[bytes | None, ...],
) -> Draw:
    """The draw that follows from a seal and its cuts, for the server and all who check it alike."""
    hashed = basis(table, deal, roots, to, cards, links)
    order, head = shuffled(len(cards), shake_256(hashed), WORD_BYTES + 1)
    return Draw(head[WORD_BYTES] & 1, order, hashed, head[:WORD_BYTES])


def basis(
    table: int,
    deal: int,
    roots: tuple[bytes, bytes],
    to: tuple[Seat, ...],
    cards: tuple[Card, ...],
    links: tuple[bytes | None, ...],
) -> bytes:
    """Bytes that the draw hashes: everything that was sent about the deal."""
    cuts = [b"\x00" if link is None else b"\x01" + link for link in links]
    return b"".join(
        [_DRAW, u64(table), u64(deal), *roots, u16(len(to)), bytes(to), _listed(cards), bytes([len(links)]), *cuts]
    )


@lru_cache(maxsize=8)  # a server plays with a few packs
def _listed(cards: tuple[Card, ...]) -> bytes:
    return u16(len(cards)) + b"".join(labels(cards))


def words_of(data: bytes) -> str:
    """A word for every two bytes: the four words of a deal, or those of another secret."""
    return " ".join([_word(int.from_bytes(data[at : at + 2], "big")) for at in range(0, len(data), 2)])


def _word(bits: int) -> str:
    return "".join(
        [
            CONSONANTS[bits >> 12],
            VOWELS[bits >> 10 & 3],
            CONSONANTS[bits >> 6 & 15],
            VOWELS[bits >> 4 & 3],
            CONSONANTS[bits & 15],
        ]
    )

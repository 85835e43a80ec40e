"""The outcome of the cuts: which pack is played, and which of its cards each slot takes.

The stream is SHAKE-256(label "put seal draw" | table u64 | deal u64 | root 0 | root 1 | number of slots u16 | the seat
u8 of each | number of cards u16 | the label of each | number of seats at the table u8 | for each 0x00 if it takes no
part, or 0x01 and its link). Its first 8 bytes are the words; the lowest bit of the 9th chooses the pack; from the 10th
on it shuffles the positions (`hashing.shuffled`): slot k takes the k-th of them.
"""

from dataclasses import dataclass
from hashlib import shake_256

from put_protocol.cards import Card
from put_protocol.seal.hashing import label, labels, shuffled, u16, u64
from put_protocol.seal.words import WORD_BYTES, words_of
from put_protocol.seats import Seat

_LABEL = label("put seal draw")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """A deal that is cut."""

    words: str
    """Whoever has the same was told the same of this deal: roots, slots, cards and cuts."""
    pack: int
    """Which is played; the other one is turned up."""
    order: tuple[int, ...]
    """The position each slot takes. All positions: slots beyond those the seal names follow in this order."""


def draw(
    table: int,
    deal: int,
    roots: tuple[bytes, bytes],
    to: tuple[Seat, ...],
    cards: tuple[Card, ...],
    links: tuple[bytes | None, ...],
) -> Draw:
    """What follows from a seal and its cuts, for the server and everyone who checks it alike."""
    stream = shake_256(basis(table, deal, roots, to, cards, links))
    order, head = shuffled(len(cards), stream, WORD_BYTES + 1)
    return Draw(words=words_of(head[:WORD_BYTES]), pack=head[WORD_BYTES] & 1, order=order)


def basis(
    table: int,
    deal: int,
    roots: tuple[bytes, bytes],
    to: tuple[Seat, ...],
    cards: tuple[Card, ...],
    links: tuple[bytes | None, ...],
) -> bytes:
    """What the draw hashes: all that everyone was told of the deal."""
    return b"".join(
        [
            *(_LABEL, u64(table), u64(deal), *roots),
            *(u16(len(to)), bytes(to)),
            *(u16(len(cards)), *labels(cards)),
            *(bytes([len(links)]), *[b"\x00" if link is None else b"\x01" + link for link in links]),
        ]
    )

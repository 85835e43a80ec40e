"""The transcript of a game: signed entries in one order, with the server's receipts.

The server puts the entries of all parties in order, and cannot change them. An entry states how many entries its author
had seen, and their hash (*head*). Its proof signs all of it (`same_secret`) with the key of the author's seat. So an
entry cannot be forged, changed, moved to another game, or put before an entry that its author had seen. An author signs
only after it has seen its own previous entry, so no entry can be dropped, duplicated or reordered.

The server signs each head (*receipt*). Each entry repeats the receipt of the head that it names. If the server shows
two players different transcripts, each player finds in the next entry of the other a head that they do not know, with
the server's signature. The two signatures together prove the server's fault to anyone. An entry whose head has no valid
receipt convicts its author in the same way; a server refuses it.

Bytes of an entry: author u8 (a seat, or 255 for the server), kind u8, deal u32, seen u32, head 32, receipt 64 (zeros
where seen is 0), body, proof 64. Numbers are big-endian.

head_0 is the hash of the terms; head_(n+1) = hash("head", head_n, entry n).
"""

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.blind.group import DIGEST_BYTES, POINT_BYTES, Point, digest
from put_protocol.blind.keys import SecretKey
from put_protocol.blind.same_secret import PROOF_BYTES, Pair, check
from put_protocol.cards import CARD_ORDER, Card
from put_protocol.errors import ProofError, ProtocolError
from put_protocol.seats import Seat

SERVER: Final = Seat(255)
"""The server as the author of an entry: deals and rulings."""

_FIRST = struct.Struct(f">BBII{DIGEST_BYTES}s{PROOF_BYTES}s")
_TERMS = struct.Struct(f">QIBB{POINT_BYTES}s")
_LENGTH = struct.Struct(">I")
_NO_RECEIPT = bytes(PROOF_BYTES)


class Kind(IntEnum):
    """Steps that an entry can take."""

    KEY = 1
    SHUFFLE = 2
    SHARES = 3
    """A seat's shares of all places that it does not own. In a read deal: of all places, masked for the server."""
    SHOW = 4
    """The author shows a card, by their own share of its place."""
    ACT = 5
    """An act of the game other than showing a card: put, see, throw in, an agreement."""
    ACCUSE = 6
    """A shuffle of the deal does not hold."""
    DEAL = 7
    """The server: the owner of each place. If the rules must see hands, the server reads all places."""
    MISSING = 8
    """The server: a seat did not do its part in time. This is the server's word alone. If an earlier shuffle does not
    hold, the shuffler is blamed instead. For private shares the server proves that they do not hold."""
    RENEW = 9
    """The server: the next deal is a stock of these cards, which came back during the hand."""

    @classmethod
    def parse(cls, number: int) -> Self:
        """:raises ProofError: there is no such step."""
        try:
            return cls(number)
        except ValueError:
            raise ProofError("an entry is of an unknown kind") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Terms of a game. Everything in its transcript is bound to them."""

    table: int
    game: int
    """New for every game at a table, and when a seat changes hands."""
    holders: tuple[int, ...]
    """Number of the party that holds the key of each seat. The server is one party for all its seats."""
    cards: tuple[Card, ...]
    server: Point
    """The server's key for this game, which signs receipts."""

    @property
    def hash(self) -> bytes:
        return digest("terms", self.encoded)

    @property
    def encoded(self) -> bytes:
        sizes = len(self.holders), len(self.cards)
        numbers = _TERMS.pack(self.table, self.game, *sizes, self.server.encoded)
        return numbers + bytes(self.holders) + " ".join(self.cards).encode()

    @classmethod
    def parse(cls, data: bytes) -> Self:
        try:
            table, game, seats, cards, server = _TERMS.unpack_from(data)
            holders = tuple(data[_TERMS.size : _TERMS.size + seats])
            pack = tuple([Card(one) for one in data[_TERMS.size + seats :].decode("ascii").split(" ")])
        except (struct.error, UnicodeDecodeError):
            raise ProofError("the terms are malformed") from None
        terms = cls(table=table, game=game, holders=holders, cards=pack, server=Point.parse(server))
        if terms.encoded != data or len(set(pack)) != cards or not set(pack) <= CARD_ORDER.keys():
            raise ProofError("the terms are malformed")
        return terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    author: Seat
    kind: Kind
    deal: int
    seen: int
    """Number of entries of the transcript that the author had seen."""
    head: bytes
    """Their hash."""
    receipt: bytes = field(repr=False)
    """The server's receipt for `head`."""
    body: bytes = field(repr=False)
    proof: bytes = field(repr=False, default=b"")
    is_checked: bool = False
    """This machine made the entry, or has checked its proof before."""

    @property
    def signed(self) -> bytes:
        """All bytes but the proof."""
        first = _FIRST.pack(self.author, self.kind, self.deal, self.seen, self.head, self.receipt)
        return first + self.body

    @property
    def encoded(self) -> bytes:
        return self.signed + self.proof

    def message(self, terms_hash: bytes) -> bytes:
        return digest("entry", terms_hash, self.signed)

    @classmethod
    def parse(cls, data: bytes, *, is_checked: bool = False) -> Self:
        """:raises ProofError: too short, or of an unknown kind."""
        if len(data) < _FIRST.size + PROOF_BYTES:
            raise ProofError("an entry is too short")
        author, kind, deal, seen, head, receipt = _FIRST.unpack_from(data)
        return cls(
            author=Seat(author),
            kind=Kind.parse(kind),
            deal=deal,
            seen=seen,
            head=head,
            receipt=receipt,
            body=data[_FIRST.size : -PROOF_BYTES],
            proof=data[-PROOF_BYTES:],
            is_checked=is_checked,
        )


class ServerFault(ProtocolError):
    """The server signed what an honest server never signs: two transcripts, or an entry that it had to refuse. The
    entries up to this one, with their receipts, prove it."""


class Transcript(Struct, frozen=True, kw_only=True):
    """The heads of a transcript and the latest entry of each author, without the entries themselves."""

    terms: Terms
    terms_hash: bytes
    heads: tuple[bytes, ...]
    receipts: tuple[bytes, ...]
    last: Mapping[Seat, int] = {}
    """The number of each author's last entry."""
    first: int = 0
    """Number of entries before the first stored head. A later entry may not name an older head."""

    @classmethod
    def of(cls, terms: Terms) -> Self:
        hashed = terms.hash
        return cls(terms=terms, terms_hash=hashed, heads=(hashed,), receipts=(_NO_RECEIPT,))

    def __repr__(self) -> str:
        return f"Transcript(seen={self.seen})"

    @property
    def seen(self) -> int:
        return self.first + len(self.heads) - 1

    def entry(self, author: Seat, kind: Kind, deal: int, body: bytes) -> Entry:
        """An entry without its proof."""
        head, receipt = self.heads[-1], self.receipts[-1]
        return Entry(author=author, kind=kind, deal=deal, seen=self.seen, head=head, receipt=receipt, body=body)

    def signed(self, entry: Entry, key: SecretKey, pairs: tuple[Pair, ...] = ()) -> bytes:
        return entry.signed + key.sign(entry.message(self.terms_hash), pairs)

    def is_overtaken(self, entry: Entry) -> bool:
        """True if the author signed the entry before they saw their last one."""
        return entry.seen <= self.last.get(entry.author, -1)

    def check_order(self, entry: Entry) -> None:
        """:raises ProofError: the entry does not come next."""
        if self.is_overtaken(entry):
            raise ProofError("an entry was signed before its author saw their last one")
        if self._at(entry.seen) != (entry.head, entry.receipt):
            raise ProofError("an entry follows another transcript")

    def _at(self, seen: int) -> tuple[bytes, bytes]:
        """The head after this many entries, and its receipt; empty if unknown."""
        at = seen - self.first
        return (self.heads[at], self.receipts[at]) if 0 <= at < len(self.heads) else (b"", b"")

    def added(self, author: Seat, head: bytes, receipt: bytes) -> Self:
        """The transcript after a checked entry, which results in this head."""
        last = {**self.last, author: self.seen}
        return replace(self, heads=(*self.heads, head), receipts=(*self.receipts, receipt), last=last)

    def next_head(self, entry: bytes) -> bytes:
        return digest("head", self.heads[-1], entry)

    def receipt(self, head: bytes, server: SecretKey) -> bytes:
        """The server's signature that this head comes next."""
        return server.sign(self._receipt_message(self.seen + 1, head))

    def check_receipt(self, head: bytes, receipt: bytes) -> None:
        """:raises ProofError: the server did not sign that this head comes next."""
        check(receipt, self.terms.server, self._receipt_message(self.seen + 1, head))

    def check_last(self) -> None:
        """:raises ProofError: the server did not sign the last head."""
        if self.seen or self.heads[-1] != self.terms_hash:
            check(self.receipts[-1], self.terms.server, self._receipt_message(self.seen, self.heads[-1]))

    def _receipt_message(self, seen: int, head: bytes) -> bytes:
        return digest("receipt", self.terms_hash, seen.to_bytes(4, "big"), head)

    def still_named(self) -> Self:
        """The transcript without heads that no seat can name any more."""
        oldest = min([self.last.get(Seat(seat), -1) for seat in range(len(self.terms.holders))]) + 1
        drop = max(0, min(oldest, self.seen) - self.first)
        return replace(self, heads=self.heads[drop:], receipts=self.receipts[drop:], first=self.first + drop)


Told = tuple[bytes, bytes]
"""An entry and the server's receipt for it."""


def join_pieces(pieces: Iterable[bytes]) -> bytes:
    """Pieces, each behind its length."""
    return b"".join([_LENGTH.pack(len(piece)) + piece for piece in pieces])


def split_pieces(data: bytes) -> Iterator[bytes]:
    """:raises ProofError: the last piece is cut off."""
    at = 0
    while at < len(data):
        begin = at + _LENGTH.size
        at = begin + int.from_bytes(data[at:begin], "big")
        if at > len(data):
            raise ProofError("a record is cut off")
        yield data[begin:at]

"""A game that is dealt blind: what each entry of its transcript changes.

The server and every client run this machine on the same entries. It has no clock, chance or I/O.

`taken` is for the server: it refuses an entry that is malformed, not due, or not signed, and then changes nothing.
`told` is for a client: the server has signed that the entry comes next, so an entry that must be refused convicts the
server. Cheap checks come first: lengths and turns, then the signature (two multiplications, and four for each share),
then the proof of a shuffle (nine for each card). Only the seat whose turn it is can make us check a shuffle, and only
once a deal.

Deals are numbered from 1. The next deal is shuffled while a hand is played: `playing` is dealt, `coming` is not. The
server begins a hand by dealing `coming`. A seat that is to blame ends a deal that is not shared yet, and the next one
begins; the rules make it pay for that (`blames`).
"""

import struct
from typing import Any, Final, Self

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.blind.deal import READ, Blame, Deal
from put_protocol.blind.group import DIGEST_BYTES, POINT_BYTES, Point, digest, parse_points
from put_protocol.blind.keys import SecretKey
from put_protocol.blind.same_secret import PROOF_BYTES, Pair, check
from put_protocol.blind.shares import weighed
from put_protocol.blind.transcript import (
    SERVER,
    Entry,
    Kind,
    ServerFault,
    Terms,
    Told,
    Transcript,
    join_pieces,
    split_pieces,
)
from put_protocol.cards import Card
from put_protocol.errors import ProofError
from put_protocol.seats import Seat

MOST_ACT_BYTES: Final = 512
"""The largest act is far smaller than a message (64 KiB), because an act has only a few words."""
MOST_ENTRIES: Final = 20_000
"""Fifty times the entries of a long game. Each entry takes 200 bytes of memory."""
MOST_STOCKS: Final = 256
"""Far more than a hand renews. A state with more would keep its reader busy: each is sought among all entries."""
TABLES_PLACE: Final = 255
"""The owner of an upturned card, in a deal's bytes."""

_NUMBER = struct.Struct(">I")
_NUMBERS = 3
"""Least count of numbers in a span: entries before the first head, the deal in play, and the coming deal."""
_LAST = struct.Struct(">BI")
_BLAME = struct.Struct(">IBB?")
_HEAD = struct.Struct(f">{DIGEST_BYTES}s{PROOF_BYTES}s")
_SPAN_PIECES = 5
"""Terms, numbers, last entries, blames, heads; entries follow."""
_KEPT = (Kind.KEY, Kind.RENEW, Kind.SHUFFLE, Kind.DEAL, Kind.SHARES, Kind.SHOW)

Own = frozenset[Seat] | None
"""Seats whose shuffles are not checked, because we made them."""
NOTHING_CHECKED: Final = None
"""A server without keys checks shuffles only when a seat accuses."""


def shuffle_context(terms_hash: bytes, entry: Entry) -> bytes:
    """The hash that binds the proof of a shuffle to its entry. The entry may have no body yet."""
    numbers = entry.deal.to_bytes(4, "big") + bytes([entry.author]) + entry.seen.to_bytes(4, "big")
    return digest("shuffle context", terms_hash, numbers, entry.head)


class BlindGame(Struct, frozen=True, kw_only=True):
    """Immutable: an entry gives another game, or raises and changes nothing."""

    terms: Terms
    transcript: Transcript
    keys: tuple[Point | None, ...]
    playing: Deal | None = None
    """The deal whose places are dealt."""
    coming: Deal | None = None
    """The deal that is shuffled, or waits to be dealt."""
    beside: tuple[Deal, ...] = ()
    """Deals of the hand in play before its last stock, the oldest first."""
    blames: tuple[Blame, ...] = ()
    kept: tuple[tuple[int, bytes], ...] = ()
    """Entries from which the keys and the deals in play follow, each with the number of its deal."""

    @classmethod
    def begun(cls, terms: Terms) -> Self:
        return cls(terms=terms, transcript=Transcript.of(terms), keys=(None,) * len(terms.holders))

    @property
    def deals(self) -> tuple[Deal, ...]:
        """The deal in play and the coming one, as far as there are any."""
        return tuple([deal for deal in (self.playing, self.coming) if deal is not None])

    @property
    def hand(self) -> tuple[Deal, ...]:
        """The deals of the hand in play, the oldest first."""
        return self.beside if self.playing is None else (*self.beside, self.playing)

    def span(self) -> bytes:
        """The state, without secrets. Another machine can continue from it (`resumed`)."""
        transcript = self.transcript.still_named()
        numbers = [0 if deal is None else deal.number for deal in (self.playing, self.coming, *self.beside)]
        heads = zip(transcript.heads, transcript.receipts, strict=True)
        pieces = (
            self.terms.encoded,
            b"".join(map(_NUMBER.pack, (transcript.first, *numbers))),
            b"".join([_LAST.pack(author, number) for author, number in transcript.last.items()]),
            b"".join([_BLAME.pack(one.deal, one.seat, one.kind, one.is_ruling) for one in self.blames]),
            b"".join([piece for head in heads for piece in head]),
            *[entry for _, entry in self.kept],
        )
        return join_pieces(pieces)

    @classmethod
    def resumed(cls, span: bytes) -> Self:
        """The game that a span describes. None of its shuffles is checked yet.

        Every entry in the span is signed, and so is the last head. The next entry of any author shows whether an entry
        was left out.

        :raises ProofError: malformed, or not signed.
        """
        pieces = list(split_pieces(span))
        if len(pieces) < _SPAN_PIECES or not pieces[4] or len(pieces[3]) > MOST_ENTRIES * _BLAME.size:
            raise ProofError("a span is malformed")
        if not _NUMBERS <= len(pieces[1]) / _NUMBER.size <= _NUMBERS + MOST_STOCKS:
            raise ProofError("a span is malformed")
        terms, entries = Terms.parse(pieces[0]), [Entry.parse(one) for one in pieces[_SPAN_PIECES:]]
        first, playing, coming, *beside = [number for (number,) in _rows(_NUMBER, pieces[1])]
        heads = _rows(_HEAD, pieces[4])
        transcript = replace(
            Transcript.of(terms),
            heads=tuple([head for head, _ in heads]),
            receipts=tuple([receipt for _, receipt in heads]),
            last={Seat(author): number for author, number in _rows(_LAST, pieces[2])},
            first=first,
        )
        transcript.check_last()
        game = cls.begun(terms)
        for entry in entries:
            if entry.kind is Kind.KEY:
                game = game._key(entry)
        if (game.coming is None) != (coming == 0) or playing >= max(coming, 1):
            raise ProofError("a span has no such deals")
        for number in (*beside, playing, coming):
            if number and game.coming is not None:
                game = replace(game, coming=replace(game.coming, number=number))
            for entry in entries:
                if number and entry.deal == number:
                    game = game._kept(entry)
        is_playing = (0 if game.playing is None else game.playing.number) == playing
        if not is_playing or [deal.number for deal in game.beside] != beside:
            raise ProofError("a span has no such deals")
        blames = tuple(
            [
                Blame(deal=deal, seat=Seat(seat), kind=Kind.parse(kind), is_ruling=is_ruling)
                for deal, seat, kind, is_ruling in _rows(_BLAME, pieces[3])
            ]
        )
        kept = tuple([(entry.deal, entry.encoded) for entry in entries])
        return replace(game, transcript=transcript, blames=blames, kept=kept)

    def unexamined(self) -> tuple[Deal, ...]:
        """The deals with shuffles that this machine has not checked. `Deal.examined` checks them, in a thread where the
        time matters; `with_examined` takes what it found."""
        return tuple([deal for deal in self.deals if deal.wrong is None and not deal.is_checked])

    def with_examined(self, examined: Deal) -> Self:
        """The game with the results of checking a deal. That deal may have advanced or ended meanwhile."""
        for deal in self.deals:
            if deal.number == examined.number and deal.checked <= examined.checked:
                return self._with(replace(deal, checked=examined.checked, wrong=examined.wrong))
        return self

    def awaits(self) -> tuple[tuple[Seat, Kind, int], ...]:
        if missing := [seat for seat, key in enumerate(self.keys) if key is None]:
            return tuple([(Seat(seat), Kind.KEY, 0) for seat in missing])
        return tuple([(seat, kind, deal.number) for deal in self.deals for seat, kind in deal.awaits()])

    def taken(
        self, data: bytes, server: SecretKey, own: Own = NOTHING_CHECKED, *, is_checked: bool = False
    ) -> tuple[Self, bytes]:
        """Server only: the game after the next entry, and the receipt for this entry. `is_checked`: the server made the
        entry, or has checked its proof before."""
        entry = Entry.parse(data, is_checked=is_checked)
        game = self._after(entry, own, is_server=True)
        head = self.transcript.next_head(data)
        receipt = self.transcript.receipt(head, server)
        return game._followed(entry, data, head, receipt), receipt

    def told(self, told: Told, own: Own = frozenset()) -> Self:
        """Client only: the game after an entry that came with the server's receipt.

        :raises ProofError: the receipt is not the server's, or the entry is malformed. Neither proves a fault of the
        server to others.
        :raises ServerFault: the server signed an entry that it had to refuse.
        """
        data, receipt = told
        entry = Entry.parse(data)
        head = self.transcript.next_head(data)
        self.transcript.check_receipt(head, receipt)
        try:
            game = self._after(entry, own)
        except ProofError as error:
            raise ServerFault(error.reason) from error
        return game._followed(entry, data, head, receipt)

    def deal(self, number: int) -> Deal:
        """:raises ProofError: no such deal is in play or coming."""
        for deal in self.deals:
            if deal.number == number:
                return deal
        raise ProofError("no such deal")

    def _followed(self, entry: Entry, data: bytes, head: bytes, receipt: bytes) -> Self:
        live = {0, *[deal.number for deal in (*self.beside, *self.deals)]}
        kept = [one for one in self.kept if one[0] in live]
        if entry.kind in _KEPT and entry.deal in live:
            kept.append((entry.deal, data))
        return replace(self, transcript=self.transcript.added(entry.author, head, receipt), kept=tuple(kept))

    def _kept(self, entry: Entry) -> Self:
        """The game after an entry of a span."""
        if entry.kind is Kind.RENEW:
            return self._renewed(entry)
        if entry.kind not in _KEPT or entry.kind is Kind.KEY:
            raise ProofError("a span has an entry that nothing follows from")
        return self._step(entry, NOTHING_CHECKED)

    def _after(self, entry: Entry, own: Own, *, is_server: bool = False) -> Self:
        self.transcript.check_order(entry)
        if self.transcript.seen >= MOST_ENTRIES:
            raise ProofError("the game has too many entries")
        return self._step(entry, own, is_server=is_server)

    def _step(self, entry: Entry, own: Own, *, is_server: bool = False) -> Self:
        match entry.kind:
            case Kind.KEY:
                return self._key(entry)
            case Kind.SHUFFLE:
                return self._shuffle(entry, own)
            case Kind.SHARES:
                return self._shares(entry, is_server=is_server)
            case Kind.SHOW:
                return self._show(entry, is_server=is_server)
            case Kind.ACT:
                return self._act(entry)
            case Kind.ACCUSE:
                return self._accuse(entry)
            case Kind.DEAL:
                return self._deal(entry)
            case Kind.MISSING:
                return self._missing(entry, is_server=is_server)
            case Kind.RENEW:
                return self._renew(entry)

    def _check(self, entry: Entry, *pairs: Pair, message: bytes = b"") -> None:
        """Check the signature with the key of the entry's author. `message`: what is signed, if already computed."""
        if not entry.is_checked:
            check(entry.proof, self._key_of(entry.author), message or entry.message(self.transcript.terms_hash), pairs)

    def _key_of(self, author: Seat) -> Point:
        if author == SERVER:
            return self.terms.server
        key = self.keys[author] if author < len(self.keys) else None
        if key is None:
            raise ProofError("an entry is by a seat that has told no key")
        return key

    def _key(self, entry: Entry) -> Self:
        if (entry.author, Kind.KEY, entry.deal) not in self.awaits():
            raise ProofError("no key is due from this seat")
        key = Point.parse(entry.body)
        if not entry.is_checked:
            check(entry.proof, key, entry.message(self.transcript.terms_hash))
        keys = tuple([key if seat == entry.author else other for seat, other in enumerate(self.keys)])
        game = replace(self, keys=keys)
        told = tuple([other for other in keys if other is not None])
        return game if len(told) < len(keys) else replace(game, coming=Deal.begun(1, self.terms, told))

    def _with(self, deal: Deal) -> Self:
        if self.playing is not None and self.playing.number == deal.number:
            return replace(self, playing=deal)
        return replace(self, coming=deal)

    def _failed(self, deal: Deal, seat: Seat, kind: Kind, *, is_ruling: bool = False) -> Self:
        """The game after removing a deal that failed through the fault of a seat: of one that shuffled wrongly, because
        a seat is right to do nothing about a wrong pack; otherwise of this one."""
        deal = deal.accused()
        blame = Blame(deal=deal.number, seat=seat, kind=kind, is_ruling=is_ruling)
        if deal.wrong is not None:
            blame = Blame(deal=deal.number, seat=deal.wrong, kind=Kind.SHUFFLE)
        game = replace(self, blames=(*self.blames, blame))
        if self.playing is None or self.playing.number != deal.number:
            return replace(game, coming=Deal.begun(deal.number + 1, self.terms, deal.keys))
        if deal.is_stock:
            return replace(game, playing=self.beside[-1], beside=self.beside[:-1])
        return replace(game, playing=None)

    def _shuffle(self, entry: Entry, own: Own) -> Self:
        context = shuffle_context(self.transcript.terms_hash, entry)
        deal = self.deal(entry.deal).shuffled(entry.author, context, entry.body)
        self._check(entry)
        return self._with(deal if own is NOTHING_CHECKED else deal.examined(own))

    def check_shares(self, entry: Entry) -> None:
        """Check that the next entry has the shares that are due. Its proof is not checked."""
        self.transcript.check_order(entry)
        self.deal(entry.deal).shares_due(entry.author, entry.body)

    def _shares(self, entry: Entry, *, is_server: bool = False) -> Self:
        deal = self.deal(entry.deal)
        places = deal.shares_due(entry.author, entry.body)
        if deal.is_read:
            self._check(entry)
            return self._with(deal.shared_privately(entry.author, entry.body))
        shares = parse_points(entry.body)
        if not entry.is_checked:
            message = entry.message(self.transcript.terms_hash)
            self._check(entry, weighed(deal.bases(places), shares, message), message=message)
        return self._opened(deal.shared(entry.author, shares), is_server=is_server)

    def _show(self, entry: Entry, *, is_server: bool = False) -> Self:
        deal = self.deal(entry.deal)
        pair, place, share = deal.show_due(entry.author, entry.body)
        self._check(entry, pair)
        return self._opened(deal.opened(place, share=(share,)), is_server=is_server)

    def _opened(self, deal: Deal, *, is_server: bool) -> Self:
        """The game with a deal in which places were opened.

        Each opened place is a card, unless a seat shuffled wrongly and no seat checked it. (If all shuffles held, the
        proofs would be unsound.) A server refuses an entry that opens a place which is no card: every seat that gave
        shares knew that the pack is wrong.
        """
        if not deal.is_unreadable:
            return self._with(deal)
        if is_server:
            raise ProofError("what lies at a place is no card of the pack")
        deal = deal.accused()
        assert deal.wrong is not None
        return self._failed(deal, deal.wrong, Kind.SHUFFLE)

    def _act(self, entry: Entry) -> Self:
        if len(entry.body) > MOST_ACT_BYTES:
            raise ProofError("an act is too long")
        if entry.deal and (self.playing is None or entry.deal != self.playing.number):
            raise ProofError("an act is for a deal that is not in play")
        self._check(entry)
        return self

    def check_accusation(self, entry: Entry) -> Deal:
        """The deal that the next entry accuses. Its shuffles are not checked."""
        self.transcript.check_order(entry)
        deal = self.deal(entry.deal)
        if (
            entry.body
            or entry.author >= len(self.keys)
            or not deal.shuffles
            or entry.author in {*deal.shares, *deal.private}
        ):
            raise ProofError("no shuffle can be accused by this seat")
        self._check(entry)
        return deal

    def _accuse(self, entry: Entry) -> Self:
        return self._failed(self.check_accusation(entry), entry.author, Kind.ACCUSE)

    def _deal(self, entry: Entry) -> Self:
        if entry.author != SERVER or self.coming is None or entry.deal != self.coming.number:
            raise ProofError("nothing is to be dealt")
        body, size = entry.body, len(self.coming.cards)
        owners = tuple([None if owner == TABLES_PLACE else Seat(owner) for owner in body[:size]])
        reader = Point.parse(body[size:]) if len(body) > size else None
        if reader is None and (self.coming.is_stock or READ in owners):
            reader = self.terms.server  # in a journal of an earlier version
        deal = self.coming.dealt(owners, reader)
        if deal.is_stock and self.playing is None:
            raise ProofError("nothing is to be dealt")
        self._check(entry)
        beside = (*self.beside, self.playing) if deal.is_stock and self.playing is not None else ()
        return replace(self, beside=beside, playing=deal, coming=Deal.begun(deal.number + 1, self.terms, deal.keys))

    def _renew(self, entry: Entry) -> Self:
        if self.coming is None or entry.deal != self.coming.number + 1:
            raise ProofError("no stock is to be renewed")
        return self._renewed(entry)

    def _renewed(self, entry: Entry) -> Self:
        playing, size = self.playing, entry.body[:1][0] if entry.body else 0
        takers = tuple(map(Seat, entry.body[1 : 1 + size]))
        names = frozenset(entry.body[1 + size :].decode("ascii", "replace").split(" "))
        cards = tuple([card for card in self.terms.cards if card in names])
        is_whole = renewed_body(takers, cards) == entry.body and tuple(sorted(set(takers))) == takers
        is_due = entry.author == SERVER and playing is not None and playing.is_read
        if playing is None or not is_due or not is_whole or not takers or not cards:
            raise ProofError("no stock is to be renewed")
        if takers[-1] >= len(playing.keys):
            raise ProofError("a stock is shuffled by seats that do not exist")
        self._check(entry)
        return replace(self, coming=Deal.begun(entry.deal, self.terms, playing.keys, (takers, cards)))

    def _missing(self, entry: Entry, *, is_server: bool) -> Self:
        if entry.author != SERVER or not entry.body:
            raise ProofError("only the server says what is missing")
        seat = Seat(entry.body[0])
        if len(entry.body) > 1:
            return self._wrongly_given(entry, seat, is_server=is_server)
        due = [kind for one, kind, deal in self.awaits() if one == seat and deal == entry.deal]
        if not due:
            raise ProofError("nothing is due from this seat")
        self._check(entry)
        if due[0] is Kind.KEY:
            return replace(self, blames=(*self.blames, Blame(deal=0, seat=seat, kind=Kind.KEY, is_ruling=True)))
        return self._failed(self.deal(entry.deal), seat, due[0], is_ruling=True)

    def _wrongly_given(self, entry: Entry, seat: Seat, *, is_server: bool) -> Self:
        """`is_server`: the server has already found, outside its event loop, that the shares do not hold."""
        deal, told = self.deal(entry.deal), entry.body[1:]
        if not deal.is_shared or seat not in deal.private or deal.reader is None:
            raise ProofError("nothing was given by this seat")
        self._check(entry)
        shared = Point.parse(told[:POINT_BYTES])
        check(told[POINT_BYTES:], deal.reader, deal.context(seat), ((deal.keys[seat], shared),))
        if not is_server and deal.accused().wrong is None and not deal.wrongly_given(seat, shared):
            raise ProofError("shares hold of which the server says that they do not")
        return self._failed(deal, seat, Kind.SHARES)


def renewed_body(takers: tuple[Seat, ...], cards: tuple[Card, ...]) -> bytes:
    """The bytes of an entry that renews a stock: who takes part, and its cards in the order of the pack."""
    return bytes([len(takers), *takers]) + " ".join(cards).encode()


def _rows(row: struct.Struct, data: bytes) -> list[tuple[Any, ...]]:
    if len(data) % row.size:
        raise ProofError("a span is malformed")
    return list(row.iter_unpack(data))

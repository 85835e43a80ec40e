"""One deal: shuffled by each holder of keys in turn, dealt, shared, shown.

    shuffles of all holders  ->  the server deals: who owns each place  ->  every seat gives its shares of all places
    that it does not own  ->  the owner of a place shows it by its own share, or never does

No party knows any card before the shares are given. From then on a hand can be played to its end even if a player
leaves; only the cards that this player did not show are missing. A hand that is thrown in is not shown: only its player
has the last share.

A place that belongs to the table (an upturned card) has no owner: all seats give their shares of it.

Checking the proofs of shuffles is most of the work of a deal. Clients check every shuffle before they give a share. A
server without keys checks only when a seat accuses. So `wrong` is what this machine found, and `blame` what the
transcript says. `wrong` becomes `blame` by an accusation, a missing part, or an opened place that is no card of the
pack. All else is equal on server and clients.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.blind.group import POINT_BYTES, Point, digest
from put_protocol.blind.keys import SecretKey, joint_key
from put_protocol.blind.same_secret import Pair
from put_protocol.blind.shares import SHARE_BYTES, checked_share, masked, opened, share_in, unseen_key
from put_protocol.blind.shuffle import PLACE_BYTES, Pack, first_pack
from put_protocol.blind.shuffle_proof import Statement, check, proof_bytes
from put_protocol.blind.transcript import Kind, Terms
from put_protocol.cards import Card
from put_protocol.errors import ProofError
from put_protocol.seats import Seat

READ: Final = Seat(254)
"""The owner of a place that is not dealt yet, in a deal that the server reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blame:
    """The seat that is at fault when a deal ends before it is shared."""

    deal: int
    """Number of the deal; 0: a key was missing, so the game never had a deal."""
    seat: Seat
    kind: Kind
    """The step that the seat omitted, or did wrongly."""
    is_ruling: bool = False
    """The server decided this, and nothing proves it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle:
    """A shuffle as it was received."""

    seat: Seat
    statement: Statement
    proof: bytes = field(repr=False)


@lru_cache(maxsize=64)
def holds(statement: Statement, proof: bytes) -> bool:
    """True if a shuffle is proved. Cached, because an accusation checks all shuffles of a deal again."""
    try:
        check(statement, proof)
    except ProofError:
        return False
    return True


class Deal(Struct, frozen=True, kw_only=True):
    """One deal. Immutable: each step returns the deal after it, or raises and changes nothing."""

    number: int
    cards: tuple[Card, ...]
    """Cards of the pack: those of the terms, or for a renewed stock those that came back."""
    is_stock: bool
    """The deal renews the stock of the hand in play; the deals before it stay in use."""
    keys: tuple[Point, ...]
    joint: Point
    takers: tuple[Seat, ...]
    """The seats that take part: all, except those that left before the stock was renewed."""
    shufflers: tuple[Seat, ...]
    """The first seat of each holder among `takers`, in order of the seats."""
    terms_hash: bytes
    first: Pack
    shuffles: tuple[Shuffle, ...] = ()
    checked: int = 0
    """Number of shuffles that this machine has checked."""
    wrong: Seat | None = None
    """The seat whose shuffle this machine found wrong."""
    owners: tuple[Seat | None, ...] = ()
    """The owner of each dealt place. None: it belongs to the table."""
    reader: Point | None = None
    """The key for which private shares are masked, new for each deal that is read."""
    private: Mapping[Seat, bytes] = {}
    """Each seat's shares of all places of a read deal, masked for the server."""
    shares: Mapping[Seat, Mapping[int, Point]] = {}
    """The shares that each seat gave, by place (the places of `others`)."""
    shown: Mapping[int, Card] = {}
    """Cards that everybody knows, by place."""
    is_unreadable: bool = False
    """An opened place is no card of the pack, so a shuffle is wrong."""

    @classmethod
    def begun(
        cls,
        number: int,
        terms: Terms,
        keys: tuple[Point, ...],
        stock: tuple[tuple[Seat, ...], tuple[Card, ...]] | None = None,
    ) -> Self:
        """`stock`: the seats that take part in a renewed stock, and its cards; None: the deal begins a hand."""
        takers, cards = stock or (tuple([Seat(seat) for seat in range(len(keys))]), terms.cards)
        holders, joint = [terms.holders[seat] for seat in takers], joint_key([keys[seat] for seat in takers])
        shufflers = tuple([seat for at, seat in enumerate(takers) if holders.index(holders[at]) == at])
        return cls(
            number=number,
            cards=cards,
            is_stock=stock is not None,
            keys=keys,
            joint=joint,
            takers=takers,
            shufflers=shufflers,
            terms_hash=terms.hash,
            first=first_pack(cards, joint),
        )

    @property
    def pack(self) -> Pack:
        return self.shuffles[-1].statement.after if self.shuffles else self.first

    @property
    def is_shuffled(self) -> bool:
        return len(self.shuffles) == len(self.shufflers)

    @property
    def is_shared(self) -> bool:
        """True if every owner can read their hand."""
        return bool(self.owners) and len(self.shares) + len(self.private) == len(self.takers)

    @property
    def is_read(self) -> bool:
        """True if the server reads the pack, from the shares of all places that every seat gives it."""
        return bool(self.owners) and (self.is_stock or READ in self.owners)

    @property
    def is_checked(self) -> bool:
        """This machine has checked all shuffles so far."""
        return self.checked == len(self.shuffles)

    def awaits(self) -> tuple[tuple[Seat, Kind], ...]:
        """Steps that seats must take before the hand is played; none if the server has to deal."""
        if not self.is_shuffled:
            return ((self.shufflers[len(self.shuffles)], Kind.SHUFFLE),)
        if not self.owners:
            return ()
        return tuple(
            [(seat, Kind.SHARES) for seat in self.takers if seat not in self.shares and seat not in self.private]
        )

    def others(self, seat: Seat) -> tuple[int, ...]:
        """Places that a seat gives its shares of."""
        return tuple([place for place, owner in enumerate(self.owners) if owner != seat])

    def hand(self, seat: Seat | None) -> tuple[int, ...]:
        """Places that a seat owns; None: the table."""
        return tuple([place for place, owner in enumerate(self.owners) if owner == seat])

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of places that each seat owns."""
        return tuple([self.owners.count(Seat(seat)) for seat in range(len(self.keys))])

    def bases(self, places: Sequence[int]) -> tuple[Point, ...]:
        """The half a of places."""
        pack = self.pack
        return tuple([pack.a(place) for place in places])

    def shuffled(self, seat: Seat, context: bytes, body: bytes) -> Self:
        """The deal with another shuffle, which is not checked yet (`examined`)."""
        if (seat, Kind.SHUFFLE) not in self.awaits():
            raise ProofError("no shuffle is due from this seat")
        length = len(self.cards) * PLACE_BYTES
        if len(body) != length + proof_bytes(len(self.cards)):
            raise ProofError("a shuffle has the wrong length")
        statement = Statement(context=context, joint=self.joint, before=self.pack, after=Pack(body[:length]))
        return replace(self, shuffles=(*self.shuffles, Shuffle(seat=seat, statement=statement, proof=body[length:])))

    def examined(self, own: Container[Seat] = ()) -> Self:
        """The deal with its shuffles checked, up to the first wrong one. Shuffles of our own seats are not checked."""
        deal = self
        while deal.wrong is None and deal.checked < len(deal.shuffles):
            one = deal.shuffles[deal.checked]
            if one.seat in own or holds(one.statement, one.proof):
                deal = replace(deal, checked=deal.checked + 1)
            else:
                deal = replace(deal, wrong=one.seat)
        return deal

    def accused(self) -> Self:
        """The deal with every shuffle checked once more, our own too."""
        return replace(self, checked=0, wrong=None).examined()

    def dealt(self, owners: tuple[Seat | None, ...], reader: Point | None) -> Self:
        """The deal with its places dealt, from the first on."""
        if not self.is_shuffled or self.owners:
            raise ProofError("nothing is to be dealt")
        seats = [one for one in owners if one is not None and one != READ]
        if not 0 < len(owners) <= len(self.cards) or any(one >= len(self.keys) for one in seats):
            raise ProofError("places are dealt to seats that do not exist, or too many")
        is_read = self.is_stock or READ in owners
        if is_read and (len(owners) < len(self.cards) or None in owners):
            raise ProofError("a part of a pack is read")
        if is_read != (reader is not None):
            raise ProofError("a deal has a key to read it, or none, and should not")
        return replace(self, owners=owners, reader=reader)

    def goes_on(self, before: Self) -> bool:
        """True if this may be a later state of the deal: nothing is undone that was done in the earlier one."""
        return (
            self.shuffles[: len(before.shuffles)] == before.shuffles
            and before.owners in ((), self.owners)
            and before.private.items() <= self.private.items()
            and before.shares.items() <= self.shares.items()
            and before.shown.items() <= self.shown.items()
        )

    def context(self, seat: Seat) -> bytes:
        """The hash that binds the mask of a seat's private shares to the deal."""
        number = self.number.to_bytes(4, "big") + bytes([seat])
        return digest("private context", self.terms_hash, number, self.pack.data)

    def shared_secret(self, key: SecretKey) -> Point:
        """The secret of a party and the server in a read deal, by the party's key."""
        assert self.reader is not None
        return self.reader * key.secret

    def unseen_key(self, seat: Seat, shared: Point) -> bytes:
        """The key for a seat's acts that other players may not read. `shared`: the secret of party and server."""
        return unseen_key(shared, self.context(seat))

    def wrongly_given(self, seat: Seat, shared: Point) -> bool:
        """True if the private shares of a seat do not hold. `shared`: the secret that masks them."""
        shares = masked(self.private[seat], shared, self.context(seat))
        try:
            for place, base in enumerate(self.bases(range(len(self.cards)))):
                checked_share(share_in(shares, place), self.keys[seat], base)
        except ProofError:
            return True
        return False

    def opened_by(self, place: int, shares: bytes) -> Card | None:
        """The card of a place, from the proved shares of all seats that took part. None: it is no card."""
        if len(shares) != len(self.takers) * SHARE_BYTES or not 0 <= place < len(self.cards):
            raise ProofError("an opening is malformed")
        base = self.bases((place,))[0]
        for number, seat in enumerate(self.takers):
            checked_share(share_in(shares, number), self.keys[seat], base)
        return self.card_by(place, shares)

    def card_by(self, place: int, shares: bytes) -> Card | None:
        """The card of a place, from shares whose proofs hold."""
        points = [Point.parse(share_in(shares, number)[:POINT_BYTES]) for number in range(len(self.takers))]
        return self._opened(place, points)

    def shares_due(self, seat: Seat, body: bytes) -> tuple[int, ...]:
        """The places of these shares. The shares themselves are not checked."""
        if (seat, Kind.SHARES) not in self.awaits():
            raise ProofError("no shares are due from this seat")
        places = tuple(range(len(self.cards))) if self.is_read else self.others(seat)
        if len(body) != len(places) * (SHARE_BYTES if self.is_read else POINT_BYTES):
            raise ProofError("shares have the wrong length")
        return places

    def shared_privately(self, seat: Seat, body: bytes) -> Self:
        """The deal with the shares that a seat gave the server alone, which no other party can check."""
        return replace(self, private={**self.private, seat: body})

    def shared(self, seat: Seat, shares: tuple[Point, ...]) -> Self:
        """The deal with a seat's shares. The caller has checked their proof."""
        deal = replace(self, shares={**self.shares, seat: dict(zip(self.others(seat), shares, strict=True))})
        return deal.opened(*deal.hand(None)) if deal.is_shared else deal

    def show_due(self, seat: Seat, body: bytes) -> tuple[Pair, int, Point]:
        """The pair that the proof of a shown card must prove, the card's place, and the owner's share of it."""
        if len(body) != 1 + POINT_BYTES:
            raise ProofError("a shown card has the wrong length")
        place = body[0]
        if not self.is_shared or self.is_read or place not in self.hand(seat) or place in self.shown:
            raise ProofError("a place is not this seat's to show, or not now")
        share = Point.parse(body[1:])
        return (self.bases((place,))[0], share), place, share

    def opened(self, *places: int, share: tuple[Point, ...] = ()) -> Self:
        """The deal with these places opened to all; `share`: the owner's."""
        shown = {place: card for place in places if (card := self.card(place, share)) is not None}
        return replace(self, shown={**self.shown, **shown}, is_unreadable=len(shown) < len(places))

    def card(self, place: int, owners_share: tuple[Point, ...]) -> Card | None:
        """The card of a place, from all given shares and the owner's. None: it is no card of the pack."""
        owner = self.owners[place]
        given = [shares[place] for seat, shares in self.shares.items() if seat != owner]
        return self._opened(place, [*given, *owners_share])

    def _opened(self, place: int, shares: Sequence[Point]) -> Card | None:
        try:
            minus_b = self.pack.minus_b(place)
        except ProofError:
            return None
        return opened(minus_b, shares, self.cards)

"""The messages of a sealed deal: events that everyone at the table gets, and proofs for those who ask for them.

Every seal is followed by `cut` or by `void`. Openings come before the events that show their cards. Bytes travel as
`bin` in msgpack and as base64 in JSON.
"""

from typing import Annotated

from msgspec import Meta, Struct

from put_protocol.blind_events import BlindBegun, BlindEntry, BlindOpened
from put_protocol.cards import WireCard
from put_protocol.seats import Seat
from put_protocol.shown import WireEvent

HASH_BYTES = 32

MOST_CARDS = 256
"""A pack has at most so many cards: each step of a shuffle then takes a single byte."""

Hash = Annotated[bytes, Meta(min_length=HASH_BYTES, max_length=HASH_BYTES)]
DealNumber = Annotated[int, Meta(ge=1, le=2**53 - 1)]
PackNumber = Annotated[int, Meta(ge=0, le=1)]
Position = Annotated[int, Meta(ge=0, lt=MOST_CARDS)]
SeatNumber = Annotated[Seat, Meta(ge=0, le=9)]
Percent = Annotated[int, Meta(ge=0, le=100)]


class Sealed(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="sealed"):
    """Two packs are shuffled and sealed; one of them will be dealt. Whoever takes part in the cutting cuts now."""

    deal: DealNumber
    """Deals of a table are counted from 1 without gaps, voided ones too."""
    roots: tuple[Hash, Hash]
    """What commits the server to the two packs."""
    to: tuple[SeatNumber, ...]
    """The seats that get the first cards, one after another. Cards after these are dealt in the order events tell of
    them."""
    cuts: tuple[Hash | None, ...]
    """Listed by seat: what its cut must hash to, which is its last cut or the end of its chain. None: it takes no
    part."""
    cards: tuple[WireCard, ...] = ()
    """What each pack consists of, in the order its shuffle begins with; empty: the 52, suit by suit. These are no cards
    that anybody is shown."""
    late: bool = False
    """Cards that others play are proved when the hand is over: where each lay would tell more than the card does."""
    misdeals: Percent = 0
    """The chance of an accident in this deal, in hundredths. Above 0, each pack has one more leaf, which decides it."""
    adversaries: tuple[SeatNumber, ...] = ()
    """With `misdeals`: whom an accident against the dealer may befall, in the order they are dealt to."""
    stock: bool = False
    """It is no new hand: these are the cards that came back in the one in play, to be drawn from. The hand's other
    deals stay in play beside it."""


class CutMade(WireEvent, frozen=True, tag_field="event", tag="cut_made"):
    """One of those who take part has cut; others have yet to. The last cut comes with `cut`, which repeats them all."""

    deal: DealNumber
    seat: SeatNumber
    """The player whose cut it is. They cannot be said any more not to have cut."""
    link: Hash
    """The cut."""


class CutsShown(WireEvent, frozen=True, tag_field="event", tag="cut"):
    """Everyone who takes part has cut; which pack is dealt, and in what order, follows from it."""

    deal: DealNumber
    links: tuple[Hash | None, ...]
    """Listed by seat; None: it takes no part."""


class DealVoided(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="void"):
    """Nothing of this deal counts, because of somebody whom it names. Both its packs are turned up, so that calling a
    deal off hides nothing about it; what was cut for it is spent."""

    deal: DealNumber
    seats: tuple[SeatNumber, ...] = ()
    """Each player who did not cut in time, or promised another `end` in place of cutting. They are left out of the
    cutting until they promise an end to cut from again."""
    left: tuple[SeatNumber, ...] = ()
    """Each player who left the game while it was being cut. No more cards of this game go to them."""
    seeds: tuple[Hash, Hash] | None = None
    """What both packs follow from. None: told by a server older than this rule."""


class Opening(Struct, frozen=True):
    """The proof of one card of the pack that is played."""

    position: Position
    """The place where it lay in the sealed pack, from 0."""
    card: WireCard
    salt: Hash
    """The noise in its envelope."""
    path: Annotated[tuple[Hash, ...], Meta(max_length=9)]
    """From the leaf up: its neighbours in the tree of hashes."""


class AccidentOpening(Struct, frozen=True):
    """The leaf of the pack that is played which decides whether the deal has an accident, and which. It lies behind the
    last card."""

    salt: Hash
    """The number that decides follows from it, and from the cuts."""
    path: Annotated[tuple[Hash, ...], Meta(max_length=9)]
    """As that of a card."""


class PackOpening(Struct, frozen=True):
    """A whole pack turned up. Its order and salts follow from the seed."""

    pack: PackNumber
    """The number of the pack, of the two."""
    seed: Hash
    """Its order and salts follow from it."""


class Openings(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="openings"):
    """Proofs for you, ahead of the events that show what they prove: also ahead of the `cut` with which alone they can
    be checked, where that comes in the same message as the cards. Keep them until then. After a drop those of the deal
    in play are sent again."""

    table: int
    deal: DealNumber
    openings: tuple[Opening, ...] = ()
    """Of the pack that is played."""
    turned: PackOpening | None = None
    """The pack that is not played; due before its fellow's first card."""
    played: PackOpening | None = None
    """The pack that was played, when the game is over, at tables that open their packs then."""
    accident: AccidentOpening | None = None
    """With `turned`, where the seal says `misdeals`: whether the deal has an accident, and which, follows from it."""


SealEvent = Sealed | CutMade | CutsShown | DealVoided | BlindBegun | BlindEntry | BlindOpened
"""The events of a deal beside its game, however it is dealt."""

"""The messages of a blind deal: events for everyone at the table, and the state from which a client can continue.

Bytes travel as `bin` in msgpack and as base64 in JSON. docs/blind-deal.md says what is in them.
"""

from typing import Annotated

from msgspec import Meta, Struct

from put_protocol.seats import Seat
from put_protocol.shown import SeatEvent, WireEvent

MOST_TERMS_BYTES = 512
"""The terms of a game with ten seats and 78 cards take 300."""
ENTRY_BYTES = 16 * 1024
"""The longest entry: a shuffle of 78 cards has 15.6 kB."""
SPAN_PART_BYTES = 24 * 1024
"""The longest part of a span: as base64 it fits into half a line."""
MOST_SPAN_PARTS = 128
"""The most parts of a span: six seats, 78 cards and all heads of the longest game need fewer."""

MOST_CARDS_SHOWN = 78
MOST_OPENING_BYTES = 10 * 97
"""The shares of a place by all seats."""

SEATS_AT, HOLDERS_AT = 12, 47
"""Offsets in the bytes of the terms: the number of seats, and the holder of each seat's key."""
SERVER_HOLDS = 255
"""The holder number of the server, which holds one party's keys for several seats."""

EntryBytes = Annotated[bytes, Meta(max_length=ENTRY_BYTES)]


class BlindBegun(WireEvent, frozen=True, omit_defaults=True, tag="blind_begun"):
    """A game that is dealt blind begins, or continues with other holders of keys. Every seat sends its key now."""

    terms: Annotated[bytes, Meta(max_length=MOST_TERMS_BYTES)]
    """Terms that everything in its transcript is bound to."""
    is_read: bool = False
    """The rules must see hands: all seats shuffle the pack, and the server reads it."""

    def held_seats(self) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
        """The seats whose clients hold their keys, and those whose keys the server holds."""
        holders = self.terms[HOLDERS_AT : HOLDERS_AT + self.terms[SEATS_AT]] if len(self.terms) > SEATS_AT else b""
        seats = [Seat(seat) for seat in range(len(holders))]
        own = tuple([seat for seat in seats if holders[seat] != SERVER_HOLDS])
        return own, tuple([seat for seat in seats if seat not in own])


class BlindEntry(WireEvent, frozen=True, tag="blind_entry"):
    """The next entry of the transcript. Its effects on the game follow it."""

    entry: EntryBytes
    """Signed by its author."""
    receipt: Annotated[bytes, Meta(min_length=64, max_length=64)]
    """The server's signature that this entry comes next."""


class OpenedPlace(Struct, frozen=True, gc=False):
    """A place of a deal that the server reads, opened to this viewer."""

    deal: int
    """Number of the deal in the transcript."""
    place: Annotated[int, Meta(ge=0, le=255)]
    """The place's number, from 0."""
    shares: Annotated[bytes, Meta(max_length=MOST_OPENING_BYTES)]
    """The share of this place by each seat that took part in the deal, with its proof."""


class BlindOpened(WireEvent, frozen=True, tag="blind_opened"):
    """Proofs of the cards that the next events show, where the rules must see hands and the server reads the pack."""

    places: Annotated[tuple[OpenedPlace, ...], Meta(max_length=MOST_CARDS_SHOWN)]
    """The places of those cards."""


class PartMissed(SeatEvent, frozen=True, omit_defaults=True, tag="part_missed"):
    """A player did not do their part of a deal in time, or did it wrongly, as the previous entry says. The deal is
    repeated without it, and the player loses the hand. A time-out follows at each of their turns."""

    missed: int
    """Parts that the player has missed in this game, including this one."""
    is_dismissed: bool = False
    """This was the second in a row, so the player loses their seat."""


BlindEvent = BlindBegun | BlindEntry | BlindOpened | PartMissed


class BlindSpan(Struct, frozen=True, tag_field="type", tag="blind_span"):
    """A part of the state of a blind game, for a viewer who has not received all of it. It comes before the `table`, or
    the answer to `refresh`, that needs it. It contains no secret."""

    table: int
    part: Annotated[int, Meta(ge=1, le=MOST_SPAN_PARTS)]
    """Number of this part, from 1."""
    parts: Annotated[int, Meta(ge=1, le=MOST_SPAN_PARTS)]
    """Number of parts. Join the `data` of all of them in order."""
    data: Annotated[bytes, Meta(max_length=SPAN_PART_BYTES)]
    """The bytes of this part."""

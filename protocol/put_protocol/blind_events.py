"""The messages of a blind deal: events that everyone at the table gets, and the state to go on from.

Bytes travel as `bin` in msgpack and as base64 in JSON. docs/blind-deal.md says what is in them.
"""

from typing import Annotated

from msgspec import Meta, Struct

from put_protocol.seats import Seat
from put_protocol.shown import WireEvent

MOST_TERMS_BYTES = 512
"""The terms of a game with ten seats and 78 cards take 300."""
ENTRY_BYTES = 16 * 1024
"""An entry has at most so many bytes: a shuffle of 78 cards has 15.6 kB."""
SPAN_PART_BYTES = 24 * 1024
"""A part of a span has at most so many bytes: as base64 it fits into half a line."""
MOST_SPAN_PARTS = 128
"""A span of six seats and 78 cards, with all heads of the longest game, has fewer."""

MOST_OPENED = 78
"""Cards that one event shows, at most."""
MOST_OPENING_BYTES = 10 * 97
"""The shares of a place by all seats."""

SEATS_AT, HOLDERS_AT = 12, 47
"""Bytes of the terms that hold the number of seats, and the holder of each seat's key."""
SERVER_HOLDS = 255

EntryBytes = Annotated[bytes, Meta(max_length=ENTRY_BYTES)]


class BlindBegun(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="blind_begun"):
    """A game that is dealt blind begins, or goes on with other holders of keys; every seat tells its key now."""

    terms: Annotated[bytes, Meta(max_length=MOST_TERMS_BYTES)]
    """Terms that everything in its transcript is bound to."""
    is_read: bool = False
    """The rules have to see hands: all shuffle the pack, and the server reads it."""

    def held_seats(self) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
        """The seats whose clients hold their keys, and those whose keys the server holds."""
        holders = self.terms[HOLDERS_AT : HOLDERS_AT + self.terms[SEATS_AT]] if len(self.terms) > SEATS_AT else b""
        seats = [Seat(seat) for seat in range(len(holders))]
        own = tuple([seat for seat in seats if holders[seat] != SERVER_HOLDS])
        return own, tuple([seat for seat in seats if seat not in own])


class BlindEntry(WireEvent, frozen=True, tag_field="event", tag="blind_entry"):
    """The next entry of the transcript. What it makes happen in the game follows it."""

    entry: EntryBytes
    """Signed by its author."""
    receipt: Annotated[bytes, Meta(min_length=64, max_length=64)]
    """The server's signature that this entry comes next."""


class OpenedPlace(Struct, frozen=True, gc=False):
    """A place of a deal that the server reads, open to who is told of it."""

    deal: int
    """Its number in the transcript."""
    place: Annotated[int, Meta(ge=0, le=255)]
    """The place's number, from 0."""
    shares: Annotated[bytes, Meta(max_length=MOST_OPENING_BYTES)]
    """The share of it by each who took part in the deal, with its proof."""


class BlindOpened(WireEvent, frozen=True, tag_field="event", tag="blind_opened"):
    """The cards that the next events show, proved. Where the rules have to see hands, the server reads the pack."""

    places: Annotated[tuple[OpenedPlace, ...], Meta(max_length=MOST_OPENED)]
    """The places where they lie."""


class PartMissed(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="part_missed"):
    """A player did not do their part of a deal in time, or did it wrongly, as the entry before says: it is made anew,
    and they lose its hand. A time-out is told at each of their turns."""

    seat: Seat
    missed: int
    """Parts missed in this game, this one among them."""
    is_dismissed: bool = False
    """It was twice running: they lose their seat."""


BlindEvent = BlindBegun | BlindEntry | BlindOpened | PartMissed
"""The events of a blind deal beside its game."""


class BlindSpan(Struct, frozen=True, tag_field="type", tag="blind_span"):
    """A part of the state of a blind game, for a viewer who was not told all of it. It comes ahead of the `table`, or
    of the answer to `refresh`, to which it belongs. No secret is in it."""

    table: int
    part: Annotated[int, Meta(ge=1, le=MOST_SPAN_PARTS)]
    """Its number, from 1."""
    parts: Annotated[int, Meta(ge=1, le=MOST_SPAN_PARTS)]
    """Their number: join the `data` of all, in order."""
    data: Annotated[bytes, Meta(max_length=SPAN_PART_BYTES)]
    """The bytes of this part."""

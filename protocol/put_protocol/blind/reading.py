"""The server's reading of a deal, from the private shares of all parties (`shares.private_shares`)."""

from dataclasses import dataclass, field
from functools import cached_property

from put_protocol.blind.deal import Deal
from put_protocol.blind.group import Point
from put_protocol.blind.keys import SecretKey
from put_protocol.blind.shares import masked, share_in
from put_protocol.cards import Card
from put_protocol.seats import Seat


@dataclass(frozen=True)
class Reading:
    """A read deal, after all parties gave shares. Checking takes 5.5 ms a party, reading 5 ms; both are cached."""

    deal: Deal = field(repr=False)
    key: SecretKey = field(repr=False)
    """The key whose point is the deal's `reader`. It is needed to read the deal."""

    @cached_property
    def shares(self) -> tuple[bytes, ...]:
        deal = self.deal
        return tuple([masked(deal.private[seat], self.shared(seat), deal.context(seat)) for seat in deal.takers])

    def shared(self, seat: Seat) -> Point:
        """The secret of a seat's party and the server."""
        return self.deal.keys[seat] * self.key.secret

    def proof(self, seat: Seat) -> bytes:
        """Proof that `shared` is right."""
        return self.key.sign(self.deal.context(seat), ((self.deal.keys[seat], self.shared(seat)),))

    @cached_property
    def wrong(self) -> Seat | None:
        """A seat whose shares do not hold. If all hold but the pack has an invalid card, any seat; None: no fault."""
        deal = self.deal
        wrong = next((seat for seat in deal.takers if deal.wrongly_given(seat, self.shared(seat))), None)
        return deal.takers[0] if wrong is None and None in self.read else wrong

    @cached_property
    def read(self) -> tuple[Card | None, ...]:
        """The card of each place. None: it is no card of the pack."""
        return tuple([self.deal.card_by(place, self.opening(place)) for place in range(len(self.deal.cards))])

    def opening(self, place: int) -> bytes:
        """The shares of a place by all, with their proofs."""
        return b"".join([share_in(shares, place) for shares in self.shares])

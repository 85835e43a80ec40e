"""A sealed deal, from the secret that comes in until its pack is dealt: everyone who takes part cuts it in between."""

from dataclasses import replace

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.refusals import RefusalCode
from put_protocol.seal.chain import after
from put_protocol.seal.packs import Sealing, seal
from put_protocol.seal.told import FULL_PACK, CutsShown, DealVoided, Sealed
from put_protocol.seats import Seat
from put_server.games.opening import Opener, unsealed
from put_server.games.record import Pack, Seal
from put_server.table.clock import Timer
from put_server.table.refusal import Refusal

CUT_MS = 15_000
"""For everyone who takes part and is here to cut. A client does it by itself, so this is a network's patience."""

CALLED_OFF_MS = 1_000
"""What a seal that is called off, for a line that dropped or a chain that is promised anew, takes at least of the time
of whoever was to cut it: he has so many of them a deal as a bad line needs, and no more."""


class SealKept(Struct, frozen=True):
    """A deal that is being cut, at rest."""

    secret: bytes
    sealed: Sealed
    timer: Timer
    links: dict[Seat, bytes]


class SealedDeal:
    """One deal, sealed and being cut."""

    __slots__ = ("_made", "_secret", "links", "sealed", "timer")

    def __init__(self, kept: SealKept, table: int, made: Sealing | None = None) -> None:
        self._secret = kept.secret
        self._made = made or seal(kept.secret, table, kept.sealed.deal, kept.sealed.cards or FULL_PACK)
        self.sealed = kept.sealed
        self.timer = kept.timer
        self.links = dict(kept.links)

    @classmethod
    def begun(
        cls,
        secret: bytes,
        *,
        table: int,
        deal: int,
        cards: tuple[Card, ...],
        to: tuple[Seat, ...],
        ends: tuple[bytes | None, ...],
        is_late: bool,
        now: int,
    ) -> "SealedDeal":
        """`ends`: by seat, what each cut must hash to; None: it takes no part."""
        ordered = tuple([card for card in FULL_PACK if card in cards])
        made = seal(secret, table, deal, ordered)
        told = () if ordered == FULL_PACK else ordered
        sealed = Sealed(deal, made.roots, to, ends, told, late=is_late)
        return cls(SealKept(secret, sealed, Timer(CUT_MS, now), {}), table, made)

    def kept(self) -> SealKept:
        return SealKept(self._secret, self.sealed, replace(self.timer), dict(self.links))

    @property
    def missing(self) -> tuple[Seat, ...]:
        """Who has yet to cut."""
        return tuple(
            [
                Seat(seat)
                for seat, end in enumerate(self.sealed.cuts)
                if end is not None and Seat(seat) not in self.links
            ]
        )

    def waited(self, now: int) -> int:
        """For how long it has been waiting to be cut."""
        left = self.timer.remaining(now)
        assert left is not None
        return CUT_MS - left

    def cut(self, seat: Seat, deal: int, link: bytes) -> None:
        """:raises Refusal: it is not this seat's to cut, or this is not what was promised."""
        if deal != self.sealed.deal:
            raise Refusal(RefusalCode.TOO_LATE, f"deal {deal} is not the one that is cut", field="deal")
        if seat not in self.missing:
            raise Refusal(RefusalCode.BAD_CUT, "no cut of yours is awaited", field="deal")
        if after(link) != self.sealed.cuts[seat]:
            raise Refusal(RefusalCode.BAD_CUT, "this link does not hash to what you promised", field="link")
        self.links[seat] = link

    def dealt(self, table: int) -> tuple[Pack, Opener]:
        """What the cuts decide: the pack, and the proofs of its cards."""
        links = tuple([self.links.get(Seat(seat)) for seat in range(len(self.sealed.cuts))])
        return unsealed(table, Seal(self._secret, self.sealed, CutsShown(self.sealed.deal, links)), self._made)

    def voided(self, seats: tuple[Seat, ...] = ()) -> DealVoided:
        """`seats`: who did not cut in time."""
        return DealVoided(self.sealed.deal, seats)

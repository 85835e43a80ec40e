"""A sealed deal, from the secret that comes in until its pack is dealt: everyone who takes part cuts it in between.

`step_waits` says who is waited for, and for how long. A deal that one of them spoils is called off only when every
other cut is in, or missing for certain as well. Were it called off at once, a cut on its way would be spent for
nothing: the next seal would ask for the same link again, which nobody may give for two seals, and so an honest player
would miss that deal through no fault of theirs.
"""

from copy import deepcopy

from msgspec import Struct

from put_protocol.cards import FULL_PACK, in_order
from put_protocol.refusals import RefusalCode
from put_protocol.seal.cuts import after
from put_protocol.seal.packs import Sealing, seal
from put_protocol.seal_events import CutsShown, DealVoided, Sealed
from put_protocol.seats import Seat
from put_rules.game import Purpose, Shuffle
from put_rules.live_deal import LiveDeal, remembered, unsealed
from put_rules.record import Chance, Seal
from put_server.table.clock import Timer
from put_server.table.refusal import RequestRefused
from put_server.table.step_waits import StepWait, StepWaits

CUT_MS = 2_000
"""For a cutter whose connection stands: many round trips of a bad network, and nothing that a table is held up by."""


class SealCheckpoint(Struct, frozen=True):
    """A deal that is being cut, at rest."""

    sealed: Sealed
    waits: dict[Seat, StepWait]
    links: dict[Seat, bytes]
    spoilt: tuple[Seat, ...] = ()


class SealedDeal:
    """One deal, sealed and being cut."""

    __slots__ = ("_chance", "_made", "links", "sealed", "spoilt", "waits")

    def __init__(self, checkpoint: SealCheckpoint, chance: Chance, table: int, made: Sealing | None = None) -> None:
        self._chance = chance
        self._made = made
        if made is None and chance.pack is None:
            cards = checkpoint.sealed.cards or FULL_PACK
            has_accidents = bool(checkpoint.sealed.misdeals)
            self._made = seal(chance.secret, table, checkpoint.sealed.deal, cards, has_accidents=has_accidents)
        self.sealed = checkpoint.sealed
        self.waits = StepWaits(checkpoint.waits)
        """Cuts that are waited for."""
        self.links = checkpoint.links
        self.spoilt = checkpoint.spoilt
        """Whose cuts will not come, so that the deal is to be called off."""

    @classmethod
    def begun(
        cls,
        chance: Chance,
        wanted: Shuffle,
        *,
        table: int,
        deal: int,
        ends: tuple[bytes | None, ...],
        is_late: bool,
    ) -> "SealedDeal":
        """`ends`: by seat, what each cut must hash to; None: it takes no part. `chance`: a secret or, where the deal is
        over already and its input is replayed, what remains of it."""
        made = None
        if chance.pack is None:
            cards = in_order(wanted.cards)
            made = seal(chance.secret, table, deal, cards, has_accidents=bool(wanted.misdeals))
            named = () if cards == FULL_PACK else cards
            sealed = Sealed(
                deal,
                made.roots,
                wanted.to,
                ends,
                named,
                is_late,
                wanted.misdeals,
                wanted.adversaries,
                stock=wanted.purpose is Purpose.STOCK,
            )
        else:
            assert chance.pack.proofs is not None
            sealed = chance.pack.proofs.sealed
        waits = {Seat(seat): StepWait(Timer(CUT_MS)) for seat, end in enumerate(ends) if end is not None}
        return cls(SealCheckpoint(sealed, waits, {}), chance, table, made)

    def checkpoint(self) -> SealCheckpoint:
        return SealCheckpoint(self.sealed, deepcopy(dict(self.waits)), dict(self.links), self.spoilt)

    @property
    def chance(self) -> Chance:
        """Chance that the deal is made from."""
        return self._chance

    @property
    def shown(self) -> tuple[bytes | None, ...]:
        """The cuts made so far, by seat."""
        return tuple([self.links.get(Seat(seat)) for seat in range(len(self.sealed.cuts))])

    def cut(self, seat: Seat, deal: int, link: bytes) -> None:
        """:raises RequestRefused: it is not this seat's to cut, or this is not what was promised."""
        if deal != self.sealed.deal:
            raise RequestRefused(RefusalCode.TOO_LATE, f"deal {deal} is not the one that is cut", field="deal")
        if seat not in self.waits:
            raise RequestRefused(RefusalCode.BAD_CUT, "no cut of yours is awaited", field="deal")
        if after(link) != self.sealed.cuts[seat]:
            raise RequestRefused(RefusalCode.BAD_CUT, "this link does not hash to what you promised", field="link")
        del self.waits[seat]
        self.links[seat] = link

    def dealt(self, table: int, *, opens_after: bool) -> LiveDeal:
        """Pack that the cuts decide, and the proofs of its cards."""
        if (pack := self._chance.pack) is not None:
            assert pack.proofs is not None
            return remembered(table, pack, pack.proofs)
        cut = CutsShown(self.sealed.deal, self.shown)
        return unsealed(table, Seal(self._chance.secret, self.sealed, cut), self._made, opens_after=opens_after)

    def spoil(self, seats: tuple[Seat, ...]) -> None:
        """The cuts of these will not come."""
        for seat in seats:
            del self.waits[seat]
        self.spoilt += seats

    def voided(self, left: tuple[Seat, ...] = ()) -> DealVoided:
        """Called off for those who spoilt it, or for who left the game. Both packs are turned up."""
        assert self._made is not None  # a deal that is over was never voided
        first, second = self._made.packs
        return DealVoided(self.sealed.deal, () if left else self.spoilt, left, (first.seed, second.seed))

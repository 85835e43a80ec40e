"""A sealed deal, from the secret that comes in until its pack is dealt: everyone who takes part cuts it in between.

Who must be waited for, and for how long. A cutter who is away is waited for until their bank is spent. One who is here
has CUT_MS, because a client cuts by itself. Even then the connection may only be slow, and to name a person who has cut
would accuse them, and in their eyes the server. So the server pings them first: their answer comes behind their cut, if
they made one, and only when it has come and PULSE_MS more have passed is their cut missing for certain. A connection
that answers no ping is cut off long before PONG_MS; then it is their bank that ends the wait.

A deal that one of them spoils is called off only when every other cut is in, or missing for certain as well. Were it
called off at once, a cut on its way would be spent for nothing: the next seal would ask for the same link again, which
nobody may give for two seals, and so an honest player would miss that deal through no fault of theirs.
"""

from collections.abc import Callable
from copy import deepcopy
from enum import StrEnum

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

CUT_MS = 2_000
"""For a cutter whose connection stands: many round trips of a bad network, and nothing that a table is held up by."""

PULSE_MS = 2_000
"""From the answer to the ping until the cut is missing. They were sent one after the other, mostly in one piece; but a
busy server takes one step of a connection in a turn of its loop, and half a second was once too short for both."""

PONG_MS = 120_000
"""For the answer to the ping: a backstop, longer than any connection lasts without an answer."""

MISSES = 2
"""Cuts that a player may miss running, without a deal that they cut in between; with the last they leave the game."""


class SealStage(StrEnum):
    """Stage of an overdue cut."""

    DUE = "due"
    """it has its time"""
    ASKED = "asked"
    """its time is spent, and a ping was wanted"""
    HEARD = "heard"
    """the ping was answered"""


class CutWait(Struct, gc=False):
    """One cut that is waited for."""

    timer: Timer
    stage: SealStage = SealStage.DUE


class SealCheckpoint(Struct, frozen=True):
    """A deal that is being cut, at rest."""

    sealed: Sealed
    waits: dict[Seat, CutWait]
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
        self.waits = checkpoint.waits
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
        waits = {Seat(seat): CutWait(Timer(CUT_MS)) for seat, end in enumerate(ends) if end is not None}
        return cls(SealCheckpoint(sealed, waits, {}), chance, table, made)

    def checkpoint(self) -> SealCheckpoint:
        return SealCheckpoint(self.sealed, deepcopy(self.waits), dict(self.links), self.spoilt)

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

    def run_timers(self, is_here: Callable[[Seat], bool], now: int) -> None:
        """Let the time of each cutter who is here run."""
        for seat, wait in self.waits.items():
            wait.timer.set_running(is_here(seat), now)

    def restart_wait(self, seat: Seat) -> None:
        """A cutter's connection was lost or is another now: their time begins again when they are here."""
        if seat in self.waits:
            self.waits[seat] = CutWait(Timer(CUT_MS))

    def overdue(self, now: int) -> tuple[Seat, ...]:
        """Seats to ping because their time is spent; each is returned once."""
        overdue = self._spent((SealStage.DUE,), now)
        for seat in overdue:
            self.waits[seat] = CutWait(Timer(PONG_MS, now), SealStage.ASKED)
        return overdue

    def ping_answered(self, seat: Seat, now: int) -> bool:
        """The ping was answered. Whether that changed anything."""
        wait = self.waits.get(seat)
        if wait is None or wait.stage is not SealStage.ASKED:
            return False
        self.waits[seat] = CutWait(Timer(PULSE_MS, now), SealStage.HEARD)
        return True

    def missing(self, now: int) -> tuple[Seat, ...]:
        """Seats that certainly did not cut in time."""
        return self._spent((SealStage.ASKED, SealStage.HEARD), now)

    def _spent(self, stages: tuple[SealStage, ...], now: int) -> tuple[Seat, ...]:
        waits = self.waits.items()
        return tuple([seat for seat, wait in waits if wait.stage in stages and wait.timer.is_spent(now)])

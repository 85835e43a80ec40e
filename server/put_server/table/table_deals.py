"""The deals of a table: which pack is wanted, the deal that is being cut, and the one in play.

A deal comes from a pack that the server shuffles or, where any guest takes part in the cutting, from a seal that all of
them cut. Either way it goes through the same stages, and a table is in one of them: nothing is wanted; a pack or a
secret is wanted (`is_wanted`, within one step of the lobby); a sealed deal is being cut (`cutting`); deals are in play
(`hand`). Where the stock is renewed in the middle of a hand, that deal goes through the same stages while those before
it stay in play. What a deal was made from, its `Chance`, is known from the seal or the pack until the hand is over or
the deal is called off, and then forgotten.
"""

from collections.abc import Sequence

from put_protocol.cards import Card
from put_protocol.refusals import RefusalCode
from put_protocol.seal.cuts import after
from put_protocol.seal_events import CutsShown, DealVoided, Sealed
from put_protocol.seats import Seat, Viewer
from put_rules.game import Awaits, NotAwaited, Purpose, Shuffle, Turn
from put_rules.live_deal import CardProver, DealFollower, LiveDeal, LiveHand, chance_of
from put_rules.record import Chance, Pack
from put_rules.table_options import Dealing, TableOptions, Way
from put_server.table.blind_deals import STEP_MS, BlindDeals
from put_server.table.chair import Chair
from put_server.table.refusal import RequestRefused
from put_server.table.sealed_deal import CUT_MS, SealedDeal
from put_server.table.step_waits import MISSES, StepWaits
from put_server.table.table_checkpoint import TableCheckpoint
from put_server.table.table_effects import Effect, TableId, WantPack, WantSecret

HANDS_PROVED = 2
"""Hands whose proofs can be sent again: the one in play, and the one before it, which may have ended unseen by a person
whose connection had dropped. No further deal is cut without them, unless they take no part."""


class Deals:
    """Deals of one table, at any stage."""

    def __init__(self, table: TableId, options: TableOptions, *, deals_name: str, is_proved_late: bool) -> None:
        """`deals_name`: the sequence that an exhibition's packs are from; empty: none. `is_proved_late`: what others
        play is proved when the hand is over."""
        self._table = table
        self._arranged = options.arranged
        self.opens_packs = options.opens_packs
        """Whether every pack is shown whole when the game is over."""
        self._is_proved_late = is_proved_late
        self.deals_name = deals_name
        self.packs = 0
        """Packs wanted so far that were not sealed; of a named sequence, in this game."""
        self.seals = 0
        """And those that were."""
        self.is_wanted = False
        """Within one step of the lobby: a pack or a secret was asked for and is not here yet."""
        self.cutting: SealedDeal | None = None
        """The deal that is being cut."""
        self.way = Way(options.dealing)
        """The way the game in play is dealt, or the last one."""
        self.blind = BlindDeals()
        self.hand = LiveHand()
        """The deals in play."""
        self.chances: list[Chance] = []
        """What each of those was made from, and the last the deal that is being cut, if one is."""
        self.crossed: tuple[Seat, ...] = ()
        """Who had yet to cut when a deal was called off because a person left; their cuts may have been on the way."""
        self.proved: list[list[CardProver]] = []
        """Of the last hands that had sealed deals, the one in play included: their deals, the oldest first."""
        self.first_game = 1
        """Number of the first game whose hands can be proved again; a checkpoint has none of those before it."""

    @staticmethod
    def are_live(awaits: Awaits) -> bool:
        """True if a hand is in play when a game awaits this."""
        return isinstance(awaits, Turn) or (isinstance(awaits, Shuffle) and awaits.purpose is Purpose.STOCK)

    def restore(self, checkpoint: TableCheckpoint) -> None:
        """All but the deals of the game in play."""
        self.packs = checkpoint.deals
        self.seals = checkpoint.seals
        self.way = checkpoint.way or self.way
        if checkpoint.blind is not None:
            self.blind.restore(checkpoint.blind, checkpoint.chance if self.is_blind else None)
        self.crossed = checkpoint.crossed
        if checkpoint.seal is not None:
            assert checkpoint.chance is not None
            self.chances = [checkpoint.chance]
            self.cutting = SealedDeal(checkpoint.seal, checkpoint.chance, self._table)

    def resume(self, follower: DealFollower, chances: Sequence[Chance], *, game: int, is_live: bool) -> None:
        """Go on with the deals of the game of that number, which is in play or the last one. `is_live`: the last hand
        is in play. `chances`: of its deals, if they are known."""
        self.first_game = game
        self.proved.extend(map(list, follower.proved))
        if follower.hand.provers:
            self.proved.append(list(follower.hand.provers))
        del self.proved[:-HANDS_PROVED]
        if is_live and (not self.is_blind or self.way.is_read):
            self.hand = follower.hand
        if is_live and not self.is_blind:
            self.chances[:0] = chances or [chance_of(deal.pack) for deal in follower.hand.deals]

    @property
    def is_blind(self) -> bool:
        """True if the game in play is dealt blind."""
        return self.way.dealing is Dealing.BLIND

    def begin_game(self, way: Way) -> None:
        """Each game of a named sequence begins alike, whether or not the one before it ended."""
        self.way = way
        if self.deals_name:
            self.packs = 0

    def want(self, awaits: Awaits | None, chairs: Sequence[Chair], game: int) -> list[Effect]:
        """Have the pack that the game awaits shuffled or, where any guest takes part in the cutting, sealed.

        Who takes part and is away is waited for: no player loses their cut with their connection. Their bank ends that.
        """
        if not isinstance(awaits, Shuffle) or self.is_wanted or self.cutting is not None:
            return []
        cutters = [chair for chair in chairs if chair.commitment is not None]
        is_sealed = bool(cutters) and self.way.dealing is Dealing.SEALED and not self._arranged and not self.deals_name
        if is_sealed and any(chair.is_away for chair in cutters):
            return []
        if any(chair.misses >= MISSES for chair in chairs):
            return []  # nothing is dealt to who is about to be sent away
        self.is_wanted = True
        beside = len(self.hand.deals)
        if is_sealed:
            self.seals += 1
            return [WantSecret(self._table, self.seals, beside)]
        self.packs += 1
        named = f"{self.deals_name}, game {game}" if self.deals_name else ""
        top = self._top(awaits)
        return [WantPack(self._table, self.packs, awaits.cards, top, named, bool(awaits.misdeals), beside)]

    def _top(self, awaited: Shuffle) -> tuple[Card, ...]:
        """Cards on top of the pack by arrangement."""
        return self._arranged if awaited.purpose is Purpose.HAND else ()

    def deal_pack(self, pack: Pack, awaited: Shuffle) -> None:
        """The pack that was wanted, which the game has dealt."""
        self.is_wanted = False
        if not awaited.misdeals or pack.luck is not None:
            self.chances.append(Chance(pack=pack))
            self.hand.add(LiveDeal(pack, None, arranged=self._top(awaited)))
        # Without a luck the unseen cards decided on an accident, as in files of earlier versions: they stay.

    def seal(self, chance: Chance, awaits: Awaits | None, chairs: Sequence[Chair]) -> Sealed:
        """The secret that was wanted; or, if its deal is over and the input is replayed, what remains of it.

        :raises NotAwaited: none was.
        """
        if not isinstance(awaits, Shuffle) or not self.is_wanted:
            raise NotAwaited("no deal is to be sealed")
        self.is_wanted = False
        self.cutting = SealedDeal.begun(
            chance,
            awaits,
            table=self._table,
            deal=self.seals,
            ends=tuple([chair.commitment for chair in chairs]),
            is_late=self._is_proved_late,
        )
        self.chances.append(chance)
        return self.cutting.sealed

    def cut(self, seat: Seat, deal: int, link: bytes) -> SealedDeal:
        """A cut of the deal that is being cut, which is returned.

        :raises RequestRefused: no deal is, or it is not this seat's to cut, or not with this link.
        """
        if self.cutting is None:
            raise RequestRefused(RefusalCode.TOO_LATE, f"deal {deal} is not being cut", field="deal")
        self.cutting.cut(seat, deal, link)
        return self.cutting

    def deal_cut(self) -> tuple[Pack, CutsShown]:
        """All cuts are in: the pack that they decide on is in play."""
        assert self.cutting is not None
        cutting, self.cutting = self.cutting, None
        live = cutting.dealt(self._table, opens_after=self.opens_packs)
        assert live.prover is not None
        if self.hand.provers:
            self.proved[-1].append(live.prover)
        else:
            self.proved.append([live.prover])
            del self.proved[:-HANDS_PROVED]
        self.hand.add(live)
        self.crossed = ()
        return live.pack, CutsShown(cutting.sealed.deal, cutting.shown)

    def waits_for(self, seat: Seat) -> bool:
        """True if the cut of this seat is waited for."""
        return self.cutting is not None and seat in self.cutting.waits

    def excuse(self, seat: Seat, end: bytes | None) -> bool:
        """True if a new promise of this seat, whose cut is waited for, is no miss: their last cut crossed the news that
        the deal was called off. That can be so once."""
        assert self.cutting is not None
        if seat not in self.crossed or end is None or after(end) != self.cutting.sealed.cuts[seat]:
            return False
        self.crossed = tuple([other for other in self.crossed if other != seat])
        return True

    def call_off(self, left: tuple[Seat, ...] = ()) -> tuple[Sealed, DealVoided]:
        """The deal that is being cut counts for nothing: because of those who spoilt it, or of who left the game."""
        assert self.cutting is not None
        sealed, voided = self.cutting.sealed, self.cutting.voided(left)
        if left:
            self.crossed = tuple(self.cutting.waits)
        self.cutting = None
        self.chances.pop()
        return sealed, voided

    @property
    def step_waits(self) -> StepWaits:
        """The cuts, or the parts of a blind deal, that are waited for."""
        if self.is_blind:
            return self.blind.waits
        return StepWaits() if self.cutting is None else self.cutting.waits

    def restart_wait(self, seat: Seat) -> None:
        """A player's connection was lost or is another now: the time for their step begins again when they are here."""
        if seat in self.step_waits:
            self.step_waits.begin(seat, STEP_MS if self.cutting is None else CUT_MS)

    def waits_for_return(self, seat: Seat) -> bool:
        """True if no deal comes before the player of this seat, who is away, is back or gives up."""
        if self.is_blind:
            return seat in self.blind.waits
        return self.cutting is None

    def finish(self) -> tuple[Pack, ...]:
        """The hand in play, if there is one, is over: returns what was shown of each of its packs, which is all that is
        kept."""
        self.chances.clear()
        return self.hand.finish()

    def forget_proofs(self, viewer: Viewer) -> None:
        """Another person is this viewer from now on, and gets no proof of what the one before was shown."""
        for hand in self.proved:
            for prover in hand:
                prover.forget(viewer)

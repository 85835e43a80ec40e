"""The deals of a table: which pack is wanted, and the deals in play.

Each game has one way of dealing (`Way`). Plain: the server shuffles a pack for each deal. A table then is in one of
three stages: nothing is wanted; a pack is wanted (`is_wanted`, within one step of the lobby); deals are in play
(`hand`). If the stock is renewed during a hand, that deal goes through the same stages, and the earlier deals stay in
play. The source of a deal, its `Chance`, is kept until the hand is over, and then erased. Blind: `blind_deals` has the
game, and `blind_runner` deals it."""

from put_protocol.blind.missed_parts import MissedParts
from put_protocol.seats import Seat
from put_rules.game import Awaits, Purpose, Shuffle, Turn
from put_rules.live_deal import LiveDeal, LiveHand, with_deal
from put_rules.record import Chance, Pack
from put_rules.table_options import Dealing, TableOptions, Way
from put_server.table.blind_deals import BlindCheckpoint, BlindDeals
from put_server.table.step_waits import StepWaits
from put_server.table.table_checkpoint import TableCheckpoint
from put_server.table.table_effects import Effect, TableId, WantPack


class Deals:
    __slots__ = ("_arranged", "_blind", "_table", "deals_name", "hand", "is_blind", "is_wanted", "packs", "way")

    def __init__(self, table: TableId, options: TableOptions, *, deals_name: str) -> None:
        """`deals_name`: the sequence of packs of an exhibition; empty: none."""
        self._table = table
        self._arranged = options.arranged
        self.deals_name = deals_name
        self.packs = 0
        """Number of packs wanted so far; in a named sequence, in this game."""
        self.is_wanted = False
        """True within one step of the lobby: a pack or a secret was requested and has not arrived."""
        self.way = Way(Dealing.PLAIN)
        """Way the game in play is dealt, or the last one."""
        self.is_blind = False
        """The game in play is dealt blind. A plain field, because it is read at every move."""
        self._blind: BlindDeals | None = None
        self.hand: LiveHand = ()

    @property
    def blind(self) -> BlindDeals:
        """The blind deals, created on first use: most tables have none."""
        if self._blind is None:
            self._blind = BlindDeals()
        return self._blind

    @property
    def chances(self) -> list[Chance]:
        if self.is_blind:
            return self.blind.chances
        return [Chance(pack=deal.pack) for deal in self.hand]

    def restore(self, checkpoint: TableCheckpoint) -> None:
        """Restore all but the deals of the game in play."""
        self.packs = checkpoint.deals
        self._go(checkpoint.way or self.way)
        if checkpoint.blind is not None:
            self.blind.restore(checkpoint.blind, checkpoint.chances if self.is_blind else ())

    def resume(self, hand: LiveHand, awaits: Awaits) -> None:
        """Restore the deals of the last hand, if it is in play and the server knows its packs."""
        is_in_play = isinstance(awaits, Turn) or (isinstance(awaits, Shuffle) and awaits.purpose is Purpose.STOCK)
        if is_in_play and (not self.is_blind or self.way.is_read):
            self.hand = hand

    def _go(self, way: Way) -> None:
        self.way, self.is_blind = way, way.dealing is Dealing.BLIND

    def begin_game(self, way: Way) -> None:
        """Begin a game. Each game of a named sequence begins alike, even if the previous one did not end."""
        self._go(way)
        self.misses.clear()
        if self.deals_name:
            self.packs = 0

    def want(self, awaits: Awaits, game: int) -> list[Effect]:
        if not isinstance(awaits, Shuffle) or self.is_wanted:
            return []
        self.is_wanted = True
        self.packs += 1
        named = f"{self.deals_name}, game {game}" if self.deals_name else ""
        top = self._arranged if awaits.purpose is Purpose.HAND else ()
        has_accidents, beside = bool(awaits.misdeals), len(self.hand)
        return [WantPack(self._table, self.packs, awaits.cards, top, named, has_accidents, beside, awaits.most)]

    def deal_pack(self, pack: Pack, awaited: Shuffle) -> None:
        """Note the requested pack, which the game has dealt."""
        self.is_wanted = False
        if not awaited.misdeals or pack.luck is not None:
            arranged = self._arranged if awaited.purpose is Purpose.HAND else ()
            self.hand = with_deal(self.hand, LiveDeal(pack, arranged))
        # Without a luck, as in files of earlier versions, the unseen cards decided on an accident, so they stay.

    def add(self, deal: LiveDeal) -> None:
        self.hand = with_deal(self.hand, deal)

    @property
    def step_waits(self) -> StepWaits:
        return StepWaits() if self._blind is None else self._blind.waits

    @property
    def misses(self) -> MissedParts:
        """Parts of blind deals that were missed in the game in play, or the last one."""
        return MissedParts() if self._blind is None else self._blind.misses

    def blind_checkpoint(self) -> BlindCheckpoint | None:
        return None if self._blind is None else self._blind.checkpoint()

    def restart_wait(self, seat: Seat) -> None:
        """Restart the wait for a player's step, because their connection was lost or replaced."""
        if seat in self.step_waits:
            self.step_waits.begin(seat)

    def finish(self) -> tuple[Pack, ...]:
        """The hand in play, if any, is over: returns what was shown of its packs, which is all that is kept."""
        hand, self.hand = self.hand, ()
        return tuple([deal.remains() for deal in hand])

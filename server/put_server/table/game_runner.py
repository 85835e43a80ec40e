"""Runner of the games at a table: it starts them, advances them, and requests their packs.

After each input the runner requests what the game awaits next: a turn, a pack, or nothing. Everything that moves a game
(an action, a time-out, a pack) ends in `advance`.
"""

from msgspec.structs import replace

from put_protocol import table_events
from put_protocol.blind_acts import RulingKind
from put_protocol.games.unions import Ending
from put_protocol.seats import GALLERY, Seat
from put_rules.facts import Fact, Open
from put_rules.game import NotAwaited, Over, Purpose, Shuffle, Turn
from put_rules.record import Chance, Pack, Player
from put_rules.table_options import Dealing
from put_server.table.blind_runner import BlindRunner
from put_server.table.game_in_play import GameInPlay
from put_server.table.publisher import Publisher
from put_server.table.seating import Sitter
from put_server.table.table_effects import DealOver, Effect, GameConcluded, RecordInput, WantPulse
from put_server.table.table_model import TableModel


class GameRunner:
    __slots__ = ("_model", "_publisher")

    def __init__(self, model: TableModel, publisher: Publisher) -> None:
        self._model = model
        self._publisher = publisher

    @property
    def blind(self) -> BlindRunner | None:
        """Runner of the deals of the game in play; None: it is not dealt blind."""
        deals = self._model.deals
        return BlindRunner(self._model, deals.blind, self._publisher, self.advance) if deals.is_blind else None

    def start_if_agreed(self, now: int, facts: tuple[Fact, ...] = ()) -> list[Effect]:
        """Start a game if a person who agrees sits in every chair; then these facts are told with its start."""
        model = self._model
        sitters = [chair.sitter for chair in model.seating.chairs if chair.agrees and chair.sitter is not None]
        if len(sitters) < len(model.seating.chairs):
            return []
        people = tuple([sitter.id for sitter in sitters])
        is_rematch = model.play is not None and model.play.people == people
        way = model.way
        model.play = GameInPlay(
            model.game,
            number=model.games + 1,
            people=people,
            players=tuple(map(player_of, sitters)),
            dealer=model.next_dealer if is_rematch and not model.deals.deals_name else None,
            now=now,
        )
        if model.deals.is_blind and way.dealing is Dealing.PLAIN:
            # Events of blind games are in no checkpoint.
            model.event_log.forget()
        model.deals.begin_game(way)
        model.seating.refill_banks()
        model.run_clocks(now)
        names = tuple([sitter.name for sitter in sitters])
        started = Open(table_events.GameStarted(model.play.number, names, way.why_plain))
        return self.advance(model.play, (*facts, started), now, is_info_new=True)

    def advance(
        self,
        play: GameInPlay,
        facts: tuple[Fact, ...],
        now: int,
        *,
        is_info_new: bool = False,
        mover: Seat | None = None,
        answers: int = 0,
        is_held: bool = True,
    ) -> list[Effect]:
        """Publish a move of the game, and request what the game awaits next. `mover`, `answers`: the seat whose request
        this was, and the request's id. `is_held`: if a pack comes next, publish the facts together with its deal."""
        model, publisher = self._model, self._publisher
        blind = self.blind if model.deals.is_blind else None
        if blind is not None:
            facts = blind.opened(blind.lose_turns(play, facts, now))
        if gains := play.gains():
            is_info_new = True
            for chair, gain in zip(model.seating.chairs, gains, strict=True):
                chair.purse += gain
        awaits = play.awaits
        if isinstance(awaits, Turn):
            model.begin_turn(awaits.seat, now)
        else:
            model.turn.clear()
        if isinstance(awaits, Over):
            self._end_game(awaits.dealer, now)
            is_info_new = True
        effects: list[Effect] = []
        if is_held and blind is None and isinstance(awaits, Shuffle):
            publisher.hold(facts, is_info_new=is_info_new, mover=mover, answers=answers)
        else:
            effects = publisher.publish(
                facts, now, is_game_new=True, is_info_new=is_info_new, mover=mover, answers=answers
            )
        match awaits:
            case Turn():
                return effects if blind is None else effects + blind.go_on(now)
            case Shuffle(purpose=purpose):
                if purpose is not Purpose.STOCK:  # a hand goes on with a new stock
                    effects += self.finish_deals()
                return effects + self.want_deal(now)
            case Over():
                effects += self.finish_deals(is_last=True)
                seen = [fact.seen_by(GALLERY) for fact in reversed(facts)]
                end = next((event for event in seen if isinstance(event, Ending)), None)
                return [*effects, GameConcluded(model.record(play), end, model.origin)]

    def _end_game(self, dealer: Seat, now: int) -> None:
        self._model.next_dealer = dealer
        self._model.pause = None
        for chair in self._model.seating.chairs:
            chair.agrees = chair.sitter is not None and chair.sitter.is_house
            chair.gone = ""
        self._model.run_clocks(now)

    def go_on(self, now: int) -> list[Effect]:
        """Continue without the awaited move; if none was awaited, with what the game awaits."""
        model = self._model
        assert model.play is not None
        if isinstance(model.awaits, Turn):
            ruled = self._ruled(RulingKind.TIMED_OUT, model.awaits.seat)
            return self.advance(model.play, (*ruled, *model.play.expire(now)), now)
        return self.want_deal(now)

    def forfeit(self, play: GameInPlay, seat: Seat, now: int) -> list[Effect]:
        """A player gives the game up. A draw for the deal is repeated in the next game of these players."""
        is_drawing = isinstance(play.awaits, Shuffle) and play.awaits.purpose is Purpose.DRAW
        try:
            facts = play.leave(seat, now)
        except NotAwaited:
            return []  # they had given it up before
        play.resigned += (seat,)
        # Who leaves the table hears of this, and not of the deal.
        effects = self.advance(play, (*self._ruled(RulingKind.LEFT, seat), *facts), now, is_held=False)
        if is_drawing and play.is_over:
            self._model.next_dealer = None
        return effects

    def want_deal(self, now: int) -> list[Effect]:
        """Request the pack or the parts of a deal that the game awaits, if it can continue."""
        play, deals = self._model.play, self._model.deals
        if deals.is_blind and (blind := self.blind) is not None:
            return blind.go_on(now)
        return [] if play is None else deals.want(play.awaits, play.number)

    def _ruled(self, kind: RulingKind, seat: Seat) -> tuple[Fact, ...]:
        return () if self.blind is None else self.blind.ruled(kind, seat)

    def finish_deals(self, *, is_last: bool = False) -> list[Effect]:
        """End the hand: of its deals keep only what was shown. `is_last`: the game is over."""
        play, deals = self._model.play, self._model.deals
        remains = deals.finish()
        if play is not None and remains:
            play.finish_deals(remains)
        if deals.is_blind and (blind := self.blind) is not None:
            effects = blind.finish_hand(remains)
            return effects + blind.finish() if is_last else effects
        if play is None or not remains:
            return []
        return [DealOver(self._model.id, tuple([Chance(pack=pack) for pack in remains]))]

    def deal(self, pack: Pack, now: int) -> list[Effect]:
        """:raises NotAwaited: no pack was wanted, or one of other cards."""
        play = self._model.play
        if play is None or not isinstance(awaited := play.awaits, Shuffle):
            raise NotAwaited("no pack is awaited")
        if awaited.purpose is Purpose.STOCK:
            pack = replace(pack, is_stock=True)
        facts = play.deal(pack, now)
        self._model.deals.deal_pack(pack, awaited)
        return self.advance(play, facts, now)

    def begin_blind(self, chance: Chance, now: int) -> list[Effect]:
        """Take the secret of a blind game, or its remains.

        :raises NotAwaited: no secret was wanted.
        """
        if self.blind is None:
            raise NotAwaited("no blind game is to begin")
        return self.blind.begin(chance, now)

    def answer_ping(self, seat: Seat, now: int) -> list[Effect]:
        """A player with an overdue step answered a ping. If they had done the step, it would be here."""
        if not self._model.deals.step_waits.ping_answered(seat, now):
            return []
        self._model.run_clocks(now)
        return [RecordInput()]

    def tick_steps(self, now: int) -> list[Effect]:
        """Apply time-outs to the awaited parts of a blind deal."""
        waits, chairs = self._model.deals.step_waits, self._model.seating.chairs
        overdue = [sitter.id for seat in waits.overdue(now) if (sitter := chairs[seat].sitter) is not None]
        if overdue:
            return [WantPulse(tuple(overdue))]
        return [] if self.blind is None else self.blind.miss(waits.missing(now), now)


def player_of(sitter: Sitter) -> Player:
    return Player(sitter.name, sitter.is_bot, bool(sitter.house))

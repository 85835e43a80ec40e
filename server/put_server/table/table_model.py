"""Model of a table: its current parts, values derived from them, and its checkpoint. It sends no message.

`table` and `game_runner` change the model, `publisher` reads it. The parts do not know each other or the model.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from typing import Self

from msgspec.structs import replace

from put_protocol import messages
from put_protocol.seats import Seat, viewers_at
from put_protocol.table_info import Admits, ClockInfo, TableInfo, TableState
from put_rules.game import Awaits, OptionValue, Over, RuleSet
from put_rules.live_deal import DealFollower, blanked, with_live
from put_rules.record import GameRecord
from put_rules.steps import replace_live
from put_rules.table_options import Dealing, TableOptions, Way
from put_server.table.clock import TableTerms, Timer, TurnClock
from put_server.table.event_log import EventLog
from put_server.table.game_in_play import GameInPlay
from put_server.table.pause import PauseState
from put_server.table.seating import Seating
from put_server.table.table_checkpoint import PlayCheckpoint, TableCheckpoint
from put_server.table.table_deals import Deals
from put_server.table.table_effects import PersonId, TableId

_NO_TERMS = TableTerms()


@lru_cache(maxsize=256)
def _options(
    _rule_set: str, chosen: tuple[tuple[str, OptionValue], ...]
) -> tuple[dict[str, OptionValue], TableOptions]:
    """The options of a table (shared by tables with the same choice), and those that are not the rule set's."""
    options = dict(chosen)
    return options, TableOptions.of(options)


class TableModel:
    __slots__ = (
        *(
            "_clock",
            "_is_exhibition",
            "_is_solved",
            "_rule_set_name",
            "deals",
            "event_log",
            "family",
            "game",
            "has_room",
        ),
        *("id", "info_number", "next_dealer", "options", "origin", "owner_id", "passcode", "pause", "play", "seating"),
        *("table_options", "terms", "turn"),
    )

    def __init__(
        self,
        *,
        id: TableId,
        owner_id: PersonId,
        rule_set: RuleSet,
        options: Mapping[str, OptionValue],
        seats: int,
        clock: ClockInfo,
        passcode: str,
        is_gallery_open: bool,
        is_exhibition: bool,
        admits: Admits = Admits.ALL,
        deals_name: str = "",
        origin: str = "",
        terms: TableTerms = _NO_TERMS,
        is_solved: bool = False,
    ) -> None:
        """`is_solved`: perfect play is known."""
        self.id = id
        self.owner_id = owner_id
        self.origin = origin
        """The address from which it was opened, which is never sent; empty: no quota applies."""
        self.passcode = passcode
        self.options, self.table_options = _options(rule_set.offer.name, tuple(options.items()))
        self.game = rule_set.make(seats, options)
        self.family = rule_set.offer.family
        self._rule_set_name = rule_set.offer.name
        self._clock = clock
        self.terms = terms
        self._is_exhibition = is_exhibition or bool(self.table_options.arranged)
        self._is_solved = is_solved
        self.has_room: Callable[[str, int], bool] = lambda *_: True
        """True if a player of an origin may play a blind game against this many house players."""
        self.seating = Seating(seats, bank_ms=clock.bank * 1000, admits=admits, is_gallery_open=is_gallery_open)
        self.event_log = EventLog(viewers_at(seats))
        self.deals = Deals(id, self.table_options, deals_name=deals_name)
        self.turn = TurnClock(None)
        self.play: GameInPlay | None = None
        """The game in play, or the last one."""
        self.pause: PauseState | None = None
        self.next_dealer: Seat | None = None
        """Dealer of the next game, if the players are the same."""
        self.info_number = 0
        """Number of the latest published description."""

    def checkpoint(self) -> TableCheckpoint:
        """All that the table needs to continue. Later changes do not affect it."""
        seating, deals, play = self.seating, self.deals, self.play
        chances = deals.chances
        return TableCheckpoint(
            id=self.id,
            opener=self.owner_id,
            rule_set=self._rule_set_name,
            options=self.options,
            clock=self._clock,
            passcode=self.passcode,
            is_gallery_open=seating.is_gallery_open,
            is_exhibition=self._is_exhibition,
            chairs=tuple([replace(chair, bank=replace(chair.bank)) for chair in seating.chairs]),
            watchers=tuple(seating.watchers.items()),
            resigned=() if play is None else tuple(sorted(play.resigned)),
            play=None if play is None else PlayCheckpoint(self._record_at_rest(play), play.begun),
            pause=deepcopy(self.pause),
            games=self.games,
            deals=deals.packs,
            players=() if play is None else play.people,
            next_dealer=self.next_dealer,
            event_log=self.event_log.checkpoint(has_tail=not deals.is_blind),
            decision=self.turn.decision,
            mover=self.turn.seat,
            turn=Timer(self.turn.left, self.turn.since),
            admits=seating.admits,
            deals_name=deals.deals_name,
            invited=tuple(seating.invited.items()),
            kept_out=seating.kept_out,
            chance=chances[-1] if chances else None,
            beside=tuple(chances[:-1]),
            origin=self.origin,
            blind=deals.blind_checkpoint(),
            way=deals.way,
        )

    @classmethod
    def restored(
        cls, checkpoint: TableCheckpoint, rule_set: RuleSet, *, terms: TableTerms = _NO_TERMS, is_solved: bool = False
    ) -> Self:
        """:raises BadRecord: the steps of its game are not valid."""
        model = cls(
            id=checkpoint.id,
            owner_id=checkpoint.opener,
            rule_set=rule_set,
            options=checkpoint.options,
            seats=len(checkpoint.chairs),
            clock=checkpoint.clock,
            passcode=checkpoint.passcode,
            is_gallery_open=checkpoint.is_gallery_open,
            is_exhibition=checkpoint.is_exhibition,
            admits=checkpoint.admits,
            deals_name=checkpoint.deals_name,
            origin=checkpoint.origin,
            terms=terms,
            is_solved=is_solved,
        )
        model.seating.chairs = list(checkpoint.chairs)
        model.seating.watchers = dict(checkpoint.watchers)
        model.seating.invited = dict(checkpoint.invited)
        model.seating.kept_out = checkpoint.kept_out
        model.event_log.restore(checkpoint.event_log)
        model.deals.restore(checkpoint)
        if checkpoint.play is not None:
            model._restore_play(checkpoint, checkpoint.play)
        turn = checkpoint.turn
        model.turn = TurnClock(turn.left, turn.since, checkpoint.decision, checkpoint.mover)
        model.pause = checkpoint.pause
        model.next_dealer = checkpoint.next_dealer
        return model

    def _restore_play(self, checkpoint: TableCheckpoint, at_rest: PlayCheckpoint) -> None:
        deals, record = self.deals, at_rest.record
        if not deals.is_blind:
            record = with_live(record, checkpoint.chances)
        elif deals.blind.play is not None:
            record = replace_live(record, deals.blind.play.read_again())
        follower = DealFollower(record, self.event_log.viewers)
        self.play = GameInPlay.restored(
            self.game, record, checkpoint.players, checkpoint.resigned, begun=at_rest.begun, follow=follower.follow
        )
        deals.resume(follower.hand, self.play.awaits)

    def record(self, play: GameInPlay) -> GameRecord:
        """Everything about a game here, the secrets of the deal in play included."""
        return play.record(self.id, self._rule_set_name, self.options, is_exhibition=self._is_exhibition)

    def _record_at_rest(self, play: GameInPlay) -> GameRecord:
        """The record without the sources of the deals in play, which the checkpoint stores separately."""
        return replace_live(self.record(play), [blanked(deal.pack) for deal in self.deals.hand])

    def forget(self, name: str) -> None:
        """Remove every mention of a person who is not at the table, and all talk."""
        self.seating.forget(name)
        self.event_log.forget()
        if self.play is not None:
            self.play.forget(name)

    def is_played_by(self, name: str) -> bool:
        """True if a game is in play that a person of this name began, joined or left."""
        return self.play is not None and not self.play.is_over and self.play.has_player(name)

    @property
    def games(self) -> int:
        return 0 if self.play is None else self.play.number

    @property
    def awaits(self) -> Awaits | None:
        return None if self.play is None else self.play.awaits

    @property
    def is_playing(self) -> bool:
        return self.play is not None and not isinstance(self.play.awaits, Over)

    @property
    def way(self) -> Way:
        """Way the game in play is dealt, or the next one."""
        if self.is_playing:
            return self.deals.way
        keys = [None if chair.sitter is None else chair.sitter.holds_key for chair in self.seating.chairs]
        way = self._way(keys)
        if way.dealing is Dealing.BLIND and (house := self._house_alone) and not self.has_room(self.origin, house):
            return self._way(keys, is_full=True)
        return way

    @property
    def _house_alone(self) -> int:
        """Number of house players, if exactly one person sits with them; otherwise 0."""
        sitters = [chair.sitter for chair in self.seating.chairs if chair.sitter is not None]
        house = sum(sitter.is_house for sitter in sitters)
        return house if house == len(sitters) - 1 and self.seating.is_full else 0

    @property
    def blind_house_seats(self) -> int:
        """Number of house players in a blind game in play, if exactly one person sits with them; otherwise 0."""
        return self._house_alone if self.deals.is_blind and self.is_playing else 0

    @property
    def to_dismiss(self) -> tuple[Seat, ...]:
        """Seats of players who must leave, because they missed their parts of several deals in a row."""
        misses, chairs = self.deals.misses.items(), self.seating.chairs
        return tuple([seat for seat, one in misses if one.is_dismissed and chairs[seat].sitter is not None])

    @property
    def hides_hands(self) -> bool:
        """True if the server knows some cards of the game in play only by their places."""
        return self.deals.is_blind and not self.deals.way.is_read

    @property
    def may_be_blind(self) -> bool:
        """True if a game here is dealt blind when a player keeps their key."""
        return self._way([None]).dealing is Dealing.BLIND

    def _way(self, keys: Sequence[bool | None], *, is_full: bool = False) -> Way:
        return self.table_options.way(self.game, keys, is_named=bool(self.deals.deals_name), is_full=is_full)

    @property
    def is_paused(self) -> bool:
        return self.pause is not None and self.pause.is_on

    @property
    def state(self) -> TableState:
        if self.is_playing:
            return TableState.PAUSED if self.is_paused else TableState.PLAYING
        return TableState.BETWEEN if self.seating.is_full else TableState.FILLING

    @property
    def info(self) -> TableInfo:
        way = self.way
        seats = [chair.info() for chair in self.seating.chairs]
        for seat, misses in self.deals.misses.items():
            seats[seat] = replace(seats[seat], missed=misses.missed)
        return TableInfo(
            id=self.id,
            game=self._rule_set_name,
            options=self.options,
            seats=tuple(seats),
            clock=self._clock,
            state=self.state,
            games=self.games,
            watchers=len(self.seating.watchers),
            is_locked=bool(self.passcode),
            is_gallery_open=self.seating.is_gallery_open,
            admits=self.seating.admits,
            is_exhibition=self._is_exhibition,
            pause=None if self.pause is None else self.pause.info(),
            is_assisted=self.play is not None and bool(self.play.assisted),
            is_solved=self._is_solved,
            plain=way.why_plain,
            is_read=way.is_read,
        )

    def renewed_info(self) -> TableInfo:
        """Publish a new description, because a part of it may have changed."""
        self.info_number += 1
        return self.info

    def turn_message(self, now: int) -> messages.Turn | None:
        seat = self.turn.seat
        if seat is None:
            return None
        bank, pause_ms = self.seating.chairs[seat].bank, None if self.pause is None else self.pause.remaining(now)
        bank_ms = bank.left if bank.since is None else bank.remaining(now)
        return messages.Turn(seat, self.turn.remaining(now), bank_ms, pause_ms)

    def begin_turn(self, seat: Seat, now: int) -> None:
        """Begin the decision of this seat. Its time runs unless the player is away or the game is paused."""
        turn, pause = self.turn, self.pause
        is_running = not (self.seating.chairs[seat].is_away or (pause is not None and pause.is_on))
        turn.decision += 1
        turn.seat = seat
        turn.left, turn.since = self._limit_ms(seat), now if is_running else None

    def _limit_ms(self, seat: Seat) -> int | None:
        seconds = self._clock.turn or self.terms.patience
        if self.terms.first_move and self._is_to_appear(seat):
            seconds = min(seconds or self.terms.first_move, self.terms.first_move)
        return seconds * 1000 or None

    def _is_to_appear(self, seat: Seat) -> bool:
        """True if a seat's player has not yet shown that they are there. This matters at a public table without its own
        time limit: a person may sit down and walk away while others wait."""
        if self._clock.turn or self.passcode or self.play is None:
            return False
        return seat not in self.play.moved and len(self.seating.guests) > 1

    def set_terms(self, terms: TableTerms) -> None:
        """Use new terms from the operator. A decision without a limit gets the new limit."""
        self.terms = terms
        if self.turn.seat is not None:
            self.turn.limit(self._limit_ms(self.turn.seat))

    def run_clocks(self, now: int) -> None:
        """Run exactly those clocks that should run; call after every change that affects them."""
        chairs, is_on, mover = self.seating.chairs, not self.is_paused, self.turn.seat
        for chair in chairs:
            chair.bank.set_running(chair.is_away and is_on, now)
        self.turn.set_running(mover is not None and not chairs[mover].is_away and is_on, now)
        if waits := self.deals.step_waits:
            waits.run_timers(lambda seat: is_on and not chairs[seat].is_away, now)

"""Table state and its publication to each of the table's people; what can be done to a table is in `table`."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Self

from put_protocol.games.unions import (
    Event,
    GameView,
)
from put_protocol.messages import Decision, Events, TableSnapshot
from put_protocol.messages import Turn as TurnTold
from put_protocol.seal_events import CutsShown, Openings, Sealed
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_info import (
    Admits,
    ClockInfo,
    TableInfo,
    TableState,
)
from put_server.games.facts import Fact
from put_server.games.game import OptionValue, RuleSet, Turn
from put_server.games.live_deal import CardProver, DealFollower, LiveDeal, blanked, chance_of, with_live
from put_server.games.record import Chance, GameRecord, replace_live
from put_server.table.checkpoint import PlayCheckpoint, TableCheckpoint
from put_server.table.clock import Timer
from put_server.table.effects import Effect, PersonId, TableId, Tell
from put_server.table.event_log import EventLog
from put_server.table.pause import Pause
from put_server.table.play import Play
from put_server.table.sealing import SealedDeal
from put_server.table.seating import Seating, Sitter

EVENTS_A_MESSAGE = 24
"""The longest talk takes 1.8 KiB, so even a tail of nothing else stays below a frame, with the table beside it."""

PROVERS = 2
"""Deals whose proofs can be sent again: the one in play, and the one before it, which may have ended unseen by somebody
whose connection had dropped. No further deal is cut without them, unless they take no part."""


class Picture:
    """Everything a table is. A message is made for all who see the same."""

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
        hire: Callable[[TableInfo], Sitter],
        asks_proof: Callable[[PersonId], bool],
    ) -> None:
        """`hire` finds a house player for a seat here; `asks_proof` tells who wants openings of sealed deals."""
        self.id = id
        self.owner_id = owner_id
        self.passcode = passcode
        self.clock = clock
        self.seating = Seating(seats, bank_ms=clock.bank * 1000, admits=admits, is_gallery_open=is_gallery_open)
        self._hire = hire
        self._asks_proof = asks_proof
        self._resigned: set[Seat] = set()
        """Who gave up the game in play and kept their seat."""
        self._rule_set_name = rule_set.offer.name
        self._options = dict(options)
        self._deals_name = deals_name
        self._is_exhibition = is_exhibition or bool(options.get("arranged"))
        self._game = rule_set.make(seats, options)
        self._play: Play | None = None
        """The game in play, or the last one."""
        self._pause: Pause | None = None
        self._games = 0
        self._deals = 0
        """Packs wanted so far that were not sealed; of a named sequence, in this game."""
        self._seals = 0
        """And those that were."""
        self._opens_late = rule_set.opens_late
        self._is_pack_wanted = False
        """Within one step of the lobby: it was asked for and is not here yet."""
        self._seal: SealedDeal | None = None
        """The deal that is being cut."""
        self._live: LiveDeal | None = None
        """The deal in play."""
        self._chance: Chance | None = None
        """What that, or the one that is being cut, was made from."""
        self._crossed: tuple[Seat, ...] = ()
        """Who had yet to cut when a deal was called off because somebody left; their cuts may have been on the way."""
        self._provers: deque[CardProver] = deque(maxlen=PROVERS)
        """Of the last deals that were sealed, the one in play included."""
        self._players: tuple[PersonId, ...] = ()
        """Of the last game."""
        self._next_dealer = Seat(0)
        self._event_log = EventLog([*(Seat(seat) for seat in range(seats)), GALLERY])
        self._decision = 0
        self._mover: Seat | None = None
        self._turn = Timer(None)

    # --- at rest ---

    def checkpoint(self) -> TableCheckpoint:
        """All that it needs to go on, apart from whatever happens to it from now on."""
        play = self._play
        record = None if play is None else self._record(play)
        if record is not None and self._live is not None:
            record = replace_live(record, blanked(self._live.pack))
        return TableCheckpoint(
            id=self.id,
            opener=self.owner_id,
            rule_set=self._rule_set_name,
            options=self._options,
            clock=self.clock,
            passcode=self.passcode,
            is_gallery_open=self.seating.is_gallery_open,
            is_exhibition=self._is_exhibition,
            chairs=tuple([replace(chair, bank=replace(chair.bank)) for chair in self.seating.chairs]),
            watchers=tuple(self.seating.watchers.items()),
            resigned=tuple(sorted(self._resigned)),
            play=None if play is None or record is None else PlayCheckpoint(record, play.begun),
            pause=deepcopy(self._pause),
            games=self._games,
            deals=self._deals,
            seals=self._seals,
            players=self._players,
            next_dealer=self._next_dealer,
            event_log=self._event_log.checkpoint(),
            decision=self._decision,
            mover=self._mover,
            turn=replace(self._turn),
            seal=None if self._seal is None else self._seal.checkpoint(),
            admits=self.seating.admits,
            deals_name=self._deals_name,
            invited=tuple(self.seating.invited.items()),
            chance=self._chance,
            crossed=self._crossed,
        )

    @classmethod
    def restored(
        cls,
        kept: TableCheckpoint,
        rule_set: RuleSet,
        hire: Callable[[TableInfo], Sitter],
        asks_proof: Callable[[PersonId], bool],
    ) -> Self:
        """The table as it was.

        :raises BadRecord: its game does not follow from its own steps.
        """
        table = cls(
            id=kept.id,
            owner_id=kept.opener,
            rule_set=rule_set,
            options=kept.options,
            seats=len(kept.chairs),
            clock=kept.clock,
            passcode=kept.passcode,
            is_gallery_open=kept.is_gallery_open,
            is_exhibition=kept.is_exhibition,
            admits=kept.admits,
            deals_name=kept.deals_name,
            hire=hire,
            asks_proof=asks_proof,
        )
        table.seating.chairs = list(kept.chairs)
        table.seating.watchers = dict(kept.watchers)
        table.seating.invited = dict(kept.invited)
        table._resigned = set(kept.resigned)
        if kept.play is not None:
            table._restore_play(kept.play, kept.chance if kept.seal is None else None)
        table._crossed = kept.crossed
        table._pause = kept.pause
        table._games = kept.games
        table._deals = kept.deals
        table._seals = kept.seals
        table._players = kept.players
        for seat, (player, chair) in enumerate(zip(kept.players, table.seating.chairs, strict=False)):
            if chair.sitter is None or chair.sitter.id != player:  # somebody else was told of the last game
                table._forget_proofs(Seat(seat))
        table._next_dealer = kept.next_dealer
        table._event_log.restore(kept.event_log)
        table._decision = kept.decision
        table._mover = kept.mover
        table._turn = kept.turn
        if kept.seal is not None:
            assert kept.chance is not None
            table._chance = kept.chance
            table._seal = SealedDeal(kept.seal, kept.chance, table.id)
        return table

    def _restore_play(self, kept: PlayCheckpoint, chance: Chance | None) -> None:
        record = kept.record if chance is None else with_live(kept.record, chance)
        follower = DealFollower(record, [*map(Seat, range(len(self.seating.chairs))), GALLERY])
        self._play = Play.restored(self._game, record, begun=kept.begun, follow=follower.follow)
        self._provers.extend(follower.provers[-PROVERS:])
        if follower.live is not None and isinstance(self._play.awaits, Turn):
            self._live = follower.live
            self._chance = chance or chance_of(follower.live.pack)

    def _record(self, play: Play) -> GameRecord:
        return play.record(self.id, self._rule_set_name, self._options, is_exhibition=self._is_exhibition)

    # --- what can be asked of it ---

    @property
    def state(self) -> TableState:
        if self._is_playing:
            return TableState.PAUSED if self._is_paused else TableState.PLAYING
        return TableState.BETWEEN if self.seating.is_full else TableState.FILLING

    @property
    def info(self) -> TableInfo:
        return TableInfo(
            id=self.id,
            game=self._rule_set_name,
            options=self._options,
            seats=tuple([chair.info() for chair in self.seating.chairs]),
            clock=self.clock,
            state=self.state,
            games=self._games,
            watchers=len(self.seating.watchers),
            is_locked=bool(self.passcode),
            is_gallery_open=self.seating.is_gallery_open,
            admits=self.seating.admits,
            is_exhibition=self._is_exhibition,
            pause=None if self._pause is None else self._pause.info(),
        )

    @property
    def _is_playing(self) -> bool:
        return self._play is not None and not self._play.is_over

    @property
    def _is_paused(self) -> bool:
        return self._pause is not None and self._pause.is_on

    # --- telling ---

    def _begin_viewer(self, seat: Seat) -> None:
        """Somebody else is at this seat from now on, and may never learn what the one before was told."""
        self._event_log.begin(seat)
        self._forget_proofs(seat)

    def _forget_proofs(self, seat: Seat) -> None:
        for prover in self._provers:
            prover.forget(seat)

    def _publish(
        self,
        facts: tuple[Fact, ...],
        now: int,
        *,
        is_game_new: bool = False,
        is_info_new: bool = False,
    ) -> list[Effect]:
        """Number the facts and tell each viewer what they may see of them."""
        seen = self._event_log.record(facts)
        info = self.info if is_info_new else None
        turn = self._turn_told(now) if is_game_new else None
        effects: list[Effect] = []
        live = self._live
        if live is not None and facts:
            live.note(seen)
        prover = None if live is None else live.prover
        for viewer, events in seen.items():
            people = self.seating.people_as(viewer)
            if prover is not None and events and (asking := self._people_who_prove(people)):
                openings = prover.see(viewer, events)
                if openings is not None:
                    effects.append(Tell(asking, openings))
            if people and (events or info is not None or is_game_new):
                first = self._event_log.number(viewer) - len(events) + 1
                view = self._view(viewer) if is_game_new else None
                message = Events(self.id, first, events, info=info, view=view, turn=turn)
                effects.append(Tell(people, message))
        return effects

    def _view(self, viewer: Viewer) -> GameView | None:
        return None if self._play is None else self._play.view(viewer)

    def _turn_told(self, now: int) -> TurnTold | None:
        if self._mover is None:
            return None
        timer = None if self._pause is None else self._pause.timer
        return TurnTold(
            self._mover,
            self._turn.remaining(now),
            self.seating.chairs[self._mover].bank.remaining(now),
            None if timer is None else timer.remaining(now),
        )

    def _missed(
        self, person: PersonId, first: int, events: tuple[Event, ...], viewer: Viewer, now: int
    ) -> list[Effect]:
        """What a person missed, in as many messages as it takes; the last has the table as it is now.

        The proofs of the last two sealed deals are sent again, each behind the seal it belongs to or, if that was told
        before, at the beginning. Where more deals than these were missed, the table is shown anew.
        """
        proofs: list[Openings | None] = [None, None]
        split = 0
        if self._provers and self._asks_proof(person):
            if sum(isinstance(event, CutsShown) for event in events) >= PROVERS:
                return [self._snapshot(person, viewer, now)]
            latest = self._provers[-1]
            proofs[1] = latest.again(viewer)
            split = next((n for n, e in enumerate(events, 1) if isinstance(e, Sealed) and e.deal == latest.deal), 0)
            if split and len(self._provers) == PROVERS:
                proofs[0] = self._provers[0].again(viewer)
        told: list[Openings | tuple[Event, ...]] = []
        for openings, some in ((proofs[0], events[:split]), (proofs[1], events[split:])):
            if openings is not None:
                told.append(openings)
            told += [some[at : at + EVENTS_A_MESSAGE] for at in range(0, len(some), EVENTS_A_MESSAGE)]
        last: tuple[Event, ...] = ()
        if told and isinstance(told[-1], tuple):
            last = told[-1]
            told.pop()
        effects: list[Effect] = []
        for one in told:
            if isinstance(one, tuple):
                effects.append(Tell((person,), Events(self.id, first, one)))
                first += len(one)
            else:
                effects.append(Tell((person,), one))
        rest = Events(self.id, first, last, info=self.info, view=self._view(viewer), turn=self._turn_told(now))
        return [*effects, Tell((person,), rest)]

    def _snapshot(self, person: PersonId, viewer: Viewer, now: int) -> Tell:
        number = self._event_log.number(viewer)
        return Tell(
            (person,),
            TableSnapshot(
                self.id,
                viewer,
                number,
                self.info,
                view=self._view(viewer),
                turn=self._turn_told(now),
                sealed=None if self._seal is None else self._seal.sealed,
                links=() if self._seal is None else self._seal.shown,
            ),
        )

    def _decision_for(self, seat: Seat, now: int) -> list[Effect]:
        """The question to a player, if it is theirs."""
        sitter = self.seating.chairs[seat].sitter
        if self._mover != seat or sitter is None or self._is_paused:
            return []
        turn = self._turn_told(now)
        assert turn is not None
        assert self._play is not None
        decision = Decision(
            self.id,
            self._decision,
            self._play.asks(),
            self._play.choices(),
            turn_ms=turn.turn_ms,
            bank_ms=turn.bank_ms,
            why=self._play.why(),
        )
        return [Tell((sitter.id,), decision)]

    def _people_who_prove(self, people: Iterable[PersonId]) -> tuple[PersonId, ...]:
        return tuple([person for person in people if self._asks_proof(person)])

    def _keep_time(self, now: int) -> None:
        """Let each clock run exactly while it should."""
        is_on = not self._is_paused
        for chair in self.seating.chairs:
            _let(chair.bank, chair.is_away and is_on, now)
        mover = None if self._mover is None else self.seating.chairs[self._mover]
        _let(self._turn, mover is not None and not mover.is_away and is_on, now)
        if self._seal is not None:
            self._seal.keep_time(lambda seat: is_on and not self.seating.chairs[seat].is_away, now)


def _let(timer: Timer, runs: bool, now: int) -> None:
    if runs:
        timer.start(now)
    else:
        timer.stop(now)

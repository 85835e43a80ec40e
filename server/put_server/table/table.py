"""The table as a machine: commands and the time in, effects out.

Whoever asks has been let in by the lobby; what the table itself decides is who may do what here and now. Every
command checks first and changes after, so a `Refusal` leaves the table as it was. It is one module because every
command, of whatever kind, ends in the same few lines of telling.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import assert_never

from put_protocol.actions import Action
from put_protocol.cards import Card
from put_protocol.events import (
    Agreed,
    Event,
    GameEnded,
    GameStarted,
    GoOnAsked,
    PauseAsked,
    Paused,
    PresenceChanged,
    Said,
    Sat,
    Stood,
    WentOn,
)
from put_protocol.messages import Decision, Events, Left, TableSnapshot
from put_protocol.messages import Turn as TurnTold
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.views import ClockInfo, GameView, TableInfo, TableState
from put_server.games.facts import Fact, Open
from put_server.games.game import IllegalAction, NotAwaited, OptionValue, Over, RuleSet, Shuffle, Turn
from put_server.games.record import GameRecord, Player
from put_server.table.chairs import Chair, Sitter
from put_server.table.clock import Timer
from put_server.table.effects import Effect, GameOver, HouseGone, HouseSat, PersonId, TableId, Tell, WantPack
from put_server.table.kept import PlayKept, TableKept
from put_server.table.ledger import Ledger
from put_server.table.pause import USUAL_MINUTES, Pause
from put_server.table.play import Play
from put_server.table.refusal import Refusal
from put_server.table.talk import GalleryTalk

GALLERY_SIZE = 500
"""Spectators at one table: what one encoding of a view is sent to in a tick without holding up the loop."""

EVENTS_A_MESSAGE = 24
"""The longest talk takes 1.8 KiB, so even a tail of nothing else stays below a frame, with the table beside it."""


class Table:
    """One table."""

    def __init__(
        self,
        *,
        id: TableId,
        opener: PersonId,
        rule_set: RuleSet,
        options: Mapping[str, OptionValue],
        seats: int,
        clock: ClockInfo,
        passcode: str,
        is_gallery_open: bool,
        is_exhibition: bool,
        hire: "Callable[[Table], Sitter]",
    ) -> None:
        """`hire` finds a house player for a seat at this table."""
        self.id = id
        self.opener = opener
        self.passcode = passcode
        self.clock = clock
        self.chairs = [self._chair() for _ in range(seats)]
        self.watchers: dict[PersonId, str] = {}
        self._hire = hire
        self._resigned: set[Seat] = set()
        """Who gave up the game in play and kept his seat."""
        self._rule_set_name = rule_set.offer.name
        self._options = dict(options)
        self._is_gallery_open = is_gallery_open
        self._is_exhibition = is_exhibition or bool(options.get("arranged"))
        self._game = rule_set.make(seats, options)
        self._play: Play | None = None
        """The game in play, or the last one."""
        self._pause: Pause | None = None
        self._games = 0
        self._deals = 0
        """Packs wanted so far."""
        self._players: tuple[PersonId, ...] = ()
        """Of the last game."""
        self._next_dealer = Seat(0)
        self._ledger = Ledger([*(Seat(seat) for seat in range(seats)), GALLERY])
        self._decision = 0
        self._mover: Seat | None = None
        self._turn = Timer(None)

    def _chair(self, sitter: Sitter | None = None, gone: str = "") -> Chair:
        return Chair(Timer(self.clock.bank * 1000), sitter, agrees=sitter is not None, gone=gone)

    # --- at rest ---

    def kept(self) -> TableKept:
        """All that it needs to go on, apart from whatever happens to it from now on."""
        play = self._play
        return TableKept(
            id=self.id,
            opener=self.opener,
            rule_set=self._rule_set_name,
            options=self._options,
            clock=self.clock,
            passcode=self.passcode,
            is_gallery_open=self._is_gallery_open,
            is_exhibition=self._is_exhibition,
            chairs=tuple([replace(chair, bank=replace(chair.bank)) for chair in self.chairs]),
            watchers=tuple(self.watchers.items()),
            resigned=tuple(sorted(self._resigned)),
            play=None if play is None else PlayKept(self._record(play), play.begun),
            pause=deepcopy(self._pause),
            games=self._games,
            deals=self._deals,
            players=self._players,
            next_dealer=self._next_dealer,
            ledger=self._ledger.kept(),
            decision=self._decision,
            mover=self._mover,
            turn=replace(self._turn),
        )

    @classmethod
    def restored(cls, kept: TableKept, rule_set: RuleSet, hire: "Callable[[Table], Sitter]") -> "Table":
        """The table as it was.

        :raises BadRecord: its game does not follow from its own steps.
        """
        table = cls(
            id=kept.id,
            opener=kept.opener,
            rule_set=rule_set,
            options=kept.options,
            seats=len(kept.chairs),
            clock=kept.clock,
            passcode=kept.passcode,
            is_gallery_open=kept.is_gallery_open,
            is_exhibition=kept.is_exhibition,
            hire=hire,
        )
        table.chairs = list(kept.chairs)
        table.watchers = dict(kept.watchers)
        table._resigned = set(kept.resigned)
        if kept.play is not None:
            table._play = Play.restored(table._game, kept.play.record, begun=kept.play.begun)
        table._pause = kept.pause
        table._games = kept.games
        table._deals = kept.deals
        table._players = kept.players
        table._next_dealer = kept.next_dealer
        table._ledger.restore(kept.ledger)
        table._decision = kept.decision
        table._mover = kept.mover
        table._turn = kept.turn
        return table

    def _record(self, play: Play) -> GameRecord:
        return play.record(self.id, self._rule_set_name, self._options, is_exhibition=self._is_exhibition)

    # --- what can be asked of it ---

    @property
    def state(self) -> TableState:
        if self._is_playing:
            return TableState.PAUSED if self._is_paused else TableState.PLAYING
        return TableState.FILLING if any(chair.sitter is None for chair in self.chairs) else TableState.BETWEEN

    @property
    def info(self) -> TableInfo:
        return TableInfo(
            id=self.id,
            game=self._rule_set_name,
            options=self._options,
            seats=tuple([chair.info() for chair in self.chairs]),
            clock=self.clock,
            state=self.state,
            games=self._games,
            watchers=len(self.watchers),
            is_locked=bool(self.passcode),
            is_gallery_open=self._is_gallery_open,
            is_exhibition=self._is_exhibition,
            pause=None if self._pause is None else self._pause.info(),
        )

    @property
    def _is_playing(self) -> bool:
        return self._play is not None and not self._play.is_over

    @property
    def _is_paused(self) -> bool:
        return self._pause is not None and self._pause.is_on

    def seat_of(self, person: PersonId) -> Seat | None:
        """Where a person sits."""
        for seat, chair in enumerate(self.chairs):
            if chair.sitter is not None and chair.sitter.id == person:
                return Seat(seat)
        return None

    def viewer_of(self, person: PersonId) -> Viewer | None:
        """As whom a person sees the table; None: he is not at it."""
        seat = self.seat_of(person)
        if seat is not None:
            return seat
        return GALLERY if person in self.watchers else None

    @property
    def people(self) -> tuple[PersonId, ...]:
        """Everybody at it but the house."""
        sitters = [c.sitter.id for c in self.chairs if c.sitter is not None and not c.sitter.is_house]
        return (*sitters, *self.watchers)

    @property
    def is_empty(self) -> bool:
        """Nobody sits, not even the house."""
        return all(chair.sitter is None for chair in self.chairs)

    # --- coming and going ---

    def sit(self, sitter: Sitter, seat: Seat | None, now: int) -> tuple[Seat, list[Effect]]:
        """Take a seat; the game starts when it was the last."""
        if self.seat_of(sitter.id) is not None:
            raise Refusal(RefusalCode.ALREADY_THERE, "you sit at this table already")
        if self._is_playing:
            raise Refusal(RefusalCode.GAME_IN_PLAY, "a game is in play; seats can be taken when it is over")
        seat = self._free_seat(seat)
        self.watchers.pop(sitter.id, None)
        self.chairs[seat] = self._chair(sitter)
        effects = self._publish((Open(Sat(seat, sitter.name, sitter.is_house)),), now, is_info_new=True)
        # He learns of it by the picture of the table as he sees it from now on.
        effects = [_without(effect, sitter.id) for effect in effects]
        self._ledger.begin(seat)
        if sitter.is_house:
            effects.append(HouseSat(sitter.id, sitter.house))
        effects.append(self._snapshot(sitter.id, seat, now))
        effects += self._start_if_agreed(now)
        return seat, effects

    def _free_seat(self, seat: Seat | None) -> Seat:
        if seat is not None and seat >= len(self.chairs):
            raise Refusal(RefusalCode.NO_SUCH_SEAT, f"this table has seats 0 to {len(self.chairs) - 1}", field="seat")
        wanted = range(len(self.chairs)) if seat is None else (seat,)
        for free in wanted:
            if self.chairs[free].sitter is None:
                return Seat(free)
        raise Refusal(RefusalCode.SEAT_TAKEN, "no seat is free" if seat is None else f"seat {seat} is taken")

    def stand(self, person: PersonId, now: int) -> list[Effect]:
        """Give up a seat and watch no more, between games."""
        seat = self._seat_needed(person)
        if self._is_playing:
            raise Refusal(RefusalCode.GAME_IN_PLAY, "a game is in play: resign, or leave, first")
        return self._vacate(seat, now)

    def leave(self, person: PersonId, now: int) -> list[Effect]:
        """Go away, giving up the game if one is in play."""
        seat = self.seat_of(person)
        if seat is None:
            self._watching_needed(person)
            del self.watchers[person]
            return self._publish((), now, is_info_new=True)
        if self._is_playing and self._options.get("abandoned") == "house" and seat not in self._resigned:
            return self._stand_in(seat, now)
        effects = self._forfeit(seat, now) if self._is_playing else []
        return effects + self._vacate(seat, now)

    def _stand_in(self, seat: Seat, now: int) -> list[Effect]:
        """The house plays on for whoever goes: the seat, its cards and its question are the same."""
        gone = self.chairs[seat].sitter
        assert gone is not None
        assert self._play is not None
        effects: list[Effect] = [HouseGone(gone.id)] if gone.is_house else []
        sitter = self._hire(self)
        self.chairs[seat] = self._chair(sitter)
        self._play.stand_in(seat, _player(sitter), now)
        self._ledger.begin(seat)
        facts = (Open(Stood(seat, gone.name)), Open(Sat(seat, sitter.name, is_house=True)))
        effects += [HouseSat(sitter.id, sitter.house), *self._publish(facts, now, is_info_new=True)]
        self._keep_time(now)
        effects += [self._snapshot(sitter.id, seat, now), *self._decision_for(seat, now)]
        return effects + self._settle_pause(now)

    def dismiss(self, seat: Seat, now: int) -> list[Effect]:
        """Send a house player away."""
        sitter = self.chairs[seat].sitter if seat < len(self.chairs) else None
        if sitter is None or not sitter.is_house:
            raise Refusal(RefusalCode.NO_SUCH_SEAT, f"no house player sits in seat {seat}", field="seat")
        return self.stand(sitter.id, now)

    def watch(self, person: PersonId, name: str, now: int) -> list[Effect]:
        """Join the gallery."""
        if self.viewer_of(person) is not None:
            raise Refusal(RefusalCode.ALREADY_THERE, "you are at this table already")
        if not self._is_gallery_open:
            raise Refusal(RefusalCode.GALLERY_SHUT, "this table admits no spectators")
        if len(self.watchers) >= GALLERY_SIZE:
            raise Refusal(RefusalCode.GALLERY_SHUT, "the gallery is full")
        self.watchers[person] = name
        effects = [_without(effect, person) for effect in self._publish((), now, is_info_new=True)]
        return [*effects, self._snapshot(person, GALLERY, now)]

    def _vacate(self, seat: Seat, now: int) -> list[Effect]:
        sitter = self.chairs[seat].sitter
        assert sitter is not None
        self.chairs[seat] = self._chair(gone=sitter.name if self._is_playing else "")
        if self._pause is not None:
            self._pause.seats.discard(seat)
        effects: list[Effect] = [HouseGone(sitter.id)] if sitter.is_house else []
        effects += self._publish((Open(Stood(seat, sitter.name)),), now, is_info_new=True)
        return effects + self._settle_pause(now)

    def close(self, says: str) -> list[Effect]:
        """Everybody is sent away; the table is no more."""
        houses = [c.sitter.id for c in self.chairs if c.sitter is not None and c.sitter.is_house]
        effects: list[Effect] = [HouseGone(house) for house in houses]
        if people := self.people:
            effects.append(Tell(people, Left(self.id, says)))
        return effects

    # --- presence ---

    def lose(self, person: PersonId, now: int) -> list[Effect]:
        """A person's connection is lost: a player's bank runs, a spectator's place waits for the lobby to end it."""
        seat = self.seat_of(person)
        if seat is None or self.chairs[seat].is_away:
            return []
        self.chairs[seat].is_away = True
        if self._pause is not None:
            self._pause.seats.discard(seat)  # who is not here is not ready
        self._keep_time(now)
        return self._publish((Open(PresenceChanged(seat, away=True)),), now, is_info_new=True)

    def find(self, person: PersonId, number: int | None, now: int) -> list[Effect]:
        """He is back, having followed up to this event: the rest of the tale, or the whole picture."""
        viewer = self.viewer_of(person)
        assert viewer is not None
        effects: list[Effect] = []
        missed = None if number is None else self._ledger.since(viewer, number)
        if missed is None:
            effects.append(self._snapshot(person, viewer, now))
        else:
            assert number is not None
            effects += self._missed(person, number + 1, missed, viewer, now)
        if viewer == GALLERY:
            return effects
        chair = self.chairs[viewer]
        if chair.is_away:
            chair.is_away = False
            self._keep_time(now)
            effects += self._publish((Open(PresenceChanged(viewer, away=False)),), now, is_info_new=True)
        return effects + self._decision_for(viewer, now)

    def wake_house(self, now: int) -> list[Effect]:
        """Seat the house players anew and tell them everything, the decision that waits for one included."""
        effects: list[Effect] = []
        for chair in self.chairs:
            if chair.sitter is not None and chair.sitter.is_house:
                effects.append(HouseSat(chair.sitter.id, chair.sitter.house))
                effects += self.find(chair.sitter.id, None, now)
        return effects

    # --- the game ---

    def act(self, person: PersonId, decision: int, action: Action, now: int) -> list[Effect]:
        """Answer a decision. What is accepted cannot be taken back (Law 7)."""
        seat = self._seat_needed(person)
        play = self._play_needed()
        if self._is_paused:
            raise Refusal(RefusalCode.PAUSED, "the game is paused")
        if decision != self._decision:
            is_past = decision < self._decision
            raise Refusal(
                RefusalCode.TOO_LATE if is_past else RefusalCode.NOT_YOUR_TURN,
                f"decision {decision} is over" if is_past else f"decision {decision} was not asked yet",
                field="decision",
            )
        if self._mover != seat:
            raise Refusal(RefusalCode.NOT_YOUR_TURN, "somebody else is to move")
        try:
            facts = play.act(action, now)
        except IllegalAction:
            raise Refusal(
                RefusalCode.ILLEGAL, "that is not among the legal actions of this decision", field="action"
            ) from None
        return self._advance(play, facts, now)

    def shuffled(self, pack: tuple[Card, ...], now: int) -> list[Effect]:
        """The pack that was wanted.

        :raises NotAwaited: none was, or not these cards.
        """
        if self._play is None:
            raise NotAwaited("no game is in play")
        return self._advance(self._play, self._play.deal(pack, now), now)

    def resign(self, person: PersonId, now: int) -> list[Effect]:
        """Give the game up and keep the seat."""
        seat = self._seat_needed(person)
        self._play_needed()
        return [*self._forfeit(seat, now), *self._settle_pause(now)]

    def _forfeit(self, seat: Seat, now: int) -> list[Effect]:
        assert self._play is not None
        self._resigned.add(seat)
        try:
            facts = self._play.leave(seat, now)
        except NotAwaited:
            return []  # he had given it up before
        return self._advance(self._play, facts, now)

    def again(self, person: PersonId, now: int) -> list[Effect]:
        """Ask for another game. The house is always willing, and where only it sits a spectator may ask."""
        if self._is_playing:
            raise Refusal(RefusalCode.GAME_IN_PLAY, "a game is in play")
        if person in self.watchers and all(c.sitter is not None and c.sitter.is_house for c in self.chairs):
            return self._start_if_agreed(now)
        seat = self._seat_needed(person)
        chair = self.chairs[seat]
        if chair.agrees:
            raise Refusal(RefusalCode.ALREADY_THERE, "you have asked for another game already")
        chair.agrees = True
        return self._publish((Open(Agreed(seat)),), now, is_info_new=True) + self._start_if_agreed(now)

    def _start_if_agreed(self, now: int) -> list[Effect]:
        sitters = [chair.sitter for chair in self.chairs if chair.agrees and chair.sitter is not None]
        if len(sitters) < len(self.chairs):
            return []
        players = tuple(sitter.id for sitter in sitters)
        dealer = self._next_dealer if players == self._players else None
        self._players = players
        self._games += 1
        self._resigned.clear()
        for chair in self.chairs:
            chair.bank = Timer(self.clock.bank * 1000)
        self._play = Play(self._game, number=self._games, players=tuple(map(_player, sitters)), dealer=dealer, now=now)
        started = Open(GameStarted(self._games, tuple(sitter.name for sitter in sitters)))
        return self._advance(self._play, (started,), now, is_info_new=True)

    def _advance(self, play: Play, facts: tuple[Fact, ...], now: int, *, is_info_new: bool = False) -> list[Effect]:
        """The game moved: tell it, and ask for what it awaits next."""
        is_info_new = self._pay(play) or is_info_new
        self._mover = None
        self._turn = Timer(None)
        awaits = play.awaits
        match awaits:
            case Turn(seat=seat):
                self._decision += 1
                self._mover = seat
                self._turn = Timer(self.clock.turn * 1000 or None)
                self._keep_time(now)
                effects = self._publish(facts, now, is_game_new=True, is_info_new=is_info_new)
                return effects + self._decision_for(seat, now)
            case Shuffle(cards=cards, top=top):
                self._deals += 1
                effects = self._publish(facts, now, is_game_new=True, is_info_new=is_info_new)
                return [*effects, WantPack(self.id, self._deals, cards, top)]
            case Over(dealer=dealer):
                self._end_game(dealer, now)
                end = [event for fact in facts if isinstance(event := fact.seen_by(GALLERY), GameEnded)]
                effects = self._publish(facts, now, is_game_new=True, is_info_new=True)
                return [*effects, GameOver(self._record(play), end[-1] if end else None)]
            case _:
                assert_never(awaits)

    def _pay(self, play: Play) -> bool:
        """Put into the purses what the game has paid since the last time; whether it was anything."""
        gains = play.gains()
        for chair, gain in zip(self.chairs, gains, strict=False):
            chair.purse += gain
        return bool(gains)

    def _end_game(self, dealer: Seat, now: int) -> None:
        self._next_dealer = dealer
        self._pause = None
        for chair in self.chairs:
            chair.agrees = chair.sitter is not None and chair.sitter.is_house
            chair.gone = ""
        self._keep_time(now)

    # --- pauses ---

    def pause(self, person: PersonId, minutes: int, now: int) -> list[Effect]:
        """Ask for a pause, or agree to the one asked for; it begins when all who sit have."""
        seat = self._player_needed(person)
        if self._is_paused:
            raise Refusal(RefusalCode.PAUSED, "the game is paused already")
        asked = self._pause
        if minutes == 0:
            minutes = USUAL_MINUTES if asked is None else asked.minutes
        if asked is None or asked.minutes != minutes:
            asked = Pause(minutes)
        elif seat in asked.seats:
            raise Refusal(RefusalCode.ALREADY_THERE, "you have asked for this pause already")
        self._pause = asked
        asked.seats.add(seat)
        effects = self._publish((Open(PauseAsked(seat, minutes)),), now, is_info_new=True)
        return effects + self._settle_pause(now)

    def go_on(self, person: PersonId, now: int) -> list[Effect]:
        """Be ready to go on after a pause."""
        seat = self._player_needed(person)
        pause = self._pause
        if pause is None or not pause.is_on:
            raise Refusal(RefusalCode.PAUSED, "the game is not paused")
        if seat in pause.seats:
            raise Refusal(RefusalCode.ALREADY_THERE, "you are ready already")
        pause.seats.add(seat)
        effects = self._publish((Open(GoOnAsked(seat)),), now, is_info_new=True)
        return effects + self._settle_pause(now)

    def _settle_pause(self, now: int) -> list[Effect]:
        """Begin or end a pause if everyone who has a say in it wants that. The house is always willing."""
        pause = self._pause
        if pause is None:
            return []
        wanted = {
            seat
            for seat, chair in enumerate(self.chairs)
            if chair.sitter is not None and not chair.sitter.is_house and seat not in self._resigned
        }
        if not wanted:
            return self._end_pause(now, by_time=False) if pause.is_on else []
        if not wanted <= pause.seats:
            return []
        if pause.is_on:
            return self._end_pause(now, by_time=False)
        pause.begin(now)
        self._keep_time(now)
        return self._publish((Open(Paused(pause.minutes)),), now, is_game_new=True, is_info_new=True)

    def _end_pause(self, now: int, *, by_time: bool) -> list[Effect]:
        self._pause = None
        self._keep_time(now)
        effects = self._publish((Open(WentOn(by_time=by_time)),), now, is_game_new=True, is_info_new=True)
        return effects if self._mover is None else effects + self._decision_for(self._mover, now)

    # --- time ---

    def tick(self, now: int) -> list[Effect]:
        """Do what time has decided, one thing at a time; call again until nothing comes.

        While a pack is wanted nothing is decided: what it deals comes first.
        """
        if self._play is not None and isinstance(self._play.awaits, Shuffle):
            return []
        if self._pause is not None and self._pause.timer is not None:
            return self._end_pause(now, by_time=True) if self._pause.timer.is_spent(now) else []
        for chair in self.chairs:
            if chair.sitter is not None and chair.bank.is_spent(now):
                left = Tell((chair.sitter.id,), Left(self.id, "you were away for too long"))
                return [*self.leave(chair.sitter.id, now), left]
        if self._play is not None and self._mover is not None and self._turn.is_spent(now):
            return self._advance(self._play, self._play.expire(now), now)
        return []

    def _keep_time(self, now: int) -> None:
        """Let each clock run exactly while it should."""
        is_on = not self._is_paused
        for chair in self.chairs:
            _let(chair.bank, chair.is_away and is_on, now)
        mover = None if self._mover is None else self.chairs[self._mover]
        _let(self._turn, mover is not None and not mover.is_away and is_on, now)

    # --- talk ---

    def say(self, person: PersonId, name: str, text: str, now: int) -> list[Effect]:
        """From a seat to everyone here; from the gallery to the gallery, until the game is over."""
        seat = self.seat_of(person)
        if seat is None:
            self._watching_needed(person)
        said = Said(name, text, seat)
        fact = GalleryTalk(said) if seat is None and self._is_playing else Open(said)
        return self._publish((fact,), now)

    # --- telling ---

    def _publish(
        self,
        facts: tuple[Fact, ...],
        now: int,
        *,
        is_game_new: bool = False,
        is_info_new: bool = False,
    ) -> list[Effect]:
        """Number the facts and tell each viewer what he may see of them."""
        seen = self._ledger.record(facts)
        info = self.info if is_info_new else None
        turn = self._turn_told(now) if is_game_new else None
        effects: list[Effect] = []
        for viewer, events in seen.items():
            people = self._people_as(viewer)
            if people and (events or info is not None or is_game_new):
                first = self._ledger.number(viewer) - len(events) + 1
                view = self._view(viewer) if is_game_new else None
                message = Events(self.id, first, events, info=info, view=view, turn=turn)
                effects.append(Tell(people, message))
        return effects

    def _people_as(self, viewer: Viewer) -> tuple[PersonId, ...]:
        if viewer == GALLERY:
            return tuple(self.watchers)
        sitter = self.chairs[viewer].sitter
        return () if sitter is None else (sitter.id,)

    def _view(self, viewer: Viewer) -> GameView | None:
        return None if self._play is None else self._play.view(viewer)

    def _turn_told(self, now: int) -> TurnTold | None:
        if self._mover is None:
            return None
        timer = None if self._pause is None else self._pause.timer
        return TurnTold(
            self._mover,
            self._turn.remaining(now),
            self.chairs[self._mover].bank.remaining(now),
            None if timer is None else timer.remaining(now),
        )

    def _missed(
        self, person: PersonId, first: int, events: tuple[Event, ...], viewer: Viewer, now: int
    ) -> list[Effect]:
        """What he missed, in as many messages as it takes; the last has the table as it is now, also if it is all."""
        effects: list[Effect] = []
        while len(events) > EVENTS_A_MESSAGE:
            effects.append(Tell((person,), Events(self.id, first, events[:EVENTS_A_MESSAGE])))
            first, events = first + EVENTS_A_MESSAGE, events[EVENTS_A_MESSAGE:]
        turn = self._turn_told(now)
        last = Events(self.id, first, events, info=self.info, view=self._view(viewer), turn=turn)
        return [*effects, Tell((person,), last)]

    def _snapshot(self, person: PersonId, viewer: Viewer, now: int) -> Tell:
        number = self._ledger.number(viewer)
        return Tell(
            (person,),
            TableSnapshot(self.id, viewer, number, self.info, view=self._view(viewer), turn=self._turn_told(now)),
        )

    def _decision_for(self, seat: Seat, now: int) -> list[Effect]:
        """The question to a player, if it is his."""
        sitter = self.chairs[seat].sitter
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
        )
        return [Tell((sitter.id,), decision)]

    # --- checks ---

    def _seat_needed(self, person: PersonId) -> Seat:
        seat = self.seat_of(person)
        if seat is None:
            raise Refusal(RefusalCode.NOT_THERE, "you do not sit at this table")
        return seat

    def _play_needed(self) -> Play:
        if self._play is None or self._play.is_over:
            raise Refusal(RefusalCode.NO_GAME, "no game is in play")
        return self._play

    def _player_needed(self, person: PersonId) -> Seat:
        seat = self._seat_needed(person)
        self._play_needed()
        if seat in self._resigned:
            raise Refusal(RefusalCode.NO_GAME, "you have given this game up")
        return seat

    def _watching_needed(self, person: PersonId) -> None:
        if person not in self.watchers:
            raise Refusal(RefusalCode.NOT_THERE, "you are not at this table")


def _without(effect: Effect, person: PersonId) -> Effect:
    """The effect without telling this person."""
    if isinstance(effect, Tell) and person in effect.people:
        return Tell(tuple(p for p in effect.people if p != person), effect.message)
    return effect


def _player(sitter: Sitter) -> Player:
    return Player(sitter.name, sitter.is_bot, sitter.is_house)


def _let(timer: Timer, runs: bool, now: int) -> None:
    if runs:
        timer.start(now)
    else:
        timer.stop(now)

"""The table as a machine: commands and the time in, effects out.

Whoever asks has been let in by the lobby; what the table itself decides is who may do what here and now. Every
command checks first and changes after, so a `Refusal` leaves the table as it was. It is one module because every
command, of whatever kind, ends in the same few lines of telling.
"""

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from put_protocol.actions import Action
from put_protocol.cards import Card
from put_protocol.events import Agreed, Event, GameStarted, PresenceChanged, Said, Sat, Stood
from put_protocol.messages import Decision, Events, Left, TableSnapshot
from put_protocol.messages import Turn as TurnTold
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.views import ClockInfo, GameView, TableInfo, TableState
from put_server.games.facts import Fact, Open
from put_server.games.game import Game, IllegalAction, OptionValue, Over, RuleSet, Shuffle, Turn
from put_server.table.chairs import Chair, Sitter
from put_server.table.clock import Timer
from put_server.table.effects import Effect, HouseGone, HouseSat, PersonId, TableId, Tell, WantPack
from put_server.table.ledger import Ledger
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
        hire: "Callable[[Table], tuple[Sitter, str]]",
    ) -> None:
        """`hire` finds a house player for a seat at this table, and says of which kind he is."""
        self.id = id
        self.opener = opener
        self.passcode = passcode
        self.clock = clock
        self.chairs = [Chair() for _ in range(seats)]
        self.watchers: dict[PersonId, str] = {}
        self._hire = hire
        self._resigned: set[Seat] = set()
        """Who gave up the game in play and kept his seat."""
        self._rule_set_name = rule_set.offer.name
        self._options = dict(options)
        self._is_gallery_open = is_gallery_open
        self._is_exhibition = is_exhibition or bool(options.get("arranged"))
        self._game: Game[Any] = rule_set.make(seats, options)
        self._state: Any = None
        """The game's own; the table never looks into it."""
        self._paid: tuple[int, ...] = ()
        """By the game in play, as far as it is in the purses."""
        self._is_playing = False
        self._games = 0
        self._players: tuple[PersonId, ...] = ()
        """Of the last game."""
        self._next_dealer = Seat(0)
        self._ledger = Ledger([*(Seat(seat) for seat in range(seats)), GALLERY])
        self._decision = 0
        self._mover: Seat | None = None
        self._turn = Timer(None)

    # --- what can be asked of it ---

    @property
    def state(self) -> TableState:
        if self._is_playing:
            return TableState.PLAYING
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
        )

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
        chair = self.chairs[seat]
        self.watchers.pop(sitter.id, None)
        chair.sitter, chair.agrees, chair.purse = sitter, True, 0
        chair.bank = Timer(self.clock.bank * 1000)
        effects = self._publish((Open(Sat(seat, sitter.name, sitter.is_house)),), now, is_info_new=True)
        # He learns of it by the picture of the table as he sees it from now on.
        effects = [_without(effect, sitter.id) for effect in effects]
        self._ledger.begin(seat)
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
        chair = self.chairs[seat]
        gone = chair.sitter
        assert gone is not None
        effects: list[Effect] = [HouseGone(gone.id)] if gone.is_house else []
        sitter, house = self._hire(self)
        self.chairs[seat] = Chair(sitter=sitter, agrees=True, bank=Timer(self.clock.bank * 1000))
        self._ledger.begin(seat)
        facts = (Open(Stood(seat, gone.name)), Open(Sat(seat, sitter.name, is_house=True)))
        effects += [HouseSat(sitter.id, house), *self._publish(facts, now, is_info_new=True)]
        if self._mover == seat:
            self._turn.start(now)
        return [*effects, self._snapshot(sitter.id, seat, now), *self._decision_for(seat, now)]

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
        self.chairs[seat] = Chair()
        effects: list[Effect] = [HouseGone(sitter.id)] if sitter.is_house else []
        return effects + self._publish((Open(Stood(seat, sitter.name)),), now, is_info_new=True)

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
        bank = self.chairs[seat].bank
        assert bank is not None
        bank.start(now)
        if self._mover == seat:
            self._turn.stop(now)
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
            assert chair.bank is not None
            chair.bank.stop(now)
            if self._mover == viewer:
                self._turn.start(now)
            effects += self._publish((Open(PresenceChanged(viewer, away=False)),), now, is_info_new=True)
        return effects + self._decision_for(viewer, now)

    def wake_house(self, now: int) -> list[Effect]:
        """Tell the house players everything again, the decision that waits for one included."""
        effects: list[Effect] = []
        for chair in self.chairs:
            if chair.sitter is not None and chair.sitter.is_house:
                effects += self.find(chair.sitter.id, None, now)
        return effects

    # --- the game ---

    def act(self, person: PersonId, decision: int, action: Action, now: int) -> list[Effect]:
        """Answer a decision. What is accepted cannot be taken back (Law 7)."""
        seat = self._seat_needed(person)
        if not self._is_playing:
            raise Refusal(RefusalCode.NO_GAME, "no game is in play")
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
            state, facts = self._game.act(self._state, action)
        except IllegalAction:
            raise Refusal(
                RefusalCode.ILLEGAL, "that is not among the legal actions of this decision", field="action"
            ) from None
        return self._advance(state, facts, now)

    def shuffled(self, pack: tuple[Card, ...], now: int) -> list[Effect]:
        """The pack that was wanted."""
        return self._advance(*self._game.deal(self._state, pack), now)

    def resign(self, person: PersonId, now: int) -> list[Effect]:
        """Give the game up and keep the seat."""
        seat = self._seat_needed(person)
        if not self._is_playing:
            raise Refusal(RefusalCode.NO_GAME, "no game is in play")
        self._resigned.add(seat)
        return self._forfeit(seat, now)

    def _forfeit(self, seat: Seat, now: int) -> list[Effect]:
        try:
            state, facts = self._game.leave(self._state, seat)
        except ValueError:
            return []  # he had given it up before
        return self._advance(state, facts, now)

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
        self._is_playing = True
        self._resigned.clear()
        self._paid = (0,) * len(self.chairs)
        for chair in self.chairs:
            assert chair.bank is not None
            was_away = chair.is_away
            chair.bank = Timer(self.clock.bank * 1000)
            if was_away:
                chair.bank.start(now)
        started = Open(GameStarted(self._games, tuple(sitter.name for sitter in sitters)))
        return self._advance(self._game.begin(dealer), (started,), now, is_info_new=True)

    def _advance(self, state: Any, facts: tuple[Fact, ...], now: int, *, is_info_new: bool = False) -> list[Effect]:
        """The game moved: tell it, and ask for what it awaits next."""
        self._state = state
        is_info_new = self._pay() or is_info_new
        self._mover = None
        self._turn = Timer(None)
        awaits = self._game.awaits(state)
        match awaits:
            case Turn(seat=seat):
                self._decision += 1
                self._mover = seat
                self._turn = Timer(self.clock.turn * 1000 or None)
                if not self.chairs[seat].is_away:
                    self._turn.start(now)
                effects = self._publish(facts, now, is_game_new=True, is_info_new=is_info_new)
                return effects + self._decision_for(seat, now)
            case Shuffle(cards=cards, top=top):
                effects = self._publish(facts, now, is_game_new=True, is_info_new=is_info_new)
                return [*effects, WantPack(self.id, cards, top)]
            case Over(dealer=dealer):
                self._end_game(dealer)
                return self._publish(facts, now, is_game_new=True, is_info_new=True)
            case _:
                assert_never(awaits)

    def _pay(self) -> bool:
        """Put into the purses what the game has paid since the last time; whether it was anything."""
        paid = self._game.paid(self._state)
        if paid == self._paid:
            return False
        for chair, before, now in zip(self.chairs, self._paid, paid, strict=True):
            chair.purse += now - before
        self._paid = paid
        return True

    def _end_game(self, dealer: Seat) -> None:
        self._is_playing = False
        self._next_dealer = dealer
        for chair in self.chairs:
            chair.agrees = chair.sitter is not None and chair.sitter.is_house

    # --- time ---

    def tick(self, now: int) -> list[Effect]:
        """Do what time has decided, one thing at a time; call again until nothing comes.

        While a pack is wanted nothing is decided: what it deals comes first.
        """
        if self._is_playing and isinstance(self._game.awaits(self._state), Shuffle):
            return []
        for chair in self.chairs:
            if chair.bank is not None and chair.bank.is_spent(now) and chair.sitter is not None:
                left = Tell((chair.sitter.id,), Left(self.id, "you were away for too long"))
                return [*self.leave(chair.sitter.id, now), left]
        if self._mover is not None and self._turn.is_spent(now):
            return self._advance(*self._game.expire(self._state), now)
        return []

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
        return None if self._state is None else self._game.view(self._state, viewer)

    def _turn_told(self, now: int) -> TurnTold | None:
        if self._mover is None:
            return None
        bank = self.chairs[self._mover].bank
        return TurnTold(self._mover, self._turn.remaining(now), None if bank is None else bank.remaining(now))

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
        if self._mover != seat or sitter is None:
            return []
        turn = self._turn_told(now)
        assert turn is not None
        decision = Decision(
            self.id,
            self._decision,
            self._game.asks(self._state),
            self._game.choices(self._state),
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

    def _watching_needed(self, person: PersonId) -> None:
        if person not in self.watchers:
            raise Refusal(RefusalCode.NOT_THERE, "you are not at this table")


def _without(effect: Effect, person: PersonId) -> Effect:
    """The effect without telling this person."""
    if isinstance(effect, Tell) and person in effect.people:
        return Tell(tuple(p for p in effect.people if p != person), effect.message)
    return effect

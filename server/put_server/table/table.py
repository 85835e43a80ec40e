"""The table as a machine: commands and the time in, effects out.

Whoever asks has been let in by the lobby; what the table itself decides is who may do what here and now. Every
command checks first and changes after, so a `Refusal` leaves the table as it was. It is one module because commands of
all kinds end in the same few transitions.
"""

from typing import assert_never

from put_protocol.cards import Card
from put_protocol.games.put import (
    GameEnded,
)
from put_protocol.games.unions import (
    Action,
)
from put_protocol.messages import Invited, Left
from put_protocol.refusals import RefusalCode
from put_protocol.seal.cuts import after
from put_protocol.seal_events import CutMade, CutsShown, DealVoided, Openings, Sealed
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import (
    Agreed,
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
from put_server.games.facts import Fact, Open
from put_server.games.game import IllegalAction, NotAwaited, Over, Shuffle, Turn
from put_server.games.live_deal import LiveDeal, opens_after
from put_server.games.record import Chance, Pack, Player
from put_server.table.clock import Timer
from put_server.table.effects import (
    DealOver,
    Effect,
    GameOver,
    HouseGone,
    HouseSat,
    Keep,
    PersonId,
    Tell,
    WantAnalysis,
    WantPack,
    WantPulse,
    WantSecret,
)
from put_server.table.pause import USUAL_MINUTES, Pause
from put_server.table.play import Play
from put_server.table.publisher import Picture
from put_server.table.refusal import Refusal
from put_server.table.sealing import MISSES, SealedDeal
from put_server.table.seating import Invitation, Sitter
from put_server.table.talk import GalleryTalk


class Table(Picture):
    """One table."""

    # --- coming and going ---

    def sit(self, sitter: Sitter, seat: Seat | None, now: int, end: bytes | None = None) -> tuple[Seat, list[Effect]]:
        """Take a seat; the game starts when it was the last. With the end of a chain one takes part in the cutting."""
        if self.seating.seat_of(sitter.id) is not None:
            raise Refusal(RefusalCode.ALREADY_THERE, "you sit at this table already")
        self.seating.require_admission(sitter.name, is_bot=sitter.is_bot, is_house=sitter.is_house)
        if self._is_playing:
            raise Refusal(RefusalCode.GAME_IN_PLAY, "a game is in play; seats can be taken when it is over")
        seat = self.seating.require_free_seat(seat)
        self.seating.sit(sitter, seat, end)
        effects = self._publish((Open(Sat(seat, sitter.name, sitter.is_house, sitter.is_bot)),), now, is_info_new=True)
        # The sitter learns of it by the picture of the table as they see it from now on.
        effects = [_without(effect, sitter.id) for effect in effects]
        self._begin_viewer(seat)
        if sitter.is_house:
            effects.append(HouseSat(sitter.id, sitter.house))
        effects.append(self._snapshot(sitter.id, seat, now))
        effects += self._start_if_agreed(now)
        return seat, effects

    def invite(self, person: PersonId, name: str, seat: Seat | None, by: str, *, is_bot: bool) -> list[Effect]:
        """Ask a guest to sit down; from now on they may without the passcode."""
        if self.seating.seat_of(person) is not None:
            raise Refusal(RefusalCode.ALREADY_THERE, f"{name} sits at this table already", field="person")
        self.seating.require_admission(name, is_bot=is_bot)
        if self._is_playing:
            raise Refusal(RefusalCode.GAME_IN_PLAY, "a game is in play; seats can be taken when it is over")
        self.seating.require_free_seat(seat)
        self.seating.invite(person, Invitation(by, seat))
        return self.invitation(person)

    def invitation(self, person: PersonId) -> list[Effect]:
        """The invitation, told or, after a lost connection, told again; nothing once the guest cannot sit down."""
        asked = self.seating.invited.get(person)
        if asked is None or self._is_playing or self.seating.is_full:
            return []
        return [Tell((person,), Invited(self.id, asked.by, self.info, asked.seat))]

    def stand(self, person: PersonId, now: int) -> list[Effect]:
        """Give up a seat and watch no more, between games."""
        seat = self.seating.require_seat(person)
        if self._is_playing:
            raise Refusal(RefusalCode.GAME_IN_PLAY, "a game is in play: resign, or leave, first")
        return self._vacate(seat, now)

    def leave(self, person: PersonId, now: int) -> list[Effect]:
        """Go away, giving up the game if one is in play."""
        seat = self.seating.seat_of(person)
        if seat is None:
            self.seating.require_spectator(person)
            del self.seating.watchers[person]
            return self._publish((), now, is_info_new=True)
        if self._is_playing and self._options.get("abandoned") == "house" and seat not in self._resigned:
            return self._stand_in(seat, now)
        effects = self._forfeit(seat, now) if self._is_playing else []
        return effects + self._vacate(seat, now)

    def _stand_in(self, seat: Seat, now: int) -> list[Effect]:
        """The house plays on for whoever goes: the seat, its cards and its question are the same."""
        gone = self.seating.chairs[seat].sitter
        assert gone is not None
        assert self._play is not None
        effects: list[Effect] = [HouseGone(gone.id)] if gone.is_house else []
        sitter = self._hire(self.info)
        self.seating.sit(sitter, seat)
        self._play.stand_in(seat, _player(sitter), now)
        self._begin_viewer(seat)
        facts: tuple[Fact, ...] = (Open(Stood(seat, gone.name)), Open(Sat(seat, sitter.name, is_house=True)))
        effects += [HouseSat(sitter.id, sitter.house), *self._publish(facts, now, is_info_new=True)]
        self._keep_time(now)
        effects += [self._snapshot(sitter.id, seat, now), *self._decision_for(seat, now)]
        return effects + self._settle_pause(now) + self._give_up_cut(seat, now)

    def dismiss(self, seat: Seat, now: int) -> list[Effect]:
        """Send a house player away."""
        sitter = self.seating.chairs[seat].sitter if seat < len(self.seating.chairs) else None
        if sitter is None or not sitter.is_house:
            raise Refusal(RefusalCode.NO_SUCH_SEAT, f"no house player sits in seat {seat}", field="seat")
        return self.stand(sitter.id, now)

    def watch(self, person: PersonId, name: str, now: int) -> list[Effect]:
        """Join the gallery."""
        if self.seating.viewer_of(person) is not None:
            raise Refusal(RefusalCode.ALREADY_THERE, "you are at this table already")
        self.seating.require_gallery()
        self.seating.watchers[person] = name
        effects = [_without(effect, person) for effect in self._publish((), now, is_info_new=True)]
        return [*effects, self._snapshot(person, GALLERY, now)]

    def _vacate(self, seat: Seat, now: int) -> list[Effect]:
        sitter = self.seating.chairs[seat].sitter
        assert sitter is not None
        self.seating.vacate(seat, gone=sitter.name if self._is_playing else "")
        if self._pause is not None:
            self._pause.seats.discard(seat)
        effects: list[Effect] = [HouseGone(sitter.id)] if sitter.is_house else []
        effects += self._publish((Open(Stood(seat, sitter.name)),), now, is_info_new=True)
        return effects + self._settle_pause(now) + self._give_up_cut(seat, now)

    def close(self, says: str) -> list[Effect]:
        """Everybody is sent away; the table is no more."""
        over = [] if self._play is None else self._finish_deal(self._play)
        houses = [sitter.id for sitter in self.seating.house_players]
        effects: list[Effect] = [*over, *[HouseGone(house) for house in houses]]
        if people := self.seating.people:
            effects.append(Tell(people, Left(self.id, says)))
        return effects

    # --- presence ---

    def lose(self, person: PersonId, now: int) -> list[Effect]:
        """A person's connection is lost: a player's bank runs, a spectator's place waits for the lobby to end it."""
        seat = self.seating.seat_of(person)
        if seat is None or self.seating.chairs[seat].is_away:
            return []
        self.seating.chairs[seat].is_away = True
        if self._pause is not None:
            self._pause.seats.discard(seat)  # who is not here is not ready
        self._keep_time(now)
        if self._seal is not None:
            self._seal.begin_anew(seat)
            self._keep_time(now)
        return self._publish((Open(PresenceChanged(seat, away=True)),), now, is_info_new=True)

    def find(self, person: PersonId, number: int | None, now: int) -> list[Effect]:
        """A person is back, having followed up to this event: tell what they missed, or show the table anew.

        A deal that waits for their cut goes on waiting: with what they missed they are told of it, or know it already.
        """
        viewer = self.seating.viewer_of(person)
        assert viewer is not None
        effects: list[Effect] = []
        missed = None if number is None else self._event_log.since(viewer, number)
        if missed is None:
            effects.append(self._snapshot(person, viewer, now))
        else:
            assert number is not None
            effects += self._missed(person, number + 1, missed, viewer, now)
        if viewer == GALLERY:
            return effects
        chair = self.seating.chairs[viewer]
        if self._seal is not None:
            self._seal.begin_anew(viewer)
            self._keep_time(now)
        if chair.is_away:
            chair.is_away = False
            self._keep_time(now)
            effects += self._publish((Open(PresenceChanged(viewer, away=False)),), now, is_info_new=True)
        return effects + self._decision_for(viewer, now) + self._go_on_dealing(now)

    def wake_house(self, now: int) -> list[Effect]:
        """Seat the house players anew and tell them everything, the decision that waits for one included."""
        effects: list[Effect] = []
        for sitter in self.seating.house_players:
            effects.append(HouseSat(sitter.id, sitter.house))
            effects += self.find(sitter.id, None, now)
        return effects

    # --- the game ---

    def act(self, person: PersonId, decision: int, action: Action, now: int) -> list[Effect]:
        """Answer a decision. What is accepted cannot be taken back (Law 7)."""
        seat = self._player_needed(person)
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

    def shuffled(self, pack: tuple[Card, ...], now: int, luck: int | None = None) -> list[Effect]:
        """The pack that was wanted.

        :raises NotAwaited: none was, or not these cards.
        """
        if self._play is None:
            raise NotAwaited("no game is in play")
        awaits, dealt = self._play.awaits, Pack(pack, luck=luck)
        facts = self._play.deal(dealt, now)
        self._is_pack_wanted = False
        if not isinstance(awaits, Shuffle) or not awaits.misdeals or luck is not None:
            self._chance = Chance(pack=dealt)
            self._live = LiveDeal(dealt, None, arranged=awaits.top if isinstance(awaits, Shuffle) else ())
        # Without a luck the cards that nobody saw decided on an accident, as in files of earlier versions: they stay.
        return self._advance(self._play, facts, now)

    def resign(self, person: PersonId, now: int) -> list[Effect]:
        """Give the game up and keep the seat."""
        seat = self.seating.require_seat(person)
        self._play_needed()
        return [*self._forfeit(seat, now), *self._settle_pause(now)]

    def _forfeit(self, seat: Seat, now: int) -> list[Effect]:
        assert self._play is not None
        self._resigned.add(seat)

        def call_off() -> tuple[Sealed, DealVoided]:
            assert self._seal is not None
            sealed = self._seal.sealed
            self._crossed = tuple(self._seal.waits)
            return sealed, self._end_seal((seat,))

        try:
            facts = self._play.leave(seat, now, None if self._seal is None else call_off)
        except NotAwaited:
            return []  # they had given it up before
        return self._advance(self._play, facts, now)

    def again(self, person: PersonId, now: int) -> list[Effect]:
        """Ask for another game. The house is always willing, and where only it sits a spectator may ask."""
        if self._is_playing:
            raise Refusal(RefusalCode.GAME_IN_PLAY, "a game is in play")
        if person in self.seating.watchers and all(
            c.sitter is not None and c.sitter.is_house for c in self.seating.chairs
        ):
            return self._start_if_agreed(now)
        seat = self.seating.require_seat(person)
        chair = self.seating.chairs[seat]
        if chair.agrees:
            raise Refusal(RefusalCode.ALREADY_THERE, "you have asked for another game already")
        chair.agrees = True
        return self._publish((Open(Agreed(seat)),), now, is_info_new=True) + self._start_if_agreed(now)

    def analyse(self, person: PersonId) -> WantAnalysis:
        """Have one's own decisions in the last game weighed; never while another is in play."""
        self.seating.require_seat(person)
        if self._is_playing:
            raise Refusal(RefusalCode.GAME_IN_PLAY, "a game is in play; its decisions are weighed when it is over")
        if self._play is None or person not in self._players:
            raise Refusal(RefusalCode.NO_GAME, "you have played no game to its end at this table")
        return WantAnalysis(person, self._record(self._play), Seat(self._players.index(person)))

    def _start_if_agreed(self, now: int) -> list[Effect]:
        sitters = [chair.sitter for chair in self.seating.chairs if chair.agrees and chair.sitter is not None]
        if len(sitters) < len(self.seating.chairs):
            return []
        players = tuple(sitter.id for sitter in sitters)
        dealer = self._next_dealer if players == self._players else None
        if self._deals_name:  # each game of a named sequence begins alike, whatever became of the one before it
            dealer, self._deals = None, 0
        self._players = players
        self._games += 1
        self._resigned.clear()
        self.seating.refill_banks()
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
            case Shuffle():
                effects = self._publish(facts, now, is_game_new=True, is_info_new=is_info_new)
                return [*effects, *self._finish_deal(play), *self._go_on_dealing(now)]
            case Over(dealer=dealer):
                self._end_game(dealer, now)
                end = [event for fact in facts if isinstance(event := fact.seen_by(GALLERY), GameEnded)]
                effects = self._publish(facts, now, is_game_new=True, is_info_new=True)
                effects += self._finish_deal(play)
                if opens_after(self._options):
                    effects += self._open_packs(play)
                return [*effects, GameOver(self._record(play), end[-1] if end else None)]
            case _:
                assert_never(awaits)

    def _pay(self, play: Play) -> bool:
        """Put into the purses what the game has paid since the last time; whether it was anything."""
        gains = play.gains()
        for chair, gain in zip(self.seating.chairs, gains, strict=False):
            chair.purse += gain
        return bool(gains)

    def _end_game(self, dealer: Seat, now: int) -> None:
        self._next_dealer = dealer
        self._pause = None
        for chair in self.seating.chairs:
            chair.agrees = chair.sitter is not None and chair.sitter.is_house
            chair.gone = ""
        self._keep_time(now)

    # --- dealing ---

    def _go_on_dealing(self, now: int) -> list[Effect]:
        """Have the pack that is awaited shuffled or, where any guest takes part in the cutting, sealed.

        Who takes part and is away is waited for: nobody loses their cut with their connection. Their bank ends that.
        """
        awaits = None if self._play is None else self._play.awaits
        if not isinstance(awaits, Shuffle) or self._is_pack_wanted or self._seal is not None:
            return []
        cutters = [chair for chair in self.seating.chairs if chair.commitment is not None]
        is_sealed = bool(cutters) and not self._options.get("arranged") and not self._deals_name
        if is_sealed and any(chair.is_away for chair in cutters):
            return []
        if any(chair.misses >= MISSES for chair in self.seating.chairs):
            return []  # nothing is dealt to who is about to be sent away
        self._is_pack_wanted = True
        if is_sealed:
            self._seals += 1
            return [WantSecret(self.id, self._seals)]
        self._deals += 1
        named = f"{self._deals_name}, game {self._games}" if self._deals_name else ""
        has_accidents = bool(awaits.misdeals)
        return [WantPack(self.id, self._deals, awaits.cards, awaits.top, named, has_accidents)]

    def sealed(self, chance: Chance, now: int) -> list[Effect]:
        """The secret of the deal that is to be sealed; or, if that is over and told again, what is kept of it.

        :raises NotAwaited: none was.
        """
        awaits = None if self._play is None else self._play.awaits
        if not isinstance(awaits, Shuffle) or not self._is_pack_wanted:
            raise NotAwaited("no deal is to be sealed")
        self._is_pack_wanted = False
        self._seal = SealedDeal.begun(
            chance,
            awaits,
            table=self.id,
            deal=self._seals,
            ends=tuple([chair.commitment for chair in self.seating.chairs]),
            is_late=self._opens_late,
        )
        self._chance = chance
        self._keep_time(now)
        return self._publish((Open(self._seal.sealed),), now)

    def promise(self, person: PersonId, end: bytes | None, now: int) -> list[Effect]:
        """Take part in the cutting with another chain, or with none; a promise that stands already changes nothing.

        A deal that waits for a cut from the former chain is spoilt by it, as if the cut had been missed.
        """
        seat = self.seating.require_seat(person)
        if self.seating.chairs[seat].end == end:
            return []
        self.seating.chairs[seat].end = end
        if self._seal is None or seat not in self._seal.waits:
            return self._go_on_dealing(now)
        if seat in self._crossed and end is not None and after(end) == self._seal.sealed.cuts[seat]:
            # Their last cut crossed the news that the deal was called off; that can be so once.
            self._crossed = tuple([other for other in self._crossed if other != seat])
            return self._give_up_cut(seat, now)
        return self._miss((seat,), now)

    def cut(self, person: PersonId, deal: int, link: bytes, now: int) -> list[Effect]:
        """Cut the deal, which everyone is told at once; the last cut deals it."""
        seat = self.seating.require_seat(person)
        if self._seal is None:
            raise Refusal(RefusalCode.TOO_LATE, f"deal {deal} is not being cut", field="deal")
        self._seal.cut(seat, deal, link)
        self.seating.chairs[seat].end = link
        if self._seal.waits:
            return self._publish((Open(CutMade(deal, seat, link)),), now)
        if self._seal.spoilt:
            return self._publish((Open(CutMade(deal, seat, link)), self._void(now)), now) + self._go_on_dealing(now)
        assert self._play is not None
        seal, self._seal = self._seal, None
        self._live = seal.dealt(self.id, opens_after=opens_after(self._options))
        assert self._live.prover is not None
        self._provers.append(self._live.prover)
        self._crossed = ()
        for cutter in seal.links:
            self.seating.chairs[cutter].misses = 0
        facts = self._play.deal(self._live.pack, now)
        return self._advance(self._play, (Open(CutsShown(deal, seal.shown)), *facts), now)

    def answer_ping(self, person: PersonId, now: int) -> list[Effect]:
        """A person whose cut is overdue has answered a ping: if they had cut, it would be here by now."""
        seat = self.seating.seat_of(person)
        if seat is None or self._seal is None or not self._seal.hear(seat, now):
            return []
        self._keep_time(now)
        return [Keep()]

    def _miss(self, seats: tuple[Seat, ...], now: int) -> list[Effect]:
        """These do not cut. Whoever does it again, without a deal that they cut in between, is sent away with the next
        tick, as if their time for being away were spent: nobody holds up a table."""
        for seat in seats:
            self.seating.chairs[seat].misses += 1
        return [effect for seat in seats for effect in self._give_up_cut(seat, now)]

    def _give_up_cut(self, seat: Seat, now: int) -> list[Effect]:
        """The cut of this seat is waited for no more. If it was the last of them, the deal is called off."""
        if self._seal is None or seat not in self._seal.waits:
            return self._go_on_dealing(now)
        self._seal.spoil((seat,))
        if self._seal.waits:
            return [Keep()]
        return self._publish((self._void(now),), now) + self._go_on_dealing(now)

    def _void(self, now: int) -> Fact:
        """The deal that is being cut counts for nothing, because of those who spoilt it."""
        assert self._seal is not None
        assert self._play is not None
        sealed, voided = self._seal.sealed, self._end_seal()
        self._play.void(sealed, voided, now)
        return Open(voided)

    def _end_seal(self, left: tuple[Seat, ...] = ()) -> DealVoided:
        assert self._seal is not None
        voided = self._seal.voided(left)
        self._seal = self._chance = None
        return voided

    def _finish_deal(self, play: Play) -> list[Effect]:
        """The deal in play is over: from now on only what was shown of it is known."""
        live, self._live, self._chance = self._live, None, None
        if live is None:
            return []
        remains = live.remains()
        play.finish_deal(remains)
        return [DealOver(self.id, remains)]

    def _open_packs(self, play: Play) -> list[Effect]:
        """Every pack of the game, to whoever asks for proofs."""
        people = self._people_who_prove([*self.seating.people])
        wholes = [
            Openings(self.id, pack.proofs.sealed.deal, played=pack.proofs.played)
            for pack in play.packs()
            if pack.proofs is not None and pack.proofs.played is not None
        ]
        return [Tell(people, whole) for whole in wholes] if people else []

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
            seat for seat, chair in enumerate(self.seating.chairs) if chair.is_guest and seat not in self._resigned
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
        if self._is_pack_wanted:
            return []
        if self._pause is not None and self._pause.timer is not None:
            return self._end_pause(now, by_time=True) if self._pause.timer.is_spent(now) else []
        for chair in self.seating.chairs:
            if chair.sitter is not None and chair.misses >= MISSES:
                gone = Tell((chair.sitter.id,), Left(self.id, "your client did not cut the deal, twice running"))
                return [*self.leave(chair.sitter.id, now), gone]
        if self._seal is not None:
            asked = [
                chair.sitter.id
                for seat in self._seal.ask(now)
                if (chair := self.seating.chairs[seat]).sitter is not None
            ]
            if asked:
                return [WantPulse(tuple(asked))]
            if idle := self._seal.idle(now):
                for seat in idle:
                    self.seating.chairs[seat].end = None
                return self._miss(idle, now)
        for chair in self.seating.chairs:
            if chair.sitter is not None and chair.bank.is_spent(now):
                left = Tell((chair.sitter.id,), Left(self.id, "you were away for too long"))
                return [*self.leave(chair.sitter.id, now), left]
        if self._play is not None and self._mover is not None and self._turn.is_spent(now):
            return self._advance(self._play, self._play.expire(now), now)
        return []

    # --- talk ---

    def say(self, person: PersonId, name: str, text: str, now: int) -> list[Effect]:
        """From a seat to everyone here; from the gallery to the gallery, until the game is over."""
        seat = self.seating.seat_of(person)
        if seat is None:
            self.seating.require_spectator(person)
        said = Said(name, text, seat)
        fact = GalleryTalk(said) if seat is None and self._is_playing else Open(said)
        return self._publish((fact,), now)

    # --- checks ---

    def _play_needed(self) -> Play:
        if self._play is None or self._play.is_over:
            raise Refusal(RefusalCode.NO_GAME, "no game is in play")
        return self._play

    def _player_needed(self, person: PersonId) -> Seat:
        seat = self.seating.require_seat(person)
        self._play_needed()
        if seat in self._resigned:
            raise Refusal(RefusalCode.NO_GAME, "you have given this game up")
        return seat


def _without(effect: Effect, person: PersonId) -> Effect:
    """The effect without telling this person."""
    if isinstance(effect, Tell) and person in effect.people:
        return Tell(tuple(p for p in effect.people if p != person), effect.message)
    return effect


def _player(sitter: Sitter) -> Player:
    return Player(sitter.name, sitter.is_bot, sitter.is_house)

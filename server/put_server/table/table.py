"""The table: commands and the time in, effects out.

The lobby has already admitted the person who asks; the table decides who may do what here and now. A command is a
method. It checks first and changes after, so a `RequestRefused` leaves the table unchanged. When it returns, it is
carried out, and its effects are all that must be done outside. The lobby answers the person.

A table has parts. The `table_model` is all its state: the seating, the game in play, its deals, the turn clock, the
pause and the event log. The `publisher` reads the model and makes messages; the `runner` advances the game. No part
calls the table. Commands connect the parts, because one input often changes several: a player who leaves gives up the
game, and ends a pause. The order is always the same: change the model, set the clocks, publish, and then request what
comes next. So all messages show the table after the change.
"""

from collections.abc import Callable

from put_protocol import messages, table_events
from put_protocol.games.unions import Action
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_info import TableInfo, TableState
from put_rules.facts import Fact, Hidden, Open, Told
from put_rules.game import IllegalAction
from put_rules.table_options import Abandoned
from put_server.table.blind_runner import NOT_BLIND
from put_server.table.clock import NEVER, news_interval
from put_server.table.game_in_play import GameInPlay
from put_server.table.game_runner import GameRunner, player_of
from put_server.table.pause import PauseState, ask_for_pause
from put_server.table.publisher import MessageForm, Publisher
from put_server.table.seating import Invitation, Sitter
from put_server.table.table_effects import (
    Effect,
    GameStudy,
    HouseGone,
    HouseSat,
    PersonId,
    RequestRefused,
    Tell,
    WaitEnded,
    WaitFor,
)
from put_server.table.table_model import TableModel
from put_server.table.waits import Wait, waits
from put_text.catalogue import say_in_english


class Table:
    __slots__ = (
        *("_gallery_told_at", "_hire", "id", "is_gallery_waiting"),
        *("model", "next_look", "owner_id", "publisher", "runner", "seating"),
    )

    def __init__(
        self,
        model: TableModel,
        hire: Callable[[TableInfo], Sitter],
        form_of: Callable[[PersonId, str], MessageForm] = lambda *_: MessageForm(),
        has_muted: Callable[[PersonId, str], bool] = lambda *_: False,
    ) -> None:
        """`hire` finds a house player for a seat here; the other arguments are the publisher's."""
        self.model = model
        self.id, self.owner_id = model.id, model.owner_id
        self.seating = model.seating
        self.publisher = Publisher(model, form_of, has_muted)
        self.runner = GameRunner(model, self.publisher)
        self._gallery_told_at = NEVER
        self.is_gallery_waiting = False
        """True if news of the gallery was put off."""
        self.next_look = 0
        """Time before which `tick` does nothing, unless something else happens. The lobby sets it."""
        self._hire = hire

    @property
    def state(self) -> TableState:
        return self.model.state

    @property
    def origin(self) -> str:
        """The address from which it was opened; empty: no quota applies."""
        return self.model.origin

    @property
    def info(self) -> TableInfo:
        return self.model.info

    def sit(self, sitter: Sitter, seat: Seat | None, now: int) -> tuple[Seat, list[Effect]]:
        """Take a seat. The game starts if it was the last free one."""
        if self.seating.seat_of(sitter.id) is not None:
            raise RequestRefused(RefusalCode.ALREADY_THERE, "refused-seated")
        seat = self._require_place(sitter.name, seat, is_bot=sitter.is_bot, is_house=sitter.is_house)
        self.seating.sit(sitter, seat)
        sat = Open(table_events.Sat(seat, sitter.name, sitter.is_house, sitter.is_bot, sitter.holds_key))
        effects = self.publisher.publish((sat,), now, is_info_new=True, but=sitter.id)
        self.model.event_log.begin(seat)
        if sitter.is_house:
            effects.append(HouseSat(sitter.id, sitter.house))
        effects += self.publisher.snapshot(sitter.id, seat, now)
        return seat, effects + self.runner.start_if_agreed(now)

    def require_place_for(self, person: PersonId, name: str, seat: Seat | None, *, is_bot: bool) -> None:
        """:raises RequestRefused: the guest cannot sit here now."""
        if self.seating.seat_of(person) is not None:
            raise RequestRefused(RefusalCode.ALREADY_THERE, "refused-person-seated", field="person", name=name)
        self._require_place(name, seat, is_bot=is_bot)

    def invite(self, person: PersonId, seat: Seat | None, by: str) -> list[Effect]:
        """Invite a guest to a free seat. From now on they may sit down without the passcode."""
        self.seating.invite(person, Invitation(by, seat))
        return self.invitation(person)

    def invitation(self, person: PersonId) -> list[Effect]:
        """Send an invitation, or repeat it after a reconnect; no effects if the guest can no longer sit down."""
        invitation = self.seating.invited.get(person)
        if invitation is None or self.model.is_playing or self.seating.is_full:
            return []
        return [Tell((person,), messages.Invited(self.id, invitation.by, self.model.info, invitation.seat))]

    def _require_place(self, name: str, seat: Seat | None, *, is_bot: bool, is_house: bool = False) -> Seat:
        """:raises RequestRefused: a game is in play, no seat is free, or the table does not admit this person."""
        self.seating.require_admission(name, is_bot=is_bot, is_house=is_house)
        if self.model.is_playing:
            raise RequestRefused(RefusalCode.GAME_IN_PLAY, "refused-seats-in-play")
        return self.seating.require_free_seat(seat)

    def stand(self, person: PersonId, now: int) -> list[Effect]:
        """Give up a seat and watch no more, between games."""
        seat = self.seating.require_seat(person)
        if self.model.is_playing:
            raise RequestRefused(RefusalCode.GAME_IN_PLAY, "refused-stand-in-play")
        return self._vacate(seat, now)

    def leave(self, person: PersonId, now: int) -> list[Effect]:
        """Leave the table, giving up the game if one is in play."""
        seat = self.seating.seat_of(person)
        if seat is None:
            self.seating.require_spectator(person)
            del self.seating.watchers[person]
            return self._gallery_changed(now)
        if self.model.play is None or self.model.play.is_over:
            return self._vacate(seat, now)
        if self.model.table_options.abandoned is Abandoned.HOUSE and seat not in self.model.play.resigned:
            return self._stand_in(self.model.play, seat, now)
        return self.runner.forfeit(self.model.play, seat, now) + self._vacate(seat, now)

    def _stand_in(self, play: GameInPlay, seat: Seat, now: int) -> list[Effect]:
        """A house player takes over from a player who leaves, with the same seat, cards and decision."""
        gone = self.seating.chairs[seat].sitter
        assert gone is not None
        effects: list[Effect] = [HouseGone(gone.id)] if gone.is_house else []
        sitter = self._hire(self.model.info)
        self.seating.sit(sitter, seat)
        play.stand_in(seat, player_of(sitter), now)
        self.model.event_log.begin(seat)
        sat = table_events.Sat(seat, sitter.name, is_house=True)
        effects.append(HouseSat(sitter.id, sitter.house))
        effects += self.publisher.publish((Open(table_events.Stood(seat, gone.name)), Open(sat)), now, is_info_new=True)
        self.model.run_clocks(now)
        effects += self.publisher.snapshot(sitter.id, seat, now)
        return effects + self._settle_pause(now) + self.runner.want_deal(now)

    def dismiss(self, seat: Seat | None, now: int) -> list[Effect]:
        sitter = self.seating.chairs[seat].sitter if seat is not None and seat < len(self.seating.chairs) else None
        if sitter is None or not sitter.is_house:
            number = 0 if seat is None else seat + 1
            raise RequestRefused(RefusalCode.NO_SUCH_SEAT, "refused-no-house", field="seat", seat=number)
        return self.stand(sitter.id, now)

    def watch(self, person: PersonId, name: str, now: int) -> list[Effect]:
        if self.seating.viewer_of(person) is not None:
            raise RequestRefused(RefusalCode.ALREADY_THERE, "refused-there")
        self.seating.require_gallery()
        self.seating.watchers[person] = name
        return [*self._gallery_changed(now, but=person), *self.publisher.snapshot(person, GALLERY, now)]

    def _gallery_changed(self, now: int, *, but: PersonId | None = None) -> list[Effect]:
        """Send the number of spectators: now, or with `tell_gallery` if it was sent a moment ago."""
        self.is_gallery_waiting = True
        self.model.renewed_info()
        return self.tell_gallery(now, but=but)

    def is_gallery_due(self, now: int) -> bool:
        interval = news_interval(len(self.seating.watchers))
        return self.is_gallery_waiting and now - self._gallery_told_at >= interval

    def tell_gallery(self, now: int, *, but: PersonId | None = None) -> list[Effect]:
        """Send delayed gallery news, if it is time. `but`: a person who gets the news in another message."""
        if not self.is_gallery_due(now):
            return []
        self._gallery_told_at, self.is_gallery_waiting = now, False
        return self.publisher.publish((), now, is_info_new=True, but=but)

    def _vacate(self, seat: Seat, now: int) -> list[Effect]:
        sitter = self.seating.chairs[seat].sitter
        assert sitter is not None
        self.seating.vacate(seat, gone=sitter.name if self.model.is_playing else "")
        if self.model.pause is not None:
            self.model.pause.seats.discard(seat)
        effects: list[Effect] = [HouseGone(sitter.id)] if sitter.is_house else []
        effects += self.publisher.publish((Open(table_events.Stood(seat, sitter.name)),), now, is_info_new=True)
        return effects + self._settle_pause(now) + self.runner.want_deal(now)

    def close(self, says: str) -> list[Effect]:
        """Close the table, and send everyone away."""
        effects = self.runner.finish_deals()
        effects += [HouseGone(sitter.id) for sitter in self.seating.house_players]
        if people := self.seating.people:
            effects.append(Tell(people, messages.Left(self.id, says)))
        return effects

    def disconnect(self, person: PersonId, now: int) -> list[Effect]:
        """A person's connection is lost. A player's bank starts; the lobby later ends a spectator's place."""
        seat = self.seating.seat_of(person)
        if seat is None or self.seating.chairs[seat].is_away:
            return []
        if self.model.pause is not None:
            self.model.pause.seats.discard(seat)  # who is not here is not ready
        return self._set_away(seat, now, is_away=True)

    def awaits(self, person: PersonId) -> bool:
        """True if other connected people wait for a move of this person."""
        seat, chairs = self.model.turn.seat, self.seating.chairs
        if seat is None or self.model.pause is not None or self.seating.seat_of(person) != seat:
            return False
        return any(chair.is_guest and not chair.is_away for at, chair in enumerate(chairs) if at != seat)

    def reconnect(self, person: PersonId, number: int | None, now: int) -> list[Effect]:
        """A person is back and has events up to `number`: send the missed events, or the whole table. A deal that waits
        for their part keeps waiting: they learn of it from these events, or know it already."""
        viewer = self.seating.viewer_of(person)
        assert viewer is not None
        seat = None if viewer == GALLERY else Seat(viewer)
        is_away = seat is not None and self.seating.chairs[seat].is_away
        effects = self.publisher.catch_up(person, viewer, number, now, is_last=not is_away)
        if seat is None:
            return effects
        if is_away:
            effects += self._set_away(seat, now, is_away=False)
        elif self.model.deals.step_waits:
            self.model.deals.restart_wait(seat)
            self.model.run_clocks(now)
        return effects + self.runner.want_deal(now)

    def _set_away(self, seat: Seat, now: int, *, is_away: bool) -> list[Effect]:
        self.seating.chairs[seat].is_away = is_away
        self.model.deals.restart_wait(seat)
        self.model.run_clocks(now)
        changed = Open(table_events.PresenceChanged(seat, away=is_away))
        return self.publisher.publish((changed,), now, is_info_new=True, asked=None if is_away else seat)

    def refresh(self, person: PersonId, now: int) -> list[Effect]:
        """Send a person the current table; nothing changes."""
        viewer = self.seating.viewer_of(person)
        if viewer is None:
            raise RequestRefused(RefusalCode.NOT_THERE, "refused-not-there")
        return self.publisher.refresh(person, viewer, now)

    def reseat_house_players(self, now: int) -> list[Effect]:
        """Seat the house players again after a restart, and send each the whole table and its decision."""
        effects: list[Effect] = []
        for sitter in self.seating.house_players:
            effects += [HouseSat(sitter.id, sitter.house), *self.reconnect(sitter.id, None, now)]
        return effects if self.runner.blind is None else effects + self.runner.blind.resume(now)

    def act(
        self, person: PersonId, decision: int, action: Action, now: int, *, answers: int = 0, entry: bytes = b""
    ) -> list[Effect]:
        """Answer a decision. An accepted answer cannot be taken back (Law 7). `answers`: id of the request; the message
        to the player contains the answer to it. `entry`: the signed form of the action in a blind deal."""
        model, turn = self.model, self.model.turn
        play, seat, pause = model.play, turn.seat, model.pause
        sitter = None if seat is None else self.seating.chairs[seat].sitter
        is_paused = pause is not None and pause.is_on
        if play is None or sitter is None or sitter.id != person or turn.decision != decision or is_paused:
            raise self._why_not_theirs(person, decision)
        blind = self.runner.blind if model.deals.is_blind else None
        if entry and blind is None:
            raise NOT_BLIND
        try:
            facts = play.act(action, now) if blind is None else blind.act(play, turn, action, entry, now)
        except IllegalAction:
            raise RequestRefused(RefusalCode.ILLEGAL, "refused-illegal", field="action") from None
        return self.runner.advance(play, facts, now, mover=seat, answers=answers)

    def _why_not_theirs(self, person: PersonId, decision: int) -> RequestRefused:
        """Reason why this person cannot answer this decision now."""
        self._require_player(person)
        now = self.model.turn.decision
        if self.model.is_paused:
            return RequestRefused(RefusalCode.PAUSED, "refused-paused")
        if decision < now or (decision == now and self.model.turn.seat is None):
            return RequestRefused(RefusalCode.TOO_LATE, "refused-late", field="decision", decision=decision)
        if decision > now:
            return RequestRefused(RefusalCode.NOT_YOUR_TURN, "refused-early", field="decision", decision=decision)
        return RequestRefused(RefusalCode.NOT_YOUR_TURN, "refused-turn")

    def resign(self, person: PersonId, now: int) -> list[Effect]:
        """Give the game up and keep the seat."""
        seat = self.seating.require_seat(person)
        return self.runner.forfeit(self._require_play(), seat, now) + self._settle_pause(now)

    def again(self, person: PersonId, now: int, game: int = 0) -> list[Effect]:
        """Ask for another game: this number, or the next if 0. A spectator may ask if only house players sit."""
        if game and game != self.model.games + 1:
            raise RequestRefused(RefusalCode.TOO_LATE, "refused-other-game", field="game", game=self.model.games + 1)
        if self.model.is_playing:
            raise RequestRefused(RefusalCode.GAME_IN_PLAY, "refused-in-play")
        if person in self.seating.watchers and len(self.seating.house_players) == len(self.seating.chairs):
            return self.runner.start_if_agreed(now)
        seat = self.seating.require_seat(person)
        chair = self.seating.chairs[seat]
        if chair.agrees:
            raise RequestRefused(RefusalCode.ALREADY_THERE, "refused-again")
        chair.agrees = True
        agreed = (Open(table_events.Agreed(seat)),)
        return self.runner.start_if_agreed(now, agreed) or self.publisher.publish(agreed, now, is_info_new=True)

    def study(self, person: PersonId, request: messages.Analyse | messages.Recall, language: str) -> GameStudy:
        """Request an analysis of a person's decisions in the last game, or the game as they saw it; not while another
        is in play. Players who gave up their place cannot recall it: what was seen from their seat since is not
        theirs."""
        is_recall = isinstance(request, messages.Recall)
        self.seating.require_seat(person)
        if self.model.is_playing:
            unless = "refused-record-in-play" if is_recall else "refused-analysis-in-play"
            raise RequestRefused(RefusalCode.GAME_IN_PLAY, unless)
        play = self.model.play
        if play is None or person not in play.people:
            raise RequestRefused(RefusalCode.NO_GAME, "refused-never-played")
        seat = Seat(play.people.index(person))
        if is_recall and seat in play.relieved:
            raise RequestRefused(RefusalCode.NO_GAME, "refused-finished-for-you")
        return GameStudy(person, request, self.model.record(play), seat, language)

    def coach(self, person: PersonId, request: messages.Coach, language: str, now: int) -> list[Effect]:
        """Request the worth of a player's choices at their current decision, and mark the game as assisted."""
        seat = self.seating.require_seat(person)
        play = self._require_play()
        others = [player for place, player in enumerate(play.players) if place != seat]
        if play.people[seat] != person or not all(player.is_house for player in others):
            raise RequestRefused(RefusalCode.AGAINST_PEOPLE, "refused-coach-people")
        if self.model.hides_hands and self.seating.chairs[seat].holds_key:
            raise RequestRefused(RefusalCode.NOT_SOLVED, "refused-coach-blind")
        if self.model.is_paused:
            raise RequestRefused(RefusalCode.PAUSED, "refused-paused")
        if self.model.turn.seat != seat:
            raise RequestRefused(RefusalCode.NOT_YOUR_TURN, "refused-no-decision")
        effects = self.publisher.publish((), now, is_info_new=True) if play.assist(seat, now) else []
        decision = self.model.turn.decision
        return [*effects, GameStudy(person, request, self.model.record(play), seat, language, decision)]

    def blind(self, person: PersonId, entry: bytes, now: int) -> list[Effect]:
        """A player's part of a blind deal."""
        seat = self.seating.require_seat(person)
        if self.runner.blind is None:
            raise NOT_BLIND
        return self.runner.blind.part(seat, entry, now)

    def blind_parts(self, task: int, entries: tuple[bytes, ...], read: int, now: int) -> list[Effect]:
        return [] if self.runner.blind is None else self.runner.blind.parts(task, entries, read, now)

    def answer_ping(self, person: PersonId, now: int) -> list[Effect]:
        seat = self.seating.seat_of(person)
        return [] if seat is None else self.runner.answer_ping(seat, now)

    def pause(self, person: PersonId, minutes: int, now: int) -> list[Effect]:
        """Ask for a pause, or agree to one. It begins when all sitters have asked."""
        seat, _ = self._require_player(person)
        self.model.pause = ask_for_pause(self.model.pause, seat, minutes)
        asked = Open(table_events.PauseAsked(seat, self.model.pause.minutes))
        return self.publisher.publish((asked,), now, is_info_new=True) + self._settle_pause(now)

    def go_on(self, person: PersonId, now: int) -> list[Effect]:
        """Be ready to go on after a pause."""
        seat, _ = self._require_player(person)
        (self.model.pause or PauseState(0)).get_ready(seat)
        effects = self.publisher.publish((Open(table_events.GoOnAsked(seat)),), now, is_info_new=True)
        return effects + self._settle_pause(now)

    def _settle_pause(self, now: int) -> list[Effect]:
        """Begin or end a pause if all voters want that. House players always agree."""
        pause = self.model.pause
        if pause is None:
            return []
        resigned = () if self.model.play is None else self.model.play.resigned
        chairs = enumerate(self.seating.chairs)
        if not pause.is_settled({Seat(seat) for seat, chair in chairs if chair.is_guest and seat not in resigned}):
            return []
        if pause.is_on:
            return self._end_pause(now, by_time=False)
        pause.begin(now)
        self.model.run_clocks(now)
        return self.publisher.publish(
            (Open(table_events.Paused(pause.minutes)),), now, is_game_new=True, is_info_new=True
        )

    def _end_pause(self, now: int, *, by_time: bool) -> list[Effect]:
        self.model.pause = None
        self.model.run_clocks(now)
        went_on = Open(table_events.WentOn(by_time=by_time))
        return self.publisher.publish((went_on,), now, is_game_new=True, is_info_new=True)

    def tick(self, now: int) -> list[Effect]:
        """Apply one time-out; call again until there are no effects. Nothing times out while a pack is wanted: its deal
        comes first."""
        if self.model.deals.is_wanted:
            return []
        for wait in waits(self.model, now):
            if wait.end is not None and wait.end <= now:
                return [*self._end_wait(wait, now), WaitEnded(self.id, wait.what, wait.seat)]
        return []

    def _end_wait(self, wait: Wait, now: int) -> list[Effect]:
        match wait.what:
            case WaitFor.PAUSE:
                return self._end_pause(now, by_time=True)
            case WaitFor.DISMISSAL:
                return self.send_away(self._sitter(wait), say_in_english("refused-left", why="client"), now)
            case WaitFor.PART:
                return self.runner.tick_steps(now)
            case WaitFor.RETURN:
                return self.send_away(self._sitter(wait), say_in_english("refused-left", why="away"), now)
            case WaitFor.MOVE | WaitFor.NOTHING:
                return self.runner.go_on(now)

    def quiet_until(self, now: int) -> int | None:
        """Time before which `tick` does nothing, unless something else happens here; None: unlimited."""
        if self.model.deals.is_wanted:
            return now
        return min([wait.end for wait in waits(self.model, now) if wait.end is not None], default=None)

    def send_away(self, person: PersonId, says: str, now: int) -> list[Effect]:
        return [*self.leave(person, now), Tell((person,), messages.Left(self.id, says))]

    def _sitter(self, wait: Wait) -> PersonId:
        sitter = None if wait.seat is None else self.seating.chairs[wait.seat].sitter
        assert sitter is not None
        return sitter.id

    def say(self, person: PersonId, name: str, text: str, now: int) -> list[Effect]:
        """Talk. From a seat it goes to everyone here; from the gallery, only to the gallery until the game is over (Law
        6, Enquire Within 1856)."""
        seat = self.seating.seat_of(person)
        if seat is None:
            self.seating.require_spectator(person)
        said = table_events.Said(name, text, seat)
        is_for_gallery = seat is None and self.model.is_playing
        fact: Fact = Told(Hidden({GALLERY: said})) if is_for_gallery else Open(said)
        return self.publisher.publish((fact,), now, speaker=name)

    def _require_play(self) -> GameInPlay:
        if self.model.play is None or self.model.play.is_over:
            raise RequestRefused(RefusalCode.NO_GAME, "refused-no-game")
        return self.model.play

    def _require_player(self, person: PersonId) -> tuple[Seat, GameInPlay]:
        """:raises RequestRefused: they do not sit here, play no game, or have given it up."""
        seat = self.seating.require_seat(person)
        play = self._require_play()
        if seat in play.resigned:
            raise RequestRefused(RefusalCode.NO_GAME, "refused-given-up")
        return seat, play

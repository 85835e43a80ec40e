"""The lobby as a state machine: an input and the time go in, an answer and effects come out.

Every request is checked against its sender and the current state; a refused request changes nothing. Each request gets
exactly one answer. `presence` handles people, `open_tables` handles
tables, and `subscribers` handles readers of the lobby. This module dispatches inputs and requests.
"""

from collections.abc import Mapping
from functools import cache
from typing import assert_never

from put_protocol import messages
from put_protocol.messages import Act, Ok, Request, ViewForm
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import TableState
from put_protocol.text import MARKS, TALK_LENGTH, flaw_of_talk, has_stacked_marks
from put_rules.game import BadOption, RuleSet
from put_rules.record import Chance, Pack
from put_rules.steps import BadRecord
from put_server.lobby import inputs
from put_server.lobby.analysis_requests import AnalysisRequests
from put_server.lobby.capacity import Capacity
from put_server.lobby.config import LobbyConfig
from put_server.lobby.house_players import HousePlayers
from put_server.lobby.inputs import InputOutcome
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.lobby.open_tables import OpenTables
from put_server.lobby.options import checked_clock, checked_game, checked_options, checked_seats
from put_server.lobby.people import People, Person
from put_server.lobby.policy import Policy
from put_server.lobby.presence import Epochs, Presence, turned_away
from put_server.lobby.recent_responses import noted
from put_server.lobby.subscribers import filter_of, pages_of
from put_server.lobby.table_access import TableAccess
from put_server.table.publisher import MessageForm, ViewsToSend
from put_server.table.seating import Sitter
from put_server.table.table import Table
from put_server.table.table_effects import Effect, PersonId, RequestRefused, TableId
from put_server.table.table_model import TableModel
from put_text.catalogue import say_in_english

Response = tuple[Ok, list[Effect]]
"""Answer to a request that is carried out. A refused request raises `RequestRefused`."""

_HOUSE_FORM = MessageForm(words=False)


@cache
def _form(views: ViewForm, words: bool, language: str, is_known: bool) -> MessageForm:  # for a cache
    """Message form for a person with these wishes, whose client knows the family or not."""
    if not is_known:
        return MessageForm(ViewsToSend.EXPLAINED, words, language)
    return MessageForm(ViewsToSend.WHOLE if views is ViewForm.WHOLE else ViewsToSend.CHANGES, words, language)


class Lobby:
    def __init__(self, games: Mapping[str, RuleSet], config: LobbyConfig) -> None:
        self._games = games
        self._config = config
        self.people = People(is_whole=config.is_whole)
        self.tables = OpenTables(self.people, config.news_ms, config.first_table, config.table_stride)
        self.subscribers = self.tables.subscribers
        self._capacity = Capacity(self.people, self.tables)
        self.epochs = Epochs()
        self._presence = Presence(games, config, self.people, self.tables, self._capacity, self.epochs)
        self._house_players = HousePlayers(config, self.people)
        self._analyses = AnalysisRequests(games, config.is_solved)
        self._access = TableAccess(self.people, self.tables, self._presence.invitations, config.passcode_key)
        # What tables ask, bound once: each would take its own.
        self._asked = (self._capacity.has_room_for_house, self._house_players.hire, self._form_of, self._has_muted)
        self._is_draining = False
        self._is_exhibition = False

    def checkpoint(self) -> LobbyCheckpoint:
        return LobbyCheckpoint(
            people=tuple([person.checkpoint() for person in (*self.people.values(), *self.people.kept.values())]),
            tables=tuple([table.model.checkpoint() for table in self.tables.values()]),
            opened=tuple(self.tables.fresh.items()),
            last_person=self.people.last_id,
            last_table=self.tables.last_id,
            is_draining=self._is_draining,
            is_exhibition=self._is_exhibition,
            policy=self._capacity.policy,
            epochs=self.epochs.known,
        )

    def restore(self, checkpoint: LobbyCheckpoint) -> None:
        """Restore a lobby from a checkpoint; this lobby must be empty.

        :raises BadRecord: a table has an unknown rule set, or its game is not valid.
        """
        self.people.restore(checkpoint.people, checkpoint.last_person)
        for table in checkpoint.tables:
            rule_set = self._games.get(table.rule_set)
            if rule_set is None:
                raise BadRecord(f"table {table.id} plays {table.rule_set}, which is not played here")
            is_solved = self._config.is_solved(table.rule_set, table.options, len(table.chairs))
            try:
                model = TableModel.restored(table, rule_set, terms=checkpoint.policy.terms, is_solved=is_solved)
            except BadRecord as error:
                raise BadRecord(f"table {table.id}, game {table.games}: {error}") from None
            self.tables.hold(self._table(model))
        self.tables.fresh = dict(checkpoint.opened)
        self.tables.last_id = checkpoint.last_table
        self._is_draining = checkpoint.is_draining
        self._is_exhibition = checkpoint.is_exhibition
        self._capacity.policy = checkpoint.policy
        self.epochs.known = checkpoint.epochs

    def names_out_of_time(self, now: int) -> list[PersonId]:
        """Gone people whose names are kept no longer, some at a time: `Depart` erases them."""
        return self.people.kept.lost_until(now - self.policy.name_seconds * 1000)

    def without_passcode(self, request: Request) -> Request:
        """The request as a lobby takes it, with its passcode sealed."""
        return self._access.passcodes.without(request)

    def games_of(self, name: str) -> list[TableId]:
        """Tables with a game in play that a person of this name began, joined or left."""
        return [number for number, table in self.tables.items() if table.model.is_played_by(name)]

    @property
    def policy(self) -> Policy:
        return self._capacity.policy

    @property
    def is_busy(self) -> bool:
        return any(
            table.state is TableState.PLAYING and any(self.people[person].is_here for person in table.seating.people)
            for table in self.tables.values()
        )

    def is_followed(self, table: int) -> bool:
        """True if a person, and not only programs, sits at or watches a table."""
        found = self.tables.get(TableId(table))
        return found is not None and any(not self.people[person].is_bot for person in found.seating.people)

    def has_guests(self, table: int) -> bool:
        """True if a person or a bot sits at or watches a table, besides house players."""
        found = self.tables.get(TableId(table))
        return found is not None and bool(found.seating.people)

    def origin_of(self, person: PersonId) -> str | None:
        found = self.people.get(person)
        return None if found is None else found.origin

    def opened_from(self, table: TableId) -> str:
        """Address from which a table was opened; empty: exempt, or no such table."""
        found = self.tables.get(table)
        return "" if found is None else found.origin

    def sits_at(self, person: PersonId, table: int) -> bool:
        found = self.tables.get(TableId(table))
        return found is not None and found.seating.seat_of(person) is not None

    def is_awaited(self, person: PersonId) -> bool:
        """True if other people wait for a move of this person. A bot may not answer while it thinks."""
        found = self.people.get(person)
        return found is not None and not found.is_bot and any(table.awaits(person) for table in self.tables.of(found))

    def handle(self, event: inputs.Input, now: int) -> InputOutcome:
        """Carry out an input completely, or not at all if it is refused.

        :raises UnknownPerson: the person is not here.
        """
        if isinstance(event, inputs.Ask):
            outcome = self._respond(event.person, event.request, now)
        else:
            outcome = self._happen(event, now)
        # Not with a tick: it is recorded if anything comes of it, and news may wait for the next input.
        if not self.subscribers.is_read or type(event) is inputs.Tick or outcome.is_refused:
            return outcome
        if news := self.subscribers.news(now):
            return InputOutcome(outcome.answer, outcome.effects + news)
        return outcome

    def has_news(self, now: int) -> bool:
        return self.subscribers.is_due(now) or self.tables.has_news(now)

    def _happen(self, event: inputs.Happening, now: int) -> InputOutcome:
        match event:
            case inputs.Shuffled(table=number, pack=pack, luck=luck):
                table = self.tables.get(number)
                if table is None:  # it was cleared away by the input that wanted the pack
                    return InputOutcome(None, [])
                known = table.model.info_number
                effects = table.runner.deal(Pack(pack, luck=luck), now)
                table.next_look = 0
                if table.model.info_number != known:
                    self.tables.note(table)
            case inputs.Arrive() if self._is_draining:
                return turned_away(RefusalCode.DRAINING, say_in_english("refused-draining"))
            case inputs.Arrive():
                return self._presence.arrive(event, now)
            case inputs.Return():
                return self._presence.come_back(event, now)
            case inputs.Secret(table=number, secret=secret, tape=tape):
                table = self.tables.get(number)
                chance = Chance(secret, tape=tape)
                effects = [] if table is None else self.tables.after(table, table.runner.begin_blind(chance, now), now)
            case inputs.Parts(table=number, task=task, entries=entries, read=read):
                table = self.tables.get(number)
                parts = [] if table is None else table.blind_parts(task, entries, read, now)
                effects = [] if table is None else self.tables.after(table, parts, now)
            case inputs.Pulse(person=person):
                tables = self.tables.of(self.people[person])
                effects = [effect for table in tables for effect in table.answer_ping(person, now)]
                for table in tables:
                    self.tables.note(table)
            case inputs.Tick():
                effects = self.tables.tick(now) + self._presence.tick(now)
            case inputs.News():
                effects = self.tables.news(now)
            case inputs.Lose(person=person):
                effects = self._presence.lose(self.people[person], now)
            case inputs.Depart(person=person):
                effects = self._presence.depart(self.people.kept.get(person) or self.people[person], now)
            case inputs.Forget(name=name):
                effects = self._presence.forget(name, now)
            case inputs.Keep(person=person):
                self._presence.keep(self.people[person], now)
                effects = []
            case inputs.Drain():
                self._is_draining = True
                effects = []
            case inputs.Restart(is_exhibition=is_exhibition, policy=policy, epoch=epoch):
                self.epochs.begin(epoch)
                for table in self.tables.values():
                    table.model.event_log.note_start()
                self._capacity.policy = policy
                if policy.edition >= 1:
                    self._access.seal_passcodes()
                self._is_draining = False
                self._is_exhibition = is_exhibition
                here = [person for person in self.people.values() if person.is_here]
                effects = [effect for person in here for effect in self._presence.lose(person, now)]
                for table in self.tables.values():
                    table.model.set_terms(policy.terms)
                    effects += table.reseat_house_players(now)
                    self.tables.note(table)
            case _:
                assert_never(event)
        return InputOutcome(None, effects)

    def _respond(self, asker: PersonId, request: Request, now: int) -> InputOutcome:
        """Exactly one answer to a person's request. House players get none: a late move of theirs is ignored."""
        person = self.people.get(asker)
        try:
            ok, effects = self._carry_out(asker, request, now)
        except RequestRefused as refusal:
            return InputOutcome(None if person is None else refusal.answer(request.id), list(refusal.warns))
        if person is None:
            return InputOutcome(None, effects)
        if type(request) not in inputs.IDLE:
            person.is_heard = True
            person.responses = noted(person.responses, ok)
        return InputOutcome(ok, effects)

    def _carry_out(self, asker: PersonId, request: Request, now: int) -> Response:
        if isinstance(request, Act):  # of a person or a house player; the table's message has the answer
            table = self.tables.get(TableId(request.table)) or self.tables.find(request.table)  # which refuses
            known = table.model.info_number
            effects = table.act(asker, request.decision, request.action, now, answers=request.id, entry=request.entry)
            table.next_look = 0
            if table.model.info_number != known:
                self.tables.note(table)
            return Ok(request.id), effects
        person = self.people[asker]
        if isinstance(request, messages.Again):
            table = self.tables.find(request.table)
            self._start_allowed(table)
            effects = table.again(asker, now, request.game)
            self.tables.note(table)
            return Ok(request.id), effects
        match request:
            case messages.Look():
                return Ok(request.id), self.subscribers.add(person.id, now, pages_of(request), filter_of(request))
            case messages.LookAway():
                self.subscribers.discard(person.id)
                return Ok(request.id), []
            case messages.OpenTable():
                return self._open(person, request, now)
            case messages.Sit():
                return self._sit(person, request, now)
            case messages.Watch():
                return self._watch(person, request, now)
            case messages.Invite():
                return self._invite(person, request, now)
            case messages.Analyse(table=number):
                return Ok(request.id), [
                    self._analyses.analysis(asker, request, self.tables.find(number), person.language)
                ]
            case messages.Recall(table=number):
                return Ok(request.id), [self.tables.find(number).study(asker, request, person.language)]
            case messages.Coach(table=number):
                table = self.tables.find(number)
                effects = table.coach(asker, request, person.language, now)
                return Ok(request.id), self.tables.after(table, effects, now)
            case messages.Drill() | messages.Grade():
                return Ok(request.id), [self._analyses.practice(asker, request, person.language)]
            case messages.Mute(person=name, on=on):
                person.muted = self.people.hushed(person, person.muted, name, on=on)
                return Ok(request.id), []
            case messages.Block(person=name, on=on):
                person.blocked = self.people.hushed(person, person.blocked, name, on=on)
                return Ok(request.id), []
            case messages.Refresh(table=number):
                return Ok(request.id), self.tables.find(number).refresh(asker, now)
            case _:
                table = self.tables.find(request.table)
                match request:
                    case messages.Say(text=text):
                        flaw: str | None = flaw_of_talk(text)
                        if flaw is None and self.policy.edition >= 2 and has_stacked_marks(text):
                            flaw = "marks"
                        if flaw is not None:
                            most = MARKS if flaw == "marks" else TALK_LENGTH
                            raise RequestRefused(
                                RefusalCode.BAD_TALK, "refused-talk", field="text", flaw=flaw, most=most
                            )
                        effects = table.say(person.id, person.name, text, now)
                    case messages.Pause(minutes=minutes):
                        effects = table.pause(person.id, minutes, now)
                    case messages.GoOn():
                        effects = table.go_on(person.id, now)
                    case messages.Blind(entry=entry):
                        effects = table.blind(person.id, entry, now)
                    case messages.Stand():
                        effects = table.stand(person.id, now)
                    case messages.Leave():
                        effects = table.leave(person.id, now)
                    case messages.Resign():
                        effects = table.resign(person.id, now)
                    case messages.Dismiss(person=name) if name:
                        guest = self._access.sent_away(person, table, name)
                        effects = table.send_away(guest.id, say_in_english("refused-left", why="sent"), now)
                        self.tables.note_presence(guest, table)
                    case messages.Dismiss(seat=seat):
                        self._host_needed(person, table)
                        effects = table.dismiss(seat, now)
                    case _:
                        assert_never(request)
                self.tables.note_presence(person, table)
                return Ok(request.id), self.tables.after(table, effects, now)

    def _open(self, person: Person, request: messages.OpenTable, now: int) -> Response:
        if self._is_draining:
            raise RequestRefused(RefusalCode.DRAINING, "refused-draining")
        rule_set = checked_game(self._games, request.game)
        self._room_needed(person, self.tables.fresh_of(person.id))
        if request.deals and not self._is_exhibition:
            raise RequestRefused(RefusalCode.BAD_OPTION, "refused-deals", field="deals")
        policy = self._capacity.policy
        clock = checked_clock(request.turn, request.bank, policy)
        seats = checked_seats(rule_set.offer, request.seats)
        options = checked_options(rule_set.offer, request.options)
        try:
            model = TableModel(
                id=self.tables.next_id,
                owner_id=person.id,
                rule_set=rule_set,
                options=options,
                seats=seats,
                clock=clock,
                terms=policy.terms,
                origin=person.origin,
                passcode=request.passcode,
                is_gallery_open=request.gallery,
                is_exhibition=self._is_exhibition,
                admits=request.admits,
                deals_name=request.deals,
                is_solved=self._config.is_solved(request.game, options, seats),
            )
            model.table_options.check(model.game)
        except BadOption as error:
            raise RequestRefused(
                RefusalCode.BAD_OPTION, "refused-option-flaw", field=error.name, **error.about
            ) from None
        table = self._table(model)
        if request.house:  # what may be refused of it is refused before there is a table
            self._house_players.candidate(table.info, request.house)
            table.require_place_for(person.id, person.name, None, is_bot=person.is_bot)
        effects: list[Effect] = []
        for cleared in self._capacity.room_for_table(person):
            effects += self.tables.close(cleared, say_in_english("refused-left", why="place"))
        effects += self.tables.add(table, now)
        if not request.house:
            return Ok(request.id, table=table.id), effects
        ok, sat = self._sit(person, messages.Sit(request.id, table.id), now)
        effects += sat
        for _ in range(1, seats):
            _, came = self._invite(person, messages.Invite(request.id, table.id, house=request.house), now)
            effects += came
        return ok, effects

    def _sit(self, person: Person, request: messages.Sit, now: int) -> Response:
        table = self._entered(person, request, now)
        self._start_allowed(table)
        holds_key = request.holds_key and table.model.may_be_blind
        sitter = Sitter(person.id, person.name, person.is_bot, holds_key=holds_key)
        seat, effects = table.sit(sitter, request.seat, now)
        self.tables.note_presence(person, table)
        self.tables.fresh.pop(table.id, None)
        return Ok(request.id, table=table.id, seat=seat), self.tables.after(table, effects, now)

    def _watch(self, person: Person, request: messages.Watch, now: int) -> Response:
        table = self._entered(person, request, now)
        effects = table.watch(person.id, person.name, now)
        self.tables.note_presence(person, table)
        return Ok(request.id, table=table.id), self.tables.after(table, effects, now)

    def _entered(self, person: Person, request: messages.Sit | messages.Watch, now: int) -> Table:
        table = self._access.entered(person, request, now)
        if table.id not in person.tables:
            self._room_needed(person)
        return table

    def _invite(self, person: Person, request: messages.Invite, now: int) -> Response:
        table = self.tables.find(request.table)
        self._host_needed(person, table)
        self._start_allowed(table)
        if request.person:
            is_limited = self.policy.edition >= 1
            return Ok(request.id), self._access.invite(person, table, request, now, is_limited=is_limited)
        sitter = self._house_players.candidate(table.info, request.house)
        seat, effects = table.sit(sitter, request.seat, now)
        self.people.last_id = sitter.id
        if table.seating.people:  # else its owner is on the way, and it is as fresh as before
            self.tables.fresh.pop(table.id, None)
        return Ok(request.id, table=table.id, seat=seat), self.tables.after(table, effects, now)

    def _table(self, model: TableModel) -> Table:
        model.has_room, hire, form_of, has_muted = self._asked
        return Table(model, hire, form_of, has_muted)

    def _has_muted(self, reader: PersonId, speaker: str) -> bool:
        known = self.people.get(reader)
        return known is not None and known.hears_no_more_of(speaker)

    def _form_of(self, person: PersonId, family: str) -> MessageForm:
        known = self.people.get(person)
        if known is None:
            return _HOUSE_FORM
        return _form(known.views, known.words, known.language, family in known.knows)

    def _host_needed(self, person: Person, table: Table) -> None:
        if table.owner_id != person.id and table.seating.seat_of(person.id) is None:
            raise RequestRefused(RefusalCode.NOT_THERE, "refused-host")

    def _room_needed(self, person: Person, more: int = 0) -> None:
        most = self._config.limits.tables
        if len(person.tables) + more >= most:
            raise RequestRefused(RefusalCode.TOO_MANY_TABLES, "refused-tables", most=most)

    def _start_allowed(self, table: Table) -> None:
        if self._is_draining:
            raise RequestRefused(RefusalCode.DRAINING, "refused-draining-table", table=table.id)

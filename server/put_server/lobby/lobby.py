"""The lobby as a machine: an input and the time in, effects out.

Nobody here trusts anybody: every request is checked against who asked and what stands, and one that is refused is
answered and changes nothing. Each request gets exactly one answer, and it comes before whatever the request caused. It
is one module because people, tables and the news of both change together, in one step or not at all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import assert_never

from put_protocol import PROTOCOL_VERSION
from put_protocol.messages import (
    USUAL_HOUSE,
    Act,
    Again,
    Analyse,
    Cut,
    Dismiss,
    Drill,
    Goodbye,
    GoOn,
    Grade,
    Invite,
    Leave,
    LobbyState,
    Look,
    LookAway,
    Ok,
    OpenTable,
    Pause,
    Promise,
    Refused,
    Request,
    Resign,
    Say,
    Sit,
    Stand,
    Watch,
    Welcome,
)
from put_protocol.offers import HouseOffer, Limits
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import (
    ClockInfo,
    PersonInfo,
    TableInfo,
    TableState,
)
from put_protocol.text import flaw_of_name, flaw_of_talk, same_name
from put_server.games.game import BadOption, OptionValue, RuleSet
from put_server.games.record import BadRecord, Chance
from put_server.lobby.checkpoint import LobbyCheckpoint
from put_server.lobby.inputs import (
    STUDIES,
    Arrive,
    Ask,
    Depart,
    Drain,
    Input,
    Lose,
    Pulse,
    Restart,
    Return,
    Secret,
    Shuffled,
    Tick,
)
from put_server.lobby.options import checked_options, checked_seats
from put_server.lobby.people import Person, house_name
from put_server.lobby.recent_responses import Answers
from put_server.table.effects import (
    Admit,
    Effect,
    Keep,
    PersonId,
    Study,
    TableId,
    Tell,
    TurnAway,
    WantJudgement,
    WantPosition,
)
from put_server.table.refusal import Refusal
from put_server.table.seating import Sitter
from put_server.table.table import Table

FRESH_MS = 120_000
"""A table at which nobody has sat yet stays open so long: time to tell a friend its number."""

GRACE_MS = 120_000
"""Who is lost and sits nowhere is expected back so long; who sits has the bank of their table."""

PAIR = 2
"""Positions to practise on are of games between two."""

PAGE = 30
"""Tables, and people, in one message: the description of either stays below 1 KiB, so a message stays below a frame."""


def _as_called(house: str, *_: object) -> str:
    return house


def _nothing_is(*_: object) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyRules:
    """What the operator decided."""

    server_name: str
    limits: Limits
    houses: tuple[HouseOffer, ...]
    plays_as: Callable[[str, str, Mapping[str, OptionValue], int], str] = _as_called
    """What a kind of house player comes to in a game with these options and so many seats: as everyone is told."""
    is_solved: Callable[[str, Mapping[str, OptionValue], int], bool] = _nothing_is
    """Whether perfect play is known for a game with these options and so many seats."""
    people: int = 2_000
    """At once."""
    tables: int = 1_000
    """At once; each costs some kilobytes, and a slice of every tick."""


class Lobby:
    """Everyone and every table."""

    def __init__(self, games: Mapping[str, RuleSet], rules: LobbyRules) -> None:
        self.tables: dict[TableId, Table] = {}
        self.people: dict[PersonId, Person] = {}
        self._games = games
        self._rules = rules
        self._tokens: dict[bytes, Person] = {}
        self._names: dict[str, Person] = {}
        self._last_person = 0
        self._last_table = 0
        self._opened: dict[TableId, int] = {}
        """When a table was opened at which nobody has sat yet."""
        self._lookers: set[PersonId] = set()
        self._listed: dict[TableId, TableInfo] = {}
        """As the lookers know them; empty while nobody looks."""
        self._moved: set[PersonId] = set()
        """Who came to a table or left one, was lost or found, and the lookers have yet to hear of it."""
        self._is_draining = False
        self._is_exhibition = False

    # --- at rest ---

    def kept(self) -> LobbyCheckpoint:
        """Everything a lobby needs to go on from here."""
        return LobbyCheckpoint(
            people=tuple([person.kept() for person in self.people.values()]),
            tables=tuple([table.checkpoint() for table in self.tables.values()]),
            opened=tuple(self._opened.items()),
            last_person=self._last_person,
            last_table=self._last_table,
            is_draining=self._is_draining,
            is_exhibition=self._is_exhibition,
        )

    def restore(self, kept: LobbyCheckpoint) -> None:
        """Go on as another lobby was; this one must be empty.

        :raises BadRecord: a table is of a rule set that is not played here, or its game does not follow.
        """
        for person in map(Person.restored, kept.people):
            self.people[person.id] = self._tokens[person.token] = self._names[person.key] = person
        for table in kept.tables:
            rule_set = self._games.get(table.rule_set)
            if rule_set is None:
                raise BadRecord(f"table {table.id} plays {table.rule_set}, which is not played here")
            self.tables[table.id] = Table.restored(table, rule_set, self._hire, self._asks_proof)
        self._opened = dict(kept.opened)
        self._last_person = kept.last_person
        self._last_table = kept.last_table
        self._is_draining = kept.is_draining
        self._is_exhibition = kept.is_exhibition

    # --- what can be asked of it ---

    @property
    def most_people(self) -> int:
        return self._rules.people

    @property
    def is_busy(self) -> bool:
        """Whether somebody who is here plays."""
        return any(
            table.state is TableState.PLAYING and any(self.people[person].is_here for person in table.seating.people)
            for table in self.tables.values()
        )

    def is_followed(self, table: int) -> bool:
        """Whether a person, and not only programs, sits at or watches a table."""
        found = self.tables.get(TableId(table))
        return found is not None and any(not self.people[person].is_bot for person in found.seating.people)

    def sits_at(self, person: PersonId, table: int) -> bool:
        """Whether somebody has a seat at a table."""
        found = self.tables.get(TableId(table))
        return found is not None and found.seating.seat_of(person) is not None

    def handle(self, event: Input, now: int) -> list[Effect]:
        """What comes of an input."""
        match event:
            case Ask(person=person, request=request):
                asker = self.people.get(person)
                return self._house_acts(person, request, now) if asker is None else self._ask(asker, request, now)
            case Shuffled(table=table, pack=pack, luck=luck):
                wanted = self.tables.get(table)  # it may have been cleared away by the input that wanted the pack
                return [] if wanted is None else self._touched(table, wanted.shuffled(pack, now, luck), now)
            case Secret(table=table, secret=secret, remains=remains):
                sealing = self.tables.get(table)
                chance = Chance(secret, remains)
                return [] if sealing is None else self._touched(table, sealing.sealed(chance, now), now)
            case Pulse(person=person):
                tables = [self.tables[table] for table in sorted(self.people[person].tables)]
                return [effect for table in tables for effect in table.answer_ping(person, now)]
            case Tick():
                return self._tick(now)
            case Arrive():
                return self._arrive(event, now)
            case Return():
                return self._return(event, now)
            case Lose(person=person):
                return self._lose(self.people[person], now)
            case Depart(person=person):
                return self._depart(self.people[person], now)
            case Drain():
                self._is_draining = True
                return []
            case Restart(is_exhibition=is_exhibition):
                return self._restart(now, is_exhibition=is_exhibition)
            case _:
                assert_never(event)

    # --- coming and going ---

    def _arrive(self, hello: Arrive, now: int) -> list[Effect]:
        flaw = flaw_of_name(hello.name)
        if self._is_draining:
            return [_turn_away(RefusalCode.DRAINING, "the server is stopping")]
        if flaw is not None:
            return [_turn_away(RefusalCode.BAD_NAME, f"the name {flaw}")]
        effects: list[Effect] = []
        holder = self._names.get(same_name(hello.name))
        if holder is not None:
            if holder.is_here or self._is_kept(holder):
                return [_turn_away(RefusalCode.NAME_TAKEN, "somebody here has this name already")]
            effects += self._depart(holder, now)  # a lost spectator keeps no name from a new guest
        if len(self.people) >= self._rules.people:
            return [*effects, _turn_away(RefusalCode.SERVER_FULL, "there are as many people here as can be")]
        self._last_person += 1
        person = Person(PersonId(self._last_person), hello.name, hello.is_bot, hello.token, openings=hello.openings)
        self.people[person.id] = self._tokens[person.token] = self._names[person.key] = person
        effects.append(Admit(person.id, self._welcome(person)))
        return effects + self._tell_lookers(people=(person.info(),))

    def _is_kept(self, lost: Person) -> bool:
        """Whether a seat, or a table that waits for whoever opened it, is kept for them; and so their name is."""
        has_opened = any(self.tables[table].owner_id == lost.id for table in self._opened)
        return has_opened or any(self.tables[table].seating.seat_of(lost.id) is not None for table in lost.tables)

    def _return(self, hello: Return, now: int) -> list[Effect]:
        person = self._tokens.get(hello.token)
        if person is None:
            return [_turn_away(RefusalCode.BAD_TOKEN, "this token is unknown or has ended")]
        self._is_now(person, is_here=True)
        person.openings = hello.openings
        self._look_away(person)
        effects: list[Effect] = [Admit(person.id, self._welcome(person))]
        effects += [Tell((person.id,), _answered(person, request)) for request in hello.asked]
        # The connection may drop again before these are heard, and be asked after again; the others were heard.
        person.answers = Answers(tuple([ok for request in hello.asked if (ok := person.answers.find(request))]))
        numbers = {s.table: s.number for s in hello.seen}
        for table in sorted(person.tables):
            effects += self._touched(table, self.tables[table].find(person.id, numbers.get(table), now), now)
        for asked in self.tables.values():  # the invitation may have gone to the lost connection
            effects += asked.invitation(person.id)
        return effects + self._tell_moved()

    def _welcome(self, person: Person) -> Welcome:
        """The token is put in by whoever holds it: here is only its digest."""
        return Welcome(
            version=PROTOCOL_VERSION,
            server=self._rules.server_name,
            name=person.name,
            token="",
            limits=self._rules.limits,
            games=tuple(rule_set.offer for rule_set in self._games.values()),
            houses=self._rules.houses,
            tables=tuple(sorted(person.tables)),
        )

    def _lose(self, person: Person, now: int) -> list[Effect]:
        self._is_now(person, is_here=False)
        person.lost_at = now
        self._look_away(person)
        effects: list[Effect] = []
        for table in sorted(person.tables):
            effects += self._touched(table, self.tables[table].lose(person.id, now), now)
        return effects + self._tell_moved()

    def _depart(self, person: Person, now: int) -> list[Effect]:
        effects: list[Effect] = []
        for table in sorted(person.tables):
            person.tables.discard(table)
            effects += self._touched(table, self.tables[table].leave(person.id, now), now)
        self._look_away(person)
        del self.people[person.id], self._tokens[person.token], self._names[person.key]
        return [*effects, Keep(), *self._tell_lookers(departed=(person.name,))]

    def _restart(self, now: int, *, is_exhibition: bool) -> list[Effect]:
        self._is_draining = False
        self._is_exhibition = is_exhibition
        effects: list[Effect] = []
        for person in list(self.people.values()):
            if person.is_here:
                effects += self._lose(person, now)
        for table in self.tables.values():
            effects += table.wake_house(now)
        return effects

    # --- requests ---

    def _ask(self, person: Person, request: Request, now: int) -> list[Effect]:
        try:
            if isinstance(request, Act):
                table = self._table(request.table)
                effects = table.act(person.id, request.decision, request.action, now)
                told: list[Effect] = [_ok(person, request), *self._touched(table.id, effects, now)]
            else:
                told = self._carry_out(person, request, now)
        except Refusal as refusal:
            refused = Refused(request.id, refusal.code, refusal.says, field=refusal.field)
            return [Tell((person.id,), refused)]
        assert isinstance(told[0], Tell)
        assert isinstance(told[0].message, Ok)
        if not isinstance(request, STUDIES):
            person.answers.note(told[0].message)
        return told

    def _carry_out(self, person: Person, request: Request, now: int) -> list[Effect]:
        match request:
            case Look():
                return [_ok(person, request), *self._look(person)]
            case LookAway():
                self._look_away(person)
                return [_ok(person, request)]
            case OpenTable():
                return self._open(person, request, now)
            case Sit():
                return self._sit(person, request, now)
            case Invite():
                return self._invite(person, request, now)
            case Watch():
                return self._watch(person, request, now)
            case Analyse() | Drill() | Grade():
                return [_ok(person, request), self._study(person, request)]
            case _:
                table = self._table(request.table)
                effects = self._at_table(person, table, request, now)
                if table.seating.viewer_of(person.id) is None:
                    self._leaves(person, table.id)
                return [_ok(person, request), *self._touched(table.id, effects, now)]

    def _at_table(
        self,
        person: Person,
        table: Table,
        request: Stand | Leave | Resign | Dismiss | Again | Pause | GoOn | Promise | Cut | Act | Say,
        now: int,
    ) -> list[Effect]:
        match request:
            case Act():
                return table.act(person.id, request.decision, request.action, now)
            case Say(text=text):
                flaw = flaw_of_talk(text)
                if flaw is not None:
                    raise Refusal(RefusalCode.BAD_TALK, f"what you say {flaw}", field="text")
                return table.say(person.id, person.name, text, now)
            case Again():
                if self._is_draining:
                    raise Refusal(RefusalCode.DRAINING, "the server is stopping")
                return table.again(person.id, now)
            case Pause(minutes=minutes):
                return table.pause(person.id, minutes, now)
            case GoOn():
                return table.go_on(person.id, now)
            case Promise(end=end):
                return table.promise(person.id, end, now)
            case Cut(deal=deal, link=link):
                return table.cut(person.id, deal, link, now)
            case Stand():
                return table.stand(person.id, now)
            case Leave():
                return table.leave(person.id, now)
            case Resign():
                return table.resign(person.id, now)
            case Dismiss(seat=seat):
                self._host_needed(person, table)
                return table.dismiss(seat, now)
            case _:
                assert_never(request)

    def _open(self, person: Person, request: OpenTable, now: int) -> list[Effect]:
        if self._is_draining:
            raise Refusal(RefusalCode.DRAINING, "the server is stopping")
        rule_set = self._rule_set(request.game)
        if len(self.tables) >= self._rules.tables:
            raise Refusal(RefusalCode.SERVER_FULL, "there are as many tables as can be")
        opened = sum(1 for table in self._opened if self.tables[table].owner_id == person.id)
        self._room_needed(person, opened)
        if request.deals and not self._is_exhibition:
            raise Refusal(RefusalCode.BAD_OPTION, "only an exhibition deals named sequences of packs", field="deals")
        seats = checked_seats(rule_set.offer, request.seats)
        options = checked_options(rule_set.offer, request.options)
        try:
            table = Table(
                id=TableId(self._last_table + 1),
                owner_id=person.id,
                rule_set=rule_set,
                options=options,
                seats=seats,
                clock=ClockInfo(turn=request.turn, bank=request.bank),
                passcode=request.passcode,
                is_gallery_open=request.gallery,
                is_exhibition=self._is_exhibition,
                admits=request.admits,
                deals_name=request.deals,
                hire=self._hire,
                asks_proof=self._asks_proof,
            )
        except BadOption as error:
            raise Refusal(RefusalCode.BAD_OPTION, f"{error.name}: {error.reason}", field=error.name) from None
        self._last_table = table.id
        self.tables[table.id] = table
        self._opened[table.id] = now
        return [Tell((person.id,), Ok(request.id, table=table.id)), *self._touched(table.id, [], now)]

    def _sit(self, person: Person, request: Sit, now: int) -> list[Effect]:
        table = self._table(request.table)
        self._passcode_needed(person, table, request.passcode)
        if table.id not in person.tables:
            self._room_needed(person)
        self._start_allowed(table)
        seat, effects = table.sit(Sitter(person.id, person.name, person.is_bot), request.seat, now, request.end)
        self._comes(person, table.id)
        self._opened.pop(table.id, None)
        answer = Tell((person.id,), Ok(request.id, table=table.id, seat=seat))
        return [answer, *self._touched(table.id, effects, now)]

    def _watch(self, person: Person, request: Watch, now: int) -> list[Effect]:
        table = self._table(request.table)
        self._passcode_needed(person, table, request.passcode)
        if table.id not in person.tables:
            self._room_needed(person)
        effects = table.watch(person.id, person.name, now)
        self._comes(person, table.id)
        return [Tell((person.id,), Ok(request.id, table=table.id)), *self._touched(table.id, effects, now)]

    def _invite(self, person: Person, request: Invite, now: int) -> list[Effect]:
        table = self._table(request.table)
        self._host_needed(person, table)
        self._start_allowed(table)
        if request.person:
            return self._invite_guest(person, table, request)
        if request.house not in {house.name for house in self._rules.houses}:
            names = ", ".join(house.name for house in self._rules.houses)
            raise Refusal(RefusalCode.UNKNOWN_HOUSE, f"no such house player; there are {names}", field="house")
        sitter = self._house_sitter(table.info, request.house)
        seat, effects = table.sit(sitter, request.seat, now)
        self._last_person = sitter.id
        if table.seating.people:  # else its owner is on the way, and it is as fresh as before
            self._opened.pop(table.id, None)
        answer = Tell((person.id,), Ok(request.id, table=table.id, seat=seat))
        return [answer, *self._touched(table.id, effects, now)]

    def _study(self, person: Person, request: Analyse | Drill | Grade) -> Study:
        if isinstance(request, Analyse):
            table = self._table(request.table)
            info = table.info
            want = table.analyse(person.id)
            self._solution_needed(info.game, info.options, len(info.seats))
            return want
        rule_set = self._rule_set(request.game)
        if PAIR not in rule_set.offer.seats:
            raise Refusal(RefusalCode.NOT_SOLVED, f"{request.game} is not played by two", field="game")
        options = checked_options(rule_set.offer, request.options)
        self._solution_needed(request.game, options, PAIR)
        if isinstance(request, Drill):
            return WantPosition(person.id, request.id, request.game, options)
        return WantJudgement(person.id, request.id, request.game, options, request.number, request.action)

    def _solution_needed(self, game: str, options: Mapping[str, OptionValue], seats: int) -> None:
        if not self._rules.is_solved(game, options, seats):
            for_all = " with these options" if self._rules.is_solved(game, self._defaults(game), seats) else ""
            says = f"perfect play is not known for {game}{for_all}, so nothing can be weighed against it"
            raise Refusal(RefusalCode.NOT_SOLVED, says)

    def _defaults(self, game: str) -> Mapping[str, OptionValue]:
        return {option.name: option.default for option in self._games[game].offer.options}

    def _invite_guest(self, person: Person, table: Table, request: Invite) -> list[Effect]:
        guest = self._names.get(same_name(request.person))
        if guest is None or not guest.is_here:
            raise Refusal(RefusalCode.UNKNOWN_PERSON, "nobody of that name is here", field="person")
        told = table.invite(guest.id, guest.name, request.seat, person.name, is_bot=guest.is_bot)
        return [_ok(person, request), *told]

    def _house_sitter(self, table: TableInfo, house: str) -> Sitter:
        """A house player for this table; its id is spent once it sits."""
        taken = {same_name(seat.name) for seat in table.seats if seat.name and not seat.is_gone}
        plays_as = self._rules.plays_as(house, table.game, table.options, len(table.seats))
        return Sitter(PersonId(self._last_person + 1), house_name(taken), house=house, plays_as=plays_as)

    def _hire(self, table: TableInfo) -> Sitter:
        """A house player for a seat that was left in the middle of a game."""
        sitter = self._house_sitter(table, USUAL_HOUSE)
        self._last_person = sitter.id
        return sitter

    def _asks_proof(self, person: PersonId) -> bool:
        known = self.people.get(person)
        return known is not None and known.openings

    def _house_acts(self, house: PersonId, request: Request, now: int) -> list[Effect]:
        """A house player answers a decision; a late answer is as if it had not been."""
        if not isinstance(request, Act):
            return []
        table = self.tables.get(TableId(request.table))
        if table is None:
            return []
        try:
            effects = table.act(house, request.decision, request.action, now)
        except Refusal:
            return []
        return self._touched(table.id, effects, now)

    # --- checks ---

    def _rule_set(self, game: str) -> RuleSet:
        rule_set = self._games.get(game)
        if rule_set is None:
            names = ", ".join(self._games)
            raise Refusal(RefusalCode.UNKNOWN_GAME, f"no such rule set; there are {names}", field="game")
        return rule_set

    def _table(self, number: int) -> Table:
        table = self.tables.get(TableId(number))
        if table is None:
            raise Refusal(RefusalCode.UNKNOWN_TABLE, f"there is no table {number}", field="table")
        return table

    def _passcode_needed(self, person: Person, table: Table, passcode: str) -> None:
        is_inside = table.id in person.tables or table.owner_id == person.id or person.id in table.seating.invited
        if table.passcode and not is_inside and passcode != table.passcode:
            raise Refusal(RefusalCode.WRONG_PASSCODE, "this table asks for its passcode", field="passcode")

    def _host_needed(self, person: Person, table: Table) -> None:
        if table.owner_id != person.id and table.seating.seat_of(person.id) is None:
            raise Refusal(RefusalCode.NOT_THERE, "only who sits here or opened the table may do that")

    def _room_needed(self, person: Person, more: int = 0) -> None:
        most = self._rules.limits.tables
        if len(person.tables) + more >= most:
            raise Refusal(RefusalCode.TOO_MANY_TABLES, f"you may be at {most} tables at once")

    def _start_allowed(self, table: Table) -> None:
        if self._is_draining:
            raise Refusal(RefusalCode.DRAINING, f"the server is stopping; nothing begins at table {table.id}")

    def _comes(self, person: Person, table: TableId) -> None:
        if table not in person.tables:
            person.tables.add(table)
            self._moved.add(person.id)

    def _leaves(self, person: Person, table: TableId) -> None:
        if table in person.tables:
            person.tables.discard(table)
            self._moved.add(person.id)

    # --- the lobby's own news ---

    def _look(self, person: Person) -> list[Effect]:
        person.is_looking = True
        self._lookers.add(person.id)
        self._listed = {table.id: table.info for table in self.tables.values()}
        tables = tuple(self._listed.values())
        people = tuple([p.info() for p in self.people.values()])
        return [
            Tell((person.id,), LobbyState(tables[at : at + PAGE], people[at : at + PAGE], begins=at == 0))
            for at in range(0, max(len(tables), len(people)), PAGE)
        ]

    def _look_away(self, person: Person) -> None:
        person.is_looking = False
        self._lookers.discard(person.id)
        if not self._lookers:
            self._listed.clear()

    def _tell_lookers(
        self,
        *,
        tables: tuple[TableInfo, ...] = (),
        people: tuple[PersonInfo, ...] = (),
        closed: tuple[int, ...] = (),
        departed: tuple[str, ...] = (),
    ) -> list[Effect]:
        if not self._lookers:
            return []
        news = LobbyState(tables=tables, people=people, closed=closed, departed=departed)
        return [Tell(tuple(sorted(self._lookers)), news)]

    def _touched(self, number: TableId, effects: list[Effect], now: int) -> list[Effect]:
        """After anything at a table: clear it away if it is deserted, and tell the lobby what changed."""
        table = self.tables.get(number)
        if table is None:
            return effects
        if self._is_deserted(table, now):
            for person in table.seating.people:
                self._leaves(self.people[person], number)
            effects = [*effects, *table.close("the table was cleared away, for nobody sits at it"), Keep()]
            del self.tables[number]
            self._opened.pop(number, None)
            self._listed.pop(number, None)
            return effects + self._tell_lookers(people=self._moved_told(), closed=(number,))
        people = self._moved_told()
        if self._lookers:
            info = table.info
            tables = () if self._listed.get(number) == info else (info,)
            self._listed[number] = info
            if tables or people:
                return effects + self._tell_lookers(tables=tables, people=people)
        return effects

    def _is_now(self, person: Person, *, is_here: bool) -> None:
        if person.is_here != is_here:
            person.is_here = is_here
            self._moved.add(person.id)

    def _tell_moved(self) -> list[Effect]:
        people = self._moved_told()
        return self._tell_lookers(people=people) if people else []

    def _moved_told(self) -> tuple[PersonInfo, ...]:
        """Those who came, left, were lost or found since the last call, as they are now."""
        if not self._moved:
            return ()
        people = tuple([self.people[person].info() for person in sorted(self._moved) if self._lookers])
        self._moved.clear()
        return people

    def _is_deserted(self, table: Table, now: int) -> bool:
        opened = self._opened.get(table.id)
        if opened is not None:
            return now - opened >= FRESH_MS and not table.seating.people
        if not table.seating.people or table.seating.is_empty:
            return True
        # Spectators alone cannot fill a seat opposite the house; whoever opened the table may be about to.
        seating = table.seating
        is_waiting = table.state is TableState.FILLING and all(person in seating.watchers for person in seating.people)
        return is_waiting and table.owner_id not in seating.watchers

    # --- time ---

    def _tick(self, now: int) -> list[Effect]:
        effects: list[Effect] = []
        for table in list(self.tables.values()):
            while table.id in self.tables and (told := table.tick(now)):
                for person in [p for p in self.people.values() if table.id in p.tables]:
                    if table.seating.viewer_of(person.id) is None:
                        self._leaves(person, table.id)
                effects += self._touched(table.id, told, now)
            if table.id in self._opened:
                effects += self._touched(table.id, [], now)
        lost = [p for p in self.people.values() if not p.is_here and now - p.lost_at >= GRACE_MS]
        for person in lost:
            if not any(self.tables[table].seating.seat_of(person.id) is not None for table in person.tables):
                effects += self._depart(person, now)
        return effects


def _answered(person: Person, request: int) -> Ok | Refused:
    """The answer to a request of the connection that dropped."""
    return person.answers.find(request) or Refused(
        request, RefusalCode.NOT_CARRIED_OUT, "this request changed nothing; ask again if you still want to"
    )


def _ok(person: Person, request: Request) -> Tell:
    return Tell((person.id,), Ok(request.id))


def _turn_away(code: RefusalCode, says: str) -> TurnAway:
    return TurnAway(Goodbye(code="refused", says=says, refusal=code))

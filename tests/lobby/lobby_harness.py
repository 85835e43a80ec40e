"""Harness of a lobby: every message is checked against what its reader may be told, and kept.

Longer than other modules, because inputs by name, inputs at random and the checks all work on what each person knows.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from copy import copy, deepcopy
from typing import Any, TypeVar

from msgspec.structs import replace

from put_protocol import messages
from put_protocol.cards import Card
from put_protocol.folding import folded as folded_view
from put_protocol.games.families import FAMILIES
from put_protocol.games.put import Play, Put, See, ThrowIn
from put_protocol.games.unions import Action, GameView
from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.offers import HouseOffer, Limits
from put_protocol.parts import parts
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat, Viewer
from put_protocol.table_info import PersonInfo, TableInfo
from put_protocol.text import same_name
from put_rules.game import LUCK, OptionValue
from put_rules.registry import GAMES
from put_server.journal.records import decode_lobby, encode
from put_server.lobby import inputs
from put_server.lobby.config import LobbyConfig
from put_server.lobby.inputs import Admit, InputOutcome, TurnAway
from put_server.lobby.lobby import Lobby
from put_server.lobby.policy import Policy
from put_server.lobby.prefixes import prefixes_of
from put_server.lobby.settling import Entry, settle
from put_server.lobby.subscribers import ALL_TABLES
from put_server.table.clock import NEWS_MS
from put_server.table.table_effects import (
    DealOver,
    Effect,
    HouseGone,
    HouseSat,
    LossFound,
    PersonId,
    Tell,
    WantPack,
    WantSecret,
)
from tests.table.table_harness import state_of

M = TypeVar("M")

TABLES = 4
"""That one person may be at, in these tests."""


def new_lobby(*, people: int = 50, tables: int = 50, each: int = TABLES, shard: Any = None, **allowed: Any) -> Lobby:
    """An empty lobby with small limits; `shard`: more of its configuration."""
    limits = Limits(
        frame_bytes=65536, requests_per_second=20, requests_at_once=60, tables=each, quiet_ms=30_000, dead_ms=75_000
    )
    houses = (HouseOffer("steady", "plays"), HouseOffer("rash", "plays too"))
    config = LobbyConfig(server_name="Here", limits=limits, houses=houses, is_solved=is_solved, **(shard or {}))
    lobby = Lobby(GAMES, config)
    lobby.handle(inputs.Restart(policy=Policy(people=people, tables=tables, **allowed)), 0)
    return lobby


def is_solved(game: str, options: Mapping[str, OptionValue], seats: int) -> bool:
    """Which games are, in these tests."""
    return (game, options.get("target"), seats) == ("put-1674", 5, 2)


def token_of(name: str) -> bytes:
    """What stands for the digest of a person's token."""
    return f"token of {name}".encode()


def lobby_snapshot(lobby: Lobby, now: int) -> Any:
    """Everything anyone could learn of a lobby at this time, and what it would decide next."""
    return (
        {
            number: (state_of(table, now), table.owner_id, table.model.passcode, table.origin)
            for number, table in lobby.tables.items()
        },
        {
            p.id: (
                p.name,
                p.is_bot,
                p.token,
                p.is_here,
                p.lost_at,
                sorted(p.tables),
                p.knows,
                p.views,
                p.origin,
                [*p.muted],
                [*p.blocked],
            )
            for p in lobby.people.values()
        },
        [person.checkpoint() for person in lobby.people.kept.values()],
        lobby.people.last_id,
        lobby.tables.last_id,
        lobby.tables.fresh,
        {*lobby.subscribers._news[ALL_TABLES].readers},
        sorted(lobby.people._by_token),
        sorted(lobby.people._by_name),
        {look: [person.id for person in people] for look, people in lobby.people._by_look.items()},
        lobby._is_draining,
        lobby.policy,
        {p.id: p.checkpoint().answers for p in lobby.people.values()},
    )


class LobbyHarness:
    """The lobby, its guests' mail, its house, its time, and the record of everything that was handed in."""

    def __init__(self, lobby: Lobby | None = None, *, seed: int = 1) -> None:
        self.lobby = lobby or new_lobby()
        self.now = 1_000
        self.mail: dict[PersonId, list[messages.ServerMessage]] = defaultdict(list)
        self.records: list[tuple[int, inputs.Input]] = []
        """What a journal keeps."""
        self.houses: dict[PersonId, messages.Decision | None] = {}
        """The house players, each with the decision that waits for it."""
        self.seen: dict[PersonId, dict[int, int]] = defaultdict(dict)
        """The last event each person has of each table."""
        self.lobby_seen: dict[PersonId, tuple[dict[int, TableInfo], dict[str, PersonInfo]]] = {}
        """The lobby as each subscriber knows it."""
        self.random = random.Random(seed)
        self._study_dice = random.Random(f"studies {seed}")
        self._views_dice = random.Random(f"views {seed}")
        self._news_dice = random.Random(f"news {seed}")
        self.views: dict[PersonId, dict[int, tuple[Viewer, GameView | None]]] = defaultdict(dict)
        """Who each person is at each table, and the view there as they know it, told whole or by changes."""
        self.answers: dict[PersonId, dict[int, messages.Ok | messages.Refused]] = defaultdict(dict)
        """To the requests on each person's connection, in their order."""
        self._last_request = TESTS_OWN
        self._at: dict[int, set[PersonId]] = {}
        self._asked: dict[int, tuple[PersonId, int]] = {}
        """Each table's decision, as the last who was asked knows it."""
        self._reading: set[PersonId] = set()
        """Who is being told the whole lobby."""
        self._news_at: dict[PersonId, int] = {}
        """When each person was told news of the lobby last."""
        self._looked_late: set[PersonId] = set()
        """Who may be told again what they know, because somebody began to look while news waited."""

    # --- inputs ---

    def handle(self, event: inputs.Input, *, must_succeed: bool = False) -> InputOutcome:
        """Hand an input in as the dispatcher does, perform its outcome, and check it.

        `must_succeed`: it must not be refused, so that nothing is kept to see what a refusal changes.
        """
        self._at = self._who_is_where()
        may_change_nothing = inputs.changes_nothing(event) or (
            isinstance(event, inputs.Ask | inputs.Arrive | inputs.Return | inputs.News) and not must_succeed
        )
        before = lobby_snapshot(self.lobby, self.now) if may_change_nothing else None
        if isinstance(event, inputs.Tick):
            self._check_quiet_tables()
        outcome, entries = self._settled(event)
        answer, effects = outcome.answer, outcome.effects
        if outcome.is_refused:
            assert not must_succeed, answer
            warned = [effect.message for effect in effects if isinstance(effect, Tell)]
            assert len(warned) == sum(not isinstance(effect, LossFound) for effect in effects)
            assert all(isinstance(message, messages.Notice) for message in warned)
            assert lobby_snapshot(self.lobby, self.now) == before, f"refused {event}, and yet something changed"
        elif inputs.changes_nothing(event):
            assert lobby_snapshot(self.lobby, self.now) == before, f"{event} was to change nothing"
        elif not (isinstance(event, inputs.Tick) and not effects):
            self.records += [entry for entry in entries if not isinstance(entry, DealOver)]
        check_answer(outcome, event, is_house=isinstance(event, inputs.Ask) and event.person in self.houses)
        if isinstance(event, inputs.Ask) and isinstance(answer, messages.Ok | messages.Refused):
            if not inputs.changes_nothing(event):
                self.answers[event.person][event.request.id] = answer
            self._told(event.person, answer)
        if isinstance(answer, Admit):
            self.lobby_seen.pop(answer.person, None)
        for effect in effects:
            self._carry_out(effect)
        if not self._is_news_waiting:
            self._looked_late.clear()
        self.check()
        return outcome

    def _check_quiet_tables(self) -> None:
        """Time does nothing at tables that a tick passes over."""
        for table in [table for table in self.lobby.tables.values() if self.now < table.next_look]:
            assert table.tick(self.now) == [], "time has decided something at a table that is passed over"

    def _settled(self, event: inputs.Input) -> tuple[InputOutcome, list[Entry]]:
        return settle(self.lobby, event, self.now, self._draw)

    def _draw(self, want: WantPack | WantSecret) -> inputs.Shuffled | inputs.Secret:
        if isinstance(want, WantSecret):
            return inputs.Secret(want.table, self.random.randbytes(32))
        return self._pack(want)

    def _pack(self, want: WantPack) -> inputs.Shuffled:
        pack = [card for card in want.cards if card not in want.top]
        self.random.shuffle(pack)
        luck = self.random.randrange(LUCK) if want.has_accidents else None
        return inputs.Shuffled(want.table, (*want.top, *pack), luck)

    def arrive(self, name: str, *, is_bot: bool = False, origin: str = "") -> PersonId:
        """Somebody new, who must be let in."""
        arrival = replace(self._arrival(name, token_of(name), is_bot=is_bot), origin=origin)
        answer = self.handle(arrival).answer
        assert isinstance(answer, Admit)
        return answer.person

    def _arrival(self, name: str, token: bytes, *, is_bot: bool) -> inputs.Arrive:
        """A hello of somebody new, who asks for views in one way or the other."""
        views, knows = (
            self._views_dice.choice(tuple(messages.ViewForm)),
            self._views_dice.choice((("put",), (*FAMILIES,))),
        )
        return inputs.Arrive(name, is_bot, token, knows=knows, views=views)

    def turned_away(self, event: inputs.Arrive | inputs.Return) -> messages.Goodbye:
        """Somebody who must not be let in."""
        answer = self.handle(event).answer
        assert isinstance(answer, TurnAway)
        return answer.goodbye

    def come_back(self, person: PersonId, seen: Iterable[messages.Seen] | None = None) -> messages.Welcome:
        """A person says hello with their token and the number of the last event they have of each table."""
        if seen is not None:
            self.seen[person] = {said.table: said.number for said in seen}
        said = tuple(messages.Seen(table, number) for table, number in self.seen[person].items())
        asked = self._unheard(person)
        known = self.lobby.people.get(person) or self.lobby.people.kept.get(person)
        assert known is not None
        views = self._views_dice.choice(tuple(messages.ViewForm))
        back = inputs.Return(known.token, said, tuple(asked), known.knows, views)
        came = self.handle(back)
        admit, effects = came.answer, came.effects
        assert isinstance(admit, Admit)
        answers = [
            e.message for e in effects if isinstance(e, Tell) and isinstance(e.message, messages.Ok | messages.Refused)
        ]
        assert answers == [
            answer
            if isinstance(answer, messages.Ok)
            else messages.Refused(request, RefusalCode.NOT_CARRIED_OUT, NOT_CARRIED_OUT)
            for request, answer in asked.items()
        ]
        self.answers[person].clear()
        return admit.welcome

    def _unheard(self, person: PersonId) -> dict[int, messages.Ok | messages.Refused]:
        """Some of the last requests on a person's connection, as if the answers had not reached them."""
        last = [(n, answer) for n, answer in self.answers[person].items() if n > TESTS_OWN][-REQUEST_ARRAY_ITEMS:]
        return dict(self.random.sample(last, self.random.randrange(len(last) + 1)))

    def lose(self, *people: PersonId) -> None:
        for person in people:
            self.handle(inputs.Lose(person))

    def depart(self, person: PersonId) -> None:
        self.handle(inputs.Depart(person))

    def tick(self, milliseconds: int = 0) -> None:
        """So much time passes, then the clock is looked at, and news is told that waited."""
        self.now += milliseconds
        self.handle(inputs.Tick())
        self.tell_news()

    def tell_news(self) -> None:
        """As the server does ten times a second."""
        if self.lobby.has_news(self.now):
            self.handle(inputs.News())

    def restart(self) -> None:
        """The server is killed, folds its records or takes up a checkpoint, and says so to the lobby."""
        if self.random.random() < 0.5:
            again = folded(self.records, new_lobby())
            assert set(again.houses) == set(self.houses)
            assert lobby_snapshot(again.lobby, self.now) == lobby_snapshot(self.lobby, self.now)
            self.lobby = again.lobby
        else:
            self.lobby = checkpointed(self.lobby, self.now)
        self.lobby_seen.clear()
        self._news_at.clear()
        self.handle(inputs.Restart(policy=self.lobby.policy))

    def drain(self) -> None:
        self.handle(inputs.Drain())

    def request_id(self) -> int:
        self._last_request += 1
        return self._last_request

    def ask(self, person: PersonId, request: messages.Request) -> messages.Ok | messages.Refused:
        """A request, with its answer."""
        answer = self.handle(inputs.Ask(person, request)).answer
        assert isinstance(answer, messages.Ok | messages.Refused)
        return answer

    def ok(self, person: PersonId, request: messages.Request) -> messages.Ok:
        """A request that must be carried out."""
        answer = self.handle(inputs.Ask(person, request), must_succeed=True).answer
        assert isinstance(answer, messages.Ok), answer
        return answer

    def refused(self, person: PersonId, request: messages.Request) -> messages.Refused:
        """A request that must be refused."""
        answer = self.ask(person, request)
        assert isinstance(answer, messages.Refused), answer
        return answer

    def open(self, person: PersonId, **fields: Any) -> int:
        """A new table's number."""
        number = self.ok(person, messages.OpenTable(self.request_id(), fields.pop("game", "put-1674"), **fields)).table
        assert number is not None
        return number

    def sit(self, table: int, *people: PersonId, **fields: Any) -> None:
        for person in people:
            self.ok(person, messages.Sit(self.request_id(), table, **fields))

    def watch(self, table: int, *people: PersonId, **fields: Any) -> None:
        for person in people:
            self.ok(person, messages.Watch(self.request_id(), table, **fields))

    def house_answers(self, person: PersonId, action: Action, asked: messages.Decision) -> None:
        """A house player does what the test wants."""
        self.houses[person] = None
        self.handle(inputs.Ask(person, messages.Act(1, asked.table, asked.decision, action)))

    def house_moves(self) -> bool:
        """One house player that was asked answers; False: none was."""
        for person, decision in self.houses.items():
            if decision is not None:
                self.houses[person] = None
                action = self.random.choice(decision.legal).action
                self.handle(inputs.Ask(person, messages.Act(1, decision.table, decision.decision, action)))
                return True
        return False

    # --- effects ---

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Tell(people=people, message=message):
                assert len(set(people)) == len(people)
                for person in people:
                    for part in parts(message):
                        self._told(person, part)
            case HouseSat(person=person):
                self.houses[person] = None
            case HouseGone(person=person):
                del self.houses[person]
            case _:
                pass

    def _told(self, person: PersonId, message: messages.ServerMessage) -> None:
        table = getattr(message, "table", None)
        if isinstance(message, messages.Events | messages.TableSnapshot | messages.Decision | messages.Left):
            at = self._at.get(message.table, set()) | self._who_is_where().get(message.table, set())
            assert person in at or person in self.houses, f"{person} was told {message} and is not at that table"
        if person in self.houses:
            if isinstance(message, messages.Decision):
                self.houses[person] = message
            return
        if person not in self.lobby.people or not self.lobby.people[person].is_here:
            return  # the dispatcher has nobody to tell
        self.mail[person].append(message)
        known = self.seen[person]
        match message:
            case messages.TableSnapshot():
                known[message.table] = message.number
                self.views[person][message.table] = message.viewer, message.view
            case messages.Events():
                assert message.first == known[message.table] + 1, f"{person}: a gap at table {table}"
                known[message.table] += len(message.events)
                if message.table in self.views[person]:
                    viewer, view = self.views[person][message.table]
                    self.views[person][message.table] = viewer, folded_view(view, message, viewer)
            case messages.Left():
                known.pop(message.table, None)
            case messages.Decision():
                former = self._asked.get(message.table, (person, 0))
                assert message.decision > former[1] or (person, message.decision) == former
                self._asked[message.table] = (person, message.decision)
            case messages.LobbyState():
                self._read(person, message)
            case _:
                pass

    def _read(self, person: PersonId, news: messages.LobbyState) -> None:
        is_whole = news.begins or person in self._reading
        if news.begins:
            self.lobby_seen[person] = ({}, {})
            self._reading.add(person)
            if self._is_news_waiting:
                self._looked_late.update(self.lobby.subscribers._news[ALL_TABLES].readers)
        elif not is_whole:
            self._read_news(person, news)
        assert news != messages.LobbyState(), "news of nothing"
        apply_news(self.lobby_seen[person], news)

    def _read_news(self, person: PersonId, news: messages.LobbyState) -> None:
        """No more often than may be, and nothing that was known, unless somebody began to look while it waited."""
        readers = len(self.lobby.subscribers._news[ALL_TABLES].readers)
        told = self._news_at.get(person)
        assert told is None or told == self.now or self.now - told >= max(NEWS_MS, readers), "too much news"
        self._news_at[person] = self.now
        if person in self._looked_late:
            return
        tables, people = self.lobby_seen[person]
        assert all(tables.get(info.id) != info for info in news.tables), "told again what was known"
        assert all(people.get(somebody.name) != somebody for somebody in news.people), "told again who was known"
        assert set(news.closed) <= set(tables)
        assert set(news.departed) <= set(people)

    @property
    def _is_news_waiting(self) -> bool:
        return self.lobby.subscribers._news[ALL_TABLES].is_noted

    def _known_with_news(self, subscriber: PersonId) -> tuple[dict[int, TableInfo], dict[str, PersonInfo]]:
        """The lobby as a subscriber will know it when the news that waits is told."""
        tables, people = self.lobby_seen[subscriber]
        known = dict(tables), dict(people)
        subscribers = copy(self.lobby.subscribers)
        news = copy(subscribers._news[ALL_TABLES])
        subscribers._news = {ALL_TABLES: news}
        news._size = news._own_size
        news.readers, news._rests, news._messages = dict(news.readers), dict(news._rests), dict(news._messages)
        for name in ("_tables", "_people"):
            listing = copy(getattr(news, name))
            setattr(news, name, listing)
            listing.pages, listing.page_of = [dict(page) for page in listing.pages], dict(listing.page_of)
            listing.noted, listing.untold = set(listing.noted), deepcopy(listing.untold)
        for effect in subscribers.news(self.now + 10**6):
            assert isinstance(effect, Tell)
            assert subscriber in effect.people
            assert isinstance(effect.message, messages.LobbyState)
            apply_news(known, effect.message)
        return known

    # --- what must always be so ---

    def _who_is_where(self) -> dict[int, set[PersonId]]:
        return {
            number: {*table.seating.people, *(c.sitter.id for c in table.seating.chairs if c.sitter is not None)}
            for number, table in self.lobby.tables.items()
        }

    def check(self) -> None:
        """The laws that hold between any two inputs."""
        self._reading.clear()
        lobby = self.lobby
        for number, table in lobby.tables.items():
            for person in table.seating.people:
                assert number in lobby.people[person].tables
            sitter = table.seating.chairs[table.model.turn.seat].sitter if table.model.turn.seat is not None else None
            if sitter is not None and sitter.id in lobby.people and lobby.people[sitter.id].is_here:
                assert self._asked[number] == (sitter.id, table.model.turn.decision), "a decision is not outstanding"
        for somebody in lobby.people.values():
            assert list(somebody.tables) == sorted(somebody.tables)
            for number in somebody.tables:
                viewer = lobby.tables[number].seating.viewer_of(somebody.id)
                assert viewer is not None
                if somebody.is_here and number in self.views[somebody.id]:  # else they were told by another harness
                    view = lobby.tables[number].publisher._view(viewer)
                    assert self.views[somebody.id][number] == (viewer, view), f"{somebody.id} has another picture"
        named = [*lobby.people.values(), *lobby.people.kept.values()]
        assert len({same_name(person.name) for person in named}) == len(named) == len(lobby.people._by_token)
        assert all(table in lobby.tables for table in lobby.tables.fresh)
        assert lobby.people.crowds._counts == crowds_of(person.origin for person in lobby.people.values())
        assert lobby.tables.crowds._counts == crowds_of(table.model.origin for table in lobby.tables.values())
        for subscriber in (
            sorted(lobby.subscribers._news[ALL_TABLES].readers)[:1]
            if self._is_news_waiting
            else lobby.subscribers._news[ALL_TABLES].readers
        ):
            tables, people = self._known_with_news(subscriber) if self._is_news_waiting else self.lobby_seen[subscriber]
            assert tables == {table.id: table.info for table in lobby.tables.values()}
            assert people == {p.name: p.info() for p in lobby.people.values()}
        sitting = {
            c.sitter.id for t in lobby.tables.values() for c in t.seating.chairs if c.sitter and c.sitter.is_house
        }
        assert set(self.houses) == sitting

    # --- at random ---

    def random_request(self, person: PersonId) -> messages.Request:
        """A request that may or may not be allowed."""
        dice, number = self.random, self.request_id()
        tables = [*self.lobby.tables, 999]
        mine = sorted(self.lobby.people[person].tables)
        table = dice.choice(mine) if mine and dice.random() < 0.7 else dice.choice(tables)
        passcode = dice.choice(("", "x"))
        match dice.randrange(20):
            case 0:
                return messages.Look(number)
            case 1:
                return messages.LookAway(number)
            case 2 | 3 if len(tables) < 6:
                return messages.OpenTable(
                    number,
                    dice.choice(("put-1674", *GAMES, "whist")),
                    seats=dice.choice((2, 2, 3, 4, 9)),
                    options=dice.choice(OPTIONS),
                    turn=dice.choice((0, 1, 20)),
                    bank=dice.choice((0, 5, 300)),
                    passcode=passcode if dice.random() < 0.3 else "",
                    gallery=dice.random() < 0.8,
                )
            case 2 | 3 | 4 | 5 | 6:
                return messages.Sit(number, dice.choice(tables), dice.choice((None, None, Seat(0), Seat(3))), passcode)
            case 7 if dice.random() < 0.3:
                return messages.Stand(number, table)
            case 8:
                return messages.Watch(number, dice.choice(tables), passcode)
            case 9 if dice.random() < 0.3:
                return messages.Leave(number, table)
            case 10 if dice.random() < 0.5:
                return messages.Resign(number, table)
            case 11 | 12:
                return messages.Invite(number, table, house=dice.choice(("steady", "rash", "nobody")))
            case 13:
                return messages.Dismiss(number, table, Seat(dice.randrange(4)))
            case 14 | 15:
                return messages.Again(number, table)
            case 16 if dice.random() < 0.7:
                return dice.choice(
                    (messages.Pause(number, table, dice.choice((0, 0, 1, 5))), messages.GoOn(number, table))
                )
            case 16 | 17:
                return messages.Say(number, table, dice.choice(("hm", "", "a\x1bb", "\u202eevil", "x" * 500)))
            case _:
                asked = [m for m in self.mail[person] if isinstance(m, messages.Decision)]
                decision = asked[-1].decision if asked and dice.random() < 0.8 else dice.randrange(1, 50)
                actions: list[Action] = [Put(), See(), ThrowIn(), Play(Card("3s"))]
                return messages.Act(number, table, decision, dice.choice(actions))

    def random_move(self) -> None:
        """Somebody who was asked answers, if anybody was."""
        waiting = []
        for table in self.lobby.tables.values():
            mover = table.model.turn.seat
            sitter = table.seating.chairs[mover].sitter if mover is not None else None
            if sitter is not None and sitter.id in self.lobby.people and self.lobby.people[sitter.id].is_here:
                waiting.append(sitter.id)
        if waiting:
            person = self.random.choice(waiting)
            decision = [m for m in self.mail[person] if isinstance(m, messages.Decision)][-1]
            action = self.random.choice(decision.legal).action
            self.ask(person, messages.Act(self.request_id(), decision.table, decision.decision, action))

    def random_study(self) -> None:
        """Somebody asks what changes nothing. It has dice of its own, for whatever else happens goes on as it would."""
        dice, number = self._study_dice, self.request_id()
        people = [p.id for p in self.lobby.people.values() if p.is_here]
        if people:
            table = dice.choice([*self.lobby.tables, 999])
            analyse, drill = (
                messages.Analyse(number, table),
                messages.Drill(number, dice.choice((*GAMES, "whist")), dice.choice(OPTIONS)),
            )
            if dice.random() < 0.3:
                kind = dice.choice((messages.Mute, messages.Block))
                self.ask(dice.choice(people), kind(number, dice.choice(ROOM), dice.random() < 0.7))
                return
            refresh = messages.Refresh(number, table)
            coach = messages.Coach(number, table)
            recall = messages.Recall(number, table)
            grade = messages.Grade(number, "put-1674", 1, Play(Card("3s")), dice.choice(OPTIONS))
            self.ask(dice.choice(people), dice.choice((analyse, coach, drill, grade, recall, refresh)))

    def random_step(self) -> None:
        """Anything at all happens."""
        dice = self.random
        if self._study_dice.random() < 0.05:
            self.random_study()
        if self._news_dice.random() < 0.05:
            self.now += self._news_dice.choice((1, 30, 69))
            self.tell_news()
        here = [p.id for p in self.lobby.people.values() if p.is_here]
        away = [p.id for p in self.lobby.people.values() if not p.is_here]
        match dice.randrange(14):
            case 0:
                name, is_bot = dice.choice(ROOM), dice.random() < 0.2
                self.handle(self._arrival(name, token_of(f"{dice.random()}"), is_bot=is_bot))
            case 1 if here and dice.random() < 0.5:
                self.lose(dice.choice(here))
            case 2 if away:
                self.come_back(dice.choice(away))
            case 3 if here and dice.random() < 0.3:
                person = dice.choice(here)  # by a second connection
                wild = [messages.Seen(t, dice.choice((0, 1, 5, 2**53 - 1))) for t in self.lobby.people[person].tables]
                self.come_back(person, wild)
            case 4 if dice.random() < 0.2:
                self.depart(dice.choice([*here, *away])) if here or away else None
            case 5:
                self.tick(dice.choice((1, 250, 1_000, 2_000, 6_000) if dice.random() < 0.95 else (60_000, 130_000)))
            case 6 if dice.random() < 0.1:
                self.restart()
            case 7 | 8 | 9:
                self.house_moves()
                self.random_move()
            case _ if here:
                person = dice.choice(here)
                self.ask(person, self.random_request(person))
            case _:
                pass


OPTIONS: tuple[dict[str, int | str], ...] = (
    {},
    {"target": 1},
    {"target": 2, "abandoned": "house"},
    {"target": 99},
    {"nothing": 1},
    {"target": 2, "misdeals": 50},
    {"arranged": "3s 2h 2c"},
)
TESTS_OWN = 1_000
"""A test that gives a request a number of its own takes one up to this, and need not take it once only."""

LINK = b"cut" * 10 + b"!!"
"""Every guest's only cut."""

NOT_CARRIED_OUT = "this request changed nothing; ask again if you still want to"
ROOM = ("Ann", "ann", "Ben", "Cat", "Dan", "Eve", "Fay", " bad", "bad\x00", "")


def apply_news(known: tuple[dict[int, TableInfo], dict[str, PersonInfo]], news: messages.LobbyState) -> None:
    """What a client makes of news, in the order of the message's fields."""
    tables, people = known
    tables.update({info.id: info for info in news.tables})
    people.update({somebody.name: somebody for somebody in news.people})
    for number in news.closed:
        tables.pop(number, None)
    for name in news.departed:
        people.pop(name, None)


def check_answer(outcome: InputOutcome, event: inputs.Input, *, is_house: bool) -> None:
    """Exactly one answer to whoever asks or says hello, and none besides."""
    answer, effects = outcome.answer, outcome.effects
    told = [e.message for e in effects if isinstance(e, Tell) and isinstance(e.message, messages.Ok | messages.Refused)]
    match event:
        case inputs.Ask(request=request) if not is_house:
            assert isinstance(answer, messages.Ok | messages.Refused)
            assert answer.id == request.id
            assert not told
        case inputs.Arrive() | inputs.Return():
            assert isinstance(answer, Admit | TurnAway)
            assert not told or isinstance(event, inputs.Return)
        case _:
            assert answer is None
            assert not told


def crowds_of(origins: Iterable[str]) -> dict[str, int]:
    """How many there are of each network, counted anew."""
    return dict(Counter(network for origin in origins for network in ("", *[p.network for p in prefixes_of(origin)])))


def checkpointed(lobby: Lobby, now: int) -> Lobby:
    """A lobby brought back from what a journal keeps of another; nobody looks at it."""
    again = new_lobby()
    again.restore(decode_lobby(encode(lobby.checkpoint())))
    for person in lobby.people.values():
        lobby.subscribers.discard(person.id)
    assert lobby_snapshot(again, now) == lobby_snapshot(lobby, now)
    assert encode(again.checkpoint()) == encode(lobby.checkpoint())
    return again


def folded(records: Iterable[tuple[int, inputs.Input]], lobby: Lobby) -> LobbyHarness:
    """A harness whose lobby was brought back from records, and which tells nobody about it."""
    harness = LobbyHarness(lobby)
    for at, event in records:
        harness.now = at
        for effect in lobby.handle(event, at).effects:
            if isinstance(effect, HouseSat | HouseGone):
                harness._carry_out(effect)
    harness.records = list(records)
    return harness

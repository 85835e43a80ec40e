"""Dispatcher: passes inputs to the lobby, sends its answers, and performs its effects.

There is one thread and one order: an input is handled completely before the next. With a journal, an input goes through
three steps: the lobby carries it out, its record is committed, its answer and effects are performed. Nothing is sent
before the last step. So everything that was ever sent is on disk, and a crash loses only inputs without visible
effects.

Meanwhile the lobby runs ahead of the disk, and handles further inputs on top of uncommitted ones. This is safe because
the journal commits and calls back in the order of its records: effects of a later input never overtake those of an
earlier one. A refusal changes nothing and is not recorded, but it still waits in the queue, so that answers come in the
order of requests. This order would break if the lobby's state were sent to a peer from outside `_perform`; studies and
notices do not contain that state.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from put_protocol.messages import (
    Act,
    Events,
    Goodbye,
    Hello,
    LobbyState,
    Notice,
    Ok,
    Refused,
    Request,
    ServerMessage,
    TableSnapshot,
)
from put_protocol.refusals import RefusalCode
from put_server.lobby import inputs
from put_server.lobby.inputs import REFUSALS, Admit, Ask, Input, InputOutcome, TurnAway
from put_server.lobby.lobby import Lobby
from put_server.lobby.people import Person
from put_server.lobby.policy import Policy
from put_server.lobby.settling import settle
from put_server.table import table_effects
from put_server.table.table_effects import Effect, Errand, GameConcluded, PersonId, TableId, Tell
from put_server.transport.admission import Admission, NetworkUse
from put_server.transport.budgets import MOVES, Work
from put_server.transport.interfaces import AnalysisRunner, HouseSeating, Newcomer, Peer
from put_server.transport.origins import Network, parse_network
from put_server.transport.peer_codecs import PageEncodings
from put_server.transport.reception import AT_ONCE, CallLater, Reception, digest_of
from put_server.transport.shuffler import Shuffler
from put_text.catalogue import say_in_english
from put_text.plain.login import TYPES

if TYPE_CHECKING:  # programs without a journal do not load it
    from put_server.journal.commit_queue import CommitQueue

log = logging.getLogger(__name__)

FEW_RECORDS = 500
"""Records after which a checkpoint is made if the last one is older than `CHECKPOINT_MS`."""

CHECKPOINT_MS = 60_000

HOUSE_MEAN = 32
"""Number of choices over which the cost of a kind of house player is averaged."""

_ROUTINE = frozenset((inputs.Tick, inputs.Pulse, inputs.News))
"""Inputs that are not recorded if they have no effects."""

_BYE = Goodbye(code="bye", says=say_in_english("refused-bye"))
_TAKEN_OVER = Goodbye(code="taken_over", says=say_in_english("refused-taken-over"))


def _with_answer(event: Ask, ok: Ok, effects: list[Effect]) -> list[Effect]:
    """The effects with the answer: inside the first message to the asker, if that is about the table and implies the
    answer; otherwise before them."""
    asker = event.person
    for at, effect in enumerate(effects):
        if type(effect) is Tell and asker in effect.people:
            told = effect.message
            if ok.table is None:
                is_answer = type(told) is Events and told.table == getattr(event.request, "table", None)
            else:
                is_answer = type(told) is TableSnapshot and told.table == ok.table
            if not is_answer:
                break
            others = tuple([person for person in effect.people if person != asker])
            answer = Tell((asker,), replace(told, id=ok.id))
            return [*effects[:at], answer, *([Tell(others, told)] if others else ()), *effects[at + 1 :]]
    return [Tell((asker,), ok), *effects]


class Dispatcher(Reception):
    def __init__(
        self,
        lobby: Lobby,
        *,
        shuffler: Shuffler,
        now: Callable[[], int],
        houses: HouseSeating,
        admission: Admission | None = None,
        password: str = "",
        journal: "CommitQueue | None" = None,
        studies: AnalysisRunner | None = None,
        want_parts: Callable[[table_effects.WantParts], None] = lambda _: None,
        call_later: CallLater | None = None,
    ) -> None:
        """`want_parts`: starts the work on parts of blind deals. `call_later`: as in `Reception`."""
        super().__init__(now, admission=admission, password=password, call_later=call_later)
        self.lobby = lobby
        self._shuffler = shuffler
        self._houses = houses
        self._studies = studies
        self._want_parts = want_parts
        self._journal = journal
        self._online: dict[PersonId, Peer] = {}
        self._arriving: dict[PersonId, Peer] = {}
        """People who are admitted when their record is committed."""
        self._page_encodings = PageEncodings()
        self._compacted_at = 0
        self._house_costs: dict[str, float] = {}
        """The time of a choice of each kind of house player, in microseconds."""
        self.games_finished = 0
        """Games finished since the start."""

    def _holder(self, hello: Hello) -> PersonId | None:
        person = self.lobby.people.with_token(digest_of(hello.token)) if hello.token else None
        return None if person is None else person.id

    def _people(self) -> Iterable[PersonId]:
        return self.lobby.people

    def is_awaited(self, session: Peer) -> bool:
        return session.person is not None and self.lobby.is_awaited(session.person)

    def exit(self, session: Peer) -> None:
        self._forget(session)
        person = session.person
        if person is not None and self._online.get(person) is session:
            del self._online[person]
            self.submit(inputs.Lose(person))
            self.flush()

    def _greet(self, session: Peer, hello: Hello) -> None:
        about = (hello.knows, hello.views, session.caller.origin, hello.incarnation)
        if hello.token:
            digest = digest_of(hello.token)
            if self.lobby.people.with_token(digest) is None:
                self._note_guess(session, hello)
            event: Input = inputs.Return(
                digest, hello.seen, hello.asked, *about, hello.epoch, hello.words, language=hello.language
            )
            outcome = self.submit(event, Newcomer(session, hello.token))
        else:
            token = self._shuffler.words() if hello.client == TYPES else self._shuffler.token()
            digest = digest_of(token)
            event = inputs.Arrive(hello.name, hello.is_bot, digest, *about, words=hello.words, language=hello.language)
            outcome = self.submit(event, Newcomer(session, token))
        if isinstance(outcome.answer, Admit):
            session.standing = self.budgets.of(outcome.answer.person)

    def bye(self, session: Peer) -> None:
        """A deliberate end. The goodbye is sent after the commit."""
        if session.person is None:
            session.farewell(_BYE)
        else:
            self.kick(session.person, _BYE)

    def ask(self, session: Peer, request: Request) -> bool:
        """Handle a request of an admitted peer. Returns whether it was carried out."""
        person = session.person
        assert person is not None
        answer = self.submit(
            Ask(person, request if type(request) in MOVES else self.lobby.without_passcode(request))
        ).answer
        if type(answer) is Refused and answer.code is RefusalCode.WRONG_PASSCODE:
            self._note_wrong_passcode(session)
        return type(answer) not in REFUSALS

    def _note_wrong_passcode(self, session: Peer) -> None:
        self.admission.log.refused(session.caller.address, RefusalCode.WRONG_PASSCODE)

    def answer_ping(self, session: Peer) -> None:
        if session.person is not None:
            self.submit(inputs.Pulse(session.person))

    def refuse_unheard(self, session: Peer, refused: Refused) -> None:
        person, tell = session.person, super().refuse_unheard

        def refuse() -> None:
            if session.person == person:  # after a goodbye what was asked earlier is not answered either
                tell(session, refused)

        self.in_turn(refuse)

    def in_turn(self, then: Callable[[], None]) -> None:
        """Call back after the answers to all earlier requests."""
        if not self._has_uncommitted:
            then()
            return

        def behind() -> None:
            then()
            self.flush()

        self.when_committed(behind)

    def submit(self, event: Input, newcomer: Newcomer | None = None) -> InputOutcome:
        """Pass an input to the lobby, record it, and then perform its outcome. An outcome without entries still waits
        for the earlier ones: a crash must not undo what it rests on. Messages are only queued: call `flush` after the
        last input."""
        outcome, entries = settle(self.lobby, event, self.now(), self._shuffler.draw)
        if newcomer is not None and isinstance(outcome.answer, Admit):
            self._expect(newcomer.session, outcome.answer.person)
        is_act = type(event) is Ask and type(event.request) is Act
        if type(outcome.answer) in REFUSALS:
            entries.clear()
            is_at_once = newcomer is not None or not self._has_uncommitted
        else:
            is_at_once = not outcome.effects and type(event) in _ROUTINE
            if not is_act and inputs.changes_nothing(event):
                entries.clear()
        if self._journal is None or is_at_once:
            self._perform(event, outcome, newcomer)
            if is_act and outcome.effects:
                self.meters.moves.observe(perf_counter() - self.read_at)
        else:
            games = [effect for effect in outcome.effects if type(effect) is GameConcluded]
            then = partial(self._perform_committed, event, outcome, newcomer, self.read_at, self.budgets.payers)
            self._journal.record(entries, then, games)
        if newcomer is not None:
            for effect in outcome.effects:
                if type(effect) is table_effects.SentAway:
                    self._dismiss(self._detach(effect.person), effect.goodbye)
        return outcome

    def _expect(self, session: Peer, person: PersonId) -> None:
        """End the former connection of an admitted person: from now on the lobby means the new one."""
        former = self._online.pop(person, None) or self._arriving.get(person)
        if former is not None:
            former.person = None
            self.admission.distrust(former.caller)
            former.farewell(_TAKEN_OVER)
        self._arriving[person] = session

    def _perform_committed(
        self,
        event: Input,
        outcome: InputOutcome,
        newcomer: Newcomer | None,
        read_at: float,
        payers: tuple[Peer, ...],
    ) -> None:
        """Perform an outcome after its record was committed. A session boundary: no session is above this call."""
        try:
            with Work(self.budgets, payers) as work:
                work.is_play = type(event) is Ask and type(event.request) in MOVES
                self._perform(event, outcome, newcomer)
                if newcomer is not None:
                    newcomer.session.begin()
                self.flush()
            if type(event) is Ask and type(event.request) is Act and outcome.effects:
                if not payers and event.person not in self.lobby.people:
                    self._charge_house(event.request.table, work.cost)
                self.meters.moves.observe(perf_counter() - read_at)
        except Exception:  # a bug while serving a peer ends only this peer
            peer = self._online.get(event.person) if isinstance(event, Ask) else newcomer and newcomer.session
            if peer is None:
                raise
            log.exception("a message could not be answered; its connection is closed")
            peer.cut()

    def _perform(self, event: Input, outcome: InputOutcome, newcomer: Newcomer | None) -> None:
        effects = outcome.effects
        match outcome.answer:
            case None:
                pass
            case Ok():
                assert isinstance(event, Ask)
                if type(event.request) is not Act:  # what is told of an action has the answer
                    effects = _with_answer(event, outcome.answer, effects)
            case Refused():
                assert isinstance(event, Ask)
                self._send((event.person,), outcome.answer)
                self.meters.refused[outcome.answer.code] += 1
            case Admit(person=person, welcome=welcome):
                assert newcomer is not None
                if self._admit(newcomer.session, person, replace(welcome, token=newcomer.token)):
                    caller = newcomer.session.caller
                    caller.name = welcome.name
                    self.admission.log.arrived(caller.address, caller.name, is_back=type(event) is inputs.Return)
            case TurnAway(goodbye=goodbye):
                assert newcomer is not None
                newcomer.session.farewell(goodbye)
        for effect in effects:
            if isinstance(effect, Tell):
                self._send(effect.people, effect.message)
            else:
                self._run_errand(effect)

    def _run_errand(self, effect: Errand) -> None:
        match effect:
            case table_effects.DealOver() | table_effects.RecordInput() | table_effects.SentAway():
                pass  # for the journal, and for `submit`
            case table_effects.HouseSat(person=person, house=house):
                self._houses.seat(person, house)
            case table_effects.HouseGone(person=person):
                self._houses.dismiss(person)
            case GameConcluded():
                self.games_finished += 1
            case table_effects.WantPulse(people=people):
                for person in people:
                    if (pinged := self._online.get(person)) is not None:
                        pinged.ping()
            case table_effects.WantParts():
                self._want_parts(effect)
            case table_effects.LossFound(says=says):
                self.admission.log.lost_play(says)
            case table_effects.WaitEnded(table=table, what=what, seat=seat):
                self.meters.waits[what] += 1
                level = logging.ERROR if what is table_effects.WaitFor.NOTHING else logging.DEBUG
                log.log(level, "table %d waited for %s (seat %s); it goes on", table, what, seat)
            case table_effects.WantPack() | table_effects.WantSecret():
                raise AssertionError("packs are dealt before effects are performed")
            case _:
                assert self._studies is not None, "a lobby without studies has nothing solved, and so wants none"
                self._studies.study(effect)

    def _admit(self, session: Peer, person: PersonId, welcome: ServerMessage) -> bool:
        """Admit a person. False: they have gone meanwhile."""
        if self._arriving.get(person) is not session:  # they left, or took yet another connection
            return False
        del self._arriving[person]
        if session not in self._sessions:  # it was lost while its record was being committed
            self.submit(inputs.Lose(person))
            return False
        session.person = person
        session.standing = self.budgets.of(person)
        self.admission.trust(session.caller)
        self._online[person] = session
        session.send(welcome)
        self.unsent[session] = ()
        return True

    def _send(self, people: tuple[PersonId, ...], message: ServerMessage) -> None:
        """Encode once for all recipients with the same codec. Absent people get nothing, and will ask again."""
        encoded = {} if type(message) is not LobbyState else self._page_encodings.of(message)
        online, unsent = self._online, self.unsent if len(people) <= AT_ONCE else self.unsent_crowd
        payers = self.budgets.payers
        for person in people:
            session = online.get(person)
            if session is None:
                self._houses.tell(person, message)
                continue
            codec = session.codec
            if codec is None:
                session.send(message)  # in sentences, only for this session
            else:
                data = encoded.get(codec)
                if data is None:
                    data = encoded[codec] = codec.encode(message)
                session.deliver(data)
            unsent[session] = payers

    def house_wait(self, table: int) -> float:
        """Seconds until house players of a table may move again, because of the debt for their work."""
        now = self.now()
        return max([place.house.wait_s(now) for places in self._house_places(table) for place in places], default=0.0)

    @contextmanager
    def house_work(self, table: int, house: str, beside: float = 0.0) -> Iterator[None]:
        """Charge the average cost of this kind of house player to the addresses that it plays with: the cost of a
        single choice would reveal its cards. `beside`: microseconds that another process worked on it."""
        work = self.budgets.work((), beside)
        try:
            with work:
                yield
        finally:
            mean = self._house_costs.get(house, work.cost)
            self._house_costs[house] = mean = mean + (work.cost - mean) / HOUSE_MEAN
            self._charge_house(table, mean)

    def _charge_house(self, table: int, cost: float) -> None:
        now, payers = self.now(), self._house_places(table)
        for places in payers:
            for place in places:
                place.house.charge(now, cost / len(payers))

    def _house_places(self, table: int) -> list[tuple[NetworkUse, ...]]:
        """Addresses of the people at a table; if only house players sit there, those of the spectator who plays
        them."""
        found = self.lobby.tables.get(TableId(table))
        if found is None:
            return []
        people = found.seating.guests or found.seating.people[:1]
        places = [self.admission.places_of(self.lobby.people[person].origin) for person in people]
        return [some for some in places if some]

    def charge(self, person: PersonId, cost: float) -> None:
        """Charge a person for work outside the event loop, in microseconds."""
        if (peer := self._online.get(person)) is not None:
            self.budgets.charge((peer,), cost)

    def house_acts(self, person: PersonId, act: Act) -> None:
        self.read_at = perf_counter()
        self.submit(Ask(person, act))
        self.flush()

    def parts_done(self, wanted: table_effects.WantParts, entries: tuple[bytes, ...], read: int, cost: float) -> None:
        """Take finished parts of a blind deal, or a read deal. `cost`: their work in microseconds."""
        self.read_at = perf_counter()
        self._charge_house(wanted.table, cost)
        self.submit(inputs.Parts(wanted.table, wanted.task, entries, read))
        self.flush()

    def tell(self, person: PersonId, message: ServerMessage) -> None:
        """Send a person the result of their request, after its answer. An absent person gets nothing."""
        peer = self._online.get(person)
        with self.budgets.work(() if peer is None else (peer,)):
            self._send((person,), message)
            self.flush()

    def begin(
        self,
        policy: Policy = Policy(),  # noqa: B008  # it is frozen
        *,
        is_exhibition: bool = False,
        today: int = 0,
    ) -> None:
        """Begin, before the server listens, with or without restored tables. `today`, a calendar date, keeps the number
        of this start apart from those of lost starts; 0: starts are not counted."""
        self.submit(inputs.Restart(is_exhibition, policy, max(self.lobby.epochs.current + 1, today) if today else 0))

    def compact(self) -> None:
        """Have the journal store a checkpoint of the lobby in place of its records."""
        if self._journal is not None:
            self._journal.compact(self.now(), self.lobby.checkpoint())

    def compact_behind(self) -> None:
        """The same in the background, while play continues."""
        if self._journal is not None:
            self._compacted_at = self.now()
            self._journal.compact_behind(self._compacted_at, self.lobby.checkpoint)

    def _compact_if_due(self) -> None:
        if self._journal is None:
            return
        now, records = self.now(), self._journal.since_checkpoint
        is_time = now - self._compacted_at >= CHECKPOINT_MS
        if records >= self._journal.most_records or (is_time and records >= FEW_RECORDS):
            self.compact_behind()

    @property
    def _has_uncommitted(self) -> bool:
        return self._journal is not None and self._journal.uncommitted > 0

    def when_committed(self, then: Callable[[], None]) -> None:
        """Call back when everything recorded so far is on disk; at once without a journal."""
        if self._journal is None:
            then()
        else:
            self._journal.record([], then)

    def tick(self) -> None:
        """Apply time-outs of tables, erase names out of time, and make a checkpoint if one is due."""
        self.submit(inputs.Tick())
        for person in self.lobby.names_out_of_time(self.now()):
            self.submit(inputs.Depart(person))
        self._compact_if_due()
        self.tell_news()
        self.flush()
        self.resume()

    def tell_news(self) -> None:
        """Send delayed news if it is due. Call this often."""
        if self.lobby.has_news(self.now()):
            self.submit(inputs.News())
            self.flush()

    def announce(self, says: str) -> None:
        self._send(tuple(self._online), Notice(says))
        self.flush()

    def drain(self) -> None:
        self.submit(inputs.Drain())

    def kick(self, person: PersonId, goodbye: Goodbye) -> None:
        """Remove a person for good, whether they are connected, arriving, or away. They are told after the commit."""
        sessions = self._detach(person)
        self.submit(inputs.Depart(person))
        self._dismiss(sessions, goodbye)
        self.flush()

    def _detach(self, person: PersonId) -> list[Peer]:
        """Detach the connections of a departing person. Returns them, to be dismissed."""
        sessions = [found for found in (self._online.pop(person, None), self._arriving.pop(person, None)) if found]
        for session in sessions:
            session.person = None
            self.admission.distrust(session.caller)
        return sessions

    def _dismiss(self, sessions: list[Peer], goodbye: Goodbye) -> None:
        def tell() -> None:
            for session in sessions:
                session.farewell(goodbye)

        self.when_committed(tell)

    def forget(self, name: str, goodbye: Goodbye) -> bool:
        """Erase a person without a game in play, and send them away if they are here. The caller must have the journal
        erase them too. Returns whether the house had learned how they play."""
        if (person := self.lobby.people.named(name)) is not None:
            self.kick(person.id, goodbye)
        was_learned = self._houses.forget(name)
        self.submit(inputs.Forget(name))
        self.flush()
        return was_learned

    def kick_from(self, network: Network, goodbye: Goodbye) -> tuple[list[str], int]:
        """Remove all people who are, or last were, connected from a network, and close its other connections. Returns
        the people's names, and the number of connections."""
        people = {person for person, session in self._online.items() if session.caller.is_within(network)}
        people |= {person for person, session in self._arriving.items() if session.caller.is_within(network)}
        people |= {person.id for person in self.lobby.people.values() if not person.is_here and _is_of(person, network)}
        strangers = self.admission.cut_strangers(network)
        names = [self.lobby.people[person].name for person in sorted(people)]
        for person in sorted(people):
            self.kick(person, goodbye)
        return names, strangers


def _is_of(person: Person, network: Network) -> bool:
    """True if a person was last connected from there; unknown, and so false, for exempt people."""
    if not person.origin:
        return False
    origin = parse_network(person.origin)
    return origin.version == network.version and origin.subnet_of(network)  # type: ignore[arg-type]  # of one version

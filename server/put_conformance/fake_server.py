"""Fake server: a real lobby with scripted opponents in it, without sockets and journal.

Inputs are settled as in the real server; effects are performed at once. Opponents answer only when an input is done
with, so the client is sent everything in the order in which a real server would send it.
"""

import hashlib
import random
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from msgspec.structs import replace

from put_conformance.scripted_players import NAMES, ScriptedPlayer
from put_protocol.limits import DEAD_MS, FRAME_BYTES, QUIET_MS, REQUEST_ARRAY_ITEMS
from put_protocol.messages import (
    Goodbye,
    Hello,
    Invite,
    Leave,
    Ok,
    OpenTable,
    Refused,
    Request,
    ServerMessage,
    Sit,
    Welcome,
)
from put_protocol.offers import HouseOffer, Limits
from put_protocol.seats import Seat
from put_protocol.table_info import (
    TableState,
)
from put_server.games.game import OptionValue, RuleSet
from put_server.lobby.config import LobbyConfig
from put_server.lobby.dealing import settle
from put_server.lobby.inputs import Arrive, Ask, Depart, Input, Lose, Pulse, Return, Tick
from put_server.lobby.lobby import Lobby
from put_server.lobby.outcome import Admit, Outcome, TurnAway
from put_server.table.effects import (
    DealOver,
    Effect,
    GameOver,
    HouseGone,
    HouseSat,
    Keep,
    PersonId,
    TableId,
    Tell,
    WantAnalysis,
    WantJudgement,
    WantPack,
    WantPosition,
    WantPulse,
    WantSecret,
)
from put_server.table.table import Table
from put_server.transport.rate_limit import REQUESTS_AT_ONCE, REQUESTS_PER_SECOND
from put_server.transport.shuffler import Shuffler

MOST_STEPS = 20_000
"""Most answers of opponents to one input: a game played out among themselves takes some hundreds."""

_NO_REQUEST = 2**53 - 1
"""Id of a request that the client did not make; no client's ids are so high."""


@dataclass(slots=True)
class SuiteState:
    """What the cases of one run share, for a client that keeps its token from one case to the next."""

    people: dict[bytes, tuple[str, bool]] = field(default_factory=dict)
    """By the digest of a token: name and is_bot of its owner in an earlier case, whose tables are gone."""
    last_table: int = 0
    """Its number; no number is used twice."""


_LIMITS = Limits(
    frame_bytes=FRAME_BYTES,
    requests_per_second=REQUESTS_PER_SECOND,
    requests_at_once=REQUESTS_AT_ONCE,
    tables=REQUEST_ARRAY_ITEMS,
    quiet_ms=QUIET_MS,
    dead_ms=DEAD_MS,
)
_HOUSES = (HouseOffer("steady", "a scripted opponent, whichever house player is asked for"),)


class FakeServer:
    """A lobby for one case, with its opponents."""

    def __init__(
        self,
        games: Mapping[str, RuleSet],
        *,
        seed: str,
        now: Callable[[], int],
        tell: Callable[[PersonId, ServerMessage], None],
        is_put_wanted: Callable[[], bool],
        state: SuiteState,
    ) -> None:
        self.lobby = Lobby(games, LobbyConfig(server_name="Put conformance suite", limits=_LIMITS, houses=_HOUSES))
        self.lobby.restore(replace(self.lobby.checkpoint(), last_table=state.last_table))
        self._clock = now
        self._ahead = 0
        self._deliver = tell
        self._is_put_wanted = is_put_wanted
        self._state = state
        self._rng = random.Random(seed)
        self._shuffler = Shuffler(self._rng.getrandbits(63))
        self._players: dict[PersonId, ScriptedPlayer] = {}
        self._requests: deque[tuple[PersonId, Request]] = deque()
        self._is_busy = False
        self._names = iter(self._rng.sample(NAMES, len(NAMES)))

    # --- time ---

    @property
    def now(self) -> int:
        """Milliseconds of the lobby's clock."""
        return self._clock() + self._ahead

    def skip(self, milliseconds: int) -> None:
        """Let so much time pass in the lobby at once."""
        self._ahead += milliseconds
        self.tick()

    def tick(self) -> None:
        self.submit(Tick())

    # --- the client ---

    def admit(self, hello: Hello) -> tuple[PersonId, Welcome, list[Effect]] | Goodbye:
        """Let the client in, or return why not. After sending the welcome the caller performs the effects."""
        token = hello.token or self._shuffler.token()
        digest = hashlib.sha256(token.encode()).digest()
        if hello.token:
            outcome = self._handle(Return(digest, hello.seen, hello.asked, hello.openings))
            if outcome.is_refused and (known := self._state.people.get(digest)) is not None:
                outcome = self._handle(Arrive(*known, digest, hello.openings))
        else:
            outcome = self._handle(Arrive(hello.name, hello.is_bot, digest, hello.openings))
        match outcome.answer:
            case TurnAway(goodbye=goodbye):
                return goodbye
            case Admit(person=person, welcome=welcome):
                self._state.people[digest] = (welcome.name, hello.is_bot)
                return person, replace(welcome, token=token), outcome.effects
            case _:
                raise AssertionError("a hello is answered")

    def ask(self, person: PersonId, request: Request) -> bool:
        """Pass a request of the client on. Returns whether it was carried out."""
        return self.submit(Ask(person, request))

    def lose(self, person: PersonId) -> None:
        if person in self.lobby.people and self.lobby.people[person].is_here:
            self.submit(Lose(person))

    def depart(self, person: PersonId) -> None:
        """The person leaves for good, and their token ends."""
        if person in self.lobby.people:
            self._state.people.pop(self.lobby.people[person].token, None)
            self.submit(Depart(person))

    def tables_of(self, person: PersonId) -> list[Table]:
        """The tables at which the person sits."""
        known = self.lobby.people.get(person)
        tables = [] if known is None else [self.lobby.tables[table] for table in sorted(known.tables)]
        return [table for table in tables if table.seating.seat_of(person) is not None]

    # --- opponents ---

    def open_table(
        self, game: str, seats: int, options: Mapping[str, OptionValue], turn: int
    ) -> tuple[PersonId, TableId]:
        """Open a table and fill it but for one seat. Returns its owner, who can invite the client, and the table."""
        host, player = self._add_player()
        opening = OpenTable(player.next_id(), game, seats=seats, options=dict(options), turn=turn, bank=86_400)
        if not self.submit(Ask(host, opening)):
            raise AssertionError(f"a table of {game} for {seats} cannot be opened")
        table = max(self.lobby.tables)
        free = self._rng.randrange(seats)
        for seat in range(seats):
            if seat != free:
                self._sit(host if seat == (free + 1) % seats else self._add_player()[0], self.lobby.tables[table], seat)
        return host, table

    def fill_seats(self, table: Table) -> None:
        """Opponents take the free seats of a table that the client opened."""
        for seat, chair in enumerate(table.seating.chairs):
            if chair.sitter is None:
                self._sit(self._add_player()[0], table, seat)

    def invite(self, host: PersonId, table: TableId, person: PersonId) -> bool:
        """Returns whether the person could be invited."""
        name = self.lobby.people[person].name
        return self.submit(Ask(host, Invite(self._players[host].next_id(), table, person=name)))

    def opponents_at(self, table: Table) -> list[tuple[PersonId, ScriptedPlayer]]:
        """Opponents at this table who are guests; house players make no requests of their own."""
        return [
            (chair.sitter.id, self._players[chair.sitter.id])
            for chair in table.seating.chairs
            if chair.sitter is not None and not chair.sitter.is_house and chair.sitter.id in self._players
        ]

    def request(self, person: PersonId, request: Request) -> None:
        """Let an opponent make a request."""
        self._requests.append((person, request))
        self._run_players()

    def table(self, number: int) -> Table | None:
        return self.lobby.tables.get(TableId(number))

    def unseat(self, person: PersonId, table: TableId) -> None:
        """Take the client's seat away."""
        self.submit(Ask(person, Leave(_NO_REQUEST, table)))

    def _add_player(self) -> tuple[PersonId, ScriptedPlayer]:
        number = len(self._players) + 1
        name = next(self._names, f"Opponent {number}")
        outcome = self._handle(Arrive(name, True, self._rng.randbytes(32)))
        if outcome.is_refused:  # the client has this name
            outcome = self._handle(Arrive(f"Opponent {number}", True, self._rng.randbytes(32)))
        assert isinstance(outcome.answer, Admit)
        person = outcome.answer.person
        self._players[person] = ScriptedPlayer(random.Random(self._rng.getrandbits(63)), self._is_put_wanted)
        self.perform(outcome.effects)
        return person, self._players[person]

    def _sit(self, person: PersonId, table: Table, seat: int) -> None:
        if table.state is TableState.FILLING:
            request = Sit(self._players[person].next_id(), table.id, Seat(seat), passcode=table.passcode)
            self.submit(Ask(person, request))

    def close(self) -> None:
        """The case is over."""
        self._state.last_table = self.lobby.checkpoint().last_table

    # --- inputs and effects ---

    def submit(self, event: Input) -> bool:
        """Hand an input to the lobby and see to its effects. Returns whether it was carried out."""
        outcome = self._handle(event)
        if isinstance(event, Ask) and isinstance(outcome.answer, Ok | Refused):
            self._told(event.person, outcome.answer)
        self.perform(outcome.effects)
        return not outcome.is_refused

    def _handle(self, event: Input) -> Outcome:
        outcome, _ = settle(self.lobby, event, self.now, self._shuffler.draw)
        return outcome

    def perform(self, effects: list[Effect]) -> None:
        """Perform effects, and let the opponents answer."""
        for effect in effects:
            match effect:
                case Tell(people=people, message=message):
                    for person in people:
                        self._told(person, message)
                case HouseSat(person=person):
                    self._players[person] = ScriptedPlayer(
                        random.Random(self._rng.getrandbits(63)), self._is_put_wanted
                    )
                case HouseGone(person=person):
                    self._players.pop(person, None)
                case WantPack() | WantSecret():
                    raise AssertionError("packs are dealt before effects are performed")
                case WantPulse(people=people):
                    for person in people:
                        self.submit(Pulse(person))
                case GameOver() | Keep() | DealOver():
                    pass
                case WantAnalysis() | WantPosition() | WantJudgement():
                    raise AssertionError("a lobby that knows of nothing solved wants nothing weighed")
                case _:
                    assert_never(effect)
        self._run_players()

    def _told(self, person: PersonId, message: ServerMessage) -> None:
        player = self._players.get(person)
        if player is None:
            self._deliver(person, message)
        else:
            self._requests.extend((person, request) for request in player.receive(message))

    def _run_players(self) -> None:
        if self._is_busy:
            return
        self._is_busy = True
        try:
            for _ in range(MOST_STEPS):
                if not self._requests:
                    return
                person, request = self._requests.popleft()
                self.submit(Ask(person, request))
            raise AssertionError(f"the opponents did not come to rest in {MOST_STEPS} steps")
        finally:
            self._is_busy = False

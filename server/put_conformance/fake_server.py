"""Fake server: a real lobby with scripted opponents, without sockets and without a journal.

The opponents choose among the legal actions at random with a seed. A real dispatcher drives the lobby. Its peers are
the opponents and the client, which get messages, not bytes. Opponents answer only after an input is finished, as over a
socket.
"""

import hashlib
import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from put_protocol import PROTOCOL_VERSION, messages
from put_protocol.offers import HouseOffer
from put_protocol.parts import parts
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_info import TableState
from put_rules.game import OptionValue, RuleSet
from put_server.lobby.config import LobbyConfig
from put_server.lobby.inputs import Arrive, Ask, Input, Tick
from put_server.lobby.lobby import Lobby
from put_server.table.blind_deals import worked_out
from put_server.table.table import Table
from put_server.table.table_effects import PersonId, TableId, WantParts
from put_server.transport import rate_limit
from put_server.transport.admission import Caller
from put_server.transport.budgets import Allowance
from put_server.transport.dispatcher import Dispatcher
from put_server.transport.interfaces import Newcomer
from put_server.transport.shuffler import Shuffler

NAMES = ["Zoë", "Björn", "Ines", "Jiří", "Olívia", "Søren", "Tamás", "Ursula", "Łukasz", "Wanda"]
"""Most contain letters of several bytes, which may arrive split."""


class ScriptedPlayer:
    """One opponent. It gets the messages of a player, and returns its requests."""

    peer: "MessagePeer"
    """Its connection; a house player has none."""

    def __init__(self, rng: random.Random, token: str = "") -> None:
        """`token`: the one it comes back with."""
        self.token = token
        self._rng = rng
        self._requests = 0
        self._seat: Seat | None = None
        self._asked_again = 0

    def next_id(self) -> int:
        self._requests += 1
        return self._requests

    def receive(self, message: messages.ServerMessage) -> list[messages.Request]:
        match message:
            case messages.Decision():
                action = self._rng.choice(message.legal).action
                return [messages.Act(self.next_id(), message.table, message.decision, action)]
            case messages.TableSnapshot(viewer=viewer, info=info) if viewer != GALLERY:
                self._seat = viewer
                self._asked_again = info.games if info.is_in_play else 0
            case messages.Events(table=table, info=info) if info is not None and self._seat is not None:
                is_over = info.games and info.state in (TableState.BETWEEN, TableState.FILLING)
                if is_over and info.games > self._asked_again and not info.seats[self._seat].is_house:
                    self._asked_again = info.games
                    return [messages.Again(self.next_id(), table)]
            case _:
                pass
        return []


MOST_STEPS = 20_000
"""Most answers of opponents to one input: a game among themselves takes some hundreds."""

_NO_REQUEST = 2**53 - 1
"""Id of a request not made by the client, whose ids are never so high."""


@dataclass(slots=True)
class SuiteState:
    """State shared by the cases of one run, for a client that reuses its token."""

    people: dict[bytes, tuple[str, bool]] = field(default_factory=dict)
    """Name and `is_bot` of a person of an earlier case, whose tables are closed, by digest of the token."""
    last_table: int = 0
    """Its number; numbers are unique."""


_HOUSES = (HouseOffer("steady", "a scripted opponent, whichever house player is asked for"),)


class MessagePeer:
    """A peer of the dispatcher that gets messages at once, not bytes."""

    codec = None
    pending = 0
    waits_for_all = False

    def __init__(
        self,
        dispatcher: Dispatcher,
        receive: Callable[[messages.ServerMessage], None],
        close: Callable[[messages.Goodbye], None],
        *,
        is_client: bool,
    ) -> None:
        """`is_client`: it is pinged over its connection, and may be as slow as the machine."""
        self.is_client = is_client
        self.person: PersonId | None = None
        self.caller = Caller()
        self.standing = Allowance(0)
        self._receive = receive
        self.farewell = close
        self._dispatcher = dispatcher

    def send(self, message: messages.ServerMessage) -> None:
        for part in parts(message):
            self._receive(part)

    def ping(self) -> None:
        """A peer without a socket always answers."""
        if self.is_client:
            self._receive(messages.Ping())
        else:
            self.answer_ping()

    def answer_ping(self) -> None:
        self._dispatcher.answer_ping(self)

    def deliver(self, data: bytes) -> None:
        raise AssertionError("this peer gets messages")

    def flush(self) -> None: ...
    def resume(self) -> bool:
        return True

    def begin(self) -> None: ...
    def cut(self) -> None: ...
    def tick(self, now: int, *, is_awaited: bool) -> None: ...


class FakeServer:
    def __init__(
        self,
        games: Mapping[str, RuleSet],
        *,
        seed: str,
        now: Callable[[], int],
        state: SuiteState,
        names: Sequence[str] = NAMES,
    ) -> None:
        self.lobby = Lobby(
            games, LobbyConfig(server_name="Put conformance suite", limits=rate_limit.WELCOME_LIMITS, houses=_HOUSES)
        )
        self.lobby.restore(replace(self.lobby.checkpoint(), last_table=state.last_table))
        self._clock = now
        self._ahead = 0
        self._state = state
        self._rng = random.Random(seed)
        self._parts: deque[WantParts] = deque()
        """The server's parts of blind deals, also for the opponents, who keep no keys."""
        self._dispatcher = Dispatcher(
            self.lobby,
            shuffler=Shuffler(self._rng.getrandbits(63)),
            now=lambda: self.now,
            houses=self,
            want_parts=self._parts.append,
        )
        self._players: dict[PersonId, ScriptedPlayer] = {}
        self._lost: dict[PersonId, ScriptedPlayer] = {}
        """Opponents whose connection is dropped."""
        self._requests: deque[tuple[PersonId, messages.Request]] = deque()
        self._is_busy = False
        self._names = iter(self._rng.sample(names, len(names)))

    @property
    def now(self) -> int:
        """Milliseconds of the lobby's clock."""
        return self._clock() + self._ahead

    def skip(self, milliseconds: int) -> None:
        """Let this time pass in the lobby at once."""
        self._ahead += milliseconds
        self.tick()

    def tick(self) -> None:
        self.submit(Tick())

    def connect(
        self,
        receive: Callable[[messages.ServerMessage], None],
        close: Callable[[messages.Goodbye], None],
        *,
        is_client: bool = False,
    ) -> MessagePeer:
        """Connect a peer; `close` gets the reason if it is refused or sent away."""
        peer = MessagePeer(self._dispatcher, receive, close, is_client=is_client)
        self._dispatcher.enter(peer)
        return peer

    def hello(self, peer: MessagePeer, hello: messages.Hello) -> None:
        """Admit the client, or close its connection."""
        digest = hashlib.sha256(hello.token.encode()).digest()
        known = self._state.people.get(digest)
        if known is not None and all(person.token != digest for person in self.lobby.people.values()):
            self._dispatcher.submit(Arrive(*known, digest, incarnation=hello.incarnation), Newcomer(peer, hello.token))
            for request in hello.asked:  # of an earlier case: as a server that has begun anew
                peer.send(messages.Refused(request, RefusalCode.NOT_CARRIED_OUT, "the case in which you asked is over"))
        else:
            self._dispatcher.hello(peer, replace(hello, password=""))  # a client may have one for its real server
        if peer.person is not None:
            person = self.lobby.people[peer.person]
            self._state.people[person.token] = (person.name, hello.is_bot)
        self._run_players()

    def ask(self, peer: MessagePeer, request: messages.Request) -> bool:
        """Pass a request of the client to the lobby. Returns whether it was carried out."""
        is_carried_out = peer.person is not None and self._dispatcher.ask(peer, request)
        self._run_players()
        return is_carried_out

    def exit(self, peer: MessagePeer) -> None:
        self._dispatcher.exit(peer)
        self._run_players()

    def bye(self, peer: MessagePeer) -> None:
        """The client leaves for good; its token ends."""
        if peer.person is not None:
            self._state.people.pop(self.lobby.people[peer.person].token, None)
            self._dispatcher.bye(peer)
            self._run_players()

    def tables_of(self, person: PersonId) -> list[Table]:
        known = self.lobby.people.get(person)
        tables = [] if known is None else [self.lobby.tables[table] for table in sorted(known.tables)]
        return [table for table in tables if table.seating.seat_of(person) is not None]

    def open_table(
        self, game: str, seats: int, options: Mapping[str, OptionValue], turn: int
    ) -> tuple[PersonId, TableId]:
        """Open a table and fill all seats except one. Returns its owner, who can invite the client, and the table."""
        host, player = self._add_player()
        opening = messages.OpenTable(player.next_id(), game, seats=seats, options=dict(options), turn=turn, bank=86_400)
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
        return self.submit(Ask(host, messages.Invite(self._players[host].next_id(), table, person=name)))

    def opponents_at(self, table: Table) -> list[tuple[PersonId, ScriptedPlayer]]:
        """Guests among the opponents at this table; house players make no requests of their own."""
        return [
            (chair.sitter.id, self._players[chair.sitter.id])
            for chair in table.seating.chairs
            if chair.sitter is not None and not chair.sitter.is_house and chair.sitter.id in self._players
        ]

    def ask_each(self, table: Table, make: Callable[[int], messages.Request]) -> bool:
        """Each opponent at this table makes a request with an id of its own. Returns false if there are none."""
        opponents = self.opponents_at(table)
        self._requests.extend((person, make(player.next_id())) for person, player in opponents)
        self._run_players()
        return bool(opponents)

    def table(self, number: int) -> Table | None:
        return self.lobby.tables.get(TableId(number))

    def unseat(self, person: PersonId, table: TableId) -> None:
        self.submit(Ask(person, messages.Leave(_NO_REQUEST, table)))

    def _add_player(self) -> tuple[PersonId, ScriptedPlayer]:
        number = len(self._players) + 1
        token = self._rng.randbytes(32).hex()
        digest = hashlib.sha256(token.encode()).digest()
        player = self._new_player(token)
        peer = self._connect_player(player)
        for name in (next(self._names, f"Opponent {number}"), f"Opponent {number}"):  # the client may have a name
            if peer.person is None:
                self._dispatcher.submit(Arrive(name, True, digest), Newcomer(peer, ""))
        assert peer.person is not None
        self._players[peer.person] = player
        self._run_players()
        return peer.person, player

    def _connect_player(self, player: ScriptedPlayer) -> MessagePeer:
        def receive(message: messages.ServerMessage) -> None:
            assert peer.person is not None
            self._requests.extend((peer.person, request) for request in player.receive(message))

        peer = player.peer = self.connect(receive, lambda _: None)
        return peer

    def lose(self, table: Table) -> bool:
        """Drop the opponents' connections at a table. Returns false if there were none."""
        for person, player in self.opponents_at(table):
            self._lost[person] = player
            del self._players[person]  # those are told what the house is, also without a connection
            self.exit(player.peer)
        return bool(self._lost)

    def come_back(self) -> None:
        """Opponents with lost connections return with their tokens."""
        for person, player in self._lost.items():
            self._players[person] = player
            hello = messages.Hello(PROTOCOL_VERSION, token=player.token, is_bot=True)
            self._dispatcher.hello(self._connect_player(player), hello)
        self._lost.clear()
        self._run_players()

    def _new_player(self, token: str = "") -> ScriptedPlayer:
        return ScriptedPlayer(random.Random(self._rng.getrandbits(63)), token)

    def _sit(self, person: PersonId, table: Table, seat: int) -> None:
        if table.state is TableState.FILLING:
            player = self._players[person]
            request = messages.Sit(player.next_id(), table.id, Seat(seat), passcode=table.model.passcode)
            self.submit(Ask(person, request))

    def close(self) -> None:
        self._state.last_table = self.lobby.checkpoint().last_table

    def submit(self, event: Input) -> bool:
        """Pass an input to the lobby, and let the opponents answer. Returns whether it was carried out."""
        is_carried_out = not self._dispatcher.submit(event).is_refused
        self._run_players()
        return is_carried_out

    def seat(self, person: PersonId, house: str) -> None:
        self._players[person] = self._new_player()

    def tell(self, person: PersonId, message: messages.ServerMessage) -> bool:
        player = self._players.get(person)
        if player is not None:
            for part in parts(message):
                self._requests.extend((person, request) for request in player.receive(part))
        return player is not None

    def forget(self, name: str) -> bool:
        return False  # they learn nothing

    def dismiss(self, person: PersonId) -> None:
        self._players.pop(person, None)

    def _has_client(self, number: TableId) -> bool:
        """True if the client sits at this table. If the house took its seat, the opponents finish this game but begin
        no other, which would never end."""
        table = self.lobby.tables.get(number)
        chairs = () if table is None else table.seating.chairs
        return any(chair.sitter is not None and chair.sitter.id not in self._players for chair in chairs)

    def _run_players(self) -> None:
        if self._is_busy:
            return
        self._is_busy = True
        try:
            for _ in range(MOST_STEPS):
                if self._parts:
                    wanted = self._parts.popleft()
                    worked = worked_out(wanted)
                    self._dispatcher.parts_done(wanted, worked.entries, worked.read, 0.0)
                    continue
                if not self._requests:
                    return
                person, request = self._requests.popleft()
                if not isinstance(request, messages.Again) or self._has_client(TableId(request.table)):
                    self._dispatcher.submit(Ask(person, request))
            raise AssertionError(f"the opponents did not come to rest in {MOST_STEPS} steps")
        finally:
            self._is_busy = False

"""Harness of a dispatcher without sockets or clocks: sessions write to transports that only keep what was written."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from put_protocol.cards import Card
from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.connection import ClientConnection
from put_protocol.errors import ProtocolError
from put_protocol.games.put import Play
from put_protocol.games.unions import Action, GameView
from put_protocol.limits import PLAIN_WORDS
from put_protocol.messages import (
    Act,
    ClientMessage,
    Decision,
    Events,
    Goodbye,
    Hello,
    Look,
    Ok,
    OpenTable,
    Refused,
    Say,
    Seen,
    ServerMessage,
    Sit,
    TableSnapshot,
    Watch,
    Welcome,
)
from put_protocol.parts import parts
from put_rules.game import Purpose
from put_server.lobby.inputs import Input
from put_server.lobby.lobby import Lobby
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.table.table import Table
from put_server.table.table_effects import DealOver, GameConcluded, PersonId
from put_server.transport.admission import Caller
from put_server.transport.dispatcher import Dispatcher
from put_server.transport.interfaces import AnalysisRunner
from put_server.transport.reception import Reception
from put_server.transport.session import Session
from put_server.transport.shuffler import Shuffler, words_of
from tests.lobby.lobby_harness import new_lobby

M = TypeVar("M")


class FakeTransport(asyncio.Transport):
    """Keeps what is written. A peer that does not read lets it pile up."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.unread = 0
        self.is_read = True
        self.is_closed: bool = False
        self.is_aborted: bool = False
        self.is_paused = False

    def pause_reading(self) -> None:
        self.is_paused = True

    def resume_reading(self) -> None:
        self.is_paused = False

    def write(self, data: Any) -> None:
        assert not self.is_closed, "written after close"
        self.written.append(bytes(data))
        if not self.is_read:
            self.unread += len(data)

    def get_write_buffer_size(self) -> int:
        return self.unread

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = self.is_aborted = True


class Peer:
    """One client: a session of the server's, and what it was told."""

    session_type: type[Session] = Session

    def __init__(self, harness: "DispatcherHarness", codec: Codec = FRAMES, caller: Caller | None = None) -> None:
        self.harness = harness
        self.codec = codec
        self.transport = FakeTransport()
        self.session = self.session_type(harness.handler, caller)
        self.client = ClientConnection(harness.now, codec)
        self.messages: list[ServerMessage] = []
        self.token = ""
        self._read = 0
        self._last = 0
        self.session.connection_made(self.transport)

    def feed(self, data: bytes) -> None:
        """Bytes arrive, in as many reads as it takes."""
        while data and not self.transport.is_closed:
            buffer = self.session.get_buffer(-1)
            piece, data = data[: len(buffer)], data[len(buffer) :]
            buffer[: len(piece)] = piece
            self.session.buffer_updated(len(piece))
        self.harness.settle()

    def send(self, *messages: ClientMessage) -> None:
        """Messages arrive in one go."""
        for message in messages:
            self.client.send(message)
        self.feed(self.client.take())

    def receive(self) -> list[ServerMessage]:
        """All parts of everything told since the last call; the client sees that events come without gaps."""
        data = b"".join(self.transport.written[self._read :])
        self._read = len(self.transport.written)
        came = self.client.receive(data, self.harness.now)
        assert not [error for error in came if isinstance(error, ProtocolError)], came
        self.feed(self.client.take())  # pongs
        told = [part for message in came if not isinstance(message, ProtocolError) for part in parts(message)]
        self.messages += told
        for message in told:
            if isinstance(message, Welcome):
                self.token = message.token
        return told

    def told(self, kind: type[M]) -> list[M]:
        """All messages of a kind."""
        self.receive()
        return [message for message in self.messages if isinstance(message, kind)]

    def hello(self, name: str, **fields: Any) -> Welcome:
        """Come in."""
        self.send(Hello(2, name, **fields))
        (welcome,) = self.told(Welcome)
        return welcome

    def resume(self, former: "Peer", **fields: Any) -> None:
        """Come back as somebody who was here by another connection."""
        former.receive()
        self.client.follow_from(former.client.seen)
        self.send(Hello(2, token=former.token, seen=former.client.seen, **fields))

    def number(self) -> int:
        self._last += 1
        return self._last

    def ask(self, request: Callable[[int], ClientMessage]) -> Ok | Refused:
        """A request, given as what makes it of its id, and its answer."""
        number = self.number()
        self.send(request(number))
        (answer,) = [m for m in self.receive() if isinstance(m, Ok | Refused) and m.id == number]
        return answer

    def act(self, decision: Decision, action: Action | None = None) -> Ok | Refused:
        """An answer to a decision; what is listed first, unless told otherwise."""
        chosen = action or decision.legal[0].action
        return self.ask(lambda number: Act(number, decision.table, decision.decision, chosen))

    def drop(self) -> None:
        """The connection is lost."""
        self.transport.is_closed = True
        self.session.connection_lost(None)
        self.harness.settle()

    @property
    def goodbye(self) -> Goodbye:
        (goodbye,) = self.told(Goodbye)
        return goodbye

    @property
    def view(self) -> GameView:
        """The game as it was told last."""
        views = [m.view for m in self.messages if isinstance(m, Events | TableSnapshot) and m.view is not None]
        return views[-1]


class RecordingSession(Session):
    """Keeps the messages that became sentences."""

    def __init__(self, handler: Reception, caller: Caller | None = None) -> None:
        super().__init__(handler, caller)
        self.heard: list[ServerMessage] = []

    def send(self, message: ServerMessage) -> None:
        if self._plain is not None and self._closing_since is None:
            self.heard += parts(message)
        super().send(message)


class TypingPeer(Peer):
    """A person who types what a program would send, and reads sentences."""

    session: RecordingSession
    session_type = RecordingSession

    def __init__(self, harness: "DispatcherHarness", caller: Caller | None = None) -> None:
        super().__init__(harness, caller=caller)
        self._heard = self._lines = 0

    def type(self, *lines: str) -> list[str]:
        """Lines arrive in one go; every line that was said since the last call."""
        self.feed("".join(f"{line}\n" for line in lines).encode())
        return self.hears()

    @property
    def said(self) -> list[str]:
        """Every line they were told."""
        return b"".join(self.transport.written).decode().split("\n")[:-1]

    def hears(self) -> list[str]:
        """Those since the last call."""
        said = self.said
        new, self._lines = said[self._lines :], len(said)
        return new

    def send(self, *messages: ClientMessage) -> None:
        for message in messages:
            self.feed(f"{in_words(message)}\n".encode())

    def receive(self) -> list[ServerMessage]:
        told = self.session.heard[self._heard :]
        self._heard += len(told)
        self.messages += told
        for message in told:
            if isinstance(message, Welcome):
                self.token = message.token
        return told


def in_words(message: ClientMessage) -> str:
    """What a person types for it."""
    match message:
        case Hello(token=token) if token:
            return f"back {token}"
        case Hello(name=name, is_bot=is_bot):
            return f"{'bot' if is_bot else 'name'} {name}"
        case OpenTable():
            options = {**message.options, "turn": message.turn, "bank": message.bank}
            said = " ".join(f"{name}={value}" for name, value in options.items())
            return f"open {message.game} {message.seats} {said}"
        case Look():
            return "tables"
        case Sit(table=table):
            return f"sit {table}"
        case Watch(table=table):
            return f"watch {table}"
        case Say(text=text):
            return f"say {text}"
        case Act(action=Play(card=card)):
            return f"play {card}"
        case Act(action=action):
            done = str(action.__struct_config__.tag)
            return {"throw_in": "throw in", "pass": "say nothing"}.get(done, done)
        case _:
            return type(message).__name__.casefold()


class NoHouses:
    """Nobody plays for the house."""

    def seat(self, person: PersonId, house: str) -> None: ...

    def tell(self, person: PersonId, message: ServerMessage) -> bool:
        return False

    def dismiss(self, person: PersonId) -> None: ...
    def forget(self, name: str) -> bool:
        return False


class NoStudies:
    """Nobody analyses."""

    def study(self, want: object) -> None:
        raise AssertionError("nothing is studied here")


class ManualJournal:
    """A journal that commits when the test says so."""

    most_records = 5_000

    def __init__(self) -> None:
        self.waiting: list[tuple[list[tuple[int, Input] | DealOver], Callable[[], None]]] = []
        self.records: list[tuple[int, Input]] = []
        self.games: list[GameConcluded] = []
        self.is_open = True
        self.after: Callable[[], None] = lambda: None
        """Called behind each commit."""

    @property
    def since_checkpoint(self) -> int:
        return len(self.records) + sum(len(records) for records, _ in self.waiting)

    @property
    def uncommitted(self) -> int:
        return len(self.waiting)

    def record(
        self, records: list[tuple[int, Input] | DealOver], then: Callable[[], None], games: Sequence[GameConcluded] = ()
    ) -> None:
        self.games += games
        self.waiting.append((records, then))
        if self.is_open:
            self.commit()

    def commit(self) -> int:
        """Everything that waits is committed; returns how much that was."""
        batch, self.waiting = self.waiting, []
        for records, _ in batch:
            self.records += [record for record in records if not isinstance(record, DealOver)]
        for _, then in batch:
            then()
        self.after()
        return len(batch)

    def compact(self, at: int, kept: LobbyCheckpoint) -> None:
        raise AssertionError("no test plays so long")

    def compact_behind(self, at: int, take: Callable[[], LobbyCheckpoint]) -> None:
        raise AssertionError("no test plays so long")


class ScriptedShuffler(Shuffler):
    """Deals packs that were laid ready, then shuffles from a seed; its tokens are countable."""

    def __init__(self, seed: int = 1, packs: list[tuple[Card, ...]] | None = None) -> None:
        super().__init__(seed)
        self.packs = list(packs or ())
        self.dealt: list[tuple[Card, ...]] = []
        self.phases: list[str] = []
        """Of each pack, whether it was a `draw` or a `deal`."""
        self.table: Callable[[], Table] | None = None
        """Where to see which."""
        self._tokens = 0

    def shuffled(
        self, cards: tuple[Card, ...], top: tuple[Card, ...] = (), *, deal: tuple[int | str, int], most: int = 0
    ) -> tuple[Card, ...]:
        if self.table is not None:
            play = self.table().model.play
            assert play is not None
            self.phases.append("draw" if play.state.phase is Purpose.DRAW else "deal")
        self.dealt.append(self.packs.pop(0) if self.packs else super().shuffled(cards, top, deal=deal, most=most))
        return self.dealt[-1]

    def token(self) -> str:  # type: ignore[override]  # the real one is static, for it has nothing to count
        self._tokens += 1
        return f"token-{self._tokens}"

    def words(self) -> str:  # type: ignore[override]  # the same
        self._tokens += 1
        return words_of(self._tokens.to_bytes(2 * PLAIN_WORDS))


class DispatcherHarness:
    """The dispatcher, its time, and its peers."""

    make: Callable[..., Dispatcher] = Dispatcher
    """Makes the dispatcher, or what stands in its place."""

    def __init__(
        self,
        *,
        lobby: Lobby | None = None,
        dealer: ScriptedShuffler | None = None,
        journal: ManualJournal | None = None,
        password: str = "",
        studies: AnalysisRunner | None = None,
        call_soon: Callable[[Callable[[], None]], object] | None = None,
    ) -> None:
        self.now = 1_000
        self.dealer = dealer or ScriptedShuffler()
        self.dispatcher = type(self).make(
            lobby or new_lobby(),
            shuffler=self.dealer,
            now=lambda: self.now,
            houses=NoHouses(),
            password=password,
            journal=journal,
            studies=studies,
            call_later=None if call_soon is None else lambda seconds, call: None if seconds else call_soon(call),
        )
        self.step = self._worked = 0
        """Nanoseconds of the server's processor time between two looks at them."""
        self.dispatcher.budgets.wall_clock = self._work
        self.dispatcher.budgets.clock = lambda: self._worked
        self.handler: Reception = self.dispatcher
        """What sessions speak with."""
        if journal is not None:
            journal.after = self.settle

    def _work(self) -> int:
        self._worked += self.step
        return self._worked

    def settle(self) -> None:
        """What was just done reaches whomever it concerns: at once, here."""

    def peer(self, codec: Codec | None = FRAMES) -> Peer:
        """Somebody connects; with no codec, to type."""
        return TypingPeer(self) if codec is None else Peer(self, codec)

    def typist(self, *lines: str) -> TypingPeer:
        """Somebody connects, and types."""
        typist = TypingPeer(self)
        typist.feed("".join(f"{line}\n" for line in lines).encode())
        return typist

    def caller(self, address: str) -> Caller:
        """Where somebody connects from who has quotas."""
        caller = Caller(address, address)
        assert not self.handler.admission.enter(caller)
        return caller

    def guest(self, name: str, codec: Codec = FRAMES) -> Peer:
        """Somebody connects and comes in."""
        peer = self.peer(codec)
        peer.hello(name)
        return peer

    def game(self, *codecs: Codec) -> list[Peer]:
        """A table where a game of so many has just begun, and its players."""
        players = [self.guest(f"Player {place}", codec) for place, codec in enumerate(codecs)]
        opened = players[0].ask(lambda n: OpenTable(n, "put-1674", seats=len(players)))
        assert isinstance(opened, Ok)
        table = opened.table
        assert table is not None
        for player in players:
            player.ask(lambda n: Sit(n, table))
        for player in players:
            player.receive()
        return players

    def tick(self, milliseconds: int) -> None:
        """Time passes for tables and connections."""
        self.now += milliseconds
        self.dispatcher.tick()
        self.dispatcher.tick_sessions()


def asked(players: list[Peer]) -> tuple[Peer, Decision]:
    """Who is to move, and the decision."""
    found = [(player, decision) for player in players for decision in player.told(Decision)[-1:]]
    return max(found, key=lambda pair: pair[1].decision)


def raw(peer: Peer) -> list[ServerMessage]:
    """The messages written to a peer since the last call, not taken apart."""
    data = b"".join(peer.transport.written[peer._read :])
    peer._read = len(peer.transport.written)
    return [message for message in peer.client.receive(data, peer.harness.now) if not isinstance(message, Exception)]


def seen(table: int, number: int) -> Seen:
    return Seen(table, number)


CODECS = [FRAMES, LINES]
PLAIN = None
"""In the place of a codec: plain English."""

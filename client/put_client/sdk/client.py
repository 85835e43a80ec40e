"""A client: one person's connection to a server, which comes back by itself when it drops.

    async with connect("localhost", 1674, name="Moll") as client:
        table = await client.open_table("put-1674")
        await client.sit(table)
        async for message in client:
            if isinstance(message, Decision):
                await client.act(message.table, message.decision, message.legal[0].action)

Laws: messages come in the order they arrived, those of one table without gaps also across a drop. A request returns
after the server's `ok` or raises, also across a drop; when it raises anything but `Unanswered`, it was not carried out.
Every wait ends, unless the client is `patient`. One task reads, answers heartbeats and reconnects; `close` (or leaving
`async with`) ends it.

Why nothing is lost or done twice: `hello` names the last event seen of each table and every request without an answer.
The server sends what was missed, answers what it carried out, and refuses the rest as `not_carried_out`, which is sent
again under a new id. A decision that comes again although its answer is on its way is held back with that answer. Each
`hello` has a greater number than any before, its incarnation. So one that was sent on a connection given up since, and
arrives late, is refused, and disturbs nothing.
"""

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping
from types import TracebackType
from typing import Any, Generic, Self, TypeVar, assert_never

from msgspec import Struct
from msgspec.structs import replace

from put_client.sdk.bounds import Inbox, LobbySize
from put_client.sdk.deal_checks import DealChecked, SealBroken, Sealing, new_secret
from put_client.sdk.dialler import Dialler, Security
from put_client.sdk.errors import (
    BadServer,
    ClientError,
    Disconnected,
    HungUp,
    NoServer,
    Refusal,
    Rejected,
    Unanswered,
    address,
)
from put_client.sdk.requests_in_flight import RequestInFlight, RequestsInFlight
from put_client.sdk.whole_views import WholeViews
from put_client.sdk.wire import ENDING, PASSING, RESUMABLE, Received, Wire, absence, backoff, dial, now_ms
from put_protocol import PROTOCOL_VERSION, messages
from put_protocol.codecs import FRAMES, Codec
from put_protocol.errors import ProtocolError
from put_protocol.games.unions import Action
from put_protocol.limits import DEAD_MS, REQUEST_ARRAY_ITEMS
from put_protocol.messages import Decision, Left, Ok, Refused, Request
from put_protocol.refusals import RefusalCode
from put_protocol.seal_events import Openings
from put_protocol.seats import Seat
from put_protocol.table_info import Admits
from put_text.presenters.registry import families_in_words

CONNECT_S = 10.0
"""To be connected, and again to be welcomed. Longer than any network's round trip, shorter than a person's patience."""

ANSWER_S = 30.0
"""For the answer to a request, a drop and a resume in between included; a patient client has no such bound."""

CLOSE_S = 2.0
"""From `bye` to the end, whatever the server does."""

TICK_S = 5.0
"""Between looks at the heartbeat, at most; its own times are some tens of seconds, unless the server tells others."""

HANG_UPS = 3
"""Connections that drop before the first welcome, after which a patient client gives up: it may be no put server."""

OWN_NAME_MS = DEAD_MS + 15_000
"""For which its name may be taken by such a connection: until the server has noticed, and the next attempt."""

TICKS = 6
"""Looks in the silence after which it pings, at least."""

IN_FLIGHT = REQUEST_ARRAY_ITEMS
"""Requests in flight at once: after a drop one `hello` names them all. Others wait for a slot."""


class ConnectionLost(Struct, frozen=True):
    """The connection dropped; the client is trying to come back, and requests wait meanwhile."""

    says: str
    back_s: int | None = None
    """When the server expects to be back, if it said so; nothing is tried before."""


class ConnectionBack(Struct, frozen=True):
    """The connection is back. What was missed at these tables follows; any other table is gone."""

    tables: tuple[int, ...]


C = TypeVar("C", bound="Client")


class Connecting(Generic[C]):
    """What `connect` returns: `await` it for a client, or enter it with `async with`, which closes the client too."""

    def __init__(self, open_client: Callable[[], Coroutine[Any, Any, C]]) -> None:
        self._open_client = open_client
        self._client: C

    def __await__(self) -> Generator[Any, None, C]:
        return self._open_client().__await__()

    async def __aenter__(self) -> C:
        self._client = await self
        return self._client

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()


Message = (
    messages.LobbyState
    | messages.TableSnapshot
    | messages.Events
    | Decision
    | Openings
    | messages.Invited
    | messages.Analysis
    | messages.Recalled
    | messages.Advice
    | messages.Position
    | messages.Judgement
    | Left
    | messages.Notice
    | DealChecked
    | SealBroken
    | ConnectionLost
    | ConnectionBack
)
"""What iterating over a client yields."""


class Client:
    """A person at a server, made by `connect`. One task at a time may iterate; any may make requests.

    Every request returns after the server's `ok`.

    :raises Refusal: the server refused it.
    :raises Unanswered: it was sent and the answer did not come.
    :raises NoServer: the connection was down all the while, or full; nothing was sent.
    :raises Disconnected: the connection is over; nothing was sent.
    """

    def __init__(self, dialler: Dialler, hello: messages.Hello, codec: Codec, connect_timeout: float) -> None:
        self.host = dialler.host
        self.port = dialler.port
        self.dialler = dialler
        """Tells whether the connection is encrypted, and which key the server has."""
        self.welcome: messages.Welcome
        """The server's last welcome: games, houses, limits."""
        self.token = hello.token
        """Lets this person come back to their tables, in another process too; empty once it has ended."""
        self.incarnation = hello.incarnation
        """The number of the last `hello`; 0 before the first."""
        self._note_incarnation: Callable[[int], None] = lambda _: None
        self._hello = hello
        self._codec = codec
        self._connect_timeout = connect_timeout
        self._answer_timeout: float | None = ANSWER_S
        self._waits: Callable[[], Iterable[float]] | None = None
        self._wire: Wire
        self._is_up = asyncio.Event()
        self._is_patient = False
        self._succeeded = asyncio.Event()
        """Set when another connection takes the place of this one, or none ever will."""
        self._in_flight = RequestsInFlight()
        self._sealing: Sealing
        self._views = WholeViews()
        self._slots = asyncio.Semaphore(IN_FLIGHT)
        self._is_looking = False
        self._is_closing = False
        self._end: ClientError | None = None
        self.observer: Callable[[Client, Message], None] | None = None
        """Is handed each message before whoever iterates gets it, and the client that got it, for `reopened` takes it
        along. It must neither raise nor wait."""
        self._inbox: Inbox[Message | None] = Inbox()  # bounded by `_has_room`
        self._lobby = LobbySize()
        self._size = 0
        """Bytes that the message in hand came in, about."""
        self._has_room = asyncio.Event()
        self._task: asyncio.Task[None]

    @classmethod
    def connect(
        cls,
        host: str,
        port: int,
        *,
        fingerprint: str = "",
        security: Security = Security.AUTO,
        name: str = "",
        password: str = "",
        token: str = "",
        incarnation: int = 0,
        note_incarnation: Callable[[int], None] = lambda _: None,
        is_bot: bool = False,
        client: str = "put-client",
        knows: tuple[str, ...] | None = None,
        codec: Codec = FRAMES,
        connect_timeout: float = CONNECT_S,
        answer_timeout: float = ANSWER_S,
        patient: bool | None = None,
        resume: bool = True,
        waits: Callable[[], Iterable[float]] = backoff,
        sealed: bool = True,
        chain_secret: Callable[[], bytes] = new_secret,
        views: messages.ViewForm = messages.ViewForm.CHANGES,
    ) -> Connecting[Self]:
        """Connect and wait for the server's welcome. Who awaits the result must close the client; `async with` does.

        The connection is encrypted, and the server's key remembered at the first one: see `Dialler`. `fingerprint`: of
        the only key to be trusted.

        With the `token` of an earlier client it is that person again, whatever name is given, and a snapshot of each of
        their tables (`welcome.tables`) follows. `incarnation`: the last one that is known of that client, as it told
        `note_incarnation` before each use; 0: none is, and the server gives the next. `waits` gives the seconds before
        each attempt to reconnect; when it ends, the client gives up. `patient`: requests wait for their answers as long
        as the connection lasts, and for a server that is away as long as it takes; one that is refused because the
        server is stopping is asked again when it is back. None: as `is_bot`. `knows`: families of games that need no
        words of the server's; None: those that have sentences here. `sealed`: cut sealed deals, from chains with such
        secrets, and check them. `views`: how the server is to tell them; either way every message that changes a game
        comes with the whole view.

        :raises NoServer: nobody could be reached.
        :raises CannotTrust: it may not be the server that it should be.
        :raises Rejected: the server refused us, for example because the name is taken or the token has ended.
        :raises BadServer: what answered is no put server.
        """
        hello = messages.Hello(
            version=PROTOCOL_VERSION,
            name=name,
            password=password,
            is_bot=is_bot,
            openings=sealed,
            knows=families_in_words() if knows is None else knows,
            views=views,
            client=client,
            token=token,
            incarnation=incarnation,
        )

        async def open_client() -> Self:
            dialler = Dialler(host, port, fingerprint=fingerprint, security=security)
            self = cls(dialler, hello, codec, connect_timeout)
            self._is_patient = is_bot if patient is None else patient
            self._answer_timeout = None if self._is_patient else answer_timeout
            self._note_incarnation = note_incarnation
            self._waits = waits if resume else None
            self._sealing = Sealing(address(host, port), chain_secret if sealed else None)
            await self._open()
            return self

        return Connecting(open_client)

    async def _open(self) -> None:
        received = await self._dial_first()
        self._task = asyncio.create_task(self._run(received), name=f"put client of {self.name}")
        self._task.add_done_callback(self._ended)

    async def _dial_first(self) -> Received:
        """As `_dial`. A patient client whose connection drops before the welcome dials again. The server may have let
        it in, and believe in that connection for a while: so long its name is taken, and it waits."""
        waits = iter(self._waits() if self._is_patient and self._waits is not None else ())
        begun, hung_up = now_ms(), 0
        while True:
            failed: HungUp | Rejected
            try:
                return await self._dial(self._hello, ())
            except HungUp as error:
                hung_up += 1
                failed, is_final = error, hung_up >= HANG_UPS
            except Rejected as error:
                is_own = hung_up > 0 and error.code == RefusalCode.NAME_TAKEN and now_ms() - begun < OWN_NAME_MS
                failed, is_final = error, not is_own
            wait = next(waits, None)
            if is_final or wait is None:
                raise failed
            await asyncio.sleep(wait)

    async def reopened(self) -> Self:
        """Close this client, and connect anew as the same person: a snapshot of each of their tables follows.

        :raises ClientError: as `connect` does.
        """
        await self.close(keep=True)
        hello = replace(self._hello, name="", token=self.token, incarnation=self.incarnation)
        client = type(self)(self.dialler, hello, self._codec, self._connect_timeout)
        client._answer_timeout, client._waits = self._answer_timeout, self._waits
        client._is_patient = self._is_patient
        client._note_incarnation = self._note_incarnation
        client._sealing = self._sealing.anew()
        client.observer = self.observer
        await client._open()
        return client

    @property
    def name(self) -> str:
        """The name the server knows us by."""
        return self.welcome.name

    @property
    def waiting(self) -> int:
        """Messages received and not yet taken."""
        return self._inbox.count

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # --- messages ---

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Message:
        """The next message.

        :raises Disconnected: the server said goodbye, or would not let us back in, or could not be found again.
        :raises BadServer: it broke the protocol.
        """
        while True:
            message = None if self._is_closing else await self._inbox.get()
            if self._is_closing:
                raise StopAsyncIteration
            if message is None:
                assert self._end is not None
                self._inbox.put(None)  # so that the next call raises the same
                raise self._end
            self._update_room()
            if isinstance(message, Left):
                self._in_flight.leave(message.table)
            if not (isinstance(message, Decision) and self._in_flight.has_answered(message)):
                if self.observer is not None:
                    self.observer(self, message)
                return message

    def _update_room(self) -> None:
        if self._is_closing or self._inbox.has_room(is_asking=bool(self._in_flight)):
            self._has_room.set()
        else:
            self._has_room.clear()

    # --- requests ---

    async def look(self) -> None:
        """Subscribe to `LobbyState` messages: the whole lobby now, then every change, also after a drop."""
        await self.ask(lambda request: messages.Look(id=request))

    async def look_away(self) -> None:
        """Unsubscribe from them."""
        await self.ask(lambda request: messages.LookAway(id=request))

    async def sit(self, table: int, seat: int | None = None, passcode: str = "") -> Seat:
        """Sit down; returns the seat. None asks for any."""
        chosen = None if seat is None else Seat(seat)
        answer = await self.ask(lambda request: messages.Sit(id=request, table=table, seat=chosen, passcode=passcode))
        if answer.seat is None:
            raise BadServer("it gave a seat and did not say which")
        return answer.seat

    async def act(self, table: int, decision: int, action: Action) -> None:
        """Answer a decision with one of its legal actions. It cannot be taken back.

        :raises Cheated: the deals at this table are not fair, so nothing is played there any more.
        """
        await self.ask(lambda request: messages.Act(id=request, table=table, decision=decision, action=action))

    async def open_table(
        self,
        game: str,
        *,
        seats: int = 2,
        options: Mapping[str, int | str] | None = None,
        turn: int = 0,
        bank: int = 300,
        passcode: str = "",
        gallery: bool = True,
        admits: Admits = Admits.ALL,
        deals: str = "",
    ) -> int:
        """Open a table; returns its number. You are not at it yet."""
        answer = await self.ask(
            lambda request: messages.OpenTable(
                id=request,
                game=game,
                seats=seats,
                options=dict(options or {}),
                turn=turn,
                bank=bank,
                passcode=passcode,
                gallery=gallery,
                admits=admits,
                deals=deals,
            )
        )
        if answer.table is None:
            raise BadServer("it opened a table and did not say which")
        return answer.table

    async def stand(self, table: int) -> None:
        """Give up your seat, between games."""
        await self.ask(lambda request: messages.Stand(id=request, table=table))

    async def watch(self, table: int, passcode: str = "") -> None:
        """Join the gallery."""
        await self.ask(lambda request: messages.Watch(id=request, table=table, passcode=passcode))

    async def leave(self, table: int) -> None:
        """Leave the table. During a game this gives the game up."""
        await self.ask(lambda request: messages.Leave(id=request, table=table))

    async def resign(self, table: int) -> None:
        """Give the game up and keep the seat."""
        await self.ask(lambda request: messages.Resign(id=request, table=table))

    async def invite(self, table: int, seat: int | None = None, house: str = "steady", *, person: str = "") -> None:
        """Invite a house player into an empty seat, or a person who is connected: they receive `Invited`."""
        chosen = None if seat is None else Seat(seat)
        await self.ask(
            lambda request: messages.Invite(id=request, table=table, seat=chosen, house=house, person=person)
        )

    async def dismiss(self, table: int, seat: int) -> None:
        """Send a house player away, between games."""
        await self.ask(lambda request: messages.Dismiss(id=request, table=table, seat=Seat(seat)))

    async def again(self, table: int) -> None:
        """Ask for another game; it starts when every seat has asked."""
        await self.ask(lambda request: messages.Again(id=request, table=table))

    async def pause(self, table: int, minutes: int = 0) -> None:
        """Ask for a pause of the game of at most so long, or agree to one; 0: as the others ask, or an hour.

        While it lasts everyone may disconnect; to come back later, close with `keep`.
        """
        await self.ask(lambda request: messages.Pause(id=request, table=table, minutes=minutes))

    async def go_on(self, table: int) -> None:
        """Agree to end a pause."""
        await self.ask(lambda request: messages.GoOn(id=request, table=table))

    async def say(self, table: int, text: str) -> None:
        """Talk: from a seat to everyone at the table; from the gallery only to the gallery until the game is over."""
        await self.ask(lambda request: messages.Say(id=request, table=table, text=text))

    async def mute(self, person: str, *, on: bool = True) -> None:
        """Hear no more of what somebody says; or hear them again. Nobody is told."""
        await self.ask(lambda request: messages.Mute(id=request, person=person, on=on))

    async def block(self, person: str, *, on: bool = True) -> None:
        """Mute somebody, and have them neither invite you nor come to a table that you opened; or no more of that."""
        await self.ask(lambda request: messages.Block(id=request, person=person, on=on))

    async def analyse(self, table: int) -> None:
        """Compare your decisions in the last game there with perfect play: `Analysis` messages follow."""
        await self.ask(lambda request: messages.Analyse(id=request, table=table))

    async def recall(self, table: int) -> None:
        """Have the last game there sent as you saw it: `Recalled` messages follow."""
        await self.ask(lambda request: messages.Recall(id=request, table=table))

    async def coach(self, table: int) -> int:
        """Ask what your choices are worth at the decision that waits for you, in a game against the house: an `Advice`
        with the returned id follows."""
        answer = await self.ask(lambda request: messages.Coach(id=request, table=table))
        return answer.id

    async def drill(self, game: str, options: Mapping[str, int | str] | None = None) -> int:
        """Ask for a position to practise on: a `Position` with the returned id follows."""
        answer = await self.ask(lambda request: messages.Drill(id=request, game=game, options=dict(options or {})))
        return answer.id

    async def grade(
        self, game: str, number: int, action: Action, options: Mapping[str, int | str] | None = None
    ) -> int:
        """Answer the position of this number: a `Judgement` with the returned id follows."""
        answer = await self.ask(
            lambda request: messages.Grade(
                id=request, game=game, number=number, action=action, options=dict(options or {})
            )
        )
        return answer.id

    async def ask(self, make: Callable[[int], Request]) -> Ok:
        """Any request, made with the id it is given. Each request's own method calls this."""
        match make(1):
            case messages.Look():
                return await self._look(make)
            case messages.LookAway():
                self._is_looking = False
            case messages.Sit(table=table):
                end = self._sealing.end_for(table)
                return await self._ask(lambda request: replace(make(request), end=end))
            case messages.Act(table=table):
                self._sealing.must_be_fair(table)
            case _:
                pass
        return await self._ask(make)

    async def _look(self, make: Callable[[int], Request]) -> Ok:
        self._is_looking = True  # set first: each new connection has to subscribe again
        try:
            return await self._ask(make)
        except ClientError:
            self._is_looking = False
            raise

    async def _ask(self, make: Callable[[int], Request]) -> Ok:
        while True:
            succeeded = self._succeeded
            try:
                return await self._ask_once(make)
            except Refusal as error:
                if error.code != RefusalCode.DRAINING or not self._is_patient:
                    raise
            await succeeded.wait()

    async def _ask_once(self, make: Callable[[int], Request]) -> Ok:
        pending = RequestInFlight(make)
        try:
            async with asyncio.timeout(self._answer_timeout), self._slots:
                while not self._is_up.is_set():  # it may drop again before we are woken
                    await self._is_up.wait()
                if self._end is not None:
                    raise self._end
                try:
                    self._in_flight.send(pending, self._wire)
                    self._update_room()
                    return await pending.answer
                finally:
                    self._in_flight.forget(pending)
        except TimeoutError:
            if pending.request is None:
                why = "it answers nothing" if self._is_up.is_set() else "the connection dropped and is not back yet"
                raise NoServer(self.host, self.port, why) from None
            if pending.held_back is not None:
                self._inbox.put(pending.held_back)
            raise Unanswered(pending.kind, f"no answer came in {self._answer_timeout or 0:.0f} seconds") from None

    # --- the end ---

    @property
    def is_up(self) -> bool:
        """Whether there is a connection now. While there is none, requests wait."""
        return self._is_up.is_set() and self._end is None

    async def close(self, *, keep: bool = False) -> None:
        """Say `bye` and end, whatever the server does. Requests in flight end as `Unanswered`. Idempotent.

        With `keep` no `bye` is said: to the server we are away, the seats stay ours, and `token` brings us back.
        """
        if not self._is_closing:
            self._is_closing = True
            self._has_room.set()
            self._inbox.put(None)
            if self._is_up.is_set() and not self._task.done() and not keep:
                self._wire.send(messages.Bye())
            else:
                self._task.cancel()
        try:
            await asyncio.wait({self._task}, timeout=CLOSE_S)
        finally:
            self._task.cancel()
        await asyncio.wait({self._task})  # it waits for nothing once cancelled
        await self._wire.gone(CLOSE_S)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Fail everything that waits, with whatever ended the task."""
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ClientError):
            # A bug of ours. The loop's handler has the traceback; whoever waits must not wait forever.
            task.get_loop().call_exception_handler({"message": "the put client failed", "exception": error})
            error = Disconnected("lost", f"this client failed ({type(error).__name__})")
        self._end = error or Disconnected("closed", "you closed it")
        self._wire.drop()  # a task cancelled before its first step has not
        self._in_flight.give_up("the connection was closed before the answer came")
        self._is_up.set()
        self._succeeded.set()
        self._inbox.put(None)

    # --- the task ---

    async def _run(self, received: Received) -> None:
        """Read one connection after another. Returns after `close`; otherwise raises what ended the client."""
        while True:
            try:
                lost = await self._read(received)
                if self._is_closing:
                    return
            finally:
                self._is_up.clear()
                self._wire.drop()
            self._in_flight.lose()
            self._sealing.lose()
            self._views.lose()
            if self._waits is None:
                raise Disconnected("lost", lost.says)
            self._inbox.put(lost)
            received = await self._reconnect(lost, self._waits())
            self._inbox.put(ConnectionBack(self.welcome.tables))

    async def _read(self, received: Received) -> ConnectionLost:
        """Read the connection until it ends. `received`: what came with the welcome."""
        wire = self._wire
        while True:
            self._size = wire.take_size() // max(1, len(received))
            for message in received:
                lost = self._receive(wire, message)
                if lost is not None:
                    return lost
            wire.flush()
            try:
                await self._has_room.wait()
                async with asyncio.timeout(min(TICK_S, wire.connection.quiet_ms / 1000 / TICKS)):
                    data = await wire.receive()
            except OSError as error:
                if isinstance(error, TimeoutError) and error.errno is None:  # ours; the network's has a number
                    received = []
                    if not wire.connection.tick(now_ms()):
                        return ConnectionLost("nothing was heard from the server for too long")
                    continue
                why = f"broke ({error.strerror or 'no reason given'})"
                return ConnectionLost(f"the connection to {address(self.host, self.port)} {why}")
            if data is None:
                return ConnectionLost(f"the connection to {address(self.host, self.port)} dropped")
            received = data

    def _receive(self, wire: Wire, message: messages.ServerMessage | ProtocolError) -> ConnectionLost | None:
        """Dispatch a message. Returns why the connection is to be given up, if it is."""
        match message:
            case Refused(id=0):
                raise BadServer(f"it could not read a request: {message.says}")
            case Ok() | Refused():
                request = self._in_flight.answer(message, wire)
                self._sealing.answered(message, request)
                if self._views.has_refused(message):
                    return ConnectionLost("the server would not show a table")
            case messages.TableSnapshot() | messages.Events() | Openings() | Left():
                news = self._sealing.receive(message, wire)
                self._deliver(*self._views.receive(message, news, wire, self._size))
            case Decision():
                self._deliver(*self._views.receive(message, (), wire, self._size))
            case messages.LobbyState():
                self._lobby.receive(message, self._size)
                self._deliver(message)
            case (
                messages.Invited()
                | messages.Notice()
                | messages.Analysis()
                | messages.Recalled()
                | messages.Advice()
                | messages.Position()
                | messages.Judgement()
            ):
                self._deliver(message)
            case messages.Goodbye():
                if message.code in ENDING:
                    self.token = ""
                if not self._is_closing and message.code not in RESUMABLE:
                    raise Disconnected(message.code, message.says)
                return ConnectionLost(message.says, message.back_s)
            case ProtocolError():
                raise BadServer(message.reason)
            case messages.Welcome() | messages.Ping() | messages.Pong():
                raise AssertionError(f"the connection keeps {type(message).__name__} to itself")
            case _:
                assert_never(message)
        return None

    def _deliver(self, *received: Message) -> None:
        if not self._is_closing:
            for message in received:
                self._inbox.put(message, self._size)
            self._update_room()

    async def _reconnect(self, lost: ConnectionLost, waits: Iterable[float]) -> Received:
        seen = self._wire.connection.seen
        why = lost.says
        if lost.back_s is not None:
            waits = itertools.chain((absence(lost.back_s),), waits)
        for wait in waits:
            await asyncio.sleep(wait)
            hello = replace(
                self._hello, name="", token=self.token, seen=seen, asked=self._in_flight.ids, epoch=self.welcome.epoch
            )
            try:
                return await self._dial(hello, seen)
            except NoServer as error:
                why = error.reason
            except Rejected as error:
                if error.code == RefusalCode.BAD_TOKEN:
                    self.token = ""
                if error.code not in PASSING:
                    raise Disconnected(error.code, error.says) from error
                why = error.says
        raise Disconnected("lost", lost.says if why == lost.says else f"{lost.says}, and then {why}")

    async def _dial(self, hello: messages.Hello, seen: tuple[messages.Seen, ...]) -> Received:
        """Connect and shake hands; sets `welcome` and `token`. Returns what came with the welcome."""
        if self.incarnation or not hello.token:
            self.incarnation += 1
            self._note_incarnation(self.incarnation)
        hello = replace(hello, incarnation=self.incarnation)
        wire, self.welcome, received = await dial(
            self.dialler, hello, seen, codec=self._codec, timeout_s=self._connect_timeout
        )
        self._wire = wire
        self.token = self.welcome.token
        self.incarnation = max(self.incarnation, self.welcome.incarnation)
        if self._is_looking:
            wire.send(messages.Look(id=wire.connection.next_id()))
        self._sealing.come_back(self.welcome.tables)
        self._views.come_back(self.welcome.tables)
        self._update_room()
        self._is_up.set()
        self._succeeded.set()
        self._succeeded = asyncio.Event()
        return received


connect = Client.connect
"""Connect as somebody: `async with connect(host, port, name=...) as client`, or `client = await connect(...)`."""

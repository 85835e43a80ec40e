"""The connection of one person to a server, as asyncio sees it. It comes back by itself when it drops.

    async with await Client.connect("localhost", 1674, name="Moll") as client:
        table = await client.open_table("put-1674")
        await client.sit(table)
        async for message in client:
            if isinstance(message, Decision):
                await client.act(message.table, message.decision, message.legal[0].action)

Laws: messages come in the order they arrived, those of one table without gaps also across a drop. A request returns
after the server's `ok` or raises, also across a drop; when it raises anything but `Unanswered`, it was not carried out.
Every wait ends. One task reads, answers heartbeats and reconnects; `close` (or leaving `async with`) ends it.
"""

import asyncio
import itertools
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self, assert_never

from msgspec import Struct
from msgspec.structs import replace

from put_client.sdk.deal_checks import DealChecked, SealBroken, Sealing, new_secret
from put_client.sdk.errors import (
    BadServer,
    ClientError,
    Disconnected,
    NoServer,
    Rejected,
    Unanswered,
    address,
)
from put_client.sdk.requests import Asking
from put_client.sdk.requests_in_flight import Asked, InFlight
from put_client.sdk.wire import ENDING, PASSING, RESUMABLE, Taken, Wire, absence, backoff, dial, now_ms
from put_protocol import PROTOCOL_VERSION
from put_protocol.codecs import FRAMES, Codec
from put_protocol.errors import ProtocolError
from put_protocol.games.unions import (
    Action,
)
from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.messages import (
    Act,
    Analysis,
    Bye,
    Decision,
    Events,
    Goodbye,
    Hello,
    Invited,
    Judgement,
    Left,
    LobbyState,
    Look,
    LookAway,
    Notice,
    Ok,
    Ping,
    Pong,
    Position,
    Refused,
    Request,
    Seen,
    ServerMessage,
    Sit,
    TableSnapshot,
    Welcome,
)
from put_protocol.refusals import RefusalCode
from put_protocol.seal_events import Openings
from put_protocol.seats import Seat

CONNECT_S = 10.0
"""To be connected, and again to be welcomed. Longer than any network's round trip, shorter than a person's patience."""

ANSWER_S = 30.0
"""For the answer to a request, a drop and a resume in between included."""

CLOSE_S = 2.0
"""From `bye` to the end, whatever the server does."""

TICK_S = 5.0
"""Between looks at the heartbeat; its own times are some tens of seconds."""

INBOX = 1_000
"""Messages that may wait for whoever iterates before reading stops, and with it, in the end, the server's sending."""

INBOX_WHILE_ASKING = 10 * INBOX
"""The same while a request is in flight: its answer is behind those messages, and whoever asked may be the reader."""

IN_FLIGHT = REQUEST_ARRAY_ITEMS
"""Requests at once: after a drop one `hello` names them all. Those beyond wait their turn."""


class ConnectionLost(Struct, frozen=True):
    """The connection dropped; the client is trying to come back, and requests wait meanwhile."""

    says: str
    back_s: int | None = None
    """When the server expects to be back, if it said so; nothing is tried before."""


class ConnectionBack(Struct, frozen=True):
    """The connection is back. What was missed at these tables follows; any other table is gone."""

    tables: tuple[int, ...]


Message = (
    LobbyState
    | TableSnapshot
    | Events
    | Decision
    | Openings
    | Invited
    | Analysis
    | Position
    | Judgement
    | Left
    | Notice
    | DealChecked
    | SealBroken
    | ConnectionLost
    | ConnectionBack
)
"""What iterating over a client yields."""


class Client(Asking):
    """A person at a server. Made by `Client.connect`; one task at a time may iterate, any may make requests."""

    def __init__(self, host: str, port: int, hello: Hello, codec: Codec, connect_timeout: float) -> None:
        self.host = host
        self.port = port
        self.welcome: Welcome
        """The server's last welcome: games, houses, limits."""
        self.token = hello.token
        """With which this person comes back to their tables, in another process too; empty once it has ended."""
        self._hello = hello
        self._codec = codec
        self._connect_timeout = connect_timeout
        self._answer_timeout = ANSWER_S
        self._waits: Callable[[], Iterable[float]] | None = None
        self._wire: Wire
        self._is_up = asyncio.Event()
        self._in_flight = InFlight()
        self._sealing: Sealing
        self._turns = asyncio.Semaphore(IN_FLIGHT)
        self._is_looking = False
        self._is_closing = False
        self._end: ClientError | None = None
        self._inbox: asyncio.Queue[Message | None] = asyncio.Queue()  # bounded by `_room`
        self._room = asyncio.Event()
        self._life: asyncio.Task[None]

    @classmethod
    async def connect(
        cls,
        host: str,
        port: int,
        *,
        name: str = "",
        password: str = "",
        token: str = "",
        is_bot: bool = False,
        client: str = "put-client",
        codec: Codec = FRAMES,
        connect_timeout: float = CONNECT_S,
        answer_timeout: float = ANSWER_S,
        resume: bool = True,
        waits: Callable[[], Iterable[float]] = backoff,
        sealed: bool = True,
        chain_secret: Callable[[], bytes] = new_secret,
    ) -> Self:
        """A client the server has welcomed. It must be closed.

        With the `token` of an earlier client it is that person again, whatever name is given, and a snapshot of each of
        their tables (`welcome.tables`) follows. `waits` gives the seconds before each attempt to reconnect;
        when it ends, the client gives up. `sealed`: cut sealed deals, from chains with such secrets, and check them.

        :raises NoServer: nobody could be reached.
        :raises Rejected: the server would not have us, for example because the name is taken or the token has ended.
        :raises BadServer: what answered is no put server.
        """
        hello = Hello(
            version=PROTOCOL_VERSION,
            name=name,
            password=password,
            is_bot=is_bot,
            openings=sealed,
            client=client,
            token=token,
        )
        self = cls(host, port, hello, codec, connect_timeout)
        self._answer_timeout = answer_timeout
        self._waits = waits if resume else None
        self._sealing = Sealing(address(host, port), chain_secret if sealed else None)
        rest = await self._dial(hello, ())
        self._life = asyncio.create_task(self._live(rest), name=f"put client of {self.name}")
        self._life.add_done_callback(self._ended)
        return self

    @property
    def name(self) -> str:
        """Under which the server knows us."""
        return self.welcome.name

    @property
    def waiting(self) -> int:
        """Messages that came and were not yet taken."""
        return self._inbox.qsize()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # --- what comes ---

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
                self._inbox.put_nowait(None)  # whoever asks again hears the same
                raise self._end
            self._make_room()
            if isinstance(message, Left):
                self._in_flight.leave(message.table)
            if not (isinstance(message, Decision) and self._in_flight.has_answered(message)):
                return message

    def _make_room(self) -> None:
        if self._is_closing or self._inbox.qsize() < (INBOX_WHILE_ASKING if self._in_flight else INBOX):
            self._room.set()
        else:
            self._room.clear()

    # --- what is asked ---

    async def look(self) -> None:
        """Have `LobbyState` messages: the whole lobby now, then every change, also after a drop."""
        await self.ask(lambda request: Look(id=request))

    async def look_away(self) -> None:
        """Have no more of them."""
        await self.ask(lambda request: LookAway(id=request))

    async def sit(self, table: int, seat: int | None = None, passcode: str = "") -> Seat:
        """The seat you have now; None asks for any."""
        chosen = None if seat is None else Seat(seat)
        answer = await self.ask(lambda request: Sit(id=request, table=table, seat=chosen, passcode=passcode))
        if answer.seat is None:
            raise BadServer("it gave a seat and did not say which")
        return answer.seat

    async def act(self, table: int, decision: int, action: Action) -> None:
        """Answer a decision with one of its legal actions. It cannot be taken back.

        :raises Cheated: the deals at this table are not fair, so nothing is played there any more.
        """
        await self.ask(lambda request: Act(id=request, table=table, decision=decision, action=action))

    async def ask(self, make: Callable[[int], Request]) -> Ok:
        """Any request, which is made by its id; its method does the same. Raises as the method does."""
        match make(1):
            case Look():
                return await self._look(make)
            case LookAway():
                self._is_looking = False
            case Sit(table=table):
                end = self._sealing.end_for(table)
                return await self._ask(lambda request: replace(make(request), end=end))
            case Act(table=table):
                self._sealing.must_be_fair(table)
            case _:
                pass
        return await self._ask(make)

    async def _look(self, make: Callable[[int], Request]) -> Ok:
        self._is_looking = True  # from now on: what a dropped connection looked at, the next does not
        try:
            return await self._ask(make)
        except ClientError:
            self._is_looking = False
            raise

    async def _ask(self, make: Callable[[int], Request]) -> Ok:
        """The server's `ok`.

        :raises Refusal: it said no.
        :raises Unanswered: the request was sent and the answer did not come.
        :raises NoServer: the connection was down all the while, or full; nothing was sent.
        :raises Disconnected: the connection is over; nothing was sent.
        """
        asked = Asked(make)
        try:
            async with asyncio.timeout(self._answer_timeout), self._turns:
                while not self._is_up.is_set():  # it may drop again before we are woken
                    await self._is_up.wait()
                if self._end is not None:
                    raise self._end
                try:
                    self._in_flight.send(asked, self._wire)
                    self._make_room()
                    return await asked.answer
                finally:
                    self._in_flight.forget(asked)
        except TimeoutError:
            if asked.request is None:
                why = "it answers nothing" if self._is_up.is_set() else "the connection dropped and is not back yet"
                raise NoServer(self.host, self.port, why) from None
            if asked.again is not None:
                self._inbox.put_nowait(asked.again)
            raise Unanswered(asked.kind, f"no answer came in {self._answer_timeout:.0f} seconds") from None

    # --- the end ---

    async def close(self, *, keep: bool = False) -> None:
        """Say `bye` and end, whatever the server does. Requests in flight end as `Unanswered`. May be called again.

        With `keep` nothing is said: to the server we are away, the seats stay ours, and `token` brings us back.
        """
        if not self._is_closing:
            self._is_closing = True
            self._room.set()
            self._inbox.put_nowait(None)
            if self._is_up.is_set() and not self._life.done() and not keep:
                self._wire.send(Bye())
            else:
                self._life.cancel()
        try:
            await asyncio.wait({self._life}, timeout=CLOSE_S)
        finally:
            self._life.cancel()
        await asyncio.wait({self._life})  # it waits for nothing once cancelled
        await self._wire.gone(CLOSE_S)

    def _ended(self, life: asyncio.Task[None]) -> None:
        """Whatever ended the task is what everyone hears."""
        error = None if life.cancelled() else life.exception()
        if error is not None and not isinstance(error, ClientError):
            # A bug of ours. The loop's handler has the traceback; whoever waits must not wait for ever.
            life.get_loop().call_exception_handler({"message": "the put client failed", "exception": error})
            error = Disconnected("lost", f"this client failed ({type(error).__name__})")
        self._end = error or Disconnected("closed", "you closed it")
        self._wire.drop()  # a task cancelled before its first step has not
        self._in_flight.give_up("the connection was closed before the answer came")
        self._is_up.set()
        self._inbox.put_nowait(None)

    # --- the task ---

    async def _live(self, rest: Taken) -> None:
        """Follow one connection after another. Returns after a wilful close; raises what ended the client otherwise."""
        while True:
            try:
                lost = await self._follow(rest)
                if self._is_closing:
                    return
            finally:
                self._is_up.clear()
                self._wire.drop()
            self._in_flight.lose()
            self._sealing.lose()
            if self._waits is None:
                raise Disconnected("lost", lost.says)
            self._inbox.put_nowait(lost)
            rest = await self._come_back(lost, self._waits())
            self._inbox.put_nowait(ConnectionBack(self.welcome.tables))

    async def _follow(self, taken: Taken) -> ConnectionLost:
        """Read the connection until it ends; the reason is a clause."""
        wire = self._wire
        while True:
            for message in taken:
                lost = self._receive(wire, message)
                if lost is not None:
                    return lost
            wire.flush()
            try:
                await self._room.wait()
                async with asyncio.timeout(TICK_S):
                    came = await wire.receive()
            except OSError as error:
                if isinstance(error, TimeoutError) and error.errno is None:  # ours; the network's has a number
                    taken = []
                    if not wire.connection.tick(now_ms()):
                        return ConnectionLost("nothing was heard from the server for too long")
                    continue
                why = f"broke ({error.strerror or 'no reason given'})"
                return ConnectionLost(f"the line to {address(self.host, self.port)} {why}")
            if came is None:
                return ConnectionLost(f"the line to {address(self.host, self.port)} dropped")
            taken = came

    def _receive(self, wire: Wire, message: ServerMessage | ProtocolError) -> ConnectionLost | None:
        """Hand a message to whom it is for. Returns why the connection is to be given up, if it is."""
        match message:
            case Refused(id=0):
                raise BadServer(f"it could not read a request: {message.says}")
            case Ok() | Refused():
                request = self._in_flight.answer(message, wire)
                self._sealing.answered(message, request)
            case TableSnapshot() | Events() | Openings() | Left():
                self._hand_over(message, *self._sealing.hear(message, wire))
            case LobbyState() | Decision() | Invited() | Notice() | Analysis() | Position() | Judgement():
                self._hand_over(message)
            case Goodbye():
                if message.code in ENDING:
                    self.token = ""
                if not self._is_closing and message.code not in RESUMABLE:
                    raise Disconnected(message.code, message.says)
                return ConnectionLost(message.says, message.back_s)
            case ProtocolError():
                raise BadServer(message.reason)
            case Welcome() | Ping() | Pong():
                raise AssertionError(f"the connection keeps {type(message).__name__} to itself")
            case _:
                assert_never(message)
        return None

    def _hand_over(self, *messages: Message) -> None:
        if not self._is_closing:
            for message in messages:
                self._inbox.put_nowait(message)
            self._make_room()

    async def _come_back(self, lost: ConnectionLost, waits: Iterable[float]) -> Taken:
        seen = self._wire.connection.seen
        why = lost.says
        if lost.back_s is not None:
            waits = itertools.chain((absence(lost.back_s),), waits)
        for wait in waits:
            await asyncio.sleep(wait)
            hello = replace(self._hello, name="", token=self.token, seen=seen, asked=self._in_flight.ids)
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

    async def _dial(self, hello: Hello, seen: tuple[Seen, ...]) -> Taken:
        """Connect and shake hands: sets `welcome` and the connection. Returns what came behind the welcome."""
        wire, self.welcome, rest = await dial(
            self.host, self.port, hello, seen, codec=self._codec, timeout_s=self._connect_timeout
        )
        self._wire = wire
        self.token = self.welcome.token
        if self._is_looking:
            wire.send(Look(id=wire.connection.next_id()))
        self._sealing.come_back(self.welcome.tables)
        self._make_room()
        self._is_up.set()
        return rest

"""Traffic of one person over any number of connections: requests, and unread messages.

It owns the wire (`lasting_wire`) and the parts that process its messages: checks, and views folded from events. A
dropped connection loses no request: the next `hello` lists unanswered ones; those carried out get their `ok`, and the
others are sent again.

A client does not trust its server, just as a server does not trust its clients. Unread messages are limited in number
and bytes; at the limit the client stops reading, and finally the server cannot send. Data kept during the connection,
such as the lobby on the screen, has limits that no honest server reaches; beyond them the client disconnects
(`BadServer`).
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

from put_client.sdk.deal_checks import CheckFailed, DealChecked, DealChecks, DealWarning
from put_client.sdk.errors import BadServer, ClientError, NoServer, Refusal, Unanswered
from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost, Dialling, LastingWire
from put_client.sdk.table_views import TableMessage, TableViews
from put_client.sdk.wire import Wire
from put_protocol import messages
from put_protocol.blind_events import BlindSpan
from put_protocol.folding import CannotFold
from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.messages import Act, Decision, Left, LobbyState, Ok, Refused, Request
from put_protocol.parts import parts
from put_protocol.refusals import RefusalCode
from put_text.catalogue import say
from put_text.translated import in_language

if TYPE_CHECKING:
    from put_client.sdk.weigher import Weigher
    from put_protocol.analysis import WeighGame


@dataclass(eq=False, slots=True)
class RequestInFlight:
    """A request that gets one answer from the server, or fails as `Unanswered`."""

    make: Callable[[int], Request]
    answer: asyncio.Future[Ok] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    request: Request | None = None
    """The request as last sent; None: not sent yet."""
    sent_at: float = 0.0
    is_lost: bool = False
    """Its connection dropped."""
    held_back: Decision | None = None
    """The decision it answers, if the server has sent that again meanwhile."""

    @property
    def kind(self) -> str:
        """Type on the wire."""
        return str(self.request.__struct_config__.tag) if self.request is not None else ""


INBOX = 1_000
"""Unread messages at which we stop reading the socket, so that finally the server stops sending."""

INBOX_BYTES = 1024 * 1024
"""The limit in bytes on the wire; objects take some ten times as much. Returning to sixty tables needs a third of
it."""

WHILE_ASKING = 10
"""Factor on both limits while a request is in flight: its answer comes after those messages, and the waiting task may
be the one that should read them."""

LOBBY_ENTRIES = 20_000
"""Tables and people in a lobby. A server has at most a few thousand."""

LOBBY_BYTES = 16 * 1024 * 1024
"""Limit of the lobby in bytes on the wire: 20,000 entries of 800 bytes, twice the size of a table of ten."""


class Inbox:
    """A queue that counts the bytes of its messages."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[tuple[Message | None, int]] = asyncio.Queue()  # bounded by who asks `has_room`
        self.bytes = 0

    def put(self, message: "Message | None", size: int = 0) -> None:
        self._queue.put_nowait((message, size))
        self.bytes += size

    async def get(self) -> "Message | None":
        message, size = await self._queue.get()
        self.bytes -= size
        return message

    @property
    def count(self) -> int:
        return self._queue.qsize()

    def has_room(self, *, is_asking: bool) -> bool:
        times = WHILE_ASKING if is_asking else 1
        return self.count < INBOX * times and self.bytes < INBOX_BYTES * times


class LobbyHeld:
    """Size of a lobby, which a following client must store."""

    def __init__(self) -> None:
        self._sizes: dict[int | str, int] = {}
        """Bytes by the number of a table or the name of a person."""
        self._bytes = 0

    def receive(self, news: LobbyState, size: int) -> None:
        """Count the entries of a message that came in `size` bytes.

        :raises BadServer: the lobby is larger than that of any honest server.
        """
        if news.begins:
            self._sizes.clear()
            self._bytes = 0
        gone_now: list[int | str] = [*news.closed, *news.departed]
        for gone in gone_now:
            self._bytes -= self._sizes.pop(gone, 0)
        changed: list[int | str] = [table.id for table in news.tables]
        changed += [person.name for person in news.people]
        for one in changed:
            share = size // len(changed) + 1
            self._bytes += share - self._sizes.get(one, 0)
            self._sizes[one] = share
        if len(self._sizes) > LOBBY_ENTRIES or self._bytes > LOBBY_BYTES:
            raise BadServer("its lobby is larger than any lobby is")


IN_FLIGHT = REQUEST_ARRAY_ITEMS
"""Most requests in flight: after a drop one `hello` lists them all. Others wait for a slot."""

Message = (
    messages.LobbyState
    | messages.TableSnapshot
    | messages.Events
    | Decision
    | messages.Invited
    | messages.Analysis
    | messages.Recalled
    | messages.Advice
    | messages.Position
    | messages.Judgement
    | Left
    | messages.Notice
    | DealChecked
    | CheckFailed
    | DealWarning
    | ConnectionLost
    | ConnectionBack
)
"""A message yielded by iterating over a client."""


class Traffic:
    """Only one task at a time may take messages; any task may make requests."""

    def __init__(self, dialling: Dialling, checks: DealChecks, answer_timeout: float | None) -> None:
        """`answer_timeout`: seconds, including reconnects; None: no limit."""
        self.wire = LastingWire(dialling, self)
        self.checks = checks
        checks.attach(self._ask, lambda news: self.deliver(*news))
        self._weigher: Weigher | None = None
        self.answer_timeout = answer_timeout
        self._dialling = dialling
        self.in_flight: dict[int, RequestInFlight] = {}
        """Requests without an answer by id, oldest first."""
        self._last_answered_decision: dict[int, int] = {}
        self._heard = 0.0
        """Time when the latest answered request was sent; 0: no answer yet."""
        self._slots = asyncio.Semaphore(IN_FLIGHT)
        self._views = TableViews(dialling.hello.knows)
        self._lobby = LobbyHeld()
        self._looks: Callable[[int], Request] | None = None
        """Makes the request to look at the lobby; None: we do not look."""
        self.inbox = Inbox()  # bounded by `has_room`
        self.has_room = asyncio.Event()
        """Set while more messages may be read."""

    async def take(self) -> Message:
        """The next message.

        :raises StopAsyncIteration: the client was closed.
        :raises ClientError: the error that ended the connection.
        """
        while True:
            message = None if self.wire.is_closing else await self.inbox.get()
            if self.wire.is_closing:
                raise StopAsyncIteration
            if message is None:
                assert self.wire.end is not None
                self.inbox.put(None)  # so that the next call raises the error again
                raise self.wire.end
            self._update_room()
            if isinstance(message, Left):
                self._last_answered_decision.pop(message.table, None)
            if not (isinstance(message, Decision) and self._has_answered(message)):
                return message

    def _has_answered(self, decision: Decision) -> bool:
        """True if this decision was answered or its answer is in flight: after a drop the server repeats decisions.

        If the answer is in flight, the decision is held back, and delivered only if the answer never arrives.
        """
        if decision.decision <= self._last_answered_decision.get(decision.table, 0):
            return True
        for pending in self.in_flight.values():
            match pending.request:
                case Act(table=decision.table, decision=decision.decision) if not pending.answer.done():
                    pending.held_back = decision
                    return True
        return False

    def close(self) -> None:
        """Nothing more is taken. The wire is to be closed behind it, and then `end` called."""
        self.checks.stop()
        self.has_room.set()
        self.inbox.put(None)

    async def end(self) -> None:
        if self._weigher is not None:
            await self._weigher.end()

    def _update_room(self) -> None:
        if self.wire.is_closing or self.inbox.has_room(is_asking=bool(self.in_flight)):
            self.has_room.set()
        else:
            self.has_room.clear()

    async def ask(self, make: Callable[[int], Request]) -> Ok:
        match make(1):
            case messages.Look():
                return await self._look(make)
            case messages.LookAway():
                self._looks = None
            case messages.Sit(table=table):
                holds_key = self.checks.holds_keys and _deals_blind(self.wire.welcome)
                self.checks.sit(table, keeps_key=holds_key)
                return await self._ask(lambda request: replace(make(request), holds_key=holds_key))
            case messages.Again(table=table, game=0) as again if _deals_blind(self.wire.welcome):
                asked = replace(again, game=self._views.next_game(table))
                return await self._ask(lambda request: replace(asked, id=request))
            case messages.Act(table=table) as act if (check := self.checks.of(table)) is not None:
                self.checks.asks(act)
                return await check.act(act)
            case messages.Analyse(table=table) if (check := self.checks.of(table)) is not None and check.played:
                self._weigh(check.played)
                return Ok(0, table)
            case request:
                self.checks.asks(request)
        return await self._ask(make)

    def _weigh(self, game: "WeighGame") -> None:
        from put_client.sdk.weigher import Weigher  # noqa: PLC0415  # most sessions need none

        if self._weigher is None:
            self._weigher = Weigher(self.deliver)
        self._weigher.weigh(game)

    async def _look(self, make: Callable[[int], Request]) -> Ok:
        former, self._looks = self._looks, make  # set first: each new connection has to subscribe again
        try:
            return await self._ask(make)
        except ClientError:
            self._looks = former
            raise

    async def _ask(self, make: Callable[[int], Request]) -> Ok:
        while True:
            succeeded = self.wire.succeeded
            try:
                return await self._ask_once(make)
            except Refusal as error:
                if error.code != RefusalCode.DRAINING or not self._dialling.is_patient:
                    raise
            await succeeded.wait()

    async def _ask_once(self, make: Callable[[int], Request]) -> Ok:
        pending = RequestInFlight(make)
        try:
            async with asyncio.timeout(self.answer_timeout), self._slots:
                while not self.wire.up.is_set():  # it may drop again before we are woken
                    await self.wire.up.wait()
                if self.wire.end is not None:
                    raise self.wire.end
                try:
                    self._send(pending)
                    self._update_room()
                    return await pending.answer
                finally:
                    self._forget(pending)
        except TimeoutError:
            if pending.request is None:
                why = say("client-unanswered-why", is_up=self.wire.up.is_set())
                raise NoServer(self._dialling.dialler.host, self._dialling.dialler.port, why) from None
            if pending.held_back is not None:
                self.inbox.put(pending.held_back)
            raise Unanswered(
                pending.kind, say("client-unanswered-late", seconds=round(self.answer_timeout or 0))
            ) from None

    def _send(self, pending: RequestInFlight) -> None:
        self._forget(pending)
        wire = self.wire.current
        request = pending.request = pending.make(wire.connection.next_id())
        pending.is_lost, pending.sent_at = False, self.checks.clock.now()
        self.in_flight[request.id] = pending
        wire.send(request)

    def _forget(self, pending: RequestInFlight) -> None:
        if pending.request is not None:
            self.in_flight.pop(pending.request.id, None)

    def _answer(self, message: Ok | Refused) -> None:
        """Resolve the request of this answer, if a task waits for it."""
        pending = self.in_flight.get(message.id)
        request = None
        if pending is not None and not pending.answer.done():
            request, self._heard = pending.request, max(self._heard, pending.sent_at)
            match message:
                case Ok():
                    if isinstance(request, Act):
                        self._last_answered_decision[request.table] = request.decision
                    pending.answer.set_result(message)
                case Refused(code=RefusalCode.NOT_CARRIED_OUT) if pending.is_lost:
                    self._send(pending)
                case Refused(code=code, says=says):
                    pending.answer.set_exception(Refusal(code, says, message.field, message.retry_after_ms))
        if isinstance(message, Ok):
            self.checks.answered(request)

    def welcomed(self, wire: Wire, welcome: messages.Welcome) -> None:
        """A connection is open; only its welcome was read so far."""
        if self._looks is not None:
            wire.send(self._looks(wire.connection.next_id()))
        self.checks.come_back(welcome.tables)
        self._views.come_back(welcome.tables)
        self._update_room()

    def dropped(self) -> None:
        for pending in self.in_flight.values():
            pending.is_lost = True
        self.checks.lose()

    def ended(self) -> None:
        """The connection is lost, and no other follows."""
        self.checks.stop()
        for pending in self.in_flight.values():
            if not pending.answer.done():
                pending.answer.set_exception(Unanswered(pending.kind, say("client-unanswered-closed")))
        self.inbox.put(None)

    def receive(self, message: messages.ServerMessage, size: int) -> ConnectionLost | None:
        """Process a message of about `size` bytes. Returns a reason to give the connection up, if there is one.

        :raises BadServer: the server broke the protocol.
        """
        lost = None
        try:
            for part in parts(message):
                lost = lost or self._receive(in_language(part), size if type(part) is type(message) else 0)
        except RecursionError:
            raise BadServer("a message of its is nested too deep") from None
        return lost

    def _receive(self, message: messages.ServerMessage, size: int) -> ConnectionLost | None:
        match message:
            case Refused(id=0):
                raise BadServer(f"it could not read a request: {message.says}")
            case Ok() | Refused():
                self._answer(message)
            case messages.TableSnapshot() | messages.Events() | Decision() | Left():
                return self._follow(message, size)
            case BlindSpan():
                self.checks.add_span(message)
            case messages.LobbyState():
                self._lobby.receive(message, size)
                self.deliver(message, size=size)
            case (
                messages.Invited()
                | messages.Notice()
                | messages.Analysis()
                | messages.Recalled()
                | messages.Advice()
                | messages.Position()
                | messages.Judgement()
            ):
                self.deliver(message, size=size)
            case messages.Welcome() | messages.Ping() | messages.Pong() | messages.Goodbye():
                raise AssertionError(f"the wire keeps {type(message).__name__} to itself")
        return None

    def _follow(self, message: TableMessage, size: int) -> ConnectionLost | None:
        self._views.check_seats(message)
        message = self.checks.read(message)
        forged = self._views.forged_by(message)
        news = self.checks.receive(message, forged, self._heard)
        check = self.checks.of(message.table)
        is_fair, is_whole = check is None or check.error is None, self.wire.views is messages.ViewForm.WHOLE
        try:
            told = self._views.receive(message, is_fair=is_fair, is_whole=is_whole)
        except CannotFold:
            self.deliver(message, *news, size=size)
            self.wire.views = messages.ViewForm.WHOLE
            return ConnectionLost(say("client-lost-newer"))
        if isinstance(told, Decision) and is_fair and check is not None:
            told = check.referee.in_own_words(told)  # a text of the server's may belong to another choice
        if isinstance(told, Decision) and not is_fair:  # nothing more is played where a check has failed
            self.deliver(*news, size=size)
        else:
            self.deliver(told, *news, size=size)
        return None

    def deliver(self, *received: Message, size: int = 0) -> None:
        if not self.wire.is_closing:
            for message in received:
                self.inbox.put(message, size)
            self._update_room()


def _deals_blind(welcome: messages.Welcome) -> bool:
    return any(option.name == "dealing" for game in welcome.games for option in game.options)

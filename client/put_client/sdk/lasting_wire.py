"""A wire that reconnects after drops, until it is closed or the server ends it.

Each `hello` lists the last event of each table and every unanswered request, so that nothing is lost or done twice. Its
incarnation is greater than all before, so that a late `hello` of an abandoned connection is refused.

One task reads, answers heartbeats and reconnects. It passes all messages to its owner (`Traffic`), and reports every
drop and every welcome.
"""

import asyncio
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from put_client.sdk.dialler import Dialler
from put_client.sdk.errors import BadServer, ClientError, Disconnected, HungUp, NoServer, Rejected, address
from put_client.sdk.wire import ENDING, PASSING, RESUMABLE, Received, Wire, absence, dial, now_ms
from put_protocol.codecs import Codec
from put_protocol.errors import ProtocolError
from put_protocol.limits import DEAD_MS
from put_protocol.messages import Bye, Goodbye, Hello, ServerMessage, Welcome
from put_protocol.refusals import RefusalCode
from put_text.catalogue import say
from put_text.translated import in_language

if TYPE_CHECKING:
    from put_client.sdk.traffic import Traffic

CLOSE_S = 2.0
"""Time from `bye` to the end, even if the server does not answer."""

TICK_S = 5.0
"""Longest time between heartbeat checks. The heartbeat's own times are some tens of seconds, unless the server states
others."""

TICKS = 6
"""Least number of checks in the silence before a ping."""

HANG_UPS = 3
"""Connections dropped before the first welcome after which a patient client gives up: it may be no put server."""

OWN_NAME_MS = DEAD_MS + 120_000 + 15_000
"""Time for which such a connection may keep our name: until the server notices the loss, plus the time for which it
reserves the name of a person without requests, plus the next attempt."""


class ConnectionLost(Struct, frozen=True):
    """The connection dropped. The client tries to reconnect, and requests wait meanwhile."""

    says: str
    back_s: int | None = None
    """Seconds until the server expects to be back, if stated; there are no attempts before."""


class ConnectionBack(Struct, frozen=True):
    """The connection is back. Missed events of these tables follow; other tables are gone."""

    tables: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialling:
    dialler: Dialler
    hello: Hello
    """The first `hello`."""
    codec: Codec
    connect_timeout: float
    waits: Callable[[], Iterable[float]] | None
    """Seconds before each attempt to reconnect; when it ends, the client gives up. None: never reconnect."""
    is_patient: bool
    """Also reconnect after a drop before the first welcome."""
    note_incarnation: Callable[[int], None]
    """Called with each incarnation before its use."""


class LastingWire:
    """One wire after another, to the same server as the same person."""

    def __init__(self, dialling: Dialling, owner: "Traffic") -> None:
        self.current: Wire
        """The current wire, or the last one."""

        self.welcome: Welcome
        self.token = dialling.hello.token
        """Empty after the session has ended."""
        self.incarnation = dialling.hello.incarnation
        """Number of the last `hello`; 0 before the first."""
        self.views = dialling.hello.views
        """Form of views to request on the next connection."""
        self.end: ClientError | None = None
        """Reason why no connection follows; None: one may."""
        self.up = asyncio.Event()
        """Set while connected, and when no connection will follow."""
        self.succeeded = asyncio.Event()
        """Set when another connection replaces this one, or when none will. Each connection has its own event."""
        self.is_closing = False
        self._dialling = dialling
        self._owner = owner
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect, unless this is done.

        :raises ClientError: as in `Client.connect`.
        """
        if self._task is not None:
            return
        received = await self._dial_first()
        self._task = asyncio.create_task(self._run(received), name=f"put client of {self.welcome.name}")
        self._task.add_done_callback(self._ended)

    async def close(self, *, keep: bool) -> None:
        """Say `bye`, unless `keep`, and end, even if the server does not answer. Idempotent."""
        task = self._task
        assert task is not None, "it was never open"
        if not self.is_closing:
            self.is_closing = True
            if self.up.is_set() and not task.done() and not keep:
                self.current.send(Bye())
            else:
                task.cancel()
        try:
            await asyncio.wait({task}, timeout=CLOSE_S)
        finally:
            task.cancel()
        await asyncio.wait({task})  # it waits for nothing once cancelled
        await self.current.gone(CLOSE_S)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Fail all waiting callers with the error that ended the task."""
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ClientError):
            # A bug of ours. The loop's handler has the traceback; a task that waits must not wait forever.
            task.get_loop().call_exception_handler({"message": "the put client failed", "exception": error})
            error = Disconnected("lost", say("client-failed", error=type(error).__name__))
        self.end = error or Disconnected("closed", say("client-closed-by-you"))
        self.current.drop()  # a task cancelled before its first step has not
        self.up.set()
        self.succeeded.set()
        self._owner.ended()

    async def _run(self, received: Received) -> None:
        """Read one connection after another. Returns after `close`; otherwise raises the error that ended the
        client."""
        while True:
            try:
                lost = await self._read(received)
                if self.is_closing:
                    return
            finally:
                self.up.clear()
                self.current.drop()
            self._owner.dropped()
            if self._dialling.waits is None:
                raise Disconnected("lost", lost.says)
            self._owner.deliver(lost)
            received = await self._reconnect(lost, self._dialling.waits())
            self._owner.deliver(ConnectionBack(self.welcome.tables))

    async def _read(self, received: Received) -> ConnectionLost:
        """Read the connection until it ends. `received`: messages that came with the welcome."""
        wire, dialler = self.current, self._dialling.dialler
        while True:
            size = wire.take_size() // max(1, len(received))
            for message in received:
                lost = self._receive(message, size)
                if lost is not None:
                    return lost
            wire.flush()
            try:
                await self._owner.has_room.wait()
                async with asyncio.timeout(min(TICK_S, wire.connection.quiet_ms / 1000 / TICKS)):
                    data = await wire.receive()
            except OSError as error:
                if isinstance(error, TimeoutError) and error.errno is None:  # ours; the network's has a number
                    received = []
                    if not wire.connection.tick(now_ms()):
                        return ConnectionLost(say("client-lost-silent"))
                    continue
                server = address(dialler.host, dialler.port)
                return ConnectionLost(say("client-lost-broke", server=server, why=error.strerror or "none"))
            if data is None:
                return ConnectionLost(say("client-lost-dropped", server=address(dialler.host, dialler.port)))
            received = data

    def _receive(self, message: ServerMessage | ProtocolError, size: int) -> ConnectionLost | None:
        """Returns a reason to give the connection up, if there is one."""
        match message:
            case Goodbye():
                says = in_language(message).says
                if message.code in ENDING:
                    self.token = ""
                if not self.is_closing and message.code not in RESUMABLE:
                    raise Disconnected(message.code, says)
                return ConnectionLost(says, message.back_s)
            case ProtocolError():
                raise BadServer(message.reason)
            case _:
                return self._owner.receive(message, size)

    async def _dial_first(self) -> Received:
        """Dial, as `_dial` does. A patient client dials again if it is dropped before the welcome, or if the server is
        stopping. The server may have admitted it, and may keep that connection for a while: then its name is taken, and
        it waits."""
        dialling = self._dialling
        waits = iter(dialling.waits() if dialling.is_patient and dialling.waits is not None else ())
        taken_until, hung_up = 0, 0
        while True:
            failed: HungUp | Rejected
            try:
                return await self._dial(dialling.hello)
            except HungUp as error:
                hung_up += 1
                failed, is_final = error, hung_up >= HANG_UPS
                taken_until = now_ms() + OWN_NAME_MS
            except Rejected as error:
                is_own = error.code == RefusalCode.NAME_TAKEN and now_ms() < taken_until
                is_stopping = error.code == RefusalCode.DRAINING
                failed, is_final = error, not (is_own or is_stopping)
                if is_stopping:
                    taken_until = now_ms() + OWN_NAME_MS
            wait = next(waits, None)
            if is_final or wait is None:
                raise failed
            await asyncio.sleep(wait)

    async def _reconnect(self, lost: ConnectionLost, waits: Iterable[float]) -> Received:
        why = lost.says
        if lost.back_s is not None:
            waits = itertools.chain((absence(lost.back_s),), waits)
        for wait in waits:
            await asyncio.sleep(wait)
            hello = replace(
                self._dialling.hello,
                name="",
                token=self.token,
                seen=self.current.connection.seen,
                views=self.views,
                asked=tuple(self._owner.in_flight),
                epoch=self.welcome.epoch,
            )
            try:
                return await self._dial(hello)
            except NoServer as error:
                why = error.reason
            except Rejected as error:
                if error.code == RefusalCode.BAD_TOKEN:
                    self.token = ""
                if error.code not in PASSING:
                    raise Disconnected(error.code, error.says) from error
                why = error.says
        raise Disconnected("lost", lost.says if why == lost.says else say("client-lost-then", why=lost.says, then=why))

    async def _dial(self, hello: Hello) -> Received:
        """Connect and shake hands; sets `welcome` and `token`. Returns messages that came with the welcome."""
        dialling = self._dialling
        if self.incarnation or not hello.token:
            self.incarnation += 1
            dialling.note_incarnation(self.incarnation)
        hello = replace(hello, incarnation=self.incarnation)
        self.current, self.welcome, received = await dial(
            dialling.dialler, hello, codec=dialling.codec, timeout_s=dialling.connect_timeout
        )
        self.token = self.welcome.token
        self.incarnation = max(self.incarnation, self.welcome.incarnation)
        self._owner.welcomed(self.current, self.welcome)
        self.up.set()
        self.succeeded.set()
        self.succeeded = asyncio.Event()
        return received

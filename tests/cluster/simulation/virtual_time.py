"""Event loop with simulated time, processes and connections: everything that happens in it follows from one seed.

Time stands still while anything runs, and jumps to the next timer when nothing does. So an evening takes seconds, and
the same seed gives the same evening, callback for callback.

A *process* is a context variable that its tasks inherit. It has a clock of its own, and can be paused: none of its
callbacks run meanwhile, and all of them are late afterwards, as after SIGSTOP. A killed process goes on running in the
loop, but nothing that it does reaches any other.
"""

import asyncio
import contextvars
import heapq
import random
import secrets
import selectors
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from random import Random
from typing import Any
from unittest.mock import patch

from put_server.journal import commit_queue
from put_server.transport.budgets import Budgets

START_S = 1_000.0

FORKED_S = 0.2
"""Longest time that a checkpoint behind play takes."""

CONNECT_S = 0.02

THREAD_S = 0.05
"""Longest time that the work of a thread takes."""

NEXT_S = 1e-7
"""Between two arrivals that keep their order: the loop runs timers of one moment in any order."""

PEER = ("127.0.0.1", 50_000)


_CURRENT: contextvars.ContextVar["Process"] = contextvars.ContextVar("process")


class Process:
    """One process of the simulation."""

    def __init__(self, name: str, ahead: float = 0.0) -> None:
        """`ahead`: seconds by which its monotonic clock differs from the simulation's."""
        self.name = name
        self.ahead = ahead
        self.is_dead = False
        self.context = contextvars.copy_context()
        self.context.run(_CURRENT.set, self)


_OUTSIDE = Process("outside")


def current() -> Process:
    """The process that is running."""
    return _CURRENT.get(_OUTSIDE)


class NothingLeft(Exception):
    """Everything waits, and nothing will ever happen again."""


class _Selector(selectors.BaseSelector):
    """Selector without files: instead of waiting it moves the time."""

    def __init__(self) -> None:
        self.now = START_S
        self._keys: dict[Any, selectors.SelectorKey] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        self._keys[fileobj] = key = selectors.SelectorKey(fileobj, 0, events, data)
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._keys.pop(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self.register(fileobj, events, data)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise NothingLeft
        self.now += max(0.0, timeout)
        return []

    def close(self) -> None:
        self._keys.clear()

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._keys


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop of one run."""

    _ready: Any
    _scheduled: list[Any]

    def __init__(self, seed: int) -> None:
        self._clock = _Selector()
        super().__init__(self._clock)
        self.rng = Random(f"{seed} network")
        self.listeners: dict[int, Callable[[], asyncio.BaseProtocol]] = {}
        """Makes the server's end of a connection, by port."""
        self.owners: dict[int, Process] = {}
        """The process that listens at each port."""
        self._paused: dict[Process, list[asyncio.Handle]] = {}
        """Paused processes, and what they would have done."""

    def time(self) -> float:
        return self._clock.now

    def pause(self, process: Process) -> None:
        self._paused.setdefault(process, [])

    def resume(self, process: Process) -> None:
        for handle in self._paused.pop(process, []):
            if isinstance(handle, asyncio.TimerHandle):
                heapq.heappush(self._scheduled, handle)
            else:
                self._ready.append(handle)

    def is_paused(self, process: Process) -> bool:
        return process in self._paused

    def _run_once(self) -> None:
        if self._paused:
            self._hold_back()
        super()._run_once()  # type: ignore[misc]  # a method of the base class that has no type

    def _hold_back(self) -> None:
        def is_kept(handle: Any) -> bool:
            process = handle._context.get(_CURRENT) if handle._context is not None else None
            if process not in self._paused:
                return False
            self._paused[process].append(handle)
            return True

        ready = [handle for handle in self._ready if not is_kept(handle)]
        self._ready.clear()
        self._ready.extend(ready)
        scheduled = [handle for handle in self._scheduled if not is_kept(handle)]
        if len(scheduled) < len(self._scheduled):
            self._scheduled[:] = scheduled
            heapq.heapify(self._scheduled)

    def run_in_executor(  # type: ignore[override]  # the same, in fewer words
        self, executor: Any, func: Callable[..., Any], *arguments: Any
    ) -> Any:
        """What a thread is to do is done at once, and comes back later; a simulated executor has its own times."""
        if executor is not None:
            return super().run_in_executor(executor, func, *arguments)
        future: asyncio.Future[Any] = self.create_future()

        def finish(result: Any, error: BaseException | None) -> None:
            if not future.done():
                future.set_result(result) if error is None else future.set_exception(error)

        result, failed = None, None
        try:
            result = func(*arguments)
        except Exception as error:  # noqa: BLE001  # it comes back, as from a thread
            failed = error
        self.call_later(self.rng.uniform(0.0, THREAD_S), finish, result, failed)
        return future

    async def create_connection(self, protocol_factory: Any, host: Any = None, port: Any = None, **_: Any) -> Any:
        """Connect to a listener of the simulation."""
        await asyncio.sleep(self.rng.uniform(0.0, CONNECT_S))
        owner = self.owners.get(port)
        if owner is None or owner.is_dead:
            raise ConnectionRefusedError(111, "refused")
        protocol = protocol_factory()
        ours, theirs = _Pipe(self, current()), _Pipe(self, owner)
        ours.other, theirs.other = theirs, ours
        ours.begin(protocol)
        owner.context.run(lambda: theirs.begin(self.listeners[port]()))
        return ours, protocol


class _Pipe(asyncio.Transport):
    """One end of a connection: bytes arrive in order, after a while."""

    other: "_Pipe"

    def __init__(self, loop: VirtualLoop, process: Process) -> None:
        super().__init__({"peername": PEER, "sockname": PEER})
        self._loop = loop
        self.process = process
        self._protocol: Any = None
        self._free_at = 0.0
        self._is_closing = False
        self._is_aborted = False
        """What it sent and has not arrived is lost."""
        self._is_reading = True
        self._unread: list[bytes] = []

    def begin(self, protocol: Any) -> None:
        self._protocol = protocol
        protocol.connection_made(self)

    def get_protocol(self) -> Any:
        return self._protocol

    def set_protocol(self, protocol: Any) -> None:
        self._protocol = protocol

    def write(self, data: Any) -> None:
        if not self._is_closing and data:
            self._later(bytes(data))

    def writelines(self, list_of_data: Any) -> None:
        self.write(b"".join(list_of_data))

    def _later(self, data: bytes | None) -> None:
        """Have the other end get these bytes; None: the end of the connection."""
        if self.process.is_dead and data is not None:
            return
        self._free_at = max(self._free_at + NEXT_S, self._loop.time() + self._loop.rng.uniform(0.0002, 0.003))
        arrive = self.other._arrive
        self._loop.call_at(self._free_at, arrive, data, context=self.other.process.context)

    def _arrive(self, data: bytes | None) -> None:
        if self._is_closing or (data is not None and self.other._is_aborted):
            return
        if data is None:
            self._lose()
        elif not self._is_reading:
            self._unread.append(data)
        elif isinstance(self._protocol, asyncio.BufferedProtocol):
            while data and not self._is_closing:
                buffer = memoryview(self._protocol.get_buffer(-1))
                piece, data = data[: len(buffer)], data[len(buffer) :]
                buffer[: len(piece)] = piece
                self._protocol.buffer_updated(len(piece))
        else:
            self._protocol.data_received(data)

    def _lose(self) -> None:
        self._is_closing = True
        self._protocol.connection_lost(None)

    def close(self) -> None:
        if not self._is_closing:
            self._later(None)
            self._is_closing = True
            self._loop.call_soon(self._protocol.connection_lost, None, context=self.process.context)

    def abort(self) -> None:
        self._is_aborted = True
        self.close()

    def is_closing(self) -> bool:
        return self._is_closing

    def pause_reading(self) -> None:
        self._is_reading = False

    def resume_reading(self) -> None:
        self._is_reading = True
        unread, self._unread = self._unread, []
        for data in unread:
            self._arrive(data)

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def can_write_eof(self) -> bool:
        return False


class _Checkpointing:
    """Takes the place of `Forked`: the work is done at once, as a fork sees one moment, and comes back later."""

    def __init__(self, work: Callable[[], bytes], done: Callable[[bytes | None], None]) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        made = work() if loop.rng.random() < 0.95 else None
        self._timer = loop.call_later(loop.rng.uniform(0.0, FORKED_S), done, made)

    def give_up(self) -> None:
        self._timer.cancel()


@contextmanager
def virtual_time(seed: int) -> Iterator[VirtualLoop]:
    """A loop for one run; while the block runs, all clocks and sources of chance are the simulation's."""
    loop = VirtualLoop(seed)
    rng = Random(f"{seed} secrets")
    common = random.getstate()
    random.seed(seed)
    numbers = count(1)

    def monotonic() -> float:
        return loop.time() + current().ahead

    def token_bytes(nbytes: int | None = None) -> bytes:
        return rng.randbytes(nbytes or 32)

    def thread_time_ns() -> int:
        return next(numbers) * 1_000

    with (
        patch.object(time, "monotonic", monotonic),
        patch.object(time, "monotonic_ns", lambda: int(monotonic() * 1e9)),
        patch.object(time, "time_ns", lambda: int(loop.time() * 1e9)),
        patch.object(time, "thread_time", lambda: thread_time_ns() / 1e9),
        patch.object(secrets, "token_bytes", token_bytes),
        patch.object(secrets, "token_hex", lambda nbytes=None: token_bytes(nbytes).hex()),
        patch.object(secrets, "token_urlsafe", lambda nbytes=None: token_bytes(nbytes).hex()),
        patch.object(commit_queue, "Forked", _Checkpointing),
        patch.object(commit_queue, "can_fork", lambda: True),
        patch.object(Budgets.__init__, "__defaults__", (thread_time_ns, thread_time_ns)),
    ):
        asyncio.set_event_loop(loop)
        try:
            yield loop
        finally:
            asyncio.set_event_loop(None)
            loop.close()
            random.setstate(common)

"""Thread of one bot, so that a slow `choose` does not block the connection.

Law: one call at a time, in the order they are made. A thought cannot be stopped; when no task waits for it any more, it
goes on alone, and does not keep the program from ending.
"""

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")

_Call = tuple[Callable[[], object], Callable[[object, BaseException | None], None]]


class BotThread:
    """The thread; it begins with the first call, and `close` ends it after the current one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()  # one at most: callers take turns
        self._turn = asyncio.Lock()
        self._thread: threading.Thread | None = None

    async def call(self, function: Callable[[], T]) -> T:
        """Call the function in the thread and return its result; what it raises is raised here."""
        async with self._turn:
            loop = asyncio.get_running_loop()
            done: asyncio.Future[tuple[object, BaseException | None]] = loop.create_future()

            def tell(result: object, error: BaseException | None) -> None:
                with suppress(RuntimeError):  # the loop has ended, and no task waits
                    loop.call_soon_threadsafe(_settle, done, (result, error))

            if self._thread is None:
                self._thread = threading.Thread(target=_think, args=(self._calls,), name=self._name, daemon=True)
                self._thread.start()
            self._calls.put((function, tell))
            # As a pair: a future takes no StopIteration, which `next` raises in a bot that finds nothing.
            result, error = await done
        if error is not None:
            raise error
        return result  # type: ignore[return-value]  # what the function returned

    def close(self) -> None:
        """End the thread after the current call."""
        self._calls.put(None)


def _settle(
    done: "asyncio.Future[tuple[object, BaseException | None]]", outcome: tuple[object, BaseException | None]
) -> None:
    if not done.done():
        done.set_result(outcome)


def _think(calls: "queue.SimpleQueue[_Call | None]") -> None:
    while (call := calls.get()) is not None:
        function, tell = call
        try:
            result = function()
        except BaseException as error:  # noqa: BLE001  # it is raised where the call was made
            tell(None, error)
        else:
            tell(result, None)
        del call, function, tell  # a bot need not live on in a thread that waits

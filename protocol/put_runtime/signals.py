"""The process as others may touch it: signals end it in good order, and its memory is closed to other programs.

Handlers of signals work on Windows, too, where the event loop takes none.
"""

import asyncio
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import FrameType

Handlers = Mapping[str, Callable[[], object]]
"""Handlers by the names of signals; those that the system lacks are passed over."""


@contextmanager
def handling(handlers: Handlers) -> Iterator[None]:
    """Have the running loop call a handler when its signal comes, until the block ends."""
    loop = asyncio.get_running_loop()
    by_number = {signal.Signals[name]: call for name, call in handlers.items() if name in signal.Signals.__members__}
    of_loop: list[signal.Signals] = []
    before: dict[signal.Signals, Callable[[int, FrameType | None], object] | int | None] = {}
    try:
        for number, call in by_number.items():
            try:
                loop.add_signal_handler(number, call)
                of_loop.append(number)
            except NotImplementedError:
                before[number] = signal.signal(number, _soon(loop, call))
        yield
    finally:
        for number in of_loop:
            loop.remove_signal_handler(number)
        for number, handler in before.items():
            signal.signal(number, handler)


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> Callable[[int, FrameType | None], None]:
    def came(_: int, __: FrameType | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(call)

    return came


_PR_SET_DUMPABLE = 4


def hide_memory() -> None:
    """Let no other program of this user attach to this process or read its memory and environment. Linux alone can;
    elsewhere nothing happens. A user who may trace every process, as root may, still can."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  # a client hides nothing

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)

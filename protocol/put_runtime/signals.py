"""Access to the process from outside: signals end it in good order, and its memory is protected.

Signal handlers work on Windows too, where the event loop does not support them.
"""

import asyncio
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import FrameType

Handlers = Mapping[str, Callable[[], object]]
"""Handlers by names of signals; those missing in the system are skipped."""


@contextmanager
def handling(handlers: Handlers) -> Iterator[None]:
    """Run these handlers in the running loop on their signals, during the block."""
    loop = asyncio.get_running_loop()
    by_number = {signal.Signals[name]: call for name, call in handlers.items() if name in signal.Signals.__members__}
    before = {number: signal.getsignal(number) for number in by_number}
    try:
        for number, call in by_number.items():
            try:
                loop.add_signal_handler(number, call)
            except NotImplementedError:
                signal.signal(number, _soon(loop, call))
        yield
    finally:
        for number, handler in before.items():
            with suppress(NotImplementedError):
                loop.remove_signal_handler(number)
            if handler is not None:  # None: it was not set by Python
                signal.signal(number, handler)


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> Callable[[int, FrameType | None], None]:
    def came(_: int, __: FrameType | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(call)

    return came


_PR_SET_DUMPABLE = 4


def hide_memory() -> None:
    """Prevent other programs of this user from attaching to this process or reading its memory and environment. Only on
    Linux; elsewhere it does nothing. A user who may trace every process, such as root, still can."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  # a client hides nothing

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)

"""Errors in plain words: operating system errors without `[Errno 17]`, and errors of tasks without their group.

The latter replaces `except*`, because until Python 3.11.4 an error raised in such a block is grouped again.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


def reason_of(error: Exception) -> str:
    """The reason of a failure as a clause: `permission denied`. Other errors give their own text."""
    if not isinstance(error, OSError):
        return str(error) or type(error).__name__
    says = error.strerror
    return f"{says[:1].lower()}{says[1:]}" if says else type(error).__name__


def failure_of(error: Exception) -> str:
    """The reason with the file, if the error names one: `/x/y: permission denied`."""
    name = getattr(error, "filename", None)
    return f"{name}: {reason_of(error)}" if name else reason_of(error)


@asynccontextmanager
async def unwrapped(*kinds: type[BaseException]) -> AsyncIterator[None]:
    """Raise the first error of a group by itself, if all are of these kinds (none given: any), because the others
    usually follow from it. A group with any other error is raised unchanged.

        async with unwrapped(OSError), asyncio.TaskGroup() as tasks:
    """
    try:
        yield
    except BaseExceptionGroup as group:
        if group.split(kinds or BaseException)[1] is not None:
            raise
        raise _first(group) from None


def _first(error: BaseException) -> BaseException:
    return _first(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error

"""Errors of tasks, without the group that `asyncio.TaskGroup` raises.

Used in place of `except*`: until Python 3.11.4 an error that such a block raises is put into a group again.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


@asynccontextmanager
async def unwrapped(*kinds: type[BaseException]) -> AsyncIterator[None]:
    """Raise the first error of a group as it is, if all of them are of these kinds (no kinds: any): the others mostly
    follow from it. A group with any other error is raised whole.

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

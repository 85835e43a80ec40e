"""Cancellations that a task was sent and did not get.

`asyncio.wait_for` of Python 3.11 swallows one that comes at the same moment as what it waits for, and the broker's
client is full of it. A task that has called the client asks here before it goes round its loop, or waits for something
that may never come: it would else never end, and neither would the process.
"""

import asyncio


def heed_cancellation() -> None:
    """Raise the cancellation of this task that was swallowed.

    :raises asyncio.CancelledError: the task was cancelled.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError

"""Cancellations that a task was sent and did not get.

`asyncio.wait_for` of Python 3.11 swallows a cancellation that arrives at the same moment as the result, and the
broker's client calls it everywhere. So a task that has called the client checks here before it repeats its loop or
waits for something that may never come. Without the check neither the task nor the process would end.
"""

import asyncio


def heed_cancellation() -> None:
    """Raise the cancellation of this task that was swallowed.

    :raises asyncio.CancelledError: the task was cancelled.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError

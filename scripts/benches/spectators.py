"""Spectators on WebSocket, in a process of their own: `python -m scripts.benches.spectators PORT TABLE COUNT`.

What they are sent is read here, so that the process which measures other tables does not wait for it. Says `there` when
all of them watch, and ends with its input.
"""

import os
import selectors
import sys

from scripts.benches.harness import CORE_LOAD
from scripts.benches.load import Loop
from scripts.benches.web import Frames, Talker


def main(port: int, table: int, count: int) -> None:
    """Watch, and read on until the input ends."""
    os.sched_setaffinity(0, {CORE_LOAD})
    loop = Loop()
    for number in range(count):
        spectator = Talker(port, f"spectator {number}", Frames)
        spectator.ask("watch", table=table)
        loop.add(spectator)
        loop.poll(0)
    print("there", flush=True)
    with selectors.DefaultSelector() as ends:
        ends.register(sys.stdin, selectors.EVENT_READ)
        while not ends.select(0):
            loop.poll(1)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))

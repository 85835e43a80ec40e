"""Progress of a match: a bar on a terminal, elsewhere a line every few seconds."""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from put_arena.contest import Contest

LINE_SECONDS = 5.0
LOOK_SECONDS = 0.1


@contextmanager
def show_progress(contest: Contest) -> Iterator[None]:
    """Show progress, from a thread, while the block runs."""
    is_over = threading.Event()
    show = _bar if sys.stderr.isatty() else _lines
    thread = threading.Thread(target=show, args=(contest, is_over), name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join(2.0)


def _watched(contest: Contest) -> str:
    """Where it can be watched, and what else is to be known before; may be empty."""
    places = ", ".join(f"put-client {address}" for address in contest.addresses)
    return "\n".join([line for line in (f"Watch at {places}" if places else "", contest.notice) if line])


def _begun(contest: Contest, is_over: threading.Event) -> bool:
    """Wait until it is known how many games there are. False: the match is over before."""
    while not contest.has_begun:
        if is_over.wait(LOOK_SECONDS):
            return False
    is_over.wait(LOOK_SECONDS)  # other servers are a moment behind the first
    return True


def _bar(contest: Contest, is_over: threading.Event) -> None:
    from prompt_toolkit.output.defaults import create_output  # noqa: PLC0415  # only where there is a terminal
    from prompt_toolkit.shortcuts import ProgressBar, ProgressBarCounter  # noqa: PLC0415

    if not _begun(contest, is_over):
        return
    print(_watched(contest), file=sys.stderr)
    # The bar has the keyboard, so ^C is no signal any more until it is made one again.
    interrupt = partial(signal.raise_signal, signal.SIGINT)
    with ProgressBar(output=create_output(sys.stderr), cancel_callback=interrupt) as bar:
        counter: ProgressBarCounter[int] = bar(None, label="games", total=contest.planned)
        while not is_over.wait(LOOK_SECONDS):
            counter.items_completed = contest.done
            bar.invalidate()
        counter.items_completed = contest.done


def _lines(contest: Contest, is_over: threading.Event) -> None:
    if not _begun(contest, is_over):
        return
    print(_watched(contest), file=sys.stderr, flush=True)
    began = time.monotonic()
    while not is_over.wait(LINE_SECONDS):
        rate = contest.done / (time.monotonic() - began)
        print(f"{contest.done:,} of {contest.planned:,} games, {rate:,.0f} a second", file=sys.stderr, flush=True)

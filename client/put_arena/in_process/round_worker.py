"""Worker: a process that plays whole rounds one after another. The bots are objects in it.

    python -m put_arena.in_process.round_worker

The process ends when its orders end.

A timer of the system interrupts a bot that takes too long, but only in Python code. A bot that never returns from other
code blocks the worker, and so its match.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import BinaryIO, NoReturn

import msgspec

from put_arena.competitors import Fault, Kind
from put_arena.in_process.bot_table import BotTable, TurnOver
from put_arena.in_process.foreman import Begin, GamesOver, WorkerReport
from put_arena.match_log import Saving
from put_arena.match_terms import match_terms
from put_arena.orders import BadBot, Failed, Fell, fell, take_pipes
from put_arena.results import Played
from put_arena.schedule import Round
from put_client.bots.loading import LoadError, load
from put_runtime.system_errors import failure_of
from put_server.house.player import Notebook
from put_server.transport.shuffler import Shuffler

AGAIN_SECONDS = 0.1
"""Time to the next alarm, where one came while no bot ran."""

SETS_A_REPORT = 10
"""Sets in one report. A report costs as much as a tenth of a game."""

REPORT_SECONDS = 1.0
"""Longest time between two reports, even within a game: a silent worker is regarded as blocked."""


class _Out(Exception):
    """A competitor is disqualified in the middle of a round."""


class RoundWorker:
    def __init__(self, begin: Begin, report: Callable[[WorkerReport], None]) -> None:
        """:raises LoadError: a competitor does not exist."""
        self._report = report
        self.rules = begin.rules
        self.competitors = begin.competitors
        self.kinds = [None if one.kind is Kind.HOUSE else load(one.what) for one in begin.competitors]
        """Class of each competitor; None: a house player."""
        self.terms = match_terms(begin.rules, begin.competitors, removes_luck=begin.removes_luck)
        self.shuffler = Shuffler(begin.rules.seed)
        self.notebook = Notebook()
        self._saving = Saving(Path(begin.save)) if begin.save else None
        self._tables = 0
        self._played: list[Played] = []
        self._reported = monotonic()

    async def play(self, round_: Round) -> None:
        sets = 0
        with suppress(_Out):
            tables = [self._table(round_, seating) for seating in range(len(round_.seatings))]
            for table in tables:
                await table.open()
            for number in range(1, round_.games + 1):
                for seating, table in enumerate(tables):
                    self._played.append(
                        Played(
                            match=round_.match,
                            round=round_.name,
                            number=number,
                            seating=seating,
                            seats=round_.seatings[seating],
                            paid=await table.play(),
                            luck=() if table.luck is None else (table.luck, -table.luck),
                        )
                    )
                sets = number
                if number % SETS_A_REPORT == 0:
                    self._report_games()
        self._report_games(sets)

    def _report_games(self, sets: int | None = None) -> None:
        self._report(GamesOver(tuple(self._played), sets))
        self._played.clear()
        self._reported = monotonic()

    def note_act(self) -> None:
        if monotonic() - self._reported > REPORT_SECONDS:
            self._report_games()

    def _table(self, round_: Round, seating: int) -> BotTable:
        self._tables += 1
        on_gallery = None if self._saving is None else partial(self._saving.take, round_=round_, seating=seating)
        return BotTable(self._tables, self, round_, seating, on_gallery)

    def note_error(self, player: int, error: Exception) -> None:
        self._report(fell(error, player))

    def note_late(self, player: int, running: int) -> None:
        """A turn of this competitor ran out, the last of this many in a row."""
        self._report(Fell(Fault.LATE, player=player, running=running))
        if running >= self.rules.late:
            raise _Out

    def set_alarm(self, seconds: float) -> None:
        """Raise `TurnOver` wherever the program is after this time; 0: never."""
        if hasattr(signal, "setitimer"):  # elsewhere a bot that takes too long blocks its match
            signal.setitimer(signal.ITIMER_REAL, seconds)

    def interrupt(self, *_: object) -> None:
        if asyncio.current_task() is None:  # a coroutine that waits has a limit of its own
            self.set_alarm(AGAIN_SECONDS)
        else:
            raise TurnOver


def _serve(orders: BinaryIO, report: Callable[[WorkerReport], None]) -> None:
    begin = msgspec.json.decode(orders.readline(), type=Begin)
    try:
        worker = RoundWorker(begin, report)
    except LoadError as error:
        report(Failed(str(error), is_no_bot=True))
        return
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, worker.interrupt)
    with asyncio.Runner() as runner:
        for line in orders:
            runner.run(worker.play(msgspec.json.decode(line, type=Round)))


def main() -> NoReturn:
    orders, report = take_pipes()
    code = 0
    try:
        _serve(os.fdopen(orders, "rb"), report)
    except (BadBot, OSError) as error:
        print(failure_of(error), file=sys.stderr)
        code = 1
    sys.stderr.flush()
    os._exit(code)  # though bots may have left threads


if __name__ == "__main__":
    main()

"""The process that weighs: one job after another from standard input, each answered on standard output.

It holds nothing but what players saw, and ends with its input: when the server does, in whatever way.
"""

import os
import signal
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import BinaryIO, assert_never

from put_server.analysis.drills import Drilled, drilled
from put_server.analysis.jobs import (
    LENGTH,
    Answer,
    Failed,
    FindPosition,
    GradePosition,
    HandWeighed,
    Job,
    NotLegal,
    PositionFound,
    PositionGraded,
    WeighHand,
    job_of,
    packed,
)
from put_server.analysis.perfect_play import master_of
from put_server.analysis.verdicts import Master, judged, review
from put_server.games.game import OptionValue
from put_server.games.registry import GAMES

REMEMBERED = 256
"""Positions that were found lately: who was given one mostly answers it, and finding it again takes as long."""

NICE = 10
"""Below the server, which must not wait for the processor."""

Masters = Callable[[str, Mapping[str, OptionValue]], Master]


class Weigher:
    """Does jobs."""

    def __init__(self, masters: Masters) -> None:
        self._masters = masters
        self._position = lru_cache(maxsize=REMEMBERED)(self._find)

    def do(self, job: Job) -> Answer:
        """The answer, whatever happens."""
        try:
            return self._do(job)
        except Exception as error:  # noqa: BLE001  # the boundary: a bug met in one job ends that job alone
            return Failed(type(error).__name__)

    def _do(self, job: Job) -> Answer:
        match job:
            case WeighHand(game=game, options=options, hand=hand):
                return HandWeighed(tuple(review(hand, self._masters(game, options))))
            case FindPosition():
                found = self._position(job.game, tuple(sorted(job.options.items())), job.number)
                faced = found.faced
                return PositionFound(faced.seat, faced.view, found.asks, faced.legal, found.why)
            case GradePosition(action=action):
                found = self._position(job.game, tuple(sorted(job.options.items())), job.number)
                if action not in [choice.action for choice in found.faced.legal]:
                    return NotLegal()
                return PositionGraded(judged(found.faced, action, found.opinion))
            case _:
                assert_never(job)

    def _find(self, game: str, options: tuple[tuple[str, OptionValue], ...], number: int) -> Drilled:
        chosen = dict(options)
        return drilled(GAMES[game], chosen, number, self._masters(game, chosen))


def serve(jobs: BinaryIO, answers: BinaryIO, masters: Masters) -> None:
    """Do jobs until there are no more."""
    weigher = Weigher(masters)
    while len(head := jobs.read(LENGTH)) == LENGTH:
        answers.write(packed(weigher.do(job_of(jobs.read(int.from_bytes(head, "big"))))))
        answers.flush()


def main() -> None:
    """The process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ^C at the server's terminal is for the server
    os.nice(NICE)
    serve(sys.stdin.buffer, sys.stdout.buffer, master_of)


if __name__ == "__main__":
    main()

"""Worker process: evaluates decisions, and solves problems of house players. It reads jobs from standard input and
writes answers to standard output, one after another.

A message is msgpack with its length, in four bytes, in front. The process knows only what players saw, and ends with
its input, so also when the server crashes.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct

from put_protocol.analysis import PlayedTurn, Reviewed, Situation, Weighed
from put_protocol.messages import Advice, Drill, Grade, Judgement, Position
from put_rules.game import OptionValue
from put_rules.registry import GAMES
from put_server.analysis.evaluation import (
    Oracle,
    judge,
    reason_by_chances,
    reason_by_counting,
    review_hand,
    weighed_choices,
)
from put_server.analysis.practice_positions import SEATS, PracticePosition, find_position
from put_server.analysis.solved_oracle import is_solved, oracle_of
from put_server.house.put.solved.tree import Move
from put_server.house.put.student import Problem
from put_text.catalogue import ENGLISH, say, speaking
from put_text.translated import said_choices

LENGTH: Final = 4
"""Bytes of the length before a message."""

MOST_BYTES: Final = 4 * 2**20
"""Most bytes of an answer: a hand of the longest games takes some tens of kilobytes."""


class EvaluateHand(Struct, frozen=True, tag="weigh"):
    game: str
    options: dict[str, OptionValue]
    hand: tuple[PlayedTurn, ...]
    language: str = ENGLISH


class Advise(Struct, frozen=True, tag="advise"):
    id: int
    table: int
    decision: int
    game: str
    options: dict[str, OptionValue]
    seats: int
    situation: Situation
    language: str = ENGLISH


class Practise(Struct, frozen=True, tag="practise"):
    request: Drill | Grade
    options: dict[str, OptionValue]
    number: int
    """Number of the position to find, or of that to grade."""
    language: str = ENGLISH


Job = EvaluateHand | Advise | Practise | Problem


class HandEvaluated(Struct, frozen=True, tag="weighed"):
    reviewed: tuple[Reviewed, ...]


class Solved(Struct, frozen=True, tag="solved"):
    solution: dict[Move, float]
    cost: float
    """Processor time in microseconds."""


class JobFailed(Struct, frozen=True, tag="failed"):
    kind: str
    """Type of the error. Its text is not sent, because it might name a card."""


Answer = HandEvaluated | Advice | Position | Judgement | Solved | JobFailed
"""Advice, positions and judgements are the messages that the person gets."""

job_of: Callable[[bytes], Job] = msgspec.msgpack.Decoder(Job).decode
answer_of: Callable[[bytes], Answer] = msgspec.msgpack.Decoder(Answer).decode
_encode = msgspec.msgpack.Encoder().encode


def packed(message: Job | Answer) -> bytes:
    body = _encode(message)
    return len(body).to_bytes(LENGTH, "big") + body


REMEMBERED = 256
"""Positions to cache: most are answered soon after they were found, and finding one again takes as long."""

NICE = 10
"""Priority below the server's, which must not wait for the processor."""

Oracles = Callable[[str, Mapping[str, OptionValue]], Oracle]


class JobHandler:
    def __init__(self, oracles: Oracles) -> None:
        self._oracles = oracles
        self._position = lru_cache(maxsize=REMEMBERED)(self._find)

    def handle(self, job: Job) -> Answer:
        """Do a job. If it raises an error, the answer is `JobFailed`."""
        try:
            with speaking(ENGLISH if isinstance(job, Problem) else job.language):
                return self._answer(job)
        except Exception as error:  # noqa: BLE001  # the boundary: a bug in a job fails only this job
            return JobFailed(type(error).__name__)

    def _answer(self, job: Job) -> Answer:
        match job:
            case EvaluateHand(game=game, options=options, hand=hand):
                return HandEvaluated(tuple(review_hand(hand, self._oracles(game, options))))
            case Advise(situation=situation):
                choices, reason = self._advice(job, situation) if situation.is_choice else ((), "")
                return Advice(job.id, job.table, job.decision, choices, reason=reason)
            case Problem():
                begun = time.process_time_ns()
                return Solved(job.solved(), (time.process_time_ns() - begun) / 1000)
            case Practise(request=request, options=options, number=number):
                found = self._position(request.game, tuple(sorted(options.items())), number)
                situation = found.situation
                if isinstance(request, Drill):
                    names = [say("review-opponent")] * SEATS
                    names[situation.seat] = say("words-you")
                    (asks, why), legal = found.wording.spoken(), said_choices(situation.legal)
                    seat, view = situation.seat, situation.view
                    return Position(request.id, request.game, number, seat, tuple(names), view, asks, legal, why)
                if request.action not in [choice.action for choice in situation.legal]:
                    return Judgement(request.id, number, flaw=say("refused-illegal-position"))
                return Judgement(request.id, number, judge(situation, request.action, found.evaluation))

    def _advice(self, job: Advise, situation: Situation) -> tuple[tuple[Weighed, ...], str]:
        """The worth of each choice, if perfect play is known, and the reason for the best one."""
        view, seat = situation.view, situation.seat
        if is_solved(job.game, job.options, job.seats):
            evaluation = self._oracles(job.game, job.options).evaluation(situation)
            if evaluation is not None:
                choices = weighed_choices(situation, evaluation)
                return choices, reason_by_chances(view, seat, choices)
        return (), reason_by_counting(job.game, job.options, view, said_choices(situation.legal), seat)

    def _find(self, game: str, options: tuple[tuple[str, OptionValue], ...], number: int) -> PracticePosition:
        chosen = dict(options)
        return find_position(GAMES[game], chosen, number, self._oracles(game, chosen))


def serve(jobs: BinaryIO, answers: BinaryIO, oracles: Oracles) -> None:
    handler = JobHandler(oracles)
    while len(head := jobs.read(LENGTH)) == LENGTH:
        answers.write(packed(handler.handle(job_of(jobs.read(int.from_bytes(head, "big"))))))
        answers.flush()


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ^C at the server's terminal is for the server
    if hasattr(os, "nice"):
        os.nice(NICE)
    serve(sys.stdin.buffer, sys.stdout.buffer, oracle_of)


if __name__ == "__main__":
    main()

"""Play of a contest, with one server or process for each job.

It always ends: when every round is played or given up, or when the contest is decided or stopped. The games played
until then count, and all started processes have ended.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from put_arena.contest import BadMatch, Contest, NoBot
from put_arena.director import Director, Wave
from put_arena.in_process.foreman import Foreman, WorkerEnded
from put_arena.match_terms import match_terms
from put_arena.sandbox import why_impossible
from put_arena.schedule import Round
from put_client.sdk.errors import ClientError
from put_runtime.child_process import CannotStart
from put_runtime.system_errors import unwrapped

FIRST_WAVE_SECONDS, WAVE_SECONDS = 4.0, 32.0
"""Time in which the first wave begins rounds; each later wave has twice the time of the previous one, at most the
second number. Starting a wave's server and bots takes about a second. No set is complete before its last wave."""

MATCH_ENDING_ERRORS = (BadMatch, NoBot, CannotStart, ClientError, WorkerEnded, OSError, TimeoutError)


class ArenaFailed(Exception):
    """The match cannot continue. The sentence says why."""


async def play(contest: Contest) -> None:
    """Play the match.

    :raises BadMatch: the match cannot be played.
    :raises NoBot: a competitor does not exist.
    :raises ArenaFailed: a server did not start, or failed, or a game could not be saved.
    """
    if contest.sandbox.closed and (why := await asyncio.to_thread(why_impossible)):
        raise ArenaFailed(f"there is no sandbox: {why}. With --no-sandbox bots may do what you may do")
    bots = {file: None for competitor in contest.competitors for file in competitor.files}
    contest.sandbox = replace(contest.sandbox, bots=tuple(bots))
    terms = match_terms(contest.rules, contest.competitors, removes_luck=contest.removes_luck)
    contest.plan(terms.sides, by_purse=terms.by_purse)
    if contest.is_in_process:
        jobs = min(contest.jobs, len(contest.rounds))
        playing = [asyncio.ensure_future(Foreman(contest).run()) for _ in range(jobs)]
    else:
        playing = [asyncio.ensure_future(_Waves(contest).play())]
    ending = asyncio.ensure_future(contest.end.wait())
    try:
        waiting: set[asyncio.Future[Any]] = {*playing}
        while waiting and not ending.done():
            done, _ = await asyncio.wait(waiting | {ending}, return_when=asyncio.FIRST_COMPLETED)
            waiting -= done
            async with unwrapped(*MATCH_ENDING_ERRORS):
                for task in done:
                    task.result()
    except (BadMatch, NoBot):
        raise
    except MATCH_ENDING_ERRORS as error:
        raise ArenaFailed(str(error) or "a server did not answer in time") from None
    finally:
        for task in (*playing, ending):
            task.cancel()
        await asyncio.gather(*playing, ending, return_exceptions=True)


class _Waves:
    """A match in waves: some rounds, seating after seating, then the next rounds.

    Every wave has its own servers and processes. All of them, including those of other jobs, have ended before the next
    wave begins. Otherwise a copy could carry knowledge from one wave to the next.
    """

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._rounds_in_play: dict[str, Round] = {}
        self._port_of_job: dict[int, int] = {}

    async def play(self) -> None:
        contest, seconds = self._contest, FIRST_WAVE_SECONDS
        while contest.rounds:
            self._rounds_in_play.clear()
            left = await self._wave(0, self._beginner(seconds), len(contest.rounds))
            for seating in range(1, max(contest.sides) + 1):
                waiting = deque(left)
                left = await self._wave(seating, partial(_popped, waiting), len(waiting))
            played = {round_.name: round_.games for round_ in left}
            for name, round_ in self._rounds_in_play.items():
                if played.get(name, 0) < round_.games:
                    contest.broken_off(round_, round_.games - played.get(name, 0))
            seconds = min(2 * seconds, WAVE_SECONDS)

    def _beginner(self, seconds: float) -> Callable[[], Round | None]:
        """A function that returns new rounds for this many seconds after its first call, and at least one round."""
        loop = asyncio.get_running_loop()
        end = 0.0

        def begin_next() -> Round | None:
            nonlocal end
            end = end or loop.time() + seconds
            round_ = self._contest.next_round() if loop.time() < end or not self._rounds_in_play else None
            if round_ is not None:
                self._rounds_in_play[round_.name] = round_
                self._contest.begin(round_)
            return round_

        return begin_next

    async def _wave(self, seating: int, next_round: Callable[[], Round | None], rounds: int) -> list[Round]:
        """Play one seating of these rounds at all servers. Returns the played rounds, with their played games."""
        contest, wave = self._contest, Wave(seating=seating, next_round=next_round)
        jobs = range(min(contest.jobs, rounds))
        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(Director(contest, wave).run(self._port_of_job.get(job, 0))) for job in jobs]
        self._port_of_job.update(zip(jobs, [task.result() for task in running], strict=True))
        return [round_ for round_ in wave.played if round_.games]


def _popped(rounds: deque[Round]) -> Round | None:
    return rounds.popleft() if rounds else None

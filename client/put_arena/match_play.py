"""Play of a contest, with one server or process for each job.

It always ends: when every round is played or given up, or when the contest is decided or stopped. The games played
until then count, and all started processes have ended.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from put_arena.contest import ArenaFailed, Contest, NoBot
from put_arena.director import Director, Wave
from put_arena.in_process.foreman import Foreman
from put_arena.match_terms import match_terms
from put_arena.sandbox import why_impossible
from put_arena.schedule import Round
from put_client.sdk.errors import ClientError
from put_runtime.child_process import CannotStart
from put_runtime.system_errors import unwrapped

FIRST_WAVE_SECONDS, WAVE_SECONDS = 4.0, 32.0
"""Time in which the first wave begins rounds; each later wave has twice the time of the previous one, at most the
second number. Starting a wave's server and bots takes about a second. No set is complete before its last wave."""

MATCH_ENDING_ERRORS = (NoBot, ArenaFailed, CannotStart, ClientError, OSError)


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
    playing = asyncio.create_task(_play_here(contest) if contest.is_in_process else _play_in_waves(contest))
    ending = asyncio.create_task(contest.end.wait())
    either: set[asyncio.Task[Any]] = {playing, ending}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            async with unwrapped(*MATCH_ENDING_ERRORS):
                playing.result()
    except (NoBot, ArenaFailed):
        raise
    except MATCH_ENDING_ERRORS as error:
        raise ArenaFailed(str(error) or "a server did not answer in time") from None
    finally:
        for task in either:
            task.cancel()
        await asyncio.gather(*either, return_exceptions=True)


async def _play_here(contest: Contest) -> None:
    async with asyncio.TaskGroup() as tasks:
        for _ in range(min(contest.jobs, len(contest.rounds))):
            tasks.create_task(Foreman(contest).run())


async def _play_in_waves(contest: Contest) -> None:
    """Play in waves: some rounds, seating after seating, then the next rounds.

    Every wave has its own servers and processes. All of them, including those of other jobs, have ended before the next
    wave begins. Otherwise a copy could carry knowledge from one wave to the next.
    """
    seconds, ports = FIRST_WAVE_SECONDS, [0] * contest.jobs
    while contest.rounds:
        begun: list[Round] = []
        left = await _wave(contest, Wave(seating=0, rounds=_begin(contest, begun, seconds)), len(contest.rounds), ports)
        for seating in range(1, max(contest.sides) + 1):
            left = await _wave(contest, Wave(seating=seating, rounds=iter(left)), len(left), ports)
        played = {round_.name: round_.games for round_ in left}
        for round_ in begun:
            if missing := round_.games - played.get(round_.name, 0):
                contest.broken_off(round_, missing)
        seconds = min(2 * seconds, WAVE_SECONDS)


def _begin(contest: Contest, begun: list[Round], seconds: float) -> Iterator[Round]:
    """New rounds for this time, and at least one; they are added to `begun`."""
    now = asyncio.get_running_loop().time
    end = now() + seconds
    while (not begun or now() < end) and (round_ := contest.next_round()) is not None:
        begun.append(round_)
        contest.begin(round_)
        yield round_


async def _wave(contest: Contest, wave: Wave, rounds: int, ports: list[int]) -> list[Round]:
    """Play one seating of so many rounds at all servers, on the ports of the last wave. Returns the played rounds, with
    their played games."""
    async with asyncio.TaskGroup() as tasks:
        jobs = [tasks.create_task(Director(contest, wave).run(port)) for port in ports[:rounds]]
    ports[: len(jobs)] = [job.result() for job in jobs]
    return [round_ for round_ in wave.played if round_.games]

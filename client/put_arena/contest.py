"""Contest: a whole match on as many servers as there are jobs, with the rounds they share and one result.

It always ends: when every round is played or given up, when it is decided, or when `stop` is called. The games played
until then count, and every process it started is gone.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial
from typing import Any

from put_arena.competitors import Competitor
from put_arena.conduct import Conduct
from put_arena.director import Director, Wave
from put_arena.in_process.foreman import Foreman, WorkerEnded
from put_arena.match_log import MatchLog
from put_arena.results import Played, Results
from put_arena.sandbox import OPEN, Sandbox, why_impossible
from put_arena.saving import Saving
from put_arena.schedule import Round, all_rounds
from put_arena.terms import BadMatch, NoBot, Rules
from put_arena.verdict import Verdict
from put_client.sdk.errors import ClientError
from put_runtime.child_process import CannotStart
from put_runtime.task_errors import unwrapped

RETRIES = 3
"""Most times that a round is begun again after it was broken off."""

FIRST_WAVE_SECONDS, WAVE_SECONDS = 4.0, 32.0
"""Time in which the first wave begins rounds; each later one takes twice as long, at most the second number. To start
the server and the bots of a wave takes about a second, and no set is complete before its last wave."""

EXPECTED = (BadMatch, NoBot, CannotStart, ClientError, WorkerEnded, OSError, TimeoutError)
"""Errors that end a match and are no bugs."""


class ArenaFailed(Exception):
    """The match cannot go on; the sentence says why."""


@dataclass(eq=False)
class Contest:
    """One match of all competitors against all."""

    competitors: tuple[Competitor, ...]
    rules: Rules
    _: KW_ONLY
    games: int
    """Games of every match, in whole sets; fewer where it is decided before."""
    jobs: int
    saving: Saving | None = None
    until_decided: bool = False
    sandbox: Sandbox = OPEN
    is_in_process: bool = False
    """Play classes and house players alone, as objects of one process a job."""
    log: MatchLog | None = None
    """Keep this log, and go on with the games it has."""
    removes_luck: bool = False
    """Measure the luck of each deal, in process."""

    results: Results | None = field(default=None, init=False)
    """None until the match can begin."""
    planned: int = field(default=0, init=False)
    """Games, as far as it is known."""
    resumed: int = field(default=0, init=False)
    """Games that were played before, by the log."""
    is_decided: bool = field(default=False, init=False)
    is_stopped: bool = field(default=False, init=False)
    """Set by `stop`."""
    addresses: list[str] = field(default_factory=list, init=False)
    """Addresses for spectators."""
    verdict: Verdict | None = field(default=None, init=False)
    """Tests of who is better, if it is played until that is decided."""

    def __post_init__(self) -> None:
        self.conduct = tuple([Conduct() for _ in self.competitors])
        self._began = self._last = 0.0
        """Ends of the first game and the last, by the loop's clock."""
        self._rounds: deque[Round] = deque()
        self._begun: dict[str, Round] = {}
        """Rounds of the waves in play, by name."""
        self._ports: dict[int, int] = {}
        """Port of the servers of each job."""
        self._sides: asyncio.Future[tuple[int, ...]]
        self._end: asyncio.Event

    async def run(self) -> None:
        """Play the match.

        :raises BadMatch: what is to be played cannot be.
        :raises NoBot: a competitor is not there.
        :raises ArenaFailed: a server did not start, or failed, or a game could not be saved.
        """
        self._sides, self._end = asyncio.get_running_loop().create_future(), asyncio.Event()
        if self.sandbox.closed and (why := await asyncio.to_thread(why_impossible)):
            raise ArenaFailed(f"there is no sandbox: {why}. With --no-sandbox bots may do what you may do")
        bots = {file: None for competitor in self.competitors for file in competitor.files}
        self.sandbox = replace(self.sandbox, bots=tuple(bots))
        if self.is_in_process:
            save = None if self.saving is None else self.saving.folder
            foremen = [Foreman(self, save, removes_luck=self.removes_luck) for _ in range(self.jobs)]
            playing = [
                asyncio.ensure_future(foreman.run(None if number else self._probed))
                for number, foreman in enumerate(foremen)
            ]
        else:
            playing = [asyncio.ensure_future(self._play_in_waves())]
        ending = asyncio.ensure_future(self._end.wait())
        try:
            waiting: set[asyncio.Future[Any]] = {*playing}
            while waiting and not ending.done():
                done, _ = await asyncio.wait(waiting | {ending}, return_when=asyncio.FIRST_COMPLETED)
                waiting -= done
                async with unwrapped(*EXPECTED):
                    for task in done:
                        task.result()
        except (BadMatch, NoBot):
            raise
        except EXPECTED as error:
            raise ArenaFailed(str(error) or "a server did not answer in time") from None
        finally:
            for task in (*playing, ending):
                task.cancel()
            await asyncio.gather(*playing, ending, return_exceptions=True)

    async def _play_in_waves(self) -> None:
        """Play some rounds, seating after seating, then the next ones.

        Every wave has servers and processes of its own, and all of them are gone before the next wave begins, those of
        other jobs too: a copy that stayed could carry what it heard in one wave to the next.
        """
        seconds = FIRST_WAVE_SECONDS
        while not self._sides.done() or self._rounds:
            self._begun.clear()
            left = await self._wave(0, self._beginner(seconds), len(self._rounds) or self.jobs)
            for seating in range(1, max(self._sides.result()) + 1):
                waiting = deque(left)
                left = await self._wave(seating, partial(_popped, waiting), len(waiting))
            played = {round_.name: round_.games for round_ in left}
            for name, round_ in self._begun.items():
                if played.get(name, 0) < round_.games:
                    self.broken_off(round_, round_.games - played.get(name, 0))
            seconds = min(2 * seconds, WAVE_SECONDS)

    def _beginner(self, seconds: float) -> Callable[[], Round | None]:
        """A function that gives out new rounds for so many seconds from its first call, and at least one."""
        loop = asyncio.get_running_loop()
        end = 0.0

        def begin_next() -> Round | None:
            nonlocal end
            end = end or loop.time() + seconds
            round_ = self.next_round() if loop.time() < end or not self._begun else None
            if round_ is not None:
                self._begun[round_.name] = round_
                self.begin(round_)
            return round_

        return begin_next

    async def _wave(self, seating: int, next_round: Callable[[], Round | None], rounds: int) -> list[Round]:
        """Play one seating of these rounds at all servers. Returns those that were played, with the games that were."""
        wave = Wave(seating=seating, next_round=next_round)
        jobs = range(min(self.jobs, rounds))
        async with asyncio.TaskGroup() as tasks:
            running = [
                tasks.create_task(
                    Director(self, self.saving, wave).run(
                        self._ports.get(job, 0), None if job or self._sides.done() else self._probed
                    )
                )
                for job in jobs
            ]
        self._ports.update(zip(jobs, [task.result() for task in running], strict=True))
        return [round_ for round_ in wave.played if round_.games]

    @property
    def has_begun(self) -> bool:
        """The number of games is known, and the address for spectators."""
        return bool(self.addresses) or (self.is_in_process and self.planned > 0)

    def stop(self) -> None:
        self.is_stopped = True
        self._end.set()

    @property
    def done(self) -> int:
        """Games played or given up."""
        return 0 if self.results is None else len(self.results.games) + self.results.forfeited

    @property
    def rate(self) -> float:
        """Games a second, from the end of the first to that of the last: starting and ending are no part of it."""
        games = 0 if self.results is None else len(self.results.games) - self.resumed
        return (games - 1) / (self._last - self._began) if self._last > self._began else 0.0

    def _probed(self, sides: tuple[int, ...], by_purse: bool) -> None:
        self.results = Results(self.competitors, sides, self.conduct, by_purse=by_purse)
        if self.until_decided:
            self.verdict = Verdict(self.results, removes_luck=self.removes_luck)
        rounds = list(all_rounds(len(self.competitors), sides, self.games))
        self.planned = sum(round_.games * len(round_.seatings) for round_ in rounds)
        if self.log is not None:
            rounds = self._resume(self.log, rounds, self.results)
        self._rounds.extend(rounds)
        self._sides.set_result(sides)

    def _resume(self, log: MatchLog, rounds: list[Round], results: Results) -> list[Round]:
        """Take what the log has. Returns the rounds that are left."""
        games, left = log.restore(rounds, self.conduct)
        for game in games:
            complete = results.add(game)
            if self.verdict is not None and complete:
                self.verdict.restore(complete)
        self.resumed = len(games)
        for number, conduct in enumerate(self.conduct):
            conduct.on_note = partial(log.add_fault, number)
        return left

    async def sides(self) -> tuple[int, ...]:
        return await asyncio.shield(self._sides)

    def next_round(self) -> Round | None:
        """The next that can be played."""
        while self._rounds:
            round_ = self._rounds.popleft()
            if not any(self.conduct[number].out for number in round_.seatings[0]):
                return round_
            self._give_up(round_)
        return None

    def begin(self, round_: Round) -> None:
        if self.verdict is not None:
            self.verdict.begin(round_)

    def broken_off(self, round_: Round, games: int) -> None:
        if self.verdict is not None:
            self.verdict.broken_off(round_)
        rest = round_.rest(games)
        if rest.retry > RETRIES or any(self.conduct[number].out for number in round_.seatings[0]):
            self._give_up(rest)
        else:
            self._rounds.append(rest)

    def _give_up(self, round_: Round) -> None:
        assert self.results is not None
        self.results.forfeited += round_.games * len(round_.seatings)

    def played(self, game: Played) -> None:
        assert self.results is not None
        if self.log is not None:
            self.log.add_game(game)
        complete = self.results.add(game)
        self._last = asyncio.get_running_loop().time()
        self._began = self._began or self._last
        if self.verdict is not None and self.verdict.add(game, complete) and self.verdict.is_decided():
            self.is_decided = True
            self._end.set()

    def disqualify(self, competitor: int, says: str) -> None:
        if not self.conduct[competitor].out:
            self.conduct[competitor].out = says
            if self.log is not None:
                self.log.add_out(competitor, says)

    def opened(self, host: str, port: int) -> None:
        address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        if address not in self.addresses:
            self.addresses.append(address)


def _popped(rounds: deque[Round]) -> Round | None:
    return rounds.popleft() if rounds else None

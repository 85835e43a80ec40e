"""Contest: a whole match on as many servers as there are jobs, with the rounds they share and one result.

It always ends: when every round is played or given up, when it is decided, or when `stop` is called. The games played
until then count, and every process it started is gone.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from put_arena.competitors import Competitor
from put_arena.director import Director
from put_arena.in_process.foreman import Foreman, WorkerEnded
from put_arena.match_log import MatchLog
from put_arena.results import Conduct, Played, Results
from put_arena.sandbox import Sandbox, why_impossible
from put_arena.saving import Saving
from put_arena.schedule import Round, all_rounds
from put_arena.terms import BadMatch, NoBot, Rules
from put_arena.verdict import Verdict
from put_client.sdk.errors import ClientError
from put_runtime.child_process import CannotStart

RETRIES = 3
"""A round that is broken off more often is not begun again."""


class ArenaFailed(Exception):
    """The match cannot go on; the sentence says why."""


class Contest:
    """One match of all competitors against all."""

    def __init__(
        self,
        competitors: Sequence[Competitor],
        rules: Rules,
        *,
        games: int,
        jobs: int,
        saving: Saving | None = None,
        until_decided: bool = False,
        sandbox: Sandbox | None = None,
        is_in_process: bool = False,
        log: MatchLog | None = None,
        removes_luck: bool = False,
    ) -> None:
        """`games`: of every match, in whole sets; fewer where it is decided before. `sandbox`: what bots are started
        in, where the system has such a thing; None: nothing. `is_in_process`: classes and house players alone, as
        objects of one process a job. `log`: is kept, and gone on with where it has games.
        `removes_luck`: measure the luck of each deal, in process."""
        self.competitors = tuple(competitors)
        self.rules = rules
        self.conduct = tuple([Conduct() for _ in competitors])
        self.results: Results | None = None
        """None: nothing could begin."""
        self.planned = 0
        """Games, as far as it is known."""
        self.is_decided = False
        self.is_stopped = False
        """Before its end, by `stop`."""
        self.sandbox = sandbox or Sandbox()
        self.notice = ""
        """Why bots are not kept apart, as a sentence; empty: they are, or were not to be."""
        self.addresses: list[str] = []
        """Where it can be watched."""
        self._began = self._last = 0.0
        """When the first game ended, and the last, by the loop's clock."""
        self._games = games
        self.jobs = jobs
        self._saving = saving
        self._until_decided = until_decided
        self.verdict: Verdict | None = None
        """Who is better, if it is played until that is decided."""
        self._is_in_process = is_in_process
        self._log = log
        self._removes_luck = removes_luck
        self.resumed = 0
        """Games that were played before, by the log."""
        self._rounds: deque[Round] = deque()
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
            self.sandbox = Sandbox()
            self.notice = f"Bots are not kept apart, for this system has no sandbox: {why}."
        bots = {file: None for competitor in self.competitors for file in competitor.files}
        self.sandbox = replace(self.sandbox, bots=tuple(bots))
        playing = [
            asyncio.ensure_future(self._new_director().run(self._probed if number == 0 else None))
            for number in range(self.jobs)
        ]
        ending = asyncio.ensure_future(self._end.wait())
        try:
            waiting: set[asyncio.Future[Any]] = {*playing}
            while waiting and not ending.done():
                done, _ = await asyncio.wait(waiting | {ending}, return_when=asyncio.FIRST_COMPLETED)
                waiting -= done
                for task in done:
                    task.result()
        except* (BadMatch, NoBot, CannotStart, ClientError, WorkerEnded, OSError, TimeoutError) as group:
            raise _first(group) from None
        finally:
            for task in (*playing, ending):
                task.cancel()
            await asyncio.gather(*playing, ending, return_exceptions=True)

    def _new_director(self) -> Director | Foreman:
        if self._is_in_process:
            save = None if self._saving is None else self._saving.folder
            return Foreman(self, save, removes_luck=self._removes_luck)
        return Director(self, self._saving)

    @property
    def has_begun(self) -> bool:
        """Whether it is known how many games there are, and where they can be watched."""
        return bool(self.addresses) or (self._is_in_process and self.planned > 0)

    def stop(self) -> None:
        """End it now."""
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
        if self._until_decided:
            self.verdict = Verdict(self.results, removes_luck=self._removes_luck)
        rounds = list(all_rounds(len(self.competitors), sides, self._games))
        self.planned = sum(round_.games * len(round_.seatings) for round_ in rounds)
        if self._log is not None:
            rounds = self._resume(self._log, rounds, self.results)
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

    # --- what directors ask and tell ---

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
        if self._log is not None:
            self._log.add_game(game)
        complete = self.results.add(game)
        self._last = asyncio.get_running_loop().time()
        self._began = self._began or self._last
        if self.verdict is not None and self.verdict.add(game, complete) and self.verdict.is_decided():
            self.is_decided = True
            self._end.set()

    def disqualify(self, competitor: int, says: str) -> None:
        if not self.conduct[competitor].out:
            self.conduct[competitor].out = says
            if self._log is not None:
                self._log.add_out(competitor, says)

    def opened(self, host: str, port: int) -> None:
        self.addresses.append(f"[{host}]:{port}" if ":" in host else f"{host}:{port}")


def _first(group: BaseExceptionGroup[BaseException]) -> Exception:
    """The first error, which the others mostly follow from."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return (
        error if isinstance(error, BadMatch | NoBot) else ArenaFailed(str(error) or "a server did not answer in time")
    )

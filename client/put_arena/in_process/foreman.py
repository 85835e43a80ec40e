"""Foreman: starts one worker, gives it rounds, and passes on its reports."""

import asyncio
from contextlib import suppress
from sys import executable

import msgspec
from msgspec import Struct

from put_arena.competitors import Competitor
from put_arena.contest import ArenaFailed, Contest, NoBot, Rules
from put_arena.orders import Failed, Fell, read_report
from put_arena.processes import last_line
from put_arena.results import Played
from put_arena.schedule import Round
from put_runtime.child_process import ChildProcess, running

BLOCKED_SECONDS = 10.0
"""A worker is regarded as blocked after this silence, in addition to the turns that may run out in a row."""


class Begin(Struct, frozen=True):
    """The first order. All later orders are rounds."""

    rules: Rules
    competitors: tuple[Competitor, ...]
    removes_luck: bool
    save: str
    """The folder for games; empty: none is saved."""


class GamesOver(Struct, frozen=True, tag="games"):
    """A report: some games of the round in play are over."""

    played: tuple[Played, ...]
    sets: int | None = None
    """The round is over, after this many sets; fewer if a competitor is disqualified. None: it continues."""


WorkerReport = Failed | GamesOver | Fell

_DECODER: msgspec.json.Decoder[WorkerReport] = msgspec.json.Decoder(WorkerReport)


class Foreman:
    def __init__(self, contest: Contest) -> None:
        self._contest = contest

    async def run(self) -> None:
        """Play all rounds.

        :raises CannotStart: the worker did not start.
        :raises NoBot: a competitor does not exist.
        :raises ArenaFailed: the worker ended or is blocked.
        """
        contest = self._contest
        async with running([executable, "-m", "put_arena.in_process.round_worker"]) as worker:
            save = "" if contest.saving is None else str(contest.saving.folder)
            self._order(worker, Begin(contest.rules, contest.competitors, contest.removes_luck, save))
            while (round_ := contest.next_round()) is not None:
                contest.begin(round_)
                self._order(worker, round_)
                while (sets := self._take(await self._report(worker))) is None:
                    pass
                if sets < round_.games:
                    contest.broken_off(round_, round_.games - sets)

    @staticmethod
    def _order(worker: ChildProcess, order: Begin | Round) -> None:
        worker.stdin.write(msgspec.json.encode(order) + b"\n")

    async def _report(self, worker: ChildProcess) -> WorkerReport:
        patience = self._contest.rules.late * self._contest.rules.turn + BLOCKED_SECONDS
        with suppress(TimeoutError):
            try:
                if (report := await read_report(worker.stdout, _DECODER, patience)) is not None:
                    return report
            except ValueError:
                raise ArenaFailed("the process with the bots wrote where only the arena may") from None
            async with asyncio.timeout(patience):
                await worker.wait()
        await worker.read_rest()
        how = "does not go on" if worker.returncode is None else f"ended with status {worker.returncode}"
        says = last_line(worker)
        raise ArenaFailed(f"the process with the bots {how}{f', saying: {says}' if says else ''}")

    def _take(self, report: WorkerReport) -> int | None:
        """Returns the number of sets played if the round is over."""
        match report:
            case GamesOver(played=games, sets=sets):
                for game in games:
                    self._contest.played(game)
                return sets
            case Fell(fault, says, number, running):
                self._contest.conduct[number].note(fault, says, running)
            case Failed(says=says):
                raise NoBot(says)
        return None

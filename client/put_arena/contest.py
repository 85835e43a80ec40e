"""Contest: a match as it stands, with the rounds still to be played, the games played and the competitors' conduct.

`match_play` and its directors and foremen take rounds from the contest, and report games and faults to it.
"""

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field

from put_arena.competitors import Competitor, Conduct
from put_arena.match_log import Disqualified, Faulty, MatchLog, Saving
from put_arena.results import Decided, Played, Results, Verdict
from put_arena.sandbox import OPEN, Sandbox
from put_arena.schedule import Round, all_rounds
from put_client.sdk.errors import address

RETRIES = 3
"""Most times that a round is repeated after it was broken off."""

RATE_SECONDS = 0.5
"""Shortest time of play that gives a rate: the last games of several tables, and all games of a report, end at once."""


class BadMatch(Exception):
    """The match cannot be played; the sentence says why."""


class ArenaFailed(Exception):
    """The match cannot continue. The sentence says why."""


class NoBot(Exception):
    """A competitor does not exist. The sentence says what was searched for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    game: str
    seats: int
    """0: the fewest of the rule set."""
    options: Mapping[str, int | str]
    turn: int
    bank: int
    late: int
    slow: float
    seed: int
    host: str
    tables: int
    """Tables at once at each server; at most 48, because a person may open no more."""


@dataclass(eq=False)
class Contest:
    competitors: tuple[Competitor, ...]
    rules: Rules
    _: KW_ONLY
    games: int
    """Games of every match, in whole sets; fewer if the match is decided before."""
    jobs: int
    saving: Saving | None = None
    until_decided: bool = False
    sandbox: Sandbox = OPEN
    is_in_process: bool = False
    """Play only classes and house players, as objects in one process for each job."""
    log: MatchLog | None = None
    """Keep this log, and continue after the games in it."""
    removes_luck: bool = False

    results: Results | None = field(default=None, init=False)
    """None until the match can begin."""
    games_planned: int = field(default=0, init=False)
    games_resumed: int = field(default=0, init=False)
    decided: Decided | None = field(default=None, init=False)
    addresses: list[str] = field(default_factory=list, init=False)
    verdict: Verdict | None = field(default=None, init=False)
    """Tests of which competitor is better, if the match is played until that is decided."""

    def __post_init__(self) -> None:
        self.conduct = tuple([Conduct(turn=self.rules.turn, most_late=self.rules.late) for _ in self.competitors])
        self._first_over = self._last_over = 0.0
        self.rounds: deque[Round] = deque()
        self.begun = asyncio.Event()
        """Set when the number of games and the address for spectators are known."""
        self.end = asyncio.Event()
        """Set when no more games are to be played: the match is decided or stopped."""
        self.sides: tuple[int, ...] = ()
        """The side of each seat; none until the match is planned."""

    @property
    def done(self) -> int:
        """Games played or given up."""
        return 0 if self.results is None else len(self.results.games) + self.results.games_forfeited

    @property
    def rate(self) -> float:
        """Games a second, from the end of the first game to the end of the last, without start and shutdown; 0: the
        time is too short to tell."""
        games = 0 if self.results is None else len(self.results.games) - self.games_resumed
        span = self._last_over - self._first_over
        return (games - 1) / span if span >= RATE_SECONDS else 0.0

    def plan(self, sides: tuple[int, ...], *, by_purse: bool) -> None:
        """Plan the rounds. `sides`: the side of each seat; `by_purse`: the game has no winner."""
        self.sides = sides
        self.results = Results(self.competitors, sides, self.conduct, by_purse=by_purse)
        if self.until_decided:
            self.verdict = Verdict(self.results, removes_luck=self.removes_luck)
        rounds = list(all_rounds(len(self.competitors), sides, self.games))
        self.games_planned = sum(round_.games * len(round_.seatings) for round_ in rounds)
        if self.log is not None:
            rounds = self._resume(self.log, rounds, self.results)
        self.rounds.extend(rounds)
        if self.is_in_process:
            self.begun.set()

    def _resume(self, log: MatchLog, rounds: list[Round], results: Results) -> list[Round]:
        """Restore the games of the log. Returns the remaining rounds."""
        games, left = log.restore(rounds, self.conduct)
        for game in games:
            complete = results.add(game)
            if self.verdict is not None and complete:
                self.verdict.add_set(complete)
        self.games_resumed = len(games)
        for number, conduct in enumerate(self.conduct):
            conduct.on_note = lambda fault, says, number=number: log.write(
                Disqualified(number, says) if fault is None else Faulty(number, fault, says)
            )
        return left

    def next_round(self) -> Round | None:
        while self.rounds:
            round_ = self.rounds.popleft()
            if not any(self.conduct[number].out for number in round_.seatings[0]):
                return round_
            self._give_up(round_)
        return None

    def begin(self, round_: Round) -> None:
        """The first set of this round begins."""
        if self.verdict is not None:
            self.verdict.begin(round_)

    def broken_off(self, round_: Round, games: int) -> None:
        """This many games at each table of this round were not played."""
        if self.verdict is not None:
            self.verdict.broken_off(round_)
        rest = round_.rest(games)
        if rest.retry > RETRIES or any(self.conduct[number].out for number in round_.seatings[0]):
            self._give_up(rest)
        else:
            self.rounds.append(rest)

    def _give_up(self, round_: Round) -> None:
        assert self.results is not None
        self.results.games_forfeited += round_.games * len(round_.seatings)

    def played(self, game: Played) -> None:
        assert self.results is not None
        if self.log is not None:
            self.log.write(game)
        complete = self.results.add(game)
        self._last_over = asyncio.get_running_loop().time()
        self._first_over = self._first_over or self._last_over
        if self.verdict is not None and self.decided is None and self.verdict.add(game, complete):
            self.decided = self.verdict.decided()
            if self.decided is not None:
                self.end.set()

    def add_address(self, host: str, port: int) -> None:
        if address(host, port) not in self.addresses:
            self.addresses.append(address(host, port))
        self.begun.set()

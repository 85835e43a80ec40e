"""Terms of a match, and the interface of the contest to its directors and foremen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from put_arena.competitors import Competitor
from put_arena.conduct import Conduct
from put_arena.results import Played
from put_arena.sandbox import Sandbox
from put_arena.schedule import Round


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Rules of a match: the game, its packs, and limits for players."""

    game: str
    seats: int
    """0: as few as the rule set has."""
    options: Mapping[str, int | str]
    turn: int
    bank: int
    late: int
    slow: float
    seed: int
    host: str
    tables: int
    """Tables at once at a server."""


class Scheduler(Protocol):
    """Source of rounds, and receiver of games and faults; a `Contest` is one."""

    rules: Rules
    competitors: tuple[Competitor, ...]
    conduct: tuple[Conduct, ...]
    sandbox: Sandbox

    async def sides(self) -> tuple[int, ...]:
        """The side of each seat, once it is known."""
        ...

    def next_round(self) -> Round | None: ...

    def begin(self, round_: Round) -> None:
        """The first set of this round begins."""
        ...

    def broken_off(self, round_: Round, games: int) -> None:
        """So many games at each table were not played."""
        ...

    def played(self, game: Played) -> None: ...

    def disqualify(self, competitor: int, says: str) -> None: ...

    def opened(self, host: str, port: int) -> None:
        """A server can be watched here."""
        ...


class BadMatch(Exception):
    """The match cannot be played; the sentence says why."""


class NoBot(Exception):
    """A competitor does not exist; the sentence says what was looked for."""

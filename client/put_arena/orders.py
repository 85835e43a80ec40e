"""Orders to processes that play Python bots, and their reports to the arena: JSON objects, one a line.

`runner` plays one bot at a server. `in_process.worker` plays whole rounds between bots of its own.
"""

import asyncio
from typing import TypeVar

import msgspec
from msgspec import Struct

from put_arena.competitors import Kind
from put_arena.conduct import Fault

R = TypeVar("R")


class Fell(Struct, frozen=True, tag="fell"):
    """A report: a bot has misbehaved."""

    fault: Fault
    says: str = ""
    player: int = 0
    """Competitor, where the process plays several."""
    running: int = 0
    """Turns that ran out, one after another; then `says` is empty."""


class Broken(Struct, frozen=True, tag="broken"):
    """The last report: the process cannot go on, or cannot begin."""

    says: str
    is_no_bot: bool = False
    """Nothing that could play was found where the arena was told to look."""


class Terms(Struct, frozen=True):
    """Argument of the process."""

    host: str
    port: int
    descriptor: int
    """A connection to the server that is open already, for a process without network; below 0: there is none."""
    name: str
    what: str
    turn: float
    """Seconds for a choice; a coroutine that takes longer is stopped."""
    slow: float = 0.0
    """Seconds to wait before each answer, for a show."""


class Go(Struct, frozen=True, tag="go"):
    """An order: sit at this table when invited, and leave it after so many games."""

    table: int
    games: int
    dice: str
    """Seed of the bot's dice there, if it takes any; they are made anew for each game."""


class GoAway(Struct, frozen=True, tag="go_away"):
    """An order: leave this table now."""

    table: int


class Beat(Struct, frozen=True, tag="beat"):
    """A report: alive."""


PlayerOrder = Go | GoAway
PlayerReport = Beat | Fell | Broken


class Player(Struct, frozen=True):
    """A competitor as a worker needs it."""

    name: str
    kind: Kind
    what: str


class Begin(Struct, frozen=True, tag="begin"):
    """The first order: what is played, and by whom."""

    game: str
    seats: int
    """0: as few as the rule set has."""
    options: dict[str, int | str]
    turn: float
    """Seconds for a decision."""
    late: int
    seed: int
    players: tuple[Player, ...]
    removes_luck: bool = False
    """Measure the luck of the deals of each game."""
    save: str = ""
    """The folder for games; empty: none is saved."""


class Play(Struct, frozen=True, tag="play"):
    """An order: play this round."""

    match: int
    name: str
    seatings: tuple[tuple[int, ...], ...]
    games: int


class Ready(Struct, frozen=True, tag="ready"):
    """The first report: it can be played."""

    sides: tuple[int, ...]
    """The side of each seat."""
    by_purse: bool


class Ended(Struct, frozen=True, array_like=True):
    """A game that is over."""

    number: int
    seating: int
    paid: tuple[int, ...]
    luck: float | None = None
    """Advantage that the deals gave the first seat, in stakes; None: not measured."""


class Games(Struct, frozen=True, tag="games"):
    """A report: some games of the round in play are over."""

    ended: tuple[Ended, ...]
    sets: int | None = None
    """The round is over, after so many sets; fewer than asked for where somebody is disqualified. None: it goes on."""


WorkerOrder = Begin | Play
WorkerReport = Ready | Broken | Games | Fell


async def read_report(
    output: asyncio.StreamReader, decoder: msgspec.json.Decoder[R], seconds: float | None
) -> R | None:
    """The next report; None: the process has closed its output.

    :raises TimeoutError: it reports nothing for so long.
    :raises ValueError: it wrote what is no report.
    """
    async with asyncio.timeout(seconds):
        line = await output.readline()
    try:
        return decoder.decode(line) if line else None
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from None

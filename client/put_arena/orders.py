"""Orders to a process that plays a Python bot, and its reports to the arena: JSON objects, one a line.

`bot_runner` plays one bot at a server. `in_process.round_worker` plays whole rounds, and has orders of its own beside
these.
"""

import asyncio
from typing import TypeVar

import msgspec
from msgspec import Struct

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


class Failed(Struct, frozen=True, tag="failed"):
    """The last report: the process cannot go on, or cannot begin."""

    says: str
    is_no_bot: bool = False
    """There is no bot where the arena was told to look."""


class BotTerms(Struct, frozen=True):
    """Argument of the process of one bot."""

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


class Alive(Struct, frozen=True, tag="alive"):
    """A report: alive."""


PlayerOrder = Go | GoAway
PlayerReport = Alive | Fell | Failed


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

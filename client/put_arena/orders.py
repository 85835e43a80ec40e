"""Orders to a process that plays Python bots, and its reports to the arena: JSON objects, one a line.

`class_player` plays one bot at a server. `in_process.round_worker` plays whole rounds, and has additional orders.
"""

import asyncio
import inspect
import os
import random
import traceback
from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import Struct

from put_arena.competitors import Fault
from put_client.bots.bot import Bot, IllegalChoice

SAYS_LENGTH = 400

R = TypeVar("R")


class Fell(Struct, frozen=True, tag="fell"):
    """A report: a bot misbehaved."""

    fault: Fault
    says: str = ""
    player: int = 0
    """Competitor, if the process plays several."""
    running: int = 0
    """Number of turns that ran out in a row; then `says` is empty."""


class Failed(Struct, frozen=True, tag="failed"):
    """The last report: the process cannot begin, or cannot continue."""

    says: str
    is_no_bot: bool = False
    """There is no bot in the place that the arena was given."""


class BotTerms(Struct, frozen=True):
    """Argument of the process of one bot."""

    descriptor: int
    """An open connection to the server: the process may have no network."""
    name: str
    what: str
    turn: float
    """Seconds for a choice. A coroutine that takes longer is cancelled."""
    slow: float = 0.0
    """Seconds to wait before each answer, for a show."""


class Go(Struct, frozen=True, tag="go"):
    """An order: sit at this table when invited, and leave it after this many games."""

    table: int
    games: int
    dice: str
    """Seed of the bot's dice at this table, if it takes any. Each game gets new dice."""


class GoAway(Struct, frozen=True, tag="go_away"):
    """An order: leave this table now."""

    table: int


class Alive(Struct, frozen=True, tag="alive"):
    """A report: the process still works."""


PlayerOrder = Go | GoAway
PlayerReport = Alive | Fell | Failed


async def read_report(
    output: asyncio.StreamReader, decoder: msgspec.json.Decoder[R], seconds: float | None
) -> R | None:
    """The next report; None: the process has closed its output.

    :raises TimeoutError: there is no report in this time.
    :raises ValueError: it wrote something else.
    """
    async with asyncio.timeout(seconds):
        line = await output.readline()
    try:
        return decoder.decode(line) if line else None
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from None


class BadBot(Exception):
    """The class cannot be played; the sentence says why."""


def take_pipes() -> tuple[int, Callable[[msgspec.Struct], None]]:
    """The descriptor to read orders from, and a function that writes reports. From now on standard input is empty and
    standard output goes to standard error, so bots may print."""
    orders, reports = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    encode = msgspec.json.Encoder().encode

    def report(said: msgspec.Struct) -> None:
        os.write(reports, encode(said) + b"\n")

    return orders, report


def made(kind: type[Bot], dice: random.Random) -> Bot:
    """A bot of this class, with the dice if it takes any.

    :raises BadBot: the bot cannot be created.
    """
    try:
        return kind(dice=dice) if "dice" in inspect.signature(kind).parameters else kind()  # type: ignore[call-arg]  # its own parameter
    except Exception as error:  # the bot's own code
        raise BadBot(f"{kind.__name__} cannot be made: {type(error).__name__}: {error}") from error


def fell(error: Exception, player: int = 0) -> Fell:
    """The report of a bot's error. The traceback of the bot's own error goes to standard error."""
    if isinstance(error, IllegalChoice):
        return Fell(Fault.ILLEGAL, str(error)[:SAYS_LENGTH], player)
    traceback.print_exception(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(where.filename)}:{where.lineno}"  # noqa: PTH119  # a name, not a path
    return Fell(Fault.CRASHED, f"raised {type(error).__name__} at {place}: {error}"[:SAYS_LENGTH], player)

"""Hosting of Python bots: the pipes of their process, how a bot is made, and the report of its errors.

`bot_runner` and `in_process.round_worker` are such processes.
"""

import inspect
import os
import random
import traceback
from collections.abc import Callable

import msgspec

from put_arena.conduct import Fault
from put_arena.orders import Fell
from put_client.bots.bot import Bot, IllegalChoice

SAYS_LENGTH = 400
"""Longest description of an error."""


class BadBot(Exception):
    """The class cannot be played; the sentence says why."""


def take_pipes() -> tuple[int, Callable[[msgspec.Struct], None]]:
    """The descriptor that orders come from, and a function that writes reports. Standard input is empty from now on,
    and standard output is standard error: bots may print."""
    orders, reports = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    encode = msgspec.json.Encoder().encode

    def report(said: msgspec.Struct) -> None:
        os.write(reports, encode(said) + b"\n")

    return orders, report


def made(kind: type[Bot], dice: random.Random) -> Bot:
    """A bot of this class, with the dice if it takes any.

    :raises BadBot: it cannot be made.
    """
    try:
        return kind(dice=dice) if "dice" in inspect.signature(kind).parameters else kind()  # type: ignore[call-arg]  # its own parameter
    except Exception as error:  # the bot's own code
        raise BadBot(f"{kind.__name__} cannot be made: {type(error).__name__}: {error}") from error


def fell(error: Exception, player: int = 0) -> Fell:
    """The report of a bot's error. The traceback of what it raised itself goes to the standard error."""
    if isinstance(error, IllegalChoice):
        return Fell(Fault.ILLEGAL, str(error)[:SAYS_LENGTH], player)
    traceback.print_exception(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(where.filename)}:{where.lineno}"  # noqa: PTH119  # a name, not a path
    return Fell(Fault.CRASHED, f"raised {type(error).__name__} at {place}: {error}"[:SAYS_LENGTH], player)

"""Making of a bot from its class, and what is said of its errors."""

import inspect
import os
import random
import traceback

from put_client.bots.bot import Bot

SAYS_LENGTH = 400
"""Of what is told of a bot's errors."""


class BadBot(Exception):
    """The class cannot be played; the sentence says why."""


def made(kind: type[Bot], dice: random.Random) -> Bot:
    """A bot of this class, with the dice if it takes any.

    :raises BadBot: it cannot be made.
    """
    try:
        return kind(dice=dice) if "dice" in inspect.signature(kind).parameters else kind()  # type: ignore[call-arg]  # its own parameter
    except Exception as error:  # the bot's own code
        raise BadBot(f"{kind.__name__} cannot be made: {type(error).__name__}: {error}") from error


def said_of(error: Exception) -> str:
    """What a bot raised, and where, on one line; the traceback goes to the standard error."""
    traceback.print_exception(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(where.filename)}:{where.lineno}"  # noqa: PTH119  # a name, not a path
    return f"raised {type(error).__name__} at {place}: {error}"[:SAYS_LENGTH]

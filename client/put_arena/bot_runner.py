"""Runner of one player of a Python class, in a process of its own.

    python -m put_arena.bot_runner '{"host": ..., "port": ..., "name": ..., "what": "my_bot.py", ...}'

The argument is `orders.BotTerms`. When the orders end, so does the process, even if the bot is busy.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

import msgspec

from put_arena.class_player import ClassPlayer
from put_arena.hosting import BadBot, take_pipes
from put_arena.orders import BotTerms, Failed, PlayerOrder, PlayerReport
from put_client.bots.loading import LoadError, load
from put_client.sdk.errors import ClientError
from put_runtime.system_errors import reason_of


async def _serve(terms: BotTerms, report: Callable[[PlayerReport], None], orders: int) -> None:
    loop = asyncio.get_running_loop()
    kind = load(terms.what)
    obeying = threading.Thread(target=lambda: _obey(orders, loop, player.order), name="orders", daemon=True)
    async with asyncio.TaskGroup() as tasks:
        player = ClassPlayer(terms, kind, tasks, report, obeying.start)
        tasks.create_task(player.beat())
        await player.run()


def _obey(descriptor: int, loop: asyncio.AbstractEventLoop, order: Callable[[PlayerOrder], None]) -> None:
    """Read orders, in a thread: when they end so does the process, and the bot may be blocking the loop."""
    decoder: msgspec.json.Decoder[PlayerOrder] = msgspec.json.Decoder(PlayerOrder)
    with os.fdopen(descriptor, "rb") as lines, suppress(OSError, RuntimeError):
        for line in lines:
            loop.call_soon_threadsafe(order, decoder.decode(line))
    os._exit(0)


def main() -> NoReturn:
    terms = msgspec.json.decode(sys.argv[1], type=BotTerms)
    orders, report = take_pipes()
    try:
        asyncio.run(_serve(terms, report, orders))
    except LoadError as error:
        report(Failed(str(error), is_no_bot=True))
    except (BadBot, ClientError, ConnectionError) as error:
        report(Failed(reason_of(error)))
    except BaseExceptionGroup as group:
        report(Failed("; ".join(str(error) or type(error).__name__ for error in group.exceptions)))
    os._exit(1)  # though the bot may have left threads


if __name__ == "__main__":
    main()

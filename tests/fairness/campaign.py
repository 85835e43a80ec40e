"""Honest games of every rule set with a referee at every client, while connections drop and the server restarts: nobody
is accused of anything."""

import asyncio
import logging
import random
from pathlib import Path

from put_client import Record
from put_client.sdk.deal_checks import CheckFailed
from put_rules.registry import GAMES
from put_server.settings import Settings
from tests.client.checking_players import Noting, close, guest, look_on, sit_down
from tests.serving import serving
from tests.transport.sockets import EXEMPT

SPAN_S = 4.0
"""From one start of the server to the next."""

CALM_S = 0.05
"""From one dropped connection to the next."""

LONGEST_S = 900

ROUNDS = 3
"""Games at each table."""


async def evening(seed: int, turn: int, folder: Path) -> int:
    """A table of each rule set, with a spectator. Returns the number of deals, as the players counted them."""
    logging.getLogger("put_client").setLevel(logging.ERROR)  # which says each time that a connection is back
    dice = random.Random(f"{seed} {turn}")
    clients: list[Noting] = []
    looking: list[asyncio.Future[None]] = []
    playing: list[asyncio.Future[Record]] = []
    firsts: list[asyncio.Future[Record]] = []
    port = 0
    async with asyncio.timeout(LONGEST_S):
        while not clients or not all(one.done() for one in playing):
            settings = Settings(host="127.0.0.1", port=port, data=str(folder / "put.db"), exempt=EXEMPT)
            async with serving(settings, thinks=False) as server:
                port = server.port
                for number, (name, game) in enumerate(() if clients else GAMES.items()):
                    seats = dice.choice(game.offer.seats)
                    players = [await guest(server, f"T{number} P{seat}") for seat in range(seats)]
                    eve = await guest(server, f"T{number} Eve")
                    has_accidents = any(option.name == "misdeals" for option in game.offer.options)
                    options: dict[str, int | str] = {"misdeals": 20} if has_accidents and turn % 2 else {}
                    table = await players[0].open_table(name, seats=seats, options=options)
                    await eve.watch(table)
                    looking.append(asyncio.ensure_future(look_on(eve)))
                    sitting = sit_down(table, *players, games=ROUNDS, boldness=dice.choice((0.05, 0.2, 0.5)))
                    playing += sitting
                    firsts.append(sitting[0])
                    clients += [*players, eve]
                dropping = asyncio.ensure_future(_drop(dice, clients))
                await asyncio.wait(playing, timeout=SPAN_S)
                dropping.cancel()
                await asyncio.wait([dropping])
                if all(one.done() for one in playing):
                    await close(*clients)
                    await asyncio.gather(*looking)
    records = [one.result() for one in playing]
    assert all(record.games == ROUNDS for record in records)
    accused = [broken.error for client in clients for broken in client.all_of(CheckFailed)]
    assert not accused, accused
    return sum(one.result().deals for one in firsts)


async def _drop(dice: random.Random, clients: list[Noting]) -> None:
    while True:
        await asyncio.sleep(CALM_S)
        dice.choice(clients)._wire.current.drop()

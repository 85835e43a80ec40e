"""Streams: all that passed between a checking client and an honest server, to be told again, with a lie or without.

A stream is recorded at the real server through a relay, with chance from a seed, so that it is the same each time.
`tell` tells it to the checks of the SDK alone, without sockets; `retelling` to whole clients.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeGuard, get_args

from put_client import play
from put_client.sdk.deal_checks import DealChecks, News
from put_client.sdk.errors import Cheated
from put_client.sdk.table_views import TableViews
from put_protocol import messages
from put_protocol.folding import CannotFold
from put_protocol.messages import (
    ClientMessage,
    Decision,
    Events,
    Left,
    Ok,
    Refused,
    ServerMessage,
    Sit,
    TableSnapshot,
)
from put_protocol.parts import parts
from tests.client.checking_players import Calm, Noting, close, house, soon
from tests.client.relay import Fate, relaying

Passed = ClientMessage | ServerMessage
Lie = Callable[[ServerMessage], Iterable[ServerMessage]]
"""Tells another message in place of one, or more, or none."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game to record."""

    rules: str
    seats: int = 2
    options: dict[str, str | int] = field(default_factory=dict)
    boldness: float = 0.3
    watches: bool = False
    """The checking client is in the gallery."""
    turn: int = 0


def is_of_server(passed: Passed) -> TypeGuard[ServerMessage]:
    return isinstance(passed, get_args(ServerMessage))


async def _player(port: int, seat: int) -> Noting:
    """A bot."""
    name = f"P{seat}" if seat else "Moll"
    return await Noting.connect("127.0.0.1", port, name=name, is_bot=True, waits=soon)


async def record(game: Game, seed: int = 0) -> tuple[Passed, ...]:
    """Everything that passed while bots played a game, in the order in which it passed."""
    passed: list[Passed] = []
    is_there = asyncio.Event()

    def note(message: Passed) -> Fate:
        passed.append(message)
        if isinstance(message, TableSnapshot):
            is_there.set()
        return Fate.PASSES

    async with house() as server, relaying(server.port) as relay:
        server.dispatcher._shuffler._random = Random(f"{game.rules} {seed}")
        relay.rule = note
        others = [await _player(server.port, seat) for seat in range(1, game.seats + game.watches)]
        moll = await _player(relay.port, 0)
        table = await others[0].open_table(
            game.rules, seats=game.seats, options={"dealing": "plain", **game.options}, turn=game.turn
        )
        players = others if game.watches else [moll, *others]
        watching = asyncio.ensure_future(_watch(moll)) if game.watches else None
        if watching:
            await moll.watch(table)
        async with asyncio.TaskGroup() as tasks:
            for seat, player in enumerate(players):
                tasks.create_task(play(Calm(seat, game.boldness), player, table=table, games=1))
                await is_there.wait()  # whoever is recorded has the first seat
        await close(moll, *others)
        if watching:
            await watching
    return tuple(passed)


_RECORDED: dict[str, tuple[Passed, ...]] = {}
"""Recordings of this process, by game and seed."""


async def recorded(game: Game, seed: int = 0) -> tuple[Passed, ...]:
    """The recording of a game, which is made once."""
    key = f"{game} {seed}"
    if key not in _RECORDED:
        _RECORDED[key] = await record(game, seed)
    return _RECORDED[key]


async def _watch(client: Noting) -> None:
    async for _ in client:
        pass


async def _nothing(_: object) -> Ok:
    raise AssertionError("nothing is asked for")


def tell(stream: Iterable[Passed], lie: Lie = lambda message: (message,)) -> Iterator[tuple[int, News]]:
    """The news of the checks, each with the number of the message that brought it."""
    checks, views = DealChecks("stream"), TableViews(())
    checks.attach(_nothing, lambda _: None)
    asked: dict[int, Any] = {}
    for number, passed in enumerate(stream):
        match passed:
            case Sit(table=table):
                checks.sit(table)
                asked[passed.id] = passed
            case messages.Act() | messages.Leave() | messages.Resign() | messages.Stand():
                try:
                    checks.asks(passed)
                except Cheated:
                    return
                asked[passed.id] = passed
            case Ok() | Refused() | TableSnapshot() | Events() | Decision() | Left():
                for told in (part for whole in lie(passed) for part in parts(whole)):
                    if isinstance(told, Ok):
                        checks.answered(asked.get(told.id))
                    elif isinstance(told, Refused):
                        continue
                    else:
                        assert isinstance(told, TableSnapshot | Events | Decision | Left)
                        told = checks.read(told)
                        forged, now = views.forged_by(told), checks.clock.now()
                        news = checks.receive(told, forged, now)
                        check = checks.of(told.table)
                        with suppress(CannotFold):
                            views.receive(told, is_fair=check is None or check.error is None, is_whole=False)
                        yield from ((number, one) for one in news)
            case _:
                pass
    checks.stop()

"""Players and spectators at a real server that check every deal and note what they were told."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from put_client import Bot, Record, play
from put_client.sdk.client import Client
from put_client.sdk.deal_checks import CheckFailed, DealChecked, DealSummary, ProofStanding
from put_client.sdk.traffic import Message
from put_protocol.games.unions import Action, Choice, GameView
from put_protocol.messages import Events
from put_server.app import Server
from put_server.settings import Settings
from tests.serving import serving
from tests.transport.sockets import EXEMPT

BACKSTOP_S = 60
"""For a whole test: never waited out by one that passes."""


def soon() -> Iterable[float]:
    """Attempts without end, one right after another."""
    while True:
        yield 0.005


class Noting(Client):
    """Keeps what whoever follows it was told."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.noted: list[Message] = []
        self._came = asyncio.Event()

    async def __anext__(self) -> Message:
        message = await super().__anext__()
        self.noted.append(message)
        self._came.set()
        return message

    async def has_heard(self, kind: type, count: int = 1) -> None:
        """So many of a kind."""
        while len(self.all_of(kind)) < count:
            self._came.clear()
            await self._came.wait()

    @property
    def deals(self) -> list[DealSummary]:
        """Each state of each deal that is dealt blind."""
        return [told.deal for told in self.checks if told.deal is not None]

    @property
    def checks(self) -> list[DealChecked]:
        return [message for message in self.noted if isinstance(message, DealChecked)]

    @property
    def standings(self) -> list[ProofStanding | None]:
        return [told.standing for told in self.checks]

    def all_of(self, kind: type) -> list[Any]:
        """Events, or messages, of a kind."""
        events = [event for message in self.noted if isinstance(message, Events) for event in message.events]
        return [one for one in (*self.noted, *events) if isinstance(one, kind)]


@asynccontextmanager
async def house(data: Path | None = None, port: int = 0) -> AsyncIterator[Server]:
    settings = Settings(host="127.0.0.1", port=port, data=str(data) if data is not None else ":memory:", exempt=EXEMPT)
    async with asyncio.timeout(BACKSTOP_S), serving(settings, thinks=False) as server:
        yield server


async def guest(server: Server, name: str, *, checked: bool = True) -> Noting:
    return await Noting.connect("127.0.0.1", server.port, name=name, is_bot=True, waits=soon, checked=checked)


class Calm(Bot):
    """Plays the first card it may, so that a game has many hands; now and then, if it is to, whatever it may."""

    def __init__(self, seed: int, boldness: float = 0.0) -> None:
        self._dice = random.Random(seed)
        self._boldness = boldness

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action | Awaitable[Action]:
        return (self._dice.choice(legal) if self._dice.random() < self._boldness else legal[0]).action


def sit_down(table: int, *clients: Client, games: int = 2, boldness: float = 0.0) -> list["asyncio.Future[Record]"]:
    """A bot for each."""
    return [
        asyncio.ensure_future(play(Calm(seat, boldness), client, table=table, games=games))
        for seat, client in enumerate(clients)
    ]


async def look_on(client: Noting) -> None:
    """Until somebody ends it."""
    async for _ in client:
        pass


async def close(*clients: Client) -> None:
    for client in clients:
        await client.close()


def assert_all_is_proved(client: Noting) -> None:
    """No check failed; every deal that was dealt is proved."""
    assert client.all_of(CheckFailed) == []
    tally = client.checks[-1].tally
    assert tally.proved == tally.dealt > 0

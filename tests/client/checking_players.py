"""Players and spectators at a real server that check every deal and note what they were told."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from put_client import Bot, Record, play
from put_client.sdk.client import Client
from put_client.sdk.deal_checks import DealChecked, ProofStanding, SealBroken
from put_client.sdk.traffic import Message
from put_protocol.games.unions import Action, Choice, GameView
from put_protocol.messages import Events
from put_protocol.seal.findings import BlindDeal, DealSummary, Proof, Stage
from put_server.app import Server, serving
from put_server.settings import Settings
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
    def deals(self) -> dict[int, DealSummary]:
        """Each deal as it was told of last."""
        told = [message.deal for message in self.noted if isinstance(message, DealChecked)]
        return {deal.deal: deal for deal in told if isinstance(deal, DealSummary)}

    @property
    def blind_deals(self) -> list[BlindDeal]:
        """Each state of each deal that is dealt blind."""
        return [deal for told in self.checks if isinstance(deal := told.deal, BlindDeal)]

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


async def guest(server: Server, name: str, *, sealed: bool = True) -> Noting:
    return await Noting.connect("127.0.0.1", server.port, name=name, is_bot=True, waits=soon, sealed=sealed)


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


def assert_all_is_proved(client: Noting, *, besides: int = 1, missed: int = 0) -> None:
    """Nobody is accused; every card of every deal that was dealt is proved, but of so many at the end, and of so many
    in which the table was shown anew."""
    assert client.all_of(SealBroken) == []
    dealt = [deal for deal in client.deals.values() if deal.stage is Stage.CUT and deal.unproved is None]
    assert sum(deal.unproved is not None for deal in client.deals.values()) <= missed
    assert all(deal.is_turned for deal in dealt)
    assert all(card.proof is Proof.PROVED for deal in dealt[: len(dealt) - besides] for card in deal.cards)
    assert any(deal.cards for deal in dealt)

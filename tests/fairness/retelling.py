"""A server that tells a recorded stream again to one real client over a socket, with a lie in it or without; and all
that the client's bot, line mode and screen make of it.

The client makes the requests that were recorded, because it has the same bot and the same chains. After the lie nothing
more is told: what the client says of it, it says by that message alone.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field

from msgspec.structs import replace

from put_client import play
from put_client.line import line_state
from put_client.line.line_state import LineState
from put_client.sdk.client import Client
from put_client.sdk.errors import Cheated
from put_client.sdk.traffic import Message
from put_client.tui.model import Model
from put_client.tui.update.update_message import update_message
from put_client.tui.widgets.canvas import Size
from put_protocol.codecs import FRAMES, decoder_of_requests
from put_protocol.framing import FrameSplitter
from put_protocol.messages import (
    Act,
    Bye,
    ClientMessage,
    Events,
    Goodbye,
    Hello,
    Ok,
    Ping,
    Pong,
    Push,
    Refused,
    ServerMessage,
    Sit,
    TableSnapshot,
    Watch,
)
from tests.client.checking_players import BACKSTOP_S, Calm, Noting, close, soon
from tests.client.tui.sample_models import screen
from tests.fairness.streams import Game, Lie, Passed, is_of_server

SIZE = Size(80, 50)

READ_BYTES = 64 * 1024


class Retelling:
    """The server's side of one connection."""

    def __init__(self, stream: tuple[Passed, ...], lie: Lie, *, stops: bool) -> None:
        self._stream = stream
        self._lie = lie
        self._stops = stops
        self._asked: asyncio.Queue[ClientMessage] = asyncio.Queue()
        self._ids: dict[int, int] = {}
        """Ids of the client's requests, by those that were recorded."""
        self.acts = 0
        """Moves that came after the lie."""
        self.has_lied = False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer), suppress(ConnectionError):
            async with asyncio.TaskGroup() as tasks:
                telling = tasks.create_task(self._tell(writer))
                await self._read(reader, writer)
                telling.cancel()

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        decode, splitter = decoder_of_requests(FRAMES).decode, FrameSplitter()
        while data := await reader.read(READ_BYTES):
            for message in map(decode, splitter.feed(data)):
                if isinstance(message, Bye):
                    writer.write(FRAMES.encode(Goodbye(code="bye", says="goodbye")))
                    return
                if self.has_lied:
                    self.acts += isinstance(message, Act)
                    if not isinstance(message, Ping | Pong):
                        writer.write(FRAMES.encode(Ok(getattr(message, "id", 0))))
                else:
                    self._asked.put_nowait(message)

    async def _tell(self, writer: asyncio.StreamWriter) -> None:
        for passed in self._stream:
            if isinstance(passed, Bye | Goodbye | Ping | Pong):
                continue
            if is_of_server(passed):
                for told in self._lie(passed):
                    self.has_lied = self.has_lied or (self._stops and told is not passed)
                    writer.write(FRAMES.encode(self._with_id(told)))
            else:
                while type(asked := await self._asked.get()) is not type(passed):
                    pass
                if not isinstance(passed, Hello | Push):
                    assert not isinstance(asked, Hello | Push | Ping | Pong | Bye)
                    self._ids[passed.id] = asked.id
            if self.has_lied:
                return

    def _with_id(self, message: ServerMessage) -> ServerMessage:
        if isinstance(message, Ok | Refused | Events | TableSnapshot) and message.id in self._ids:
            return replace(message, id=self._ids[message.id])
        return message


@dataclass(slots=True)
class Told:
    """What a player reads, at each kind of client."""

    by_bot: Cheated | None = None
    """What was raised in the loop that plays a bot."""
    by_line_mode: list[str] = field(default_factory=list)
    on_screen: str = ""
    """The last frame, words only."""
    messages: list[Message] = field(default_factory=list)
    acts: int = 0
    """Moves after the lie."""


class Watcher:
    """Line mode and the screen, fed with what one client receives."""

    def __init__(self, client: Noting) -> None:
        self._client = client
        self._line = LineState()
        self._model = Model(welcome=client.welcome)
        self.said: list[str] = []

    def note(self, _: Client, message: Message) -> None:
        self._line, said = line_state.apply_message(self._line, message, 0)
        self.said += said
        self._model, _effects = update_message(self._model, message, 0)

    def frame(self) -> str:
        return words_of(screen(self._model, SIZE))


def words_of(text: str) -> str:
    """The text in one line, without what is drawn around it."""
    return " ".join(re.sub(r"[^\w.,:;!?()'\"\[\]+-]", " ", text).split())


@asynccontextmanager
async def retelling(stream: tuple[Passed, ...], lie: Lie, *, stops: bool) -> AsyncIterator[tuple[Retelling, int]]:
    """The server, and its port."""
    server = Retelling(stream, lie, stops=stops)
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    async with asyncio.timeout(BACKSTOP_S), listener:
        yield server, listener.sockets[0].getsockname()[1]


async def retold(stream: tuple[Passed, ...], game: Game, lie: Lie, *, stops: bool = True) -> Told:
    """What every client makes of a stream. `stops`: up to the lie."""
    told = Told()
    async with retelling(stream, lie, stops=stops) as (server, port):
        moll = await Noting.connect("127.0.0.1", port, name="Moll", is_bot=True, waits=soon, resume=False)
        watcher = Watcher(moll)
        moll.observer = watcher.note
        (table,) = {passed.table for passed in stream if isinstance(passed, Sit | Watch)}
        try:
            await play(Calm(0, game.boldness), moll, table=table, games=1)
        except Cheated as error:
            told.by_bot = error
        await close(moll)
        told.by_line_mode, told.on_screen = watcher.said, watcher.frame()
        told.messages, told.acts = moll.noted, server.acts
    return told

"""A player in line mode at a scripted server, who types and listens."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from put_client.line.line_mode import run
from put_client.sdk.client import Client
from put_client.teaching import Teacher
from put_protocol.messages import (
    Ok,
    Request,
    ServerMessage,
    Sit,
    Watch,
)
from tests.client.hearing import (
    YOU,
)
from tests.client.scripted_server import PATIENCE_S, Peer, Server


class Speaker:
    """Somebody at a line: types, and listens."""

    def __init__(
        self,
        client: Client,
        peer: Peer,
        first: Sit | Watch | None = None,
        *,
        back: str | None = None,
        teacher: Teacher | None = None,
    ) -> None:
        self.peer = peer
        self.said: asyncio.Queue[str] = asyncio.Queue()
        reading, self._writing = os.pipe()
        self.ends = asyncio.ensure_future(
            run(
                client,
                first,
                back=back,
                teacher=teacher,
                descriptor=reading,
                say=self.said.put_nowait,
            )
        )

    def types(self, *lines: str) -> None:
        os.write(self._writing, "".join(f"{line}\n" for line in lines).encode())

    def ends_input(self) -> None:
        os.close(self._writing)

    async def hears(self, sentence: str, *, at_once: bool = False) -> None:
        """This is said, sooner or later, or before anything else."""
        async with asyncio.timeout(PATIENCE_S):
            while (said := await self.said.get()) != sentence:
                assert not at_once, said

    async def grants(self, kind: type[Request], *then: ServerMessage) -> None:
        request = await self.peer.hear(kind)
        self.peer.say(Ok(id=request.id, table=7, seat=YOU), *then)


@asynccontextmanager
async def speaking(
    server: Server,
    first: Sit | Watch | None = None,
    *,
    back: str | None = None,
    teacher: Teacher | None = None,
) -> AsyncIterator[Speaker]:
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll", waits=lambda: (0.0,)))
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client:
        yield Speaker(client, peer, first, back=back, teacher=teacher)

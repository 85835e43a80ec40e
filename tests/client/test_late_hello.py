"""A client whose hello is held up on the way, and arrives when it is back by another connection."""

import asyncio
from contextlib import closing

from put_client.sdk.client import Client, connect
from put_client.sdk.lasting_wire import ConnectionBack
from put_client.sdk.session_store import SessionLock
from put_protocol.codecs import FRAMES, decoder_of_replies, decoder_of_requests
from put_protocol.framing import FrameSplitter
from put_protocol.messages import Goodbye, Hello
from tests.client.scripted_server import Server
from tests.transport.sockets import running_server


class HoldUp:
    """Passes connections on to a server, and holds up the hello of one of them."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._cut: asyncio.Future[None]
        self.held: list[bytes] = []
        self.number = 0
        self.heard: list[Hello] = []

    def cut(self) -> None:
        self._cut.set_result(None)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.number += 1
        first = await reader.read(65536)
        (hello,) = [decoder_of_requests(FRAMES).decode(piece) for piece in FrameSplitter().feed(first)]
        assert isinstance(hello, Hello)
        self.heard.append(hello)
        with closing(writer):
            if self.number == 2:
                self.held.append(first)
                return
            self._cut = asyncio.get_running_loop().create_future()
            from_server, to_server = await asyncio.open_connection("127.0.0.1", self._port)
            with closing(to_server):
                to_server.write(first)
                passing = [
                    asyncio.ensure_future(_pass_on(*ends)) for ends in ((reader, to_server), (from_server, writer))
                ]
                await asyncio.wait([self._cut, *passing], return_when=asyncio.FIRST_COMPLETED)
                for one in passing:
                    one.cancel()
                await asyncio.gather(*passing, return_exceptions=True)

    async def release(self) -> Goodbye:
        """The hello arrives after all; returns what the server says to it."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        with closing(writer):
            writer.write(self.held.pop())
            (answer,) = [decoder_of_replies(FRAMES).decode(p) for p in FrameSplitter().feed(await reader.read())]
        assert isinstance(answer, Goodbye)
        return answer


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)


async def until_back(client: Client) -> None:
    async for message in client:
        if isinstance(message, ConnectionBack):
            return


async def test_client_plays_on_when_its_late_hello_arrives() -> None:
    """The server refuses it; the client never hears of it, and what it asks is answered."""
    async with running_server() as harness:
        hold_up = HoldUp(harness.server.port)
        listener = await asyncio.start_server(hold_up.accept, "127.0.0.1", 0)
        port = listener.sockets[0].getsockname()[1]
        noted: list[int] = []
        async with connect(
            "127.0.0.1", port, name="Ann", waits=lambda: iter([0.0] * 9), note_incarnation=noted.append
        ) as client:
            table = await client.open_table("put-1674")
            await client.sit(table)
            hold_up.cut()
            await until_back(client)
            assert (await hold_up.release()).code == "taken_over"
            await client.say(table, "still here")
            assert hold_up.number == 3
            assert [hello.incarnation for hello in hold_up.heard] == noted == [1, 2, 3]
        listener.close()


async def test_incarnation_is_on_disk_before_it_is_used(server: Server) -> None:
    """So a client that is killed at any moment uses no number twice."""
    lock = SessionLock.take("here", "Moll")
    assert lock is not None
    lock.leave("t1", 41)
    connecting = asyncio.ensure_future(
        _connected(server.port, lock.token, lock.incarnation, lock),
    )
    peer = await server.arrival()
    hello = await peer.welcome()
    assert hello.incarnation == 42
    lock.let_go()
    found = SessionLock.take("here", "Moll")
    assert found is not None
    assert (found.token, found.incarnation) == ("t1", 42)
    client = await connecting
    found.let_go()
    await client.close(keep=True)


async def _connected(port: int, token: str, incarnation: int, lock: SessionLock) -> Client:
    return await connect(
        "127.0.0.1", port, token=token, incarnation=incarnation, note_incarnation=lock.note_incarnation
    )


async def test_client_that_never_counted_goes_on_from_the_servers_number() -> None:
    """It has a token from elsewhere: the server gives its hello the next number, and it counts from there."""
    async with running_server() as harness:
        ann = await harness.guest("Ann")
        for _ in range(3):
            peer = await harness.call()
            await peer.hello(token=ann.token)
        async with connect("127.0.0.1", harness.server.port, token=ann.token) as client:
            assert client.incarnation == 5
            known = {"token": client.token, "incarnation": client.incarnation}
            async with connect("127.0.0.1", harness.server.port, **known) as again:  # type: ignore[arg-type]  # a dict
                assert again.incarnation == 6
                assert again.name == "Ann"

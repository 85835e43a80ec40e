"""The echo: a server that decodes an `act` and sends it back encoded, over the same wire with the same codec.

    python -m scripts.benches.echo

It has no games, sessions, rate limits or outboxes: its cost is that of the kernel, asyncio and the codec.

Connections are `asyncio.BufferedProtocol`s with one buffer, like the server's. The usual `asyncio.Protocol` reads with
`recv` of 256 KiB, for which glibc in a fresh process maps and unmaps memory each time, and has half the speed.
"""

import asyncio

import msgspec

from put_protocol import messages
from put_protocol.codecs import FRAMES
from put_protocol.framing import FrameSplitter

_READ = memoryview(bytearray(64 * 1024))
"""Read buffer of all connections; input is copied before the next read."""

_decode = msgspec.msgpack.Decoder(messages.Act).decode


class Echo(asyncio.BufferedProtocol):
    """A connection: answers the frames of one read in one write."""

    _transport: asyncio.Transport

    def __init__(self) -> None:
        self._splitter = FrameSplitter()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        return _READ

    def buffer_updated(self, nbytes: int) -> None:
        acts = [_decode(body) for body in self._splitter.feed(bytes(_READ[:nbytes]))]
        self._transport.write(b"".join(map(FRAMES.encode, acts)))


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", 0, backlog=512)
    print(f"echo listens on 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())

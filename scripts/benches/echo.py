"""Baseline: an asyncio server that decodes a request and sends it back encoded, and nothing else.

It knows no game, session, rate limit or outbox: what it costs is the kernel, asyncio and the codec. It is an
`asyncio.BufferedProtocol` with a buffer of its own, as the server is: the `asyncio.Protocol` of the tutorials is read
by `recv` of 256 KiB, for which glibc in a fresh process maps and unmaps memory each time, and runs at half the speed.

Run as `python -m scripts.benches.echo`.
"""

import asyncio

import msgspec

from put_protocol.messages import Act

_READ = memoryview(bytearray(64 * 1024))
_decode = msgspec.msgpack.Decoder(Act).decode
_encode = msgspec.msgpack.Encoder().encode


class Echo(asyncio.BufferedProtocol):
    __slots__ = ("_rest", "_transport")

    _transport: asyncio.Transport

    def __init__(self) -> None:
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        return _READ

    def buffer_updated(self, nbytes: int) -> None:
        data = self._rest + _READ[:nbytes]
        at, end = 0, len(data)
        while end - at > 4 and (stop := at + 4 + int.from_bytes(data[at : at + 4], "big")) <= end:
            body = _encode(_decode(data[at + 4 : stop]))
            self._transport.write(len(body).to_bytes(4, "big") + body)
            at = stop
        self._rest = data[at:]


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", 0, backlog=512)
    print(f"echo listens on 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())

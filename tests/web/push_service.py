"""A push service of our own: HTTP by TLS for servers that push (RFC 8030), and for Firefox the WebSocket by which it
hears what is pushed (the protocol of Mozilla's autopush)."""

import asyncio
import base64
import json
import os
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from put_protocol.messages import Push
from tests.authority import Authority

HOST = "localhost"

CREATED = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"

DELIVERED = 100
"""Code by which a browser acknowledges that its service worker has a message in plain text."""


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "==")


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class Receiver:
    """The keys of a browser, which opens what is pushed to it."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)

    def push(self, endpoint: str, *, is_seen: bool = False) -> Push:
        """A page's message with these keys."""
        return Push(endpoint, encoded(point(self._key.public_key())), encoded(self._auth), is_seen)

    def opened(self, body: bytes) -> dict[str, Any]:
        """The message in a request, by the receiver's half of RFC 8291."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        about = b"WebPush: info\0" + point(self._key.public_key()) + sender
        secret = HKDF(hashes.SHA256(), 32, self._auth, about).derive(self._key.exchange(ec.ECDH(), theirs))
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        told, _, padding = AESGCM(key).decrypt(nonce, sealed, None).rpartition(b"\x02")
        assert not padding
        message: dict[str, Any] = json.loads(told)
        return message


class Pushed(NamedTuple):
    """A request of a server."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class PushService:
    port: int = 0
    socket_port: int = 0
    answer: bytes | None = CREATED
    """Bytes that every request is answered with; None: it hangs."""
    is_endless: bool = False
    """The answer is sent again and again."""
    pushed: asyncio.Queue[Pushed] = field(default_factory=asyncio.Queue)
    acks: asyncio.Queue[int] = field(default_factory=asyncio.Queue)
    """Codes by which browsers acknowledged what they were told."""
    channels: dict[str, tuple[ServerConnection, str]] = field(default_factory=dict)
    """Browsers by the path of a subscription, with its channel there."""

    def address(self, name: str = "moll") -> str:
        return f"https://{HOST}:{self.port}/push/{name}"

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A request of a server."""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
            headers = dict(line.split(": ", 1) for line in lines)
            body = await reader.readexactly(int(headers["Content-Length"]))
            pushed = Pushed(first.split(" ")[1], headers, body)
            self.pushed.put_nowait(pushed)
            await self._pass_on(pushed)
            if self.answer is None:
                await reader.read()
            else:
                writer.write(self.answer)
                await writer.drain()
                while self.is_endless and not reader.at_eof():
                    writer.write(self.answer)
                    await writer.drain()
        writer.close()

    async def _pass_on(self, pushed: Pushed) -> None:
        if (found := self.channels.get(pushed.path)) is not None:
            browser, channel = found
            about = {"messageType": "notification", "channelID": channel, "version": uuid4().hex}
            sealed = {"data": encoded(pushed.body), "headers": {"encoding": pushed.headers["Content-Encoding"]}}
            await browser.send(json.dumps(about | sealed))

    async def meet(self, browser: ServerConnection) -> None:
        """A browser, from its hello on."""
        async for text in browser:
            said: dict[str, Any] = json.loads(text)
            answer: dict[str, Any] = {"messageType": said.get("messageType"), "status": 200}
            match answer["messageType"]:
                case "hello":
                    answer |= {"uaid": uuid4().hex, "use_webpush": True, "broadcasts": {}}
                case "register":
                    name = uuid4().hex
                    self.channels[f"/push/{name}"] = browser, said["channelID"]
                    answer |= {"channelID": said["channelID"], "pushEndpoint": self.address(name)}
                case "unregister":
                    answer |= {"channelID": said["channelID"]}
                case "ack":
                    for update in said["updates"]:
                        self.acks.put_nowait(update["code"])
                    continue
                case _:
                    continue
            await browser.send(json.dumps(answer))


@asynccontextmanager
async def push_service(folder: Path, trusting: pytest.MonkeyPatch | None) -> AsyncIterator[PushService]:
    """One on loopback, with a certificate of an authority of its own, which is trusted where there is a patch."""
    authority = Authority(folder)
    if trusting is not None:
        trusting.setenv("SSL_CERT_FILE", str(authority.file))
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(*authority.issue(HOST))
    service = PushService()
    server = await asyncio.start_server(service.take, "127.0.0.1", 0, ssl=tls)
    service.port = server.sockets[0].getsockname()[1]
    async with server, serve(service.meet, "127.0.0.1", 0, subprotocols=[Subprotocol("push-notification")]) as sockets:
        service.socket_port = next(iter(sockets.sockets)).getsockname()[1]
        yield service

"""Web Push (RFC 8030): a message to one browser through its push service, encrypted for the browser (RFC 8291) and
signed for the service (RFC 8292).

The address of a subscription comes from an untrusted peer, and the server connects to it. So it must be a push service:
its host is a known one, or chosen by the operator; for a known host only public, checked addresses are used; TLS proves
the name; redirects are not followed; and only the first line of the answer is read.
"""

import asyncio
import base64
import ipaddress
import json
import os
import re
import socket
import ssl
import threading
import time
from collections.abc import Container
from contextlib import suppress
from typing import NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

BROWSERS = "browsers"
"""Word for the services of common browsers, in the list of allowed hosts."""

SERVICES = ("updates.push.services.mozilla.com", "fcm.googleapis.com", "web.push.apple.com", "*.notify.windows.com")
"""Services of Firefox, Chrome and its derivatives, Safari, and Edge; a star matches one label."""

SEND_SECONDS = 5.0
LINE_BYTES = 1_024
"""Longest first line of an answer."""

LOOKUPS_AT_ONCE = 4
SIGNED_SECONDS = 12 * 3_600
"""Lifetime of a signature; push services refuse more than a day."""

RECORD_BYTES = 4_096
"""Largest record that every push service accepts; a message is one record."""

_ENDPOINT = re.compile(r"https://(([0-9A-Za-z.-]{1,253})(?::([0-9]{1,5}))?)(/[!-~]*)")


class Browser(NamedTuple):
    """A subscription: the address of a browser, and its keys."""

    place: str
    """Host and port, as in the address."""
    host: str
    port: int
    path: str
    """Secret: its holder can send to the browser."""
    is_chosen: bool
    """The operator chose the host, so its addresses may be private."""
    key: ec.EllipticCurvePublicKey
    auth: bytes


def browser_at(endpoint: str, p256dh: str, auth: str, hosts: Container[str]) -> Browser:
    """:raises ValueError: invalid, or not at one of these hosts."""
    if (found := _ENDPOINT.fullmatch(endpoint)) is None:
        raise ValueError("no address")
    host, port = found[2].lower(), int(found[3] or 443)
    names = (host, f"*.{host.partition('.')[2]}")
    is_chosen = any(name in hosts for name in names)
    is_known = BROWSERS in hosts and port == 443 and any(name in SERVICES for name in names)
    if port > 65_535 or not (is_chosen or is_known) or len(secret := _decoded(auth)) != 16:
        raise ValueError("not allowed")
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(p256dh))
    return Browser(found[1], host, port, found[4], is_chosen, key, secret)


def is_public(address: str) -> bool:
    """True if an address is on the internet, not of this machine or a network around it."""
    found = ipaddress.ip_address(address)
    return found.is_global and not found.is_multicast and not getattr(found, "ipv4_mapped", None)


def encrypted(message: bytes, to: Browser, own_key: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """A message as a record of `aes128gcm`. Key and salt are used only once."""
    theirs, ours = _point(to.key), _point(own_key.public_key())
    secret = _derived(own_key.exchange(ec.ECDH(), to.key), to.auth, b"WebPush: info\0" + theirs + ours, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(key).encrypt(nonce, message + b"\x02", None)  # 2 ends the last record


class Sender:
    """Sends messages, signed with a key that it creates."""

    def __init__(self, contact: str) -> None:
        """`contact`: the operator's address, for push services."""
        self._contact = contact
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.public_key = _encoded(_point(self._key.public_key()))
        self._tls: ssl.SSLContext | None = None
        self._lookups = asyncio.Semaphore(LOOKUPS_AT_ONCE)

    async def send(self, message: bytes, to: Browser, ttl: int) -> int:
        """Send a message with a lifetime of `ttl` seconds. Returns the status of the answer.

        :raises Exception: of any kind; the service is unreachable, not allowed, or does not answer.
        """
        body = encrypted(message, to, ec.generate_private_key(ec.SECP256R1()), os.urandom(16))
        head = (
            f"POST {to.path} HTTP/1.1\r\nHost: {to.place}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
            f"Authorization: {self.authorization(to.place, time.time())}\r\nContent-Encoding: aes128gcm\r\n"
            f"TTL: {ttl}\r\nTopic: turn\r\nUrgency: high\r\n\r\n"  # of one topic the latest is delivered
        )
        async with asyncio.timeout(SEND_SECONDS):
            if self._tls is None:
                self._tls = await asyncio.to_thread(ssl.create_default_context)
            found = await self._addresses(to.host)
            addresses = [address for address in found if to.is_chosen or is_public(address)]
            if not addresses:
                raise OSError("it has no public address")
            reader, writer = await asyncio.open_connection(
                addresses[0], to.port, ssl=self._tls, server_hostname=to.host, limit=LINE_BYTES
            )
            try:
                writer.write(head.encode() + body)
                return int((await reader.readuntil(b"\n")).split()[1])
            finally:
                writer.transport.abort()

    async def _addresses(self, host: str) -> list[str]:
        """Addresses of a name. A lookup cannot be cancelled, and takes half a minute if the system's resolver does not
        answer. So it has a daemon thread, and does not block the event loop's threads, which work on deals.

        :raises OSError: there are no addresses.
        """
        loop = asyncio.get_running_loop()
        await self._lookups.acquire()
        answer: asyncio.Future[list[str]] = loop.create_future()

        def finish(found: list[str] | None) -> None:
            self._lookups.release()
            if answer.done():
                return  # nothing waits for it any more
            if found is None:
                answer.set_exception(OSError("its name is not known"))
            else:
                answer.set_result(found)

        def look() -> None:
            found = None
            with suppress(OSError, UnicodeError):  # the second: no host can have such a name
                found = [str(place[0]) for *_, place in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(finish, found)

        threading.Thread(target=look, name="push service", daemon=True).start()
        return await answer

    def authorization(self, place: str, now: float) -> str:
        claims = {"aud": f"https://{place}", "exp": int(now) + SIGNED_SECONDS, "sub": self._contact}
        token = ".".join(_encoded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
        numbers = decode_dss_signature(self._key.sign(token.encode(), ec.ECDSA(hashes.SHA256())))
        signature = b"".join(number.to_bytes(32, "big") for number in numbers)
        return f"vapid t={token}.{_encoded(signature)}, k={self.public_key}"


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    """:raises ValueError: it is no base64url."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)

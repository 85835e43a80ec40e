"""Dialler: opens encrypted connections to one server, and verifies its identity each time.

A server is trusted as in ssh: its key is remembered on the first connection, and required from then on. A user who
knows the fingerprint beforehand (`host:port#fingerprint`) accepts only this key from the start. A server with a
certificate for its host name, for example from Let's Encrypt, is verified as in browsers, and its keys may change.
After one encrypted connection a server is never used without encryption, except with `Security.PLAIN`.

On the loopback interface there is no encryption unless a fingerprint is or was given: the data does not leave the
machine, and the far end of an ssh tunnel is a different server each time.
"""

import asyncio
import ipaddress
import ssl
from enum import StrEnum

from put_client.sdk.errors import KeyChanged, NotEncrypted, NotVerified, address
from put_client.sdk.known_servers import CERTIFICATE, KnownServers
from put_runtime.fingerprint import fingerprint as fingerprint_of
from put_text.catalogue import say

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

HANDSHAKE_SECONDS = 10.0


class Security(StrEnum):
    """Encryption of a connection."""

    AUTO = "auto"
    """Encrypted, unless the server is on this machine, or has a version before 0.3, which cannot encrypt."""
    TLS = "tls"
    """Encrypted, or no connection."""
    PLAIN = "plain"
    """Not encrypted."""


class Dialler:
    def __init__(self, host: str, port: int, *, fingerprint: str = "", security: Security = Security.AUTO) -> None:
        """`fingerprint`: of the only trusted key."""
        self.host = host
        self.port = port
        self.notice = ""
        """Warning or hint about the security of the last connection, one line for a person; empty: none."""
        self.fingerprint = fingerprint
        """Fingerprint of the only trusted key; empty: unknown, or a certificate is verified instead."""
        self.is_encrypted = False
        """The last connection was encrypted."""

        self.security = security
        self._known = KnownServers()
        self._expected: str | None = None
        """Trust from an earlier connection of this dialler: a fingerprint, `CERTIFICATE`, or empty for a plain one;
        None: no connection yet."""

    @property
    def address(self) -> str:
        return address(self.host, self.port)

    async def open(self) -> Streams:
        """Open a connection. The caller limits the time.

        :raises OSError: the server is unreachable or broke the connection, or TLS failed.
        :raises CannotTrust: it may be a different server.
        """
        self.notice = ""
        if self.security is Security.PLAIN or self._expected == "":
            return await self._plain()
        expected = self._expected or self.fingerprint or self._known.get(self.address)
        if expected is None and self.security is Security.AUTO and is_loopback(self.host):
            return await self._plain()
        try:
            if expected == CERTIFICATE:
                return await self._verified()
            if expected is not None:
                return await self._pinned(expected)
            return await self._to_unknown_server()
        except ssl.SSLCertVerificationError as error:
            reason = str(error.verify_message or error.reason or error).rstrip(".").lower()
            raise NotVerified(self.address, reason, await self._fingerprint_offered()) from None
        except ssl.SSLError as error:
            if expected is not None or self.security is Security.TLS:
                raise NotEncrypted(self.address, was=expected is not None) from error
            streams = await self._plain()  # a server of an earlier version, if it is one
            self.notice = say("client-unencrypted")
            return streams

    async def _plain(self) -> Streams:
        streams = await asyncio.open_connection(self.host, self.port)
        self._established("")
        return streams

    async def _to_unknown_server(self) -> Streams:
        if has_public_name(self.host):
            try:
                return await self._verified()
            except ssl.SSLCertVerificationError:
                pass  # no certificate of an authority: a key of its own
        streams, found = await self._unverified()
        self._remember(found)
        is_kept = self._known.get(self.address) == found
        self.notice = say("client-new-server", key=found, kept=is_kept)
        return streams

    async def _pinned(self, expected: str) -> Streams:
        streams, found = await self._unverified()
        if found != expected:
            streams[1].transport.abort()
            raise KeyChanged(self.address, expected, found)
        self._remember(found)
        return streams

    async def _verified(self) -> Streams:
        """Open a connection verified by this system's certificate authorities.

        :raises ssl.SSLCertVerificationError: no certificate for this host.
        """
        streams = await self._tls(ssl.create_default_context())
        self._remember(CERTIFICATE)
        return streams

    async def _unverified(self) -> tuple[Streams, str]:
        """The streams, and the fingerprint of the server's key, which the caller must check."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE  # the key itself is compared
        streams = await self._tls(context)
        return streams, _fingerprint_at(streams)

    async def _tls(self, context: ssl.SSLContext) -> Streams:
        return await asyncio.open_connection(
            self.host,
            self.port,
            ssl=context,
            server_hostname=self.host.partition("%")[0],
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
        )

    async def key_offered(self) -> str:
        """Fingerprint of the server's current key, which is not remembered. The caller limits the time.

        :raises OSError: the server is unreachable, or has no TLS.
        """
        streams, found = await self._unverified()
        streams[1].transport.abort()
        return found

    async def _fingerprint_offered(self) -> str:
        """Fingerprint of the key of a server that could not be verified; empty: unavailable."""
        try:
            return await self.key_offered()
        except OSError:
            return ""

    def _remember(self, learnt: str) -> None:
        self._established(learnt)
        if learnt != CERTIFICATE:
            self.fingerprint = learnt
        self._known.put(self.address, learnt)

    def _established(self, learnt: str) -> None:
        self._expected = learnt
        self.is_encrypted = bool(learnt)


def _fingerprint_at(streams: Streams) -> str:
    certificate = streams[1].get_extra_info("ssl_object").getpeercert(binary_form=True)
    try:
        return fingerprint_of(certificate)
    except ValueError as error:
        streams[1].transport.abort()
        raise ssl.SSLError(f"the server's certificate cannot be read: {error}") from None


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.casefold() == "localhost"


def has_public_name(host: str) -> bool:
    """True if an authority may have signed a certificate for this host: it has an internet name."""
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return "." in host.strip(".") and not host.casefold().rstrip(".").endswith((".local", ".localhost"))
    return False

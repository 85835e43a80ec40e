"""TLS of the server: its key, its certificate, and peers that may connect without TLS.

Laws: a key is made once and then kept, because clients pin it; a key file is written completely or not at all, and only
its owner can read it; an unusable file is named in an error and never replaced. A certificate that changes on disk is
loaded without a restart; if the new one is unusable, the old one stays.
"""

import asyncio.sslproto
import ipaddress
import logging
import ssl
import stat
import sys
import tempfile
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from put_runtime.fingerprint import fingerprint
from put_runtime.private_files import make_private_folder, replace_private
from put_runtime.system_errors import reason_of

log = logging.getLogger(__name__)

HANDSHAKE_SECONDS = 10.0
"""Time from the first byte to the end of the handshake, the same as for a `hello`."""

SHUTDOWN_SECONDS = 5.0
"""Time for a peer to confirm the end of TLS before the connection is cut."""

BUFFER_BYTES = 4 * 1024
"""Size of TLS reads and writes, and so of the two buffers of each connection: more than any request or move, and far
less than asyncio's 256 KiB."""

UNREAD_BYTES = 16 * 1024
"""Most bytes read ahead from a peer that is paused for its debts; the kernel keeps the rest. asyncio's limit is 256
KiB."""

_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
"""Date since which a certificate is valid, whatever the clocks of this machine and of a peer say."""

_NO_END = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
"""Date for a certificate without an end (RFC 5280, 4.1.2.5). Clients pin the key, so an end would only lock them
out."""


class Plain(StrEnum):
    """Peers that may connect without encryption."""

    PRIVATE = "private"
    """Peers on this machine and on local networks."""
    ALL = "all"
    NONE = "none"


class BadCertificate(Exception):
    """A key or certificate is unusable; the sentence names the file."""


class CertificateFiles(NamedTuple):
    """Paths of a certificate and its key; the same file may hold both."""

    certificate: Path
    key: Path


class Encryption:
    def __init__(
        self, *, own_key: Path | None = None, files: CertificateFiles | None = None, plain: Plain = Plain.PRIVATE
    ) -> None:
        """`files`: a certificate that clients verify by the host's name. Without it the server uses its own key in
        `own_key`, made on first use; None: a key for this run."""
        self.plain = plain
        self.is_new = False
        """The key was made by this run."""
        self._own_key = own_key
        self._files = files
        self._state: tuple[object, ...] = ()
        self._context: ssl.SSLContext | None = None
        self._fingerprint = ""
        self.names: tuple[str, ...] = ()
        """Host names in the operator's certificate."""

    @property
    def is_verified_by_name(self) -> bool:
        """True if the operator gave a certificate, which clients verify as a browser does."""
        return self._files is not None

    @property
    def context(self) -> ssl.SSLContext:
        """TLS context of the next connection.

        :raises BadCertificate: the key or the certificate is unusable.
        """
        if self._context is None:
            self._load()
        assert self._context is not None
        return self._context

    @property
    def fingerprint(self) -> str:
        """:raises BadCertificate: the key or the certificate cannot be used."""
        if self._context is None:
            self._load()
        return self._fingerprint

    def admits_plain(self, host: str) -> bool:
        """True if a peer at this address may connect without TLS; empty address: the operator exempts the peer."""
        if self.plain is Plain.PRIVATE:
            return not host or is_private(host)
        return self.plain is Plain.ALL

    def reload(self) -> None:
        """Load the files again. If they are unusable, keep the current ones and log it."""
        if self._files is None:
            return
        try:
            self._load()
        except BadCertificate as error:
            log.error("the certificate in use stays: %s", error)
        else:
            log.info("the certificate is loaded again from %s", self._files.certificate)

    def reload_if_changed(self) -> None:
        if self._files is not None and self._context is not None and _state(self._files) != self._state:
            self.reload()

    def _load(self) -> None:
        if self._files is not None:
            self._state = _state(self._files)  # noted first: what changes meanwhile is loaded next time
            self._use(_context(self._files), self._files.certificate)
        elif self._own_key is not None:
            if not self._own_key.exists():
                _write(self._own_key, _made())
                self.is_new = True
            elif sys.platform != "win32" and self._own_key.stat().st_mode & 0o077:
                log.warning("%s can be read by others: its owner should be the only one (chmod 600)", self._own_key)
            self._use(_context(CertificateFiles(self._own_key, self._own_key)), self._own_key)
        else:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "key.pem"
                _write(path, _made())
                self._use(_context(CertificateFiles(path, path)), path)

    def _use(self, context: ssl.SSLContext, certificate: Path) -> None:
        self._context, self._fingerprint = context, _fingerprint_in(certificate)
        self.names = () if self._files is None else _names_in(certificate)


def is_private(host: str) -> bool:
    """True if an address is of this machine or of a local network, not of the internet."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0].partition("/")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return not (mapped or address).is_global


def save_memory() -> None:
    """Have every TLS connection of this process reserve `BUFFER_BYTES` instead of asyncio's 256 KiB."""
    asyncio.sslproto.SSLProtocol.max_size = BUFFER_BYTES  # there is no other way to say it


def limit_unread(transport: asyncio.Transport) -> None:
    """Limit reading ahead on a paused TLS connection to `UNREAD_BYTES`."""
    transport.set_read_buffer_limits(high=UNREAD_BYTES)  # type: ignore[attr-defined]  # only transports with TLS have it


def _context(files: CertificateFiles) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    context.num_tickets = 0  # connections are long, so none is resumed
    try:
        for file in files:
            if not stat.S_ISREG(file.stat().st_mode):
                raise BadCertificate(f"{file} is no regular file, as it must be to be loaded again")
        # Without a password OpenSSL would ask for one at the terminal, and wait.
        context.load_cert_chain(files.certificate, files.key, password=_no_password)
    except ssl.SSLError as error:
        where = str(files.certificate)
        where += "" if files.key == files.certificate else f" and {files.key}"
        reason = (error.reason or "they are not as PEM has them").lower().replace("_", " ")
        raise BadCertificate(f"{where}: no certificate and key that belong together ({reason})") from None
    except _Locked:
        raise BadCertificate(f"{files.key}: the key is encrypted with a password; give a key without one") from None
    except OSError as error:
        raise BadCertificate(f"{files.certificate} or {files.key} cannot be read: {error.strerror}") from None
    return context


class _Locked(Exception):
    """A key is encrypted."""


def _no_password() -> str:
    raise _Locked


def _fingerprint_in(certificate: Path) -> str:
    """Fingerprint of the first certificate in a PEM file, the server's own."""
    try:
        text = certificate.read_text("ascii")
        begin, end = text.index(ssl.PEM_HEADER), text.index(ssl.PEM_FOOTER) + len(ssl.PEM_FOOTER)
        return fingerprint(ssl.PEM_cert_to_DER_cert(text[begin:end]))
    except (OSError, ValueError) as error:
        raise BadCertificate(f"{certificate}: the certificate cannot be read: {reason_of(error)}") from None


def _names_in(certificate: Path) -> tuple[str, ...]:
    from cryptography import x509  # noqa: PLC0415  # as in `_made`

    try:
        found = x509.load_pem_x509_certificates(certificate.read_bytes())[0]
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        return tuple(names.get_values_for_type(x509.DNSName))
    except (OSError, ValueError, x509.ExtensionNotFound):
        return ()


def _state(files: CertificateFiles) -> tuple[object, ...]:
    """Identity of the files. It changes when they, or links to them, are replaced."""
    found: list[object] = []
    for file in files:
        try:
            status = file.stat()
        except OSError:
            found.append(None)
        else:
            found.append((status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size))
    return tuple(found)


def _made() -> bytes:
    """A new key with a self-signed certificate, as PEM."""
    # Loaded late: who has a key never needs them, and they take a tenth of a second.
    from cryptography import x509  # noqa: PLC0415
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "put-server")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_BEGINNING)
        .not_valid_after(_NO_END)
        # A client that trusts only this certificate may verify it by this name.
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("put-server")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ) + certificate.public_bytes(serialization.Encoding.PEM)


def _write(path: Path, data: bytes) -> None:
    """:raises BadCertificate: it cannot be written."""
    try:
        make_private_folder(path.parent)
        replace_private(path, data)
    except OSError as error:
        raise BadCertificate(f"{path} cannot be written: {error.strerror}") from None

"""Greeting of a server when it listens: its address, its key fingerprint, and the command for a friend.

The first line is also for programs, which read the port from it. The first start at a terminal also shows a QR code:
with it a phone opens the page or, without a page, gets the command.
"""

import io
import ipaddress
import shlex
import socket
from collections.abc import Iterator

from put_protocol import DEFAULT_PORT
from put_server.settings import Settings
from put_server.transport.encryption import Encryption, is_private

_ELSEWHERE = "192.0.2.1"
"""An address that no machine has (RFC 5737), to find our own sending address. Nothing is sent."""


def greeting(settings: Settings, port: int, encryption: Encryption | None, *, is_terminal: bool) -> Iterator[str]:
    everywhere = settings.host == "*"
    host = "THIS-MACHINE" if everywhere else _bracketed(settings.host)
    where = f"port {port} of every interface" if everywhere else f"{host}:{port}"
    yield f"{settings.name} listens on {where}. Connect with: put-client {shlex.quote(f'{host}:{port}')}"
    if is_for_this_machine(settings):
        return
    shown = lan_address() if everywhere else None if is_loopback(settings.host) else settings.host
    page = _page_address(settings, shown, port, encryption) if shown is not None else ""
    if page:
        yield f"A friend on this network opens {page} in a browser, on a phone too."
    if encryption is None:
        if shown is not None:
            yield f"A friend on this network types: put-client {_address(shown, port)}"
        yield "Nothing is encrypted (tls = off): others on the network can read cards and take seats."
        return
    if encryption.is_verified_by_name:
        yield "Clients verify its certificate by the host's name, as browsers do."
        return
    yield f"Its key has the fingerprint {encryption.fingerprint}; clients show the same at their first connection."
    if shown is None:
        return
    invitation = f"{_address(shown, port)}#{encryption.fingerprint}"
    yield f"A friend on this network types: put-client '{invitation}'"
    if is_terminal and encryption.is_new:
        yield qr_code(page or invitation)


def qr_code(text: str) -> str:
    """A QR code for a terminal, two modules a character."""
    import segno  # noqa: PLC0415  # shown once in the life of a server

    drawn = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")


def lan_address() -> str | None:
    """This machine's sending address, if it is private; None: there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_ELSEWHERE, 9))
            address = str(probe.getsockname()[0])
        except OSError:  # a network without a way out
            address = ""
    if address and is_private(address) and not is_loopback(address):
        return address
    return next(iter(private_addresses("*")), None)


def private_addresses(host: str) -> list[str]:
    """This machine's private addresses by which others can reach a server on this host."""
    if host != "*":
        return [host] if is_private(host) and not is_loopback(host) else []
    import ifaddr  # noqa: PLC0415  # comes with zeroconf, and is loaded with it

    found = (ip.ip if ip.is_IPv4 else ip.ip[0] for adapter in ifaddr.get_adapters() for ip in adapter.ips)
    return [address for address in map(str, found) if is_private(address) and not is_loopback(address)]


def is_for_this_machine(settings: Settings) -> bool:
    """True if no peer can come from elsewhere, by a proxy neither."""
    return is_loopback(settings.host) and not settings.proxies and not settings.certificate


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _page_address(settings: Settings, host: str, port: int, encryption: Encryption | None) -> str:
    """Address of the page for browsers; empty: there is none."""
    if settings.web == "no" or (encryption is not None and encryption.is_verified_by_name):
        return ""  # where a name is verified, an address is not enough
    is_plain = encryption is None or encryption.admits_plain(host)
    return f"{'http' if is_plain else 'https'}://{_bracketed(host)}:{port}/"


def _address(host: str, port: int) -> str:
    shown = _bracketed(host)
    return shown if port == DEFAULT_PORT else f"{shown}:{port}"


def _bracketed(host: str) -> str:
    """A host in the form used before a port."""
    return f"[{host}]" if ":" in host else host

"""The header that a proxy sends before its peer's bytes: PROXY protocol, versions 1 and 2.

See https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt. A listed proxy must send it: if it were optional, any
client of a proxy could forge an address. With a header without an address (`UNKNOWN`, `LOCAL`) a proxy speaks for
itself, as in a health check.
"""

import ipaddress
import re
import struct
from typing import NamedTuple

from put_server.transport.origins import Address, parse_address

HEADER_BYTES = 536
"""The longest header: version 2 with addresses and 500 bytes of extensions, which are skipped."""

_V1 = b"PROXY "
_V1_BYTES = 107
"""The longest header of version 1, including its line end."""
_V1_LINE = re.compile(rb"PROXY (?:(TCP4|TCP6) (\S+) \S+ \d{1,5} \d{1,5}|UNKNOWN[^\r\n]*)\r\n")
_V2 = b"\r\n\r\n\0\r\nQUIT\n"
_V2_FIXED = 16
_LOCAL, _PROXY = 0x20, 0x21
_SIZES = {1: 4, 2: 16}
"""Bytes of an address by the family of version 2."""


class ProxyHeader(NamedTuple):
    """The peer of a proxy."""

    address: Address | None
    """None: the proxy itself."""
    size: int
    """Bytes of the header."""


def parse_proxy_header(data: bytes) -> ProxyHeader | None:
    """The header at the start of these bytes; None: incomplete.

    :raises ValueError: there is no valid header.
    """
    if data.startswith(_V2[: len(data)]):
        return _version_2(data)
    if data.startswith(_V1[: len(data)]):
        return _version_1(data)
    raise ValueError("no PROXY header")


def _version_1(data: bytes) -> ProxyHeader | None:
    if b"\n" not in data[:_V1_BYTES]:
        if len(data) >= _V1_BYTES:
            raise ValueError("a PROXY header without an end")
        return None
    found = _V1_LINE.match(data)
    if found is None:
        raise ValueError("a PROXY header that cannot be read")
    kind, source = found.groups()
    if kind is None:
        return ProxyHeader(None, found.end())
    address = parse_address(source.decode("ascii"))  # UnicodeDecodeError is a ValueError
    return ProxyHeader(address, found.end())


def _version_2(data: bytes) -> ProxyHeader | None:
    if len(data) < _V2_FIXED:
        return None
    command, family, length = struct.unpack_from(">BBH", data, len(_V2))
    if command not in (_LOCAL, _PROXY):
        raise ValueError("a PROXY header of an unknown version or command")
    size = _V2_FIXED + length
    if size > HEADER_BYTES:
        raise ValueError(f"a PROXY header of {size} bytes, over the limit of {HEADER_BYTES}")
    if len(data) < size:
        return None
    if command == _LOCAL or family >> 4 not in _SIZES:
        return ProxyHeader(None, size)
    width = _SIZES[family >> 4]
    if length < 2 * width + 4:
        raise ValueError("a PROXY header without its addresses")
    packed = data[_V2_FIXED : _V2_FIXED + width]
    return ProxyHeader(parse_address(str(ipaddress.ip_address(packed))), size)

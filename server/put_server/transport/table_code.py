"""The address of a table and its QR code, for who hands it on from a browser."""

import json
import re
from collections.abc import Callable, Iterator

import segno

from put_server.transport.web import Page

ROUTE = re.compile(r"/qr/table/([1-9][0-9]{0,15})")

HOST = re.compile(r"([0-9A-Za-z.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])((?::[0-9]{1,5})?)")
"""A name or an address, and a port: all that is repeated of a request."""

_HERE = re.compile(r"localhost|127(?:\.[0-9]{1,3}){3}|\[::1\]", re.IGNORECASE)
_BORDER = 4
"""Modules around the code, as ISO/IEC 18004 wants them."""


def table_code(host: str, number: str, *, is_encrypted: bool, find_address: Callable[[], str | None]) -> Page | None:
    """The page; None: the request does not say by which host it came. A browser on the server's own machine is told
    the address that others reach it by, where there is one."""
    named = HOST.fullmatch(host)
    if named is None:
        return None
    name, port = named.groups()
    if _HERE.fullmatch(name) and (found := find_address()):
        name = f"[{found}]" if ":" in found else found
    address = f"{'https' if is_encrypted else 'http'}://{name}{port}/table/{number}"
    rows = tuple(segno.make(address, error="m", micro=False).matrix)
    answer = {"address": address, "size": len(rows) + 2 * _BORDER, "path": "".join(_runs(rows))}
    return Page(200, json.dumps(answer).encode(), "application/json", is_kept=True)


def _runs(rows: tuple[bytearray, ...]) -> Iterator[str]:
    """Dark modules that lie beside each other, as pieces of a path in SVG."""
    for y, row in enumerate(rows):
        for run in re.finditer(b"\x01+", bytes(row)):
            length = run.end() - run.start()
            yield f"M{run.start() + _BORDER} {y + _BORDER}h{length}v1h-{length}z"

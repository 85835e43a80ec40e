"""List of recent servers, the latest first: a file with an address a line. Where it cannot be written, it is not."""

from contextlib import suppress

from put_client.arguments import UsageError, parse_address
from put_client.places import state_folder
from put_protocol.text import printable
from put_runtime.private_files import make_private_folder

MOST = 9
"""Servers remembered: one digit chooses any."""

_FILE = "servers"


def recent() -> tuple[str, ...]:
    """Addresses of servers, each once."""
    try:
        lines = (state_folder() / _FILE).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ()
    return tuple(dict.fromkeys(filter(_is_address, lines)))[:MOST]


def remember(server: str) -> None:
    """Put this server first in the list."""
    servers = dict.fromkeys((server, *recent()))
    path = state_folder() / _FILE
    fresh = path.with_suffix(".new")
    with suppress(OSError):
        make_private_folder(path.parent)
        fresh.write_text("".join(f"{server}\n" for server in list(servers)[:MOST]), "utf-8")
        fresh.replace(path)


def _is_address(text: str) -> bool:
    try:
        parse_address(text)
    except UsageError:
        return False
    return printable(text) == text

"""List of recent servers, the latest first: a file with an address a line. Where it cannot be written, it is not."""

from contextlib import suppress

from put_client.arguments import UsageError, parse_address
from put_client.sdk.session_store import directory
from put_protocol.text import printable

MOST = 9
"""At most so many, so that one digit chooses any."""

_FILE = "servers"


def recent() -> tuple[str, ...]:
    """Addresses of servers, each once."""
    try:
        lines = (directory() / _FILE).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ()
    return tuple(dict.fromkeys(filter(_is_address, lines)))[:MOST]


def remember(server: str) -> None:
    """Put this server first in the list."""
    servers = dict.fromkeys((server, *recent()))
    path = directory() / _FILE
    fresh = path.with_suffix(".new")
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh.write_text("".join(f"{server}\n" for server in list(servers)[:MOST]), "utf-8")
        fresh.replace(path)


def _is_address(text: str) -> bool:
    try:
        parse_address(text)
    except UsageError:
        return False
    return printable(text) == text

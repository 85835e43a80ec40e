"""List of recent servers, the latest first: a file with an address a line. Where it cannot be written, it is not."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from put_client.arguments import Place, UsageError, parse_address
from put_client.sdk.errors import address
from put_client.sdk.session_store import directory
from put_protocol import DEFAULT_PORT
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


def choose(servers: Sequence[str], ask: Callable[[str], str], complain: Callable[[str], None]) -> Place:
    """Ask a person for one of these or another address; with none but the local server, do not ask.

    :raises EOFError: the person ended the input.
    """
    home = address("localhost", DEFAULT_PORT)
    offered = tuple(dict.fromkeys((*servers, home)))[:MOST]
    if offered == (home,):
        return parse_address(home)
    question = "".join(
        (
            "Servers you have played at:\n",
            *(f"  {number}  {server}\n" for number, server in enumerate(offered, 1)),
            "A number, or an address [1]: ",
        )
    )
    while True:
        answer = printable(ask(question)).strip() or "1"
        if answer.isascii() and answer.isdecimal():
            if 1 <= int(answer[:2]) <= len(offered):
                return parse_address(offered[int(answer[:2]) - 1])
            complain(f"There is no server {answer[:9]} in the list.")
        else:
            try:
                return parse_address(answer)
            except UsageError as error:
                complain(f"{error}.")
        question = "A number, or an address [1]: "


def _is_address(text: str) -> bool:
    try:
        parse_address(text)
    except UsageError:
        return False
    return printable(text) == text

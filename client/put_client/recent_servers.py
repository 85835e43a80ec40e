"""Recent servers, the latest first, in a file with one address per line; and the last name used. If they cannot be
written, they are not stored."""

from contextlib import suppress

from put_client.arguments import UsageError, parse_address
from put_client.places import state_folder
from put_protocol.text import flaw_of_name, printable
from put_runtime.private_files import make_private_folder, replace_private

MOST = 9
"""Servers to remember: one digit chooses any of them."""

_FILE, _NAME = "servers", "name"


def recent() -> tuple[str, ...]:
    try:
        lines = (state_folder() / _FILE).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ()
    return tuple(dict.fromkeys(filter(_is_address, lines)))[:MOST]


def last_name() -> str:
    """The last name used; empty: unknown."""
    try:
        name = (state_folder() / _NAME).read_text("utf-8").rstrip("\n")
    except (OSError, UnicodeDecodeError):
        return ""
    return "" if flaw_of_name(name) else name


def remember(server: str, name: str) -> None:
    servers = dict.fromkeys((server, *recent()))
    _write(_FILE, "".join(f"{server}\n" for server in list(servers)[:MOST]))
    _write(_NAME, f"{name}\n")


def _write(file: str, text: str) -> None:
    with suppress(OSError):
        make_private_folder(state_folder())
        replace_private(state_folder() / file, text.encode(), is_durable=False)


def _is_address(text: str) -> bool:
    try:
        parse_address(text)
    except UsageError:
        return False
    return printable(text) == text

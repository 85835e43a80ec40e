"""Choice of a server by a person who named none: those on the local network, and those they have played at."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

from put_client.arguments import Place, UsageError, parse_address
from put_client.discovery import CannotLook, Found, look
from put_client.recent_servers import MOST as MOST_RECENT
from put_client.recent_servers import recent
from put_client.sdk.errors import address
from put_client.sdk.known_servers import KnownServers
from put_protocol import DEFAULT_PORT
from put_protocol.text import listed, printable
from put_runtime.words import counted

NOBODY = (
    "No server announces itself on this network. To start one for others: put-server. To play by yourself, from the "
    "folder of the sources: scripts/play."
)

_AGAIN = "r"

_QUESTION = f"A number, or an address, or {_AGAIN} to look again [1]: "


def choose_server(ask: Callable[[str], str], complain: Callable[[str], None], *, searches: bool) -> Place:
    """Look around if that is wanted, and ask a person until they have chosen.

    :raises CannotTrust: the list of known servers cannot be read.
    :raises EOFError: the person ended the input.
    """
    while True:
        found = _search(complain) if searches else ()
        place = choose(found, recent(), ask, complain)
        if place is not None:
            return place


def _search(complain: Callable[[str], None]) -> tuple[Found, ...]:
    complain("looking for servers on this network ...")
    try:
        found = asyncio.run(look())
    except CannotLook as error:
        complain(f"the network cannot be searched: {error}.")
        return ()
    if not found:
        complain(NOBODY)
    return found


def what_else(*, searches: bool) -> str:
    """What somebody can do who found no server where they looked, in sentences."""
    found: tuple[Found, ...] = ()
    if searches:
        with suppress(CannotLook):
            found = asyncio.run(look())
    here = listed([f"{server.name} at {server.address}" for server in found])
    others = f"On this network there is {here}. " if here else ""
    return f"{others}To play by yourself, from the folder of the sources: scripts/play. To start a server: put-server."


def choose(
    found: Sequence[Found],
    servers: Sequence[str],
    ask: Callable[[str], str],
    complain: Callable[[str], None],
    known: KnownServers | None = None,
) -> Place | None:
    """Ask a person for one of these or another address; with none but the local server, do not ask. None: look again.

    A server that says it has a known key is connected to with that key and no other, wherever it is now.

    :raises CannotTrust: the list of known servers cannot be read.
    :raises EOFError: the person ended the input.
    """
    known = KnownServers() if known is None else known
    home = address("localhost", DEFAULT_PORT)
    played_at = tuple(dict.fromkeys((*servers, home)))[:MOST_RECENT]
    if not found and played_at == (home,):
        return parse_address(home)
    keys = [server.fingerprint if server.fingerprint and known.has(server.fingerprint) else "" for server in found]
    places = [Place(server.host, server.port, key) for server, key in zip(found, keys, strict=True)]
    places += map(parse_address, played_at)
    question = "".join((*_shown(found, keys), *_shown_recent(len(found), played_at), _QUESTION))
    while True:
        answer = printable(ask(question)).strip() or "1"
        if answer.casefold() == _AGAIN:
            return None
        if answer.isascii() and answer.isdecimal():
            if 1 <= int(answer[:3]) <= len(places):
                return places[int(answer[:3]) - 1]
            complain(f"There is no server {answer[:9]} in the list.")
        else:
            try:
                return parse_address(answer)
            except UsageError as error:
                complain(f"{error}.")
        question = _QUESTION


def _shown(found: Sequence[Found], keys: Sequence[str]) -> list[str]:
    if not found:
        return []
    width = max(len(server.name) for server in found)
    lines = ["Servers on this network:\n"]
    for number, (server, key) in enumerate(zip(found, keys, strict=True), 1):
        counts = f"{_count(server.tables, 'table')}, {_count(server.people, 'person', 'people')}"
        trust = "you know its key" if key else "new to you" if server.fingerprint else "not encrypted"
        lines.append(f"  {number:>2}  {server.name:{width}}  {counts}, {trust}, {server.address}\n")
    return lines


def _shown_recent(before: int, servers: Sequence[str]) -> list[str]:
    return [
        "Servers you have played at, and this machine:\n",
        *(f"  {number:>2}  {server}\n" for number, server in enumerate(servers, before + 1)),
    ]


def _count(number: int | None, one: str, many: str = "") -> str:
    return f"? {many or one + 's'}" if number is None else counted(number, one, many)

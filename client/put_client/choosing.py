"""Choice of a server by a person who named none: servers on the local network, and servers they have played at."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from put_client import recent_servers
from put_client.arguments import ServerPlace, UsageError, parse_address
from put_client.discovery import MOST, CannotLook, FoundServer, look, prove
from put_client.sdk.errors import address
from put_client.sdk.known_servers import CERTIFICATE, KnownServers
from put_protocol import DEFAULT_PORT
from put_protocol.text import printable
from put_text.catalogue import say

_AGAIN = "r"


def choose_server(ask: Callable[[str], str], complain: Callable[[str], None], *, searches: bool) -> ServerPlace:
    """Search the network if wanted, and ask a person until they have chosen.

    :raises CannotTrust: the list of known servers is unreadable.
    :raises EOFError: the person ended the input.
    """
    while True:
        found = _search(complain) if searches else ()
        place = choose(found, recent_servers.recent(), ask, complain)
        if place is not None:
            return place


def _search(complain: Callable[[str], None]) -> tuple[FoundServer, ...]:
    complain(say("client-looking"))
    try:
        found = asyncio.run(_look())
    except CannotLook as error:
        complain(say("client-cannot-search", error=str(error)))
        return ()
    if not found:
        complain(say("client-no-server"))
    return found


async def _look() -> tuple[FoundServer, ...]:
    return await prove(await look(), KnownServers())


def what_else(*, searches: bool) -> str:
    """Sentences for a player who found no server: what they can do instead."""
    found: tuple[FoundServer, ...] = ()
    if searches:
        with suppress(CannotLook):
            found = asyncio.run(_look())[:MOST]
    here = [say("client-server-at", name=one.name, address=one.address) for one in found if one.is_honest]
    others = [say("client-there-is", servers=here)] if here else []
    return " ".join([*others, say("client-what-else")])


def choose(
    found: Sequence[FoundServer],
    servers: Sequence[str],
    ask: Callable[[str], str],
    complain: Callable[[str], None],
) -> ServerPlace | None:
    """Ask a person for one of these servers or another address, unless only the local server is available. None: search
    again.

    A server that has proved a known key comes first, under its remembered name. The connection then requires that key,
    at any address. A server without encryption, or whose key differs from the announced one, comes last, after this
    machine, so that it is chosen only deliberately.

    :raises CannotTrust: the list of known servers is unreadable.
    :raises EOFError: the person ended the input.
    """
    known = KnownServers()
    home = address("localhost", DEFAULT_PORT)
    played_at = tuple(dict.fromkeys((*servers, home)))[: recent_servers.MOST]
    if not found and played_at == (home,):
        return parse_address(home)
    shown = [
        replace(
            server,
            known_as=known.name_of(server.fingerprint) if server.fingerprint else None,
            has_another=known.get(server.address) not in (None, CERTIFICATE, server.key),
        )
        for server in found
    ]
    shown.sort(key=lambda one: (not one.key, one.known_as is None, _name_of(one).casefold(), one.address))
    honest = [one for one in shown if one.is_safe][:MOST]
    others = [one for one in shown if not one.is_safe][:MOST]
    places = [_place_of(one) for one in honest]
    places += map(parse_address, played_at)
    places += map(_place_of, others)
    before = len(honest) + len(played_at)
    question = "".join(
        (
            *_shown(say("client-servers"), honest, 0),
            f"{say('client-servers-played-at')}\n",
            *(f"  {number:>2}  {server}\n" for number, server in enumerate(played_at, len(honest) + 1)),
            *_shown(say("client-not-safe"), others, before),
            _question(),
        )
    )
    while True:
        answer = printable(ask(question)).strip() or "1"
        if answer.casefold() == _AGAIN:
            return None
        if answer.isascii() and answer.isdecimal():
            if 1 <= int(answer[:3]) <= len(places):
                return places[int(answer[:3]) - 1]
            complain(say("client-not-listed", number=answer[:9]))
        else:
            try:
                return parse_address(answer)
            except UsageError as error:
                complain(f"{error}.")
        question = _question()


def _question() -> str:
    return f"{say('client-which-server', again=_AGAIN)} "


def _name_of(server: FoundServer) -> str:
    return server.known_as if server.known_as and server.is_honest else server.name


def _place_of(server: FoundServer) -> ServerPlace:
    return ServerPlace(server.host, server.port, server.fingerprint if server.known_as else "")


def _trust(server: FoundServer) -> str:
    if not server.key:
        return say("client-not-encrypted")
    if not server.is_honest:
        return say("client-false-key")
    if server.has_another:
        return say("client-other-key")
    return say("client-known-key" if server.known_as else "client-new")


def _shown(head: str, listed: Sequence[FoundServer], before: int) -> list[str]:
    if not listed:
        return []
    width = max(len(_name_of(server)) for server in listed)
    lines = [f"{head}\n"]
    for number, server in enumerate(listed, before + 1):
        counts = f"{_count(server.tables, 'tables')}, {_count(server.people, 'people')}"
        lines.append(f"  {number:>2}  {_name_of(server):{width}}  {counts}, {_trust(server)}, {server.address}\n")
    return lines


def _count(number: int | None, things: str) -> str:
    return say(f"client-some-{things}") if number is None else say(f"screen-lobby-{things}", count=number)

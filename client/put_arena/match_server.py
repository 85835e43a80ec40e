"""The server of a match: started, asked what is played there, and ended."""

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from put_arena.competitors import Competitor, Kind
from put_arena.contest import BadMatch, Rules
from put_arena.schedule import sides_of
from put_client.sdk.client import Client
from put_client.sdk.errors import Refusal
from put_protocol.games.families import family_of
from put_protocol.games.put import PutView
from put_protocol.messages import Events, TableSnapshot
from put_protocol.text import printable
from put_runtime.child_process import PUT_SERVER, CannotStart, ChildProcess, port_in, running

START_SECONDS = 20.0
"""Limit for a server to listen; it takes a fraction of a second."""

PROBE_SECONDS = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchServer:
    """The server of a match, and its rules for players."""

    host: str
    port: int
    turn: int
    """Seconds for a decision."""
    late: int
    """Turns that may not all run out in a row."""
    slow: float
    """Seconds to wait before each move."""


@asynccontextmanager
async def serving(host: str, seed: int, port: int = 0) -> AsyncIterator[tuple[str, int]]:
    """A put-server that repeats its packs; yields the host and port where it can be reached from here. The port is the
    one given if that is free, so that spectators come back to it.

    :raises CannotStart: it did not begin to listen.
    """
    words = [*PUT_SERVER, "--host", host, "--port", str(_free(host, port)), "--data", ":memory:"]
    words += ["--seed", "-", "--drain-seconds", "0", "--log-level", "error", "--name", "The arena"]
    words += ["--at-eof", "stop"]  # so that it goes too when we are killed
    words += ["--exempt", "127.0.0.1 ::1"]  # all players come from this machine
    words += ["--name-days", "0"]  # a bot that starts again has lost its token
    words += ["--news-ms", "0"]  # results are read from the purses in the news
    async with running(words) as process:
        process.stdin.write(f"{seed}\n".encode())
        said = b""
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                said = await process.stdout.readline()
        found = port_in(said.decode(errors="replace"))
        if found is None:
            await process.read_rest()
            raise CannotStart("put-server", last_line(process) or "it says nothing")
        process.discard_output()
        yield ("127.0.0.1" if host in ("*", "0.0.0.0", "localhost") else host), found


def _free(host: str, port: int) -> int:
    """This port, or 0 if it is taken."""
    try:
        socket.create_server(("" if host == "*" else host, port)).close()
    except OSError:
        return 0
    return port


def last_line(process: ChildProcess) -> str:
    """The last line of its standard error that is not empty, fit to be shown."""
    lines = [printable(line).strip() for line in process.stderr.lines]
    return next((line for line in reversed(lines) if line), "")


async def probe(client: Client, rules: Rules, competitors: Sequence[Competitor]) -> tuple[tuple[int, ...], bool]:
    """Open a table of house players to learn the side of each seat, whether the game has no winner, and whether the
    server has such tables.

    :raises BadMatch: it has not.
    """
    offered = {offer.name: min(offer.seats) for offer in client.welcome.games}
    seats = rules.seats or offered.get(rules.game, 2)
    try:
        table = await client.open_table(rules.game, seats=seats, options=rules.options, turn=rules.turn)
        for competitor in competitors:
            known = [offer.name for offer in client.welcome.houses]
            if competitor.kind is Kind.HOUSE and competitor.what not in known:
                raise BadMatch(f"there is no house player {competitor.what!r}; there are {', '.join(known)}")
        await client.watch(table)
        for seat in range(seats):
            await client.invite(table, seat)
    except Refusal as refusal:
        raise BadMatch(f"{rules.game} cannot be played so: {refusal.says}") from None
    async with asyncio.timeout(PROBE_SECONDS):
        async for message in client:
            if isinstance(message, Events | TableSnapshot) and message.view is not None:
                await client.leave(table)
                sides = message.view.sides if isinstance(message.view, PutView) else ()
                return sides_of(seats, sides), not family_of(message.view).has_winner
    raise AssertionError("a client's messages end with an error")

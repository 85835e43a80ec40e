"""Whole games by somebody who has nothing but the sentences, in line mode and on a typed connection: no events, no
views, no rules. Every sentence is understood, every answer taken, and the books kept by ear are right.
"""

import asyncio
import os
import re
from collections.abc import Iterable, Mapping, Sequence

import pytest

from put_client.line.line_mode import run
from put_client.sdk.client import Client
from put_rules.registry import GAMES
from put_server.settings import Settings
from tests.client.listener import Listener
from tests.client.purse_listeners import PrimeroListener, TriompheListener
from tests.client.put_listener import PutListener
from tests.known_games import KNOWN
from tests.repetitions import TURN
from tests.serving import serving

BACKSTOP_S = 25
"""For a whole game: never waited out by one that ends."""

SETTINGS = Settings(host="127.0.0.1", port=0, data=":memory:", seed=1674)

LISTENERS: Mapping[str, type[Listener]] = {
    "put": PutListener,
    "triomphe": TriompheListener,
    "primero": PrimeroListener,
}
"""Listeners by family. For a family without one it is not shown that its sentences are enough."""

HEARD_BLIND = ("put-1674", "put-partners", "triomphe-forcee", "primero")
"""Rule sets whose deals are told of in different ways: by who may read which cards, and when."""

SHORT = {"hands": 2, "target": 3, "pack": 28}
"""Options by which a game is short, where it has them."""

HEARD = tuple(name for name, rule_set in GAMES.items() if rule_set.offer.family in LISTENERS)


def every_table(games: Iterable[str]) -> pytest.MarkDecorator:
    """Each of these rule sets for the fewest seats and the most."""
    tables = [
        (game, seats)
        for game in games
        for seats in sorted({*GAMES[game].offer.seats[:1], *GAMES[game].offer.seats[-1:]})
    ]
    return pytest.mark.parametrize(("game", "seats"), tables)


def opening(game: str, seats: int) -> Sequence[str]:
    """What is typed for a table full of house players, at a short game."""
    known = {option.name for option in GAMES[game].offer.options}
    short = "".join([f" {name}={value}" for name, value in SHORT.items() if name in known])
    return (f"open {game} {seats}{short}", *["invite"] * (seats - 1))


@every_table(name for name in HEARD if name in KNOWN)
async def test_game_is_played_with_nothing_but_the_sentences(game: str, seats: int) -> None:
    """Every sentence is understood, every answer taken, the books are right, and the game comes to its end. Tables of
    the fewest are dealt blind, where that is possible; in the suite only those of `HEARD_BLIND`."""
    reading, writing = os.pipe()
    listener = LISTENERS[GAMES[game].offer.family]
    is_plain = seats > min(GAMES[game].offer.seats) or game not in (HEARD if TURN else HEARD_BLIND)
    typed, *invites = opening(game, seats)
    typed += " dealing=plain" if is_plain else ""
    reader = listener((typed, *invites), lambda line: os.write(writing, f"{line}\n".encode()))
    async with (
        asyncio.timeout(BACKSTOP_S),
        serving(SETTINGS, thinks=False) as server,
        await Client.connect("127.0.0.1", server.port, name="Moll") as client,
    ):
        await run(client, descriptor=reading, say=reader.hear)
    os.close(writing)  # the other end stays the reading thread's
    assert reader.is_over
    assert reader.checks
    is_blind = not any("The server deals alone" in said for said in reader.heard)
    assert not (is_plain and is_blind)
    assert any("not proved" in said for said in reader.heard) != is_blind
    assert any(re.fullmatch(r"(Both|All \d+) deals so far were proved\.", said) for said in reader.heard) == is_blind


@every_table(HEARD)
async def test_game_is_played_on_a_bare_line(game: str, seats: int) -> None:
    """The same with no client at all: a socket, and the words of whoever calls by `nc`."""
    async with asyncio.timeout(BACKSTOP_S), serving(SETTINGS, thinks=False) as server:
        lines, writer = await asyncio.open_connection("127.0.0.1", server.port)
        # No more doubts than a person may have at once: lines that ask for nothing are counted, moves are not.
        listener = LISTENERS[GAMES[game].offer.family]
        reader = listener(opening(game, seats), lambda line: writer.write(f"{line}\n".encode()), doubts=40)
        writer.write(b"name Moll\n")
        while line := await lines.readline():
            reader.hear(line.decode().removesuffix("\n"))
        writer.close()
        await writer.wait_closed()
    assert reader.heard[-1] == "Goodbye."
    assert reader.is_over
    assert reader.checks
    assert any(re.match(r"\w+ deals? hand \d+, ", said) for said in reader.heard)
    assert sum(said.startswith("No deal here is proved to you: ") for said in reader.heard) == 1

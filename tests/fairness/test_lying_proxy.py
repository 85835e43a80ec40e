"""A proxy that lies on the wire: each client tells its player at once, and plays no more."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from put_client import play
from put_client.sdk.deal_checks import CheckFailed
from put_client.sdk.errors import Cheated
from put_protocol.messages import Events
from tests.client.checking_players import Calm, Noting, close, guest, house, soon
from tests.client.relay import Relay, relaying
from tests.client.test_cli import start
from tests.fairness.lies import GAMES, LIES, Liar, Lie
from tests.fairness.typist import Typist

NAMES = (
    "a fresh deal without an accident",
    "a lost game when the cards are seen",
    "another takes the trick",
    "other scores",
    "you gave up",
    "an option changes",
    "a hand is shown that was not dealt",
    "other scores are shown",
)
"""Lies about the game `put`, which every table of it meets soon."""

SOME = [lie for lie in LIES if lie.name in NAMES and lie.game == "put"]
CAUGHT = "The dealer was caught: nothing more is played here."


@asynccontextmanager
async def lied_to(lie: Lie) -> AsyncIterator[tuple[Relay, int]]:
    """A proxy that tells this lie, and a table at which an honest bot waits."""
    async with house() as server, relaying(server.port) as relay:
        relay.alter = Liar(lie)
        nan = await guest(server, "Nan", checked=False)
        table = await nan.open_table(GAMES[lie.game].rules)  # dealt blind: Moll keeps her key
        playing = asyncio.ensure_future(play(Calm(1, 0.2), nan, table=table, games=9))
        yield relay, table
        playing.cancel()
        await asyncio.wait([playing])
        await close(nan)


@pytest.mark.parametrize("lie", SOME, ids=str)
async def test_bot_is_told_of_a_lie(lie: Lie) -> None:
    """By an error with the sentence, and nothing of the lie is delivered as a view."""
    async with lied_to(lie) as (relay, table):
        moll = await Noting.connect("127.0.0.1", relay.port, name="Moll", is_bot=True, waits=soon)
        with pytest.raises(Cheated, match=lie.says):
            await play(Calm(0, 0.2), moll, table=table, games=9)
        (broken,) = moll.all_of(CheckFailed)
        place = moll.noted.index(broken)
        assert all(message.view is None for message in moll.noted[place:] if isinstance(message, Events))
        await close(moll)


@pytest.mark.parametrize("lie", SOME[:2], ids=str)
async def test_line_mode_tells_of_a_lie(lie: Lie) -> None:
    """In the same words, and takes no more moves."""
    async with lied_to(lie) as (relay, table):
        run = await start(f"127.0.0.1:{relay.port}", "--line", "--name", "Moll", "--table", str(table))
        typist = Typist(run.process, re.escape(CAUGHT))
        typing = asyncio.ensure_future(typist.play())
        await typist.has_heard.wait()
        await typist.end()
        await typing
    assert any(re.search(lie.says, sentence) for sentence in typist.said)

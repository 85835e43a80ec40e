"""Lies that a server tells of honest games: each is told of at once, and nothing is where there is none."""

import re
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from put_client.fairness.recorded import read_lines
from put_client.sdk.deal_checks import News, SealBroken
from put_protocol.messages import Events
from put_protocol.seal.findings import Failure, Fault
from tests.fairness.lies import GAMES, LIES, Liar, Lie
from tests.fairness.streams import Passed, record, tell

pytestmark = pytest.mark.asyncio(loop_scope="module")

MOST = 40
"""Recordings of a game, until it has what a lie is about."""

Streams = dict[str, list[tuple[Passed, ...]]]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def streams() -> AsyncIterator[Streams]:
    """Those of each game that were recorded so far."""
    yield {name: [] for name in GAMES}


async def told(lie: Lie, streams: Streams) -> tuple[int, list[tuple[int, News]]]:
    """The number of the message with the lie, and the news of the checks, of the first game that it fits."""
    known = streams[lie.game]
    for attempt in range(MOST):
        if attempt == len(known):
            known.append(await record(GAMES[lie.game]))
        liar = Liar(lie)
        news = list(tell(known[attempt], liar))
        if liar.lied:
            return attempt, news
    raise AssertionError("it fits none of the games")


@pytest.mark.parametrize("lie", LIES, ids=str)
async def test_lie_is_told_of_at_once(lie: Lie, streams: Streams) -> None:
    """In words that say what is wrong, and nothing more is checked."""
    _, news = await told(lie, streams)
    broken = [one for _, one in news if isinstance(one, SealBroken)]
    assert len(broken) == 1, "it is told of once"
    assert re.search(lie.says, str(broken[0].error)), str(broken[0].error)


@pytest.mark.parametrize("name", GAMES)
async def test_honest_game_is_no_alarm(name: str, streams: Streams) -> None:
    """Whatever is played, watched or dealt again."""
    stream = await record(GAMES[name])
    streams[name].append(stream)
    assert [one for _, one in tell(stream) if isinstance(one, SealBroken)] == []
    assert any(isinstance(passed, Events) for passed in stream)


@pytest.mark.parametrize("lie", LIES, ids=str)
async def test_evidence_of_a_lie_is_found_again(lie: Lie, streams: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    """`put-verify` finds in the file what the client found, and the other verifier reads it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(Path(tempfile.mkdtemp())))
    _, news = await told(lie, streams)
    (broken,) = [one for _, one in news if isinstance(one, SealBroken)]
    assert broken.error.evidence is not None
    lines = broken.error.evidence.read_bytes().splitlines()
    (viewer,) = read_lines(lines)
    found = [failure.says for failure in viewer.witnessed.verdict().failures]
    first = broken.error.failures[0]
    is_view = isinstance(first, Failure) and first.fault is Fault.VIEW  # which the rules show in other words
    assert found if is_view else first.says in found

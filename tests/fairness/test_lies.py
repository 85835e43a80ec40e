"""Lies that a server tells of honest games: every client tells of each at once, and of nothing where there is none."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from put_client.fairness import replay
from put_client.fairness.verify import read_lines
from put_client.sdk.deal_checks import CheckFailed, DealChecked, ProofStanding
from put_client.sdk.errors import Cheated
from put_protocol.messages import Decision, Events, Notice, ServerMessage, TableSnapshot
from put_protocol.seats import GALLERY
from tests.fairness.lies import GAMES, LIES, Liar, Lie
from tests.fairness.retelling import retold, words_of
from tests.fairness.streams import Passed, is_of_server, recorded, tell
from tests.repetitions import TURN

pytestmark = pytest.mark.asyncio(loop_scope="module")

MOST = 40
"""Recordings of a game, until it has what a lie is about."""

ENOUGH = 40
"""Guesses of a client in the suite; no lie of `LIES` needs one of the two thousand that it has to be explained."""

CAUGHT = "The dealer was caught: nothing more is played here."


async def stream_for(lie: Lie) -> tuple[Passed, ...]:
    """The first game that a lie fits."""
    for attempt in range(MOST):
        stream = await recorded(GAMES[lie.game], attempt)
        liar = Liar(lie)
        for passed in stream:
            if is_of_server(passed):
                liar(passed)
        if liar.lied:
            return stream
    raise AssertionError("it fits none of the games")


@pytest.mark.parametrize("lie", LIES, ids=str)
async def test_every_client_tells_of_a_lie_at_once(lie: Lie, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In words that say what is wrong: a bot by an error, line mode in sentences, the screen on its page. Nothing of
    the lie is drawn, and no more is played. `put-verify` finds the same in the evidence."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(replay, "GUESSES", replay.GUESSES if TURN else ENOUGH)
    told = await retold(await stream_for(lie), GAMES[lie.game], Liar(lie))
    assert told.by_bot is not None, "it is told of by the message that has it"
    says = str(told.by_bot)
    assert re.search(lie.says, says), says
    (at,) = [at for at, message in enumerate(told.messages) if isinstance(message, CheckFailed)]
    assert all(message.view is None for message in told.messages[at:] if isinstance(message, Events))
    assert told.acts == 0
    first = told.by_bot.failures[0].says
    assert CAUGHT in told.by_line_mode
    assert any(first in sentence for sentence in told.by_line_mode)
    assert words_of(first) in told.on_screen, told.on_screen
    check_evidence(told.by_bot)


async def test_lie_is_not_forgotten_when_the_table_is_shown_from_another_place() -> None:
    """A snapshot for another viewer begins no new table."""
    lie = next(one for one in LIES if one.name == "other scores")
    stream, liar = await stream_for(lie), Liar(lie)
    info = next(passed.info for passed in stream if isinstance(passed, TableSnapshot))

    def tells(message: ServerMessage) -> Iterable[ServerMessage]:
        first = not liar.lied
        told = tuple(liar(message))
        if first and liar.lied and isinstance(message, Events):
            return (*told, TableSnapshot(message.table, GALLERY, message.first + len(message.events) - 1, info))
        return told

    news = [one for _, one in tell(stream, tells)]
    at = next(at for at, one in enumerate(news) if isinstance(one, CheckFailed))
    after = [one.standing for one in news[at + 1 :] if isinstance(one, DealChecked)]
    assert after
    assert set(after) == {ProofStanding.BROKEN}


def check_evidence(error: Cheated) -> None:
    first = error.failures[0]
    is_view = first.says.startswith("The table was shown otherwise")  # which the rules show in other words
    assert error.evidence is not None
    (viewer,) = read_lines(error.evidence.read_bytes().splitlines())
    found = [failure.says for failure in viewer.verdict().failures]
    assert found if is_view else first.says in found


@pytest.mark.parametrize("name", GAMES)
async def test_honest_game_is_no_alarm(name: str) -> None:
    """Whatever is played, watched or dealt again."""
    stream = await recorded(GAMES[name])
    assert [one for _, one in tell(stream) if isinstance(one, CheckFailed)] == []
    assert any(isinstance(passed, Events) for passed in stream)


def in_other_words(message: ServerMessage) -> tuple[ServerMessage, ...]:
    """Every question and each of its choices in words of another."""
    if not isinstance(message, Events) or message.decision is None:
        return (message,)
    legal = tuple([replace(choice, says=LIED) for choice in message.decision.legal])
    return (replace(message, decision=replace(message.decision, legal=legal, asks=LIED, why=LIED)),)


def with_notices(message: ServerMessage) -> tuple[ServerMessage, ...]:
    """A notice before every message of the table."""
    return (Notice(LIED), message) if isinstance(message, Events) else (message,)


LIED = "All deals so far were proved, and you throw in."


@pytest.mark.parametrize("name", ["put", "stages", "partners", "truc", "triomphe", "primero"])
async def test_words_of_the_server_are_never_those_of_the_client(name: str) -> None:
    """A question and its choices are told in the client's own; what the operator says, as theirs."""
    stream = await recorded(GAMES[name])
    told = await retold(stream, GAMES[name], in_other_words, stops=False)
    assert told.by_bot is None
    asked = [message for message in told.messages if isinstance(message, Decision)]
    assert len(asked) > 2
    for decision in asked:
        said = [decision.asks, decision.why, *[choice.says for choice in decision.legal]]
        assert LIED not in said
        assert all(said)
    assert not any(LIED in sentence for sentence in told.by_line_mode)
    told = await retold(stream, GAMES[name], with_notices, stops=False)
    assert {sentence for sentence in told.by_line_mode if LIED in sentence} == {f"The operator says: {LIED}"}

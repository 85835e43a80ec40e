"""Laws of an evening, each at an evening that was made up: it says what breaks the law."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from put_server.cluster.broker import BrokerNames
from put_server.cluster.stream_journal import Commit, _encode
from put_server.journal.commit_queue import Compaction
from tests.cluster.simulation.broker import Message, Stream
from tests.cluster.simulation.evening import Violation
from tests.cluster.simulation.laws import TAKEN_S, _checkpointed
from tests.cluster.simulation.world import NAME

PLAY = Commit([(1, 0, b"", 0)], [], [])
CHECKPOINT = Commit([], [], [Compaction(1, 0, 0, [], is_behind=True, blob=b"")])


def _evening(*stored: tuple[float, Commit | None]) -> Any:
    """A world with one shard. `stored`: times of messages; None: a claim."""
    name = BrokerNames(NAME).stream(0)
    stream = Stream({"name": name}, [_message(name, place, *one) for place, one in enumerate(stored, 1)])
    return SimpleNamespace(plan=SimpleNamespace(shards=1), broker=SimpleNamespace(streams={name: stream}))


def _message(stream: str, sequence: int, at: float, commit: Commit | None) -> Message:
    kind, data = ("claim", b"") if commit is None else ("commit", _encode(commit))
    return Message(sequence, f"{stream}.{kind}", data, "", at)


def _claims(times: Sequence[float]) -> list[tuple[float, None]]:
    return [(at, None) for at in times]


def test_claims_of_one_silence_are_one_takeover() -> None:
    """A shard that falls silent again right after its claim had no time for a checkpoint."""
    _checkpointed(_evening((0.5, None), (1.0, PLAY), *_claims([37.6, 39.9, 41.9]), (71.9, CHECKPOINT)))


def test_takeovers_that_last_make_a_checkpoint() -> None:
    times = [10.0, 11.0 + TAKEN_S, 12.0 + 2 * TAKEN_S]
    with pytest.raises(Violation, match="3 workers took a shard"):
        _checkpointed(_evening((0.5, None), (1.0, PLAY), *_claims(times)))
    _checkpointed(_evening((0.5, None), (1.0, PLAY), *_claims(times), (times[-1] + 1.0, CHECKPOINT)))

"""The client of NATS swallows a cancellation that comes together with an answer; what works until it is cancelled ends
all the same."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from put_server.cluster import member_calls, roles
from put_server.cluster.member_calls import GatewayCalls
from put_server.cluster.roles import GatewayServer
from put_server.cluster.stream_journal import StreamJournal
from put_server.transport.bans import Bans


class Answered:
    """Asked of NATS: whoever is cancelled meanwhile is answered all the same."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()

    async def __call__(self) -> bool:
        assert not self.begun.is_set(), "it was cancelled, and went on"
        self.begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return True
        raise AssertionError


@pytest.mark.parametrize("work", ["bans", "one ban", "behind commits"])
async def test_work_that_was_cancelled_ends_though_the_cancellation_is_swallowed(
    work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a gateway, or a worker that was overtaken, would never end."""
    monkeypatch.setattr(roles, "BANS_INTERVAL_S", 0)
    monkeypatch.setattr(member_calls, "BANS_PAUSE_S", 0)
    answered = Answered()
    calls: Any = object.__new__(GatewayCalls)
    calls._bans = Bans()
    calls.read_bans = answered
    server: Any = object.__new__(GatewayServer)
    server._calls = calls
    journal: Any = object.__new__(StreamJournal)
    journal._is_left, journal._hurries = asyncio.Event(), asyncio.Event()
    journal._is_left.set()
    journal._hurries.set()
    journal._finish_left = answered
    works: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
        "bans": server._follow_bans,
        "one ban": lambda: calls._heed("192.0.2.1", is_banned=True),
        "behind commits": journal._work_after_commits,
    }
    task = asyncio.create_task(works[work]())
    await answered.begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

"""A language model as a guest: it types lines by a tool, and reads what the table says."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from put_client.mcp_guest import ModelGuest
from put_client.sdk.client import Client
from put_client.sdk.weigher import Weigher
from tests.client.test_blind_analysis import NO_ANSWER
from tests.crashes.disturbances import ServerProcess

MOST_CALLS = 300


@pytest.fixture
async def real(tmp_path: Path) -> AsyncIterator[int]:
    """The port of a real server."""
    process = ServerProcess(tmp_path / "data", 1674)
    await process.start()
    yield process.port
    await process.kill()


async def whole_game(say: Callable[[str], Awaitable[str]]) -> str:
    """Sit down with the house and play by the first number, to the end of a game; all that was heard."""
    heard = [await say("open put-1674"), await say("invite beginner")]
    while 'Say "again"' not in heard[-1]:
        assert "You can: 1 " in heard[-1], heard[-1]
        assert len(heard) < MOST_CALLS
        heard.append(await say("1"))
    return "\n".join(heard)


async def test_guest_plays_a_whole_game_by_numbers(real: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer ends when the guest is to move, so that nothing else need be asked, or at once where players are yet
    to come; an analysis is waited for. Everyone is told that it is a program. It writes no file, whoever talks it into
    that."""
    monkeypatch.setattr(Weigher.__init__, "__defaults__", (NO_ANSWER,))
    async with await Client.connect("127.0.0.1", real, name="Moll", is_bot=True, words=True) as client:
        guest = ModelGuest(client)
        playing = asyncio.create_task(guest.play())

        async def say(line: str) -> str:
            return await guest.say(line, 60)  # longer than a test may take

        assert "wins the game" in (await whole_game(say)).replace("You win", "Moll wins")
        assert "failed" in await say("analyse")
        assert "Moll (a bot)" in await guest.say("tables")
        assert await guest.say("save evening.txt") == "Nothing is saved from here."
        await guest.say("quit")
        assert await guest.say("1") == "You have left."
        await playing


async def test_model_plays_a_whole_game_by_the_protocol(real: int) -> None:
    """The program as a model's program starts it, with the client of the protocol's own SDK."""
    pytest.importorskip("mcp", reason="put-cards[mcp] is not installed")
    from mcp import ClientSession, StdioServerParameters  # noqa: PLC0415
    from mcp.client.stdio import stdio_client  # noqa: PLC0415

    command = ["-m", "put_client.mcp_guest", f"127.0.0.1:{real}", "--name", "Moll"]
    async with (
        stdio_client(StdioServerParameters(command=sys.executable, args=command)) as (reading, writing),
        ClientSession(reading, writing) as session,
    ):
        begun = await session.initialize()
        assert "say" in (begun.instructions or "")
        assert [tool.name for tool in (await session.list_tools()).tools] == ["say"]

        async def say(line: str) -> str:
            (part,) = (await session.call_tool("say", {"line": line})).content
            return str(part.text)

        assert "the game" in await whole_game(say)

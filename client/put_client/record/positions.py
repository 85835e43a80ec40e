"""Sources of positions to practise on, which also judge the answers: a process beside this one, or a server."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeVar

import msgspec

from put_client.sdk.client import Client
from put_client.sdk.errors import ClientError, Unanswered
from put_client.sdk.lasting_wire import ConnectionBack
from put_protocol.games.unions import Action
from put_protocol.messages import Drill, Grade, Judgement, Position, Refused
from put_protocol.text import sentence
from put_runtime.child_process import CannotStart, ChildProcess
from put_text.catalogue import LANGUAGE, say

COMMAND: Final = (sys.executable, "-m", "put_server.analysis.practice_program")
"""The process; behind it comes the language of its answers."""

WAIT_S: Final = 90.0
"""Patience for a position or a judgement: a server computes one after another, and others may be before us."""

M = TypeVar("M", Position, Judgement)

_Answer = Position | Judgement | Refused

_answer_of: Callable[[bytes], _Answer] = msgspec.json.Decoder(_Answer).decode


class NothingToPractise(Exception):
    """There is no position now; the message is a sentence."""


class Positions(Protocol):
    """:raises NothingToPractise: by both, if there is no answer."""

    async def position(self, game: str) -> Position: ...
    async def judgement(self, game: str, number: int, action: Action) -> Judgement: ...
    async def end(self) -> None:
        """Nothing more is wanted. May be called again."""


class PracticeProcess:
    """Positions of a process that has the solutions, and needs no server. It starts when it is first asked."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        self._command = command
        self._process: ChildProcess | None = None

    async def position(self, game: str) -> Position:
        return await self._ask(Drill(1, game), Position)

    async def judgement(self, game: str, number: int, action: Action) -> Judgement:
        return await self._ask(Grade(1, game, number, action), Judgement)

    async def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stdin.close()
            await process.end(terminate_s=0)

    async def _ask(self, request: Drill | Grade, kind: type[M]) -> M:
        try:
            if self._process is None:
                self._process = await ChildProcess.start((*self._command, LANGUAGE.get()))
            self._process.stdin.write(msgspec.json.encode(request) + b"\n")
            await self._process.stdin.drain()
            answer = _answer_of(await self._process.stdout.readuntil(b"\n"))
        except (CannotStart, OSError, EOFError, ValueError, msgspec.DecodeError):
            await self.end()
            raise NothingToPractise(say("record-no-solutions")) from None
        if isinstance(answer, Refused):
            raise NothingToPractise(sentence(answer.says))
        if answer.flaw or not isinstance(answer, kind):
            raise NothingToPractise(sentence(answer.flaw or "there is no such position"))
        return answer


class ServerPositions:
    """Positions of the server that a client is connected to. No other task may iterate over the client meanwhile."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def position(self, game: str) -> Position:
        return await self._ask(lambda: self._client.drill(game), Position)

    async def judgement(self, game: str, number: int, action: Action) -> Judgement:
        return await self._ask(lambda: self._client.grade(game, number, action), Judgement)

    async def _ask(self, ask: Callable[[], Awaitable[int]], kind: type[M]) -> M:
        try:
            answer = await self.next(ask, kind)
        except ClientError as error:
            raise NothingToPractise(str(error)) from None
        if answer.flaw:
            raise NothingToPractise(sentence(answer.flaw))
        return answer

    async def end(self) -> None:
        pass  # the caller owns the connection

    async def next(self, ask: Callable[[], Awaitable[int]], kind: type[M]) -> M:
        """The message that follows a request. The request is made again if the connection dropped meanwhile, because
        the message may have been lost; making it twice does no harm.

        :raises ClientError: the request is refused, or nothing followed in time.
        :raises NothingToPractise: the connection was closed.
        """
        try:
            async with asyncio.timeout(WAIT_S):
                request = await ask()
                async for message in self._client:
                    if isinstance(message, ConnectionBack):
                        request = await ask()
                    elif isinstance(message, kind) and message.id == request:
                        return message
        except TimeoutError:
            raise Unanswered(kind.__name__.casefold(), say("record-nothing-came", seconds=round(WAIT_S))) from None
        raise NothingToPractise(say("record-closed"))

"""Weigher: has games that the server could not see weighed by a process of this machine, which has the solutions.

Laws: a game that is given to it is answered, by its whole analysis or by the reason why there is none. Only what the
player saw goes to the process. Games are weighed one after another, each by a process of its own, which ends with its
answer, after `PATIENCE_S`, or with the client.
"""

import asyncio
import sys
from collections.abc import Callable
from typing import Final

import msgspec

from put_protocol.analysis import WeighGame
from put_protocol.messages import Analysis, Refused
from put_protocol.text import clause
from put_runtime.child_process import CannotStart, running
from put_text.catalogue import LANGUAGE, say

COMMAND: Final = (sys.executable, "-m", "put_server.analysis.practice_program")
"""The process; behind it comes the language of its answers."""

PATIENCE_S: Final = 120.0
"""Time for a game: many times what a long one takes on a slow machine."""

WAITING: Final = 16
"""Games that wait at once; of more, some are not weighed."""

MOST_BYTES: Final = 16 * 1024 * 1024
"""Bytes of an answer: a hundred times that of a long game."""

CHUNK: Final = 64 * 1024

_answer_of: Callable[[bytes], Analysis | Refused] = msgspec.json.Decoder(Analysis | Refused).decode


class Weigher:
    def __init__(self, deliver: Callable[[Analysis], None], command: tuple[str, ...] = COMMAND) -> None:
        """`deliver`: takes the answers. The caller must call `end`."""
        self._deliver = deliver
        self._command = command
        self._turn = asyncio.Lock()
        self._tasks: dict[tuple[int, int], asyncio.Task[None]] = {}
        """Games that wait or are being weighed, by their tables and numbers."""

    def weigh(self, game: WeighGame) -> None:
        """Have a game weighed, unless it is already to be. Does not wait."""
        key = (game.table, game.number)
        if key in self._tasks:
            return
        if len(self._tasks) >= WAITING:
            self._deliver(_without(game, say("refused-analysis-full")))
            return
        task = asyncio.create_task(self._answer(game), name=f"analysis {game.table}-{game.number}")
        self._tasks[key] = task
        task.add_done_callback(lambda _: self._tasks.pop(key))

    async def end(self) -> None:
        """Weigh nothing more, and end the process. May be called again."""
        tasks = [*self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _answer(self, game: WeighGame) -> None:
        async with self._turn:
            answers = await weighed(game, self._command)
        for answer in answers:
            self._deliver(answer)


async def weighed(game: WeighGame, command: tuple[str, ...] = COMMAND) -> tuple[Analysis, ...]:
    """The analysis of a game, or one with a flaw."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await _answered((*command, LANGUAGE.get()), game)
    except CannotStart:
        return (_without(game, say("client-no-solutions")),)
    except (OSError, ValueError, msgspec.DecodeError):  # TimeoutError is an OSError
        return (_without(game, say("refused-analysis-lost")),)


async def _answered(command: tuple[str, ...], game: WeighGame) -> tuple[Analysis, ...]:
    """The answer of a process to a game.

    :raises CannotStart: it cannot be started.
    :raises OSError: it is gone.
    :raises ValueError: its answer is none to this game, or too long.
    """
    async with running(command) as process:
        process.stdin.write(msgspec.json.encode(game) + b"\n")
        await process.stdin.drain()
        process.stdin.close()
        lines = bytearray()
        while data := await process.stdout.read(CHUNK):
            lines += data
            if len(lines) > MOST_BYTES:
                raise ValueError
    answers: list[Analysis] = []
    for answer in map(_answer_of, bytes(lines).splitlines()):
        if isinstance(answer, Refused):
            return (_without(game, clause(answer.says)),)
        if (answer.table, answer.game, answer.seat) != (game.table, game.number, game.seat):
            raise ValueError
        answers.append(answer)
    if not answers or sum(len(one.reviewed) for one in answers) != answers[0].decisions:
        raise ValueError
    return tuple(answers)


def _without(game: WeighGame, flaw: str) -> Analysis:
    return Analysis(game.table, game.number, game.seat, flaw=flaw)

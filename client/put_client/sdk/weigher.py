"""Analysis of games that the server could not see, by a local process with the solutions.

Laws: each game gets an answer: its complete analysis, or a reason why there is none. The process gets only what the
player saw. Games are analysed one after another, each in a new process, which ends after its answer, after
`PATIENCE_S`, or with the client.
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
"""Command of the process, without the language of its answers, which is appended."""

PATIENCE_S: Final = 120.0
"""Time limit of a game: many times that of a long game on a slow machine."""

WAITING: Final = 16
"""Most waiting games; further ones are not analysed."""

MOST_BYTES: Final = 16 * 1024 * 1024
"""Most bytes of an answer: a hundred times that of a long game."""

CHUNK: Final = 64 * 1024

_answer_of: Callable[[bytes], Analysis | Refused] = msgspec.json.Decoder(Analysis | Refused).decode


class Weigher:
    def __init__(self, deliver: Callable[[Analysis], None], command: tuple[str, ...] = COMMAND) -> None:
        """`deliver`: gets the answers. The caller must call `end`."""
        self._deliver = deliver
        self._command = command
        self._turn = asyncio.Lock()
        self._tasks: dict[tuple[int, int], asyncio.Task[None]] = {}
        """Waiting or running games, by table and number."""

    def weigh(self, game: WeighGame) -> None:
        """Queue a game for analysis, unless it is already queued. Does not wait."""
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
        """Stop all analysis, and end the process. May be called again."""
        tasks = [*self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _answer(self, game: WeighGame) -> None:
        async with self._turn:
            analysis = await weighed(game, self._command)
        self._deliver(analysis)


async def weighed(game: WeighGame, command: tuple[str, ...] = COMMAND) -> Analysis:
    """The whole analysis of a game, or one with a flaw."""
    try:
        async with asyncio.timeout(PATIENCE_S), running((*command, LANGUAGE.get())) as process:
            process.stdin.write(msgspec.json.encode(game) + b"\n")
            await process.stdin.drain()
            process.stdin.close()
            line = bytearray()
            while data := await process.stdout.read(CHUNK):
                line += data
                if len(line) > MOST_BYTES:
                    raise ValueError
            answer = _answer_of(bytes(line))
    except CannotStart:
        return _without(game, say("client-no-solutions"))
    except (OSError, ValueError):  # TimeoutError is an OSError, and what is no answer a ValueError
        return _without(game, say("refused-analysis-lost"))
    if isinstance(answer, Refused):
        return _without(game, clause(answer.says))
    is_of_game = (answer.table, answer.game, answer.seat) == (game.table, game.number, game.seat)
    is_whole = len(answer.reviewed) == answer.decisions
    return answer if is_of_game and is_whole else _without(game, say("refused-analysis-lost"))


def _without(game: WeighGame, flaw: str) -> Analysis:
    return Analysis(game.table, game.number, game.seat, flaw=flaw)

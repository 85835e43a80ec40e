"""Practice in line mode: mistakes of one's own games and new positions, each answered and judged against perfect play.

As in line mode the screen is never redrawn, and whole answers can be piped in. The trainer chooses and judges; this
module handles input and output. At a terminal a judged position stays until Enter is pressed.
"""

import os
from collections.abc import Callable

from put_client.line.line_mode import Lines, speak
from put_client.record.store import Exercise
from put_client.record.trainer import NothingToPractise, Trainer
from put_protocol.analysis import Judged
from put_protocol.text import printable
from put_runtime import exit_codes
from put_text import analysis_text, presenters
from put_text.catalogue import say
from put_text.choices_text import format_choices
from put_text.parse_action import command_in_english, parse

HELP = ("move", "legal", "table", "why", "skip", "score", "quit")

_QUIT = frozenset({"quit", "exit", "q"})


class _Ended(Exception):
    """The input has ended, or the person has quit."""


class LineDrill:
    def __init__(
        self, trainer: Trainer, lines: Lines, say: Callable[[str], None], *, game: str, is_patient: bool
    ) -> None:
        self._trainer = trainer
        self._lines = lines
        self._say = say
        self._game = game
        self._is_patient = is_patient
        """Wait for Enter after each judgement."""
        self.score = trainer.score

    async def run(self) -> int:
        """:raises RecordError: the record cannot be used."""
        is_begun = False
        self._say(say("record-looking"))  # weighing games may take seconds
        try:
            await self._trainer.weigh()
            self._trainer.gather()
            while True:
                exercise = await self._trainer.next()
                if not is_begun:
                    self._say(say("client-drill-begins", game=printable(self._game)))
                    self._say(say("client-drill-words"))
                is_begun = True
                await self._practise(exercise)
        except NothingToPractise as error:
            self._say(str(error))
        except _Ended:
            pass
        finally:
            await self._trainer.end()
        self._say(self.score.in_words())
        return exit_codes.OK if is_begun else exit_codes.UNAVAILABLE

    async def _practise(self, exercise: Exercise) -> None:
        position = exercise.position
        self._show(exercise)
        while True:
            text = await self._line()
            match text.casefold():
                case "":
                    continue
                case "skip":
                    self._trainer.skip(exercise)
                    return
                case "legal":
                    self._say(say("client-drill-can", choices=format_choices(position.legal)))
                case "table":
                    self._show(exercise)
                case "why":
                    self._say(printable(position.why or position.asks))
                case other if self._is_answered(other):
                    pass
                case _:
                    action = parse(text, position.legal)
                    if isinstance(action, str):
                        self._say(action)
                        continue
                    try:
                        judged = await self._trainer.answer(exercise, action)
                    except NothingToPractise as error:
                        self._say(str(error))
                        return
                    self._say(analysis_text.format_judged(judged))
                    self._say(self.score.in_words())
                    if self._is_patient:
                        await self._look_back(judged)
                    return

    async def _look_back(self, judged: Judged) -> None:
        self._say(say("client-drill-next"))
        while text := await self._line():
            if text.casefold() == "why":
                for sentence in analysis_text.format_weighed(judged.choices):
                    self._say(sentence)
            elif text.casefold() in ("next", "skip"):
                return
            elif not self._is_answered(text.casefold()):
                self._say(say("client-drill-judged"))

    def _is_answered(self, text: str) -> bool:
        """Handle a word that is always allowed. Returns true if it was one."""
        match text:
            case "help" | "?":
                for word in HELP:
                    self._say(say(f"client-drill-help-{word}"))
            case "score":
                self._say(self.score.in_words())
            case _:
                return False
        return True

    def _show(self, exercise: Exercise) -> None:
        position = exercise.position
        self._say("")
        if exercise.source.startswith("game"):
            self._say(say("client-drill-own"))
        assert position.view is not None
        for sentence in presenters.format_view(position.view, position.names, position.seat):
            self._say(sentence)
        self._say(f"{printable(position.asks)} {say('client-drill-can', choices=format_choices(position.legal))}")

    async def _line(self) -> str:
        line = await self._lines.next()
        text = None if line is None else command_in_english(" ".join(printable(line.expandtabs(1)).split()))
        if text is None or text.casefold() in _QUIT:
            raise _Ended
        return text


async def run(trainer: Trainer, *, game: str, descriptor: int = 0, say: Callable[[str], None] = speak) -> int:
    """Practise until the person quits. Returns the exit code.

    :raises RecordError: the record cannot be used.
    """
    return await LineDrill(trainer, Lines(descriptor), say, game=game, is_patient=os.isatty(descriptor)).run()

"""Practice in line mode: mistakes of one's own games and new positions, each answered and judged against perfect play.

As in line mode nothing is ever drawn over, and whole answers can be piped in. The trainer chooses and judges; here is
what is typed and what is said. At a terminal a judged position stays until Enter is pressed.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass

from put_client.line.line_mode import speak
from put_client.line.lines import Lines
from put_client.record.entries import Exercise
from put_client.record.positions import NothingToPractise
from put_client.record.trainer import Trainer
from put_protocol.analysis import Judged, Quality
from put_protocol.text import printable
from put_runtime import exit_codes
from put_text import analysis_text, english
from put_text.choices_text import format_choices
from put_text.parse_action import parse

HELP = (
    "A move: as it is offered, or a card (3s, or the 3 of spades), put, see, throw in, or #1 for the first choice.",
    "legal: hear every move you may make.",
    "table: hear the position again.",
    "why: before your answer, why you may do this and no more; after it, what every choice is worth.",
    "skip: have another position; this one does not count.",
    "score: hear how you do.",
    "quit: end.",
)

_QUIT = frozenset({"quit", "exit", "q"})


@dataclass(slots=True)
class Score:
    """Answers so far, and what they cost."""

    answered: int = 0
    right: int = 0
    """Answers that cost nothing worth a word."""
    cost: int = 0
    """Cost of all answers, in ten-thousandths of a game."""

    def count(self, judged: Judged) -> None:
        self.answered += 1
        self.right += judged.quality is Quality.FINE
        self.cost += judged.cost

    def in_words(self) -> str:
        if not self.answered:
            return "You have answered nothing yet."
        answers = "one answer" if self.answered == 1 else f"{self.answered} answers"
        each = analysis_text.percent(round(self.cost / self.answered))
        return f"So far: {answers}, {self.right} of them right, {each} of a game lost on the average."


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
        self.score = Score()

    async def run(self) -> int:
        """Show positions until the person quits, or there are none. Returns the exit code.

        :raises RecordError: the record cannot be used.
        """
        is_begun = False
        try:
            self._trainer.gather()
            while True:
                exercise = await self._trainer.next()
                if not is_begun:
                    self._say(f"Practice at {printable(self._game)}: your answers are judged against perfect play.")
                    self._say('Say your move, or "why", "skip", "score", "help" or "quit".')
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
        """One position, from showing it to its judgement."""
        position = exercise.position
        self._show(exercise)
        while True:
            text = await self._line()
            match text.casefold():
                case "":
                    continue
                case "skip":
                    return
                case "legal":
                    self._say(f"You can: {format_choices(position.legal)}.")
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
                    self.score.count(judged)
                    self._say(self.score.in_words())
                    if self._is_patient:
                        await self._look_back(judged)
                    return

    async def _look_back(self, judged: Judged) -> None:
        """Wait until the person wants the next position."""
        self._say('Press Enter for the next position, or say "why".')
        while text := await self._line():
            if text.casefold() == "why":
                for sentence in analysis_text.format_weighed(judged.choices):
                    self._say(sentence)
            elif text.casefold() in ("next", "skip"):
                return
            elif not self._is_answered(text.casefold()):
                self._say('This one is judged: press Enter for the next, or say "why", "score" or "quit".')

    def _is_answered(self, text: str) -> bool:
        """Answer a word that may be said at any time. Whether it was one."""
        match text:
            case "help" | "?":
                for sentence in HELP:
                    self._say(sentence)
            case "score":
                self._say(self.score.in_words())
            case _:
                return False
        return True

    def _show(self, exercise: Exercise) -> None:
        position = exercise.position
        self._say("")
        if exercise.source.startswith("game"):
            self._say("This is a mistake of yours, as it stood.")
        assert position.view is not None
        for sentence in english.format_view(position.view, position.names, position.seat):
            self._say(sentence)
        self._say(f"{printable(position.asks)} You can: {format_choices(position.legal)}.")

    async def _line(self) -> str:
        line = await self._lines.next()
        text = None if line is None else " ".join(printable(line.expandtabs(1)).split())
        if text is None or text.casefold() in _QUIT:
            raise _Ended
        return text


async def run(trainer: Trainer, *, game: str, descriptor: int = 0, say: Callable[[str], None] = speak) -> int:
    """Practise until the person quits. Returns the exit code.

    :raises RecordError: the record cannot be used.
    """
    return await LineDrill(trainer, Lines(descriptor), say, game=game, is_patient=os.isatty(descriptor)).run()

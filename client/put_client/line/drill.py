"""Practice in line mode: positions, each answered and judged against perfect play.

As in line mode nothing is ever drawn over, and whole answers can be piped in. The server deals and judges; here is
what is typed and what is said. At a terminal a judged position stays until Enter is pressed.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass

from put_client.line.line_mode import speak
from put_client.line.lines import Lines
from put_client.record.positions import NothingToPractise, ServerPositions
from put_client.sdk.client import Client
from put_client.sdk.errors import Unanswered
from put_protocol.analysis import Judged, Quality
from put_protocol.games.unions import Action
from put_protocol.messages import Judgement, Position
from put_protocol.text import printable
from put_runtime import exit_codes
from put_text import analysis_text, english
from put_text.choices_text import format_choices
from put_text.parse_action import parse
from put_text.plain.offers_text import USUAL

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
        self, client: Client, lines: Lines, say: Callable[[str], None], *, game: str, is_patient: bool
    ) -> None:
        self._client = client
        self._server = ServerPositions(client)
        self._lines = lines
        self._say = say
        self._game = game
        self._is_patient = is_patient
        """Wait for Enter after each judgement."""
        self.score = Score()

    async def run(self) -> None:
        """Show positions until the person quits.

        :raises Refusal: there is nothing to practise on: perfect play of this game is not known.
        """
        try:
            position = await self._position()
            self._say(f"Practice at {printable(self._game)}: your answers are judged against perfect play.")
            self._say('Say your move, or "why", "skip", "score", "help" or "quit".')
            while True:
                await self._practise(position)
                position = await self._position()
        except (_Ended, NothingToPractise):
            self._say(self.score.in_words())

    async def _practise(self, position: Position) -> None:
        """One position, from showing it to its judgement."""
        self._show(position)
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
                    self._show(position)
                case "why":
                    self._say(printable(position.why or position.asks))
                case other if self._is_answered(other):
                    pass
                case _:
                    action = parse(text, position.legal)
                    if isinstance(action, str):
                        self._say(action)
                        continue
                    answer = await self._judgement(position, action)
                    for sentence in analysis_text.format_judgement(answer):
                        self._say(sentence)
                    if answer.judged is not None:
                        self.score.count(answer.judged)
                        self._say(self.score.in_words())
                        if self._is_patient:
                            await self._look_back(answer.judged)
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

    def _show(self, position: Position) -> None:
        self._say("")
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

    async def _position(self) -> Position:
        answer = await self._server.next(lambda: self._client.drill(self._game), Position)
        if answer.view is None:
            raise Unanswered("drill", answer.flaw or "the server has no position")
        return answer

    async def _judgement(self, position: Position, action: Action) -> Judgement:
        return await self._server.next(lambda: self._client.grade(self._game, position.number, action), Judgement)


async def run(client: Client, *, game: str = USUAL, descriptor: int = 0, say: Callable[[str], None] = speak) -> int:
    """Practise until the person quits. Returns the exit code.

    :raises ClientError: the connection ended, or there is nothing to practise on.
    """
    drill = LineDrill(client, Lines(descriptor), say, game=game, is_patient=os.isatty(descriptor))
    await drill.run()
    return exit_codes.OK

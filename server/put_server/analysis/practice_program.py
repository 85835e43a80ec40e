"""Solutions without a server: requests come on standard input, and are answered on standard output.

    python -m put_server.analysis.practice_program [LANGUAGE]

A line is a message as JSON, and so is its answer: `drill` and `grade` as on a server's port, and `weigh`, which brings
the turns of a game in which the server did not see the hands. What a server answers by `ok`, and later by messages, is
answered by one of these alone; what it refuses, by `refused`. The process ends with its input.
"""

import random
import sys
from collections.abc import Callable, Iterator

import msgspec

from put_protocol.analysis import Reviewed, WeighGame
from put_protocol.messages import Analysis, Drill, Grade, Judgement, Position, Refused
from put_protocol.refusals import RefusalCode
from put_rules.game import OptionValue
from put_rules.registry import GAMES
from put_server.analysis.analysis_worker import EvaluateHand, HandEvaluated, JobHandler, Practise
from put_server.analysis.evaluation import by_hand, whole_analysis
from put_server.analysis.practice_positions import MOST_NUMBER, SEATS
from put_server.analysis.solved_oracle import is_solved, oracle_of
from put_text.catalogue import ENGLISH, LANGUAGE, said_in, say

Answer = Position | Judgement | Analysis | Refused

_Request = Drill | Grade | WeighGame

_request_of: Callable[[bytes], _Request] = msgspec.json.Decoder(_Request).decode
_encode = msgspec.json.Encoder().encode


class PracticeProgram:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._handler = JobHandler(oracle_of)

    def answer(self, line: bytes) -> Answer:
        try:
            request = _request_of(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return Refused(0, RefusalCode.BAD_REQUEST, str(error))
        number, game = (0, request.rule_set) if isinstance(request, WeighGame) else (request.id, request.game)
        rule_set = GAMES.get(game)
        if rule_set is None:
            return Refused(number, RefusalCode.UNKNOWN_GAME, say("refused-game"), field="game")
        options = rule_set.offer.defaults | request.options
        if not is_solved(game, options, SEATS):
            from put_server.lobby.analysis_requests import why_unsolved  # noqa: PLC0415  # with every rule of the lobby

            why = why_unsolved(GAMES, is_solved, game, options, SEATS)
            assert why is not None
            return Refused(number, RefusalCode.NOT_SOLVED, said_in(LANGUAGE.get(), why.id, why.args))
        if isinstance(request, WeighGame):
            return self._weighed(request, options)
        return self._practised(request, options)

    def _practised(self, request: Drill | Grade, options: dict[str, OptionValue]) -> Position | Judgement:
        number = request.number if isinstance(request, Grade) else self._chance.randint(1, MOST_NUMBER)
        answer = self._handler.handle(Practise(request, options, number, LANGUAGE.get()))
        if isinstance(answer, Position | Judgement):
            return answer
        if isinstance(request, Drill):
            return Position(request.id, request.game, flaw=say("refused-position"))
        return Judgement(request.id, request.number, flaw=say("refused-position"))

    def _weighed(self, game: WeighGame, options: dict[str, OptionValue]) -> Analysis:
        reviewed: list[Reviewed] = []
        for hand in by_hand(game.turns):
            answer = self._handler.handle(EvaluateHand(game.rule_set, options, hand, LANGUAGE.get()))
            if not isinstance(answer, HandEvaluated):
                return Analysis(game.table, game.number, game.seat, flaw=say("refused-analysis-lost"))
            reviewed += answer.reviewed
        return whole_analysis(game.table, game.number, game.seat, reviewed)


def answers(lines: Iterator[bytes], chance: random.Random) -> Iterator[bytes]:
    practice = PracticeProgram(chance)
    for line in lines:
        yield _encode(practice.answer(line)) + b"\n"


def main() -> None:
    LANGUAGE.set(sys.argv[1] if len(sys.argv) > 1 else ENGLISH)
    for answer in answers(iter(sys.stdin.buffer), random.SystemRandom()):
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

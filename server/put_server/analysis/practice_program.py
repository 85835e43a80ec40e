"""Practice without a server: `drill` and `grade` requests come on standard input, and are answered on standard output.

    python -m put_server.analysis.practice_program [LANGUAGE]

A line is a message of the protocol as JSON, as on a server's port. What a server answers by `ok`, and later by a
message, is answered by the message alone; what it refuses, by `refused`. The process ends with its input.
"""

import random
import sys
from collections.abc import Callable, Iterator

import msgspec

from put_protocol.messages import Drill, Grade, Judgement, Position, Refused
from put_protocol.refusals import RefusalCode
from put_rules.registry import GAMES
from put_server.analysis.analysis_worker import FindPosition, GradePosition, JobHandler, JobNotDone, practice_reply
from put_server.analysis.practice_positions import SEATS
from put_server.analysis.solved_oracle import is_solved, oracle_of
from put_text.catalogue import ENGLISH, LANGUAGE, say, spoken

Answer = Position | Judgement | Refused

_request_of: Callable[[bytes], Drill | Grade] = msgspec.json.Decoder(Drill | Grade).decode
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
        rule_set = GAMES.get(request.game)
        if rule_set is None:
            return Refused(request.id, RefusalCode.UNKNOWN_GAME, say("refused-game"), field="game")
        options = rule_set.offer.defaults | request.options
        if not is_solved(request.game, options, SEATS):
            from put_server.lobby.analysis_requests import why_unsolved  # noqa: PLC0415  # with every rule of the lobby

            why = why_unsolved(GAMES, is_solved, request.game, options, SEATS)
            assert why is not None
            return Refused(request.id, RefusalCode.NOT_SOLVED, spoken(why))
        job: FindPosition | GradePosition
        if isinstance(request, Drill):
            job = FindPosition(request.game, options, self._chance.randint(1, 2**53 - 1), LANGUAGE.get())
        else:
            job = GradePosition(request.game, options, request.number, request.action, LANGUAGE.get())
        try:
            return practice_reply(request.id, request.game, job.number, self._handler.handle(job))
        except JobNotDone:
            if isinstance(request, Drill):
                return Position(request.id, request.game, flaw=say("refused-position"))
            return Judgement(request.id, request.number, flaw=say("refused-position"))


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

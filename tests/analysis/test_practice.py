"""Practice without a server: requests in lines, answers in lines."""

import random

import msgspec

from put_protocol.messages import Analysis, Drill, Grade, Judgement, Position, Refused
from put_protocol.refusals import RefusalCode
from put_server.analysis.practice_program import answers


def answered(*requests: bytes) -> list[Position | Judgement | Analysis | Refused]:
    lines = answers(iter(requests), random.Random(7))
    return [msgspec.json.decode(line, type=Position | Judgement | Analysis | Refused) for line in lines]


def test_position_is_found_and_an_answer_judged() -> None:
    """By the number alone, as on a server."""
    (position,) = answered(msgspec.json.encode(Drill(5, "put-1674")))
    assert isinstance(position, Position)
    assert (position.id, position.flaw) == (5, "")
    action = position.legal[0].action
    (judgement,) = answered(msgspec.json.encode(Grade(6, "put-1674", position.number, action)))
    assert isinstance(judgement, Judgement)
    assert judgement.judged is not None
    assert judgement.judged.done == action


def test_what_cannot_be_practised_is_refused_and_the_next_line_is_read() -> None:
    """Whatever comes."""
    lines = (b"nonsense\n", b'{"type":"bye"}\n', *(msgspec.json.encode(Drill(7, game)) for game in ("whist", "truc")))
    refused = answered(*lines)
    codes = [one.code for one in refused if isinstance(one, Refused)]
    assert codes == [
        RefusalCode.BAD_REQUEST,
        RefusalCode.BAD_REQUEST,
        RefusalCode.UNKNOWN_GAME,
        RefusalCode.NOT_SOLVED,
    ]
    *_, truc = refused
    assert isinstance(truc, Refused)
    assert "; it is known, for two players, for put-1674, " in truc.says

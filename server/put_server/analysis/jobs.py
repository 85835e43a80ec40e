"""The jobs given to a worker, and its answers: msgpack, each behind its length in four bytes."""

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

from put_protocol.analysis import Judged, Reviewed
from put_protocol.games.unions import (
    Action,
    Choice,
    GameView,
)
from put_protocol.seats import Seat
from put_server.analysis.turns import Taken
from put_server.games.game import OptionValue

LENGTH: Final = 4
"""Bytes of a length."""

MOST_BYTES: Final = 4 * 2**20
"""An answer is longer only if it is none: a hand of the longest games comes to some tens of kilobytes."""


class WeighHand(Struct, frozen=True, tag="weigh"):
    """Weigh a player's decisions in one hand."""

    game: str
    options: dict[str, OptionValue]
    hand: tuple[Taken, ...]


class FindPosition(Struct, frozen=True, tag="find"):
    """Find the position of this number."""

    game: str
    options: dict[str, OptionValue]
    number: int


class GradePosition(Struct, frozen=True, tag="grade"):
    """Judge an answer to it."""

    game: str
    options: dict[str, OptionValue]
    number: int
    action: Action


Job = WeighHand | FindPosition | GradePosition


class HandWeighed(Struct, frozen=True, tag="weighed"):
    reviewed: tuple[Reviewed, ...]


class PositionFound(Struct, frozen=True, tag="found"):
    seat: Seat
    view: GameView
    asks: str
    legal: tuple[Choice, ...]
    why: str


class PositionGraded(Struct, frozen=True, tag="graded"):
    judged: Judged


class NotLegal(Struct, frozen=True, tag="not_legal"):
    """The answer is no legal action of the position."""


class Failed(Struct, frozen=True, tag="failed"):
    """It could not be done."""

    kind: str
    """Of the error. Its text is not told: it might name a card."""


Answer = HandWeighed | PositionFound | PositionGraded | NotLegal | Failed

job_of: Callable[[bytes], Job] = msgspec.msgpack.Decoder(Job).decode
answer_of: Callable[[bytes], Answer] = msgspec.msgpack.Decoder(Answer).decode
_encode = msgspec.msgpack.Encoder().encode


def packed(message: Job | Answer) -> bytes:
    """Ready to be sent."""
    body = _encode(message)
    return len(body).to_bytes(LENGTH, "big") + body

"""Entries of the record, as values. Times are milliseconds since 1970, in UTC."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from put_protocol.analysis import Judged, Reviewed
from put_protocol.messages import Position
from put_protocol.seats import Seat


class GameOutcome(StrEnum):
    WON = "won"
    LOST = "lost"
    EVEN = "even"
    """Neither won nor lost: the purse is as it was."""


class Opponent(Struct, frozen=True, omit_defaults=True):
    name: str
    is_bot: bool = False
    is_house: bool = False
    house: str = ""
    """Style of a house player."""

    @property
    def label(self) -> str:
        """Name under which they are counted: of house players their kind, for their names change from game to game."""
        if self.is_house:
            return f"house, {self.house}" if self.house else "house"
        return f"{self.name} (bot)" if self.is_bot else self.name


class GameCost(Struct, frozen=True):
    """Cost of the decisions of one or more games, against perfect play."""

    decisions: int = 0
    fine: int = 0
    """Decisions that cost next to nothing."""
    cost: int = 0
    """Ten-thousandths of a game."""
    costly: int = 0
    """Decisions that cost a hundredth of a game or more."""


class PlayedGame(Struct, frozen=True, kw_only=True):
    id: int = 0
    """The row of the file; 0: it is not there yet."""
    server: str
    """The server's name for itself."""
    table: int
    number: int
    """The game's number at the table."""
    began: int
    ended: int
    rule_set: str
    options: Mapping[str, str | int]
    seat: Seat
    opponents: tuple[Opponent, ...]
    outcome: GameOutcome
    gain: int
    """Gain of the purse; below 0, its loss."""
    is_exhibition: bool = False
    is_assisted: bool = False
    """The coach was asked in it."""
    weighed: GameCost | None = None
    has_sheet: bool = False
    """It can be shown again."""


class ExerciseKind(StrEnum):
    """Kind of a practised decision. Mistakes are counted by kind."""

    LEAD = "lead"
    FOLLOW = "follow"
    ANSWER = "answer"
    LAST_SAY = "last say"
    OPENING = "opening"


class Exercise(Struct, frozen=True, kw_only=True):
    """A position to be practised again and again, with its solution, so that no server is needed."""

    id: int = 0
    rule_set: str
    source: str
    """Origin: a decision of a game in the record, or a position of the solver. Each is kept once."""
    kind: ExerciseKind
    position: Position
    judged: Judged
    """`done` is what was done first."""
    box: int = 0
    due: int = 0
    """The day on which it is due, counted from 1970."""


class Answer(Struct, frozen=True, kw_only=True):
    at: int
    rule_set: str
    kind: ExerciseKind
    cost: int
    """Ten-thousandths of a game."""
    is_right: bool


Review = tuple[Reviewed, ...]
"""The decisions of one game."""

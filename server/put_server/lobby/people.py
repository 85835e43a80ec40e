"""People and their names."""

from dataclasses import dataclass, field

from put_protocol.table_info import (
    PersonInfo,
)
from put_protocol.text import same_name
from put_server.lobby.checkpoint import PersonCheckpoint
from put_server.lobby.recent_responses import Answers
from put_server.table.effects import PersonId, TableId

HOUSE_NAMES = ("Doll", "Ned", "Peg", "Hal", "Kit", "Meg", "Wat", "Sib", "Jack", "Bess")
"""Whom a tavern might have kept to make up a table; told apart from guests by `is_house` wherever they are named."""


@dataclass(slots=True)
class Person:
    """Somebody known by name: here, or lost and expected back."""

    id: PersonId
    name: str
    is_bot: bool
    token: bytes
    is_here: bool = True
    lost_at: int = 0
    is_looking: bool = False
    """At the lobby."""
    tables: set[TableId] = field(default_factory=set)
    """Where they sit or watch."""
    openings: bool = False
    """They ask for proofs of sealed deals."""
    answers: Answers = field(default_factory=Answers)
    """On the connection they have, or had last."""

    @classmethod
    def restored(cls, kept: PersonCheckpoint) -> "Person":
        return cls(
            kept.id,
            kept.name,
            kept.is_bot,
            kept.token,
            is_here=kept.is_here,
            lost_at=kept.lost_at,
            tables=set(kept.tables),
            openings=kept.openings,
            answers=Answers(kept.answers),
        )

    def kept(self) -> PersonCheckpoint:
        return PersonCheckpoint(
            self.id,
            self.name,
            self.is_bot,
            self.token,
            self.is_here,
            self.lost_at,
            tuple(sorted(self.tables)),
            self.answers.kept(),
            self.openings,
        )

    @property
    def key(self) -> str:
        """Two names with one key look the same."""
        return same_name(self.name)

    def info(self) -> PersonInfo:
        return PersonInfo(self.name, is_bot=self.is_bot, is_away=not self.is_here, tables=tuple(sorted(self.tables)))


def house_name(taken: set[str]) -> str:
    """A name for a house player that nobody at the table has."""
    for turn in range(1, 10):
        for name in HOUSE_NAMES:
            full = name if turn == 1 else f"{name} {turn}"
            if same_name(full) not in taken:
                return full
    raise AssertionError("a table has at most ten seats")

"""A table that the director has opened: where it is in its round, and what its games paid."""

import asyncio
from dataclasses import dataclass, field

from put_arena.results import Played
from put_arena.schedule import Round
from put_protocol.table_info import TableInfo


@dataclass(slots=True, kw_only=True)
class MatchTable:
    number: int
    round: Round
    seating: int
    opened: float
    since: float
    """Time of the last change of its state."""
    over: asyncio.Future[None]
    people: tuple[str, ...]
    """Player names by seat; empty for house players."""
    done: int = 0
    purses: list[int] = field(default_factory=list)
    info: TableInfo | None = None

    @property
    def competitors(self) -> tuple[int, ...]:
        return self.round.seatings[self.seating]

    @property
    def is_broken_off(self) -> bool:
        """It is over before all its games were played."""
        return self.over.done() and self.done < self.round.games

    def finish_game(self, info: TableInfo, number: int) -> Played:
        """The game of this number is over, and the purses say what it paid."""
        self.done = number
        return Played(
            match=self.round.match,
            round=self.round.name,
            number=number,
            seating=self.seating,
            seats=self.competitors,
            paid=self._paid(info),
        )

    def _paid(self, info: TableInfo) -> tuple[int, ...]:
        """Gains of the purses. A player that left took its purse along, and lost what the others gained."""
        gains = [seat.purse - before for seat, before in zip(info.seats, self.purses, strict=True)]
        gone = [seat for seat, chair in enumerate(info.seats) if chair.name is None]
        stayed = sum(gain for seat, gain in enumerate(gains) if seat not in gone)
        for seat in gone:
            gains[seat] = -stayed // len(gone)
        self.purses = [seat.purse for seat in info.seats]
        return tuple(gains)

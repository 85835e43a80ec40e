"""A chair and who sits in it."""

from dataclasses import dataclass

from put_protocol.table_info import (
    SeatInfo,
)
from put_server.table.clock import Timer
from put_server.table.effects import PersonId


@dataclass(frozen=True, slots=True)
class Sitter:
    """What a table knows of a person."""

    id: PersonId
    name: str
    is_bot: bool = False
    house: str = ""
    """Of which kind a house player is; empty: none of the house."""
    plays_as: str = ""
    """What that comes to in the game played here, as everyone is told."""

    @property
    def is_house(self) -> bool:
        return bool(self.house)


@dataclass(slots=True)
class Chair:
    """One seat of the table. A purse belongs to the sitter and goes with them."""

    bank: Timer
    """Runs while the sitter is away."""
    sitter: Sitter | None = None
    is_away: bool = False
    agrees: bool = False
    """To the next game; by sitting down one agrees to the first."""
    purse: int = 0
    end: bytes | None = None
    """What the sitter's next cut hashes to; None: they take no part in the cutting."""
    gone: str = ""
    """Who left the game in play, which goes on without them."""
    misses: int = 0
    """Deals called off because the sitter did not cut, since they last cut one that was dealt."""

    def info(self) -> SeatInfo:
        """The chair as everyone sees it."""
        sitter = self.sitter
        if sitter is None:
            return SeatInfo(name=self.gone, is_gone=True) if self.gone else SeatInfo()
        return SeatInfo(
            name=sitter.name,
            is_house=sitter.is_house,
            is_bot=sitter.is_bot,
            is_away=self.is_away,
            agrees=self.agrees,
            purse=self.purse,
            house=sitter.plays_as,
        )

"""A chair and who sits in it."""

from dataclasses import dataclass

from put_protocol.views import SeatInfo
from put_server.table.clock import Timer
from put_server.table.effects import PersonId


@dataclass(frozen=True, slots=True)
class Sitter:
    """What a table knows of a person."""

    id: PersonId
    name: str
    is_bot: bool = False
    is_house: bool = False


@dataclass(slots=True)
class Chair:
    """One seat of the table. A purse belongs to the sitter and is gone with him."""

    sitter: Sitter | None = None
    agrees: bool = False
    """To the next game; by sitting down one agrees to the first."""
    purse: int = 0
    bank: Timer | None = None
    """Runs while the sitter is away."""

    @property
    def is_away(self) -> bool:
        return self.bank is not None and self.bank.since is not None

    def info(self) -> SeatInfo:
        """The chair as everyone sees it."""
        sitter = self.sitter
        if sitter is None:
            return SeatInfo()
        return SeatInfo(
            name=sitter.name,
            is_house=sitter.is_house,
            is_bot=sitter.is_bot,
            is_away=self.is_away,
            agrees=self.agrees,
            purse=self.purse,
        )

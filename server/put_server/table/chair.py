"""A chair of a table, who sits in it, and who is invited to. All of it is kept in checkpoints as it is."""

from msgspec import Struct

from put_protocol.seats import Seat
from put_protocol.table_info import SeatInfo
from put_server.table.clock import Timer
from put_server.table.table_effects import PersonId


class Sitter(Struct, frozen=True, gc=False):
    """Person in a chair, as the table knows them."""

    id: PersonId
    name: str
    is_bot: bool = False
    house: str = ""
    """Kind of a house player; empty: none of the house."""
    plays_as: str = ""
    """The kind as everyone sees it, in the game played here."""
    holds_key: bool = False
    """True if they alone can read their cards, at a table that is dealt blind."""

    @property
    def is_house(self) -> bool:
        return bool(self.house)


class Chair(Struct, gc=False):
    """One seat of the table. A purse belongs to the sitter and goes with them. The fields are those of the journal."""

    bank: Timer
    """Runs while the sitter is away."""
    sitter: Sitter | None = None
    is_away: bool = False
    agrees: bool = False
    """Agrees to the next game; a player agrees to the first by sitting down."""
    purse: int = 0
    gone: str = ""
    """Name of the player who left the game in play, which goes on without them."""

    @property
    def is_guest(self) -> bool:
        return self.sitter is not None and not self.sitter.is_house

    @property
    def holds_key(self) -> bool:
        return self.sitter is not None and self.sitter.holds_key

    def info(self) -> SeatInfo:
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
            holds_key=sitter.holds_key,
        )


class Invitation(Struct, frozen=True):
    """Invitation of a guest who has not sat down yet."""

    by: str
    seat: Seat | None

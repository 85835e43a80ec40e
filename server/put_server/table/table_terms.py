"""Terms of tables."""

from msgspec import Struct


class TableTerms(Struct, frozen=True):
    """Terms that the operator sets for tables."""

    patience: int = 0
    """Seconds for a decision where the table has no limit of its own; 0: none either."""
    first_move: int = 0
    """Seconds for a decision there until a player has moved once in a game, where the table is public and other guests
    play; 0: as for others."""
    edition: int = 0
    """Of the rules that no operator chooses; see the policy of the lobby."""

"""Policy of a lobby: the operator's limits and permissions.

It decides which inputs are carried out, so it is an input itself: each `Restart` contains it, and the journal stores
it. So a replay uses the policy of that time, not today's. The defaults describe servers before there was a policy, for
their journals.
"""

from functools import lru_cache

from msgspec import Struct

from put_server.table.clock import TableTerms

EDITION = 3
"""Edition of the rules on a new server."""


class Policy(Struct, frozen=True, omit_defaults=True):
    """Limits and permissions set by the operator. The field names are those of the journal."""

    people: int = 2_500
    """Most people at once: a full gallery and 250 tables of two, or a thousand tables of two and a few more."""
    tables: int = 1_000
    """Most tables at once. Each costs some kilobytes and a slice of every tick."""
    people_per_origin: int = 0
    """Most people at once from one origin; 0: no quota."""
    tables_per_origin: int = 0
    """Most tables at once opened from one origin; 0: no quota."""
    longest_turn: int = 86_400
    """Largest turn clock of a table, in seconds."""
    longest_bank: int = 86_400
    """Largest bank of a table, in seconds."""
    patience: int = 0
    """Seconds for a decision at tables without their own limit; 0: no limit."""
    name_seconds: int = 0
    """Seconds for which a name is kept for its token's holder after they left; 0: a newcomer may take the name of an
    absent person without a seat."""
    names: int = 0
    """Most names kept in this way."""
    first_move: int = 0
    """Seconds for a decision at such tables before the player's first move in the game, if the table is public and
    other guests play; 0: as for other decisions."""
    blind_house_seats: int = 0
    """Most house players' seats at once in blind games with one player; 0: no limit."""
    edition: int = 0
    """Edition of the rules; not the operator's choice. 0: before there was a policy. 1: passcodes arrive sealed, and
    stored ones are sealed at the `Restart`; invitations are limited; look-alike names are refused. 2: a player who left
    cuts no further deal, and a game that waits for nothing continues; names that differ only by marks look alike; more
    words are reserved; marks are limited, in talk too; quotas also hold for the networks around an origin, and on a
    full server the most crowded network loses a place. 3: each read deal has its own key."""

    @property
    def terms(self) -> TableTerms:
        return _terms(self.patience, self.first_move, self.edition)


_terms = lru_cache(maxsize=64)(TableTerms)

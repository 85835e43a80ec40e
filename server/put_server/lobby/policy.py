"""Policy of a lobby: how much it holds and allows, as the operator set it.

It decides which inputs are carried out, so it is an input itself: it comes with each `Restart`, and the journal keeps
it. A replay then decides by the policy of that time, not by today's. The defaults are what servers did that had
no policy yet, for their journals.
"""

from functools import lru_cache

from msgspec import Struct

from put_server.table.clock import TableTerms

EDITION = 3
"""The edition of the rules that a new server goes by."""


class Policy(Struct, frozen=True, omit_defaults=True):
    """Limits and permissions set by the operator. The names are those of the journal."""

    people: int = 2_500
    """The most people at once: a full gallery and 250 tables of two, or a thousand tables of two and a few more."""
    tables: int = 1_000
    """The most tables at once; each costs some kilobytes, and a slice of every tick."""
    people_per_origin: int = 0
    """The most people at once from one origin; 0: no quota."""
    tables_per_origin: int = 0
    """The most tables at once that were opened from one origin; 0: no quota."""
    longest_turn: int = 86_400
    """Seconds for a decision that a table may have."""
    longest_bank: int = 86_400
    """Seconds for being disconnected that a table may have."""
    patience: int = 0
    """Seconds for a decision at tables without a limit of their own; 0: no limit."""
    name_seconds: int = 0
    """Time for which a name is kept for the holder of its token, after they were last here; 0: a newcomer may have the
    name of a person who is away and does not sit."""
    names: int = 0
    """Kept so, at most."""
    first_move: int = 0
    """Seconds for a decision there until a player has moved once in the game, where anybody may sit down and other
    guests play; 0: as for others."""
    blind_house_seats: int = 0
    """Seats that the house plays at once at tables which are dealt blind for one player; 0: no limit."""
    edition: int = 0
    """The edition of the rules that no operator chooses. 0: as they were before there was a policy. 1: passcodes come
    sealed, and those that were kept are sealed at the `Restart`; invitations are limited; names do not look alike. 2:
    whoever leaves cuts no further deal, and a game that waits for nothing goes on; names that differ by marks look
    alike; more words are reserved; marks are limited, in talk as well; quotas hold for the networks around an origin as
    well, and on a full server the most crowded of them gives up a place. 3: each deal that is read has a key of its
    own."""

    @property
    def terms(self) -> TableTerms:
        return _terms(self.patience, self.first_move, self.edition)


_terms = lru_cache(maxsize=64)(TableTerms)

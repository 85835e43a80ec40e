"""Policy of a lobby: how much it holds and allows, as the operator set it.

It decides which inputs are carried out, so it is an input itself: it comes with each `Restart`, and the journal keeps
it. A replay then decides by the policy of that time, whatever is set today. The defaults are what servers did that had
no policy yet, for their journals.
"""

from msgspec import Struct

EDITION = 1
"""Of the rules of admission that a new server goes by."""


class Policy(Struct, frozen=True, omit_defaults=True):
    """What the operator allows. The names are those of the journal."""

    people: int = 2_500
    """At once: a full gallery and 250 tables of two, or a thousand tables of two and some who look on."""
    tables: int = 1_000
    """At once; each costs some kilobytes, and a slice of every tick."""
    people_per_origin: int = 0
    """At once from one address; 0: no quota."""
    tables_per_origin: int = 0
    """At once that were opened from one address; 0: no quota."""
    longest_turn: int = 86_400
    """Seconds for a decision that a table may have."""
    longest_bank: int = 86_400
    """Seconds for being disconnected that a table may have."""
    patience: int = 0
    """Seconds for a decision at tables without a limit of their own; 0: no limit."""
    edition: int = 0
    """Of the rules that no operator chooses. 0: as they were before there was a policy. 1: passcodes come sealed, and
    those that were kept are sealed at the `Restart`; invitations are limited; names do not look alike."""

"""Rule sets whose packs clients know by name. Of a newer one they cannot tell, until `rule_sets` knows it."""

from put_protocol.rule_sets import pack_of
from put_rules.registry import GAMES

KNOWN = tuple(name for name in GAMES if pack_of(name, {}) is not None)


def fewest_and_most(name: str) -> tuple[int, ...]:
    """The numbers of seats that a test of a whole table tries."""
    seats = GAMES[name].offer.seats
    return tuple(sorted({min(seats), max(seats)}))

"""Rule sets whose packs clients know by name. Of a newer one they cannot tell, until `terms_of` knows it."""

from put_protocol.seal.terms import terms_of
from put_rules.registry import GAMES

KNOWN = tuple(name for name in GAMES if terms_of(name, {}) is not None)


def fewest_and_most(name: str) -> tuple[int, ...]:
    """The numbers of seats that a test of a whole table tries; `scripts/soak sealed` tries those between, too."""
    seats = GAMES[name].offer.seats
    return tuple(sorted({min(seats), max(seats)}))

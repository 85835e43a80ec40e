"""Memory that the clients of one person have of blind deals, for as long as their token lasts.

The keys of all seats follow from one secret. So a client that was killed has its keys again, if this is kept with the
token (`session_store`).

A client that was killed has forgotten what it signed. A server could tell it the deal in play anew, with the places
dealt to other seats, and so get its shares of its own hand. So each deal that it gives shares of is noted first, and no
shares are ever given of another deal of the same number, or of an earlier one.
"""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec import Struct

SECRET_BYTES = 32

GAMES = 64
"""Games of which the last shared deal is remembered: more than a person plays at once."""


class SharedDeal(Struct, frozen=True):
    """The last deal of a game of which shares were given, or were about to be."""

    number: int
    digest: str
    """A digest of its pack, and of who owns which place."""


@dataclass(slots=True)
class KeyMemory:
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(SECRET_BYTES), repr=False)
    shared: dict[str, SharedDeal] = field(default_factory=dict)
    """Deals by the hash of the game's terms."""
    save: Callable[[], None] = lambda: None
    """Keeps this, durably. It may be called in any thread."""

    def may_share(self, game: bytes, number: int, pack: bytes, owners: bytes) -> bool:
        """True if shares of this deal may be given; that is noted then."""
        digest = hashlib.sha256(len(pack).to_bytes(4, "big") + pack + owners).hexdigest()
        known, deal = self.shared.get(game.hex()), SharedDeal(number, digest)
        if known == deal:
            return True
        if known is not None and known.number >= number:
            return False
        self.shared.pop(game.hex(), None)
        self.shared[game.hex()] = deal
        while len(self.shared) > GAMES:
            del self.shared[next(iter(self.shared))]
        self.save()
        return True

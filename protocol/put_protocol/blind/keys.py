"""The key of a seat for one game, and the joint key of all seats.

A client draws a secret for each game, and keeps it with its session until the game is over. So a client that was killed
has its key again, and a key never serves two games, two seats or two servers.

A key is told with a signature by itself (`transcript`), which proves that its seat knows the secret. Without that, the
last seat could tell X minus the keys of all others, and alone know the secret of the joint key.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from put_protocol.blind.group import Point, base, digest, drawn, total
from put_protocol.blind.same_secret import Pair, derived, prove


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretKey:
    """A key with its secret, which is in no repr."""

    seed: bytes = field(repr=False)
    """The secrets of shuffles come from it, too."""
    secret: int = field(repr=False)
    point: Point

    def sign(self, message: bytes, pairs: tuple[Pair, ...] = ()) -> bytes:
        """A signature which proves that the pairs have this key's secret behind them."""
        return prove(self.secret, self.point, message, pairs)


def key_for(secret: bytes, game: bytes, seat: int) -> SecretKey:
    """The key of a seat in a game, of a secret with 32 bytes of the system's randomness. `game` is the hash of the
    game's terms (`transcript.Terms`)."""
    return key_of_seed(derived(secret, digest("seat", game, bytes([seat]))))


def key_of_seed(seed: bytes) -> SecretKey:
    (scalar,) = drawn(derived(seed, digest("key")), 1)
    return SecretKey(seed=seed, secret=scalar, point=base(scalar))


def joint_key(keys: Iterable[Point]) -> Point:
    """The key under which cards are encrypted: the sum of all seats' keys."""
    return total(keys)

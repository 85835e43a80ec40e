"""The key of a seat for one game, and the joint key of all seats.

A client draws a secret for each game, and stores it with its session until the game is over. So a client recovers its
key after a crash, and a key never serves two games, two seats or two servers.

A key is published with a signature by that key (`transcript`), which proves that the seat knows the secret. Otherwise
the last seat could publish X minus the keys of all other seats, and alone know the secret of the joint key.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from put_protocol.blind.group import Point, base, digest, drawn, total
from put_protocol.blind.same_secret import Pair, derived, prove


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretKey:
    """A key with its secret, which is in no repr."""

    seed: bytes = field(repr=False)
    """Seed for the secrets of shuffles, too."""
    secret: int = field(repr=False)
    point: Point

    def sign(self, message: bytes, pairs: tuple[Pair, ...] = ()) -> bytes:
        """A signature that also proves that the pairs use this key's secret."""
        return prove(self.secret, self.point, message, pairs)


def key_for(secret: bytes, game: bytes, seat: int) -> SecretKey:
    """Key of a seat in a game. `secret`: 32 random bytes. `game`: hash of the terms (`transcript.Terms`)."""
    return key_of_seed(derived(secret, digest("seat", game, bytes([seat]))))


def key_of_seed(seed: bytes) -> SecretKey:
    (scalar,) = drawn(derived(seed, digest("key")), 1)
    return SecretKey(seed=seed, secret=scalar, point=base(scalar))


def joint_key(keys: Iterable[Point]) -> Point:
    """The key under which cards are encrypted: the sum of all seats' keys."""
    return total(keys)

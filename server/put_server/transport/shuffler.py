"""Chance: the only source of it."""

import random
import secrets
import struct

from put_protocol.cards import Card
from put_protocol.seal.accidents import LUCK
from put_server.lobby.inputs import Secret, Shuffled
from put_server.table.effects import WantPack, WantSecret


class Shuffler:
    """Shuffles packs and makes tokens, from the operating system's randomness or, for exhibitions, from a seed."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self._random: random.Random = random.SystemRandom()

    def draw(self, want: WantPack | WantSecret) -> Shuffled | Secret:
        """What a table wants, as the input it waits for."""
        if isinstance(want, WantSecret):
            return Secret(want.table, self.secret(deal=(want.table, want.deal)))
        deal = (want.deals or want.table, want.deal)
        pack = self.shuffled(want.cards, want.top, deal=deal)
        return Shuffled(want.table, pack, self.luck(deal=deal) if want.has_accidents else None)

    def shuffled(
        self, cards: tuple[Card, ...], top: tuple[Card, ...] = (), *, deal: tuple[int | str, int]
    ) -> tuple[Card, ...]:
        """The cards in an order nobody chose, that of a random number for each; but an exhibition's arrangement on top.

        The numbers come in one draw, for `random.shuffle` would ask the system 76 times a pack. Two of 64 bits are
        alike, and then leave their cards in a known order, once in 10**16 packs. From a seed they depend on the deal (a
        table, or the name of a sequence of packs, and which pack of it this is) and on nothing else, so a show goes on
        the same after a crash.
        """
        chance = self._random if self._seed is None else random.Random(f"{self._seed} {deal}")
        rest = [card for card in cards if card not in top] if top else cards
        keys = struct.unpack(f"<{len(rest)}Q", chance.randbytes(8 * len(rest)))
        return (*top, *[card for _, card in sorted(zip(keys, rest, strict=True))])

    def luck(self, *, deal: tuple[int | str, int]) -> int:
        """What decides on an accident of a deal that is not sealed."""
        chance = self._random if self._seed is None else random.Random(f"{self._seed} luck {deal}")
        return chance.randrange(LUCK)

    def secret(self, *, deal: tuple[int, int]) -> bytes:
        """Of a sealed deal."""
        chance = self._random if self._seed is None else random.Random(f"{self._seed} seal {deal}")
        return chance.randbytes(32)

    @staticmethod
    def token() -> str:
        """What a person comes back with: never from a seed, for it is a key and not play."""
        return secrets.token_urlsafe(24)

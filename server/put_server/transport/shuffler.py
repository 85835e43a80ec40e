"""The only source of chance."""

import random
import secrets
import struct
from operator import mod

from put_protocol.cards import Card
from put_protocol.limits import PLAIN_WORDS
from put_rules.game import LUCK
from put_server.lobby.inputs import Secret, Shuffled
from put_server.table.table_effects import WantPack, WantSecret

_CONSONANTS, _VOWELS = "bdfghklmnprstvwz", "aeio"


class Shuffler:
    """Shuffles packs and makes tokens, from the operating system's randomness or, for exhibitions, from a seed."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self._random: random.Random = random.SystemRandom()

    def draw(self, want: WantPack | WantSecret) -> Shuffled | Secret:
        if isinstance(want, WantSecret):
            game = want.table, want.deal
            return Secret(want.table, self.secret(deal=(*game, want.read) if want.read else game))
        deal = (want.deals or want.table, want.deal)
        pack = self.shuffled(want.cards, want.top, deal=deal, most=want.most)
        return Shuffled(want.table, pack, self.luck(deal=deal) if want.has_accidents else None)

    def shuffled(
        self, cards: tuple[Card, ...], top: tuple[Card, ...] = (), *, deal: tuple[int | str, int], most: int = 0
    ) -> tuple[Card, ...]:
        """The cards in a random order, below an exhibition's arrangement.

        Each card is drawn from the remaining ones by one number. The numbers come in one call, because
        `random.shuffle` would ask the system 76 times a pack. They have 64 bits: a card comes more often than another
        by less than one part in 10**17. `most`: number of cards to draw; the others stay below in order; 0: all.
        """
        rest = tuple([card for card in cards if card not in top]) if top else cards
        if self._seed is not None:
            return (*top, *self._seeded(rest, deal))
        count = min(most or len(rest), len(rest))
        numbers = struct.unpack(f"<{count}Q", self._random.randbytes(8 * count))
        left = list(rest)
        return (*top, *map(left.pop, map(mod, numbers, range(len(rest), 0, -1))), *left)

    def _seeded(self, cards: tuple[Card, ...], deal: tuple[int | str, int]) -> list[Card]:
        """The cards sorted by a random number each, as in the first exhibitions, whose packs are known.

        The numbers depend only on the seed and the deal (a table or the name of a sequence, and the number of the
        pack), so an exhibition continues unchanged after a crash.
        """
        chance = random.Random(f"{self._seed} {deal}")
        numbers = struct.unpack(f"<{len(cards)}Q", chance.randbytes(8 * len(cards)))
        return [card for _, card in sorted(zip(numbers, cards, strict=True))]

    def luck(self, *, deal: tuple[int | str, int]) -> int:
        chance = self._random if self._seed is None else random.Random(f"{self._seed} luck {deal}")
        return chance.randrange(LUCK)

    def secret(self, *, deal: tuple[int, ...]) -> bytes:
        chance = self._random if self._seed is None else random.Random(f"{self._seed} seal {deal}")
        return chance.randbytes(32)

    @staticmethod
    def token() -> str:
        """Token of a person. Never from a seed, because it is a secret."""
        return secrets.token_urlsafe(24)

    @staticmethod
    def words() -> str:
        """Token for a person who types: words that can be spoken, and written down by ear."""
        return words_of(secrets.token_bytes(2 * PLAIN_WORDS))


def words_of(data: bytes) -> str:
    """A word of five letters for every two bytes."""
    numbers = [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]
    return " ".join(map(_word, numbers))


def _word(bits: int) -> str:
    first, second, third = (_CONSONANTS[bits >> shift & 15] for shift in (12, 6, 0))
    return first + _VOWELS[bits >> 10 & 3] + second + _VOWELS[bits >> 4 & 3] + third

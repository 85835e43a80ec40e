"""Shuffled packs for episodes, and who deals first: all the chance there is beside the players' own."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from put_env.episode import Episode
from put_protocol.cards import Card
from put_protocol.seal.accidents import LUCK
from put_protocol.seats import Seat
from put_rules.game import Purpose, Shuffle
from put_rules.table_options import TableOptions

_AT_ONCE = 64
"""Packs shuffled together: one at a time costs several times as much."""

_OF_A_NEW_GAME = ("dealer", "scores")


class Packs:
    """Dealer of one environment: the same seed deals the same packs."""

    def __init__(self, arranged: TableOptions) -> None:
        self._arranged = arranged.arranged
        self.reset(None)

    def reset(self, seed: int | None) -> None:
        """Begin anew with this seed; None: with any."""
        self.chance = np.random.default_rng(seed)
        self._cards: tuple[Card, ...] = ()
        self._orders: list[list[int]] = []

    def seat(self, seats: int) -> Seat:
        return Seat(int(self.chance.integers(seats)))

    def supply(self, episode: Episode) -> None:
        """Deal the packs that the episode wants, until a seat is to act or the episode is over."""
        while (wanted := episode.wanted) is not None:
            luck = int(self.chance.integers(LUCK, dtype=np.uint64)) if wanted.misdeals else None
            episode.deal(self._shuffled(wanted), luck)

    def begin(self, episode: Episode, *, is_new: bool, options: Mapping[str, Any]) -> bool:
        """The next episode, up to its first choice: a new game, or the next hand of one that has come to the end of a
        hand. Returns whether it is of a new game.

        `options`: the `dealer` and the `scores` of a new game; others are passed over, as PettingZoo asks of its
        environments.

        :raises ValueError: the game cannot begin so.
        """
        if is_new or not options.keys().isdisjoint(_OF_A_NEW_GAME) or episode.is_game_over or not episode.is_over:
            is_new, seats = True, episode.table.seats
            dealer = int(options.get("dealer", self.seat(seats)))
            if not 0 <= dealer < seats:
                raise ValueError(f"there is no seat {dealer} to deal first")
            episode.begin(Seat(dealer), tuple(options.get("scores", ())))
        else:
            is_new = False
            episode.next_hand()
        return self._supply_play(episode) or is_new

    def _supply_play(self, episode: Episode) -> bool:
        """The same, until a seat is to act: past hands, and games, that end without a choice. Their rewards are
        dropped. Returns whether a new game began."""
        is_new = False
        while True:
            self.supply(episode)
            if episode.seat is not None:
                return is_new
            if episode.is_game_over:
                is_new = True
                episode.begin(self.seat(episode.table.seats))
            else:
                episode.next_hand()

    def _shuffled(self, wanted: Shuffle) -> tuple[Card, ...]:
        if wanted.purpose is Purpose.STOCK:
            return tuple([wanted.cards[place] for place in self.chance.permutation(len(wanted.cards))])
        cards = wanted.cards
        if not self._orders or (cards is not self._cards and cards != self._cards):
            self._cards = cards
            places = np.tile(np.arange(len(cards), dtype=np.uint8), (_AT_ONCE, 1))
            self._orders = self.chance.permuted(places, axis=1).tolist()
        pack = tuple(map(cards.__getitem__, self._orders.pop()))
        if self._arranged and wanted.purpose is Purpose.HAND:
            pack = (*self._arranged, *[card for card in pack if card not in self._arranged])
        return pack

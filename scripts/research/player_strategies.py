"""Strategies of house players: what they do at every decision of the solver's tree that their own play leads to.

Elsewhere the entries are 0, and nothing that anybody does can bring them into play. Where the last card is answered
the solver distinguishes only whether the follower's card is lower, equal or higher than the one led: what a player does
with several such cards is put together, each as likely as the deal and its own play make it. The leader, whom this
concerns and nobody else, cannot tell them apart either.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from put_server.house import registry
from put_server.house.player import Player, Terms, actions_of
from put_server.house.put import rank_hand as by_ranks
from put_server.house.put.policy_network import network_for
from put_server.house.put.score_values import stake_rule_of
from put_server.house.put.sharp import (
    LEAST_PROBABILITY,
    WorstCases,
    is_dominated,
    win_probabilities,
    without_blunders,
    worst_cases,
)
from put_server.house.put.solved.hands import COPIES, Ranks, hands_of, orders, without
from put_server.house.put.solved.payoffs import Score, Variant
from put_server.house.put.solved.tree import DEALER, ELDEST, FIRST, TRICKS, End, Move, PublicState, Say
from put_server.house.put.view_reading import read_view
from put_server.house_runner import terms_at
from put_solver.flat import Doubles
from scripts.research.tree_views import PublicView, fitting, seat_of

Row = tuple[float, ...]
"""How often each of `Tree.moves_of` is made."""

_Held = dict[Ranks, float]
"""The hands a side may have, and their weights: the orders of equal cards, and the side's own play."""


class StrategySource(Protocol):
    """A player whose strategy can be queried."""

    def rows(self, public_view: PublicView, hands: Sequence[Ranks]) -> list[Row]:
        """What the player to move does with each of these hands."""
        ...


def strategy_of(variant: Variant, score: Score, player: StrategySource) -> Doubles:
    """What the player does at a score as eldest, and as dealer."""
    strategy = np.zeros(variant.tree.size(FIRST))
    for side in (ELDEST, DEALER):
        held = {hand: 1.0 / orders(hand) for hand in hands_of(variant.ranks, TRICKS).hands}
        _Walk(variant, side, player, strategy).go(PublicView(variant=variant, score=score), 0, held)
    return strategy


class _Walk:
    def __init__(self, variant: Variant, side: int, player: StrategySource, strategy: Doubles) -> None:
        self._tree, self._side, self._player, self._strategy = variant.tree, side, player, strategy

    def go(self, public_view: PublicView, at: int, held: _Held) -> None:
        """Follow everything from here on."""
        tree, public = self._tree, public_view.public
        if not held or self._is_settled(public):
            return
        if tree.actor(public) != self._side:
            self._hear(public_view, at, held)
            return
        after: dict[Move, _Held] = {}
        rows = self._rows(public_view, at, held)
        for (hand, weight), row in zip(held.items(), rows, strict=True):
            for move, often in zip(tree.moves_of(public, hand), row, strict=True):
                if often > 0:
                    left = hand if isinstance(move, Say) else without(hand, move)
                    after.setdefault(move, {})[left] = weight * often
        for move, those in after.items():
            self._step(public_view, at, move, those)

    def _is_settled(self, public: PublicState) -> bool:
        """Nothing more will be asked of this side."""
        is_last_word = public.is_bound and self._tree.rules.is_final
        return is_last_word and self._tree.cards(public, self._side) <= 1

    def _step(self, public_view: PublicView, at: int, move: Move, held: _Held) -> None:
        public, begins = self._tree.step(public_view.public, at, move)
        if not isinstance(public, End):
            self.go(public_view.after(public, move), begins, held)

    def _hear(self, public_view: PublicView, at: int, held: _Held) -> None:
        """The other may do anything for which there are cards."""
        for move in self._tree.moves(public_view.public):
            if isinstance(move, Say):
                self._step(public_view, at, move, held)
            elif public_view.table[move] < COPIES:
                table = [count + (rank == move) for rank, count in enumerate(public_view.table)]
                self._step(public_view, at, move, {hand: each for hand, each in held.items() if fitting(table, hand)})

    def _rows(self, public_view: PublicView, at: int, held: _Held) -> list[Row]:
        tree, public = self._tree, public_view.public
        if not tree.is_asked(public):
            return [(1.0,)] * len(held)
        rows = self._player.rows(public_view, list(held))
        if tree.is_last(public):
            self._merge(public_view, at, held, rows)
        else:
            for hand, row in zip(held, rows, strict=True):
                for place, often in zip(tree.places(public, hand), row, strict=True):
                    self._strategy[at + place] = often
        return rows

    def _merge(self, public_view: PublicView, at: int, held: _Held, rows: Sequence[Row]) -> None:
        """One row for each case of the last card."""
        cases: dict[tuple[int, ...], list[tuple[float, Row]]] = {}
        for (hand, weight), row in zip(held.items(), rows, strict=True):
            cards = COPIES - public_view.table[hand[0]] if hand else 1
            cases.setdefault(self._tree.places(public_view.public, hand), []).append((weight * cards, row))
        for places, weighed in cases.items():
            whole = sum([weight for weight, _ in weighed])
            for number, place in enumerate(places):
                self._strategy[at + place] = sum([weight * row[number] for weight, row in weighed]) / whole


_NUMBERS: Mapping[Say, int] = {Say.PUT: by_ranks.PUT, Say.SEE: by_ranks.SEE, Say.THROW: by_ranks.THROW}
_END_ALIKE = ("beginner", "steady")
_HELD, _UNSEEN = 75, 88
"""The first features of the own cards and of those not yet seen (`rank_hand.fill_features`): all that differs from hand
to hand."""


def terms_of(variant: Variant) -> Terms:
    """The terms of a table that plays this variant."""
    return terms_at(variant.game, variant.options)


class QueriedPlayer:
    """Any player, asked view by view; for a view that was seen before, its earlier answer.

    `ends_alike`: with its last card, it considers only who takes the trick and how the hand stands. With no card left,
    it answers by what it led.
    """

    def __init__(self, player: Player[Any], *, ends_alike: bool = False) -> None:
        self._player = player
        self._ends_alike = ends_alike
        self._said: dict[object, Row] = {}

    def rows(self, public_view: PublicView, hands: Sequence[Ranks]) -> list[Row]:
        """The player's own mixtures."""
        tree, public = public_view.variant.tree, public_view.public
        seat = seat_of(tree.actor(public))
        is_end = self._ends_alike and tree.is_last(public)
        found = []
        for hand in hands:
            key: object = (
                (public._replace(led=-1), tree.case(public, hand)) if is_end and hand else (hand, public_view.key)
            )
            row = self._said.get((key, public_view.score))
            if row is None:
                view = public_view.view(hand)
                row = public_view.moves(self._player.mixture(view, public_view.legal(view), seat), view, hand)
                self._said[key, public_view.score] = row
            found.append(row)
        return found


class BatchedSharp:
    """The sharp player, asked for all hands at a time: the inputs of its network differ from hand to hand in the cards
    only. The worst cases are the same at every score, and are cached."""

    def __init__(self, variant: Variant) -> None:
        self._options = variant.options
        self._worst_cases: dict[object, WorstCases | None] = {}
        self._layers: list[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]] = []

    def rows(self, public_view: PublicView, hands: Sequence[Ranks]) -> list[Row]:
        """The mixtures of the real player, but for the order of additions."""
        tree, public = public_view.variant.tree, public_view.public
        seat = seat_of(tree.actor(public))
        view = public_view.view(hands[0])
        actions = actions_of(public_view.legal(view))
        rank_view = read_view(view, actions, seat, self._options, opens=False)
        assert rank_view is not None
        seen = [0.0] * by_ranks.FEATURES
        by_ranks.fill_features(rank_view.hand, win_probabilities(stake_rule_of(view)), seen)
        if not self._layers:
            network = network_for(rank_view.hand[by_ranks.KIND], 2)
            self._layers = [(np.array(rows), np.array(biases)) for rows, biases in network.layers]
        logits = self._logits(public_view, np.array(seen), hands)
        found = []
        for hand, logit in zip(hands, logits, strict=True):
            moves = tree.moves_of(public, hand)
            plays = len(moves) - len(tree.says(public))
            # The network counts from the best card, the tree from the lowest.
            numbers = [*range(plays - 1, -1, -1), *(_NUMBERS[say] for say in tree.says(public))]
            kept = [n for n in sorted(numbers) if not is_dominated(rank_view.hand, n, numbers)] or sorted(numbers)
            if len(kept) > 1 and (by_ranks.THROW in kept or plays > 1):
                kept = list(without_blunders(self._worst_case(public_view, hand), kept))
            odds = np.exp(logit[kept] - logit[kept].max())
            shares = odds / odds.sum()
            shares[shares < LEAST_PROBABILITY] = 0.0
            often = dict(zip(kept, (shares / shares.sum()).tolist(), strict=True))
            found.append(tuple([often.get(number, 0.0) for number in numbers]))
        return found

    def _logits(
        self, public_view: PublicView, seen: npt.NDArray[np.float64], hands: Sequence[Ranks]
    ) -> npt.NDArray[np.float64]:
        ranks = public_view.variant.ranks
        lowest = by_ranks.RANKS - ranks  # a shortened pack lacks the low ones
        held = np.zeros((len(hands), ranks))
        for row, hand in enumerate(hands):
            for rank in hand:
                held[row, rank] += 1
        values = np.repeat(seen[None], len(hands), axis=0)
        values[:, _HELD + lowest : _HELD + by_ranks.RANKS] = held
        values[:, _UNSEEN + lowest : _UNSEEN + by_ranks.RANKS] = (4 - held - np.array(public_view.table)) / 4
        for number, (weights, biases) in enumerate(self._layers):
            values = (values if number == 0 else np.maximum(values, 0.0)) @ weights + biases
        return values

    def _worst_case(self, public_view: PublicView, hand: Ranks) -> WorstCases | None:
        key = hand, public_view.key
        if key not in self._worst_cases:
            self._worst_cases[key] = worst_cases(
                public_view.view(hand), seat_of(public_view.variant.tree.actor(public_view.public))
            )
        return self._worst_cases[key]


def queried(kind: str, variant: Variant) -> StrategySource:
    """A house player of this kind, whose strategy can be queried."""
    if kind == "sharp":
        return BatchedSharp(variant)
    return QueriedPlayer(registry.player(kind, Random(0), terms_of(variant)), ends_alike=kind in _END_ALIKE)

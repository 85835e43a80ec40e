"""One episode: a game of `put_rules`, or a hand of it, driven step by step. Pure: packs and actions come in.

    begin -> (deal | act | expire)* -> is_over

`wanted` is the pack that the episode waits for, `seat` the seat to act. Both are None when the episode is over.
`take_rewards` returns the rewards since its last call. `Packs` makes all random choices except the players' own:
shuffled packs, and the first dealer.
"""

import pickle
from collections.abc import Mapping, Sequence
from io import BytesIO
from operator import index
from typing import Any

import numpy as np

from put_env.env_table import Rewards, Table, Unit
from put_env.families import codec_of
from put_protocol.cards import Card
from put_protocol.games.unions import GameView
from put_protocol.seats import GALLERY, Seat
from put_rules.driver import Driver
from put_rules.facts import Fact, Hidden
from put_rules.game import LUCK, Purpose, Shuffle, turn_of
from put_rules.table_options import TableOptions

_AT_ONCE = 64
"""Packs shuffled together. Shuffling one at a time costs several times as much."""

_OF_A_NEW_GAME = ("dealer", "scores")


class Episode(Driver):
    """A game, or its hands one after another.

    :raises ValueError: points are rewarded, but the rule set has none.
    """

    def __init__(self, table: Table, *, unit: Unit = Unit.GAME, rewards: Rewards = Rewards.PURSE) -> None:
        super().__init__(table.game(), Seat(0))
        self.table = table
        self.codec = codec_of(table)
        self._unit = Unit(unit)
        self._rewards = Rewards(rewards)
        self._hand_ends = self.codec.hand_ends
        self._points: list[float] | None = None
        self._paid: Sequence[float] = ()
        self.no_rewards = [0.0] * table.seats
        """Rewards from `take_rewards` if there are none."""
        self.is_over = False
        self.seat: Seat | None = None
        self.legal: tuple[Any, ...] = ()
        self.wanted: Shuffle | None = None
        self._decision: tuple[GameView, list[int]] | None = None
        if self._rewards is Rewards.POINTS and self.codec.points(self.state, ()) is None:
            raise ValueError(f"{table.rule_set} has no points: its rewards are those of the purse")

    def __copy__(self) -> "Episode":
        """Another episode in the same position. Its parts are immutable, so the copies share them."""
        made = object.__new__(Episode)
        made.__dict__.update(self.__dict__)
        for name in Driver.__slots__:
            setattr(made, name, getattr(self, name))
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> "Episode":
        made = memo[id(self)] = self.__copy__()
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        # The machine and the codec are made again from the table: both keep caches that no pickle takes.
        stands = (self.state, self.facts, self._points, self._paid, self.is_over)
        return _restored, (self.table, self._unit, self._rewards, _pickled(stands))

    def begin(self, dealer: Seat, scores: Sequence[int] = ()) -> None:
        """Begin a new game; this seat deals first. `scores`: scores at its beginning, if the family has any.

        :raises ValueError: the game cannot begin at these scores.
        """
        state = self.game.begin(dealer)
        self.start(self.codec.with_scores(state, scores) if scores else state)
        self.next_hand()

    def next_hand(self) -> None:
        """The next hand of the same game. The game must not be over."""
        assert not self.is_game_over
        self.is_over = False
        self.forget_rewards()
        self._look()

    def act(self, action: Any) -> tuple[Fact, ...]:
        return self._advance(self.game.act(self.state, action, self.legal))

    def _advance(self, result: tuple[Any, tuple[Fact, ...]]) -> tuple[Fact, ...]:
        before = self.state
        self.state, self.facts = result
        if self._look() is not None:
            return self.facts
        if self._rewards is Rewards.POINTS:
            gained = self.codec.points(before, self.facts)
            assert gained is not None
            assert self._points is not None
            self._points = [total + points for total, points in zip(self._points, gained, strict=True)]
        ends = (isinstance(fact.seen_by(GALLERY), self._hand_ends) for fact in self.facts)
        self.is_over = self.is_game_over or (self._unit is Unit.HAND and any(ends))
        if self.is_over:
            self.wanted = None
        return self.facts

    def _look(self) -> Seat | None:
        """Find what the state waits for. Returns the seat to move."""
        seat: Seat | None = self.state.to_move
        self.seat, self._decision = seat, None
        if seat is not None:
            self.awaits, self.wanted = turn_of(seat), None
            self.legal = self.game.legal(self.state)
        else:
            awaits = self.awaits = self.game.awaits(self.state)
            self.legal, self.wanted = (), awaits if isinstance(awaits, Shuffle) else None
        return seat

    def decision(self) -> tuple[GameView, list[int]]:
        """View of the seat to move, and the numbers of its legal actions in their order; computed once."""
        if self._decision is None:
            assert self.seat is not None
            view = self.view(self.seat)
            self._decision = view, self.codec.codes(view, self.legal)
        return self._decision

    def take_rewards(self) -> list[float]:
        """Gains of each seat since the last call, or since the beginning of the episode. Do not change the list."""
        if self._points is not None:
            gained, self._points = self._points, self.no_rewards
            return gained
        paid = self.game.paid(self.state)
        if paid is self._paid:
            return self.no_rewards
        gained = [now - before for now, before in zip(paid, self._paid, strict=True)]
        self._paid = paid
        return gained

    def forget_rewards(self) -> None:
        """Drop the gains so far: they belong to no episode."""
        self._paid = self.game.paid(self.state)
        self._points = self.no_rewards if self._rewards is Rewards.POINTS else None


class _Pickler(pickle.Pickler):
    """Pickler of a state, including its hidden cards: a program that trains has the whole game anyway, and a server has
    no episodes."""

    def reducer_override(self, value: Any) -> Any:
        return (Hidden, (value.unseal(),)) if isinstance(value, Hidden) else NotImplemented


def _pickled(value: Any) -> bytes:
    packed = BytesIO()
    _Pickler(packed, pickle.HIGHEST_PROTOCOL).dump(value)
    return packed.getvalue()


def _restored(table: Table, unit: Unit, rewards: Rewards, stands: bytes) -> Episode:
    episode = Episode(table, unit=unit, rewards=rewards)
    state, facts, points, paid, is_over = pickle.loads(stands)
    episode.state, episode.facts = state, facts
    episode._points, episode._paid = points, paid
    episode._look()
    episode.is_over = is_over
    if is_over:
        episode.wanted = None
    return episode


class Packs:
    """Dealer of one environment: the same seed deals the same packs."""

    def __init__(self, arranged: TableOptions) -> None:
        self._arranged = arranged.arranged
        self.reset(None)

    def reset(self, seed: int | None) -> None:
        """Begin again with this seed; None: with a random one."""
        self.chance = np.random.default_rng(seed)
        self._cards: tuple[Card, ...] = ()
        self._packs: list[list[Card]] = []

    def seat(self, seats: int) -> Seat:
        return Seat(int(self.chance.integers(seats)))

    def supply(self, episode: Episode) -> None:
        """Deal the packs that the episode waits for, until a seat has to act or the episode is over."""
        while (wanted := episode.wanted) is not None:
            luck = int(self.chance.integers(LUCK, dtype=np.uint64)) if wanted.misdeals else None
            episode.deal(self._shuffled(wanted), luck)

    def begin(self, episode: Episode, *, is_new: bool, options: Mapping[str, Any]) -> bool:
        """Begin the next episode, up to its first choice: a new game, or the next hand after a finished hand. Hands and
        games that end without a choice are skipped, with their rewards. Returns whether a new game began.

        `options`: the `dealer` and the `scores` of a new game. Other options are ignored, as PettingZoo requires.

        :raises ValueError: the game cannot begin with these options.
        :raises TypeError: they are not whole numbers.
        """
        is_new = is_new or not options.keys().isdisjoint(_OF_A_NEW_GAME) or episode.is_game_over or not episode.is_over
        has_begun = False
        while True:
            if is_new:
                has_begun, seats = True, episode.table.seats
                dealer = index(options.get("dealer", self.seat(seats)))
                if not 0 <= dealer < seats:
                    raise ValueError(f"there is no seat {dealer} to deal first")
                episode.begin(Seat(dealer), tuple(map(index, options.get("scores", ()))))
                options = {}
            else:
                episode.next_hand()
            self.supply(episode)
            if episode.seat is not None:
                return has_begun
            is_new = episode.is_game_over

    def _shuffled(self, wanted: Shuffle) -> tuple[Card, ...]:
        if wanted.purpose is Purpose.STOCK:
            return tuple([wanted.cards[place] for place in self.chance.permutation(len(wanted.cards))])
        cards = wanted.cards
        if not self._packs or (cards is not self._cards and cards != self._cards):
            self._cards = cards
            places = np.tile(np.arange(len(cards), dtype=np.uint8), (_AT_ONCE, 1))
            self._packs = np.array(cards, dtype=object)[self.chance.permuted(places, axis=1)].tolist()
        pack = tuple(self._packs.pop())
        if self._arranged and wanted.purpose is Purpose.HAND:
            pack = (*self._arranged, *[card for card in pack if card not in self._arranged])
        return pack

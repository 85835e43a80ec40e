"""One episode: a machine of `put_rules`, driven step by step. Pure: packs and actions come in.

    begin -> (deal | act)* -> is_over

`wanted` says which pack is awaited, `seat` whose action; both are None when the episode is over. Rewards are counted
from the last time they were taken, by `take_rewards`.
"""

from collections.abc import Sequence
from copy import copy
from typing import Any

from put_env.families import codec_of
from put_env.table import Rewards, Table, Unit
from put_protocol.cards import Card
from put_protocol.games.unions import Action, GameView
from put_protocol.seats import GALLERY, Seat, Viewer
from put_rules.facts import Fact
from put_rules.game import Shuffle, Turn
from put_rules.steps import expire


class Episode:
    """A game, or one hand of it after another.

    :raises ValueError: points are to be rewarded, and the rule set has none.
    """

    __slots__ = (
        "_hand_ends",
        "_nothing",
        "_paid",
        "_points",
        "_rewards",
        "_unit",
        "codec",
        "facts",
        "game",
        "is_game_over",
        "is_over",
        "legal",
        "seat",
        "state",
        "table",
        "wanted",
    )

    def __init__(self, table: Table, *, unit: Unit = Unit.GAME, rewards: Rewards = Rewards.PURSE) -> None:
        self.table = table
        self.game = table.game()
        self.codec = codec_of(table)
        self._unit = Unit(unit)
        self._rewards = Rewards(rewards)
        self._hand_ends = self.codec.hand_ends
        self._points: list[float] | None = None
        self.is_over = self.is_game_over = True
        """Nothing has begun."""
        self.state: Any = self.game.begin(Seat(0))
        if self._rewards is Rewards.POINTS and self.codec.points(self.state, ()) is None:
            raise ValueError(f"{table.rule_set} has no points: its rewards are those of the purse")
        self.seat: Seat | None = None
        self.legal: tuple[Any, ...] = ()
        self.wanted: Shuffle | None = None
        self.facts: tuple[Fact, ...] = ()
        """Of the last step."""
        self._paid: Sequence[float] = ()
        self._nothing = [0.0] * table.seats

    def __deepcopy__(self, memo: dict[int, Any]) -> "Episode":
        """Another episode that stands where this one does. Nothing it holds ever changes, so all of it is shared."""
        made = memo[id(self)] = copy(self)
        return made

    def begin(self, dealer: Seat, scores: Sequence[int] = ()) -> None:
        """A new game; this seat deals first. `scores`: those it begins at, where the family has any.

        :raises ValueError: it cannot begin at these scores.
        """
        state = self.game.begin(dealer)
        self.state = self.codec.with_scores(state, scores) if scores else state
        self.is_over = self.is_game_over = False
        self.facts = ()
        self.forget_rewards()
        self._look()

    def next_hand(self) -> None:
        """The next hand of the same game, which must not be over."""
        assert not self.is_game_over
        self.is_over = False
        self.forget_rewards()
        self._look()

    def deal(self, pack: tuple[Card, ...], luck: int | None = None) -> None:
        """The pack that was wanted, shuffled."""
        self._after(self.game.deal(self.state, pack, luck))

    def act(self, action: Action) -> None:
        """The seat to move does this.

        :raises IllegalAction: it is not in `legal`; nothing changed.
        """
        self._after(self.game.act(self.state, action))

    def expire(self) -> None:
        """The time of the seat to move is spent: what becomes of that is for the rules to say."""
        self._after(expire(self.game, self.state))

    def _after(self, result: tuple[Any, tuple[Fact, ...]]) -> None:
        before = self.state
        self.state, self.facts = result
        self._look()
        if self.seat is not None:
            return
        if self._rewards is Rewards.POINTS:
            gained = self.codec.points(before, self.facts)
            assert gained is not None
            assert self._points is not None
            self._points = [total + points for total, points in zip(self._points, gained, strict=True)]
        self.is_game_over = self.wanted is None
        self.is_over = self.is_game_over or (self._unit is Unit.HAND and self._has_ended_hand())
        if self.is_over:
            self.wanted = None

    def _look(self) -> None:
        """Find what is awaited."""
        awaits = self.game.awaits(self.state)
        if type(awaits) is Turn:
            self.seat, self.wanted = awaits.seat, None
            self.legal = self.game.legal(self.state)
        else:
            self.seat, self.legal = None, ()
            self.wanted = awaits if type(awaits) is Shuffle else None

    def _has_ended_hand(self) -> bool:
        return any(isinstance(fact.seen_by(GALLERY), self._hand_ends) for fact in self.facts)

    def view(self, viewer: Viewer) -> GameView:
        """What the server would send this viewer."""
        return self.game.view(self.state, viewer)

    def take_rewards(self) -> list[float]:
        """What each seat has gained since this was last asked, or since the episode began; not to be changed."""
        if self._points is not None:
            gained, self._points = self._points, self._nothing
            return gained
        paid = self.game.paid(self.state)
        if paid is self._paid:
            return self._nothing
        gained = [now - before for now, before in zip(paid, self._paid, strict=True)]
        self._paid = paid
        return gained

    def forget_rewards(self) -> None:
        """What was gained so far is nobody's."""
        self._paid = self.game.paid(self.state)
        self._points = self._nothing if self._rewards is Rewards.POINTS else None

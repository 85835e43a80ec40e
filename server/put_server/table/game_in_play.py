"""A game in play at a table: its players, its state, and its record for a replay."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from put_protocol.games.unions import Action, Choice
from put_protocol.messages import Question
from put_protocol.seats import Seat
from put_rules.facts import Fact
from put_rules.game import Awaits, Game, OptionValue, Over, Turn
from put_rules.record import Assist, Departure, Expiry, GameRecord, Input, Move, Pack, Player, StandIn
from put_rules.steps import Played, Steps, fold, forget_player, named, packed_steps
from put_server.table.table_effects import PersonId


class GameInPlay:
    """One game from its beginning. A step that the rules refuse raises their error, and changes nothing."""

    __slots__ = (
        *("_dealer", "_game", "_legal", "_paid", "_steps", "assisted", "awaits", "begun"),
        *("moved", "number", "people", "players", "relieved", "resigned", "state"),
    )

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        number: int,
        people: tuple[PersonId, ...],
        players: tuple[Player, ...],
        dealer: Seat | None,
        now: int,
    ) -> None:
        """`dealer` deals the first hand; None: the players draw for the deal."""
        self._game = game
        self.people = people
        """The people who began the game, by seat."""
        self.resigned: tuple[Seat, ...] = ()  # a set takes four times as much room
        """Players who resigned and kept their seat."""
        self.assisted: tuple[Seat, ...] = ()
        """Players who have asked the coach."""
        self.moved: tuple[Seat, ...] = ()
        """Players who have moved; a time-out does not count."""
        self.relieved: tuple[Seat, ...] = ()
        """Players replaced by a person: they may not have what was seen from their seat since."""
        self.players = players
        self._dealer = dealer
        self.begun = now
        """Time, in milliseconds of the server's clock."""
        self._steps = Steps()
        self.state: Any = game.begin(dealer)
        """State of the game, which only the game's own code reads."""
        self._paid: tuple[int, ...] = self.state.paid
        self._legal: tuple[Action, ...] | None = None
        """Legal actions of this state; None: not computed yet. They are the ones sent to the player."""
        self.number = number
        """Number of the game at the table, from 1."""

        self.awaits: Awaits = game.awaits(self.state)

    @classmethod
    def restored(
        cls,
        game: Game[Any, Any],
        record: GameRecord,
        people: tuple[PersonId, ...],
        resigned: tuple[Seat, ...],
        *,
        begun: int,
        follow: Callable[[Played], None],
    ) -> "GameInPlay":
        """The game after the steps of a record; `follow` is called with each step.

        :raises BadRecord: a step is not legal.
        """
        play = cls(game, number=record.number, people=people, players=record.players, dealer=record.dealer, now=begun)
        play.resigned = resigned
        for played in fold(record, game):
            if played.input is not None:
                play._advance((played.state, ()), played.input, begun + played.at)
            follow(played)
        play._paid = play.state.paid
        return play

    @property
    def is_over(self) -> bool:
        return isinstance(self.awaits, Over)

    def question(self, number: int, *, in_words: bool, in_phrases: bool = False) -> Question:
        game, state = self._game, self.state
        if self._legal is None:
            self._legal = game.legal(state)
        if not in_words:
            return Question(number, tuple(map(Choice, self._legal)))
        choices = game.choices(state, self._legal, in_phrases=in_phrases)
        wording = game.wording(state)
        return Question(number, choices, *wording) if in_phrases else Question(number, choices, *wording[:2])

    def is_legal(self, action: Action) -> bool:
        return action in (self._game.legal(self.state) if self._legal is None else self._legal)

    def act(self, action: Action, now: int, place: int | None = None) -> tuple[Fact, ...]:
        """Carry out an action of the seat to move. `place`: of the card, if the card was known only by its place."""
        if place is None:
            result = self._game.act(self.state, action, self._legal)
        else:
            result = self._game.act(named(self._game, self.state, place, action), action)
        return self._advance(result, Move(action, place), now)

    def deal(self, pack: Pack, now: int) -> tuple[Fact, ...]:
        return self._advance(self._game.deal(self.state, pack.cards, pack.luck), pack, now)

    def finish_deals(self, remains: Sequence[Pack]) -> None:
        """End the hand: keep these remains of its packs, and nothing else."""
        self._steps.replace_live(remains)

    def expire(self, now: int) -> tuple[Fact, ...]:
        return self._advance(self._game.expire(self.state), Expiry(), now)

    def leave(self, seat: Seat, now: int) -> tuple[Fact, ...]:
        """:raises NotAwaited: the player has already given the game up."""
        return self._advance(self._game.leave(self.state, seat), Departure(seat), now)

    def stand_in(self, seat: Seat, player: Player, now: int) -> None:
        self._advance((self.state, ()), StandIn(seat, player), now)

    def has_player(self, name: str) -> bool:
        """True if a person of this name began the game, or replaced a player."""
        steps = self._steps.read() if self.relieved else []
        return forget_player(self.players, steps, name) != (self.players, steps)

    def forget(self, name: str) -> None:
        """Replace a person's name by their seat; nothing else changes."""
        if self.has_player(name):
            self.players, steps = forget_player(self.players, self._steps.read(), name)
            self._steps = Steps(packed_steps(steps))

    def assist(self, seat: Seat, now: int) -> bool:
        """Note that a player asked the coach. Returns true for their first time."""
        if seat in self.assisted:
            return False
        self._advance((self.state, ()), Assist(seat), now)
        return True

    def _advance(self, result: tuple[Any, tuple[Fact, ...]], given: Input, now: int) -> tuple[Fact, ...]:
        """Note an input that the rules took, and its result."""
        if isinstance(given, Move):
            if isinstance(self.awaits, Turn) and self.awaits.seat not in self.moved:
                self.moved += (self.awaits.seat,)
        elif isinstance(given, StandIn):
            self.relieved += (given.seat,)
        elif isinstance(given, Assist):
            self.assisted += (given.seat,)
        self.state, facts = result
        self._legal = None
        self.awaits = self._game.awaits(self.state)
        self._steps.add(now - self.begun, given)
        return facts

    def gains(self) -> tuple[int, ...]:
        """Gain of each seat since the last call."""
        paid: tuple[int, ...] = self.state.paid
        if paid == self._paid:
            return ()
        before, self._paid = self._paid, paid
        return tuple([now - then for then, now in zip(before, paid, strict=True)])

    def record(
        self, table: int, rule_set: str, options: Mapping[str, OptionValue], *, is_exhibition: bool
    ) -> GameRecord:
        """Record of the game, including the secrets of the deal in play."""
        return GameRecord(
            table=table,
            number=self.number,
            rule_set=rule_set,
            options=dict(options),
            players=self.players,
            dealer=self._dealer,
            steps=self._steps.packed(),
            is_exhibition=is_exhibition,
        )

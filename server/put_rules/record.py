"""The record of a game: its inputs, and the turns of one seat in it. `steps` replays it, to restore, show or check it.

The record contains every card, and never travels: a viewer gets only what the facts of a replay let them see.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from put_protocol.analysis import PlayedTurn, Situation
from put_protocol.cards import Card
from put_protocol.games.families import deals_hand
from put_protocol.games.unions import Action, Event
from put_protocol.seats import Seat
from put_rules.facts import Hidden
from put_rules.game import Game, OptionValue, Turn


class Player(Struct, frozen=True, omit_defaults=True, gc=False):
    """A player, as known when they played."""

    name: str
    is_bot: bool = False
    is_house: bool = False


class Pack(Struct, frozen=True, tag_field="step", tag="pack", omit_defaults=True, gc=False):
    """The shuffled pack the game awaited, top card first."""

    cards: tuple[Card, ...]
    """Cards that a viewer saw stay at their places; after the deal the others do not (`live_deal`)."""
    luck: int | None = None
    """Number that decided on an accident; None: the order of unseen cards did, or no accident was possible."""
    is_stock: bool = False
    """True if it was shuffled during a hand, from cards that came back; the hand's earlier packs stayed in play."""


class Tape(Struct, frozen=True, omit_defaults=True):
    """All pieces that the server made from a blind game's secret, in order, without the secret."""

    first: int
    """Number of earlier pieces."""
    pieces: tuple[bytes, ...]
    before: dict[int, bytes] = {}
    """Earlier pieces, by number, that the deals in play then depend on."""


class Chance(Struct, frozen=True, omit_defaults=True, gc=False):
    """Source of a deal, or of all deals of a blind game. Stored separately, so that it can be erased after the deal or
    that game."""

    secret: bytes = b""
    """Kept of a blind game in play."""
    pack: Pack | None = None
    """Kept of a deal of the server's own."""
    tape: Tape | None = None
    """Only for a finished blind game."""


class Move(Struct, frozen=True, tag_field="step", tag="move", omit_defaults=True, gc=False):
    """The seat to move did this."""

    action: Action
    place: int | None = None
    """Place of the card, which the server could not name before."""


class Expiry(Struct, frozen=True, tag_field="step", tag="expiry", gc=False):
    """The time of the seat to move was spent."""


class Departure(Struct, frozen=True, tag_field="step", tag="departure", gc=False):
    """A player gave up the game."""

    seat: Seat


class StandIn(Struct, frozen=True, tag_field="step", tag="stand_in", gc=False):
    """Another person replaced a player; the game continues unchanged."""

    seat: Seat
    player: Player


class Assist(Struct, frozen=True, tag_field="step", tag="assist", gc=False):
    """A player asked the coach, for the first time in the game."""

    seat: Seat


Input = Pack | Move | Expiry | Departure | StandIn | Assist


class Step(Struct, frozen=True, gc=False, array_like=True):
    """An input with its time."""

    at: int
    """Milliseconds since the game began."""

    input: Input


class GameRecord(Struct, frozen=True):
    """One game from its beginning, finished or not."""

    table: int
    number: int
    """Number of the game at the table, from 1."""
    rule_set: str
    options: dict[str, OptionValue]
    players: tuple[Player, ...]
    """Listed by seat, at the beginning."""
    dealer: Seat | None
    """None: the players drew for it."""
    steps: Hidden[bytes]
    is_exhibition: bool = False


class SeatTurns:
    """Turns of one seat: each situation and the action taken. The server collects them from a record, a client from its
    events."""

    def __init__(self, game: Game[Any, Any], seat: Seat) -> None:
        self.turns: list[PlayedTurn] = []
        """The turns, until another person took the seat. Time-outs are not included."""
        self.is_over = False
        self._game = game
        self._seat = seat
        self._seen: list[Event] = []

    def take(self, before: Any, given: Input | None, seen: Iterable[Event]) -> None:
        """Note an input: the state before it, and the seat's events of it. None: the game begins."""
        match given:
            case Move(action=action) if self._game.awaits(before) == Turn(self._seat) and not self.is_over:
                self.turns.append(PlayedTurn(self.situation(before), action))
            case StandIn(seat=seat) if seat == self._seat:
                self.is_over = True
            case _:
                pass
        self.see(seen)

    def see(self, seen: Iterable[Event]) -> None:
        """Note the seat's events; a deal begins a new hand."""
        for event in seen:
            if deals_hand(event):
                self._seen.clear()
            self._seen.append(event)

    def situation(self, state: Any) -> Situation:
        return Situation(self._seat, self._game.view(state, self._seat), self._game.choices(state), tuple(self._seen))

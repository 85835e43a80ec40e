"""Turns of one seat in a game: each situation and the action taken.

The server collects them from a record, a client from its events.
"""

from collections.abc import Iterable
from typing import Any

from put_protocol.analysis import PlayedTurn, Situation
from put_protocol.games.families import deals_hand
from put_protocol.games.unions import Event
from put_protocol.seats import Seat
from put_rules.game import Game, Turn
from put_rules.record import Input, Move, StandIn


class SeatTurns:
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
        """The current decision of the seat in this state."""
        return Situation(self._seat, self._game.view(state, self._seat), self._game.choices(state), tuple(self._seen))

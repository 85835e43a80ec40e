"""Opponents: they choose among the legal actions at random by a seed, so that the client is asked what it must be."""

import random
from collections.abc import Callable, Sequence

from put_protocol.games.unions import Action, Choice
from put_protocol.messages import Act, Again, Decision, Events, Request, ServerMessage, TableSnapshot
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_info import TableState

NAMES = (
    "Zo\u00eb",
    "Bj\u00f6rn",
    "Ines",
    "Ji\u0159\u00ed",
    "Ol\u00edvia",
    "S\u00f8ren",
    "Tam\u00e1s",
    "Ursula",
    "\u0141ukasz",
    "Wanda",
)
"""Most have letters of more than one byte, which may arrive cut in two."""

_RAISES = frozenset({"put", "double"})
_RETREATS = frozenset({"throw"})


class ScriptedPlayer:
    """One opponent. It receives what any player receives, and returns its requests."""

    def __init__(self, rng: random.Random, is_put_wanted: Callable[[], bool]) -> None:
        """`is_put_wanted` says whether the client has yet to be asked what only a put, or a double, asks of it."""
        self._rng = rng
        self._is_put_wanted = is_put_wanted
        self._requests = 0
        self._seat: Seat | None = None
        self._asked_again = 0

    def next_id(self) -> int:
        self._requests += 1
        return self._requests

    def receive(self, message: ServerMessage) -> list[Request]:
        """Its requests in answer to a message."""
        match message:
            case Decision():
                action = self._choose(message.legal)
                return [Act(self.next_id(), message.table, message.decision, action)]
            case TableSnapshot(viewer=viewer, info=info) if viewer != GALLERY:
                self._seat = viewer
                self._asked_again = info.games if info.is_in_play else 0
            case Events(table=table, info=info) if info is not None and self._seat is not None:
                is_over = info.games and info.state in (TableState.BETWEEN, TableState.FILLING)
                if is_over and info.games > self._asked_again and not info.seats[self._seat].is_house:
                    self._asked_again = info.games
                    return [Again(self.next_id(), table)]
            case _:
                pass
        return []

    def _choose(self, legal: Sequence[Choice]) -> Action:
        """Raise often if the client must be asked to answer a put, or else seldom, so that a hand lasts."""
        named = [(choice.action.__struct_config__.tag, choice.action) for choice in legal]
        raises = [action for tag, action in named if tag in _RAISES]
        if raises and self._rng.random() < (0.6 if self._is_put_wanted() else 0.1):
            return self._rng.choice(raises)
        retreats = [action for tag, action in named if tag in _RETREATS]
        cautious = [action for tag, action in named if tag not in _RAISES | _RETREATS]
        # A put that is seen ends the game; one that is not costs a point.
        if retreats and len(cautious) == 1 and len(named) == 2 and self._rng.random() < 0.7:
            return retreats[0]
        return self._rng.choice(cautious or retreats or raises)
